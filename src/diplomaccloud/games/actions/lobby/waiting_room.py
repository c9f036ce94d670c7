"""The waiting room of a game, besides joining: adding bots, ready marks, canceling."""

import datetime as dt

from diplomaccloud.bots.seats import choose_bot, is_mixture
from diplomaccloud.games.actions import events
from diplomaccloud.games.actions.lobby.creation import start_if_full
from diplomaccloud.games.actions.locks import Now, lock_game, require_creator, require_seat, time_of
from diplomaccloud.games.actions.transactions import atomic_with_retries
from diplomaccloud.games.errors import Refused, WrongMoment
from diplomaccloud.games.models import Game, Seat, Status


@atomic_with_retries
def add_bot(*, slug: str, user_id: int, bot: str, now: Now) -> Game:
    """Give a free seat to a bot, as the creator; return the game, which may have started."""
    game = lock_game(slug)
    require_creator(game, user_id, "Only the creator of the game can add bots.")
    _require_forming(game)
    if not is_mixture(bot):
        raise Refused(f"There is no bot called {bot[:20]!r}.")
    if game.seats.count() >= len(game.players):
        raise WrongMoment("Every seat is taken.")
    now = time_of(now)
    number = game.seats.exclude(bot="").count()
    seat = Seat.objects.create(game=game, bot=choose_bot(bot, number))
    events.record(game=game, kind="joined", key=f"joined {seat.pk}", now=now)
    start_if_full(game, now)
    return game


@atomic_with_retries
def mark_ready(*, slug: str, user_id: int, ready: bool, now: dt.datetime) -> None:
    """Show everyone in the waiting room whether the player is ready to start."""
    game = lock_game(slug)
    seat = require_seat(game, user_id)
    _require_forming(game)
    if (seat.ready_at is not None) == ready:
        return
    seat.ready_at = now if ready else None
    seat.save(update_fields=["ready_at"])
    events.record(game=game, kind="ready to start", now=now)


@atomic_with_retries
def cancel_game(*, slug: str, user_id: int, now: dt.datetime) -> None:
    """Cancel a game that has not started, as its creator; everyone loses their seats."""
    game = lock_game(slug)
    require_creator(game, user_id, "Only the creator of the game can cancel it.")
    _require_forming(game)
    game.seats.all().delete()
    game.status = Status.CANCELED
    game.save(update_fields=["status"])
    events.record(game=game, kind="canceled", key="canceled", now=now)


def _require_forming(game: Game) -> None:
    """Raise if the game has started; check first that the person belongs to the game."""
    if game.status != Status.FORMING:
        raise WrongMoment("This game has already started.")
