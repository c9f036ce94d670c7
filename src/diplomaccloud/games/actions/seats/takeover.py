"""Seats that somebody left, taken over by a volunteer or a bot."""

import datetime as dt
import secrets
from collections.abc import Iterable

from django.db import transaction

from diplomaccloud.bots import BOTS
from diplomaccloud.games.actions.locks import (
    Now,
    lock_game,
    master_of,
    meant_for,
    running,
    time_of,
)
from diplomaccloud.games.actions.log import said_reason
from diplomaccloud.games.actions.seats.resignation import (
    REMOVED,
    fill_seat,
    go_on,
    is_given_up,
    seat_at,
)
from diplomaccloud.games.errors import NoSuchGame, NotYourSeat, Refused, WrongMoment
from diplomaccloud.games.models import Seat, Tenure


@transaction.atomic
def take_seat(*, slug: str, user_id: int, power: str, now: Now, code: str = "") -> Seat:
    """Return the vacant seat that a volunteer takes.

    A private game asks for its code, but not those who have played in it.
    """
    game = lock_game(slug)
    running(game)
    before = Tenure.objects.filter(seat__game=game, user_id=user_id)
    known = not game.private or before.exists()
    if not known and not secrets.compare_digest(code.encode(), game.code.encode()):
        raise NoSuchGame
    seat = seat_at(game, power)
    if seat.vacated_at is None:
        raise WrongMoment("This seat is taken.")
    if game.seats.filter(user_id=user_id).exists():
        raise WrongMoment("You are in this game already.")
    if game.master_id == user_id:
        raise WrongMoment("The game master of a game cannot play in it.")
    if is_given_up(seat):
        raise WrongMoment("This country has surrendered: it stays in civil disorder.")
    if why := barred(seat.pk, before.values_list("seat_id", "left")):
        raise NotYourSeat(why)
    fill_seat(game, seat, time_of(now), user_id=user_id)
    return seat


def barred(seat: int, past: Iterable[tuple[int, str]]) -> str:
    """Return why a person must not take a seat, blank if nothing is in the way.

    `past` are the seats that the person has held in the game, and how each was left.
    """
    times = list(past)
    if any(left == REMOVED for _, left in times):
        return "You were removed from this game."
    if any(key != seat for key, _ in times):
        # Who knows one country's secrets is no fair player of another.
        return "You played another country of this game: you can only go back to it."
    return ""


@transaction.atomic
def seat_bot(
    *,
    slug: str,
    user_id: int,
    sequence: int,
    power: str,
    bot: str,
    reason: str,
    now: dt.datetime,
) -> int:
    """Return the key of the game, once a vacant seat is a bot's.

    The game master's act, or the creator's where there is none.
    """
    game = lock_game(slug)
    if game.master_id is not None or game.creator_id != user_id:
        master_of(game, user_id)
    meant_for(game, sequence)
    running(game)
    if bot not in BOTS:
        raise Refused(f"There is no bot called {bot!r}.")
    seat = seat_at(game, power)
    if seat.vacated_at is None:
        raise WrongMoment("This seat is taken.")
    if is_given_up(seat):
        raise WrongMoment("This country has surrendered: it stays in civil disorder.")
    fill_seat(game, seat, now, bot=bot, by=user_id, reason=said_reason(reason))
    go_on(game, now)
    return game.pk
