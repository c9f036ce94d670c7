"""Whole phases: moves, retreats, the end of the year, builds and removals."""

from . import codes, native
from .cycles import Cycle
from .movement import Movement
from .state import State
from .tables import Reader, Rows, Tables


class Judge:
    """Adjudicates the phases of one state at a time.

    `removal` says from where the distance of a removed unit is counted. If `by_pieces`, a power
    wins with most of the pieces on the board, as in 1961, instead of with enough centers.
    """

    def __init__(self, tables: Tables) -> None:
        zeros = [0] * codes.ROOM
        self.tables = tables
        self.state = State(tables)
        self.movement = Movement(tables)
        self.cycle = Cycle(self.movement)
        self.keep: list[object] = []
        self.removal = codes.HOME_CENTERS
        self.by_pieces = False
        self.arrivals, self.goals = zeros[:], zeros[:]
        self.distance, self.queue = zeros[:], zeros[:]
        self.counts = native.ints(self.keep, [0] * (self.tables.powers + 1))

    def use_rules(self, rules: int) -> None:
        """Set the rules of the phases to come, a rule set as one number."""
        self.movement.use_rules(rules)
        self.removal = rules >> codes.REMOVAL_SHIFT & codes.CHOICE_MASK
        self.by_pieces = rules & codes.PIECES_WIN != 0

    def adjudicate_phase(
        self, orders: Reader, first: int, outcomes: Rows, dislodgers: Rows, at: int
    ) -> None:
        """Adjudicate the state with the order row that begins at `first`.

        Outcomes and dislodgers, all -1 before, are written from `at` on.
        """
        if self.state.is_adjustment_phase():
            self.adjudicate_adjustments(orders, first)
            self.state.go_on()
            return
        if self.state.is_movement_phase():
            due = self.adjudicate_moves(orders, first, outcomes, dislodgers, at)
            self.state.go_on()
            if due:
                return
        else:
            self.adjudicate_retreats(orders, first)
        self.state.go_on()
        if self.state.is_adjustment_phase() and not self.close_year():
            self.state.go_on()

    # Moves.

    def load_orders(self, orders: Reader, first: int) -> None:
        """Set the `standing` units and their orders; an order out of range counts as none."""
        size = self.tables.provinces
        self.movement.size = self.state.standing_count
        for i in range(self.state.standing_count):
            p = self.state.standing[i]
            unit = self.state.unit[p]
            self.movement.place[i] = unit >> codes.PLACE_SHIFT & codes.PLACE_MASK
            self.movement.kind[i] = unit & 1
            self.movement.power[i] = unit >> codes.POWER_SHIFT
            code = orders[first + p]
            target = orders[first + size + p]
            to = orders[first + 2 * size + p]
            if code < 0 or code > codes.CONVOY or target < 0 or target >= size:
                code = codes.HOLD
            if to < 0 or to >= self.tables.places:
                code = codes.HOLD
            elif code == codes.SUPPORT_MOVE and self.movement.rules & codes.IGNORES_COASTS:
                to = self.tables.province_of[to]
            self.movement.code[i] = code
            self.movement.target[i] = target
            self.movement.to[i] = to

    def adjudicate_moves(
        self, orders: Reader, first: int, outcomes: Rows, dislodgers: Rows, at: int
    ) -> bool:
        """Adjudicate moves; return whether retreats are due."""
        self.load_orders(orders, first)
        self.cycle.resolve_orders()
        dislodged = self.movement.find_results()
        for i in range(self.movement.size):
            p = self.movement.here[i]
            outcomes[at + p] = self.movement.outcome[i]
            attacker = self.movement.dislodger[i]
            if attacker >= 0:
                dislodgers[at + p] = self.movement.here[attacker]
                self.state.unit[p] = -1
            elif self.movement.outcome[i] == codes.MOVED:
                self.state.unit[p] = -1
        for k in range(self.movement.mover_count):
            i = self.movement.movers[k]
            if self.movement.answers[i]:
                unit = self.movement.to[i] << codes.PLACE_SHIFT | self.movement.kind[i]
                unit |= self.movement.power[i] << codes.POWER_SHIFT
                self.state.unit[self.movement.goal[i]] = unit
        if dislodged == 0:
            return False
        return self.record_dislodged()

    def record_dislodged(self) -> bool:
        """Record the dislodged units that can retreat; return whether there are any."""
        for k in range(self.movement.mover_count):
            p = self.movement.goal[self.movement.movers[k]]
            if self.state.unit[p] < 0 and not self.state.contested[p]:
                if self.movement.is_standoff(p):
                    self.state.contested[p] = 1
        due = False
        for i in range(self.movement.size):
            attacker = self.movement.dislodger[i]
            if attacker < 0:
                continue
            p = self.movement.here[i]
            source = self.movement.here[attacker]
            if self.movement.rules & codes.REOPENS and self.movement.routed[attacker]:
                source += codes.OPEN_SOURCE
            self.state.dislodged[p] = self.movement.pack_unit(i, self.movement.place[i])
            self.state.source[p] = source
            if self.state.find_retreats(p):
                due = True
            else:
                self.state.dislodged[p] = -1
                self.state.source[p] = -1
        if not due:
            self.state.clear_dislodged()
        return due

    # Retreats.

    def adjudicate_retreats(self, orders: Reader, first: int) -> None:
        """Adjudicate retreats; units that would meet, and all without a retreat, are removed."""
        size = self.tables.provinces
        native.fill(self.arrivals, 0, size, 0)
        native.fill(self.goals, 0, size, -1)
        for p in range(size):
            if self.state.dislodged[p] >= 0 and orders[first + p] == codes.RETREAT:
                count = self.state.find_retreats(p)
                for k in range(count):
                    to = self.state.options[k]
                    if to == orders[first + 2 * size + p]:
                        self.goals[p] = to
                        self.arrivals[self.tables.province_of[to]] += 1
        for p in range(size):
            to = self.goals[p]
            if to >= 0 and self.arrivals[self.tables.province_of[to]] == 1:
                unit = self.state.dislodged[p] & ~(codes.PLACE_MASK << codes.PLACE_SHIFT)
                self.state.unit[self.tables.province_of[to]] = unit | to << codes.PLACE_SHIFT
        self.state.clear_dislodged()

    # The end of the year.

    def close_year(self) -> bool:
        """Count the centers and find a winner; return whether adjustments are due."""
        powers = self.tables.powers
        for power in range(powers):
            self.counts[power] = 0
        for p in range(self.tables.provinces):
            if self.tables.centers[p] and self.state.unit[p] >= 0:
                self.state.owner[p] = self.state.unit[p] >> codes.POWER_SHIFT
            if self.state.owner[p] >= 0:
                self.counts[self.state.owner[p]] += 1
        most = leader = 0
        leaders = 0
        for power in range(powers):
            if self.counts[power] > most:
                most = self.counts[power]
                leader = power
                leaders = 1
            elif self.counts[power] == most:
                leaders += 1
        if most >= self.tables.victory and leaders == 1 and not self.by_pieces:
            self.state.winner = leader
        return self.state.find_owed()

    def find_winner_by_pieces(self) -> None:
        """Find the power with more than half of the pieces; dislodged units are pieces too."""
        powers = self.tables.powers
        for power in range(powers):
            self.counts[power] = 0
        total = 0
        for p in range(self.tables.provinces):
            if self.state.unit[p] >= 0:
                self.counts[self.state.unit[p] >> codes.POWER_SHIFT] += 1
                total += 1
            if self.state.dislodged[p] >= 0:
                self.counts[self.state.dislodged[p] >> codes.POWER_SHIFT] += 1
                total += 1
        for power in range(powers):
            if 2 * self.counts[power] > total:
                self.state.winner = power

    # Adjustments.

    def adjudicate_adjustments(self, orders: Reader, first: int) -> None:
        """Adjudicate builds and disbands; the first orders count, by province."""
        self.state.find_owed()
        for power in range(self.tables.powers):
            count = self.state.balance[power]
            if count > 0:
                self.build_units(power, count, orders, first)
            elif count < 0:
                self.disband_units(power, -count, orders, first)

    def build_units(self, power: int, count: int, orders: Reader, first: int) -> None:
        """Build at most `count` units where `power` may and has ordered it."""
        size = self.tables.provinces
        sites = self.state.find_build_sites(power)
        for k in range(sites):
            p = self.state.sites[k]
            kind = orders[first + size + p]
            to = orders[first + 2 * size + p]
            if count == 0 or orders[first + p] != codes.BUILD:
                continue
            if (kind == 0 and to == p) or (kind == 1 and self.tables.is_landing(p, to)):
                unit = power << codes.POWER_SHIFT | to << codes.PLACE_SHIFT | kind
                self.state.unit[p] = unit
                count -= 1

    def disband_units(self, power: int, count: int, orders: Reader, first: int) -> None:
        """Disband `count` units as ordered, the rest by the rule for civil disorder."""
        for p in range(self.tables.provinces):
            if count > 0 and orders[first + p] == codes.DISBAND and self.state.unit[p] >= 0:
                if self.state.unit[p] >> codes.POWER_SHIFT == power:
                    self.state.unit[p] = -1
                    count -= 1
        if count > 0 and self.removal == codes.OWNED_CENTERS:
            self.measure_distances(power)
        while count > 0:
            best = -1
            best_distance = 0
            for p in range(self.tables.provinces):
                if self.state.unit[p] >= 0 and self.state.unit[p] >> codes.POWER_SHIFT == power:
                    distance = self.find_distance(power, p)
                    if best >= 0 and distance == best_distance:
                        if self.is_removed_sooner(p, best):
                            best = p
                    elif best < 0 or distance > best_distance:
                        best = p
                        best_distance = distance
            if best < 0:
                return
            self.state.unit[best] = -1
            count -= 1

    def find_distance(self, power: int, p: int) -> int:
        """Return how far the unit in `p` is from the centers of `power`."""
        if self.removal == codes.OWNED_CENTERS:
            return self.distance[p]
        if self.state.unit[p] & 1:
            place = self.state.unit[p] >> codes.PLACE_SHIFT & codes.PLACE_MASK
            place += power * self.tables.places
            if self.removal == codes.HOME_COUNTRY:
                return self.tables.country_sail_steps[place]
            return self.tables.sail_steps[place]
        place = power * self.tables.provinces + p
        if self.removal == codes.HOME_COUNTRY:
            return self.tables.country_walk_steps[place]
        return self.tables.walk_steps[place]

    def is_removed_sooner(self, p: int, other: int) -> bool:
        """Return whether of two units equally far away that in `p` is removed first."""
        if self.state.unit[p] & 1 != self.state.unit[other] & 1:
            return self.state.unit[p] & 1 == 1
        return self.tables.rank[p] < self.tables.rank[other]

    def measure_distances(self, power: int) -> None:
        """Set every province's distance to the nearest center that `power` owns."""
        head = tail = 0
        for p in range(self.tables.provinces):
            self.distance[p] = codes.FAR
            if self.state.owner[p] == power:
                self.distance[p] = 0
                self.queue[tail] = p
                tail += 1
        while head < tail:
            p = self.queue[head]
            head += 1
            for word in range(self.tables.broad):
                left = self.tables.around[p * self.tables.broad + word]
                while left:
                    near = word * codes.WORD + native.find_lowest(left)
                    left &= left - 1
                    if self.distance[near] == codes.FAR:
                        self.distance[near] = self.distance[p] + 1
                        self.queue[tail] = near
                        tail += 1
