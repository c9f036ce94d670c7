"""Finds the province or unit that a phrase means, given the board, the position and the rules."""

from collections.abc import Callable, Sequence
from dataclasses import replace

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
from diplomaccloud.judge.messages.notation import NotationKey
from diplomaccloud.judge.notation.errors import MAX_QUOTED, NotationError
from diplomaccloud.judge.notation.reader import Reader, UnitPhrase, require_end
from diplomaccloud.judge.notation.words import Reading
from diplomaccloud.judge.phases import Stage
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.rules import BuildKind, Lapse, RuleSet
from diplomaccloud.judge.units import Unit

MAX_CHOICES = 6
"""The most provinces or units that an error lists."""

_OTHER_NAMES = {"NC": "EC"}
"""Other names of coasts: webDiplomacy calls Bulgaria's east coast its north coast."""


def parse_unit(text: str, board: Board, power: Power) -> Unit:
    """Return the unit of `power` written as `A PAR` or `F STP/SC`.

    Raises `NotationError` if the kind is missing or such a unit cannot be there.
    """
    reader = Reader(text, board)
    phrase = reader.unit()
    require_end(reader, "the unit")
    kind = phrase.kind
    if kind is None or phrase.place is None:
        raise NotationError(NotationKey.UNIT_KIND_MISSING, text=text[:MAX_QUOTED])
    code = choose_province(phrase.place, lambda code: can_stand(board, kind, code), board)
    location = make_location(board.by_code[code], kind, phrase.coast)
    if location not in board.locations(kind):
        raise cannot_stand_error(board.by_code[code], kind)
    return Unit(kind, location, power)


def choose_province(
    reading: Reading, fits: Callable[[ProvinceCode], bool], board: Board
) -> ProvinceCode:
    """Return the only province that `reading` can mean among those that `fits` allows.

    Uses the best set of readings that contains a fitting province. If none fits, it uses the best
    reading, so that the caller can report what is wrong with it. Raises `NotationError` for an
    impassable space, and if there are several candidates, which it names.
    """
    fitting = ([code for code in tier if fits(code)] for tier in reading.tiers)
    candidates = next((codes for codes in fitting if codes), list(reading.tiers[0]))
    if len(candidates) > 1:
        raise ambiguity_error(reading.text, candidates, board)
    if name := dict(board.impassable).get(candidates[0]):
        raise NotationError(NotationKey.IMPASSABLE, place=name)
    return candidates[0]


def ambiguity_error(text: str, candidates: Sequence[ProvinceCode], board: Board) -> NotationError:
    """Return an error that asks which of `candidates` `text` means."""
    names = dict(board.impassable) | {
        code: province.name for code, province in board.by_code.items()
    }
    choices = [f"{code} ({names[code]})" for code in candidates[:MAX_CHOICES]]
    return NotationError(NotationKey.AMBIGUOUS_PROVINCE, text=text, choices=tuple(choices))


def can_stand(board: Board, kind: UnitKind, code: ProvinceCode) -> bool:
    """Return whether units of `kind` can be in the province `code`; False if it is unknown."""
    province = board.by_code.get(code)
    wrong = Terrain.SEA if kind is UnitKind.ARMY else Terrain.INLAND
    return province is not None and province.terrain is not wrong


def cannot_stand_error(province: Province, kind: UnitKind) -> NotationError:
    """Return the error for a unit of `kind` in `province`, where it cannot be."""
    if kind is UnitKind.FLEET and province.coasts:
        choices = [f"{kind} {place}" for place in province.fleet_locations]
        return NotationError(NotationKey.COAST_MISSING, code=province.code, choices=tuple(choices))
    return NotationError(
        NotationKey.CANNOT_STAND, kind=kind, code=province.code, place=province.name
    )


def make_location(province: Province, kind: UnitKind, coast: str | None) -> Location:
    """Return the location in `province`, ignoring a useless coast."""
    if kind is UnitKind.FLEET and coast in province.coasts:
        return Location(f"{province.code}/{coast}")
    return Location(province.code)


