"""Reads one order, using the position to find out which unit is meant and what it does.

`CanonicalOrders` reads canonical text, which programs write; `OrderText` reads everything else.
"""

import re
from collections.abc import Sequence
from functools import lru_cache

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
from diplomaccloud.judge.checks import require_text
from diplomaccloud.judge.geography import geography
from diplomaccloud.judge.messages.catalog import NotationKey
from diplomaccloud.judge.notation import words
from diplomaccloud.judge.notation.units import (
    MAX_CHOICES,
    Reader,
    UnitPhrase,
    can_stand,
    cannot_stand_error,
    choose_province,
    make_location,
    require_end,
    require_single,
    require_useful_coast,
    translate_coast,
)
from diplomaccloud.judge.notation.words import MAX_LENGTH, MAX_QUOTED, NotationError, Reading
from diplomaccloud.judge.orders import (
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    MovementOrder,
    Order,
    Retreat,
    SupportHold,
    SupportMove,
    Waive,
)
from diplomaccloud.judge.phases import Stage
from diplomaccloud.judge.position import Position, require_arguments, require_power
from diplomaccloud.judge.rules import DEFAULT, BuildKind, ConvoyPath, Lapse, RuleSet, find_rules
from diplomaccloud.judge.units import Unit

ARMY, FLEET = UnitKind.ARMY, UnitKind.FLEET

MAX_REMEMBERED = 50_000
"""The most movement orders cached for a board, about 15 MB."""

_BULLET = re.compile(
    r"\s*(?:\(?\d{1,3}(?:[.:]|\.?\))|\(?[a-z]\)|[•‣▪▸►●○◦■□◆·*+]|[-–—](?=\s))(?!\S*/)\s*",
    re.IGNORECASE,
)
"""A bullet or number before an order in a list: `1.`, `(2)`, `b)`, `-`, `•`."""


def parse_order(
    text: str, board: Board, position: Position, power: Power, *, rules: RuleSet | str = DEFAULT
) -> Order:
    """Return the order that `text` means if `power` gives it in `position`.

    The kind, coast and power of every named unit are taken from the unit that is really there,
    regardless of the text, unless `rules` are strict about it (DATC 4.B, 4.C). In a retreat phase,
    the ordered unit must be dislodged. Legality is not checked. Raises `NotationError` if the text
    is ambiguous or not an order for this phase, or if its unit does not exist or belongs to
    another power, and `ValueError` for a power that is not on the board.
    """
    require_text("text", text)
    require_arguments(board, position, power)
    rules = find_rules(rules)
    require_power(board, position, power)
    canonical = CanonicalOrders(board, position, rules).read(text, power)
    if canonical is not None:
        return canonical
    reader = OrderText(skip_bullet(text), board, position, power, rules=rules)
    order = reader.order()
    require_end(reader, order)
    return order


def skip_bullet(text: str) -> str:
    """Return `text` without a bullet or number at the start."""
    match = _BULLET.match(text)
    return text[match.end() :] if match else text


def ordered_unit(text: str, board: Board, position: Position, power: Power) -> Unit | None:
    """Return the unit of `power` that `text` orders, even if the rest cannot be read."""
    try:
        reader = OrderText(text, board, position, power)
        reader.take(words.DISBAND | words.RETREAT)
        return reader.find_own_unit(reader.unit(words.VERBS))
    except NotationError:
        return None


def unit_named(text: str, board: Board) -> str | None:
    """Return the unit that an adjustment names, such as `F MOS`, even if it is impossible."""
    try:
        reader = Reader(text, board)
        reader.take(words.BUILD | words.DISBAND)
        phrase = reader.unit(words.ADJUSTMENT_VERBS)
    except NotationError:
        return None
    if phrase.kind is None or phrase.place is None or len(phrase.place.tiers[0]) > 1:
        return None
    code, coast = phrase.place.tiers[0][0], phrase.coast
    known = code in board.by_code and coast in board.by_code[code].coasts
    return f"{phrase.kind} {code}/{coast}" if known else f"{phrase.kind} {code}"


# Canonical text.


class _Places:
    """The places of units on a board, by text, and a cache of recent movement orders."""

    def __init__(self, board: Board) -> None:
        self.standing = {kind: frozenset(map(str, board.locations(kind))) for kind in UnitKind}
        self.coasts = frozenset(str(p.code) for p in board.provinces if p.coasts)
        self.orders: dict[str, tuple[Unit, Unit | None, MovementOrder]] = {}
        """By text, the unit ordered, the unit it helps, and the order."""


