"""The names and colors that players choose for their countries."""

import datetime as dt

from diplomaccloud.accounts.lines import clean_name
from diplomaccloud.accounts.screen_names import is_label
from diplomaccloud.games.actions import events
from diplomaccloud.games.actions.locks import lock_game, require_seat
from diplomaccloud.games.actions.transactions import atomic_with_retries
from diplomaccloud.games.errors import NotYourSeat, Refused, WrongMoment
from diplomaccloud.games.models import Game, Seat, Status, powers_played_by
from diplomaccloud.games.options.colors import COLORS, is_distinguishable
from diplomaccloud.judge.board import Power

MAX_COUNTRY_NAME = 30


@atomic_with_retries
def name_country(*, slug: str, user_id: int, country: str, now: dt.datetime) -> None:
    """Rename the person's country; a blank name restores the printed one.

    Raises `Refused` also for a name that the site prints in place of a name, since countries are
    the authors of messages.
    """
    game, seat = _lock_own_seat(slug, user_id)
    name = clean_country_name(country, "", MAX_COUNTRY_NAME)
    if is_label(name):
        raise Refused(f"{name} is a name that this site uses itself. Choose another.")
    others = game.seats.exclude(pk=seat.pk).values_list("country", flat=True)
    taken = {other.casefold() for other in others if other}
    taken |= {info.name.casefold() for info in game.board.powers if info.power != seat.power}
    if name.casefold() in taken:
        raise WrongMoment(f"Another country is already called {name}.")
    seat.country = name
    seat.save(update_fields=["country"])
    events.record(game=game, kind="named", now=now)


@atomic_with_retries
def color_country(
    *, slug: str, user_id: int, color: str, now: dt.datetime, power: str = ""
) -> None:
    """Choose one of the offered colors for one of the person's powers; blank restores the default.

    A player with only one power may leave out `power`. Raises `WrongMoment` if the color is too
    similar to that of another power.
    """
    game, seat = _lock_own_seat(slug, user_id)
    if seat.power is None:
        raise WrongMoment(
            "You can choose a color once countries are assigned at the start of the game."
        )
    power = power or seat.power
    if power not in _powers_now(game, seat):
        raise NotYourSeat("You do not play this country.")
    if color and color not in COLORS:
        raise Refused(f"This color is not offered. Choose one of {', '.join(COLORS)}.")
    seat.colors.pop(power, None)
    if color:
        _require_distinguishable(game, power, color)
        seat.colors[power] = color
    seat.save(update_fields=["colors"])
    events.record(game=game, kind="colored", now=now)


def _powers_now(game: Game, seat: Seat) -> tuple[Power, ...]:
    phase = game.newest_phase()
    return phase.powers_of(seat) if phase else powers_played_by(seat.power, game.players)


def _require_distinguishable(game: Game, power: str, color: str) -> None:
    """Raise `WrongMoment` naming a power with a color equal or too similar to `color`."""
    for other, theirs in game.power_colors(game.seats.all()).items():
        if other != power and not is_distinguishable(color, [theirs]):
            name = game.board.power_info[Power(other)].name
            if theirs == color:
                raise WrongMoment(f"{name} already has this color.")
            raise WrongMoment(f"The color of {name} is too similar.")


def clean_country_name(text: str, default: str, most: int) -> str:
    """Return a typed name, cleaned, or `default` if it is blank; raise `Refused` for a bad name."""
    try:
        name = clean_name(text)
    except ValueError as error:
        raise Refused(str(error)) from error
    if len(name) > most:
        raise Refused(f"A name must have at most {most} characters.")
    return name or default


def _lock_own_seat(slug: str, user_id: int) -> tuple[Game, Seat]:
    game = lock_game(slug)
    seat = require_seat(game, user_id)
    if game.status == Status.FINISHED:
        raise WrongMoment("This game is over. Its countries can no longer be changed.")
    return game, seat
