"""Taking over vacant seats, as a volunteer or by a bot."""

import datetime as dt
import secrets
from collections.abc import Iterable

from diplomaccloud.bots.seats import is_seat_bot
from diplomaccloud.games.actions.deadlines.early_end import end_current_phase_early
from diplomaccloud.games.actions.locks import (
    Now,
    lock_game,
    require_account,
    require_current_phase,
    require_master,
    require_not_frozen,
    require_outsider,
    require_reliability,
    require_running,
    time_of,
)
from diplomaccloud.games.actions.log import require_reason
from diplomaccloud.games.actions.seats.resignation import (
    fill_seat,
    is_given_up,
    require_seat_of_power,
)
from diplomaccloud.games.actions.transactions import atomic_with_retries
from diplomaccloud.games.actions.votes.decisions import decide_votes
from diplomaccloud.games.errors import (
    BadValue,
    NoSuchGame,
    NotYourSeat,
    PlayersDecide,
    WrongMoment,
)
from diplomaccloud.games.models import REMOVED, Game, Seat, Tenure, must_ask_players


@atomic_with_retries
def take_seat(*, slug: str, user_id: int, power: str, now: Now, code: str = "") -> Seat:
    """Take a vacant seat as a volunteer, and return it.

    A private game requires its code, except for people who have played in it.
    """
    game = lock_game(slug)
    require_running(game)
    before = Tenure.objects.filter(seat__game=game, user_id=user_id)
    known = not game.private or before.exists()
    if not known and not secrets.compare_digest(code.encode(), game.code.encode()):
        raise NoSuchGame
    require_account(user_id)
    require_not_frozen(game)
    seat = require_seat_of_power(game, power)
    if seat.vacated_at is None:
        raise WrongMoment("This seat is taken.")
    if game.seats.filter(user_id=user_id).exists():
        raise WrongMoment("You are already in this game.")
    if game.master_id == user_id:
        raise WrongMoment("The game master cannot play in the game.")
    require_outsider(game, user_id)
    if is_given_up(seat):
        raise WrongMoment("This country has surrendered and stays in civil disorder.")
    if why := _find_refusal(seat.pk, before.values_list("seat_id", "left")):
        raise NotYourSeat(why)
    require_reliability(game.options.reliability, user_id)
    now = time_of(now)
    fill_seat(game, seat, now, user_id=user_id)
    decide_votes(game, now)
    return seat


def _find_refusal(seat: int, past: Iterable[tuple[int, str]]) -> str:
    """Return why a person may not take a seat, or blank if they may.

    `past` holds the seats that the person has held in the game, and how they left each.
    """
    tenures = list(past)
    if any(left == REMOVED for _, left in tenures):
        return "You were removed from this game."
    if any(key != seat for key, _ in tenures):
        # A player who knows one country's secrets cannot play another fairly.
        return "You played another country in this game and can only return to that one."
    return ""


@atomic_with_retries
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
    """Give a vacant seat to a bot and return the key of the game.

    For the game master, or for the creator of a game without one; raises `PlayersDecide` if that
    person plays or has played in the game.
    """
    game = lock_game(slug)
    require_manager(game, user_id)
    if must_ask_players(game, user_id):
        raise PlayersDecide
    require_current_phase(game, sequence)
    seat = require_bot_and_seat(game, power, bot)
    fill_seat(game, seat, now, bot=bot, by=user_id, reason=require_reason(reason))
    decide_votes(game, now)
    end_current_phase_early(game, now)
    return game.pk


def require_manager(game: Game, user_id: int) -> None:
    """Raise unless the person is the game master, or created a game without one."""
    if game.master_id is not None or game.creator_id != user_id:
        require_master(game, user_id)


def require_bot_and_seat(game: Game, power: str, bot: str) -> Seat:
    """Return the vacant seat that the bot may take in a running game; raise `Refused`."""
    require_running(game)
    require_not_frozen(game)
    if not is_seat_bot(bot):
        raise BadValue("bot", f"There is no bot called {bot!r}.")
    seat = require_seat_of_power(game, power)
    if seat.vacated_at is None:
        raise WrongMoment("This seat is taken.")
    if is_given_up(seat):
        raise WrongMoment("This country has surrendered and stays in civil disorder.")
    return seat
