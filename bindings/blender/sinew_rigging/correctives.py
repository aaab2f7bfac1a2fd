"""Correctives as shape keys: what soft flesh does at a bent joint, as a shape key that a driver turns on as it bends.

Every selected bone is bent alone from the rest pose to the pose it is in, and the flesh around it is simulated on the
way. What skinning lacks of the last shape becomes a shape key; its driver measures how far the bone has turned about the
same axis. Drivers use only what Blender evaluates without Python, so that they also run in files from strangers.
"""
from __future__ import annotations

import math
import tempfile
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, List, NamedTuple

import bpy
import numpy as np

from . import read, rows
from .bind import Skin
from .library import Problem, sinew
from .spaces import inverse, locals_of, matrices_of, quaternions_of
from .task import Task, TaskOperator

_STEP = math.radians(15)  # between simulated poses on the way
_LEAST_TURN = math.radians(5)
_LEAST_DETAIL = 1e-4  # of the size of the mesh: smaller displacements become zero


class _Bend(NamedTuple):
    """A bone's turn from rest, about a unit axis in its own space."""

    bone: str
    axis: np.ndarray
    angle: float

    @property
    def key_name(self) -> str:
        return f"{self.bone} {math.degrees(self.angle):.0f}°"


class CorrectiveTask(Task):
    title = "Correctives"

    def __init__(self, context: Any):
        super().__init__()
        settings = context.scene.sinew
        self.cells = settings.corrective_cells
        self.skin = Skin(context)
        armature, meshes = self.skin.objects()
        for item in meshes:
            if read.mirrors(item):
                raise Problem(f"Apply the Mirror modifier of '{item.name}' first")
            for modifier in item.modifiers:
                if modifier.type == "ARMATURE" and modifier.use_deform_preserve_volume:
                    raise Problem(f"Turn off Preserve Volume of '{item.name}' first: correctives are for linear skinning")
        deforming = set(read.deforming_bones(armature))
        self.bends = [bend for bend in map(lambda name: _bend_of(armature, name), read.selected_bones(armature))
                      if bend.bone in deforming and bend.angle > _LEAST_TURN]
        if not self.bends:
            raise Problem("Pose the joints that need correction, and select their bones")

    def gather(self, context: Any) -> Iterator[None]:
        yield from self.skin.gather(context)
        if not any(old.any() for old in self.skin.old):
            raise Problem("There are no weights yet: bind first")

    def compute(self, progress: Callable[[float, str], None]) -> None:
        character = self.skin.character()
        weights = rows.normalised(np.concatenate(self.skin.old))
        character.set_weights(*rows.slots(weights))
        poses = [self._add_motion(character, bend, f"bend {number}") for number, bend in enumerate(self.bends)]
        with tempfile.TemporaryDirectory(prefix="sinew-") as folder:
            self.warn(character.simulate(folder, poses=0, every=1, cells=self.cells, progress=progress))
            shapes = _read_shapes(Path(folder) / "shapes.sinewt")
        size = float(np.linalg.norm(np.ptp(character.vertices, axis=0)))
        self.made: List[Any] = []
        for number, (bend, (last, changes)) in enumerate(zip(self.bends, poses)):
            shape = shapes.get((f"bend {number}", last))
            if shape is None:
                self.warnings.append(f"No shape was found for '{bend.key_name}': bend the bone less")
                continue
            blended = np.tensordot(weights, changes[:weights.shape[1]], axes=1)
            blended[~weights.any(axis=1)] = np.eye(4)
            back = inverse(blended)
            unposed = (back[:, :3, :3] @ shape[..., None])[..., 0] + back[:, :3, 3]
            delta = unposed - character.vertices
            delta[np.linalg.norm(delta, axis=1) < _LEAST_DETAIL * size] = 0
            self.made.append((bend, self.skin.split(delta)))
        if not self.made:
            raise Problem("No shape was found: bend the bones less")

    def _add_motion(self, character: Any, bend: _Bend, name: str) -> Any:
        """From rest to the bent pose. (number of the last frame, what the pose does to each joint)."""
        joint = self.skin.bones.names.index(bend.bone)
        steps = max(1, math.ceil(bend.angle / _STEP))
        rest = character.rest
        local = np.repeat(locals_of(rest, character.parents)[None], steps + 1, axis=0)
        half = 0.5 * bend.angle * np.linspace(0, 1, steps + 1)
        turns = np.concatenate([np.sin(half)[:, None] * bend.axis, np.cos(half)[:, None]], axis=1)
        local[:, joint] = local[:, joint] @ matrices_of(np.zeros((steps + 1, 3)), turns, np.ones((steps + 1, 3)))
        character.add_motion(sinew.Motion(name, 24, local[..., :3, 3], quaternions_of(local)))
        posed = character.pose_joints(character.motions[-1].pose(-1))
        return steps, posed @ inverse(rest)

    def apply(self, context: Any) -> Iterator[None]:
        armature, meshes = self.skin.objects()
        to_space = read.character_space(context)
        made = 0
        for bend, deltas in self.made:
            for item, delta in zip(meshes, deltas):
                if not delta.any():
                    continue
                if len(item.data.vertices) != len(delta):
                    raise Problem(f"'{item.name}' has other vertices than when the work began")
                linear = inverse(to_space @ np.array(item.matrix_world))[:3, :3]
                key = _write_key(item, bend.key_name, delta @ linear.T)
                _drive(key, armature, bend)
                made += 1
                yield
        self.message = f"Made {made} corrective shape keys for {', '.join(bend.bone for bend, _ in self.made)}"


