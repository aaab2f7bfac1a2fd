"""Long work that leaves the window alone: a worker thread computes, a modal operator looks after it.

A task has three parts. ``gather`` and ``apply`` run on the main thread, where Blender's data may be touched, and are
generators: they yield every few milliseconds, and the window has a turn. ``compute`` runs in the worker thread, must not
touch Blender's data, and hands the given function on to the library as ``progress``.

Between ``gather`` and ``apply`` an artist may only look around. Tasks keep names, not objects: an undo makes every
reference invalid.
"""
from __future__ import annotations

import threading
import time
from typing import Any, Callable, Iterator, List, Optional

import bpy

from .library import Problem, explained, sinew

_TURN = 0.03  # seconds of main-thread work between two turns of the window
_WAITING = object()

# Events that move the view: they go through while a task runs.
_LOOKING = {"MIDDLEMOUSE", "MOUSEMOVE", "INBETWEEN_MOUSEMOVE", "WHEELUPMOUSE", "WHEELDOWNMOUSE", "WHEELINMOUSE",
            "WHEELOUTMOUSE", "TRACKPADPAN", "TRACKPADZOOM", "MOUSEROTATE", "MOUSESMARTZOOM", "NDOF_MOTION",
            "NDOF_BUTTON_FIT", "NUMPAD_0", "NUMPAD_1", "NUMPAD_2", "NUMPAD_3", "NUMPAD_4", "NUMPAD_5", "NUMPAD_6",
            "NUMPAD_7", "NUMPAD_8", "NUMPAD_9", "NUMPAD_PERIOD", "HOME", "WINDOW_DEACTIVATE"}


class Stopped(Exception):
    """The artist pressed Esc."""


class Task:
    """What one operator does. ``warnings`` and ``message`` are shown when it is done."""

    title = "Working"

    def __init__(self) -> None:
        self.warnings: List[str] = []
        self.message = ""

    def gather(self, context: Any) -> Iterator[None]:
        yield

    def compute(self, progress: Callable[[float, str], None]) -> None:
        """In the worker thread."""

    def apply(self, context: Any) -> Iterator[None]:
        yield

    def warn(self, report: Any) -> None:
        """Takes over what the library repaired or ignored."""
        self.warnings += [str(warning) for warning in getattr(report, "warnings", [])]


class Job:
    """A task on its way."""

    def __init__(self, task: Task):
        self.task = task
        self.fraction = 0.0
        self.stage = ""
        self.phase = "gather"
        self._stop = False
        self._error: Optional[BaseException] = None
        self._thread: Optional[threading.Thread] = None

    def stop(self) -> None:
        self._stop = True

    def join(self) -> None:
        """Ends the worker: it notices within a fraction of a second."""
        self.stop()
        if self._thread is not None:
            self._thread.join()

    def _told(self, fraction: float, stage: str) -> None:
        if self._stop:
            raise Stopped
        self.fraction, self.stage = fraction, stage

    def _work(self) -> None:
        try:
            self.task.compute(self._told)
        except BaseException as error:  # raised again on the main thread
            self._error = error

    def steps(self, context: Any) -> Iterator[Any]:
        self.stage = "reading"
        yield from self.task.gather(context)
        self.phase = "compute"
        self._thread = threading.Thread(target=self._work, name="sinew", daemon=True)
        self._thread.start()
        while self._thread.is_alive():
            yield _WAITING
        if self._error is not None:
            raise self._error
        if self._stop:
            raise Stopped
        self.phase, self.fraction, self.stage = "apply", 1.0, "writing"
        yield from self.task.apply(context)


running: Optional[Job] = None


def stop_running() -> None:
    """When the add-on is turned off."""
    if running is not None:
        running.join()


def _redraw_panels(context: Any) -> None:
    for window in context.window_manager.windows:
        for area in window.screen.areas:
            if area.type == "VIEW_3D":
                for region in area.regions:
                    if region.type == "UI":
                        region.tag_redraw()


class TaskOperator:
    """Mixed into operators: ``make_task`` says what to do. From a button it runs beside the window and Esc stops it; from
    a script (``bpy.ops.sinew.bind()``) it returns when it is done."""

    bl_options = {"UNDO"}

    def make_task(self, context: Any) -> Task:
        raise NotImplementedError

    @classmethod
    def poll(cls, context: Any) -> bool:
        return sinew is not None and running is None

    def invoke(self, context: Any, _event: Any) -> set:
        if not self._begin(context):
            return {"CANCELLED"}
        self._timer = context.window_manager.event_timer_add(0.05, window=context.window)
        context.window_manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def execute(self, context: Any) -> set:
        if not self._begin(context):
            return {"CANCELLED"}
        done = None
        try:
            while done is None:
                done = self._turn(context)
                time.sleep(0.002 if self._job.phase == "compute" else 0)
        finally:
            if done is None:  # Ctrl-C
                self._end(context)
        return done

    def modal(self, context: Any, event: Any) -> set:
        if event.type == "ESC" and event.value == "PRESS":
            if self._job.phase == "gather":
                return self._finish(context, Stopped())
            if self._job.phase == "compute":
                self._job.stop()
            return {"RUNNING_MODAL"}  # what is being written is written to the end
        if event.type == "TIMER":
            done = self._turn(context)
            return done or {"PASS_THROUGH"}
        looks = event.type in _LOOKING or (event.alt and event.type == "LEFTMOUSE")
        return {"PASS_THROUGH"} if looks else {"RUNNING_MODAL"}

    def cancel(self, context: Any) -> None:
        """Blender closes the window or opens another file."""
        self._end(context)

    def _begin(self, context: Any) -> bool:
        global running
        self._timer = None
        try:
            job = Job(self.make_task(context))
        except Exception as error:
            self.report({"ERROR"}, explained(error))
            if not isinstance(error, (Problem, sinew.Error)):
                raise
            return False
        running = self._job = job
        self._steps = job.steps(context)
        return True

    def _turn(self, context: Any) -> Optional[set]:
        """Goes on for a moment. None: there is more to do."""
        end = time.monotonic() + _TURN
        try:
            while next(self._steps) is not _WAITING and time.monotonic() < end:
                pass
        except StopIteration:
            return self._finish(context, None)
        except Exception as error:
            return self._finish(context, error)
        if self._timer is not None:
            percent = f"{100 * self._job.fraction:.0f} %"
            context.workspace.status_text_set(f"{self._job.task.title}: {percent} {self._job.stage}  |  Esc stops it")
            _redraw_panels(context)
        return None

    def _finish(self, context: Any, error: Optional[BaseException]) -> set:
        task = self._job.task
        self._end(context)
        if isinstance(error, Stopped) or (sinew and isinstance(error, sinew.CancelledError)):
            self.report({"INFO"}, f"{task.title} was stopped; nothing has changed")
            return {"CANCELLED"}
        if error is not None:
            self.report({"ERROR"}, explained(error))
            if not isinstance(error, (Problem, sinew.Error)):
                import traceback
                traceback.print_exception(type(error), error, error.__traceback__)
            return {"CANCELLED"}
        for warning in task.warnings:
            self.report({"WARNING"}, warning)
        self.report({"INFO"}, task.message)
        return {"FINISHED"}

    def _end(self, context: Any) -> None:
        global running
        self._job.join()
        self._steps.close()  # gives what was borrowed back: the current frame, modifiers
        if self._timer is not None:
            context.window_manager.event_timer_remove(self._timer)
            context.workspace.status_text_set(None)
            self._timer = None
        running = None
        if not bpy.app.background:
            _redraw_panels(context)
