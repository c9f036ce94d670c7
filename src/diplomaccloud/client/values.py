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
class ChapterState:
    """A chapter: `before`, `after`, or the number of a phase; `undone` if it was rolled back."""

    name: str
    phase: str | None
    processed: bool
    undone: bool


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
class FindingState:
    """What the ledger says of a power and a clause, counted from 0: kept, broken or moot.

    `fault`: The order that broke the clause.
    """

    clause: int
    power: str
    verdict: str
    fault: str | None


@dataclass(frozen=True, slots=True)
class MapState:
    """A conference map; `number` is that of your own map, and null for one of another person.

    `board`: The map as a text, for `what-if` and for another map.
    `sequence`: The phase of the game with which it begins.
    `powers`: Whose orders it has.
    `steps`: How many of its phases are adjudicated.
    `changes`: The board of the map that it changes; blank if none.
    """

    number: int | None
    title: str
    at: dt.datetime
    board: str
    sequence: int | None
    powers: tuple[str, ...]
    order_count: int
    mark_count: int
    steps: int
    may_adopt: bool
    changes: str


@dataclass(frozen=True, slots=True)
class ProposalReply:
    """The answer of a seat to a proposal."""

    power: str
    answer: str
    alternative: int


@dataclass(frozen=True, slots=True)
class SignatureState:
    """Who signed a document, and when."""

    power: str
    country: str
    phase: str


@dataclass(frozen=True, slots=True)
class OpeningState:
    """A conversation of your own; the numbers are of messages, as in the conversation.

    `agreed`: Up to which message you agreed to open it.
    `open`: Up to which message everyone reads it.
    """

    with_: str
    count: int
    agreed: int
    open: int


@dataclass(frozen=True, slots=True)
class ConsentGiven:
    """A conversation, and up to which message you agree to open it."""

    with_: str
    number: int


@dataclass(frozen=True, slots=True)
class MarkState:
    """Something drawn on a map; `to` is where an arrow leads, `text` that of a pin."""

    kind: str
    ink: str
    place: str
    to: str
    text: str


@dataclass(frozen=True, slots=True)
class OrderAnswer:
    """How one text was read, or why it was refused."""

    text: str
    message: str
    unit: str


@dataclass(frozen=True, slots=True)
class MarkDrawn:
    """Something to draw on a province; an arrow needs `to`, and a pin `text`."""

    kind: Literal["wash", "hatch", "arrow", "pin"]
    place: str
    ink: Literal["red", "blue", "green", "gold"] = "red"
    to: str = ""
    text: str = ""


@dataclass(frozen=True, slots=True)
class MapSaved:
    """The number of your map."""

    number: int


@dataclass(frozen=True, slots=True)
class MapPlaceGiven:
    """A map: your own one with this number, or `with` a conversation, that of a message."""

    number: int
    with_: str = ""


@dataclass(frozen=True, slots=True)
class EventState:
    """Something that happened in a game, as far as you may know it.

    `id`: Send the newest one as `after`, and you miss and repeat nothing.
    `type`: For example `phase.resolved` or `message.received`.
    `data`: Facts such as `phase`, `sequence`, `due_at`, `power`, `with` and `number`; never a
    text that someone wrote.
    """

    id: str
    type: str
    at: dt.datetime
    data: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class MapCardState:
    """A map of the gallery; `spread` is null before its fairness is measured."""

    hash: str
    name: str
    players: int
    provinces: int
    centers: int
    centers_to_win: int
    games: int
    spread: float | None
    verdict: str | None


@dataclass(frozen=True, slots=True)
class NewMapState:
    """A map that nobody has kept yet; it is forgotten after two days.

    `map`: The map, as `docs/map-format.md` says.
    """

    provinces: int
    centers: int
    powers: tuple[str, ...]
    map: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class LogLineState:
    """A line of the public log; `by` is null for the site, and blank where a name is hidden."""

    at: dt.datetime
    kind: str
    phase: str | None
    text: str
    reason: str
    by: str | None


@dataclass(frozen=True, slots=True)
class CentersState:
    """Who owned which center after each year."""

    years: Mapping[str, Mapping[str, str]]


@dataclass(frozen=True, slots=True)
class DeedsState:
    """What a power did in all processed phases."""

    moves: int
    moved: int
    supports: int
    given: int
    convoys: int
    built: int
    dislodged: int
    lost: int


@dataclass(frozen=True, slots=True)
class HelpState:
    """How many supports and convoys one power gave another."""

    giver: str
    taker: str
    count: int


