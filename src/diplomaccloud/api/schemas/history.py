"""The past of a game: its log, centers, statistics, receipts and explanations."""

import datetime as dt
from collections.abc import Mapping
from typing import Any

from pydantic import Field

from diplomaccloud.api.schemas.base import Answer


class LogLineState(Answer):
    """A line of the public log; `by` is null for the site, and blank if the name is hidden."""

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
    """Counts of a power's actions over all processed phases."""

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
    """Statistics of the powers: orders, help for each other, and stabs."""

    deeds: Mapping[str, DeedsState]
    help: list[HelpState]
    stabs: list[StabState]


class WhyState(Answer):
    """Why an order had its result; `explanation` is formatted as `trees` in `docs/protocol.md`."""

    order: str
    outcome: str
    reason: str
    explanation: dict[str, Any] | None


class ReceiptState(Answer):
    """A country's orders at a lock. `text` and `salt` are blank unless you may read them."""

    country: str
    powers: list[str]
    part: str
    digest: str
    at: dt.datetime
    open: bool
    salt: str
    text: str


class SaveState(Answer):
    """A signed receipt for orders you saved."""

    phase: str
    at: dt.datetime
    digest: str
    text: str
    salt: str
    key: str
    signature: str


class ReceiptsState(Answer):
    """The receipts of a locked phase, and your own save receipts."""

    sequence: int | None
    receipts: list[ReceiptState]
    saves: list[SaveState] = Field(
        description="Your save receipts from the locked phase and the open one."
    )


class HintState(Answer):
    """Orders suggested by a General. While it thinks, `asked` is true and `orders` is empty.

    The General keeps your deals; `warnings` has a sentence for each promise that it could not keep.
    """

    available: bool
    asked: bool
    orders: list[str]
    warnings: list[str]
