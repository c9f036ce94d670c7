"""What a position is worth to each power: the centers that it owns, and those that it is near."""

from diplomaccloud.judge.kernel.core import codes, native
from diplomaccloud.judge.kernel.core.state import State
from diplomaccloud.judge.kernel.core.tables import Tables
from diplomaccloud.judge.kernel.table import Table

from . import doubles, weights


class Prospects:
    """Measures states; `influence` has that of a unit, by row of `Tables.near` and center."""

    def __init__(self, table: Table, tables: Tables, state: State) -> None:
        keep: list[object] = []
        self.keep, self.tables, self.state = keep, tables, state
        self.center_count = len(table.centers)
        self.centers = native.ints(keep, table.centers)
        self.influence = doubles.doubles(keep, weights.find_influence(table))
        self.held = doubles.doubles(keep, [0.0] * (self.tables.powers * len(table.centers)))
        self.expected = doubles.doubles(keep, [0.0] * (self.tables.powers + 1))

    def measure(self, values: doubles.Doubles, at: int) -> None:
        """Write the value of the state to each power, from 0 to 1, from `at` on.

        It is the share of the sum of squared expected centers. A center counts half for its owner
        and half for those whose units are near it; a victory counts 1.
        """
        powers = self.tables.powers
        if self.state.winner >= 0:
            for power in range(powers):
                values[at + power] = 0.0
            values[at + self.state.winner] = 1.0
            return
        self.find_influences()
        self.expect_centers()
        total = 0.0
        for power in range(powers):
            total += self.expected[power] * self.expected[power]
        for power in range(powers):
            values[at + power] = 0.0
            if total > 0.0:
                values[at + power] = self.expected[power] * self.expected[power] / total

    def find_influences(self) -> None:
        """Sum up, by power and center, the influence of all units."""
        count = self.center_count
        for k in range(self.tables.powers * count):
            self.held[k] = 0.0
        self.state.find_standing()
        for i in range(self.state.standing_count):
            unit = self.state.unit[self.state.standing[i]]
            row = self.state.row_of(unit) * count
            first = (unit >> codes.POWER_SHIFT) * count
            for k in range(count):
                self.held[first + k] += self.influence[row + k]

    def expect_centers(self) -> None:
        """Find how many centers each power may expect."""
        powers = self.tables.powers
        for power in range(powers):
            self.expected[power] = 0.0
        for k in range(self.center_count):
            owner = self.state.owner[self.centers[k]]
            if owner >= 0:
                self.expected[owner] += 0.5
            total = 0.0
            for power in range(powers):
                mine = self.held[power * self.center_count + k]
                total += mine * mine
            if total > 0.0:
                for power in range(powers):
                    mine = self.held[power * self.center_count + k]
                    self.expected[power] += 0.5 * mine * mine / total