@dataclass(frozen=True, slots=True)
class StabState:
    """An attack on a power soon after help between the two."""

    phase: str
    by: str
    against: str
    where: str
    took_center: bool


@dataclass(frozen=True, slots=True)
class WhyState:
    """Why an order had its result; `explanation` as `trees` of `docs/protocol.md`."""

    order: str
    outcome: str
    reason: str
    explanation: Mapping[str, Any] | None


@dataclass(frozen=True, slots=True)
class ReceiptState:
    """What a country had ordered at a lock; text and salt only where you may read them."""

    country: str
    powers: tuple[str, ...]
    part: str
    digest: str
    at: dt.datetime
    open: bool
    salt: str
    text: str


@dataclass(frozen=True, slots=True)
class SaveState:
    """A signed receipt of your own for what you have saved."""

    phase: str
    at: dt.datetime
    digest: str
    text: str
    salt: str
    key: str
    signature: str


@dataclass(frozen=True, slots=True)
class OrderError:
    """An order that was refused."""

    power: str
    order: str
    message: str


@dataclass(frozen=True, slots=True)
class MasterDone:
    """Whether the act was done, or the players are asked."""

    done: bool
    asked: bool


@dataclass(frozen=True, slots=True)
class CopyState:
    """A message of the conversation; a blank name is hidden."""

    at: dt.datetime
    phase: str | None
    country: str
    name: str
    subject: str
    body: str
    attached: str


@dataclass(frozen=True, slots=True)
class NoticeState:
    """A notice; `path` is a page of the site."""

    title: str
    body: str
    path: str
    at: dt.datetime
    new: bool


@dataclass(frozen=True, slots=True)
class NoticeSettingsState:
    """Which kinds go through which channels, and quiet hours.

    `with_text`: Whether notices may quote messages.
    """

    kinds: Mapping[str, Mapping[str, bool]]
    with_text: bool
    quiet_from: str | None
    quiet_until: str | None
    zone: str
    last_reminder_passes: bool


@dataclass(frozen=True, slots=True)
class DestinationState:
    """Where notices go."""

    key: str
    channel: str
    address: str
    since: dt.datetime
    confirmed: bool
    off: bool
    failing: bool


@dataclass(frozen=True, slots=True)
class WaitingState:
    """A gray message of your own that is not published yet."""

    subject: str
    body: str
    published_at: dt.datetime


@dataclass(frozen=True, slots=True)
class SentState:
    """One copy of a message, and its number for its author."""

    with_: str
    number: int


@dataclass(frozen=True, slots=True)
class Marked:
    """The conversation after a mark."""

    unread: int
    muted: bool


@dataclass(frozen=True, slots=True)
class SentRow:
    """A message that you sent, and whom each copy went to."""

    game: str | None
    world: str
    at: dt.datetime
    to: tuple[str, ...]
    subject: str
    body: str
    attached: str
    published_at: dt.datetime | None


@dataclass(frozen=True, slots=True)
class MutedConversationState:
    """A conversation that you have muted."""

    game: str | None
    with_: str


@dataclass(frozen=True, slots=True)
class MutedSeatState:
    """A country that you have muted, while its player stays."""

    game: str
    power: str
    country: str


@dataclass(frozen=True, slots=True)
class DecisionState:
    """A decision about a message of your own."""

    key: str
    world: str
    outcome: str
    reason: str
    until: dt.datetime | None
    at: dt.datetime
    on_appeal: bool
    by_master: bool
    subject: str
    body: str
    appeal: str
    may_appeal: bool


@dataclass(frozen=True, slots=True)
class GroundsState:
    """What a report can say: the value to send, and what it means."""

    value: str
    label: str


@dataclass(frozen=True, slots=True)
class HiddenTextState:
    """Your screen name, status or map name that a moderator has hidden or restored, and why."""

    kind: str
    text: str
    hidden: bool
    reason: str
    at: dt.datetime


@dataclass(frozen=True, slots=True)
class LimitState:
    """Until when your press is limited, in one game or, with a blank world, everywhere."""

    world: str
    until: dt.datetime


@dataclass(frozen=True, slots=True)
class OwnReportState:
    """A report of your own; you learn only whether it is decided."""

    world: str
    body: str
    at: dt.datetime
    decided: bool


@dataclass(frozen=True, slots=True)
class PersonState:
    """A player; `seen` is vague on purpose."""

    name: str
    status: str
    since: dt.datetime
    seen: str
    running: int
    finished: int
    turns: int
    missed_turns: int
    games: int
    left_games: int


