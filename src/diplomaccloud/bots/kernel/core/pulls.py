"""How much supply centers pull: the worth of every place to one power, as in DumbBot.

A center is worth more the larger its owner is, and an own center the larger the enemies beside it
are. From there worth spreads over the board, separately for armies and for fleets: at each step a
place takes the mean of its own worth and that of its neighbors, as if it had four. A split coast
counts once, by its best side.
"""

from diplomaccloud.judge.kernel.core import codes, native
from diplomaccloud.judge.kernel.core.state import State
from diplomaccloud.judge.kernel.core.tables import Tables
from diplomaccloud.judge.kernel.table import Table, find_starts, join_rows

from . import doubles, weights


class Pulls:
    """The worth of places to a power, and how many units contest each province.

    `worth` is indexed by the rows of `Tables.near`. `strength` has, by power and province, how many
    units of the power could be there next; of these counts `most` is the largest, of the power
    `leader`, and `runner_up` the largest of any other. `threat` is the size of the largest power,
    `looming`, with a unit beside the province that could enter it, and `next_threat` that of the
    next. `army_pulls` has for each season and center what a center worth 1 adds to each province.
    Behind the places in `level` follow the split coasts, each a row of `sides`; row `k` of `steps`
    has the neighbors of a fleet at the place `sails[k]`.
    """

    def __init__(self, table: Table, tables: Tables, state: State) -> None:
        keep: list[object] = []
        zeros = [0] * codes.ROOM
        size, places = table.provinces, table.places
        self.keep, self.tables, self.state = keep, tables, state
        self.center_count = len(table.centers)
        self.centers = native.ints(keep, table.centers)
        self.attack = native.ints(keep, weights.ATTACK)
        self.defense = native.ints(keep, weights.DEFENSE)
        self.weights = doubles.doubles(keep, join_rows(weights.WEIGHTS))
        lands = [p for p in range(size) if table.sea_of[p] < 0]
        self.land_count = len(lands)
        self.lands = native.ints(keep, lands)
        sails = [place for row in table.landings for place in row]
        steps, sides = weights.group_coasts(sails, table)
        self.sail_count, self.side_count = len(sails), len(sides)
        self.sails = native.ints(keep, sails)
        self.steps_at = native.ints(keep, find_starts(steps))
        self.steps = native.ints(keep, join_rows(steps))
        self.sides_at = native.ints(keep, find_starts(sides))
        self.sides = native.ints(keep, join_rows(sides))
        room = places + len(sides)
        self.level = doubles.doubles(keep, [0.0] * room)
        self.wider = doubles.doubles(keep, [0.0] * room)
        self.base = doubles.doubles(keep, [0.0] * size)
        self.shared = doubles.doubles(keep, [0.0] * size)
        self.worth = doubles.doubles(keep, [0.0] * (2 * places))
        self.strength = native.ints(keep, [0] * (self.tables.powers * size))
        self.sizes = native.ints(keep, [0] * (self.tables.powers + 1))
        self.most, self.leader, self.runner_up = zeros[:], zeros[:], zeros[:]
        self.threat, self.looming, self.next_threat = zeros[:], zeros[:], zeros[:]
        self.shield = zeros[:]
        self.power = 0
        pulls = [0.0] * (len(weights.WEIGHTS) * len(table.centers) * size)
        self.army_pulls = doubles.doubles(keep, pulls)
        self.spread_centers()

    def spread_centers(self) -> None:
        """Fill `army_pulls`."""
        size = self.tables.provinces
        for season in range(2):
            for k in range(self.center_count):
                at = (season * self.center_count + k) * size
                for p in range(size):
                    self.level[p] = 0.0
                self.level[self.centers[k]] = 1.0
                for i in range(self.land_count):
                    p = self.lands[i]
                    self.army_pulls[at + p] = self.weights[10 * season] * self.level[p]
                for step in range(1, 10):
                    self.walk(self.weights[10 * season + step], at)

    def walk(self, weight: float, at: int) -> None:
        """Spread `level` over land by one step, and add it to the row of `army_pulls`."""
        for i in range(self.land_count):
            p = self.lands[i]
            total = self.level[p]
            for k in range(self.tables.near_at[p], self.tables.near_at[p + 1]):
                total += self.level[self.tables.near[k]]
            self.wider[p] = total / 5.0
        for i in range(self.land_count):
            p = self.lands[i]
            self.level[p] = self.wider[p]
            self.army_pulls[at + p] += weight * self.level[p]

    def sail(self, weight: float) -> None:
        """Spread `level` over water by one step, and add it to the worth of fleets."""
        places = self.tables.places
        for side in range(self.side_count):
            best = self.level[self.sides[self.sides_at[side]]]
            for k in range(self.sides_at[side] + 1, self.sides_at[side + 1]):
                other = self.level[self.sides[k]]
                best = max(best, other)
            self.level[places + side] = best
        for i in range(self.sail_count):
            total = self.level[self.sails[i]]
            for k in range(self.steps_at[i], self.steps_at[i + 1]):
                total += self.level[self.steps[k]]
            self.wider[i] = total / 5.0
        for i in range(self.sail_count):
            place = self.sails[i]
            self.level[place] = self.wider[i]
            self.worth[places + place] += weight * self.level[place]

    # What all powers share.

    def open_state(self) -> None:
        """Count what the state has for every power."""
        self.state.find_standing()
        self.measure_powers()
        self.count_units()
        size = self.tables.provinces
        season = self.find_season()
        attack = self.attack[self.state.phase]
        for i in range(self.land_count):
            self.shared[self.lands[i]] = 0.0
        for k in range(self.center_count):
            at = (season * self.center_count + k) * size
            base = float(attack * self.find_size(self.state.owner[self.centers[k]]))
            for i in range(self.land_count):
                p = self.lands[i]
                self.shared[p] += base * self.army_pulls[at + p]

    def find_season(self) -> int:
        """Return the number of the weights: 1 from the last turn of a year on, otherwise 0."""
        if self.state.phase < self.tables.last_turn:
            return 0
        return 1

    def find_size(self, owner: int) -> int:
        """Return the size of a power, or of those centers that nobody owns for -1."""
        if owner < 0:
            return self.sizes[self.tables.powers]
        return self.sizes[owner]

    def measure_powers(self) -> None:
        """Find the sizes of the powers; centers that nobody owns are those of one more."""
        powers = self.tables.powers
        for power in range(powers + 1):
            self.sizes[power] = 0
        for k in range(self.center_count):
            owner = self.state.owner[self.centers[k]]
            if owner < 0:
                owner = powers
            self.sizes[owner] += 1
        for power in range(powers + 1):
            count = self.sizes[power]
            self.sizes[power] = count * count + 4 * count + 16

    def count_units(self) -> None:
        """Count how many units of each power could be in each province next."""
        size = self.tables.provinces
        native.fill(self.strength, 0, self.tables.powers * size, 0)
        native.fill(self.most, 0, size, 0)
        native.fill(self.runner_up, 0, size, 0)
        native.fill(self.leader, 0, size, -1)
        native.fill(self.threat, 0, size, 0)
        native.fill(self.next_threat, 0, size, 0)
        native.fill(self.looming, 0, size, -1)
        for k in range(self.state.standing_count):
            p = self.state.standing[k]
            unit = self.state.unit[p]
            power = unit >> codes.POWER_SHIFT
            row = self.state.row_of(unit)
            self.count_unit(power, p)
            for i in range(self.tables.reach_at[row], self.tables.reach_at[row + 1]):
                to = self.tables.reach[i]
                self.count_unit(power, to)
                self.add_threat(power, to)

    def count_unit(self, power: int, p: int) -> None:
        """Count one unit of the power more in the province."""
        at = power * self.tables.provinces + p
        count = self.strength[at] + 1
        self.strength[at] = count
        if power == self.leader[p]:
            self.most[p] = count
        elif count > self.most[p]:
            self.runner_up[p] = self.most[p]
            self.most[p] = count
            self.leader[p] = power
        elif count > self.runner_up[p]:
            self.runner_up[p] = count

    def add_threat(self, power: int, p: int) -> None:
        """Note that a unit of the power is beside the province and could enter it."""
        if power == self.looming[p]:
            return
        size = self.sizes[power]
        if size > self.threat[p]:
            self.next_threat[p] = self.threat[p]
            self.threat[p] = size
            self.looming[p] = power
        elif size > self.next_threat[p]:
            self.next_threat[p] = size

    # What is one power's own.

    def open_power(self, power: int) -> None:
        """Find the worth of every place to `power`."""
        size = self.tables.provinces
        season = self.find_season()
        attack = self.attack[self.state.phase]
        defense = self.defense[self.state.phase]
        self.power = power
        for i in range(self.land_count):
            p = self.lands[i]
            self.worth[p] = self.shared[p]
        for k in range(self.center_count):
            p = self.centers[k]
            owner = self.state.owner[p]
            value = attack * self.find_size(owner)
            self.shield[p] = 0
            if owner == power:
                self.shield[p] = self.find_threat(p)
                change = float(defense * self.shield[p] - value)
                value = defense * self.shield[p]
                at = (season * self.center_count + k) * size
                for i in range(self.land_count):
                    land = self.lands[i]
                    self.worth[land] += change * self.army_pulls[at + land]
            self.base[p] = float(value)
        if self.needs_fleets():
            self.spread_fleets()

    def needs_fleets(self) -> bool:
        """Return whether the power orders a fleet in this phase, or may build one."""
        if self.state.is_adjustment_phase():
            return True
        for p in range(self.tables.provinces):
            unit = self.state.unit[p]
            if self.state.is_retreat_phase():
                unit = self.state.dislodged[p]
            if unit >= 0 and unit & 1 and unit >> codes.POWER_SHIFT == self.power:
                return True
        return False

    def spread_fleets(self) -> None:
        """Find the worth of every place to a fleet of the power."""
        places = self.tables.places
        season = self.find_season()
        first = self.weights[10 * season]
        for i in range(self.sail_count):
            place = self.sails[i]
            self.level[place] = self.base[self.tables.province_of[place]]
            self.worth[places + place] = first * self.level[place]
        for step in range(1, 10):
            self.sail(self.weights[10 * season + step])

    def find_threat(self, p: int) -> int:
        """Return the size of the largest other power with a unit beside the province."""
        if self.looming[p] == self.power:
            return self.next_threat[p]
        return self.threat[p]

    def find_rivals(self, p: int) -> int:
        """Return the largest number of units of another power that could be in the province."""
        if self.leader[p] == self.power:
            return self.runner_up[p]
        return self.most[p]

    def find_worth(self, row: int) -> float:
        """Return what it is worth to the power to have a unit there next."""
        p = row
        if row >= self.tables.places:
            p = self.tables.province_of[row - self.tables.places]
        own = self.strength[self.power * self.tables.provinces + p] - self.find_rivals(p)
        if self.state.is_adjustment_phase():
            own = self.shield[p]
        return self.worth[row] + 1000.0 * own
