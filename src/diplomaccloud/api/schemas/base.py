"""What all answers and bodies have in common, and the refusals."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, StrictInt


class Answer(BaseModel):
    """A part of an answer: clients must ignore fields that they do not know."""


class Given(BaseModel):
    """A body: unknown fields are refused."""

    model_config = ConfigDict(extra="forbid")


class FieldFault(Answer):
    """A field that is wrong, missing or unknown."""

    field: str
    message: str


class ProblemDocument(Answer):
    """A refusal, as in RFC 9457; nothing was changed."""

    type: str = Field(description="A URN that never changes; decide by this.")
    title: str
    status: int
    detail: str = Field(description="For people.")
    errors: list[FieldFault] = []


PhaseNumber = Annotated[StrictInt, Field(ge=1, le=999_999)]
