"""The view of a bot that negotiates, and its trust in other powers."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from diplomaccloud.bots.pacts import Deal, list_partners
from diplomaccloud.deals import find_promises
from diplomaccloud.judge.board import Board, Power, ProvinceCode
from diplomaccloud.judge.kernel.table import table_of
from diplomaccloud.judge.phases import Phase
from diplomaccloud.judge.position import Position

GRUDGE_YEARS: Final = 2
"""How many years a bot refuses everything from a power after its first broken deal."""

TRUST: Final = 0.5
"""The trust in a stranger."""

_SPITE = 1.0
"""The worth to a bot of a loss by a power that broke a deal, relative to a gain of its own."""

_LEAD = 0.4
"""A power with this share of all centers, and more than the bot, is too strong for a peace."""

_TRUST_AGAIN, _TRUST_A_YEAR = 0.3, 0.1
"""The trust in a forgiven power, and what each year of kept deals adds."""


@dataclass(frozen=True, slots=True)
class Temper:
    """How a bot treats deals: the gain for which it breaks one, and how long it bears a grudge.

    `price` is how much a stab must add to the worth of its position, where 1 is a whole game;
    None means that it never stabs.
    """

    price: float | None = 0.12
    grudge: int = GRUDGE_YEARS


TEMPERS: Final[Mapping[str, Temper]] = {
    "": Temper(),
    "expander": Temper(price=0.11),
    "guardian": Temper(price=0.15),
    "loyalist": Temper(price=None),
    "opportunist": Temper(price=0.09),
    "avenger": Temper(grudge=2 * GRUDGE_YEARS),
}
"""The tempers by character."""


@dataclass(frozen=True, slots=True)
class Entry:
    """The ledger's findings on one of the bot's deals in one phase."""

    phase: Phase
    parties: tuple[Power, ...]
    breakers: tuple[Power, ...] = ()


@dataclass(frozen=True)
class View:
    """The view of the bot that plays `power`.

    `deals` are its deals that still bind; `ledger` has the findings on all deals that it ever had,
    oldest phase first. `audience` has the powers that it can talk to.
    """

    board: Board
    position: Position
    power: Power
    deals: tuple[Deal, ...] = ()
    ledger: tuple[Entry, ...] = ()
    audience: frozenset[Power] = frozenset()
    temper: Temper = TEMPERS[""]

    @cached_property
    def partners(self) -> frozenset[Power]:
        """The powers with which the bot has promised peace."""
        promises = find_promises(self.deals, [self.power], self.position.phase)
        return frozenset(list_partners(promises[self.power]) if self.power in promises else ())

    @cached_property
    def contacts(self) -> Mapping[Power, int]:
        """The number of the bot's centers and reachable places that each neighbor can reach."""
        near = self._find_reach(self.power) | set(self.position.centers_of(self.power))
        rivals = [power for power in self.board.power_info if power != self.power]
        meeting = {rival: len(self._find_reach(rival) & near) for rival in rivals}
        return {rival: count for rival, count in meeting.items() if count}

    def _find_reach(self, power: Power) -> set[ProvinceCode]:
        reach: set[ProvinceCode] = set()
        for unit in self.position.units_of(power):
            reach |= {unit.province, *self.board.reach(unit.kind, unit.location)}
        return reach

    def find_trust(self, power: Power) -> float:
        """Return the trust in a power, from 0 to 1; it is 0 while the bot bears a grudge.

        It depends only on adjudicated orders.
        """
        shared = [entry for entry in self.ledger if power in entry.parties]
        breaches = sorted({entry.phase.year for entry in shared if power in entry.breakers})
        # Each breach doubles the grudge, so that serial deal breakers run out of victims.
        grudge = self.temper.grudge * 2 ** (len(breaches) - 1) if breaches else 0
        if breaches and self.position.phase.year - breaches[-1] < grudge:
            return 0.0
        since = breaches[-1] if breaches else -1
        kept = {entry.phase.year for entry in shared if entry.phase.year > since}
        return min(1.0, (_TRUST_AGAIN if breaches else TRUST) + _TRUST_A_YEAR * len(kept))

    def bears_grudge(self, power: Power) -> bool:
        """Return whether the bot still resents that a power broke a deal with it."""
        return self.find_trust(power) <= 0

    @cached_property
    def foes(self) -> Mapping[int, float]:
        """The numbers of the powers that the bot punishes for a broken deal, with its spite.

        It spares them while a third power is close to winning.
        """
        numbers = table_of(self.board).power_of
        return {
            numbers[power]: _SPITE
            for power in self.board.power_info
            if self.bears_grudge(power) and not self.could_third_win(power)
        }

    @cached_property
    def _leaders(self) -> frozenset[Power]:
        """The powers that are close to winning."""
        least, centers_of = _LEAD * len(table_of(self.board).centers), self.position.centers_of
        return frozenset(
            power for power in self.board.power_info if len(centers_of(power)) >= least
        )

    def is_led_by(self, power: Power) -> bool:
        """Return whether a power is close to winning and has more centers than the bot."""
        centers_of = self.position.centers_of
        return power in self._leaders and len(centers_of(power)) > len(centers_of(self.power))

    def could_third_win(self, second: Power) -> bool:
        """Return whether a third power is close to winning."""
        return bool(self._leaders - {self.power, second})

    def has_wronged(self, power: Power) -> bool:
        """Return whether the bot broke a deal with a power that may still bear a grudge."""
        return any(
            self.power in entry.breakers
            and power in entry.parties
            and self.position.phase.year - entry.phase.year < GRUDGE_YEARS
            for entry in self.ledger
        )

    def find_deals_with(self, power: Power) -> tuple[Deal, ...]:
        """Return the deals that bind both powers."""
        return tuple(deal for deal in self.deals if power in deal[0].parties)
