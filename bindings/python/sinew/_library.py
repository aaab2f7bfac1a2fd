"""Finds libsinew, declares its functions, and calls them: errors become exceptions, Ctrl-C cancels."""
from __future__ import annotations

import ctypes
import json
import operator
import signal
import sys
import threading
from pathlib import Path
from typing import Any, Callable, List, Optional, Tuple

from . import _declarations as c
from .errors import Warning, error_of, wrong_argument

FOLDER = Path(__file__).resolve().parent


def _load() -> ctypes.CDLL:
    own = FOLDER / "libsinew.so"  # a wheel holds the library; Debian's package leaves it to another one
    try:
        library = ctypes.CDLL(str(own) if own.exists() else c.LIBRARY)
    except OSError as problem:
        raise ImportError(f"libsinew cannot be loaded: {problem}. The package needs 64-bit Linux with glibc 2.36 or "
                          "newer (Debian 12, Ubuntu 23.04).") from problem
    for name, (result, arguments) in c.FUNCTIONS.items():
        function = getattr(library, name)
        function.restype = result
        function.argtypes = arguments
    return library


lib = _load()


class Report(dict):
    """What a call reports: a dict of figures and lists, as the command line prints them with ``--json``.

    Attributes:
        warnings: what was repaired or ignored, a list of :class:`sinew.Warning`.
    """

    def __init__(self, values: Optional[dict] = None, warnings: Optional[List[Warning]] = None):
        super().__init__(values or {})
        self.warnings: List[Warning] = warnings or []


class Result:
    """A sinew_result, with all that a call left in it, destroyed with this object.

    Attributes:
        handle: its number, for calls.
        report: what the call reports.
    """

    def __init__(self) -> None:
        self.handle = lib.sinew_result_create()
        self.report = Report()
        if not self.handle:
            raise MemoryError("there is no memory for a result of Sinew")

    def __del__(self, destroy=lib.sinew_result_destroy):
        destroy(getattr(self, "handle", None))

    def read(self) -> None:
        """After a call."""
        text = lib.sinew_result_json(self.handle)
        self.report = Report(json.loads(text) if text else {}, list(self._warnings()))

    def _warnings(self):
        for index in range(lib.sinew_result_warning_count(self.handle)):
            code, message = ctypes.c_char_p(), ctypes.c_char_p()
            lib.sinew_result_warning(self.handle, index, ctypes.byref(code), ctypes.byref(message))
            yield Warning(code.value.decode(), message.value.decode())

    def error(self, status: int) -> Exception:
        def text(getter):
            return getter(self.handle).decode()
        error = error_of(status, lib.sinew_status_name(status).decode(), text(lib.sinew_result_message),
                         text(lib.sinew_result_advice), text(lib.sinew_result_option))
        error.report = self.report
        return error

    @property
    def file_count(self) -> int:
        return lib.sinew_result_file_count(self.handle)

    def file_place(self, index: int = 0) -> Tuple[str, Optional[int], int]:
        """Name, address and size of a file. The memory is the result's."""
        name, data, size = ctypes.c_char_p(), ctypes.c_void_p(), ctypes.c_size_t()
        lib.sinew_result_file(self.handle, index, ctypes.byref(name), ctypes.byref(data), ctypes.byref(size))
        return name.value.decode(), data.value, size.value

    def file(self, index: int = 0) -> bytes:
        """A copy of a file. result_view of _arrays shows it without one."""
        _, address, size = self.file_place(index)
        return ctypes.string_at(address, size) if address else b""

    def file_called(self, name: str) -> Optional[bytes]:
        for index in range(self.file_count):
            if self.file_place(index)[0] == name:
                return self.file(index)
        return None


def call(function: Callable, *arguments: Any) -> Result:
    """Calls a function of the C interface with a result of its own. Raises what the status says."""
    result = Result()
    status = function(*arguments, result.handle)
    result.read()
    if status != 0:
        raise result.error(status)
    return result


def call_with_progress(function: Callable, *arguments: Any, progress: Any = None,
                       failures: Optional[List[BaseException]] = None) -> Result:
    """The same for functions that take a sinew_progress before their result, or before what stands in `arguments`
    as Ellipsis. What other callbacks of the call put into `failures` cancels it and is raised."""
    with _Listener(progress, [] if failures is None else failures) as listener:
        told = ctypes.byref(listener.struct)
        if any(argument is Ellipsis for argument in arguments):
            arguments = tuple(told if argument is Ellipsis else argument for argument in arguments)
        else:
            arguments += (told,)
        try:
            result = call(function, *arguments)
        except Exception:
            listener.raise_own()
            raise
        listener.raise_own()
        return result


