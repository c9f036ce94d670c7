"""What all changes to press share: delivery, readers, refusals, limits, and versions."""

import datetime as dt
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import Final, Protocol

from django.db.models import Case, F, Q, Sum, Value, When

from diplomaccloud.accounts.models import User
from diplomaccloud.accounts.screen_names import make_key
from diplomaccloud.games.table.errors import NoSuchGame, NotYourSeat
from diplomaccloud.games.table.lock import lock_game, not_a_member_error
from diplomaccloud.games.table.models import Game
from diplomaccloud.games.table.options import Successor
from diplomaccloud.press.table.addresses import AddressKind, AttachmentKind, key_of_people
from diplomaccloud.press.table.errors import (
    BadText,
    NoSuchConversation,
    PressClosed,
    TooManyMessages,
)
from diplomaccloud.press.table.events import PressEventKind, record_press_event
from diplomaccloud.press.table.models import (
    EVERYWHERE,
    Conversation,
    Membership,
    Message,
    PressVersion,
    Send,
)
from diplomaccloud.press.table.periods import (
    Plan,
    Ranges,
    find_ranges,
    merge_ranges,
    plan_conversation,
    plan_people,
)
from diplomaccloud.press.table.rules import PressVerdict, Why
from diplomaccloud.press.table.state import PressTable, Target, judge_target, load_table
from diplomaccloud.shared.news import tell_change


def raise_versions(user_ids: Collection[int], game_id: int | None) -> None:
    """Increment the versions of these people, in the game and everywhere.

    All rows change in one statement, in index order, so that two transactions rarely block each
    other.
    """
    people = sorted(set(user_ids))
    if not people:
        return
    places = [EVERYWHERE] if game_id is None else [EVERYWHERE, game_id]
    for place in places:
        tell_change(place)
    rows = PressVersion.objects.filter(user__in=people, place__in=places)
    changed = rows.update(number=F("number") + 1)
    if changed == len(people) * len(places):
        return
    known = set(rows.values_list("place", "user_id"))
    missing = [
        PressVersion(user_id=user, place=place, game_id=place or None, number=0)
        for place in places
        for user in people
        if (place, user) not in known
    ]
    # Another transaction may insert the same rows first, so they are raised only afterwards.
    PressVersion.objects.bulk_create(missing, ignore_conflicts=True)
    if len(known) == changed:
        behind = (Q(place=row.place, user=row.user_id) for row in missing)
        rows = PressVersion.objects.filter(reduce(or_, behind))
    # Otherwise rows appeared after the first update: a version may grow by two, but not by nothing.
    rows.update(number=F("number") + 1)


def raise_reader_versions(game_id: int, **messages: object) -> None:
    """Increment the versions of everyone who can now read a conversation with such messages."""
    where = {f"conversation__messages__{name}": value for name, value in messages.items()}
    rows = Membership.objects.filter(last=None, user__isnull=False, **where)
    raise_versions(set(rows.values_list("user_id", flat=True)), game_id)


# Locking the messages of two people.


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


def lock_personal(user_id: int, to: str) -> Plan:
    """Return the plan of a personal conversation, locked; raise `NoSuchConversation`.

    The other person may have deleted the account since.
    """
    person = User.objects.filter(folded_name=make_key(to)).exclude(pk=user_id).first()
    if person is None:
        raise NoSuchConversation
    lock_people(user_id, person.pk)
    key = key_of_people([user_id, person.pk])
    conversation = Conversation.objects.filter(key=key).first()
    if conversation is None:
        raise NoSuchConversation
    rows = list(conversation.memberships.order_by("pk"))
    return plan_people(conversation, rows, [user_id, person.pk])


# Delivering a message to conversations: its numbers, its readers, and the unread counts.


@dataclass(frozen=True, slots=True)
class Letter:
    """A message from a person, or from a bot without a key: cleaned text and time of arrival."""

    user_id: int | None
    subject: str
    body: str
    at: dt.datetime


