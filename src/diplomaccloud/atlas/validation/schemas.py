"""Schemas of JSON values: each reads a value, adds all faults, and describes itself in JSON Schema.

This module has the base class and the scalar schemas; `compound_schemas` has those made of other
schemas. A schema returns a value of its type, or `INVALID`, so that the rest of the file can
still be checked. Nothing is converted: `true` is not a number and `"1"` is not an integer.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import isfinite
from typing import Final, cast

from diplomaccloud.atlas.validation.faults import Faults, quote_text
from diplomaccloud.judge.codec.reader import Json

INVALID: Final = object()
"""The result for an invalid value."""


@dataclass(frozen=True)
class Schema(ABC):
    """The requirements on a value; `about` describes its meaning."""

    about: str = field(default="", kw_only=True)

    @abstractmethod
    def read(self, value: object, path: str, faults: Faults) -> object:
        """Return the value, or `INVALID`, and add its faults; invalid parts are replaced."""

    def accepts_all(self, values: Sequence[object]) -> bool:
        """Return whether all `values` are certainly valid and need no conversion.

        This is the fast path for long lists of numbers. False only means "not certain".
        """
        del values
        return False

    @abstractmethod
    def build_json_schema(self) -> Json:
        """Return the JSON Schema without the description."""

    def describe(self) -> Json:
        """Return the JSON Schema with the description."""
        return (
            {"description": self.about, **self.build_json_schema()}
            if self.about
            else self.build_json_schema()
        )


@dataclass(frozen=True)
class Text(Schema):
    """A printable string that fully matches `pattern`.

    A `tidy` string has no space at either end and no two spaces in a row.
    """

    pattern: str = ""
    max_length: int = 80
    min_length: int = 0
    tidy: bool = False

    def read(self, value: object, path: str, faults: Faults) -> object:
        """Return the string."""
        if not isinstance(value, str):
            faults.add(path, f"is {describe_type(value)}, not a string")
        elif len(value) > self.max_length:
            faults.add(path, f"is longer than {self.max_length} characters")
        elif len(value) < self.min_length:
            faults.add(
                path, "is empty" if not value else f"is shorter than {self.min_length} characters"
            )
        elif not value.isprintable():
            faults.add(path, f"contains an unprintable character: {quote_text(value)}")
        elif self.tidy and value != " ".join(value.split()):
            faults.add(path, f"has a space at either end, or two in a row: {quote_text(value)}")
        elif self.pattern and re.fullmatch(self.pattern, value, re.ASCII) is None:
            faults.add(path, f"is {quote_text(value)}, which does not match {self.pattern}")
        else:
            return value
        return INVALID

    def build_json_schema(self) -> Json:
        """Return the JSON Schema without the description."""
        schema: Json = {"type": "string", "maxLength": self.max_length}
        if self.min_length:
            schema["minLength"] = self.min_length
        if self.pattern:
            schema["pattern"] = f"^{self.pattern}$"
        return schema


@dataclass(frozen=True)
class Choice(Schema):
    """One of the strings `names`."""

    names: Sequence[str] = ()

    def read(self, value: object, path: str, faults: Faults) -> object:
        """Return the string."""
        if isinstance(value, str) and value in self.names:
            return value
        description = quote_text(value) if isinstance(value, str) else describe_type(value)
        faults.add(path, f"is {description}, not one of: {', '.join(self.names)}")
        return INVALID

    def build_json_schema(self) -> Json:
        """Return the JSON Schema without the description."""
        return {"enum": list(self.names)}


@dataclass(frozen=True)
class Number(Schema):
    """A finite number from `low` to `high`; an integer if `whole`."""

    low: float = 0
    high: float = 0
    whole: bool = False

    def read(self, value: object, path: str, faults: Faults) -> object:
        """Return the number, as a float unless it is `whole`."""
        types = int if self.whole else (int, float)
        if isinstance(value, bool) or not isinstance(value, types):
            faults.add(
                path, f"is {describe_type(value)}, not {'an integer' if self.whole else 'a number'}"
            )
        # Compared before conversion: a huge integer does not fit in a float. NaN fails, too.
        elif not self.low <= value <= self.high:
            faults.add(path, f"is {format_number(value)}, not from {self.low:g} to {self.high:g}")
        else:
            return value if self.whole else float(value)
        return INVALID

    def accepts_all(self, values: Sequence[object]) -> bool:
        """Return whether all `values` are numbers of the right type and range."""
        return set(map(type, values)) <= {int if self.whole else float} and are_within(
            cast("Sequence[float]", values), self.low, self.high
        )

    def build_json_schema(self) -> Json:
        """Return the JSON Schema without the description."""
        kind = "integer" if self.whole else "number"
        return {"type": kind, "minimum": self.low, "maximum": self.high}


@dataclass(frozen=True)
class Boolean(Schema):
    """True or false."""

    def read(self, value: object, path: str, faults: Faults) -> object:
        """Return the boolean."""
        if isinstance(value, bool):
            return value
        faults.add(path, f"is {describe_type(value)}, not true or false")
        return INVALID

    def build_json_schema(self) -> Json:
        """Return the JSON Schema without the description."""
        return {"type": "boolean"}


def are_within(values: Sequence[float], low: float, high: float) -> bool:
    """Return whether all of `values` are numbers from `low` to `high`."""
    # The sum reveals a NaN, which minimum and maximum may hide.
    return not values or (low <= min(values) and max(values) <= high and isfinite(sum(values)))


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
