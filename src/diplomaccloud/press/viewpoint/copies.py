"""Copying messages as one person sees them, for the evidence of a report."""

from collections.abc import Sequence

from diplomaccloud.press.addresses import Kind
from diplomaccloud.press.errors import NoSuchConversation
from diplomaccloud.press.evidence import AFTER, Evidence
from diplomaccloud.press.models import Conversation, Report
from diplomaccloud.press.ranges import Ranges
from diplomaccloud.press.viewpoint.attached_text import describe_attachments
from diplomaccloud.press.viewpoint.facts import MessageFacts


def find_end(number: int) -> int:
    """Return the number at which to stop (exclusive) when reading messages around `number`."""
    return number + AFTER + 1


def is_reported(user_id: int, conversation: Conversation, ranges: Ranges, number: int) -> bool:
    """Return whether the person has reported message `number` of those in `ranges`."""
    stored = ranges.stored(number) if 1 <= number <= ranges.count else 0
    rows = Report.objects.filter(reporter=user_id, message__conversation=conversation)
    return rows.filter(message__number=stored).exists()


def copy_messages(
    messages: Sequence[MessageFacts],
    number: int,
    *,
    kind: Kind,
    members: Sequence[str],
    slug: str = "",
    world: str = "",
    map_hash: str = "",
) -> Evidence:
    """Return the messages as evidence; raise `NoSuchConversation` if the viewer wrote `number`.

    The copies don't reveal the reporter, neither through "you" nor through the order of members.
    """
    reported = next((row for row in messages if row.number == number), None)
    if reported is None or reported.author.is_you:
        raise NoSuchConversation
    return Evidence(
        number,
        {
            "game": slug,
            "world": world,
            "kind": str(kind),
            "members": sorted(members),
            "messages": [_copy(row, map_hash, reported=row.number == number) for row in messages],
        },
    )


def _copy(message: MessageFacts, map_hash: str, *, reported: bool) -> dict[str, object]:
    author = message.author
    return {
        "reported": reported,
        "at": message.at.isoformat(),
        "phase": str(message.phase) if message.phase else "",
        "author": str(author.kind),
        "country": author.country,
        "power": author.power,
        "name": author.name,
        "subject": message.subject,
        "body": message.body,
        "attached": str(message.attached),
        "attached_text": describe_attachments(message.attachments, map_hash),
    }
