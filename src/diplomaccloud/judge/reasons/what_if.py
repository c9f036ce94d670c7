"""What would have happened, had one unit held: the phase adjudicated once more without it."""

from diplomaccloud.judge.movement.findings import find_reason
from diplomaccloud.judge.movement.resolver import resolve
from diplomaccloud.judge.movement.state import MovementState
from diplomaccloud.judge.orders import Hold
from diplomaccloud.judge.results import Outcome

Fate = tuple[Outcome, bool]


class WhatIf:
    """Adjudicates a battle with one order taken out, each at most once."""

    def __init__(self, movement: MovementState) -> None:
        self.movement = movement
        self._without: dict[int, MovementState] = {}

    def change(self, unit: int, other: int) -> Fate | None:
        """Return what becomes of the unit's order if `other` holds, or `None` if no change."""
        if unit == other or isinstance(self.movement.orders[other], Hold):
            return None
        now = fate(self.without(other), unit)
        return None if now == fate(self.movement, unit) else now

    def without(self, other: int) -> MovementState:
        """Return the battle as it goes if `other` holds."""
        if other not in self._without:
            orders = list(self.movement.orders)
            orders[other] = Hold(self.movement.units[other])
            self._without[other] = resolve(self.movement.board, self.movement.rules, orders)
        return self._without[other]


def fate(movement: MovementState, unit: int) -> Fate:
    """Return the outcome of the unit's order, and whether the unit was dislodged."""
    return find_reason(movement, unit).reason.outcome, movement.dislodger(unit) is not None
