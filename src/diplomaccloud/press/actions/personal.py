"""Personal messages: two people, outside games.

They are locked through the press versions of both people, in the order of their keys. This prevents
races between two first messages and on the limits of one author.
"""

import datetime as dt

from diplomaccloud.accounts.models import User
from diplomaccloud.games.table.errors import NotYourSeat
from diplomaccloud.games.table.transactions import atomic_with_retries
from diplomaccloud.press.actions.delivery import Letter, Mailbox, deliver, load_mailboxes
from diplomaccloud.press.actions.limits import (
    read_recent_sends,
    require_few_new_people,
    require_pace,
)
from diplomaccloud.press.actions.refusals import GUEST, refusal
from diplomaccloud.press.actions.sending import digest_of, insert_send, require_key
from diplomaccloud.press.addresses import Kind, key_of_people
from diplomaccloud.press.errors import KeyReused, NoSuchConversation
from diplomaccloud.press.models import Conversation, Membership, Message, PressVersion, Send
from diplomaccloud.press.models.game_state import find_limit
from diplomaccloud.press.models.people import EVERYWHERE
from diplomaccloud.press.models.periods import plan_people
from diplomaccloud.press.people import accepts_message, find_person
from diplomaccloud.press.rules import Why
from diplomaccloud.press.text import clean_body, clean_subject


def send_personal(
    *, user_id: int, to: str, subject: str = "", body: str, key: str, now: dt.datetime
) -> int:
    """Send a message to the person with the screen name `to`; return its number.

    Raises `NoSuchPlayer`, `PressClosed`, `BadText`, `KeyReused` or `TooManyMessages`. The same
    `key` again returns the same number and sends nothing.
    """
    require_key(key)
    letter = Letter(user_id, clean_subject(subject), clean_body(body), now)
    digest = digest_of("", [to.lower()], "", letter)
    return _send(user_id=user_id, to=to, letter=letter, key=key, digest=digest)


@atomic_with_retries
def _send(*, user_id: int, to: str, letter: Letter, key: str, digest: str) -> int:
    authors = User.objects.annotate(limited_until=find_limit(user_id, None))
    author, addressee = authors.get(pk=user_id), find_person(to, user_id)
    lock_people(user_id, addressee.pk)
    conversation_key = key_of_people([user_id, addressee.pk])
    mailboxes = load_mailboxes(None, [conversation_key], None, letter)
    is_new = conversation_key not in mailboxes.conversations
    send = Send(
        author_id=user_id,
        key=key,
        kind=Kind.PERSONAL,
        digest=digest,
        copies=1,
        opened=int(is_new),
        at=letter.at,
        unnoticed=True,
    )
    recent = read_recent_sends(user_id, key, None, letter.at)
    if recent.earlier is not None:
        if recent.earlier.digest != digest:
            raise KeyReused
        return Message.objects.get(send=recent.earlier).number
    if author.guest:
        raise NotYourSeat(GUEST)
    if author.limited_until is not None and letter.at < author.limited_until:
        raise refusal(Why.LIMITED)
    if not accepts_message(user_id, addressee.pk, letter.at):
        raise refusal(Why.REFUSED)
    require_pace(recent, send)
    if is_new:
        require_few_new_people(send, author.date_joined, letter.at)
    insert_send(send)
    mailboxes.open(conversation_key, Kind.PERSONAL, [user_id, addressee.pk])
    (message,) = deliver(mailboxes, send, letter)
    return message.number


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
