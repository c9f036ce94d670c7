"""The past of a game: its log, centers, statistics, receipts and explanations."""

import datetime as dt
from collections.abc import Mapping
from typing import Any

from pydantic import Field

from diplomaccloud.api.schemas.base import Answer


class LogLineState(Answer):
    """A line of the public log; `by` is null for the site, and blank where a name is hidden."""

    at: dt.datetime
    kind: str
    phase: str | None
    text: str
    reason: str
    by: str | None


class LogState(Answer):
    """A page of the log, the newest line first."""

    lines: list[LogLineState]
    page: int
    pages: int


class CentersState(Answer):
    """Who owned which center after each year."""

    years: Mapping[int, Mapping[str, str]]


class DeedsState(Answer):
    """What a power did in all processed phases."""

    moves: int
    moved: int
    supports: int
    given: int
    convoys: int
    built: int
    dislodged: int
    lost: int


class HelpState(Answer):
    """How many supports and convoys one power gave another."""

    giver: str
    taker: str
    count: int


class StabState(Answer):
    """An attack on a power soon after help between the two."""

    phase: str
    by: str
    against: str
    where: str
    took_center: bool


class StatisticsState(Answer):
    """What the powers did to each other."""

    deeds: Mapping[str, DeedsState]
    help: list[HelpState]
    stabs: list[StabState]


class WhyState(Answer):
    """Why an order had its result; `explanation` as `trees` of `docs/protocol.md`."""

    order: str
    outcome: str
    reason: str
    explanation: dict[str, Any] | None


class ReceiptState(Answer):
    """What a country had ordered at a lock; text and salt only where you may read them."""

    country: str
    powers: list[str]
    part: str
    digest: str
    at: dt.datetime
    open: bool
    salt: str
    text: str


class SaveState(Answer):
    """A signed receipt of your own for what you have saved."""

    phase: str
    at: dt.datetime
    digest: str
    text: str
    salt: str
    key: str
    signature: str


class ReceiptsState(Answer):
    """Receipts of a locked phase, and your own of what you have saved in it."""

    sequence: int | None
    receipts: list[ReceiptState]
    saves: list[SaveState] = Field(description="Of the locked phase and of the open one.")


class HintState(Answer):
    """What a General would order; while it thinks, `asked` is true without orders."""

    available: bool
    asked: bool
    orders: list[str]
