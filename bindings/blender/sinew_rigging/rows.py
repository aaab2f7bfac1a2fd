"""Weights as dense (vertices, joints) arrays: what was solved put together with what an artist wants to keep.

NumPy only, so that worker threads may use it.
"""
from __future__ import annotations

import hashlib
from typing import Sequence, Tuple

import numpy as np

_NOTHING = 1e-6


def limited(rows: np.ndarray, most: int, locked: np.ndarray) -> np.ndarray:
    """At most `most` joints per vertex: the weakest go, and the others that are not locked share their weight. Locked
    joints stay, also where they are more than `most`."""
    rows = np.array(rows, np.float32)
    crowded = np.nonzero((rows > 0).sum(axis=1) > most)[0]
    if not len(crowded):
        return rows
    some = rows[crowded]
    kept = np.where(locked, some, 0)
    free = np.where(locked, 0, some)
    places = most - (kept > 0).sum(axis=1)
    # A vertex that locked joints do not fill needs one more joint to reach the sum.
    places = np.maximum(places, (kept.sum(axis=1) < 1 - _NOTHING).astype(int))
    order = np.argsort(-free, axis=1, kind="stable")
    rank = np.empty_like(order)
    np.put_along_axis(rank, order, np.arange(some.shape[1])[None, :], axis=1)
    before = free.sum(axis=1)
    free[rank >= places[:, None]] = 0
    after = free.sum(axis=1)
    free *= np.divide(before, after, out=np.zeros_like(before), where=after > 0)[:, None]
    rows[crowded] = kept + free
    return rows


def combined(old: np.ndarray, new: np.ndarray, *, locked: np.ndarray, chosen: np.ndarray, vertices: np.ndarray,
             most: int) -> np.ndarray:
    """What a bind leaves in the vertex groups.

    Args:
        old: present weights, rows sum to one or are zero.
        new: solved, best without the locked joints; rows sum to one.
        locked: per joint: keeps its present weights exactly.
        chosen: per joint: takes its solved weights. All others keep their present weights relative to each other.
        vertices: per vertex: may change.
        most: influences per vertex.
    """
    old, new = np.asarray(old, np.float32), np.asarray(new, np.float32)
    held = np.where(locked, old, 0)
    room = np.clip(1 - held.sum(axis=1), 0, 1)
    solved = np.where(chosen & ~locked, new, 0)
    solved_sum = np.minimum(solved.sum(axis=1), 1)
    others = np.where(chosen | locked, 0, old)
    others_sum = others.sum(axis=1)
    # A vertex without present weights takes the solved ones of joints that were not chosen too: better than none.
    fallback = np.where(chosen | locked, 0, new)
    missing = others_sum <= _NOTHING
    others = np.where(missing[:, None], fallback, others)
    others_sum = others.sum(axis=1)
    share = np.divide(1 - solved_sum, others_sum, out=np.zeros_like(others_sum), where=others_sum > _NOTHING)
    result = solved + others * share[:, None]
    total = result.sum(axis=1)
    # Where only locked joints were solved for, which keep what they have, the present ones keep theirs too.
    lost = (total <= _NOTHING) & (room > _NOTHING)
    result[lost] = np.where(locked, 0, old)[lost]
    total = result.sum(axis=1)
    result *= np.divide(room, total, out=np.zeros_like(room), where=total > _NOTHING)[:, None]
    result = limited(held + result, most, locked)
    return np.where(np.asarray(vertices)[:, None], result, old)


def normalised(rows: np.ndarray) -> np.ndarray:
    """Rows that sum to one; those without any weight stay zero."""
    rows = np.asarray(rows, np.float32)
    sums = rows.sum(axis=1, keepdims=True)
    return np.divide(rows, sums, out=np.zeros_like(rows), where=sums > _NOTHING)


def fingerprints(rows: np.ndarray, names: Sequence[str]) -> np.ndarray:
    """(vertices,) int32: equal for equal weights of joints with equal names, whatever other joints there are. Tells
    later which vertices were painted."""
    bits = np.ascontiguousarray(rows, np.float32).view(np.uint32).astype(np.uint64)
    keys = np.array([int.from_bytes(hashlib.blake2b(name.encode(), digest_size=8).digest(), "little") | 1
                     for name in names], np.uint64)
    mixed = bits * keys  # wraps around; no weight stays zero
    mixed ^= mixed >> np.uint64(29)
    return (mixed.sum(axis=1, dtype=np.uint64) >> np.uint64(17)).astype(np.uint32).view(np.int32)


def slots(rows: np.ndarray) -> Tuple[np.ndarray, np.ndarray]:
    """(n, influences) joints and weights, strongest first, as the library takes them."""
    count = max(int((rows > 0).sum(axis=1).max(initial=0)), 1)
    order = np.argsort(-rows, axis=1, kind="stable")[:, :count]
    values = np.take_along_axis(rows, order, axis=1)
    return np.where(values > 0, order, 0).astype(np.uint16), values
