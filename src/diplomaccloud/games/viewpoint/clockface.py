"""How the time of a game stands, in words: at the latest or exactly, closed, paused."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import replace

from django.utils import timezone

from diplomaccloud.games.models import Game, LogEntry, Phase, Status
from diplomaccloud.games.presenters.game_status import ClockView
from diplomaccloud.judge.phases import Phase as JudgePhase
from diplomaccloud.schedule import (
    Deadline,
    DeadlineMove,
    MoveKind,
    Timer,
    format_bound,
    format_instant,
    move_from_json,
)

_MOVES = frozenset(kind.value for kind in MoveKind)


def clock_of(game: Game, phase: Phase | None, entries: Sequence[LogEntry]) -> ClockView | None:
    """Return the clock of the open phase, None where none runs; `entries` is the phase's log."""
    if phase is None or game.status != Status.RUNNING or phase.processed_at is not None:
        return None
    now, deadline = timezone.now(), phase.deadline
    zone = game.options.schedule.plan.zone
    closed = phase.locked_at is not None or deadline.orders_at <= now
    late = deadline.adjudicate_at != deadline.orders_at
    clock = ClockView(
        state=_state(deadline.adjudicate_at, now, closed=closed),
        at=deadline.adjudicate_at if closed else deadline.orders_at,
        bound=format_bound(deadline),
        when=_bounded(deadline.orders_at, zone, exact=deadline.exact),
        adjudicated=_bounded(deadline.adjudicate_at, zone, exact=deadline.exact) if late else "",
        zone=zone,
        times=_times(deadline, closed=closed),
    )
    pause = timer_in(game, phase, entries).pause_at(now)
    return clock if pause is None else _paused(clock, pause, zone, master=bool(game.master_id))


def timer_in(game: Game, phase: Phase, entries: Sequence[LogEntry]) -> Timer:
    """Return the phase's time from its lines of the log, in any order."""
    moves = sorted(
        (one for one in entries if one.kind in _MOVES and one.phase_id == phase.pk),
        key=lambda one: one.pk,
    )
    stage = JudgePhase.parse(phase.name).stage
    moved = tuple(move_from_json(one.data["moved"]) for one in moves)
    return Timer(game.options.schedule, stage, phase.deadline, moved)


def _bounded(instant: dt.datetime, zone: str, *, exact: bool) -> str:
    """Return `at the latest Sunday 1 March, 14:50 UTC`, or `Sunday 1 March, exactly at …`."""
    day, _, clock = format_instant(instant, zone).partition(", ")
    return f"{day}, exactly at {clock}" if exact else f"at the latest {day}, {clock}"


def _times(deadline: Deadline, *, closed: bool) -> tuple[tuple[str, dt.datetime], ...]:
    due, judged = ("due", deadline.orders_at), ("adjudicated", deadline.adjudicate_at)
    if closed:
        return (judged,)
    return (due,) if deadline.orders_at == deadline.adjudicate_at else (due, judged)


def _state(adjudicate_at: dt.datetime, now: dt.datetime, *, closed: bool) -> str:
    if not closed:
        return "open"
    return "closed" if now < adjudicate_at else "due"


def _paused(clock: ClockView, pause: DeadlineMove, zone: str, *, master: bool) -> ClockView:
    until = pause.at + pause.by
    return replace(
        clock,
        state="paused",
        times=(("paused until", until), *clock.times),
        until=format_instant(until, zone),
        ends="A vote or the game master can end it sooner."
        if master
        else "A vote can end it sooner.",
    )
