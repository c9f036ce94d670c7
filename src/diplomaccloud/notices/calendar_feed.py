"""A person's deadlines as an iCalendar feed, which calendar programs read regularly.

It contains only worlds and times: no countries, people or orders.
"""

import datetime as dt
from collections.abc import Callable, Iterable
from typing import Final

from django.utils.crypto import salted_hmac
from icalendar import Calendar, Event

from diplomaccloud.games.deadlines.read import OwnDeadline

_REFRESH: Final = dt.timedelta(hours=1)
_LENGTH: Final = dt.timedelta(minutes=15)
"""The length of a deadline in a calendar. An event without a length is hard to see."""


def build_calendar(
    deadlines: Iterable[OwnDeadline],
    *,
    host: str,
    find_url: Callable[[str], str],
    now: dt.datetime,
) -> bytes:
    """Return the feed; `find_url` returns the address of a game.

    A deadline keeps its UID when it moves, and SEQUENCE counts the moves, so that programs move
    their entry.
    """
    calendar = Calendar()
    calendar.add("prodid", "-//Diplomaccloud//Deadlines//EN")
    calendar.add("version", "2.0")
    calendar.add("method", "PUBLISH")
    calendar.add("x-wr-calname", "Diplomaccloud deadlines")
    calendar.add("refresh-interval", _REFRESH, parameters={"VALUE": "DURATION"})
    for deadline in deadlines:
        event = Event()
        event.add("uid", f"{_make_uid(deadline)}@{host}")
        event.add("sequence", deadline.moves)
        event.add("dtstamp", now)
        event.add("dtstart", deadline.due_at - _LENGTH)
        event.add("dtend", deadline.due_at)
        event.add("summary", f"{deadline.world}: orders due")
        event.add("url", find_url(deadline.slug))
        event.add("transp", "TRANSPARENT")
        calendar.add_component(event)
    feed: bytes = calendar.to_ical()
    return feed


def _make_uid(deadline: OwnDeadline) -> str:
    value = f"{deadline.slug} {deadline.sequence}"
    return salted_hmac("notices.calendar", value, algorithm="sha256").hexdigest()[:32]
