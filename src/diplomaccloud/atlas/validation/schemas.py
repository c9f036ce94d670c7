"""Forms of JSON values: each reads a value, naming every fault, and writes itself as JSON Schema.

Here is what all forms have, and those of a text, a number or a truth; `compound` has those made
of other forms.

What a form returns is of its type, or `BROKEN` where the value is at fault, so that the rest of
a file can still be looked at. Nothing is converted: `true` is no number, `"1"` no integer.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import isfinite
from typing import Final, cast

from diplomaccloud.atlas.validation.faults import Faults, quoted
from diplomaccloud.judge.codec.reader import Json

BROKEN: Final = object()
"""Stands for a value that is at fault."""


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
            found.add(path, f"is {kind_of(value)}, not a text")
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
        shown = quoted(value) if isinstance(value, str) else kind_of(value)
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
            found.add(path, f"is {kind_of(value)}, not a {'whole ' * self.whole}number")
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
        found.add(path, f"is {kind_of(value)}, neither true nor false")
        return BROKEN

    def bare_schema(self) -> Json:
        """Return the JSON Schema without the description."""
        return {"type": "boolean"}


def are_within(values: Sequence[float], low: float, high: float) -> bool:
    """Return whether all of `values` are numbers from `low` to `high`."""
    # The sum tells whether one is NaN, which neither the least nor the greatest need show.
    return not values or (low <= min(values) and max(values) <= high and isfinite(sum(values)))


def kind_of(value: object) -> str:
    """Return what a value is, as it is named in a fault."""
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
