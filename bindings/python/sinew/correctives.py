"""Correctives: small networks that repair what skinning loses."""
from __future__ import annotations

import ctypes
import os
from typing import Any, Optional, Sequence, Tuple, Union

import numpy as np

from . import _declarations as c
from ._arrays import pointer_to, transforms_pointer
from ._library import Report, call, call_with_progress, lib, options_struct
from .character import Character
from .errors import BadInputError, wrong_argument
from .motion import Pose

_LINE = 64  # the runtime wants its memory to begin at multiples of this


def _aligned(size: int) -> np.ndarray:
    memory = np.zeros(size + _LINE, np.uint8)
    begin = -memory.ctypes.data % _LINE
    return memory[begin:begin + size]


def _check(status: int) -> None:
    if status != 0:
        raise BadInputError("correctives: " + lib.sinew_runtime_status_text(status).decode(), "file-damaged", 304)


class Correctives:
    """A .sinewc file, played::

        correctives = sinew.Correctives.load("hero.sinewc")
        vertices = correctives.posed_vertices(hero, hero.sample(0, 1.5))

    Attributes:
        data: the bytes of the file.
        level_count: levels of detail; 0 is the finest.
        report: of the training, for those that :func:`sinew.train_correctives` made.
    """

    def __init__(self, data: bytes, report: Optional[Report] = None):
        self.data = bytes(data)
        self.report = report
        self._file = _aligned(max(len(data), 1))
        self._file[:len(data)] = np.frombuffer(self.data, np.uint8)
        size = ctypes.c_size_t()
        _check(lib.sinew_correctives_workspace_size(self._file.ctypes.data, len(data), ctypes.byref(size)))
        self._workspace = _aligned(size.value)
        opened = ctypes.c_void_p()
        _check(lib.sinew_correctives_open(self._file.ctypes.data, len(data), self._workspace.ctypes.data, size.value,
                                          ctypes.byref(opened)))
        self._set = opened.value
        counts = c.sinew_correctives_counts()
        _check(lib.sinew_correctives_get_counts(self._set, ctypes.byref(counts)))
        self.level_count: int = counts.levels
        self.joint_count: int = counts.joints

    def __reduce__(self) -> Any:
        return Correctives, (self.data, self.report)  # also a copy needs memory of its own

    @classmethod
    def load(cls, path: Union[str, os.PathLike]) -> "Correctives":
        """From the .sinewc file at ``path``."""
        with open(path, "rb") as file:
            return cls(file.read())

    def save(self, path: Union[str, os.PathLike]) -> None:
        """Writes :attr:`data` to ``path``."""
        with open(path, "wb") as file:
            file.write(self.data)

    def level(self, level: int = 0) -> Tuple[np.ndarray, np.ndarray]:
        """Copies of rest vertices (n, 3) and faces (m, 3) of a level."""
        mesh = c.sinew_correctives_level()
        _check(lib.sinew_correctives_get_level(self._set, level, ctypes.byref(mesh)))
        vertices = np.ctypeslib.as_array(mesh.rest_positions, (mesh.vertex_count, 3)).copy()
        return vertices, np.ctypeslib.as_array(mesh.triangles, (mesh.triangle_count, 3)).copy()

    def posed_vertices(self, character: Character, pose: Pose, level: int = 0) -> np.ndarray:
        """(n, 3) float32: the level's mesh in a pose, corrected and skinned. The character has the skeleton that the
        correctives were trained for."""
        if len(pose) != self.joint_count:
            raise wrong_argument(f"a pose of {len(pose)} joints, but the correctives have {self.joint_count}")
        rotations = np.ascontiguousarray(pose.rotations, np.float32)
        count = len(self.level(level)[0])
        _check(lib.sinew_correctives_evaluate(self._set, pointer_to(rotations, ctypes.c_float), len(rotations), level,
                                              0.0, None))
        corrected, posed = np.empty((count, 3), np.float32), np.empty((count, 3), np.float32)
        _check(lib.sinew_correctives_positions(self._set, level, pointer_to(corrected, ctypes.c_float), count))
        packed, matrices = np.ascontiguousarray(pose._packed), np.empty((len(pose), 16), np.float32)
        call(lib.sinew_pose_matrices, character._view.number, transforms_pointer(packed), len(packed),
             pointer_to(matrices, ctypes.c_float))
        job = c.sinew_skinning_job()
        _check(lib.sinew_correctives_fill_job(self._set, level, ctypes.byref(job)))
        job.matrices = pointer_to(matrices, ctypes.c_float)
        job.positions.floats = pointer_to(corrected, ctypes.c_float)
        job.posed_positions.floats = pointer_to(posed, ctypes.c_float)
        _check(lib.sinew_skin(ctypes.byref(job)))
        return posed

    def __repr__(self) -> str:
        return f"<sinew.Correctives: {self.level_count} levels, {self.joint_count} joints, {len(self.data)} bytes>"


def train_correctives(folder: Union[str, os.PathLike], *, levels: int = 4, regions: int = 100, tolerance: float = 5e-4,
                      test_motions: Optional[Sequence[str]] = None, most_joints: int = 8, hidden: int = 24, seed: int = 1,
                      threads: int = 0, progress: Any = None) -> Correctives:
    """Trains correctives from a folder of shapes that :meth:`Character.simulate` made.

    Args:
        levels: of detail to train for.
        regions: points of the extra level that regions come from.
        tolerance: of the bases: RMS per vertex, of the bounding diagonal.
        test_motions: names of motions kept for testing; None: chosen.
        most_joints: that a network may see.
        hidden: largest size of the hidden layers.
    """
    lod = options_struct(c.sinew_lod_options, levels=levels)
    names = [name.encode() for name in test_motions or []]
    options = options_struct(c.sinew_train_options, lod=ctypes.pointer(lod), regions=regions, tolerance=tolerance,
                             test_motions=(ctypes.c_char_p * len(names))(*names), test_motion_count=len(names),
                             most_joints=most_joints, hidden=hidden, seed=seed, threads=threads, isolate=True)
    result = call_with_progress(lib.sinew_train_correctives, os.fsencode(folder), options, progress=progress)
    return Correctives(result.file(), result.report)
