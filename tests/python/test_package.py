"""The package itself: declarations that fit the library, help for everything, the command line."""
import ast
import ctypes
import inspect
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import sinew
from sinew import _declarations, _library

FOLDER = Path(sinew.__file__).parent


def test_declarations_are_those_of_the_headers():
    interface = os.environ.get("SINEW_INTERFACE")
    if not interface:
        pytest.skip("SINEW_INTERFACE does not say where bindings/c/interface.py is")
    sys.path.insert(0, str(Path(interface).parent))
    from interface import Interface
    assert Interface().module() == (FOLDER / "_declarations.py").read_text(encoding="utf-8")


def test_the_library_fills_no_more_of_a_struct_than_the_package_knows():
    """A later library may come with a longer struct: packages of Debian are updated one by one."""
    checked = 0
    for name in dir(_declarations):
        fill = getattr(_library.lib, name + "_defaults", None) if name.endswith("_options") else None
        if fill is None:
            continue
        kind = getattr(_declarations, name)
        size = ctypes.sizeof(kind)
        memory = ctypes.create_string_buffer(b"\xa5" * (size + 64), size + 64)
        for known in (size, size - 8):
            fill(ctypes.cast(memory, ctypes.POINTER(kind)), known)
            assert kind.from_buffer(memory).struct_size == known, name
            assert memory.raw[size:] == b"\xa5" * 64, name
        checked += 1
    assert checked == 26


CALLS = {"sinew_bind_options": sinew.Character.bind, "sinew_fit_options": sinew.Character.fit,
         "sinew_rig_options": sinew.Character.rig,
         "sinew_retarget_options": sinew.Character.retarget, "sinew_lod_options": sinew.Character.lods,
         "sinew_evaluate_options": sinew.Character.evaluate, "sinew_render_options": sinew.Character.render,
         "sinew_simulate_options": sinew.Character.simulate, "sinew_train_options": sinew.train_correctives,
         "sinew_train_weights_options": sinew.train_weights, "sinew_check_options": sinew.Character.check,
         "sinew_fix_options": sinew.Character.fix, "sinew_generate_options": sinew.Character.generate_skeleton,
         "sinew_recognise_options": sinew.Character.recognise,
         "sinew_finding_picture_options": sinew.CheckReport.picture,
         "sinew_mirror_options": sinew.Character.mirror_weights, "sinew_smooth_options": sinew.Character.smooth_weights,
         "sinew_prune_options": sinew.Character.prune_weights, "sinew_limit_options": sinew.Character.limit_influences,
         "sinew_transfer_options": sinew.Character.transfer_weights,
         "sinew_copy_options": sinew.Character.copy_weights, "sinew_combine_options": sinew.Character.combine_weights,
         "sinew_twist_options": sinew.Character.add_twist_joints, "sinew_load_options": sinew.load,
         "sinew_builtin_options": sinew.make_character, "sinew_save_options": sinew.Character.save}

# Members whose argument has another name, or that belong to the argument beside them (None).
ARGUMENTS = {"use_networks": "networks", "networks_size": None, "resume_size": None, "save_state_user": None,
             "held_joints": "held", "held_positions": "held", "marker_names": "markers", "marker_positions": "markers",
             "marker_on_skin": "markers_on_skin", "coarse_vertex_counts": "vertex_counts", "selection": "vertices",
             "lod": "levels", "from_right": "source", "check": "kinds", "fit": "cells", "bind": "method",
             "retarget": "in_place", "rest_pose": "rest", "rest_frame": "rest", "isolate": None, "name": None, "format": None, "unused": None,
             "unused_2": None, "struct_size": None, "upper_arms": "limbs", "forearms": "limbs", "thighs": "limbs", "shins": "limbs"}


def test_every_option_of_the_library_is_an_argument():
    assert set(CALLS) == {name for name in dir(_declarations) if name.endswith("_options")}
    for name, call in CALLS.items():
        arguments = inspect.signature(call).parameters
        for member, _ in getattr(_declarations, name)._fields_:
            argument = ARGUMENTS.get(member, member)
            if argument is None or member.endswith("_count"):
                continue
            assert argument in arguments, f"{call.__qualname__} has no argument for {member} of {name}"


