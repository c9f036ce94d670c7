"""Writes saved games of the Python package `diplomacy`, on the standard map.

What is written passes the validator of the package: every unit has an order that is possible there,
each state has its hash, and the package judges every phase as we did.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace

from diplomaccloud.judge.adjudication import adjudicate
from diplomaccloud.judge.adjustments import adjustments_owed, build_sites
from diplomaccloud.judge.board import Location, Power, ProvinceCode, UnitKind, province_of
from diplomaccloud.judge.codec.reader import Json
from diplomaccloud.judge.convoy_routes import carries, fleets_at_sea
from diplomaccloud.judge.exchange.errors import ExchangeError
from diplomaccloud.judge.exchange.saved_games import COMPLETED, EDITION
from diplomaccloud.judge.exchange.zobrist import hash_position
from diplomaccloud.judge.game import Game
from diplomaccloud.judge.legality.reader import Reader
from diplomaccloud.judge.legality.refusal import Refusal
from diplomaccloud.judge.orders import Disband, Hold, Move, Order, SupportMove, Waive, power_of
from diplomaccloud.judge.phases import Stage
from diplomaccloud.judge.position import Dislodged, Position
from diplomaccloud.judge.results import OrderResult, Outcome
from diplomaccloud.judge.rules import EDITIONS
from diplomaccloud.judge.standard.europe import standard_board
from diplomaccloud.judge.turn import Turn

_WORDS = {
    Outcome.BOUNCED: "bounce",
    Outcome.CUT: "cut",
    Outcome.VOID: "void",
    Outcome.NOPATH: "no convoy",
    Outcome.DISRUPTED: "disrupted",
}


_READINGS = (EDITIONS[EDITION], replace(EDITIONS[EDITION], intent_needs_chain=True))
"""The edition, and the same with another reading of intent: to the package, an own fleet on a route
that is not ordered all the way shows intent only if another route is. No switch says that."""


def write_saved_game(game: Game, name: str) -> Iterator[str]:
    """Yield the line of a game.

    Raises `ExchangeError` for another map, and for a phase that the package judges in another way.
    """
    title = name or "game"
    if game.board != standard_board():
        raise ExchangeError(f"{title}: saved games are written on the standard map only")
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
"""A position, the orders that the package can hold, and the words of their results by unit."""


def _list_phases(game: Game, title: str) -> Iterator[_Phase]:
    """Yield the phases of a game as the package has them; the last has no orders.

    To the package, a unit dislodged by a convoyed army has retreats even if every place around it
    is closed, so it disbands in a phase of retreats, which our game may not have.
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
"""The keys of the reasons for which an army arrived by sea."""


def _find_stranded(turn: Turn) -> list[Dislodged]:
    """Return the units without a retreat that a convoyed army dislodged."""
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
    """Return an order for every unit, because the package accepts no other."""
    texts: dict[str, list[str]] = {info.power: [] for info in standard_board().powers}
    for order in orders:
        texts[power_of(order)].append(_order_to_text(position, order))
    return texts


def _list_followed(turn: Turn) -> Iterator[OrderResult]:
    """Yield the results of units; those of orders for no unit of their power are left out."""
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
    """Return the order that each unit followed, as the package can hold it.

    Raises `ExchangeError` if the package would judge these orders in another way.
    """
    reader = Reader(turn.board, turn.position, EDITIONS[EDITION])
    orders = [_find_order(reader, result) for result in _list_followed(turn)]
    for rules in _READINGS:
        resolution = adjudicate(turn.board, turn.position, orders, rules)
        if resolution.next != turn.resolution.next:
            raise ExchangeError(
                f"{title}: {turn.phase}: the package diplomacy judges these orders in another way"
            )
    return orders


def _find_order(reader: Reader, result: OrderResult) -> Order:
    """Return the order as the package reads it; a refused one as that to hold or disband."""
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


def _drop_coast(order: SupportMove, *, is_void: bool) -> SupportMove | Hold:
    """Return the support of a fleet that reaches both coasts of its goal without a coast.

    The package drops the coast from such a support by a fleet. A support that is void, perhaps
    because it names the other coast, might be given then, so its unit holds.
    """
    goal = province_of(order.to)
    near = standard_board().destinations(UnitKind.FLEET, order.target.location)
    if sum(province_of(place) == goal for place in near) < 2:
        return order
    return Hold(order.unit) if is_void else replace(order, to=Location(goal))


def _order_to_text(position: Position, order: Order) -> str:
    """Return the order in the words of the package."""
    if isinstance(order, Move) and order.unit.kind is UnitKind.ARMY:
        return f"{order.unit} - {order.to}{' VIA' if _goes_by_sea(position, order) else ''}"
    return str(order)


def _goes_by_sea(position: Position, order: Move) -> bool:
    """Return whether to mark the order; the package knows the mark only where fleets can convoy."""
    board, start = standard_board(), order.unit.location
    if province_of(order.to) not in board.reach(UnitKind.ARMY, start):
        return True
    fleets = fleets_at_sea(board, position)
    return order.via_convoy and carries(board, ProvinceCode(start), ProvinceCode(order.to), fleets)


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
