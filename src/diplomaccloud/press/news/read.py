"""What has reached a person: new messages for notices, all in order, and counts of changes."""

import datetime as dt
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet

from diplomaccloud.games.news.read import Happening
from diplomaccloud.games.page.read import LiveRow, select_own
from diplomaccloud.games.table.models import Game
from diplomaccloud.games.visibility.read import Viewer
from diplomaccloud.press.proposals.models import ProposalAnswer
from diplomaccloud.press.table.addresses import AddressKind
from diplomaccloud.press.table.errors import NoSuchConversation
from diplomaccloud.press.table.models import (
    Block,
    Conversation,
    Membership,
    Message,
    PressVersion,
    SeatMute,
)
from diplomaccloud.press.table.periods import Ranges, merge_ranges
from diplomaccloud.press.table.read import (
    Contexts,
    ConversationRows,
    MessageFacts,
    Summary,
    load_contexts,
    select_messages,
    with_games,
)
from diplomaccloud.press.table.state import address_of, load_table


@dataclass(frozen=True, slots=True)
class NewsPlace:
    """The key of the person's membership, and the stored number of the message."""

    membership: int
    number: int


@dataclass(frozen=True, slots=True)
class NewMessage:
    """A message that a person has not read; `membership` represents the conversation.

    `seen` is the highest number that the person has ever read. These are keys and stored numbers,
    which no page shows.
    """

    user: int
    membership: int
    conversation: int
    kind: AddressKind
    game: int | None
    number: int
    seen: int
    at: dt.datetime


@dataclass(frozen=True, slots=True)
class Arrival:
    """An announced message, without its text if the person has deleted it, and its conversation.

    `is_unread` is false if the person has ever read the message or no longer wants a notice of it.
    """

    summary: Summary
    message: MessageFacts
    is_unread: bool


def find_new_messages(sends: Collection[int]) -> list[NewMessage]:
    """Return the messages of these sends for each person to whom they are new, oldest first.

    This leaves out their authors, people who have already read them or have muted the conversation
    or the seat, and those who inherited the conversation later.
    """
    if not sends:
        return []
    sent = Message.objects.filter(send__in=sends).defer("body").order_by("pk")
    messages = list(sent.select_related("send", "conversation__game"))
    members: dict[int, list[Membership]] = {}
    waiting = Membership.objects.filter(
        conversation__in={message.conversation_id for message in messages},
        unread__gt=0,
        active_at__isnull=False,
        muted_at=None,
        user__is_active=True,
        user__guest__in=[False],
    )
    for row in waiting.exclude(conversation__kind=AddressKind.NOTES):
        members.setdefault(row.conversation_id, []).append(row)
    muted = _find_mutes(messages, {row.user_id or 0 for rows in members.values() for row in rows})
    return [
        NewMessage(
            row.user_id,
            row.pk,
            message.conversation_id,
            AddressKind(message.conversation.kind),
            message.conversation.game_id,
            message.number,
            row.seen,
            message.at,
        )
        for message in messages
        for row in members.get(message.conversation_id, ())
        if row.user_id is not None
        and row.user_id != message.send.author_id
        and row.seen < message.number
        and row.since <= message.number
        and (row.last is None or message.number <= row.last)
        and (row.user_id, message.pk) not in muted
    ]


def select_unread(user_id: int) -> QuerySet[Membership]:
    """Return the person's unmuted conversations with unread messages, for counting.

    Each has the stored numbers up to which the person has `read`, now and before marking messages
    as unread.
    """
    return Membership.objects.filter(user=user_id, unread__gt=0, muted_at=None).order_by()


def find_places(
    user_ids: Collection[int], messages: Collection[int]
) -> dict[tuple[int, int], NewsPlace]:
    """Return where each person finds messages, by the keys of the person and the message.

    Messages that a person cannot read are left out.
    """
    if not messages:
        return {}
    sent = Message.objects.filter(pk__in=messages).only("conversation", "number")
    places = {row.pk: row for row in sent}
    rows = Membership.objects.filter(
        user__in=user_ids, conversation__in={row.conversation_id for row in places.values()}
    )
    members: dict[int, list[Membership]] = {}
    for row in rows.order_by("pk"):
        members.setdefault(row.conversation_id, []).append(row)
    return {
        (row.user_id, key): NewsPlace(row.pk, message.number)
        for key, message in places.items()
        for row in members.get(message.conversation_id, ())
        if row.user_id is not None and _can_read(row, message.number)
    }


