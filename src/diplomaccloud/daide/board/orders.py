"""Translates orders to and from tokens, with a note for an order that a client may not give."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from diplomaccloud.daide.board.words import BoardWords
from diplomaccloud.daide.language.composition import compose
from diplomaccloud.daide.language.terms import OrderTerm, PlaceTerm, UnitTerm
from diplomaccloud.daide.language.tokens import Message, Word
from diplomaccloud.judge.board import Location, Power, ProvinceCode, Terrain, UnitKind, province_of
from diplomaccloud.judge.convoy_routes import fleets_at_sea
from diplomaccloud.judge.legality.legal_orders import why_illegal
from diplomaccloud.judge.notation.daide import UnitOrder, find_seas
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
from diplomaccloud.judge.rules import DEFAULT, ConvoyIntent, RuleSet
from diplomaccloud.judge.units import Unit

RULES: Final = replace(DEFAULT, name="DAIDE", convoy_intent=ConvoyIntent.VIA)
"""An army goes to an adjacent province by sea only if ordered to, with `CTO` instead of `MTO`."""

_VERBS: Final = {Stage.MOVEMENT: 0x20, Stage.RETREATS: 0x40, Stage.ADJUSTMENTS: 0x80}


class _Refused(Exception):
    """The order is not allowed; `note` says why."""

    def __init__(self, note: Word) -> None:
        super().__init__(note.name)
        self.note = note


@dataclass(frozen=True, slots=True)
class Reading:
    """The order that was read, or None if it is refused, and the note for the client."""

    order: Order | None
    note: Word


def write_order(words: BoardWords, order: Order, position: Position) -> Message:
    """Return an order as in ORD and SUB messages, without the brackets around it.

    `position` is the position before the order; it shows which fleets can convoy an army.
    """
    if isinstance(order, Waive):
        return compose(words.powers[order.power], Word.WVE)
    return compose(words.write_unit(order.unit), _write_deed(words, order, position))


def _write_deed(words: BoardWords, order: UnitOrder, position: Position) -> Message:
    match order:
        case Hold():
            deed = compose(Word.HLD)
        case Move():
            deed = _write_way(words, order, position)
        case SupportHold(_, target):
            deed = compose(Word.SUP, words.write_unit(target))
        case SupportMove(_, target, to):
            goal = words.write_place(province_of(to))
            deed = compose(Word.SUP, words.write_unit(target), Word.MTO, goal)
        case Convoy(_, target, sea_goal):
            goal = words.write_place(sea_goal)
            deed = compose(Word.CVY, words.write_unit(target), Word.CTO, goal)
        case Retreat(_, to):
            deed = compose(Word.RTO, words.write_place(to))
        case Build():
            deed = compose(Word.BLD)
        case Disband():
            retreats = position.phase.stage is Stage.RETREATS
            deed = compose(Word.DSB if retreats else Word.REM)
    return deed


def _write_way(words: BoardWords, order: Move, position: Position) -> Message:
    goal, board = words.write_place(order.to), words.board
    near = province_of(order.to) in board.reach(order.unit.kind, order.unit.location)
    if order.unit.kind is UnitKind.FLEET or (near and not order.via_convoy):
        return compose(Word.MTO, goal)
    seas = order.path or find_seas(order, board, position)
    if not seas:
        return compose(Word.MTO, goal)
    return compose(Word.CTO, goal, Word.VIA, [*(words.provinces[sea] for sea in seas)])


def read_order(
    words: BoardWords,
    position: Position,
    power: Power,
    term: OrderTerm,
    given: Sequence[Order],
    *,
    rules: RuleSet = RULES,
) -> Reading:
    """Return the order that `power` gives, or a note that says why it is not allowed.

    `given` are its other orders in this phase; they matter for builds and removals.
    """
    try:
        order = _Reader(words, position, power, given).read(term)
    except _Refused as refused:
        return Reading(None, refused.note)
    # DAIDE wants waives even for builds that have no free home center; the judge doesn't.
    waives = isinstance(order, Waive)
    if not waives and why_illegal(words.board, position, power, order, rules) is not None:
        return Reading(None, Word.FAR)
    return Reading(order, Word.MBV)


def count_owed(position: Position, power: Power) -> int:
    """Return how many units a power may build, or must remove if negative, as DAIDE counts them.

    This includes builds without a free home center, which must be waived.
    """
    return len(position.centers_of(power)) - len(position.units_of(power))


class _Reader:
    """Reads the orders of one power; methods raise `_Refused`."""

    def __init__(
        self, words: BoardWords, position: Position, power: Power, given: Sequence[Order]
    ) -> None:
        self._words, self._board = words, words.board
        self._position = position
        self._power = power
        self._given = given

    def read(self, term: OrderTerm) -> Order:
        stage = self._position.phase.stage
        if not term.verb & 0xFF & _VERBS[stage]:
            raise _Refused(Word.NRS)
        if stage is Stage.MOVEMENT:
            return self._read_movement(term)
        return self._read_retreat(term) if stage is Stage.RETREATS else self._read_adjustment(term)

    def _place(self, term: PlaceTerm | None) -> Location:
        place = None if term is None else self._words.read_place(term)
        if place is None:
            raise _Refused(Word.NSP)
        return place

    def _find(self, term: UnitTerm | None, note: Word, units: Sequence[Unit]) -> Unit:
        """Return the unit in a province; its coast may be left out."""
        written = self._written(term)
        for unit in units:
            if (unit.province, unit.kind, unit.power) == (
                written.province,
                written.kind,
                written.power,
            ):
                return unit
        raise _Refused(note)

    def _written(self, term: UnitTerm | None) -> Unit:
        if term is None:
            raise _Refused(Word.NSU)
        unit = self._words.read_unit(term)
        if unit is None:
            raise _Refused(Word.NSP)
        return unit

    def _own(self, term: UnitTerm | None, units: Sequence[Unit]) -> Unit:
        unit = self._find(term, Word.NSU, units)
        if unit.power != self._power:
            raise _Refused(Word.NYU)
        return unit

    def _read_movement(self, term: OrderTerm) -> Order:
        units = self._position.units
        unit = self._own(term.unit, units)
        if term.verb == Word.HLD:
            return Hold(unit)
        if term.verb == Word.MTO:
            return Move(unit, self._near(unit, self._place(term.to)))
        if term.verb == Word.CTO:
            return self._read_voyage(unit, term)
        if term.verb == Word.CVY:
            return self._read_convoy(unit, term)
        target = self._find(term.target, Word.NSU, units)
        if term.to is None:
            return SupportHold(unit, target)
        return SupportMove(unit, target, self._place(term.to))

    def _near(self, unit: Unit, to: Location) -> Location:
        """Return the destination of a move without convoy; an unambiguous coast may be left out."""
        near = self._board.destinations(unit.kind, unit.location)
        if to in near:
            return to
        coasts = [place for place in near if Location(province_of(place)) == to]
        if len(coasts) != 1:
            raise _Refused(Word.FAR)
        return coasts[0]

    def _read_voyage(self, unit: Unit, term: OrderTerm) -> Move:
        if unit.kind is not UnitKind.ARMY:
            raise _Refused(Word.NSA)
        return Move(unit, self._place(term.to), via_convoy=True, path=self._read_seas(term))

    def _read_seas(self, term: OrderTerm) -> tuple[ProvinceCode, ...]:
        fleets = fleets_at_sea(self._board, self._position)
        seas: list[ProvinceCode] = []
        for token in term.via:
            sea = province_of(self._place(PlaceTerm(token)))
            if sea not in fleets:
                at_sea = self._board.by_code[sea].terrain is Terrain.SEA
                raise _Refused(Word.NSF if at_sea else Word.NAS)
            seas.append(sea)
        return tuple(seas)

    def _read_convoy(self, unit: Unit, term: OrderTerm) -> Convoy:
        if unit.kind is not UnitKind.FLEET:
            raise _Refused(Word.NSF)
        if unit.province not in fleets_at_sea(self._board, self._position):
            raise _Refused(Word.NAS)
        if term.target is not None and term.target.kind != Word.AMY:
            raise _Refused(Word.NSA)
        target = self._find(term.target, Word.NSA, self._position.units)
        return Convoy(unit, target, province_of(self._place(term.to)))

    def _read_retreat(self, term: OrderTerm) -> Order:
        dislodged = [entry.unit for entry in self._position.dislodged]
        written = self._written(term.unit)
        stays = [u for u in self._position.units if u.province == written.province]
        if any((u.kind, u.power) == (written.kind, written.power) for u in stays):
            raise _Refused(Word.NRN)
        unit = self._own(term.unit, dislodged)
        if term.verb == Word.DSB:
            return Disband(unit)
        to = self._place(term.to)
        entry = next(e for e in self._position.dislodged if e.unit == unit)
        places = [place for place in entry.retreats if to in {place, province_of(place)}]
        if len(places) != 1:
            raise _Refused(Word.NVR)
        return Retreat(unit, places[0])

    def _read_adjustment(self, term: OrderTerm) -> Order:
        owed = count_owed(self._position, self._power)
        if self._words.power_of[term.power] != self._power:
            raise _Refused(Word.NYU)
        if term.verb == Word.REM:
            unit = self._own(term.unit, self._position.units)
            if len([order for order in self._given if order != Disband(unit)]) >= -owed:
                raise _Refused(Word.NMR)
            return Disband(unit)
        if term.verb == Word.WVE:
            if len(self._given) >= owed:
                raise _Refused(Word.NMB)
            return Waive(self._power)
        return self._read_build(term, owed)

    def _read_build(self, term: OrderTerm, owed: int) -> Build:
        unit = self._written(term.unit)
        province = self._board.by_code[unit.province]
        if not province.center:
            raise _Refused(Word.NSC)
        if province.home != self._power:
            raise _Refused(Word.HSC)
        if self._position.centers.get(province.code) != self._power:
            raise _Refused(Word.YSC)
        if self._position.unit_in(province.code) is not None:
            raise _Refused(Word.ESC)
        if unit.location not in self._board.locations(unit.kind):
            raise _Refused(Word.CST)
        others = [order for order in self._given if _find_province(order) != province.code]
        if len(others) >= owed:
            raise _Refused(Word.NMB)
        return Build(unit)


def _find_province(order: Order) -> ProvinceCode | None:
    return None if isinstance(order, Waive) else order.unit.province
