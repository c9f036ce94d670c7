"""Finds out what would have happened if one unit had held, by deciding affected orders again."""

from diplomaccloud.judge.movement.changed_order import resolve_changed_order
from diplomaccloud.judge.movement.findings import find_reason
from diplomaccloud.judge.movement.state import MovementState
from diplomaccloud.judge.orders import Hold
from diplomaccloud.judge.results import Outcome

Fate = tuple[Outcome, bool]
"""The outcome of a unit's order, and whether the unit was dislodged."""


class WhatIf:
    """Decides a movement phase with one unit holding instead, at most once for each unit."""

    def __init__(self, movement: MovementState) -> None:
        self.movement = movement
        self._without: dict[int, MovementState] = {}

    def find_change(self, unit: int, other: int) -> Fate | None:
        """Return the unit's fate if `other` had held, or `None` if it would be the same."""
        if unit == other or isinstance(self.movement.orders[other], Hold):
            return None
        changed = find_fate(self.resolve_without(other), unit)
        return None if changed == find_fate(self.movement, unit) else changed

    def resolve_without(self, other: int) -> MovementState:
        """Return the decided phase as if `other` had been ordered to hold."""
        if other not in self._without:
            hold = Hold(self.movement.units[other])
            self._without[other] = resolve_changed_order(self.movement, other, hold)
        return self._without[other]


def find_fate(movement: MovementState, unit: int) -> Fate:
    """Return the outcome of the unit's order, and whether the unit was dislodged."""
    outcome = find_reason(movement, unit).reason.outcome
    return outcome, movement.dislodger(unit) is not None
