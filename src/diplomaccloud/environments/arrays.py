"""Checks the arrays that callers pass, and says which part of them is wrong."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from diplomaccloud.judge.checks import describe

Ints = NDArray[np.int32]
Flags = NDArray[np.bool_]


def read_ints(name: str, given: object, shape: tuple[int, ...]) -> Ints:
    """Return whole numbers of this shape as 32-bit integers, without a copy if they are that.

    Raises `TypeError` for anything but an array, or lists, of whole numbers, and `ValueError` for
    another shape, and naming the first number that does not fit into 32 bits.
    """
    try:
        array: NDArray[Any] = np.asarray(given)
    except ValueError as error:
        raise TypeError(f"{name}: an array of integers is needed, with rows of one length") from (
            error
        )
    if array.dtype.kind not in "iu":
        what = f"an array of {array.dtype}" if isinstance(given, np.ndarray) else describe(given)
        raise TypeError(f"{name}: an array of integers is needed, not {what}")
    if array.shape != shape:
        raise ValueError(f"{name}: the shape {shape} is needed, not {array.shape}")
    limits = np.iinfo(np.int32)
    if array.dtype.itemsize >= 4 and array.dtype != np.int32:
        wrong = np.argwhere((array > limits.max) | (array < limits.min))
        if len(wrong):
            at = tuple(int(index) for index in wrong[0])
            place = ", ".join(map(str, at))
            raise ValueError(f"{name}[{place}]: {array[at]} does not fit into 32 bits")
    return np.ascontiguousarray(array, np.int32)
