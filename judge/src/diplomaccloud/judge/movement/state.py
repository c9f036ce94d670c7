"""The orders of one movement phase as lists, with the decisions made so far."""

from dataclasses import dataclass

from diplomaccloud.judge.board import Board, Power, ProvinceCode
from diplomaccloud.judge.orders import MovementOrder
from diplomaccloud.judge.rules import RuleSet
from diplomaccloud.judge.units import Unit

NOWHERE = ProvinceCode("")
"""The entry for orders without such a province."""

State = bool | None
"""Decided true, decided false, or (`None`) not yet decided."""


@dataclass(slots=True)
class MovementState:
    """Orders matched with each other; every list is indexed by unit.

    `at` finds the unit in a province. `goals` are the provinces moved to, or `NOWHERE` for units
    that do not move. `rivals` are the moves into each province; `opponent` is the other unit in
    a head-to-head battle. `supporters` support a unit's move if it moves, otherwise its hold;
    `support_into` is the province into which a matched support is given. `routes` has the
    fleets ordered to convoy an army that goes by convoy, and `None` for every other unit;
    `cargo` is the army that a fleet convoys. The armies in `land_behind` go by land if their
    convoy fails. Until `settle_routes`, they may have both a route and an opponent who moves the
    opposite way, because it is not known which applies.

    `move_ok`, `support_ok` and `convoy_ok` say whether a move succeeds, a support counts, and a
    fleet convoys; they are `False` for units without such an order. The paradox rule disrupted
    the convoys of the fleets in `paradox_failed` and stopped the moves in `paradox_stopped`.
    """

    board: Board
    rules: RuleSet
    units: list[Unit]
    orders: list[MovementOrder]
    provinces: list[ProvinceCode]
    powers: list[Power]
    at: dict[ProvinceCode, int]
    goals: list[ProvinceCode]
    rivals: dict[ProvinceCode, list[int]]
    opponent: list[int | None]
    supporters: list[list[int]]
    support_into: list[ProvinceCode]
    routes: list[tuple[int, ...] | None]
    cargo: list[int | None]
    land_behind: set[int]
    move_ok: list[State]
    support_ok: list[State]
    convoy_ok: list[State]
    paradox_failed: set[int]
    paradox_stopped: set[int]

    def attackers(self, unit: int) -> list[int]:
        """Return the units ordered to move to the province of `unit`."""
        return self.rivals.get(self.provinces[unit], _NO_UNITS)

    def dislodger(self, unit: int) -> int | None:
        """Return the unit that dislodges `unit`, once every move is decided."""
        if self.move_ok[unit]:
            return None
        for attacker in self.attackers(unit):
            if self.move_ok[attacker]:
                return attacker
        return None

    def find_dislodgers(self) -> dict[int, int]:
        """Return the `dislodger` of each dislodged unit, once every move is decided."""
        move_ok, at = self.move_ok, self.at
        dislodgers: dict[int, int] = {}
        for goal, movers in self.rivals.items():
            unit = at.get(goal)
            if unit is not None and not move_ok[unit]:
                for mover in movers:
                    if move_ok[mover]:
                        dislodgers[unit] = mover
                        break
        return dislodgers

    def by_convoy(self, unit: int) -> bool:
        """Return whether `unit` is an army that goes by convoy."""
        return self.routes[unit] is not None


_NO_UNITS: list[int] = []
