"""Selects the kernel: the compiled one where it was built, otherwise its pure twin.

The environment variable DIPLOMACCLOUD_KERNEL overrides this: `python` or `compiled`.
"""

import os
from types import ModuleType

from diplomaccloud.judge.kernel import pure

VARIABLE = "DIPLOMACCLOUD_KERNEL"


def choose_kernel(wanted: str = "") -> ModuleType:
    """Return the kernel named `wanted`, `python` or `compiled`, or the fastest available.

    Raises `ImportError` if the compiled kernel is requested by name and has not been built, or
    was built from another version of the rules.
    """
    if wanted not in {"", "python", "compiled"}:
        raise ImportError(f"{VARIABLE} is {wanted!r}: use python or compiled")
    if wanted == "python":
        return pure
    try:
        from diplomaccloud.judge.kernel import compiled  # noqa: PLC0415 - may be missing
    except ImportError:
        if wanted:
            raise
        return pure
    if compiled.VERSION != pure.VERSION:
        if wanted:
            raise ImportError("the compiled kernel is out of date: run scripts/kernel")
        return pure
    return compiled


KERNEL = choose_kernel(os.environ.get(VARIABLE, ""))
