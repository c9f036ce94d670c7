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
from diplomaccloud.judge.messages.notation import NotationKey
from diplomaccloud.judge.notation.errors import NotationError
from diplomaccloud.judge.notation.reader import Reader, UnitPhrase, require_end
from diplomaccloud.judge.notation.units import (
    apply_wording,
    can_stand,
    cannot_stand_error,
    choose_build_kind,
    choose_province,
    fill_in_coast,
    find_any_unit,
    find_own_unit,
    lapses_without_details,
    make_location,
    require_details,
    require_useful_coast,
)
from diplomaccloud.judge.notation.words import (
    AFTER_HOLD,
    AFTER_WAIVE,
    BUILD,
    CONVOY,
    DISBAND,
    HOLD,
    MAX_LENGTH,
    RETREAT,
    SUPPORT,
    VERBS,
    WAIVE,
    Reading,
)
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
    require_end(reading.reader, order)
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
            return tuple(entry.unit for entry in self.position.dislodged)
        return self.position.units

    def order(self) -> Order:
        """Return the order that begins here, or raise `NotationError`."""
        if not self.reader.tokens:
            raise NotationError(NotationKey.EMPTY_ORDER)
        self.lapse = False
        match self.position.phase.stage:
            case Stage.MOVEMENT:
                return self._movement()
            case Stage.RETREATS:
                return self._retreat()
            case Stage.ADJUSTMENTS:
                return self._adjustment()

    def _verb_error(self, unit: Unit, missing: NotationKey, unknown: NotationKey) -> NotationError:
        """Return the error for a verb that is missing, unknown or of another phase."""
        word = self.reader.next
        if not word:
            return NotationError(missing, unit=unit)
        if word in VERBS:
            phase = self.position.phase
            return NotationError(
                NotationKey.NOT_FOR_PHASE, unit=unit, word=word.upper(), phase=phase
            )
        return NotationError(unknown, unit=unit, words=self.reader.rest())

    def _own_unit(self, phrase: UnitPhrase, units: tuple[Unit, ...]) -> Unit:
        unit = find_own_unit(phrase, units, self.power, self.board, self.position)
        return self._apply_rules(phrase, unit, own=True)

    def _target(self, phrase: UnitPhrase, to: Reading | None) -> Unit:
        unit = find_any_unit(phrase, self.board, self.position, to)
        return self._apply_rules(phrase, unit, own=False)

    def _apply_rules(self, phrase: UnitPhrase, unit: Unit, *, own: bool) -> Unit:
        require_details(phrase, unit, self.rules, own=own, giver=self.power)
        if lapses_without_details(phrase, unit, self.rules, own=own, giver=self.power):
            self.lapse = True
        return apply_wording(phrase, unit, self.rules, own=own)

    # Movement

    def _movement(self) -> Order:
        reader = self.reader
        unit = self._own_unit(reader.unit(VERBS), self.position.units)
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
        raise self._verb_error(
            unit, NotationKey.NO_MOVEMENT_ORDER, NotationKey.UNKNOWN_MOVEMENT_ORDER
        )

    def _move(self, unit: Unit) -> Move:
        to = self._destination(unit.kind)
        path: list[ProvinceCode] = []
        while self.reader.take({"-"}):
            self._require_water(unit, to)
            path.append(province_of(to))
            to = self._destination(unit.kind)
        via = self.reader.take_via() or bool(path)
        if unit.kind is UnitKind.FLEET:
            to = self._choose_coast(unit, to)
        # An army can only go by convoy to a province that is not adjacent.
        near = unit.kind is UnitKind.FLEET or to in self.board.destinations(
            unit.kind, unit.location
        )
        seas = tuple(path) if self.rules.convoy_path is not ConvoyPath.IGNORED else ()
        return Move(unit, to, via and near, seas)

    def _choose_coast(self, unit: Unit, to: Location) -> Location:
        """Return `to` with its coast if only one is possible, or unchanged if the rules say so."""
        rules = self.rules
        left = rules.default_move_coast or rules.orders_clarify or not rules.fill_in_only_coast
        return to if left else fill_in_coast(self.board, unit, to)

    def _require_water(self, unit: Unit, passed: Location) -> None:
        """Raise `NotationError` for a path over land; `A LON - NTH - NWY` goes by sea."""
        terrain = self.board.by_code[province_of(passed)].terrain
        if unit.kind is UnitKind.FLEET or terrain is not Terrain.SEA:
            raise NotationError(NotationKey.MOVES_ONE_SPACE, unit=unit, place=passed)

    def _support(self, unit: Unit) -> SupportHold | SupportMove:
        reader = self.reader
        phrase = reader.unit()
        reader.skip_dash_before(HOLD)
        if not reader.take_move_words() and not reader.place_follows():
            reader.take(HOLD)
            return SupportHold(unit, self._target(phrase, None))
        if reader.take(HOLD):
            return SupportHold(unit, self._target(phrase, None))
        place, coast = reader.place()
        self.reader.take_via()
        target = self._target(phrase, place)
        return SupportMove(unit, target, self._locate(target.kind, place, coast))

    def _convoy(self, unit: Unit) -> Convoy:
        reader = self.reader
        phrase = reader.unit()
        if not reader.take_move_words() and not reader.place_follows():
            target = self._target(phrase, None)
            raise NotationError(NotationKey.CONVOY_PLACE_MISSING, unit=unit, target=target)
        place, _ = reader.place()
        self.reader.take_via()
        target = self._target(phrase, place)
        to = self._locate(UnitKind.ARMY, place, None)
        return Convoy(unit, target, province_of(to))

    def _destination(self, kind: UnitKind) -> Location:
        return self._locate(kind, *self.reader.place())

    def _locate(self, kind: UnitKind, place: Reading, coast: str | None) -> Location:
        code = choose_province(place, lambda code: can_stand(self.board, kind, code), self.board)
        require_useful_coast(self.board.by_code[code], kind, coast, self.rules)
        return make_location(self.board.by_code[code], kind, coast)

    # Retreats

    def _retreat(self) -> Order:
        reader = self.reader
        if reader.take(DISBAND):
            return Disband(self._own_unit(reader.unit(), self.units))
        reader.take(RETREAT)
        unit = self._own_unit(reader.unit(VERBS), self.units)
        if reader.take(DISBAND):
            return Disband(unit)
        has_verb = reader.take(RETREAT)
        if reader.take_move_words() or has_verb or reader.place_follows():
            to = self._destination(unit.kind)
            fleet = unit.kind is UnitKind.FLEET
            return Retreat(unit, self._choose_coast(unit, to) if fleet else to)
        raise self._verb_error(
            unit, NotationKey.NO_RETREAT_ORDER, NotationKey.UNKNOWN_RETREAT_ORDER
        )

    # Adjustments

    def _adjustment(self) -> Order:
        reader = self.reader
        reader.take_power_before(BUILD | DISBAND)
        if self._take_waive():
            return Waive(self.power)
        if reader.take(BUILD):
            return self._build(reader.unit())
        if reader.take(DISBAND):
            return self._disband(reader.unit())
        phrase = reader.unit(VERBS)
        if reader.take(BUILD) or self._is_bare(1):
            return self._build(phrase)
        if reader.take(DISBAND) or self._is_bare(-1):
            return self._disband(phrase)
        if not reader.next:
            raise NotationError(NotationKey.NO_ADJUSTMENT_ORDER)
        if reader.next in VERBS:
            word, phase = reader.next.upper(), self.position.phase
            raise NotationError(NotationKey.NOT_FOR_ADJUSTMENTS, word=word, phase=phase)
        raise NotationError(NotationKey.UNKNOWN_ADJUSTMENT_ORDER, words=reader.rest())

    def _is_bare(self, sign: int) -> bool:
        """Return whether a unit without a verb ends the text and this power builds (disbands)."""
        centers = len(self.position.centers_of(self.power))
        owed = centers - len(self.position.units_of(self.power))
        ended = not self.reader.next or self.reader.starts_unit()
        return ended and owed * sign > 0

    def _take_waive(self) -> bool:
        reader = self.reader
        if reader.next in BUILD and reader.after_next in WAIVE:
            reader.at += 1
        if not reader.take(WAIVE):
            return False
        reader.take_all(AFTER_WAIVE)
        return True

    def _disband(self, phrase: UnitPhrase) -> Disband:
        return Disband(self._own_unit(phrase, self.position.units))

    def _build(self, phrase: UnitPhrase) -> Build:
        if phrase.place is None:
            raise NotationError(NotationKey.BUILD_PLACE_MISSING)
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


def ordered_unit(text: str, board: Board, position: Position, power: Power) -> Unit | None:
    """Return the unit of `power` that `text` orders, even if the rest cannot be read."""
    try:
        reading = OrderText(text, board, position, power)
        reading.reader.take(DISBAND | RETREAT)
        return find_own_unit(reading.reader.unit(VERBS), reading.units, power, board, position)
    except NotationError:
        return None


def unit_named(text: str, board: Board) -> str | None:
    """Return the unit that an adjustment names, as `F MOS`, whether or not it is possible."""
    try:
        reader = Reader(text, board)
        reader.take(BUILD | DISBAND)
        phrase = reader.unit(VERBS)
    except NotationError:
        return None
    if phrase.kind is None or phrase.place is None or len(phrase.place.tiers[0]) > 1:
        return None
    code, coast = phrase.place.tiers[0][0], phrase.coast
    known = code in board.by_code and coast in board.by_code[code].coasts
    return f"{phrase.kind} {code}/{coast}" if known else f"{phrase.kind} {code}"
