"""Poses and motions."""
from __future__ import annotations

from typing import Any

import numpy as np

from ._arrays import TRANSFORM_DOUBLES, taken
from .errors import wrong_argument


def _packed(translations: Any, rotations: Any, scales: Any, dimensions: int) -> np.ndarray:
    any_shape = [None] * dimensions
    moved = taken(translations, "translations", np.float64, [*any_shape, 3])
    turned = taken(rotations, "rotations", np.float64, [*moved.shape[:-1], 4])
    scaled = np.ones_like(moved) if scales is None else taken(scales, "scales", np.float64, list(moved.shape))
    packed = np.zeros((*moved.shape[:-1], TRANSFORM_DOUBLES))
    packed[..., 0:3], packed[..., 4:8], packed[..., 8:11] = moved, turned, scaled
    return packed


class Pose:
    """One transform per joint, relative to its parent (to character space for roots).

    Attributes:
        translations: (joints, 3).
        rotations: (joints, 4), unit quaternions x y z w.
        scales: (joints, 3).

    The arrays can be written to::

        pose = hero.rest_pose()
        pose.rotations[hero.joint("LeftForeArm")] = [0, 0.56, 0, 0.83]
        bent = hero.posed_vertices(pose)
    """

    def __init__(self, translations: Any, rotations: Any, scales: Any = None):
        self._packed = _packed(translations, rotations, scales, 1)

    @classmethod
    def _over(cls, packed: np.ndarray) -> "Pose":
        pose = cls.__new__(cls)
        pose._packed = packed
        return pose

    @property
    def translations(self) -> np.ndarray:
        """(joints, 3) float64."""
        return self._packed[:, 0:3]

    @property
    def rotations(self) -> np.ndarray:
        """(joints, 4) float64, unit quaternions x y z w."""
        return self._packed[:, 4:8]

    @property
    def scales(self) -> np.ndarray:
        """(joints, 3) float64."""
        return self._packed[:, 8:11]

    def __len__(self) -> int:
        return len(self._packed)

    def copy(self) -> "Pose":
        """A pose of its own, to change."""
        return Pose._over(self._packed.copy())

    def __repr__(self) -> str:
        return f"<sinew.Pose of {len(self)} joints>"


class Motion:
    """Poses of one skeleton at a uniform frame rate.

    Attributes:
        name: as the file calls it.
        frames_per_second: above 0.
        translations: (frames, joints, 3).
        rotations: (frames, joints, 4), unit quaternions x y z w.
        scales: (frames, joints, 3).

    Those of a character are read-only views of its memory; make your own to add one with
    :meth:`sinew.Character.add_motion`.
    """

    def __init__(self, name: str, frames_per_second: float, translations: Any, rotations: Any, scales: Any = None):
        self.name = name
        self.frames_per_second = float(frames_per_second)
        self._packed = _packed(translations, rotations, scales, 2)
        if not self.frames_per_second > 0:
            raise wrong_argument(f"frames_per_second must be above 0, got {frames_per_second}")

    @classmethod
    def _over(cls, name: str, frames_per_second: float, packed: np.ndarray) -> "Motion":
        motion = cls.__new__(cls)
        motion.name, motion.frames_per_second, motion._packed = name, frames_per_second, packed
        return motion

    @property
    def translations(self) -> np.ndarray:
        """(frames, joints, 3) float64."""
        return self._packed[..., 0:3]

    @property
    def rotations(self) -> np.ndarray:
        """(frames, joints, 4) float64, unit quaternions x y z w."""
        return self._packed[..., 4:8]

    @property
    def scales(self) -> np.ndarray:
        """(frames, joints, 3) float64."""
        return self._packed[..., 8:11]

    @property
    def frame_count(self) -> int:
        """Poses, the first and the last included."""
        return len(self._packed)

    @property
    def duration(self) -> float:
        """Seconds from the first frame to the last."""
        return max(self.frame_count - 1, 0) / self.frames_per_second

    def pose(self, frame: int) -> Pose:
        """A copy of one frame. A negative ``frame`` counts from the end."""
        return Pose._over(self._packed[frame].copy())

    def __repr__(self) -> str:
        return f"<sinew.Motion '{self.name}': {self.frame_count} frames at {self.frames_per_second:g} per second>"
