"""Makes the result of each decided order: its outcome, its sentence, and who caused it."""

from diplomaccloud.judge.movement.findings import find
from diplomaccloud.judge.movement.state import Battle
from diplomaccloud.judge.reasons.messages import Wording
from diplomaccloud.judge.results import OrderResult


class Explainer:
    """Explains the orders of one decided battle."""

    def __init__(self, battle: Battle) -> None:
        self.battle = battle
        self.words = Wording(battle)

    def result(self, unit: int, implicit: bool = False) -> OrderResult:
        """Return the result of the unit's order."""
        battle = self.battle
        dislodger = battle.dislodger(unit)
        found = find(battle, unit)
        causes = found.units if found.why.blames else ()
        if dislodger is not None and dislodger not in causes:
            causes = (*causes, dislodger)
        return OrderResult(
            battle.orders[unit],
            found.why.outcome,
            self.words.sentence(unit, found, dislodger),
            tuple(sorted([battle.provinces[one] for one in causes])) if causes else (),
            implicit,
        )
