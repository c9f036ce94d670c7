"""The play of one game: it takes orders, adjudicates phases, and ends."""

import logging
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from diplomaccloud.bots import Bot
from diplomaccloud.bots.arena import choose_orders, phase_seed
from diplomaccloud.bots.greedy import GreedyBot
from diplomaccloud.daide.board import (
    LAST_YEAR,
    BoardWords,
    write_centers,
    write_dislodged,
    write_position,
)
from diplomaccloud.daide.language import MAX_NUMBER, Message, Part, Word, compose, encode_number
from diplomaccloud.daide.messages import MAX_LEVEL, OrderTerm
from diplomaccloud.daide.orders import (
    RULES,
    count_owed,
    find_province,
    read_order,
    write_results,
)
from diplomaccloud.entry.votes import players_left
from diplomaccloud.judge.adjudication import adjudicate, powers_to_order
from diplomaccloud.judge.adjustments import adjustments_owed
from diplomaccloud.judge.board import Board, Power
from diplomaccloud.judge.orders import Disband, Hold, Order, Waive
from diplomaccloud.judge.phases import Phase, Stage
from diplomaccloud.judge.position import Position, starting_position
from diplomaccloud.judge.results import Resolution
from diplomaccloud.judge.rules import RuleSet

_log = logging.getLogger(__name__)

BOTS_AGREE_AFTER = 3
"""If no center changes hands for this many years, bots agree to a draw."""


class Declined(Exception):
    """A client's request is not possible now; the answer is `REJ`."""


@dataclass(frozen=True, slots=True)
class DaideTurn:
    """A finished phase as messages; `recounted` says whether centers were recounted."""

    phase: Phase
    orders: tuple[Message, ...]
    centers: Message
    now: Message
    recounted: bool

    @property
    def results(self) -> tuple[Message, ...]:
        """The results of the orders, and the centers if they were recounted."""
        return (*self.orders, self.centers) if self.recounted else self.orders


