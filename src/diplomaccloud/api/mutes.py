"""Mutes and blocks, and whether a person accepts personal messages."""

from collections.abc import Iterable
from typing import Annotated

from django.http import HttpRequest, HttpResponse
from pydantic import BeforeValidator, Field, StrictBool

from diplomaccloud.api.addresses import WithField, write_conversation
from diplomaccloud.api.answers import ApiAnswer, Given, reply
from diplomaccloud.api.auth import PRESS, bearer_of, caller_of
from diplomaccloud.api.ids import GameId
from diplomaccloud.api.operations import Area, act_on
from diplomaccloud.api.repeats import Effect, find_arrival
from diplomaccloud.press.conversations import actions as conversation_actions
from diplomaccloud.press.personal.actions import accept_personal
from diplomaccloud.press.personal.read import MutedConversation, read_mutes


class MutedSeatState(ApiAnswer):
    """A country that you have muted. The mute ends if its player leaves."""

    game: str = Field(validation_alias="slug")
    power: str
    country: str


class MutedConversationState(ApiAnswer):
    """A conversation that you have muted."""

    game: str | None
    members: WithField


def _list_muted(rows: Iterable[MutedConversation]) -> list[MutedConversationState]:
    return [
        MutedConversationState(
            game=row.slug or None, members=write_conversation(row.address, row.person)
        )
        for row in rows
    ]


class Choices(ApiAnswer):
    """Your mutes and blocks, which nobody else can see."""

    accepts_personal: bool
    blocked: list[str]
    muted_seats: list[MutedSeatState] = Field(validation_alias="seats")
    muted_conversations: Annotated[list[MutedConversationState], BeforeValidator(_list_muted)] = (
        Field(validation_alias="conversations")
    )


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


area = Area("people", PRESS)


@area.reads("/me/choices", Choices)
def get_choices(request: HttpRequest) -> HttpResponse:
    """Return your mutes and blocks, and whether you accept personal messages."""
    return reply(Choices.model_validate(read_mutes(caller_of(request).viewer)))


@area.writes("PUT /me/choices", Choices)
def set_choices(request: HttpRequest, given: AcceptanceGiven) -> Effect:
    """Set whether others may send you personal messages."""
    user_id = bearer_of(request).user_id
    accept_personal(user_id=user_id, accepted=given.accepts_personal)
    return _show_choices(request)


@area.writes("POST /me/blocks", Choices)
def block_person(request: HttpRequest, given: BlockGiven) -> Effect:
    """Block or unblock a person's personal messages. The person is not notified."""
    conversation_actions.block_person(
        user_id=bearer_of(request).user_id,
        name=given.name,
        blocked=given.blocked,
        now=find_arrival(request),
    )
    return _show_choices(request)


@area.writes("POST /games/{game}/seat/mutes", Choices)
def mute_seat(request: HttpRequest, game: GameId, given: MuteGiven) -> Effect:
    """Mute or unmute a country in all conversations. The mute ends if its player leaves."""
    conversation_actions.mute_seat(
        **act_on(request, game), power=given.power, muted=given.muted, now=find_arrival(request)
    )
    return _show_choices(request)


def _show_choices(request: HttpRequest) -> Effect:
    return Effect(reply(Choices.model_validate(read_mutes(caller_of(request).viewer))))
