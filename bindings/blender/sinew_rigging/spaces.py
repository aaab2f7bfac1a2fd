"""Between Blender's space and the library's: Z up and scene units here, Y up and metres there.

Arrays of matrices are (..., 4, 4) and multiply columns: ``matrix @ (x, y, z, 1)``. Quaternions are x y z w, as in the
library. NumPy only, so that worker threads may use it.
"""
from __future__ import annotations

import numpy as np

# (x, y, z) of Blender is (x, z, -y) of the library: what faces -Y, as Blender's characters do, faces +Z there.
Y_UP = np.array([[1.0, 0, 0, 0], [0, 0, 1, 0], [0, -1, 0, 0], [0, 0, 0, 1]])


def to_character(unit_scale: float) -> np.ndarray:
    """World space of Blender to character space. `unit_scale`: metres per unit of the scene."""
    matrix = Y_UP.copy()
    matrix[:3, :3] *= unit_scale
    return matrix


def moved(matrix: np.ndarray, points: np.ndarray) -> np.ndarray:
    """(n, 3) points through one matrix."""
    return points @ matrix[:3, :3].T + matrix[:3, 3]


def _determinant3(m: np.ndarray) -> np.ndarray:
    return np.sum(np.cross(m[..., :, 0], m[..., :, 1]) * m[..., :, 2], axis=-1)


def _inverse3(m: np.ndarray) -> np.ndarray:
    """Of (..., 3, 3), by cofactors. LAPACK starts threads for thousands of tiny matrices, which costs more than it saves."""
    rows = np.stack([np.cross(m[..., :, 1], m[..., :, 2]), np.cross(m[..., :, 2], m[..., :, 0]),
                     np.cross(m[..., :, 0], m[..., :, 1])], axis=-2)
    return rows / np.sum(rows[..., 0, :] * m[..., :, 0], axis=-1)[..., None, None]


def inverse(matrices: np.ndarray) -> np.ndarray:
    """Of affine matrices (..., 4, 4)."""
    m = np.asarray(matrices, float)
    result = np.zeros(m.shape)
    result[..., :3, :3] = _inverse3(m[..., :3, :3])
    result[..., :3, 3] = -(result[..., :3, :3] @ m[..., :3, 3:])[..., 0]
    result[..., 3, 3] = 1
    return result


def rigid(matrices: np.ndarray) -> np.ndarray:
    """The same places with the nearest rotations: scale and shear go, and of a mirror image so does the mirror."""
    result = np.array(matrices, float)
    m = result[..., :3, :3]
    mirrored = _determinant3(m) < 0
    m[..., :, 2] *= np.where(mirrored, -1.0, 1.0)[..., None]
    m /= np.cbrt(_determinant3(m))[..., None, None]
    # Newton's iteration for the polar decomposition: it doubles the digits in every step.
    for _ in range(60):
        better = 0.5 * (m + np.swapaxes(_inverse3(m), -1, -2))
        done = np.abs(better - m).max(initial=0) < 1e-14
        m = better
        if done:
            break
    result[..., :3, :3] = m
    return result


def locals_of(globals_: np.ndarray, parents: np.ndarray) -> np.ndarray:
    """(..., joints, 4, 4) relative to parents; roots as they are."""
    result = np.array(globals_, float)
    children = np.nonzero(parents >= 0)[0]
    above = parents[children]
    result[..., children, :, :] = inverse(globals_[..., above, :, :]) @ globals_[..., children, :, :]
    return result


def globals_of(locals_: np.ndarray, parents: np.ndarray) -> np.ndarray:
    """The other way. A parent comes before its children."""
    result = np.array(locals_, float)
    for joint, parent in enumerate(parents):
        if parent >= 0:
            result[..., joint, :, :] = result[..., parent, :, :] @ result[..., joint, :, :]
    return result


def quaternions_of(matrices: np.ndarray) -> np.ndarray:
    """(..., 4) unit quaternions of rotations (..., 3, 3) or (..., 4, 4)."""
    m = np.asarray(matrices, float)[..., :3, :3]
    # Row k of this symmetric matrix is 4 q_k q, so the one with the largest q_k has no cancellation.
    products = np.empty((*m.shape[:-2], 4, 4))
    xx, yy, zz = m[..., 0, 0], m[..., 1, 1], m[..., 2, 2]
    products[..., 0, 0], products[..., 1, 1] = 1 + xx - yy - zz, 1 - xx + yy - zz
    products[..., 2, 2], products[..., 3, 3] = 1 - xx - yy + zz, 1 + xx + yy + zz
    for i, j, value in ((0, 1, m[..., 1, 0] + m[..., 0, 1]), (0, 2, m[..., 0, 2] + m[..., 2, 0]),
                        (1, 2, m[..., 2, 1] + m[..., 1, 2]), (0, 3, m[..., 2, 1] - m[..., 1, 2]),
                        (1, 3, m[..., 0, 2] - m[..., 2, 0]), (2, 3, m[..., 1, 0] - m[..., 0, 1])):
        products[..., i, j] = products[..., j, i] = value
    largest = np.argmax(np.diagonal(products, axis1=-2, axis2=-1), axis=-1)
    rows = np.take_along_axis(products, largest[..., None, None], axis=-2)[..., 0, :]
    return rows / np.linalg.norm(rows, axis=-1, keepdims=True)


def matrices_of(translations: np.ndarray, rotations: np.ndarray, scales: np.ndarray) -> np.ndarray:
    """(..., 4, 4) of translations, unit quaternions and scales."""
    x, y, z, w = np.moveaxis(np.asarray(rotations, float), -1, 0)
    result = np.zeros((*x.shape, 4, 4))
    result[..., 0, 0], result[..., 1, 1], result[..., 2, 2] = (1 - 2 * (y * y + z * z), 1 - 2 * (x * x + z * z),
                                                               1 - 2 * (x * x + y * y))
    result[..., 0, 1], result[..., 1, 0] = 2 * (x * y - z * w), 2 * (x * y + z * w)
    result[..., 0, 2], result[..., 2, 0] = 2 * (x * z + y * w), 2 * (x * z - y * w)
    result[..., 1, 2], result[..., 2, 1] = 2 * (y * z - x * w), 2 * (y * z + x * w)
    result[..., :3, :3] *= np.asarray(scales, float)[..., None, :]
    result[..., :3, 3] = translations
    result[..., 3, 3] = 1
    return result


def continuous(quaternions: np.ndarray) -> np.ndarray:
    """The same rotations along the first axis, each with the sign nearer to the one before: curves do not jump."""
    result = np.array(quaternions, float)
    if len(result) > 1:
        flips = np.sum(result[1:] * result[:-1], axis=-1) < 0
        odd = np.cumsum(flips, axis=0) % 2 == 1
        result[1:][odd] *= -1
    return result
