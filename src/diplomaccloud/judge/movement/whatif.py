"""What would have happened, had one unit held: the phase adjudicated once more without it."""

from diplomaccloud.judge.explanations import Decisive
from diplomaccloud.judge.movement.battle import Battle
from diplomaccloud.judge.movement.findings import find
from diplomaccloud.judge.movement.resolver import resolve
from diplomaccloud.judge.orders import Hold
from diplomaccloud.judge.results import Outcome


class WhatIf:
    """Adjudicates a battle with one order taken out, each at most once."""

    def __init__(self, battle: Battle) -> None:
        self.battle = battle
        self._without: dict[int, Battle] = {}

    def decisive(self, unit: int, other: int) -> Decisive | None:
        """Return what becomes of the unit's order if `other` holds, or `None` if no change."""
        if unit == other or isinstance(self.battle.orders[other], Hold):
            return None
        changed = self.without(other)
        was, now = _fate(self.battle, unit), _fate(changed, unit)
        return None if was == now else self._decisive(unit, other, now)

    def _decisive(self, unit: int, other: int, fate: tuple[Outcome, bool]) -> Decisive:
        units = self.battle.units
        return Decisive(units[other], units[unit], *fate)

    def without(self, other: int) -> Battle:
        """Return the battle as it goes if `other` holds."""
        if other not in self._without:
            orders = list(self.battle.orders)
            orders[other] = Hold(self.battle.units[other])
            self._without[other] = resolve(self.battle.board, self.battle.rules, orders)
        return self._without[other]


def _fate(battle: Battle, unit: int) -> tuple[Outcome, bool]:
    return find(battle, unit).why.outcome, battle.dislodger(unit) is not None
