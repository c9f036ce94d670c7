"""Schemas of JSON values: each reads a value, adds all faults, and describes itself in JSON Schema.

A schema returns a value of its type, or `INVALID`, so that the rest of the file can still be
checked. Nothing is converted but whole numbers to floats: `true` is not a number and `"1"` is not
an integer.

These are our own schemas and not those of a library, because `diplomaccloud judge` reads maps
without any other package, and because of what a person who draws a map needs to know. On the same
broken maps, pydantic 2.14 (strict) checks the standard map in 2 ms instead of 7, but

* it does not find unprintable characters, text that runs backwards, odd numbers of coordinates
  and repeated members;
* it leaves the wrong value out of its message: "Input should be less than or equal to 100000"
  for `is nan, not from -100000 to 100000`;
* a file with 300,000 unknown members gets 300,000 errors, after a second;
* one invalid value ends all other checks. Here an invalid list item becomes `None`, so names,
  borders and geometry of the rest are checked in the same run.

msgspec stops at the first error. jsonschema takes 60 times as long and quotes whole objects; the
tests use it to prove that every map matches the published schema.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, partial
from inspect import getdoc
from math import isfinite
from typing import Any, ClassVar, Final, Self, get_type_hints

from diplomaccloud.judge.codec import LATER, Json

# Faults of a file: the path of each and what is wrong there.

MAX_LISTED_FAULTS = 1_000
"""How many faults are listed; further ones are only counted."""

MAX_UNLISTED_FAULTS = 10_000
"""After counting this many further faults the validation stops."""


class TooManyFaultsError(Exception):
    """The file has too many faults to continue the validation."""


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault of the value at `path`, e.g. `board.provinces[12].code`."""

    path: str
    message: str

    def __str__(self) -> str:
        return f"{self.path or 'chart'}: {self.message}"


@dataclass(slots=True)
class Faults:
    """The faults so far, in the order in which they were found.

    `unlisted` counts further faults beyond `MAX_LISTED_FAULTS`, up to `MAX_UNLISTED_FAULTS`.
    """

    _listed: list[Fault] = field(default_factory=list)
    unlisted: int = 0

    def add(self, path: str, message: str) -> None:
        """Add a fault; raises `TooManyFaultsError` when the limit is reached."""
        if len(self._listed) < MAX_LISTED_FAULTS:
            self._listed.append(Fault(path, message))
            return
        self.unlisted += 1
        if self.unlisted >= MAX_UNLISTED_FAULTS:
            raise TooManyFaultsError

    def has_fault_in(self, path: str) -> bool:
        """Return whether the value at `path` or a part of it has a fault."""
        return any(fault.path.startswith(path) for fault in self._listed)

    def __iter__(self) -> Iterator[Fault]:
        return iter(self._listed)

    def __len__(self) -> int:
        return len(self._listed) + self.unlisted


def quote_text(text: str) -> str:
    """Return `text` in quotes, shortened and safe to print on any terminal."""
    return ascii(text if len(text) <= 40 else f"{text[:37]}...")


def join_path(path: str, key: str) -> str:
    """Return the path of the member `key` of the object at `path`."""
    name = key if key.isascii() and key.replace("_", "").isalnum() else quote_text(key)
    return f"{path}.{name}" if path else name


# Schemas.


INVALID: Final = object()
"""The result for an invalid value."""

_MAX_LISTED_KEYS = 20
"""How many unknown or repeated keys of an object are listed."""

_compile = cache(partial(re.compile, flags=re.ASCII))


class RepeatedKeys(dict[str, object]):
    """A JSON object with repeated keys, which are listed in `keys_repeated`."""

    keys_repeated: tuple[str, ...] = ()


