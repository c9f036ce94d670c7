"""Matches the orders of a phase: supports, convoys, head-to-head battles."""

from collections.abc import Iterable, Sequence
from typing import Any

from diplomaccloud.judge.board import Board, ProvinceCode, UnitKind, province_of
from diplomaccloud.judge.convoy_routes import convoy_fleets
from diplomaccloud.judge.movement.convoy import chain_exists
from diplomaccloud.judge.movement.state import NOWHERE, MovementState
from diplomaccloud.judge.orders import (
    Convoy,
    Hold,
    Move,
    MovementOrder,
    SupportHold,
    SupportMove,
)
from diplomaccloud.judge.rules import ConvoyIntent, ConvoyPath, RuleSet, ViaWithoutConvoy

_ARMY = UnitKind.ARMY

_LAND_ROUTE_REMAINS = {ConvoyIntent.SWAP, ConvoyIntent.EITHER_ROUTE}


def may_reroute(rules: RuleSet) -> bool:
    """Return whether an army whose convoy failed may take the land route instead."""
    return rules.land_behind_convoy or rules.convoy_intent in _LAND_ROUTE_REMAINS


def set_up_movement(board: Board, rules: RuleSet, orders: Iterable[MovementOrder]) -> MovementState:
    """Return `orders`, which must be legal and one for each unit, matched with each other."""
    listed = list(orders)
    size = len(listed)
    units = [order.unit for order in listed]
    # The same as `unit.province`, without the call.
    provinces = [
        ProvinceCode(province_of(unit.location) if "/" in unit.location else unit.location)
        for unit in units
    ]
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
        land_behind=set(),
        move_ok=[False] * size,
        support_ok=[False] * size,
        convoy_ok=[False] * size,
        paradox_failed=set(),
        paradox_stopped=set(),
    )
    supports, convoys = _sort_orders(movement)
    _choose_routes(movement, convoys)
    for i, support in supports:
        _match_support(movement, i, support)
    at, goals = movement.at, movement.goals
    for goal, movers in movement.rivals.items():
        other = at.get(goal)
        if other is not None and goals[other]:
            for i in movers:
                movement.opponent[i] = _find_opponent(movement, i, other)
    return movement


def _sort_orders(
    movement: MovementState,
) -> tuple[list[tuple[int, SupportHold | SupportMove]], list[tuple[int, Convoy]]]:
    supports: list[tuple[int, SupportHold | SupportMove]] = []
    convoys: list[tuple[int, Convoy]] = []
    goals, move_ok, rivals = movement.goals, movement.move_ok, movement.rivals
    order: Any
    for i, order in enumerate(movement.orders):
        # Not `isinstance`, which is slower, because this runs for each order.
        kind = type(order)
        if kind is Move:
            to = order.to
            goal = goals[i] = province_of(to) if "/" in to else ProvinceCode(to)
            move_ok[i] = None
            movers = rivals.get(goal)
            if movers is None:
                rivals[goal] = [i]
            else:
                movers.append(i)
        elif kind is Convoy:
            convoys.append((i, order))
        elif kind is not Hold:
            supports.append((i, order))
    return supports, convoys


def _match_support(movement: MovementState, i: int, order: SupportHold | SupportMove) -> None:
    target = movement.at[order.target.province]
    goal = movement.goals[target]
    if isinstance(order, SupportHold):
        if goal:
            return
        movement.support_into[i] = movement.provinces[target]
    else:
        if not goal or not _same_move(movement.orders[target], order):
            return
        route = movement.routes[target]
        if route is not None and not chain_exists(movement, target, route):
            return
        movement.support_into[i] = goal
    movement.supporters[target].append(i)
    movement.support_ok[i] = None


def _same_move(move: MovementOrder, support: SupportMove) -> bool:
    """Return whether `support` names the goal of `move`, with or without its coast."""
    if not isinstance(move, Move):
        return False
    return move.to == support.to or str(province_of(move.to)) == support.to


def _find_opponent(movement: MovementState, i: int, other: int) -> int | None:
    """Return the unit at the goal of `i` if it moves the opposite way and both may go by land."""
    if movement.goals[other] != movement.provinces[i]:
        return None
    for side in (i, other):
        if movement.routes[side] is not None and side not in movement.land_behind:
            return None
    return other


