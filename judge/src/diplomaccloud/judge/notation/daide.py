"""DAIDE notation: its words, and a writer for our orders.

The grammar is the DAIDE message syntax, level 0: a unit is in brackets with its power, a coast is
in brackets with its province, and every order has a three-letter verb.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import TypeAlias

from diplomaccloud.judge.arguments import require_arguments, require_order_on_board
from diplomaccloud.judge.board import (
    Board,
    Location,
    Power,
    ProvinceCode,
    UnitKind,
    province_of,
)
from diplomaccloud.judge.convoy_routes import fleets_at_sea
from diplomaccloud.judge.geography import geography
from diplomaccloud.judge.notation.errors import MAX_QUOTED
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
)
from diplomaccloud.judge.phases import Stage
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.units import Unit

UnitOrder: TypeAlias = MovementOrder | Retreat | Disband | Build

KINDS = {"AMY": UnitKind.ARMY, "FLT": UnitKind.FLEET}
_KIND_TOKENS = {kind: token for token, kind in KINDS.items()}
PROVINCES = {"ECH": "ENG", "GOB": "BOT", "GOL": "LYO"}
"""The provinces of the standard board with another name in DAIDE, by that name."""
_PROVINCE_TOKENS = {code: token for token, code in PROVINCES.items()}
COASTS = {"NCS": "NC", "SCS": "SC", "ECS": "EC", "WCS": "WC"}
_COAST_TOKENS = {coast: token for token, coast in COASTS.items()}


@lru_cache(maxsize=16)
def powers_by_token(board: Board) -> Mapping[str, Power]:
    """Return the powers by token; tokens are the first three letters of keys if possible."""
    powers: dict[str, Power] = {}
    for info in board.powers:
        letters = [letter for letter in info.power.upper() if letter.isalnum()]
        choices = ["".join([*letters[:2], letter]) for letter in letters[2:]]
        choices += [f"{letters[0]}{number:02}" for number in range(100)]
        powers[next(choice for choice in choices if choice not in powers)] = info.power
    return powers


def to_daide(order: Order, board: Board, position: Position) -> str:
    """Return `order` in DAIDE notation, such as `(ENG AMY LVP) CTO NWY VIA (NWG)`.

    `parse_order` reads it back. `position` shows whether a unit disbands as a retreat (`DSB`) or
    is removed (`REM`), and which fleets can convoy an army if the order does not name its seas.
    DAIDE does not name the coast that a supported fleet moves to. Raises `ValueError` for text
    that is not an order, a power that is not on the board, and a move marked as convoyed between
    provinces that no sea connects.
    """
    if isinstance(order, InvalidOrder):
        raise ValueError(f"not an order: {order.text[:MAX_QUOTED]!r}")
    require_arguments(board, position)
    require_order_on_board(order, board)
    if isinstance(order, Waive):
        return f"({_power_token(order.power, board)} WVE)"
    return f"{_write_unit(order.unit, board)} {_write_deed(order, board, position)}"


def _write_deed(order: UnitOrder, board: Board, position: Position) -> str:
    """Return the action of the ordered unit, such as `SUP (FRA AMY PAR)`."""
    match order:
        case Hold():
            deed = "HLD"
        case Move():
            deed = _write_way(order, board, position)
        case SupportHold():
            deed = f"SUP {_write_unit(order.target, board)}"
        case SupportMove():
            goal = _write_place(province_of(order.to), board)
            deed = f"SUP {_write_unit(order.target, board)} MTO {goal}"
        case Convoy():
            goal = _write_place(order.to, board)
            deed = f"CVY {_write_unit(order.target, board)} CTO {goal}"
        case Retreat():
            deed = f"RTO {_write_place(order.to, board)}"
        case Build():
            deed = "BLD"
        case Disband():
            deed = "DSB" if position.phase.stage is Stage.RETREATS else "REM"
    return deed


def _write_way(order: Move, board: Board, position: Position) -> str:
    """Return `MTO BUR`, or `CTO NWY VIA (NTH)` for a move that needs or requests a convoy."""
    goal = _write_place(order.to, board)
    near = order.unit.kind is UnitKind.FLEET or order.to in board.destinations(
        order.unit.kind, order.unit.location
    )
    if near and not order.via_convoy:
        return f"MTO {goal}"
    seas = order.path or find_seas(order, board, position)
    if seas:
        return f"CTO {goal} VIA ({' '.join(_write_place(sea, board) for sea in seas)})"
    if near:
        raise ValueError(f"{order}: no sea connects {order.unit.province} and {order.to}")
    return f"MTO {goal}"


def find_seas(order: Move, board: Board, position: Position) -> tuple[ProvinceCode, ...]:
    """Return the shortest route by sea, along fleets if they form a chain; empty if none."""
    start, goal = order.unit.province, province_of(order.to)
    fleets = fleets_at_sea(board, position)
    chain = _shortest_chain(board, start, goal, fleets)
    return chain or _shortest_chain(board, start, goal, geography(board).seas)


def _shortest_chain(
    board: Board, start: ProvinceCode, goal: ProvinceCode, seas: frozenset[ProvinceCode]
) -> tuple[ProvinceCode, ...]:
    carriers = geography(board).carriers
    chains: list[tuple[ProvinceCode, ...]] = [
        (sea,) for sea in sorted(seas) if start in carriers[sea]
    ]
    left = seas.difference(*chains)
    while chains:
        longer: list[tuple[ProvinceCode, ...]] = []
        for chain in chains:
            touches = carriers[chain[-1]]
            if goal in touches:
                return chain
            longer += [(*chain, sea) for sea in sorted(left & touches)]
            left -= touches
        chains = longer
    return ()


def _power_token(power: Power, board: Board) -> str:
    for token, named in powers_by_token(board).items():
        if named == power:
            return token
    raise ValueError(f"the board has no power {str(power)[:MAX_QUOTED]!r}")


def _write_unit(unit: Unit, board: Board) -> str:
    place = _write_place(unit.location, board)
    return f"({_power_token(unit.power, board)} {_KIND_TOKENS[unit.kind]} {place})"


def _write_place(place: Location | ProvinceCode, board: Board) -> str:
    code, _, coast = place.partition("/")
    token = _PROVINCE_TOKENS.get(code, code)
    # On another board, the word may be a province.
    token = code if ProvinceCode(token) in board.by_code else token
    return f"({token} {_COAST_TOKENS.get(coast, coast)})" if coast else token
