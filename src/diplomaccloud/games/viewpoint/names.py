"""The names of people in a game, which are hidden in an anonymous game.

Until an anonymous game ends, nobody sees who plays in it: not on a seat, in the log, in a
vote, in a list or in a URL. All code that names a person in a game must use this module.
"""

from dataclasses import dataclass
from typing import Final

from django.utils.crypto import salted_hmac

from diplomaccloud.accounts.models import User
from diplomaccloud.bots.seats import hide_character
from diplomaccloud.games.models import Game, Seat, Status, Tenure
from diplomaccloud.games.options.options import Master

_TOKEN: Final = 32
"""The length of a seat's token."""


@dataclass(frozen=True, slots=True)
class Holder:
    """A person or a bot, or nobody if both names are blank; `hidden`: the name is hidden."""

    name: str = ""
    bot: str = ""
    hidden: bool = False


@dataclass(frozen=True, slots=True)
class Actor:
    """A person who did something that the log shows; None stands for the site.

    `is_master` is set only if the person's name is hidden.
    """

    name: str = ""
    is_master: bool = False


def is_masked(game: Game) -> bool:
    """Return whether the names of the people in the game are hidden for now."""
    return game.status != Status.FINISHED and game.options.anonymous


def make_token(seat: Seat) -> str:
    """Return a key of a seat that says nothing about when it was taken, unlike its primary key."""
    made = salted_hmac("diplomaccloud.games.seats", str(seat.pk), algorithm="sha256")
    return made.hexdigest()[:_TOKEN]


def seat_holder(game: Game, seat: Seat, *, hidden: bool) -> Holder:
    """Return who holds a seat; with `hidden`, without a person's name."""
    if seat.user:
        return Holder(hidden=True) if hidden else Holder(seat.user.screen_name)
    return Holder(bot=_public_bot(game, seat.bot))


def _public_bot(game: Game, bot: str) -> str:
    """Return the name of a bot; its character, which says how it keeps deals, shows at the end."""
    return bot if game.status == Status.FINISHED else hide_character(bot)


def tenure_holder(game: Game, tenure: Tenure) -> Holder:
    """Return who held a seat during a tenure."""
    if tenure.user is None:
        return Holder(bot=_public_bot(game, tenure.bot))
    return Holder(hidden=True) if is_masked(game) else Holder(tenure.user.screen_name)


def creator_name(game: Game) -> str:
    """Return who created the game, or blank if that would reveal who plays in it."""
    if is_masked(game) and game.options.master is not Master.CREATOR:
        return ""
    return game.creator.screen_name


def require_master(game: Game) -> Actor | None:
    """Return the game master, or None if the site runs the game."""
    if game.master is None:
        return None
    return Actor(is_master=True) if is_masked(game) else Actor(game.master.screen_name)


def actor_of(game: Game, person: User | None) -> Actor | None:
    """Return who did something that the log shows, or None for the site."""
    if person is None:
        return None
    if is_masked(game):
        return Actor(is_master=person.pk == game.master_id)
    return Actor(person.screen_name)


def person_name(game: Game, person: User | None) -> str:
    """Return the screen name of a person in the game, or blank if it is hidden for now."""
    return "" if person is None or is_masked(game) else person.screen_name
