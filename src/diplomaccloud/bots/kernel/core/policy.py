"""DumbBot's orders: units go where they are worth most, or nearly, and the others support them."""

from diplomaccloud.judge.kernel.core import codes, native
from diplomaccloud.judge.kernel.core.state import State
from diplomaccloud.judge.kernel.core.tables import Reader, Rows, Tables
from diplomaccloud.judge.kernel.table import Table

from . import doubles
from .pulls import Pulls


class Policy:
    """Chooses orders for the powers of a state.

    `given` is an order row; -1 is the code of an order not yet chosen. `heat` is the chance to
    choose the next place if it is worth as much as the best, and a place that is worth less by
    1 / `tolerance` is never chosen. `queue` has the units of one power in the order in which they
    are asked, and `mover`, by province, from where one of them moves there, or -1. `options`
    are places and `ratings` what they are worth, best first; in Winter options are rows of
    `Tables.near`. `truces` says for each power and each other whether it moves into no province
    with a unit or a center of the other.
    """

    def __init__(self, table: Table, tables: Tables, state: State) -> None:
        zeros = [0] * codes.ROOM
        self.keep: list[object] = []
        self.tables, self.state = tables, state
        self.pulls = Pulls(table, tables, state)
        self.given = native.ints(self.keep, [0] * (3 * self.tables.provinces))
        self.options = native.ints(self.keep, [0] * (2 * self.tables.places + 1))
        self.ratings = doubles.doubles(self.keep, [0.0] * (2 * self.tables.places + 1))
        self.queue, self.mover = zeros[:], zeros[:]
        self.truces = native.ints(self.keep, [0] * self.tables.powers**2)
        self.heat, self.tolerance = 0.5, 5.0
        self.power = self.option_count = 0

    def open_orders(self) -> None:
        """Begin an order row without orders."""
        size = self.tables.provinces
        native.fill(self.given, 0, size, -1)
        native.fill(self.given, size, 2 * size, 0)

    def close_orders(self) -> None:
        """Let what has no order hold."""
        for p in range(self.tables.provinces):
            if self.given[p] < 0:
                self.given[p] = codes.HOLD

    def open_state(self) -> None:
        """Count what the state has, before powers are asked."""
        self.pulls.open_state()
        if self.state.is_adjustment_phase():
            self.state.find_owed()

    def choose_orders(self, seeds: Rows, n: int) -> None:
        """Choose the orders of all powers, each with its own seed, from `n` on."""
        self.open_orders()
        self.open_state()
        for power in range(self.tables.powers):
            self.choose_power(power, seeds, n + power)
        self.close_orders()

    def choose_power(self, power: int, seeds: Rows, n: int) -> None:
        """Choose the orders of one power that are not yet in `given`."""
        self.power = power
        if self.state.is_adjustment_phase():
            if self.state.balance[power] > 0:
                self.pulls.open_power(power)
                self.choose_builds(seeds, n)
            elif self.state.balance[power] < 0:
                self.pulls.open_power(power)
                self.choose_disbands(seeds, n)
            return
        native.fill(self.mover, 0, self.tables.provinces, -1)
        count = self.find_units()
        if count == 0:
            return
        self.pulls.open_power(power)
        if self.state.is_retreat_phase():
            for k in range(count):
                self.choose_retreat(self.queue[k], seeds, n)
            return
        self.shuffle(count, seeds, n)
        self.choose_moves(count, seeds, n)
        for k in range(count):
            if self.given[self.queue[k]] == codes.HOLD:
                self.choose_support(self.queue[k])

    def find_units(self) -> int:
        """Put the units without an order in `queue`, and note where others go; return how many."""
        size = self.tables.provinces
        count = 0
        for p in range(size):
            unit = self.state.unit[p]
            if self.state.is_retreat_phase():
                unit = self.state.dislodged[p]
            if unit < 0 or unit >> codes.POWER_SHIFT != self.power:
                continue
            if self.given[p] < 0:
                self.queue[count] = p
                count += 1
            elif self.goes(p):
                self.mover[self.tables.province_of[self.given[2 * size + p]]] = p
        return count

    def goes(self, p: int) -> bool:
        """Return whether the unit in the province is ordered to go elsewhere."""
        code = self.given[p]
        return code == codes.MOVE or code == codes.MOVE_VIA or code == codes.RETREAT

    def shuffle(self, count: int, seeds: Rows, n: int) -> None:
        """Shuffle the first units of `queue`."""
        for k in range(1, count):
            other = native.draw_number(seeds, n, k + 1)
            p = self.queue[other]
            self.queue[other] = self.queue[k]
            self.queue[k] = p

    def give(self, here: int, code: int, target: int, to: int) -> None:
        """Write the order of the unit in `here`."""
        size = self.tables.provinces
        self.given[here] = code
        self.given[size + here] = target
        self.given[2 * size + here] = to

    # Options.

    def add_option(self, option: int, rating: float) -> None:
        """Insert an option among the others; of equal ones the first comes first."""
        k = self.option_count
        while k > 0:
            if self.ratings[k - 1] >= rating:
                break
            self.ratings[k] = self.ratings[k - 1]
            self.options[k] = self.options[k - 1]
            k -= 1
        self.ratings[k] = rating
        self.options[k] = option
        self.option_count += 1

    def remove_option(self, chosen: int) -> None:
        """Remove an option."""
        self.option_count -= 1
        for k in range(chosen, self.option_count):
            self.ratings[k] = self.ratings[k + 1]
            self.options[k] = self.options[k + 1]

    def pick(self, seeds: Rows, n: int) -> int:
        """Return the number of the best option, or sometimes of the next if it is near as good."""
        chosen = 0
        while chosen + 1 < self.option_count:
            rating = self.ratings[chosen]
            if rating <= 0.0:
                break
            loss = self.tolerance * (rating - self.ratings[chosen + 1]) / rating
            if loss >= 1.0 or not self.happens(self.heat * (1.0 - loss), seeds, n):
                break
            chosen += 1
        return chosen

    def happens(self, chance: float, seeds: Rows, n: int) -> bool:
        """Return whether something with this chance happens."""
        return native.draw_number(seeds, n, doubles.CHANCES) < chance * doubles.CHANCES

    # Movement.

    def choose_moves(self, count: int, seeds: Rows, n: int) -> None:
        """Choose the orders of the units in `queue`; one in another's way is asked before it."""
        first = waits = 0
        while first < count:
            here = self.queue[first]
            other = self.choose_move(here, waits < count - first, seeds, n)
            if other < 0:
                first += 1
                waits = 0
                continue
            waits += 1
            k = first
            while self.queue[k] != other:
                self.queue[k] = self.queue[k + 1]
                k += 1
            self.queue[k] = here

    def choose_move(self, here: int, may_wait: bool, seeds: Rows, n: int) -> int:
        """Give the unit in `here` an order and return -1, or return which unit it waits for."""
        self.rank_moves(here)
        while True:
            chosen = self.pick(seeds, n)
            place = self.options[chosen]
            p = self.tables.province_of[place]
            if p == here:
                self.give(here, codes.HOLD, 0, 0)
                return -1
            friend = self.is_own(p)
            if friend and may_wait and self.given[p] < 0:
                return p
            if self.enter(here, place, friend):
                return -1
            self.remove_option(chosen)

    def is_own(self, p: int) -> bool:
        """Return whether a unit of the power is in the province."""
        return self.state.unit[p] >= 0 and self.state.unit[p] >> codes.POWER_SHIFT == self.power

    def rank_moves(self, here: int) -> None:
        """Rank the places where the unit in `here` could be next; staying is worth 1 more."""
        row = self.state.row_of(self.state.unit[here])
        place = row
        if row >= self.tables.places:
            place -= self.tables.places
        self.option_count = 0
        self.add_option(place, self.pulls.find_worth(row) + 1.0)
        for k in range(self.tables.near_at[row], self.tables.near_at[row + 1]):
            to = self.tables.near[k]
            if not self.is_spared(self.tables.province_of[to]):
                self.add_option(to, self.pulls.find_worth(row - place + to))

    def is_spared(self, p: int) -> bool:
        """Return whether the province has a unit or is a center of a power with a truce."""
        owner, unit = self.state.owner[p], self.state.unit[p]
        first = self.power * self.tables.powers
        if owner >= 0 and self.truces[first + owner]:
            return True
        return unit >= 0 and self.truces[first + (unit >> codes.POWER_SHIFT)] != 0

    def enter(self, here: int, place: int, friend: bool) -> bool:
        """Let the unit go to `place` or help one of its power there; return whether it does."""
        p = self.tables.province_of[place]
        if friend:
            if self.given[p] < 0:
                return False
            if not self.goes(p):
                if self.pulls.find_rivals(p) < 2:
                    return False
                self.give(here, codes.SUPPORT_HOLD, p, 0)
                return True
        if self.mover[p] >= 0:
            if self.pulls.find_rivals(p) == 0:
                return False
            self.support_mover(here, p)
            return True
        self.mover[p] = here
        self.give(here, codes.MOVE, 0, place)
        return True

    def support_mover(self, here: int, p: int) -> None:
        """Let the unit support the one that moves to province `p`."""
        other = self.mover[p]
        self.give(here, codes.SUPPORT_MOVE, other, self.given[2 * self.tables.provinces + other])

    def choose_support(self, here: int) -> None:
        """Let the unit that would hold help the best of those beside it that need help."""
        size = self.tables.provinces
        row = self.state.row_of(self.state.unit[here])
        best = -1
        most = 0.0
        for k in range(self.tables.reach_at[row], self.tables.reach_at[row + 1]):
            p = self.tables.reach[k]
            rivals = self.pulls.find_rivals(p)
            other = self.mover[p]
            if other >= 0 and rivals > 0:
                place = self.given[2 * size + other]
            elif self.is_own(p) and rivals > 1 and not self.goes(p):
                other = p
                place = self.state.unit[p] >> codes.PLACE_SHIFT & codes.PLACE_MASK
            else:
                continue
            kind = self.state.unit[other] & 1
            rating = self.pulls.find_worth(kind * self.tables.places + place)
            if best < 0 or rating > most:
                best = p
                most = rating
        if best < 0:
            return
        if self.mover[best] >= 0:
            self.support_mover(here, best)
        else:
            self.give(here, codes.SUPPORT_HOLD, best, 0)

    # The other phases.

    def choose_retreat(self, here: int, seeds: Rows, n: int) -> None:
        """Choose where the unit dislodged in `here` goes; two never go to the same province."""
        row = self.state.row_of(self.state.dislodged[here])
        first = 0
        if row >= self.tables.places:
            first = self.tables.places
        self.option_count = 0
        count = self.state.find_retreats(here)
        for k in range(count):
            place = self.state.options[k]
            if self.mover[self.tables.province_of[place]] < 0:
                self.add_option(place, self.pulls.find_worth(first + place))
        if self.option_count == 0:
            self.give(here, codes.DISBAND, 0, 0)
            return
        place = self.options[self.pick(seeds, n)]
        self.mover[self.tables.province_of[place]] = here
        self.give(here, codes.RETREAT, 0, place)

    def choose_builds(self, seeds: Rows, n: int) -> None:
        """Choose what the power builds."""
        due = self.state.balance[self.power]
        count = self.state.find_build_sites(self.power)
        self.option_count = 0
        for i in range(count):
            p = self.state.sites[i]
            if self.given[p] == codes.BUILD:
                due -= 1
            if self.given[p] >= 0:
                continue
            self.add_option(p, self.pulls.find_worth(p))
            for k in range(self.tables.landings_at[p], self.tables.landings_at[p + 1]):
                row = self.tables.places + self.tables.landings[k]
                self.add_option(row, self.pulls.find_worth(row))
        while due > 0 and self.option_count > 0:
            row = self.options[self.pick(seeds, n)]
            kind = 0
            place = row
            if row >= self.tables.places:
                kind = 1
                place -= self.tables.places
            p = self.tables.province_of[place]
            self.give(p, codes.BUILD, kind, place)
            self.remove_site(p)
            due -= 1

    def remove_site(self, p: int) -> None:
        """Remove the options in one province."""
        k = 0
        while k < self.option_count:
            place = self.options[k]
            if place >= self.tables.places:
                place -= self.tables.places
            if self.tables.province_of[place] == p:
                self.remove_option(k)
            else:
                k += 1

    def choose_disbands(self, seeds: Rows, n: int) -> None:
        """Choose which units are disbanded: of least worth or, by chance, the next above."""
        due = -self.state.balance[self.power]
        self.option_count = 0
        for p in range(self.tables.provinces):
            if not self.is_own(p):
                continue
            if self.given[p] == codes.DISBAND:
                due -= 1
            elif self.given[p] < 0:
                self.add_option(p, self.pulls.find_worth(self.state.row_of(self.state.unit[p])))
        while due > 0 and self.option_count > 0:
            chosen = self.option_count - 1
            while chosen > 0 and self.happens(self.heat, seeds, n):
                chosen -= 1
            self.give(self.options[chosen], codes.DISBAND, 0, 0)
            self.remove_option(chosen)
            due -= 1

    # Samples.

    def fits(self, forced: Reader) -> bool:
        """Return whether all numbers of an order row are in range; -1 leaves a unit free."""
        size = self.tables.provinces
        for p in range(size):
            if forced[p] < -1 or forced[p] > codes.BUILD:
                return False
            if forced[size + p] < 0 or forced[size + p] >= size:
                return False
            if forced[2 * size + p] < 0 or forced[2 * size + p] >= self.tables.places:
                return False
        return True

    def read_orders(self, forced: Reader) -> None:
        """Begin an order row with the orders of `forced`; a code of -1 leaves a unit free."""
        native.copy(self.given, 0, forced, 0, 3 * self.tables.provinces)
