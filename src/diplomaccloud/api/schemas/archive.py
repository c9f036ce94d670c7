"""The public press of a finished game, and consents to open conversations."""

from typing import Annotated

from pydantic import Field, StrictInt

from diplomaccloud.api.schemas.base import ALIASED, Answer, Given, WithField
from diplomaccloud.api.schemas.places import Members
from diplomaccloud.api.schemas.press import MessageState


class OpeningState(Answer):
    """One of your conversations; `agreed` and `open` are numbers of its messages."""

    model_config = ALIASED

    members: WithField
    count: int
    agreed: int = Field(description="The last message that you agreed to open.")
    open: int = Field(description="The last message that everyone can read.")


class OpeningList(Answer):
    """Your conversations that can be opened now that the game is over."""

    conversations: list[OpeningState]


class ConsentGiven(Given):
    """A conversation, and the last message that you agree to open."""

    members: Members
    number: Annotated[StrictInt, Field(ge=0, le=10**9)]


class ConsentsGiven(Given):
    """The conversations that you agree to open."""

    conversations: Annotated[list[ConsentGiven], Field(min_length=1, max_length=500)]


class ChapterState(Answer):
    """A chapter: `before`, `after`, or the number of a phase; `undone` if it was rolled back."""

    name: str
    phase: str | None
    processed: bool
    undone: bool


class ChapterList(Answer):
    """The chapters of a finished game, in order."""

    chapters: list[ChapterState]


class OpenMessageState(Answer):
    """A public message, and the members of its conversation."""

    kind: str
    powers: list[str]
    message: MessageState


class ChapterMessages(Answer):
    """A page of the messages of a chapter, oldest first."""

    messages: list[OpenMessageState]
    has_more: bool
