"""The waiting room of a game: joining, leaving, inviting, starting."""

import datetime as dt
import random
import secrets
from operator import itemgetter

from diplomaccloud.accounts.models import User
from diplomaccloud.accounts.screen_names import isolate, make_key
from diplomaccloud.bots.seats import choose_bot, give_character, is_mixture
from diplomaccloud.games.results.actions import counted_again
from diplomaccloud.games.table import log as events
from diplomaccloud.games.table.errors import NoSuchGame, NoSuchPlayer, Refused, WrongMoment
from diplomaccloud.games.table.lock import (
    Now,
    follow_people,
    lock_game,
    make_secret,
    require_account,
    require_creator,
    require_outsider,
    require_reliability,
    require_seat,
    time_of,
)
from diplomaccloud.games.table.models import Game, Invitation, Seat, Status, Tenure
from diplomaccloud.games.table.options import Start
from diplomaccloud.games.table.record_lines import add_draw
from diplomaccloud.games.table.transactions import atomic_with_retries
from diplomaccloud.games.turn.turn import open_phase
from diplomaccloud.judge.board import Power
from diplomaccloud.record.commitments import draw_numbers, draw_powers


@atomic_with_retries
def join_game(*, slug: str, user_id: int, now: Now, code: str = "") -> Seat:
    """Join a forming game and return the person's seat.

    A private game requires its code, unless the person is invited. If this takes the last seat, the
    game may start.
    """
    game = lock_game(slug)
    now = time_of(now)
    seats = list(game.seats.all())
    invited = {row.user_id: row.reserved for row in game.invitations.filter(withdrawn_at=None)}
    known = not game.private or user_id in invited or user_id == game.creator_id
    if not known and not secrets.compare_digest(code.encode(), game.code.encode()):
        raise NoSuchGame
    if any(seat.user_id == user_id for seat in seats):
        raise WrongMoment("You are already in this game.")
    require_account(user_id)
    _require_forming(game, "This game has started. You can no longer join it.")
    if game.master_id == user_id:
        raise WrongMoment("You are the game master of this game, so you cannot play in it.")
    require_outsider(game, user_id)
    require_reliability(game.options.reliability, user_id)
    # People have priority: a bot that the creator added gives up its seat, unless it has a power.
    bots = [row for row in seats if row.bot and not row.reserved]
    present = {row.user_id for row in seats} | {user_id}
    promised = sum(bool(power) and guest not in present for guest, power in invited.items())
    if len(seats) + promised >= len(game.players):
        if not bots:
            raise WrongMoment("All seats of this game are taken.")
        bots[-1].delete()
    seat = Seat.objects.create(game=game, user_id=user_id, reserved=invited.get(user_id, ""))
    events.record(game=game, kind="joined", key=f"joined {seat.pk}", now=now)
    start_if_full(game, now)
    follow_people(game, now, seat)
    return seat


def start_if_full(game: Game, now: dt.datetime) -> None:
    """Start the locked game if all seats are taken and it does not wait for its creator."""
    seats = list(game.seats.order_by("pk"))
    if len(seats) == len(game.players) and game.options.start is Start.FULL:
        begin_game(game, seats, now)


@atomic_with_retries
def leave_game(*, slug: str, user_id: int, now: dt.datetime) -> None:
    """Free the person's seat in a game in the lobby; its creator cannot leave."""
    game = lock_game(slug)
    seat = require_seat(game, user_id)
    _require_forming(game, "This game has started. You can no longer leave the lobby.")
    if game.creator_id == user_id:
        raise WrongMoment("You created this game, so you cannot leave it.")
    events.record(game=game, kind="left", key=f"left {seat.pk}", now=now)
    seat.delete()
    follow_people(game, now)


@atomic_with_retries
def start_game(*, slug: str, user_id: int, now: Now, bot: str = "") -> Game:
    """Start the game as its creator, and return it; bots fill empty seats.

    The bots are `bot`, or else those that the options name; without either, the game needs a
    player for every seat.
    """
    game = _lock_own_game(slug, user_id, "Only the creator of the game can start it.")
    seats = list(game.seats.order_by("pk"))
    empty = len(game.players) - len(seats)
    bot = bot or game.options.fill_with
    if bot and not is_mixture(bot):
        raise Refused(f"There is no bot called {bot!r}.")
    if empty and not bot:
        raise WrongMoment(f"{empty} more must join before this game can start.")
    bots = [Seat(game=game, bot=choose_bot(bot, number)) for number in range(empty)]
    begin_game(game, [*seats, *bots], time_of(now))
    return game


def begin_game(game: Game, seats: list[Seat], now: dt.datetime) -> None:
    """Start the locked game: draw numbers and the countries not given, and open the first phase.

    `seats` are in the order of joining; those of bots need no rows yet.
    """
    is_new = bool(game.seat_secret)
    if not is_new and game.draw_secret:
        # The game was created before games had these secrets; the draw commits to them.
        game.seat_secret, game.character_secret = make_secret(), make_secret()
    # The numbers are in the order in which the seats were taken.
    drawn = draw_numbers(game.seat_secret, len(seats)) if game.seat_secret else None
    numbers = drawn or range(1, len(seats) + 1)
    given = {seat.reserved for seat in seats}
    powers = iter([power for power in _draw_powers(game) if power not in given])
    for _, seat in sorted(zip(numbers, seats, strict=True), key=itemgetter(0)):
        seat.power = seat.reserved or next(powers)
    with counted_again(game):
        for number, seat in zip(numbers, seats, strict=True):
            seat.number = number
            secret = game.character_secret or game.seed
            seat.bot = give_character(seat.bot, f"{secret} {number}")
            seat.save()
        # In the order of their numbers: keys of tenures must not show who joined when.
        for seat in sorted(seats, key=lambda seat: seat.number or 0):
            Tenure.objects.create(seat=seat, user=seat.user, bot=seat.bot, since_at=now)
        game.status = Status.RUNNING
        game.started_at = now
        game.save(update_fields=["status", "started_at", "seat_secret", "character_secret"])
    game.forget_seats()
    add_draw(game, seats, now, commits=not is_new)
    events.record(game=game, kind="started", key="started", now=now)
    open_phase(game=game, position=game.starting_position, sequence=1, now=now)


