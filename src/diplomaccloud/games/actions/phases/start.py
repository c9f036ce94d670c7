"""Opening a phase: its row, its deadline, its event."""

import datetime as dt
from collections.abc import Mapping

from diplomaccloud import __version__
from diplomaccloud.games import events
from diplomaccloud.games.actions.deadlines.moves import apply_move
from diplomaccloud.games.actions.phases.bots_only import bots_time, tell_alone
from diplomaccloud.games.actions.phases.coin_flip import tell_coin
from diplomaccloud.games.models import Game, Phase, Seat
from diplomaccloud.games.records import board_of, idle_powers, options_of, players_of
from diplomaccloud.judge.adjudicate import powers_to_order
from diplomaccloud.judge.board import Board
from diplomaccloud.judge.codec.values import position_to_json
from diplomaccloud.judge.phases import Phase as JudgePhase
from diplomaccloud.judge.position import Position
from diplomaccloud.schedule import Deadline, DeadlineMove, find_deadline, find_late_deadline

IDLE = "idle"
"""Why a power is without a player from the start: the game's setup gives it none."""


def people_to_order(
    game: Game, board: Board, position: Position, disorder: Mapping[str, str] | None = None
) -> list[Seat]:
    """Return the seats of people who have something to order in `position`."""
    return [seat for seat in seats_to_order(game, board, position, disorder) if seat.user]


def seats_to_order(
    game: Game, board: Board, position: Position, disorder: Mapping[str, str] | None = None
) -> list[Seat]:
    """Return the seats that have something to order in `position`: people's, bots', vacant ones."""
    powers = {p for p in powers_to_order(board, position) if p not in (disorder or {})}
    seats = {seat.power or "": seat for seat in game.seats.select_related("user")}
    return [
        seats[played[0]]
        for played in players_of(game, position.phase)
        if played[0] in seats and powers.intersection(played)
    ]


def open_phase(
    *,
    game: Game,
    position: Position,
    sequence: int,
    now: dt.datetime,
    disorder: Mapping[str, str] | None = None,
    after: Phase | None = None,
) -> Phase:
    """Return the new phase, within the caller's transaction; nobody waits for bots in it.

    A vacant seat is waited for: somebody may take it. `disorder` are the powers without a
    player and why, carried over from the phase before; those that the game's setup leaves
    idle are among them for as long as they are. If the phase `after` which it opens was
    processed late, its players are given that time.
    """
    disorder = {power: why for power, why in (disorder or {}).items() if why != IDLE}
    disorder |= dict.fromkeys(idle_powers(game, position.phase), IDLE)
    seats = seats_to_order(game, board_of(game, position.phase), position, disorder)
    people = any(not seat.bot for seat in seats)
    first = sequence == 1
    due, credit = _deadline(game, position, now, after, people=people, first=first)
    phase = Phase.objects.create(
        game=game,
        sequence=sequence,
        line=game.line,
        name=str(position.phase),
        position=position_to_json(position),
        disorder=disorder,
        rules=game.rules,
        engine=__version__,
        map_hash=game.chart.content_hash,
        opens_at=now,
        due_at=due.orders_at,
        adjudicate_at=due.adjudicate_at,
        exact=due.exact,
    )
    data: dict[str, object] = {"phase": phase.name, "due_at": due.orders_at.isoformat()}
    events.record(game=game, kind="opened", key=f"opened {sequence}", now=now, data=data)
    if credit is not None:
        apply_move(phase, credit)
    tell_coin(phase, now)
    if not any(seat.user for seat in seats):
        tell_alone(phase, now)
    return phase


def _deadline(
    game: Game,
    position: Position,
    now: dt.datetime,
    after: Phase | None,
    *,
    people: bool,
    first: bool,
) -> tuple[Deadline, DeadlineMove | None]:
    schedule, stage = options_of(game).schedule, position.phase.stage
    if not people:
        due_at = now + bots_time(stage)
        return Deadline(due_at, due_at, exact=True), None
    if after is None:
        return find_deadline(schedule, stage, now, first=first), None
    return find_late_deadline(schedule, stage, now, due_at=after.adjudicate_at, key="late")


def reopen_phase(phase: Phase, now: dt.datetime) -> None:
    """Give an open phase its full length again; closed orders stay closed, and are judged."""
    now = max(now, phase.opens_at)
    if phase.locked_at:
        phase.adjudicate_at = max(phase.adjudicate_at, now)
    else:
        stage = JudgePhase.parse(phase.name).stage
        schedule = options_of(phase.game).schedule
        due = find_deadline(schedule, stage, now, first=False)
        phase.due_at, phase.adjudicate_at, phase.exact = (
            due.orders_at,
            due.adjudicate_at,
            due.exact,
        )
    phase.save(update_fields=["due_at", "adjudicate_at", "exact"])
