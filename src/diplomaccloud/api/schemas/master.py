"""Game master actions."""

import datetime as dt
from typing import Annotated

from pydantic import Field, StrictInt

from diplomaccloud.api.schemas.base import Answer, Given, PhaseNumber
from diplomaccloud.api.schemas.boards import ResultState


class MasterGiven(Given):
    """A game master action; some need `power`, `bot`, `seconds` or the phase `to` return to.

    If the players vote on a removal, its `cause` is `missed turns`, `abuse` or `own wish`.
    """

    phase: PhaseNumber
    reason: Annotated[str, Field(max_length=1_000)]
    power: Annotated[str, Field(max_length=40)] = ""
    cause: Annotated[str, Field(max_length=20)] = ""
    bot: Annotated[str, Field(max_length=20)] = ""
    seconds: Annotated[StrictInt, Field(ge=0, le=10**7)] | None = None
    to: Annotated[StrictInt, Field(ge=0, le=999_999)] = 0


class MasterDone(Answer):
    """Whether the action was done, or put to the players as a vote."""

    done: bool
    asked: bool


class PreviewGiven(Given):
    """The phase whose results to preview, and the reason."""

    phase: PhaseNumber
    reason: Annotated[str, Field(max_length=1_000)]


class PreviewState(Answer):
    """The results of the current orders."""

    results: list[ResultState]


class LookGiven(Given):
    """The powers in a private conversation, and the reason for reading it."""

    powers: Annotated[
        list[Annotated[str, Field(min_length=1, max_length=40)]], Field(min_length=2, max_length=40)
    ]
    reason: Annotated[str, Field(max_length=1_000)]


class CopyState(Answer):
    """A message in the conversation; `name` is blank if it is hidden."""

    at: dt.datetime
    phase: str | None
    country: str
    name: str
    subject: str
    body: str
    attached: str


class LookState(Answer):
    """The latest messages in the conversation, oldest first."""

    messages: list[CopyState]
