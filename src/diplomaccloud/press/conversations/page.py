"""The template values of conversations, messages, composers and attachments."""

import datetime as dt
import secrets
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Protocol

from django.urls import reverse
from django.utils.safestring import SafeString

from diplomaccloud.games.table.read import Reader
from diplomaccloud.press.conversations.read import PressReader
from diplomaccloud.press.table.wording import Flag, PressNames

COMPOSE: Final = "compose"
"""What a composer button sends to the page for creating an attachment."""


class AttachmentView(Protocol):
    """A value and its template, which calls it `attachment`."""

    @property
    def template(self) -> str:
        """The template."""


@dataclass(frozen=True, slots=True)
class AttachLink:
    """A composer button that leads to the page for creating an attachment.

    Scripts open `url`. Without scripts, the button submits the form with `do` to `action`, so that
    the text is kept; a blank `action` is the composer's page.
    """

    label: str
    icon: str
    url: str
    action: str
    do: str


@dataclass(frozen=True, slots=True)
class AttachChoice:
    """An existing thing that can be attached: a form field with its value."""

    name: str
    value: str
    label: str


@dataclass(frozen=True, slots=True)
class AttachMenu:
    """The choices for attaching without scripts: existing things, or a new one made at `url`."""

    choices: tuple[AttachChoice, ...]
    url: str


@dataclass(frozen=True, slots=True)
class Attached:
    """The composer's attachment: its form fields, and what the person sees of it."""

    fields: tuple[tuple[str, str], ...]
    label: str
    icon: str
    url: str = ""
    remove_url: str = ""


# Press as template values: the list of conversations, one conversation, and the composer.


@dataclass(frozen=True, slots=True)
class ConversationLine:
    """A conversation in a list; `icon` is for one without flags.

    `author` and `excerpt` come from the last message and are blank without one. `place` names the
    game in a list across all games. `about` describes the other members.
    """

    key: str
    url: str
    title: str
    flags: tuple[Flag, ...] = ()
    icon: str = ""
    about: str = ""
    author: str = ""
    excerpt: str = ""
    at: dt.datetime | None = None
    unread: int = 0
    muted: bool = False
    closed: bool = False
    current: bool = False
    place: str = ""


@dataclass(frozen=True, slots=True)
class MessageView:
    """A message as a bubble.

    `divider` is the title of the phase that starts with this message. `heading` is what screen
    readers say before the text, without the time, and `level` is the level of that heading.
    `seat` is the power of another seat, which can be muted, and `person` a name that can be
    blocked. `changes` say how seats changed hands before it.
    """

    number: int
    heading: str
    author: str
    color: str
    yours: bool
    body: SafeString
    at: dt.datetime
    subject: str = ""
    divider: str = ""
    level: int = 3
    first_unread: bool = False
    note: str = ""
    attachments: tuple[AttachmentView, ...] = ()
    seat: str = ""
    seat_country: str = ""
    muted: bool = False
    person: str = ""
    changes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class WaitingView:
    """A gray message of the viewer that will be published later."""

    subject: str
    body: SafeString
    at: dt.datetime


@dataclass(frozen=True, slots=True)
class Draft:
    """The contents of a form: refused text with the reason, or an attachment from a link.

    `is_carried` says that the text comes from another form, and `has_menu` that the person is
    choosing an attachment.
    """

    to: tuple[str, ...] = ()
    together: bool = False
    subject: str = ""
    body: str = ""
    key: str = ""
    error: str = ""
    attached: tuple[tuple[str, str], ...] = ()
    is_carried: bool = False
    has_menu: bool = False

    @property
    def texts(self) -> tuple[tuple[str, str], ...]:
        """The person's texts, each with its label."""
        texts = (("Subject", self.subject), ("Your message", self.body))
        return tuple((label, text) for label, text in texts if text)


@dataclass(frozen=True, slots=True)
class Composer:
    """The form for one conversation; `about` says who will read the message, if not obvious.

    `carry_url` accepts the form without sending the message.
    """

    action: str
    to: str
    label: str
    title: str
    key: str
    unsent: str
    draft: Draft
    carry_url: str = ""
    flags: tuple[Flag, ...] = ()
    icon: str = ""
    about: str = ""
    attached: Attached | None = None
    attach_links: tuple[AttachLink, ...] = ()
    attach_menu: AttachMenu | None = None


