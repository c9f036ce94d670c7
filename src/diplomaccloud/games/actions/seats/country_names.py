"""What players call their countries, and in which colour they are drawn."""

import datetime as dt

from django.db import transaction

from diplomaccloud.accounts.lines import clean_name
from diplomaccloud.games.actions import events
from diplomaccloud.games.actions.locks import lock_game, require_seat
from diplomaccloud.games.errors import NotYourSeat, Refused, WrongMoment
from diplomaccloud.games.models import Game, Seat, Status, powers_played_by
from diplomaccloud.games.options.colors import COLORS, is_distinguishable
from diplomaccloud.judge.board import Power

MAX_COUNTRY_NAME = 30


@transaction.atomic
def name_country(*, slug: str, user_id: int, country: str, now: dt.datetime) -> None:
    """Give the person's country a name of its own; a blank one restores the printed name."""
    game, seat = _own(slug, user_id)
    name = clean_country_name(country, "", MAX_COUNTRY_NAME)
    others = game.seats.exclude(pk=seat.pk).values_list("country", flat=True)
    taken = {other.casefold() for other in others if other}
    taken |= {info.name.casefold() for info in game.board.powers if info.power != seat.power}
    if name.casefold() in taken:
        raise WrongMoment(f"Another country is called {name}.")
    seat.country = name
    seat.save(update_fields=["country"])
    events.record(game=game, kind="named", now=now)


@transaction.atomic
def color_country(
    *, slug: str, user_id: int, color: str, now: dt.datetime, power: str = ""
) -> None:
    """Draw one of the person's powers in another of the offered colours; blank: as printed.

    `power` may be left out by a player of one. Refused if the colour is hard to tell from that
    of another power, to any eyes.
    """
    game, seat = _own(slug, user_id)
    if seat.power is None:
        raise WrongMoment("Countries are drawn when the game starts: choose a color then.")
    power = power or seat.power
    if power not in _powers_now(game, seat):
        raise NotYourSeat("This country is not yours to color.")
    if color and color not in COLORS:
        raise Refused("This color is not offered.")
    seat.colors.pop(power, None)
    if color:
        _check_apart(game, power, color)
        seat.colors[power] = color
    seat.save(update_fields=["colors"])
    events.record(game=game, kind="colored", now=now)


def _powers_now(game: Game, seat: Seat) -> tuple[Power, ...]:
    phase = game.newest_phase()
    return phase.powers_of(seat) if phase else powers_played_by(seat.power, game.players)


def _check_apart(game: Game, power: str, color: str) -> None:
    """Raise `WrongMoment`, which names the power whose colour is `color` or too much like it."""
    for other, theirs in game.power_colors(game.seats.all()).items():
        if other != power and not is_distinguishable(color, [theirs]):
            name = game.board.power_info[Power(other)].name
            near = "this color" if theirs == color else "a color too much like this"
            raise WrongMoment(f"{name} has {near}.")


def clean_country_name(text: str, default: str, most: int) -> str:
    """Return a name as a person typed it, cleaned, or the default for a blank one."""
    try:
        name = clean_name(text)
    except ValueError as error:
        raise Refused(str(error)) from error
    if len(name) > most:
        raise Refused(f"A name has at most {most} characters.")
    return name or default


def _own(slug: str, user_id: int) -> tuple[Game, Seat]:
    game = lock_game(slug)
    seat = require_seat(game, user_id)
    if game.status == Status.FINISHED:
        raise WrongMoment("This game is over: its countries stay as they were.")
    return game, seat
