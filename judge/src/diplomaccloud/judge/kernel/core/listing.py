"""The list of legal orders: every order of a state, or whether one order is in the list."""

from . import codes, native
from .convoys import Convoys
from .state import State
from .tables import Tables


class Listing:
    """The legal orders of a state, `count` of them.

    `rows` has four integers for each order: the province, the code, the target and the goal.
    `fields` has, by province, the row of `Tables.near` for the unit there. `goals` has, by the
    number of a unit in `State.standing`, the mask of the provinces to which it could move. If
    `lists_none`, lists of winter begin with the order to do nothing.
    """

    def __init__(self, tables: Tables, state: State) -> None:
        zeros = [0] * codes.ROOM
        self.tables = tables
        self.state = state
        self.convoys = Convoys(tables)
        self.lists_none = False
        self.keep: list[object] = []
        self.fields = zeros[:]
        self.goals = native.masks(self.keep, [0] * (self.tables.provinces * self.tables.broad))
        self.count, self.room = 0, 1024
        self.rows = native.grow_ints(native.no_ints(), 4 * self.room)
        self.is_full = not self.rows

    def __dealloc__(self) -> None:
        native.free_ints(self.rows)

    def add_order(self, here: int, code: int, target: int, to: int) -> None:
        """Add an order to the list."""
        if self.count == self.room:
            rows = native.grow_ints(self.rows, 8 * self.room)
            if not rows:
                self.is_full = True
                return
            self.rows = rows
            self.room *= 2
        at = 4 * self.count
        self.rows[at] = here
        self.rows[at + 1] = code
        self.rows[at + 2] = target
        self.rows[at + 3] = to
        self.count += 1

    def list_orders(self) -> None:
        """Add every legal order of the state, by province."""
        if self.state.is_movement_phase():
            self.state.find_standing()
            self.list_movement()
        elif self.state.is_retreat_phase():
            self.list_retreats()
        else:
            self.list_adjustments()

    # Movement.

    def open_fleets(self) -> None:
        """Find the rows of the units that are standing, and the fleets at sea."""
        self.convoys.clear_fleets()
        for k in range(self.state.standing_count):
            p = self.state.standing[k]
            unit = self.state.unit[p]
            self.fields[p] = self.state.row_of(unit)
            sea = self.tables.sea_of[p]
            if unit & 1 and sea >= 0:
                self.convoys.add_fleet(sea)

    def list_movement(self) -> None:
        """Add the orders of a movement phase, in the order in which the units are standing."""
        broad = self.tables.broad
        self.open_fleets()
        for k in range(self.state.standing_count):
            p = self.state.standing[k]
            row = self.fields[p]
            for word in range(broad):
                self.goals[k * broad + word] = self.tables.reach_masks[row * broad + word]
            if self.state.unit[p] & 1:
                for word in range(broad):
                    self.convoys.by_sea[p * broad + word] = 0
            elif self.convoys.open_convoys(p):
                self.convoys.add_routes(p)
                for word in range(broad):
                    self.goals[k * broad + word] |= self.convoys.by_sea[p * broad + word]
        for k in range(self.state.standing_count):
            p = self.state.standing[k]
            self.add_order(p, codes.HOLD, 0, 0)
            self.list_moves(p)
            row = self.fields[p]
            for place in range(self.tables.reach_at[row], self.tables.reach_at[row + 1]):
                if self.state.unit[self.tables.reach[place]] >= 0:
                    self.add_order(p, codes.SUPPORT_HOLD, self.tables.reach[place], 0)
            self.list_supports(p)
            if self.state.unit[p] & 1 and self.tables.sea_of[p] >= 0:
                self.list_convoys(p)

    def list_moves(self, here: int) -> None:
        """Add the moves of the unit in `here`."""
        broad = self.tables.broad
        row = self.fields[here]
        for k in range(self.tables.near_at[row], self.tables.near_at[row + 1]):
            self.add_order(here, codes.MOVE, 0, self.tables.near[k])
        if self.state.unit[here] & 1:
            return
        some = False
        for word in range(broad):
            left = self.convoys.by_sea[here * broad + word]
            if left:
                some = True
            left &= ~self.tables.reach_masks[row * broad + word]
            while left:
                to = word * codes.WORD + native.find_lowest(left)
                left &= left - 1
                self.add_order(here, codes.MOVE, 0, to)
        if some:
            for k in range(self.tables.near_at[row], self.tables.near_at[row + 1]):
                to = self.tables.near[k]
                word = here * broad + self.tables.word_of[to]
                if self.convoys.by_sea[word] & self.tables.bit_of[to]:
                    self.add_order(here, codes.MOVE_VIA, 0, to)

    def list_supports(self, here: int) -> None:
        """Add the supports of moves that the unit in `here` could give."""
        broad = self.tables.broad
        mine = self.fields[here] * broad
        for k in range(self.state.standing_count):
            shared = 0
            for word in range(broad):
                shared |= self.tables.reach_masks[mine + word] & self.goals[k * broad + word]
            if shared:
                other = self.state.standing[k]
                if other == here:
                    continue
                if self.state.unit[other] & 1:
                    self.list_supports_of_fleet(here, other)
                else:
                    self.list_supports_of_army(here, other)

    def list_supports_of_fleet(self, here: int, other: int) -> None:
        """Add the supports of moves of the fleet in `other`."""
        mine = self.fields[here] * self.tables.broad
        its = self.fields[other]
        for k in range(self.tables.near_at[its], self.tables.near_at[its + 1]):
            to = self.tables.near[k]
            p = self.tables.province_of[to]
            word = mine + self.tables.word_of[p]
            if self.tables.reach_masks[word] & self.tables.bit_of[p]:
                self.add_order(here, codes.SUPPORT_MOVE, other, to)

    def list_supports_of_army(self, here: int, other: int) -> None:
        """Add the supports of moves of the army in `other`, by land and then by sea."""
        broad = self.tables.broad
        mine = self.fields[here]
        its = self.fields[other]
        for word in range(broad):
            left = self.tables.reach_masks[mine * broad + word]
            left &= self.tables.reach_masks[its * broad + word]
            while left:
                to = word * codes.WORD + native.find_lowest(left)
                left &= left - 1
                self.add_order(here, codes.SUPPORT_MOVE, other, to)
        some = False
        for word in range(broad):
            self.convoys.goals[word] = self.convoys.by_sea[other * broad + word]
            left = self.convoys.goals[word] & self.tables.reach_masks[mine * broad + word]
            if left & ~self.tables.reach_masks[its * broad + word]:
                some = True
        if not some:
            return
        sea = self.find_sea(here)
        if sea >= 0:
            word = other * self.tables.wide + self.tables.word_of[sea]
            if self.convoys.connected[word] & self.tables.bit_of[sea]:
                self.convoys.use_fleets(sea)
                self.convoys.find_connected(other)
                self.convoys.find_landings(other)
        for word in range(broad):
            left = self.convoys.goals[word] & self.tables.reach_masks[mine * broad + word]
            left &= ~self.tables.reach_masks[its * broad + word]
            while left:
                to = word * codes.WORD + native.find_lowest(left)
                left &= left - 1
                self.add_order(here, codes.SUPPORT_MOVE, other, to)

    def list_convoys(self, here: int) -> None:
        """Add the convoys of the fleet in `here`."""
        sea = self.tables.sea_of[here]
        word = self.tables.word_of[sea]
        bit = self.tables.bit_of[sea]
        for k in range(self.convoys.route_count):
            if self.convoys.route_seas[k * self.tables.wide + word] & bit:
                army = self.convoys.routes[2 * k]
                self.add_order(here, codes.CONVOY, army, self.convoys.routes[2 * k + 1])

    def find_sea(self, here: int) -> int:
        """Return the sea of the fleet in `here`, or -1 if there is no fleet at sea."""
        if self.state.unit[here] & 1:
            return self.tables.sea_of[here]
        return -1

    # Whether one order is in the list, after `open_fleets`.

    def has_order(self, here: int, code: int, target: int, to: int) -> bool:
        """Return whether the list has this order of the unit in `here`."""
        mine = self.fields[here]
        goal = self.tables.province_of[to]
        if code == codes.HOLD:
            return True
        if code == codes.MOVE or code == codes.MOVE_VIA:
            near = self.tables.is_near(mine, to)
            if near and code == codes.MOVE:
                return True
            # An army that goes by sea need not say so, unless it could also walk.
            if self.state.unit[here] & 1 or near != (code == codes.MOVE_VIA) or to != goal:
                return False
            return self.convoys.can_carry(here, to, -1)
        if target == here:
            return False
        if code == codes.SUPPORT_HOLD:
            return self.tables.can_reach(mine, target)
        sea = self.find_sea(here)
        if code == codes.SUPPORT_MOVE:
            if not self.tables.can_reach(mine, goal):
                return False
            return self.could_move(target, to, sea)
        if sea < 0 or self.state.unit[target] & 1 or to != goal:
            return False
        return self.convoys.needs_fleet(target, to, sea)

    def could_move(self, here: int, to: int, barred: int) -> bool:
        """Return whether the unit in `here` could go to `to` without the fleet in `barred`."""
        goal = self.tables.province_of[to]
        row = self.fields[here]
        if self.tables.is_near(row, to):
            return True
        if to != goal:
            return False
        if self.state.unit[here] & 1:
            return self.tables.can_reach(row, goal)
        return self.convoys.can_carry(here, to, barred)

    # The other phases.

    def list_retreats(self) -> None:
        """Add the orders of a retreat phase."""
        for here in range(self.tables.provinces):
            if self.state.dislodged[here] >= 0:
                self.add_order(here, codes.DISBAND, 0, 0)
                count = self.state.find_retreats(here)
                for k in range(count):
                    self.add_order(here, codes.RETREAT, 0, self.state.options[k])

    def list_adjustments(self) -> None:
        """Add the orders of an adjustment phase."""
        self.state.find_owed()
        for here in range(self.tables.provinces):
            unit = self.state.unit[here]
            if unit >= 0:
                if self.state.balance[unit >> codes.POWER_SHIFT] < 0:
                    self.list_none(here)
                    self.add_order(here, codes.DISBAND, 0, 0)
            elif self.state.has_build(here):
                self.list_builds(here)

    def list_none(self, here: int) -> None:
        """Add that nothing is done in `here`, if that is listed."""
        if self.lists_none:
            self.add_order(here, codes.HOLD, 0, 0)

    def list_builds(self, here: int) -> None:
        """Add the builds in `here`."""
        self.list_none(here)
        self.add_order(here, codes.BUILD, 0, here)
        for k in range(self.tables.landings_at[here], self.tables.landings_at[here + 1]):
            self.add_order(here, codes.BUILD, 1, self.tables.landings[k])