def test_arguments_have_the_defaults_of_the_library():
    for name, call in CALLS.items():
        struct = _library.options_struct(getattr(_declarations, name))
        for argument, parameter in inspect.signature(call).parameters.items():
            value = getattr(struct, argument, None)
            if argument == "isolate":
                continue  # on in Python
            if isinstance(value, bytes):
                value = value.decode()
            if isinstance(value, (int, float, str)) and parameter.default not in (None, inspect.Parameter.empty):
                assert parameter.default == value, f"{call.__qualname__}({argument}=…)"


def public_names():
    """(name, thing) of all that users can reach: functions, classes, and their methods and properties."""
    for name in sinew.__all__:
        thing = getattr(sinew, name)
        yield name, thing
        if not inspect.isclass(thing):
            continue
        for member in dir(thing):
            value = inspect.getattr_static(thing, member)
            value = getattr(value, "__func__", value)
            function = value.fget if isinstance(value, property) else value
            ours = inspect.isfunction(function) and function.__module__.startswith("sinew")
            if ours and (not member.startswith("_") or member == "__init__"):
                yield f"{name}.{member}", value


def signatures():
    """(name, function, parameters) of all that can be called or read."""
    for name, thing in public_names():
        function = thing.fget if isinstance(thing, property) else thing
        if inspect.isfunction(function):
            parameters = list(inspect.signature(function).parameters.values())
            yield name, function, [one for one in parameters if one.name not in ("self", "cls")]


def test_everything_public_has_help():
    assert "hero.rig" in sinew.__doc__
    found = 0
    for name, thing in public_names():
        assert name.endswith("__init__") or inspect.getdoc(thing), f"{name} has no help"
        found += 1
    assert found > 130


def test_every_argument_and_result_has_a_type():
    import numpy
    import typing
    names = {**vars(typing), **vars(sinew), "np": numpy}
    for name, function, parameters in signatures():
        known = {**names, **vars(sys.modules[function.__module__])}
        hints = typing.get_type_hints(function, known)  # they are names of types that there are
        for parameter in parameters:
            assert parameter.name in hints, f"{name} does not say the type of {parameter.name}"
        assert "return" in hints or name.endswith("__init__"), f"{name} does not say what it returns"
    assert (FOLDER / "py.typed").exists()


# What the head of Character explains for all its methods.
EXPLAINED = {"progress", "threads", "seed"}


def test_every_argument_is_explained():
    assert all(word in sinew.Character.__doc__ for word in EXPLAINED)
    for name, function, parameters in signatures():
        words = inspect.getdoc(function) or ""
        if name.endswith("__init__"):
            owner = getattr(sinew, name.split(".")[0])
            if issubclass(owner, (sinew.Error, sinew.Report, sinew.CheckReport, sinew.FixReport)):
                continue  # Sinew makes them, nobody else
            words = inspect.getdoc(owner)
        for parameter in parameters:
            told = re.search(rf"(?<![\w.]){re.escape(parameter.name)}\b", words)
            assert told or parameter.name in EXPLAINED, f"the help of {name} does not explain {parameter.name}"


def test_the_command_line_comes_along(tmp_path):
    run = [sys.executable, "-m", "sinew"]
    subprocess.run([*run, "make-character", "x.glb", "--vertices", "1000", "--quiet"], cwd=tmp_path, check=True,
                   stdout=subprocess.DEVNULL)
    shown = subprocess.run([*run, "info", "x.glb"], cwd=tmp_path, check=True, capture_output=True, text=True).stdout
    assert "joints" in shown
    assert subprocess.run([*run, "info", "no.glb"], cwd=tmp_path, capture_output=True).returncode == 3
    script = Path(sys.executable).parent / "sinew"
    if script.exists():
        assert "joints" in subprocess.run([script, "info", "x.glb"], cwd=tmp_path, capture_output=True, text=True).stdout


def test_the_package_is_written_for_python_3_9():
    for path in FOLDER.glob("*.py"):
        ast.parse(path.read_text(encoding="utf-8"), str(path), feature_version=(3, 9))


def test_errors_by_kind():
    assert issubclass(sinew.UsageError, ValueError) and issubclass(sinew.BadInputError, ValueError)
    assert issubclass(sinew.MissingFileError, FileNotFoundError)
    error = sinew.Error("what", "code", 100, "try this")
    assert str(error) == "what\n  try this" and error.code == "code"
