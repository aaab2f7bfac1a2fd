"""NumPy arrays over memory of the library, and arrays for it."""
from __future__ import annotations

import ctypes
from typing import Any, Optional, Sequence, Tuple

import numpy as np

from . import _declarations as c
from ._library import Result, call, lib
from .errors import no_pickle, wrong_argument


class Handle:
    """A character of the C interface, destroyed with this object."""

    def __init__(self, number: int):
        self.number = number

    def __del__(self, destroy=lib.sinew_character_destroy):
        destroy(self.number)

    def __reduce__(self):
        raise no_pickle(self, "copy what owns it")

    def copy(self) -> "Handle":
        """Shares all arrays with this one until one of the two is changed."""
        made = ctypes.c_void_p()
        call(lib.sinew_character_copy, self.number, ctypes.byref(made))
        return Handle(made.value)


class _Memory:
    """What NumPy asks for the place of an array, and keeps as its base: it holds on to the handle."""

    def __init__(self, handle: Any, address: int, shape: Tuple[int, ...], kind: str, strides=None):
        self._handle = handle
        self.__array_interface__ = {"data": (address, True), "shape": shape, "typestr": kind, "strides": strides,
                                    "version": 3}


def view(handle: Any, pointer: Any, shape: Tuple[int, ...], kind: str, strides=None, offset: int = 0) -> np.ndarray:
    """A read-only array over borrowed memory of `handle`, a Handle or a Result, which it keeps."""
    address = ctypes.cast(pointer, ctypes.c_void_p).value if pointer else None
    if not address or 0 in shape:
        return np.zeros(shape, kind)
    return np.asarray(_Memory(handle, address + offset, shape, kind, strides))


def file_view(result: Result, shape: Tuple[int, ...] = ()) -> np.ndarray:
    """A read-only uint8 array over the first file of `result`, which it keeps; flat unless a shape is given."""
    _, address, size = result.file_place()
    return view(result, address, shape if shape else (size,), "|u1")


def values_view(result: Result) -> np.ndarray:
    """A read-only float32 array over the values of `result`, which it keeps."""
    count = ctypes.c_size_t()
    values = lib.sinew_result_values(result.handle, ctypes.byref(count))
    return view(result, values, (count.value,), "<f4")


def pointer_to(array: Optional[np.ndarray], kind: Any):
    """For a member of a struct. The caller keeps the array."""
    return None if array is None else array.ctypes.data_as(ctypes.POINTER(kind))


def taken(values: Any, name: str, kind: Any, shape: Sequence[Optional[int]]) -> np.ndarray:
    """`values` as a contiguous array of this type and shape (None: any), copied only where it is not one already."""
    try:
        array = np.asarray(values)
        if np.issubdtype(kind, np.integer) and array.size and not np.issubdtype(array.dtype, np.integer):
            raise wrong_argument(f"{name} holds {array.dtype}, not whole numbers")
        if np.issubdtype(kind, np.integer) and array.size:
            limits = np.iinfo(kind)
            if array.min() < limits.min or array.max() > limits.max:
                raise wrong_argument(f"{name} has values outside {limits.min} … {limits.max}")
        array = np.ascontiguousarray(array, kind)
    except (TypeError, ValueError) as problem:
        if hasattr(problem, "code"):
            raise
        raise wrong_argument(f"{name} is not an array of numbers: {problem}") from None
    if array.ndim != len(shape) or any(want is not None and got != want for got, want in zip(array.shape, shape)):
        wanted = ", ".join("n" if size is None else str(size) for size in shape)
        raise wrong_argument(f"{name} has the shape {array.shape}, expected ({wanted})")
    return array


# A sinew_joint_transform as twelve doubles: translation at 0, rotation at 4, scale at 8.
TRANSFORM_DOUBLES = ctypes.sizeof(c.sinew_joint_transform) // 8


def transforms_pointer(array: np.ndarray):
    return array.ctypes.data_as(ctypes.POINTER(c.sinew_joint_transform))
