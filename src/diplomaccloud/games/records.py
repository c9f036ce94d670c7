"""Rows to judge values and back."""

from collections.abc import Iterable
from dataclasses import replace

from django.db.models import QuerySet

from diplomaccloud.atlas.chart import Chart
from diplomaccloud.games.models import Game, OrderRow, Phase, Seat
from diplomaccloud.games.options import Options
from diplomaccloud.games.schedule import Deadline, Kind, Timer, moved_from_json
from diplomaccloud.judge.board import Board, Power
from diplomaccloud.judge.codec import (
    order_from_json,
    position_from_json,
    resolution_from_json,
    rules_from_json,
)
from diplomaccloud.judge.orders import Order, Waive
from diplomaccloud.judge.phases import Phase as JudgePhase
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.results import Ending, Resolution
from diplomaccloud.judge.rules import RuleSet
from diplomaccloud.judge.setups import Setup, setups
from diplomaccloud.maps.library import find_chart


def chart_of(game: Game) -> Chart:
    """Return the map the game is played on."""
    return find_chart(game.chart.content_hash)


def board_of(game: Game) -> Board:
    """Return the board the game is played on, with the number of centers agreed to win."""
    board, centers = chart_of(game).board, options_of(game).ends.centers
    return board if centers is None else replace(board, victory_centers=centers)


def players_of(game: Game, when: JudgePhase | None = None) -> tuple[tuple[Power, ...], ...]:
    """Return the powers that each seat plays in the phase `when`, at the start if it is None.

    One power each, unless the game's setup has players with several.
    """
    board, setup = chart_of(game).board, setup_of(game)
    if setup is None:
        return tuple((info.power,) for info in board.powers)
    return setup.players if when is None else setup.players_at(when, game.seed)


def setup_of(game: Game) -> Setup | None:
    """Return the setup the game was begun with, None for the map's own."""
    name = options_of(game).setup
    return setups()[name] if name else None


def country_of(seat: Seat) -> str:
    """Return what the seat's country is called: by its player, else as printed on the map."""
    info = chart_of(seat.game).board.power_info.get(Power(seat.power or ""))
    return seat.country or (info.name if info else "")


def powers_of(seat: Seat, phase: Phase) -> tuple[Power, ...]:
    """Return the powers that the seat plays in the phase."""
    for powers in players_of(phase.game, JudgePhase.parse(phase.name)):
        if seat.power in powers:
            return powers
    return ()


def options_of(game: Game) -> Options:
    """Return what was agreed on besides map and rules."""
    return Options.from_json(game.options)


def rules_of(game: Game) -> RuleSet:
    """Return the game's rule set."""
    return rules_from_json(game.rules)


def deadline_of(phase: Phase) -> Deadline:
    """Return when orders for the phase close and when it is processed."""
    return Deadline(phase.due_at, phase.adjudicate_at, exact=phase.exact)


def timer_of(phase: Phase) -> Timer:
    """Return the phase's time as it stands, with all that moved it, from the log."""
    entries = phase.log.filter(kind__in=[kind.value for kind in Kind]).order_by("pk")
    moves = tuple(moved_from_json(entry.data["moved"]) for entry in entries)
    stage = JudgePhase.parse(phase.name).stage
    return Timer(options_of(phase.game).schedule, stage, deadline_of(phase), moves)


def position_of(phase: Phase) -> Position:
    """Return the position that the phase begins with."""
    return position_from_json(phase.position)


def resolution_of(phase: Phase) -> Resolution:
    """Return what came of a processed phase."""
    return resolution_from_json(phase.results)


def live_orders(phase: Phase) -> QuerySet[OrderRow]:
    """Return the orders that count at the lock, in board-independent order."""
    rows = OrderRow.objects.filter(draft__phase=phase, draft__live=True)
    return rows.order_by("draft__seat_id", "pk")


def open_phase_of(game: Game) -> Phase | None:
    """Return the newest phase that a roll-back did not leave behind."""
    return game.phases.filter(superseded_at=None).order_by("-sequence").first()


def orders_of(rows: Iterable[OrderRow]) -> tuple[Order, ...]:
    """Return the orders of `rows`, in the same sequence."""
    return tuple(order_from_json(row.canonical) for row in rows)


def unit_keys(orders: Iterable[Order]) -> dict[str, Order]:
    """Return each order under what it is for: its unit, or `WAIVE 1` and so on."""
    found: dict[str, Order] = {}
    waived = 0
    for order in orders:
        if isinstance(order, Waive):
            waived += 1
            found[f"WAIVE {waived}"] = order
        else:
            found[str(order.unit)] = order
    return found


def ending_to_json(ending: Ending) -> dict[str, object]:
    """Return the ending as stored with the game."""
    return {"v": 1, "winners": list(ending.winners), "reason": ending.reason}
