"""A person's messages over all games, and what the person has chosen about others."""

import datetime as dt
from typing import Annotated, Literal

from pydantic import Field, StrictBool

from diplomaccloud.api.schemas.base import ALIASED, Answer, Given, WithField
from diplomaccloud.api.schemas.press import ConversationState, MessageState


class InboxRow(Answer):
    """A conversation in the list over all games; `game` is null for a personal one."""

    game: str | None
    world: str
    conversation: ConversationState


class InboxPageState(Answer):
    """Conversations, the newest first; `next` is what to send as `from` for more."""

    conversations: list[InboxRow]
    next: str


class SentRow(Answer):
    """A message that you sent, and whom each copy went to."""

    game: str | None
    world: str
    at: dt.datetime
    to: list[str]
    subject: str
    body: str
    attached: str
    published_at: dt.datetime | None


class SentPageState(Answer):
    """Sent messages, the newest first; `next` is what to send as `from` for more."""

    messages: list[SentRow]
    next: str


class FoundMessage(Answer):
    """A message that was found, and its conversation."""

    model_config = ALIASED

    game: str | None
    world: str
    members: WithField
    message: MessageState


class FoundMessages(Answer):
    """The newest messages that contain a text."""

    found: list[FoundMessage]


class MutedSeatState(Answer):
    """A country that you have muted, while its player stays."""

    game: str
    power: str
    country: str


class MutedConversationState(Answer):
    """A conversation that you have muted."""

    model_config = ALIASED

    game: str | None
    members: WithField


class Choices(Answer):
    """What you have chosen about others, of which nobody learns."""

    accepts_personal: bool
    blocked: list[str]
    muted_seats: list[MutedSeatState]
    muted_conversations: list[MutedConversationState]


class AcceptanceGiven(Given):
    """Whether others may write personal messages to you."""

    accepts_personal: StrictBool


class BlockGiven(Given):
    """Whether you refuse the personal messages of a person."""

    name: Annotated[str, Field(min_length=1, max_length=40)]
    blocked: StrictBool


class MuteGiven(Given):
    """Whether the messages of a country make no notice, in all its conversations."""

    power: Annotated[str, Field(min_length=1, max_length=40)]
    muted: StrictBool


class GroundsState(Answer):
    """What a report can say: the value to send, and what it means."""

    value: str
    label: str


class OwnReportState(Answer):
    """A report of your own; you learn only whether it is decided."""

    world: str
    body: str
    at: dt.datetime
    decided: bool


class DecisionState(Answer):
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


class LimitState(Answer):
    """Until when your press is limited, in one game or, with a blank world, everywhere."""

    world: str
    until: dt.datetime


class HiddenTextState(Answer):
    """Your screen name, status or map name that a moderator has hidden or restored, and why."""

    kind: str
    text: str
    hidden: bool
    reason: str
    at: dt.datetime


class OwnReportsState(Answer):
    """Your reports, decisions about your messages and texts, and what a report can say."""

    grounds: list[GroundsState]
    reports: list[OwnReportState]
    decisions: list[DecisionState]
    limits: list[LimitState]
    texts: list[HiddenTextState]


class ReportGiven(Given):
    """A screen name or status to report, of the player `of`, or the name of the map with a hash."""

    kind: Literal["name", "status", "map"]
    of: Annotated[str, Field(min_length=1, max_length=64)]
    grounds: Annotated[str, Field(max_length=20)]
    note: Annotated[str, Field(max_length=2_000)] = ""


class AppealGiven(Given):
    """Why a decision about your message should be changed."""

    text: Annotated[str, Field(min_length=1, max_length=2_000)]
