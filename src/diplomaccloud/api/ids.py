"""IDs in addresses and bodies; those of rows in tables shared by all users are encrypted."""

import hmac
from enum import StrEnum
from functools import partial
from typing import Annotated, Final

from django.conf import settings
from django.utils.crypto import salted_hmac
from pydantic import BeforeValidator, Field

PublicId = Annotated[str, Field(pattern="^[0-9a-f]{32}$")]
_HALF: Final = 8
"""The length in bytes of the encrypted number, and of the code that authenticates it."""


class IdOf(StrEnum):
    """The kind of row an ID belongs to. An ID is valid only for its kind."""

    GAME = "game"
    VOTE = "vote"
    SEAT = "seat"
    DESTINATION = "destination"


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


def _mix(one: bytes, other: bytes) -> bytes:
    return bytes(a ^ b for a, b in zip(one, other, strict=True))


MapHash = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
GameId = Annotated[str, Field(pattern="^[a-z2-9]{10}$")]
PhaseId = Annotated[str, Field(pattern="^([1-9][0-9]{0,5}|[SFW][0-9]{1,5}[MRA])$")]
DestinationId = Annotated[str, BeforeValidator(partial(make_id, IdOf.DESTINATION))]
"""The ID of a destination, made from its number."""
