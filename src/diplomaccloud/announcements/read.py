"""The announcements that a reader sees now.

Every process remembers the announcements that are not over for `_FRESH_SECONDS`, so most pages of
most sites need no query, and each server shows a new one within that time. Only if there is one, a
page with announcements asks what the reader has dismissed.
"""

import datetime as dt
import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from django.utils.safestring import SafeString

from diplomaccloud.announcements.models import Announcement, Audience, Dismissal, Kind
from diplomaccloud.games.master.read import is_mastering
from diplomaccloud.games.seats.read import is_playing
from diplomaccloud.games.visibility.read import Viewer
from diplomaccloud.shared.markdown import render_line, render_markdown

WARN_BEFORE: Final = dt.timedelta(hours=24)
"""How long before maintenance the pages of games announce it."""
_FRESH_SECONDS: Final = 10
_AHEAD: Final = dt.timedelta(minutes=1)
"""Announcements that begin so soon are read, too."""


@dataclass(frozen=True, slots=True)
class AnnouncementFacts:
    """An announcement as readers see it; `line` is its first line as HTML, `html` all of it."""

    key: int
    kind: str
    text: str
    line: SafeString
    html: SafeString
    has_more: bool
    starts_at: dt.datetime
    ends_at: dt.datetime
    maintenance_at: dt.datetime | None
    dismissed: bool = False


class _Remembered:
    rows: tuple[Announcement, ...] = ()
    until: float = 0.0


def forget_current() -> None:
    """Make this process read the announcements again."""
    _Remembered.until = 0.0


def list_current(
    viewer: Viewer,
    *,
    now: dt.datetime,
    dismissed: Collection[int] = (),
) -> tuple[AnnouncementFacts, ...]:
    """Return the announcements for the viewer, newest first.

    `dismissed` are the keys that a visitor without an account has dismissed.
    """
    rows = [row for row in _read_current(now) if row.starts_at <= now < row.ends_at]
    if not rows:
        return ()
    groups = _find_groups(viewer, {row.audience for row in rows})
    gone = set(dismissed)
    if viewer.user_id is not None:
        keys = Dismissal.objects.filter(user=viewer.user_id, announcement__in=rows)
        gone = set(keys.values_list("announcement", flat=True))
    return tuple(_state(row, row.pk in gone) for row in rows if row.audience in groups)


def list_maintenance(
    current: Sequence[AnnouncementFacts],
    *,
    now: dt.datetime,
) -> tuple[AnnouncementFacts, ...]:
    """Return those about maintenance that begins within a day, or has begun."""
    return tuple(
        one for one in current if one.maintenance_at and now >= one.maintenance_at - WARN_BEFORE
    )


def _read_current(now: dt.datetime) -> tuple[Announcement, ...]:
    if time.monotonic() >= _Remembered.until:
        rows = Announcement.objects.filter(withdrawn_at=None, ends_at__gt=now)
        _Remembered.rows = tuple(rows.filter(starts_at__lte=now + _AHEAD).order_by("-pk"))
        _Remembered.until = time.monotonic() + _FRESH_SECONDS
    return _Remembered.rows


def _find_groups(viewer: Viewer, wanted: set[str]) -> set[str]:
    """Return the audiences to which the viewer belongs, of those that are asked for."""
    groups = {str(Audience.EVERYBODY)}
    if viewer.user_id is None:
        return groups
    groups.add(Audience.ACCOUNTS)
    if Audience.PLAYERS in wanted and is_playing(viewer.user_id):
        groups.add(Audience.PLAYERS)
    if Audience.MASTERS in wanted and is_mastering(viewer.user_id):
        groups.add(Audience.MASTERS)
    return groups


def _state(row: Announcement, dismissed: bool) -> AnnouncementFacts:
    first, _, rest = row.text.partition("\n")
    return AnnouncementFacts(
        key=row.pk,
        kind=row.kind,
        text=row.text,
        line=render_line(first),
        html=render_markdown(row.text).html,
        has_more=bool(rest.strip()),
        starts_at=row.starts_at,
        ends_at=row.ends_at,
        maintenance_at=row.maintenance_at if row.kind == Kind.MAINTENANCE else None,
        dismissed=dismissed,
    )
