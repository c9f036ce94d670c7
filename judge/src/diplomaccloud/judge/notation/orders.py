"""Reads one order, using the position to find out which unit is meant and what it does."""

from diplomaccloud.judge.arguments import require_arguments
from diplomaccloud.judge.board import (
    Board,
    Location,
    Power,
    ProvinceCode,
    Terrain,
    UnitKind,
    province_of,
)
from diplomaccloud.judge.checks import require_text
from diplomaccloud.judge.messages.notation import NotationKey
from diplomaccloud.judge.notation.bullets import skip_bullet
from diplomaccloud.judge.notation.canonical import CanonicalOrders
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
    translate_coast,
)
from diplomaccloud.judge.notation.words import (
    ADJUSTMENT_VERBS,
    AFTER_HOLD,
    AFTER_WAIVE,
    BUILD,
    CONVOY,
    DISBAND,
    HOLD,
    MAX_LENGTH,
    MOVE,
    RETREAT,
    SUPPORT,
    SUPPORT_HOLD,
    VERBS,
    WAIVE,
    WAIVE_SENTENCES,
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
    """Return the order that `text` means if `power` gives it in `position`.

    The kind, coast and power of every named unit are taken from the unit that is really there,
    regardless of the text, unless `rules` are strict about it (DATC 4.B, 4.C). In a retreat phase,
    the ordered unit must be dislodged. Legality is not checked. Raises `NotationError` if the text
    is ambiguous or not an order for this phase, or if its unit does not exist or belongs to
    another power.
    """
    require_text("text", text)
    require_arguments(board, position, rules, power)
    canonical = CanonicalOrders(board, position, rules).read(text, power)
    if canonical is not None:
        return canonical
    reading = OrderText(skip_bullet(text), board, position, power, rules=rules)
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
        """The units that may be ordered; in a retreat phase, the dislodged ones."""
        if self.position.phase.stage is Stage.RETREATS:
            return tuple(entry.unit for entry in self.position.dislodged)
        return self.position.units

    def order(self) -> Order:
        """Return the order that starts here, or raise `NotationError`."""
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
        """Return the error for a verb that is missing, unknown or for another phase."""
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
        if reader.take(SUPPORT_HOLD):
            return self._support_hold(unit)
        if reader.take(CONVOY):
            return self._convoy(unit)
        if reader.take_move_words() or reader.place_follows():
            return self._move(unit)
        raise self._verb_error(
            unit, NotationKey.NO_MOVEMENT_ORDER, NotationKey.UNKNOWN_MOVEMENT_ORDER
        )

    def _move(self, unit: Unit, *, by_sea: bool = False) -> Move:
        """Read the destination of `unit`; `by_sea` says that a convoy was already mentioned."""
        reader = self.reader
        if reader.take_via_before_place():  # diplicity's `Move via Convoy to London`
            by_sea = True
            reader.take_move_words()
        to = self._destination(unit)
        path: list[ProvinceCode] = []
        while reader.take({"-"}):
            self._require_water(unit, to)
            path.append(province_of(to))
            to = self._destination(unit)
        by_land = unit.kind is UnitKind.ARMY and reader.take_land()
        by_sea = not by_land and (reader.take_via() or by_sea or bool(path))
        # An army can go to a province that is not adjacent only by convoy.
        near = unit.kind is UnitKind.FLEET or to in self.board.destinations(
            unit.kind, unit.location
        )
        if by_land and (path or not near):
            raise NotationError(NotationKey.NOT_BY_LAND, unit=unit, place=to)
        seas = tuple(path) if self.rules.convoy_path is not ConvoyPath.IGNORED else ()
        return Move(unit, to, by_sea and near, seas)

    def _choose_coast(self, unit: Unit, to: Location, coast: str | None) -> Location:
        """Return `to` with its coast if only one is possible, or unchanged if the rules require it.

        `coast` is the coast in the text.
        """
        rules = self.rules
        left = rules.default_move_coast or rules.orders_clarify or not rules.fill_in_only_coast
        if left:
            return to
        try:
            return fill_in_coast(self.board, unit, to, coast)
        except NotationError:
            # The order is refused later, so it counts as an impossible order (DATC 6.D.30).
            if rules.illegal_orders_count:
                return to
            raise

    def _require_water(self, unit: Unit, passed: Location) -> None:
        """Raise `NotationError` for a path over land; `A LON - NTH - NWY` is by sea."""
        terrain = self.board.by_code[province_of(passed)].terrain
        if unit.kind is UnitKind.FLEET or terrain is not Terrain.SEA:
            raise NotationError(NotationKey.MOVES_ONE_SPACE, unit=unit, place=passed)

    def _support(self, unit: Unit) -> SupportHold | SupportMove:
        reader = self.reader
        if reader.take_verb(HOLD):
            return self._support_hold(unit)
        if reader.next in MOVE and reader.after_next == "from":
            reader.at += 1  # `supports the move from Marseilles to Burgundy`
        elif goal := self._read_goal_first():
            place, coast, phrase = goal
            target = self._target(phrase, place)
            to = self._locate(target.kind, place, coast)
            province = self.board.by_code[province_of(to)]
            translated = make_location(province, target.kind, translate_coast(province, coast))
            return SupportMove(unit, target, translated)
        phrase = reader.unit()
        reader.skip_dash_before(HOLD)
        if not reader.take_move_words() and not reader.place_follows():
            reader.take(HOLD)
            return SupportHold(unit, self._target(phrase, None))
        if reader.take(HOLD):
            return SupportHold(unit, self._target(phrase, None))
        place, coast = reader.place()
        if not reader.take_land():
            reader.take_via()
        target = self._target(phrase, place)
        return SupportMove(unit, target, self._locate(target.kind, place, coast))

    def _support_hold(self, unit: Unit) -> SupportHold:
        """Read the unit after `support hold`, or after webDiplomacy's `support hold to`."""
        self.reader.take({"to"})
        return SupportHold(unit, self._target(self.reader.unit(), None))

    def _read_goal_first(self) -> tuple[Reading, str | None, UnitPhrase] | None:
        """Read webDiplomacy's `move to Burgundy from Marseilles`; return `None` for other words.

        The result is the unit's goal, its coast, and the unit.
        """
        reader = self.reader
        if reader.starts_with_code():
            return None
        start = reader.at
        if reader.take_move_words() and reader.place_follows():
            place, coast = reader.place()
            if not reader.next:
                raise NotationError(NotationKey.UNIT_MISSING)
            if reader.take({"from"}):
                phrase = reader.unit()
                reader.take_via()
                return place, coast, phrase
        reader.at = start
        return None

    def _convoy(self, unit: Unit) -> Convoy | Move:
        reader = self.reader
        if unit.kind is UnitKind.ARMY and reader.take_move_words():
            return self._move(unit, by_sea=True)  # DiplomacyGM's `London convoys - Norway`
        start = reader.at
        reader.take_kind()
        if goal := self._read_goal_first():
            place, _, phrase = goal
            target = self._target(phrase, place)
            return Convoy(unit, target, province_of(self._locate(UnitKind.ARMY, place, None)))
        reader.at = start
        phrase = reader.unit()
        if not reader.take_move_words() and not reader.place_follows():
            target = self._target(phrase, None)
            raise NotationError(NotationKey.CONVOY_PLACE_MISSING, unit=unit, target=target)
        place, _ = reader.place()
        self.reader.take_via()
        target = self._target(phrase, place)
        to = self._locate(UnitKind.ARMY, place, None)
        return Convoy(unit, target, province_of(to))

    def _destination(self, unit: Unit) -> Location:
        """Read the destination of `unit`, with the coast for a fleet if there is a choice."""
        place, coast = self.reader.place()
        to = self._locate(unit.kind, place, coast)
        return self._choose_coast(unit, to, coast) if unit.kind is UnitKind.FLEET else to

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
            return Retreat(unit, self._destination(unit))
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
        phrase = reader.unit(ADJUSTMENT_VERBS)
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
        """Return whether the order ends without a verb and the power must build (or disband)."""
        centers = len(self.position.centers_of(self.power))
        owed = centers - len(self.position.units_of(self.power))
        ended = not self.reader.next or self.reader.starts_unit()
        return ended and owed * sign > 0

    def _take_waive(self) -> bool:
        reader = self.reader
        self._take_own_power_before_waive()
        if tuple(reader.tokens[reader.at :]) in WAIVE_SENTENCES:
            reader.at = len(reader.tokens)
            return True
        if reader.next in BUILD and reader.after_next in WAIVE:
            reader.at += 1
        if not reader.take(WAIVE):
            return False
        reader.take_all(AFTER_WAIVE)
        return True

    def _take_own_power_before_waive(self) -> None:
        """Skip `England` in `England waives`; raise `NotationError` for another power."""
        named = self.reader.power_before(WAIVE)
        if named is None:
            return
        power, self.reader.at = named
        if power != self.power:
            country = self.board.power_info[power].name
            raise NotationError(NotationKey.FOREIGN_ORDER, country=country)

    def _disband(self, phrase: UnitPhrase) -> Disband:
        return Disband(self._own_unit(phrase, self.position.units))

    def _build(self, phrase: UnitPhrase) -> Build:
        if phrase.place is None:
            raise NotationError(NotationKey.BUILD_PLACE_MISSING)
        homes = self.board.home_centers.get(self.power, ())
        code = choose_province(phrase.place, lambda code: code in homes, self.board)
        province = self.board.by_code[code]
        rules = self.rules
        kind = (
            phrase.kind
            or self.reader.take_last_kind()
            or choose_build_kind(province, phrase.coast, rules)
        )
        if rules.army_for_inland_fleet and province.terrain is Terrain.INLAND:
            kind = UnitKind.ARMY
        require_useful_coast(province, kind, phrase.coast, rules)
        location = make_location(province, kind, phrase.coast)
        if rules.default_build_coast and kind is UnitKind.FLEET and province.coasts:
            location = location if "/" in location else province.fleet_locations[0]
        if location not in self.board.locations(kind):
            raise cannot_stand_error(province, kind)
        return Build(Unit(kind, location, self.power))
