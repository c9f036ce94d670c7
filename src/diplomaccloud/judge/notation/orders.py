"""Reads one order with the help of the position: which unit is meant, and what it does."""

from diplomaccloud.judge.board import (
    Board,
    Location,
    Power,
    ProvinceCode,
    Terrain,
    UnitKind,
    province_of,
)
from diplomaccloud.judge.notation.errors import NotationError
from diplomaccloud.judge.notation.meaning import (
    any_unit,
    can_stand,
    cannot_stand_error,
    choose_province,
    fill_in_coast,
    make_location,
    own_unit,
)
from diplomaccloud.judge.notation.names import Reading
from diplomaccloud.judge.notation.reader import Reader, UnitPhrase, expect_end
from diplomaccloud.judge.notation.strictness import (
    apply_wording,
    choose_build_kind,
    lapses_without_details,
    require_details,
    require_useful_coast,
)
from diplomaccloud.judge.notation.vocabulary import (
    AFTER_HOLD,
    AFTER_WAIVE,
    BUILD,
    CONVOY,
    DISBAND,
    HOLD,
    RETREAT,
    ROUTE,
    SUPPORT,
    VERBS,
    VIA,
    WAIVE,
)
from diplomaccloud.judge.notation.words import MAX_LENGTH
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
from diplomaccloud.judge.rules import DEFAULT, ConvoyPath, RuleSet
from diplomaccloud.judge.units import Unit


def parse_order(
    text: str, board: Board, position: Position, power: Power, *, rules: RuleSet = DEFAULT
) -> Order:
    """Return the order that `text` means when `power` gives it in `position`.

    Kind, coast and power of every unit named are taken from the unit that is really there,
    whatever the text says, unless `rules` are strict about it (DATC 4.B, 4.C). In a retreat
    phase the unit ordered is a dislodged one. Legality is not checked. Raises `NotationError` if
    the text is not an order of this phase, is ambiguous, or is for a unit that does not exist
    or belongs to another power.
    """
    reading = OrderText(text, board, position, power, rules=rules)
    order = reading.order()
    expect_end(reading.reader, str(order))
    return order


