"""Painting weights: strokes become pins, and weights follow everywhere else."""
from __future__ import annotations

import ctypes
import json
from typing import Any, List, Optional, Sequence, Union

import numpy as np

from . import _declarations as c
from ._arrays import pointer_to, taken
from ._library import call, call_with_progress, lib
from ._options import bind_options, json_text
from .character import Character
from .errors import no_pickle


class Painter:
    """Paints weights of one character::

        painter = sinew.Painter(hero)                              # gets ready, once: seconds on a large mesh
        painter.brush(hero, hero.joint("LeftArm"), vertices, 1.0)  # these vertices follow the arm
        painter.solve(hero)                                        # and all others follow suit

    Args:
        character: with mesh and skeleton; it is not changed.
        max_influences, joints, threads, values: as in :meth:`Character.bind` with the method "biharmonic".
    """

    def __init__(self, character: Character, *, max_influences: int = 4, joints: Union[str, Sequence[str]] = "auto",
                 threads: int = 0, progress: Any = None, **values: Any):
        options = bind_options("biharmonic", values, max_influences=max_influences, joints=joints, threads=threads)
        made = ctypes.c_void_p()
        self._number: Optional[int] = None
        call_with_progress(lib.sinew_painter_create, character._view.number, options, ..., ctypes.byref(made),
                           progress=progress)
        self._number = made.value

    def __del__(self, destroy=lib.sinew_painter_destroy):
        destroy(self._number)

    def __reduce__(self) -> Any:
        raise no_pickle(self, "make another Painter and give it painter.pins")

    def brush(self, before: Character, joint: int, vertices: Any, amounts: Any = 1.0, *, target: float = 1.0) -> None:
        """One stroke.

        Args:
            before: whose weights the amounts count from: the character as it was when the stroke began.
            joint: index of the joint that is painted.
            vertices: indices of the vertices that the brush touched.
            amounts: one number or one per vertex, 0 … 1: how far the weight moves towards the target.
            target: the weight where the amount is 1.
        """
        touched = taken(vertices, "vertices", np.uint32, (None,))
        strengths = np.broadcast_to(np.asarray(amounts, np.float32), touched.shape) if np.ndim(amounts) == 0 else amounts
        strengths = taken(strengths, "amounts", np.float32, touched.shape)
        stroke = c.sinew_stroke(ctypes.sizeof(c.sinew_stroke), joint, target, len(touched),
                                pointer_to(touched, ctypes.c_uint32), pointer_to(strengths, ctypes.c_float))
        call(lib.sinew_painter_brush, self._number, before._view.number, ctypes.byref(stroke))

    def free(self, vertices: Any = None) -> None:
        """These vertices, or all, are painted no more."""
        freed = None if vertices is None else taken(vertices, "vertices", np.uint32, (None,))
        call(lib.sinew_painter_free, self._number, pointer_to(freed, ctypes.c_uint32), 0 if freed is None else len(freed))

    @property
    def pins(self) -> Any:
        """What was painted so far, as ``Character.bind(pins=…)`` takes it. Assign it to go back to an earlier state."""
        return json.loads(call(lib.sinew_painter_get_pins, self._number).file())

    @pins.setter
    def pins(self, pins: Union[str, List[Any]]) -> None:
        call(lib.sinew_painter_set_pins, self._number, json_text(pins).encode())

    def solve(self, character: Character, *, everywhere: bool = True, progress: Any = None) -> None:
        """Gives the character weights that follow the pins: everywhere, or, quicker, only around the last strokes."""
        with character._changing() as number:
            call_with_progress(lib.sinew_painter_solve, self._number, number, int(everywhere), progress=progress)
