"""The orders of one phase after reading: which order each unit follows, and which are void."""

from collections.abc import Iterable, Mapping

from diplomaccloud.judge.board import Board, Location, Power, ProvinceCode, UnitKind, province_of
from diplomaccloud.judge.legality.reader import Reader, Refusal
from diplomaccloud.judge.orders import (
    Convoy,
    Move,
    Order,
    SupportHold,
    SupportMove,
    Waive,
    power_of,
)
from diplomaccloud.judge.phases import Stage
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.results import OrderResult, Outcome
from diplomaccloud.judge.rules import DEFAULT, Lapse, Pick, RuleSet
from diplomaccloud.judge.units import Unit


class Sheet:
    """Legal orders by unit, and void results, for units that move or retreat."""

    def __init__(
        self, board: Board, position: Position, orders: Iterable[Order], rules: RuleSet = DEFAULT
    ) -> None:
        self._rules = rules
        self._reader = Reader(board, position, rules)
        self._may_lapse = Lapse.UNLESS_ANOTHER in {rules.kind_wrong, rules.nationality_wrong}
        self._legal: dict[Unit, list[Order]] = {}
        self._refused: dict[Unit, OrderResult] = {}
        self._impossible: dict[Unit, set[Order]] = {}
        self._lapsed: set[Order] = set()
        self._implied: set[Unit] = set()
        self._followed: dict[Unit, Order] = {}
        self.void: list[OrderResult] = []
        self._units = {unit.province: unit for unit in position.units}
        if position.phase.stage is Stage.RETREATS:
            self._units = {one.unit.province: one.unit for one in position.dislodged}
        listed = _clarified(orders) if rules.orders_clarify else orders
        for order in listed:
            self._read(order)
        for unit, found in self._legal.items():
            if len(found) == 1 and not self._impossible:
                self._followed[unit] = found[0]
            else:
                self._settle(unit)
        if position.phase.stage is Stage.MOVEMENT:
            self._apply_switches()

    def _read(self, order: Order) -> None:
        power = power_of(order)
        try:
            legal = self._reader.read(power, order)
        except Refusal as refusal:
            self._refuse(power, order, str(refusal))
            return
        if isinstance(legal, Waive):
            return
        found = self._legal.setdefault(legal.unit, [])
        if legal not in found:
            found.append(legal)
        elif self._rules.several_orders is Pick.LAST:
            found.remove(legal)
            found.append(legal)
        if order is not legal and self._may_lapse and self._reader.lapses(order):
            self._lapsed.add(legal)

    def _refuse(self, power: Power, order: Order, why: str) -> None:
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
        """Return the legal order that `unit` follows, if there is one."""
        return self._followed.get(unit)

    def _settle(self, unit: Unit) -> None:
        chosen = self._chosen(unit)
        if chosen is not None and chosen not in self._impossible.get(unit, ()):
            self._followed[unit] = chosen

    def _chosen(self, unit: Unit) -> Order | None:
        """Return the order that counts, be it impossible, or `None` if it is not the only one."""
        found = self._candidates(unit)
        if len(found) == 1:
            return found[0]
        match self._rules.several_orders:
            case Pick.NONE:
                return None
            case Pick.FIRST:
                return found[0]
            case Pick.LAST:
                return found[-1]

    def _candidates(self, unit: Unit) -> list[Order]:
        found = self._legal.get(unit, [])
        if not self._lapsed or len(found) < 2:
            return found
        return [order for order in found if order not in self._lapsed] or found

    def refusal_of(self, unit: Unit) -> OrderResult | None:
        """Return the void result of a unit that got no legal order or several."""
        if unit in self._followed:
            return None
        found = self._candidates(unit)
        if len(found) < 2:
            return self._refused.get(unit)
        return OrderResult(min(found, key=str), Outcome.VOID, "It was given different orders.")

    def is_implied(self, unit: Unit) -> bool:
        """Return whether nobody wrote the order of `unit`: another order implies it (4.E.3)."""
        return unit in self._implied

    # Switches that only some rule sets turn.

    def _apply_switches(self) -> None:
        if self._rules.implicit_orders:
            self._add_implied()
        deaf: dict[ProvinceCode, str] = {}
        if not self._rules.disorder_supportable:
            deaf |= self._in_disorder()
        if self._rules.illegal_orders_count:
            deaf |= self._trying_to_move()
        if deaf:
            self._void_supports(deaf)

    def _add_implied(self) -> None:
        """Give a unit without orders the one move that orders of its own power imply."""
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
                self._read(max(moves, key=str))
                if unit in self._legal:
                    self._settle(unit)
                    self._implied.add(unit)

    def _has_orders(self, unit: Unit) -> bool:
        return unit in self._legal or unit in self._refused

    def _in_disorder(self) -> dict[ProvinceCode, str]:
        busy = {unit.power for unit in [*self._legal, *self._refused]}
        busy |= {power_of(result.order) for result in self.void}
        return {
            place: "A power in civil disorder cannot be supported."
            for place, unit in self._units.items()
            if unit.power not in busy
        }

    def _trying_to_move(self) -> dict[ProvinceCode, str]:
        moving = [u for u in self._impossible if isinstance(self._chosen(u), Move)]
        return {
            unit.province: "The unit to be supported was ordered to move."
            for unit in moving
            if unit not in self._followed
        }

    def _void_supports(self, deaf: Mapping[ProvinceCode, str]) -> None:
        for unit in list(self._legal):
            order = self.order_of(unit)
            if isinstance(order, SupportHold) and order.target.province in deaf:
                del self._legal[unit], self._followed[unit]
                why = deaf[order.target.province]
                self._refused[unit] = OrderResult(order, Outcome.VOID, why)


def _clarified(orders: Iterable[Order]) -> list[Order]:
    """Return `orders` with the coast of a fleet's move taken from its own power's support."""
    listed = list(orders)
    told = {
        (one.unit.power, one.target.province, province_of(one.to)): one.to
        for one in sorted((o for o in listed if isinstance(o, SupportMove)), key=str)
        if "/" in one.to
    }
    return [
        Move(one.unit, told.get(_way(one), one.to), one.via_convoy)
        if isinstance(one, Move) and one.unit.kind is UnitKind.FLEET and "/" not in one.to
        else one
        for one in listed
    ]


def _way(move: Move) -> tuple[Power, ProvinceCode, ProvinceCode]:
    return move.unit.power, move.unit.province, province_of(move.to)
