"""The caller's own seat: orders, drafts and votes."""

import datetime as dt
from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import Field, StrictBool, StrictInt

from diplomaccloud.api.schemas.base import Answer, Given, PhaseNumber


class DraftState(Answer):
    """A named set of orders; the live one counts."""

    name: str
    live: bool
    saved_at: dt.datetime | None
    version: str
    orders: list[str]


class MissingOrders(Answer):
    """What has no order yet: units, and builds or disbands by power."""

    units: list[str]
    adjustments: Mapping[str, int]


class VoteState(Answer):
    """A question put to the players; nobody sees who voted how."""

    id: str
    question: str
    agreed: int
    against: int
    needed: int
    closes_at: dt.datetime
    own: bool | None
    may_vote: bool
    may_withdraw: bool
    outcome: str


class OwnSeat(Answer):
    """The caller's own seat, which nobody else sees."""

    game: str
    powers: list[str]
    country: str
    phase: str | None
    sequence: int | None
    due_at: dt.datetime | None
    closed: bool
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
    questions: list[str] = Field(description="What the caller may put to the players now.")
    surrendered: bool
    done_talking: bool | None
    receipt: str | None = Field(description="The digest of the last signed receipt.")
    unread_messages: int | None = Field(
        description="In this game, without muted conversations; null without the scope `press`."
    )


class LegalUnit(Answer):
    """The legal orders of a unit, or of a build or disband without one."""

    power: str
    unit: str | None
    orders: list[str]
    rows: list[list[int]] | None = Field(
        None, description="The orders as province, code, target, goal: see `docs/library.md`."
    )


class LegalOrders(Answer):
    """Every legal order of the caller's powers in the open phase."""

    phase: str
    sequence: int
    units: list[LegalUnit]
    due: Mapping[str, int] = Field(
        description="In winter, how many units each power may build, or below 0 must disband."
    )
    state: list[int] | None = Field(None, description="The position as a row of a batch.")


class OrderAnswer(Answer):
    """How one text was read, or why it was refused."""

    text: str
    message: str
    unit: str


class SavedOrders(Answer):
    """What was saved: refused orders never cost the others."""

    sequence: int
    draft: str
    live: bool
    accepted: list[str] = Field(description="The orders of this request, as they were read.")
    refused: list[OrderAnswer]
    orders: list[str] = Field(description="Everything that the draft orders now.")
    ready: bool = Field(description="Whether this request made the seat ready.")
    not_ready: str | None = Field(description="Why not: refused, not-live, undecided.")
    receipt: str | None


OrderTexts = Annotated[
    list[Annotated[str, Field(max_length=300, pattern=r"\S")]], Field(max_length=120)
]


class OrdersGiven(Given):
    """Orders for the phase with this sequence number; those of other units stay as they are."""

    phase: PhaseNumber
    orders: OrderTexts = []
    ready: StrictBool | None = Field(
        None, description="true: the orders are final; false: no longer; null: no change."
    )
    confirmed: StrictBool = Field(
        False, description="With `ready`, although something is left to order."
    )
    draft: Annotated[str, Field(max_length=60)] = ""
    version: Annotated[str, Field(max_length=64)] = Field(
        "", description="The version of the draft that this is based on: 409 if it has changed."
    )


class DraftGiven(Given):
    """Orders for a draft; those of other units stay as they are in it."""

    phase: PhaseNumber
    orders: OrderTexts = []
    live: StrictBool = Field(False, description="Whether the draft is to count from now on.")
    copied: StrictBool = Field(False, description="Whether a new one begins as a copy of the live.")
    version: Annotated[str, Field(max_length=64)] = ""


class ConditionalOrdersGiven(Given):
    """Conditional orders, one clause a line, as on the page."""

    phase: PhaseNumber
    text: Annotated[str, Field(max_length=8_000)]
    version: Annotated[str, Field(max_length=64)] = ""


class DrawVoteGiven(Given):
    """What is written with the orders."""

    phase: PhaseNumber
    vote: Literal["draw", "surrender", "none"]


class QuestionGiven(Given):
    """A question to all players; `power` wins by a concession, `seconds` is a length of time."""

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
    """Another name for a draft."""

    phase: PhaseNumber
    new_name: Annotated[str, Field(min_length=1, max_length=60)]


class HintGiven(Given):
    """The phase that a General thinks about."""

    phase: PhaseNumber
