"""Reads and writes saved games of the Python package `diplomacy`, on the standard map.

A saved game is a JSON object on one line with `id`, `map`, `rules`, and `phases`, each of which has
a state, orders and results. The output passes the package's validator: every unit has an order that
the package allows, each state has its hash, and the package adjudicates every phase as we do.
"""

import json
import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache

from diplomaccloud.judge.adjudication import adjudicate
from diplomaccloud.judge.adjustments import adjustments_owed, build_sites
from diplomaccloud.judge.board import Location, Power, ProvinceCode, UnitKind, province_of
from diplomaccloud.judge.codec import Json, Node
from diplomaccloud.judge.exchange.steps import ExchangeError, give_orders
from diplomaccloud.judge.game import Game
from diplomaccloud.judge.geography import fleets_at_sea
from diplomaccloud.judge.kernel.values import find_routes
from diplomaccloud.judge.legality.reader import Reader, Refusal
from diplomaccloud.judge.orders import Disband, Hold, Move, Order, SupportMove, Waive, power_of
from diplomaccloud.judge.phases import Stage
from diplomaccloud.judge.position import Dislodged, Position
from diplomaccloud.judge.protocol.requests import (
    POSITION_PARTS,
    Request,
    find_difference,
    only_standard,
    position_to_request,
    read_request,
)
from diplomaccloud.judge.results import OrderResult, Outcome
from diplomaccloud.judge.rules import EDITIONS
from diplomaccloud.judge.standard.europe import standard_board
from diplomaccloud.judge.turn import Turn
from diplomaccloud.judge.units import Unit

EDITION = "diplomacy package"
"""The edition with the package's rules."""
COMPLETED = "COMPLETED"


def read_saved_game(value: object, place: str) -> tuple[str, Game]:
    """Return the name and the game of a saved game; raise `ExchangeError` for the part at fault.

    Every phase is adjudicated with the package's edition, and must lead to the next state.
    """
    where = f"{place}: " if place else ""
    try:
        return _read_game(Node(value))
    except ValueError as error:
        raise ExchangeError(f"{where}{error}") from error


def _read_game(node: Node) -> tuple[str, Game]:
    if node["map"].value != "standard":
        raise node["map"].error("only games on the standard map can be read")
    phases = node["phases"].items()
    if not phases:
        raise node["phases"].error("there are no phases")
    game: Game | None = None
    for number, (phase, following) in enumerate(zip(phases, [*phases[1:], None], strict=True)):
        path = f"phases[{number}]"
        name = phase["state"]["name"].text()
        if name == COMPLETED:
            if game is None or following is not None:
                raise ExchangeError(f"{path}: a game can only be completed after its last phase")
            request = _read_state(phase["state"], game.phase, f"{path}.state")
            _require_same(game, request.position, f"{path}.state", ("units", "centers"))
            break
        position = _read_state(phase["state"], name, f"{path}.state").position
        orders = _read_orders(phase["orders"])
        if game is None:
            game = Game(rules=EDITIONS[EDITION], position=position)
        elif name.endswith("R"):
            position = _leave_stranded(game, position, orders, f"{path}.orders")
            if not position.dislodged:
                continue
        _require_same(game, position, f"{path}.state", POSITION_PARTS)
        give_orders(game, orders, f"{path}.orders")
        if following is not None:
            _add_removals(game, following["state"])
            game.adjudicate()
    if game is None:
        raise node["phases"].error("there is no phase before the end")
    return node["id"].text(), game


def _leave_stranded(
    game: Game, position: Position, orders: dict[str, list[str]], path: str
) -> Position:
    """Return a position from the package with the retreats that our game has.

    In the package, a unit dislodged by a convoyed army may try to retreat to every adjacent place,
    even if it is closed. Removes the disbands of units without a retreat in our game from
    `orders`, and raises `ExchangeError` if such a unit retreats.
    """
    ours = {entry.unit: entry for entry in game.position.dislodged}
    theirs = [entry.unit for entry in position.dislodged]
    for unit in theirs:
        texts = orders.get(unit.power, [])
        if unit not in ours:
            for text in [text for text in texts if text.startswith(f"{unit} ")]:
                if text != str(Disband(unit)):
                    raise ExchangeError(f"{path}: {unit.power}: {text[:80]!r}: it had no retreat")
                texts.remove(text)
    return replace(position, dislodged=tuple(ours[unit] for unit in theirs if unit in ours))


