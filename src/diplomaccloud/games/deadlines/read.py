"""The deadlines of open phases: of a game, of all games of a person, and overdue ones."""

import datetime as dt
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from django.conf import settings
from django.db.models import Count, Min, Q, QuerySet
from django.utils import timezone
from django.utils.module_loading import import_string

from diplomaccloud.games.table.log_models import LogEntry
from diplomaccloud.games.table.models import FROZEN, Game, Status
from diplomaccloud.games.table.phase_models import Phase, TalkDone
from diplomaccloud.games.table.read import Reader, read_once
from diplomaccloud.games.visibility.read import Viewer
from diplomaccloud.schedule import Deadline, MoveKind, Timer, find_quiet_time, move_from_json

_MOVES = frozenset(kind.value for kind in MoveKind)


class ClockState(StrEnum):
    """What the open phase is waiting for.

    `OPEN`: orders. `CLOSED`: adjudication at a later time. `DUE`: adjudication now. `PAUSED`:
    the end of a pause.
    """

    OPEN = "open"
    CLOSED = "closed"
    DUE = "due"
    PAUSED = "paused"


@dataclass(frozen=True, slots=True)
class Clock:
    """The deadline of the open phase at `read_at`.

    `paused_until` is the latest end of a pause, or None. `quiet_from` is when quiet time starts,
    or None if the phase has none. `late` says that a new player who takes a seat now owes no
    orders in this phase. `grace_for` has the keys of the seats that the current grace period is
    for.
    """

    state: ClockState
    deadline: Deadline
    zone: str
    closed: bool
    paused_until: dt.datetime | None
    has_master: bool
    quiet_from: dt.datetime | None
    late: bool
    grace_for: frozenset[int]
    read_at: dt.datetime = field(compare=False)


@read_once
def read_clock(reader: Reader) -> Clock | None:
    """Return the clock of the open phase, or None if there is no open phase."""
    rows = reader.rows
    phase, entries = rows.phase, rows.newest_entries
    if phase is None or not rows.is_running or phase.processed_at is not None:
        return None
    now, deadline = timezone.now(), phase.deadline
    timer = timer_of_entries(rows.game, phase, entries)
    pause, state = timer.pause_at(now), ClockState.OPEN
    closed = phase.locked_at is not None or deadline.orders_at <= now
    if pause:
        state = ClockState.PAUSED
    elif closed:
        state = ClockState.DUE if deadline.adjudicate_at <= now else ClockState.CLOSED
    quiet_from = None
    if phase.has_quiet_time:
        quiet_from = find_quiet_time(timer.deadline, timer.moves, rows.options.talk.writing)
    return Clock(
        read_at=now,
        state=state,
        deadline=deadline,
        zone=rows.options.schedule.plan.zone,
        closed=closed,
        paused_until=pause.at + pause.by if pause else None,
        has_master=bool(rows.game.master_id),
        quiet_from=quiet_from,
        late=timer.is_late(phase.opens_at, now),
        grace_for=frozenset(
            key
            for entry in entries
            if entry.kind == MoveKind.GRACE and entry.phase_id == phase.pk
            for key in entry.data["seats"]
        ),
    )


def timer_of_entries(game: Game, phase: Phase, entries: Sequence[LogEntry]) -> Timer:
    """Return the timer of the phase from log entries in any order."""
    moves = sorted(
        (entry for entry in entries if entry.kind in _MOVES and entry.phase_id == phase.pk),
        key=lambda entry: entry.pk,
    )
    moved = tuple(move_from_json(entry.data["moved"]) for entry in moves)
    return Timer(game.options.schedule, phase.judge_phase.stage, phase.deadline, moved)


@read_once
def is_done_talking(reader: Reader) -> bool | None:
    """Return whether the viewer is done talking, or None if talk cannot end early."""
    rows = reader.rows
    if rows.own_seat is None or rows.phase is None or not rows.phase.has_quiet_time:
        return None
    return TalkDone.objects.filter(phase=rows.phase, seat=rows.own_seat).exists()


MAX_DEADLINES = 100
"""The most deadlines in a calendar: those of the newest games."""


@dataclass(frozen=True, slots=True)
class OwnDeadline:
    """When orders of an open phase are due; `moves` counts how often the deadline was moved."""

    slug: str
    world: str
    sequence: int
    due_at: dt.datetime
    moves: int


def read_own_deadlines(viewer: Viewer) -> list[OwnDeadline]:
    """Return the deadlines of the open phases in games where the viewer holds a seat."""
    if viewer.user_id is None:
        return []
    moved = Count("log", filter=Q(log__kind__in=[kind.value for kind in MoveKind]))
    phases = Phase.objects.in_play().filter(game__seats__user=viewer.user_id, locked_at=None)
    rows = phases.annotate(moves=moved).order_by("-game")
    fields = ("game__slug", "game__world", "sequence", "due_at", "moves")
    return [OwnDeadline(*row) for row in rows.values_list(*fields)[:MAX_DEADLINES]]


# Whether games are processed in time: counts for the administrator, without secrets.


@dataclass(frozen=True, slots=True)
class Backlog:
    """The number of overdue phases, the time of the oldest, and the number of suspended games."""

    overdue: int
    oldest_at: dt.datetime | None
    suspended: int


@dataclass(frozen=True, slots=True)
class StoppedClock:
    """That no worker processes deadlines; `since` is None if none ever has."""

    since: dt.datetime | None


def find_stopped_clock() -> StoppedClock | None:
    """Return since when the site's clock has stopped, or None if it runs.

    The setting `CLOCK_WATCH` names the function that knows; without one, the clock runs.
    """
    if not settings.CLOCK_WATCH:
        return None
    find: Callable[[], StoppedClock | None] = import_string(settings.CLOCK_WATCH)
    return find()


def select_due(before: dt.datetime) -> QuerySet[Phase]:
    """Return the phases that were due before an instant, in no particular order."""
    # SQLite uses an index on a boolean column only if the query compares it with a value.
    return Phase.objects.filter(
        open__in=[True],
        processed_at=None,
        superseded_at=None,
        adjudicate_at__lt=before,
        game__status=Status.RUNNING,
        game__suspended_reason="",
    ).order_by()


def backlog(*, before: dt.datetime) -> Backlog:
    """Count the phases that should have been processed before an instant but were not."""
    overdue = select_due(before)
    oldest = overdue.aggregate(at=Min("adjudicate_at"))["at"]
    # What a moderator stopped has no error.
    failed = Game.objects.filter(status=Status.RUNNING).exclude(suspended_reason__in=["", FROZEN])
    suspended = failed.count()
    return Backlog(overdue.count() if oldest else 0, oldest, suspended)
