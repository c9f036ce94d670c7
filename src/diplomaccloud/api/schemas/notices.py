"""Notices: what happened, where they go, and when."""

import datetime as dt
from collections.abc import Mapping
from typing import Annotated, Final, Literal

from pydantic import AwareDatetime, Field, StrictBool

from diplomaccloud.api.schemas.base import Answer, Given

FIRST: Final = dt.datetime(2000, 1, 1, tzinfo=dt.UTC)
LAST: Final = dt.datetime(3000, 1, 1, tzinfo=dt.UTC)
"""Requests may name times from `FIRST` to `LAST`, which every database can store."""
Zone = Annotated[str, Field(max_length=60)]


class NoticeState(Answer):
    """A notice; `path` is a page of the site."""

    title: str
    body: str
    path: str
    at: dt.datetime
    new: bool


class NoticePage(Answer):
    """A page of notices, newest first. To mark them as seen, send the first `at` as `up_to`."""

    notices: list[NoticeState]
    page: int
    has_more: bool


class SeenGiven(Given):
    """Notices up to this time are marked as seen."""

    up_to: Annotated[AwareDatetime, Field(ge=FIRST, le=LAST)]


class NoticeSettingsState(Answer):
    """Which kinds of notices go to which channels, and the quiet hours."""

    kinds: Mapping[str, Mapping[str, bool]]
    with_text: bool = Field(description="Whether notices may quote messages.")
    quiet_from: dt.time | None
    quiet_until: dt.time | None
    zone: str
    last_reminder_passes: bool


class NoticeSettingsGiven(Given):
    """Settings to change; omitted ones stay. Quiet hours need both times, or null to clear them."""

    kinds: dict[str, dict[str, StrictBool]] | None = None
    with_text: StrictBool | None = None
    quiet_from: dt.time | None = None
    quiet_until: dt.time | None = None
    zone: Zone | None = None
    last_reminder_passes: StrictBool | None = None


class DestinationState(Answer):
    """A destination for notices."""

    key: str
    channel: str
    address: str
    since: dt.datetime
    confirmed: bool
    off: bool
    failing: bool


class DestinationList(Answer):
    """Your destinations, oldest first."""

    destinations: list[DestinationState]


class DestinationGiven(Given):
    """A Slack or Discord webhook (`chat`), or an e-mail address, which must be confirmed."""

    kind: Literal["chat", "email"]
    address: Annotated[str, Field(min_length=1, max_length=1_000)]
