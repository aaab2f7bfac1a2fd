"""Poses of the library as actions of Blender: what its channels must hold so that a bone gets where it should be."""
from __future__ import annotations

from typing import Any, Iterator, List, NamedTuple

import bpy
import numpy as np
from mathutils import Quaternion

from . import read
from .spaces import continuous, inverse, quaternions_of, rigid

_STILL = 1e-6  # of the armature's size: a location that stays below it needs no channel
_LINEAR = 1    # the number of the interpolation "LINEAR", which foreach_set wants


class Channels(NamedTuple):
    """Per frame and bone, as Blender's channels count them: relative to rest pose and parent."""

    names: List[str]
    locations: np.ndarray  # (frames, bones, 3)
    rotations: np.ndarray  # (frames, bones, 4), x y z w
    has_location: np.ndarray  # (bones,) bool


class Targets:
    """All bones of an armature, and how Blender lets each one inherit from its parent. Read on the main thread, used in
    any."""

    def __init__(self, armature: Any, space: np.ndarray):
        self.bones = read.read_bones(armature, space, deforming_only=False)
        self.to_space = space @ np.array(armature.matrix_world)
        bones = [armature.data.bones[name] for name in self.bones.names]
        self.rest = np.array([np.array(bone.matrix_local) for bone in bones])
        self.inherits_rotation = np.array([bone.use_inherit_rotation for bone in bones])
        self.local_location = np.array([bone.use_local_location for bone in bones])
        self.connected = np.array([bone.use_connect for bone in bones])

    def posed(self, poses: np.ndarray) -> np.ndarray:
        """Joints in character space (…, joints, 4, 4) as bones in armature space."""
        change = poses @ inverse(self.bones.rest)
        return inverse(self.to_space) @ change @ self.to_space @ self.rest

    def channels(self, poses: np.ndarray) -> Channels:
        """For (frames, joints, 4, 4) joints in character space."""
        posed, rest, parents = self.posed(poses), self.rest, self.bones.parents
        locations = np.empty((len(posed), len(rest), 3))
        turned = np.empty_like(posed)
        for bone, parent in enumerate(parents):
            if parent < 0:
                frame = np.broadcast_to(rest[bone], posed[:, bone].shape).copy()
            else:
                frame = posed[:, parent] @ inverse(rest[parent]) @ rest[bone]
            turning = frame if self.inherits_rotation[bone] or parent < 0 else np.broadcast_to(rest[bone], frame.shape)
            turned[:, bone] = inverse(turning) @ posed[:, bone]
            moving = frame.copy()
            if not self.local_location[bone]:
                moving[:, :3, :3] = np.eye(3) if parent < 0 else posed[:, parent, :3, :3]
            ones = np.ones((len(posed), 1))
            place = np.concatenate([posed[:, bone, :3, 3], ones], axis=1)[..., None]
            locations[:, bone] = (inverse(moving) @ place)[:, :3, 0]
        size = float(np.abs(rest[:, :3, 3]).max()) + 1e-9
        moves = (np.abs(locations) > _STILL * size).any(axis=(0, 2)) & ~self.connected
        return Channels(self.bones.names, locations, continuous(quaternions_of(rigid(turned))), moves)


def write_action(armature: Any, name: str, channels: Channels, *, first_frame: int = 1) -> Iterator[None]:
    """A new action that the armature plays. The generator's result is the action."""
    made = bpy.data.actions.new(name)
    made.use_fake_user = True
    play(armature, made)
    frames = np.arange(first_frame, first_frame + len(channels.rotations), dtype=float)
    for bone, bone_name in enumerate(channels.names):
        posed = armature.pose.bones.get(bone_name)
        if posed is None:
            continue
        path = posed.path_from_id()
        if channels.has_location[bone]:
            _write_curves(made, armature, path + ".location", bone_name, frames, channels.locations[:, bone])
        property_name, values = _rotation_values(posed.rotation_mode, channels.rotations[:, bone])
        _write_curves(made, armature, f"{path}.{property_name}", bone_name, frames, values)
        yield
    return made


def play(armature: Any, action: Any) -> None:
    if armature.animation_data is None:
        armature.animation_data_create()
    armature.animation_data.action = action


def _rotation_values(mode: str, rotations: np.ndarray) -> Any:
    """(property, (frames, components)) in the mode that the bone is set to."""
    scalar_first = rotations[:, [3, 0, 1, 2]]
    if mode == "QUATERNION":
        return "rotation_quaternion", scalar_first
    if mode == "AXIS_ANGLE":
        turns = [Quaternion(value).to_axis_angle() for value in scalar_first]
        return "rotation_axis_angle", np.array([[angle, *axis] for axis, angle in turns])
    eulers: List[Any] = []
    for value in scalar_first:
        rotation = Quaternion(value)
        eulers.append(rotation.to_euler(mode, eulers[-1]) if eulers else rotation.to_euler(mode))
    return "rotation_euler", np.array([tuple(euler) for euler in eulers])


def _write_curves(action: Any, armature: Any, path: str, group: str, frames: np.ndarray, values: np.ndarray) -> None:
    for index in range(values.shape[1]):
        curve = _new_curve(action, armature, path, index, group)
        points = curve.keyframe_points
        points.add(len(frames))
        points.foreach_set("co", np.stack([frames, values[:, index]], axis=1).astype(np.float32).ravel())
        points.foreach_set("interpolation", np.full(len(frames), _LINEAR, np.int32))
        curve.update()


def _new_curve(action: Any, armature: Any, path: str, index: int, group: str) -> Any:
    if hasattr(action, "fcurve_ensure_for_datablock"):  # Blender 4.4: actions have slots
        return action.fcurve_ensure_for_datablock(armature, path, index=index, group_name=group)
    return action.fcurves.new(path, index=index, action_group=group)
