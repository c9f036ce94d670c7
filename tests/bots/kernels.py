"""The kernels of the bots that tests compare."""

import pytest

from diplomaccloud.bots.kernel import BotKernel, choose_kernel, load_kernel


def _compiled() -> BotKernel | None:
    try:
        return choose_kernel("compiled")
    except ImportError:
        return None


PYTHON = load_kernel("python")
COMPILED = _compiled()
_lacking = pytest.mark.skipif(COMPILED is None, reason="not compiled: run scripts/kernel")
each_kernel = pytest.mark.parametrize(
    "one",
    [pytest.param(PYTHON, id="python"), pytest.param(COMPILED, id="compiled", marks=_lacking)],
)
