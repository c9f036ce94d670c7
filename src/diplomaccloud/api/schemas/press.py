"""Conversations, messages and proposals."""

import datetime as dt
from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field, StrictInt

from diplomaccloud.api.schemas.base import Answer, Given


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
