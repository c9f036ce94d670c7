"""The orders of one movement phase, matched with each other by the rules of any edition.

A rule set comes as one number; its bits are in `codes`. `movement` decides the orders.
"""

from . import codes, native
from .convoys import Convoys
from .tables import Tables


class MatchedOrders:
    """Orders matched with each other; lists are indexed by unit, and -1 stands for none.

    `place`, `kind`, `power`, `code`, `target` (a province) and `to` (a place) are set by the
    caller, for `size` units. `here` is a unit's province and `goal` the province it moves to;
    `at` is the unit in a province. `opponent` is the other unit in a head-to-head battle.
    `support_into` is the province into which a matched support is given. `routed` says how an army
    goes: by land, by convoy, or (`EITHER`) by land if its convoy fails; `either_count` is how many
    of these there are. `cargo` is the army that a fleet convoys. The moves into a province are a
    chain: `rivals`, by province, has the first and `next_rival` the next; so are the `supporters`
    of a unit and the `fleets` that convoy it; `on_route` marks the fleets that could be needed, if
    the rules ask. The fleets in `barred` do not match, because their army's order names other seas;
    only `order_values` sets it, if `path_rule` asks. The paradox rule disrupted the convoys marked
    in `paradox_failed` and stopped the moves in `paradox_stopped`. `moves`, `supports` and
    `convoys` have the questions that are still open, and `movers` all moves. `outcome` and
    `dislodger` are set in the end.
    """

    def __init__(self, tables: Tables) -> None:
        zeros = [0] * codes.ROOM
        self.tables = tables
        self.search = Convoys(tables)
        self.rules = self.paradox = self.intent = self.path_rule = 0
        self.spares = self.reroutes = False
        self.size = 0
        self.place, self.kind, self.power = zeros[:], zeros[:], zeros[:]
        self.code, self.target, self.to = zeros[:], zeros[:], zeros[:]
        self.here, self.goal, self.at = zeros[:], zeros[:], zeros[:]
        self.opponent, self.support_into, self.cargo = zeros[:], zeros[:], zeros[:]
        self.routed, self.answers = zeros[:], zeros[:]
        self.rivals, self.next_rival = zeros[:], zeros[:]
        self.supporters, self.next_supporter = zeros[:], zeros[:]
        self.fleets, self.next_fleet, self.on_route = zeros[:], zeros[:], zeros[:]
        self.barred = zeros[:]
        self.paradox_failed, self.paradox_stopped = zeros[:], zeros[:]
        self.outcome, self.dislodger = zeros[:], zeros[:]
        self.moves, self.supports, self.convoys, self.movers = (
            zeros[:],
            zeros[:],
            zeros[:],
            zeros[:],
        )
        self.move_count = self.support_count = self.convoy_count = self.mover_count = 0
        self.either_count = 0
        self.reached = [0] * 9

    def use_rules(self, rules: int) -> None:
        """Set the rules of the phases to come."""
        self.rules = rules
        self.paradox = rules >> codes.PARADOX_SHIFT & codes.CHOICE_MASK
        self.intent = rules >> codes.INTENT_SHIFT & codes.CHOICE_MASK
        self.path_rule = rules >> codes.PATH_SHIFT & codes.CHOICE_MASK
        self.spares = self.paradox != codes.SZYKMAN and self.paradox != codes.ALL_HOLD
        self.reroutes = (
            rules & codes.LAND_BEHIND != 0
            or self.intent == codes.BY_SWAP
            or self.intent == codes.BY_EITHER
        )

    def match_orders(self) -> None:
        """Match the orders of `size` units with each other."""
        native.fill(self.rivals, 0, self.tables.provinces, -1)
        native.fill(self.at, 0, self.tables.provinces, -1)
        moves = supports = convoys = 0
        for i in range(self.size):
            p = self.tables.province_of[self.place[i]]
            self.here[i] = p
            self.at[p] = i
            self.goal[i] = -1
            self.opponent[i] = -1
            self.support_into[i] = -1
            self.cargo[i] = -1
            self.fleets[i] = -1
            self.supporters[i] = -1
            self.routed[i] = codes.BY_LAND
            self.answers[i] = codes.NO
            self.paradox_failed[i] = 0
            self.paradox_stopped[i] = 0
            code = self.code[i]
            if code == codes.HOLD:
                continue
            if code <= codes.MOVE_VIA:
                p = self.tables.province_of[self.to[i]]
                self.goal[i] = p
                self.answers[i] = codes.OPEN
                self.next_rival[i] = self.rivals[p]
                self.rivals[p] = i
                self.moves[moves] = i
                self.movers[moves] = i
                moves += 1
            elif code <= codes.SUPPORT_MOVE:
                self.supports[supports] = i
                supports += 1
            elif code == codes.CONVOY:
                self.convoys[convoys] = i
                convoys += 1
        self.move_count = moves
        self.mover_count = moves
        self.support_count = supports
        self.convoy_count = 0
        self.match_convoys(convoys)
        self.match_supports()
        for k in range(self.move_count):
            i = self.moves[k]
            other = self.at[self.goal[i]]
            if other >= 0 and self.goal[other] == self.here[i]:
                if self.routed[i] != codes.BY_SEA and self.routed[other] != codes.BY_SEA:
                    self.opponent[i] = other

    def match_convoys(self, convoys: int) -> None:
        """Match convoys with armies, and choose each army's route (DATC 4.A.3)."""
        for k in range(convoys):
            i = self.convoys[k]
            army = self.at[self.target[i]]
            if army >= 0 and self.goal[army] >= 0 and self.goal[army] == self.to[i]:
                barred = self.path_rule and self.barred[i]
                if self.tables.sea_of[self.here[i]] >= 0 and not barred:
                    self.next_fleet[i] = self.fleets[army]
                    self.fleets[army] = i
        self.either_count = 0
        count = 0
        for k in range(self.move_count):
            i = self.moves[k]
            if self.kind[i]:
                continue
            fleet = self.fleets[i]
            walks = self.may_walk(i)
            if fleet >= 0 and self.rules & codes.NEEDS_ROUTES:
                self.mark_routes(i, -1)
            if walks:
                if (fleet < 0 and self.code[i] == codes.MOVE) or not self.means_convoy(i):
                    continue
                if self.reroutes:
                    self.routed[i] = codes.EITHER
                    self.either_count += 1
            if self.routed[i] == codes.BY_LAND:
                self.routed[i] = codes.BY_SEA
            while fleet >= 0:
                self.cargo[fleet] = i
                self.answers[fleet] = codes.OPEN
                self.convoys[count] = fleet
                count += 1
                fleet = self.next_fleet[fleet]
        self.convoy_count = count

    def may_walk(self, army: int) -> bool:
        """Return whether an army's goal is next to it by land."""
        return self.tables.can_reach(self.here[army], self.goal[army])

    def means_convoy(self, i: int) -> bool:
        """Return whether an army that could walk goes by convoy, or tries to at first (4.A.3)."""
        via = self.code[i] == codes.MOVE_VIA
        if via and self.rules & codes.VIA_CHAIN:
            via = self.is_connected(i)
        if self.intent == codes.BY_OWN_FLEET:
            meant = via or self.has_own_fleet(i)
        elif self.intent == codes.BY_VIA:
            meant = via
        elif self.intent == codes.BY_WHOLE_CONVOY:
            meant = via or (self.has_own_fleet(i) and self.is_connected(i))
        else:
            other = self.at[self.goal[i]]
            swaps = other >= 0 and self.goal[other] == self.here[i]
            if self.intent == codes.BY_SWAP:
                meant = swaps
            elif self.intent == codes.BY_EITHER:
                meant = True
            else:
                own = swaps and self.power[other] == self.power[i]
                meant = via or own or self.has_own_fleet(i)
            if meant:
                return self.is_connected(i)
        if meant and self.rules & codes.LAND_BEHIND:
            return self.is_connected(i)
        return meant

    def has_own_fleet(self, i: int) -> bool:
        """Return whether a fleet of the army's power shows that it is to go by convoy."""
        fleet = self.fleets[i]
        while fleet >= 0:
            if self.power[fleet] == self.power[i]:
                if not self.rules & codes.INTENT_CHAIN or self.on_route[fleet]:
                    return True
            fleet = self.next_fleet[fleet]
        return False

    def is_connected(self, army: int) -> bool:
        """Return whether the fleets ordered to convoy the army form a chain to its goal."""
        self.answer_fleets(army, codes.OPEN)
        connected = self.has_chain(army, codes.OPEN)
        self.answer_fleets(army, codes.NO)
        return connected

    def answer_fleets(self, army: int, answer: int) -> None:
        """Set the answers of the fleets ordered to convoy the army."""
        fleet = self.fleets[army]
        while fleet >= 0:
            self.answers[fleet] = answer
            fleet = self.next_fleet[fleet]

    def mark_routes(self, army: int, without: int) -> None:
        """Mark the fleets on a route of the army, as if the fleet `without` were absent."""
        self.search.clear_fleets()
        fleet = self.fleets[army]
        while fleet >= 0:
            if fleet != without:
                self.search.add_fleet(self.tables.sea_of[self.here[fleet]])
            fleet = self.next_fleet[fleet]
        fleet = self.fleets[army]
        while fleet >= 0:
            sea = self.tables.sea_of[self.here[fleet]]
            needed = self.search.needs_fleet(self.here[army], self.goal[army], sea)
            self.on_route[fleet] = 1 if needed else 0
            fleet = self.next_fleet[fleet]

    def match_supports(self) -> None:
        """Match supports with the orders they support."""
        count = 0
        for k in range(self.support_count):
            i = self.supports[k]
            target = self.at[self.target[i]]
            if target < 0:
                continue
            goal = self.goal[target]
            if self.code[i] == codes.SUPPORT_HOLD:
                if goal >= 0:
                    continue
                self.support_into[i] = self.target[i]
            else:
                if goal < 0 or (self.to[i] != self.to[target] and self.to[i] != goal):
                    continue
                if self.routed[target] and not self.has_chain(target, codes.OPEN):
                    continue
                self.support_into[i] = goal
            self.supports[count] = i
            count += 1
            self.answers[i] = codes.OPEN
            self.next_supporter[i] = self.supporters[target]
            self.supporters[target] = i
        self.support_count = count

    def has_chain(self, army: int, most: int) -> bool:
        """Return whether fleets with an answer of yes, up to `most`, form a chain to the goal."""
        wide = self.tables.wide
        start = self.here[army] * wide
        goal = self.goal[army] * wide
        for word in range(wide):
            self.reached[word] = 0
        grows = True
        while grows:
            grows = False
            fleet = self.fleets[army]
            while fleet >= 0:
                if self.answers[fleet] != codes.NO and self.answers[fleet] <= most:
                    sea = self.tables.sea_of[self.here[fleet]]
                    word = self.tables.word_of[sea]
                    bit = self.tables.bit_of[sea]
                    if not self.reached[word] & bit:
                        linked = self.tables.shores[start + word] & bit
                        for other in range(wide):
                            linked |= (
                                self.tables.sea_links[sea * wide + other] & self.reached[other]
                            )
                        if linked:
                            if self.tables.shores[goal + word] & bit:
                                return True
                            self.reached[word] |= bit
                            grows = True
                fleet = self.next_fleet[fleet]
        return False
