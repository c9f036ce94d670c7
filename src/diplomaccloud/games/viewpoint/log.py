"""The public log of a game: every line, for everyone who may see the game."""

import datetime as dt
from dataclasses import dataclass

from django.core.paginator import Paginator
from django.db.models import Case, QuerySet, Value, When

from diplomaccloud.games.models import Game, LogEntry, Phase
from diplomaccloud.games.viewpoint.names import Actor, actor_of
from diplomaccloud.games.viewpoint.rows import GameRows
from diplomaccloud.judge.phases import Phase as JudgePhase
from diplomaccloud.schedule import MoveKind

LINES_PER_PAGE = 30
_MAX_NEWEST = 200
"""The game page reads at most this many lines: all deadline changes and the newest others."""


@dataclass(frozen=True, slots=True)
class LogLine:
    """One line of the log; `by` is None if the site did it."""

    at: dt.datetime
    kind: str
    text: str
    reason: str
    by: Actor | None
    phase: JudgePhase | None = None


@dataclass(frozen=True, slots=True)
class LogPage:
    """One page of the log, newest line first, and the number of pages."""

    lines: tuple[LogLine, ...]
    number: int
    pages: int


def read_newest(rows: GameRows) -> list[LogEntry]:
    """Return the newest lines, newest first, with every deadline change of the open phase."""
    moves = When(phase=rows.phase, kind__in=[kind.value for kind in MoveKind], then=Value(1))
    entries = _entries(rows.game).annotate(moved=Case(moves, default=Value(0)))
    newest = entries.order_by("-moved", "-pk")[:_MAX_NEWEST]
    return sorted(newest, key=lambda entry: -entry.pk)


def read_log(rows: GameRows, number: int) -> LogPage:
    """Return one page of the log; a number out of range gives the nearest page."""
    page = Paginator(_entries(rows.game).select_related("phase"), LINES_PER_PAGE).get_page(number)
    return LogPage(
        tuple(read_line(rows.game, entry, entry.phase) for entry in page.object_list),
        page.number,
        page.paginator.num_pages,
    )


def read_line(game: Game, entry: LogEntry, phase: Phase | None = None) -> LogLine:
    """Return one line of the log; in an anonymous game its author has no name."""
    judge_phase = JudgePhase.parse(phase.name) if phase else None
    by = actor_of(game, entry.by)
    return LogLine(entry.at, entry.kind, entry.text, entry.reason, by, judge_phase)


def _entries(game: Game) -> QuerySet[LogEntry]:
    return game.log.select_related("by").order_by("-pk")
