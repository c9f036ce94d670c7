"""A person's mutes and blocks, and whether the person accepts personal messages."""

from dataclasses import dataclass

from django.db.models import F

from diplomaccloud.games.viewpoint import Viewer
from diplomaccloud.press.addresses import Kind
from diplomaccloud.press.errors import NoSuchConversation
from diplomaccloud.press.models import Block, Membership, PressSettings, SeatMute
from diplomaccloud.press.viewpoint.contexts import load_contexts, with_games
from diplomaccloud.press.viewpoint.facts import MemberFacts

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
    blocks = Block.objects.filter(user=user).order_by("-at", "-pk")[:MAX_LISTED]
    names = tuple(row.blocked.screen_name for row in blocks.select_related("blocked"))
    mutes = SeatMute.objects.filter(
        user=user, tenure__until_at=None, seat__user=F("tenure__user")
    ).order_by("-at", "-pk")
    seats = mutes.select_related("seat__game__chart").defer("seat__game__chart__text")
    rows = with_games(
        Membership.objects.filter(user=user, active_at__isnull=False, muted_at__isnull=False)
    )
    muted = list(rows.order_by("-muted_at", "-pk")[:MAX_LISTED])
    contexts = load_contexts(user, [row.conversation for row in muted])
    return ChoicesFacts(
        not PressSettings.objects.filter(user=user, personal=False).exists(),
        names,
        tuple(
            MutedSeat(
                row.seat.game.slug, row.seat.game.world, row.seat.power or "", row.seat.country_name
            )
            for row in seats[:MAX_LISTED]
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
