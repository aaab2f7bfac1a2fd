"""Check and fix: what is wrong with the skin of a character, found by posing it bone by bone, and its repair.

Findings are kept in the scene, so that undo and files have them. show_finding.py shows one.
"""
from __future__ import annotations

from typing import Any, Callable, Dict, Iterator, List

import bpy
import numpy as np

from . import read
from .bind import Skin, painted_vertices
from .task import Task, TaskOperator


def bone_names(bones: read.Bones) -> Dict[str, str]:
    """The bone of each joint of the library."""
    return {bones.joint_name(column): name for column, name in enumerate(bones.names)}


class CheckTask(Task):
    title = "Check"

    def __init__(self, context: Any):
        super().__init__()
        settings = context.scene.sinew
        self.options = dict(tolerance=float(f"{settings.check_tolerance:.6g}"), max_influences=settings.check_influences)
        self.skin = Skin(context)

    def gather(self, context: Any) -> Iterator[None]:
        yield from self.skin.gather(context, mirrored=False)

    def compute(self, progress: Callable[[float, str], None]) -> None:
        self.report = self.skin.bound_character().check(progress=progress, **self.options)
        self.warn(self.report)

    def apply(self, context: Any) -> Iterator[None]:
        _, meshes = self.skin.objects()
        yield
        write_findings(context.scene.sinew, self.skin, meshes, self.report)
        count = len(self.report)
        self.message = f"{count} finding{'' if count == 1 else 's'} in {len(self.report.poses)} poses"


class FixTask(Task):
    """Repairs what a check finds. Vertices whose repair would change a locked vertex group stay as they are."""

    title = "Fix"

    def __init__(self, context: Any):
        super().__init__()
        settings = context.scene.sinew
        self.keep_locked = settings.keep_locked
        self.options = dict(tolerance=float(f"{settings.check_tolerance:.6g}"),
                            max_influences=min(settings.check_influences, 16))
        self.skin = Skin(context)

    def gather(self, context: Any) -> Iterator[None]:
        yield from self.skin.gather(context, mirrored=False)
        _, meshes = self.skin.objects()
        self.locked = read.locked_bones(meshes, self.skin.bones.names) & self.keep_locked
        self.painted = [painted_vertices(item, old, self.skin.bones.names) for item, old in zip(meshes, self.skin.old)]

    def compute(self, progress: Callable[[float, str], None]) -> None:
        character = self.skin.bound_character()
        bones = self.skin.bones
        before = bones.weights_of(character)
        report = character.fix(progress=progress, **self.options)
        self.warn(report)
        after = bones.weights_of(character)
        moved = np.abs(after - before)
        held = moved[:, self.locked].max(axis=1, initial=0) > 1e-6
        touched = (moved.max(axis=1) > 1e-7) & ~held
        old = np.concatenate(self.skin.old)
        new = np.where(touched[:, None], after, old)
        self.new = self.skin.split(new)
        self.report = report.after
        if held.any():
            bones.give_weights(character, np.where(touched[:, None], after, before))
            self.report = character.check(progress=progress, **self.options)
            self.warnings.append(f"{int(held.sum())} vertices were not repaired because of locked vertex groups")
        self.message = (f"{len(report.before)} findings before, {len(self.report)} after; {int(touched.sum())} vertices "
                        "changed")

    def apply(self, context: Any) -> Iterator[None]:
        yield from self.skin.apply(context, self.new, self.painted)
        _, meshes = self.skin.objects()
        write_findings(context.scene.sinew, self.skin, meshes, self.report)


def write_findings(settings: Any, skin: Skin, meshes: List[Any], report: Any) -> None:
    """Replaces the list in the panel."""
    bones = bone_names(skin.bones)
    firsts = np.cumsum([0] + [surface.count for surface in skin.surfaces])
    settings.findings.clear()
    settings.finding_index = -1
    settings.checked_armature = skin.armature
    settings["checked_counts"] = {item.name: len(item.data.vertices) for item in meshes}
    for found in report.findings:
        item = settings.findings.add()
        item.kind, item.what, item.remedy, item.severity = found.kind, found.what, found.remedy, found.severity
        item.bone = bones.get(found.joint, "")
        if found.pose is not None and found.pose.joint in bones:
            item.pose_name, item.pose_bone = found.pose.name, bones[found.pose.joint]
            item.axis, item.degrees = found.pose.axis, found.pose.degrees
        vertices = found.vertices.astype(np.int64)
        per_mesh = {}
        for name, first, end in zip(skin.meshes, firsts[:-1], firsts[1:]):
            own = vertices[(vertices >= first) & (vertices < end)] - first
            if len(own):
                per_mesh[name] = own.tolist()
        item["vertices"] = per_mesh


class SINEW_OT_check(TaskOperator, bpy.types.Operator):
    """Pose the character bone by bone and list what is wrong with its weights"""

    bl_idname = "sinew.check"
    bl_label = "Check"

    def make_task(self, context: Any) -> Task:
        return CheckTask(context)


class SINEW_OT_fix(TaskOperator, bpy.types.Operator):
    """Repair what Check finds, and nothing else"""

    bl_idname = "sinew.fix"
    bl_label = "Fix"

    def make_task(self, context: Any) -> Task:
        return FixTask(context)


classes = (SINEW_OT_check, SINEW_OT_fix)
