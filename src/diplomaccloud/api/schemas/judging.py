"""The judge's protocol, as described in `docs/protocol.md`."""

from typing import Annotated, Any

from pydantic import Field, StrictBool

from diplomaccloud.api.schemas.base import Answer, Given

Word = Annotated[str, Field(max_length=300)]
ByPower = Annotated[dict[Word, Annotated[list[Word], Field(max_length=2_000)]], Field()]


class JudgeGiven(Given):
    """A position with orders; `map` is `standard`, the hash of a map on this site, or a map."""

    id: Annotated[str, Field(max_length=100)] | None = None
    map: Annotated[str, Field(pattern="^(standard|[0-9a-f]{64})$")] | dict[str, Any] = "standard"
    rules: Annotated[str, Field(max_length=40)] | dict[str, Any] = "2000"
    phase: Annotated[str, Field(pattern="^([SF][0-9]{1,5}[MR]|W[0-9]{1,5}A)$")]
    units: ByPower
    centers: ByPower | None = None
    dislodged: dict[Word, dict[Word, list[Word]]] | None = None
    orders: ByPower = {}
    seed: Annotated[str, Field(max_length=2_000)] = ""
    explain: StrictBool = False


class OrderError(Answer):
    """An order that was refused."""

    power: str
    order: str
    message: str


class Judged(Answer):
    """The result of every unit, the reasons, and the next position."""

    id: str | None
    results: dict[str, str]
    dislodged: dict[str, Any]
    next: dict[str, Any]
    why: dict[str, str]
    errors: list[OrderError]
    ending: dict[str, Any] | None = None
    trees: dict[str, Any] | None = None
