"""The template values that all kinds of attachments share."""

from dataclasses import dataclass
from typing import Final, Protocol

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
