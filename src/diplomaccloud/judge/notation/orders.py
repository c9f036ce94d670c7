"""One order read in the light of the position: which unit is meant, and what it is to do."""

from collections.abc import Callable

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
from diplomaccloud.judge.notation.errors import NotationError, listed
from diplomaccloud.judge.notation.names import Reading
from diplomaccloud.judge.notation.reader import Reader, UnitPhrase, ambiguous, settle
from diplomaccloud.judge.orders import (
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    Order,
    Retreat,
    SupportHold,
    SupportMove,
    Waive,
)
from diplomaccloud.judge.phases import Stage
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.units import Unit

_HOLD = frozenset("h hold holds holding stand stands standing stay stays remain remains".split())
_SUPPORT = frozenset("s sup supp support supports supporting".split())
_CONVOY = frozenset(
    "c con conv convoy convoys convoying transport transports transporting carry carries".split()
)
_RETREAT = frozenset("r ret retreat retreats retreating withdraw withdraws".split())
_DISBAND = frozenset(
    "d dis disband disbands disbanded remove removes removed removing destroy destroyed".split()
)
_BUILD = frozenset("b build builds building built raise raises".split())
_WAIVE = frozenset("waive waives waived waiving pass passes decline declines".split())
_VIA = frozenset("via by through using convoyed".split())
_ROUTE = frozenset("convoy of fleet fleets f in at and own - /".split())
_VERBS = _HOLD | _SUPPORT | _CONVOY | _RETREAT | _DISBAND | _BUILD | {"-"}


def parse_order(text: str, board: Board, position: Position, power: Power) -> Order:
    """Return the order that `text` means when `power` gives it in `position`.

    Kind, coast and power of every unit named are those of the unit really standing there,
    whatever the text says; in a retreat phase the unit ordered is a dislodged one. Whether the
    order is legal is not asked. Raises `NotationError` if the text is no order of this phase, has
    more than one meaning, or is for a unit that is not there or belongs to another power.
    """
    return _OrderText(text, board, position, power).order()


def parse_unit(text: str, board: Board, power: Power) -> Unit:
    """Return the unit written as `A PAR` or `F STP/SC`, said to belong to `power`.

    Raises `NotationError` if the kind is missing or such a unit cannot stand there.
    """
    reader = Reader(text, board)
    phrase = reader.unit()
    _expect_end(reader, "the unit")
    if phrase.kind is None or phrase.place is None:
        raise NotationError(f"write A for an army or F for a fleet before {text[:40]!r}")
    kind = phrase.kind
    code = settle(phrase.place, lambda code: _can_stand(board, kind, code), board)
    location = _coasted(board.by_code[code], kind, phrase.coast)
    if location not in board.locations(kind):
        raise NotationError(f"no {kind.word} can stand in {location}")
    return Unit(kind, location, power)


