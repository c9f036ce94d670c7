"""Hashes of positions on the standard board, as in the Python package `diplomacy`.

A hash is the XOR of random numbers, one for each fact of the position, from a generator that is
seeded by the board.
"""

from collections.abc import Mapping, Sequence
from functools import cache

from diplomaccloud.judge.board import UnitKind
from diplomaccloud.judge.checks import require_type
from diplomaccloud.judge.position import Position, PositionError
from diplomaccloud.judge.standard.europe import standard_board
from diplomaccloud.judge.units import Unit

_MOST = 2**63 - 1
_Rows = Sequence[Sequence[int]]
_KINDS = (UnitKind.ARMY, UnitKind.FLEET)


@cache
def _build_tables() -> tuple[Mapping[str, int], Mapping[str, int], Mapping[str, _Rows]]:
    """Return the numbers of places and powers, and the tables of random numbers by subject."""
    import random  # noqa: PLC0415 loading it takes longer than this module

    board = standard_board()
    places = sorted(
        {str(province.code) for province in board.provinces}
        | {str(place) for p in board.provinces if p.coasts for place in p.fleet_locations}
    )
    powers = sorted(str(info.power) for info in board.powers)
    centers = "-".join(sorted(board.centers))
    seed = 12345 + len(places) + sum(ord(c) * 7**i for i, c in enumerate(centers))
    numbers = random.Random(seed % 2**32)
    rows = {
        "unit_type": 2,
        "units": 7,
        "dis_unit_type": 2,
        "dis_units": 7,
        "centers": 7,
        "homes": 7,
    }
    tables = {
        name: [[numbers.randint(1, _MOST) for _ in places] for _ in range(count)]
        for name, count in rows.items()
    }
    place_numbers = {place: i for i, place in enumerate(places)}
    return place_numbers, {power: i for i, power in enumerate(powers)}, tables


def position_hash(position: Position) -> str:
    """Return a hash of the units, dislodged units and centers: a number in decimal digits.

    It is the `zobrist_hash` of saved games of `diplomacy`, and does not depend on the phase. Raises
    `PositionError` for a position that is not on the standard board.
    """
    require_type("position", position, Position)
    try:
        return str(_hash(position))
    except KeyError:
        raise PositionError(position.problems(standard_board())) from None


def _hash(position: Position) -> int:
    places, powers, tables = _build_tables()
    total = 0

    def add_unit(unit: Unit, prefix: str) -> int:
        place = places[unit.location]
        kinds, owners = tables[f"{prefix}unit_type"], tables[f"{prefix}units"]
        return kinds[_KINDS.index(unit.kind)][place] ^ owners[powers[unit.power]][place]

    for unit in position.units:
        total ^= add_unit(unit, "")
    for entry in position.dislodged:
        total ^= add_unit(entry.unit, "dis_")
    for code, power in position.centers.items():
        total ^= tables["centers"][powers[power]][places[code]]
    for power, codes in standard_board().home_centers.items():
        for code in codes:
            total ^= tables["homes"][powers[power]][places[code]]
    return total
