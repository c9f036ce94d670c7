"""Base classes of all answers and request bodies, and problem documents."""

from typing import Annotated, Final

from pydantic import BaseModel, ConfigDict, Field, StrictInt


class Answer(BaseModel):
    """An answer, or part of one. Clients must ignore unknown fields."""


class Given(BaseModel):
    """A request body, or part of one. Unknown fields are refused."""

    model_config = ConfigDict(extra="forbid")


class FieldFault(Answer):
    """A field that is wrong, missing or unknown."""

    field: str
    message: str


class OrderAnswer(Answer):
    """A refused order: its text, the reason, and its unit if that could be read."""

    text: str
    message: str
    unit: str


class ProblemDocument(Answer):
    """A problem document (RFC 9457). The request changed nothing."""

    type: str = Field(description="A URN that never changes. Use it to identify the problem.")
    title: str
    status: int
    detail: str = Field(description="An explanation for people to read.")
    errors: list[FieldFault] = Field([], description="Each field that is wrong.")
    orders: list[OrderAnswer] = Field(
        [], description="With the type `orders`: each refused order and the reason."
    )
    scope: str | None = Field(
        None, description="With the type `scope`: the scope that the token lacks."
    )


PhaseNumber = Annotated[StrictInt, Field(ge=1, le=999_999)]
ALIASED: Final = ConfigDict(serialize_by_alias=True, validate_by_name=True)
"""The configuration of an answer with a `WithField`."""
WithField = Annotated[str, Field(serialization_alias="with", validation_alias="with")]
"""The field `with`, which is a keyword in Python: the other members of a conversation."""
