"""How many units a power may build or must disband, and where it may build."""

from collections import Counter
from collections.abc import Set

from diplomaccloud.judge.board import Board, Power, ProvinceCode
from diplomaccloud.judge.position import Position


def build_sites(board: Board, position: Position, power: Power) -> tuple[ProvinceCode, ...]:
    """Return the home centers of `power` that it owns and nobody stands in, in board order."""
    return _vacant(board, position, power, {unit.province for unit in position.units})


def _vacant(
    board: Board, position: Position, power: Power, taken: Set[ProvinceCode]
) -> tuple[ProvinceCode, ...]:
    return tuple(
        code
        for code in board.home_centers.get(power, ())
        if position.centers.get(code) == power and code not in taken
    )


def adjustments_owed(board: Board, position: Position, power: Power) -> int:
    """Return how many units `power` may build, or less than 0: how many it must disband.

    Builds are already limited by the vacant home centers that it owns.
    """
    balance = len(position.centers_of(power)) - len(position.units_of(power))
    return min(balance, len(build_sites(board, position, power))) if balance > 0 else balance


def powers_adjusting(board: Board, position: Position) -> frozenset[Power]:
    """Return the powers to which `adjustments_owed` gives something to do, all at once."""
    balance = Counter(position.centers.values())
    for unit in position.units:
        balance[unit.power] -= 1
    taken = {unit.province for unit in position.units}
    return frozenset(
        power
        for power, owed in balance.items()
        if owed < 0 or (owed > 0 and _vacant(board, position, power, taken))
    )
