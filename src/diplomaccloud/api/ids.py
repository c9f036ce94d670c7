"""Ids of rows that other people's rows are counted with, such as votes and webhooks.

The number of a row would show how many others there are, and the difference of two how much
happened between them. An id is the number encrypted with the key of the site: that takes no column,
no migration and no query, and the same row always has the same id. Nobody can make one up, since it
proves itself. A new `SECRET_KEY` gives new ids.
"""

import hmac
from enum import StrEnum
from typing import Annotated, Final

from django.conf import settings
from django.utils.crypto import salted_hmac
from pydantic import Field

PublicId = Annotated[str, Field(pattern="^[0-9a-f]{32}$")]
_HALF: Final = 8
"""How many bytes a number has, and what proves it."""


class IdOf(StrEnum):
    """What an id is of: the id of one thing is none of another."""

    GAME = "game"
    VOTE = "vote"
    SEAT = "seat"
    DESTINATION = "destination"


def make_id(what: IdOf, number: int) -> str:
    """Return the id of the row with this number: 32 hexadecimal digits."""
    plain = number.to_bytes(_HALF)
    proof = _derive(what, b"proof" + plain)
    return (proof + _mix(plain, _derive(what, b"cover" + proof))).hex()


def read_id(what: IdOf, text: str) -> int:
    """Return the number of the row with this id; 0, which no row has, for any other text."""
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
