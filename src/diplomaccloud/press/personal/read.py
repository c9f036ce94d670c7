"""A viewer's personal conversations, one with each person, and the viewer's mutes and blocks."""

import datetime as dt
from dataclasses import dataclass

from django.db.models import F

from diplomaccloud.accounts.models import User
from diplomaccloud.accounts.screen_names import make_key
from diplomaccloud.games.visibility.read import Viewer
from diplomaccloud.press.conversations.read import MESSAGES_PER_PAGE, Page, read_page
from diplomaccloud.press.table.addresses import Address, AddressKind, key_of_people
from diplomaccloud.press.table.errors import NoSuchConversation
from diplomaccloud.press.table.models import Block, Membership, PressSettings, SeatMute
from diplomaccloud.press.table.periods import Ranges, find_own_row, find_ranges
from diplomaccloud.press.table.read import (
    AuthorNames,
    ConversationFacts,
    Summary,
    load_contexts,
    with_games,
)
from diplomaccloud.press.table.rules import PressVerdict, Why
from diplomaccloud.press.table.state import accepts_message, find_limit
from diplomaccloud.shared.prepared_queries import PreparedQuery


def read_personal(
    viewer: Viewer,
    name: str,
    *,
    now: dt.datetime,
    after: int | None = None,
    before: int | None = None,
    limit: int = MESSAGES_PER_PAGE,
) -> ConversationFacts:
    """Return part of the viewer's conversation with a person; raise `NoSuchConversation`.

    Each pair of people has one, even if it has no messages yet.
    """
    if viewer.user_id is None:
        raise NoSuchConversation
    people = User.objects.filter(guest__in=[False], folded_name=make_key(name))
    people = people.annotate(limited_until=find_limit(viewer.user_id, None))
    person = people.exclude(pk=viewer.user_id or 0).first()
    if person is None:
        raise NoSuchConversation
    key = key_of_people([viewer.user_id, person.pk])
    rows = Membership.objects.filter(conversation__key=key).select_related("conversation")
    viewer_row = find_own_row(list(rows), viewer.user_id)
    page: Page = (), False, False
    conversation, ranges = None, Ranges()
    if viewer_row is not None:
        conversation = viewer_row.conversation
        ranges = find_ranges(conversation, [viewer_row], viewer.user_id)
        names = AuthorNames(None, None, viewer.user_id)
        page = read_page(names, conversation, ranges, after=after, before=before, limit=limit)
    is_limited = person.limited_until is not None and now < person.limited_until
    accepted = person.is_active and accepts_message(viewer.user_id, person.pk, now)
    why = Why.LIMITED if is_limited else Why.NOTHING if accepted else Why.REFUSED
    summary = Summary(
        address=Address(AddressKind.PERSONAL),
        kind=AddressKind.PERSONAL,
        person=person.username,
        unread=viewer_row.unread if viewer_row else 0,
        muted=viewer_row is not None and viewer_row.muted_at is not None,
        active_at=conversation.last_at if conversation else None,
        verdict=PressVerdict.CLOSED if why else PressVerdict.ALLOWED,
        why=why,
    )
    messages, has_earlier, has_later = page
    return ConversationFacts(
        summary=summary,
        messages=messages,
        count=ranges.count,
        read=ranges.shown(viewer_row.read) if viewer_row else 0,
        has_earlier=has_earlier,
        has_later=has_later,
    )


def is_blocked(viewer: Viewer, name: str) -> bool:
    """Return whether the viewer blocks the person with this name."""
    rows = Block.objects.filter(user=viewer.user_id, blocked__folded_name=make_key(name))
    return viewer.user_id is not None and rows.exists()


MAX_LISTED = 100
"""The maximum number of each kind; the newest are listed."""


@dataclass(frozen=True, slots=True)
class MutedSeat:
    """A seat that the person has muted and that still has the same player."""

    slug: str
    world: str
    power: str
    country: str


@dataclass(frozen=True, slots=True)
class ChoicesFacts:
    """A person's choices, which nobody else sees."""

    accepts_personal: bool
    blocked: tuple[str, ...]
    seats: tuple[MutedSeat, ...]
    conversations: tuple[Summary, ...]


def read_mutes(viewer: Viewer) -> ChoicesFacts:
    """Return the person's choices, in at most six queries."""
    user = viewer.user_id
    if user is None:
        raise NoSuchConversation
    muted = _muted_conversations.read(user)
    contexts = load_contexts(user, [row.conversation for row in muted])
    return ChoicesFacts(
        not _refusals.read(user),
        tuple(row.blocked.screen_name for row in _blocks.read(user)),
        tuple(
            MutedSeat(
                row.seat.game.slug, row.seat.game.world, row.seat.power or "", row.seat.country_name
            )
            for row in _muted_seats.read(user)
        ),
        tuple(contexts.summarize(row.conversation, row.seat_id, row) for row in muted),
    )


def blocks(person: int, other: int) -> bool:
    """Return whether a person blocks another; see `settings.FOLLOW_BARS`."""
    return Block.objects.filter(user=person, blocked=other).exists()


def list_blocked(viewer: Viewer) -> frozenset[int]:
    """Return the keys of the people whom the person blocks."""
    rows = Block.objects.filter(user=viewer.user_id)
    return frozenset(rows.values_list("blocked", flat=True))


_muted_seats = PreparedQuery(
    lambda user: (
        SeatMute.objects.filter(user=user, tenure__until_at=None, seat__user=F("tenure__user"))
        .select_related("seat__game__chart")
        .defer("seat__game__chart__text")
        .order_by("-at", "-pk")[:MAX_LISTED]
    ),
    int,
)
_muted_conversations = PreparedQuery(
    lambda user: with_games(
        Membership.objects.filter(user=user, active_at__isnull=False, muted_at__isnull=False)
    ).order_by("-muted_at", "-pk")[:MAX_LISTED],
    int,
)
_blocks = PreparedQuery(
    lambda user: (
        Block.objects.filter(user=user)
        .select_related("blocked")
        .order_by("-at", "-pk")[:MAX_LISTED]
    ),
    int,
)
_refusals = PreparedQuery(
    lambda user: PressSettings.objects.filter(user=user, personal=False).only("pk"), int
)
