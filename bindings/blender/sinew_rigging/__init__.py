"""Sinew for Blender: fit a skeleton, bind, solve again around painted weights, check, retarget. See the tab "Sinew" in the
sidebar of the 3D view, and docs/blender.md.

One source serves Blender 3.4 and later, as an add-on (bl_info) and as an extension (blender_manifest.toml).
"""
import bpy

from . import (bind, check, correctives, fit, lods, panel, resolve, retarget, settings, show_finding, task, tools,
               transfer)

bl_info = {
    "name": "Sinew",
    "author": "The Sinew contributors",
    "version": (0, 1, 0),
    "blender": (3, 4, 0),
    "location": "3D View > Sidebar > Sinew",
    "description": "Rigs characters: fits skeletons, computes skin weights, retargets actions",
    "category": "Rigging",
}

_modules = (settings, fit, bind, resolve, tools, transfer, check, show_finding, retarget, correctives, lods, panel)


def _progress(_manager) -> float:
    return task.running.fraction if task.running is not None else 0.0


def register() -> None:
    for module in _modules:
        for item in module.classes:
            bpy.utils.register_class(item)
    bpy.types.Scene.sinew = bpy.props.PointerProperty(type=settings.SinewSettings)
    bpy.types.WindowManager.sinew_progress = bpy.props.FloatProperty(
        name="Progress", subtype="FACTOR", min=0, max=1, get=_progress, description="Esc stops it")


def unregister() -> None:
    task.stop_running()
    resolve.forget_solver()
    del bpy.types.WindowManager.sinew_progress
    del bpy.types.Scene.sinew
    for module in reversed(_modules):
        for item in reversed(module.classes):
            bpy.utils.unregister_class(item)
