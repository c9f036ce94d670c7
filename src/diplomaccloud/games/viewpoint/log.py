"""The public log of a game: every line, for everybody who may see the game."""

from collections.abc import Iterable

from django.core.paginator import Paginator
from django.db.models import Case, QuerySet, Value, When

from diplomaccloud.games.models import Game, LogEntry, Phase
from diplomaccloud.games.presenters.game_status import LogLine, LogPage
from diplomaccloud.games.viewpoint.names import acting_name, is_masked
from diplomaccloud.games.viewpoint.table import Table
from diplomaccloud.judge.phases import Phase as JudgePhase
from diplomaccloud.schedule import MoveKind

LINES = 30
"""How many lines a page of the log has."""
_NEWEST = 200


def newest_entries(game: Game, phase: Phase | None) -> list[LogEntry]:
    """Return the newest lines, newest first, among them every move of the open phase's time."""
    moves = When(phase=phase, kind__in=[kind.value for kind in MoveKind], then=Value(1))
    found = _entries(game).annotate(moved=Case(moves, default=Value(0)))
    newest = found.order_by("-moved", "-pk")[:_NEWEST]
    return sorted(newest, key=lambda entry: -entry.pk)


def log_page(table: Table, page: int) -> LogPage:
    """Return one page of the log, newest first; the nearest there is."""
    found = Paginator(_entries(table.game).select_related("phase"), LINES).get_page(page)
    return LogPage(
        tuple(line_of(table.game, entry, _title(entry.phase)) for entry in found.object_list),
        found.number,
        found.paginator.num_pages,
        master_name(table.game),
    )


def lines_of(game: Game, entries: Iterable[LogEntry]) -> tuple[LogLine, ...]:
    """Return lines of the log as they are shown."""
    return tuple(line_of(game, entry) for entry in entries)


def line_of(game: Game, entry: LogEntry, phase: str = "") -> LogLine:
    """Return one line; in an anonymous game nobody in it has a name."""
    by = acting_name(game, entry.by)
    return LogLine(entry.at, entry.kind, entry.text, entry.reason, by, phase)


def master_name(game: Game) -> str:
    """Return who is game master, in words."""
    if game.master is None:
        return "the software"
    return "a person, not named here" if is_masked(game) else game.master.screen_name


def _entries(game: Game) -> QuerySet[LogEntry]:
    return game.log.select_related("by").order_by("-pk")


def _title(phase: Phase | None) -> str:
    return JudgePhase.parse(phase.name).title if phase else ""