@dataclass(frozen=True, slots=True)
class FinishedState:
    """A finished game of a person."""

    game: str
    world: str
    country: str
    result: str
    finished_at: dt.datetime


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


@dataclass(frozen=True, slots=True)
class HintState:
    """What a General would order; while it thinks, `asked` is true without orders."""

    available: bool
    asked: bool
    orders: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MapGiven:
    """A map to show: the number of one of your own."""

    number: int


@dataclass(frozen=True, slots=True)
class Place:
    """A message, by its conversation and its number there."""

    with_: str
    number: int


@dataclass(frozen=True, slots=True)
class ProposalGiven:
    """Terms to propose; `counters` is the number of the proposal that they answer."""

    terms: Mapping[str, Any]
    counters: int | None = None


@dataclass(frozen=True, slots=True)
class ProposalAnswered:
    """What became of the proposal."""

    state: str


@dataclass(frozen=True, slots=True)
class CodeFound:
    """The private game that a code opens; with `needs_code`, join with it."""

    game: str
    needs_code: bool


@dataclass(frozen=True, slots=True)
class OfferState:
    """A vacant seat of a public game."""

    game: str
    world: str
    phase: str
    power: str
    country: str
    centers: int
    units: int
    since: dt.datetime


@dataclass(frozen=True, slots=True)
class RoomSeat:
    """A taken seat; a blank name is hidden. `key` names it for `dismissals`."""

    key: str
    name: str
    bot: bool
    you: bool
    ready: bool | None


@dataclass(frozen=True, slots=True)
class LegalUnit:
    """The legal orders of a unit, or of a build or disband without one.

    `rows`: The orders as province, code, target, goal: see `docs/library.md`.
    """

    power: str
    unit: str | None
    orders: tuple[str, ...]
    rows: tuple[tuple[int, ...], ...] | None = None


@dataclass(frozen=True, slots=True)
class WebhookState:
    """A webhook; nothing is sent while it is `off`.

    `messages`: Whether what happens in conversations is announced, too.
    `failing_since`: Since when no call has arrived.
    `off`: Whether it was switched off, since none arrived for a day.
    """

    id: str
    address: str
    made_at: dt.datetime
    messages: bool
    failing_since: dt.datetime | None
    off: bool


@dataclass(frozen=True, slots=True)
class WebhookMade:
    """A new webhook, or one with a new secret.

    `messages`: Whether what happens in conversations is announced, too.
    `failing_since`: Since when no call has arrived.
    `off`: Whether it was switched off, since none arrived for a day.
    `secret`: What signs the calls: `whsec_` and base64.
    """

    id: str
    address: str
    made_at: dt.datetime
    messages: bool
    failing_since: dt.datetime | None
    off: bool
    secret: str


@dataclass(frozen=True, slots=True)
class WebhookGone:
    """What was deleted."""

    deleted: bool


@dataclass(frozen=True, slots=True)
class WebhookTested:
    """A test is on its way."""

    sent: bool


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
    """Games, the newest first; `older` is what to send as `before` for the next ones.

    `next_start`: What to send as `start`, where `older` is null.
    """

    games: tuple[ListedState, ...]
    older: str | None
    next_start: int | None = None


@dataclass(frozen=True, slots=True)
class BoardState:
    """Where the units are, and whose the centers; neutral centers are left out."""

    units: tuple[UnitState, ...]
    dislodged: tuple[DislodgedState, ...]
    centers: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class SeatState:
    """A seat as everyone may see it; `ready` is null where that is hidden or means nothing."""

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
class ChapterList:
    """The chapters of a finished game, in order."""

    chapters: tuple[ChapterState, ...]


@dataclass(frozen=True, slots=True)
class DocumentText:
    """A document; `digest` is what a signature must name, so that nobody signs another text."""

    text: str
    digest: str
    signatures: tuple[SignatureState, ...]
    may_sign: bool
    may_change: bool
    may_show: bool


@dataclass(frozen=True, slots=True)
class LedgerPhase:
    """What the ledger found in one phase; `final` if no later phase is judged."""

    phase: str
    findings: tuple[FindingState, ...]
    final: bool


@dataclass(frozen=True, slots=True)
class OpeningList:
    """Your conversations that can be opened now that the game is over."""

    conversations: tuple[OpeningState, ...]


@dataclass(frozen=True, slots=True)
class MapList:
    """Your own maps in a game, the newest first."""

    maps: tuple[MapState, ...]


