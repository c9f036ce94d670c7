"""A person's own marks on messages: read, unread, deleted or muted.

Nobody else sees them. A successor without a row for a conversation gets it here, just as the next
message would have written it.
"""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from diplomaccloud.games.table.lock import lock_game
from diplomaccloud.games.table.transactions import atomic_with_retries
from diplomaccloud.press.actions.personal import lock_personal
from diplomaccloud.press.actions.refusals import require_account, require_visible
from diplomaccloud.press.actions.versions import raise_versions
from diplomaccloud.press.addresses import Address
from diplomaccloud.press.errors import NoSuchConversation
from diplomaccloud.press.models import Conversation, HiddenMessage, Membership, Message
from diplomaccloud.press.models.periods import Plan, find_own_row, find_ranges, plan_conversation
from diplomaccloud.press.ranges import Ranges
from diplomaccloud.press.table import find_target, load_table

MAX_COUNTED: Final = 1_000
"""Unread messages are counted up to this number, so that marking stays fast."""


@dataclass(frozen=True, slots=True)
class Own:
    """A conversation with the person's own row, which is saved."""

    conversation: Conversation
    row: Membership
    ranges: Ranges
    user_id: int


@atomic_with_retries
def mark_read(*, user_id: int, slug: str = "", to: Address | str, up_to: int) -> None:
    """Mark the messages up to number `up_to` as read; lower numbers than before are ignored.

    `to` is an address in the game `slug` or, without a slug, the screen name of a person.
    """
    own = find_own(user_id, slug, to)
    number = min(own.ranges.stored(up_to), own.ranges.last)
    if number > own.row.read:
        _save_read(own, number)


@atomic_with_retries
def mark_unread(*, user_id: int, slug: str = "", to: Address | str, from_number: int) -> None:
    """Mark message `from_number` and later ones as unread, without new notices for them."""
    own = find_own(user_id, slug, to)
    number = own.ranges.stored(max(from_number, 1)) - 1
    if number < own.row.read:
        own.row.read_before = own.row.seen
        _save_read(own, max(number, 0))


@atomic_with_retries
def hide_message(*, user_id: int, slug: str = "", to: Address | str, number: int) -> None:
    """Delete a message for this person only."""
    own = find_own(user_id, slug, to)
    stored = own.ranges.stored(number) if 1 <= number <= own.ranges.count else 0
    message = Message.objects.filter(conversation=own.conversation, number=stored).first()
    if message is None:
        raise NoSuchConversation
    HiddenMessage.objects.bulk_create(
        [HiddenMessage(user_id=user_id, message=message)], ignore_conflicts=True
    )
    _save_read(own, own.row.read)


@atomic_with_retries
def mute_conversation(
    *, user_id: int, slug: str = "", to: Address | str, muted: bool, now: dt.datetime
) -> None:
    """Mute or unmute a conversation for the person. Muted conversations cause no notices."""
    own = find_own(user_id, slug, to)
    own.row.muted_at = (own.row.muted_at or now) if muted else None
    own.row.save(update_fields=["muted_at"])
    raise_versions([user_id], own.conversation.game_id)


def _save_read(own: Own, number: int) -> None:
    own.row.read = number
    own.row.unread = count_unread(own.conversation, own.row, own.ranges)
    own.row.save(update_fields=["read", "read_before", "unread"])
    raise_versions([own.user_id], own.conversation.game_id)


def count_unread(conversation: Conversation, row: Membership, ranges: Ranges) -> int:
    """Return how many messages from others the person has neither read nor deleted."""
    rows = Message.objects.filter(
        conversation=conversation, number__gt=row.read, number__lte=ranges.last
    )
    if row.seat_id is not None:
        rows = rows.exclude(seat=row.seat_id, seat__isnull=False)
    else:
        rows = rows.exclude(author=row.user_id, author__isnull=False)
    rows = rows.exclude(hidden__user=row.user_id)
    return rows.order_by("number").values("pk")[:MAX_COUNTED].count()


def find_own(user_id: int, slug: str, to: Address | str) -> Own:
    """Return the person's row for a conversation, locked; raise `NoSuchConversation`."""
    if isinstance(to, str):
        box = lock_personal(user_id, to)
        conversation, plan = box.conversation, box.plan
    else:
        game = lock_game(slug)
        table = load_table(game, user_id)
        require_visible(table)
        require_account(table)
        key = find_target(table, to).key
        found = Conversation.objects.filter(key=key, game=game).first()
        if found is None:
            raise NoSuchConversation
        conversation = found
        rows: Sequence[Membership] = list(found.memberships.order_by("pk"))
        plan = plan_conversation(found, rows, game, table.holders)
    ranges = find_ranges(conversation, plan.rows, user_id)
    row = find_own_row(plan.rows, user_id)
    if row is None or not ranges:
        raise NoSuchConversation
    _write_plan(plan)
    return Own(conversation, row, ranges, user_id)


def _write_plan(plan: Plan) -> None:
    for row in plan.ended:
        row.save(update_fields=["last", "active_at"])
    for row in plan.replaced:
        row.save(update_fields=["active_at"])
    if plan.new:
        Membership.objects.bulk_create(plan.new)
