"""Lists of games."""

import datetime as dt
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.core.paginator import Paginator
from django.db.models import Q, QuerySet
from django.utils import timezone

from diplomaccloud.games.errors import NoSuchGame
from diplomaccloud.games.models import (
    Game,
    LogEntry,
    Phase,
    Seat,
    Status,
    Submission,
    powers_played_by,
)
from diplomaccloud.games.viewpoint.deadline import timer_of_entries
from diplomaccloud.games.viewpoint.names import creator_name
from diplomaccloud.games.viewpoint.visibility import (
    Viewer,
    game_by_code,
    invited_games,
    may_see,
    visible_games,
)
from diplomaccloud.judge.adjudicate import powers_to_order
from diplomaccloud.judge.phases import Phase as JudgePhase
from diplomaccloud.schedule import MoveKind

_MAX_OWN = 40
"""The lobby lists at most this many of the viewer's own games."""


@dataclass(frozen=True, slots=True)
class Winner:
    """A winner's country; `several` if its name lists several powers."""

    country: str
    several: bool


@dataclass(frozen=True, slots=True)
class ListedGame:
    """A game in a list.

    `needs_you` is whether the viewer has orders to give or is not ready yet, `paused_until` the
    latest end of a pause. `winners` is None until the game is over.
    """

    slug: str
    world: str
    map_name: str
    map_hash: str
    status: str
    phase: JudgePhase | None
    due_at: dt.datetime | None
    humans: int
    seats: int
    bots: int
    private: bool
    creator: str
    your_country: str
    yours: bool
    invited: bool
    needs_you: bool
    paused_until: dt.datetime | None
    suspended: bool
    winners: tuple[Winner, ...] | None


@dataclass(frozen=True, slots=True)
class GameLists:
    """The viewer's own games, and a page of other public games by status."""

    yours: tuple[ListedGame, ...]
    open: tuple[ListedGame, ...]
    running: tuple[ListedGame, ...]
    finished: tuple[ListedGame, ...]
    page: int
    pages: int


@dataclass(frozen=True, slots=True)
class CodeMatch:
    """The private game that has a code; `needs_code` unless the viewer may see it anyway."""

    slug: str
    needs_code: bool


def list_games(viewer: Viewer, *, page: int = 1, size: int = 12) -> GameLists:
    """Return the viewer's games, and one page of other public games for each status.

    The viewer's games are those the viewer plays in, runs as game master or is invited to; those
    that need the viewer's orders come first.
    """
    visible = visible_games(viewer)
    own = _own_games(viewer)
    yours = visible.filter(pk__in=own).order_by("-created_at")[:_MAX_OWN]
    others = visible.filter(private=False).exclude(pk__in=own)
    pages = {
        status: Paginator(others.filter(status=status).order_by("-created_at"), size).get_page(page)
        for status in Status
    }
    rows = [*yours, *(game for listed in pages.values() for game in listed.object_list)]
    games = _read_games(rows, viewer)

    def pick(rows: Iterable[Game]) -> tuple[ListedGame, ...]:
        return tuple(games[row.pk] for row in rows)

    return GameLists(
        yours=tuple(sorted(pick(yours), key=_urgency)),
        open=pick(pages[Status.FORMING].object_list),
        running=pick(pages[Status.RUNNING].object_list),
        finished=pick(pages[Status.FINISHED].object_list),
        page=page,
        pages=max(listed.paginator.num_pages for listed in pages.values()),
    )


def list_games_on(map_hash: str, viewer: Viewer, *, most: int = 6) -> tuple[ListedGame, ...]:
    """Return the newest games on a map that the viewer may see."""
    games = visible_games(viewer).filter(chart__content_hash=map_hash).order_by("-created_at")
    rows = list(games[:most])
    listed = _read_games(rows, viewer)
    return tuple(listed[row.pk] for row in rows)


def find_by_code(code: str, viewer: Viewer) -> CodeMatch:
    """Return the private game that the code opens; raise `NoSuchGame` if there is none.

    A code opens a game before it starts, and a running game while a seat is vacant. (With a
    substitute bot no seat is ever vacant.)
    """
    code = code.strip().lower()
    known = Game.objects.filter(private=True, code=code).exclude(code="")
    for slug in known.order_by("-pk").values_list("slug", flat=True):
        if may_see(slug, viewer):
            return CodeMatch(slug, needs_code=False)
        if game_by_code(slug, code):
            return CodeMatch(slug, needs_code=True)
    raise NoSuchGame


def _urgency(game: ListedGame) -> tuple[int, bool, float]:
    """Return the sort key of the viewer's games: games that need orders first, soonest first."""
    rank = [Status.RUNNING, Status.FORMING, Status.FINISHED].index(Status(game.status))
    return rank, not game.needs_you, game.due_at.timestamp() if game.due_at else 0.0


