"""Reads and writes saved games of the Python package `diplomacy`, on the standard map.

A saved game is a JSON object on one line with `id`, `map`, `rules`, and `phases`, each of which has
a state, orders and results. The output passes the package's validator: every unit has an order that
the package allows, each state has its hash, and the package adjudicates every phase as we do.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from diplomaccloud.judge.adjudication import adjudicate
from diplomaccloud.judge.adjustments import adjustments_owed, build_sites
from diplomaccloud.judge.board import Location, Power, ProvinceCode, UnitKind, province_of
from diplomaccloud.judge.codec import CodecError, Json, Node, read_phase
from diplomaccloud.judge.exchange.hashes import position_hash
from diplomaccloud.judge.exchange.reading import (
    ExchangeError,
    Reading,
    close_retreats,
    read_value,
)
from diplomaccloud.judge.game import Game, give_orders, in_phase
from diplomaccloud.judge.geography import fleets_at_sea
from diplomaccloud.judge.kernel.selection import KERNEL
from diplomaccloud.judge.legality.reader import Reader, Refusal
from diplomaccloud.judge.orders import (
    Convoy,
    Disband,
    Hold,
    Move,
    Order,
    SupportMove,
    Waive,
    power_of,
)
from diplomaccloud.judge.phases import Stage
from diplomaccloud.judge.position import Dislodged, Position
from diplomaccloud.judge.protocol.records import COMPLETED
from diplomaccloud.judge.protocol.requests import are_texts, read_position
from diplomaccloud.judge.results import OrderResult, Outcome
from diplomaccloud.judge.rules import EDITIONS
from diplomaccloud.judge.standard.europe import standard_board
from diplomaccloud.judge.turn import Turn
from diplomaccloud.judge.units import Unit

EDITION = "diplomacy package"
"""The edition with the package's rules."""


def read_saved_game(reading: Reading, entries: Sequence[tuple[int, object]]) -> None:
    """Read a saved game, which is the only one of `entries`.

    Every phase is adjudicated with the package's edition, and must lead to the next state.
    """
    node = Node(read_value(entries[0][1]))
    reading.name = node["id"].text()
    if node["map"].value != "standard":
        raise node["map"].error("only games on the standard map can be read")
    phases = node["phases"].items()
    if not phases:
        raise node["phases"].error("there are no phases")
    for number, phase in enumerate(phases):
        following = phases[number + 1] if phases[number + 1 :] else None
        state = phase["state"]
        name = state["name"].text()
        if name == COMPLETED:
            game = reading.game
            if following is not None:
                raise following.error("there are phases after the end")
            if not _agrees(game, state):
                reading.require_position(_read_state(state, game.phase, number))
            return
        if not reading.is_open:
            start = close_retreats(_read_state(state, name, number))
            reading.game = Game(rules=EDITIONS[EDITION], position=start)
        game = reading.game
        orders = _read_orders(phase["orders"])
        is_over = game.ending is not None
        if is_over or name != game.phase or not _agrees(game, state):
            # In the package, a unit dislodged by a convoyed army may retreat even to closed places.
            theirs = _read_state(state, name, number)
            is_idle = reading.has_left_out(theirs)
            if not is_idle:
                reading.require_phase(theirs.phase)
                reading.require_position(theirs)
            for unit in reading.require_retreats(theirs, is_silent=True):
                _drop_disband(orders.get(unit.power, []), unit)
            if is_idle:
                continue
        reading.give(orders)
        if following is not None:
            _add_removals(game, following["state"])
            game.adjudicate()


def _drop_disband(texts: list[str], unit: Unit) -> None:
    """Remove the order of a unit that has no retreat in our game; raise if it retreats."""
    for text in [text for text in texts if text.startswith(f"{unit} ")]:
        if text != str(Disband(unit)):
            raise CodecError(f"{unit.power}: {text[:80]!r}: it had no retreat")
        texts.remove(text)


def _agrees(game: Game, state: Node) -> bool:
    """Return whether the state has the units and centers of the game, written as we write them."""
    position = game.position
    units: dict[str, list[str]] = {}
    for unit in position.units:
        units.setdefault(unit.power, []).append(str(unit))
    for entry in position.dislodged:
        units.setdefault(entry.unit.power, []).append(f"*{entry.unit}")
    centers: dict[str, list[str]] = {}
    for code, power in position.centers.items():
        centers.setdefault(power, []).append(code)
    return _have_same(state["units"].value, units) and _have_same(state["centers"].value, centers)


