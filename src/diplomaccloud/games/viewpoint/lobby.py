"""Lists of games."""

import datetime as dt
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from django.core.paginator import Paginator
from django.db.models import Q, QuerySet
from django.urls import reverse
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
from diplomaccloud.games.presenters.game_page import GameCard, LobbyView
from diplomaccloud.games.viewpoint.clockface import timer_in
from diplomaccloud.games.viewpoint.names import creator_name
from diplomaccloud.games.viewpoint.visibility import (
    Viewer,
    invited_games,
    may_see,
    opens,
    visible_games,
)
from diplomaccloud.judge.adjudicate import powers_to_order
from diplomaccloud.judge.phases import Phase as JudgePhase
from diplomaccloud.maps.gallery import build_map_picture
from diplomaccloud.maps.library import find_chart
from diplomaccloud.schedule import MoveKind
from diplomaccloud.schedule.wording import join_words

_MOST_OF_YOURS = 40


def lobby(viewer: Viewer, *, page: int = 1, size: int = 12) -> LobbyView:
    """Return the viewer's games, and one page each of the others' public games by status.

    The viewer's are those played in, those mastered, and those the viewer is invited to; those
    that wait for the viewer's orders come first.
    """
    visible = visible_games(viewer)
    own = _games_of(viewer)
    yours = visible.filter(pk__in=own).order_by("-created_at")[:_MOST_OF_YOURS]
    others = visible.filter(private=False).exclude(pk__in=own)
    pages = {
        status: Paginator(others.filter(status=status).order_by("-created_at"), size).get_page(page)
        for status in Status
    }
    cards = _cards([*yours, *(game for one in pages.values() for game in one.object_list)], viewer)
    shown = sorted(yours, key=lambda game: _urgency(cards[game.pk]))

    def make_cards(games: Iterable[Game]) -> tuple[GameCard, ...]:
        return tuple(cards[game.pk] for game in games)

    return LobbyView(
        yours=make_cards(shown),
        open=make_cards(pages[Status.FORMING].object_list),
        running=make_cards(pages[Status.RUNNING].object_list),
        finished=make_cards(pages[Status.FINISHED].object_list),
        page=page,
        pages=max(one.paginator.num_pages for one in pages.values()),
    )


def _urgency(card: GameCard) -> tuple[int, bool, float]:
    """Return what sorts a person's games: those that wait for orders, soonest first."""
    rank = [Status.RUNNING, Status.FORMING, Status.FINISHED].index(Status(card.status))
    return rank, not card.needs_you, card.due_at.timestamp() if card.due_at else 0.0


def way_in(code: str, viewer: Viewer) -> str:
    """Return the address of the private game with this code, as far as the code opens it.

    It opens a game that forms, and one under way while a seat is vacant: where a bot is to take
    a seat that is given up, as the options may say, none ever is. Raises `NoSuchGame`.
    """
    code = code.strip().lower()
    known = Game.objects.filter(private=True, code=code).exclude(code="")
    for slug in known.order_by("-pk").values_list("slug", flat=True):
        address = reverse("games:detail", args=[slug])
        if may_see(slug, viewer):
            return address
        if opens(slug, code):
            return f"{address}?{urlencode({'code': code})}"
    raise NoSuchGame


def _games_of(viewer: Viewer) -> list[int]:
    if viewer.user_id is None:
        return []
    seated = Seat.objects.filter(user=viewer.user_id).values("game_id")
    mine = Q(pk__in=seated) | Q(master=viewer.user_id)
    invited = Q(status=Status.FORMING, pk__in=invited_games(viewer))
    return list(Game.objects.filter(mine | invited).values_list("pk", flat=True))


def games_on(map_hash: str, viewer: Viewer, *, most: int = 6) -> tuple[GameCard, ...]:
    """Return the newest games on one map, as far as the viewer may see them."""
    rows = visible_games(viewer).filter(chart__content_hash=map_hash).order_by("-created_at")
    found = list(rows[:most])
    cards = _cards(found, viewer)
    return tuple(cards[game.pk] for game in found)


@dataclass(frozen=True, slots=True)
class _Rows:
    """What the cards of several games need, read once for all."""

    seats: dict[int, list[Seat]]
    phases: dict[int, Phase]
    ready: set[int]
    invited: set[int]
    pauses: dict[int, dt.datetime]


