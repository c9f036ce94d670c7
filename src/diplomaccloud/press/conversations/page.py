"""The template values of conversations, messages, composers and attachments."""

import datetime as dt
import secrets
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Protocol
from urllib.parse import urlencode

from django.utils.safestring import SafeString

from diplomaccloud.games.table.read import Reader
from diplomaccloud.press.conversations.read import PressReader
from diplomaccloud.press.conversations.wording import CLOSED, NOT_NOW
from diplomaccloud.press.table.read import ConversationFacts, Flag, MessageFacts, WaitingFacts
from diplomaccloud.press.table.wording import ICONS, PressNames
from diplomaccloud.shared.links import find_url

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


@dataclass(frozen=True, slots=True)
class ConversationLine:
    """A conversation in a list; `icon` is for one without flags.

    `author` and `excerpt` come from the last message and are blank without one. `place` names the
    game in a list across all games. `about` describes the other members.
    """

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
    current: bool = False
    place: str = ""


@dataclass(frozen=True, slots=True)
class MessageView:
    """A message as a bubble.

    `divider` is the title of the phase that starts with this message. `heading` is what screen
    readers say before the text, without the time. `country` is that of its author, and `person` the
    author's name if another player's can be blocked. `changes` say how seats changed hands before
    it.
    """

    facts: MessageFacts
    heading: str
    author: str
    color: str
    body: SafeString
    divider: str
    first_unread: bool
    attachments: tuple[AttachmentView, ...]
    country: str
    person: str
    changes: tuple[str, ...] = ()


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
class Addressee:
    """A country that a new message can go to; `note` says what to know before writing to it."""

    power: str
    country: str
    color: str
    player: str
    chosen: bool
    letters: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Composer:
    """The form for one conversation, or for a new message to one or more countries.

    A new message can go to the `addressees`, and with `has_everyone` to everyone.
    """

    draft: Draft
    key: str
    action: str
    label: str = ""
    attached: Attached | None = None
    attach_links: tuple[AttachLink, ...] = ()
    attach_menu: AttachMenu | None = None
    addressees: tuple[Addressee, ...] = ()
    has_everyone: bool = False


@dataclass(frozen=True, slots=True)
class ConversationView:
    """One conversation. `about` says who can read it.

    `is_past` says that this is a page of old messages. `blocked` is None if nobody can be blocked.
    `opening` is the state in `openings.page` of a conversation of a finished game. `draft` is the
    person's text, also if the conversation has closed since. `waiting` has the viewer's unpublished
    gray messages with their texts. `changes` say how seats changed hands after the last message.
    """

    facts: ConversationFacts
    key: str
    url: str
    title: str
    about: str
    messages: tuple[MessageView, ...]
    composer: Composer | None
    draft: Draft | None
    may_act: bool
    is_past: bool
    flags: tuple[Flag, ...] = ()
    notes: tuple[str, ...] = ()
    blocked: bool | None = None
    opening: object = None
    waiting: tuple[tuple[WaitingFacts, SafeString], ...] = ()
    changes: tuple[str, ...] = ()

    @property
    def icon(self) -> str:
        """The symbol if there are no flags."""
        return ICONS[self.facts.summary.kind]

    @property
    def closed(self) -> str:
        """Why there is no composer."""
        return CLOSED.get(self.facts.summary.why, NOT_NOW)


@dataclass(frozen=True, slots=True)
class PressView:
    """A game's press as one viewer sees it, or a personal conversation, which has no `reader`.

    `chips` are the `lines` and all countries, also those that nothing was written to.
    `single` says that there is no list. `is_focused` says that the viewer has opened the form for a
    new message, and `unsent` is refused text whose form no longer exists.
    """

    url: str
    unread: int
    reader: PressReader | None = None
    lines: tuple[ConversationLine, ...] = ()
    chips: tuple[ConversationLine, ...] = ()
    current: ConversationView | None = None
    new: Composer | None = None
    note: str = ""
    may_write_new: bool = False
    single: bool = False
    is_focused: bool = False
    unsent: Draft | None = None

    @property
    def shown(self) -> str:
        """What is open: `conversation`, `new` for the form of a new message, or `list`."""
        return "conversation" if self.current else "new" if self.new else "list"


KEY_BYTES = 16
TALK: Final = "talk"
"""The field of the game page's address that opens a conversation beside the board."""


def link_board(slug: str, address: str = "", **fields: object) -> str:
    """Return the address of the board with press beside it: a conversation, or the list.

    `fields` are those of an attachment.
    """
    query = urlencode({**({TALK: address} if address else {}), **fields})
    return f"{find_url('games:detail', slug)}{'?' if query else ''}{query}#press"


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

    def url(self, name: str, *arguments: str) -> str:
        """Return the address of a press page of the game."""
        return find_url(f"press:{name}", self.press.slug, *arguments)


def make_key() -> str:
    """Return a key for a form, with which the server accepts its message only once."""
    return secrets.token_hex(KEY_BYTES)