def _have_same(theirs: object, ours: Mapping[str, list[str]]) -> bool:
    """Return whether the texts of each power are the same; other powers may have none."""
    if not isinstance(theirs, dict) or not theirs.keys() >= ours.keys():
        return False
    try:
        return all(
            texts == ours.get(power, ()) or sorted(texts) == sorted(ours.get(power, ()))
            for power, texts in theirs.items()
        )
    except TypeError:
        return False


def _add_removals(game: Game, after: Node) -> None:
    """Order the removals that the package chose on its own, as the next state shows them."""
    position = game.position
    if position.phase.stage is not Stage.ADJUSTMENTS:
        return
    removed: dict[str, list[str]] = {}
    for power in map(Power, game.powers_to_order):
        units = position.units_of(power)
        if len(units) > len(position.centers_of(power)):
            kept = {text.text() for text in after["units"][power].items()}
            gone = [str(Disband(unit)) for unit in units if str(unit) not in kept]
            given = game.orders.get(power, ())
            removed[power] = [text for text in gone if text not in given]
    give_orders(game, removed)


def _read_state(node: Node, phase: str, number: int) -> Position:
    """Return the position in a state."""
    units: dict[str, list[object]] = {}
    for power, texts in node["units"].entries():
        units[power.word()] = [
            text.value for text in texts.items() if not str(text.value).startswith("*")
        ]
    parts: Json = {"units": units, "centers": node["centers"].value}
    if phase.endswith("R"):
        parts["dislodged"] = {
            power.word(): dict(places.value)
            for power, places in node["retreats"].entries()
            if isinstance(places.value, Mapping) and places.value
        }
    with in_phase(f"phases[{number}].state"):
        named = read_phase(Node(phase, "name"))
        return read_position(Node(parts), named, standard_board(), may_be_closed=True)


def _read_orders(node: Node) -> dict[str, list[str]]:
    """Return the orders by power; a power without orders may have null."""
    value = node.value
    if isinstance(value, dict) and all(
        texts is None or (are_texts(power, texts) and "" not in texts)
        for power, texts in value.items()
    ):
        return {power: texts for power, texts in value.items() if texts}
    return {
        power.word(): [text.text() for text in texts.items() if text.text()]
        for power, texts in node.entries()
        if not texts.is_null()
    }


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
        raise ExchangeError("saved games can be written only for the standard map")
    influence: dict[ProvinceCode, Power] = {}
    phases: list[Json] = []
    for position, orders, results in _list_phases(game):
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


def _list_phases(game: Game) -> Iterator[_Phase]:
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
        yield position, [*_list_orders(turn), *disbands], _results_to_json(turn)
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
        "zobrist_hash": position_hash(position),
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


def _list_orders(turn: Turn) -> list[Order]:
    """Return the order that each unit followed, in a form that the package supports.

    Raises `ExchangeError` if the package would adjudicate these orders differently.
    """
    reader = Reader(turn.board, turn.position, EDITIONS[EDITION])
    orders = [_find_order(reader, result) for result in _list_followed(turn)]
    orders = [_hold_back(turn, orders, order) for order in orders]
    resolution = adjudicate(turn.board, turn.position, orders, EDITIONS[EDITION])
    if resolution.next != turn.resolution.next:
        raise ExchangeError(
            f"{turn.phase}: the package diplomacy adjudicates these orders differently", turn.phase
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


def _hold_back(turn: Turn, orders: Sequence[Order], order: Order) -> Order:
    """Return a hold instead of a support that only the package counts against an own unit.

    It does so if the supported move is written with `VIA`. If the own unit leaves, the support
    counts for both.
    """
    if not isinstance(order, SupportMove):
        return order
    victim = turn.position.unit_in(province_of(order.to))
    if victim is None or victim.power != order.unit.power:
        return order
    if turn[victim.province].outcome is Outcome.MOVED:
        return order
    goes_by_sea = any(
        isinstance(move, Move) and move.unit == order.target and _goes_by_sea(turn.position, move)
        for move in orders
    )
    has_convoy = any(isinstance(each, Convoy) and each.target == order.target for each in orders)
    return Hold(order.unit) if goes_by_sea and has_convoy else order


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
    routes = KERNEL.find_routes(board, fleets_at_sea(board, position.units), order.unit.province)
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
