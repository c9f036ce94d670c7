"""Copying messages as one person sees them, for the evidence of a report."""

from collections.abc import Sequence

from diplomaccloud.accounts.labels import Label
from diplomaccloud.press.addresses import Address, Kind
from diplomaccloud.press.errors import NoSuchConversation
from diplomaccloud.press.evidence import AFTER, AROUND, Evidence
from diplomaccloud.press.models import Conversation, Report
from diplomaccloud.press.ranges import Ranges
from diplomaccloud.press.table import find_past_seat, find_target
from diplomaccloud.press.viewpoint.facts import MessageFacts, describe_attachments
from diplomaccloud.press.viewpoint.reader import PressReader


def find_end(number: int) -> int:
    """Return the number at which to stop (exclusive) when reading messages around `number`."""
    return number + AFTER + 1


def copy_evidence(press: PressReader, address: Address, number: int) -> Evidence:
    """Return the evidence for a report of a message; raise `NoSuchConversation`."""
    if press.user_id is None or not press.may_write:
        raise NoSuchConversation
    facts = press.conversation(address, before=find_end(number), limit=AROUND + 1)
    target, game = find_target(press.table, address), press.table.game
    seats = {seat.pk: seat for seat in target.seats}
    if target.kind is Kind.SEATS and (own := find_past_seat(press.table)) is not None:
        seats[own.pk] = own
    members = [seat.country_name for seat in seats.values()]
    if target.kind is Kind.MASTER:
        members.append(Label.MASTER)
    return copy_messages(
        facts.messages,
        number,
        kind=target.kind,
        members=members,
        slug=game.slug,
        world=game.world,
        map_hash=game.chart.content_hash,
    )


def is_message_reported(press: PressReader, address: Address, number: int) -> bool:
    """Return whether the viewer has reported a message of a game."""
    conversation, _, ranges = press.rows.find(find_target(press.table, address))
    if press.user_id is None or conversation is None:
        return False
    return is_reported(press.user_id, conversation, ranges, number)


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
