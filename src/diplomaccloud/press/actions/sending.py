"""Sending a message in a game: one transaction, one answer for each key of the composer."""

import datetime as dt
import hashlib
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from django.db import IntegrityError

from diplomaccloud.games.actions.locks import lock_game
from diplomaccloud.games.actions.transactions import atomic_with_retries
from diplomaccloud.games.errors import Refused
from diplomaccloud.press.actions.attachments import Attachment, require_attachable
from diplomaccloud.press.actions.delivery import Letter, deliver, load_mailboxes
from diplomaccloud.press.actions.limits import read_recent_sends, require_pace
from diplomaccloud.press.actions.refusals import require_open, require_visible
from diplomaccloud.press.actions.versions import raise_versions
from diplomaccloud.press.addresses import Address, AttachmentKind, Kind, seats_address
from diplomaccloud.press.errors import KeyReused
from diplomaccloud.press.models import Message, Send, WaitingMessage
from diplomaccloud.press.models.periods import find_ranges, plan_conversation
from diplomaccloud.press.rules import publication_time
from diplomaccloud.press.table import Table, address_of, find_target, load_table
from diplomaccloud.press.text import clean_body, clean_subject

KEY: Final = re.compile(r"[0-9a-f]{32}")
"""A key that the composer made: 128 bits."""


class Mode(StrEnum):
    """What several addressees get: a copy each, or one conversation of all."""

    APART = "apart"
    TOGETHER = "together"


@dataclass(frozen=True, slots=True)
class SentTo:
    """One copy of a message: its conversation, and its number there as its author sees it."""

    address: Address
    number: int


@dataclass(frozen=True, slots=True)
class Sent:
    """What happened to a message: its copies, or when it is published if it is gray and waits."""

    messages: tuple[SentTo, ...] = ()
    published_at: dt.datetime | None = None


def send_message(
    *,
    slug: str,
    user_id: int,
    to: Address,
    mode: Mode = Mode.APART,
    subject: str = "",
    body: str,
    key: str,
    now: dt.datetime,
    attachment: Attachment | None = None,
) -> Sent:
    """Send a message in a game, and return where it went.

    With the mode `apart`, each power of the address gets a copy in the conversation of the two;
    no copy shows who else got one. With an `attachment`, the body may be blank.

    `now` is when the message arrived, and the table of who may
    speak is applied to that time. The same `key` again returns the same answer and sends nothing.
    Raises `BadText`, `NoSuchConversation`, `PressClosed`, `KeyReused`, `TooManyMessages`, `Refused`
    without any addressee, or what `lock_game` raises.
    """
    require_key(key)
    if to.kind is Kind.SEATS and not to.powers:
        raise Refused("Choose at least one country.")
    addresses = _split_address(to, mode)
    content = clean_body(body, required=attachment is None)
    text = Letter(user_id, clean_subject(subject), content, now)
    carried = attachment.digest_part if attachment else ""
    digest = digest_of(slug, [str(address) for address in addresses], mode, text, carried)
    return _send(
        slug=slug,
        user_id=user_id,
        addresses=addresses,
        letter=text,
        key=key,
        digest=digest,
        attachment=attachment,
    )


def require_key(key: str) -> None:
    """Raise `Refused` unless the key is one that the composer made."""
    if not KEY.fullmatch(key):
        raise Refused("This form is damaged. Copy your text, and open the conversation again.")


def digest_of(
    place: str, to: Sequence[str], mode: str, letter: Letter, attachment: str = ""
) -> str:
    """Return a digest of everything that a key stands for."""
    content = [place, list(to), mode, letter.subject, letter.body]
    if attachment:
        content.append(attachment)
    return hashlib.sha256(json.dumps(content).encode()).hexdigest()


def _split_address(to: Address, mode: Mode) -> tuple[Address, ...]:
    if to.kind is not Kind.SEATS or mode is Mode.TOGETHER:
        return (to,)
    return tuple(seats_address([power]) for power in to.powers)


@atomic_with_retries
def _send(
    *,
    slug: str,
    user_id: int,
    addresses: Sequence[Address],
    letter: Letter,
    key: str,
    digest: str,
    attachment: Attachment | None,
) -> Sent:
    game = lock_game(slug)
    table = load_table(game, user_id)
    require_visible(table)
    targets = [find_target(table, address) for address in addresses]
    kind = targets[0].kind
    gray = kind is Kind.GRAY
    send = Send(
        author_id=user_id,
        key=key,
        game=game,
        kind=kind,
        digest=digest,
        copies=len(addresses),
        subject=letter.subject if gray else "",
        body=letter.body if gray else "",
        at=letter.at,
        unnoticed=None if gray else True,
    )
    recent = read_recent_sends(user_id, key, game.pk, letter.at)
    if recent.earlier is not None:
        return _repeat(table, recent.earlier, digest)
    for target in targets:
        require_open(table, target, letter.at)
    require_attachable(attachment, table, targets, letter)
    require_pace(recent, send)
    insert_send(send)
    if gray:
        WaitingMessage.objects.create(send=send, game=game, at=letter.at)
        raise_versions([user_id], game.pk)
        return Sent(published_at=publication_time(letter.at))
    mailboxes = load_mailboxes(game, [target.key for target in targets], table, letter)
    for target in targets:
        mailboxes.open(target.key, target.kind)
    attached = attachment.kind if attachment else AttachmentKind.NONE
    messages = deliver(mailboxes, send, letter, table=table, attached=attached)
    if attachment is not None:
        attachment.attach(send, messages)
    return Sent(
        tuple(
            SentTo(target.address, mailboxes.number_for(target.key, user_id)) for target in targets
        )
    )


def insert_send(send: Send) -> None:
    """Write the row; raise `KeyReused` if its author used the key elsewhere at the same moment.

    A repetition was found before, under the lock of the place; so this is another message.
    """
    try:
        send.save(force_insert=True)
    except IntegrityError as error:
        raise KeyReused from error


def _repeat(table: Table, send: Send, digest: str) -> Sent:
    """Return the answer of a message that was sent before with the same key."""
    if send.digest != digest or send.game_id != table.game.pk:
        raise KeyReused
    if send.kind == Kind.GRAY:
        return Sent(published_at=publication_time(send.at))
    messages = Message.objects.filter(send=send).select_related("conversation").order_by("pk")
    return Sent(tuple(_locate(table, message) for message in messages))


def _locate(table: Table, message: Message) -> SentTo:
    conversation, user_id = message.conversation, table.user_id
    rows = list(conversation.memberships.all())
    plan = plan_conversation(conversation, rows, table.game, table.holders)
    ranges = find_ranges(conversation, plan.rows, user_id)
    return SentTo(
        address_of(table, conversation.kind, conversation.key), ranges.shown(message.number)
    )
