"""Weights as slots per vertex, out of matrices."""
from __future__ import annotations

from typing import Any

import numpy as np

from ._arrays import taken
from .errors import wrong_argument

_MOST_SLOTS = 32


def slots_of(matrix: Any, vertices: int, joints: int):
    """Joints and values per vertex, strongest first, of a sparse or dense (n, joints) matrix."""
    if matrix.shape != (vertices, joints):
        raise wrong_argument(f"weights have the shape {tuple(matrix.shape)}, expected ({vertices}, {joints})")
    if hasattr(matrix, "tocsr"):
        rows = matrix.tocsr()
        counts = np.diff(rows.indptr)
        columns, values = rows.indices, rows.data
    else:
        dense = taken(matrix, "weights", np.float32, (vertices, joints))
        found = np.nonzero(dense != 0)
        counts, columns, values = np.bincount(found[0], minlength=vertices), found[1], dense[found]
    order = np.lexsort((-values, np.repeat(np.arange(vertices), counts)))
    slot = np.arange(len(values)) - np.repeat(np.cumsum(counts) - counts, counts)
    width = min(max(int(counts.max(initial=0)), 1), _MOST_SLOTS)
    kept = slot < width
    row = np.repeat(np.arange(vertices), counts)[kept]
    slots, numbers = np.zeros((vertices, width), np.uint16), np.zeros((vertices, width), np.float32)
    slots[row, slot[kept]] = columns[order][kept]
    numbers[row, slot[kept]] = values[order][kept]
    return slots, numbers
