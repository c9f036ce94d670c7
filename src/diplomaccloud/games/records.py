"""Rows to judge values and back."""

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache

from django.db.models import F, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce

from diplomaccloud.atlas.chart import Chart
from diplomaccloud.games.models import Draft, Game, OrderRow, Phase, Plan, Seat, Tenure
from diplomaccloud.games.options.options import Options
from diplomaccloud.judge.board import Board, Power
from diplomaccloud.judge.codec.values import (
    order_from_json,
    position_from_json,
    resolution_from_json,
    rules_from_json,
)
from diplomaccloud.judge.orders import Order, Waive
from diplomaccloud.judge.phases import Phase as JudgePhase
from diplomaccloud.judge.phases import Stage
from diplomaccloud.judge.position import Position, starting_position
from diplomaccloud.judge.results import Ending, Resolution
from diplomaccloud.judge.rules import RuleSet
from diplomaccloud.judge.standard.setups import Setup, setups
from diplomaccloud.maps.library import find_chart
from diplomaccloud.maps.models import StoredChart
from diplomaccloud.schedule import Deadline, MoveKind, Timer, move_from_json
from diplomaccloud.schedule.wording import join_words

NO_COLOUR = "#888888"
FIRST_DRAFT = "Orders"
"""The name of the draft that exists before a player has named any."""


def chart_of(game: Game) -> Chart:
    """Return the map the game is played on."""
    if not Game.chart.is_cached(game):
        # Its text, the longest there is, is read once in a process: see `find_chart`.
        game.chart = StoredChart.objects.defer("text").get(pk=game.chart_id)
    return find_chart(game.chart.content_hash)


def board_of(game: Game, when: JudgePhase | None = None) -> Board:
    """Return the board that is played in the phase `when`, at the start if it is None.

    It has the number of centers agreed to win. Where the powers of one player win together, no
    power can win alone: its board asks for more centers than there are.
    """
    setup, centers = setup_of(game), options_of(game).ends.centers
    if setup is None:
        board = chart_of(game).board
    else:
        board = setup.board if when is None else setup.board_at(when)
        if setup.shared_centers is not None:
            centers = len(board.centers) + 1
    return board if centers is None else _needing(board, centers)


@lru_cache(maxsize=64)
def _needing(board: Board, centers: int) -> Board:
    """Return `board` with another number of centers to win: one value, for tables are kept."""
    return replace(board, victory_centers=centers)


def centers_to_win(game: Game) -> int:
    """Return how many centers win, those of all powers of one player where they win together."""
    agreed, setup = options_of(game).ends.centers, setup_of(game)
    if agreed is not None:
        return agreed
    if setup is not None and setup.shared_centers is not None:
        return setup.shared_centers
    return board_of(game).victory_centers


def start_of(game: Game) -> Position:
    """Return the position that the game begins with."""
    setup = setup_of(game)
    return setup.position if setup else starting_position(board_of(game))


def players_of(game: Game, when: JudgePhase | None = None) -> tuple[tuple[Power, ...], ...]:
    """Return the powers that each seat plays in the phase `when`, at the start if it is None.

    One power each, unless the game's setup has players with several.
    """
    setup = setup_of(game)
    if setup is None:
        return tuple((info.power,) for info in chart_of(game).board.powers)
    return setup.players if when is None else setup.players_at(when, game.seed)


def played_by(seat_power: str | None, players: Sequence[Sequence[Power]]) -> tuple[Power, ...]:
    """Return the powers of the player, among `players`, whose first power is `seat_power`."""
    return next((tuple(powers) for powers in players if seat_power in powers), ())


def idle_powers(game: Game, when: JudgePhase) -> tuple[Power, ...]:
    """Return the powers on the board that nobody plays in the phase `when`."""
    setup = setup_of(game)
    if setup is None:
        return ()
    played = {power for powers in players_of(game, when) for power in powers}
    return tuple(power for power in setup.idle if power not in played)


def unplayed_powers(phase: Phase, when: JudgePhase) -> frozenset[Power]:
    """Return the powers that nobody plays for now in the phase `when`, that of `phase` or its next.

    In civil disorder, or of a seat that is vacant: neither is asked about a draw or shares in
    one. Source: the errata of document 2, "Ending the game in a draw".
    """
    vacant = phase.game.seats.exclude(vacated_at=None).values_list("power", flat=True)
    players = players_of(phase.game, when)
    left = {power for seat in vacant for power in played_by(seat, players)}
    return frozenset(left.union(map(Power, phase.disorder)))


def setup_of(game: Game) -> Setup | None:
    """Return the setup the game was begun with, None for the map's own."""
    name = options_of(game).setup
    return setups()[name] if name else None


def country_of(seat: Seat) -> str:
    """Return what the seat's country is called: by its player, else as printed on the map."""
    if seat.country:
        return seat.country
    info = board_of(seat.game).power_info
    played = played_by(seat.power, players_of(seat.game))
    return join_words([info[power].name for power in played])