def find_own_unit(
    phrase: UnitPhrase, units: Sequence[Unit], power: Power, board: Board, position: Position
) -> Unit:
    """Return the unit of `power` among `units` that `phrase` means.

    The written kind helps to choose between readings and is otherwise ignored (DATC 4.C.2).
    Raises `NotationError` if there is no such unit, if it is foreign, or if several fit.
    """
    own = [unit for unit in units if unit.power == power]
    place = phrase.place
    if place is None:
        return _find_only_unit(phrase, own)
    of_kind = [unit for unit in units if phrase.kind in (None, unit.kind)]
    # If a better reading finds a foreign unit, worse readings are not tried, so that a province
    # code from the site is never read as anything else.
    matches = _find_units(place, of_kind, power) or _find_units(place, units, power)
    if not matches:
        raise no_unit_error(place, board, position)
    unit = _require_single(place, matches, board)
    if unit.power != power:
        info = board.power_info.get(unit.power)
        owner = info.name if info else unit.power
        raise NotationError(NotationKey.NOT_YOUR_UNIT, unit=unit, owner=owner)
    return unit


def _find_units(place: Reading, units: Sequence[Unit], power: Power) -> list[Unit]:
    """Return the units in the best reading of `place` that has any, own units first."""
    for tier in place.tiers:
        there = [unit for unit in units if unit.province in tier]
        if there:
            return [unit for unit in there if unit.power == power] or there
    return []


def _require_single(place: Reading, matches: Sequence[Unit], board: Board) -> Unit:
    if len(matches) > 1:
        raise ambiguity_error(place.text, [unit.province for unit in matches], board)
    return matches[0]


def _find_only_unit(phrase: UnitPhrase, own: Sequence[Unit]) -> Unit:
    """Return the only unit of the written kind when the place is left out (`F stands`)."""
    kind = phrase.kind
    if kind is None:
        raise NotationError(NotationKey.UNIT_MISSING)
    of_kind = [unit for unit in own if unit.kind is kind]
    if not of_kind:
        raise NotationError(NotationKey.NO_UNIT_OF_KIND, kind=kind)
    if len(of_kind) > 1:
        many = len(of_kind) > MAX_CHOICES
        key = NotationKey.WHICH_UNIT_OF_MANY if many else NotationKey.WHICH_UNIT
        raise NotationError(key, kind=kind, units=tuple(map(str, of_kind[:MAX_CHOICES])))
    return of_kind[0]


def find_any_unit(phrase: UnitPhrase, board: Board, position: Position, to: Reading | None) -> Unit:
    """Return the unit to be supported or convoyed, of any power.

    The written kind, power and destination `to` help to choose and are otherwise ignored (DATC
    4.C.2, 4.C.6). Raises `NotationError` as `find_own_unit` does.
    """
    place = phrase.place
    if place is None:
        raise NotationError(NotationKey.UNIT_MISSING)
    of_kind = [unit for unit in position.units if phrase.kind in (None, unit.kind)]
    of_power = [unit for unit in of_kind if phrase.power in (None, unit.power)]
    for units in (of_power, of_kind, position.units):
        for tier in place.tiers:
            if matches := [unit for unit in units if unit.province in tier]:
                able = [unit for unit in matches if to is None or _can_go(unit, to, board)]
                return _require_single(place, able or matches, board)
    raise no_unit_error(place, board, position)


def _can_go(unit: Unit, to: Reading, board: Board) -> bool:
    """Return whether `unit` could go to one of the provinces that `to` names, even by convoy."""
    near = board.reach(unit.kind, unit.location)
    return any(code in near or _may_go_by_sea(unit, code, board) for code in to.all)


def _may_go_by_sea(unit: Unit, code: ProvinceCode, board: Board) -> bool:
    ends = (board.by_code.get(unit.province), board.by_code.get(code))
    coastal = all(end is not None and end.terrain is Terrain.COASTAL for end in ends)
    return unit.kind is UnitKind.ARMY and coastal


def no_unit_error(place: Reading, board: Board, position: Position) -> NotationError:
    """Return the error for a place without a unit that can be ordered."""
    code = choose_province(place, lambda code: code in board.by_code, board)
    retreating = position.phase.stage is Stage.RETREATS
    if retreating and position.unit_in(code):
        return NotationError(NotationKey.NOT_DISLODGED, code=code)
    key = NotationKey.NO_DISLODGED_UNIT if retreating else NotationKey.NO_UNIT
    return NotationError(key, code=code, place=board.by_code[code].name)


