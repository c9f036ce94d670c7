"""Orders, results (ORD) and the terms of offers as tokens."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from diplomaccloud.daide.board import BoardWords, write_turn
from diplomaccloud.daide.language import Message, Part, Word, compose
from diplomaccloud.daide.messages import Cursor, OrderTerm, PlaceTerm, UnitTerm
from diplomaccloud.deals import Alliance, Clause, DealTurn, Draw, Ordered, Peace, Terms, Zone
from diplomaccloud.judge.board import Location, Power, ProvinceCode, Terrain, UnitKind, province_of
from diplomaccloud.judge.geography import fleets_at_sea
from diplomaccloud.judge.legality.legal_orders import why_illegal
from diplomaccloud.judge.notation.programs import find_seas
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
from diplomaccloud.judge.phases import Season, Stage
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.results import OrderResult, Outcome, Resolution
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


def _require(holds: bool, note: Word) -> None:
    if not holds:
        raise _Refused(note)


@dataclass(frozen=True, slots=True)
class Reading:
    """The order that was read, or None if it is refused, and the note for the client."""

    order: Order | None
    note: Word


def write_order(words: BoardWords, order: Order, position: Position) -> Message:
    """Return an order as in ORD and SUB messages, without the brackets around it.

    `position` is the position before the order; it shows which fleets can convoy an army.
    """
    deed: list[Part]
    match order:
        case Waive(power):
            return compose(words.powers[power], Word.WVE)
        case Hold():
            deed = [Word.HLD]
        case Move():
            deed = [_write_way(words, order, position)]
        case SupportHold(_, target):
            deed = [Word.SUP, words.write_unit(target)]
        case SupportMove(_, target, to):
            goal = words.write_place(province_of(to))
            deed = [Word.SUP, words.write_unit(target), Word.MTO, goal]
        case Convoy(_, target, sea_goal):
            deed = [Word.CVY, words.write_unit(target), Word.CTO, words.write_place(sea_goal)]
        case Retreat(_, to):
            deed = [Word.RTO, words.write_place(to)]
        case Build():
            deed = [Word.BLD]
        case Disband():
            deed = [Word.DSB if position.phase.stage is Stage.RETREATS else Word.REM]
    return compose(words.write_unit(order.unit), *deed)


def _write_way(words: BoardWords, order: Move, position: Position) -> Message:
    goal, unit = words.write_place(order.to), order.unit
    near = province_of(order.to) in words.board.reach(unit.kind, unit.location)
    seas: Sequence[ProvinceCode] = ()
    if unit.kind is UnitKind.ARMY and (order.via_convoy or not near):
        seas = order.path or find_seas(order, words.board, position)
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
        order = _OrderReader(words, position, power, given).read(term)
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


class _OrderReader:
    """Reads the orders of one power; methods raise `_Refused`."""

    def __init__(
        self, words: BoardWords, position: Position, power: Power, given: Sequence[Order]
    ) -> None:
        self._words, self._board, self._position = words, words.board, position
        self._power, self._given = power, given

    def read(self, term: OrderTerm) -> Order:
        stage = self._position.phase.stage
        _require(bool(term.verb & 0xFF & _VERBS[stage]), Word.NRS)
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
        named = self._written(term)
        for unit in units:
            if (unit.province, unit.kind, unit.power) == (named.province, named.kind, named.power):
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
        _require(unit.power == self._power, Word.NYU)
        return unit

    def _read_movement(self, term: OrderTerm) -> Order:
        units = self._position.units
        unit = self._own(term.unit, units)
        if term.verb == Word.HLD:
            return Hold(unit)
        if term.verb == Word.MTO:
            return Move(unit, self._near(unit, self._place(term.to)))
        if term.verb == Word.CTO:
            _require(unit.kind is UnitKind.ARMY, Word.NSA)
            return Move(unit, self._place(term.to), via_convoy=True, path=self._read_seas(term))
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
        _require(len(coasts) == 1, Word.FAR)
        return coasts[0]

    def _read_seas(self, term: OrderTerm) -> tuple[ProvinceCode, ...]:
        fleets = fleets_at_sea(self._board, self._position.units)
        seas: list[ProvinceCode] = []
        for token in term.via:
            sea = province_of(self._place(PlaceTerm(token)))
            at_sea = self._board.by_code[sea].terrain is Terrain.SEA
            _require(sea in fleets, Word.NSF if at_sea else Word.NAS)
            seas.append(sea)
        return tuple(seas)

    def _read_convoy(self, unit: Unit, term: OrderTerm) -> Convoy:
        _require(unit.kind is UnitKind.FLEET, Word.NSF)
        _require(unit.province in fleets_at_sea(self._board, self._position.units), Word.NAS)
        _require(term.target is None or term.target.kind == Word.AMY, Word.NSA)
        target = self._find(term.target, Word.NSA, self._position.units)
        return Convoy(unit, target, province_of(self._place(term.to)))

    def _read_retreat(self, term: OrderTerm) -> Order:
        named = self._written(term.unit)
        stays = [unit for unit in self._position.units if unit.province == named.province]
        is_same = any((unit.kind, unit.power) == (named.kind, named.power) for unit in stays)
        _require(not is_same, Word.NRN)
        unit = self._own(term.unit, [entry.unit for entry in self._position.dislodged])
        if term.verb == Word.DSB:
            return Disband(unit)
        to = self._place(term.to)
        entry = next(e for e in self._position.dislodged if e.unit == unit)
        places = [place for place in entry.retreats if to in {place, province_of(place)}]
        _require(len(places) == 1, Word.NVR)
        return Retreat(unit, places[0])

    def _read_adjustment(self, term: OrderTerm) -> Order:
        owed = count_owed(self._position, self._power)
        _require(self._words.power_of[term.power] == self._power, Word.NYU)
        if term.verb == Word.REM:
            unit = self._own(term.unit, self._position.units)
            removals = [order for order in self._given if order != Disband(unit)]
            _require(len(removals) < -owed, Word.NMR)
            return Disband(unit)
        if term.verb == Word.WVE:
            _require(len(self._given) < owed, Word.NMB)
            return Waive(self._power)
        return self._read_build(term, owed)

    def _read_build(self, term: OrderTerm, owed: int) -> Build:
        unit = self._written(term.unit)
        province = self._board.by_code[unit.province]
        _require(province.center, Word.NSC)
        _require(province.code in self._board.build_centers[self._power], Word.HSC)
        _require(self._position.centers.get(province.code) == self._power, Word.YSC)
        _require(self._position.unit_in(province.code) is None, Word.ESC)
        _require(unit.location in self._board.locations(unit.kind), Word.CST)
        builds = [order for order in self._given if find_province(order) != province.code]
        _require(len(builds) < owed, Word.NMB)
        return Build(unit)


def find_province(order: Order) -> ProvinceCode | None:
    """Return the province of the order's unit; None for a waive."""
    return None if isinstance(order, Waive) else order.unit.province


