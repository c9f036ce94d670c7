"""Batches of states, one after another: orders by policy, values, and whole phases played."""

from diplomaccloud.judge.kernel.core import codes, native
from diplomaccloud.judge.kernel.core.phases import Judge
from diplomaccloud.judge.kernel.core.tables import Reader, Rows, Tables
from diplomaccloud.judge.kernel.table import Table

from . import doubles
from .policy import Policy
from .prospects import Prospects


class Player:
    """What one thread needs to choose orders on one board; `spare` has results nobody reads.

    `later` has the values of a later Spring.
    """

    def __init__(self, table: Table) -> None:
        self.tables = Tables(table)
        self.judge = Judge(self.tables)
        self.state = self.judge.state
        self.policy = Policy(table, self.tables, self.state)
        self.prospects = Prospects(table, self.tables, self.state)
        self.keep: list[object] = []
        self.spare = native.ints(self.keep, [0] * self.tables.provinces)
        self.later = doubles.doubles(self.keep, [0.0] * self.tables.powers)

    def choose_states(self, states: Reader, seeds: Rows, orders: Rows, count: int) -> int:
        """Choose all orders of a batch; return the first state out of range, or -1."""
        size, powers = self.tables.provinces, self.tables.powers
        for n in range(count):
            if not self.state.load(states, n * (codes.HEAD + 5 * size)):
                return n
            self.policy.choose_orders(seeds, n * powers)
            native.copy(orders, 3 * n * size, self.policy.given, 0, 3 * size)
        return -1

    def sample_state(
        self, states: Reader, power: int, forced: Reader, seeds: Rows, orders: Rows, count: int
    ) -> int:
        """Choose the orders of one power again and again; return 0 if the state is out of range."""
        size = self.tables.provinces
        if not self.state.load(states, 0):
            return 0
        self.policy.open_state()
        for n in range(count):
            self.policy.read_orders(forced)
            self.policy.choose_power(power, seeds, n)
            self.policy.close_orders()
            native.copy(orders, 3 * n * size, self.policy.given, 0, 3 * size)
        return -1

    def measure_states(self, states: Reader, values: doubles.Doubles, count: int) -> int:
        """Measure a batch; return the first state out of range, or -1."""
        size, powers = self.tables.provinces, self.tables.powers
        for n in range(count):
            if not self.state.load(states, n * (codes.HEAD + 5 * size)):
                return n
            self.prospects.measure(values, n * powers)
        return -1

    def play_states(self, states: Rows, seeds: Rows, phases: int, start: Reader, count: int) -> int:
        """Play on from each state; return the first state out of range, or -1."""
        width = codes.HEAD + 5 * self.tables.provinces
        for n in range(count):
            if not self.state.load(states, n * width):
                return n
            for _ in range(phases):
                if self.state.winner >= 0:
                    self.state.load(start, 0)
                self.play_phase(seeds, n * self.tables.powers)
            self.state.store(states, n * width)
        return -1

    def try_candidates(
        self,
        states: Reader,
        power: int,
        candidates: Reader,
        replies: Reader,
        pairs: Reader,
        seeds: Rows,
        values: doubles.Doubles,
        count: int,
        years: int,
    ) -> int:
        """Play candidates against replies; return 0 if the state is wrong.

        Each game goes on to the next Spring, and for `years` after that. Each of `pairs` is the
        number of a candidate, an order row of `power`, and of a reply, an order row of the others.
        `values` gets the value to every power, on average over these Springs.
        """
        size, powers = self.tables.provinces, self.tables.powers
        for n in range(count):
            if not self.state.load(states, 0):
                return 0
            mine = 3 * size * pairs[2 * n]
            native.copy(self.policy.given, 0, replies, 3 * size * pairs[2 * n + 1], 3 * size)
            for p in range(size):
                if self.adjusts(power, p):
                    self.policy.given[p] = candidates[mine + p]
                    self.policy.given[size + p] = candidates[mine + size + p]
                    self.policy.given[2 * size + p] = candidates[mine + 2 * size + p]
            self.judge.adjudicate_phase(self.policy.given, 0, self.spare, self.spare, 0)
            self.play_to_spring(seeds, n * powers)
            self.prospects.measure(values, n * powers)
            for _ in range(years):
                self.play_phase(seeds, n * powers)
                self.play_to_spring(seeds, n * powers)
                self.prospects.measure(self.later, 0)
                for p in range(powers):
                    values[n * powers + p] += self.later[p]
            for p in range(powers):
                values[n * powers + p] /= years + 1
        return -1

    def play_to_spring(self, seeds: Rows, n: int) -> None:
        """Play until Spring or a victory."""
        while self.state.winner < 0 and self.state.phase != codes.FIRST_PHASE:
            self.play_phase(seeds, n)

    def play_phase(self, seeds: Rows, n: int) -> None:
        """Play a phase with the policy for all powers, unless the game is won."""
        if self.state.winner < 0:
            self.policy.choose_orders(seeds, n)
            self.judge.adjudicate_phase(self.policy.given, 0, self.spare, self.spare, 0)

    def adjusts(self, power: int, p: int) -> bool:
        """Return whether the power orders in the province in this phase."""
        if self.state.is_retreat_phase():
            return (
                self.state.dislodged[p] >= 0
                and self.state.dislodged[p] >> codes.POWER_SHIFT == power
            )
        if self.state.unit[p] >= 0:
            return self.state.unit[p] >> codes.POWER_SHIFT == power
        return self.state.is_adjustment_phase() and self.state.owner[p] == power

    def are_rows(self, pairs: Reader, count: int, candidates: int, replies: int) -> bool:
        """Return whether the numbers of all pairs are below those of candidates and replies."""
        for n in range(count):
            if pairs[2 * n] < 0 or pairs[2 * n] >= candidates:
                return False
            if pairs[2 * n + 1] < 0 or pairs[2 * n + 1] >= replies:
                return False
        return True