def open_mailboxes(
    kinds: Mapping[str, AddressKind],
    table: PressTable | None,
    at: dt.datetime,
    *,
    people: Collection[int] = (),
) -> dict[str, Plan]:
    """Return the conversations with these keys and plans for their members, in one query.

    If they belong to a game, it is locked; `people` is for those outside games. A new conversation
    is saved with its first message.
    """
    rows: dict[str, list[Membership]] = {}
    known: dict[str, Conversation] = {}
    members = Membership.objects.filter(conversation__key__in=list(kinds))
    for row in members.select_related("conversation").order_by("pk"):
        key = row.conversation.key
        row.conversation = known.setdefault(key, row.conversation)
        rows.setdefault(key, []).append(row)
    plans, game = {}, table.game if table else None
    for key, kind in kinds.items():
        conversation = known.get(key) or Conversation(game=game, kind=kind, key=key, last_at=at)
        known_rows = rows.get(key, [])
        if table is not None:
            plans[key] = plan_conversation(conversation, known_rows, table.game, table.holders)
        else:
            plans[key] = plan_people(conversation, known_rows, people)
    return plans


def deliver(
    plans: Collection[Plan],
    send: Send,
    letter: Letter,
    *,
    table: PressTable | None = None,
    unsigned: bool = False,
    attached: AttachmentKind = AttachmentKind.NONE,
) -> list[Message]:
    """Return the messages, one in each conversation, within the caller's transaction.

    `unsigned` leaves out the author, whose own unread count stays unchanged. Mutes are ignored
    then: a message that counted for only some readers would reveal its author.
    """
    muted_by: Collection[int] = frozenset() if unsigned or table is None else table.holders.muted_by
    game = table.game if table else None
    _write_members(plans, letter, game, muted_by)
    # Before countries are assigned, a seat is never the author: it is deleted when its player
    # leaves.
    tenure = None if unsigned or table is None else table.tenure
    messages = [
        Message(
            conversation=plan.conversation,
            number=plan.conversation.last,
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
        for plan in plans
    ]
    Message.objects.bulk_create(messages)
    people = {row.user_id for plan in plans for row in plan.open_rows if row.user_id}
    raise_versions(people, game.pk if game else None)
    return messages


def save_ended(plan: Plan) -> None:
    """Save the changed rows of a plan; the new ones are not saved yet."""
    for row in plan.ended:
        row.save(update_fields=["last", "active_at"])
    for row in plan.replaced:
        row.save(update_fields=["active_at"])


def _write_members(
    plans: Collection[Plan], letter: Letter, game: Game | None, muted_by: Collection[int]
) -> None:
    """Save the conversations with their new numbers, and the rows of their members.

    New conversations and rows are saved with the message's changes already applied.
    """
    for plan in plans:
        save_ended(plan)
    new = [plan.conversation for plan in plans if plan.conversation.pk is None]
    old = [plan.conversation for plan in plans if plan.conversation.pk is not None]
    for conversation in (*new, *old):
        conversation.last += 1
        conversation.last_at = letter.at
    if new:
        Conversation.objects.bulk_create(new)
    if old:
        Conversation.objects.filter(pk__in=[row.pk for row in old]).update(
            last=F("last") + 1, last_at=letter.at
        )
    open_rows = [row for plan in plans for row in plan.open_rows]
    saved = [row.pk for row in open_rows if row.pk is not None]
    counted = []
    for row in open_rows:
        row.active_at = letter.at
        if _is_new_for(row, letter, game, muted_by):
            row.unread += 1
            counted.append(row.pk)
    if fresh := [row for plan in plans for row in plan.new]:
        Membership.objects.bulk_create(fresh)
    if saved:
        counted = [key for key in counted if key is not None]
        added = Case(When(pk__in=counted, then=Value(1)), default=Value(0))
        Membership.objects.filter(pk__in=saved).update(
            unread=F("unread") + (added if counted else Value(0)), active_at=letter.at
        )


def _is_new_for(
    row: Membership, letter: Letter, game: Game | None, muted_by: Collection[int]
) -> bool:
    """Return whether a message makes the conversation unread for the member.

    Messages to a vacant seat are new to its successor, unless successors read no earlier messages.
    """
    if row.user_id is None:
        return game is not None and game.options.talk.successor is not Successor.BLANK
    return row.user_id != letter.user_id and row.user_id not in muted_by


class Attachment(Protocol):
    """An attachment, as the sender of its message names it."""

    @property
    def kind(self) -> AttachmentKind:
        """The kind of attachment, which is stored with the message."""

    @property
    def digest_part(self) -> str:
        """The attachment's part of the digest that the composer's key stands for."""

    def require_sendable(self, table: PressTable, target: Target, letter: Letter) -> None:
        """Raise `Refused` unless the sender may send it there. Called before any write."""

    def attach(self, send: Send, messages: Sequence[Message]) -> None:
        """Write the rows that attach it to the messages, in their transaction."""


def require_attachable(
    attachment: Attachment | None, table: PressTable, targets: Sequence[Target], letter: Letter
) -> None:
    """Raise `Refused` unless the attachment may go to all targets; gray messages have none."""
    if attachment is None:
        return
    for target in targets:
        if target.kind is AddressKind.GRAY:
            raise BadText("body", "An unsigned message can only contain text. Nothing was sent.")
        attachment.require_sendable(table, target, letter)


# Checks of who may send a message where and when, and the texts of refusals.


GUEST = "Sign up to write to other players. You keep your game."
ONLY_PLAYERS = "Only the players and the game master can write here."
CLOSED: Final = {
    Why.QUIET: "Quiet time has started, so nobody can write until the moves are processed.",
    Why.PAUSED: "The game is paused, so nobody can write until it resumes.",
    Why.ORDERS_CLOSED: "Orders are closed, so nobody can write until the next movement phase.",
    Why.RETREATS: "Nobody can write during retreats. Press reopens with the next movement phase.",
    Why.BUILDS: "Nobody can write during builds. Press reopens with the next movement phase.",
    Why.SUSPENDED: "The game is suspended for now.",
    Why.STARTED: "Countries have been assigned, so this conversation is closed.",
    Why.LEFT: "You no longer play this country, so you cannot write for it.",
    Why.SILENT: "You have been eliminated and can only read until the game ends.",
    Why.VACANT: "This country has no player, so nobody would read your message.",
    Why.LIMITED: (
        "Your press is limited: you can only write notes and messages to the game "
        "master. Your Reports page shows when the limit ends."
    ),
    Why.REFUSED: "This person does not accept personal messages.",
}
"""The reasons for refusing a message, as sentences for its author."""


def refusal(why: Why) -> PressClosed:
    """Return the refusal of a message to a conversation that is closed for now."""
    return PressClosed(f"{CLOSED[why]} Your text was not sent.")


def open_table(slug: str, user_id: int, *, with_account: bool = False) -> PressTable:
    """Return the game's press for the person, and lock the game.

    Raises what `require_visible` raises and, if the person needs an account, `require_account`.
    """
    table = load_table(lock_game(slug), user_id)
    require_visible(table)
    if with_account:
        require_account(table)
    return table


def require_visible(table: PressTable) -> None:
    """Raise `NoSuchGame` if the game is hidden and the person has no part in it."""
    if table.is_master or table.holders.has_held(table.user_id):
        return
    if isinstance(refused := not_a_member_error(table.game, ONLY_PLAYERS), NoSuchGame):
        raise refused


def require_open(table: PressTable, target: Target, now: dt.datetime) -> None:
    """Raise unless the person may send a message to the conversation at `now`."""
    verdict, why = judge_target(table, target, table.newest.state_at(table.game, now), now)
    if verdict is PressVerdict.ABSENT:
        if why is Why.READER:
            raise not_a_member_error(table.game, ONLY_PLAYERS)
        raise NoSuchConversation
    if verdict is PressVerdict.CLOSED:
        raise refusal(why)
    require_account(table)


def require_account(table: PressTable) -> None:
    """Raise `NotYourSeat` for guests: their games are deleted later and must have no press."""
    tenure = table.tenure or table.seat
    if tenure is not None and tenure.user is not None and tenure.user.guest:
        raise NotYourSeat(GUEST)


def require_no_guest(user_id: int) -> None:
    """Raise `NotYourSeat` for a guest outside games, since press rows would block the deletion."""
    if User.objects.filter(pk=user_id, guest__in=[True]).exists():
        raise NotYourSeat(GUEST)


# Limits on how many messages one person may send in a short time, counted in rows.


MAX_A_MINUTE: Final = 30
MAX_AN_HOUR: Final = 300
"""Messages in one game, or personal messages; each copy counts."""
MAX_NEW_PEOPLE: Final = 20
MAX_NEW_PEOPLE_AT_FIRST: Final = 5
"""New recipients of personal messages per day; fewer in the first week of an account."""
FIRST_WEEK: Final = dt.timedelta(days=7)
_MINUTE, _HOUR, _DAY = dt.timedelta(minutes=1), dt.timedelta(hours=1), dt.timedelta(days=1)


def read_recent_sends(send: Send) -> list[Send]:
    """Return the author's sends of the last hour in the same game, or outside games.

    The list also has the one with the same key, if there is any. This takes one query. The caller
    holds the lock under which the author sends there.
    """
    # The author is in both conditions, so that each can use its own index.
    same = Q(author=send.author_id, key=send.key)
    recent = Q(author=send.author_id, game=send.game_id, at__gt=send.at - _HOUR)
    return list(Send.objects.filter(same | recent).defer("subject", "body"))


def require_pace(recent: Collection[Send], send: Send) -> None:
    """Raise `TooManyMessages` if `send`, not written yet, exceeds a limit."""
    for most, span, words in (
        (MAX_A_MINUTE, _MINUTE, "a minute. Wait a minute, then try again."),
        (MAX_AN_HOUR, _HOUR, "an hour. Try again a little later."),
    ):
        sent = sum(
            row.copies for row in recent if row.game_id == send.game_id and row.at > send.at - span
        )
        if sent + send.copies > most:
            raise TooManyMessages(f"You can send {most} messages {words}")


def require_few_new_people(send: Send, joined_at: dt.datetime, now: dt.datetime) -> None:
    """Raise `TooManyMessages` if `send`, not written yet, opens too many conversations in a day."""
    most = MAX_NEW_PEOPLE if now - joined_at >= FIRST_WEEK else MAX_NEW_PEOPLE_AT_FIRST
    rows = Send.objects.filter(author=send.author_id, game=None, at__gt=now - _DAY)
    opened = rows.aggregate(opened=Sum("opened"))["opened"] or 0
    if opened + send.opened > most:
        raise TooManyMessages(
            f"You can write to {most} new people a day. Write to this person tomorrow."
        )


def find_readable(table: PressTable, target: Target, number: int) -> Message | None:
    """Return the message with this number, as the person sees it; None if it cannot be read."""
    conversation = Conversation.objects.filter(key=target.key, game=table.game).first()
    if conversation is None:
        return None
    if target.kind.is_for_all:
        ranges = merge_ranges([(1, conversation.last)])
    else:
        rows = list(conversation.memberships.order_by("pk"))
        plan = plan_conversation(conversation, rows, table.game, table.holders)
        ranges = plan.ranges_of(table.user_id)
    if not 0 < number <= ranges.count:
        return None
    stored = ranges.stored(number)
    return Message.objects.filter(conversation=conversation, number=stored).first()


# Who can read which part of a conversation, and notifying them of what happens to it.


def list_readers(conversation: Conversation, rows: Sequence[Membership]) -> Mapping[int, Ranges]:
    """Return the people who could ever read the conversation, each with the readable ranges.

    `rows` are all planned rows of the conversation.
    """
    people = {row.user_id for row in rows if row.user_id is not None}
    ranges = {person: find_ranges(conversation, rows, person) for person in people}
    return {person: part for person, part in ranges.items() if part}


def announce_to_readers(
    kind: PressEventKind,
    *,
    key: str,
    conversation: Conversation,
    readers: Mapping[int, Ranges],
    first: int = 1,
    last: int,
    data: Mapping[str, object],
    now: dt.datetime,
) -> None:
    """Notify readers of something that concerns the messages from `first` to `last`.

    Each notice links to the newest of these messages that the person can read; a person who can
    read none of them gets no notice.
    """
    places: dict[int, set[int]] = {}
    for person, ranges in readers.items():
        number = ranges.stored(ranges.shown(last))
        if number >= first:
            places.setdefault(number, set()).add(person)
    messages = Message.objects.filter(conversation=conversation, number__in=list(places))
    for message in messages.only("pk", "number"):
        record_press_event(
            kind,
            key=key,
            user_ids=places[message.number],
            now=now,
            game_id=conversation.game_id,
            message=message,
            data=data,
        )
