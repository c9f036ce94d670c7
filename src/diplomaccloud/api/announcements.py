"""The announcements that the host has for the caller, and dismissing one."""

import datetime as dt
from typing import Literal

from django.http import HttpRequest
from django.utils import timezone

from diplomaccloud.announcements.actions import dismiss
from diplomaccloud.announcements.read import list_current
from diplomaccloud.api.addresses import AnnouncementId, IdOf, PublicId, read_id
from diplomaccloud.api.answers import ApiAnswer
from diplomaccloud.api.auth import OPEN, PLAY, bearer_of, caller_of
from diplomaccloud.api.operations import Area


class AnnouncementState(ApiAnswer):
    """An announcement, shown from one time until another; `text` is Markdown."""

    key: AnnouncementId
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
    return _list(request)


@area.writes("POST /announcements/{key}/dismiss", AnnouncementList, guard=PLAY)
def dismiss_announcement(request: HttpRequest, key: PublicId) -> object:
    """Dismiss an announcement: the site's pages no longer show or count it for you."""
    number = read_id(IdOf.ANNOUNCEMENT, key)
    dismiss(key=number, user_id=bearer_of(request).user_id)
    return _list(request)


def _list(request: HttpRequest) -> object:
    return {"announcements": list_current(caller_of(request).viewer, now=timezone.now())}