# The results of a phase as tokens (ORD).


_NOTES = {
    Outcome.MOVED: Word.SUC,
    Outcome.BOUNCED: Word.BNC,
    Outcome.GIVEN: Word.SUC,
    Outcome.CUT: Word.CUT,
    Outcome.VOID: Word.NSO,
    Outcome.CONVOYED: Word.SUC,
    Outcome.DISRUPTED: Word.SUC,
    Outcome.HOLD: Word.SUC,
}


def write_results(words: BoardWords, position: Position, resolution: Resolution) -> list[Message]:
    """Return the ORD messages of a phase whose orders were all legal."""
    turn = write_turn(position.phase)
    return [
        compose(Word.ORD, turn, [write_order(words, result.order, position)], [*notes])
        for result in resolution.results
        if (notes := list(_find_notes(position, resolution, result)))
    ]


def _find_notes(position: Position, resolution: Resolution, result: OrderResult) -> Iterator[Part]:
    """Yield the words for a result; yield nothing for a surplus order."""
    if position.phase.stage is not Stage.MOVEMENT:
        if result.outcome is not Outcome.VOID:
            collided = isinstance(result.order, Retreat) and not result.succeeded
            yield Word.BNC if collided else Word.SUC
        return
    if isinstance(result.order, Waive):
        return
    dislodged = {entry.unit for entry in resolution.dislodged}
    unit = result.order.unit
    stays_silent = isinstance(result.order, Hold | Convoy) and result.outcome is not Outcome.VOID
    if result.outcome is Outcome.NOPATH:
        # Whether a fleet that was to convoy the army was dislodged.
        disrupted = any(
            isinstance(each.order, Convoy)
            and each.order.target == unit
            and each.order.unit in dislodged
            for each in resolution.results
        )
        yield Word.DSR if disrupted else Word.NSO
    elif unit not in dislodged or not stays_silent:
        yield _NOTES[result.outcome]
    if unit in dislodged:
        yield Word.RET


# Translates press offers to and from the terms of deals, as far as both can express them.


LASTING_YEARS: Final = 2
"""How many more years peace and zones bind: DAIDE has no ends, and bots don't look far ahead."""

Clauses: TypeAlias = tuple[Clause, ...]