def _draw_powers(game: Game) -> list[Power]:
    """Return the first power of each seat, in the order of their numbers."""
    powers = [played[0] for played in game.players]
    if game.draw_secret:
        return list(draw_powers(game.draw_secret, powers, len(powers)))
    # The game was created before games had a separate secret for the draw.
    random.Random(f"{game.seed} draw").shuffle(powers)
    return powers


@atomic_with_retries
def add_bot(*, slug: str, user_id: int, bot: str, now: Now) -> Game:
    """Give a free seat to a bot, as the creator; return the game, which may have started."""
    game = _lock_own_game(slug, user_id, "Only the creator of the game can add bots.")
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
    if game.options.start is Start.MUSTER:
        raise WrongMoment("This game starts with a muster. Confirm once it is open.")
    if (seat.ready_at is not None) == ready:
        return
    seat.ready_at = now if ready else None
    seat.save(update_fields=["ready_at"])
    events.record(game=game, kind="ready to start", now=now)


@atomic_with_retries
def cancel_game(*, slug: str, user_id: int, now: dt.datetime) -> None:
    """Cancel a game that has not started, as its creator; everyone loses their seats."""
    game = _lock_own_game(slug, user_id, "Only the creator of the game can cancel it.")
    game.seats.all().delete()
    game.status = Status.CANCELED
    game.save(update_fields=["status"])
    events.record(game=game, kind="canceled", key="canceled", now=now)


def _require_forming(game: Game, what: str = "This game has already started.") -> None:
    """Raise if the game has started; check first that the person belongs to the game."""
    if game.status != Status.FORMING:
        raise WrongMoment(what)


def _lock_own_game(slug: str, user_id: int, refusal: str) -> Game:
    """Return the game, locked, for its creator before the start; `refusal` is for other people."""
    game = lock_game(slug)
    require_creator(game, user_id, refusal)
    _require_forming(game)
    return game


# Inviting players to a game before it starts, and removing them.


MAX_INVITED = 100


@atomic_with_retries
def invite(*, slug: str, user_id: int, name: str, now: dt.datetime) -> Invitation:
    """Invite the person with this screen name to join without the code; return the invitation.

    This also renews an invitation that was withdrawn.
    """
    game = _lock_forming_game(slug, user_id)
    guest = find_member(name)
    if guest.pk == user_id:
        raise NoSuchPlayer("You cannot invite yourself.")
    # In an anonymous game, not even the creator may learn who has joined.
    if not game.options.anonymous and game.seats.filter(user=guest).exists():
        raise WrongMoment(f"{isolate(guest.screen_name)} is already in this game.")
    if game.invitations.count() >= MAX_INVITED:
        raise WrongMoment(f"You can invite at most {MAX_INVITED} people.")
    invitation, _ = Invitation.objects.update_or_create(
        game=game, user=guest, defaults={"invited_at": now, "withdrawn_at": None}
    )
    events.record(game=game, kind="invited", now=now)
    return invitation


def find_member(name: str) -> User:
    """Return the person with this screen name; raise `NoSuchPlayer`."""
    members = User.objects.filter(is_active=True, guest=False)
    member: User | None = members.filter(folded_name=make_key(name.strip())).first()
    if member is None:
        raise NoSuchPlayer(f"There is no player called {name.strip()[:40]!r}.")
    return member


@atomic_with_retries
def withdraw_invitation(*, slug: str, user_id: int, invited_id: int, now: dt.datetime) -> None:
    """Withdraw an invitation; a person who has already joined keeps the seat."""
    game = _lock_forming_game(slug, user_id)
    invitation = game.invitations.filter(user_id=invited_id, withdrawn_at=None)
    if not invitation.update(withdrawn_at=now):
        raise WrongMoment("This invitation has already been withdrawn.")
    events.record(game=game, kind="uninvited", now=now)


@atomic_with_retries
def dismiss(*, slug: str, user_id: int, seat_id: int, now: dt.datetime) -> None:
    """Remove a person from a game in the lobby, and withdraw the person's invitation.

    In an anonymous game the invitation stays: the creator would see whose it was.
    """
    game = _lock_forming_game(slug, user_id)
    seat: Seat | None = game.seats.filter(pk=seat_id).exclude(user_id=user_id).first()
    if seat is None:
        raise WrongMoment("You cannot remove anyone from this seat.")
    if seat.user_id is not None and not game.options.anonymous:
        game.invitations.filter(user=seat.user_id, withdrawn_at=None).update(withdrawn_at=now)
    events.record(game=game, kind="left", key=f"left {seat.pk}", now=now)
    seat.delete()


def _lock_forming_game(slug: str, user_id: int) -> Game:
    game = lock_game(slug)
    require_creator(game, user_id, "Only the creator of the game can choose its players.")
    _require_forming(game, "This game has started. Its players can no longer be changed here.")
    return game