class OrderText:
    """The text of one order, with everything needed to understand it."""

    def __init__(
        self,
        text: str,
        board: Board,
        position: Position,
        power: Power,
        longest: int = MAX_LENGTH,
        *,
        rules: RuleSet = DEFAULT,
    ) -> None:
        self.rules = rules
        self.lapse = False
        self.board = board
        self.position = position
        self.power = power
        self.reader = Reader(text, board, longest)

    @property
    def units(self) -> tuple[Unit, ...]:
        """The units that may be ordered: in a retreat phase, those dislodged."""
        if self.position.phase.stage is Stage.RETREATS:
            return tuple(one.unit for one in self.position.dislodged)
        return self.position.units

    def order(self) -> Order:
        """Return the order that begins here, or raise `NotationError`."""
        if not self.reader.tokens:
            raise NotationError("the order is empty")
        self.lapse = False
        match self.position.phase.stage:
            case Stage.MOVEMENT:
                return self._movement()
            case Stage.RETREATS:
                return self._retreat()
            case Stage.ADJUSTMENTS:
                return self._adjustment()

    def _no_verb(self, subject: object, forms: str) -> NotationError:
        """Return the error for a verb that is missing, unknown or of another phase."""
        word = self.reader.next
        if not word:
            return NotationError(f"{subject}: no order follows; write {forms}")
        if word in VERBS:
            phase = self.position.phase.title
            return NotationError(f"{subject}: {word.upper()!r} is not an order for {phase}")
        return NotationError(f"{subject}: {self.reader.rest()!r} is not an order; write {forms}")

    def _own(self, phrase: UnitPhrase, units: tuple[Unit, ...]) -> Unit:
        unit = own_unit(phrase, units, self.power, self.board, self.position)
        return self._strictly(phrase, unit, own=True)

    def _other(self, phrase: UnitPhrase, to: Reading | None) -> Unit:
        unit = any_unit(phrase, self.board, self.position, to)
        return self._strictly(phrase, unit, own=False)

    def _strictly(self, phrase: UnitPhrase, unit: Unit, *, own: bool) -> Unit:
        require_details(phrase, unit, self.rules, own=own, giver=self.power)
        if lapses_without_details(phrase, unit, self.rules, own=own, giver=self.power):
            self.lapse = True
        return apply_wording(phrase, unit, self.rules, own=own)

    # Movement

    def _movement(self) -> Order:
        reader = self.reader
        unit = self._own(reader.unit(VERBS), self.position.units)
        reader.skip_dash_before(HOLD | SUPPORT | CONVOY)  # the rulebook's "A Pru-Holds"
        if reader.take(HOLD):
            reader.take_all(AFTER_HOLD)
            return Hold(unit)
        if reader.take(SUPPORT):
            return self._support(unit)
        if reader.take(CONVOY):
            return self._convoy(unit)
        if reader.take_move_words() or reader.place_follows():
            return self._move(unit)
        raise self._no_verb(unit, f"{unit} H, {unit} - …, {unit} S … or {unit} C …")

    def _move(self, unit: Unit) -> Move:
        to = self._destination(unit.kind)
        path: list[ProvinceCode] = []
        while self.reader.take({"-"}):
            self._require_water(unit, to)
            path.append(province_of(to))
            to = self._destination(unit.kind)
        via = self._via() or bool(path)
        if unit.kind is UnitKind.FLEET:
            to = self._coast_meant(unit, to)
        # An army can only go by convoy to a province that is not adjacent.
        near = unit.kind is UnitKind.FLEET or to in self.board.destinations(
            unit.kind, unit.location
        )
        seas = tuple(path) if self.rules.convoy_path is not ConvoyPath.IGNORED else ()
        return Move(unit, to, via and near, seas)

    def _coast_meant(self, unit: Unit, to: Location) -> Location:
        """Return `to` with its coast if only one is possible, or unchanged if the rules say so."""
        rules = self.rules
        left = rules.default_move_coast or rules.orders_clarify or not rules.fill_in_only_coast
        return to if left else fill_in_coast(self.board, unit, to)

    def _require_water(self, unit: Unit, passed: Location) -> None:
        """Raise `NotationError` for a path over land; `A LON - NTH - NWY` goes by sea."""
        terrain = self.board.by_code[province_of(passed)].terrain
        if unit.kind is UnitKind.FLEET or terrain is not Terrain.SEA:
            raise NotationError(f"{unit} cannot go through {passed}: a unit moves one space")

    def _via(self) -> bool:
        """Step over `via convoy`, `by North Sea fleet`; return whether it was there."""
        reader = self.reader
        if reader.next == "/" and reader.after_next in VIA:
            reader.at += 1
        if not reader.take(VIA):
            return False
        while reader.take(ROUTE) or reader.take_place():
            pass
        return True

    def _support(self, unit: Unit) -> SupportHold | SupportMove:
        reader = self.reader
        phrase = reader.unit()
        reader.skip_dash_before(HOLD)
        if not reader.take_move_words() and not reader.place_follows():
            reader.take(HOLD)
            return SupportHold(unit, self._other(phrase, None))
        if reader.take(HOLD):
            return SupportHold(unit, self._other(phrase, None))
        place, coast = reader.place()
        self._via()
        target = self._other(phrase, place)
        return SupportMove(unit, target, self._located(target.kind, place, coast))

    def _convoy(self, unit: Unit) -> Convoy:
        reader = self.reader
        phrase = reader.unit()
        if not reader.take_move_words() and not reader.place_follows():
            target = self._other(phrase, None)
            raise NotationError(f"where is {target} convoyed to? Write {unit} C {target} - …")
        place, _ = reader.place()
        self._via()
        target = self._other(phrase, place)
        to = self._located(UnitKind.ARMY, place, None)
        return Convoy(unit, target, province_of(to))

    def _destination(self, kind: UnitKind) -> Location:
        return self._located(kind, *self.reader.place())

    def _located(self, kind: UnitKind, place: Reading, coast: str | None) -> Location:
        code = choose_province(place, lambda code: can_stand(self.board, kind, code), self.board)
        require_useful_coast(self.board.by_code[code], kind, coast, self.rules)
        return make_location(self.board.by_code[code], kind, coast)

    # Retreats

    def _retreat(self) -> Order:
        reader = self.reader
        if reader.take(DISBAND):
            return Disband(self._own(reader.unit(), self.units))
        reader.take(RETREAT)
        unit = self._own(reader.unit(VERBS), self.units)
        if reader.take(DISBAND):
            return Disband(unit)
        has_verb = reader.take(RETREAT)
        if reader.take_move_words() or has_verb or reader.place_follows():
            to = self._destination(unit.kind)
            fleet = unit.kind is UnitKind.FLEET
            return Retreat(unit, self._coast_meant(unit, to) if fleet else to)
        raise self._no_verb(unit, f"{unit} R … or {unit} D")

    # Adjustments

    def _adjustment(self) -> Order:
        reader = self.reader
        reader.take_power_before(BUILD | DISBAND)
        if self._waived():
            return Waive(self.power)
        if reader.take(BUILD):
            return self._build(reader.unit())
        if reader.take(DISBAND):
            return self._disband(reader.unit())
        phrase = reader.unit(VERBS)
        if reader.take(BUILD) or self._bare(1):
            return self._build(phrase)
        if reader.take(DISBAND) or self._bare(-1):
            return self._disband(phrase)
        raise self._no_verb("adjustments", "A PAR B to build, A PAR D to disband, or WAIVE")

    def _bare(self, sign: int) -> bool:
        """Return whether a unit without a verb ends the text and this power builds (disbands)."""
        centers = len(self.position.centers_of(self.power))
        owed = centers - len(self.position.units_of(self.power))
        ended = not self.reader.next or self.reader.starts_unit()
        return ended and owed * sign > 0

    def _waived(self) -> bool:
        reader = self.reader
        if reader.next in BUILD and reader.after_next in WAIVE:
            reader.at += 1
        if not reader.take(WAIVE):
            return False
        reader.take_all(AFTER_WAIVE)
        return True

    def _disband(self, phrase: UnitPhrase) -> Disband:
        return Disband(self._own(phrase, self.position.units))

    def _build(self, phrase: UnitPhrase) -> Build:
        if phrase.place is None:
            raise NotationError("where is the unit to be built?")
        homes = self.board.home_centers.get(self.power, ())
        code = choose_province(phrase.place, lambda code: code in homes, self.board)
        province = self.board.by_code[code]
        rules = self.rules
        kind = phrase.kind or choose_build_kind(province, phrase.coast, rules)
        if rules.army_for_inland_fleet and province.terrain is Terrain.INLAND:
            kind = UnitKind.ARMY
        require_useful_coast(province, kind, phrase.coast, rules)
        location = make_location(province, kind, phrase.coast)
        if rules.default_build_coast and kind is UnitKind.FLEET and province.coasts:
            location = location if "/" in location else province.fleet_locations[0]
        if location not in self.board.locations(kind):
            raise cannot_stand_error(province, kind)
        return Build(Unit(kind, location, self.power))
