"""Whether an order is the one that was agreed on, or breaks a lasting promise."""

from collections.abc import Collection, Sequence

from diplomaccloud.deals.terms import Zone
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
from diplomaccloud.judge.units import Unit


def is_same_order(agreed: Order, given: Order) -> bool:
    """Return whether the order `given` fulfills the one `agreed` on.

    The route of a move is ignored, and so is a coast that the agreed order leaves out. In supports,
    coasts are always ignored.
    """
    if isinstance(agreed, Waive) or isinstance(given, Waive) or agreed.unit != given.unit:
        return agreed == given
    match agreed, given:
        case (Move(_, to), Move(_, went)) | (Retreat(_, to), Retreat(_, went)):
            return went == to or ("/" not in to and province_of(went) == province_of(to))
        case SupportHold(_, target), SupportHold(_, helped):
            return _is_same_unit(target, helped)
        case SupportMove(_, target, to), SupportMove(_, helped, went):
            return _is_same_unit(target, helped) and province_of(to) == province_of(went)
        case Convoy(_, target, to), Convoy(_, helped, went):
            return _is_same_unit(target, helped) and to == went
    return agreed == given


def _is_same_unit(unit: Unit, second: Unit) -> bool:
    return unit.province == second.province and unit.power == second.power


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
        case Retreat(_, to) | Move(_, to):
            return province_of(to) in zone
    unit = order.unit
    may_leave = unit.province in zone and bool(board.reach(unit.kind, unit.location) - zone)
    return may_leave or find_goal(order) in zone


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
