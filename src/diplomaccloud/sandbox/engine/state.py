"""The state of a sandbox as a value."""

from dataclasses import dataclass, replace

from diplomaccloud.atlas.marks import Mark
from diplomaccloud.judge.board import Board
from diplomaccloud.judge.orders import Order
from diplomaccloud.judge.position import Position, starting_position
from diplomaccloud.judge.rules import DEFAULT, EDITIONS, RuleSet

MAX_PAST = 16
"""How many adjudicated phases a state keeps; the oldest are dropped first."""


@dataclass(frozen=True, slots=True)
class SandboxState:
    """A position, the orders of the phases adjudicated since, and the orders of the phase shown.

    `past` has the orders of each adjudicated phase, oldest first; `steps.replay` recomputes the
    positions. `orders` are for the position after them. `edition` names the rules. `marks` are
    drawn on the map in every phase.
    """

    start: Position
    past: tuple[tuple[Order, ...], ...] = ()
    orders: tuple[Order, ...] = ()
    edition: str = DEFAULT.name
    marks: tuple[Mark, ...] = ()

    @property
    def rules(self) -> RuleSet:
        """The rule set that the judge applies."""
        return EDITIONS[self.edition]

    def with_orders(self, orders: tuple[Order, ...]) -> "SandboxState":
        """Return the state with other orders in the phase shown."""
        return replace(self, orders=orders)


def start_state(board: Board, edition: str = DEFAULT.name) -> SandboxState:
    """Return the starting state of a game on `board`."""
    return SandboxState(starting_position(board), edition=edition)
