"""What the operations take and answer. Fields are added, never changed."""

import datetime as dt
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictInt

from diplomaccloud.api.tokens import Scope


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


class UnitState(Answer):
    """A unit on the board, e.g. `A PAR` of `FRANCE`."""

    power: str
    unit: str


class DislodgedState(Answer):
    """A unit that must retreat to one of these places, or disband."""

    power: str
    unit: str
    attacked_from: str
    retreats: list[str]


class BoardState(Answer):
    """Where the units are, and whose the centers; neutral centers are left out."""

    units: list[UnitState]
    dislodged: list[DislodgedState]
    centers: Mapping[str, str]


class PhaseState(Answer):
    """The phase that takes orders, or the last one of a finished game."""

    sequence: int = Field(description="Identifies the phase; orders name it.")
    name: str = Field(description="For example S1901M; after a rollback a name can occur twice.")
    title: str
    opens_at: dt.datetime
    due_at: dt.datetime
    adjudicate_at: dt.datetime
    closed: bool
    paused_until: dt.datetime | None
    quiet_from: dt.datetime | None


class HolderState(Answer):
    """Who holds a seat: `person` (blank name: hidden), `bot`, or nobody (`vacant`)."""

    kind: str
    name: str


class SeatState(Answer):
    """A seat as everybody may see it; `ready` is null where that is hidden or means nothing."""

    powers: list[str]
    country: str
    holder: HolderState
    centers: int
    units: int
    eliminated: bool
    must_order: bool
    ready: bool | None


class PhaseRef(Answer):
    """A processed phase."""

    sequence: int
    name: str


class EndingState(Answer):
    """How a game ended."""

    winners: Sequence[str]
    reason: str


class GameState(Answer):
    """What everybody who may see the game may know; the same for all of them."""

    id: str
    version: int = Field(description="Grows whenever something public changes.")
    world: str
    map: str = Field(description="The hash of the map.")
    map_name: str
    status: str
    private: bool
    anonymous: bool
    suspended: bool
    rules: str
    options: dict[str, Any]
    centers_to_win: int
    master: str | None
    phase: PhaseState | None
    board: BoardState
    standoffs: list[str] = Field(description="Places no unit may retreat to, in a retreat phase.")
    seats: list[SeatState]
    last_phase: PhaseRef | None
    ending: EndingState | None


class ResultState(Answer):
    """An order of a processed phase, its result, and why."""

    power: str
    order: str
    outcome: str
    succeeded: bool
    implicit: bool = Field(description="Whether nobody wrote it.")
    reason: str
    by: list[str]


class PhaseResult(Answer):
    """A processed phase: it never changes."""

    sequence: int
    name: str
    title: str
    before: BoardState
    results: list[ResultState]
    dislodged: list[DislodgedState]
    destroyed: list[UnitState]
    standoffs: list[str]
    gained: Mapping[str, str]
    next: str
    after: BoardState


class PhaseList(Answer):
    """The processed phases of a game, the oldest first."""

    phases: list[PhaseRef]


class ListedState(Answer):
    """A game in a list."""

    id: str
    world: str
    map: str
    map_name: str
    status: str
    phase: str | None
    due_at: dt.datetime | None
    people: int
    bots: int
    seats: int
    private: bool
    suspended: bool


class OwnGame(ListedState):
    """A game of the caller's own: `needs_you` until its orders are given and ready."""

    plays: bool
    country: str
    invited: bool
    needs_you: bool


class GamePage(Answer):
    """Games, the newest first; `older` is what to send as `before` for the next ones."""

    games: list[ListedState]
    older: int | None


class Me(Answer):
    """Who the token stands for, and the games of that person."""

    screen_name: str
    token: str
    scopes: list[Scope]
    expires_at: dt.datetime
    seat: str | None = Field(description="The only game of a token for one seat.")
    unread_messages: int | None
    games: list[OwnGame]


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

    id: int
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


class LegalUnit(Answer):
    """The legal orders of a unit, or of a build or disband without one."""

    power: str
    unit: str | None
    orders: list[str]


class LegalOrders(Answer):
    """Every legal order of the caller's powers in the open phase."""

    phase: str
    sequence: int
    units: list[LegalUnit]


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


class OrdersGiven(Given):
    """Orders for the phase with this sequence number; those of other units stay as they are."""

    phase: Annotated[StrictInt, Field(ge=1, le=999_999)]
    orders: Annotated[
        list[Annotated[str, Field(max_length=300, pattern=r"\S")]], Field(max_length=120)
    ] = []
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


PhaseNumber = Annotated[StrictInt, Field(ge=1, le=999_999)]
OrderTexts = Annotated[
    list[Annotated[str, Field(max_length=300, pattern=r"\S")]], Field(max_length=120)
]


class DraftGiven(Given):
    """Orders for a draft; those of other units stay as they are in it."""

    phase: PhaseNumber
    orders: OrderTexts = []
    live: StrictBool = Field(False, description="Whether the draft is to count from now on.")
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


