"""What orders mean in a position: which are legal, and why the others are refused.

`Reader` reads one order: it returns the intended order, or raises a `Refusal`. `PhaseOrders` reads
the orders of all players, and chooses the one that each unit follows.

This is the lenient definition of legal orders. The strict definition, the list of orders that may
be given, is in the kernel; see `legal_orders`. Reading is lenient if only one meaning is possible:
a wrong coast, kind or nationality of a named unit is ignored (DATC 4.B.5, 4.B.6, 4.C.2, 4.C.6), and
a missing coast is filled in if only one is possible (4.B.2). An order is refused if it could not be
carried out no matter what else is ordered (4.E.1). Rule sets may be stricter or more lenient.
"""

from collections.abc import Iterable, Mapping, Sequence, Set
from functools import cached_property
from typing import Any

from diplomaccloud.judge.adjustments import adjustments_owed, build_sites
from diplomaccloud.judge.board import Board, Location, Power, ProvinceCode, UnitKind, province_of
from diplomaccloud.judge.checks import describe
from diplomaccloud.judge.geography import Geography, count_steps, fleets_at_sea, geography
from diplomaccloud.judge.kernel.selection import KERNEL
from diplomaccloud.judge.kernel.values import Verdict
from diplomaccloud.judge.messages.catalog import RefusalKey
from diplomaccloud.judge.messages.english import Sentence
from diplomaccloud.judge.messages.values import Message, Parameter, Place, PowerName
from diplomaccloud.judge.orders import (
    Build,
    Convoy,
    Disband,
    Hold,
    InvalidOrder,
    Move,
    MovementOrder,
    Order,
    Retreat,
    SupportHold,
    SupportMove,
    Waive,
    is_order,
    power_of,
)
from diplomaccloud.judge.phases import Stage
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.results import OrderResult, Outcome
from diplomaccloud.judge.rules import (
    DEFAULT,
    ConvoyIntent,
    ConvoyPath,
    Lapse,
    Pick,
    RuleSet,
    SupportCoast,
    ViaWithoutConvoy,
)
from diplomaccloud.judge.units import Unit

ARMY, FLEET = UnitKind.ARMY, UnitKind.FLEET


