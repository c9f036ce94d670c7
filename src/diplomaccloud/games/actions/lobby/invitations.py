"""Inviting players to a game before it starts, and removing them."""

import datetime as dt

from diplomaccloud.accounts.models import User
from diplomaccloud.games.actions import events
from diplomaccloud.games.actions.locks import lock_game, require_creator
from diplomaccloud.games.actions.transactions import atomic_with_retries
from diplomaccloud.games.errors import NoSuchPlayer, WrongMoment
from diplomaccloud.games.models import Game, Invitation, Seat, Status

MAX_INVITED = 100


@atomic_with_retries
def invite(*, slug: str, user_id: int, name: str, now: dt.datetime) -> Invitation:
    """Invite the person with this screen name to join without the code; return the invitation.

    This also renews an invitation that was withdrawn.
    """
    game = _lock_forming_game(slug, user_id)
    members = User.objects.filter(is_active=True, guest=False)
    guest = members.filter(folded_name=name.strip().lower()).first()
    if guest is None:
        raise NoSuchPlayer(f"There is no player called {name.strip()[:40]!r}.")
    if guest.pk == user_id:
        raise NoSuchPlayer("You cannot invite yourself.")
    # In an anonymous game, not even the creator may learn who has joined.
    if not game.options.anonymous and game.seats.filter(user=guest).exists():
        raise WrongMoment(f"{guest.screen_name} is already in this game.")
    if game.invitations.count() >= MAX_INVITED:
        raise WrongMoment(f"You can invite at most {MAX_INVITED} people.")
    invitation, _ = Invitation.objects.update_or_create(
        game=game, user=guest, defaults={"invited_at": now, "withdrawn_at": None}
    )
    events.record(game=game, kind="invited", now=now)
    return invitation


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


def is_invited(game: Game, user_id: int) -> bool:
    """Return whether the person has an invitation that has not been withdrawn."""
    return game.invitations.filter(user_id=user_id, withdrawn_at=None).exists()


def _lock_forming_game(slug: str, user_id: int) -> Game:
    game = lock_game(slug)
    require_creator(game, user_id, "Only the creator of the game can choose its players.")
    if game.status != Status.FORMING:
        raise WrongMoment("This game has started. Its players can no longer be changed here.")
    return game