@dataclass(frozen=True, slots=True)
class Addressee:
    """A country that a new message can go to; `note` says what to know before writing to it."""

    power: str
    country: str
    color: str
    player: str
    chosen: bool
    note: str = ""


@dataclass(frozen=True, slots=True)
class NewMessage:
    """The form for a message to one or more countries."""

    action: str
    key: str
    unsent: str
    draft: Draft
    addressees: tuple[Addressee, ...]
    carry_url: str
    everyone_url: str
    everyone_carry_url: str
    attached: Attached | None
    attach_links: tuple[AttachLink, ...]
    attach_menu: AttachMenu | None


@dataclass(frozen=True, slots=True)
class OpeningState:
    """One conversation with `count` messages; `text` is its state, blank if private.

    `may_agree` and `may_withdraw` say which buttons to show.
    """

    title: str
    flags: tuple[Flag, ...]
    icon: str
    address: str
    count: int
    text: str
    is_open: bool
    may_agree: bool
    may_withdraw: bool
    button: str


@dataclass(frozen=True, slots=True)
class ConversationView:
    """One conversation. `closed` says why there is no composer, and `about` who can read it.

    `first` and `last` are the numbers of the first and last message shown, 0 without messages;
    `more` says whether there are newer ones, which `newest_url` links to from a page of old ones.
    `blocked` is None if nobody can be blocked. `opening` says whether a conversation of a finished
    game is open. `draft` is refused text for a conversation that has closed since. `waiting` has
    the viewer's unpublished gray messages. `changes` say how seats changed hands after the last
    message.
    """

    key: str
    url: str
    title: str
    flags: tuple[Flag, ...]
    icon: str
    about: str
    notes: tuple[str, ...]
    messages: tuple[MessageView, ...]
    first: int
    last: int
    more: bool
    older_url: str
    muted: bool
    may_mute: bool
    composer: Composer | None
    closed: str
    draft: Draft | None
    read: int
    may_act: bool
    newest_url: str = ""
    blocked: bool | None = None
    opening: OpeningState | None = None
    waiting: tuple[WaitingView, ...] = ()
    changes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TalkState:
    """The button "Done talking"; `done` says whether the viewer has pressed it."""

    done: bool
    url: str
    sequence: int
    text: str


@dataclass(frozen=True, slots=True)
class PressView:
    """A game's press, as one viewer sees it.

    `writes` says whether the viewer takes part in it. `is_focused` says that the viewer has opened
    the form for a new message, and `unsent` is refused text whose form no longer exists.
    """

    slug: str
    url: str
    new_url: str
    live_url: str
    lines: tuple[ConversationLine, ...]
    unread: int
    current: ConversationView | None = None
    new: NewMessage | None = None
    note: str = ""
    talk: TalkState | None = None
    may_write_new: bool = False
    single: bool = False
    version: int = 0
    changes_at: dt.datetime | None = None
    reports_url: str = ""
    is_over: bool = False
    writes: bool = False
    is_focused: bool = False
    look_url: str = ""
    unsent: Draft | None = None


KEY_BYTES = 16


@dataclass(frozen=True)
class Desk:
    """What the pages of a game's press share: the press, the names, and the game.

    `is_brief` leaves out the newest messages of the conversations, for partial pages that don't
    list them.
    """

    press: PressReader
    is_brief: bool = False

    @property
    def reader(self) -> Reader:
        """The game."""
        return self.press.game

    @cached_property
    def names(self) -> PressNames:
        """The names of the countries."""
        return PressNames(self.press.countries)

    @property
    def slug(self) -> str:
        """The slug of the game."""
        return self.press.slug

    def url(self, name: str, *arguments: str) -> str:
        """Return the address of a press page of the game."""
        return reverse(f"press:{name}", args=[self.slug, *arguments])

    @property
    def codes(self) -> frozenset[str]:
        """The provinces of the map."""
        return self.press.provinces


def make_key() -> str:
    """Return a key for a form, with which the server accepts its message only once."""
    return secrets.token_hex(KEY_BYTES)
