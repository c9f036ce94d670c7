"""Matches the orders of a phase with each other: supports, convoys, head-to-head battles."""

from collections.abc import Iterable, Sequence, Set

from diplomaccloud.judge.board import Board, UnitKind, province_of
from diplomaccloud.judge.movement.convoy import chain_exists
from diplomaccloud.judge.movement.state import NOWHERE, MovementState
from diplomaccloud.judge.orders import Convoy, Move, MovementOrder, SupportHold, SupportMove
from diplomaccloud.judge.rules import ConvoyIntent, ConvoyPath, RuleSet
from diplomaccloud.judge.units import Unit


def set_up_movement(
    board: Board,
    rules: RuleSet,
    orders: Iterable[MovementOrder],
    overland: Set[Unit] = frozenset(),
) -> MovementState:
    """Return `orders` matched with each other: legal ones, exactly one for each unit on the board.

    `overland` are armies that must take the land route although a convoy is ordered.
    """
    listed = list(orders)
    size = len(listed)
    units = [order.unit for order in listed]
    provinces = [unit.province for unit in units]
    movement = MovementState(
        board=board,
        rules=rules,
        units=units,
        orders=listed,
        provinces=provinces,
        powers=[unit.power for unit in units],
        at={province: i for i, province in enumerate(provinces)},
        goals=[NOWHERE] * size,
        rivals={},
        opponent=[None] * size,
        supporters=[[] for _ in range(size)],
        support_into=[NOWHERE] * size,
        routes=[None] * size,
        cargo=[None] * size,
        move_ok=[False] * size,
        support_ok=[False] * size,
        convoy_ok=[False] * size,
        paradox_failed=set(),
        paradox_stopped=set(),
    )
    supports, convoys = _sort_orders(movement)
    _choose_routes(movement, convoys, overland)
    for i, support in supports:
        _match_support(movement, i, support)
    for movers in movement.rivals.values():
        for i in movers:
            movement.opponent[i] = _find_opponent(movement, i)
    return movement


# A tuple, because `isinstance` takes a fifth of the time that it takes with a union.
_SUPPORTS = (SupportHold, SupportMove)


def _sort_orders(
    movement: MovementState,
) -> tuple[list[tuple[int, SupportHold | SupportMove]], list[tuple[int, Convoy]]]:
    supports: list[tuple[int, SupportHold | SupportMove]] = []
    convoys: list[tuple[int, Convoy]] = []
    goals, move_ok, rivals = movement.goals, movement.move_ok, movement.rivals
    for i, order in enumerate(movement.orders):
        if isinstance(order, Move):
            goal = province_of(order.to)
            goals[i] = goal
            move_ok[i] = None
            rivals.setdefault(goal, []).append(i)
        elif isinstance(order, Convoy):
            convoys.append((i, order))
        elif isinstance(order, _SUPPORTS):
            supports.append((i, order))
    return supports, convoys


def _match_support(movement: MovementState, i: int, order: SupportHold | SupportMove) -> None:
    target = movement.at[order.target.province]
    if isinstance(order, SupportHold):
        if movement.goals[target]:
            return
        movement.support_into[i] = movement.provinces[target]
    else:
        if not _same_move(movement.orders[target], order):
            return
        route = movement.routes[target]
        if route is not None and not chain_exists(movement, target, route):
            return
        movement.support_into[i] = movement.goals[target]
    movement.supporters[target].append(i)
    movement.support_ok[i] = None


def _same_move(move: MovementOrder, support: SupportMove) -> bool:
    """Return whether `support` names the goal of `move`, or names it without its coast."""
    if not isinstance(move, Move):
        return False
    return move.to == support.to or str(province_of(move.to)) == support.to


def _find_opponent(movement: MovementState, i: int) -> int | None:
    """Return the unit that moves the other way, if neither goes by convoy."""
    other = movement.at.get(movement.goals[i])
    if other is None or movement.goals[other] != movement.provinces[i]:
        return None
    if movement.routes[i] is not None or movement.routes[other] is not None:
        return None
    return other


def _choose_routes(
    movement: MovementState, convoys: list[tuple[int, Convoy]], overland: Set[Unit]
) -> None:
    """Match convoys with armies, and choose each army's route (DATC 4.A.3)."""
    carriers: dict[int, list[int]] = {}
    for i, convoy in convoys:
        army = movement.at[convoy.target.province]
        if movement.goals[army] == convoy.to:
            carriers.setdefault(army, []).append(i)
    for i, order in enumerate(movement.orders):
        if not isinstance(order, Move) or order.unit.kind is not UnitKind.ARMY:
            continue
        fleets = _allowed_fleets(movement, order, carriers.get(i, ()))
        if not _goes_by_convoy(movement, i, order, fleets, overland):
            continue
        movement.routes[i] = fleets
        for fleet in fleets:
            movement.cargo[fleet] = i
            movement.convoy_ok[fleet] = None


def _allowed_fleets(movement: MovementState, order: Move, fleets: Sequence[int]) -> tuple[int, ...]:
    """Return the fleets that may carry the army, by the path that its order names (DATC 4.A.6)."""
    rule = movement.rules.convoy_path
    if rule is ConvoyPath.IGNORED or (rule is ConvoyPath.ALLOWED and not order.path):
        return tuple(fleets)
    return tuple(fleet for fleet in fleets if movement.provinces[fleet] in order.path)


def _goes_by_convoy(
    movement: MovementState, i: int, order: Move, fleets: tuple[int, ...], overland: Set[Unit]
) -> bool:
    goal = movement.goals[i]
    if goal not in movement.board.army_neighbors[movement.provinces[i]]:
        return True
    if order.unit in overland or not (fleets or order.via_convoy):
        return False
    intent = movement.rules.convoy_intent
    if intent is ConvoyIntent.VIA:
        return order.via_convoy
    meant = order.via_convoy or any(movement.powers[f] == movement.powers[i] for f in fleets)
    if intent is ConvoyIntent.OWN_FLEET_OR_VIA:
        return meant
    other = movement.at.get(goal)
    if other is not None and movement.goals[other] == movement.provinces[i]:
        own = movement.powers[other] == movement.powers[i]
        meant = meant or own or intent is not ConvoyIntent.OWN_ORDERS
    elif intent is ConvoyIntent.SWAP:
        return False
    whole = chain_exists(movement, i, fleets)
    return whole and (meant or intent is ConvoyIntent.EITHER_ROUTE)
