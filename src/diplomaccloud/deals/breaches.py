"""Orders that break a lasting promise: entering a zone, or attacking a partner."""

from collections.abc import Collection, Sequence

from diplomaccloud.deals.clauses import Zone
from diplomaccloud.judge.board import Board, Power, ProvinceCode, province_of
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
from diplomaccloud.judge.position import Position


def find_entry(zone: Zone, orders: Sequence[Order], board: Board) -> Order | None:
    """Return the first of a power's orders that breaks its promise to stay out of the zone.

    A unit inside must be ordered to leave, unless it can only move to other places in the zone.
    """
    provinces = frozenset(zone.provinces)
    return next((order for order in orders if _breaks_zone(order, provinces, board)), None)


def _breaks_zone(order: Order, zone: frozenset[ProvinceCode], board: Board) -> bool:
    match order:
        case Waive() | Disband():
            return False
        case Build(unit):
            return unit.province in zone
        case Retreat(_, to):
            return province_of(to) in zone
    goal = find_goal(order)
    if goal is not None and goal in zone:
        return True
    if isinstance(order, Move) or order.unit.province not in zone:
        return False
    return bool(board.reach(order.unit.kind, order.unit.location) - zone)


def find_goal(order: Order) -> ProvinceCode | None:
    """Return the province that an order enters, or helps to hold or enter; None for a hold."""
    match order:
        case Move(_, to) | SupportMove(_, _, to) | Convoy(_, _, to):
            return province_of(to)
        case SupportHold(_, target):
            return target.province
        case Hold() | Retreat() | Disband() | Build() | Waive():
            return None


def find_attack(
    partners: Collection[Power], orders: Sequence[Order], position: Position
) -> Order | None:
    """Return the first of a power's orders that moves, or helps a move, into a partner's province.

    A partner's provinces are its centers and those with its units. Supporting the partner's own
    moves is not an attack on it.
    """
    return next((order for order in orders if _is_attack(order, set(partners), position)), None)


def _is_attack(order: Order, partners: set[Power], position: Position) -> bool:
    match order:
        case Move(_, to):
            return not partners.isdisjoint(_find_holders(province_of(to), position))
        case SupportMove(_, target, to) | Convoy(_, target, to):
            others = partners - {target.power}
            return not others.isdisjoint(_find_holders(province_of(to), position))
        case _:
            return False


def _find_holders(code: ProvinceCode, position: Position) -> list[Power]:
    """Return the powers that own the province's center or have a unit there."""
    unit, owner = position.unit_in(code), position.centers.get(code)
    holders = [] if unit is None else [unit.power]
    return holders if owner is None else [*holders, owner]
