"""What a visitor of the sandbox has in hand: the section, the open line, the tool and its power."""

from dataclasses import dataclass
from enum import StrEnum

from diplomaccloud.atlas.marks import INKS, MarkKind


class View(StrEnum):
    """The section of the panel that is shown; the map shows what belongs to it."""

    ORDERS = "orders"
    RESULTS = "results"
    MARKS = "marks"
    SETUP = "setup"
    SHARE = "share"


class Tool(StrEnum):
    """What a tap on the map does to the position."""

    ARMY = "army"
    FLEET = "fleet"
    OWNER = "owner"
    REMOVE = "remove"


@dataclass(frozen=True, slots=True)
class Choices:
    """What a visitor has in hand: the section, the open line, the tool and its power, a phase.

    `mark` and `ink` are the kind and the color of the next mark.
    """

    view: View = View.ORDERS
    line: str = ""
    tool: Tool = Tool.ARMY
    power: str = ""
    phase: int | None = None
    mark: MarkKind = MarkKind.WASH
    ink: str = next(iter(INKS))
