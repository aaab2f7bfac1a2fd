"""Tools for weights that are there: mirror, smooth."""
from __future__ import annotations

from typing import Any, Callable, Iterator

import bpy
import numpy as np

from . import read
from .bind import Skin, painted_vertices
from .library import Problem
from .task import Task, TaskOperator


class ToolTask(Task):
    """Changes present weights by one call of the library. Locked groups and vertices that are not selected stay exactly as
    they are."""

    def __init__(self, context: Any, title: str, change: Callable[..., Any]):
        """`change(character, vertices, locked, progress)` changes the character's weights and gives back its report."""
        super().__init__()
        settings = context.scene.sinew
        self.title, self.change = title, change
        self.keep_locked, self.selected_only = settings.keep_locked, settings.tool_vertices == "SELECTED"
        self.skin = Skin(context)

    def gather(self, context: Any) -> Iterator[None]:
        yield from self.skin.gather(context, mirrored=False)
        _, meshes = self.skin.objects()
        self.locked = read.locked_bones(meshes, self.skin.bones.names) & self.keep_locked
        self.painted = [painted_vertices(item, old, self.skin.bones.names) for item, old in zip(meshes, self.skin.old)]
        self.vertices = np.concatenate([read.selected_vertices(item) for item in meshes]) if self.selected_only else None
        if self.selected_only and not self.vertices.any():
            raise Problem("No vertex is selected")

    def compute(self, progress: Callable[[float, str], None]) -> None:
        character = self.skin.bound_character()
        before = self.skin.bones.weights_of(character)
        chosen = None if self.vertices is None else np.nonzero(self.vertices)[0]
        report = self.change(character, chosen, self.skin.bones.joints[self.locked].tolist(), progress)
        self.warn(report)
        after = self.skin.bones.weights_of(character)
        # What the tool left alone stays as it is in the vertex groups, also where it does not sum to one.
        touched = np.abs(after - before).max(axis=1) > 1e-7
        if self.vertices is not None:
            touched &= self.vertices
        old = np.concatenate(self.skin.old)
        new = np.where(touched[:, None], after, old)
        new[:, self.locked] = old[:, self.locked]
        self.new = self.skin.split(new)
        self.message = f"{self.title}: {int(touched.sum())} vertices changed"

    def apply(self, context: Any) -> Iterator[None]:
        yield from self.skin.apply(context, self.new, self.painted)


class SINEW_OT_mirror(TaskOperator, bpy.types.Operator):
    """Take the weights of one side of the character for both"""

    bl_idname = "sinew.mirror"
    bl_label = "Mirror Weights"

    def make_task(self, context: Any) -> Task:
        source = context.scene.sinew.mirror_source
        return ToolTask(context, "Mirror", lambda character, vertices, locked, progress: character.mirror_weights(
            source, vertices=vertices, locked=locked, progress=progress))


class SINEW_OT_smooth(TaskOperator, bpy.types.Operator):
    """Even weights out over the surface"""

    bl_idname = "sinew.smooth"
    bl_label = "Smooth Weights"

    def make_task(self, context: Any) -> Task:
        settings = context.scene.sinew
        strength, times, most = settings.smooth_strength, settings.smooth_iterations, settings.max_influences
        return ToolTask(context, "Smooth", lambda character, vertices, locked, progress: character.smooth_weights(
            strength=strength, iterations=times, max_influences=most, vertices=vertices, locked=locked,
            progress=progress))


classes = (SINEW_OT_mirror, SINEW_OT_smooth)
