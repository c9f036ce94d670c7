"""A visitor's current choices: the section, the open line, the tool and its power."""

from dataclasses import dataclass
from enum import StrEnum

from diplomaccloud.atlas.marks import INKS, MarkKind


class View(StrEnum):
    """The section shown in the panel. The map shows what belongs to it."""

    ORDERS = "orders"
    RESULTS = "results"
    MARKS = "marks"
    SETUP = "setup"
    SHARE = "share"


class Tool(StrEnum):
    """The effect of a tap on the map on the position."""

    ARMY = "army"
    FLEET = "fleet"
    OWNER = "owner"
    REMOVE = "remove"


@dataclass(frozen=True, slots=True)
class Choices:
    """A visitor's choices: the section, the open line, the tool and its power, and a phase.

    `mark` and `ink` are the kind and color of the next mark.
    """

    view: View = View.ORDERS
    line: str = ""
    tool: Tool = Tool.ARMY
    power: str = ""
    phase: int | None = None
    mark: MarkKind = MarkKind.WASH
    ink: str = next(iter(INKS))
