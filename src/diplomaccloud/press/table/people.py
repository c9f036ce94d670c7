"""Who may write personal messages to whom, and locking the messages of two people."""

import datetime as dt

from diplomaccloud.accounts.models import User
from diplomaccloud.games.table.errors import NoSuchPlayer
from diplomaccloud.games.table.models import Game, Seat, Status
from diplomaccloud.games.table.options import Press
from diplomaccloud.press.table.actions import Mailbox
from diplomaccloud.press.table.addresses import AddressKind, key_of_people
from diplomaccloud.press.table.errors import NoSuchConversation
from diplomaccloud.press.table.models import (
    EVERYWHERE,
    Block,
    Conversation,
    Membership,
    PressSettings,
    PressVersion,
)
from diplomaccloud.press.table.periods import plan_people
from diplomaccloud.press.table.rules import PressVerdict, decide
from diplomaccloud.press.table.state import load_newest_phases


def find_person(name: str, user_id: int) -> User:
    """Return the other person with this screen name; raise `NoSuchPlayer`."""
    people = User.objects.filter(is_active=True, guest__in=[False], folded_name=name.lower()[:40])
    person = people.exclude(pk=user_id).first()
    if person is None:
        raise NoSuchPlayer("There is no other player with this screen name.")
    return person


def accepts_message(user_id: int, addressee_id: int, now: dt.datetime) -> bool:
    """Return whether the addressee now accepts a personal message from the other person.

    A block looks the same as not accepting any personal messages.
    """
    if PressSettings.objects.filter(user=addressee_id, personal=False).exists():
        return False
    if Block.objects.filter(user=addressee_id, blocked=user_id).exists():
        return False
    return not _share_silent_game(user_id, addressee_id, now)


def _share_silent_game(user_id: int, other_id: int, now: dt.datetime) -> bool:
    """Return whether both play in a running named game that now forbids messages between them.

    Anonymous games never count, because the refusal would reveal who plays in them.
    """
    theirs = Seat.objects.filter(user=other_id, finished_at=None).values("game")
    games = Game.objects.filter(
        seats__user=user_id, seats__finished_at=None, pk__in=theirs, status=Status.RUNNING
    )
    limited = {
        game.pk: game
        for game in games.distinct()
        if not game.options.anonymous and game.options.press is not Press.FULL
    }
    phases = load_newest_phases(limited.values()) if limited else {}
    states = ((limited[key], phase.state_at(limited[key], now)) for key, phase in phases.items())
    return any(
        decide(game.options.press, AddressKind.SEATS, state)[0] is not PressVerdict.ALLOWED
        for game, state in states
    )


def lock_people(*user_ids: int) -> None:
    """Lock the personal messages of these people until the transaction ends."""
    people = sorted(set(user_ids))
    rows = PressVersion.objects.select_for_update().filter(user__in=people, place=EVERYWHERE)
    rows = rows.order_by("user")
    locked = {row.user_id for row in rows}
    # On MariaDB, inserting a row that exists locks it for reading, and two transactions that both
    # hold such a lock can't both go on to lock the row for writing.
    missing = [
        PressVersion(user_id=user_id, place=EVERYWHERE)
        for user_id in people
        if user_id not in locked
    ]
    if missing:
        PressVersion.objects.bulk_create(missing, ignore_conflicts=True)
        list(rows.all())


def lock_personal(user_id: int, to: str) -> Mailbox:
    """Return the conversation with a person, locked; raise `NoSuchConversation` if none exists.

    The other person may have deleted the account since.
    """
    other = User.objects.filter(folded_name=to.lower()[:40]).exclude(pk=user_id).first()
    if other is None:
        raise NoSuchConversation
    lock_people(user_id, other.pk)
    key = key_of_people([user_id, other.pk])
    conversation = Conversation.objects.filter(key=key).first()
    if conversation is None:
        raise NoSuchConversation
    rows: list[Membership] = list(conversation.memberships.order_by("pk"))
    return Mailbox(conversation, plan_people(conversation, rows, [user_id, other.pk]))
