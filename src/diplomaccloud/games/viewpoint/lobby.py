"""Lists of games."""

from collections.abc import Iterable

from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.urls import reverse

from diplomaccloud.games.models import Game, Phase, Seat, Status, Submission
from diplomaccloud.games.records import board_of, players_of, position_of
from diplomaccloud.games.shown import GameCard, LobbyView
from diplomaccloud.games.viewpoint.table import Viewer, visible_games
from diplomaccloud.judge.adjudicate import powers_to_order
from diplomaccloud.judge.board import Power
from diplomaccloud.judge.phases import Phase as JudgePhase
from diplomaccloud.maps.gallery import picture_of
from diplomaccloud.maps.library import find_chart

_MOST_OF_YOURS = 40


def lobby(viewer: Viewer, *, page: int = 1, size: int = 12) -> LobbyView:
    """Return the viewer's games, and one page each of the others' public games by status."""
    visible = visible_games(viewer)
    own = Seat.objects.filter(user=viewer.user_id).exclude(user=None).values("game_id")
    ranks = {Status.RUNNING: 0, Status.FORMING: 1, Status.FINISHED: 2}
    yours = visible.filter(pk__in=own).order_by("-created_at")[:_MOST_OF_YOURS]
    others = visible.filter(private=False).exclude(pk__in=own)
    pages = {
        status: Paginator(others.filter(status=status).order_by("-created_at"), size).get_page(page)
        for status in Status
    }
    shown = sorted(yours, key=lambda game: ranks[Status(game.status)])
    cards = _cards([*shown, *(game for one in pages.values() for game in one.object_list)], viewer)

    def listed(games: Iterable[Game]) -> tuple[GameCard, ...]:
        return tuple(cards[game.pk] for game in games)

    return LobbyView(
        yours=listed(shown),
        open=listed(pages[Status.FORMING].object_list),
        running=listed(pages[Status.RUNNING].object_list),
        finished=listed(pages[Status.FINISHED].object_list),
        page=page,
        pages=max(one.paginator.num_pages for one in pages.values()),
    )


def games_on(map_hash: str, viewer: Viewer, *, most: int = 6) -> tuple[GameCard, ...]:
    """Return the newest games on one map, as far as the viewer may see them."""
    rows = visible_games(viewer).filter(chart__content_hash=map_hash).order_by("-created_at")
    found = list(rows[:most])
    cards = _cards(found, viewer)
    return tuple(cards[game.pk] for game in found)


def _cards(games: list[Game], viewer: Viewer) -> dict[int, GameCard]:
    keys = {game.pk for game in games}
    seats: dict[int, list[Seat]] = {key: [] for key in keys}
    for seat in Seat.objects.filter(game__in=keys):
        seats[seat.game_id].append(seat)
    phases = {row.game_id: row for row in _open_phases(keys)}
    ready = Submission.objects.filter(
        phase__in=[row.pk for row in phases.values()], seat__user=viewer.user_id
    ).exclude(ready_at=None)
    ready_phases = set(ready.values_list("phase_id", flat=True))
    return {
        game.pk: _card(game, seats[game.pk], phases.get(game.pk), ready_phases, viewer)
        for game in games
    }


def _open_phases(keys: Iterable[int]) -> QuerySet[Phase]:
    return Phase.objects.filter(game__in=keys, processed_at=None, superseded_at=None)


def _card(
    game: Game, seats: list[Seat], phase: Phase | None, ready: set[int], viewer: Viewer
) -> GameCard:
    chart = find_chart(game.chart.content_hash)
    mine = next((row for row in seats if row.user_id and row.user_id == viewer.user_id), None)
    info = chart.board.power_info.get(Power(mine.power or "")) if mine else None
    bots = sum(bool(row.bot) for row in seats)
    return GameCard(
        slug=game.slug,
        url=reverse("games:detail", args=[game.slug]),
        world=game.world,
        map_name=game.chart.name,
        thumb_url=picture_of(game.chart.content_hash, chart).thumb_url,
        status=game.status,
        phase_title=JudgePhase.parse(phase.name).title if phase else "",
        due_at=phase.due_at if phase else None,
        humans=len(seats) - bots,
        seats=len(players_of(game)),
        bots=bots,
        private=game.private,
        creator=game.creator.screen_name,
        your_country=(mine.country or (info.name if info else "")) if mine else "",
        needs_you=bool(mine and phase and phase.pk not in ready and _must_order(game, phase, mine)),
        outcome=_outcome(game, seats),
    )


def _must_order(game: Game, phase: Phase, seat: Seat) -> bool:
    position = position_of(phase)
    played = next((p for p in players_of(game, position.phase) if seat.power in p), ())
    return bool(powers_to_order(board_of(game), position).intersection(played))


def _outcome(game: Game, seats: list[Seat]) -> str:
    if game.ending is None:
        return ""
    info = board_of(game).power_info
    winners = [
        row.country or info[Power(row.power or "")].name
        for row in seats
        if row.power in game.ending["winners"]
    ]
    return f"{' and '.join(winners)} {'wins' if len(winners) == 1 else 'share the victory'}."
