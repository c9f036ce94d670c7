"""Makes the result of each decided order: its outcome, its sentence, and who caused it."""

from diplomaccloud.judge.movement.findings import find_reason
from diplomaccloud.judge.movement.state import MovementState
from diplomaccloud.judge.reasons.messages import Wording
from diplomaccloud.judge.results import OrderResult


class Explainer:
    """Explains the orders of one decided movement."""

    def __init__(self, movement: MovementState) -> None:
        self.movement = movement
        self.words = Wording(movement)

    def result(self, unit: int, implicit: bool = False) -> OrderResult:
        """Return the result of the unit's order."""
        movement = self.movement
        dislodger = movement.dislodger(unit)
        found = find_reason(movement, unit)
        causes = found.units if found.reason.blames_units else ()
        if dislodger is not None and dislodger not in causes:
            causes = (*causes, dislodger)
        return OrderResult(
            movement.orders[unit],
            found.reason.outcome,
            self.words.sentence(unit, found, dislodger),
            tuple(sorted([movement.provinces[one] for one in causes])) if causes else (),
            implicit,
        )
