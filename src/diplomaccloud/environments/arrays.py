"""Checks the arrays that callers pass; errors name the part at fault."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from diplomaccloud.judge.checks import describe

Ints = NDArray[np.int32]
Flags = NDArray[np.bool_]


def read_ints(name: str, given: object, shape: tuple[int, ...]) -> Ints:
    """Return the whole numbers in `given` as a 32-bit array; copy it only if it has another type.

    Raises `TypeError` unless `given` is an array or a list of whole numbers, and `ValueError` if
    its shape differs from `shape` or a number does not fit into 32 bits; the error names the first.
    """
    try:
        array: NDArray[Any] = np.asarray(given)
    except ValueError as error:
        raise TypeError(f"{name}: expected an array of integers with rows of equal length") from (
            error
        )
    if array.dtype.kind not in "iu":
        what = f"an array of {array.dtype}" if isinstance(given, np.ndarray) else describe(given)
        raise TypeError(f"{name}: expected an array of integers, not {what}")
    if array.shape != shape:
        raise ValueError(f"{name}: expected the shape {shape}, not {array.shape}")
    limits = np.iinfo(np.int32)
    if array.dtype.itemsize >= 4 and array.dtype != np.int32:
        wrong = np.argwhere((array > limits.max) | (array < limits.min))
        if len(wrong):
            at = tuple(int(index) for index in wrong[0])
            place = ", ".join(map(str, at))
            raise ValueError(f"{name}[{place}]: {array[at]} does not fit into 32 bits")
    return np.ascontiguousarray(array, np.int32)
