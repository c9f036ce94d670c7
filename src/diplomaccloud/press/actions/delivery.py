"""Delivering a message to conversations: its numbers, its readers, and the unread counts."""

import datetime as dt
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from django.db.models import Case, F, Value, When

from diplomaccloud.games.table.models import Game
from diplomaccloud.games.table.options import Successor
from diplomaccloud.press.actions.versions import raise_versions
from diplomaccloud.press.addresses import AttachmentKind, Kind
from diplomaccloud.press.models import Conversation, Membership, Message, Send
from diplomaccloud.press.models.game_state import Holders
from diplomaccloud.press.models.periods import Plan, find_ranges, plan_conversation, plan_people
from diplomaccloud.press.table import Table


@dataclass(frozen=True, slots=True)
class Letter:
    """A message from a person, or from a bot without a key: cleaned text and time of arrival."""

    user_id: int | None
    subject: str
    body: str
    at: dt.datetime


@dataclass(slots=True)
class Mailbox:
    """A conversation that receives a message, with the plan for its members."""

    conversation: Conversation
    plan: Plan


@dataclass(slots=True)
class Mailboxes:
    """The conversations of one message, by key. If they belong to a game, it is locked."""

    game: Game | None
    holders: Holders | None
    rows: dict[str, list[Membership]]
    conversations: dict[str, Conversation]
    at: dt.datetime
    opened: dict[str, Mailbox] = field(default_factory=dict)

    def open(self, key: str, kind: Kind, people: Collection[int] = ()) -> Mailbox:
        """Return the conversation with up-to-date members; `people` is for those outside games.

        A new one is saved with its first message.
        """
        conversation = self.conversations.get(key)
        if conversation is None:
            conversation = Conversation(game=self.game, kind=kind, key=key, last_at=self.at)
        rows = self.rows.get(key, [])
        if self.game is not None and self.holders is not None:
            plan = plan_conversation(conversation, rows, self.game, self.holders)
        else:
            plan = plan_people(conversation, rows, people)
        self.opened[key] = Mailbox(conversation, plan)
        return self.opened[key]

    def number_for(self, key: str, user_id: int) -> int:
        """Return the number of the newest message of a conversation, as the person sees it."""
        box = self.opened[key]
        return find_ranges(box.conversation, box.plan.rows, user_id).count


def load_mailboxes(
    game: Game | None, keys: Collection[str], table: Table | None, letter: Letter
) -> Mailboxes:
    """Return the conversations with these keys and all their members, in one query."""
    rows: dict[str, list[Membership]] = {}
    conversations: dict[str, Conversation] = {}
    found = Membership.objects.filter(conversation__key__in=keys).select_related("conversation")
    for row in found.order_by("pk"):
        key = row.conversation.key
        row.conversation = conversations.setdefault(key, row.conversation)
        rows.setdefault(key, []).append(row)
    holders = table.holders if table is not None else None
    return Mailboxes(game, holders, rows, conversations, letter.at)


def deliver(
    mailboxes: Mailboxes,
    send: Send,
    letter: Letter,
    *,
    table: Table | None = None,
    unsigned: bool = False,
    attached: AttachmentKind = AttachmentKind.NONE,
) -> list[Message]:
    """Return the messages, one in each opened conversation, within the caller's transaction.

    `unsigned` leaves out the author, whose own unread count stays unchanged. Mutes are ignored
    then: a message that counted for only some readers would reveal its author.
    """
    boxes = list(mailboxes.opened.values())
    muted_by: Collection[int] = frozenset() if unsigned or table is None else table.holders.muted_by
    _write_members(mailboxes, boxes, letter, muted_by)
    # Before countries are assigned, a seat is never the author: it is deleted when its player
    # leaves.
    tenure = None if unsigned or table is None else table.tenure
    messages = [
        Message(
            conversation=box.conversation,
            number=box.conversation.last,
            send=send,
            author_id=None if unsigned else letter.user_id,
            seat_id=tenure.seat_id if tenure else None,
            tenure=tenure,
            phase=table.newest.phase if table else None,
            subject=letter.subject,
            body=letter.body,
            attached=attached,
            at=letter.at,
        )
        for box in boxes
    ]
    Message.objects.bulk_create(messages)
    people = {row.user_id for box in boxes for row in box.plan.open_rows if row.user_id}
    raise_versions(people, mailboxes.game.pk if mailboxes.game else None)
    return messages


def _write_members(
    mailboxes: Mailboxes, boxes: Sequence[Mailbox], letter: Letter, muted_by: Collection[int]
) -> None:
    """Save the conversations with their new numbers, and the rows of their members.

    New conversations and rows are saved with the message's changes already applied.
    """
    for box in boxes:
        for row in box.plan.ended:
            row.save(update_fields=["last", "active_at"])
        for row in box.plan.replaced:
            row.save(update_fields=["active_at"])
    new = [box.conversation for box in boxes if box.conversation.pk is None]
    old = [box.conversation for box in boxes if box.conversation.pk is not None]
    for conversation in (*new, *old):
        conversation.last += 1
        conversation.last_at = letter.at
    if new:
        Conversation.objects.bulk_create(new)
    if old:
        Conversation.objects.filter(pk__in=[row.pk for row in old]).update(
            last=F("last") + 1, last_at=letter.at
        )
    fresh = [row for box in boxes for row in box.plan.new]
    open_rows = [row for box in boxes for row in box.plan.open_rows]
    saved = [row for row in open_rows if row.pk is not None]
    for row in open_rows:
        row.active_at = letter.at
        row.unread += _is_new_for(row, letter, mailboxes, muted_by)
    if fresh:
        Membership.objects.bulk_create(fresh)
    if saved:
        counted = [row.pk for row in saved if _is_new_for(row, letter, mailboxes, muted_by)]
        added = Case(When(pk__in=counted, then=Value(1)), default=Value(0))
        Membership.objects.filter(pk__in=[row.pk for row in saved]).update(
            unread=F("unread") + (added if counted else Value(0)), active_at=letter.at
        )


def _is_new_for(
    row: Membership, letter: Letter, mailboxes: Mailboxes, muted_by: Collection[int]
) -> bool:
    """Return whether a message makes the conversation unread for the member.

    Messages to a vacant seat are new to its successor, unless successors read no earlier messages.
    """
    game = mailboxes.game
    if row.user_id is None:
        return game is not None and game.options.talk.successor is not Successor.BLANK
    return row.user_id != letter.user_id and row.user_id not in muted_by
