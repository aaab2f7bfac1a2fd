"""Fit skeleton: a built-in skeleton or the bones of an armature, moved into a mesh, or a skeleton made for it."""
from __future__ import annotations

from typing import Any, Callable, Dict, Iterator, List

import bpy
import numpy as np
from mathutils import Vector

from . import read
from .library import Problem, sinew
from .spaces import inverse, moved
from .task import Task, TaskOperator

_SHORTEST = 1e-3  # of the skeleton's size: Blender drops shorter bones


class FitTask(Task):
    title = "Fit skeleton"

    def __init__(self, context: Any):
        super().__init__()
        settings = context.scene.sinew
        self.source, self.symmetric = settings.fit_source, settings.fit_symmetric
        self.judged = {"networks": settings.fit_networks}
        if settings.fit_unsure:
            self.judged["least_confidence"] = 0.0
        self.armature = ""
        if self.source == "ARMATURE":
            if settings.fit_armature is None:
                raise Problem("Choose the armature whose bones are to be moved into the mesh")
            self.armature = settings.fit_armature.name
        meshes = read.chosen_meshes(context)
        if not meshes:
            raise Problem("Select the mesh that the skeleton is for")
        self.meshes = [item.name for item in meshes]

    def gather(self, context: Any) -> Iterator[None]:
        self.space = read.character_space(context)
        self.surfaces = []
        for name in self.meshes:
            self.surfaces.append(read.read_surface(context, read.find_object(name, "MESH"), self.space))
            yield
        self.bones = None
        if self.armature:
            armature = read.find_object(self.armature, "ARMATURE")
            self.bones = read.read_bones(armature, self.space, deforming_only=False)

    def compute(self, progress: Callable[[float, str], None]) -> None:
        offsets = np.cumsum([0] + [len(surface.vertices) for surface in self.surfaces[:-1]])
        faces = [surface.faces.astype(np.int64) + offset for surface, offset in zip(self.surfaces, offsets)]
        character = sinew.Character(np.concatenate([surface.vertices for surface in self.surfaces]),
                                    np.concatenate(faces), name=self.meshes[0])
        if self.source == "GENERATE":
            self.report = character.generate_skeleton(symmetric=self.symmetric, progress=progress)
        else:
            source: Any = None if self.source == "AUTO" else self.source
            if self.bones is not None:
                source = sinew.Character(name=self.armature)
                self.bones.give_to(source)
            self.report = character.fit(source, keep_axes=True, symmetric=self.symmetric, progress=progress,
                                        **self.judged)
        self.warn(self.report)
        self.fitted = character

    def apply(self, context: Any) -> Iterator[None]:
        if self.bones is None:
            armature = self._make_armature(context)
        else:
            armature = self._move_armature(context)
        yield
        meshes = ", ".join(self.meshes)
        if self.report.get("skeleton") == "generated":
            self.message = f"Made '{armature.name}' with {len(armature.data.bones)} bones for '{meshes}'"
        else:
            sure = f"{100 * self.report['confidence']:.0f} % likely right"
            self.message = f"Fitted '{armature.name}' into '{meshes}', {sure}"

    # --- a new armature ---

    def _make_armature(self, context: Any) -> Any:
        names, parents, kinds = self.fitted.joint_names, self.fitted.parents, self.fitted.joint_kinds
        heads = moved(inverse(self.space), self.fitted.joint_positions)
        size = float(np.linalg.norm(heads.max(axis=0) - heads.min(axis=0)))
        armature = bpy.data.objects.new("Armature", bpy.data.armatures.new("Armature"))
        armature.show_in_front = True
        context.collection.objects.link(armature)
        with editing(context, armature):
            made: Dict[int, Any] = {}
            for joint, name in enumerate(names):
                if kinds[joint] == "end":
                    continue
                bone = armature.data.edit_bones.new(name)
                bone.head, bone.tail = heads[joint], _tail(joint, heads, parents, kinds, size)
                parent = made.get(int(parents[joint])) if parents[joint] >= 0 else None
                bone.parent = parent
                bone.use_connect = parent is not None and (parent.tail - bone.head).length < _SHORTEST * size
                bone.use_deform = kinds[joint] == "joint"
                bone.align_roll(_roll_axis(bone.vector))
                made[joint] = bone
        return armature

    # --- an armature that is there ---

    def _move_armature(self, context: Any) -> Any:
        """Heads follow their joints; tails and rolls follow their bones."""
        armature = read.find_object(self.armature, "ARMATURE")
        to_space = self.space @ np.array(armature.matrix_world)
        places = self.fitted.rest
        # The library may add no joint and keeps the order, so that joints and bones have the same indices.
        change = inverse(to_space) @ places @ inverse(self.bones.rest) @ to_space
        with editing(context, armature):
            bones = armature.data.edit_bones
            connected = [bone.name for bone in bones if bone.use_connect]
            for bone in bones:
                bone.use_connect = False  # so that no bone pulls another along
            old = {name: (bones[name].head.copy(), bones[name].tail.copy(), bones[name].z_axis.copy())
                   for name in self.bones.names}
            heads = {name: Vector(moved(change[joint], np.array(old[name][0])[None])[0])
                     for joint, name in enumerate(self.bones.names)}
            for joint, name in enumerate(self.bones.names):
                head, tail, up = old[name]
                bone = bones[name]
                bone.head = heads[name]
                bone.tail = _moved_tail(name, old, heads, bones) or heads[name] + Vector(
                    change[joint][:3, :3] @ np.array(tail - head))
                bone.align_roll(Vector(change[joint][:3, :3] @ np.array(up)))
            for name in connected:
                bone = bones[name]
                bone.use_connect = (bone.parent.tail - bone.head).length < 1e-3 * bone.parent.length
        return armature


