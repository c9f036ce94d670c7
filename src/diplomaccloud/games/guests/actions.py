"""The games of guests: creating one with its first orders, adopting and deleting them.

Before these orders nothing is stored, except a map that nobody has saved: the page is drawn from a
ticket in its address. The slug, the countries and everything random are derived from the ticket, so
sending it twice creates only one game.
"""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import structlog
from django.apps import apps
from django.core import signing
from django.db import IntegrityError, transaction
from django.utils.crypto import salted_hmac

from diplomaccloud.accounts.guests import create_guest, expired_guests
from diplomaccloud.accounts.models import User
from diplomaccloud.bots.seats import is_mixture
from diplomaccloud.games.creation.actions import SLUG_ALPHABET, create_game, plan_solo
from diplomaccloud.games.creation.presets import GamePlan
from diplomaccloud.games.lobby.actions import start_game
from diplomaccloud.games.orders.actions import Saved, save_orders
from diplomaccloud.games.results.actions import counted_again
from diplomaccloud.games.table.errors import Refused, WrongMoment
from diplomaccloud.games.table.lock import derive_secret, lock_game_by_id
from diplomaccloud.games.table.log_models import LogEntry, PlayerFigures, SaveReceipt
from diplomaccloud.games.table.models import Game, Seat, Status, Tenure
from diplomaccloud.games.table.options import suggest_name
from diplomaccloud.games.table.phase_models import Attendance
from diplomaccloud.games.table.transactions import atomic_with_retries
from diplomaccloud.games.votes.models import Vote
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
    def secrets(self) -> tuple[str, str]:
        """What decides which seat gets which country, and the numbers; the guest's is the first."""
        return derive_secret(self.seed, Purpose.DRAW), derive_secret(self.seed, Purpose.SEATS)


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
) -> tuple[User, int, Saved]:
    """Create a guest's game with the first orders; return the guest, the game's key and outcome.

    `guest_id` is a guest who already plays; without it, a new guest is created with `name`. Raises
    `OrdersRefused`, and stores nothing, if an order is refused, and `WrongMoment` if the ticket
    was used or the guest has too many games.
    """
    if Game.objects.filter(slug=ticket.slug).exists():
        raise WrongMoment(_USED)
    guests = User.objects.filter(guest=True)
    guest = guests.filter(pk=guest_id).first() if guest_id is not None else None
    guest = guest or create_guest(name, now=now)
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
    return guest, game.pk, saved


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
        if not Game.objects.filter(slug=ticket.slug).exists():
            raise
        raise WrongMoment(_USED) from error


# Moving the games of a guest to the account that the guest logs in to.


def adopt_guest(*, guest_id: int, user_id: int) -> int:
    """Move the guest's games to the account and return how many were moved.

    Each game moves in its own transaction, since a transaction may lock only one game. The guest,
    who no longer has games, is deleted later like every guest.
    """
    guests = User.objects.filter(pk=guest_id, guest=True)
    if guest_id == user_id or not guests.exists():
        return 0
    games = Game.objects.filter(creator=guest_id).order_by("pk").values_list("pk", flat=True)
    return sum(_adopt_game(game_id=key, guest_id=guest_id, user_id=user_id) for key in list(games))


@atomic_with_retries
def _adopt_game(*, game_id: int, guest_id: int, user_id: int) -> int:
    """Replace the guest by the account everywhere in the game; return 1 if that was done."""
    game = lock_game_by_id(game_id)
    if game.creator_id != guest_id:
        return 0
    with counted_again(game, with_turns=True):
        game.seats.filter(user=guest_id).update(user=user_id)
        seats = Seat.objects.filter(game=game)
        Tenure.objects.filter(seat__in=seats, user=guest_id).update(user=user_id)
        phases = game.phases.values("pk")
        Attendance.objects.filter(phase__in=phases, user=guest_id).update(user=user_id)
        SaveReceipt.objects.filter(phase__in=phases, user=guest_id).update(user=user_id)
        LogEntry.objects.filter(game=game, by=guest_id).update(by=user_id)
        Vote.objects.filter(game=game, asked_by=guest_id).update(asked_by=user_id)
        game.creator_id = user_id
        game.save(update_fields=["creator"])
    game.forget_seats()
    return 1


# Deleting the games of guests who have stayed away too long, the only games ever deleted.
#
# All other games are kept for good, which is why every foreign key protects the row it points to.
# So this module deletes rows table by table, referring rows first. A test fails if a new table is
# missing here.


GAME_ROWS: Final = (
    ("games.Ballot", "vote__game"),
    ("games.Vote", "game"),
    ("games.OrderRow", "draft__phase__game"),
    ("games.Draft", "phase__game"),
    ("games.ConditionalOrders", "phase__game"),
    ("games.Submission", "phase__game"),
    ("games.TalkDone", "phase__game"),
    ("games.BotPlan", "phase__game"),
    ("games.SaveReceipt", "phase__game"),
    ("games.Receipt", "phase__game"),
    ("games.Attendance", "phase__game"),
    ("games.Standing", "game"),
    ("games.PhaseFigures", "phase__game"),
    ("games.LogEntry", "game"),
    ("games.Event", "game"),
    ("games.RecordLine", "game"),
    ("games.Invitation", "game"),
    ("games.Phase", "game"),
    ("games.Tenure", "seat__game"),
    ("games.Seat", "game"),
)
"""The tables with rows of one game and their paths to the game, in order of deletion."""
GUESTS_AT_ONCE: Final = 20
"""How many guests one round deletes, to keep each round of the worker short."""
_log = structlog.get_logger(__name__)


def purge_guests(*, now: dt.datetime) -> int:
    """Delete a few guests with their games, longest absent first; return how many were deleted."""
    keys = list(expired_guests(now=now).values_list("pk", flat=True)[:GUESTS_AT_ONCE])
    return sum(_purge_guest(guest_id=key, now=now) for key in keys)


def _purge_guest(*, guest_id: int, now: dt.datetime) -> int:
    """Delete the guest, and each game in its own transaction; return 1 if that was done."""
    for game_id in Game.objects.filter(creator=guest_id).values_list("pk", flat=True):
        if not _purge_game(game_id=game_id, guest_id=guest_id, now=now):
            return 0
    with transaction.atomic():
        if not _lock_expired(guest_id, now):
            return 0
        PlayerFigures.objects.filter(user=guest_id).delete()
        # `delete` would also go through Django's permission tables, which this app has no business
        # in.
        people = User.objects.filter(pk=guest_id, guest__in=[True])
        people._raw_delete(people.db)
    _log.info("guest deleted", user=guest_id)
    return 1


@atomic_with_retries
def _purge_game(*, game_id: int, guest_id: int, now: dt.datetime) -> bool:
    """Delete the game unless its guest has come back; return whether it was deleted."""
    game = Game.objects.select_for_update().filter(pk=game_id, creator=guest_id).first()
    if game is None or not _lock_expired(guest_id, now):
        return False
    for label, path in GAME_ROWS:
        rows = apps.get_model(label)._default_manager.filter(**{path: game_id})
        # One table at a time: `delete` would waste queries on rows that refer to these.
        rows._raw_delete(rows.db)
    Game.objects.filter(pk=game_id).delete()
    return True


def _lock_expired(guest_id: int, now: dt.datetime) -> bool:
    """Lock the guest's row and return whether the last visit is still too long ago."""
    row = User.objects.select_for_update().filter(pk=guest_id).first()
    return row is not None and expired_guests(now=now).filter(pk=guest_id).exists()