@dataclass(frozen=True, slots=True)
class MapAdopted:
    """The draft with your own orders on a map; it does not count until you make it live.

    `others`: How many orders of other powers were left out.
    """

    draft: str
    sequence: int
    orders: tuple[str, ...]
    refused: tuple[OrderAnswer, ...]
    others: int


@dataclass(frozen=True, slots=True)
class EventPage:
    """Events, the oldest first.

    `next`: What to send as `after` next.
    `more`: Whether there are more now.
    """

    events: tuple[EventState, ...]
    next: str
    more: bool


@dataclass(frozen=True, slots=True)
class GalleryState:
    """Maps; the next page begins after the last hash, if there is more."""

    maps: tuple[MapCardState, ...]
    total: int
    has_more: bool


@dataclass(frozen=True, slots=True)
class LogState:
    """A page of the log, the newest line first."""

    lines: tuple[LogLineState, ...]
    page: int
    pages: int


@dataclass(frozen=True, slots=True)
class StatisticsState:
    """What the powers did to each other."""

    deeds: Mapping[str, DeedsState]
    help: tuple[HelpState, ...]
    stabs: tuple[StabState, ...]


@dataclass(frozen=True, slots=True)
class ReceiptsState:
    """Receipts of a locked phase, and your own of what you have saved in it.

    `saves`: Of the locked phase and of the open one.
    """

    sequence: int | None
    receipts: tuple[ReceiptState, ...]
    saves: tuple[SaveState, ...]


@dataclass(frozen=True, slots=True)
class Judged:
    """The result of every unit, the reasons, and the next position."""

    id: str | None
    results: Mapping[str, str]
    dislodged: Mapping[str, Any]
    next: Mapping[str, Any]
    why: Mapping[str, str]
    errors: tuple[OrderError, ...]
    ending: Mapping[str, Any] | None = None
    trees: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class PreviewState:
    """The results of the orders as they are now."""

    results: tuple[ResultState, ...]


@dataclass(frozen=True, slots=True)
class LookState:
    """The newest messages of the conversation, the oldest first."""

    messages: tuple[CopyState, ...]


@dataclass(frozen=True, slots=True)
class NoticePage:
    """Notices, the newest first; send `at` of the first one as `up_to` to mark them as seen."""

    notices: tuple[NoticeState, ...]
    page: int
    has_more: bool


@dataclass(frozen=True, slots=True)
class DestinationList:
    """Your destinations, the oldest first."""

    destinations: tuple[DestinationState, ...]


@dataclass(frozen=True, slots=True)
class SentMessages:
    """Where a message went; a gray one waits until it is published."""

    sent: tuple[SentState, ...]
    published_at: dt.datetime | None


@dataclass(frozen=True, slots=True)
class SentPageState:
    """Sent messages, the newest first; `next` is what to send as `from` for more."""

    messages: tuple[SentRow, ...]
    next: str


@dataclass(frozen=True, slots=True)
class Choices:
    """What you have chosen about others, of which nobody learns."""

    accepts_personal: bool
    blocked: tuple[str, ...]
    muted_seats: tuple[MutedSeatState, ...]
    muted_conversations: tuple[MutedConversationState, ...]


@dataclass(frozen=True, slots=True)
class OwnReportsState:
    """Your reports, decisions about your messages and texts, and what a report can say."""

    grounds: tuple[GroundsState, ...]
    reports: tuple[OwnReportState, ...]
    decisions: tuple[DecisionState, ...]
    limits: tuple[LimitState, ...]
    texts: tuple[HiddenTextState, ...]


@dataclass(frozen=True, slots=True)
class PeoplePage:
    """Players; begin the next page after the last name, if there is more."""

    people: tuple[PersonState, ...]
    has_more: bool


@dataclass(frozen=True, slots=True)
class ProfileState:
    """A person, and finished games that you may see, the newest first."""

    person: PersonState
    won: int
    shared: int
    games: tuple[FinishedState, ...]


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
    `unread_messages`: In this game, without muted conversations; null without the scope
    `press`.
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
    unread_messages: int | None


@dataclass(frozen=True, slots=True)
class DocumentGiven:
    """A document to show: a new `text`, or `of` a message in which you read it."""

    text: str = ""
    of: Place | None = None


@dataclass(frozen=True, slots=True)
class OfferList:
    """Vacant seats that you may take over, the longest vacant first."""

    offers: tuple[OfferState, ...]


