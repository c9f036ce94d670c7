"""How maps tell more than ten powers apart: two letters on each badge, and patterns.

The colors of all of them cannot differ well. Those of powers near each other should; where they do
not, such as on an imported map, patterns show.
"""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import combinations, product
from string import ascii_uppercase
from types import MappingProxyType
from typing import Final
from unicodedata import normalize

from diplomaccloud.judge.board import Board, Power
from diplomaccloud.judge.geography import steps_over_all

MAX_FEW_POWERS: Final = 10
"""Up to as many powers, colors are enough."""

NEAR: Final = 3
"""How many moves powers near each other are apart, at most."""

MIN_NEAR_DIFFERENCE: Final = 22.0
"""The least difference of the colors of powers near each other, in ΔE76."""


@lru_cache(maxsize=64)
def find_badge_letters(board: Board) -> Mapping[Power, str]:
    """Return for each power two letters that no other has; empty for few powers.

    They are the first two of the name if possible, or else two others in their order.
    """
    found: dict[Power, str] = {}
    if len(board.powers) > MAX_FEW_POWERS:
        for info in board.powers:
            used = set(found.values())
            found[info.power] = next(pair for pair in _list_pairs(info.name) if pair not in used)
    return MappingProxyType(found)


def _list_pairs(name: str) -> Iterator[str]:
    """Yield pairs of letters, those that suit `name` best first; at last all that exist."""
    letters = [char for char in normalize("NFKD", name).upper() if char in ascii_uppercase]
    yield from ("".join(pair) for pair in combinations(letters, 2))
    yield from ("".join(pair) for pair in product(ascii_uppercase, repeat=2))


@lru_cache(maxsize=64)
def find_near_powers(board: Board) -> tuple[tuple[Power, Power], ...]:
    """Return the pairs of powers, in board order, whose homes are near; none for few powers."""
    if len(board.powers) <= MAX_FEW_POWERS:
        return ()
    powers = [info.power for info in board.powers]
    steps = {power: steps_over_all(board, board.home_centers[power]) for power in powers}
    return tuple(
        (first, second)
        for first, second in combinations(powers, 2)
        if any(steps[first].get(home, NEAR + 1) <= NEAR for home in board.home_centers[second])
    )
