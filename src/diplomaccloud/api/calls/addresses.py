"""How URLs and request bodies identify conversations and messages."""

import hashlib
import secrets
from typing import Annotated

from django.http import HttpRequest
from ninja import Query

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
