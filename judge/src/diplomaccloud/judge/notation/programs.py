"""Orders in the words of other programs: DAIDE, read and written, and webDiplomacy, written.

The grammar of DAIDE is its message syntax, level 0: a unit is in brackets with its power, a coast
is in brackets with its province, and every order has a three-letter verb.
"""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import TypeAlias

from diplomaccloud.judge.board import (
    Board,
    Location,
    Power,
    ProvinceCode,
    UnitKind,
    province_of,
    unknown_power_error,
)
from diplomaccloud.judge.geography import fleets_at_sea, geography
from diplomaccloud.judge.messages.catalog import NotationKey
from diplomaccloud.judge.notation.words import MAX_QUOTED, NotationError, name_tokens
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
    is_order,
)
from diplomaccloud.judge.phases import Stage
from diplomaccloud.judge.position import Position, require_arguments
from diplomaccloud.judge.units import Unit

UnitOrder: TypeAlias = MovementOrder | Retreat | Disband | Build

PROVINCES = {"ECH": "ENG", "GOB": "BOT", "GOL": "LYO"}
"""The provinces of the standard board with another name in DAIDE, by that name."""
_PROVINCE_TOKENS = {code: token for token, code in PROVINCES.items()}
_KINDS = {"AMY": UnitKind.ARMY, "FLT": UnitKind.FLEET}
_KIND_TOKENS = {kind: token for token, kind in _KINDS.items()}
_COAST_TOKENS = {"NC": "NCS", "SC": "SCS", "EC": "ECS", "WC": "WCS"}

_BEGINNING = re.compile(r"\s*\(\s*(?:\(\s*)?\w{2,4}\s+(?:AMY|FLT|WVE)\b", re.IGNORECASE)
_SUBMISSION = re.compile(r"\s*SUB\b(?=\s*\()", re.IGNORECASE)
_TOKEN = re.compile(r"[()]|[^\s()]+")
_ON_COAST = re.compile(r"(?<!VIA )\( ([A-Z0-9]+) ([NSEW]C)S \)")
_PART = re.compile(r"(?<!VIA )\( ([^ ()]+) (AMY|FLT) ([A-Z0-9]+(?:\([NSEW]C)?) \)|[^ ]+")
"""A unit with its power, kind and place, or another word."""
_PLACE = re.compile(r"[A-Z0-9]+(?:\([NSEW]C)?")
"""A province, or a province and coast as `_ON_COAST` joins them: no token contains a bracket."""
_LETTERS = {"HLD": "h", "DSB": "d", "REM": "d", "BLD": "b"}

_WEB_NAMES = {
    "Gulf of Lyon": "Gulf of Lyons",
    "Helgoland Bight": "Heligoland Bight",
    "Skagerrak": "Skagerrack",
}
"""The names that differ between webDiplomacy's map and the standard board."""
_WEB_COASTS = {"NC": "North Coast", "SC": "South Coast", "EC": "East Coast", "WC": "West Coast"}
_WEB_RENAMED_COASTS = {"BUL/EC": "North Coast"}
"""The east coast of Bulgaria is the north coast on webDiplomacy's map."""


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


# Reading DAIDE.


def split_daide(text: str) -> list[tuple[str, int]] | None:
    """Return the orders in `(order) (order) …` with the end of each, or `None` for other text.

    They may follow `SUB`, as in the message with which a program submits them.
    """
    prefix = _SUBMISSION.match(text)
    start = prefix.end() if prefix else 0
    if not _BEGINNING.match(text, start):
        return None
    parts: list[tuple[str, int]] = []
    depth = 0
    for place in range(start, len(text)):
        letter = text[place]
        if depth == 0 and not letter.isspace() and not _BEGINNING.match(text, place):
            return None
        depth += (letter == "(") - (letter == ")")
        if depth == 0 and letter == ")":
            parts.append((text[start : place + 1].strip(), place + 1))
            start = place + 1
    return parts if depth == 0 else None


def read_daide(text: str, board: Board) -> list[str] | None:
    """Return an order in DAIDE notation as words of canonical text, or `None` for other text.

    Raises `NotationError` for text that starts like a DAIDE order but does not end like one.
    """
    if not _BEGINNING.match(text):
        return None
    tokens = _TOKEN.findall(text.upper())
    # The order itself may be in brackets: `((FRA AMY PAR) MTO BUR)`.
    is_wrapped = tokens[:2] == ["(", "("] and tokens[-1] == ")"
    words = " ".join(tokens[1:-1] if is_wrapped else tokens)
    try:
        parts = [_read_part(part, board) for part in _PART.finditer(_ON_COAST.sub(r"\1(\2", words))]
        match parts:
            case ["(", str(token), "WVE", ")"] if token in powers_by_token(board):
                return [*_power_words(powers_by_token(board)[token], board), "waive"]
            case [Unit() as unit, *deed] if "WVE" not in tokens[:4]:
                # The power can be dropped, because a player orders only that player's own units.
                return [*_unit_words(unit), *_read_deed(unit, deed, board)]
    except _NotDaide:
        pass
    raise NotationError(NotationKey.NOT_DAIDE, text=" ".join(text.split())[:MAX_QUOTED])