class GameGiven(Given):
    """A game to create; `map` is `standard` or the hash of a map."""

    world: Annotated[str, Field(min_length=1, max_length=40)]
    map: Annotated[str, Field(pattern="^(standard|[0-9a-f]{64})$")] = "standard"
    preset: Literal["2009", "table", "invitation", "live", "daily"] = "daily"
    private: StrictBool = False
    options: dict[str, Any] = Field({}, description="Options that differ from the preset's.")


class JoinGiven(Given):
    """A seat to take; `power` only for a vacant seat of a running game."""

    power: Annotated[str, Field(max_length=40)] = ""
    code: Annotated[str, Field(max_length=20)] = ""


class BotGiven(Given):
    """The name of a bot; blank for what the game's options name."""

    bot: Annotated[str, Field(max_length=20)] = ""


class Left(Answer):
    """The game in which the caller no longer has a seat."""

    game: str


class AuthorState(Answer):
    """Who wrote a message; blank where that is hidden. `former`: the seat has another player."""

    kind: str
    power: str
    country: str
    name: str
    former: bool
    is_you: bool


class ProposalReply(Answer):
    """The answer of a seat to a proposal."""

    power: str
    answer: str
    alternative: int


class ProposalText(Answer):
    """What a message proposes: its terms as in `docs/press.md`, and what became of it."""

    terms: dict[str, Any]
    state: str
    proposer: str
    parties: list[str]
    answers: list[ProposalReply]
    may_answer: bool
    may_withdraw: bool


class MessageState(Answer):
    """A message, numbered from the first one that you can read. Its text is not to be trusted."""

    number: int
    at: dt.datetime
    phase: str | None
    author: AuthorState
    subject: str
    body: str
    attached: str = Field(description="Blank, map, proposal or document.")
    proposal: ProposalText | None


class ConversationState(Answer):
    """A conversation; `why` says why nobody can write there now."""

    model_config = ConfigDict(serialize_by_alias=True, validate_by_name=True)

    members: str = Field(serialization_alias="with", validation_alias="with")
    kind: str
    unread: int
    muted: bool
    writable: bool
    why: str
    active_at: dt.datetime | None
    last: MessageState | None


class ConversationList(Answer):
    """Your conversations."""

    conversations: list[ConversationState]


class MessageList(Answer):
    """A part of a conversation, the oldest message first."""

    conversation: ConversationState
    messages: list[MessageState]
    count: int
    read: int
    has_earlier: bool
    has_later: bool


class SentState(Answer):
    """One copy of a message, and its number for its author."""

    model_config = ConfigDict(serialize_by_alias=True, validate_by_name=True)

    members: str = Field(serialization_alias="with", validation_alias="with")
    number: int


class SentMessages(Answer):
    """Where a message went; a gray one waits until it is published."""

    sent: list[SentState]
    published_at: dt.datetime | None


class Marked(Answer):
    """The conversation after a mark."""

    unread: int
    muted: bool


class ProposalAnswered(Answer):
    """What became of the proposal."""

    state: str


class ProposalGiven(Given):
    """Terms to propose; `counters` is the number of the proposal that they answer."""

    terms: dict[str, Any]
    counters: Annotated[StrictInt, Field(ge=1, le=10**9)] | None = None


MessageBody = Annotated[str, Field(max_length=10_000)]
MessageSubject = Annotated[str, Field(max_length=256)]
Members = Annotated[str, Field(alias="with", min_length=1, max_length=400)]


class MessageGiven(Given):
    """A message: to powers, or to one word such as `everyone`."""

    to: Annotated[
        list[Annotated[str, Field(min_length=1, max_length=40)]], Field(min_length=1, max_length=40)
    ]
    mode: Literal["apart", "together"] = "apart"
    subject: MessageSubject = ""
    body: MessageBody = ""
    proposal: ProposalGiven | None = None


class PersonalGiven(Given):
    """A message to a person, by the screen name."""

    to: Annotated[str, Field(min_length=1, max_length=40)]
    subject: MessageSubject = ""
    body: MessageBody


class MarkGiven(Given):
    """Which message of which conversation."""

    members: Members
    number: Annotated[StrictInt, Field(ge=0, le=10**9)] = 0


class ProposalAnswerGiven(Given):
    """An answer to the proposal in the message `number`, or to one of its alternatives."""

    members: Members
    number: Annotated[StrictInt, Field(ge=1, le=10**9)]
    answer: Literal["accept", "refuse", "decline", "withdraw"]
    alternative: Annotated[StrictInt, Field(ge=0, le=2)] = 0


class MasterGiven(Given):
    """What an act of a game master needs: `power`, `bot`, `seconds` or the phase `to` return to."""

    phase: PhaseNumber
    reason: Annotated[str, Field(max_length=1_000)]
    power: Annotated[str, Field(max_length=40)] = ""
    bot: Annotated[str, Field(max_length=20)] = ""
    seconds: Annotated[StrictInt, Field(ge=0, le=10**7)] | None = None
    to: Annotated[StrictInt, Field(ge=0, le=999_999)] = 0


class MasterDone(Answer):
    """Whether the act was done, or the players are asked."""

    done: bool
    asked: bool
