"""What is wrong with a field, in plain English: one sentence for each type of pydantic's errors."""

from collections.abc import Mapping
from typing import Any, Final

_NUMBER: Final = "This must be a whole number."
_TRUTH: Final = "This must be true or false."
_OBJECT: Final = "This must be an object."
_TEXT: Final = "This must be text."
_TIME: Final = "This must be a time such as 2026-11-23T18:00:00Z."
_SENTENCES: Final[Mapping[str, str]] = {
    "missing": "This field is required.",
    "extra_forbidden": "There is no such field.",
    "string_type": _TEXT,
    "string_too_long": "This must have at most {max_length} characters.",
    "string_too_short": "This must have at least {min_length} characters.",
    "too_long": "This must have at most {max_length} items.",
    "too_short": "This must have at least {min_length} items.",
    "int_type": _NUMBER,
    "int_parsing": _NUMBER,
    "int_parsing_size": _NUMBER,
    "int_from_float": _NUMBER,
    "float_type": "This must be a number.",
    "float_parsing": "This must be a number.",
    "finite_number": "This must be a number.",
    "bool_type": _TRUTH,
    "bool_parsing": _TRUTH,
    "list_type": "This must be a list.",
    "dict_type": _OBJECT,
    "mapping_type": _OBJECT,
    "model_type": _OBJECT,
    "model_attributes_type": _OBJECT,
    "greater_than_equal": "This must be {ge} or more.",
    "less_than_equal": "This must be {le} or less.",
    "literal_error": "This must be {expected}.",
    "enum": "This must be {expected}.",
    "datetime_type": _TIME,
    "datetime_parsing": _TIME,
    "datetime_from_date_parsing": _TIME,
    "datetime_object_invalid": _TIME,
    "timezone_aware": "This time must have a time zone, such as Z.",
    "date_type": "This must be a day such as 2026-11-23.",
    "date_parsing": "This must be a day such as 2026-11-23.",
    "date_from_datetime_parsing": "This must be a day such as 2026-11-23.",
}
_ID: Final = "This must be an ID from a response: 32 characters, 0 to 9 and a to f."
_MAP: Final = "the hash of a map: 64 characters, 0 to 9 and a to f"
_PATTERNS: Final[Mapping[str, str]] = {
    r"\S": "This must not be blank.",
    "^[a-z2-9]{10}$": "This must be the ID of a game: 10 characters, a to z and 2 to 9.",
    "^([a-z2-9]{10})?$": "This must be blank or the ID of a game.",
    "^[0-9a-f]{32}$": _ID,
    "^([0-9a-f]{32})?$": _ID,
    "^[0-9a-f]{64}$": f"This must be {_MAP}.",
    "^([0-9a-f]{64})?$": f"This must be blank or {_MAP}.",
    "^(standard|[0-9a-f]{64})$": f"This must be `standard` or {_MAP}.",
    "^([1-9][0-9]{0,5}|[SFW][0-9]{1,5}[MRA])$": "This must be the number of a phase, "
    "or a name such as S1901M.",
    "^([SF][0-9]{1,5}[MR]|W[0-9]{1,5}A)$": "This must be the name of a phase, such as S1901M.",
    "^(before|after|[1-9][0-9]{0,5})$": "This must be `before`, `after` or the number of a phase.",
    "^(now|[0-9]{1,9}(-[0-9]{1,9}){0,2})$": "This must be `now` or the `id` of an event.",
    "^(#[0-9a-f]{6})?$": "This must be blank or a color such as #246c6c.",
    "^[A-Za-z0-9]{1,20}$": "This must be a code: 1 to 20 letters and digits.",
    "^[-a-zA-Z0-9_]{1,40}$": "This must be a key from a response: 1 to 40 letters, digits, - or _.",
}
"""What a text must be, by its pattern."""


def word_fault(fault: Mapping[str, Any]) -> str:
    """Return the sentence for one of pydantic's errors."""
    kind, facts = str(fault.get("type", "")), dict(fault.get("ctx") or {})
    if kind == "string_pattern_mismatch":
        pattern = str(facts.get("pattern", ""))
        return _PATTERNS.get(pattern, f"This must match {pattern}.")
    if kind == "value_error":
        # The text is our own.
        return str(fault["msg"]).removeprefix("Value error, ")
    if kind == "string_too_short" and facts.get("min_length") == 1:
        return "This must not be blank."
    if kind not in _SENTENCES:
        return f"{fault['msg']}."
    return _SENTENCES[kind].format(**facts)
