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
    """A connection: what it is, its power, and until when it must say what it wants to play.

    `said` is how many tokens it has sent to others after as many phases as `said_in`.
    """

    number: VisitorId
    role: Role = Role.NOBODY
    name: str = ""
    version: str = ""
    knows_map: bool = False
    due: float | None = None
    power: Power | None = None
    times: set[int] = field(default_factory=set)
    wrong_passcodes: int = 0
    wrong_tokens: int = 0
    said: int = 0
    said_in: int = 0


@dataclass(frozen=True, slots=True)
class Seat:
    """A power that a client plays: passcode, name and version for the summary, level of press."""

    power: Power
    passcode: int
    name: str
    version: str
    level: int
