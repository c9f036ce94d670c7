"""Answers: base classes of their schemas, and of request bodies; JSON, files and ETags."""

from dataclasses import dataclass
from typing import Annotated, Any, Final, Self

from django.http import HttpResponse
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StrictInt

from diplomaccloud.games.deadlines.read import ClockState, read_clock
from diplomaccloud.games.table.read import Reader


class ApiAnswer(BaseModel):
    """An answer, or part of one. Clients must ignore unknown fields.

    Its parts are read from the values of `games` and `press`: a field is the attribute with its
    name, or with its `validation_alias`.
    """

    model_config = ConfigDict(from_attributes=True, serialize_by_alias=True, validate_by_name=True)

    @classmethod
    def of(cls, **fields: object) -> Self:
        """Return the answer with these fields, and parts that are read from values."""
        return cls.model_validate(fields)


class Given(BaseModel):
    """A request body, or part of one. Unknown fields are refused."""

    model_config = ConfigDict(extra="forbid")


class FieldFault(ApiAnswer):
    """A field that is wrong, missing or unknown."""

    field: str
    message: str


class OrderAnswer(ApiAnswer):
    """A refused order: its text, the reason, and its unit if that could be read."""

    text: str = Field(validation_alias="short")
    message: str
    unit: str = Field(validation_alias="key")


class ProblemDocument(ApiAnswer):
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
        None, description="With the type `scope`: the scope that the token lacks; null otherwise."
    )


Text = Annotated[str, BeforeValidator(str)]
"""The text of a phase, a unit or an order."""
TextOrNull = Annotated[str | None, BeforeValidator(lambda text: text or None)]
"""A text that is null instead of blank."""
IsSet = Annotated[bool, BeforeValidator(lambda value: value is not None)]
"""Whether the attribute has a value."""
PhaseNumber = Annotated[StrictInt, Field(ge=1, le=999_999)]
JSON: Final = "application/json"
FOREVER: Final = "max-age=31536000, immutable"


@dataclass(frozen=True, slots=True)
class File:
    """An answer that is not JSON."""

    media_type: str


SVG: Final = File("image/svg+xml")
PNG: Final = File("image/png")
LINES: Final = File("application/jsonl; charset=utf-8")


def reply(answer: object, kind: Any, status: int = 200) -> HttpResponse:
    """Return the answer as JSON, read as the schema `kind`."""
    body = kind.model_validate(answer).model_dump_json()
    return HttpResponse(body, status=status, content_type=JSON)


def find_tag(reader: Reader) -> str:
    """Return the ETag of a game's public state; it includes the clock, which changes over time."""
    clock = read_clock(reader)
    state = "" if clock is None or clock.state is ClockState.OPEN else f"-{clock.state.value}"
    return f'"{reader.version}{state}"'
