"""The caller's own seat: orders, drafts and votes."""

import datetime as dt
from collections.abc import Mapping
from typing import Annotated, Final, Literal

from pydantic import Field, StrictBool, StrictInt

from diplomaccloud.api.schemas.base import Answer, Given, OrderAnswer, PhaseNumber


class DraftState(Answer):
    """A draft: a named set of orders. Only the live draft counts."""

    name: str
    live: bool
    saved_at: dt.datetime | None
    version: str
    orders: list[str]


class MissingOrders(Answer):
    """Units without an order, and the number of missing builds or disbands for each power."""

    units: list[str]
    adjustments: Mapping[str, int]


class VoteState(Answer):
    """A question put to the players, about the country of `power` if not blank. Votes are secret.

    A vote on a removal has a `cause`: `missed turns`, `abuse` or `own wish`.
    """

    id: str
    question: str
    power: str
    cause: str
    agreed: int
    against: int
    needed: int
    closes_at: dt.datetime
    own: bool | None
    may_vote: bool
    may_withdraw: bool
    outcome: str


class OwnSeat(Answer):
    """The caller's private view of their seat."""

    game: str
    powers: list[str]
    country: str
    phase: str | None
    sequence: int | None
    due_at: dt.datetime | None
    closed: bool = Field(
        description="Whether your orders can no longer change; in a grace period, that may be true "
        "only of the seats that had saved orders."
    )
    must_order: bool
    missing: MissingOrders
    ready: bool
    saved_at: dt.datetime | None
    orders: list[str]
    drafts: list[DraftState]
    conditional_orders: str
    conditional_orders_version: str
    draw_vote: str
    votes: list[VoteState]
    questions: list[str] = Field(
        description="The questions that the caller may put to the players now."
    )
    surrendered: bool
    done_talking: bool | None
    receipt: str | None = Field(description="The digest of the last signed receipt.")
    unread_messages: int | None = Field(
        description="In this game, except muted conversations. Null without the scope `press`."
    )


class LegalUnit(Answer):
    """The legal orders of a unit, in winter of a unit that you can build or disband.

    If you have builds, the last entry of each power has `"unit": null` and the order `WAIVE`, which
    gives up one build.
    """

    power: str
    unit: str | None = Field(description="For example `A PAR`; null for `WAIVE`.")
    orders: list[str]
    rows: list[list[int]] | None = Field(
        None, description="Each order as province, code, target, goal. See `docs/library.md`."
    )


class LegalOrders(Answer):
    """Every legal order of the caller's powers in the open phase."""

    phase: str
    sequence: int
    units: list[LegalUnit]
    due: Mapping[str, int] = Field(
        description="In winter, how many builds each power has; a negative number counts disbands. "
        "More builds or disbands may be legal than are due: choose as many as are due."
    )
    state: list[int] | None = Field(None, description="The position as a row of a batch.")


class SavedOrders(Answer):
    """What was saved. Legal orders are saved even if others in the request are refused."""

    sequence: int
    draft: str
    live: bool
    accepted: list[str] = Field(description="The orders of this request, as they were read.")
    refused: list[OrderAnswer]
    orders: list[str] = Field(description="All orders in the draft now.")
    ready: bool = Field(
        description="Whether the seat is ready now. Saving other orders does not clear the mark."
    )
    not_ready: str | None = Field(
        description="Why the seat is not ready although you sent `ready`: `refused`, `not-live` or "
        "`undecided`."
    )
    receipt: str | None = Field(description="The digest of the signed receipt, for the live draft.")


OrderTexts = Annotated[
    list[Annotated[str, Field(max_length=300, pattern=r"\S")]], Field(max_length=120)
]


_ORDERS: Final = (
    "Without `orders`, or with an empty list, all saved orders stay. In winter, the builds and "
    "waives in the list replace all builds and waives that the power has saved; saved disbands "
    "stay while there is room. If an order is refused, saved builds stay too, and new ones are "
    "added only while there is room."
)


class OrdersGiven(Given):
    """Orders for the phase with this number. Units that you don't name keep their orders."""

    phase: PhaseNumber
    orders: OrderTexts | None = Field(None, description=_ORDERS)
    ready: StrictBool | None = Field(
        None, description="Set the ready mark (true), clear it (false), or leave it (null)."
    )
    confirmed: StrictBool = Field(
        False, description="With `ready`, confirms that some units are meant to have no order."
    )
    draft: Annotated[str, Field(max_length=60)] = ""
    version: Annotated[str, Field(max_length=64)] = Field(
        "", description="The draft version you are editing. Returns 409 if the draft has changed."
    )


class DraftGiven(Given):
    """Orders for a draft. Units that you don't name keep their orders in the draft."""

    phase: PhaseNumber
    orders: OrderTexts | None = Field(None, description=_ORDERS)
    live: StrictBool = Field(False, description="Whether to make this the live draft.")
    copied: StrictBool = Field(
        False, description="Whether to start a new draft as a copy of the live one."
    )
    version: Annotated[str, Field(max_length=64)] = ""


class ConditionalOrdersGiven(Given):
    """Conditional orders, one clause on each line, as on the page."""

    phase: PhaseNumber
    text: Annotated[str, Field(max_length=8_000)]
    version: Annotated[str, Field(max_length=64)] = ""


class DrawVoteGiven(Given):
    """A draw vote, written with the orders."""

    phase: PhaseNumber
    vote: Literal["draw", "surrender", "none"]


class QuestionGiven(Given):
    """A question to all players; `power` wins by a concession, and `seconds` is a duration."""

    phase: PhaseNumber
    question: Literal["draw", "concede", "cancel", "extend", "pause", "resume"]
    power: Annotated[str, Field(max_length=40)] = ""
    seconds: Annotated[StrictInt, Field(ge=0, le=10**7)] | None = None


class AnswerGiven(Given):
    """An answer to a question."""

    phase: PhaseNumber
    answer: Literal["yes", "no", "withdraw"]


class TalkGiven(Given):
    """Whether you have finished talking in the phase."""

    phase: PhaseNumber
    done: StrictBool


class RenameGiven(Given):
    """A new name for a draft."""

    phase: PhaseNumber
    new_name: Annotated[str, Field(min_length=1, max_length=60)]


class HintGiven(Given):
    """The phase for which to get a hint."""

    phase: PhaseNumber
