"""How URLs and bodies name conversations, messages and conference maps."""

import hashlib
import secrets
from typing import Annotated

from django.http import HttpRequest
from ninja import Query
from pydantic import BeforeValidator, Field, StrictInt

from diplomaccloud.accounts.models import name_of
from diplomaccloud.api.answers import Given
from diplomaccloud.api.auth import bearer_of
from diplomaccloud.api.repeats import HEADER
from diplomaccloud.press.table.addresses import Address, parse_address, seats_address

With = Annotated[str, Query(alias="with", min_length=1, max_length=400)]
Number = Annotated[int, Query(ge=1, le=10**9)]
Beside = Annotated[int | None, Query(ge=0, le=10**9)]
"""A message number: the request wants the messages just before or just after it."""


def read_address(text: str) -> Address:
    """Return the conversation that a word or a list of powers names; raise if there is none."""
    powers = text.split(",")
    return parse_address(text) if len(powers) == 1 else seats_address(powers)


def make_key(request: HttpRequest) -> str:
    """Return a key for a message, derived from the user and the request's idempotency key."""
    key = request.headers.get(HEADER)
    if key is None:
        return secrets.token_hex(16)
    text = f"{bearer_of(request).user_id} {key}"
    return hashlib.sha256(text.encode()).hexdigest()[:32]


WithField = Annotated[str, Field(serialization_alias="with", validation_alias="with")]
"""The field `with`, which is a keyword in Python: the other members of a conversation."""
Members = Annotated[str, Field(alias="with", min_length=1, max_length=400)]
MessageNumber = Annotated[StrictInt, Field(ge=1, le=10**9)]


class Place(Given):
    """A message, identified by its conversation and its number there."""

    members: Members
    number: MessageNumber


class MapPlaceGiven(Given):
    """Your own map with this number or, if `with` is sent, the map in that message."""

    members: Annotated[str, Field(alias="with", max_length=400)] = ""
    number: MessageNumber


def write_members(address: Address) -> str:
    """Return the API's name of a conversation: a word, or powers separated by commas."""
    return str(address).replace("+", ",")


WithAddress = Annotated[
    str,
    Field(serialization_alias="with", validation_alias="address"),
    BeforeValidator(write_members),
]
"""The field `with` for a value with an `address`."""


def write_conversation(address: str, person: str) -> str:
    """Return the API's name of a conversation in a game, or else with a person."""
    return address.replace("+", ",") if address else name_of(person)
