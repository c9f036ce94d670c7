"""Limits on how many messages one person may send in a short time, counted in rows."""

import datetime as dt
from dataclasses import dataclass
from typing import Final

from django.db.models import Q, Sum

from diplomaccloud.press.errors import TooManyMessages
from diplomaccloud.press.models import Send

MAX_A_MINUTE: Final = 30
MAX_AN_HOUR: Final = 300
"""Messages in one game, or personal messages; each copy counts."""
MAX_NEW_PEOPLE: Final = 20
MAX_NEW_PEOPLE_AT_FIRST: Final = 5
"""New recipients of personal messages per day; fewer in the first week of an account."""
FIRST_WEEK: Final = dt.timedelta(days=7)
_MINUTE, _HOUR, _DAY = dt.timedelta(minutes=1), dt.timedelta(hours=1), dt.timedelta(days=1)


@dataclass(frozen=True, slots=True)
class RecentSends:
    """An author's earlier sends: the row with the same key, and the number of recent copies."""

    earlier: Send | None
    in_hour: int
    in_minute: int


def read_recent_sends(user_id: int, key: str, game_id: int | None, now: dt.datetime) -> RecentSends:
    """Return the author's recent sends in the same game, or outside games, and with the same key.

    This takes one query. The caller holds the lock under which the author sends there.
    """
    # The author is in both conditions, so that each can use its own index.
    same = Q(author=user_id, key=key)
    recent = Q(author=user_id, game=game_id, at__gt=now - _HOUR)
    rows = list(Send.objects.filter(same | recent).defer("subject", "body"))
    counted = [row for row in rows if row.game_id == game_id and row.at > now - _HOUR]
    return RecentSends(
        next((row for row in rows if row.key == key), None),
        sum(row.copies for row in counted),
        sum(row.copies for row in counted if row.at > now - _MINUTE),
    )


def require_pace(recent: RecentSends, send: Send) -> None:
    """Raise `TooManyMessages` if `send`, not written yet, exceeds a limit."""
    if recent.in_minute + send.copies > MAX_A_MINUTE:
        raise TooManyMessages(
            f"You can send {MAX_A_MINUTE} messages a minute. Wait a minute, then try again."
        )
    if recent.in_hour + send.copies > MAX_AN_HOUR:
        raise TooManyMessages(
            f"You can send {MAX_AN_HOUR} messages an hour. Try again a little later."
        )


def require_few_new_people(send: Send, joined_at: dt.datetime, now: dt.datetime) -> None:
    """Raise `TooManyMessages` if `send`, not written yet, opens too many conversations in a day."""
    most = MAX_NEW_PEOPLE if now - joined_at >= FIRST_WEEK else MAX_NEW_PEOPLE_AT_FIRST
    rows = Send.objects.filter(author=send.author_id, game=None, at__gt=now - _DAY)
    opened = rows.aggregate(opened=Sum("opened"))["opened"] or 0
    if opened + send.opened > most:
        raise TooManyMessages(
            f"You can write to {most} new people a day. Write to this person tomorrow."
        )
