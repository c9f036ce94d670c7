"""How URLs and bodies name games, conversations, messages and maps.

IDs of rows in tables shared by all users are encrypted.
"""

import hashlib
import hmac
import secrets
from enum import StrEnum
from functools import partial
from typing import Annotated, Final

from django.conf import settings
from django.http import HttpRequest
from django.utils.crypto import salted_hmac
from ninja import Query
from pydantic import BeforeValidator, Field, StrictInt

from diplomaccloud.accounts.models import name_of
from diplomaccloud.api.answers import Given
from diplomaccloud.api.auth import bearer_of
from diplomaccloud.api.operations import HEADER
from diplomaccloud.press.table.addresses import Address, parse_address, seats_address
from diplomaccloud.press.table.read import Summary

PublicId = Annotated[str, Field(pattern="^[0-9a-f]{32}$")]
_HALF: Final = 8
"""The length in bytes of the encrypted number, and of the code that authenticates it."""


class IdOf(StrEnum):
    """The kind of row an ID belongs to. An ID is valid only for its kind."""

    GAME = "game"
    VOTE = "vote"
    SEAT = "seat"
    DESTINATION = "destination"
    ANNOUNCEMENT = "announcement"


def make_id(what: IdOf, number: int) -> str:
    """Return the ID of the row with this number, as 32 hexadecimal digits."""
    plain = number.to_bytes(_HALF)
    proof = _derive(what, b"proof" + plain)
    return (proof + _mix(plain, _derive(what, b"cover" + proof))).hex()


def read_id(what: IdOf, text: str) -> int:
    """Return the number of the row with this ID, or 0, which no row has, if the ID is invalid."""
    try:
        whole = bytes.fromhex(text)
    except ValueError:
        return 0
    proof, covered = whole[:_HALF], whole[_HALF:]
    if len(covered) != _HALF:
        return 0
    plain = _mix(covered, _derive(what, b"cover" + proof))
    right = hmac.compare_digest(proof, _derive(what, b"proof" + plain))
    return int.from_bytes(plain) if right else 0


def _derive(what: IdOf, value: bytes) -> bytes:
    salt = f"diplomaccloud.api.ids.{what.value}"
    made = salted_hmac(salt, value, secret=str(settings.SECRET_KEY), algorithm="sha256")
    return made.digest()[:_HALF]


def _mix(first: bytes, second: bytes) -> bytes:
    return bytes(a ^ b for a, b in zip(first, second, strict=True))


MapHash = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
GameId = Annotated[str, Field(pattern="^[a-z2-9]{10}$")]
PhaseId = Annotated[str, Field(pattern="^([1-9][0-9]{0,5}|[SFW][0-9]{1,5}[MRA])$")]
DestinationId = Annotated[str, BeforeValidator(partial(make_id, IdOf.DESTINATION))]
"""The ID of a destination, made from its number."""
AnnouncementId = Annotated[str, BeforeValidator(partial(make_id, IdOf.ANNOUNCEMENT))]
"""The ID of an announcement, made from its number."""
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


def write_conversation(summary: Summary) -> str:
    """Return the API's name of a conversation in a game, or else with a person."""
    return summary.place.replace("+", ",") or name_of(summary.person)
