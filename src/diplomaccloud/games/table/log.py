"""Writing the public log, the events and the record of a game, in the transaction of the action.

Lines of the record, events and people's statistics are collected and written together at the end.
Workers then take the events from here to write notices.
"""

import datetime as dt
import uuid
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, Final

from django.db import connection
from django.db.models import Case, F, Q, Value, When

from diplomaccloud.games.table.errors import BadValue
from diplomaccloud.games.table.log_models import (
    COUNTRY_FIGURES,
    FIGURES,
    RIVAL_FIGURES,
    CountryFigures,
    Event,
    Figures,
    LogEntry,
    PlayerFigures,
    RecordLine,
    RivalFigures,
    Tally,
    TallyRow,
    World,
    WorldFigures,
)
from diplomaccloud.games.table.models import Game, Seat
from diplomaccloud.games.table.phase_models import Phase
from diplomaccloud.record import lines
from diplomaccloud.record.chain import Body, ChainLine, format_time, make_lines
from diplomaccloud.schedule import move_from_json
from diplomaccloud.shared.news import tell_change

_ENTRIES: Final = {"aside": "suspended", "released": "resumed"}
"""Plain words for kinds of log entries that are stored under older names."""
_PUBLIC_DATA: Final = ("draws", "surrendered", "power")
"""The public data of a log entry besides its text; the rest are keys of rows."""
MAX_REASON = 400


def write_log(
    *,
    game: Game,
    kind: str,
    key: str,
    text: str,
    now: dt.datetime,
    phase: Phase | None = None,
    by: int | None = None,
    reason: str = "",
    data: Mapping[str, object] | None = None,
) -> LogEntry:
    """Write a log entry that everyone who sees the game may read, and return it.

    `by` is the person who acted, or None for the site. Using the same `key` twice in one game is an
    error, so check first whether the action was already done.
    """
    entry = LogEntry.objects.create(
        game=game,
        phase=phase,
        by_id=by,
        kind=kind,
        key=key,
        text=text,
        reason=reason,
        data=data or {},
        at=now,
    )
    _add_entry_line(entry)
    record(game=game, kind="log", key=f"log {entry.pk}", now=now, data={"entry": entry.pk})
    return entry


def _add_entry_line(entry: LogEntry) -> None:
    game = entry.game
    by = "site"
    if entry.by_id is not None:
        by = "master" if entry.by_id == game.master_id else "player"
    data: dict[str, object] = {
        name: value for name, value in entry.data.items() if name in _PUBLIC_DATA
    }
    if "moved" in entry.data:
        moved = move_from_json(entry.data["moved"])
        data["due_at"] = format_time(moved.new.orders_at)
        data["adjudicate_at"] = format_time(moved.new.adjudicate_at)
    body = lines.log_line(
        entry=_ENTRIES.get(entry.kind, entry.kind),
        text=entry.text,
        by=by,
        sequence=entry.phase.sequence if entry.phase else None,
        reason=entry.reason,
        data=data,
        at=entry.at,
    )
    add_line(game, body)


def require_reason(text: str) -> str:
    """Return the reason that a person gave, cleaned; raise `BadValue` if it is blank or invalid."""
    reason = " ".join(text.split())
    if not reason:
        raise BadValue("reason", "Give a reason. The players will read it in the log.")
    if len(reason) > MAX_REASON:
        raise BadValue("reason", f"The reason must have at most {MAX_REASON} characters.")
    if not reason.isprintable():
        raise BadValue("reason", "The reason contains a character that cannot be printed.")
    return reason


def record(
    *,
    game: Game,
    kind: str,
    now: dt.datetime,
    key: str = "",
    data: Mapping[str, object] | None = None,
    seat: Seat | None = None,
) -> None:
    """Write one event at the end of the caller's transaction; a public event is a new version.

    Using the same `key` twice in one game is an error; leave it out for events that may repeat.
    Without `seat` the event is public, so `data` must not contain secrets.
    """
    event = Event(
        game=game,
        seat=seat,
        kind=kind,
        key=key or f"{kind} {uuid.uuid4()}",
        data=data or {},
        created_at=now,
        waiting=True if seat is None else None,
    )
    with written_together() as pending:
        pending.events.append(event)


def record_own(*, game: Game, kind: str, now: dt.datetime, seats: Iterable[Seat]) -> None:
    """Write a private event for each of the seats, at the end of the caller's transaction."""
    with written_together() as pending:
        pending.events += (
            Event(game=game, seat=seat, kind=kind, key=f"{kind} {uuid.uuid4()}", created_at=now)
            for seat in seats
        )


# What a transaction writes once, at its end: lines of records, events, versions and statistics.
#
# So a turn needs only a few statements however much it adds. Each line contains the hash of the
# line before it: the game is locked, so its row holds the number and hash of the last one. People's
# statistics, which several games update, are locked last and only briefly.


@dataclass(slots=True)
class _Pending:
    """What to write; `lines` has, for each game, the `Game` objects to update and the new lines."""

    lines: dict[int, tuple[list[Game], list[Body]]] = field(default_factory=dict)
    events: list[Event] = field(default_factory=list)
    figures: dict[int, Counter[str]] = field(default_factory=dict)
    tallies: dict[tuple[int, Tally], Counter[str]] = field(default_factory=dict)

    def add_lines(self, games: Sequence[Game], bodies: Sequence[Body]) -> None:
        known, lines = self.lines.setdefault(games[0].pk, ([], []))
        known += [game for game in games if not any(game is each for each in known)]
        lines += bodies

    def add_figures(self, changes: Mapping[int, Figures]) -> None:
        for user, numbers in changes.items():
            self.figures.setdefault(user, Counter()).update(numbers)

    def add_tallies(self, changes: Mapping[tuple[int, Tally], Mapping[str, int]]) -> None:
        for key, numbers in changes.items():
            # Numbers can be negative.
            self.tallies.setdefault(key, Counter()).update(numbers)

    def write(self) -> None:
        for games, bodies in self.lines.values():
            _write_lines(games, bodies)
        Event.objects.bulk_create(self.events)
        versions = Counter(event.game_id for event in self.events if event.seat_id is None)
        for game, number in versions.items():
            Game.objects.filter(pk=game).update(version=F("version") + number)
            tell_change(game)
        _change_figures(self.figures)
        _change_tallies(self.tallies)


