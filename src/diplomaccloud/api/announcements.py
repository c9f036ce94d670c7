"""The announcements that the host has for the caller."""

import datetime as dt
from typing import Literal

from django.http import HttpRequest
from django.utils import timezone

from diplomaccloud.announcements.read import list_current
from diplomaccloud.api.answers import ApiAnswer
from diplomaccloud.api.auth import OPEN, caller_of
from diplomaccloud.api.operations import Area


class AnnouncementState(ApiAnswer):
    """An announcement, shown from one time until another; `text` is Markdown."""

    kind: Literal["news", "maintenance"]
    text: str
    starts_at: dt.datetime
    ends_at: dt.datetime
    maintenance_at: dt.datetime | None
    dismissed: bool


class AnnouncementList(ApiAnswer):
    """The current announcements for you, newest first."""

    announcements: list[AnnouncementState]


area = Area("notices", OPEN)


@area.reads("/announcements", AnnouncementList)
def list_announcements(request: HttpRequest) -> object:
    """List the current announcements by the host, also those that you have dismissed."""
    rows = list_current(caller_of(request).viewer, now=timezone.now())
    return {"announcements": rows}
