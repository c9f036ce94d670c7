"""The public log of a game, the same for everyone who may see the game."""

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass

from django.core.paginator import Paginator
from django.db.models import Case, QuerySet, Value, When

from diplomaccloud.games.models import Game, LogEntry, Phase, Question
from diplomaccloud.games.viewpoint.names import Actor, actor_of
from diplomaccloud.games.viewpoint.rows import GameRows
from diplomaccloud.judge.phases import Phase as JudgePhase
from diplomaccloud.schedule import MoveKind
from diplomaccloud.shared.prepared_queries import PreparedQuery

LINES_PER_PAGE = 30
_MAX_NEWEST = 200
"""The most lines that the game page reads: all deadline changes and the newest others."""


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
    if rows.phase is None:
        return list(_entries(rows.game)[:_MAX_NEWEST])
    newest = _newest_entries.read(rows.game.pk, rows.phase.pk)
    for entry in newest:
        entry.game = rows.game
    return sorted(newest, key=lambda entry: -entry.pk)


def _select_newest(game: int, phase: int) -> QuerySet[LogEntry]:
    moves = When(phase=phase, kind__in=[kind.value for kind in MoveKind], then=Value(1))
    entries = LogEntry.objects.filter(game=game).select_related("by")
    return entries.annotate(moved=Case(moves, default=Value(0))).order_by("-moved", "-pk")[
        :_MAX_NEWEST
    ]


_newest_entries = PreparedQuery(_select_newest, int, int)


def find_draw_results(entries: Iterable[LogEntry]) -> dict[int, str]:
    """Return what the log says about votes on a draw, by the number of the phase.

    These are the draw votes written with the orders, and separate votes that were not carried.
    `entries` are lines of the log, newest first.
    """
    found: dict[int, str] = {}
    for entry in entries:
        # Damaged data must not keep anyone from the page.
        data = entry.data if isinstance(entry.data, dict) else {}
        number = data.get("sequence")
        if entry.kind == "votes":
            number = int(entry.key.rpartition(" ")[2])
        elif entry.kind != "vote" or data.get("question") != Question.DRAW:
            continue
        if number is not None:
            found[number] = f"{entry.text} {found.get(number, '')}".strip()
    return found


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
