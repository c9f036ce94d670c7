"""What would have happened, had one unit held: the phase adjudicated once more without it."""

from diplomaccloud.judge.movement.findings import find
from diplomaccloud.judge.movement.resolver import resolve
from diplomaccloud.judge.movement.state import Battle
from diplomaccloud.judge.orders import Hold
from diplomaccloud.judge.results import Outcome

Fate = tuple[Outcome, bool]


class WhatIf:
    """Adjudicates a battle with one order taken out, each at most once."""

    def __init__(self, battle: Battle) -> None:
        self.battle = battle
        self._without: dict[int, Battle] = {}

    def change(self, unit: int, other: int) -> Fate | None:
        """Return what becomes of the unit's order if `other` holds, or `None` if no change."""
        if unit == other or isinstance(self.battle.orders[other], Hold):
            return None
        now = fate(self.without(other), unit)
        return None if now == fate(self.battle, unit) else now

    def without(self, other: int) -> Battle:
        """Return the battle as it goes if `other` holds."""
        if other not in self._without:
            orders = list(self.battle.orders)
            orders[other] = Hold(self.battle.units[other])
            self._without[other] = resolve(self.battle.board, self.battle.rules, orders)
        return self._without[other]


def fate(battle: Battle, unit: int) -> Fate:
    """Return the outcome of the unit's order, and whether the unit was dislodged."""
    return find(battle, unit).why.outcome, battle.dislodger(unit) is not None
