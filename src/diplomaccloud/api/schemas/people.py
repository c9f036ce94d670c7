"""A person's messages in all games, mutes and blocks, and reports."""

import datetime as dt
from typing import Annotated, Literal

from pydantic import Field, StrictBool

from diplomaccloud.api.schemas.base import ALIASED, Answer, Given, WithField
from diplomaccloud.api.schemas.press import ConversationState, MessageState


class InboxRow(Answer):
    """A conversation in the list for all games; `game` is null for a personal one."""

    game: str | None
    world: str
    conversation: ConversationState


class InboxPageState(Answer):
    """A page of conversations, newest first. Send `next` as `from` for the next page."""

    conversations: list[InboxRow]
    next: str


class SentRow(Answer):
    """A message that you sent, and who each copy went to."""

    game: str | None
    world: str
    at: dt.datetime
    to: list[str]
    subject: str
    body: str
    attached: str
    published_at: dt.datetime | None


class SentPageState(Answer):
    """A page of sent messages, newest first. Send `next` as `from` for the next page."""

    messages: list[SentRow]
    next: str


class FoundMessage(Answer):
    """A message in the search results, and its conversation."""

    model_config = ALIASED

    game: str | None
    world: str
    members: WithField
    message: MessageState


class FoundMessages(Answer):
    """The newest messages that match the search."""

    found: list[FoundMessage]


class MutedSeatState(Answer):
    """A country that you have muted. The mute ends if its player leaves."""

    game: str
    power: str
    country: str


class MutedConversationState(Answer):
    """A conversation that you have muted."""

    model_config = ALIASED

    game: str | None
    members: WithField


class Choices(Answer):
    """Your mutes and blocks, which nobody else can see."""

    accepts_personal: bool
    blocked: list[str]
    muted_seats: list[MutedSeatState]
    muted_conversations: list[MutedConversationState]


class AcceptanceGiven(Given):
    """Whether others may write personal messages to you."""

    accepts_personal: StrictBool


class BlockGiven(Given):
    """Whether to block a person's personal messages."""

    name: Annotated[str, Field(min_length=1, max_length=40)]
    blocked: StrictBool


class MuteGiven(Given):
    """Whether to mute notices about a country's messages in all conversations."""

    power: Annotated[str, Field(min_length=1, max_length=40)]
    muted: StrictBool


class GroundsState(Answer):
    """Possible grounds for a report: the value to send, and its meaning."""

    value: str
    label: str


class OwnReportState(Answer):
    """One of your reports. It shows only whether the report has been decided.

    `country` is set for a report of a player, with a blank `body`.
    """

    world: str
    country: str
    body: str
    at: dt.datetime
    decided: bool


class DecisionState(Answer):
    """A decision about one of your messages or, with a `country`, about you as its player.

    If an appeal overturned a removal, `seat_returned` says whether you got the seat back.
    """

    key: str
    world: str
    outcome: str
    reason: str
    until: dt.datetime | None
    at: dt.datetime
    on_appeal: bool
    by_master: bool
    country: str
    subject: str
    body: str
    appeal: str
    may_appeal: bool
    seat_returned: bool | None


class LimitState(Answer):
    """How long your press is limited, in one game or, if `world` is blank, everywhere."""

    world: str
    until: dt.datetime


class HiddenTextState(Answer):
    """Your screen name, status or map name that a moderator hid or restored, and the reason."""

    kind: str
    text: str
    hidden: bool
    reason: str
    at: dt.datetime


class OwnReportsState(Answer):
    """Your reports, decisions about your messages and texts, and possible grounds for reports."""

    grounds: list[GroundsState]
    player_grounds: list[GroundsState]
    reports: list[OwnReportState]
    decisions: list[DecisionState]
    limits: list[LimitState]
    texts: list[HiddenTextState]


class ReportGiven(Given):
    """A report of the screen name or status of the player `of`, or of the name of a map."""

    kind: Literal["name", "status", "map"]
    of: Annotated[str, Field(min_length=1, max_length=64)]
    grounds: Annotated[str, Field(max_length=20)]
    note: Annotated[str, Field(max_length=2_000)] = ""


class PlayerReportGiven(Given):
    """A report of the player of a country, whose `grounds` are one of `player_grounds`."""

    power: Annotated[str, Field(min_length=1, max_length=40)]
    grounds: Annotated[str, Field(max_length=20)]
    note: Annotated[str, Field(max_length=2_000)] = ""


class AppealGiven(Given):
    """The reason why a decision about you or your message should be changed."""

    text: Annotated[str, Field(min_length=1, max_length=2_000)]
