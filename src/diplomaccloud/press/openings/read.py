"""What a person may know about opening conversations: own consent, and whether they are open.

Until a conversation is open, nothing here depends on the decisions of others.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from diplomaccloud.games.table.models import Game
from diplomaccloud.games.table.options import Opening
from diplomaccloud.press.conversations.read import PressReader
from diplomaccloud.press.openings.models import OpenConversation, OpeningConsent, find_end
from diplomaccloud.press.table.addresses import Address, AddressKind
from diplomaccloud.press.table.models import Conversation, Message
from diplomaccloud.press.table.periods import Ranges
from diplomaccloud.press.table.read import MemberFacts, list_members
from diplomaccloud.press.table.rules import OPENED_AT_END, OPENED_BY_CONSENT
from diplomaccloud.press.table.state import address_of, find_target


@dataclass(frozen=True, slots=True)
class OwnOpening:
    """A conversation that may be opened, as one of its readers sees it.

    All three numbers count messages as on its page: the total, the last one the viewer agreed to
    open, and the last one open to everyone who may see the game.
    """

    address: Address
    kind: AddressKind
    members: tuple[MemberFacts, ...]
    count: int
    agreed: int
    open: int

    @property
    def is_open(self) -> bool:
        """Whether all messages are open."""
        return self.open >= self.count

    @property
    def has_agreed(self) -> bool:
        """Whether the viewer has agreed to open all messages."""
        return self.agreed >= self.count


def list_open_numbers(
    game: Game, user_id: int, conversations: Iterable[Conversation]
) -> dict[int, tuple[int, int]]:
    """Return the last numbers that the person agreed to and that are open, by conversation key.

    Takes one query. The game must be over.
    """
    this, end = OuterRef("pk"), find_end(game)
    consent = OpeningConsent.objects.filter(conversation=this, user=user_id, ended_at=end)
    row = OpenConversation.objects.filter(conversation=this, ended_at=end)
    before_end = Message.objects.filter(conversation=this, at__lte=end).order_by("-number")
    keys = [conversation.pk for conversation in conversations]
    rows = Conversation.objects.filter(pk__in=keys).annotate(
        agreed=Coalesce(Subquery(consent.values("last")[:1]), 0),
        opened=Coalesce(Subquery(row.values("last")[:1]), 0),
        ended=Coalesce(Subquery(before_end.values("number")[:1]), 0),
    )
    numbers = {}
    for key, kind, agreed, opened, ended in rows.values_list(
        "pk", "kind", "agreed", "opened", "ended"
    ):
        # The players may have agreed to open this kind at the end of the game.
        is_opened = kind in OPENED_AT_END and game.options.talk.opening is Opening.END
        numbers[key] = (agreed, max(opened, ended if is_opened else 0))
    return numbers


def read_openings(press: PressReader) -> tuple[OwnOpening, ...]:
    """Return the viewer's conversations that may be opened; none until the game is over."""
    if press.user_id is None or not press.is_over:
        return ()
    rows = sorted(press.rows.readable, key=lambda row: row[0].last_at, reverse=True)
    return _present_own(press, [(conversation, ranges) for conversation, _, ranges in rows])


def read_opening(press: PressReader, address: Address) -> OwnOpening | None:
    """Return the entry in `read_openings` for one conversation; None if it cannot be opened."""
    if press.user_id is None or not press.is_over:
        return None
    conversation, _, ranges = press.rows.find(find_target(press.table, address))
    if conversation is None or not ranges:
        return None
    return next(iter(_present_own(press, [(conversation, ranges)])), None)


def _present_own(
    press: PressReader, conversations: Sequence[tuple[Conversation, Ranges]]
) -> tuple[OwnOpening, ...]:
    """Return those of the conversations that may be opened."""
    table = press.table
    rows = [row for row in conversations if AddressKind(row[0].kind) in OPENED_BY_CONSENT]
    numbers = list_open_numbers(table.game, table.user_id, [row[0] for row in rows]) if rows else {}
    openings = []
    for conversation, ranges in rows:
        target = find_target(table, address_of(table, conversation.kind, conversation.key))
        members = list_members(table, target.kind, target.seats)
        shown = map(ranges.shown, numbers[conversation.pk])
        openings.append(OwnOpening(target.address, target.kind, members, ranges.count, *shown))
    return tuple(openings)


def select_open_messages(game: Game) -> QuerySet[Message]:
    """Return the messages that everyone who may see the game can read. The game must be over."""
    readable = Q(conversation__kind__in=[kind.value for kind in AddressKind if kind.is_for_all])
    opened = OpenConversation.objects.filter(
        conversation=OuterRef("conversation"), ended_at=find_end(game), last__gte=OuterRef("number")
    )
    readable |= Q(Exists(opened))
    if game.options.talk.opening is Opening.END:
        kinds = [kind.value for kind in OPENED_AT_END]
        readable |= Q(conversation__kind__in=kinds, at__lte=find_end(game))
    rows = Message.objects.filter(readable, conversation__game=game)
    # Notes of people who deleted their accounts, and messages blanked as required by law.
    gone = Q(conversation__kind=AddressKind.NOTES, author__deleted_at__isnull=False)
    return rows.exclude(Q(body="") & (Q(attached="") | gone))