class _NoClause(Exception):
    """The press offers something that cannot be a clause of a deal."""


def read_terms(
    words: BoardWords,
    position: Position,
    parties: tuple[Power, ...],
    press: Message,
    *,
    rules: RuleSet = RULES,
) -> Terms | None:
    """Return the terms that `PRP` offers to the parties, or None if a deal cannot express them.

    The press must follow the grammar. The package `deals` checks whether the terms are possible.
    """
    parties = tuple(sorted(parties))
    try:
        alternatives = _TermsReader(words, position, parties, press, rules).read()
    except _NoClause:
        return None
    return Terms(position.phase, parties, alternatives)


class _TermsReader:
    """Reads one offer; methods raise `_NoClause`."""

    def __init__(
        self,
        words: BoardWords,
        position: Position,
        parties: tuple[Power, ...],
        press: Message,
        rules: RuleSet,
    ) -> None:
        self._words, self._position = words, position
        self._parties, self._rules = parties, rules
        self._cursor = Cursor(press, words.vocabulary)
        self._end = DealTurn(Season.WINTER, position.phase.year + LASTING_YEARS)

    def read(self) -> tuple[Clauses, ...]:
        self._cursor.take(Word.PRP)
        return self._cursor.bracketed(self._offer)

    def _offer(self) -> tuple[Clauses, ...]:
        cursor = self._cursor
        is_choice = cursor.comes(Word.ORR)
        if not cursor.skips(Word.AND) and not cursor.skips(Word.ORR):
            return ((self._clause(),),)
        clauses = cursor.repeated(lambda: cursor.bracketed(self._clause))
        return tuple((clause,) for clause in clauses) if is_choice else (clauses,)

    def _clause(self) -> Clause:
        cursor = self._cursor
        if cursor.skips(Word.NOT):
            return replace(cursor.bracketed(self._ordered), given=False)
        if cursor.skips(Word.PCE):
            return Peace(self._powers(), self._end)
        if cursor.skips(Word.ALY):
            allies = self._powers()
            cursor.take(Word.VSS)
            return Alliance(allies, self._powers())
        if cursor.skips(Word.DMZ):
            powers = self._powers()
            provinces = cursor.bracketed(lambda: cursor.repeated(self._province))
            return Zone(powers, tuple(sorted(set(provinces))), self._end)
        if cursor.skips(Word.DRW):
            return Draw(self._parties)
        return self._ordered()

    def _ordered(self) -> Ordered:
        if not self._cursor.skips(Word.XDO):
            raise _NoClause
        term = self._cursor.order()
        power = self._words.power_of[term.power]
        reading = read_order(self._words, self._position, power, term, (), rules=self._rules)
        if reading.order is None or isinstance(reading.order, Waive):
            raise _NoClause
        return Ordered(reading.order)

    def _powers(self) -> tuple[Power, ...]:
        return tuple(sorted({self._words.power_of[token] for token in self._cursor.powers()}))

    def _province(self) -> ProvinceCode:
        code = self._words.code_of.get(self._cursor.province())
        if code is None:
            raise _NoClause
        return code


def write_terms(words: BoardWords, position: Position, terms: Terms) -> Message | None:
    """Return terms as `PRP`, or None if DAIDE cannot express them.

    `position` is the position in their phase. The ends of peace and zones are left out.
    """
    clauses = [[_write_clause(words, position, c, terms) for c in a] for a in terms.alternatives]
    offers: list[Part] = []
    for parts in clauses:
        for part in parts:
            if part is None or (len(clauses) > 1 and len(parts) > 1):
                return None
            offers.append([part])
    if len(offers) == 1:
        return compose(Word.PRP, offers[0])
    return compose(Word.PRP, [Word.ORR if len(clauses) > 1 else Word.AND, *offers])


def _write_clause(
    words: BoardWords, position: Position, clause: Clause, terms: Terms
) -> Message | None:
    def list_powers(powers: Sequence[Power]) -> list[Part]:
        return [words.powers[power] for power in powers]

    match clause:
        case Ordered(order, given):
            part = compose(Word.XDO, [write_order(words, order, position)])
            return part if given else compose(Word.NOT, [part])
        case Zone(powers, provinces):
            places = [words.provinces[code] for code in provinces]
            return compose(Word.DMZ, list_powers(powers), [*places])
        case Peace(powers):
            return compose(Word.PCE, list_powers(powers))
        case Alliance(powers, against):
            return compose(Word.ALY, list_powers(powers), Word.VSS, list_powers(against))
        case Draw(powers):
            return compose(Word.DRW) if powers == terms.parties else None
