"""How many units a power may build or must disband, and where it may build."""

from diplomaccloud.judge.board import Board, Power, ProvinceCode
from diplomaccloud.judge.position import Position


def build_sites(board: Board, position: Position, power: Power) -> tuple[ProvinceCode, ...]:
    """Return the home centers of `power` that it owns and nobody stands in, in board order."""
    taken = {unit.province for unit in position.units}
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
