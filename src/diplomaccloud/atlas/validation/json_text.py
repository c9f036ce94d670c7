"""Parse the text of a file as JSON, including hostile files."""

import json

from diplomaccloud.atlas.validation.chart_schema import MAX_FILE_SIZE
from diplomaccloud.atlas.validation.schemas import RepeatedKeys


class NotJSONError(ValueError):
    """The text is not JSON, or is too long."""


def parse_json(content: bytes | str) -> object:
    """Return the JSON value in `content`; raise `NotJSONError` with the place of the error.

    An object with a repeated key becomes `RepeatedKeys`.
    """
    if len(content) > MAX_FILE_SIZE:
        raise NotJSONError(f"is longer than {MAX_FILE_SIZE / 1e6:g} million bytes")
    text = _decode(content) if isinstance(content, bytes) else content
    if text.startswith("\ufeff"):
        raise NotJSONError("starts with a byte-order mark; save it as UTF-8 without one")
    try:
        return json.loads(text, object_pairs_hook=_build_object)
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise NotJSONError(f"is not JSON: {error.msg} at {where}") from error
    except RecursionError as error:
        raise NotJSONError("is nested too deeply") from error
    except ValueError as error:
        # Python refuses whole numbers of thousands of digits.
        raise NotJSONError("is not readable JSON: a number is too long") from error


def _decode(content: bytes) -> str:
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise NotJSONError(f"is not UTF-8 text: byte {error.start}, on line {line}") from error


def _build_object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    members = dict(pairs)
    if len(members) == len(pairs):
        return members
    seen: set[str] = set()
    repeated = RepeatedKeys(members)
    repeated.keys_repeated = tuple(
        dict.fromkeys(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
    )
    return repeated
