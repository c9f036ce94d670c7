"""Announcing, changing and withdrawing announcements, and dismissing them."""

import datetime as dt
import json
from collections.abc import Iterator

from django.db import transaction

from diplomaccloud.accounts.deletion import AccountPart, ExportFile
from diplomaccloud.announcements.models import (
    MAX_TEXT,
    Announcement,
    Audience,
    Dismissal,
    Kind,
)
from diplomaccloud.announcements.read import forget_current
from diplomaccloud.games.table.errors import Refused


class NoSuchAnnouncement(Refused):
    """There is no announcement with this number."""

    status = 404

    def __init__(self) -> None:
        super().__init__("There is no announcement with this number.")


def announce(
    *,
    text: str,
    starts_at: dt.datetime,
    ends_at: dt.datetime,
    audience: str = Audience.EVERYBODY,
    maintenance_at: dt.datetime | None = None,
) -> Announcement:
    """Return the new announcement; it is about maintenance if it has a time for it.

    Raises `Refused` as `edit` does.
    """
    row = Announcement(
        kind=Kind.NEWS if maintenance_at is None else Kind.MAINTENANCE,
        audience=audience,
        text=text,
        starts_at=starts_at,
        ends_at=ends_at,
        maintenance_at=maintenance_at,
    )
    return _save(row)


@transaction.atomic
def edit(
    *,
    key: int,
    text: str | None = None,
    starts_at: dt.datetime | None = None,
    ends_at: dt.datetime | None = None,
    audience: str | None = None,
    maintenance_at: dt.datetime | None = None,
) -> Announcement:
    """Return the announcement with what is given in place of what it had.

    People who have dismissed it do not see it again. Raises `Refused` for a blank or long text,
    an end that is not after the start, or an unknown audience, or `NoSuchAnnouncement`.
    """
    row = Announcement.objects.select_for_update().filter(pk=key).first()
    if row is None:
        raise NoSuchAnnouncement
    if maintenance_at is not None and row.kind == Kind.NEWS:
        raise Refused("News has no time of maintenance. Withdraw it, and announce maintenance.")
    row.text = row.text if text is None else text
    row.starts_at, row.ends_at = starts_at or row.starts_at, ends_at or row.ends_at
    row.audience = audience or row.audience
    row.maintenance_at = maintenance_at or row.maintenance_at
    return _save(row)


@transaction.atomic
def withdraw(*, key: int, now: dt.datetime) -> bool:
    """Show the announcement no longer; return whether it was not withdrawn already.

    Raises `NoSuchAnnouncement`.
    """
    rows = Announcement.objects.filter(pk=key)
    if not rows.exists():
        raise NoSuchAnnouncement
    changed = rows.filter(withdrawn_at=None).update(withdrawn_at=now)
    transaction.on_commit(forget_current)
    return bool(changed)


def dismiss(*, key: int, user_id: int) -> None:
    """Show the announcement to this person no longer; raise `NoSuchAnnouncement`."""
    if not Announcement.objects.filter(pk=key).exists():
        raise NoSuchAnnouncement
    Dismissal.objects.bulk_create(
        [Dismissal(announcement_id=key, user_id=user_id)],
        ignore_conflicts=True,
    )


def _save(row: Announcement) -> Announcement:
    row.text = row.text.strip()
    if not row.text:
        raise Refused("Write a text for the announcement.")
    if len(row.text) > MAX_TEXT:
        raise Refused(f"Use at most {MAX_TEXT} characters in an announcement.")
    if row.audience not in Audience.values:
        raise Refused(f"Choose for whom it is: {', '.join(Audience.values)}.")
    if row.ends_at <= row.starts_at:
        raise Refused(
            f"The announcement ends on {row.ends_at:%B %-d, %Y at %H:%M}, before it begins on "
            f"{row.starts_at:%B %-d, %Y at %H:%M}. Choose a later end.",
        )
    row.save()
    transaction.on_commit(forget_current)
    return row


def _erase(user_id: int, _now: dt.datetime) -> None:
    Dismissal.objects.filter(user=user_id).delete()


def _export(user_id: int) -> Iterator[ExportFile]:
    keys = Dismissal.objects.filter(user=user_id).order_by("announcement")
    content = {"dismissed": list(keys.values_list("announcement", flat=True))}
    yield ExportFile("announcements.json", iter([json.dumps(content)]))


PART = AccountPart(erase=_erase, export=_export)
"""Listed in `settings.ACCOUNT_PARTS`."""
