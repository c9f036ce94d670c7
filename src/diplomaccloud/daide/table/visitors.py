"""The visitors and seats of a game."""

from dataclasses import dataclass, field
from enum import Enum
from typing import NewType

from diplomaccloud.judge.board import Power

VisitorId = NewType("VisitorId", int)
"""The number of a connection."""


class Role(Enum):
    """The role that a visitor has asked for."""

    NOBODY = "nobody"
    OBSERVER = "observer"
    PLAYER = "player"


@dataclass(slots=True)
class Visitor:
    """A connection: its role, its power, and when its next message is `due`.

    `said` is how many tokens it has sent to others in the phase with the number `said_in`.
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
    """A client's power: its passcode, its name and version for the summary, its level of press."""

    power: Power
    passcode: int
    name: str
    version: str
    level: int
