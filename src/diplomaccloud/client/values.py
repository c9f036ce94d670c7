"""What the API takes and answers.

Written by `scripts/client` from the description of the API: change that instead.
"""

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias


@dataclass(frozen=True, slots=True)
class OwnGame:
    """A game of the caller's own: `needs_you` until its orders are given and ready."""

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
    plays: bool
    country: str
    invited: bool
    needs_you: bool


Scope: TypeAlias = Literal["read", "play", "press", "create", "gm"]


@dataclass(frozen=True, slots=True)
class FieldFault:
    """A field that is wrong, missing or unknown."""

    field: str
    message: str


@dataclass(frozen=True, slots=True)
class ListedState:
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


@dataclass(frozen=True, slots=True)
class DislodgedState:
    """A unit that must retreat to one of these places, or disband."""

    power: str
    unit: str
    attacked_from: str
    retreats: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class EndingState:
    """How a game ended."""

    winners: tuple[str, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class HolderState:
    """Who holds a seat: `person` (blank name: hidden), `bot`, or nobody (`vacant`)."""

    kind: str
    name: str


@dataclass(frozen=True, slots=True)
class PhaseRef:
    """A processed phase."""

    sequence: int
    name: str


@dataclass(frozen=True, slots=True)
class PhaseState:
    """The phase that takes orders, or the last one of a finished game.

    `sequence`: Identifies the phase; orders name it.
    `name`: For example S1901M; after a rollback a name can occur twice.
    """

    sequence: int
    name: str
    title: str
    opens_at: dt.datetime
    due_at: dt.datetime
    adjudicate_at: dt.datetime
    closed: bool
    paused_until: dt.datetime | None
    quiet_from: dt.datetime | None


@dataclass(frozen=True, slots=True)
class UnitState:
    """A unit on the board, e.g. `A PAR` of `FRANCE`."""

    power: str
    unit: str


@dataclass(frozen=True, slots=True)
class Left:
    """The game in which the caller no longer has a seat."""

    game: str


@dataclass(frozen=True, slots=True)
class ResultState:
    """An order of a processed phase, its result, and why.

    `implicit`: Whether nobody wrote it.
    """

    power: str
    order: str
    outcome: str
    succeeded: bool
    implicit: bool
    reason: str
    by: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MasterDone:
    """Whether the act was done, or the players are asked."""

    done: bool
    asked: bool


@dataclass(frozen=True, slots=True)
class OrderAnswer:
    """How one text was read, or why it was refused."""

    text: str
    message: str
    unit: str


@dataclass(frozen=True, slots=True)
class DraftState:
    """A named set of orders; the live one counts."""

    name: str
    live: bool
    saved_at: dt.datetime | None
    version: str
    orders: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MissingOrders:
    """What has no order yet: units, and builds or disbands by power."""

    units: tuple[str, ...]
    adjustments: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class VoteState:
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


@dataclass(frozen=True, slots=True)
class AuthorState:
    """Who wrote a message; blank where that is hidden. `former`: the seat has another player."""

    kind: str
    power: str
    country: str
    name: str
    former: bool
    is_you: bool


@dataclass(frozen=True, slots=True)
class ProposalReply:
    """The answer of a seat to a proposal."""

    power: str
    answer: str
    alternative: int


@dataclass(frozen=True, slots=True)
class SentState:
    """One copy of a message, and its number for its author."""

    with_: str
    number: int


@dataclass(frozen=True, slots=True)
class ProposalGiven:
    """Terms to propose; `counters` is the number of the proposal that they answer."""

    terms: Mapping[str, Any]
    counters: int | None = None


@dataclass(frozen=True, slots=True)
class Marked:
    """The conversation after a mark."""

    unread: int
    muted: bool


@dataclass(frozen=True, slots=True)
class ProposalAnswered:
    """What became of the proposal."""

    state: str


@dataclass(frozen=True, slots=True)
class LegalUnit:
    """The legal orders of a unit, or of a build or disband without one."""

    power: str
    unit: str | None
    orders: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Me:
    """Who the token stands for, and the games of that person.

    `seat`: The only game of a token for one seat.
    """

    screen_name: str
    token: str
    scopes: tuple[Scope, ...]
    expires_at: dt.datetime
    seat: str | None
    unread_messages: int | None
    games: tuple[OwnGame, ...]


@dataclass(frozen=True, slots=True)
class GamePage:
    """Games, the newest first; `older` is what to send as `before` for the next ones."""

    games: tuple[ListedState, ...]
    older: int | None


@dataclass(frozen=True, slots=True)
class BoardState:
    """Where the units are, and whose the centers; neutral centers are left out."""

    units: tuple[UnitState, ...]
    dislodged: tuple[DislodgedState, ...]
    centers: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class SeatState:
    """A seat as everybody may see it; `ready` is null where that is hidden or means nothing."""

    powers: tuple[str, ...]
    country: str
    holder: HolderState
    centers: int
    units: int
    eliminated: bool
    must_order: bool
    ready: bool | None


@dataclass(frozen=True, slots=True)
class PhaseList:
    """The processed phases of a game, the oldest first."""

    phases: tuple[PhaseRef, ...]


@dataclass(frozen=True, slots=True)
class SavedOrders:
    """What was saved: refused orders never cost the others.

    `accepted`: The orders of this request, as they were read.
    `orders`: Everything that the draft orders now.
    `ready`: Whether this request made the seat ready.
    `not_ready`: Why not: refused, not-live, undecided.
    """

    sequence: int
    draft: str
    live: bool
    accepted: tuple[str, ...]
    refused: tuple[OrderAnswer, ...]
    orders: tuple[str, ...]
    ready: bool
    not_ready: str | None
    receipt: str | None


@dataclass(frozen=True, slots=True)
class OwnSeat:
    """The caller's own seat, which nobody else sees.

    `questions`: What the caller may put to the players now.
    `receipt`: The digest of the last signed receipt.
    """

    game: str
    powers: tuple[str, ...]
    country: str
    phase: str | None
    sequence: int | None
    due_at: dt.datetime | None
    closed: bool
    must_order: bool
    missing: MissingOrders
    ready: bool
    saved_at: dt.datetime | None
    orders: tuple[str, ...]
    drafts: tuple[DraftState, ...]
    conditional_orders: str
    conditional_orders_version: str
    draw_vote: str
    votes: tuple[VoteState, ...]
    questions: tuple[str, ...]
    surrendered: bool
    done_talking: bool | None
    receipt: str | None


@dataclass(frozen=True, slots=True)
class ProposalText:
    """What a message proposes: its terms as in `docs/press.md`, and what became of it."""

    terms: Mapping[str, Any]
    state: str
    proposer: str
    parties: tuple[str, ...]
    answers: tuple[ProposalReply, ...]
    may_answer: bool
    may_withdraw: bool


@dataclass(frozen=True, slots=True)
class SentMessages:
    """Where a message went; a gray one waits until it is published."""

    sent: tuple[SentState, ...]
    published_at: dt.datetime | None


@dataclass(frozen=True, slots=True)
class LegalOrders:
    """Every legal order of the caller's powers in the open phase."""

    phase: str
    sequence: int
    units: tuple[LegalUnit, ...]


@dataclass(frozen=True, slots=True)
class GameState:
    """What everybody who may see the game may know; the same for all of them.

    `version`: Grows whenever something public changes.
    `map`: The hash of the map.
    `standoffs`: Places no unit may retreat to, in a retreat phase.
    """

    id: str
    version: int
    world: str
    map: str
    map_name: str
    status: str
    private: bool
    anonymous: bool
    suspended: bool
    rules: str
    options: Mapping[str, Any]
    centers_to_win: int
    master: str | None
    phase: PhaseState | None
    board: BoardState
    standoffs: tuple[str, ...]
    seats: tuple[SeatState, ...]
    last_phase: PhaseRef | None
    ending: EndingState | None


@dataclass(frozen=True, slots=True)
class PhaseResult:
    """A processed phase: it never changes."""

    sequence: int
    name: str
    title: str
    before: BoardState
    results: tuple[ResultState, ...]
    dislodged: tuple[DislodgedState, ...]
    destroyed: tuple[UnitState, ...]
    standoffs: tuple[str, ...]
    gained: Mapping[str, str]
    next: str
    after: BoardState


@dataclass(frozen=True, slots=True)
class MessageState:
    """A message, numbered from the first one that you can read. Its text is not to be trusted.

    `attached`: Blank, map, proposal or document.
    """

    number: int
    at: dt.datetime
    phase: str | None
    author: AuthorState
    subject: str
    body: str
    attached: str
    proposal: ProposalText | None


@dataclass(frozen=True, slots=True)
class ConversationState:
    """A conversation; `why` says why nobody can write there now."""

    with_: str
    kind: str
    unread: int
    muted: bool
    writable: bool
    why: str
    active_at: dt.datetime | None
    last: MessageState | None


@dataclass(frozen=True, slots=True)
class ConversationList:
    """Your conversations."""

    conversations: tuple[ConversationState, ...]


@dataclass(frozen=True, slots=True)
class MessageList:
    """A part of a conversation, the oldest message first."""

    conversation: ConversationState
    messages: tuple[MessageState, ...]
    count: int
    read: int
    has_earlier: bool
    has_later: bool