def _choose_routes(movement: MovementState, convoys: list[tuple[int, Convoy]]) -> None:
    """Match convoys with armies, and choose each army's route (DATC 4.A.3)."""
    carriers: dict[int, list[int]] = {}
    for i, convoy in convoys:
        army = movement.at[convoy.target.province]
        if movement.goals[army] == convoy.to:
            carriers.setdefault(army, []).append(i)
    reroutes, near = may_reroute(movement.rules), movement.board.army_neighbors
    provinces, goals, units = movement.provinces, movement.goals, movement.units
    # The order of the units does not affect the results.
    for i, goal in enumerate(goals):
        if not goal or units[i].kind is not _ARMY:
            continue
        order: Any = movement.orders[i]
        if i not in carriers and not order.via_convoy and goal in near[provinces[i]]:
            continue
        fleets = _allowed_fleets(movement, order, carriers.get(i, ()))
        if not _goes_by_convoy(movement, i, order, fleets):
            continue
        movement.routes[i] = fleets
        if reroutes and movement.goals[i] in near[movement.provinces[i]]:
            movement.land_behind.add(i)
        for fleet in fleets:
            movement.cargo[fleet] = i
            movement.convoy_ok[fleet] = None


def _allowed_fleets(movement: MovementState, order: Move, fleets: Sequence[int]) -> tuple[int, ...]:
    """Return the fleets that may convoy the army on the path in its order (DATC 4.A.6)."""
    rule = movement.rules.convoy_path
    if rule is ConvoyPath.IGNORED or (rule is ConvoyPath.ALLOWED and not order.path):
        return tuple(fleets)
    return tuple(fleet for fleet in fleets if movement.provinces[fleet] in order.path)


def _goes_by_convoy(movement: MovementState, i: int, order: Move, fleets: tuple[int, ...]) -> bool:
    """Return whether the army goes by convoy, or tries that first (DATC 4.A.3)."""
    if movement.goals[i] not in movement.board.army_neighbors[movement.provinces[i]]:
        return True
    if not (fleets or order.via_convoy) or not _means_convoy(movement, i, order, fleets):
        return False
    rules = movement.rules
    needs_chain = rules.convoy_intent in _NEEDS_CHAIN or rules.land_behind_convoy
    return not needs_chain or chain_exists(movement, i, fleets)


_NEEDS_CHAIN = {ConvoyIntent.SWAP, ConvoyIntent.OWN_ORDERS, ConvoyIntent.EITHER_ROUTE}


def _means_convoy(movement: MovementState, i: int, order: Move, fleets: tuple[int, ...]) -> bool:
    """Return whether the orders show intent to convoy the army."""
    intent, power = movement.rules.convoy_intent, movement.powers[i]
    if intent is ConvoyIntent.VIA:
        return order.via_convoy and _via_counts(movement, i, fleets)
    if intent is ConvoyIntent.EITHER_ROUTE:
        return True
    other = movement.at.get(movement.goals[i])
    swaps = other is not None and movement.goals[other] == movement.provinces[i]
    if intent is ConvoyIntent.SWAP:
        return swaps
    if order.via_convoy and _via_counts(movement, i, fleets):
        return True
    if any(movement.powers[fleet] == power for fleet in _intended_fleets(movement, i, fleets)):
        return True
    own = other is not None and swaps and movement.powers[other] == power
    return own and intent is ConvoyIntent.OWN_ORDERS


def _via_counts(movement: MovementState, i: int, fleets: tuple[int, ...]) -> bool:
    """Return whether "via convoy" counts, even if no convoy may have been ordered (6.G.8)."""
    if movement.rules.via_without_convoy is ViaWithoutConvoy.HOLD:
        return True
    return chain_exists(movement, i, fleets)


def _intended_fleets(movement: MovementState, i: int, fleets: tuple[int, ...]) -> tuple[int, ...]:
    """Return the fleets that show intent if they belong to the army's own power."""
    if not movement.rules.intent_needs_chain:
        return fleets
    seas = frozenset(movement.provinces[fleet] for fleet in fleets)
    on_route = convoy_fleets(movement.board, seas, movement.provinces[i])
    needed = on_route.get(movement.goals[i], frozenset())
    return tuple(fleet for fleet in fleets if movement.provinces[fleet] in needed)
