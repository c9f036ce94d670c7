"""The messages and answers that have reached a person in a game, in order, without their text.

All of them are written under the game lock, so keys are in the order in which rows became visible.
What counts is membership at the time of writing, which never changes. So the position of a message
or answer in this sequence never changes either.
"""

from collections.abc import Collection, Mapping
from itertools import islice

from django.db.models import Exists, OuterRef, Q, QuerySet

from diplomaccloud.games.news.read import Happening
from diplomaccloud.games.table.models import Game
from diplomaccloud.press.errors import NoSuchConversation
from diplomaccloud.press.models import Conversation, Membership, Message, ProposalAnswer
from diplomaccloud.press.ranges import Ranges, merge_ranges
from diplomaccloud.press.table import Table, address_of, load_table
from diplomaccloud.press.viewpoint.rows import ConversationRows


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
    """Return at most `limit` messages from others, oldest first, without the first `skipped`."""
    reached = _read_reached(game_id, user_id)
    own = _find_own(game_id, user_id, reached)
    if skipped >= _count(reached, own):
        # Most polls end here, without sorting the messages of the game.
        return []
    # The index of numbers has all that this reads.
    rows = Message.objects.filter(conversation__in=reached).order_by("pk")
    found = (
        key
        for key, conversation, number in rows.values_list("pk", "conversation", "number")
        if number in reached[conversation] and key not in own
    )
    keys = list(islice(found, skipped, skipped + limit))
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
    return {conversation: merge_ranges(found) for conversation, found in parts.items()}


def _find_own(game_id: int, user_id: int, reached: Mapping[int, Ranges]) -> frozenset[int]:
    """Return the keys of the person's own messages among those that have reached the person."""
    rows = Message.objects.filter(send__author=user_id, send__game=game_id).order_by()
    return frozenset(
        key
        for key, conversation, number in rows.values_list("pk", "conversation", "number")
        # Another message may have been sent since the ranges were read.
        if number in reached.get(conversation, ())
    )


def _count(reached: Mapping[int, Ranges], own: Collection[int]) -> int:
    return sum(ranges.count for ranges in reached.values()) - len(own)


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
        parts = ranges.get(conversation.pk)
        place: dict[str, object] = {}
        if parts and message.number in parts and (name := _name(table, conversation)):
            place = {"with": name, "number": parts.shown(message.number)}
        places[message.pk] = place
    return places


def _name(table: Table, conversation: Conversation) -> str:
    """Return the person's address for the conversation; blank if it is no longer accessible."""
    try:
        return str(address_of(table, conversation.kind, conversation.key))
    except NoSuchConversation:
        return ""
