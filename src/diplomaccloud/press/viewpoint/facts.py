"""What a viewer may know of conversations, as values without wording."""

import datetime as dt
from dataclasses import dataclass
from enum import StrEnum

from diplomaccloud.games.viewpoint.names import Holder
from diplomaccloud.judge.phases import Phase as JudgePhase
from diplomaccloud.press.addresses import Address, AttachmentKind, Kind
from diplomaccloud.press.rules import Verdict, Why


class AuthorKind(StrEnum):
    """How a message is signed."""

    SEAT = "seat"
    MASTER = "master"
    PERSON = "person"
    UNSIGNED = "unsigned"


@dataclass(frozen=True, slots=True)
class Author:
    """Who wrote a message: a country, the game master, a person, or nobody knows.

    `name` is the screen name, blank where it is hidden. `former` is whether the country has
    another player now.
    """

    kind: AuthorKind
    power: str = ""
    country: str = ""
    name: str = ""
    former: bool = False
    is_you: bool = False


@dataclass(frozen=True, slots=True)
class AttachmentFacts:
    """What a message carries; each kind of attachment has facts of its own below this class."""


@dataclass(frozen=True, slots=True)
class MessageFacts:
    """A message; `number` is counted from the first one that the viewer can read.

    `phase` is the newest phase as it was sent, None before the start and outside games. `muted`
    says that the viewer has muted the seat that wrote it. `attached` says what the message carries;
    `attachments` is that itself, on a page of the conversation.
    """

    number: int
    at: dt.datetime
    phase: JudgePhase | None
    author: Author
    subject: str
    body: str
    muted: bool = False
    attached: AttachmentKind = AttachmentKind.NONE
    attachments: tuple[AttachmentFacts, ...] = ()


@dataclass(frozen=True, slots=True)
class WaitingFacts:
    """A gray message of the viewer that is not published yet."""

    subject: str
    body: str
    published_at: dt.datetime


@dataclass(frozen=True, slots=True)
class MemberFacts:
    """A seat in a conversation; `since` is when another player took it over, None if nobody did.

    `color` is that of its first country, in lists over all games.
    """

    power: str
    country: str
    holder: Holder
    vacant: bool
    since: JudgePhase | None
    muted: bool = False
    color: str = ""


@dataclass(frozen=True, slots=True)
class CountryFacts:
    """One country of a seat: what it is called, and its color."""

    name: str
    color: str


@dataclass(frozen=True, slots=True)
class Summary:
    """A conversation in a list.

    `members` are the other seats; `person` is the stored name of the other person of a personal
    one. `last` is the newest message that the viewer can read, None if there is none or the viewer
    deleted it. `is_new` says that there is no message at all. `verdict` and `why` say whether the
    viewer may write now.
    """

    address: Address
    kind: Kind
    members: tuple[MemberFacts, ...] = ()
    person: str = ""
    unread: int = 0
    muted: bool = False
    last: MessageFacts | None = None
    active_at: dt.datetime | None = None
    verdict: Verdict = Verdict.ALLOWED
    why: Why = Why.NOTHING

    @property
    def is_new(self) -> bool:
        """Whether the conversation has no message yet that the viewer can read."""
        return self.active_at is None

    @property
    def is_writable(self) -> bool:
        """Whether the viewer may write now."""
        return self.verdict is Verdict.ALLOWED


@dataclass(frozen=True, slots=True)
class ConversationFacts:
    """A part of a conversation: messages in order, and whether there are more on either side.

    `count` is the number of the newest message, and `read` that of the last one that the viewer
    has read. `waiting` are the viewer's gray messages that are not published yet.
    """

    summary: Summary
    messages: tuple[MessageFacts, ...]
    count: int
    read: int
    has_earlier: bool
    has_later: bool
    waiting: tuple[WaitingFacts, ...] = ()


@dataclass(frozen=True, slots=True)
class Addressees:
    """Whom the viewer may write to now: each alone, several together, everyone, and so on.

    `seats` may be combined in one address. `others` are the conversations of other kinds.
    """

    seats: tuple[MemberFacts, ...]
    others: tuple[Address, ...]
