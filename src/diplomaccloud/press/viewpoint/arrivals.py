"""For notices: the people whom new messages concern, and what each may know about them."""

import datetime as dt
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from django.db.models import Q, QuerySet

from diplomaccloud.games.visibility.read import Viewer
from diplomaccloud.press.addresses import AttachmentKind, Kind
from diplomaccloud.press.models import Block, Membership, Message, SeatMute
from diplomaccloud.press.places import Place
from diplomaccloud.press.ranges import Ranges
from diplomaccloud.press.viewpoint.contexts import Contexts, load_contexts, with_games
from diplomaccloud.press.viewpoint.facts import Author, MemberFacts
from diplomaccloud.press.viewpoint.messages import select_messages


@dataclass(frozen=True, slots=True)
class NewMessage:
    """A message that a person has not read; `membership` represents the conversation.

    `seen` is the highest number that the person has ever read. These are keys and stored numbers,
    which no page shows.
    """

    user: int
    membership: int
    conversation: int
    kind: Kind
    game: int | None
    number: int
    seen: int
    at: dt.datetime


@dataclass(frozen=True, slots=True)
class Arrival:
    """What a person may know about an announced message; `count` is the number of unread ones.

    `slug` and `world` are blank for a personal conversation. `members` are the other seats of the
    conversation, and `person` is the other person. `attached` is the kind of attachment.
    `is_unread` is false if the person has ever read the message or no longer wants a notice of it.
    """

    slug: str
    world: str
    kind: Kind
    address: str
    members: tuple[MemberFacts, ...]
    person: str
    author: Author
    body: str
    attached: AttachmentKind
    count: int
    is_unread: bool


def find_new_messages(sends: Collection[int]) -> list[NewMessage]:
    """Return the messages of these sends for each person to whom they are new, oldest first.

    This leaves out their authors, people who have already read them or have muted the conversation
    or the seat, and those who inherited the conversation later.
    """
    if not sends:
        return []
    found = Message.objects.filter(send__in=sends).defer("body").order_by("pk")
    messages = list(found.select_related("send", "conversation__game"))
    members: dict[int, list[Membership]] = {}
    for row in _select_waiting_members({message.conversation_id for message in messages}):
        members.setdefault(row.conversation_id, []).append(row)
    muted = _find_mutes(messages, {row.user_id or 0 for rows in members.values() for row in rows})
    return [
        NewMessage(
            row.user_id,
            row.pk,
            message.conversation_id,
            Kind(message.conversation.kind),
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
) -> dict[tuple[int, int], Place]:
    """Return where each person finds messages, by the keys of the person and the message.

    Messages that a person cannot read are left out.
    """
    if not messages:
        return {}
    found = Message.objects.filter(pk__in=messages)
    places = {row.pk: row for row in found.only("conversation", "number")}
    rows = Membership.objects.filter(
        user__in=user_ids, conversation__in={row.conversation_id for row in places.values()}
    )
    members: dict[int, list[Membership]] = {}
    for row in rows.order_by("pk"):
        members.setdefault(row.conversation_id, []).append(row)
    return {
        (row.user_id, key): Place(row.pk, message.number)
        for key, message in places.items()
        for row in members.get(message.conversation_id, ())
        if row.user_id is not None and _can_read(row, message.number)
    }


def read_arrivals(viewer: Viewer, places: Collection[Place]) -> dict[Place, Arrival]:
    """Return what a person may know about messages, without those that the person cannot read.

    The number of queries does not depend on the number of messages.
    """
    if not places or viewer.user_id is None:
        return {}
    keys = {place.membership for place in places}
    found = with_games(Membership.objects.filter(pk__in=keys, user=viewer.user_id))
    rows = {row.pk: row for row in found}
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
    conversation, kind = row.conversation, Kind(row.conversation.kind)
    game = conversation.game
    facts = contexts.names(conversation).present(
        message, kind, Ranges(((message.number, message.number),))
    )
    is_hidden = getattr(message, "is_hidden", False)
    is_unread = row.unread > 0 and row.seen < message.number and row.muted_at is None
    return Arrival(
        slug=game.slug if game else "",
        world=game.world if game else "",
        kind=kind,
        address=str(contexts.address(conversation, row.seat_id)) if game else "",
        members=contexts.members(conversation, row.seat_id),
        person=contexts.person(conversation),
        author=facts.author,
        body="" if is_hidden else facts.body,
        attached=facts.attached,
        count=max(row.unread, 1),
        is_unread=is_unread and not is_hidden and not facts.muted,
    )


def _select_waiting_members(conversations: Collection[int]) -> QuerySet[Membership]:
    """Return the unmuted rows with unread messages, for people with an account."""
    rows = Membership.objects.filter(
        conversation__in=conversations,
        unread__gt=0,
        active_at__isnull=False,
        muted_at=None,
        user__is_active=True,
        user__guest__in=[False],
    )
    return rows.exclude(conversation__kind=Kind.NOTES)


def _find_mutes(messages: Iterable[Message], user_ids: Collection[int]) -> set[tuple[int, int]]:
    """Return the pairs of person and message for which the person wants no notice.

    The person has muted the seat or, in a named game, blocked its player. In an anonymous game,
    blocks don't count, because they would reveal who plays.
    """
    messages = list(messages)
    tenures = {row.tenure_id for row in messages if row.tenure_id}
    authors = {row.author_id for row in messages if row.author_id}
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
        or ((user, row.author_id) in people and not _hides_people(row))
    }


def _hides_people(message: Message) -> bool:
    """Return whether blocks must not count, because the game is anonymous."""
    game = message.conversation.game
    return game is not None and game.options.anonymous