def _own_games(viewer: Viewer) -> list[int]:
    if viewer.user_id is None:
        return []
    seated = Seat.objects.filter(user=viewer.user_id).values("game_id")
    own = Q(pk__in=seated) | Q(master=viewer.user_id)
    invited = Q(status=Status.FORMING, pk__in=invited_games(viewer))
    return list(Game.objects.filter(own | invited).values_list("pk", flat=True))


@dataclass(frozen=True, slots=True)
class _Rows:
    """The rows behind several listed games, read once for all."""

    seats: dict[int, list[Seat]]
    phases: dict[int, Phase]
    ready: set[int]
    invited: set[int]
    pauses: dict[int, dt.datetime]


def _read_games(games: list[Game], viewer: Viewer) -> dict[int, ListedGame]:
    rows = _read_rows(games, viewer)
    return {game.pk: _read_game(game, rows, viewer) for game in games}


def _read_rows(games: list[Game], viewer: Viewer) -> _Rows:
    by_key = {game.pk: game for game in games}
    seats: dict[int, list[Seat]] = {key: [] for key in by_key}
    for seat in Seat.objects.filter(game__in=by_key):
        seat.game = by_key[seat.game_id]
        seats[seat.game_id].append(seat)
    phases = {row.game_id: row for row in _open_phases(by_key)}
    ready = Submission.objects.filter(
        phase__in=[row.pk for row in phases.values()], seat__user=viewer.user_id
    ).exclude(ready_at=None)
    forming = viewer.user_id is not None and any(g.status == Status.FORMING for g in games)
    return _Rows(
        seats,
        phases,
        set(ready.values_list("phase_id", flat=True)),
        set(invited_games(viewer)) if forming else set(),
        _read_pauses(phases.values(), by_key),
    )


def _read_pauses(phases: Iterable[Phase], games: Mapping[int, Game]) -> dict[int, dt.datetime]:
    """Return the latest end of the current pause of each paused game, by its key."""
    by_key, now = {phase.pk: phase for phase in phases}, timezone.now()
    kinds = [MoveKind.PAUSED.value, MoveKind.RESUMED.value]
    entries: dict[int, list[LogEntry]] = {}
    for entry in LogEntry.objects.filter(phase__in=by_key, kind__in=kinds):
        entries.setdefault(entry.phase_id or 0, []).append(entry)
    pauses = {}
    for key, own in entries.items():
        phase = by_key[key]
        if pause := timer_of_entries(games[phase.game_id], phase, own).pause_at(now):
            pauses[phase.game_id] = pause.at + pause.by
    return pauses


def _open_phases(keys: Iterable[int]) -> QuerySet[Phase]:
    return Phase.objects.filter(game__in=keys, processed_at=None, superseded_at=None)


def _read_game(game: Game, rows: _Rows, viewer: Viewer) -> ListedGame:
    seats, phase = rows.seats[game.pk], rows.phases.get(game.pk)
    own = next((row for row in seats if row.user_id and row.user_id == viewer.user_id), None)
    waiting = own and phase and phase.pk not in rows.ready
    return ListedGame(
        slug=game.slug,
        world=game.world,
        map_name=game.chart.name,
        map_hash=game.chart.content_hash,
        status=game.status,
        phase=JudgePhase.parse(phase.name) if phase else None,
        due_at=(phase.adjudicate_at if phase.locked_at else phase.due_at) if phase else None,
        humans=sum(row.user_id is not None for row in seats),
        seats=len(game.players),
        bots=sum(bool(row.bot) for row in seats),
        private=game.private,
        creator=creator_name(game),
        your_country=own.country_name if own else "",
        yours=own is not None,
        invited=own is None and game.pk in rows.invited,
        needs_you=bool(waiting and own and phase and _must_order(game, phase, own)),
        paused_until=rows.pauses.get(game.pk),
        suspended=bool(game.suspended_reason),
        winners=_read_winners(game, seats),
    )


def _must_order(game: Game, phase: Phase, seat: Seat) -> bool:
    if phase.locked_at is not None:
        return False
    position = phase.position
    played = set(powers_played_by(seat.power, game.players_at(position.phase))) - set(
        phase.civil_disorder
    )
    board = game.board_at(position.phase)
    return bool(powers_to_order(board, position).intersection(played))


def _read_winners(game: Game, seats: Iterable[Seat]) -> tuple[Winner, ...] | None:
    if game.ending is None:
        return None
    won, players = set(game.ending.winners), game.players
    powers = {row.pk: powers_played_by(row.power, players) for row in seats}
    return tuple(
        Winner(row.country_name, several=len(powers[row.pk]) > 1 and not row.country)
        for row in seats
        if won.intersection(powers[row.pk])
    )
