"""A person's mutes and blocks, and whether the person accepts personal messages."""

from dataclasses import dataclass

from django.db.models import F, QuerySet

from diplomaccloud.games.visibility.read import Viewer
from diplomaccloud.press.addresses import Kind
from diplomaccloud.press.errors import NoSuchConversation
from diplomaccloud.press.models import Block, Membership, PressSettings, SeatMute
from diplomaccloud.press.viewpoint.contexts import load_contexts, with_games
from diplomaccloud.press.viewpoint.facts import MemberFacts
from diplomaccloud.shared.prepared_queries import PreparedQuery

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
class MutedConversation:
    """A conversation that the person has muted; `slug` is blank for a personal one."""

    slug: str
    world: str
    kind: Kind
    address: str
    members: tuple[MemberFacts, ...]
    person: str


@dataclass(frozen=True, slots=True)
class ChoicesFacts:
    """A person's choices, which nobody else sees."""

    accepts_personal: bool
    blocked: tuple[str, ...]
    seats: tuple[MutedSeat, ...]
    conversations: tuple[MutedConversation, ...]


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
        tuple(
            MutedConversation(
                row.conversation.game.slug if row.conversation.game else "",
                row.conversation.game.world if row.conversation.game else "",
                Kind(row.conversation.kind),
                str(contexts.address(row.conversation, row.seat_id))
                if row.conversation.game
                else "",
                contexts.members(row.conversation, row.seat_id),
                contexts.person(row.conversation),
            )
            for row in muted
        ),
    )


def list_blocked(viewer: Viewer) -> frozenset[int]:
    """Return the keys of the people whom the person blocks."""
    rows = Block.objects.filter(user=viewer.user_id)
    return frozenset(rows.values_list("blocked", flat=True))


def _select_muted_seats(user: int) -> QuerySet[SeatMute]:
    mutes = SeatMute.objects.filter(user=user, tenure__until_at=None, seat__user=F("tenure__user"))
    rows = mutes.select_related("seat__game__chart").defer("seat__game__chart__text")
    return rows.order_by("-at", "-pk")[:MAX_LISTED]


def _select_muted_conversations(user: int) -> QuerySet[Membership]:
    muted = Membership.objects.filter(user=user, active_at__isnull=False, muted_at__isnull=False)
    return with_games(muted).order_by("-muted_at", "-pk")[:MAX_LISTED]


def _select_blocks(user: int) -> QuerySet[Block]:
    rows = Block.objects.filter(user=user).select_related("blocked")
    return rows.order_by("-at", "-pk")[:MAX_LISTED]


_muted_seats = PreparedQuery(_select_muted_seats, int)
_muted_conversations = PreparedQuery(_select_muted_conversations, int)
_blocks = PreparedQuery(_select_blocks, int)
_refusals = PreparedQuery(
    lambda user: PressSettings.objects.filter(user=user, personal=False).only("pk"), int
)
