"""Notices: a method for each operation.

Written by `scripts/client` from the description of the API: change that instead.
"""

import datetime as dt
from collections.abc import Mapping
from typing import Literal

from diplomaccloud.client.call import Call, fill, operation
from diplomaccloud.client.values import DestinationList, NoticePage, NoticeSettingsState


class Notices:
    """The operations of `notices`."""

    @operation
    def list_own_notices(self, *, page: int | None = None) -> Call[NoticePage]:
        """List your notices, the newest first; reading marks none as seen."""
        return Call("GET", "/me/notices", NoticePage, query={"page": page})

    @operation
    def mark_notices_seen(self, *, up_to: dt.datetime, key: str = "") -> Call[NoticePage]:
        """Mark notices as seen, up to a time."""
        return Call("POST", "/me/notices/seen", NoticePage, body={"up_to": up_to}, key=key)

    @operation
    def get_notice_settings(self) -> Call[NoticeSettingsState]:
        """Return which kinds of notices go through which channels, and quiet hours."""
        return Call("GET", "/me/notice-settings", NoticeSettingsState)

    @operation
    def save_notice_settings(
        self,
        *,
        kinds: Mapping[str, Mapping[str, bool]] | None = None,
        with_text: bool | None = None,
        quiet_from: str | None = None,
        quiet_until: str | None = None,
        zone: str | None = None,
        last_reminder_passes: bool | None = None,
        key: str = "",
    ) -> Call[NoticeSettingsState]:
        """Change which kinds of notices go through which channels, or quiet hours."""
        return Call(
            "PUT",
            "/me/notice-settings",
            NoticeSettingsState,
            body={
                "kinds": kinds,
                "with_text": with_text,
                "quiet_from": quiet_from,
                "quiet_until": quiet_until,
                "zone": zone,
                "last_reminder_passes": last_reminder_passes,
            },
            key=key,
        )

    @operation
    def list_own_destinations(self) -> Call[DestinationList]:
        """List where your notices go."""
        return Call("GET", "/me/destinations", DestinationList)

    @operation
    def add_destination(
        self, *, kind: Literal["chat", "email"], address: str, key: str = ""
    ) -> Call[DestinationList]:
        """Add a channel of Slack or Discord, or an e-mail address, which must be confirmed.

        `POST /me/webhooks` makes webhooks for programs.
        """
        return Call(
            "POST",
            "/me/destinations",
            DestinationList,
            body={"kind": kind, "address": address},
            key=key,
        )

    @operation
    def change_destination(
        self, key_: str, act: Literal["test", "remove", "switch-on", "ask-again"], *, key: str = ""
    ) -> Call[DestinationList]:
        """Send a test notice, remove a destination, switch it on again, or ask to confirm it again."""
        return Call("POST", fill("/me/destinations/{}/{}", key_, act), DestinationList, key=key)
