"""Convoys that are possible with the fleets at sea: connected seas, landings, needed fleets."""

from . import codes, native
from .tables import Tables


class Convoys:
    """The convoys of one position.

    `fleets` is the mask of the seas with a fleet. By province, `connected` has the seas that an
    army there could use, and `by_sea` the provinces to which it could be carried. `routes` has an
    army's province and its goal for each possible convoy, and `route_seas` the mask of the seas
    that could be needed for it. The search for these follows chains of seas without shortcuts:
    `chain`, `free`, `landed` and `ways` have a mask for each step, and `needed`, by goal, what it
    has found.
    """

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.keep: list[object] = []
        size, seas, wide, broad = (
            self.tables.provinces,
            self.tables.seas + 2,
            self.tables.wide,
            self.tables.broad,
        )
        self.connected = native.masks(self.keep, [0] * (size * wide))
        self.by_sea = native.masks(self.keep, [0] * (size * broad))
        self.needed = native.masks(self.keep, [0] * (size * wide))
        self.chain = native.masks(self.keep, [0] * (seas * wide))
        self.free = native.masks(self.keep, [0] * (seas * wide))
        self.ways = native.masks(self.keep, [0] * (seas * wide))
        self.landed = native.masks(self.keep, [0] * (seas * broad))
        self.fleets, self.usable = [0] * 9, [0] * 9
        self.fresh, self.onward, self.reached = [0] * 9, [0] * 9, [0] * 9
        self.goals = [0] * 9
        self.steps = 0
        self.chain_start = -1
        self.route_count, self.route_room = 0, 64
        self.routes = native.grow_ints(native.no_ints(), 2 * self.route_room)
        self.route_seas = native.grow_masks(native.no_masks(), wide * self.route_room)
        self.is_full = not self.routes or not self.route_seas

    def __dealloc__(self) -> None:
        native.free_ints(self.routes)
        native.free_masks(self.route_seas)

    def clear_fleets(self) -> None:
        """Begin a position."""
        self.chain_start = -1
        self.route_count = 0
        for word in range(self.tables.wide):
            self.fleets[word] = 0

    def add_fleet(self, sea: int) -> None:
        """Add a fleet at sea."""
        self.fleets[self.tables.word_of[sea]] |= self.tables.bit_of[sea]

    # Where the fleets could carry an army.

    def find_connected(self, start: int) -> bool:
        """Set `reached` to the seas among `usable` that an army in `start` could use."""
        wide = self.tables.wide
        some = False
        for word in range(wide):
            self.reached[word] = 0
            if self.tables.ports[start]:
                self.reached[word] = self.usable[word] & self.tables.shores[start * wide + word]
            self.fresh[word] = self.reached[word]
            if self.fresh[word]:
                some = True
        grows = some
        while grows:
            grows = False
            for word in range(wide):
                self.onward[word] = 0
            for word in range(wide):
                left = self.fresh[word]
                while left:
                    sea = word * codes.WORD + native.find_lowest(left)
                    left &= left - 1
                    for other in range(wide):
                        self.onward[other] |= self.tables.sea_links[sea * wide + other]
            for word in range(wide):
                self.fresh[word] = self.onward[word] & self.usable[word] & ~self.reached[word]
                self.reached[word] |= self.fresh[word]
                if self.fresh[word]:
                    grows = True
        return some

    def find_landings(self, start: int) -> None:
        """Set `goals` to the provinces to which the `reached` seas could carry from `start`."""
        broad = self.tables.broad
        for word in range(broad):
            self.goals[word] = 0
        for word in range(self.tables.wide):
            left = self.reached[word]
            while left:
                sea = word * codes.WORD + native.find_lowest(left)
                left &= left - 1
                for other in range(broad):
                    self.goals[other] |= self.tables.sea_ports[sea * broad + other]
        self.goals[self.tables.word_of[start]] &= ~self.tables.bit_of[start]

    def use_fleets(self, barred: int) -> None:
        """Set `usable` to the fleets, without the one in the sea `barred` unless that is -1."""
        for word in range(self.tables.wide):
            self.usable[word] = self.fleets[word]
        if barred >= 0:
            self.usable[self.tables.word_of[barred]] &= ~self.tables.bit_of[barred]

    def can_carry(self, start: int, goal: int, barred: int) -> bool:
        """Return whether the fleets, without that in `barred`, could carry an army so."""
        if start == goal or not self.tables.ports[goal]:
            return False
        self.use_fleets(barred)
        if not self.find_connected(start):
            return False
        for word in range(self.tables.wide):
            if self.reached[word] & self.tables.shores[goal * self.tables.wide + word]:
                return True
        return False

    def open_convoys(self, start: int) -> bool:
        """Set `connected` and `by_sea` of an army in `start`; return whether it could embark."""
        wide = self.tables.wide
        broad = self.tables.broad
        self.use_fleets(-1)
        if not self.find_connected(start):
            for word in range(wide):
                self.connected[start * wide + word] = 0
            for word in range(broad):
                self.by_sea[start * broad + word] = 0
            return False
        self.find_landings(start)
        for word in range(wide):
            self.connected[start * wide + word] = self.reached[word]
        for word in range(broad):
            self.by_sea[start * broad + word] = self.goals[word]
        return True

    # Which fleets could be needed.

    def find_chains(self, start: int) -> None:
        """Set `needed` for each goal of a convoy from `start`, after `open_convoys`."""
        wide = self.tables.wide
        broad = self.tables.broad
        for word in range(broad):
            left = self.by_sea[start * broad + word]
            while left:
                goal = word * codes.WORD + native.find_lowest(left)
                left &= left - 1
                for other in range(wide):
                    self.needed[goal * wide + other] = 0
        self.steps = 0
        self.chain_start = start
        for word in range(broad):
            self.landed[word] = 0
        self.landed[self.tables.word_of[start]] = self.tables.bit_of[start]
        for word in range(wide):
            self.free[word] = self.fleets[word] & ~self.tables.shores[start * wide + word]
        for word in range(wide):
            left = self.fleets[word] & self.tables.shores[start * wide + word]
            while left:
                bit = left & -left
                sea = word * codes.WORD + native.find_lowest(left)
                left &= left - 1
                for other in range(wide):
                    self.chain[other] = 0
                self.chain[word] = bit
                self.follow_chain(sea, 0)

    def follow_chain(self, last: int, step: int) -> None:
        """Follow every way onward from a chain without shortcuts; see `values.find_routes`."""
        self.steps += 1
        if self.steps > codes.MAX_STEPS:
            return
        wide = self.tables.wide
        broad = self.tables.broad
        here = step * wide
        landed = step * broad
        for word in range(broad):
            left = self.tables.sea_ports[last * broad + word]
            self.landed[landed + broad + word] = self.landed[landed + word] | left
            left &= ~self.landed[landed + word]
            while left:
                goal = word * codes.WORD + native.find_lowest(left)
                left &= left - 1
                for other in range(wide):
                    self.needed[goal * wide + other] |= self.chain[here + other]
        for word in range(wide):
            self.ways[here + word] = (
                self.free[here + word] & self.tables.sea_links[last * wide + word]
            )
            self.free[here + wide + word] = self.free[here + word] & ~self.ways[here + word]
        for word in range(wide):
            left = self.ways[here + word]
            while left:
                bit = left & -left
                sea = word * codes.WORD + native.find_lowest(left)
                left &= left - 1
                for other in range(wide):
                    self.chain[here + wide + other] = self.chain[here + other]
                self.chain[here + wide + word] |= bit
                self.follow_chain(sea, step + 1)

    def get_needed(self, start: int, goal: int, word: int) -> int:
        """Return one word of the seas that a convoy could need, after `find_chains`."""
        if self.steps > codes.MAX_STEPS:
            return self.connected[start * self.tables.wide + word]
        return self.needed[goal * self.tables.wide + word]

    def needs_fleet(self, start: int, goal: int, sea: int) -> bool:
        """Return whether a convoy from `start` to `goal` could need the fleet in `sea`."""
        word = self.tables.word_of[sea]
        if not self.fleets[word] & self.tables.bit_of[sea]:
            return False
        if not self.can_carry(start, goal, -1):
            return False
        if self.chain_start != start:
            self.open_convoys(start)
            self.find_chains(start)
        return self.get_needed(start, goal, word) & self.tables.bit_of[sea] != 0

    def add_routes(self, start: int) -> None:
        """Add every convoy from `start` with the seas that could be needed for it."""
        broad = self.tables.broad
        self.find_chains(start)
        for word in range(broad):
            left = self.by_sea[start * broad + word]
            while left:
                goal = word * codes.WORD + native.find_lowest(left)
                left &= left - 1
                self.add_route(start, goal)

    def add_route(self, start: int, goal: int) -> None:
        """Add a convoy."""
        wide = self.tables.wide
        if self.route_count == self.route_room:
            routes = native.grow_ints(self.routes, 4 * self.route_room)
            if routes:
                self.routes = routes
            seas = native.grow_masks(self.route_seas, 2 * wide * self.route_room)
            if seas:
                self.route_seas = seas
            if not routes or not seas:
                self.is_full = True
                return
            self.route_room *= 2
        self.routes[2 * self.route_count] = start
        self.routes[2 * self.route_count + 1] = goal
        for word in range(wide):
            self.route_seas[self.route_count * wide + word] = self.get_needed(start, goal, word)
        self.route_count += 1
