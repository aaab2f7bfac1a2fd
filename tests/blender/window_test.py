"""The add-on in a window: tasks that run beside it, progress, Esc, undo in one step; with pictures to look at.

  blender --factory-startup --enable-event-simulate --window-geometry 0 0 1600 1000 --python window_test.py -- ZIP FOLDER

The script is a generator that a timer wakes, because the window only lives between its steps. Yielding a number waits that
many seconds, yielding a function waits until it gives something true.
"""
import os
import sys
import time
import traceback
from pathlib import Path

import bpy
import numpy as np

zip_file, pictures = sys.argv[sys.argv.index("--") + 1:]
sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.dont_write_bytecode = True
bpy.context.preferences.view.show_splash = False
bpy.context.preferences.edit.undo_steps = 64
bpy.ops.preferences.addon_install(filepath=zip_file)
bpy.ops.preferences.addon_enable(module="sinew_rigging")

import scenes  # noqa: E402, after the add-on is there

task = scenes.addon().task
_PATIENCE = 300  # seconds that one wait may take on a busy machine


def window():
    return bpy.context.window_manager.windows[0]


def view_area():
    return next(area for area in window().screen.areas if area.type == "VIEW_3D")


def in_view():
    """For operators that need to know where they are: timers have no place of their own."""
    area = view_area()
    region = next(region for region in area.regions if region.type == "WINDOW")
    return bpy.context.temp_override(window=window(), area=area, region=region)


def press(kind, x=500, y=500):
    for value in ("PRESS", "RELEASE"):
        window().event_simulate(type=kind, value=value, x=x, y=y)


def open_tab():
    """Clicks on the tab Sinew, the fourth at the right of the sidebar."""
    view_area().spaces.active.show_region_ui = True
    yield 1
    region = next(region for region in view_area().regions if region.type == "UI")
    x, y = region.x + region.width - 14, region.y + region.height - 155
    window().event_simulate(type="MOUSEMOVE", value="NOTHING", x=x, y=y)
    yield 0.5
    press("LEFTMOUSE", x, y)
    yield 1


def picture(name):
    """Of the whole window, after it was drawn."""
    yield 0.7
    with in_view():
        bpy.ops.screen.screenshot(filepath=str(Path(pictures) / (name + ".png")))


def run(operator):
    """Presses the button, as far as a script can. Yields until it is done."""
    with in_view():
        assert operator("INVOKE_DEFAULT") == {"RUNNING_MODAL"}, operator
    assert task.running is not None
    yield lambda: task.running is None


def undo():
    with in_view():
        bpy.ops.ed.undo()


def body():
    return bpy.data.objects["Body"]


def group_count():
    return len(body().vertex_groups)