_current: ContextVar[_Pending | None] = ContextVar("_current", default=None)


@contextmanager
def written_together() -> Iterator[_Pending]:
    """Write everything added within the outermost block at its end; an error discards it."""
    outer, pending = _current.get(), _Pending()
    token = _current.set(pending)
    try:
        yield pending
    finally:
        _current.reset(token)
    if outer is None:
        pending.write()
    else:
        for games, bodies in pending.lines.values():
            outer.add_lines(games, bodies)
        outer.events += pending.events
        outer.add_figures(pending.figures)
        outer.add_tallies(pending.tallies)


def add_line(game: Game, body: Body) -> None:
    """Add a line to the record of a locked game, at the end of the transaction.

    Games older than this kind of record get no lines: those without a secret draw. The length of
    the record does not say so, because a transaction writes the lines at its end.
    """
    if not game.draw_secret:
        return
    if _current.get() is None:
        # This object may have been read before the game was locked.
        game.refresh_from_db(fields=["record_length", "record_head"])
    with written_together() as pending:
        pending.add_lines([game], [body])


def _write_lines(games: Sequence[Game], bodies: Sequence[Body]) -> None:
    game = games[0]
    last = None
    if game.record_length:
        last = ChainLine(game.record_length, "", game.record_head)
    lines = list(make_lines(bodies, after=last))
    RecordLine.objects.bulk_create(
        RecordLine(
            game=game, number=line.number, kind=str(body["kind"]), text=line.text, hash=line.hash
        )
        for line, body in zip(lines, bodies, strict=True)
    )
    for known in games:
        known.record_length, known.record_head = lines[-1].number, lines[-1].hash
    game.save(update_fields=["record_length", "record_head"])


def add_figures(changes: Mapping[int, Figures]) -> None:
    """Update statistics at the end of the transaction."""
    with written_together() as pending:
        pending.add_figures(changes)


def add_tallies(changes: Mapping[tuple[int, Tally], Mapping[str, int]]) -> None:
    """Update results by country and against rivals, by person, at the end of the transaction."""
    with written_together() as pending:
        pending.add_tallies(changes)


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


def read_tallies(
    users: Collection[int] | None = None, among: Collection[Tally] | None = None
) -> dict[tuple[int, Tally], TallyRow]:
    """Return the rows of results by country and against rivals, of these people or of everyone.

    `among` leaves out rows that count something else.
    """
    one = Q() if users is None else Q(user__in=users)
    countries, rivals = CountryFigures.objects.filter(one), RivalFigures.objects.filter(one)
    worlds = WorldFigures.objects.filter(one)
    if among is not None:
        names = {tally[1] for tally in among if isinstance(tally, tuple)}
        countries = countries.filter(country__in=names)
        charts = {tally.chart for tally in among if isinstance(tally, World)}
        worlds = worlds.filter(chart__in=charts)
        rivals = rivals.filter(other__in={tally for tally in among if isinstance(tally, int)})
    rows: dict[tuple[int, Tally], TallyRow] = {
        (row.user_id, (row.is_europe, row.country)): row for row in countries
    }
    rows |= {(row.user_id, World(row.chart_id, row.country)): row for row in worlds}
    return rows | {(row.user_id, row.other_id): row for row in rivals}


def _change_tallies(changes: Mapping[tuple[int, Tally], Mapping[str, int]]) -> None:
    users = sorted({user for (user, _), numbers in changes.items() if any(numbers.values())})
    if not users:
        return
    # Only who holds this lock changes these rows of a person.
    lock_figures(users)
    known = read_tallies(users, {tally for _, tally in changes})
    for model, names in (
        (CountryFigures, COUNTRY_FIGURES),
        (WorldFigures, COUNTRY_FIGURES),
        (RivalFigures, RIVAL_FIGURES),
    ):
        new: list[Any] = []
        changed: list[Any] = []
        empty: list[Any] = []
        for (user, tally), numbers in changes.items():
            stored = known.get((user, tally))
            is_new = stored is None
            row = stored or make_tally(user, tally)
            if not isinstance(row, model) or not any(numbers.values()):
                continue
            for name in names:
                setattr(row, name, getattr(row, name) + numbers.get(name, 0))
            (new if is_new else changed if row.games else empty).append(row)
        model._default_manager.bulk_create(new)
        model._default_manager.bulk_update(changed, names)
        model._default_manager.filter(pk__in=[row.pk for row in empty]).delete()


def read_tally(row: TallyRow) -> Counter[str]:
    """Return the numbers of a row that are not 0, by column."""
    names = RIVAL_FIGURES if isinstance(row, RivalFigures) else COUNTRY_FIGURES
    return Counter({name: number for name in names if (number := getattr(row, name))})


def make_tally(user: int, tally: Tally) -> TallyRow:
    """Return a row without games, which is not stored yet."""
    if isinstance(tally, int):
        return RivalFigures(user_id=user, other_id=tally)
    if isinstance(tally, World):
        return WorldFigures(user_id=user, chart_id=tally.chart, country=tally.country)
    is_europe, country = tally
    return CountryFigures(user_id=user, is_europe=is_europe, country=country)


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
