"""Personal messages: two people, outside games; and who may send them.

They are locked through the press versions of both people, in the order of their keys. This prevents
races between two first messages and on the limits of one author.
"""

import datetime as dt

from diplomaccloud.accounts.models import User
from diplomaccloud.games.table.errors import NotYourSeat
from diplomaccloud.games.table.transactions import atomic_with_retries
from diplomaccloud.press.conversations.actions import digest_of, insert_send, require_key
from diplomaccloud.press.table.actions import (
    GUEST,
    Letter,
    deliver,
    lock_people,
    open_mailboxes,
    read_recent_sends,
    refusal,
    require_few_new_people,
    require_no_guest,
    require_pace,
)
from diplomaccloud.press.table.addresses import AddressKind, key_of_people
from diplomaccloud.press.table.errors import KeyReused
from diplomaccloud.press.table.models import Message, PressSettings, Send
from diplomaccloud.press.table.rules import Why
from diplomaccloud.press.table.state import accepts_message, find_limit, find_person
from diplomaccloud.press.table.text import clean_body, clean_subject


@atomic_with_retries
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
    authors = User.objects.annotate(limited_until=find_limit(user_id, None))
    author, addressee = authors.get(pk=user_id), find_person(to, user_id)
    lock_people(user_id, addressee.pk)
    people = (user_id, addressee.pk)
    plans = open_mailboxes(
        {key_of_people(people): AddressKind.PERSONAL}, None, letter.at, people=people
    )
    is_new = all(plan.conversation.pk is None for plan in plans.values())
    send = Send(
        author_id=user_id,
        key=key,
        kind=AddressKind.PERSONAL,
        digest=digest,
        copies=1,
        opened=int(is_new),
        at=letter.at,
        unnoticed=True,
    )
    recent = read_recent_sends(send)
    if earlier := next((row for row in recent if row.key == key), None):
        if earlier.digest != digest:
            raise KeyReused
        return Message.objects.get(send=earlier).number
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
    (message,) = deliver(plans.values(), send, letter)
    return message.number


@atomic_with_retries
def accept_personal(*, user_id: int, accepted: bool) -> None:
    """Choose whether others may write personal messages to the person."""
    require_no_guest(user_id)
    PressSettings.objects.update_or_create(user_id=user_id, defaults={"personal": accepted})
