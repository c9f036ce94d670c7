"""Turning new messages and other press events into notices."""

import datetime as dt
from collections.abc import Iterator
from typing import Final

from diplomaccloud.games.table.transactions import atomic_with_retries
from diplomaccloud.notices.kinds import USEFUL_FOR, Kind
from diplomaccloud.notices.outbox import NewNotice, write_notices
from diplomaccloud.press.actions.events import (
    WaitingPressEvent,
    mark_handled,
    take_events,
    take_sends,
)
from diplomaccloud.press.addresses import Kind as Talk
from diplomaccloud.press.event_kinds import PressEventKind
from diplomaccloud.press.viewpoint.arrivals import NewMessage, find_new_messages, find_places

BATCH: Final = 100
"""How many events, and how many sends, one transaction handles."""
_KINDS: Final = {
    PressEventKind.PROPOSAL_ANSWERED: Kind.ANSWER,
    PressEventKind.OPENING: Kind.OPENING,
    PressEventKind.LOOKED_AT: Kind.LOOKED_AT,
    PressEventKind.REPORT_WAITING: Kind.REPORT,
    PressEventKind.REPORT_DECIDED: Kind.DECIDED,
    PressEventKind.JUDGED: Kind.JUDGED,
}


@atomic_with_retries
def consume_press(*, now: dt.datetime) -> int:
    """Write the notices of waiting sends and press events; return how many were handled.

    Everything is in one transaction, so if the worker is killed, they keep waiting.
    """
    sends, events = take_sends(BATCH), take_events(BATCH)
    if not sends and not events:
        return 0
    notices = [_announce(message) for message in find_new_messages(sends)]
    notices.extend(_list_notices(events))
    write_notices(notices, now=now)
    mark_handled(events, sends)
    return len(sends) + len(events)


def _announce(message: NewMessage) -> NewNotice:
    """Return the notice of a message. Further ones share its key until the person has read them."""
    match message.kind:
        case Talk.PUBLIC | Talk.GRAY:
            kind = Kind.PUBLIC
        case Talk.PERSONAL:
            kind = Kind.PERSONAL
        case _:
            kind = Kind.MESSAGE
    return NewNotice(
        user=message.user,
        kind=kind,
        key=f"talk {message.conversation} {message.seen + 1}",
        game=message.game,
        useful_until=message.at + USEFUL_FOR,
        membership=message.membership,
        number=message.number,
    )


def _list_notices(events: list[WaitingPressEvent]) -> Iterator[NewNotice]:
    about = {event.message for event in events if event.message is not None}
    places = find_places({event.user for event in events}, about)
    for event in events:
        place = places.get((event.user, event.message)) if event.message is not None else None
        if event.message is not None and place is None:
            # The person can no longer read the conversation.
            continue
        data = dict(event.data)
        if place is not None:
            data["message"] = place.number
        yield NewNotice(
            user=event.user,
            kind=_KINDS[event.kind],
            key=f"press {event.name}",
            game=event.game,
            useful_until=event.at + USEFUL_FOR,
            data=data,
            membership=place.membership if place else None,
        )
