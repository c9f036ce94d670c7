"""Pacts: the effect of deals on a search, in the kernel's numbers."""

from array import array
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from diplomaccloud.deals import Alliance, Peace, Promises, Terms, find_promises
from diplomaccloud.judge.board import Board, Power
from diplomaccloud.judge.kernel.layout import order_codes
from diplomaccloud.judge.kernel.table import table_of
from diplomaccloud.judge.orders import Order, Waive
from diplomaccloud.judge.position import Position

Deal = tuple[Terms, int]
"""Terms that all parties accepted, with the number of the accepted alternative."""

Codes = tuple[int, int, int]
"""An order's code, target and goal."""


@dataclass(frozen=True, slots=True)
class Pact:
    """The promises that a power counts on: its own, and those made to it.

    `truces` is as in `policy.choose_orders`, or None if there are none. `pins` are the promised
    orders of all powers, by the province of the unit. `doubt` is the fraction of the replies in
    which the others ignore their truces with the power. `foes` maps the numbers of the powers that
    it takes revenge on to a weight: the worth of a foe's position times this weight is subtracted
    from the worth of a plan.
    """

    board: Board | None = None
    position: Position | None = None
    own: Promises | None = None
    truces: "array[int] | None" = None
    pins: Mapping[int, Codes] = field(default_factory=dict)
    doubt: float = 0.0
    foes: Mapping[int, float] = field(default_factory=dict)

    def doubt_truces(self, power: int) -> "array[int] | None":
        """Return a copy of the truces in which the others no longer spare this power."""
        if self.truces is None:
            return None
        truces = self.truces[:]
        powers = round(len(truces) ** 0.5)
        truces[power::powers] = array("i", [0]) * powers
        return truces

    def allows(self, order: Order) -> bool:
        """Return whether an order keeps all promises of the power."""
        if self.own is None or self.board is None or self.position is None:
            return True
        return not self.own.is_broken_by(order, self.board, self.position)


NO_PACT: Final = Pact()


def find_pact(
    board: Board,
    position: Position,
    power: Power,
    deals: Iterable[Deal],
    broken: Iterable[Deal] = (),
) -> Pact:
    """Return the pact that follows from the deals of `power` in the phase of the position.

    The power itself ignores the `broken` deals, while the other parties keep them.
    """
    kept = list(deals)
    both = [*kept, *broken]
    if not both:
        return NO_PACT
    phase, table = position.phase, table_of(board)
    promises = find_promises(both, board.power_info, phase)
    mine = find_promises(kept, [power], phase).get(power)
    by_power = {giver: each for giver, each in promises.items() if giver != power}
    if mine is not None:
        by_power[power] = mine
    pins = {
        table.province_of[table.place_of[order.unit.location]]: order_codes(table, order)
        for each in by_power.values()
        for order in each.orders
        if not isinstance(order, Waive)
    }
    powers = table.power_of
    truces = array("i", [0]) * len(powers) ** 2
    for giver, each in by_power.items():
        for partner in list_partners(each):
            truces[powers[giver] * len(powers) + powers[partner]] = 1
    return Pact(board, position, mine, truces if any(truces) else None, pins)


def list_partners(promises: Promises) -> list[Power]:
    """Return the powers with which a power has promised peace."""
    treaties = [clause for clause in promises.clauses if isinstance(clause, Peace | Alliance)]
    powers = dict.fromkeys(power for treaty in treaties for power in treaty.powers)
    return [power for power in powers if power != promises.power]
