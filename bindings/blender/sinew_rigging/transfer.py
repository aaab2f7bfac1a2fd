"""Transfer weights: from another mesh of the same body, such as the body under a garment, or another level of detail."""
from __future__ import annotations

from typing import Any, Callable, Iterator

import bpy
import numpy as np

from . import read, rows
from .bind import Skin, painted_vertices
from .library import Problem
from .task import Task, TaskOperator


class TransferTask(Task):
    title = "Transfer"

    def __init__(self, context: Any):
        super().__init__()
        settings = context.scene.sinew
        source = settings.transfer_source
        if source is None:
            raise Problem("Choose the mesh whose weights are taken")
        armature = source.find_armature()
        if armature is None:
            raise Problem(f"No armature moves '{source.name}': choose a mesh that is bound")
        if read.mirrors(source):
            raise Problem(f"Apply the Mirror modifier of '{source.name}' first: only its own half has weights")
        targets = [item for item in read.chosen_meshes(context) if item != source]
        if not targets:
            raise Problem(f"Select the meshes that are to get weights of '{source.name}'")
        self.most, self.keep_locked = settings.max_influences, settings.keep_locked
        self.selected_only = settings.tool_vertices == "SELECTED"
        self.options = dict(max_distance=float(f"{settings.transfer_distance:.6g}"),
                            max_angle=float(f"{np.degrees(settings.transfer_angle):.6g}"),
                            both_sides=settings.transfer_both_sides, max_influences=self.most)
        self.source, self.skin = Skin.of(armature, [source]), Skin.of(armature, targets)

    def gather(self, context: Any) -> Iterator[None]:
        yield from self.source.gather(context, mirrored=False)
        yield from self.skin.gather(context)
        _, meshes = self.skin.objects()
        self.locked = read.locked_bones(meshes, self.skin.bones.names) & self.keep_locked
        self.vertices = [read.selected_vertices(item) if self.selected_only else np.ones(len(item.data.vertices), bool)
                         for item in meshes]
        if not any(vertices.any() for vertices in self.vertices):
            raise Problem("No vertex is selected")

    def compute(self, progress: Callable[[float, str], None]) -> None:
        character, source = self.skin.character(), self.source.bound_character()
        character.name, source.name = ", ".join(self.skin.meshes), self.source.meshes[0]  # in messages
        report = character.transfer_weights(source, progress=progress, **self.options)
        self.warn(report)
        solved = self.skin.split(self.skin.bones.weights_of(character))
        everything = np.ones(len(self.skin.bones.names), bool)
        self.new = [rows.combined(old, new, locked=self.locked, chosen=everything, vertices=vertices, most=self.most)
                    for old, new, vertices in zip(self.skin.old, solved, self.vertices)]
        self.message = (f"{report['matched']} places matched '{self.source.meshes[0]}', {report['inpainted']} follow those "
                        f"around them, {report['guessed']} are guessed")

    def apply(self, context: Any) -> Iterator[None]:
        _, meshes = self.skin.objects()
        kept = [painted_vertices(item, old, self.skin.bones.names) & ~vertices
                for item, old, vertices in zip(meshes, self.skin.old, self.vertices)]
        yield from self.skin.apply(context, self.new, kept)


class SINEW_OT_transfer(TaskOperator, bpy.types.Operator):
    """Give the selected meshes the weights of another mesh at the same place"""

    bl_idname = "sinew.transfer"
    bl_label = "Transfer Weights"

    def make_task(self, context: Any) -> Task:
        return TransferTask(context)


classes = (SINEW_OT_transfer,)