def colours_of(game: Game, seats: Iterable[Seat]) -> dict[str, str]:
    """Return every power's colour as `#rrggbb`: chosen by its player, else the map's."""
    chosen = {power: color for seat in seats for power, color in seat.colors.items()}
    printed = chart_of(game).palette
    board = board_of(game)
    return {
        info.power: chosen.get(info.power, printed.get(info.power, NO_COLOUR))
        for info in board.powers
    }


def board_in(phase: Phase) -> Board:
    """Return the board that is played in the phase."""
    return board_of(phase.game, JudgePhase.parse(phase.name))


def powers_of(seat: Seat, phase: Phase) -> tuple[Power, ...]:
    """Return the powers that the seat plays in the phase."""
    return played_by(seat.power, players_of(phase.game, JudgePhase.parse(phase.name)))


def options_of(game: Game) -> Options:
    """Return what was agreed on besides map and rules."""
    return _options(json.dumps(game.options, sort_keys=True))


@lru_cache(maxsize=256)
def _options(text: str) -> Options:
    """Return the options of a JSON text: asked for many times in one page, read once."""
    return Options.from_json(json.loads(text))


def rules_of(game: Game) -> RuleSet:
    """Return the game's rule set."""
    return _rules(json.dumps(game.rules))


@lru_cache(maxsize=64)
def _rules(text: str) -> RuleSet:
    return rules_from_json(json.loads(text))


def deadline_of(phase: Phase) -> Deadline:
    """Return when orders for the phase close and when it is processed."""
    return Deadline(phase.due_at, phase.adjudicate_at, exact=phase.exact)


def tells_who_is_ready(when: JudgePhase) -> bool:
    """Return whether everybody is told in the phase `when` who is ready.

    Not where orders may have been written ahead, which makes a seat ready in silence: if the
    others' flags were seen, a phase that ended would tell who had written ahead.
    """
    return when.stage is Stage.MOVEMENT


def timer_of(phase: Phase) -> Timer:
    """Return the phase's time as it stands, with all that moved it, from the log."""
    entries = phase.log.filter(kind__in=[kind.value for kind in MoveKind]).order_by("pk")
    moves = tuple(move_from_json(entry.data["moved"]) for entry in entries)
    stage = JudgePhase.parse(phase.name).stage
    return Timer(options_of(phase.game).schedule, stage, deadline_of(phase), moves)


def position_of(phase: Phase) -> Position:
    """Return the position that the phase begins with."""
    return _position(json.dumps(phase.position))


@lru_cache(maxsize=64)
def _position(text: str) -> Position:
    return position_from_json(json.loads(text))


def resolution_of(phase: Phase) -> Resolution:
    """Return what came of a processed phase."""
    return resolution_from_json(phase.results)


def seed_of(phase: Phase) -> str:
    """Return the seed of the lots that are drawn when the phase is judged."""
    return f"{phase.game.seed} {phase.name}"


def live_orders(phase: Phase) -> QuerySet[OrderRow]:
    """Return the orders that count at the lock, in board-independent order."""
    rows = OrderRow.objects.filter(draft__phase=phase, draft__live=True)
    return rows.order_by("draft__seat_id", "pk")


def drafts_of(seat: Seat, phase: Phase) -> QuerySet[Draft]:
    """Return the drafts of the seat's present holder, oldest first."""
    held = Coalesce(_held_since("seat"), F("phase__opens_at"))
    return Draft.objects.filter(seat=seat, phase=phase, saved_at__gte=held).order_by("pk")


def plans_made(game: Game, moved: JudgePhase) -> QuerySet[Plan]:
    """Return what people who still hold their seats wrote ahead in the movement phase `moved`."""
    plans = Plan.objects.filter(
        phase__game=game, phase__superseded_at=None, phase__name=str(moved)
    ).exclude(seat__user=None)
    held = Coalesce(_held_since("seat"), F("phase__opens_at"))
    return plans.filter(saved_at__gte=held).select_related("seat").order_by("seat_id")


def plan_of(plan: Plan, power: Power) -> str:
    """Return the canonical text of what was written ahead for one power of the seat."""
    # Version 1 had one text for all powers.
    return str(plan.canonical.get("plans", {}).get(power, plan.canonical.get("text", "")))


def _held_since(seat: str) -> Subquery:
    """Return since when the seat has been held by whoever holds it."""
    tenures = Tenure.objects.filter(seat=OuterRef(seat), until_at=None)
    return Subquery(tenures.order_by("-pk").values("since_at")[:1])


def open_phase_of(game: Game) -> Phase | None:
    """Return the newest phase that a roll-back did not leave behind."""
    return game.phases.filter(superseded_at=None).order_by("-sequence").first()


def orders_of(rows: Iterable[OrderRow]) -> tuple[Order, ...]:
    """Return the orders of `rows`, in the same sequence."""
    return tuple(order_from_json(row.canonical) for row in rows)


def receipt_digest(salt: str, text: str) -> str:
    """Return the SHA-256, in hexadecimal, of the salt, a line feed and the text, as UTF-8."""
    return hashlib.sha256(f"{salt}\n{text}".encode()).hexdigest()


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
