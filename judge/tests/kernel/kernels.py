"""The kernels that tests compare, and the boards that they are compared on."""

from functools import cache
from types import ModuleType as Kernel

import pytest
from hypothesis import strategies as st
from judge.tests.grids import grid_board

from diplomaccloud.judge.board import (
    Board,
)
from diplomaccloud.judge.kernel.selection import choose_kernel, load_kernel
from diplomaccloud.judge.standard.europe import standard_board

BOARD = standard_board()
SEEDS = st.integers(0, 2**32 - 1)
EVERY_BOARD = st.sampled_from(["standard", "grid"])


def _compiled() -> Kernel | None:
    try:
        return choose_kernel("compiled")
    except ImportError:
        return None


PYTHON = load_kernel("python")
COMPILED = _compiled()
KERNELS = [
    pytest.param(PYTHON, id="python"),
    pytest.param(
        COMPILED,
        id="compiled",
        marks=pytest.mark.skipif(COMPILED is None, reason="not compiled: run scripts/kernel"),
    ),
]
each_kernel = pytest.mark.parametrize("one", KERNELS)


@cache
def board_called(name: str) -> Board:
    """Return the standard board, or a grid with more provinces and seas than one word holds."""
    return BOARD if name == "standard" else grid_board(16, 12)
