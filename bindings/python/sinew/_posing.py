"""Motions and poses: methods of sinew.Character."""
from __future__ import annotations

import ctypes
from typing import List

import numpy as np

from . import _declarations as c
from ._arrays import TRANSFORM_DOUBLES, pointer_to, transforms_pointer, view
from ._library import call, lib
from .errors import wrong_argument
from .motion import Motion, Pose

_SKINNING = {"lbs": c.SINEW_LINEAR_BLEND, "dqs": c.SINEW_DUAL_QUATERNIONS}


class Posing:
    """Mixed into :class:`sinew.Character`."""

    @property
    def motions(self) -> List[Motion]:
        """Every motion, as views."""
        return [self._motion(index) for index in range(self._info().motion_count)]

    def _motion(self, index: int) -> Motion:
        motion = c.sinew_motion_arrays(struct_size=ctypes.sizeof(c.sinew_motion_arrays))
        call(lib.sinew_get_motion, self._view.number, index, ctypes.byref(motion))
        shape = (motion.frame_count, motion.joint_count, TRANSFORM_DOUBLES)
        return Motion._over(motion.name.decode(), motion.frames_per_second,
                            view(self._view, motion.transforms, shape, "<f8"))

    def add_motion(self, motion: Motion) -> None:
        """Appends a motion of this skeleton."""
        packed = np.ascontiguousarray(motion._packed)
        arrays = c.sinew_motion_arrays(ctypes.sizeof(c.sinew_motion_arrays), motion.name.encode(),
                                       motion.frames_per_second, packed.shape[0], packed.shape[1],
                                       transforms_pointer(packed))
        with self._changing() as number:
            call(lib.sinew_add_motion, number, ctypes.byref(arrays))

    def remove_motion(self, index: int) -> None:
        """Removes the motion of this ``index``; those behind it move up."""
        with self._changing() as number:
            call(lib.sinew_remove_motion, number, _not_negative(index))

    def _new_pose(self) -> np.ndarray:
        return np.zeros((self._skeleton().joint_count, TRANSFORM_DOUBLES))

    def rest_pose(self) -> Pose:
        """The bind pose, to change."""
        packed = self._new_pose()
        call(lib.sinew_rest_pose, self._view.number, transforms_pointer(packed), len(packed))
        return Pose._over(packed)

    def sample(self, motion: int = 0, seconds: float = 0.0, *, loop: bool = False) -> Pose:
        """The pose of a motion at a moment, interpolated between frames.

        Args:
            motion: its index.
            seconds: since its beginning; before it and after its end, the first or the last pose.
            loop: after its end, begin again.
        """
        packed = self._new_pose()
        call(lib.sinew_sample_motion, self._view.number, _not_negative(motion), seconds, int(loop),
             transforms_pointer(packed), len(packed))
        return Pose._over(packed)

    def pose_joints(self, pose: Pose) -> np.ndarray:
        """(joints, 4, 4) float64: joint space to character space in a pose."""
        packed, matrices = np.ascontiguousarray(pose._packed), np.empty((len(pose), 4, 4))
        call(lib.sinew_pose_joints, self._view.number, transforms_pointer(packed), len(packed),
             pointer_to(matrices, ctypes.c_double))
        return np.swapaxes(matrices, 1, 2)

    def posed_vertices(self, pose: Pose, *, method: str = "lbs") -> np.ndarray:
        """(n, 3) float32: the mesh in a pose, with ``method`` by linear blend ("lbs") or dual quaternion ("dqs")
        skinning."""
        if method not in _SKINNING:
            raise wrong_argument(f"there is no skinning method '{method}'", "there are: lbs, dqs")
        packed = np.ascontiguousarray(pose._packed)
        positions = np.empty((self._mesh().vertex_count, 3), np.float32)
        call(lib.sinew_pose_vertices, self._view.number, transforms_pointer(packed), len(packed), _SKINNING[method],
             pointer_to(positions, ctypes.c_float), None, len(positions))
        return positions


def _not_negative(index: int) -> int:
    if index < 0:
        raise wrong_argument(f"motions count from 0, got {index}")
    return index
