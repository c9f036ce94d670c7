"""Finding the message with a number, as a person sees it in a conversation."""

from diplomaccloud.press.models import Conversation, Membership, Message
from diplomaccloud.press.models.periods import find_ranges, plan_conversation
from diplomaccloud.press.ranges import merge_ranges
from diplomaccloud.press.table import Table, Target


def find_readable(table: Table, target: Target, number: int) -> Message | None:
    """Return the message with this number, as the person sees it; None if it cannot be read."""
    conversation = Conversation.objects.filter(key=target.key).first()
    if conversation is None:
        return None
    if target.kind.is_for_all:
        ranges = merge_ranges([(1, conversation.last)])
    else:
        rows: list[Membership] = list(conversation.memberships.order_by("pk"))
        plan = plan_conversation(conversation, rows, table.game, table.holders)
        ranges = find_ranges(conversation, plan.rows, table.user_id)
    if not 0 < number <= ranges.count:
        return None
    stored = ranges.stored(number)
    return Message.objects.filter(conversation=conversation, number=stored).first()
