"""The transaction of an action: it is retried after a conflict, and writes some rows at its end.

Locks taken in a fixed order (see `lock`) cannot deadlock, but a database may still abort a
transaction: because of gap locks in an index, because of a serialization failure, or on SQLite
because another process has locked the file.

Lines of the record, events and people's statistics are collected and written together at the end.
Workers then take the events from here to write notices.
"""

import datetime as dt
import functools
import random
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Final, ParamSpec, TypeVar

import structlog
from django.db import DatabaseError, OperationalError, connection, transaction
from django.db.models import Case, F, Value, When

from diplomaccloud.games.table.log_models import FIGURES, Event, Figures, PlayerFigures, RecordLine
from diplomaccloud.games.table.models import Game
from diplomaccloud.record.chain import Body, ChainLine, make_lines
from diplomaccloud.shared.news import tell_change

MAX_ATTEMPTS: Final = 6
MAX_RETRY_SECONDS: Final = 10.0
"""An action that has taken longer is not retried: the person has waited long enough."""
_FIRST_PAUSE_SECONDS: Final = 0.01
_MYSQL_CODES: Final = frozenset({1020, 1205, 1213})
"""The row has changed since it was read, a lock timed out, or there was a deadlock."""
_POSTGRESQL_STATES: Final = frozenset({"40001", "40P01"})
"""A serialization failure or a deadlock."""
_SQLITE_NAMES: Final = ("SQLITE_BUSY", "SQLITE_LOCKED")
_P = ParamSpec("_P")
_R = TypeVar("_R")
_log = structlog.get_logger(__name__)


def atomic_with_retries(action: Callable[_P, _R]) -> Callable[_P, _R]:
    """Return the action wrapped in a transaction that is retried if the database aborts it.

    Record lines are written at its end, followed by events and statistics. An attempt to order
    counts as presence even if the action is refused.

    Inside another transaction the action runs only once, since only the outer transaction can be
    retried. The arguments are the same each time, so an order keeps the time at which it was sent.
    """

    @functools.wraps(action)
    @attempts_kept()
    def run(*args: _P.args, **kwargs: _P.kwargs) -> _R:
        if transaction.get_connection().in_atomic_block:
            with transaction.atomic(), written_together(), lines_written_together():
                return action(*args, **kwargs)
        started, attempt = time.monotonic(), 1
        while True:
            try:
                with transaction.atomic(), written_together(), lines_written_together():
                    return action(*args, **kwargs)
            except OperationalError as error:
                waited = time.monotonic() - started
                if not is_conflict(error) or attempt >= MAX_ATTEMPTS or waited > MAX_RETRY_SECONDS:
                    raise
                _log.warning("transaction repeated", action=action.__name__, attempt=attempt)
            # Wait for a random time, so that two conflicting actions don't collide again.
            time.sleep(random.uniform(0, _FIRST_PAUSE_SECONDS * 2**attempt))
            attempt += 1

    return run


@dataclass(slots=True)
class _Attempts:
    """How to save the attempts to order in a transaction, and whether any was rolled back."""

    noted: list[Callable[[], None]] = field(default_factory=list)
    refused: bool = False


_attempts: ContextVar[_Attempts | None] = ContextVar("_attempts", default=None)


@contextmanager
def attempts_kept() -> Iterator[None]:
    """Save attempts to order that an error within the block has rolled back, as presence.

    The outermost block saves them, after its transaction.
    """
    outer = _attempts.get()
    own = outer or _Attempts()
    token = _attempts.set(own)
    try:
        yield
    except DatabaseError:
        raise
    except Exception:
        own.refused = True
        raise
    finally:
        _attempts.reset(token)
        if outer is None and own.refused:
            for save in own.noted:
                # The person must hear why nothing was saved, even if the database is busy.
                with suppress(DatabaseError), transaction.atomic():
                    save()


def note_attempt(save: Callable[[], None]) -> None:
    """Call `save` in a transaction of its own if the current one is rolled back by a refusal."""
    if attempts := _attempts.get():
        attempts.noted.append(save)


def is_conflict(error: BaseException) -> bool:
    """Return whether the database aborted a transaction that may succeed if it is retried."""
    cause = error.__cause__
    if cause is None:
        return False
    if getattr(cause, "sqlstate", None) in _POSTGRESQL_STATES:
        return True
    if getattr(cause, "sqlite_errorname", "").startswith(_SQLITE_NAMES):
        return True
    return bool(cause.args) and cause.args[0] in _MYSQL_CODES


# Adding lines to the record of a game: each contains the hash of the line before it.
#
# A transaction writes its lines together at its end, so a turn needs only two statements however
# many lines it adds. The game is locked, so its row holds the number and hash of the last line.


@dataclass(slots=True)
class _NewLines:
    """The lines that a transaction adds to a game, and the `Game` objects to update with them."""

    games: list[Game] = field(default_factory=list)
    bodies: list[Body] = field(default_factory=list)

    def add(self, games: Iterable[Game], bodies: Iterable[Body]) -> None:
        for game in games:
            if not any(game is known for known in self.games):
                self.games.append(game)
        self.bodies += bodies


_collected: ContextVar[dict[int, _NewLines] | None] = ContextVar("_collected", default=None)


@contextmanager
def lines_written_together() -> Iterator[None]:
    """Collect lines added within the block and write them at its end, unless an error occurs."""
    outer, own = _collected.get(), dict[int, _NewLines]()
    token = _collected.set(own)
    try:
        yield
    finally:
        _collected.reset(token)
    for game_id, new in own.items():
        if outer is None:
            _write(new)
        else:
            outer.setdefault(game_id, _NewLines()).add(new.games, new.bodies)