@dataclass(frozen=True, slots=True)
class Room:
    """Who waits for the start. `code` and `invited` are blank for those who may not share them."""

    game: str
    code: str
    seats: tuple[RoomSeat, ...]
    free: int
    invited: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LegalOrders:
    """Every legal order of the caller's powers in the open phase.

    `due`: In winter, how many units each power may build, or below 0 must disband.
    `state`: The position as a row of a batch.
    """

    phase: str
    sequence: int
    units: tuple[LegalUnit, ...]
    due: Mapping[str, int]
    state: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class WebhookList:
    """All webhooks, the oldest first."""

    webhooks: tuple[WebhookState, ...]


@dataclass(frozen=True, slots=True)
class GameState:
    """What everyone who may see the game may know; the same for all of them.

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
class ProposalText:
    """What a message proposes: its terms as in `docs/press.md`, and what became of it.

    `alternative`: Which alternative was accepted, from 0.
    `ledger`: Who kept an accepted deal.
    """

    terms: Mapping[str, Any]
    state: str
    alternative: int | None
    proposer: str
    parties: tuple[str, ...]
    answers: tuple[ProposalReply, ...]
    may_answer: bool
    may_withdraw: bool
    ledger: tuple[LedgerPhase, ...]


@dataclass(frozen=True, slots=True)
class WhatIf:
    """A hypothetical board after what was asked.

    `board`: The board as a text, for the next question or for a map.
    `results`: Of the phase that was adjudicated now.
    """

    board: str
    phase: str
    title: str
    position: BoardState
    orders: tuple[str, ...]
    refused: tuple[OrderAnswer, ...]
    marks: tuple[MarkState, ...]
    results: tuple[ResultState, ...]
    destroyed: tuple[UnitState, ...]
    standoffs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MapText:
    """A conference map with everything that is on it; `phase` is the one that it shows.

    `board`: The map as a text, for `what-if` and for another map.
    `sequence`: The phase of the game with which it begins.
    `powers`: Whose orders it has.
    `steps`: How many of its phases are adjudicated.
    `changes`: The board of the map that it changes; blank if none.
    `results`: Of its last adjudicated phase.
    """

    number: int | None
    title: str
    at: dt.datetime
    board: str
    sequence: int | None
    powers: tuple[str, ...]
    order_count: int
    mark_count: int
    steps: int
    may_adopt: bool
    changes: str
    phase: str
    position: BoardState
    orders: tuple[str, ...]
    results: tuple[ResultState, ...]
    marks: tuple[MarkState, ...]


@dataclass(frozen=True, slots=True)
class MessageState:
    """A message, numbered from the first one that you can read. Its text is not to be trusted.

    `attached`: Blank, map, proposal or document.
    `muted`: Whether you have muted the country that wrote it.
    """

    number: int
    at: dt.datetime
    phase: str | None
    author: AuthorState
    subject: str
    body: str
    attached: str
    muted: bool
    proposal: ProposalText | None
    document: DocumentText | None
    map: MapState | None


@dataclass(frozen=True, slots=True)
class DealState:
    """An open or accepted proposal, and the message that carries it."""

    with_: str
    number: int
    proposal: ProposalText


@dataclass(frozen=True, slots=True)
class OpenMessageState:
    """A message that everyone may read, and whose conversation it was."""

    kind: str
    powers: tuple[str, ...]
    message: MessageState


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
class FoundMessage:
    """A message that was found, and its conversation."""

    game: str | None
    world: str
    with_: str
    message: MessageState


@dataclass(frozen=True, slots=True)
class DealList:
    """The deals that you can read, the newest first."""

    deals: tuple[DealState, ...]


@dataclass(frozen=True, slots=True)
class ChapterMessages:
    """A page of the messages of a chapter, in order of time."""

    messages: tuple[OpenMessageState, ...]
    has_more: bool


@dataclass(frozen=True, slots=True)
class InboxRow:
    """A conversation in the list over all games; `game` is null for a personal one."""

    game: str | None
    world: str
    conversation: ConversationState


@dataclass(frozen=True, slots=True)
class MessageList:
    """A part of a conversation, the oldest message first."""

    conversation: ConversationState
    messages: tuple[MessageState, ...]
    waiting: tuple[WaitingState, ...]
    count: int
    read: int
    has_earlier: bool
    has_later: bool


@dataclass(frozen=True, slots=True)
class FoundMessages:
    """The newest messages that contain a text."""

    found: tuple[FoundMessage, ...]


@dataclass(frozen=True, slots=True)
class ConversationList:
    """Your conversations."""

    conversations: tuple[ConversationState, ...]


@dataclass(frozen=True, slots=True)
class InboxPageState:
    """Conversations, the newest first; `next` is what to send as `from` for more."""

    conversations: tuple[InboxRow, ...]
    next: str
