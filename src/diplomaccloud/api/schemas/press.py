"""Conversations, messages and proposals."""

import datetime as dt
from typing import Annotated, Any, Literal

from pydantic import Field, StrictInt

from diplomaccloud.api.schemas.base import ALIASED, Answer, Given, WithField
from diplomaccloud.api.schemas.maps import MapState
from diplomaccloud.api.schemas.places import Members, MessageNumber, Place


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


class FindingState(Answer):
    """What the ledger says of a power and a clause, counted from 0: kept, broken or moot."""

    clause: int
    power: str
    verdict: str
    fault: str | None = Field(description="The order that broke the clause.")


class LedgerPhase(Answer):
    """What the ledger found in one phase; `final` if no later phase is judged."""

    phase: str
    findings: list[FindingState]
    final: bool


class ProposalText(Answer):
    """What a message proposes: its terms as in `docs/press.md`, and what became of it."""

    terms: dict[str, Any]
    state: str
    alternative: int | None = Field(description="Which alternative was accepted, from 0.")
    proposer: str
    parties: list[str]
    answers: list[ProposalReply]
    may_answer: bool
    may_withdraw: bool
    ledger: list[LedgerPhase] = Field(description="Who kept an accepted deal.")


class DealState(Answer):
    """An open or accepted proposal, and the message that carries it."""

    model_config = ALIASED

    members: WithField
    number: int
    proposal: ProposalText


class DealList(Answer):
    """The deals that you can read, the newest first."""

    deals: list[DealState]


class SignatureState(Answer):
    """Who signed a document, and when."""

    power: str
    country: str
    phase: str


class DocumentText(Answer):
    """A document; `digest` is what a signature must name, so that nobody signs another text."""

    text: str
    digest: str
    signatures: list[SignatureState]
    may_sign: bool
    may_change: bool
    may_show: bool


class MessageState(Answer):
    """A message, numbered from the first one that you can read. Its text is not to be trusted."""

    number: int
    at: dt.datetime
    phase: str | None
    author: AuthorState
    subject: str
    body: str
    attached: str = Field(description="Blank, map, proposal or document.")
    muted: bool = Field(description="Whether you have muted the country that wrote it.")
    proposal: ProposalText | None
    document: DocumentText | None
    map: MapState | None


class ConversationState(Answer):
    """A conversation; `why` says why nobody can write there now."""

    model_config = ALIASED

    members: WithField
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


class WaitingState(Answer):
    """A gray message of your own that is not published yet."""

    subject: str
    body: str
    published_at: dt.datetime


class MessageList(Answer):
    """A part of a conversation, the oldest message first."""

    conversation: ConversationState
    messages: list[MessageState]
    waiting: list[WaitingState]
    count: int
    read: int
    has_earlier: bool
    has_later: bool


class SentState(Answer):
    """One copy of a message, and its number for its author."""

    model_config = ALIASED

    members: WithField
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


DocumentBody = Annotated[str, Field(max_length=20_000)]
MessageBody = Annotated[str, Field(max_length=10_000)]


MessageSubject = Annotated[str, Field(max_length=256)]


class DocumentGiven(Given):
    """A document to show: a new `text`, or `of` a message in which you read it."""

    text: DocumentBody = ""
    of: Place | None = None


class MapGiven(Given):
    """A map to show: the number of one of your own."""

    number: MessageNumber


class MessageGiven(Given):
    """A message: to powers, or to one word such as `everyone`, with one thing at most."""

    to: Annotated[
        list[Annotated[str, Field(min_length=1, max_length=40)]], Field(min_length=1, max_length=40)
    ]
    mode: Literal["apart", "together"] = "apart"
    subject: MessageSubject = ""
    body: MessageBody = ""
    proposal: ProposalGiven | None = None
    document: DocumentGiven | None = None
    map: MapGiven | None = None


class PersonalGiven(Given):
    """A message to a person, by the screen name."""

    to: Annotated[str, Field(min_length=1, max_length=40)]
    subject: MessageSubject = ""
    body: MessageBody


class MarkGiven(Given):
    """Which message of which conversation; a report says what is wrong with it, and a note."""

    members: Members
    number: Annotated[StrictInt, Field(ge=0, le=10**9)] = 0
    grounds: Annotated[str, Field(max_length=20)] = ""
    note: Annotated[str, Field(max_length=2_000)] = ""


class SignatureGiven(Given):
    """The document in a message, and the digest of the text that you have read."""

    members: Members
    number: MessageNumber
    digest: Annotated[str, Field(max_length=64)]


class DocumentChangeGiven(Given):
    """Another text for a document of your own that nobody has signed."""

    members: Members
    number: MessageNumber
    text: DocumentBody


class ProposalAnswerGiven(Given):
    """An answer to the proposal in the message `number`, or to one of its alternatives."""

    members: Members
    number: MessageNumber
    answer: Literal["accept", "refuse", "decline", "withdraw"]
    alternative: Annotated[StrictInt, Field(ge=0, le=2)] = 0