@dataclass(frozen=True)
class Schema(ABC):
    """The requirements on a value; `about` describes its meaning.

    A subclass names its Python `types`, and may have further requirements (`_find_problem`) and
    parts with schemas of their own (`_read_parts`).
    """

    about: str = field(default="", kw_only=True)

    types: ClassVar[tuple[type, ...]] = ()
    type_name: ClassVar[str] = ""

    def read(self, value: object, path: str, faults: Faults) -> object:
        """Return the value, or `INVALID`, and add its faults; invalid parts are replaced."""
        # A boolean is an `int` for Python.
        if not isinstance(value, self.types) or (value.__class__ is bool is not self.types[0]):
            faults.add(path, f"is {describe_type(value)}, not {self.type_name}")
        elif problem := self._find_problem(value):
            faults.add(path, problem)
        else:
            return self._read_parts(value, path, faults)
        return INVALID

    def read_items(self, values: Sequence[object], path: str, faults: Faults) -> list[object]:
        """Return each item of a list, read with this schema."""
        return [self.read(value, f"{path}[{i}]", faults) for i, value in enumerate(values)]

    def with_about(self, about: str) -> Self:
        """Return this schema with a description."""
        return replace(self, about=about)

    def describe(self) -> Json:
        """Return the JSON Schema with the description."""
        schema = self._build_json_schema()
        return {"description": self.about, **schema} if self.about else schema

    def _find_problem(self, _value: Any) -> str:
        """Return what is wrong with a value of the right type."""
        return ""

    def _read_parts(self, value: Any, _path: str, _faults: Faults) -> object:
        return value

    @abstractmethod
    def _build_json_schema(self) -> Json: ...


@dataclass(frozen=True)
class Text(Schema):
    """A printable string that fully matches `pattern`.

    A `tidy` string is not empty and has no space at either end and no two spaces in a row. `later`
    says what `null` means in a later version of the format.
    """

    pattern: str = ""
    max_length: int = 80
    tidy: bool = False
    later: str = ""

    types = (str,)
    type_name = "a string"

    def read(self, value: object, path: str, faults: Faults) -> object:
        """Return the string."""
        if value is None and self.later:
            faults.add(path, f"{self.later} {LATER}")
            return INVALID
        return super().read(value, path, faults)

    def _find_problem(self, value: str) -> str:
        problem = ""
        if len(value) > self.max_length:
            problem = f"is longer than {self.max_length} characters"
        elif self.tidy and not value:
            problem = "is empty"
        elif not value.isprintable():
            problem = f"contains an unprintable character: {quote_text(value)}"
        elif self.tidy and value != " ".join(value.split()):
            problem = f"has a space at either end, or two in a row: {quote_text(value)}"
        elif self.pattern and not _compile(self.pattern).fullmatch(value):
            problem = f"is {quote_text(value)}, which does not match {self.pattern}"
        return problem

    def _build_json_schema(self) -> Json:
        schema: Json = {"type": "string", "maxLength": self.max_length}
        if self.tidy:
            schema["minLength"] = 1
        if self.pattern:
            schema["pattern"] = f"^{self.pattern}$"
        return schema


@dataclass(frozen=True)
class Choice(Schema):
    """One of the strings `names`; a later version of the format also knows those in `later`."""

    names: Sequence[str] = ()
    later: Sequence[str] = ()

    def read(self, value: object, path: str, faults: Faults) -> object:
        """Return the string."""
        if isinstance(value, str) and value in self.names:
            return value
        if isinstance(value, str) and value in self.later:
            faults.add(path, f"{value} {LATER}")
            return INVALID
        description = quote_text(value) if isinstance(value, str) else describe_type(value)
        faults.add(path, f"is {description}, not one of: {', '.join(self.names)}")
        return INVALID

    def _build_json_schema(self) -> Json:
        return {"enum": list(self.names)}