class Play:
    """The position, the orders given so far, and the finished turns."""

    def __init__(self, words: BoardWords, *, seed: str, until: int, rules: RuleSet = RULES) -> None:
        self.words, self.rules, self._seed = words, rules, seed
        self.bots: Mapping[Power, Bot] = {}
        self.position: Position = starting_position(words.board)
        self.turns: list[DaideTurn] = []
        self.waiting: set[Power] = set()
        self.draws: set[Power] = set()
        self.ending: Message | None = None
        self.eliminated: dict[Power, int] = {}
        self._orders: dict[Power, list[Order]] = {}
        self._void: dict[Power, set[Message]] = {}
        self._bots_orders: list[Order] | None = None
        self._until = min(until, LAST_YEAR - 1)
        self._settled_since = words.board.first_year

    @property
    def alive(self) -> tuple[Power, ...]:
        """The powers with units or centers."""
        return players_left(self.position)

    @property
    def owing(self) -> frozenset[Power]:
        """The powers not played by our bots that have something to order."""
        due = powers_to_order(self.words.board, self.position)
        return frozenset(due.difference(self.bots))

    def give(self, power: Power, term: OrderTerm, *, any_order: bool = False) -> Word:
        """Take an order and return its note; with `any_order`, also take illegal orders.

        The unit of an illegal order holds, or is disbanded if it must retreat. An illegal build or
        removal does nothing, but it no longer counts as missing.
        """
        given = self._orders.setdefault(power, [])
        reading = read_order(self.words, self.position, power, term, given, rules=self.rules)
        order = reading.order
        if order is None and any_order:
            order = self._find_default(power, term)
            if self.position.phase.stage is Stage.ADJUSTMENTS:
                self._void.setdefault(power, set()).add(term.tokens)
        if order is not None:
            if not isinstance(order, Waive):
                place = order.unit.province
                given[:] = [each for each in given if find_province(each) != place]
            given.append(order)
        return Word.MBV if any_order else reading.note

    def take(self, power: Power, terms: Sequence[OrderTerm], *, any_order: bool) -> list[Word]:
        """Take the orders in a message and return their notes."""
        return [self.give(power, term, any_order=any_order) for term in terms]

    def set_ready(self, power: Power, *, ready: bool) -> None:
        """Note whether a power lets the phase end as soon as all orders are in."""
        (self.waiting.discard if ready else self.waiting.add)(power)

    def vote(self, power: Power, *, draw: bool) -> None:
        """Note whether a power wants a draw."""
        (self.draws.add if draw else self.draws.discard)(power)

    def _find_default(self, power: Power, term: OrderTerm) -> Order | None:
        """Return the order that replaces an illegal one, or None if the power has no such unit."""
        named = None if term.unit is None else self.words.read_unit(term.unit)
        if named is None or self.position.phase.stage is Stage.ADJUSTMENTS:
            return None
        retreats = self.position.phase.stage is Stage.RETREATS
        dislodged = [entry.unit for entry in self.position.dislodged_of(power)]
        for unit in dislodged if retreats else self.position.units_of(power):
            if (unit.province, unit.kind, unit.power) == (named.province, named.kind, named.power):
                return Disband(unit) if retreats else Hold(unit)
        return None

    def cancel(self, power: Power, term: OrderTerm | None) -> bool:
        """Withdraw an order, or all of them; return whether there was one to withdraw."""
        given, void = self._orders.setdefault(power, []), self._void.setdefault(power, set())
        if term is None:
            given.clear()
            void.clear()
            return True
        if term.tokens in void:
            void.remove(term.tokens)
            return True
        reading = read_order(self.words, self.position, power, term, [], rules=self.rules)
        if reading.order not in given:
            return False
        given.remove(reading.order)
        return True

    def is_complete(self, power: Power) -> bool:
        """Return whether a power has given all the orders it owes."""
        if self.position.phase.stage is Stage.ADJUSTMENTS:
            owed = adjustments_owed(self.words.board, self.position, power)
            return self._count_given(power) >= abs(owed)
        return len(self.write_missing(power)) == 1

    def _count_given(self, power: Power) -> int:
        """Return how many builds or removals were ordered, including those that do nothing."""
        return len(self._orders.get(power, ())) + len(self._void.get(power, ()))

    def write_missing(self, power: Power) -> Message:
        """Return a power's MIS message, which has no parts if nothing is missing."""
        given = self._orders.get(power, [])
        stage = self.position.phase.stage
        if stage is Stage.ADJUSTMENTS:
            owed = count_owed(self.position, power)
            count = max(0, abs(owed) - self._count_given(power))
            if not count:
                return compose(Word.MIS)
            return compose(Word.MIS, [encode_number(count if owed < 0 else -count)])
        ordered = {order.unit for order in given if not isinstance(order, Waive)}
        if stage is Stage.MOVEMENT:
            units = [unit for unit in self.position.units_of(power) if unit not in ordered]
            return compose(Word.MIS, *(self.words.write_unit(unit) for unit in units))
        entries = [e for e in self.position.dislodged_of(power) if e.unit not in ordered]
        return compose(Word.MIS, *(compose([write_dislodged(self.words, e)]) for e in entries))

    def ask_bots(self) -> Callable[[], list[Order]] | None:
        """Return a function that finds the bots' orders, or None if no bot has to think.

        The function may run in a thread. Pass its result to `take_bots_orders` before calling
        `advance`, which otherwise finds the orders itself.
        """
        if not self.bots or self.ending is not None or self._bots_orders is not None:
            return None
        return partial(_choose_orders, self.words.board, self.position, self.bots, self._seed)

    def take_bots_orders(self, orders: list[Order]) -> None:
        """Keep the bots' orders for this phase."""
        self._bots_orders = orders

    def advance(self) -> DaideTurn:
        """Adjudicate the phase with the orders given, and go on to the next."""
        position, board = self.position, self.words.board
        seed = phase_seed(self._seed, position.phase)
        ask = self.ask_bots()
        orders = list(self._bots_orders or ()) if ask is None else ask()
        self._bots_orders = None
        orders += [order for power in sorted(self._orders) for order in self._orders[power]]
        resolution = adjudicate(board, position, orders, self.rules, seed=seed)
        if resolution.gained:
            self._settled_since = position.phase.year
        turn = self._add_turn(position, resolution)
        if resolution.ending is not None:
            self.ending = write_ending(self.words, resolution.ending.winners)
        elif self.position.phase.year > self._until or not self.alive:
            self.ending = compose(Word.DRW)
        return turn

    def _add_turn(self, position: Position, resolution: Resolution) -> DaideTurn:
        """Go on to the next phase; return the finished one, which began with `position`."""
        before, year = players_left(position), position.phase.year
        self.position = resolution.next
        self._orders.clear()
        self._void.clear()
        self.waiting.clear()
        self.draws.clear()
        self.eliminated |= {power: year for power in before if power not in self.alive}
        is_fall = [phase.ends_year for phase in (position.phase, self.position.phase)]
        turn = DaideTurn(
            position.phase,
            tuple(write_results(self.words, position, resolution)),
            write_centers(self.words, self.position),
            write_position(self.words, self.position),
            recounted=is_fall == [True, False],
        )
        self.turns.append(turn)
        return turn

    def agree_on_draw(self) -> bool:
        """End the game if all remaining powers want a draw; return whether they do.

        Bots agree if no center has changed hands for three years.
        """
        year = self.position.phase.year
        settled = year - self._settled_since >= BOTS_AGREE_AFTER
        if all(settled if p in self.bots else p in self.draws for p in self.alive):
            self.ending = compose(Word.DRW)
        return self.ending is not None

    def last_turns(self) -> Sequence[DaideTurn]:
        """Return the turns from the last movement phase on."""
        begins = [n for n, turn in enumerate(self.turns) if turn.phase.stage is Stage.MOVEMENT]
        return self.turns[begins[-1] :] if begins else self.turns