def _add_removals(game: Game, after: Node) -> None:
    """Order the removals that the package chose on its own, as the next state shows them."""
    if game.position.phase.stage is not Stage.ADJUSTMENTS:
        return
    left = {
        (power.word(), text.value)
        for power, texts in after["units"].entries()
        for text in texts.items()
    }
    for power in game.powers_to_order:
        if adjustments_owed(game.board, game.position, Power(power)) < 0:
            gone = [
                str(Disband(unit))
                for unit in game.position.units_of(Power(power))
                if (power, str(unit)) not in left
            ]
            game.order(power, [text for text in gone if text not in game.orders.get(power, ())])


def _read_state(node: Node, phase: str, path: str) -> Request:
    """Return the position in a state as a request.

    In the package, a unit dislodged by a convoyed army is also offered places that are occupied,
    to which it cannot go; they are left out.
    """
    units: dict[str, list[object]] = {}
    for power, texts in node["units"].entries():
        units[power.word()] = [
            text.value for text in texts.items() if not str(text.value).startswith("*")
        ]
    parts: Json = {"phase": phase, "units": units, "centers": node["centers"].value}
    if phase.endswith("R"):
        taken = {str(text)[2:5] for texts in units.values() for text in texts}
        parts["dislodged"] = {
            power.word(): {
                unit: [place for place in near if str(place)[:3] not in taken]
                if isinstance(near, list)
                else near
                for unit, near in places.value.items()
            }
            for power, places in node["retreats"].entries()
            if isinstance(places.value, Mapping) and places.value
        }
    try:
        return read_request(parts, only_standard)
    except ValueError as error:
        raise ExchangeError(f"{path}.{error}") from error


def _read_orders(node: Node) -> dict[str, list[str]]:
    """Return the orders by power; a power without orders may have null."""
    orders: dict[str, list[str]] = {}
    for power, texts in node.entries():
        if not texts.is_null():
            orders[power.word()] = [text.text() for text in texts.items() if text.text()]
    return orders


def _require_same(game: Game, position: Position, path: str, parts: Iterable[str]) -> None:
    """Raise `ExchangeError` unless the game has reached `position`."""
    if part := find_difference(game.position, position, parts):
        now = json.dumps(position_to_request(game.position)[part])[:200]
        raise ExchangeError(f"{path}.{part}: the orders before it lead to another position: {now}")


# Writing.

_WORDS = {
    Outcome.BOUNCED: "bounce",
    Outcome.CUT: "cut",
    Outcome.VOID: "void",
    Outcome.NOPATH: "no convoy",
    Outcome.DISRUPTED: "disrupted",
}


def write_saved_game(game: Game, name: str) -> Iterator[str]:
    """Yield the line of a game.

    Raises `ExchangeError` for other maps, and for a phase that the package adjudicates differently.
    """
    title = name or "game"
    if game.board != standard_board():
        raise ExchangeError(f"{title}: saved games can be written only for the standard map")
    influence: dict[ProvinceCode, Power] = {}
    phases: list[Json] = []
    for position, orders, results in _list_phases(game, title):
        is_last = position.phase == game.position.phase
        phase = COMPLETED if is_last and game.ending is not None else str(position.phase)
        phases.append(
            {
                "name": phase,
                "state": _state_to_json(position, phase, title, influence),
                "orders": _orders_to_json(position, orders),
                "results": results,
                "messages": [],
            }
        )
    saved = {"id": title, "map": "standard", "rules": [], "phases": phases}
    yield json.dumps(saved, separators=(",", ":"))


_Phase = tuple[Position, list[Order], dict[str, list[str]]]
"""A position, its orders in a form that the package supports, and their result words by unit."""


def _list_phases(game: Game, title: str) -> Iterator[_Phase]:
    """Yield the phases that the game has in the package; the last has no orders.

    In the package, a unit dislodged by a convoyed army has retreats even if every adjacent place is
    closed, so it disbands in a retreat phase that our game may not have.
    """
    stranded: list[Dislodged] = []
    before: Turn | None = None
    for turn in (*game.turns, None):
        position = game.position if turn is None else turn.position
        if before is not None and stranded and position.phase.stage is not Stage.RETREATS:
            phase = before.position.phase.next_phase()
            units, centers = before.resolution.next.units, before.position.centers
            disbands: list[Order] = [Disband(entry.unit) for entry in stranded]
            yield Position(phase, units, centers, tuple(stranded)), disbands, {}
            stranded = []
        position = replace(position, dislodged=(*position.dislodged, *stranded))
        if turn is None:
            yield position, [], {}
            return
        disbands = [Disband(entry.unit) for entry in stranded]
        yield position, [*_list_orders(turn, title), *disbands], _results_to_json(turn)
        before, stranded = turn, _find_stranded(turn)


