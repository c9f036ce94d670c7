"""Which province and which unit a phrase means, given the board and the position."""

from collections.abc import Callable, Sequence

from diplomaccloud.judge.board import (
    Board,
    Location,
    Power,
    Province,
    ProvinceCode,
    Terrain,
    UnitKind,
    province_of,
)
from diplomaccloud.judge.notation.errors import NotationError, NotYours, join_words
from diplomaccloud.judge.notation.names import Reading
from diplomaccloud.judge.notation.reader import UnitPhrase
from diplomaccloud.judge.phases import Stage
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.units import Unit


def choose_province(
    reading: Reading, fits: Callable[[ProvinceCode], bool], board: Board
) -> ProvinceCode:
    """Return the only province that `reading` can mean among those that `fits` allows.

    Uses the best set of readings in which a province fits. If none fits, it uses the best
    reading, so that the caller can report what is wrong with it. Raises
    `NotationError` naming the candidates if there are several, and for an impassable space.
    """
    fitting = ([code for code in tier if fits(code)] for tier in reading.tiers)
    candidates = next((codes for codes in fitting if codes), list(reading.tiers[0]))
    if len(candidates) > 1:
        raise ambiguity_error(reading.text, candidates, board)
    if name := dict(board.impassable).get(candidates[0]):
        raise NotationError(f"{name} is impassable: no unit may enter it")
    return candidates[0]


def ambiguity_error(text: str, candidates: Sequence[ProvinceCode], board: Board) -> NotationError:
    """Return the error that asks which of `candidates` is meant by `text`."""
    names = dict(board.impassable) | {code: one.name for code, one in board.by_code.items()}
    shown = [f"{code} ({names[code]})" for code in candidates[:6]]
    return NotationError(f"{text!r} is ambiguous: write {join_words(shown, 'or')}")


def can_stand(board: Board, kind: UnitKind, code: ProvinceCode) -> bool:
    """Return whether units of `kind` can stand in the province `code`; False if unknown."""
    province = board.by_code.get(code)
    wrong = Terrain.SEA if kind is UnitKind.ARMY else Terrain.INLAND
    return province is not None and province.terrain is not wrong


def cannot_stand_error(province: Province, kind: UnitKind) -> NotationError:
    """Return the error for a unit of `kind` in `province`, where it cannot be."""
    if kind is UnitKind.FLEET and province.coasts:
        choices = [f"{kind} {place}" for place in province.fleet_locations]
        return NotationError(f"which coast of {province.code}: write {join_words(choices, 'or')}")
    return NotationError(f"no {kind.word} can stand in {province.code} ({province.name})")


def make_location(province: Province, kind: UnitKind, coast: str | None) -> Location:
    """Return the location in `province`; a useless coast is ignored."""
    if kind is UnitKind.FLEET and coast in province.coasts:
        return Location(f"{province.code}/{coast}")
    return Location(province.code)


def own_unit(
    phrase: UnitPhrase, units: Sequence[Unit], power: Power, board: Board, position: Position
) -> Unit:
    """Return the unit of `power` that `phrase` means, one of `units`.

    The kind written helps to choose between readings and is otherwise ignored (DATC 4.C.2).
    Raises `NotationError` if there is none, if it belongs to another, or if several fit.
    """
    own = [unit for unit in units if unit.power == power]
    place = phrase.place
    if place is None:
        return _only_one(phrase, own)
    of_kind = [unit for unit in units if phrase.kind in (None, unit.kind)]
    # If a better reading finds a foreign unit, worse readings are not tried: a code that the
    # site prints is never read as anything else.
    found = _standing(place, of_kind, power) or _standing(place, units, power)
    if not found:
        raise no_unit_error(place, board, position)
    unit = _single(place, found, board)
    if unit.power != power:
        info = board.power_info.get(unit.power)
        owner = info.name if info else unit.power
        raise NotYours(f"{unit} is not yours: it belongs to {owner}")
    return unit


def _standing(place: Reading, units: Sequence[Unit], power: Power) -> list[Unit]:
    """Return the units in the best reading of `place` that has any, own ones before others."""
    for tier in place.tiers:
        there = [unit for unit in units if unit.province in tier]
        if there:
            return [unit for unit in there if unit.power == power] or there
    return []


def _single(place: Reading, found: Sequence[Unit], board: Board) -> Unit:
    if len(found) > 1:
        raise ambiguity_error(place.text, [unit.province for unit in found], board)
    return found[0]


def _only_one(phrase: UnitPhrase, own: Sequence[Unit]) -> Unit:
    """Return the only unit of the kind written, where the place is left out (`F stands`)."""
    found = [unit for unit in own if unit.kind == phrase.kind]
    if len(found) != 1:
        word = phrase.kind.word if phrase.kind else "unit"
        shown = [str(unit) for unit in found[:6]] + ["others"] * (len(found) > 6)
        units = join_words(shown, "and")
        raise NotationError(f"which {word}? you have {units or 'none'}")
    return found[0]


def any_unit(phrase: UnitPhrase, board: Board, position: Position, to: Reading | None) -> Unit:
    """Return the unit to be supported or convoyed, of any power.

    The kind and power written help to choose and are otherwise ignored (DATC 4.C.2, 4.C.6), and
    so does `to`, the destination written. Raises `NotationError` as `own_unit` does.
    """
    place = phrase.place
    if place is None:
        raise NotationError("which unit?")
    of_kind = [unit for unit in position.units if phrase.kind in (None, unit.kind)]
    of_power = [unit for unit in of_kind if phrase.power in (None, unit.power)]
    for units in (of_power, of_kind, position.units):
        for tier in place.tiers:
            if found := [unit for unit in units if unit.province in tier]:
                able = [unit for unit in found if to is None or _can_go(unit, to, board)]
                return _single(place, able or found, board)
    raise no_unit_error(place, board, position)


def _can_go(unit: Unit, to: Reading, board: Board) -> bool:
    """Return whether `unit` might go to one of the provinces that `to` names, convoys included."""
    near = board.reach(unit.kind, unit.location)
    return any(code in near or _by_sea(unit, code, board) for code in to.all)


def _by_sea(unit: Unit, code: ProvinceCode, board: Board) -> bool:
    ends = (board.by_code.get(unit.province), board.by_code.get(code))
    coastal = all(end is not None and end.terrain is Terrain.COASTAL for end in ends)
    return unit.kind is UnitKind.ARMY and coastal


def no_unit_error(place: Reading, board: Board, position: Position) -> NotationError:
    """Return the error for a place without a unit that can be ordered."""
    code = choose_province(place, lambda code: code in board.by_code, board)
    retreating = position.phase.stage is Stage.RETREATS
    if retreating and position.unit_in(code):
        return NotationError(f"the unit in {code} was not dislodged and cannot retreat")
    word = "dislodged unit" if retreating else "unit"
    return NotationError(f"there is no {word} in {code} ({board.by_code[code].name})")


def fill_in_coast(board: Board, fleet: Unit, to: Location) -> Location:
    """Return `to` with its coast if only one is possible; raise `NotationError` for two."""
    province = board.by_code[province_of(to)]
    if to in province.fleet_locations:
        return to
    near = board.destinations(UnitKind.FLEET, fleet.location)
    coasts = [place for place in province.fleet_locations if place in near]
    if len(coasts) > 1:
        raise NotationError(f"which coast of {to}: write {join_words(list(coasts), 'or')}")
    return coasts[0] if coasts else to
