"""What a viewer may know about conversations, as values without wording."""

import datetime as dt
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from diplomaccloud.games.visibility.read import Holder
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
    """The author of a message: a country, the game master, a person, or unknown.

    `name` is the screen name, blank if it is hidden. `former` says whether the country now has
    another player.
    """

    kind: AuthorKind
    power: str = ""
    country: str = ""
    name: str = ""
    former: bool = False
    is_you: bool = False


@dataclass(frozen=True, slots=True)
class AttachmentFacts:
    """An attachment of a message; each kind has its own subclass."""

    def list_lines(self, map_hash: str) -> Iterator[str]:
        """Return it as lines of plain text. `map_hash` is that of the game's map."""
        raise NotImplementedError


def describe_attachments(attachments: Sequence[AttachmentFacts], map_hash: str) -> str:
    """Return a message's attachments as plain text, for evidence and data downloads."""
    return "\n".join(line for facts in attachments for line in facts.list_lines(map_hash))


@dataclass(frozen=True, slots=True)
class MessageFacts:
    """A message; `number` counts from the first one that the viewer can read.

    `phase` is the newest phase when it was sent, None before the start and outside games. `muted`
    says that the viewer has muted its author's seat. `attached` is the kind of attachment;
    `attachments` has the attachments themselves, on a page of the conversation.
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
    """An unpublished gray message of the viewer."""

    subject: str
    body: str
    published_at: dt.datetime


@dataclass(frozen=True, slots=True)
class MemberFacts:
    """A seat in a conversation; `since` is when another player took over, None if nobody did.

    `color` is that of its first country, in lists across all games.
    """

    power: str
    country: str
    holder: Holder
    vacant: bool
    since: JudgePhase | None
    muted: bool = False
    color: str = ""


class Change(StrEnum):
    """How a seat in a conversation changed hands."""

    VACANT = "vacant"
    LEFT = "left"
    PLAYER = "player"
    BOT = "bot"


@dataclass(frozen=True, slots=True)
class SeatChange:
    """A change of one seat's holder, without names; a `VACANT` seat has had no player since."""

    at: dt.datetime
    power: str
    change: Change
    phase: JudgePhase


@dataclass(frozen=True, slots=True)
class CountryFacts:
    """One country of a seat: its name and color."""

    name: str
    color: str


@dataclass(frozen=True, slots=True)
class Summary:
    """A conversation in a list.

    `members` are the other seats; `person` is the stored name of the other person in a personal
    one. `last` is the newest message that the viewer can read, None if there is none or the viewer
    deleted it. `is_new` says that there are no messages at all. `verdict` and `why` say whether the
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
        """Whether the conversation has no messages yet that the viewer can read."""
        return self.active_at is None

    @property
    def is_writable(self) -> bool:
        """Whether the viewer may write now."""
        return self.verdict is Verdict.ALLOWED


@dataclass(frozen=True, slots=True)
class ConversationFacts:
    """Part of a conversation: messages in order, and whether there are more on either side.

    `count` is the number of the newest message, and `read` the number of the last message that
    the viewer has read. `waiting` has the viewer's unpublished gray messages.
    `changes` are the changes of the other seats that belong among these messages, oldest first.
    """

    summary: Summary
    messages: tuple[MessageFacts, ...]
    count: int
    read: int
    has_earlier: bool
    has_later: bool
    waiting: tuple[WaitingFacts, ...] = ()
    changes: tuple[SeatChange, ...] = ()


@dataclass(frozen=True, slots=True)
class Addressees:
    """The recipients that the viewer may write to now: one, several together, everyone, and so on.

    `seats` may be combined in one address. `others` has the conversations of other kinds.
    """

    seats: tuple[MemberFacts, ...]
    others: tuple[Address, ...]
