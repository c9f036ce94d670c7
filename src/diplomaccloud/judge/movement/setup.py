"""Matches the orders of a phase with each other: supports, convoys, head-to-head battles."""

from collections.abc import Iterable, Sequence, Set

from diplomaccloud.judge.board import Board, UnitKind, province_of
from diplomaccloud.judge.movement.convoy import chain_exists
from diplomaccloud.judge.movement.state import NOWHERE, Battle
from diplomaccloud.judge.orders import Convoy, Move, MovementOrder, SupportHold, SupportMove
from diplomaccloud.judge.rules import ConvoyIntent, ConvoyPath, RuleSet
from diplomaccloud.judge.units import Unit


def set_up(
    board: Board,
    rules: RuleSet,
    orders: Iterable[MovementOrder],
    overland: Set[Unit] = frozenset(),
) -> Battle:
    """Return the battle of `orders`: legal ones, exactly one for each unit on the board.

    `overland` are armies that must take the land route although a convoy is ordered.
    """
    listed = list(orders)
    size = len(listed)
    units = [order.unit for order in listed]
    provinces = [unit.province for unit in units]
    battle = Battle(
        board=board,
        rules=rules,
        units=units,
        orders=listed,
        provinces=provinces,
        powers=[unit.power for unit in units],
        at={province: i for i, province in enumerate(provinces)},
        goals=[NOWHERE] * size,
        rivals={},
        facing=[None] * size,
        backers=[[] for _ in range(size)],
        focus=[NOWHERE] * size,
        routes=[None] * size,
        cargo=[None] * size,
        moves=[False] * size,
        given=[False] * size,
        sails=[False] * size,
        drowned=set(),
        stayed=set(),
    )
    supports, convoys = _sort_orders(battle)
    _choose_routes(battle, convoys, overland)
    for i, support in supports:
        _match_support(battle, i, support)
    for movers in battle.rivals.values():
        for i in movers:
            battle.facing[i] = _opponent(battle, i)
    return battle


def _sort_orders(
    battle: Battle,
) -> tuple[list[tuple[int, SupportHold | SupportMove]], list[tuple[int, Convoy]]]:
    supports: list[tuple[int, SupportHold | SupportMove]] = []
    convoys: list[tuple[int, Convoy]] = []
    for i, order in enumerate(battle.orders):
        if isinstance(order, Move):
            goal = province_of(order.to)
            battle.goals[i] = goal
            battle.moves[i] = None
            battle.rivals.setdefault(goal, []).append(i)
        elif isinstance(order, Convoy):
            convoys.append((i, order))
        elif isinstance(order, SupportHold | SupportMove):
            supports.append((i, order))
    return supports, convoys


def _match_support(battle: Battle, i: int, order: SupportHold | SupportMove) -> None:
    target = battle.at[order.target.province]
    if isinstance(order, SupportHold):
        if battle.goals[target]:
            return
        battle.focus[i] = battle.provinces[target]
    else:
        if not _same_move(battle.orders[target], order):
            return
        route = battle.routes[target]
        if route is not None and not chain_exists(battle, target, route):
            return
        battle.focus[i] = battle.goals[target]
    battle.backers[target].append(i)
    battle.given[i] = None


def _same_move(move: MovementOrder, support: SupportMove) -> bool:
    """Return whether `support` names the goal of `move`, or leaves only its coast out."""
    if not isinstance(move, Move):
        return False
    return move.to == support.to or str(province_of(move.to)) == support.to


def _opponent(battle: Battle, i: int) -> int | None:
    """Return the unit that comes the other way, both by land or sea and not by convoy."""
    other = battle.at.get(battle.goals[i])
    if other is None or battle.goals[other] != battle.provinces[i]:
        return None
    if battle.routes[i] is not None or battle.routes[other] is not None:
        return None
    return other


def _choose_routes(battle: Battle, convoys: list[tuple[int, Convoy]], overland: Set[Unit]) -> None:
    """Match convoys with armies, and choose each army's route (DATC 4.A.3)."""
    carriers: dict[int, list[int]] = {}
    for i, convoy in convoys:
        army = battle.at[convoy.target.province]
        if battle.goals[army] == convoy.to:
            carriers.setdefault(army, []).append(i)
    for i, order in enumerate(battle.orders):
        if not isinstance(order, Move) or order.unit.kind is not UnitKind.ARMY:
            continue
        fleets = _allowed(battle, order, carriers.get(i, ()))
        if not _goes_by_convoy(battle, i, order, fleets, overland):
            continue
        battle.routes[i] = fleets
        for fleet in fleets:
            battle.cargo[fleet] = i
            battle.sails[fleet] = None


def _allowed(battle: Battle, order: Move, fleets: Sequence[int]) -> tuple[int, ...]:
    """Return the fleets that may carry the army, by the path that it names (DATC 4.A.6)."""
    rule = battle.rules.convoy_path
    if rule is ConvoyPath.IGNORED or (rule is ConvoyPath.ALLOWED and not order.path):
        return tuple(fleets)
    return tuple(fleet for fleet in fleets if battle.provinces[fleet] in order.path)


def _goes_by_convoy(
    battle: Battle, i: int, order: Move, fleets: tuple[int, ...], overland: Set[Unit]
) -> bool:
    goal = battle.goals[i]
    if goal not in battle.board.army_neighbors[battle.provinces[i]]:
        return True
    if order.unit in overland or not (fleets or order.via_convoy):
        return False
    intent = battle.rules.convoy_intent
    if intent is ConvoyIntent.VIA:
        return order.via_convoy
    meant = order.via_convoy or any(battle.powers[f] == battle.powers[i] for f in fleets)
    if intent is ConvoyIntent.OWN_FLEET_OR_VIA:
        return meant
    other = battle.at.get(goal)
    if other is not None and battle.goals[other] == battle.provinces[i]:
        own = battle.powers[other] == battle.powers[i]
        meant = meant or own or intent is not ConvoyIntent.OWN_ORDERS
    elif intent is ConvoyIntent.SWAP:
        return False
    whole = chain_exists(battle, i, fleets)
    return whole and (meant or intent is ConvoyIntent.EITHER_ROUTE)