def _bend_of(armature: Any, name: str) -> _Bend:
    bone = armature.pose.bones[name]
    # With what constraints do; location and scale do not count.
    local = armature.convert_space(pose_bone=bone, matrix=bone.matrix, from_space="POSE", to_space="LOCAL")
    axis, angle = local.to_quaternion().to_axis_angle()
    if angle > math.pi:
        axis, angle = -axis, 2 * math.pi - angle
    return _Bend(name, np.array(axis), angle)


def _read_shapes(path: Path) -> Dict[Any, np.ndarray]:
    """(motion, frame) → posed positions of every vertex. docs/formats/training-shapes.md."""
    data = path.read_bytes()
    if data[:8] != b"SINEWTS1":
        raise Problem("The simulation wrote no shapes")
    vertices, joints = np.frombuffer(data, "<u4", 2, 8)
    begin, shapes = 24, {}
    while begin + 76 <= len(data):
        flags, frame = np.frombuffer(data, "<u4", 1, begin + 4)[0], np.frombuffer(data, "<i4", 1, begin + 8)[0]
        name = data[begin + 12:begin + 76].rstrip(b"\0").decode("utf-8", "replace")
        begin += 76 + 40 * int(joints)
        if not flags & 1:
            shapes[name, int(frame)] = np.frombuffer(data, "<f4", 3 * int(vertices), begin).reshape(-1, 3).astype(float)
            begin += 12 * int(vertices)
        begin += 8
    return shapes


def _write_key(item: Any, name: str, delta: np.ndarray) -> Any:
    """Makes the shape key, or replaces the one of this name."""
    if item.data.shape_keys is None:
        item.shape_key_add(name="Basis", from_mix=False)
    keys = item.data.shape_keys
    key = keys.key_blocks.get(name) or item.shape_key_add(name=name, from_mix=False)
    places = np.empty(3 * len(delta), np.float32)
    keys.reference_key.data.foreach_get("co", places)
    key.relative_key = keys.reference_key
    key.data.foreach_set("co", (places + delta.ravel()).astype(np.float32))
    item.data.update()
    return key


def _drive(key: Any, armature: Any, bend: _Bend) -> None:
    """0 at rest, 1 at the bend: by how far the bone turns about its axis, which a twist about other axes does not change."""
    key.driver_remove("value")
    driver = key.driver_add("value").driver
    driver.type = "SCRIPTED"
    for letter in "wxyz":
        variable = driver.variables.new()
        variable.name, variable.type = letter, "TRANSFORMS"
        target = variable.targets[0]
        target.id, target.bone_target = armature, bend.bone
        target.transform_type, target.rotation_mode = f"ROT_{letter.upper()}", "QUATERNION"
        target.transform_space = "LOCAL_SPACE"
    along = "+".join(f"{letter}*{value:.6f}" for letter, value in zip("xyz", bend.axis)).replace("+-", "-")
    turn = f"2*atan2({along},w)"
    driver.expression = f"clamp({turn}/{bend.angle:.6f},0,1)"


class SINEW_OT_corrective(TaskOperator, bpy.types.Operator):
    """Simulate the flesh around every selected bone in its pose, and make shape keys that turn on as the bones bend"""

    bl_idname = "sinew.corrective"
    bl_label = "Make Shape Keys"

    def make_task(self, context: Any) -> Task:
        return CorrectiveTask(context)


classes = (SINEW_OT_corrective,)