class _NotDaide(Exception):
    """The text is not a DAIDE order."""


def _read_part(part: re.Match[str], board: Board) -> Unit | str:
    """Return the unit written as `( FRA AMY PAR )`, or another word unchanged."""
    if part[1] is None:
        return part[0]
    power = powers_by_token(board).get(part[1])
    if power is None:
        raise _NotDaide
    return Unit(_KINDS[part[2]], _read_place(part[3], board), power)


def _read_place(part: Unit | str, board: Board) -> Location:
    """Return the place, whose province may be unknown."""
    if isinstance(part, Unit) or not _PLACE.fullmatch(part):
        raise _NotDaide
    code, bracket, coast = part.partition("(")
    # Another board may use the word for a province of its own.
    code = code if ProvinceCode(code) in board.by_code else PROVINCES.get(code, code)
    return Location(f"{code}/{coast}" if bracket else code)


def _read_deed(unit: Unit, deed: list[Unit | str], board: Board) -> list[str]:
    """Return what `unit` does as canonical words."""
    match deed:
        case ["HLD" | "DSB" | "REM" | "BLD" as verb]:
            read = [_LETTERS[verb]]
        case ["MTO", to]:
            by_land = ["by", "land"] if unit.kind is UnitKind.ARMY else []
            read = ["-", *_place_words(_read_place(to, board)), *by_land]
        case ["RTO", to]:
            read = ["r", *_place_words(_read_place(to, board))]
        case ["CTO", to, "VIA", "(", *seas, ")"] if seas:
            places = [_read_place(place, board) for place in (*seas, to)]
            read = [word for place in places for word in ("-", *_place_words(place))]
        case ["SUP", Unit() as target]:
            read = ["s", *_power_words(target.power, board), *_unit_words(target)]
        case ["SUP", Unit() as target, "MTO", to]:
            goal = _read_place(to, board)
            if target.kind is UnitKind.FLEET:
                # DAIDE does not name a coast here; the only one within reach is filled in.
                near = board.destinations(target.kind, target.location)
                coasts = [place for place in near if place.split("/")[0] == goal or place == goal]
                goal = coasts[0] if len(coasts) == 1 else goal
            read = [*_read_deed(unit, ["SUP", target], board), "-", *_place_words(goal)]
        case ["CVY", Unit() as target, "CTO", to]:
            aid = [*_power_words(target.power, board), *_unit_words(target)]
            read = ["c", *aid, "-", *_place_words(_read_place(to, board))]
        case _:
            raise _NotDaide
    return read


def _power_words(power: Power, board: Board) -> tuple[str, ...]:
    return name_tokens(board.power_info[power].name)


def _unit_words(unit: Unit) -> list[str]:
    return [unit.kind.value.lower(), *_place_words(unit.location)]


def _place_words(location: Location) -> list[str]:
    province, slash, coast = location.lower().partition("/")
    return [province, slash, coast] if coast else [province]


# Writing DAIDE.


def to_daide(order: Order, board: Board, position: Position) -> str:
    """Return `order` in DAIDE notation, such as `(ENG AMY LVP) CTO NWY VIA (NWG)`.

    `parse_order` reads it back. `position` shows whether a unit disbands as a retreat (`DSB`) or
    is removed (`REM`), and which fleets can convoy an army if the order does not name its seas.
    DAIDE does not name the coast that a supported fleet moves to. Raises `ValueError` for text
    that is not an order, a power that is not on the board, and a move marked as convoyed between
    provinces that no sea connects.
    """
    _require_order(order, board, position)
    if isinstance(order, Waive):
        return f"({_power_token(order.power, board)} WVE)"
    return f"{_write_unit(order.unit, board)} {_write_deed(order, board, position)}"


