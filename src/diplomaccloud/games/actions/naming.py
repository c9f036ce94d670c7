"""What players call their countries, and in which colour they are drawn."""

import datetime as dt

from django.db import transaction

from diplomaccloud.games import events
from diplomaccloud.games.actions.locks import lock_game, seat_in
from diplomaccloud.games.colours import COLOURS, far_apart
from diplomaccloud.games.errors import Refused, WrongMoment
from diplomaccloud.games.models import Game, Seat, Status
from diplomaccloud.games.records import board_of, colours_of, played_by, players_of
from diplomaccloud.maps.names import clean_name

LONGEST_COUNTRY = 30


@transaction.atomic
def name_country(*, slug: str, user_id: int, country: str, now: dt.datetime) -> None:
    """Give the person's country a name of its own; a blank one restores the printed name."""
    game, seat = _own(slug, user_id)
    name = said_name(country, "", LONGEST_COUNTRY)
    others = game.seats.exclude(pk=seat.pk).values_list("country", flat=True)
    taken = {other.casefold() for other in others if other}
    taken |= {info.name.casefold() for info in board_of(game).powers if info.power != seat.power}
    if name.casefold() in taken:
        raise WrongMoment(f"Another country is called {name}.")
    seat.country = name
    seat.save(update_fields=["country"])
    events.record(game=game, kind="named", now=now)


@transaction.atomic
def color_country(*, slug: str, user_id: int, color: str, now: dt.datetime) -> None:
    """Draw the person's country in another of the offered colours; blank restores the printed.

    Refused if it is hard to tell from another country's, to any eyes, and to a player of
    several powers, which keep their own.
    """
    game, seat = _own(slug, user_id)
    if seat.power is None:
        raise WrongMoment("Countries are drawn when the game starts: choose a color then.")
    if len(played_by(seat.power, players_of(game))) > 1:
        raise WrongMoment("You have several countries: they keep their colors.")
    if color and color not in COLOURS:
        raise Refused("This color is not offered.")
    seat.color = color
    colours = colours_of(game, [*game.seats.exclude(pk=seat.pk), seat])
    own = colours.pop(seat.power)
    if not far_apart(own, colours.values()) and color:
        raise WrongMoment("Another country has a color too much like this.")
    seat.save(update_fields=["color"])
    events.record(game=game, kind="colored", now=now)


def said_name(text: str, default: str, most: int) -> str:
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
    seat = seat_in(game, user_id)
    if game.status == Status.FINISHED:
        raise WrongMoment("This game is over: its countries stay as they were.")
    return game, seat