def read_arrivals(viewer: Viewer, places: Collection[NewsPlace]) -> dict[NewsPlace, Arrival]:
    """Return what a person may know about messages, without those that the person cannot read.

    The number of queries does not depend on the number of messages.
    """
    if not places or viewer.user_id is None:
        return {}
    keys = {place.membership for place in places}
    memberships = with_games(Membership.objects.filter(pk__in=keys, user=viewer.user_id))
    rows = {row.pk: row for row in memberships}
    readable = [
        (place, row)
        for place in places
        if (row := rows.get(place.membership)) is not None and _can_read(row, place.number)
    ]
    wanted = Q(pk__in=())
    for place, row in readable:
        wanted |= Q(conversation=row.conversation_id, number=place.number)
    messages = {
        (row.conversation_id, row.number): row
        for row in select_messages(viewer.user_id).filter(wanted)
    }
    contexts = load_contexts(viewer.user_id, [row.conversation for row in rows.values()])
    return {
        place: _present(contexts, row, message)
        for place, row in readable
        if (message := messages.get((row.conversation_id, place.number))) is not None
    }


def _can_read(row: Membership, number: int) -> bool:
    return row.first <= number and (row.last is None or number <= row.last)


def _present(contexts: Contexts, row: Membership, message: Message) -> Arrival:
    message.conversation = row.conversation
    facts = contexts.present(message)
    is_unread = row.unread > 0 and row.seen < message.number and row.muted_at is None
    if is_hidden := getattr(message, "is_hidden", False):
        facts = replace(facts, subject="", body="")
    summary = contexts.summarize(row.conversation, row.seat_id, row)
    return Arrival(summary, facts, is_unread and not is_hidden and not facts.muted)


def _find_mutes(messages: Sequence[Message], user_ids: Collection[int]) -> set[tuple[int, int]]:
    """Return the pairs of person and message for which the person wants no notice.

    The person has muted the seat or, in a named game, blocked its player. In an anonymous game,
    blocks don't count, because they would reveal who plays.
    """
    tenures = {row.tenure_id for row in messages if row.tenure_id}
    authors = {row.author_id for row in messages if row.author_id}
    games = {row.pk: row.conversation.game for row in messages}
    anonymous = {key for key, game in games.items() if game and game.options.anonymous}
    seats: set[tuple[int, int]] = set()
    people: set[tuple[int, int]] = set()
    if tenures:
        mutes = SeatMute.objects.filter(user__in=user_ids, tenure__in=tenures)
        seats = set(mutes.values_list("user_id", "tenure_id"))
    if authors:
        blocks = Block.objects.filter(user__in=user_ids, blocked__in=authors)
        people = set(blocks.values_list("user_id", "blocked_id"))
    return {
        (user, row.pk)
        for row in messages
        for user in user_ids
        if (user, row.tenure_id) in seats
        or ((user, row.author_id) in people and row.pk not in anonymous)
    }


# The messages and answers that have reached a person in a game, in order, without their text.
#
# All of them are written under the game lock, so keys are in the order in which rows became
# visible. What counts is membership at the time of writing, which never changes. So the position of
# a message or answer in this sequence never changes either.


def list_happenings(
    game_id: int, user_id: int, *, messages: int, answers: int, limit: int
) -> tuple[list[Happening], list[Happening]]:
    """Return messages and answers to proposals from others that have reached the person.

    They are the oldest after those that the person already has, at most `limit` of each.
    """
    sent = _list_messages(game_id, user_id, messages, limit)
    given = list(_select_answers(game_id, user_id)[answers : answers + limit])
    places = _find_places(game_id, user_id, [*sent, *(row.proposal.message for row in given)])
    return (
        [Happening("message", row.at, places[row.pk]) for row in sent],
        [Happening("answer", row.at, places[row.proposal.message_id]) for row in given],
    )


def count_messages(game_id: int, user_id: int) -> int:
    """Return how many messages from others have reached the person."""
    reached = _read_reached(game_id, user_id)
    return _count(reached, _find_own(game_id, user_id, reached))


def count_answers(game_id: int, user_id: int) -> int:
    """Return how many answers to proposals from others have reached the person."""
    return _select_answers(game_id, user_id).order_by().count()


def _list_messages(game_id: int, user_id: int, skipped: int, limit: int) -> list[Message]:
    reached = _read_reached(game_id, user_id)
    own_keys = _find_own(game_id, user_id, reached)
    if skipped >= _count(reached, own_keys):
        # Most polls end here, without sorting the messages of the game.
        return []
    # The index of numbers has all that this reads.
    rows = Message.objects.filter(conversation__in=reached).order_by("pk")
    incoming = (
        key
        for key, conversation, number in rows.values_list("pk", "conversation", "number")
        if number in reached[conversation] and key not in own_keys
    )
    keys = list(islice(incoming, skipped, skipped + limit))
    messages = Message.objects.filter(pk__in=keys).select_related("conversation").order_by("pk")
    return list(messages.only("conversation__kind", "conversation__key", "number", "at"))


