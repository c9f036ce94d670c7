"""Marks that a person draws on a map: washes, hatches, arrows and pins with text."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from diplomaccloud.judge.board import ProvinceCode


class MarkKind(StrEnum):
    """The kinds of marks: a color over a province, lines over it, an arrow, a pin with text."""

    WASH = "wash"
    HATCH = "hatch"
    ARROW = "arrow"
    PIN = "pin"


INKS: Final = {"red": "#d4281e", "blue": "#2364d2", "green": "#1f8a3b", "gold": "#e0a100"}
"""The colors of marks by name. New ones go at the end, because texts contain their numbers."""


NOWHERE: Final = ProvinceCode("")
"""The target of marks that are not arrows."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A mark on a province; `ink` is the name of its color.

    `to` is the target of an arrow, blank for other marks; `text` is the text of a pin.
    """

    kind: MarkKind
    ink: str
    province: ProvinceCode
    to: ProvinceCode = NOWHERE
    text: str = ""
