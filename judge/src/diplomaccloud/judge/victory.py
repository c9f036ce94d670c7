"""The owners of centers after a year, and the winner by centers or pieces."""

from collections import Counter
from collections.abc import Iterable, Mapping

from diplomaccloud.judge.board import Board, Power, ProvinceCode
from diplomaccloud.judge.geography import geography
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.results import Ending
from diplomaccloud.judge.units import Unit


def centers_gained(
    board: Board, units: Iterable[Unit], centers: Mapping[ProvinceCode, Power]
) -> tuple[tuple[ProvinceCode, Power], ...]:
    """Return the centers that change hands because `units` occupy them, sorted."""
    center_at = board.center_at
    return tuple(
        sorted(
            [
                (code, unit.power)
                for unit in units
                if (code := center_at.get(unit.location)) and centers.get(code) != unit.power
            ]
        )
    )


def find_ending(board: Board, centers: Mapping[ProvinceCode, Power], when: str) -> Ending | None:
    """Return the ending if a single power leads with enough centers, otherwise `None`.

    `when` names the time for the reason, for example `Fall 1907`.
    """
    owned = Counter(centers.values())
    most = max(owned.values(), default=0)
    if not most or most < board.victory_centers:
        return None
    leaders = [power for power, count in owned.items() if count == most]
    return ending_by_centers(board, (leaders[0],), most, when) if len(leaders) == 1 else None


def most_pieces(board: Board, position: Position) -> Ending | None:
    """Return the ending if one power has more than half of the pieces on the board.

    Dislodged units are on the board until they retreat. Source: 1961 rulebook, "Object of
    the Game".
    """
    pieces = Counter([unit.power for unit in list_pieces(position)])
    count = max(pieces.values(), default=0)
    if 2 * count <= pieces.total():
        return None
    power = next(power for power, number in pieces.items() if number == count)
    name, total = geography(board).power(power), pieces.total()
    return Ending.of((power,), "ending_pieces", winner=name, count=count, total=total)


def list_pieces(position: Position) -> list[Unit]:
    """Return all units on the board, with those that are dislodged."""
    return [*position.units, *(entry.unit for entry in position.dislodged)]


def ending_by_centers(board: Board, winners: tuple[Power, ...], count: int, when: str) -> Ending:
    """Return the ending in which `winners` together own `count` centers; see `find_ending`."""
    names = ", ".join(geography(board).power(power) for power in winners)
    total = len(board.centers)
    return Ending.of(winners, "ending_centers", winner=names, count=count, total=total, when=when)
