"""What everyone may read of a finished game's press, and agreeing to that."""

from typing import Annotated

from pydantic import Field, StrictInt

from diplomaccloud.api.schemas.base import ALIASED, Answer, Given, WithField
from diplomaccloud.api.schemas.places import Members
from diplomaccloud.api.schemas.press import MessageState


class OpeningState(Answer):
    """A conversation of your own; the numbers are of messages, as in the conversation."""

    model_config = ALIASED

    members: WithField
    count: int
    agreed: int = Field(description="Up to which message you agreed to open it.")
    open: int = Field(description="Up to which message everyone reads it.")


class OpeningList(Answer):
    """Your conversations that can be opened now that the game is over."""

    conversations: list[OpeningState]


class ConsentGiven(Given):
    """A conversation, and up to which message you agree to open it."""

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
    """A message that everyone may read, and whose conversation it was."""

    kind: str
    powers: list[str]
    message: MessageState


class ChapterMessages(Answer):
    """A page of the messages of a chapter, in order of time."""

    messages: list[OpenMessageState]
    has_more: bool
