"""Choosing the featured game once an hour, and drawing its last turn; workers do both.

A game fits if it is public, runs, is not suspended, everyone may watch it, at least four people
with accounts play in it, and its last turn was less than 48 hours ago. It gets a point for each
follower, and up to ten for how near its leader is to a win. While the names of its people are
hidden, its followers are not counted, as nowhere else.
"""

import datetime as dt
import hashlib
from collections.abc import Collection
from typing import Final

import structlog
from django.db import Error
from django.db.models import Count, Q, QuerySet

from diplomaccloud.games.featured.models import SLOT, FeaturedGame
from diplomaccloud.games.following.models import GameFollow
from diplomaccloud.games.hall.models import Standing
from diplomaccloud.games.table.models import Game, Seat, Status
from diplomaccloud.games.table.phase_models import Phase
from diplomaccloud.judge.phases import Stage
from diplomaccloud.maps.card_pictures import card_version
from diplomaccloud.maps.pictures import THEMES
from diplomaccloud.sandbox.animation import JudgedPhase
from diplomaccloud.sandbox.moving_picture import render_turn

CHOSEN_FOR: Final = dt.timedelta(hours=1)
"""How long a game stays featured before the choice is made again."""
RECENT: Final = dt.timedelta(hours=48)
"""How long ago the last turn of a featured game may be."""
FEWEST: Final = 4
"""How many people with accounts play in a featured game at least."""
NEARNESS: Final = 10
"""How many followers a leader is worth who is about to win."""
WINDOW: Final = 500
"""How many games with the newest turns are compared, so that the choice takes no longer on a large
site."""
_TRIES: Final = 5
"""How many games are tried if the last turn of the best cannot be drawn."""
_log = structlog.get_logger(__name__)


def tend_featured_game(*, now: dt.datetime) -> None:
    """Choose the featured game if it is time, or draw its last turn if that is new.

    If no game fits, none is featured.
    """
    row = FeaturedGame.objects.defer("light", "dark").filter(slot=SLOT).first()
    is_kept = row is not None and abs(now - row.chosen_at) < CHOSEN_FOR
    kept = _list_fitting(now, [row.game_id]) if row and is_kept else []
    for game in _rank(kept or _list_fitting(now))[:_TRIES]:
        try:
            _feature(game, row if row and row.game_id == game.pk else None, now, is_kept=is_kept)
        except Error:
            raise
        except Exception:
            _log.exception("turn not drawn", game=game.pk)
        else:
            return
    if row is not None:
        FeaturedGame.objects.filter(slot=SLOT, game=row.game_id).delete()


def _list_fitting(now: dt.datetime, only: Collection[int] | None = None) -> list[int]:
    """Return the keys of games that fit, those with the newest turns first."""
    opened = Phase.objects.filter(
        # SQLite uses an index on a boolean column only if the query compares it with a value.
        open__in=[True],
        opens_at__gt=now - RECENT,
        sequence__gt=1,
        superseded_at=None,
        game__status=Status.RUNNING,
        game__private=False,
        game__watchable=True,
        game__suspended_reason="",
    )
    if only is not None:
        opened = opened.filter(game__in=only)
    keys = list(opened.order_by("-opens_at").values_list("game", flat=True)[:WINDOW])
    people = Seat.objects.filter(game__in=keys, user__guest__in=[False]).order_by()
    counted = dict(people.values_list("game").annotate(number=Count("pk")))
    return [key for key in keys if counted.get(key, 0) >= FEWEST]


def _rank(keys: Collection[int]) -> list[Game]:
    """Return the games, the one with the most points first."""
    follows = GameFollow.objects.filter(game__in=keys).order_by()
    followers = dict(follows.values_list("game").annotate(number=Count("pk")))
    games = Game.objects.filter(pk__in=keys).select_related("chart", "standing")
    points = {}
    for game in games.defer("chart__text").order_by():
        try:
            watched = 0 if game.options.anonymous else followers.get(game.pk, 0)
            points[game] = watched + NEARNESS * _measure_leader(game)
        except Exception:
            _log.exception("damaged game", game=game.pk)
    newest = {key: place for place, key in enumerate(keys)}
    return sorted(points, key=lambda game: (-points[game], newest[game.pk]))


def _measure_leader(game: Game) -> float:
    """Return the leader's share of the centers that win the game; 0 while it is not known."""
    standing: Standing | None = getattr(game, "standing", None)
    owned = standing.strengths if standing else {}
    most = max(sum(owned.get(power, (0, 0))[0] for power in powers) for powers in game.players)
    return min(most / game.centers_to_win, 1.0)


def _feature(game: Game, row: FeaturedGame | None, now: dt.datetime, *, is_kept: bool) -> None:
    """Store the game with its last turn, which is drawn if `row` does not have it."""
    phase = _select_turns(game).first()
    if phase is None:
        raise ValueError("no movement phase has been processed")
    values: dict[str, object] = {} if row and is_kept else {"chosen_at": now}
    if row is None or (row.phase_id, row.drawn) != (phase.pk, card_version()):
        phase.game = game
        values |= {"game": game, "phase": phase, "drawn": card_version(), **_draw(phase)}
    if values:
        FeaturedGame.objects.update_or_create(slot=SLOT, defaults=values)


def _select_turns(game: Game) -> QuerySet[Phase]:
    """Return the processed movement phases of a game, newest first."""
    moves = Q(name__endswith=Stage.MOVEMENT.value)
    rows = Phase.objects.filter(moves, game=game, superseded_at=None)
    return rows.exclude(processed_at=None).order_by("-sequence")


def _draw(phase: Phase) -> dict[str, str]:
    game = phase.game
    colors = {power: color for seat in game.seat_list for power, color in seat.colors.items()}
    judged = JudgedPhase(game.map, phase.board, phase.position, phase.resolution, colors)
    drawn = {theme: render_turn(judged, style) for theme, style in THEMES.items()}
    return {**drawn, "turn": hashlib.sha256("".join(drawn.values()).encode()).hexdigest()}