class Refusal(ValueError):
    """An order that may not be given; `key` and `parameters` say why, and `str()` in English."""

    def __init__(self, key: RefusalKey, names: Geography, **parameters: Parameter) -> None:
        super().__init__(key)
        self.key = key
        self.parameters = parameters
        self._names = names

    @property
    def sentence(self) -> Sentence:
        """The reason, with its message."""
        return Sentence(Message(self.key, self.parameters), self._names)

    def __str__(self) -> str:
        return str(self.sentence)


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
        self._map = geography(board)
        self._routes: dict[ProvinceCode, Mapping[ProvinceCode, Set[ProvinceCode]]] = {}

    @cached_property
    def units(self) -> Mapping[ProvinceCode, Unit]:
        """The units by province, without dislodged units."""
        return {unit.province: unit for unit in self.position.units}

    def _find_unlisted(self, orders: Sequence[Order]) -> Sequence[int]:
        return KERNEL.find_unlisted(self.board, self.position.units, orders, self.rules)

    @cached_property
    def _fleets(self) -> frozenset[ProvinceCode]:
        """The sea provinces where a fleet stands."""
        return fleets_at_sea(self.board, self.position.units)

    def _routes_from(self, start: ProvinceCode) -> Mapping[ProvinceCode, Set[ProvinceCode]]:
        """Return the goals of convoys by all these fleets, each with those that it could need."""
        if start not in self._routes:
            self._routes[start] = KERNEL.find_routes(self.board, self._fleets, start)
        return self._routes[start]

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

    def is_listed(self, order: Order) -> bool:
        """Return whether the kernel lists `order` as legal, which it does in movement phases."""
        return self.position.phase.stage is Stage.MOVEMENT and not self._find_unlisted((order,))

    def read_all(self, orders: Sequence[Order]) -> Sequence[Order | Refusal]:
        """Return what `read` returns or raises for each order, given by its unit's power.

        This is faster: the kernel finds out which orders are in the list.
        """
        unread: Sequence[int] = range(len(orders))
        if self.position.phase.stage is Stage.MOVEMENT:
            unread = self._find_unlisted(orders)
        if not unread:
            return orders
        meant: list[Order | Refusal] = list(orders)
        for number in unread:
            try:
                meant[number] = self.read(power_of(orders[number]), orders[number])
            except Refusal as refusal:
                meant[number] = refusal
        return meant

    def _refuse(self, key: RefusalKey, **parameters: Any) -> Refusal:
        """Return a refusal; `parameters` may have the codes of powers and places."""
        for name, value in parameters.items():
            if name in {"power", "owner"}:
                parameters[name] = PowerName(value)
            elif name in {"place", "here", "sea", "coast"}:
                parameters[name] = Place(value)
            elif name == "choices":
                parameters[name] = tuple(map(Place, value))
        return Refusal(key, self._map, **parameters)

    # Units named wrongly.

    def lapses(self, order: Order) -> bool:
        """Return whether `order` counts only if there is no better order for its unit.

        Source: DATC 4.C.2 and 4.C.6, choice c.
        """
        rules, pairs = self.rules, self._named_units(order)
        wrong_kind = any(named.kind != real.kind for named, real in pairs)
        wrong_nation = any(named.power != real.power for named, real in pairs[1:])
        return (wrong_kind and rules.kind_wrong is Lapse.UNLESS_ANOTHER) or (
            wrong_nation and rules.nationality_wrong is Lapse.UNLESS_ANOTHER
        )

    def _named_units(self, order: Order) -> list[tuple[Unit, Unit]]:
        """Return each unit as named in `order`, with the unit that is really there."""
        if isinstance(order, Waive | Build):
            return []
        named = [order.unit]
        if isinstance(order, SupportHold | SupportMove | Convoy):
            named.append(order.target)
        standing = self.units
        if self.position.phase.stage is Stage.RETREATS:
            standing = {entry.unit.province: entry.unit for entry in self.position.dislodged}
        return [(unit, standing[unit.province]) for unit in named if unit.province in standing]

    def _check_names(self, order: Order) -> None:
        """Raise `Refusal` if `order` names a unit wrongly in a way that the rules do not ignore."""
        rules, pairs = self.rules, self._named_units(order)
        for named, real in pairs:
            if named.kind != real.kind and rules.kind_wrong is Lapse.INVALID:
                raise self._refuse(RefusalKey.NO_SUCH_KIND, kind=named.kind, unit=real)
        for named, real in pairs[1:]:
            if named.power != real.power and rules.nationality_wrong is Lapse.INVALID:
                raise self._refuse(RefusalKey.NO_SUCH_NATIONALITY, power=named.power, unit=real)
        for named, real in pairs[:1]:
            elsewhere = "/" in named.location and named.location != real.location
            if elsewhere and not rules.ignore_wrong_unit_coast:
                raise self._refuse(RefusalKey.NOT_ON_COAST, unit=real, coast=named.location)

    # Units and places.

    def _require_own(self, power: Power, place: ProvinceCode) -> Unit:
        """Return the unit of `power` in `place`; raise `Refusal` if there is none."""
        unit = self.units.get(place)
        if unit is not None and unit.power == power:
            return unit
        self._require_province(place)
        if unit is None:
            raise self._refuse(RefusalKey.NO_OWN_UNIT, power=power, place=place)
        raise self._refuse(RefusalKey.FOREIGN_UNIT, power=power, unit=unit, owner=unit.power)

    def _require_province(self, place: ProvinceCode) -> None:
        if place not in self._map.names:
            raise self._refuse(RefusalKey.NOT_A_PROVINCE, place=place)

    def _require_coast(self, to: Location, *, army: bool) -> None:
        """Raise `Refusal` for a coast that the unit or the province cannot use (DATC 4.B.6)."""
        if "/" not in to or self.rules.ignore_needless_coast:
            return
        goal = province_of(to)
        if army or to not in self._map.landings.get(goal, ()):
            self._require_province(goal)
            raise self._refuse(RefusalKey.NO_SUCH_COAST, place=goal, coast=to)

    def _find_landing(self, unit: Unit, to: Location) -> Location:
        """Return the only possible location for a fleet ordered to `to`, or raise `Refusal`."""
        near = self._map.places[FLEET].get(unit.location, frozenset())
        if to in near:
            return to
        goal = province_of(to)
        landings = self._map.landings.get(goal, ())
        reached = [place for place in landings if place in near]
        if not reached:
            raise self._refuse_way(unit, goal)
        self._require_coast(to, army=False)
        rules, is_single = self.rules, len(reached) == 1
        if "/" in to and to in landings:
            if rules.mend_impossible_coast:
                return reached[0]
            key, start = RefusalKey.COAST_OUT_OF_REACH, unit.province
            raise self._refuse(key, here=start, place=goal, choices=reached, coast=to)
        fills_in = len(landings) == 1 or rules.fill_in_only_coast
        if (is_single and fills_in) or (not is_single and rules.default_move_coast):
            return reached[0]
        key = RefusalKey.COAST_NEEDED if is_single else RefusalKey.COAST_NEEDED_WITHIN_REACH
        raise self._refuse(key, place=goal, choices=reached)

    def _refuse_way(self, unit: Unit, goal: ProvinceCode) -> Refusal:
        """Return a refusal that says why `unit` cannot go to `goal`, and where it can go."""
        if goal not in self._map.names:
            return self._refuse(RefusalKey.NOT_A_PROVINCE, place=goal)
        if goal == unit.province:
            return self._refuse(RefusalKey.ALREADY_THERE, unit=unit)
        if unit.kind is ARMY and goal in self._map.seas:
            return self._refuse(RefusalKey.ARMY_TO_WATER, place=goal)
        if unit.kind is FLEET and not self._map.landings.get(goal):
            return self._refuse(RefusalKey.FLEET_TO_INLAND, place=goal)
        near = self._map.reach[unit.kind].get(unit.location, frozenset())
        coastal = unit.kind is ARMY and {unit.province, goal} <= self._map.ports
        if not near:
            keys = RefusalKey.NOWHERE_TO_GO, RefusalKey.NOWHERE_TO_GO_NO_CONVOY
        elif goal in self._map.around[unit.province]:
            keys = RefusalKey.NO_BORDER_TO_CROSS, RefusalKey.NO_BORDER_TO_CROSS_NO_CONVOY
        else:
            keys = RefusalKey.NOT_ADJACENT, RefusalKey.NOT_ADJACENT_NO_CONVOY
        key, start = keys[coastal], unit.location
        choices = sorted(near, key=self._map.names.__getitem__)
        return self._refuse(key, unit=unit, here=start, place=goal, choices=choices)

    # Moves.

    def _read_movement(self, power: Power, order: Order) -> Order:
        if isinstance(order, Waive | Build | Retreat | Disband):
            raise self._refuse(RefusalKey.ONLY_MOVEMENT, phase=self.position.phase)
        unit = self._require_own(power, order.unit.province)
        match order:
            case Hold():
                return Hold(unit)
            case Move():
                return self._read_move(unit, order)
            case SupportHold():
                target = self._find_target(unit, order.target)
                self._require_reach(unit, target.province)
                return SupportHold(unit, target)
            case SupportMove():
                target = self._find_target(unit, order.target)
                self._require_reach(unit, province_of(order.to))
                return SupportMove(unit, target, self._find_goal(unit, target, order.to))
            case Convoy():
                return self._read_convoy(unit, order)

    def _read_move(self, unit: Unit, order: Move) -> Move:
        if unit.kind is FLEET:
            place = self._find_landing(unit, order.to)
            if order.via_convoy:
                raise self._refuse(RefusalKey.FLEET_CONVOYED, unit=unit)
            return Move(unit, place)
        self._require_coast(order.to, army=True)
        goal, rules = province_of(order.to), self.rules
        to = Location(goal)
        path = () if rules.convoy_path is ConvoyPath.IGNORED else order.path
        near = goal in self._map.reach[ARMY].get(unit.location, ())
        if near and not (order.via_convoy and uses_via(rules)):
            return Move(unit, to, path=path)
        if goal in self._routes_from(unit.province):
            return Move(unit, to, via_convoy=near, path=path)
        if near and rules.via_without_convoy is ViaWithoutConvoy.LAND:
            return Move(unit, to)
        if near:
            key = RefusalKey.NO_FLEETS_FOR_CONVOY
            raise self._refuse(key, here=unit.province, place=goal)
        raise self._refuse_way(unit, goal)

    # Supports and convoys.

    def _find_target(self, unit: Unit, named: Unit) -> Unit:
        target = self.units.get(named.province)
        if target is None:
            self._require_province(named.province)
            raise self._refuse(RefusalKey.NO_UNIT, place=named.province)
        if target == unit:
            raise self._refuse(RefusalKey.AIDS_ITSELF, unit=unit)
        return target

    def _require_reach(self, unit: Unit, goal: ProvinceCode) -> None:
        if goal not in self._map.reach[unit.kind].get(unit.location, ()):
            self._require_province(goal)
            key = RefusalKey.SUPPORT_OUT_OF_REACH
            raise self._refuse(key, unit=unit, here=unit.location, place=goal)

    def _find_goal(self, unit: Unit, target: Unit, to: Location) -> Location:
        """Return the goal of the move of `target` that `unit` supports, or raise `Refusal`."""
        goal, rule = province_of(to), self.rules.support_coast
        is_near = goal in self._map.reach[target.kind].get(target.location, ())
        if target.kind is FLEET:
            if rule is SupportCoast.IGNORED:
                to = Location(goal)
            if "/" in to or not is_near:
                return self._find_landing(target, to)
            if len(self._map.landings[goal]) > 1 and (
                rule is SupportCoast.REQUIRED
                or (rule is SupportCoast.OWN_OPTIONAL and unit.power != target.power)
            ):
                raise self._refuse(RefusalKey.SUPPORT_NEEDS_COAST, place=goal)
            return to
        self._require_coast(to, army=True)
        if is_near:
            return Location(goal)
        if goal not in self._routes_from(target.province):
            raise self._refuse_way(target, goal)
        # A fleet cannot support the army that it alone could carry (DATC 6.D.31).
        others, start = self._fleets - {unit.province}, target.province
        if others != self._fleets and goal not in KERNEL.find_routes(self.board, others, start):
            key = RefusalKey.ARMY_NEEDS_SUPPORTER
            raise self._refuse(key, unit=unit, target=target, place=goal)
        return Location(goal)

    def _read_convoy(self, unit: Unit, order: Convoy) -> Convoy:
        if unit.province not in self._fleets:
            raise self._refuse(RefusalKey.CONVOY_FROM_PORT, unit=unit)
        target = self._find_target(unit, order.target)
        if target.kind is not ARMY:
            raise self._refuse(RefusalKey.FLEET_CONVOYED, unit=target)
        goal = province_of(Location(order.to))
        self._require_province(goal)
        routes = self._routes_from(target.province)
        if unit.province not in routes.get(goal, ()):
            detour = goal in routes and self._hangs_together(unit.province, target.province, goal)
            key = RefusalKey.CONVOY_BY_DETOUR if detour else RefusalKey.CONVOY_NOT_NEEDED
            raise self._refuse(key, here=target.province, place=goal, sea=unit.province)
        return Convoy(unit, target, goal)

    def _hangs_together(self, sea: ProvinceCode, *shores: ProvinceCode) -> bool:
        """Return whether fleets at sea connect the fleet in `sea` with all `shores`."""
        carriers = self._map.carriers
        links = {fleet: carriers[fleet] & self._fleets for fleet in self._fleets}
        joined = count_steps(links, [sea])
        return all(any(shore in carriers[fleet] for fleet in joined) for shore in shores)

    # Retreats and adjustments.

    def _read_retreat(self, power: Power, order: Order) -> Order:
        if not isinstance(order, Retreat | Disband):
            raise self._refuse(RefusalKey.ONLY_RETREATS, phase=self.position.phase)
        place = order.unit.province
        entries = (entry for entry in self.position.dislodged if entry.unit.province == place)
        entry = next(entries, None)
        if entry is None or entry.unit.power != power:
            self._require_province(place)
            raise self._refuse(RefusalKey.NO_DISLODGED_UNIT, power=power, place=place)
        unit = entry.unit
        if isinstance(order, Disband):
            return Disband(unit)
        to = Location(province_of(order.to))
        if unit.kind is FLEET:
            to = self._find_landing(unit, order.to)
        if to in entry.retreats:
            return Retreat(unit, to)
        goal = province_of(to)
        self._require_province(goal)
        key = RefusalKey.RETREAT_ELSEWHERE if entry.retreats else RefusalKey.NO_RETREAT
        raise self._refuse(key, unit=unit, place=goal, choices=entry.retreats)

    def _read_adjustment(self, power: Power, order: Order) -> Order:
        owed = adjustments_owed(self.board, self.position, power)
        match order:
            case Waive() | Build() if owed <= 0:
                raise self._refuse(RefusalKey.NOTHING_TO_BUILD, power=power)
            case Waive() if not self.rules.may_waive:
                raise self._refuse(RefusalKey.NO_WAIVING)
            case Waive():
                return order if order.power == power else Waive(power)
            case Build():
                return self._read_build(power, order)
            case Disband() if owed >= 0:
                raise self._refuse(RefusalKey.NOTHING_TO_DISBAND, power=power)
            case Disband():
                return Disband(self._require_own(power, order.unit.province))
            case _:
                raise self._refuse(RefusalKey.ONLY_ADJUSTMENTS, phase=self.position.phase)

    def _read_build(self, power: Power, order: Build) -> Build:
        kind, code = order.unit.kind, order.unit.province
        self._require_province(code)
        if code not in self.board.build_centers.get(power, ()):
            raise self._refuse(RefusalKey.BUILD_NOT_HOME, place=code, power=power)
        if self.position.centers.get(code) != power:
            raise self._refuse(RefusalKey.BUILD_NOT_OWNED, place=code, power=power)
        if code not in build_sites(self.board, self.position, power):
            raise self._refuse(RefusalKey.BUILD_OCCUPIED, place=code)
        landings = self._map.landings[code]
        if kind is ARMY or (not landings and self.rules.army_for_inland_fleet):
            return Build(Unit(ARMY, Location(code), power))
        if not landings:
            raise self._refuse(RefusalKey.INLAND_FLEET_BUILD, place=code)
        if order.unit.location in landings:
            return Build(Unit(FLEET, order.unit.location, power))
        self._require_coast(order.unit.location, army=False)
        if len(landings) == 1 or self.rules.default_build_coast:
            return Build(Unit(FLEET, landings[0], power))
        raise self._refuse(RefusalKey.COAST_NEEDED, place=code, choices=landings)


