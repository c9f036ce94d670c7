"""What all answers and bodies have in common, and the refusals."""

from typing import Annotated, Final

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
ALIASED: Final = ConfigDict(serialize_by_alias=True, validate_by_name=True)
"""For an answer with a `WithField`."""
WithField = Annotated[str, Field(serialization_alias="with", validation_alias="with")]
"""The field `with`, a word that Python keeps for itself: whom a conversation is with."""