def translate_coast(province: Province, written: str | None) -> str | None:
    """Return our name for a coast that another site calls `written`."""
    return written if written in province.coasts else _OTHER_NAMES.get(written or "")


def fill_in_coast(board: Board, fleet: Unit, to: Location, written: str | None) -> Location:
    """Return `to` with its coast if only one is possible; raise `NotationError` if two are.

    `written` is the coast in the text, which may be another site's name for it.
    """
    province = board.by_code[province_of(to)]
    if to in province.fleet_locations:
        return to
    near = board.destinations(UnitKind.FLEET, fleet.location)
    coasts = [place for place in province.fleet_locations if place in near]
    if len(coasts) > 1:
        meant = Location(f"{province.code}/{translate_coast(province, written)}")
        if meant in coasts:
            return meant
        raise NotationError(NotationKey.COAST_MISSING, code=to, choices=tuple(coasts))
    return coasts[0] if coasts else to


def apply_wording(phrase: UnitPhrase, unit: Unit, rules: RuleSet, *, own: bool) -> Unit:
    """Return `unit` with the wrong details in `phrase` that the rules do not ignore.

    The legality reader later compares the named unit with the unit that is really there. `own`
    marks the ordered unit, whose power is always known.
    """
    if phrase.kind is not None and rules.kind_wrong is not Lapse.VALID:
        unit = replace(unit, kind=phrase.kind)
    if not own and phrase.power is not None and rules.nationality_wrong is not Lapse.VALID:
        unit = replace(unit, power=phrase.power)
    if own and phrase.coast and "/" in unit.location and not rules.ignore_wrong_unit_coast:
        unit = replace(unit, location=Location(f"{unit.province}/{phrase.coast}"))
    return unit


def require_details(
    phrase: UnitPhrase, unit: Unit, rules: RuleSet, *, own: bool, giver: Power
) -> None:
    """Raise `NotationError` if the rules demand a detail that `phrase` lacks (4.C.1, 4.C.5)."""
    kind, nationality = _missing_details(phrase, unit, own=own, giver=giver)
    if kind and rules.kind_missing is Lapse.INVALID:
        raise NotationError(NotationKey.KIND_MISSING, unit=unit)
    if nationality and rules.nationality_missing is Lapse.INVALID:
        raise NotationError(NotationKey.NATIONALITY_MISSING, unit=unit)


def lapses_without_details(
    phrase: UnitPhrase, unit: Unit, rules: RuleSet, *, own: bool, giver: Power
) -> bool:
    """Return whether the order counts only if no other order for its unit has more details."""
    kind, nationality = _missing_details(phrase, unit, own=own, giver=giver)
    return (kind and rules.kind_missing is Lapse.UNLESS_ANOTHER) or (
        nationality and rules.nationality_missing is Lapse.UNLESS_ANOTHER
    )


def _missing_details(
    phrase: UnitPhrase, unit: Unit, *, own: bool, giver: Power
) -> tuple[bool, bool]:
    """Return whether the kind is missing, and whether the nationality is missing."""
    return phrase.kind is None, not own and phrase.power is None and unit.power != giver


def require_useful_coast(
    province: Province, kind: UnitKind, coast: str | None, rules: RuleSet
) -> None:
    """Raise `NotationError` for a useless coast if the rules do not ignore it (4.B.6)."""
    if coast is None or rules.ignore_needless_coast:
        return
    if kind is UnitKind.ARMY or coast not in province.coasts:
        raise NotationError(NotationKey.NO_SUCH_COAST, place=province.name, coast=coast.lower())


def choose_build_kind(province: Province, coast: str | None, rules: RuleSet) -> UnitKind:
    """Return the only possible kind for a build that does not name one (DATC 4.C.3)."""
    rule = rules.build_without_kind
    if province.terrain is Terrain.INLAND and rule is not BuildKind.NONE:
        return UnitKind.ARMY
    if coast in province.coasts and rule is BuildKind.INLAND_OR_COAST:
        return UnitKind.FLEET
    raise NotationError(NotationKey.BUILD_KIND_MISSING, code=province.code)
