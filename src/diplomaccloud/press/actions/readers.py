"""Who can read which part of a conversation, and notifying them of what happens to it."""

import datetime as dt
from collections.abc import Mapping, Sequence

from diplomaccloud.press.actions.events import record_press_event
from diplomaccloud.press.event_kinds import PressEventKind
from diplomaccloud.press.models import Conversation, Membership, Message
from diplomaccloud.press.models.periods import find_ranges
from diplomaccloud.press.ranges import Ranges


def list_readers(conversation: Conversation, rows: Sequence[Membership]) -> Mapping[int, Ranges]:
    """Return the people who could ever read the conversation, each with the readable ranges.

    `rows` are all planned rows of the conversation.
    """
    people = {row.user_id for row in rows if row.user_id is not None}
    ranges = {person: find_ranges(conversation, rows, person) for person in people}
    return {person: part for person, part in ranges.items() if part}


def announce_to_readers(
    kind: PressEventKind,
    *,
    key: str,
    conversation: Conversation,
    readers: Mapping[int, Ranges],
    first: int = 1,
    last: int,
    data: Mapping[str, object],
    now: dt.datetime,
) -> None:
    """Notify readers of something that concerns the messages from `first` to `last`.

    Each notice links to the newest of these messages that the person can read; a person who can
    read none of them gets no notice.
    """
    places: dict[int, set[int]] = {}
    for person, ranges in readers.items():
        number = ranges.stored(ranges.shown(last))
        if number >= first:
            places.setdefault(number, set()).add(person)
    messages = Message.objects.filter(conversation=conversation, number__in=list(places))
    for message in messages.only("pk", "number"):
        record_press_event(
            kind,
            key=key,
            user_ids=places[message.number],
            now=now,
            game_id=conversation.game_id,
            message=message,
            data=data,
        )