def story():
    settings = scenes.empty_scene()
    scenes.person(vertices=4000, garment="bare")
    yield 0.5
    with in_view():
        bpy.ops.view3d.view_axis(type="FRONT")
        bpy.ops.view3d.view_selected()
    view_area().spaces.active.shading.color_type = "OBJECT"
    bpy.data.objects["Armature"].show_in_front = True
    yield from open_tab()
    with in_view():
        bpy.ops.ed.undo_push(message="scene")
    yield from picture("panel")

    # The window draws while a long method works, and Esc stops it without a trace.
    bpy.context.scene.sinew.method = "skincells"
    bpy.ops.ed.undo_push(message="method")
    with in_view():
        bpy.ops.sinew.bind("INVOKE_DEFAULT")
    job, turns, longest, last = task.running, 0, 0.0, time.monotonic()
    while (job.fraction < 0.05 or turns < 5) and task.running is not None:
        yield 0.02
        now = time.monotonic()
        turns, longest, last = turns + 1, max(longest, now - last), now
    assert task.running is job, "the task ended too early to be stopped"
    print(f"while it worked, the window had {turns} turns, one after {longest:.2f} s at the latest")
    yield from picture("running")
    press("ESC")
    yield lambda: task.running is None
    assert group_count() == 0 and body().parent is None, "Esc left a trace"

    # A second press while one runs is refused.
    bpy.context.scene.sinew.method = "auto"
    bpy.ops.ed.undo_push(message="method")
    with in_view():
        bpy.ops.sinew.bind("INVOKE_DEFAULT")
    assert not bpy.ops.sinew.bind.poll() and not bpy.ops.sinew.fit.poll()
    yield lambda: task.running is None
    count = group_count()
    assert count > 20 and body().parent is not None
    yield from picture("bound")

    # One step back is as before, one forward as after.
    undo()
    yield 0.5
    assert group_count() == 0 and body().parent is None, f"after undo there are {group_count()} groups"
    with in_view():
        bpy.ops.ed.redo()
    yield 0.5
    assert group_count() == count

    # Paint in Weight Paint, solve again, undo that alone.
    armature, item = bpy.data.objects["Armature"], body()
    names = scenes.addon().read.deforming_bones(armature)
    before = scenes.weights_of(item, names)
    scenes.select_only(armature, item)
    with in_view():
        bpy.ops.object.mode_set(mode="WEIGHT_PAINT")
    item.vertex_groups.active_index = item.vertex_groups["Head"].index
    places = np.array([vertex.co for vertex in item.data.vertices])
    patch = np.linalg.norm(places - places[np.argmin(places[:, 1] + 9 * np.abs(places[:, 2] - 1.2))], axis=1) < 0.09
    painted = before.copy()
    painted[patch] = 0
    painted[patch, names.index("Head")] = 1
    for _ in scenes.addon().write.write_rows(item, names, before, painted):
        pass
    item.data.update()
    with in_view():
        bpy.ops.ed.undo_push(message="paint")
    yield from picture("painted")
    bpy.context.scene.sinew.options.biharmonic__resolution = 1500
    yield from run(bpy.ops.sinew.resolve)
    yield from picture("solved")
    after = scenes.weights_of(body(), names)
    assert np.abs(after - painted).max() > 0.05 and body().mode == "WEIGHT_PAINT"
    np.testing.assert_array_equal(after[patch, names.index("Head")], 1)
    undo()
    yield 0.5
    np.testing.assert_array_equal(scenes.weights_of(body(), names), painted)

    # A slip of the brush is found; a click shows it, and Fix repairs it. Each is one step of undo.
    with in_view():
        bpy.ops.object.mode_set(mode="OBJECT")
        bpy.ops.ed.undo_push(message="object mode")
    yield from run(bpy.ops.sinew.check)
    findings = bpy.context.scene.sinew.findings
    index = next((i for i, finding in enumerate(findings) if finding.bone == "Head"), None)
    assert index is not None, [finding.what for finding in findings]
    with in_view():
        bpy.ops.sinew.show_finding("INVOKE_DEFAULT", index=index)
        bpy.ops.object.mode_set(mode="WEIGHT_PAINT")
        body().data.use_paint_mask_vertex = True
    yield from picture("findings")
    body().data.use_paint_mask_vertex = False
    with in_view():
        bpy.ops.object.mode_set(mode="OBJECT")
        bpy.ops.sinew.leave_finding()
        bpy.ops.ed.undo_push(message="back")
    count = len(bpy.context.scene.sinew.findings)
    yield from run(bpy.ops.sinew.fix)
    assert len(bpy.context.scene.sinew.findings) < count
    fixed = scenes.weights_of(body(), names)
    assert fixed[patch, names.index("Head")].mean() < 0.5
    yield from picture("fixed")
    undo()
    yield 0.5
    np.testing.assert_array_equal(scenes.weights_of(body(), names), painted)
    assert len(bpy.context.scene.sinew.findings) == count, "undo brings the findings back"

    # A new armature.
    with in_view():
        bpy.ops.object.mode_set(mode="OBJECT")
    body().modifiers.clear()
    bpy.data.objects.remove(bpy.data.objects["Armature"])
    scenes.select_only(body())
    yield from run(bpy.ops.sinew.fit)
    assert bpy.context.view_layer.objects.active.type == "ARMATURE"
    yield from picture("fitted")


def wake(steps, state={}):
    """Goes on with the story where it waits."""
    try:
        waiting = state.get("for")
        if callable(waiting) and not waiting():
            if time.monotonic() > state["end"]:
                raise TimeoutError("waited too long")
            return 0.05
        state["for"], state["end"] = next(steps), time.monotonic() + _PATIENCE
        return 0.05 if callable(state["for"]) else state["for"]
    except StopIteration:
        print("the add-on works in a window", flush=True)
        os._exit(0)
    except BaseException:
        traceback.print_exc()
        sys.stdout.flush()
        os._exit(1)


steps = story()
bpy.app.timers.register(lambda: wake(steps), first_interval=1, persistent=True)
