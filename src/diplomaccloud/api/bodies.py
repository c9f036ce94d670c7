"""Reading request bodies: JSON with limited nesting and no duplicate names."""

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any, Final, cast

from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, RawPostDataException, UnreadablePostError
from ninja.parser import Parser
from ninja.types import DictStrAny

from diplomaccloud.api.problems import BODY, Problem, name_field, refuse_field

MAX_DEPTH: Final = 12
"""How deep lists and objects may be nested."""
NUL: Final = "\x00"
_JSON: Final = "application/json"
_SEND_JSON: Final = f"Send the body as {_JSON}."
_UNREAD: Final = (RawPostDataException, RequestDataTooBig, UnreadablePostError)
_LOADED: Final = "loaded_body"
"""The request attribute that holds the parsed body."""


class BodyParser(Parser):
    """Reads JSON, and refuses ambiguous or oversized JSON."""

    def parse_body(self, request: HttpRequest) -> DictStrAny:
        """Return the body that `load_body` read."""
        return cast("DictStrAny", vars(request)[_LOADED])


def load_body(request: HttpRequest) -> None:
    """Read the body, if any, for the parser; raise `Problem` unless it is an object."""
    try:
        body = request.body
    except RawPostDataException as error:
        # A middleware has read it as a form.
        raise Problem(415, "media-type", _SEND_JSON) from error
    if not body:
        return
    if request.content_type != _JSON:
        raise Problem(415, "media-type", _SEND_JSON)
    try:
        text = body.decode()
        if _measure_depth(text) > MAX_DEPTH:
            raise Problem(400, "not-understood", f"Nest at most {MAX_DEPTH} levels deep.")
        content = json.loads(text, object_pairs_hook=read_object, parse_constant=_refuse)
        # Infinite numbers and lone surrogates can still get this far, and cannot be stored.
        json.dumps(content, ensure_ascii=False, allow_nan=False).encode()
    except (ValueError, RecursionError) as error:
        detail = str(error) if isinstance(error, _BadJson) else "The body is not valid JSON."
        raise Problem(400, "not-understood", detail) from error
    if not isinstance(content, dict):
        raise refuse_field(BODY, "The body must be an object.")
    vars(request)[_LOADED] = content


def find_nul(request: HttpRequest) -> list[str]:
    """Return the fields of a body that have a NUL character, which databases cannot store.

    The list is empty if the body has not been read, or is not JSON.
    """
    try:
        content = json.loads(request.body, strict=False)
        return [name_field(place) for place in _find_nul(content, ())]
    except (*_UNREAD, ValueError, RecursionError):
        return []


def _find_nul(value: object, place: tuple[object, ...]) -> Iterator[tuple[object, ...]]:
    if isinstance(value, str) and NUL in value:
        yield place
    elif isinstance(value, list):
        for number, part in enumerate(value):
            yield from _find_nul(part, (*place, number))
    elif isinstance(value, dict):
        for name, part in value.items():
            yield from _find_nul(name, place)
            yield from _find_nul(part, (*place, name))


class _BadJson(ValueError):
    """JSON that different programs read differently; the message says why."""


def _measure_depth(text: str) -> int:
    depth = deepest = 0
    quoted = escaped = False
    for sign in text:
        if quoted:
            quoted = escaped or sign != '"'
            escaped = not escaped and sign == "\\"
        elif sign == '"':
            quoted = True
        elif sign in "[{":
            depth += 1
            deepest = max(deepest, depth)
        elif sign in "]}":
            depth -= 1
    return deepest


def read_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return a JSON object; raise `ValueError` if it has a duplicate name."""
    read = dict(pairs)
    if len(read) != len(pairs):
        twice = Counter(name for name, _ in pairs).most_common(1)[0][0]
        raise _BadJson(f"The name {twice[:60]!r} appears twice in one object.")
    return read


def _refuse(word: str) -> object:
    raise _BadJson(f"{word} is not valid JSON.")