_BY_CONVOY = {"moved_by_convoy", "moved_by_convoy_and_dislodged"}
"""The keys of the reasons that mean an army arrived by sea."""


def _find_stranded(turn: Turn) -> list[Dislodged]:
    """Return the units without a retreat that were dislodged by a convoyed army."""
    if not turn.resolution.destroyed or turn.position.phase.stage is not Stage.MOVEMENT:
        return []
    results = {
        unit.province: result
        for unit, result in zip(turn.position.units, turn.resolution.results, strict=False)
    }
    return [
        entry
        for entry in turn.resolution.dislodged
        if not entry.retreats
        and (message := results[entry.by].message) is not None
        and message.key in _BY_CONVOY
    ]


def _state_to_json(
    position: Position, phase: str, name: str, influence: dict[ProvinceCode, Power]
) -> Json:
    board = standard_board()
    influence |= {unit.province: unit.power for unit in position.units}
    state: dict[str, Json] = {
        part: {} for part in ("units", "retreats", "centers", "homes", "influence", "builds")
    }
    for info in board.powers:
        power = info.power
        dislodged = position.dislodged_of(power)
        state["units"][power] = [str(unit) for unit in position.units_of(power)] + [
            f"*{entry.unit}" for entry in dislodged
        ]
        state["retreats"][power] = {str(entry.unit): list(entry.retreats) for entry in dislodged}
        state["centers"][power] = sorted(position.centers_of(power))
        state["homes"][power] = sorted(board.home_centers[power])
        state["influence"][power] = sorted(
            code for code, owner in influence.items() if owner == power
        )
        owed = 0
        if position.phase.stage is Stage.ADJUSTMENTS and phase != COMPLETED:
            owed = adjustments_owed(board, position, power)
        homes = sorted(build_sites(board, position, power)) if owed > 0 else []
        state["builds"][power] = {"count": owed, "homes": homes}
    return {
        "timestamp": 0,
        "zobrist_hash": hash_position(position),
        "note": "",
        "name": phase,
        **state,
        "civil_disorder": {info.power: 0 for info in board.powers},
        "game_id": name,
        "map": "standard",
        "rules": [],
    }


def _orders_to_json(position: Position, orders: Sequence[Order]) -> dict[str, list[str]]:
    """Return an order for every unit, as the package requires."""
    texts: dict[str, list[str]] = {info.power: [] for info in standard_board().powers}
    for order in orders:
        texts[power_of(order)].append(_order_to_text(position, order))
    return texts


def _list_followed(turn: Turn) -> Iterator[OrderResult]:
    """Yield the results of units, leaving out orders that are not for a unit of their power."""
    results = turn.resolution.results
    if turn.position.phase.stage is Stage.ADJUSTMENTS:
        yield from (
            result
            for result in results
            if not isinstance(result.order, Waive) and result.outcome is not Outcome.VOID
        )
        return
    count = len(turn.position.units)
    if turn.position.phase.stage is Stage.RETREATS:
        count = len(turn.position.dislodged)
    yield from results[:count]


def _list_orders(turn: Turn, title: str) -> list[Order]:
    """Return the order that each unit followed, in a form that the package supports.

    Raises `ExchangeError` if the package would adjudicate these orders differently.
    """
    reader = Reader(turn.board, turn.position, EDITIONS[EDITION])
    orders = [_find_order(reader, result) for result in _list_followed(turn)]
    orders = [_hold_back(turn.position, orders, order) for order in orders]
    resolution = adjudicate(turn.board, turn.position, orders, EDITIONS[EDITION])
    if resolution.next != turn.resolution.next:
        raise ExchangeError(
            f"{title}: {turn.phase}: the package diplomacy adjudicates these orders differently"
        )
    return orders


def _find_order(reader: Reader, result: OrderResult) -> Order:
    """Return the order as the package reads it; replace a refused order with a hold or disband."""
    order = result.order
    try:
        order = reader.read(power_of(order), order)
    except Refusal:
        is_moving = reader.position.phase.stage is Stage.MOVEMENT
        unit = order.unit  # type: ignore[union-attr] # not a waived build
        return Hold(unit) if is_moving else Disband(unit)
    given = result.order
    if isinstance(order, SupportMove) and isinstance(given, SupportMove) and "/" in given.to:
        return _drop_coast(order, is_void=result.outcome is Outcome.VOID)
    return order


