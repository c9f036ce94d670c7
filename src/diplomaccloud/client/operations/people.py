"""People: a method for each operation.

Written by `scripts/client` from the description of the API: change that instead.
"""

from typing import Literal

from diplomaccloud.client.call import Call, fill, operation
from diplomaccloud.client.values import (
    Choices,
    FoundMessages,
    InboxPageState,
    Marked,
    MessageList,
    OwnReportsState,
    SentMessages,
    SentPageState,
)


class People:
    """The operations of `people`."""

    @operation
    def list_inbox(self, *, from_: str | None = None) -> Call[InboxPageState]:
        """List your conversations over all games, the newest first."""
        return Call("GET", "/me/conversations", InboxPageState, query={"from": from_})

    @operation
    def list_personal_messages(
        self, *, with_: str, after: int | None = None, before: int | None = None
    ) -> Call[MessageList]:
        """List the messages between you and a person: `?with=` and the screen name."""
        return Call(
            "GET",
            "/me/messages",
            MessageList,
            query={"with": with_, "after": after, "before": before},
        )

    @operation
    def send_personal_message(
        self, *, to: str, body: str, subject: str | None = None, key: str = ""
    ) -> Call[SentMessages]:
        """Send a message to a person, outside all games."""
        return Call(
            "POST",
            "/me/messages",
            SentMessages,
            body={"to": to, "subject": subject, "body": body},
            key=key,
        )

    @operation
    def mark_personal_messages(
        self,
        act: Literal["read", "unread", "delete", "mute", "unmute", "report"],
        *,
        with_: str,
        number: int | None = None,
        grounds: str | None = None,
        note: str | None = None,
        key: str = "",
    ) -> Call[Marked]:
        """Mark personal messages, or report one, as in games; `with` is the screen name."""
        return Call(
            "POST",
            fill("/me/messages/{}", act),
            Marked,
            body={"with": with_, "number": number, "grounds": grounds, "note": note},
            key=key,
        )

    @operation
    def list_sent(self, *, from_: str | None = None) -> Call[SentPageState]:
        """List what you have sent, in all games and to people, the newest first."""
        return Call("GET", "/me/sent", SentPageState, query={"from": from_})

    @operation
    def search_messages(self, *, q: str, game: str | None = None) -> Call[FoundMessages]:
        """Find the newest messages with a text that you can read, in all games or in one."""
        return Call("GET", "/me/search", FoundMessages, query={"q": q, "game": game})

    @operation
    def export_messages(self) -> Call[bytes]:
        """Return everything that you can read now: a line of JSON for each message."""
        return Call("GET", "/me/export", bytes)

    @operation
    def get_choices(self) -> Call[Choices]:
        """Return whom you have muted and blocked, and whether you take personal messages."""
        return Call("GET", "/me/choices", Choices)

    @operation
    def set_choices(self, *, accepts_personal: bool, key: str = "") -> Call[Choices]:
        """Choose whether others may write personal messages to you."""
        return Call(
            "PUT", "/me/choices", Choices, body={"accepts_personal": accepts_personal}, key=key
        )

    @operation
    def block_person(self, *, name: str, blocked: bool, key: str = "") -> Call[Choices]:
        """Refuse the personal messages of a person, who does not learn of it, or end that."""
        return Call("POST", "/me/blocks", Choices, body={"name": name, "blocked": blocked}, key=key)

    @operation
    def mute_seat(
        self, game: str, *, power: str, muted: bool, if_match: str | None = None, key: str = ""
    ) -> Call[Choices]:
        """Mute a country in all its conversations, while its player stays, or end that."""
        return Call(
            "POST",
            fill("/games/{}/seat/mutes", game),
            Choices,
            body={"power": power, "muted": muted},
            headers={n: v for n, v in (("If-Match", if_match),) if v is not None},
            key=key,
        )

    @operation
    def list_reports(self) -> Call[OwnReportsState]:
        """List your reports, decisions about your messages, and what a report can say."""
        return Call("GET", "/me/reports", OwnReportsState)

    @operation
    def report_name(
        self,
        *,
        kind: Literal["name", "status", "map"],
        of: str,
        grounds: str,
        note: str | None = None,
        key: str = "",
    ) -> Call[OwnReportsState]:
        """Report a screen name, a status or the name of a map to the moderators."""
        return Call(
            "POST",
            "/me/reports",
            OwnReportsState,
            body={"kind": kind, "of": of, "grounds": grounds, "note": note},
            key=key,
        )

    @operation
    def appeal(self, key_: str, *, text: str, key: str = "") -> Call[OwnReportsState]:
        """Ask another moderator to look at a decision about your message, once."""
        return Call(
            "POST",
            fill("/me/reports/{}/appeal", key_),
            OwnReportsState,
            body={"text": text},
            key=key,
        )
