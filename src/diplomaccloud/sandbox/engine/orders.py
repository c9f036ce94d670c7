"""The orders of a state: what can be ordered, and setting one order or many at once."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

from diplomaccloud.judge.adjustments import adjustments_owed
from diplomaccloud.judge.board import Board, Location, Power, UnitKind, province_of
from diplomaccloud.judge.convoy_routes import convoy_goals, fleets_at_sea
from diplomaccloud.judge.geography import geography
from diplomaccloud.judge.legality.legal_orders import legal_orders
from diplomaccloud.judge.legality.reader import Reader
from diplomaccloud.judge.legality.refusal import Refusal
from diplomaccloud.judge.orders import (
    Convoy,
    Hold,
    Move,
    Order,
    SupportHold,
    SupportMove,
    Waive,
    power_of,
)
from diplomaccloud.judge.phases import Stage
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.rules import RuleSet
from diplomaccloud.judge.units import Unit
from diplomaccloud.sandbox.engine.state import SandboxError, SandboxState, replay

MAX_UNITS_LISTED = 100
"""With more units on the board, the list of all legal orders takes seconds."""

MAX_CANDIDATES = 600
"""How many orders of one unit to try on such a board."""


@dataclass(frozen=True, slots=True)
class OrderLine:
    """A line for an order: a unit, or a build or disband by its `number` from 1.

    `owed` is the total number of builds (positive) or disbands (negative) of its power.
    """

    power: Power
    unit: Unit | None
    order: Order | None
    number: int = 0
    owed: int = 0

    @property
    def key(self) -> str:
        """The name of the line in forms: `FRANCE A PAR`, `FRANCE 2`."""
        return f"{self.power} {self.unit or self.number}"


def list_lines(board: Board, position: Position, orders: Iterable[Order]) -> tuple[OrderLine, ...]:
    """Return the lines of `position` with their orders, by power in board order."""
    given = tuple(orders)
    by_unit = {order.unit: order for order in given if not isinstance(order, Waive)}
    lines: list[OrderLine] = []
    stage = position.phase.stage
    for info in board.powers:
        power = info.power
        if stage is Stage.ADJUSTMENTS:
            owed = adjustments_owed(board, position, power)
            own = [order for order in given if power_of(order) == power]
            for number in range(1, abs(owed) + 1):
                order = own[number - 1] if number <= len(own) else None
                lines.append(OrderLine(power, None, order, number, owed))
            continue
        standing = position.units_of(power)
        if stage is Stage.RETREATS:
            standing = tuple(entry.unit for entry in position.dislodged_of(power))
        lines += [OrderLine(power, unit, by_unit.get(unit)) for unit in standing]
    return tuple(lines)


def list_unit_orders(
    board: Board, position: Position, line: OrderLine, rules: RuleSet
) -> tuple[Order, ...]:
    """Return the legal orders for a line.

    On a board with more than `MAX_UNITS_LISTED` units, rare supports and convoys are left out; see
    `is_list_complete`.
    """
    if line.unit is None:
        return legal_orders(board, position, line.power, rules)
    if position.phase.stage is not Stage.MOVEMENT or is_list_complete(position):
        listed = legal_orders(board, position, line.power, rules)
        return tuple(o for o in listed if not isinstance(o, Waive) and o.unit == line.unit)
    reader = Reader(board, position, rules)
    candidates = islice(_list_candidates(board, position, line.unit), MAX_CANDIDATES)
    return tuple(
        order for order in candidates if isinstance(order, Convoy) or _read(reader, order) == order
    )


def is_list_complete(position: Position) -> bool:
    """Return whether `list_unit_orders` leaves nothing out."""
    return len(position.units) <= MAX_UNITS_LISTED


def _read(reader: Reader, order: Order) -> Order | None:
    """Return `order` as the judge reads it; None if it is not legal."""
    try:
        return reader.read(power_of(order), order)
    except Refusal:
        return None


def _list_candidates(board: Board, position: Position, unit: Unit) -> Iterator[Order]:
    """Yield possible orders for `unit`, the usual ones first; its convoys are all legal."""
    yield Hold(unit)
    destinations = sorted(board.destinations(unit.kind, unit.location))
    for to in destinations:
        yield Move(unit, to)
    reach = board.reach(unit.kind, unit.location)
    near = [other for other in position.units if other.province in reach]
    for other in near:
        yield SupportHold(unit, other)
    for other in position.units:
        if other != unit:
            for to in sorted(board.destinations(other.kind, other.location)):
                if province_of(to) in reach:
                    yield SupportMove(unit, other, to)
    yield from _list_by_sea(board, position, unit)


def _list_by_sea(board: Board, position: Position, unit: Unit) -> Iterator[Order]:
    fleets = fleets_at_sea(board, position)
    if unit.kind is UnitKind.ARMY:
        near = board.reach(unit.kind, unit.location)
        for goal in sorted(convoy_goals(board, fleets, unit.province)):
            yield Move(unit, Location(goal), via_convoy=goal in near)
    elif unit.province in fleets:
        # Only convoys by this fleet alone, because finding longer chains takes too long.
        carries = geography(board).carriers[unit.province]
        goals = sorted(carries & geography(board).ports)
        for army in position.units:
            if army.kind is UnitKind.ARMY and army.province in carries:
                for goal in goals:
                    if goal != army.province:
                        yield Convoy(unit, army, goal)


def set_order(
    board: Board, state: SandboxState, line: OrderLine, order: Order | None
) -> SandboxState:
    """Return the state with a line's order replaced, or removed if it is None.

    Raises `SandboxError` if a build or disband in the same place is already ordered.
    """
    if line.unit is not None:
        others = tuple(o for o in state.orders if isinstance(o, Waive) or o.unit != line.unit)
        return state.with_orders(others if order is None else (*others, order))
    own = [o for o in state.orders if power_of(o) == line.power]
    rest = tuple(o for o in state.orders if power_of(o) != line.power)
    at = line.number - 1
    kept = [o for number, o in enumerate(own) if number != at]
    if order is not None:
        if not isinstance(order, Waive) and any(
            not isinstance(o, Waive) and o.unit.province == order.unit.province for o in kept
        ):
            name = board.by_code[order.unit.province].name
            raise SandboxError(f"{name} is already in another order of this country.")
        kept.insert(at, order)
    return state.with_orders((*rest, *kept))


def merge_orders(board: Board, state: SandboxState, orders: Iterable[Order]) -> SandboxState:
    """Return the state with `orders`, which replace those for the same units.

    In an adjustment phase they replace all orders of the same powers.
    """
    new = tuple(orders)
    if replay(board, state).position.phase.stage is Stage.ADJUSTMENTS:
        powers = {power_of(order) for order in new}
        kept = tuple(order for order in state.orders if power_of(order) not in powers)
    else:
        units = {order.unit for order in new if not isinstance(order, Waive)}
        kept = tuple(o for o in state.orders if isinstance(o, Waive) or o.unit not in units)
    return state.with_orders((*kept, *new))


def clear_orders(state: SandboxState, power: Power | None = None) -> SandboxState:
    """Return the state without the orders of `power`, or without any orders."""
    if power is None:
        return state.with_orders(())
    return state.with_orders(tuple(order for order in state.orders if power_of(order) != power))


def keep_legal(
    board: Board, position: Position, orders: Iterable[Order], rules: RuleSet
) -> tuple[Order, ...]:
    """Return the `orders` that are legal in `position`."""
    reader = Reader(board, position, rules)
    return tuple(order for order in orders if _read(reader, order) is not None)


def open_position(
    board: Board, position: Position, orders: Iterable[Order], edition: str
) -> SandboxState:
    """Return the state for a phase of a game: its position and its legal orders."""
    first: dict[object, Order] = {}
    state = SandboxState(position, edition=edition)
    for number, order in enumerate(keep_legal(board, position, orders, state.rules)):
        first.setdefault(number if isinstance(order, Waive) else order.unit, order)
    return state.with_orders(tuple(first.values()))