class _OrderText:
    """The text of one order with everything needed to understand it."""

    def __init__(self, text: str, board: Board, position: Position, power: Power) -> None:
        self.board = board
        self.position = position
        self.power = power
        self.reader = Reader(text, board)

    def order(self) -> Order:
        """Return the order, or raise `NotationError`."""
        if not self.reader.tokens:
            raise NotationError("the order is empty")
        match self.position.phase.stage:
            case Stage.MOVEMENT:
                order = self._movement()
            case Stage.RETREATS:
                order = self._retreat()
            case Stage.ADJUSTMENTS:
                order = self._adjustment()
        _expect_end(self.reader, str(order))
        return order

    # Movement

    def _movement(self) -> Order:
        unit = self._own(self.reader.unit(_VERBS), self.position.units)
        reader = self.reader
        if reader.next == "-" and reader.tokens[reader.at + 1 :][:1] != []:
            self._skip_dash_before_verb()
        if reader.take(_HOLD):
            reader.take_all({"in", "place", "position", "its", "still"})
            return Hold(unit)
        if reader.take(_SUPPORT):
            return self._support(unit)
        if reader.take(_CONVOY):
            return self._convoy(unit)
        if reader.take_move_words() or (reader.next and self._place_follows()):
            return self._move(unit)
        raise self._no_verb(unit, f"{unit} H, {unit} -, {unit} S or {unit} C")

    def _skip_dash_before_verb(self) -> None:
        after = self.reader.tokens[self.reader.at + 1]
        if after in _HOLD | _SUPPORT | _CONVOY and not self._exact_after_dash():
            self.reader.at += 1

    def _exact_after_dash(self) -> bool:
        code = self.reader.tokens[self.reader.at + 1].upper()
        return code in self.board.by_code

    def _place_follows(self) -> bool:
        start = self.reader.at
        try:
            self.reader.place()
        except NotationError:
            return False
        finally:
            self.reader.at = start
        return True

    def _move(self, unit: Unit) -> Move:
        to = self._destination(unit.kind)
        via = False
        while self.reader.take({"-"}):
            self._check_water(unit, to)
            to, via = self._destination(unit.kind), True
        via = self._via() or via
        if unit.kind is UnitKind.FLEET:
            to = self._only_coast(unit, to)
        near = to in self.board.destinations(unit.kind, unit.location)
        # To a province that is not adjacent an army can go in no other way.
        return Move(unit, to, via and (near or unit.kind is UnitKind.FLEET))

    def _check_water(self, unit: Unit, passed: Location) -> None:
        """Refuse a path over land; `A LON - NTH - NWY` writes out the path of a convoy."""
        terrain = self.board.by_code[province_of(passed)].terrain
        if unit.kind is UnitKind.FLEET or terrain is not Terrain.SEA:
            raise NotationError(f"{unit} cannot go through {passed}: a unit moves one space")

    def _via(self) -> bool:
        """Step over `via convoy`, `by North Sea fleet`; return whether it was there."""
        reader = self.reader
        if reader.next == "/" and reader.tokens[reader.at + 1 :][:1] == ["via"]:
            reader.at += 1
        if not reader.take(_VIA):
            return False
        while reader.next:
            if not reader.take(_ROUTE):
                reader.place()
        return True

    def _only_coast(self, fleet: Unit, to: Location) -> Location:
        """Return `to` with its coast if only one can be meant; ask if there are two."""
        if to not in self.board.by_code:
            return to
        province = self.board.by_code[ProvinceCode(to)]
        near = self.board.destinations(UnitKind.FLEET, fleet.location)
        coasts = [place for place in province.fleet_locations if place in near]
        if len(coasts) > 1:
            raise NotationError(f"which coast of {to}: write {listed(list(coasts), 'or')}")
        return coasts[0] if coasts else to

    def _support(self, unit: Unit) -> Order:
        target = self._any_unit(self.reader.unit())
        if self.reader.take_move_words():
            if self.reader.take(_HOLD):
                return SupportHold(unit, target)
            return SupportMove(unit, target, self._destination(target.kind))
        if self.reader.next and self._place_follows():
            return SupportMove(unit, target, self._destination(target.kind))
        self.reader.take(_HOLD)
        return SupportHold(unit, target)

    def _convoy(self, unit: Unit) -> Convoy:
        target = self._any_unit(self.reader.unit())
        if not self.reader.take_move_words() and not self.reader.next:
            raise NotationError(f"where is {target} carried to? Write {unit} C {target} - …")
        place, _ = self.reader.place()
        return Convoy(unit, target, settle(place, self._is_land, self.board))

    def _is_land(self, code: ProvinceCode) -> bool:
        return _can_stand(self.board, UnitKind.ARMY, code)

    def _destination(self, kind: UnitKind) -> Location:
        place, coast = self.reader.place()
        code = settle(place, lambda code: _can_stand(self.board, kind, code), self.board)
        return _coasted(self.board.by_code[code], kind, coast)

    # Retreats

    def _retreat(self) -> Order:
        dislodged = tuple(one.unit for one in self.position.dislodged)
        reader = self.reader
        if reader.take(_DISBAND):
            return Disband(self._own(reader.unit(), dislodged))
        reader.take(_RETREAT)
        unit = self._own(reader.unit(_VERBS), dislodged)
        if reader.take(_DISBAND):
            return Disband(unit)
        if reader.take_all(_RETREAT) | reader.take_move_words() or self._place_follows():
            to = self._destination(unit.kind)
            return Retreat(unit, self._retreat_coast(unit, to))
        raise self._no_verb(unit, f"{unit} R … or {unit} D")

    def _retreat_coast(self, unit: Unit, to: Location) -> Location:
        return self._only_coast(unit, to) if unit.kind is UnitKind.FLEET else to

    # Adjustments

    def _adjustment(self) -> Order:
        reader = self.reader
        start = reader.at
        if self._waived():
            return Waive(self.power)
        reader.at = start
        reader.take_power_before(_BUILD | _DISBAND)
        if reader.take(_BUILD):
            return self._build(reader.unit())
        if reader.take(_DISBAND):
            return Disband(self._own(reader.unit(), self.position.units))
        phrase = reader.unit(_VERBS)
        if reader.take(_BUILD):
            return self._build(phrase)
        if reader.take(_DISBAND):
            return Disband(self._own(phrase, self.position.units))
        centers, units = (
            len(self.position.centers_of(self.power)),
            len(self.position.units_of(self.power)),
        )
        if reader.next or centers == units:
            raise NotationError(_what_verb(reader, "A PAR B to build, A PAR D to disband, WAIVE"))
        if centers > units:
            return self._build(phrase)
        return Disband(self._own(phrase, self.position.units))

    def _waived(self) -> bool:
        self.reader.take(_BUILD)
        if not self.reader.take(_WAIVE):
            return False
        self.reader.take_all(_BUILD | {"1", "one", "a", "my", "our"})
        return True

    def _build(self, phrase: UnitPhrase) -> Build:
        if phrase.place is None:
            raise NotationError("where is the unit to be built?")
        homes = self.board.home_centers.get(self.power, ())
        code = settle(phrase.place, lambda code: code in homes, self.board)
        province = self.board.by_code[code]
        kind = phrase.kind or _kind_built(province, phrase.coast)
        location = _coasted(province, kind, phrase.coast)
        if location not in self.board.locations(kind):
            raise _cannot_build(province, kind)
        return Build(Unit(kind, location, self.power))

    # Units

    def _own(self, phrase: UnitPhrase, units: tuple[Unit, ...]) -> Unit:
        """Return the unit of this power that `phrase` means, one of `units`."""
        own = tuple(unit for unit in units if unit.power == self.power)
        if phrase.place is None:
            return self._only_one(phrase, own)
        unit = self._standing(phrase, own, units)
        if unit is None:
            raise self._no_unit(phrase.place, units)
        if unit.power != self.power:
            raise NotationError(f"{unit} is not yours: it belongs to {self._name(unit.power)}")
        return unit

    def _standing(
        self, phrase: UnitPhrase, own: tuple[Unit, ...], units: tuple[Unit, ...]
    ) -> Unit | None:
        """Return the unit meant: an own one of the kind written if there is one."""
        place = phrase.place
        if place is None:
            return None
        of_kind = [unit for unit in own if phrase.kind in (None, unit.kind)]
        for tier in place.tiers:
            if found := _in_tier(tier, of_kind):
                return self._single(place, found)
            # A code that the site itself prints is never read as anything else.
            if found := [u for u in _in_tier(tier, units) if phrase.kind in (None, u.kind)]:
                return self._single(place, found)
        for tier in place.tiers:
            if found := _in_tier(tier, own) or _in_tier(tier, units):
                return self._single(place, found)
        return None

    def _single(self, place: Reading, found: list[Unit]) -> Unit:
        if len(found) > 1:
            raise ambiguous(place.text, [unit.province for unit in found], self.board)
        return found[0]

    def _only_one(self, phrase: UnitPhrase, own: tuple[Unit, ...]) -> Unit:
        found = [unit for unit in own if unit.kind == phrase.kind]
        word = phrase.kind.word if phrase.kind else "unit"
        if len(found) != 1:
            units = listed([str(unit) for unit in found], "and")
            known = f"you have {units}" if found else "you have none"
            raise NotationError(f"which {word}? {known}")
        return found[0]

    def _any_unit(self, phrase: UnitPhrase) -> Unit:
        """Return the unit to be supported or carried, whoever owns it."""
        units = self.position.units
        place = phrase.place
        if place is None:
            raise NotationError("which unit?")
        checks: tuple[Callable[[Unit], bool], ...] = (
            lambda u: phrase.kind in (None, u.kind) and phrase.power in (None, u.power),
            lambda u: phrase.kind in (None, u.kind),
            lambda u: True,
        )
        for check in checks:
            for tier in place.tiers:
                if found := [unit for unit in _in_tier(tier, units) if check(unit)]:
                    return self._single(place, found)
        raise self._no_unit(place, units)

    def _no_unit(self, place: Reading, units: tuple[Unit, ...]) -> NotationError:
        code = settle(place, lambda code: code in self.board.by_code, self.board)
        retreating = self.position.phase.stage is Stage.RETREATS
        if retreating and self.position.unit_in(code):
            return NotationError(f"the unit in {code} was not dislodged and cannot retreat")
        word = "dislodged unit" if retreating else "unit"
        return NotationError(f"there is no {word} in {code} ({self.board.by_code[code].name})")

    def _name(self, power: Power) -> str:
        info = self.board.power_info.get(power)
        return info.name if info else power

    def _no_verb(self, unit: Unit, forms: str) -> NotationError:
        return NotationError(f"{unit}: {_what_verb(self.reader, forms)}")


