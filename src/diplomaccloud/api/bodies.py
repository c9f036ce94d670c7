"""Reading the body of a request: JSON of bounded depth, in which no name stands twice."""

import json
from collections import Counter
from typing import Any, Final, cast

from django.http import HttpRequest, RawPostDataException
from ninja.parser import Parser
from ninja.types import DictStrAny

from diplomaccloud.api.problems import Problem

MAX_DEPTH: Final = 12
"""How deep lists and objects may be nested."""
_JSON: Final = "application/json"
_SEND_JSON: Final = f"Send the body as {_JSON}."
_LOADED: Final = "loaded_body"
"""What the request has the body as."""


class BodyParser(Parser):
    """Reads JSON, and refuses what JSON should not be."""

    def parse_body(self, request: HttpRequest) -> DictStrAny:
        """Return the body, which `load_body` has read."""
        return cast("DictStrAny", vars(request)[_LOADED])


def load_body(request: HttpRequest) -> None:
    """Read the body, if there is one, for the parser; raise `Problem` unless it is an object."""
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
            raise Problem(400, "not-understood", f"Nest at most {MAX_DEPTH} levels.")
        content = json.loads(text, object_pairs_hook=read_object, parse_constant=_refuse)
        # A number may still be infinite, and a text half of a character, which nothing can store.
        json.dumps(content, ensure_ascii=False, allow_nan=False).encode()
    except (ValueError, RecursionError) as error:
        detail = str(error) if isinstance(error, _BadJson) else "The body is not valid JSON."
        raise Problem(400, "not-understood", detail) from error
    if not isinstance(content, dict):
        raise Problem(422, "invalid", "The body must be an object.")
    vars(request)[_LOADED] = content


class _BadJson(ValueError):
    """JSON that is read differently by different programs; the text says why."""


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
    """Return an object of JSON; raise `ValueError` if a name stands twice in it."""
    read = dict(pairs)
    if len(read) != len(pairs):
        twice = Counter(name for name, _ in pairs).most_common(1)[0][0]
        raise _BadJson(f"The name {twice[:60]!r} stands twice in one object.")
    return read


def _refuse(word: str) -> object:
    raise _BadJson(f"{word} is not JSON.")
