"""Finds problems with the dislodged units in a position and with their retreats."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from diplomaccloud.judge.board import (
    Board,
    Location,
    ProvinceCode,
    UnitKind,
    province_of,
)
from diplomaccloud.judge.geography import geography
from diplomaccloud.judge.phases import Stage
from diplomaccloud.judge.units import Unit

if TYPE_CHECKING:
    from diplomaccloud.judge.position import Dislodged, Position


def find_impossible_retreats(board: Board, position: "Position") -> Iterator[str]:
    """Yield a sentence for each retreat to a place where the unit cannot be.

    The units in `position` must be on `board`.
    """
    if position.dislodged and position.phase.stage is not Stage.RETREATS:
        yield f"there are no retreats in {position.phase}"
    standing = {unit.province: unit for unit in position.units}
    for entry in position.dislodged:
        for what in _find_impossible_places(board, entry, standing):
            yield f"{entry.unit} of {entry.unit.power}: {what}"


def find_retreat_problems(board: Board, position: "Position") -> Iterator[str]:
    """Yield a sentence for each retreat that could not follow from any movement phase."""
    yield from find_impossible_retreats(board, position)
    standing = {unit.province: unit for unit in position.units}
    for entry in position.dislodged:
        attacker = standing.get(entry.unit.province)
        for what in (
            _find_attacker_problem(board, entry, attacker),
            _find_way_back(board, entry, attacker),
            _find_barred_places(board, entry, position),
        ):
            if what:
                yield f"{entry.unit} of {entry.unit.power}: {what}"


def _near(board: Board, unit: Unit) -> frozenset[Location]:
    return geography(board).places[unit.kind].get(unit.location, frozenset())


def _find_impossible_places(
    board: Board, entry: "Dislodged", standing: Mapping[ProvinceCode, Unit]
) -> Iterator[str]:
    near = _near(board, entry.unit)
    seen: set[Location] = set()
    for place in entry.retreats:
        there = standing.get(province_of(place))
        if place not in near:
            yield f"it cannot go to {place}"
        elif there is not None:
            yield f"it cannot go to {place}, where {there} of {there.power} stands"
        elif place in seen:
            yield f"it can go to {place}, but that is listed twice"
        seen.add(place)


def _find_attacker_problem(board: Board, entry: "Dislodged", attacker: Unit | None) -> str:
    here = entry.unit.province
    if attacker is None:
        return f"no unit in {here} could have dislodged it"
    if attacker.power == entry.unit.power:
        return f"{attacker} in its place has the same power and cannot have dislodged it"
    if not entry.by:
        return ""
    if entry.by not in board.by_code:
        return f"its attacker came from {entry.by}, which is not on this board"
    walked = entry.by in board.reach(attacker.kind, attacker.location)
    if entry.by == here or not (walked or _may_be_convoyed(board, attacker, entry.by)):
        return f"{attacker}, its attacker, cannot have come from {entry.by}"
    return ""


def _may_be_convoyed(board: Board, unit: Unit, source: ProvinceCode) -> bool:
    return unit.kind is UnitKind.ARMY and {unit.province, source} <= geography(board).ports


def _find_way_back(board: Board, entry: "Dislodged", attacker: Unit | None) -> str:
    """Return the problem if the unit may retreat to where its attacker came from by land."""
    if attacker is None or not entry.by or _may_be_convoyed(board, attacker, entry.by):
        return ""
    back = [place for place in entry.retreats if province_of(place) == entry.by]
    return f"it cannot go to {back[0]}, where its attacker came from" if back else ""


def _find_barred_places(board: Board, entry: "Dislodged", position: "Position") -> str:
    """Return the problem if other units may retreat to a place that this unit should also have.

    Only the province that its attacker came from can be barred to a single unit.
    """
    allowed = {province_of(place) for place in entry.retreats}
    others = {province_of(place) for other in position.dislodged for place in other.retreats}
    near = _near(board, entry.unit)
    if missing := [p for p in sorted(near - {*entry.retreats}) if province_of(p) in allowed]:
        return f"it can go to {province_of(missing[0])}, but {missing[0]} is left out"
    barred = sorted({province_of(place) for place in near} & others - allowed - {entry.by})
    if len(barred) > (0 if entry.by else 1):
        return f"it can go to {' and '.join(barred)} if another unit can"
    return ""
