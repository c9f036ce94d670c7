"""What has reached a person in the press of a game, one thing after the other, without its text.

All of it is written under the game's lock, so keys are in the order in which rows became visible.
It counts who was a member when it was written, which never changes: so the place of a message or an
answer among those that reached the person never changes either.
"""

from collections.abc import Collection, Mapping

from django.db.models import Exists, OuterRef, Q, QuerySet

from diplomaccloud.games.models import Game
from diplomaccloud.games.viewpoint.happenings import Happening
from diplomaccloud.press.errors import NoSuchConversation
from diplomaccloud.press.models import Conversation, Membership, Message, ProposalAnswer
from diplomaccloud.press.table import Table, address_of, load_table
from diplomaccloud.press.viewpoint.rows import ConversationRows


def list_happenings(
    game_id: int, user_id: int, *, messages: int, answers: int, limit: int
) -> tuple[list[Happening], list[Happening]]:
    """Return messages of others that have reached the person, and answers to proposals.

    They are the oldest after the numbers that the person has had, at most `limit` of each.
    """
    sent = list(_select_messages(game_id, user_id)[messages : messages + limit])
    given = list(_select_answers(game_id, user_id)[answers : answers + limit])
    places = _find_places(game_id, user_id, [*sent, *(row.proposal.message for row in given)])
    return (
        [Happening("message", row.at, places[row.pk]) for row in sent],
        [Happening("answer", row.at, places[row.proposal.message_id]) for row in given],
    )


def count_messages(game_id: int, user_id: int) -> int:
    """Return how many messages of others have reached the person."""
    return _select_messages(game_id, user_id).order_by().count()


def count_answers(game_id: int, user_id: int) -> int:
    """Return how many answers of others to proposals have reached the person."""
    return _select_answers(game_id, user_id).order_by().count()


def _select_messages(game_id: int, user_id: int) -> QuerySet[Message]:
    reached = _select_members(user_id).filter(
        Q(last=None) | Q(last__gte=OuterRef("number")),
        conversation=OuterRef("conversation"),
        since__lte=OuterRef("number"),
    )
    rows = Message.objects.filter(Exists(reached), conversation__game=game_id)
    rows = rows.exclude(send__author=user_id).select_related("conversation")
    return rows.only("conversation__kind", "conversation__key", "number", "at").order_by("pk")


def _select_answers(game_id: int, user_id: int) -> QuerySet[ProposalAnswer]:
    reached = _select_members(user_id).filter(
        # Who has left the seat meanwhile no longer learns what others answer.
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
    """Return what the person calls the conversation of each message, and its number there."""
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
    """Return what the person calls the conversation; blank if the person no longer finds it."""
    try:
        return str(address_of(table, conversation.kind, conversation.key))
    except NoSuchConversation:
        return ""
