"""What a bot that talks may see, and whom it trusts."""

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
"""For how many years a bot refuses everything from a power that broke a deal with it for once."""

TRUST: Final = 0.5
"""The trust in a stranger."""

_SPITE = 1.0
"""What a loss of a power that broke a deal is worth to a bot, as a part of its own gain."""

_LEAD = 0.4
"""With this part of all centers, and more than the bot has, a power is too strong for a peace."""

_TRUST_AGAIN, _TRUST_A_YEAR = 0.3, 0.1
"""The trust in one that was forgiven, and what each kept year adds."""


@dataclass(frozen=True, slots=True)
class Temper:
    """How a bot treats its word: for what gain it breaks it, and how long it bears a grudge.

    `price` is how much more its position must be worth, as a part of the game; None is never.
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
"""By character."""


@dataclass(frozen=True, slots=True)
class Entry:
    """What the ledger found about one deal of the bot's in one phase."""

    phase: Phase
    parties: tuple[Power, ...]
    breakers: tuple[Power, ...] = ()


@dataclass(frozen=True)
class View:
    """What the bot of `power` sees.

    `deals` are those of which it is a party and that bind; `ledger` has what was found about all
    that it ever had, from the oldest phase on. `audience` are the powers that it can talk to.
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
        """The powers with which it has promised peace."""
        own = find_promises(self.deals, [self.power], self.position.phase).get(self.power)
        return frozenset(list_partners(own) if own is not None else ())

    @cached_property
    def contacts(self) -> Mapping[Power, int]:
        """By neighbor: in how many places its units could meet the bot's, or enter its centers."""
        near = self._find_reach(self.power) | set(self.position.centers_of(self.power))
        found = {}
        for other in self.board.power_info:
            meeting = 0 if other == self.power else len(self._find_reach(other) & near)
            if meeting:
                found[other] = meeting
        return found

    def _find_reach(self, power: Power) -> set[ProvinceCode]:
        reach: set[ProvinceCode] = set()
        for unit in self.position.units_of(power):
            reach |= {unit.province, *self.board.reach(unit.kind, unit.location)}
        return reach

    def find_trust(self, other: Power) -> float:
        """Return the trust in a power, from 0 to 1; 0 as long as the bot bears a grudge.

        It follows from adjudicated orders alone.
        """
        shared = [entry for entry in self.ledger if other in entry.parties]
        breaches = sorted({entry.phase.year for entry in shared if other in entry.breakers})
        # Each breach doubles the grudge: who breaks every deal must not find a victim again.
        grudge = self.temper.grudge * 2 ** (len(breaches) - 1) if breaches else 0
        if breaches and self.position.phase.year - breaches[-1] < grudge:
            return 0.0
        since = breaches[-1] if breaches else -1
        kept = {entry.phase.year for entry in shared if entry.phase.year > since}
        return min(1.0, (_TRUST_AGAIN if breaches else TRUST) + _TRUST_A_YEAR * len(kept))

    def bears_grudge(self, other: Power) -> bool:
        """Return whether a power broke a deal with the bot not long ago."""
        return self.find_trust(other) <= 0

    @cached_property
    def foes(self) -> Mapping[int, float]:
        """The numbers of the powers that the bot pays back for a broken deal, with its spite.

        It lets them be as long as a third power is near to winning.
        """
        numbers = table_of(self.board).power_of
        return {
            numbers[power]: _SPITE
            for power in self.board.power_info
            if self.bears_grudge(power) and not self.could_third_win(power)
        }

    def is_led_by(self, power: Power) -> bool:
        """Return whether a power is near to winning, and has more centers than the bot."""
        count = len(self.position.centers_of(power))
        return self._is_near_win(power) and count > len(self.position.centers_of(self.power))

    def could_third_win(self, other: Power) -> bool:
        """Return whether a third power is near to winning."""
        return any(
            self._is_near_win(power)
            for power in self.board.power_info
            if power not in {self.power, other}
        )

    def _is_near_win(self, power: Power) -> bool:
        total = len(table_of(self.board).centers)
        return len(self.position.centers_of(power)) >= _LEAD * total

    def has_wronged(self, other: Power) -> bool:
        """Return whether the bot broke a deal with a power that may bear a grudge still."""
        return any(
            self.power in entry.breakers
            and other in entry.parties
            and self.position.phase.year - entry.phase.year < GRUDGE_YEARS
            for entry in self.ledger
        )

    def find_deals_with(self, other: Power) -> tuple[Deal, ...]:
        """Return the deals that bind both."""
        return tuple(deal for deal in self.deals if other in deal[0].parties)
