"""A person's part in all games: leaving them, and exporting what they wrote."""

import datetime as dt
import json
import random
import uuid
from collections.abc import Iterator
from typing import Final

from django.db.models import Q
from django_tasks import task

from diplomaccloud.accounts.deletion import AccountPart, ExportFile
from diplomaccloud.accounts.models import User
from diplomaccloud.accounts.screen_names import Label
from diplomaccloud.games.deadlines.actions import end_current_phase_early
from diplomaccloud.games.orders.read import list_own_games
from diplomaccloud.games.seats.actions import vacate
from diplomaccloud.games.table import log as events
from diplomaccloud.games.table.lock import draw_moment, find_seat, follow_people, lock_game_by_id
from diplomaccloud.games.table.log import write_log
from diplomaccloud.games.table.models import REMOVED, RESIGNED, Game, Status
from diplomaccloud.games.table.transactions import atomic_with_retries
from diplomaccloud.games.turn.claims import advance
from diplomaccloud.games.votes.actions import decide_votes
from diplomaccloud.shared.site_clock import site_clock

MASTER_LEFT: Final = "The game master left the site. From now on, the players decide by vote."
UNSEEN_WITHIN: Final = dt.timedelta(hours=24)
"""Within what time a person's seat in an anonymous game becomes vacant."""
_OVER: Final = (Status.FINISHED, Status.CANCELED)


@task()
def finish_departure(user_id: int, removed: bool) -> None:
    """Leave the games that `leave_all_games` did not reach because its process died."""
    leave_all_games(user_id=user_id, removed=removed, now=site_clock.now())


@task()
def leave_unseen_game(user_id: int, game_id: int, removed: bool) -> None:
    """Leave an anonymous game, unless the person's ban was overturned in the meantime."""
    gone = User.objects.filter(pk=user_id).exclude(banned_at=None, deleted_at=None)
    if gone.exists():
        departure, now = REMOVED if removed else RESIGNED, site_clock.now()
        key = _leave(game_id=game_id, user_id=user_id, departure=departure, now=now, unseen=True)
        _advance(key)


def leave_all_games(
    *, user_id: int, removed: bool, now: dt.datetime, rng: random.Random | None = None
) -> int:
    """Make the person leave all unfinished games and return how many there were.

    The person's seats become vacant, as after a resignation, or as after a removal with `removed`.
    In the lobby, the person leaves the game, or cancels it as its creator. If the person was the
    game master, the site runs the game from then on.

    Seats in running anonymous games become vacant later, each at a random moment (`rng`) within
    `UNSEEN_WITHIN` and before the open phase ends. Of the moments that repeated calls draw for one
    game, the first counts.
    """
    games = Game.objects.exclude(status__in=_OVER)
    concerned = Q(seats__user=user_id) | Q(master=user_id)
    concerned |= Q(creator=user_id, status=Status.FORMING)
    keys = sorted(set(games.filter(concerned).values_list("pk", flat=True)))
    departure = RESIGNED if not removed else REMOVED
    for key in keys:
        _advance(_leave(game_id=key, user_id=user_id, departure=departure, now=now, rng=rng))
    return len(keys)


def _advance(due: int | None) -> None:
    if due is not None:
        owner = f"departure {uuid.uuid4().hex[:12]}"
        advance(game_id=due, owner=owner, now=site_clock.now)


@atomic_with_retries
def _leave(
    *,
    game_id: int,
    user_id: int,
    departure: str,
    now: dt.datetime,
    unseen: bool = False,
    rng: random.Random | None = None,
) -> int | None:
    """Return the key of the game if its phase has become due.

    With `unseen`, the moment has come to leave a seat in an anonymous game.
    """
    game = lock_game_by_id(game_id)
    if game.status in _OVER:
        return None
    if game.status == Status.FORMING:
        _leave_forming(game, user_id, now)
        return None
    if game.master_id == user_id:
        game.master = None
        game.save(update_fields=["master"])
        write_log(
            game=game,
            phase=game.newest_phase(),
            kind="master left",
            key=f"master left {now.isoformat()}",
            text=MASTER_LEFT,
            now=now,
        )
    seat = find_seat(game, user_id)
    if seat is not None and game.options.anonymous and not unseen:
        # The row is written in this transaction, so the departure happens even after a crash.
        later = leave_unseen_game.using(run_after=draw_moment(game, UNSEEN_WITHIN, now, rng))
        later.enqueue(user_id, game_id, removed=departure == REMOVED)
    elif seat is not None:
        seat.game = game
        vacate(game, seat, departure=departure, now=now, decided_by=Label.SITE)
        decide_votes(game, now)
    return end_current_phase_early(game, now)


def _leave_forming(game: Game, user_id: int, now: dt.datetime) -> None:
    if game.creator_id == user_id:
        game.seats.all().delete()
        game.status = Status.CANCELED
        game.save(update_fields=["status"])
        events.record(game=game, kind="canceled", key="canceled", now=now)
    elif (seat := find_seat(game, user_id)) is not None:
        events.record(game=game, kind="left", key=f"left {seat.pk}", now=now)
        seat.delete()
        follow_people(game, now)


def _promise_departure(user_id: int, _now: dt.datetime) -> None:
    """Enqueue the departure, so that a worker completes it if this process dies first."""
    finish_departure.enqueue(user_id, removed=False)


def _leave_account(user_id: int, now: dt.datetime) -> None:
    leave_all_games(user_id=user_id, removed=False, now=now)


def _export(user_id: int) -> Iterator[ExportFile]:
    for game in list_own_games(user_id):
        content = {
            "game": game.slug,
            "world": game.world,
            "country": game.country,
            "since": game.since_at.isoformat(),
            "until": game.until_at.isoformat() if game.until_at else None,
            "orders": {phase: list(orders) for phase, orders in game.orders},
        }
        text = json.dumps(content, ensure_ascii=False, indent=2)
        yield ExportFile(f"games/{game.slug}-{game.power}-{game.number}.json", iter([text]))


PART = AccountPart(_promise_departure, _leave_account, _export)
"""Listed in `settings.ACCOUNT_PARTS`."""
