"""Selects the kernel: the compiled one if it was built from these sources, otherwise Python.

The environment variable DIPLOMACCLOUD_KERNEL overrides this: `python` or `compiled`.
"""

import os
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, TypeVar

from diplomaccloud.judge.kernel.sources import BUILD, is_current
from diplomaccloud.judge.kernel.sources import KERNEL as HERE

VARIABLE = "DIPLOMACCLOUD_KERNEL"

MODULES = {"python": "core.values", "compiled": "compiled.joined"}
"""The module of each kernel. All modules are joined into one before compilation."""

_Kernel = TypeVar("_Kernel")


def load_kernel(name: str) -> ModuleType:
    """Return the kernel `python` or `compiled`, even if it is out of date."""
    return import_module(f"diplomaccloud.judge.kernel.{MODULES[name]}")


def choose(load: Callable[[str], _Kernel], wanted: str, kernel: Path, *others: Path) -> _Kernel:
    """Return what `load` returns for `wanted`, `python` or `compiled`, or the fastest available.

    `kernel` is the folder of the kernel, and `others` are those whose sources it was compiled with.
    Raises `ImportError` if the compiled kernel is requested by name and has not been built, or
    was built from other sources.
    """
    if wanted not in {"", *MODULES}:
        raise ImportError(f"{VARIABLE} is {wanted!r}: use python or compiled")
    current = wanted != "python" and is_current(kernel, *others)
    if wanted == "python" or not (wanted or current):
        return load("python")
    if not current:
        state = "out of date" if (kernel / BUILD).exists() else "not built"
        raise ImportError(f"the compiled kernel is {state}: run scripts/kernel")
    try:
        return load("compiled")
    except ImportError:
        # It was built for another version of Python.
        if wanted:
            raise
        return load("python")


def choose_kernel(wanted: str = "") -> ModuleType:
    """Return the kernel named `wanted`, or the fastest available; see `choose`."""
    return choose(load_kernel, wanted, HERE)


if TYPE_CHECKING:
    # Both have the same functions.
    from diplomaccloud.judge.kernel.core import values

    KERNEL = values
else:
    KERNEL = choose_kernel(os.environ.get(VARIABLE, ""))
