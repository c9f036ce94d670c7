"""Which kernel serves: the compiled one where it was built, else its pure twin.

The environment variable DIPLOMACCLOUD_KERNEL chooses: `python` or `compiled`.
"""

import os
from types import ModuleType

from diplomaccloud.judge.kernel import pure

VARIABLE = "DIPLOMACCLOUD_KERNEL"


def choose(wanted: str = "") -> ModuleType:
    """Return the kernel called `wanted`, `python` or `compiled`, or the best there is.

    Raises `ImportError` if the compiled one is asked for by name and was not built, or not
    from the rules as they are now.
    """
    if wanted not in {"", "python", "compiled"}:
        raise ImportError(f"{VARIABLE} is {wanted!r}: say python or compiled")
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


KERNEL = choose(os.environ.get(VARIABLE, ""))
