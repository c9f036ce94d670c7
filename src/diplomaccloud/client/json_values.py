"""Reading typed values from JSON, and writing them as JSON."""

import datetime as dt
import types
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from diplomaccloud.client.errors import StrangeAnswer


def read_value(  # noqa: PLR0911 one for each kind of type
    kind: Any, data: object, place: str = "the answer"
) -> Any:
    """Return the JSON value `data` as a value of the type `kind`; raise `StrangeAnswer`.

    Unknown fields are ignored: newer sites may send more fields.
    """
    origin, parts = get_origin(kind), get_args(kind)
    if kind is Any or origin is Literal:
        return data
    if origin in (Union, types.UnionType):
        kinds = [part for part in parts if part is not types.NoneType]
        if data is None and len(kinds) < len(parts):
            return None
        if len(kinds) > 1:
            kinds = [part for part in kinds if _has_words_of(part, data)]
        # A newer site may send a kind that this client does not know: it stays as it came.
        return read_value(kinds[0], data, place) if kinds else data
    if origin is tuple:
        items = _require(data, list, place)
        return tuple([read_value(parts[0], item, f"{place}[{n}]") for n, item in enumerate(items)])
    if origin is not None:  # a mapping
        entries = _require(data, dict, place)
        return {
            key: read_value(parts[1], entry, f"{place}.{key}") for key, entry in entries.items()
        }
    if isinstance(kind, type) and is_dataclass(kind):
        return _read_fields(kind, _require(data, dict, place), place)
    if kind is dt.datetime:
        return _read_time(data, place)
    if kind is float and isinstance(data, int):
        return float(data)
    return _require(data, kind, place)


def write_value(value: object) -> object:
    """Return a value as JSON, leaving out fields that are None."""
    if is_dataclass(value) and not isinstance(value, type):
        parts = {field.name.rstrip("_"): getattr(value, field.name) for field in fields(value)}
        return write_given(parts)
    if isinstance(value, Mapping):
        return {name: write_value(part) for name, part in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [write_value(part) for part in value]
    return value.isoformat() if isinstance(value, dt.datetime) else value


def write_given(parts: Mapping[str, object]) -> dict[str, object]:
    """Return arguments as JSON, leaving out those that are None."""
    return {name: write_value(part) for name, part in parts.items() if part is not None}


@cache
def _list_fields(kind: type) -> list[tuple[str, str, Any, bool]]:
    """Return each field of a type: name, name in JSON, type, and whether it is required."""
    hints = get_type_hints(kind)
    return [
        (field.name, field.name.rstrip("_"), hints[field.name], _is_needed(field))
        for field in fields(kind)
    ]


def _has_words_of(kind: type, data: object) -> bool:
    """Return whether each field of `kind` with fixed words has one of them in `data`."""
    return isinstance(data, Mapping) and all(
        data.get(key) in get_args(hint)
        for _, key, hint, _ in _list_fields(kind)
        if get_origin(hint) is Literal
    )


def _is_needed(field: Any) -> bool:
    return field.default is MISSING and field.default_factory is MISSING


def _read_fields(kind: type, data: Mapping[str, object], place: str) -> object:
    values = {}
    for name, key, hint, needed in _list_fields(kind):
        if key in data:
            values[name] = read_value(hint, data[key], f"{place}.{key}")
        elif needed:
            raise StrangeAnswer(f"{place} has no {key!r}")
    return kind(**values)


def _read_time(data: object, place: str) -> dt.datetime:
    try:
        return dt.datetime.fromisoformat(_require(data, str, place))
    except ValueError as error:
        raise StrangeAnswer(f"{place} is not a time: {data!r:.100}") from error


def _require(data: object, kind: type, place: str) -> Any:
    if not isinstance(data, kind) or (kind is int and isinstance(data, bool)):
        raise StrangeAnswer(f"{place} is not of the type {kind.__name__}: {data!r:.100}")
    return data
