"""The values of attachments for templates, which every kind of attachment shares."""

from dataclasses import dataclass
from typing import Final, Protocol

COMPOSE: Final = "compose"
"""What a button of the composer sends to the page on which something to attach is made."""


class AttachmentView(Protocol):
    """A value with the template that shows it, where it is called `attachment`."""

    @property
    def template(self) -> str:
        """The template."""


@dataclass(frozen=True, slots=True)
class AttachLink:
    """A button of the composer that leads to the page where something to attach is made.

    A script opens `url`. Without one, the button sends the form with `do` to `action`, so that the
    text goes along; a blank `action` is the page of the composer.
    """

    label: str
    icon: str
    url: str
    action: str
    do: str


@dataclass(frozen=True, slots=True)
class AttachChoice:
    """Something made before that the composer can carry: a field of the form with its value."""

    name: str
    value: str
    label: str


@dataclass(frozen=True, slots=True)
class AttachMenu:
    """What can be attached, for people without scripts: made before, or on the page `url`."""

    choices: tuple[AttachChoice, ...]
    url: str


@dataclass(frozen=True, slots=True)
class Attached:
    """What the composer carries: the fields of the form, and what the person sees of it."""

    fields: tuple[tuple[str, str], ...]
    label: str
    icon: str
    url: str = ""
    remove_url: str = ""
