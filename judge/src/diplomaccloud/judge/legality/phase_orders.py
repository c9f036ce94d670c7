"""The orders of all players for one phase: the order that each unit follows, and void orders."""

from collections.abc import Iterable, Mapping

from diplomaccloud.judge.board import Board, Location, Power, ProvinceCode, UnitKind, province_of
from diplomaccloud.judge.checks import describe
from diplomaccloud.judge.geography import geography
from diplomaccloud.judge.legality.reader import Reader
from diplomaccloud.judge.legality.refusal import Refusal
from diplomaccloud.judge.messages.english import Sentence
from diplomaccloud.judge.messages.refusals import RefusalKey
from diplomaccloud.judge.orders import (
    Convoy,
    Move,
    MovementOrder,
    Order,
    SupportHold,
    SupportMove,
    Waive,
    is_order,
    power_of,
)
from diplomaccloud.judge.phases import Stage
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.results import OrderResult, Outcome
from diplomaccloud.judge.rules import DEFAULT, Lapse, Pick, RuleSet
from diplomaccloud.judge.units import Unit


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
        for unit, legal in self._legal.items():
            if len(legal) == 1 and not self._impossible:
                self._followed[unit.location] = legal[0]
            else:
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
        if order is not legal and self._may_lapse and self._reader.lapses(order):
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

    def _choose_followed(self, unit: Unit) -> None:
        order = self._choose(unit)
        if order is not None and order not in self._impossible.get(unit, ()):
            self._followed[unit.location] = order

    def _choose(self, unit: Unit) -> Order | None:
        """Return the order that counts, even if impossible, or `None` if several conflict."""
        orders = self._candidates(unit)
        if len(orders) == 1:
            return orders[0]
        match self._rules.several_orders:
            case Pick.NONE:
                return None
            case Pick.FIRST:
                return orders[0]
            case Pick.LAST:
                return orders[-1]

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
        return self._void(min(orders, key=str), RefusalKey.CONFLICTING_ORDERS)

    def replace_refusal(self, refusal: OrderResult, result: OrderResult) -> None:
        """Give a unit's refused order another result."""
        for unit, refused in self._refused.items():
            if refused is refusal:
                self._refused[unit] = result
                return

    def list_refusals(self) -> list[tuple[Unit, OrderResult]]:
        """Return the units with a refused order, each with its `refusal_of`."""
        units = dict.fromkeys([*self._refused, *self._legal])
        refusals = [(unit, self.refusal_of(unit)) for unit in units]
        return [(unit, refusal) for unit, refusal in refusals if refusal is not None]

    def _void(self, order: Order, key: RefusalKey) -> OrderResult:
        return OrderResult(order, Outcome.VOID, Refusal(key, self._names).sentence)

    def is_implied(self, unit: Unit) -> bool:
        """Return whether the order of `unit` was only implied by another order (4.E.3)."""
        return bool(self._implied) and unit in self._implied

    # Switches that only some rule sets use.

    def _apply_switches(self) -> None:
        if self._rules.implicit_orders:
            self._add_implied()
        unsupportable: dict[ProvinceCode, RefusalKey] = {}
        if not self._rules.disorder_supportable:
            unsupportable |= self._find_disorder()
        if self._rules.illegal_orders_count:
            unsupportable |= self._find_trying_to_move()
        if unsupportable:
            self._void_supports(unsupportable)

    def _add_implied(self) -> None:
        """Give a unit without orders the only move that its own power's orders imply."""
        implied: dict[Unit, set[Order]] = {}
        for orders in list(self._legal.values()):
            for order in orders:
                if not isinstance(order, SupportMove | Convoy):
                    continue
                target = self._units[order.target.province]
                if target.power != order.unit.power or self._has_orders(target):
                    continue
                convoyed = isinstance(order, Convoy)
                implied.setdefault(target, set()).add(
                    Move(target, Location(order.to), via_convoy=convoyed)
                )
        for unit, moves in implied.items():
            if len({province_of(move.to) for move in moves if isinstance(move, Move)}) == 1:
                self._read_order(max(moves, key=str))
                if unit in self._legal:
                    self._choose_followed(unit)
                    self._implied.add(unit)

    def _has_orders(self, unit: Unit) -> bool:
        return unit in self._legal or unit in self._refused

    def _find_disorder(self) -> dict[ProvinceCode, RefusalKey]:
        """Return the provinces with units of powers that gave no orders."""
        ordering = {unit.power for unit in [*self._legal, *self._refused]}
        ordering |= {power_of(result.order) for result in self.void}
        return {
            place: RefusalKey.CIVIL_DISORDER
            for place, unit in self._units.items()
            if unit.power not in ordering
        }

    def _find_trying_to_move(self) -> dict[ProvinceCode, RefusalKey]:
        """Return the provinces of units that were ordered to move but cannot."""
        moving = [unit for unit in self._impossible if isinstance(self._choose(unit), Move)]
        return {
            unit.province: RefusalKey.SUPPORTED_UNIT_MOVES
            for unit in moving
            if unit.location not in self._followed
        }

    def _void_supports(self, unsupportable: Mapping[ProvinceCode, RefusalKey]) -> None:
        for unit in list(self._legal):
            order = self.order_of(unit)
            if isinstance(order, SupportHold) and order.target.province in unsupportable:
                del self._legal[unit], self._followed[unit.location]
                self._refused[unit] = self._void(order, unsupportable[order.target.province])


def _clarify(orders: Iterable[Order]) -> list[Order]:
    """Return `orders` with missing coasts of fleet moves taken from supports by the same power."""
    listed = list(orders)
    coasts = {
        (order.unit.power, order.target.province, province_of(order.to)): order.to
        for order in sorted((o for o in listed if isinstance(o, SupportMove)), key=str)
        if "/" in order.to
    }
    return [
        Move(order.unit, coasts.get(_move_key(order), order.to), order.via_convoy)
        if isinstance(order, Move) and order.unit.kind is UnitKind.FLEET and "/" not in order.to
        else order
        for order in listed
    ]


def _move_key(move: Move) -> tuple[Power, ProvinceCode, ProvinceCode]:
    return move.unit.power, move.unit.province, province_of(move.to)