_places = lru_cache(maxsize=16)(_Places)


class CanonicalOrders:
    """The units that may be ordered in a position, by their canonical places.

    It reads only orders that `OrderText` would read the same way, many times faster: for existing
    units, named exactly, to places where such a unit can be.
    """

    def __init__(self, board: Board, position: Position, rules: RuleSet) -> None:
        stage = position.phase.stage
        self._board = board
        self._places = _places(board)
        self._stage = stage
        units = units_to_order(position)
        # If the rules demand the nationality of supported units, canonical text is not enough.
        if stage is Stage.MOVEMENT and rules.nationality_missing is not Lapse.VALID:
            units = ()
        self._units: dict[str, Unit] = {unit.location: unit for unit in units}
        # In other phases, the same text means another order: `A VIE - TRI` is then a retreat.
        self._known = self._places.orders if stage is Stage.MOVEMENT else {}

    def read(self, text: str, power: Power) -> Order | None:
        """Return the order of `power` in `text`, or `None` if it needs the full parser."""
        # The same orders recur in phase after phase, often for the same unit values.
        known = self._known.get(text)
        if known is not None:
            unit, target, order = known
            standing = self._units.get
            if (
                unit.power == power
                and standing(unit.location) is unit
                and (target is None or standing(target.location) is target)
            ):
                return order
        parts = text.split(" ")
        if self._stage is Stage.ADJUSTMENTS:
            return self._adjustment(parts, power)
        ordered = self._units.get(parts[1]) if len(parts) > 2 else None
        if ordered is None or ordered.kind != parts[0] or ordered.power != power:
            return None
        if self._stage is Stage.MOVEMENT:
            return self._movement(text, ordered, parts)
        if parts[2:] == ["D"]:
            return Disband(ordered)
        is_retreat = len(parts) == 4 and parts[2] == "R" and self._stands(ordered.kind, parts[3])
        return Retreat(ordered, Location(parts[3])) if is_retreat else None

    def _movement(self, text: str, unit: Unit, parts: list[str]) -> MovementOrder | None:
        # Not regular expressions, which take several times longer.
        verb, length, kind = parts[2], len(parts), unit.kind
        order: MovementOrder | None = None
        target = self._units.get(parts[4]) if length in {5, 7} else None
        if verb == "H" and length == 3:
            order = Hold(unit)
        elif verb == "-" and length == 4 and self._stands(kind, parts[3]):
            order = Move(unit, Location(parts[3]))
        elif verb == "-" and length == 5 and parts[4] == "VIA" and kind is ARMY:
            # `VIA` is part of the order only if the army could walk there.
            if self._stands(kind, parts[3]):
                near = self._board.destinations(kind, unit.location)
                order = Move(unit, Location(parts[3]), parts[3] in near)
        elif target is None or target.kind != parts[3]:
            return None
        elif verb == "S" and length == 5:
            order = SupportHold(unit, target)
        elif verb in {"S", "C"} and length == 7 and parts[5] == "-":
            order = self._aid_move(unit, target, verb, parts[6])
        if order is not None:
            if len(self._known) >= MAX_REMEMBERED:
                self._known.clear()
            self._known[text] = unit, None if verb in {"H", "-"} else target, order
        return order

    def _aid_move(self, unit: Unit, target: Unit, verb: str, to: str) -> MovementOrder | None:
        stands = self._stands(target.kind, to)
        if verb == "S":
            is_coast = target.kind is FLEET and to in self._places.coasts
            return SupportMove(unit, target, Location(to)) if stands or is_coast else None
        return Convoy(unit, target, ProvinceCode(to)) if stands and target.kind is ARMY else None

    def _adjustment(self, parts: list[str], power: Power) -> Build | Disband | Waive | None:
        match parts:
            case ["WAIVE"]:
                return Waive(power)
            case ["A" | "F", place, "B"]:
                kind = UnitKind(parts[0])
                # The parser handles places that are not home centers.
                is_home = place.partition("/")[0] in self._board.build_centers.get(power, ())
                if is_home and self._stands(kind, place):
                    return Build(Unit(kind, Location(place), power))
            case [letter, place, "D"]:
                unit = self._units.get(place)
                if unit is not None and unit.kind == letter and unit.power == power:
                    return Disband(unit)
        return None

    def _stands(self, kind: UnitKind, place: str) -> bool:
        return place in self._places.standing[kind]


