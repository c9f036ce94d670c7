"""The first orders of a guest, which create the guest, the game and the orders in one step.

Before these orders nothing is stored: the page is drawn from a ticket in its address. The slug,
the countries and everything random are derived from the ticket, so sending it twice creates only
one game.
"""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from django.core import signing
from django.db import IntegrityError
from django.utils.crypto import salted_hmac

from diplomaccloud.accounts.guests import create_guest
from diplomaccloud.accounts.models import User
from diplomaccloud.bots.seats import is_mixture
from diplomaccloud.games.actions.lobby.creation import SLUG_ALPHABET, create_game, start_game
from diplomaccloud.games.actions.lobby.option_checks import GamePlan
from diplomaccloud.games.actions.lobby.quick_game import plan_solo
from diplomaccloud.games.actions.orders.submission import Saved, save_orders
from diplomaccloud.games.actions.randomness import derive_secret
from diplomaccloud.games.actions.transactions import atomic_with_retries
from diplomaccloud.games.errors import Refused, WrongMoment
from diplomaccloud.games.models import Game, Status
from diplomaccloud.games.options.game_names import suggest_name
from diplomaccloud.maps.library import UnknownMapError, find_chart
from diplomaccloud.record.commitments import Purpose

MAX_GUEST_GAMES: Final = 5
"""How many unfinished games a guest may have."""
SLUG_LENGTH: Final = 10
_SALT: Final = "diplomaccloud.games.guests"
_MAX_NONCE: Final = 40
_USED: Final = "This game has already been started. Start a new one."


class UnknownTicket(Refused):
    """Raised for a ticket that the site did not sign, or whose map no longer exists."""

    status = 404

    def __init__(self) -> None:
        super().__init__("This link to a new game is incomplete. Start a new game instead.")


class OrdersRefused(Exception):
    """Raised if some orders were refused, so nothing was stored; `saved` has the reasons."""

    def __init__(self, saved: Saved) -> None:
        super().__init__("some orders were refused")
        self.saved = saved


@dataclass(frozen=True, slots=True)
class Ticket:
    """A solo game that does not exist yet: its map, its bot, and the source of its randomness."""

    map_hash: str
    bot: str
    nonce: str

    @property
    def slug(self) -> str:
        """The slug of the game."""
        digest = salted_hmac(f"{_SALT} slug", self._text, algorithm="sha256").digest()
        return "".join(SLUG_ALPHABET[byte % len(SLUG_ALPHABET)] for byte in digest[:SLUG_LENGTH])

    @property
    def seed(self) -> str:
        """The secret seed of the game, which the address does not reveal."""
        return salted_hmac(f"{_SALT} seed", self._text, algorithm="sha256").hexdigest()

    @property
    def plan(self) -> GamePlan:
        """The plan of the game, which only its player can see."""
        return plan_solo(self.map_hash, self.bot, name=suggest_name(self.nonce), private=True)

    @property
    def _text(self) -> str:
        return f"{self.map_hash} {self.bot} {self.nonce}"

    def dump(self) -> str:
        """Return the ticket as signed text, for an address."""
        return signing.dumps([self.map_hash, self.bot, self.nonce], salt=_SALT)

    @property
    def draw_secret(self) -> str:
        """The secret that decides which seat gets which country."""
        return derive_secret(self.seed, Purpose.DRAW)

    @property
    def seat_secret(self) -> str:
        """The secret that decides the numbers of the seats; the guest takes the first seat."""
        return derive_secret(self.seed, Purpose.SEATS)


def load_ticket(text: str) -> Ticket:
    """Return the ticket that `dump` wrote; raise `UnknownTicket`."""
    try:
        map_hash, bot, nonce = signing.loads(text, salt=_SALT)
        find_chart(map_hash)
    except (signing.BadSignature, UnknownMapError, ValueError, TypeError) as error:
        raise UnknownTicket from error
    if not is_mixture(bot) or not 0 < len(nonce) <= _MAX_NONCE:
        raise UnknownTicket
    return Ticket(map_hash, bot, nonce)


def owns_game(slug: str, user_id: int) -> bool:
    """Return whether the person created the game."""
    return Game.objects.filter(slug=slug, creator=user_id).exists()


def _find_guest(guest_id: int | None) -> User | None:
    return None if guest_id is None else User.objects.filter(pk=guest_id, guest=True).first()


@dataclass(frozen=True, slots=True)
class FirstOrders:
    """The guest and the game that the first orders created, and the outcome of saving them."""

    guest: User
    game_id: int
    saved: Saved


@atomic_with_retries
def play_as_guest(
    *,
    ticket: Ticket,
    guest_id: int | None,
    name: str,
    choices: Sequence[str],
    sheet: str,
    ready: bool,
    confirmed: bool,
    now: dt.datetime,
) -> FirstOrders:
    """Create a guest's game with the first orders in it; return the guest, game and outcome.

    `guest_id` is a guest who already plays; without it, a new guest is created with `name`. Raises
    `OrdersRefused`, and stores nothing, if an order is refused, and `WrongMoment` if the ticket
    was used or the guest has too many games.
    """
    if _is_used(ticket):
        raise WrongMoment(_USED)
    guest = _find_guest(guest_id) or create_guest(name, now=now)
    unfinished = Game.objects.filter(creator=guest).exclude(
        status__in=(Status.FINISHED, Status.CANCELED)
    )
    if unfinished.count() >= MAX_GUEST_GAMES:
        raise WrongMoment(
            f"A guest can have {MAX_GUEST_GAMES} unfinished games. Finish one, or sign up "
            "to keep your games."
        )
    game = _create_game(ticket, guest, now)
    start_game(slug=game.slug, user_id=guest.pk, now=now)
    saved = save_orders(
        slug=game.slug,
        user_id=guest.pk,
        sequence=1,
        choices=choices,
        sheet=sheet,
        ready=ready,
        confirmed=confirmed,
        now=now,
    )
    if saved.problems:
        raise OrdersRefused(saved)
    return FirstOrders(guest, game.pk, saved)


def _is_used(ticket: Ticket) -> bool:
    return Game.objects.filter(slug=ticket.slug).exists()


def _create_game(ticket: Ticket, guest: User, now: dt.datetime) -> Game:
    """Create the game of the ticket; raise `WrongMoment` if another request just did."""
    try:
        # It runs in a savepoint, so the transaction can still be used if it fails.
        return create_game(
            plan=ticket.plan,
            creator_id=guest.pk,
            now=now,
            slug=ticket.slug,
            code=ticket.seed[:SLUG_LENGTH],
            seed=ticket.seed,
        )
    except IntegrityError as error:
        if not _is_used(ticket):
            raise
        raise WrongMoment(_USED) from error