@dataclass(frozen=True)
class Number(Schema):
    """A finite number from `low` to `high`, which is read as a float."""

    low: float
    high: float

    types: ClassVar[tuple[type, ...]] = (int, float)
    type_name = "a number"
    json_type: ClassVar[str] = "number"
    convert: ClassVar[type[float]] = float

    def read_items(self, values: Sequence[object], path: str, faults: Faults) -> list[object]:
        """Return each item of a list; valid lists are read at once, because they are long."""
        numbers: Any = values
        # The sum reveals a NaN, which minimum and maximum may hide.
        if not values or (
            set(map(type, values)) <= {*self.types}
            and self.low <= min(numbers)
            and max(numbers) <= self.high
            and isfinite(sum(numbers))
        ):
            return numbers if self.convert is int else [*map(self.convert, numbers)]
        return super().read_items(values, path, faults)

    def _find_problem(self, value: float) -> str:
        # Compared before conversion: a huge integer does not fit in a float. NaN fails, too.
        if self.low <= value <= self.high:
            return ""
        return f"is {format_number(value)}, not from {self.low:g} to {self.high:g}"

    def _read_parts(self, value: Any, _path: str, _faults: Faults) -> object:
        return self.convert(value)

    def _build_json_schema(self) -> Json:
        return {"type": self.json_type, "minimum": self.low, "maximum": self.high}


@dataclass(frozen=True)
class Integer(Number):
    """An integer from `low` to `high`."""

    types = (int,)
    type_name = "an integer"
    json_type = "integer"
    convert = int


@dataclass(frozen=True)
class Boolean(Schema):
    """True or false."""

    types = (bool,)
    type_name = "true or false"

    def _build_json_schema(self) -> Json:
        return {"type": "boolean"}


@dataclass(frozen=True)
class Nullable(Schema):
    """Null, or a value of `schema`."""

    schema: Schema

    def read(self, value: object, path: str, faults: Faults) -> object:
        """Return the value, or `None`."""
        return None if value is None else self.schema.read(value, path, faults)

    def _build_json_schema(self) -> Json:
        return {"anyOf": [{"type": "null"}, self.schema.describe()]}


@dataclass(frozen=True)
class ListOf(Schema):
    """A list of `min_items` to `max_items` items; invalid items become `None`."""

    item: Schema
    max_items: int
    min_items: int = 0

    types = (list,)
    type_name = "a list"

    def _find_problem(self, value: Sequence[object]) -> str:
        if len(value) > self.max_items:
            return f"has {len(value)} items; the maximum is {self.max_items}"
        if len(value) < self.min_items:
            return f"has {len(value)} items; the minimum is {self.min_items}"
        return ""

    def _read_parts(self, value: Any, path: str, faults: Faults) -> object:
        items = self.item.read_items(value, path, faults)
        return [None if item is INVALID else item for item in items] if INVALID in items else items

    def _build_json_schema(self) -> Json:
        return {
            "type": "array",
            "items": self.item.describe(),
            "minItems": self.min_items,
            "maxItems": self.max_items,
        }


@dataclass(frozen=True)
class Points(ListOf):
    """A flat list of coordinates, x and y alternating; invalid if one of them is."""

    def _find_problem(self, value: Sequence[object]) -> str:
        if len(value) % 2 == 0 and self.min_items <= len(value) <= self.max_items:
            return ""
        return (
            f"has {len(value)} numbers instead of two for each of {self.min_items // 2} to"
            f" {self.max_items // 2} points"
        )

    def _read_parts(self, value: Any, path: str, faults: Faults) -> object:
        numbers = self.item.read_items(value, path, faults)
        return INVALID if INVALID in numbers else numbers


@dataclass(frozen=True)
class Tuple(Schema):
    """A list with exactly these items, each with its own schema; invalid if one of them is."""

    schemas: Sequence[Schema]

    types = (list,)
    type_name = "a list"

    def _find_problem(self, value: Sequence[object]) -> str:
        if len(value) == len(self.schemas):
            return ""
        return f"has {len(value)} items instead of {len(self.schemas)}"

    def _read_parts(self, value: Any, path: str, faults: Faults) -> object:
        items = [
            schema.read(item, f"{path}[{i}]", faults)
            for i, (schema, item) in enumerate(zip(self.schemas, value, strict=True))
        ]
        return INVALID if INVALID in items else items

    def _build_json_schema(self) -> Json:
        return {
            "type": "array",
            "prefixItems": [schema.describe() for schema in self.schemas],
            "items": False,
            "minItems": len(self.schemas),
        }