# Any other text.


def units_to_order(position: Position) -> tuple[Unit, ...]:
    """Return the units that may be ordered; in a retreat phase, the dislodged ones."""
    if position.phase.stage is Stage.RETREATS:
        return tuple(entry.unit for entry in position.dislodged)
    return position.units


class OrderText(Reader):
    """The text of one order, with everything needed to understand it.

    `lapse` says that the order counts only if no other order for its unit has more details (4.C).
    """

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
        super().__init__(text, board, longest)
        self.rules, self.position, self.power = rules, position, power
        self.lapse = False
        self._units = units_to_order(position)

    def order(self) -> Order:
        """Return the order that starts here, or raise `NotationError`."""
        if not self.tokens:
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
        word, phase = self.next, self.position.phase
        if not word:
            return NotationError(missing, unit=unit)
        if word in words.VERBS:
            key = NotationKey.NOT_FOR_PHASE
            return NotationError(key, unit=unit, word=word.upper(), phase=phase)
        return NotationError(unknown, unit=unit, words=self.rest())

    # Units and places.

    def find_own_unit(self, phrase: UnitPhrase) -> Unit:
        """Return the unit of the power that `phrase` means, among those that may be ordered.

        The written kind helps to choose between readings and is otherwise ignored (DATC 4.C.2).
        Raises `NotationError` if there is no such unit, if it is foreign, or if several fit.
        """
        place, kind, power = phrase.place, phrase.kind, self.power
        if place is None:
            return self._find_only_unit(kind)
        # If a better reading finds a foreign unit, worse readings are not tried, so that a province
        # code from the site is never read as anything else.
        of_kind = [unit for unit in self._units if kind in (None, unit.kind)]
        matches = _find_units(place, of_kind) or _find_units(place, self._units)
        unit = self._choose_unit(
            place, [each for each in matches if each.power == power] or matches
        )
        if unit.power != power:
            info = self.board.power_info.get(unit.power)
            owner = info.name if info else unit.power
            raise NotationError(NotationKey.NOT_YOUR_UNIT, unit=unit, owner=owner)
        return unit

    def _find_only_unit(self, kind: UnitKind | None) -> Unit:
        """Return the only unit of `kind` when the place is left out (`F stands`)."""
        if kind is None:
            raise NotationError(NotationKey.UNIT_MISSING)
        of_kind = [each for each in self._units if (each.power, each.kind) == (self.power, kind)]
        if not of_kind:
            raise NotationError(NotationKey.NO_UNIT_OF_KIND, kind=kind)
        if len(of_kind) > 1:
            many = len(of_kind) > MAX_CHOICES
            key = NotationKey.WHICH_UNIT_OF_MANY if many else NotationKey.WHICH_UNIT
            raise NotationError(key, kind=kind, units=tuple(map(str, of_kind[:MAX_CHOICES])))
        return of_kind[0]

    def _choose_unit(self, place: Reading, matches: Sequence[Unit]) -> Unit:
        """Return the only unit in `matches`; raise `NotationError` if it has none or several."""
        board, position = self.board, self.position
        if matches:
            require_single([unit.province for unit in matches], place, board)
            return matches[0]
        code = choose_province(place, lambda code: code in board.by_code, board)
        retreating = position.phase.stage is Stage.RETREATS
        if retreating and position.unit_in(code):
            raise NotationError(NotationKey.NOT_DISLODGED, code=code)
        key = NotationKey.NO_DISLODGED_UNIT if retreating else NotationKey.NO_UNIT
        raise NotationError(key, code=code, place=board.by_code[code].name)

    def _own_unit(self, phrase: UnitPhrase) -> Unit:
        unit = self.find_own_unit(phrase)
        unit = self._apply_wording(phrase, unit, missing_nationality=False)
        coast = phrase.coast
        if coast and "/" in unit.location and not self.rules.ignore_wrong_unit_coast:
            return unit.at(Location(f"{unit.province}/{coast}"))
        return unit

    def _target(self, phrase: UnitPhrase, to: Reading | None) -> Unit:
        """Return the unit to be supported or convoyed, of any power.

        The written kind, power and destination `to` help to choose and are otherwise ignored (DATC
        4.C.2, 4.C.6). Raises `NotationError` as `find_own_unit` does.
        """
        place, units = phrase.place, self.position.units
        if place is None:
            raise NotationError(NotationKey.UNIT_MISSING)
        of_kind = [unit for unit in units if phrase.kind in (None, unit.kind)]
        of_power = [unit for unit in of_kind if phrase.power in (None, unit.power)]
        choices = (_find_units(place, some) for some in (of_power, of_kind, units))
        matches = next(filter(None, choices), [])
        able = [unit for unit in matches if to is None or self._can_go(unit, to)]
        unit = self._choose_unit(place, able or matches)
        missing = phrase.power is None and unit.power != self.power
        unit = self._apply_wording(phrase, unit, missing_nationality=missing)
        if phrase.power is not None and self.rules.nationality_wrong is not Lapse.VALID:
            return Unit(unit.kind, unit.location, phrase.power)
        return unit

    def _can_go(self, unit: Unit, to: Reading) -> bool:
        """Return whether `unit` could go to a province that `to` names, even by convoy."""
        near = self.board.reach(unit.kind, unit.location)
        ports = geography(self.board).ports
        by_sea = unit.kind is ARMY and unit.province in ports
        return any(code in near or (by_sea and code in ports) for code in to.all)

    def _apply_wording(self, phrase: UnitPhrase, unit: Unit, *, missing_nationality: bool) -> Unit:
        """Return `unit` with the written kind if the rules do not ignore a wrong one.

        Legality later compares it with the unit that is really there. Raises `NotationError` if
        the rules demand a detail that is missing (4.C.1, 4.C.5).
        """
        rules = self.rules
        if phrase.kind is None:
            self._require_detail(rules.kind_missing, NotationKey.KIND_MISSING, unit)
        if missing_nationality:
            key = NotationKey.NATIONALITY_MISSING
            self._require_detail(rules.nationality_missing, key, unit)
        if phrase.kind is not None and rules.kind_wrong is not Lapse.VALID:
            return Unit(phrase.kind, unit.location, unit.power)
        return unit

    def _require_detail(self, missing: Lapse, key: NotationKey, unit: Unit) -> None:
        if missing is Lapse.INVALID:
            raise NotationError(key, unit=unit)
        self.lapse |= missing is Lapse.UNLESS_ANOTHER

    def _destination(self, unit: Unit) -> Location:
        """Read the destination of `unit`; for a fleet, with the coast if only one is possible."""
        place, coast = self.place()
        to = self._locate(unit.kind, place, coast)
        rules, province = self.rules, self.board.by_code[province_of(to)]
        near = self.board.destinations(unit.kind, unit.location)
        coasts = [place for place in province.fleet_locations if place in near]
        stays = rules.default_move_coast or rules.orders_clarify or not rules.fill_in_only_coast
        if unit.kind is ARMY or stays or to in province.fleet_locations or not coasts:
            return to
        # Another site may have another name for the coast.
        meant = make_location(province, unit.kind, translate_coast(province, coast))
        if len(coasts) == 1 or meant in coasts:
            return coasts[0] if len(coasts) == 1 else meant
        # The order is refused later, so it counts as an impossible order (DATC 6.D.30).
        if rules.illegal_orders_count:
            return to
        raise NotationError(NotationKey.COAST_MISSING, code=to, choices=tuple(coasts))

    def _locate(self, kind: UnitKind, place: Reading, coast: str | None) -> Location:
        code = choose_province(place, lambda code: can_stand(self.board, kind, code), self.board)
        province = self.board.by_code[code]
        require_useful_coast(province, kind, coast, self.rules)
        return make_location(province, kind, coast)

    # Movement.

    def _movement(self) -> Order:
        unit = self._own_unit(self.unit(words.VERBS))
        # The rulebook's `A Pru-Holds`.
        self.skip_dash_before(words.HOLD | words.SUPPORT | words.CONVOY)
        if self.take(words.HOLD):
            self.take_all(words.AFTER_HOLD)
            return Hold(unit)
        if self.take(words.SUPPORT):
            return self._support(unit)
        if self.take(words.SUPPORT_HOLD):
            return self._support_hold(unit)
        if self.take(words.CONVOY):
            return self._convoy(unit)
        if self.take_move_words() or self.place_follows():
            return self._move(unit)
        missing, unknown = NotationKey.NO_MOVEMENT_ORDER, NotationKey.UNKNOWN_MOVEMENT_ORDER
        raise self._verb_error(unit, missing, unknown)

    def _move(self, unit: Unit, *, by_sea: bool = False) -> Move:
        """Read the destination of `unit`; `by_sea` says that a convoy was already mentioned."""
        # diplicity's `Move via Convoy to London`.
        if not self.starts_with_code() and self.take_via():
            by_sea = True
            self.take_move_words()
        to = self._destination(unit)
        path: list[ProvinceCode] = []
        while self.take({"-"}):
            # A path over land is an error; `A LON - NTH - NWY` is by sea.
            sea = province_of(to)
            if unit.kind is FLEET or self.board.by_code[sea].terrain is not Terrain.SEA:
                raise NotationError(NotationKey.MOVES_ONE_SPACE, unit=unit, place=to)
            path.append(sea)
            to = self._destination(unit)
        by_land = unit.kind is ARMY and self.take_land()
        by_sea = not by_land and (self.take_via() or by_sea or bool(path))
        # An army can go to a province that is not adjacent only by convoy.
        near = unit.kind is FLEET or to in self.board.destinations(unit.kind, unit.location)
        if by_land and (path or not near):
            raise NotationError(NotationKey.NOT_BY_LAND, unit=unit, place=to)
        seas = tuple(path) if self.rules.convoy_path is not ConvoyPath.IGNORED else ()
        return Move(unit, to, by_sea and near, seas)

    def _support(self, unit: Unit) -> SupportHold | SupportMove:
        self.take({"/"})  # `A MUN S (A RUH - BUR)`
        if not self.starts_with_code() and self.take(words.HOLD):
            return self._support_hold(unit)
        if self.next in words.MOVE and self.peek(1) == "from":
            self.at += 1  # `supports the move from Marseilles to Burgundy`
        elif goal := self._read_goal_first():
            place, coast, phrase = goal
            target = self._target(phrase, place)
            to = self._locate(target.kind, place, coast)
            province = self.board.by_code[province_of(to)]
            translated = make_location(province, target.kind, translate_coast(province, coast))
            return SupportMove(unit, target, translated)
        phrase = self.unit()
        self.skip_dash_before(words.HOLD)
        moves = self.take_move_words() or self.place_follows()
        if self.take(words.HOLD) or not moves:
            return SupportHold(unit, self._target(phrase, None))
        place, coast = self.place()
        if not self.take_land():
            self.take_via()
        target = self._target(phrase, place)
        return SupportMove(unit, target, self._locate(target.kind, place, coast))

    def _support_hold(self, unit: Unit) -> SupportHold:
        """Read the unit after `support hold`, or after webDiplomacy's `support hold to`."""
        self.take({"to"})
        return SupportHold(unit, self._target(self.unit(), None))

    def _read_goal_first(self) -> tuple[Reading, str | None, UnitPhrase] | None:
        """Read webDiplomacy's `move to Burgundy from Marseilles`; return `None` for other words.

        The result is the unit's goal, its coast, and the unit.
        """
        start = self.at
        if not self.starts_with_code() and self.take_move_words() and self.place_follows():
            place, coast = self.place()
            if not self.next:
                raise NotationError(NotationKey.UNIT_MISSING)
            if self.take({"from"}):
                phrase = self.unit()
                self.take_via()
                return place, coast, phrase
        self.at = start
        return None

    def _convoy(self, unit: Unit) -> Convoy | Move:
        if unit.kind is ARMY and self.take_move_words():
            return self._move(unit, by_sea=True)  # DiplomacyGM's `London convoys - Norway`
        self.take({"/"})
        start = self.at
        self.take_kind()
        if goal := self._read_goal_first():
            place, _, phrase = goal
        else:
            self.at = start
            phrase = self.unit()
            if not self.take_move_words() and not self.place_follows():
                target = self._target(phrase, None)
                raise NotationError(NotationKey.CONVOY_PLACE_MISSING, target=target)
            place, _ = self.place()
            self.take_via()
        target = self._target(phrase, place)
        return Convoy(unit, target, province_of(self._locate(ARMY, place, None)))

    # Retreats.

    def _retreat(self) -> Order:
        if self.take(words.DISBAND):
            return Disband(self._own_unit(self.unit()))
        self.take(words.RETREAT)
        unit = self._own_unit(self.unit(words.VERBS))
        if self.take(words.DISBAND):
            return Disband(unit)
        has_verb = self.take(words.RETREAT)
        if self.take_move_words() or has_verb or self.place_follows():
            return Retreat(unit, self._destination(unit))
        missing, unknown = NotationKey.NO_RETREAT_ORDER, NotationKey.UNKNOWN_RETREAT_ORDER
        raise self._verb_error(unit, missing, unknown)

    # Adjustments.

    def _adjustment(self) -> Order:
        self.take_power_before(words.BUILD | words.DISBAND)
        if self._take_waive():
            return Waive(self.power)
        if self.take(words.BUILD):
            return self._build(self.unit())
        if self.take(words.DISBAND):
            return Disband(self._own_unit(self.unit()))
        start = self.at
        phrase = self.unit(words.ADJUSTMENT_VERBS)
        if self.take(words.BUILD) or self._is_bare(1):
            return self._build(phrase)
        if self.take(words.DISBAND) or self._is_bare(-1):
            return Disband(self._own_unit(phrase))
        if not self.next:
            unit = self.text_between(start, self.at)[:MAX_QUOTED]
            raise NotationError(NotationKey.NO_ADJUSTMENT_ORDER, text=unit)
        if self.next in words.VERBS:
            word, phase = self.next.upper(), self.position.phase
            raise NotationError(NotationKey.NOT_FOR_ADJUSTMENTS, word=word, phase=phase)
        raise NotationError(NotationKey.UNKNOWN_ADJUSTMENT_ORDER, words=self.rest())

    def _is_bare(self, sign: int) -> bool:
        """Return whether the order ends without a verb and the power must build (or disband)."""
        centers = len(self.position.centers_of(self.power))
        owed = centers - len(self.position.units_of(self.power))
        ended = not self.next or self.starts_unit()
        return ended and owed * sign > 0

    def _take_waive(self) -> bool:
        """Skip `waive` and words around it, such as `England waives a build`."""
        if named := self.power_before(words.WAIVE):
            power, self.at = named
            if power != self.power:
                country = self.board.power_info[power].name
                raise NotationError(NotationKey.FOREIGN_ORDER, country=country)
        if " ".join(self.tokens[self.at :]) in words.WAIVE_SENTENCES:
            self.at = len(self.tokens)
            return True
        if self.next in words.BUILD and self.peek(1) in words.WAIVE:
            self.at += 1
        if not self.take(words.WAIVE):
            return False
        self.take_all(words.AFTER_WAIVE)
        return True

    def _build(self, phrase: UnitPhrase) -> Build:
        if phrase.place is None:
            raise NotationError(NotationKey.BUILD_PLACE_MISSING, kind=phrase.kind or ARMY)
        rules, coast, kind = self.rules, phrase.coast, phrase.kind
        homes = self.board.build_centers.get(self.power, ())
        code = choose_province(phrase.place, lambda code: code in homes, self.board)
        province = self.board.by_code[code]
        if kind is None and self.at == len(self.tokens) - 1 and self.take(words.KINDS):
            kind = words.KINDS[self.tokens[-1]]  # `build Paris A`
        kind = kind or self._choose_build_kind(province, coast)
        if rules.army_for_inland_fleet and province.terrain is Terrain.INLAND:
            kind = ARMY
        require_useful_coast(province, kind, coast, rules)
        location = make_location(province, kind, coast)
        if rules.default_build_coast and kind is FLEET and province.coasts:
            location = location if "/" in location else province.fleet_locations[0]
        if location not in self.board.locations(kind):
            raise cannot_stand_error(province, kind)
        return Build(Unit(kind, location, self.power))

    def _choose_build_kind(self, province: Province, coast: str | None) -> UnitKind:
        """Return the only possible kind for a build that does not name one (DATC 4.C.3)."""
        rule = self.rules.build_without_kind
        if province.terrain is Terrain.INLAND and rule is not BuildKind.NONE:
            return ARMY
        if coast in province.coasts and rule is BuildKind.INLAND_OR_COAST:
            return FLEET
        raise NotationError(NotationKey.BUILD_KIND_MISSING, code=province.code)


def _find_units(place: Reading, units: Sequence[Unit]) -> list[Unit]:
    """Return the units in the best reading of `place` that has any."""
    matches = ([unit for unit in units if unit.province in tier] for tier in place.tiers)
    return next(filter(None, matches), [])