def _hold_back(position: Position, orders: Sequence[Order], order: Order) -> Order:
    """Return a hold instead of a support that only the package counts against an own unit.

    It does so if the supported move is written with `VIA`.
    """
    if not isinstance(order, SupportMove):
        return order
    victim = position.unit_in(province_of(order.to))
    if victim is None or victim.power != order.unit.power:
        return order
    by_sea = any(
        isinstance(move, Move) and move.unit == order.target and _goes_by_sea(position, move)
        for move in orders
    )
    return Hold(order.unit) if by_sea else order


def _drop_coast(order: SupportMove, *, is_void: bool) -> SupportMove | Hold:
    """Return the support without its coast if the supported fleet can reach both coasts.

    The package drops the coast from such supports by fleets. That could make a void support valid,
    for example one that names the other coast, so the unit holds instead.
    """
    goal = province_of(order.to)
    near = standard_board().destinations(UnitKind.FLEET, order.target.location)
    if sum(province_of(place) == goal for place in near) < 2:
        return order
    return Hold(order.unit) if is_void else replace(order, to=Location(goal))


def _order_to_text(position: Position, order: Order) -> str:
    """Return the order in the package's notation."""
    if isinstance(order, Move) and order.unit.kind is UnitKind.ARMY:
        return f"{order.unit} - {order.to}{' VIA' if _goes_by_sea(position, order) else ''}"
    return str(order)


def _goes_by_sea(position: Position, order: Move) -> bool:
    """Return whether to mark the move with `VIA`, which the package allows only with a route."""
    board, start = standard_board(), order.unit.location
    if province_of(order.to) not in board.reach(UnitKind.ARMY, start):
        return True
    routes = find_routes(board, fleets_at_sea(board, position.units), order.unit.province)
    return order.via_convoy and province_of(order.to) in routes


def _results_to_json(turn: Turn) -> dict[str, list[str]]:
    dislodged = {entry.unit: entry for entry in turn.resolution.dislodged}
    words: dict[str, list[str]] = {}
    for result in _list_followed(turn):
        order = result.order
        if isinstance(order, Waive):
            continue
        said = [_WORDS[result.outcome]] if result.outcome in _WORDS else []
        if turn.position.phase.stage is Stage.ADJUSTMENTS:
            said = [""]
        elif isinstance(order, Disband) or result.outcome is Outcome.DISBANDED:
            said = ["disband"]
        entry = dislodged.get(order.unit)
        if entry is not None:
            said += ["dislodged"] if entry.retreats else ["dislodged", "disband"]
        words[str(order.unit)] = said
    return words


# Hashes: the XOR of random numbers, one for each fact of the position, from a generator seeded by
# the board.

_MOST = 2**63 - 1
_Rows = Sequence[Sequence[int]]
_KINDS = (UnitKind.ARMY, UnitKind.FLEET)


@cache
def _build_tables() -> tuple[Mapping[str, int], Mapping[str, int], Mapping[str, _Rows]]:
    """Return the numbers of places and powers, and the tables of random numbers by subject."""
    board = standard_board()
    places = sorted(
        {str(province.code) for province in board.provinces}
        | {str(place) for p in board.provinces if p.coasts for place in p.fleet_locations}
    )
    powers = sorted(str(info.power) for info in board.powers)
    centers = "-".join(sorted(board.centers))
    seed = 12345 + len(places) + sum(ord(c) * 7**i for i, c in enumerate(centers))
    numbers = random.Random(seed % 2**32)
    rows = {
        "unit_type": 2,
        "units": 7,
        "dis_unit_type": 2,
        "dis_units": 7,
        "centers": 7,
        "homes": 7,
    }
    tables = {
        name: [[numbers.randint(1, _MOST) for _ in places] for _ in range(count)]
        for name, count in rows.items()
    }
    place_numbers = {place: i for i, place in enumerate(places)}
    return place_numbers, {power: i for i, power in enumerate(powers)}, tables


def hash_position(position: Position) -> str:
    """Return the hash of a position on the standard board, as decimal digits."""
    places, powers, tables = _build_tables()
    total = 0

    def add_unit(unit: Unit, prefix: str) -> int:
        place = places[unit.location]
        kinds, owners = tables[f"{prefix}unit_type"], tables[f"{prefix}units"]
        return kinds[_KINDS.index(unit.kind)][place] ^ owners[powers[unit.power]][place]

    for unit in position.units:
        total ^= add_unit(unit, "")
    for entry in position.dislodged:
        total ^= add_unit(entry.unit, "dis_")
    for code, power in position.centers.items():
        total ^= tables["centers"][powers[power]][places[code]]
    for power, codes in standard_board().home_centers.items():
        for code in codes:
            total ^= tables["homes"][powers[power]][places[code]]
    return str(total)