# The orders of all players.


class PhaseOrders:
    """Legal orders by unit, and void results, for movement and retreats.

    `followed` are orders of other units that are already known to be legal.
    """

    def __init__(
        self,
        board: Board,
        position: Position,
        orders: Iterable[Order],
        rules: RuleSet = DEFAULT,
        followed: Iterable[MovementOrder] = (),
    ) -> None:
        self._rules = rules
        self._names = geography(board)
        self._reader = Reader(board, position, rules)
        self._may_lapse = Lapse.UNLESS_ANOTHER in {rules.kind_wrong, rules.nationality_wrong}
        self._legal: dict[Unit, list[Order]] = {}
        self._refused: dict[Unit, OrderResult] = {}
        self._impossible: dict[Unit, set[Order]] = {}
        self._lapsed: set[Order] = set()
        self._implied: set[Unit] = set()
        # By location, whose hash is cached, because most units follow an order.
        self._followed: dict[Location, Order] = {order.unit.location: order for order in followed}
        self.void: list[OrderResult] = []
        self._units = self._reader.units
        if position.phase.stage is Stage.RETREATS:
            self._units = {entry.unit.province: entry.unit for entry in position.dislodged}
        for order in _clarify(orders) if rules.orders_clarify else orders:
            self._read_order(order)
        for unit in self._legal:
            self._choose_followed(unit)
        if position.phase.stage is Stage.MOVEMENT:
            self._apply_switches()

    def _read_order(self, order: Order) -> None:
        if not is_order(order):
            raise TypeError(f"expected an order, not {describe(order)}")
        power = power_of(order)
        try:
            legal = self._reader.read(power, order)
        except Refusal as refusal:
            self._refuse(power, order, refusal.sentence)
            return
        if isinstance(legal, Waive):
            return
        orders = self._legal.setdefault(legal.unit, [])
        if legal not in orders:
            orders.append(legal)
        elif self._rules.several_orders is Pick.LAST:
            orders.remove(legal)
            orders.append(legal)
        if self._may_lapse and self._reader.lapses(order):
            self._lapsed.add(legal)

    def _refuse(self, power: Power, order: Order, why: Sentence) -> None:
        result = OrderResult(order, Outcome.VOID, why)
        unit = None if isinstance(order, Waive) else self._units.get(order.unit.province)
        if unit is None or unit.power != power:
            self.void.append(result)
            return
        if self._rules.illegal_orders_count:
            self._impossible.setdefault(unit, set()).add(order)
            self._legal.setdefault(unit, []).append(order)
        earlier = self._refused.get(unit)
        if earlier is None or str(order) < str(earlier.order):
            self._refused[unit] = result

    def order_of(self, unit: Unit) -> Order | None:
        """Return the legal order that `unit` follows, if any."""
        return self._followed.get(unit.location)

    def is_implied(self, unit: Unit) -> bool:
        """Return whether the order of `unit` was only implied by another order (4.E.3)."""
        return bool(self._implied) and unit in self._implied

    def _choose_followed(self, unit: Unit) -> None:
        order = self._choose(unit)
        if order is not None and order not in self._impossible.get(unit, ()):
            self._followed[unit.location] = order

    def _choose(self, unit: Unit) -> Order | None:
        """Return the order that counts, even if impossible, or `None` if several conflict."""
        orders, pick = self._candidates(unit), self._rules.several_orders
        if len(orders) > 1 and pick is Pick.NONE:
            return None
        return orders[-1 if pick is Pick.LAST else 0]

    def _candidates(self, unit: Unit) -> list[Order]:
        orders = self._legal.get(unit, [])
        if not self._lapsed or len(orders) < 2:
            return orders
        return [order for order in orders if order not in self._lapsed] or orders

    def refusal_of(self, unit: Unit) -> OrderResult | None:
        """Return the result of a refused order for a unit without a legal order.

        It is void, unless `replace_refusal` was called. If a unit has conflicting legal orders, the
        first of them by text is refused.
        """
        if unit.location in self._followed:
            return None
        orders = self._candidates(unit)
        if len(orders) < 2:
            return self._refused.get(unit)
        return self._void(min(orders, key=str), RefusalKey.DIFFERENT_ORDERS, unit)

    def replace_refusal(self, unit: Unit, result: OrderResult) -> None:
        """Give the refused order of `unit` another result."""
        self._refused[unit] = result

    def list_refusals(self) -> list[tuple[Unit, OrderResult]]:
        """Return the units with a refused order, each with its `refusal_of`."""
        units = dict.fromkeys([*self._refused, *self._legal])
        return [(unit, why) for unit in units if (why := self.refusal_of(unit)) is not None]

    def _void(self, order: Order, key: RefusalKey, unit: Unit) -> OrderResult:
        return OrderResult(order, Outcome.VOID, Refusal(key, self._names, unit=unit).sentence)

    def _apply_switches(self) -> None:
        """Apply the switches of movement phases that only some rule sets use."""
        if self._rules.implicit_orders:
            self._add_implied()
        unsupportable: dict[ProvinceCode, RefusalKey] = {}
        if not self._rules.disorder_supportable:
            # The units of powers that gave no orders.
            ordering = {unit.power for unit in [*self._legal, *self._refused]}
            ordering |= {power_of(result.order) for result in self.void}
            idle = [place for place, unit in self._units.items() if unit.power not in ordering]
            unsupportable |= dict.fromkeys(idle, RefusalKey.SUPPORT_IN_DISORDER)
        if self._rules.illegal_orders_count:
            # The units that were ordered to move but cannot.
            moving = [unit for unit in self._impossible if isinstance(self._choose(unit), Move)]
            stuck = [unit.province for unit in moving if unit.location not in self._followed]
            unsupportable |= dict.fromkeys(stuck, RefusalKey.SUPPORT_OF_MOVER)
        for unit in list(self._legal) if unsupportable else ():
            order = self.order_of(unit)
            if isinstance(order, SupportHold) and order.target.province in unsupportable:
                del self._legal[unit], self._followed[unit.location]
                key = unsupportable[order.target.province]
                self._refused[unit] = self._void(order, key, order.target)

    def _add_implied(self) -> None:
        """Give a unit without orders the only move that its own power's orders imply."""
        implied: dict[Unit, set[Move]] = {}
        for order in [order for orders in self._legal.values() for order in orders]:
            if not isinstance(order, SupportMove | Convoy):
                continue
            target = self._units[order.target.province]
            is_idle = target not in self._legal and target not in self._refused
            if is_idle and target.power == order.unit.power:
                move = Move(target, Location(order.to), via_convoy=isinstance(order, Convoy))
                implied.setdefault(target, set()).add(move)
        for unit, moves in implied.items():
            if len({province_of(move.to) for move in moves}) == 1:
                self._read_order(max(moves, key=str))
                if unit in self._legal:
                    self._choose_followed(unit)
                    self._implied.add(unit)