def _cards(games: list[Game], viewer: Viewer) -> dict[int, GameCard]:
    rows = _rows(games, viewer)
    return {game.pk: _card(game, rows, viewer) for game in games}


def _rows(games: list[Game], viewer: Viewer) -> _Rows:
    by_key = {game.pk: game for game in games}
    seats: dict[int, list[Seat]] = {key: [] for key in by_key}
    for seat in Seat.objects.filter(game__in=by_key):
        seat.game = by_key[seat.game_id]
        seats[seat.game_id].append(seat)
    phases = {row.game_id: row for row in _open_phases(by_key)}
    ready = Submission.objects.filter(
        phase__in=[row.pk for row in phases.values()], seat__user=viewer.user_id
    ).exclude(ready_at=None)
    forming = viewer.user_id is not None and any(one.status == Status.FORMING for one in games)
    return _Rows(
        seats,
        phases,
        set(ready.values_list("phase_id", flat=True)),
        set(invited_games(viewer)) if forming else set(),
        _pauses(phases.values(), by_key),
    )


def _pauses(phases: Iterable[Phase], games: Mapping[int, Game]) -> dict[int, dt.datetime]:
    """Return until when, at the longest, each game is paused that is paused now, by its key."""
    by_key, now = {phase.pk: phase for phase in phases}, timezone.now()
    kinds = [MoveKind.PAUSED.value, MoveKind.RESUMED.value]
    entries: dict[int, list[LogEntry]] = {}
    for entry in LogEntry.objects.filter(phase__in=by_key, kind__in=kinds):
        entries.setdefault(entry.phase_id or 0, []).append(entry)
    found = {}
    for key, own in entries.items():
        phase = by_key[key]
        if pause := timer_in(games[phase.game_id], phase, own).pause_at(now):
            found[phase.game_id] = pause.at + pause.by
    return found


def _open_phases(keys: Iterable[int]) -> QuerySet[Phase]:
    return Phase.objects.filter(game__in=keys, processed_at=None, superseded_at=None)


def _card(game: Game, rows: _Rows, viewer: Viewer) -> GameCard:
    seats, phase, ready = rows.seats[game.pk], rows.phases.get(game.pk), rows.ready
    chart = find_chart(game.chart.content_hash)
    mine = next((row for row in seats if row.user_id and row.user_id == viewer.user_id), None)
    bots = sum(bool(row.bot) for row in seats)
    picture = build_map_picture(game.chart.content_hash, chart)
    return GameCard(
        slug=game.slug,
        url=reverse("games:detail", args=[game.slug]),
        world=game.world,
        map_name=game.chart.name,
        thumb_url=picture.thumb_url,
        dark_thumb_url=picture.dark_thumb_url,
        status=game.status,
        phase_title=JudgePhase.parse(phase.name).title if phase else "",
        due_at=(phase.adjudicate_at if phase.locked_at else phase.due_at) if phase else None,
        humans=sum(row.user_id is not None for row in seats),
        seats=len(game.players),
        bots=bots,
        private=game.private,
        creator=creator_name(game),
        your_country=mine.country_name if mine else "",
        yours=mine is not None,
        invited=mine is None and game.pk in rows.invited,
        needs_you=bool(mine and phase and phase.pk not in ready and _must_order(game, phase, mine)),
        outcome=_outcome(game, seats),
        paused_until=rows.pauses.get(game.pk),
        aside=bool(game.alarm),
    )


def _must_order(game: Game, phase: Phase, seat: Seat) -> bool:
    if phase.locked_at is not None:
        return False
    position = phase.position
    players = game.players_at(position.phase)
    played = set(powers_played_by(seat.power, players)) - set(phase.disorder)
    board = game.board_at(position.phase)
    return bool(powers_to_order(board, position).intersection(played))


def _outcome(game: Game, seats: list[Seat]) -> str:
    if game.ending is None:
        return ""
    won, players = set(game.ending.winners), game.players
    winners = [row for row in seats if won.intersection(powers_played_by(row.power, players))]
    names = join_words([row.country_name for row in winners])
    if not winners:
        return "Nobody won."
    if len(winners) > 1:
        return f"{names} share the victory."
    several = len(powers_played_by(winners[0].power, players)) > 1 and not winners[0].country
    return f"{names} {'win' if several else 'wins'}."