def _require_order(order: Order, board: Board, position: Position) -> None:
    """Raise `TypeError` or `ValueError` unless `order` is an order with places on `board`."""
    if isinstance(order, InvalidOrder):
        raise ValueError(f"not an order: {order.text[:MAX_QUOTED]!r}")
    require_arguments(board, position)
    if not is_order(order):
        raise TypeError(f"order: expected an order, not {type(order).__name__}")
    places = [getattr(order, part).province for part in ("unit", "target") if hasattr(order, part)]
    for place in [*places, order.to] if hasattr(order, "to") else places:
        if province_of(place) not in board.by_code:
            raise ValueError(f"order: there is no province {place[:40]} on this board")


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
            deed = f"CVY {_write_unit(order.target, board)} CTO {_write_place(order.to, board)}"
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
    near = not _needs_convoy(order, board)
    seas = () if near and not order.via_convoy else order.path or find_seas(order, board, position)
    if seas:
        return f"CTO {goal} VIA ({' '.join(_write_place(sea, board) for sea in seas)})"
    if near and order.via_convoy:
        raise ValueError(f"{order}: no sea connects {order.unit.province} and {order.to}")
    return f"MTO {goal}"


def _needs_convoy(order: Move, board: Board) -> bool:
    """Return whether an army is ordered to a province that is not adjacent."""
    kind, location = order.unit.kind, order.unit.location
    return kind is not UnitKind.FLEET and order.to not in board.destinations(kind, location)


def find_seas(order: Move, board: Board, position: Position) -> tuple[ProvinceCode, ...]:
    """Return the shortest route by sea, along fleets if they form a chain; empty if none."""
    start, goal = order.unit.province, province_of(order.to)
    fleets = fleets_at_sea(board, position.units)
    chain = _shortest_chain(board, start, goal, fleets)
    return chain or _shortest_chain(board, start, goal, geography(board).seas)


def _shortest_chain(
    board: Board, start: ProvinceCode, goal: ProvinceCode, seas: frozenset[ProvinceCode]
) -> tuple[ProvinceCode, ...]:
    carriers = geography(board).carriers
    chains: list[tuple[ProvinceCode, ...]] = [
        (sea,) for sea in sorted(seas) if start in carriers[sea]
    ]
    unseen = seas.difference(*chains)
    for chain in chains:  # the list grows
        touches = carriers[chain[-1]]
        if goal in touches:
            return chain
        chains += [(*chain, sea) for sea in sorted(unseen & touches)]
        unseen -= touches
    return ()


def _power_token(power: Power, board: Board) -> str:
    for token, named in powers_by_token(board).items():
        if named == power:
            return token
    raise unknown_power_error(board, power)


def _write_unit(unit: Unit, board: Board) -> str:
    place = _write_place(unit.location, board)
    return f"({_power_token(unit.power, board)} {_KIND_TOKENS[unit.kind]} {place})"


def _write_place(place: Location | ProvinceCode, board: Board) -> str:
    code, _, coast = place.partition("/")
    token = _PROVINCE_TOKENS.get(code, code)
    # On another board, the word may be a province.
    token = code if ProvinceCode(token) in board.by_code else token
    return f"({token} {_COAST_TOKENS.get(coast, coast)})" if coast else token


# Writing for webDiplomacy.


def to_webdiplomacy(order: Order, board: Board, position: Position) -> str:
    """Return `order` as it appears in webDiplomacy's order history.

    For example: `The fleet at Brest support move to Burgundy from Marseilles.` `parse_order`
    reads it back. `position` shows whether a unit disbands as a retreat or is destroyed. The
    sentence does not name the power. Raises `ValueError` for text that is not an order.
    """
    _require_order(order, board, position)
    match order:
        case Waive():
            return "Do not use build order."
        case Build(unit):
            return f"Build {unit.kind.word} at {_name(unit.location, board)}."
        case Disband(unit) if position.phase.stage is Stage.ADJUSTMENTS:
            return f"Destroy the unit at {_name(unit.province, board)}."
        case Hold():
            deed = "hold"
        case Disband():
            deed = "disband"
        case Retreat():
            deed = f"retreat to {_name(order.to, board)}"
        case Move():
            by_sea = _needs_convoy(order, board) or order.via_convoy
            is_army = order.unit.kind is not UnitKind.FLEET
            deed = f"move to {_name(order.to, board)}{' via convoy' if by_sea and is_army else ''}"
        case SupportHold():
            deed = f"support hold to {_name(order.target.location, board)}"
        case SupportMove() | Convoy():
            verb = "convoy" if isinstance(order, Convoy) else "support move"
            start = _name(order.target.location, board)
            deed = f"{verb} to {_name(order.to, board)} from {start}"
    return f"The {order.unit.kind.word} at {_name(order.unit.location, board)} {deed}."


def _name(place: Location | ProvinceCode, board: Board) -> str:
    province = board.by_code.get(province_of(place))
    name = province.name if province else str(place)
    coast = place.partition("/")[2]
    if not coast:
        return _WEB_NAMES.get(name, name)
    return f"{name} ({_WEB_RENAMED_COASTS.get(place, _WEB_COASTS.get(coast, coast))})"