def _read_reached(game_id: int, user_id: int) -> dict[int, Ranges]:
    """Return which numbers of each conversation have reached the person, own messages included."""
    parts: dict[int, list[tuple[int, int]]] = {}
    # As a list of keys, and not as a join: the index of both columns finds the rows.
    conversations = Conversation.objects.filter(game=game_id).values("pk")
    rows = _select_members(user_id).filter(conversation__in=conversations)
    for conversation, newest, since, last in rows.values_list(
        "conversation", "conversation__last", "since", "last"
    ):
        parts.setdefault(conversation, []).append((since, newest if last is None else last))
    return {conversation: merge_ranges(bounds) for conversation, bounds in parts.items()}


def _find_own(game_id: int, user_id: int, reached: Mapping[int, Ranges]) -> frozenset[int]:
    """Return the keys of the person's own messages among those that have reached the person."""
    rows = Message.objects.filter(send__author=user_id, send__game=game_id).order_by()
    return frozenset(
        key
        for key, conversation, number in rows.values_list("pk", "conversation", "number")
        # Another message may have been sent since the ranges were read.
        if number in reached.get(conversation, ())
    )


def _count(reached: Mapping[int, Ranges], own_keys: Collection[int]) -> int:
    return sum(ranges.count for ranges in reached.values()) - len(own_keys)


def _select_answers(game_id: int, user_id: int) -> QuerySet[ProposalAnswer]:
    reached = _select_members(user_id).filter(
        # A person who has left the seat no longer sees the answers of others.
        Q(last=None) | Q(last__gte=OuterRef("proposal__message__number")),
        Q(tenure=None) | Q(tenure__until_at=None) | Q(tenure__until_at__gt=OuterRef("at")),
        conversation=OuterRef("proposal__message__conversation"),
        since__lte=OuterRef("proposal__message__number"),
    )
    rows = ProposalAnswer.objects.filter(Exists(reached), proposal__game=game_id)
    rows = rows.exclude(tenure__user=user_id).order_by("pk")
    return rows.select_related("proposal__message__conversation")


def _select_members(user_id: int) -> QuerySet[Membership]:
    return Membership.objects.filter(user=user_id).order_by()


def _find_places(
    game_id: int, user_id: int, messages: Collection[Message]
) -> Mapping[int, dict[str, object]]:
    """Return the person's address for each message's conversation, and its number there."""
    if not messages:
        return {}
    game = Game.objects.select_related("chart").defer("chart__text").get(pk=game_id)
    table = load_table(game, user_id)
    ranges = {row.pk: parts for row, _, parts in ConversationRows(table).readable}
    places: dict[int, dict[str, object]] = {}
    for message in messages:
        conversation = message.conversation
        parts = ranges.get(conversation.pk, Ranges())
        places[message.pk] = {}
        if message.number in parts:
            # The conversation may no longer be accessible.
            with suppress(NoSuchConversation):
                name = str(address_of(table, conversation.kind, conversation.key))
                number = parts.shown(message.number)
                places[message.pk] = {"with": name, "number": number}
    return places


EVERYONE = 0


def select_changes(pairs: Collection[tuple[int, int]]) -> Iterator[QuerySet[Any, LiveRow]]:
    """Yield rows that count the changes in people's press in games, by their keys.

    Game key 0 stands for all games and personal messages. Person key 0 stands for everyone who may
    see the game, and counts messages to all. There may be extra rows for other pairs of the same
    people and games.
    """
    # Not filtered by pairs: with many pairs, the expression would be too deep for SQLite.
    people = {user_id for user_id, _ in pairs if user_id != EVERYONE}
    places = {place for user_id, place in pairs if user_id != EVERYONE}
    games = {place for user_id, place in pairs if user_id == EVERYONE}
    if people:
        rows = PressVersion.objects.filter(user__in=people, place__in=places)
        yield select_own(rows, user="user_id", game="place", number="number")
    if games:
        kinds = [kind.value for kind in AddressKind if kind.is_for_all]
        public = Conversation.objects.filter(game__in=games, kind__in=kinds)
        yield select_own(public, user="", game="game_id", number="last")


def read_versions(user_ids: Collection[int], game_id: int) -> Mapping[int, int]:
    """Return the change counts of people's press in a game, by person key."""
    rows = PressVersion.objects.filter(user__in=user_ids, place=game_id)
    return dict.fromkeys(user_ids, 0) | dict(rows.values_list("user", "number"))