def _moved_tail(name: str, old: Dict[str, Any], heads: Dict[str, Any], bones: Any) -> Any:
    """Where a child began at the tail, it still does."""
    head, tail, _ = old[name]
    for child in bones[name].children:
        if (old[child.name][0] - tail).length < 1e-3 * (tail - head).length:
            if (heads[child.name] - heads[name]).length > 1e-6:
                return heads[child.name]
    return None


def _tail(joint: int, heads: np.ndarray, parents: np.ndarray, kinds: List[str], size: float) -> np.ndarray:
    """An end marker says where a bone ends; one child continues it; of several, the one most in line with the parent's
    bone does. The last bone of a chain without marker goes on in its parent's direction."""
    children = [child for child in np.nonzero(parents == joint)[0]
                if np.linalg.norm(heads[child] - heads[joint]) > _SHORTEST * size]
    ends = [child for child in children if kinds[child] == "end"]
    came = heads[joint] - heads[parents[joint]] if parents[joint] >= 0 else np.array([0.0, 0, 1])
    came = came / np.linalg.norm(came) if np.linalg.norm(came) > 1e-6 * size else np.array([0.0, 0, 1])
    candidates = ends or children
    if candidates:
        def in_line(child: int) -> float:
            offset = heads[child] - heads[joint]
            return float(offset @ came / np.linalg.norm(offset))
        return heads[max(candidates, key=in_line)]
    length = np.linalg.norm(heads[joint] - heads[parents[joint]]) if parents[joint] >= 0 else 0.1 * size
    return heads[joint] + came * max(0.7 * length, 0.01 * size)


def _roll_axis(direction: Vector) -> Vector:
    """Which way the Z axis of a new bone looks: up for bones that lie, to the front for those that stand."""
    return Vector((0, -1, 0)) if abs(direction.normalized().z) > 0.7 else Vector((0, 0, 1))


class editing:
    """Edit Mode of one armature for a moment; selection and mode are then as before, with the armature active."""

    def __init__(self, context: Any, armature: Any):
        self.context, self.armature = context, armature

    def __enter__(self) -> None:
        if self.context.object is not None and self.context.object.mode != "OBJECT":
            bpy.ops.object.mode_set(mode="OBJECT")
        self.context.view_layer.objects.active = self.armature
        bpy.ops.object.mode_set(mode="EDIT")
        self.mirror = self.armature.data.use_mirror_x
        self.armature.data.use_mirror_x = False  # would move the other side a second time

    def __exit__(self, *_exception: Any) -> None:
        self.armature.data.use_mirror_x = self.mirror
        bpy.ops.object.mode_set(mode="OBJECT")
        self.armature.select_set(True)


class SINEW_OT_fit(TaskOperator, bpy.types.Operator):
    """Move a skeleton into the selected meshes"""

    bl_idname = "sinew.fit"
    bl_label = "Fit Skeleton"

    def make_task(self, context: Any) -> Task:
        return FitTask(context)


classes = (SINEW_OT_fit,)
