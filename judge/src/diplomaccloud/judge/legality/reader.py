"""Reads one order in a position: returns the intended order, or raises a `Refusal`.

This module is the lenient definition of legal orders. The strict definition, the list of orders
that may be given, is in the kernel; see `legal_orders`.

Reading is lenient if only one meaning is possible: a wrong coast, kind or nationality of a named
unit is ignored (DATC 4.B.5, 4.B.6, 4.C.2, 4.C.6), and a missing coast is filled in if only one is
possible (4.B.2). An order is refused if it could not be carried out no matter what else is ordered
(4.E.1). Rule sets may be stricter or more lenient.
"""

from collections.abc import Mapping

from diplomaccloud.judge.adjustments import adjustments_owed, build_sites
from diplomaccloud.judge.board import Board, Location, Power, ProvinceCode, UnitKind, province_of
from diplomaccloud.judge.convoy_routes import carries, convoy_fleets, convoy_goals
from diplomaccloud.judge.legality.position_index import PositionIndex
from diplomaccloud.judge.legality.refusal import Refusal
from diplomaccloud.judge.messages.refusals import RefusalKey
from diplomaccloud.judge.messages.values import Place, PowerName
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
from diplomaccloud.judge.rules import (
    DEFAULT,
    ConvoyIntent,
    ConvoyPath,
    Lapse,
    RuleSet,
    SupportCoast,
    ViaWithoutConvoy,
)
from diplomaccloud.judge.units import Unit

__all__ = ["Reader", "Refusal", "RefusalKey", "uses_via"]

ARMY, FLEET = UnitKind.ARMY, UnitKind.FLEET


def uses_via(rules: RuleSet) -> bool:
    """Return whether "via convoy" has a meaning; if not, other orders determine the route."""
    return rules.convoy_intent not in {ConvoyIntent.SWAP, ConvoyIntent.EITHER_ROUTE}