@dataclass(frozen=True)
class MapOf(Schema):
    """An object of up to `max_items` members with any keys; invalid members are left out."""

    key: Text
    value: Schema
    max_items: int

    types = (dict,)
    type_name = "an object"

    def _find_problem(self, value: Mapping[str, object]) -> str:
        if len(value) > self.max_items:
            return f"has {len(value)} members; the maximum is {self.max_items}"
        return ""

    def _read_parts(self, value: Any, path: str, faults: Faults) -> object:
        _find_repeated(value, path, faults)
        members: Json = {}
        for key, raw in value.items():
            valid_key = self.key.read(key, f"{path}: key {quote_text(key)}", faults)
            member = self.value.read(raw, join_path(path, key), faults)
            if valid_key is not INVALID and member is not INVALID:
                members[key] = member
        return members

    def _build_json_schema(self) -> Json:
        return {
            "type": "object",
            "propertyNames": self.key.describe(),
            "additionalProperties": self.value.describe(),
            "maxProperties": self.max_items,
        }


@dataclass(frozen=True)
class Default:
    """What an invalid or missing member becomes; only `optional` ones may be missing.

    Without a default, an invalid member makes the whole object invalid.
    """

    value: object = None
    optional: bool = False


@dataclass(frozen=True)
class Object(Schema):
    """An object with these members and no others; a later version also knows those in `later`."""

    members: Mapping[str, tuple[Schema, Default]]
    later: Collection[str] = ()

    types = (dict,)
    type_name = "an object"

    @classmethod
    def of(cls, data: type, later: Collection[str] = ()) -> Self:
        """Return the schema of a `TypedDict`, which its docstring describes.

        `later` names members that only a later version of the format has. Each member is annotated
        with its schema, perhaps a description, and perhaps a `Default`.
        """
        members = {}
        for key, hint in get_type_hints(data, include_extras=True).items():
            schema, default = hint.__metadata__[0], Default(INVALID)
            for extra in hint.__metadata__[1:]:
                if isinstance(extra, str):
                    schema = schema.with_about(extra)
                else:
                    default = extra
            members[key] = (schema, default)
        return cls(members, later, about=getdoc(data) or "")

    def _read_parts(self, value: Any, path: str, faults: Faults) -> object:
        _find_repeated(value, path, faults)
        for key in sorted(set(value) - set(self.members))[:_MAX_LISTED_KEYS]:
            unknown = LATER if key in self.later else "is not a member of this format"
            faults.add(join_path(path, key), unknown)
        members: Json = {}
        start = f"{path}." if path else ""
        for key, (schema, default) in self.members.items():
            item: object = INVALID
            if key in value:
                item = schema.read(value[key], start + key, faults)
            elif not default.optional:
                faults.add(start + key, "is missing")
            members[key] = default.value if item is INVALID else item
        return INVALID if INVALID in members.values() else members

    def _build_json_schema(self) -> Json:
        return {
            "type": "object",
            "properties": {key: schema.describe() for key, (schema, _) in self.members.items()},
            "required": [key for key, (_, default) in self.members.items() if not default.optional],
            "additionalProperties": False,
        }


def _find_repeated(value: Mapping[str, object], path: str, faults: Faults) -> None:
    if isinstance(value, RepeatedKeys):
        for key in value.keys_repeated[:_MAX_LISTED_KEYS]:
            faults.add(path, f"has the member {quote_text(key)} more than once")


def describe_type(value: object) -> str:
    """Return a description of the value's type, for messages."""
    match value:
        case None:
            return "null"
        case bool():
            return "a boolean"
        case int() | float():
            return f"the number {format_number(value)}"
        case str():
            return "a string"
        case list():
            return "a list"
        case _:
            return "an object"


def format_number(value: float) -> str:
    """Return a number in a few digits, for messages."""
    try:
        return f"{value:g}"
    except OverflowError:
        # An integer with hundreds of digits.
        return "huge"
