"""The text of a file as JSON values, hostile files included."""

import json

from diplomaccloud.atlas.validation.chart_schema import MOST_TEXT
from diplomaccloud.atlas.validation.compound_schemas import RepeatedKeys


class NotJSONError(ValueError):
    """A text that is no JSON, or too long to be looked at."""


def parse(content: bytes | str) -> object:
    """Return the JSON value written in `content`; raises `NotJSONError` saying where it fails.

    An object in which a key is repeated becomes `RepeatedKeys`.
    """
    if len(content) > MOST_TEXT:
        raise NotJSONError(f"is longer than {MOST_TEXT / 1e6:g} million bytes")
    text = _decoded(content) if isinstance(content, bytes) else content
    if text.startswith("\ufeff"):
        raise NotJSONError("begins with a byte-order mark: save it as UTF-8 without one")
    try:
        return json.loads(text, object_pairs_hook=_object)
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise NotJSONError(f"is not JSON: {error.msg} at {where}") from error
    except RecursionError as error:
        raise NotJSONError("is nested too deeply") from error
    except ValueError as error:
        # Python refuses whole numbers of thousands of digits.
        raise NotJSONError("is not JSON that can be read: a number is too long") from error


def _decoded(content: bytes) -> str:
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise NotJSONError(f"is not UTF-8 text: byte {error.start}, on line {line}") from error


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    made = dict(pairs)
    if len(made) == len(pairs):
        return made
    seen: set[str] = set()
    repeated = RepeatedKeys(made)
    repeated.keys_repeated = tuple(
        dict.fromkeys(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
    )
    return repeated
