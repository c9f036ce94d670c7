"""Forms of JSON values: each reads a value, naming every fault, and writes itself as JSON Schema.

What a form returns is of its type, or `BROKEN` where the value is at fault, so that the rest of
a file can still be looked at. Nothing is converted: `true` is no number, `"1"` no integer.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import isfinite
from typing import Final, cast

from diplomaccloud.atlas.checking.faults import Faults, below, quoted
from diplomaccloud.judge.jsonread import Json

BROKEN: Final = object()
"""Stands for a value that is at fault."""


class RepeatedKeys(dict[str, object]):
    """An object in whose text a key was written more than once; `keys_repeated` says which."""

    keys_repeated: tuple[str, ...] = ()


@dataclass(frozen=True)
class Form(ABC):
    """What a value must be; `about` tells people what it means."""

    about: str = field(default="", kw_only=True)

    @abstractmethod
    def read(self, value: object, path: str, found: Faults) -> object:
        """Return the value, faulty parts replaced, or `BROKEN`; add its faults to `found`."""

    def takes_all(self, values: Sequence[object]) -> bool:
        """Return whether all `values` are known to be without fault, and stay what they are.

        Lists of a million numbers are read by this; False says nothing.
        """
        del values
        return False

    @abstractmethod
    def bare_schema(self) -> Json:
        """Return the JSON Schema without the description."""

    def schema(self) -> Json:
        """Return the JSON Schema of the form."""
        return (
            {"description": self.about, **self.bare_schema()} if self.about else self.bare_schema()
        )


@dataclass(frozen=True)
class Text(Form):
    """A printable text that matches all of `pattern`.

    A `tidy` one neither begins nor ends with a space, nor has two together.
    """

    pattern: str = ""
    most: int = 80
    least: int = 0
    tidy: bool = False

    def read(self, value: object, path: str, found: Faults) -> object:
        """Return the text."""
        if not isinstance(value, str):
            found.add(path, f"is {_kind(value)}, not a text")
        elif len(value) > self.most:
            found.add(path, f"is longer than {self.most} characters")
        elif len(value) < self.least:
            found.add(path, "is empty" if not value else f"is shorter than {self.least} characters")
        elif not value.isprintable():
            found.add(path, f"holds a character that cannot be printed: {quoted(value)}")
        elif self.tidy and value != " ".join(value.split()):
            found.add(path, f"begins or ends with a space, or has two together: {quoted(value)}")
        elif self.pattern and re.fullmatch(self.pattern, value, re.ASCII) is None:
            found.add(path, f"cannot be {quoted(value)} (it must match {self.pattern})")
        else:
            return value
        return BROKEN

    def bare_schema(self) -> Json:
        """Return the JSON Schema without the description."""
        schema: Json = {"type": "string", "maxLength": self.most}
        if self.least:
            schema["minLength"] = self.least
        if self.pattern:
            schema["pattern"] = f"^{self.pattern}$"
        return schema


@dataclass(frozen=True)
class Choice(Form):
    """One of the texts `names`."""

    names: Sequence[str] = ()

    def read(self, value: object, path: str, found: Faults) -> object:
        """Return the text."""
        if isinstance(value, str) and value in self.names:
            return value
        shown = quoted(value) if isinstance(value, str) else _kind(value)
        found.add(path, f"is {shown}, not one of: {', '.join(self.names)}")
        return BROKEN

    def bare_schema(self) -> Json:
        """Return the JSON Schema without the description."""
        return {"enum": list(self.names)}


@dataclass(frozen=True)
class Number(Form):
    """A finite number from `low` to `high`; `whole` if it must have no fraction."""

    low: float = 0
    high: float = 0
    whole: bool = False

    def read(self, value: object, path: str, found: Faults) -> object:
        """Return the number, as a float unless it is `whole`."""
        right = int if self.whole else (int, float)
        if isinstance(value, bool) or not isinstance(value, right):
            found.add(path, f"is {_kind(value)}, not a {'whole ' * self.whole}number")
        # Compared before conversion: a huge integer fits no float. NaN fails here too.
        elif not self.low <= value <= self.high:
            found.add(path, f"is {shown(value)}, not from {self.low:g} to {self.high:g}")
        else:
            return value if self.whole else float(value)
        return BROKEN

    def takes_all(self, values: Sequence[object]) -> bool:
        """Return whether all `values` are numbers within the range, and of the type wanted."""
        return set(map(type, values)) <= {int if self.whole else float} and are_within(
            cast("Sequence[float]", values), self.low, self.high
        )

    def bare_schema(self) -> Json:
        """Return the JSON Schema without the description."""
        kind = "integer" if self.whole else "number"
        return {"type": kind, "minimum": self.low, "maximum": self.high}


@dataclass(frozen=True)
class Truth(Form):
    """True or false."""

    def read(self, value: object, path: str, found: Faults) -> object:
        """Return the truth."""
        if isinstance(value, bool):
            return value
        found.add(path, f"is {_kind(value)}, neither true nor false")
        return BROKEN

    def bare_schema(self) -> Json:
        """Return the JSON Schema without the description."""
        return {"type": "boolean"}


@dataclass(frozen=True)
class Maybe(Form):
    """Null, or a value of `form`."""

    form: Form

    def read(self, value: object, path: str, found: Faults) -> object:
        """Return the value, or None."""
        return None if value is None else self.form.read(value, path, found)

    def bare_schema(self) -> Json:
        """Return the JSON Schema without the description."""
        return {"anyOf": [{"type": "null"}, self.form.schema()]}


@dataclass(frozen=True)
class Listed(Form):
    """A list of `least` to `most` members; faulty ones become None: each keeps its place."""

    item: Form
    most: int = 0
    least: int = 0

    def read(self, value: object, path: str, found: Faults) -> object:
        """Return the list."""
        if not isinstance(value, list):
            found.add(path, f"is {_kind(value)}, not a list")
        elif len(value) > self.most:
            found.add(path, f"has {len(value)} members where {self.most} are allowed")
        elif len(value) < self.least:
            found.add(path, f"has {len(value)} members where {self.least} are needed")
        elif self.item.takes_all(value):
            return value
        else:
            read = (self.item.read(one, f"{path}[{i}]", found) for i, one in enumerate(value))
            return [None if one is BROKEN else one for one in read]
        return BROKEN

    def bare_schema(self) -> Json:
        """Return the JSON Schema without the description."""
        return {
            "type": "array",
            "items": self.item.schema(),
            "minItems": self.least,
            "maxItems": self.most,
        }


@dataclass(frozen=True)
class Row(Form):
    """A list of exactly these members, each of its own form."""

    forms: Sequence[Form] = ()

    def read(self, value: object, path: str, found: Faults) -> object:
        """Return the list; it is broken if one of its members is."""
        if not isinstance(value, list):
            found.add(path, f"is {_kind(value)}, not a list")
            return BROKEN
        if len(value) != len(self.forms):
            found.add(path, f"has {len(value)} members, not {len(self.forms)}")
            return BROKEN
        read = [
            form.read(one, f"{path}[{i}]", found)
            for i, (form, one) in enumerate(zip(self.forms, value, strict=True))
        ]
        return BROKEN if BROKEN in read else read

    def bare_schema(self) -> Json:
        """Return the JSON Schema without the description."""
        return {
            "type": "array",
            "prefixItems": [form.schema() for form in self.forms],
            "items": False,
            "minItems": len(self.forms),
        }


@dataclass(frozen=True)
class Points(Form):
    """A flat list of coordinates, x and y in turn, of `least` points or more."""

    largest: float = 0
    least: int = 2
    most: int = 4_000

    def read(self, value: object, path: str, found: Faults) -> object:
        """Return the coordinates as floats; the list is broken if one of them is."""
        if not isinstance(value, list):
            found.add(path, f"is {_kind(value)}, not a list")
        elif len(value) % 2 or not 2 * self.least <= len(value) <= 2 * self.most:
            found.add(
                path,
                f"has {len(value)} numbers, not two for each of {self.least} to {self.most} points",
            )
        elif set(map(type, value)) <= {int, float} and are_within(
            value, -self.largest, self.largest
        ):
            return [*map(float, value)]
        else:
            form = Number(-self.largest, self.largest)
            read = [form.read(one, f"{path}[{i}]", found) for i, one in enumerate(value)]
            return BROKEN if BROKEN in read else read
        return BROKEN

    def bare_schema(self) -> Json:
        """Return the JSON Schema without the description."""
        return {
            "type": "array",
            "items": Number(-self.largest, self.largest).schema(),
            "minItems": 2 * self.least,
            "maxItems": 2 * self.most,
        }


@dataclass(frozen=True)
class Entries(Form):
    """An object of up to `most` members with free keys; faulty members are left out."""

    key: Text
    value: Form
    most: int = 0

    def read(self, value: object, path: str, found: Faults) -> object:
        """Return the object."""
        if not isinstance(value, dict):
            found.add(path, f"is {_kind(value)}, not an object")
            return BROKEN
        if len(value) > self.most:
            found.add(path, f"has {len(value)} members where {self.most} are allowed")
            return BROKEN
        _find_repeated(value, path, found)
        read: Json = {}
        for key, one in value.items():
            known = self.key.read(key, f"{path}: key {quoted(key)}", found)
            member = self.value.read(one, below(path, key), found)
            if known is not BROKEN and member is not BROKEN:
                read[key] = member
        return read

    def bare_schema(self) -> Json:
        """Return the JSON Schema without the description."""
        return {
            "type": "object",
            "propertyNames": self.key.schema(),
            "additionalProperties": self.value.schema(),
            "maxProperties": self.most,
        }


@dataclass(frozen=True)
class Member:
    """A member of a record: its form, whether it may be left out, and what stands in for it.

    With `has_spare`, a faulty or missing member becomes `spare`, and the record is still of
    use; without, the record is broken.
    """

    form: Form
    optional: bool = False
    has_spare: bool = False
    spare: object = None


@dataclass(frozen=True)
class Record(Form):
    """An object with these members and no others."""

    members: Mapping[str, Member]

    def read(self, value: object, path: str, found: Faults) -> object:
        """Return the object."""
        if not isinstance(value, dict):
            found.add(path, f"is {_kind(value)}, not an object")
            return BROKEN
        _find_repeated(value, path, found)
        for key in sorted(set(value) - set(self.members))[:20]:
            found.add(below(path, key), "is no member of this format")
        read: Json = {}
        for key, member in self.members.items():
            here = below(path, key)
            if key in value:
                one = member.form.read(value[key], here, found)
            else:
                one = BROKEN
                if not member.optional:
                    found.add(here, "is missing")
            if one is BROKEN and not (member.has_spare or member.optional):
                read = {**read, key: BROKEN}
            else:
                read[key] = member.spare if one is BROKEN else one
        return BROKEN if BROKEN in read.values() else read

    def bare_schema(self) -> Json:
        """Return the JSON Schema without the description."""
        return {
            "type": "object",
            "properties": {key: member.form.schema() for key, member in self.members.items()},
            "required": [key for key, member in self.members.items() if not member.optional],
            "additionalProperties": False,
        }


def _find_repeated(value: Mapping[str, object], path: str, found: Faults) -> None:
    if isinstance(value, RepeatedKeys):
        for key in value.keys_repeated[:20]:
            found.add(path, f"has the member {quoted(key)} more than once")


def are_within(values: Sequence[float], low: float, high: float) -> bool:
    """Return whether all of `values` are numbers from `low` to `high`."""
    # The sum tells whether one is NaN, which neither the least nor the greatest need show.
    return not values or (low <= min(values) and max(values) <= high and isfinite(sum(values)))


def _kind(value: object) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "true or false"
        case int() | float():
            return f"the number {shown(value)}"
        case str():
            return "a text"
        case list():
            return "a list"
        case _:
            return "an object"


def shown(value: float) -> str:
    """Return a number as it is named in a fault: in a few digits."""
    try:
        return f"{value:g}"
    except OverflowError:
        # A whole number of hundreds of digits.
        return "huge"
