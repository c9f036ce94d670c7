"""Press as values for templates: the list of conversations, one conversation, the composer."""

import datetime as dt
from dataclasses import dataclass

from django.utils.safestring import SafeString

from diplomaccloud.press.presenters.attached import Attached, AttachLink, AttachmentView, AttachMenu


@dataclass(frozen=True, slots=True)
class Flag:
    """A country with its color."""

    country: str
    color: str


@dataclass(frozen=True, slots=True)
class ConversationLine:
    """A conversation in a list; `icon` stands for one without flags.

    `author` and `excerpt` are of the last message, blank if there is none. `place` names the game
    in a list of all games. `about` says who the others are.
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
    when: str = ""
    unread: int = 0
    muted: bool = False
    closed: bool = False
    current: bool = False
    place: str = ""


@dataclass(frozen=True, slots=True)
class MessageView:
    """A message as a bubble.

    `divider` is the title of the phase that begins with this message, `heading` what is spoken
    before the text, without the time. `when` is the time for those without scripts. `seat` is the
    power of another seat, which can be muted, and `person` a name that can be blocked.
    """

    number: int
    heading: str
    author: str
    color: str
    yours: bool
    body: SafeString
    at: dt.datetime
    when: str
    subject: str = ""
    divider: str = ""
    first_unread: bool = False
    note: str = ""
    attachments: tuple[AttachmentView, ...] = ()
    seat: str = ""
    seat_country: str = ""
    muted: bool = False
    person: str = ""


@dataclass(frozen=True, slots=True)
class WaitingView:
    """A gray message of the viewer that is published at a time to come."""

    subject: str
    body: SafeString
    at: dt.datetime
    when: str


@dataclass(frozen=True, slots=True)
class Composer:
    """The form for one conversation; `about` says who will read it, if that is not obvious.

    `carry_url` takes the form without sending the message.
    """

    action: str
    to: str
    label: str
    title: str
    key: str
    unsent: str
    carry_url: str = ""
    flags: tuple[Flag, ...] = ()
    icon: str = ""
    about: str = ""
    subject: str = ""
    body: str = ""
    error: str = ""
    attached: Attached | None = None
    attach_links: tuple[AttachLink, ...] = ()
    attach_menu: AttachMenu | None = None
    is_carried: bool = False


@dataclass(frozen=True, slots=True)
class Addressee:
    """A country that a new message can go to; `note` says what to know before writing."""

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
    addressees: tuple[Addressee, ...]
    carry_url: str = ""
    everyone_url: str = ""
    everyone_carry_url: str = ""
    may_join: bool = True
    together: bool = False
    subject: str = ""
    body: str = ""
    error: str = ""
    attached: Attached | None = None
    attach_links: tuple[AttachLink, ...] = ()
    attach_menu: AttachMenu | None = None
    is_carried: bool = False

    @property
    def has_text(self) -> bool:
        """Whether there is someone to write to, or a text that was refused."""
        return bool(self.addressees or self.subject or self.body)


@dataclass(frozen=True, slots=True)
class Draft:
    """What stands in a form: text that was refused, and why, or what a link attaches.

    `is_carried` says that the text comes from another form of the person, `has_menu` that the
    person chooses what to attach.
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
        """What the person has typed, each text with its label."""
        texts = (("Subject", self.subject), ("Your message", self.body))
        return tuple((label, text) for label, text in texts if text)


@dataclass(frozen=True, slots=True)
class OpeningState:
    """One conversation: `value` is what its form sends, `text` how it stands, blank if private.

    `may_agree` and `may_withdraw` say which buttons it has.
    """

    title: str
    flags: tuple[Flag, ...]
    icon: str
    url: str
    value: str
    address: str
    count: int
    text: str
    is_open: bool
    may_agree: bool
    may_withdraw: bool
    button: str
    agree_url: str
    withdraw_url: str
    page_url: str


@dataclass(frozen=True, slots=True)
class ConversationView:
    """One conversation. `closed` says why there is no composer; `about` who reads it.

    `first` and `last` are the numbers of the first and last message shown, 0 without messages;
    `more` is whether there are newer ones, for which `newest_url` asks on a page of old ones.
    `blocked` is None where nobody can be blocked. `opening` says after the end whether it is open.
    `draft` is refused text of a conversation that has been closed meanwhile. `waiting` are gray
    messages of the viewer to come.
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
    actions_url: str
    newest_url: str = ""
    blocked: bool | None = None
    opening: OpeningState | None = None
    waiting: tuple[WaitingView, ...] = ()


@dataclass(frozen=True, slots=True)
class TalkState:
    """The button "Done talking"; `done` is whether the viewer has pressed it."""

    done: bool
    url: str
    sequence: int
    text: str


@dataclass(frozen=True, slots=True)
class PressView:
    """What one viewer sees of a game's press.

    `writes` is whether the viewer takes part in it. `is_focused` says that the viewer has asked for
    the form of a new message, and `unsent` is refused text where that form no longer exists.
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