def add_line(game: Game, body: Body) -> None:
    """Add a line to the record of a locked game, at the end of the transaction.

    Games older than this kind of record get no lines.
    """
    if not game.has_record:
        return
    collected = _collected.get()
    if collected is None:
        # This object may have been read before the game was locked.
        game.refresh_from_db(fields=["record_length", "record_head"])
        _write(_NewLines([game], [body]))
    else:
        collected.setdefault(game.pk, _NewLines()).add([game], [body])


def _write(new: _NewLines) -> None:
    game = new.games[0]
    last = None
    if game.record_length:
        last = ChainLine(game.record_length, "", game.record_head)
    lines = list(make_lines(new.bodies, after=last))
    RecordLine.objects.bulk_create(
        RecordLine(
            game=game, number=line.number, kind=str(body["kind"]), text=line.text, hash=line.hash
        )
        for line, body in zip(lines, new.bodies, strict=True)
    )
    for known in new.games:
        known.record_length, known.record_head = lines[-1].number, lines[-1].hash
    game.save(update_fields=["record_length", "record_head"])


# What a transaction writes once, at its end: its events, versions and statistics.
#
# Collecting them saves queries. Also, people's statistics, which several games update, are locked
# last and only briefly.


@dataclass(slots=True)
class _Pending:
    events: list[Event] = field(default_factory=list)
    figures: dict[int, Counter[str]] = field(default_factory=dict)

    def add_figures(self, changes: Mapping[int, Figures]) -> None:
        for user, numbers in changes.items():
            self.figures.setdefault(user, Counter()).update(numbers)

    def write(self) -> None:
        Event.objects.bulk_create(self.events)
        versions = Counter(event.game_id for event in self.events if event.seat_id is None)
        for game, number in versions.items():
            Game.objects.filter(pk=game).update(version=F("version") + number)
            tell_change(game)
        _change_figures(self.figures)


_current: ContextVar[_Pending | None] = ContextVar("_current", default=None)


@contextmanager
def written_together() -> Iterator[None]:
    """Write everything added within the block at its end; an error discards it."""
    outer, own = _current.get(), _Pending()
    token = _current.set(own)
    try:
        yield
    finally:
        _current.reset(token)
    if outer is None:
        own.write()
    else:
        outer.events += own.events
        outer.add_figures(own.figures)


def add_events(*events: Event) -> None:
    """Write events at the end of the transaction, or now outside `written_together`."""
    pending = _current.get() or _Pending()
    pending.events += events
    if _current.get() is None:
        pending.write()


def add_figures(changes: Mapping[int, Figures]) -> None:
    """Update statistics at the end of the transaction, or now outside `written_together`."""
    pending = _current.get() or _Pending()
    pending.add_figures(changes)
    if _current.get() is None:
        pending.write()


def lock_figures(users: Collection[int]) -> set[int]:
    """Lock the people's statistics until the transaction ends; return which people have any."""
    rows = PlayerFigures.objects.select_for_update().filter(user__in=users).order_by("user")
    return set(rows.values_list("user", flat=True))


def _change_figures(changes: Mapping[int, Figures]) -> None:
    numbers: dict[str, dict[int, list[int]]] = {}
    for user, changed in changes.items():
        for name, number in changed.items():
            if number:
                numbers.setdefault(name, {}).setdefault(number, []).append(user)
    users = sorted({user for group in numbers.values() for row in group.values() for user in row})
    if not users:
        return
    added = {
        name: Case(
            *(
                When(user__in=group, then=F(name) + Value(number))
                for number, group in numbers[name].items()
            ),
            default=F(name),
        )
        for name in FIGURES
        if name in numbers
    }
    known = lock_figures(users)
    if missing := [user for user in users if user not in known]:
        # Another transaction may insert the same rows, so every row is updated only afterwards.
        PlayerFigures.objects.bulk_create(
            (PlayerFigures(user_id=user) for user in missing), ignore_conflicts=True
        )
        lock_figures(missing)
    PlayerFigures.objects.filter(user__in=users).update(**added)


# Events of games whose notices have not been written yet: reading them and marking them handled.
#
# A column marks waiting events. Remembering the newest handled key would not work: transactions do
# not commit in the order of their keys, so an event with a smaller key could appear later.


@dataclass(frozen=True, slots=True)
class WaitingEvent:
    """A public event; `name` is unique within its game."""

    key: int
    game: int
    kind: str
    name: str
    data: dict[str, object]
    at: dt.datetime


def take_events(limit: int) -> list[WaitingEvent]:
    """Return waiting events, oldest first, locked until the caller's transaction ends.

    If the database can skip locked rows, each worker takes different events. If not, workers may
    take the same events, so the rows they write for them must have unique keys.
    """
    # SQLite uses an index on a boolean column only if the query compares it with a value.
    rows = Event.objects.filter(waiting__in=[True]).order_by("pk")
    if connection.features.has_select_for_update_skip_locked:
        rows = rows.select_for_update(skip_locked=True)
    return [
        WaitingEvent(row.pk, row.game_id, row.kind, row.key, row.data, row.created_at)
        for row in rows[:limit]
    ]


def mark_handled(events: Collection[WaitingEvent]) -> None:
    """Mark the events as handled, in the transaction that writes their notices."""
    Event.objects.filter(pk__in=[event.key for event in events]).update(waiting=None)
