"""Finds the problems with a position: units that cannot be where they are, unknown names."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from diplomaccloud.judge.board import Board, Power, Province, ProvinceCode, UnitKind
from diplomaccloud.judge.geography import geography
from diplomaccloud.judge.retreat_problems import find_impossible_retreats, find_retreat_problems
from diplomaccloud.judge.units import Unit

if TYPE_CHECKING:
    from diplomaccloud.judge.position import Position


class PositionError(ValueError):
    """A position that is impossible on its board; `problems` has a sentence for each fault."""

    def __init__(self, problems: tuple[str, ...]) -> None:
        super().__init__(problems[0])
        self.problems = problems


def find_problems(board: Board, position: "Position") -> tuple[str, ...]:
    """Return a sentence for every fault of `position`; empty if it is possible on `board`."""
    dislodged = [entry.unit for entry in position.dislodged]
    return (
        *_find_unit_problems(board, position.units, "units"),
        *_find_unit_problems(board, dislodged, "dislodged"),
        *(f"dislodged: {what}" for what in find_retreat_problems(board, position)),
        *_find_center_problems(board, position),
    )


def are_units_placed(board: Board, units: Iterable[Unit]) -> bool:
    """Return whether every unit is where its kind can be; fast, for every phase adjudicated."""
    places = geography(board).places
    return all(unit.location in places[unit.kind] for unit in units)


def require_sound_units(board: Board, position: "Position") -> None:
    """Raise `PositionError` if units cannot be where they are or where they may retreat to."""
    for part, units in (
        ("units", position.units),
        ("dislodged", tuple(entry.unit for entry in position.dislodged)),
    ):
        known = board.power_info.keys() >= {unit.power for unit in units}
        crowded = len({unit.province for unit in units}) < len(units)
        if crowded or not known or not are_units_placed(board, units):
            raise PositionError(tuple(_find_unit_problems(board, units, part)))
    require_possible_retreats(board, position)


def require_possible_retreats(board: Board, position: "Position") -> None:
    """Raise `PositionError` if a dislodged unit in `position` has an impossible retreat."""
    if position.dislodged and (problems := tuple(find_impossible_retreats(board, position))):
        raise PositionError(tuple(f"dislodged: {problem}" for problem in problems))


def _find_unit_problems(board: Board, units: Iterable[Unit], part: str) -> Iterator[str]:
    seen: dict[ProvinceCode, Unit] = {}
    for unit in units:
        what = _find_unit_problem(board, unit)
        other = seen.setdefault(unit.province, unit)
        if other is not unit:
            what = f"there are two units in {unit.province}; the other is {other} of {other.power}"
        if what:
            yield f"{part}: {unit} of {unit.power}: {what}"


def _find_unit_problem(board: Board, unit: Unit) -> str:
    """Return what is wrong with a single unit, or an empty string."""
    if unit.power not in board.power_info:
        return f"there is no power {unit.power} on this board"
    if unit.location in geography(board).places[unit.kind]:
        return ""
    province = board.by_code.get(unit.province)
    if province is None:
        return f"there is no province {unit.province} on this board"
    return _describe_wrong_place(unit, province)


def _describe_wrong_place(unit: Unit, province: Province) -> str:
    if unit.kind is UnitKind.ARMY and "/" not in unit.location:
        return f"{province.name} is water, where no army can be"
    if unit.kind is UnitKind.ARMY:
        return f"an army has no coast: write A {unit.province}"
    if not province.fleet_locations:
        return f"{province.name} is inland, where no fleet can be"
    return f"a fleet there stands on {' or '.join(province.fleet_locations)}"


def _find_center_problems(board: Board, position: "Position") -> Iterator[str]:
    for code, owner in position.centers.items():
        province = board.by_code.get(code)
        if province is None or not province.center:
            yield f"centers: {code}: there is no such supply center on this board"
        elif owner not in board.power_info:
            yield f"centers: {code}: there is no power {Power(owner)} on this board"