class _Listener:
    """Hands progress on to a function, a bar of tqdm, or a line on stderr; and turns Ctrl-C into a clean cancel.

    Python handles signals between its own instructions, so during a call only the progress function lets it do so. What
    a handler raises there would be lost in ctypes. So while the call runs, Ctrl-C sets a flag instead; the call is
    cancelled, and the handler that was there before has its turn afterwards.
    """

    def __init__(self, progress: Any, failures: List[BaseException]):
        self._show, self._finish = _shower(progress)
        self._failures = failures
        self._interrupts: List[Tuple[int, Any]] = []
        self._previous: Any = None
        self._tell = c.sinew_progress._fields_[0][1](self._told)
        self.struct = c.sinew_progress(self._tell, None)

    def _told(self, _user, fraction, stage) -> int:
        if self._failures or self._interrupts:
            return 1
        try:
            self._show(fraction, stage.decode())
            return 1 if self._interrupts else 0
        except BaseException as raised:  # every one is raised again in raise_own
            self._failures.append(raised)
            return 1

    def __enter__(self) -> "_Listener":
        if threading.current_thread() is threading.main_thread() and callable(signal.getsignal(signal.SIGINT)):
            self._previous = signal.signal(signal.SIGINT, lambda number, frame: self._interrupts.append((number, frame)))
        return self

    def __exit__(self, kind: Any = None, *_exception: Any) -> None:
        if self._previous is not None:
            signal.signal(signal.SIGINT, self._previous)
        self._finish(kind is None)
        if self._interrupts and self._previous is not None:
            self._previous(*self._interrupts[0])  # usually raises KeyboardInterrupt

    def raise_own(self) -> None:
        if self._failures:
            raise self._failures[0]


def _shower(progress: Any):
    """(show(fraction, stage), finish(whole)) for what users give as `progress`."""
    if progress is None or progress is False:
        return (lambda fraction, stage: None), (lambda whole: None)
    if progress is True:
        try:
            from tqdm.auto import tqdm
        except ImportError:
            return _line_on_stderr()
        return _bar_shower(tqdm(total=100, bar_format="{l_bar}{bar}| [{elapsed}<{remaining}]"), close=True)
    if hasattr(progress, "update") and hasattr(progress, "total"):
        return _bar_shower(progress)
    if not callable(progress):
        raise TypeError("progress is a function of (fraction, stage), a bar like tqdm's, or True")
    return progress, (lambda whole: None)


def _bar_shower(bar: Any, close: bool = False):
    """A bar like tqdm's. It begins where it is, so that one bar may serve several calls, and ends whole."""
    if bar.total is None:
        bar.total = bar.n + 100
    begin, room = bar.n, bar.total - bar.n

    def show(fraction: float, stage: str) -> None:
        if hasattr(bar, "set_description"):
            bar.set_description(stage, refresh=False)
        reached = begin + (int(fraction * room) if room >= 100 else fraction * room)
        if reached > bar.n:
            bar.update(reached - bar.n)

    def finish(whole: bool) -> None:
        if whole and bar.n < begin + room:
            bar.update(begin + room - bar.n)
        if close:
            bar.close()

    return show, finish


def _line_on_stderr():
    def show(fraction: float, stage: str) -> None:
        print(f"\r{100 * fraction:3.0f} % {stage:<50}", end="", file=sys.stderr, flush=True)

    return show, (lambda whole: print("\r" + " " * 60 + "\r", end="", file=sys.stderr, flush=True))


def options_struct(struct_type: type, /, **values: Any):
    """An options struct with its defaults, and with what is given and not None. Keeps alive what it points at."""
    struct = struct_type()
    getattr(lib, struct_type.__name__ + "_defaults")(ctypes.byref(struct), ctypes.sizeof(struct))
    struct.kept = []
    kinds = dict(struct_type._fields_)
    for name, value in values.items():
        if name not in kinds:
            raise TypeError(f"there is no argument '{name}'")
        if value is not None:
            _set_member(struct, name, kinds[name], value)
    return struct


_WHOLE = (ctypes.c_int, ctypes.c_int32, ctypes.c_size_t, ctypes.c_uint64)


def _set_member(struct: Any, name: str, kind: Any, value: Any) -> None:
    try:
        if kind is ctypes.c_char_p:
            value = value.encode()
        elif kind is ctypes.c_double:
            value = float(value)
        elif kind in _WHOLE:
            value = operator.index(value)
            if kind(value).value != value:
                raise wrong_argument(f"{name} = {value} is out of range")
        setattr(struct, name, value)
    except (TypeError, AttributeError):
        raise TypeError(f"{name} cannot be {value!r}") from None
    struct.kept.append(value)
