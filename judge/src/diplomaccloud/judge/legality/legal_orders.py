"""The orders that may be given in a phase, and the reasons why other orders may not.

The kernel lists movement orders. The reader decides what a written order means.
"""

from collections.abc import Iterator

from diplomaccloud.judge.adjustments import adjustments_owed, build_sites
from diplomaccloud.judge.board import Board, Location, Power, ProvinceCode, UnitKind, province_of
from diplomaccloud.judge.geography import fleets_at_sea
from diplomaccloud.judge.kernel.selection import KERNEL
from diplomaccloud.judge.legality.reader import Reader, Refusal, describe_invalid_order, uses_via
from diplomaccloud.judge.orders import (
    Build,
    Disband,
    Move,
    MovementOrder,
    Order,
    Retreat,
    SupportMove,
    Waive,
    is_order,
)
from diplomaccloud.judge.phases import Stage
from diplomaccloud.judge.position import (
    Position,
    require_arguments,
    require_possible_retreats,
    require_power,
    require_sound_units,
)
from diplomaccloud.judge.rules import DEFAULT, ConvoyPath, RuleSet, SupportCoast, find_rules
from diplomaccloud.judge.units import Unit

ARMY, FLEET = UnitKind.ARMY, UnitKind.FLEET


def legal_orders(
    board: Board, position: Position, power: Power | None = None, rules: RuleSet | str = DEFAULT
) -> tuple[Order, ...]:
    """Return every legal order of `power`, or of all powers, in this phase, sorted by unit.

    Each unit has its hold, moves by land or sea, moves by a convoy that the fleets now at sea
    could carry out, supports and convoys. A move by convoy to an adjacent province is marked
    `via_convoy`, and left out if `rules` ignore the mark; other convoyed moves need no mark. If an
    army must name its seas (DATC 4.A.6), it names all that might be needed. Supports of a fleet
    name its coast, unless `rules` ignore it. A power with nothing to order has no orders. Raises
    `ValueError` for a power that is not on the board, and `PositionError` for units that share a
    province or have no valid place, and for impossible retreats.
    """
    require_arguments(board, position)
    rules = find_rules(rules)
    if position.dislodged:
        require_possible_retreats(board, position)
    if power is not None:
        require_power(board, position, power)
    match position.phase.stage:
        case Stage.MOVEMENT:
            return _list_movement(board, position, power, rules)
        case Stage.RETREATS:
            return tuple(_list_retreats(position, power))
        case Stage.ADJUSTMENTS:
            powers = board.power_info if power is None else (power,)
            return tuple(
                order
                for each in powers
                for order in _list_adjustments(board, position, each, rules)
            )


def why_illegal(
    board: Board, position: Position, power: Power, order: Order, rules: RuleSet | str = DEFAULT
) -> str | None:
    """Return a sentence that says what is wrong with `order`, or `None` if `power` may give it.

    A detail may be left out if only one value is possible, for example a coast if only one is
    within reach. Raises `PositionError` for retreats to where a unit cannot be, and `ValueError`
    for a power that is not on the board.
    """
    require_arguments(board, position, power)
    rules = find_rules(rules)
    require_power(board, position, power)
    require_possible_retreats(board, position)
    if not is_order(order):
        return str(describe_invalid_order(board, order))
    try:
        Reader(board, position, rules).read(power, order)
    except Refusal as refusal:
        return str(refusal)
    return None


# Movement.


def _list_movement(
    board: Board, position: Position, power: Power | None, rules: RuleSet
) -> tuple[Order, ...]:
    orders = KERNEL.list_orders(board, position.units, power)
    if orders is None:
        require_sound_units(board, position)
        raise AssertionError("the kernel does not list orders of sound units")
    if not uses_via(rules):
        orders = tuple(
            [order for order in orders if not (isinstance(order, Move) and order.via_convoy)]
        )
    if rules.support_coast is SupportCoast.IGNORED:
        orders = tuple(dict.fromkeys(map(_leave_out_coast, orders)))
    if rules.convoy_path is ConvoyPath.REQUIRED:
        fleets = fleets_at_sea(board, position.units)
        return tuple(_name_seas(board, fleets, order) for order in orders)
    return orders


def _leave_out_coast(order: MovementOrder) -> MovementOrder:
    """Return `order` without the coast of the move that it supports, if it is such a support."""
    if not isinstance(order, SupportMove) or "/" not in order.to:
        return order
    return SupportMove(order.unit, order.target, Location(province_of(order.to)))


def _name_seas(board: Board, fleets: frozenset[ProvinceCode], order: MovementOrder) -> Order:
    """Return `order` with the seas that its army must name, if it is a move by convoy."""
    if not isinstance(order, Move) or order.unit.kind is FLEET:
        return order
    unit, goal = order.unit, province_of(order.to)
    if not order.via_convoy and goal in board.reach(ARMY, unit.location):
        return order
    seas = KERNEL.find_routes(board, fleets, unit.province)[goal]
    return Move(unit, order.to, order.via_convoy, tuple(sorted(seas)))


# Retreats and adjustments.


def _list_retreats(position: Position, power: Power | None) -> Iterator[Order]:
    for entry in position.dislodged:
        if power in (None, entry.unit.power):
            for to in entry.retreats:
                yield Retreat(entry.unit, to)
            yield Disband(entry.unit)


def _list_adjustments(
    board: Board, position: Position, power: Power, rules: RuleSet
) -> Iterator[Order]:
    owed = adjustments_owed(board, position, power)
    if owed < 0:
        for unit in position.units_of(power):
            yield Disband(unit)
    if owed <= 0:
        return
    sites = build_sites(board, position, power)
    units = [Unit(ARMY, Location(code), power) for code in sites] + [
        Unit(FLEET, place, power) for code in sites for place in board.by_code[code].fleet_locations
    ]
    for unit in sorted(units):
        yield Build(unit)
    if rules.may_waive:
        yield Waive(power)