def _choose_orders(
    board: Board, position: Position, bots: Mapping[Power, Bot], seed: str
) -> list[Order]:
    """Return the orders of all bots, or the greedy bot's for all of them if one fails."""
    try:
        return choose_orders(board, position, bots, RULES, seed)
    except Exception:
        _log.exception("a bot failed in %s; greedy orders are given", position.phase)
        return choose_orders(board, position, dict.fromkeys(bots, GreedyBot()), RULES, seed)


def write_ending(words: BoardWords, winners: Collection[Power]) -> Message:
    """Return SLO for a single winner, or DRW for a draw."""
    if len(winners) == 1:
        return compose(Word.SLO, [words.powers[next(iter(winners))]])
    return compose(Word.DRW)


class Clock:
    """A deadline that can be stopped; times are seconds of a monotonic clock.

    `deadline` is the end of the phase, or None if the clock is not running.
    """

    def __init__(self) -> None:
        self.deadline: float | None = None
        self._left: float | None = None
        self._announced: float = 0.0

    def start(self, seconds: float | None, now: float) -> None:
        """Start the clock for a phase with a limit in seconds, or without one."""
        self.deadline = None if seconds is None else now + seconds
        self._left = None
        self._announced = float(seconds or 0)

    def stop(self, now: float) -> bool:
        """Stop the clock; return whether it was running."""
        if self.deadline is None:
            return False
        self._left = max(0.0, self.deadline - now)
        self.deadline = None
        return True

    def resume(self, now: float) -> bool:
        """Restart the clock; return whether it had been stopped."""
        if self._left is None:
            return False
        self.deadline, self._left = now + self._left, None
        return True

    def time_left(self, now: float) -> int | None:
        """Return the whole seconds left, up to DAIDE's maximum, or None without a deadline."""
        seconds = self._left if self.deadline is None else self.deadline - now
        return None if seconds is None else min(MAX_NUMBER, max(0, round(seconds)))

    def pass_marks(self, marks: set[int], now: float) -> list[int]:
        """Return the `marks`, in seconds before the deadline, passed since the last call."""
        if self.deadline is None:
            return []
        seconds = self.deadline - now
        passed = sorted((mark for mark in marks if seconds <= mark < self._announced), reverse=True)
        self._announced = min(self._announced, seconds)
        return passed

    def next_mark(self, marks: set[int]) -> float | None:
        """Return the time of the next of `marks`, or of the deadline."""
        if self.deadline is None:
            return None
        coming = [mark for mark in marks if mark < self._announced]
        return self.deadline - max(coming, default=0)


@dataclass(frozen=True, slots=True)
class Settings:
    """The options of a game; times are in seconds, or None for no limit.

    `level` is the level of press. With `stops_on_disconnection`, the clock stops while a power
    that owes orders is not connected. With `accepts_any_orders`, illegal orders are accepted and
    their units hold. The game ends in a draw after the year `until`. `observers` says whether
    anyone may watch.
    """

    level: int = 0
    movement_time: int | None = None
    retreat_time: int | None = None
    build_time: int | None = None
    stops_on_disconnection: bool = False
    accepts_any_orders: bool = False
    until: int = MAX_NUMBER
    observers: bool = True

    def __post_init__(self) -> None:
        """Raise `ValueError` for a level or a time that DAIDE does not support."""
        if not 0 <= self.level <= MAX_LEVEL:
            raise ValueError(f"the level of press must be from 0 to {MAX_LEVEL}, not {self.level}")
        for seconds in (self.movement_time, self.retreat_time, self.build_time):
            if seconds is not None and not 0 < seconds <= MAX_NUMBER:
                raise ValueError(f"a time limit must be 1 to {MAX_NUMBER} seconds, not {seconds}")

    def time_for(self, stage: Stage) -> int | None:
        """Return the seconds for a phase, or None for no limit."""
        return {
            Stage.MOVEMENT: self.movement_time,
            Stage.RETREATS: self.retreat_time,
            Stage.ADJUSTMENTS: self.build_time,
        }[stage]

    @property
    def longest_time(self) -> int:
        """The length of the longest phase in seconds, or 0 without limits."""
        return max(self.movement_time or 0, self.retreat_time or 0, self.build_time or 0)

    def write_variant(self, level: int) -> list[Part]:
        """Return the options as HLO lists them for a visitor with a level of press."""
        options: list[Part] = [[Word.LVL, encode_number(level)]]
        for word, seconds in (
            (Word.MTL, self.movement_time),
            (Word.RTL, self.retreat_time),
            (Word.BTL, self.build_time),
        ):
            if seconds is not None:
                options.append([word, encode_number(seconds)])
        if self.stops_on_disconnection:
            options.append([Word.DSD])
        if self.accepts_any_orders:
            options.append([Word.AOA])
        return options