def _clarify(orders: Iterable[Order]) -> list[Order]:
    """Return `orders` with missing coasts of fleet moves taken from supports by the same power."""
    listed = list(orders)
    coasts = {
        (order.unit.power, order.target.province, province_of(order.to)): order.to
        for order in sorted((o for o in listed if isinstance(o, SupportMove)), key=str)
        if "/" in order.to
    }
    for number, order in enumerate(listed):
        if isinstance(order, Move) and order.unit.kind is FLEET and "/" not in order.to:
            key = order.unit.power, order.unit.province, province_of(order.to)
            listed[number] = Move(order.unit, coasts.get(key, order.to), order.via_convoy)
    return listed


def accept_needless_convoys(
    board: Board, phase_orders: PhaseOrders, followed: Sequence[MovementOrder], verdict: Verdict
) -> None:
    """Give a needless convoy order the outcome `convoyed` if it matches its army's move.

    If no route needs the fleet, the order is illegal by DATC 4.E.1: it carries no army and shows no
    intent to convoy. But the order did no harm, so it gets the outcome of the convoys that were
    used. Replaces the refusals of such orders in `phase_orders` with their results; `verdict` is
    the verdict on the orders in `followed`.
    """
    for unit, refused in phase_orders.list_refusals():
        convoy, refusal = refused.order, refused.message
        if not isinstance(convoy, Convoy) or refusal is None:
            continue
        if refusal.key != RefusalKey.CONVOY_BY_DETOUR:
            continue
        place = convoy.target.province
        army = next(i for i, order in enumerate(followed) if order.unit.province == place)
        move = followed[army]
        # The army must have been ordered to go by sea to the goal of the convoy order.
        if not isinstance(move, Move) or province_of(move.to) != convoy.to:
            continue
        if not move.via_convoy and convoy.to in board.army_neighbors[place]:
            continue
        is_dislodged = any(entry.unit == unit for entry in verdict.dislodged)
        lost = is_dislodged and verdict.outcomes[army] is Outcome.NOPATH
        message = Message.of("convoy_not_needed", army=convoy.target, place=Place(convoy.to))
        outcome = Outcome.DISRUPTED if lost else Outcome.CONVOYED
        why = Sentence(message, geography(board))
        phase_orders.replace_refusal(unit, OrderResult(convoy, outcome, why))


# Values that are not orders.


def separate_orders(board: Board, values: object) -> tuple[list[Order], list[OrderResult]]:
    """Return the orders among `values`, and a void result for everything else.

    Text, or a value that is not iterable, is treated as a single order.
    """
    listed: list[Any] = [values]
    if isinstance(values, Iterable) and not isinstance(values, str | bytes):
        listed = list(values)
    refused = [
        OrderResult(
            InvalidOrder(Power(""), describe(value)),
            Outcome.VOID,
            describe_invalid_order(board, value),
        )
        for value in listed
        if not is_order(value)
    ]
    return [value for value in listed if is_order(value)], refused


def describe_invalid_order(board: Board, value: object) -> Sentence:
    """Return the sentence that says that `value` is not an order."""
    text = isinstance(value, str)
    key = RefusalKey.TEXT_NOT_PARSED if text else RefusalKey.NOT_AN_ORDER
    return Sentence(Message.of(key, value=describe(value)), geography(board))