class Reader:
    """Reads orders in one position on one board, under one rule set."""

    def __init__(self, board: Board, position: Position, rules: RuleSet = DEFAULT) -> None:
        self.board = board
        self.position = position
        self.rules = rules
        self._strict = (
            rules.kind_wrong is not Lapse.VALID
            or rules.nationality_wrong is not Lapse.VALID
            or not rules.ignore_wrong_unit_coast
        )
        self._uses_via = uses_via(rules)
        self._index = PositionIndex(board, position, rules)
        self._map, self._at = self._index.map, self._index.at
        self._refusal = self._index.refusal

    @property
    def units(self) -> Mapping[ProvinceCode, Unit]:
        """The units by province, without dislodged units."""
        return self._at

    def read(self, power: Power, order: Order) -> Order:
        """Return `order` with every detail filled in; raise `Refusal` if it is illegal."""
        if self._strict and not isinstance(order, Waive | Build):
            self._check_names(order)
        match self.position.phase.stage:
            case Stage.MOVEMENT:
                return self._read_movement(power, order)
            case Stage.RETREATS:
                return self._read_retreat(power, order)
            case Stage.ADJUSTMENTS:
                return self._read_adjustment(power, order)

    # Units named wrongly.

    def lapses(self, order: Order) -> bool:
        """Return whether `order` counts only if there is no better order for its unit.

        Source: DATC 4.C.2 and 4.C.6, choice c.
        """
        rules = self.rules
        kind, nation = self._wrong_names(order)
        return (kind and rules.kind_wrong is Lapse.UNLESS_ANOTHER) or (
            nation and rules.nationality_wrong is Lapse.UNLESS_ANOTHER
        )

    def _named_units(self, order: Order) -> list[tuple[Unit, Unit]]:
        """Return each unit as named in `order`, with the unit that is really there."""
        if isinstance(order, Waive | Build):
            return []
        named = [order.unit]
        if isinstance(order, SupportHold | SupportMove | Convoy):
            named.append(order.target)
        standing = self._at
        if self.position.phase.stage is Stage.RETREATS:
            standing = {entry.unit.province: entry.unit for entry in self.position.dislodged}
        return [(unit, standing[unit.province]) for unit in named if unit.province in standing]

    def _wrong_names(self, order: Order) -> tuple[bool, bool]:
        """Return whether `order` has a wrong kind, and whether it has a wrong nationality."""
        pairs = self._named_units(order)
        return (
            any(named.kind != real.kind for named, real in pairs),
            any(named.power != real.power for named, real in pairs[1:]),
        )

    def _check_names(self, order: Order) -> None:
        rules = self.rules
        kind, nation = self._wrong_names(order)
        if kind and rules.kind_wrong is Lapse.INVALID:
            raise self._refusal(RefusalKey.WRONG_KIND)
        if nation and rules.nationality_wrong is Lapse.INVALID:
            raise self._refusal(RefusalKey.WRONG_NATIONALITY)
        for named, real in self._named_units(order)[:1]:
            elsewhere = "/" in named.location and named.location != real.location
            if elsewhere and not rules.ignore_wrong_unit_coast:
                raise self._refusal(RefusalKey.WRONG_COAST, unit=real)

    # Moves.

    def _read_movement(self, power: Power, order: Order) -> Order:
        if isinstance(order, Waive | Build | Retreat | Disband):
            raise self._refusal(RefusalKey.ONLY_MOVEMENT, phase=self.position.phase)
        unit = self._index.require_own(power, order.unit.province)
        match order:
            case Hold():
                return order if order.unit == unit else Hold(unit)
            case Move():
                return self._read_move(unit, order)
            case SupportHold():
                return self._read_support_hold(unit, order)
            case SupportMove():
                return self._read_support_move(unit, order)
            case Convoy():
                return self._read_convoy(unit, order)

    def _read_move(self, unit: Unit, order: Move) -> Move:
        if unit.kind is ARMY:
            return self._read_army_move(unit, order)
        place = self._index.find_landing(unit, order.to)
        if order.via_convoy:
            raise self._refusal(RefusalKey.ONLY_ARMIES_CONVOYED)
        same = order.unit == unit and place == order.to and not order.path
        return order if same else Move(unit, place)

    def _read_army_move(self, unit: Unit, order: Move) -> Move:
        goal = province_of(order.to)
        if "/" in order.to:
            self._index.require_coast(order.to, army=True)
        path = order.path
        if path and self.rules.convoy_path is ConvoyPath.IGNORED:
            path = ()
        near = goal in self._map.reach[ARMY].get(unit.location, ())
        if near and not (order.via_convoy and self._uses_via):
            same = order.unit == unit and "/" not in order.to and order.path == path
            return order if same and not order.via_convoy else Move(unit, Location(goal), path=path)
        if goal in convoy_goals(self.board, self._index.fleets, unit.province):
            return Move(unit, Location(goal), via_convoy=near, path=path)
        if near and self.rules.via_without_convoy is ViaWithoutConvoy.LAND:
            return Move(unit, Location(goal))
        if near:
            key = RefusalKey.NO_FLEETS_FOR_CONVOY
            raise self._refusal(key, here=Place(unit.province), place=Place(goal))
        raise self._index.no_way_error(unit, goal)

    # Supports and convoys.

    def _find_target(self, unit: Unit, named: Unit) -> Unit:
        target = self._at.get(named.province)
        if target is None:
            self._index.require_province(named.province)
            raise self._refusal(RefusalKey.NO_UNIT, place=Place(named.province))
        if target == unit:
            raise self._refusal(RefusalKey.SUPPORTS_ITSELF)
        return target

    def _read_support_hold(self, unit: Unit, order: SupportHold) -> SupportHold:
        target = self._find_target(unit, order.target)
        self._require_reach(unit, target.province)
        same = order.unit == unit and order.target == target
        return order if same else SupportHold(unit, target)

    def _require_reach(self, unit: Unit, goal: ProvinceCode) -> None:
        if goal not in self._map.reach[unit.kind].get(unit.location, ()):
            self._index.require_province(goal)
            key = RefusalKey.SUPPORT_OUT_OF_REACH
            raise self._refusal(key, unit=unit, here=Place(unit.location), place=Place(goal))

    def _read_support_move(self, unit: Unit, order: SupportMove) -> SupportMove:
        target = self._find_target(unit, order.target)
        self._require_reach(unit, province_of(order.to))
        to = self._read_supported_goal(unit, target, order.to)
        same = order.unit == unit and order.target == target and order.to == to
        return order if same else SupportMove(unit, target, to)

    def _read_supported_goal(self, unit: Unit, target: Unit, to: Location) -> Location:
        goal = province_of(to)
        near = self._map.reach[target.kind].get(target.location, ())
        if target.kind is FLEET:
            if self.rules.support_coast is SupportCoast.IGNORED:
                to = Location(goal)
            if "/" not in to and goal in near:
                self._require_support_coast(unit, target, goal)
                return to
            return self._index.find_landing(target, to)
        self._index.require_coast(to, army=True)
        if goal in near:
            return Location(goal)
        if goal not in convoy_goals(self.board, self._index.fleets, target.province):
            raise self._index.no_way_error(target, goal)
        # A fleet cannot support the army that it alone could carry (DATC 6.D.31).
        if unit.province in self._index.fleets and not carries(
            self.board, target.province, goal, self._index.fleets - {unit.province}
        ):
            raise self._refusal(RefusalKey.NEEDS_SUPPORTING_FLEET, place=Place(goal))
        return Location(goal)

    def _require_support_coast(self, unit: Unit, target: Unit, goal: ProvinceCode) -> None:
        rule = self.rules.support_coast
        may_be_missing = {SupportCoast.OPTIONAL, SupportCoast.IGNORED}
        if rule in may_be_missing or len(self._map.landings[goal]) == 1:
            return
        if rule is SupportCoast.REQUIRED or unit.power != target.power:
            raise self._refusal(RefusalKey.SUPPORT_NEEDS_COAST, place=Place(goal))

    def _read_convoy(self, unit: Unit, order: Convoy) -> Convoy:
        if unit.province not in self._index.fleets:
            raise self._refusal(RefusalKey.CONVOY_FROM_PORT, unit=unit)
        target = self._find_target(unit, order.target)
        if target.kind is not ARMY:
            raise self._refusal(RefusalKey.ONLY_ARMIES_CONVOYED)
        goal = province_of(Location(order.to))
        self._index.require_province(goal)
        routes = convoy_fleets(self.board, self._index.fleets, target.province)
        if unit.province not in routes.get(goal, ()):
            detour = goal in routes and self._hangs_together(unit.province, target.province, goal)
            key = RefusalKey.CONVOY_BY_DETOUR if detour else RefusalKey.CONVOY_NOT_NEEDED
            raise self._refusal(
                key, here=Place(target.province), place=Place(goal), sea=Place(unit.province)
            )
        same = order.unit == unit and order.target == target and order.to == goal
        return order if same else Convoy(unit, target, goal)

    def _hangs_together(self, sea: ProvinceCode, *shores: ProvinceCode) -> bool:
        """Return whether fleets at sea connect the fleet in `sea` with all `shores`."""
        touches = self._map.carriers[sea]
        return all(
            shore in touches or carries(self.board, shore, sea, self._index.fleets)
            for shore in shores
        )

    # Retreats and adjustments.

    def _read_retreat(self, power: Power, order: Order) -> Order:
        if not isinstance(order, Retreat | Disband):
            raise self._refusal(RefusalKey.ONLY_RETREATS, phase=self.position.phase)
        place = order.unit.province
        entries = (entry for entry in self.position.dislodged if entry.unit.province == place)
        entry = next(entries, None)
        if entry is None or entry.unit.power != power:
            self._index.require_province(place)
            raise self._refusal(
                RefusalKey.NO_DISLODGED_UNIT, power=PowerName(power), place=Place(place)
            )
        unit = entry.unit
        if isinstance(order, Disband):
            return Disband(unit)
        to = Location(province_of(order.to))
        if unit.kind is FLEET:
            to = self._index.find_landing(unit, order.to)
        if to in entry.retreats:
            return Retreat(unit, to)
        goal, choices = province_of(to), tuple(entry.retreats)
        self._index.require_province(goal)
        key = RefusalKey.RETREAT_ELSEWHERE if choices else RefusalKey.NO_RETREAT
        raise self._refusal(key, unit=unit, place=Place(goal), choices=tuple(map(Place, choices)))

    def _read_adjustment(self, power: Power, order: Order) -> Order:
        owed = adjustments_owed(self.board, self.position, power)
        match order:
            case Waive() | Build() if owed <= 0:
                raise self._refusal(RefusalKey.NOTHING_TO_BUILD, power=PowerName(power))
            case Waive() if not self.rules.may_waive:
                raise self._refusal(RefusalKey.NO_WAIVING)
            case Waive():
                return order if order.power == power else Waive(power)
            case Build():
                return self._read_build(power, order)
            case Disband() if owed >= 0:
                raise self._refusal(RefusalKey.NOTHING_TO_DISBAND, power=PowerName(power))
            case Disband():
                return Disband(self._index.require_own(power, order.unit.province))
            case _:
                raise self._refusal(RefusalKey.ONLY_ADJUSTMENTS, phase=self.position.phase)

    def _read_build(self, power: Power, order: Build) -> Build:
        kind, code = order.unit.kind, order.unit.province
        self._index.require_province(code)
        if code not in self.board.home_centers.get(power, ()):
            raise self._refusal(
                RefusalKey.BUILD_NOT_HOME, place=Place(code), power=PowerName(power)
            )
        if self.position.centers.get(code) != power:
            raise self._refusal(
                RefusalKey.BUILD_NOT_OWNED, place=Place(code), power=PowerName(power)
            )
        if code not in build_sites(self.board, self.position, power):
            raise self._refusal(RefusalKey.BUILD_OCCUPIED, place=Place(code))
        if kind is ARMY:
            return Build(Unit(ARMY, Location(code), power))
        landings = self._map.landings[code]
        if not landings and self.rules.army_for_inland_fleet:
            return Build(Unit(ARMY, Location(code), power))
        if not landings:
            raise self._refusal(RefusalKey.INLAND_FLEET_BUILD, place=Place(code))
        if order.unit.location in landings:
            return Build(Unit(FLEET, order.unit.location, power))
        self._index.require_coast(order.unit.location, army=False)
        if len(landings) == 1 or self.rules.default_build_coast:
            return Build(Unit(FLEET, landings[0], power))
        raise self._refusal(
            RefusalKey.COAST_NEEDED, place=Place(code), choices=tuple(map(Place, landings))
        )