def _what_verb(reader: Reader, forms: str) -> str:
    if not reader.next:
        return f"what is it to do? Write {forms}"
    return f"{reader.rest()!r} is no order in this phase; write {forms}"


def _in_tier(tier: tuple[ProvinceCode, ...], units: "tuple[Unit, ...] | list[Unit]") -> list[Unit]:
    return [unit for unit in units if unit.province in tier]


def _expect_end(reader: Reader, read: str) -> None:
    if reader.next:
        raise NotationError(f"{reader.rest()!r} makes no sense after {read}")


def _can_stand(board: Board, kind: UnitKind, code: ProvinceCode) -> bool:
    province = board.by_code.get(code)
    if province is None:
        return False
    wrong = Terrain.SEA if kind is UnitKind.ARMY else Terrain.INLAND
    return province.terrain is not wrong


def _coasted(province: Province, kind: UnitKind, coast: str | None) -> Location:
    """Return the location meant: a coast that the province has not, or an army's, is ignored."""
    if kind is UnitKind.FLEET and coast in province.coasts:
        return Location(f"{province.code}/{coast}")
    return Location(province.code)


def _kind_built(province: Province, coast: str | None) -> UnitKind:
    """Return the kind that can be meant in a build that names none (DATC 4.C.3)."""
    if province.terrain is Terrain.INLAND:
        return UnitKind.ARMY
    if coast in province.coasts:
        return UnitKind.FLEET
    raise NotationError(f"army or fleet? Write A {province.code} B or F {province.code} B")


def _cannot_build(province: Province, kind: UnitKind) -> NotationError:
    if kind is UnitKind.FLEET and province.coasts:
        choices = [f"F {place} B" for place in province.fleet_locations]
        return NotationError(f"which coast of {province.code}: write {listed(choices, 'or')}")
    return NotationError(f"no {kind.word} can stand in {province.code} ({province.name})")
