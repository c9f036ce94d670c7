"""One state of a batch, read from its row and written back, and what follows from it alone."""

from . import codes, native
from .tables import Reader, Rows, Tables


class State:
    """A state; lists are indexed by province. `layout` describes its row.

    `unit` and `dislodged` have the units there as integers, or -1; `source` is where the attacker
    of a dislodged unit came from, `contested` marks standoffs, and `owner` is a center's power.
    `standing` has the provinces where a unit stood when the state was read or `find_standing` was
    called. `options` has the places that `find_retreats` found, `sites` the provinces of
    `find_build_sites`, and `balance`, by power, what `find_owed` found.
    """

    def __init__(self, tables: Tables) -> None:
        zeros = [0] * codes.ROOM
        self.tables = tables
        self.year = self.phase = self.winner = 0
        self.unit, self.dislodged, self.source = zeros[:], zeros[:], zeros[:]
        self.contested, self.owner = zeros[:], zeros[:]
        self.standing, self.standing_count = zeros[:], 0
        self.options = [0] * 1024
        self.sites = zeros[:]
        self.keep: list[object] = []
        self.balance = native.ints(self.keep, [0] * (self.tables.powers + 1))

    def load(self, rows: Reader, at: int) -> bool:
        """Read the state whose row begins at `at`; return whether every number is in range."""
        size = self.tables.provinces
        self.year = rows[at + codes.YEAR]
        self.phase = rows[at + codes.PHASE]
        self.winner = rows[at + codes.WINNER]
        base = at + codes.HEAD
        native.copy(self.unit, 0, rows, base, size)
        native.copy(self.owner, 0, rows, base + 4 * size, size)
        most = -1
        for p in range(size):
            most = max(most, self.owner[p])
        if most >= self.tables.powers:
            return False
        if self.phase < codes.FIRST_PHASE or self.phase >= self.tables.phases:
            return False
        self.find_standing()
        for k in range(self.standing_count):
            p = self.standing[k]
            if not self.fits(p, self.unit[p]):
                return False
        if not self.is_retreat_phase():
            self.clear_dislodged()
            return True
        native.copy(self.dislodged, 0, rows, base + size, size)
        native.copy(self.source, 0, rows, base + 2 * size, size)
        native.copy(self.contested, 0, rows, base + 3 * size, size)
        for p in range(size):
            if self.dislodged[p] >= 0 and not self.fits(p, self.dislodged[p]):
                return False
        return True

    def store(self, rows: Rows, at: int) -> None:
        """Write the state to the row that begins at `at`."""
        size = self.tables.provinces
        rows[at + codes.YEAR] = self.year
        rows[at + codes.PHASE] = self.phase
        rows[at + codes.WINNER] = self.winner
        base = at + codes.HEAD
        native.copy(rows, base, self.unit, 0, size)
        native.copy(rows, base + size, self.dislodged, 0, size)
        native.copy(rows, base + 2 * size, self.source, 0, size)
        native.copy(rows, base + 3 * size, self.contested, 0, size)
        native.copy(rows, base + 4 * size, self.owner, 0, size)

    def find_standing(self) -> None:
        """Set `standing` to the provinces with a unit."""
        count = 0
        for p in range(self.tables.provinces):
            # Without a branch, which would be guessed wrong half the time: the sign is 0 or -1.
            self.standing[count] = p
            count += 1 + (self.unit[p] >> 31)
        self.standing_count = count

    def fits(self, p: int, unit: int) -> bool:
        """Return whether the unit can be in province `p`."""
        place = unit >> codes.PLACE_SHIFT & codes.PLACE_MASK
        if place >= self.tables.places or unit >> codes.POWER_SHIFT >= self.tables.powers:
            return False
        return self.tables.province_of[place] == p

    def clear_dislodged(self) -> None:
        """Remove all dislodged units, and what is known of their retreats."""
        native.fill(self.dislodged, 0, self.tables.provinces, -1)
        native.fill(self.source, 0, self.tables.provinces, -1)
        native.fill(self.contested, 0, self.tables.provinces, 0)

    def is_movement_phase(self) -> bool:
        """Return whether units move."""
        return self.tables.stages[self.phase] == codes.OF_MOVES

    def is_retreat_phase(self) -> bool:
        """Return whether dislodged units retreat."""
        return self.tables.stages[self.phase] == codes.OF_RETREATS

    def is_adjustment_phase(self) -> bool:
        """Return whether units are built and disbanded."""
        return self.tables.stages[self.phase] == codes.OF_ADJUSTMENTS

    def go_on(self) -> None:
        """Go on to the next phase of the year, or to the first one of the next year."""
        self.phase += 1
        if self.phase == self.tables.phases:
            self.phase = codes.FIRST_PHASE
            self.year += 1

    def row_of(self, unit: int) -> int:
        """Return the row of `Tables.near` for a unit."""
        return (unit & 1) * self.tables.places + (unit >> codes.PLACE_SHIFT & codes.PLACE_MASK)

    def find_retreats(self, here: int) -> int:
        """Find the places to which the unit dislodged in `here` may go; return how many."""
        row = self.row_of(self.dislodged[here])
        source = self.source[here]
        count = 0
        for k in range(self.tables.near_at[row], self.tables.near_at[row + 1]):
            to = self.tables.near[k]
            p = self.tables.province_of[to]
            if self.unit[p] < 0 and not self.contested[p] and p != source:
                self.options[count] = to
                count += 1
        return count

    def find_build_sites(self, power: int) -> int:
        """Find the empty centers that `power` owns and may build in; return how many."""
        count = 0
        first = self.tables.build_centers_at[power]
        for k in range(first, self.tables.build_centers_at[power + 1]):
            p = self.tables.build_centers[k]
            if self.unit[p] < 0 and self.owner[p] == power:
                self.sites[count] = p
                count += 1
        return count

    def has_build(self, p: int) -> bool:
        """Return whether the owner of an empty province may build there, after `find_owed`."""
        power = self.owner[p]
        if power < 0 or self.balance[power] <= 0:
            return False
        first = self.tables.build_centers_at[power]
        for k in range(first, self.tables.build_centers_at[power + 1]):
            if self.tables.build_centers[k] == p:
                return True
        return False

    def find_owed(self) -> bool:
        """Find what each power may build or, if negative, must disband; return whether any."""
        powers = self.tables.powers
        for power in range(powers):
            self.balance[power] = 0
        for p in range(self.tables.provinces):
            if self.unit[p] >= 0:
                self.balance[self.unit[p] >> codes.POWER_SHIFT] -= 1
            if self.owner[p] >= 0:
                self.balance[self.owner[p]] += 1
        some = False
        for power in range(powers):
            if self.balance[power] > 0:
                sites = self.find_build_sites(power)
                if sites < self.balance[power]:
                    self.balance[power] = sites
            if self.balance[power]:
                some = True
        return some
