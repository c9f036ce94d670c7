"""Who is connected to a game."""

from dataclasses import dataclass, field
from enum import Enum
from typing import NewType

from diplomaccloud.judge.board import Power

VisitorId = NewType("VisitorId", int)
"""The number of a connection."""


class Role(Enum):
    """What a visitor has asked to be."""

    NOBODY = "nobody"
    OBSERVER = "observer"
    PLAYER = "player"


@dataclass(slots=True)
class Visitor:
    """A connection: what it is, its power, and until when it must say that it knows the map."""

    number: VisitorId
    role: Role = Role.NOBODY
    name: str = ""
    version: str = ""
    knows_map: bool = False
    map_due: float | None = None
    power: Power | None = None
    times: set[int] = field(default_factory=set)
    wrong_passcodes: int = 0


@dataclass(frozen=True, slots=True)
class Seat:
    """A power that a client plays: its passcode, and the name and version for the summary."""

    power: Power
    passcode: int
    name: str
    version: str
