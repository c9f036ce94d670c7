"""The orders of one movement phase, matched and decided by the rules of any edition.

A rule set comes as one number; its bits are in `codes`. Orders are matched with each other, and
then decided by the equations of DATC 5.B: every unit has one order and therefore one question: does
its move succeed, does its support count, does its convoy hold? The answer is no, yes or open. A
strength is a range, from what is certain (`low`) to what is still possible (`high`). An answer that
follows is recorded and never changed. `cycles` decides orders that depend on themselves.
"""

from . import codes, native
from .convoys import Convoys
from .tables import Tables


class Movement:
    """The orders of a phase; lists are indexed by unit, and -1 stands for none.

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

    # Matching.

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

    # The paths of moves, and convoys.

    def path_state(self, i: int) -> int:
        """Return whether the path of a move is open, as it is if the army may walk (5.B.4)."""
        if self.routed[i] != codes.BY_SEA:
            return codes.YES
        return self.route_state(i)

    def convoy_used(self, i: int) -> int:
        """Return whether a unit goes by convoy: because it must, or its convoy holds (4.A.3)."""
        if self.routed[i] == codes.EITHER:
            return self.route_state(i)
        return codes.YES if self.routed[i] == codes.BY_SEA else codes.NO

    def opposed(self, i: int) -> int:
        """Return whether a move is one side of a head-to-head battle: neither goes by convoy."""
        if self.opponent[i] < 0:
            return codes.NO
        if self.either_count == 0:
            return codes.YES
        own = self.convoy_used(i)
        other = self.convoy_used(self.opponent[i])
        if own == codes.YES or other == codes.YES:
            return codes.NO
        if own == codes.OPEN or other == codes.OPEN:
            return codes.OPEN
        return codes.YES

    def route_state(self, army: int) -> int:
        """Return whether the convoy of an army holds (5.B.4, 4.A.1)."""
        if self.rules & codes.ANY_ROUTE:
            return self.every_route_state(army)
        if self.has_chain(army, codes.YES):
            return codes.YES
        if self.has_chain(army, codes.OPEN):
            return codes.OPEN
        return codes.NO

    def every_route_state(self, army: int) -> int:
        """Return whether all fleets on any route of an army do their part."""
        answer = codes.NO
        open_fleets = 0
        fleet = self.fleets[army]
        while fleet >= 0:
            if self.on_route[fleet]:
                if self.answers[fleet] == codes.NO:
                    return codes.NO
                answer = codes.YES
                if self.answers[fleet] == codes.OPEN:
                    open_fleets += 1
            fleet = self.next_fleet[fleet]
        return codes.OPEN if open_fleets else answer

    def path_without(self, army: int, fleet: int) -> int:
        """Return whether the path of an army would be open if the fleet were absent.

        It is if the army could then walk, also once `settle_routes` found that it goes by sea.
        """
        if self.routed[army] != codes.BY_SEA or (self.reroutes and self.may_walk(army)):
            return codes.YES
        answer = self.answers[fleet]
        self.answers[fleet] = codes.NO
        if self.rules & codes.ANY_ROUTE:
            self.mark_routes(army, fleet)
        path = self.route_state(army)
        if self.rules & codes.ANY_ROUTE:
            self.mark_routes(army, -1)
        self.answers[fleet] = answer
        return path

    def convoy_state(self, i: int) -> int:
        """Return whether a fleet does its part, which it does unless it is dislodged (5.B.3)."""
        answer = codes.YES
        if self.paradox_failed[i]:
            return codes.NO
        attacker = self.rivals[self.here[i]]
        while attacker >= 0:
            if self.answers[attacker] == codes.YES:
                return codes.NO
            if self.answers[attacker] == codes.OPEN:
                answer = codes.OPEN
            attacker = self.next_rival[attacker]
        return answer

    # Supports.

    def cuts(self, attacker: int, supporter: int) -> int:
        """Return whether the attack cuts the support even if it bounces (4.A.4)."""
        if self.power[attacker] == self.power[supporter] and not self.rules & codes.OWN_CUTS:
            return codes.NO
        if self.support_into[supporter] != self.here[attacker]:
            return codes.YES
        if self.rules & codes.CONVOYED_CUTS:
            return self.convoy_used(attacker)
        return codes.NO

    def spares_support(self, attacker: int, supporter: int) -> int:
        """Return whether a printed paradox rule leaves the support uncut (4.A.2, 6.F.17)."""
        if not self.routed[attacker] or not self.kind[supporter]:
            return codes.NO
        fleet = self.at[self.support_into[supporter]]
        if fleet < 0 or self.cargo[fleet] < 0:
            return codes.NO
        if self.paradox == codes.SPARES_CONVOYS:
            own = self.convoy_used(attacker)
            other = self.convoy_used(self.cargo[fleet])
            if own == codes.NO or other == codes.NO:
                return codes.NO
            return codes.OPEN if own == codes.OPEN or other == codes.OPEN else codes.YES
        if self.cargo[fleet] != attacker or self.code[supporter] != codes.SUPPORT_MOVE:
            return codes.NO
        if self.paradox == codes.SPARES_FLEETS:
            if not self.kind[self.at[self.target[supporter]]]:
                return codes.NO
            return self.convoy_used(attacker)
        arrives = self.path_without(attacker, fleet)
        if arrives == codes.OPEN:
            return codes.OPEN
        return codes.NO if arrives == codes.YES else codes.YES

    def support_state(self, i: int) -> int:
        """Return whether a matched support counts (5.B.2)."""
        answer = codes.YES
        attacker = self.rivals[self.here[i]]
        while attacker >= 0:
            hit = self.answers[attacker]
            if hit != codes.YES:
                cut = self.cuts(attacker, i)
                if cut != codes.NO:
                    path = self.path_state(attacker)
                    if path == codes.YES and cut == codes.YES:
                        hit = codes.YES
                    elif path != codes.NO:
                        hit = codes.OPEN
            if hit != codes.NO:
                # Asked last: an attack that cuts nothing needs no rule that spares the support.
                spared = codes.NO
                if self.spares:
                    spared = self.spares_support(attacker, i)
                if hit == codes.YES and spared == codes.NO:
                    return codes.NO
                if spared != codes.YES:
                    answer = codes.OPEN
            attacker = self.next_rival[attacker]
        return answer

    # Moves. A strength is `low` and `high` in one number: `high << STRENGTH_SHIFT | low`.

    def supported_strength(self, i: int, without: int) -> int:
        """Return 1 plus the supports of `i`, without those of the power `without`."""
        low = high = 1
        supporter = self.supporters[i]
        while supporter >= 0:
            answer = self.answers[supporter]
            if answer != codes.NO and self.power[supporter] != without:
                high += 1
                if answer == codes.YES:
                    low += 1
            supporter = self.next_supporter[supporter]
        return high << codes.STRENGTH_SHIFT | low

    def strength_against(self, i: int, target: int) -> int:
        """Return the strength with which a move can dislodge `target` if that stays."""
        power = self.power[target]
        if self.power[i] == power:
            return 0
        strength = self.supported_strength(i, power)
        if self.rules & codes.OWN_VOID:
            supporter = self.supporters[i]
            while supporter >= 0:
                if self.power[supporter] == power:
                    if self.answers[supporter] == codes.YES:
                        return 0
                    if self.answers[supporter] == codes.OPEN:
                        strength &= ~codes.STRENGTH_MASK
                supporter = self.next_supporter[supporter]
        return strength

    def attack_strength(self, i: int, target: int) -> int:
        """Return the strength of a move against `target`, the unit at its goal (5.B.8)."""
        leaves = codes.NO
        if self.goal[target] >= 0:
            leaves = self.answers[target]
            if self.opponent[i] >= 0 and leaves != codes.NO:
                meets = self.opposed(i)
                if meets == codes.YES:
                    leaves = codes.NO
                elif meets == codes.OPEN:
                    leaves = codes.OPEN
        if leaves == codes.YES:
            return self.supported_strength(i, -1)
        strength = self.strength_against(i, target)
        if leaves == codes.OPEN:
            low = strength & codes.STRENGTH_MASK
            strength = self.supported_strength(i, -1) & ~codes.STRENGTH_MASK | low
        return strength

    def find_silencer(self, i: int) -> int:
        """Return the unit that takes away a move's prevent strength by dislodging it (4.A.7)."""
        if not self.rules & codes.SILENCES:
            return self.opponent[i]
        target = self.at[self.goal[i]]
        if target >= 0 and self.goal[target] == self.here[i]:
            return target
        return -1

    def is_silenced(self, i: int) -> int:
        """Return whether another unit takes away the prevent strength of a move."""
        silencer = self.find_silencer(i)
        if silencer < 0 or self.answers[silencer] == codes.NO:
            return codes.NO
        if self.rules & codes.SILENCES:
            # Two that swap places by convoy do not dislodge each other.
            if self.answers[i] == codes.YES:
                return codes.NO
            if self.answers[i] == codes.OPEN:
                return codes.OPEN
        elif self.either_count:
            meets = self.opposed(i)
            if meets != codes.YES:
                return meets
        return self.answers[silencer]

    def prevent_strength(self, i: int) -> int:
        """Return the strength with which a move prevents its rivals (5.B.6)."""
        path = self.path_state(i)
        beaten = codes.NO
        if self.opponent[i] >= 0 or self.rules & codes.SILENCES:
            beaten = self.is_silenced(i)
        if path == codes.NO or beaten == codes.YES:
            return 0
        strength = self.supported_strength(i, -1)
        if path != codes.YES or beaten != codes.NO:
            strength &= ~codes.STRENGTH_MASK
        return strength

    def resistance(self, i: int, target: int) -> int:
        """Return the strength with which `target` resists a move (5.B.5, 5.B.7)."""
        if self.goal[target] < 0:
            return self.supported_strength(target, -1)
        meets = codes.NO
        if self.opponent[i] >= 0:
            meets = self.opposed(i)
        least = most = 0
        if meets != codes.YES:
            if self.answers[target] == codes.NO:
                least = 1
            if self.answers[target] != codes.YES:
                most = 1
        if meets == codes.NO:
            return most << codes.STRENGTH_SHIFT | least
        against = self.supported_strength(target, -1)
        if meets == codes.OPEN:
            against = against & ~codes.STRENGTH_MASK | least
        return against

    def move_state(self, i: int) -> int:
        """Return whether a move succeeds (5.B.1)."""
        path = self.path_state(i)
        if path == codes.NO or self.paradox_stopped[i]:
            return codes.NO
        to = self.goal[i]
        target = self.at[to]
        least = most = 0
        if target < 0:
            strength = self.supported_strength(i, -1)
        else:
            strength = self.attack_strength(i, target)
            against = self.resistance(i, target)
            least = against & codes.STRENGTH_MASK
            most = against >> codes.STRENGTH_SHIFT
        low = strength & codes.STRENGTH_MASK
        high = strength >> codes.STRENGTH_SHIFT
        if path == codes.OPEN:
            low = 0
        rival = self.rivals[to]
        while rival >= 0 and high > least:
            if rival != i:
                against = self.prevent_strength(rival)
                if against & codes.STRENGTH_MASK > least:
                    least = against & codes.STRENGTH_MASK
                if against >> codes.STRENGTH_SHIFT > most:
                    most = against >> codes.STRENGTH_SHIFT
            rival = self.next_rival[rival]
        if high <= least:
            return codes.NO
        if low > most:
            return codes.YES
        return codes.OPEN

    # All together.

    def draw_conclusions(self) -> int:
        """Answer what can be answered; return how many questions are still open."""
        before = -1
        left = self.move_count + self.support_count + self.convoy_count
        while left != 0 and left != before:
            before = left
            count = 0
            for k in range(self.support_count):
                i = self.supports[k]
                answer = self.answers[i]
                if answer == codes.OPEN:
                    answer = self.support_state(i)
                self.answers[i] = answer
                if answer == codes.OPEN:
                    self.supports[count] = i
                    count += 1
            self.support_count = count
            left = count
            count = 0
            for k in range(self.move_count):
                i = self.moves[k]
                answer = self.answers[i]
                if answer == codes.OPEN:
                    answer = self.move_state(i)
                self.answers[i] = answer
                if answer == codes.OPEN:
                    self.moves[count] = i
                    count += 1
            self.move_count = count
            left += count
            count = 0
            for k in range(self.convoy_count):
                i = self.convoys[k]
                answer = self.answers[i]
                if answer == codes.OPEN:
                    answer = self.convoy_state(i)
                self.answers[i] = answer
                if answer == codes.OPEN:
                    self.convoys[count] = i
                    count += 1
            self.convoy_count = count
            left += count
        return left

    def try_all_moves(self) -> bool:
        """Let all open moves succeed if that is consistent; return whether it is."""
        for k in range(self.move_count):
            self.answers[self.moves[k]] = codes.YES
        for k in range(self.support_count):
            i = self.supports[k]
            self.answers[i] = self.support_state(i)
        fits = True
        for k in range(self.move_count):
            if fits and self.move_state(self.moves[k]) != codes.YES:
                fits = False
        if not fits:
            for k in range(self.move_count):
                self.answers[self.moves[k]] = codes.OPEN
            for k in range(self.support_count):
                self.answers[self.supports[k]] = codes.OPEN
        return fits

    # Results.

    def settle_routes(self) -> None:
        """Leave each army that had two routes with the one that it took.

        A fleet whose army took the land route has no convoy, as if the army had been ordered to.
        """
        for k in range(self.mover_count):
            i = self.movers[k]
            if self.routed[i] != codes.EITHER:
                continue
            if self.route_state(i) == codes.YES:
                self.routed[i] = codes.BY_SEA
                if self.opponent[i] >= 0:
                    self.opponent[self.opponent[i]] = -1
                    self.opponent[i] = -1
                continue
            self.routed[i] = codes.BY_LAND
            fleet = self.fleets[i]
            while fleet >= 0:
                self.cargo[fleet] = -1
                self.answers[fleet] = codes.NO
                self.paradox_failed[fleet] = 0
                fleet = self.next_fleet[fleet]
        self.either_count = 0

    def find_outcome(self, i: int) -> int:
        """Return the number of a unit's outcome."""
        code = self.code[i]
        yes = self.answers[i]
        outcome = codes.VOID
        if code == codes.HOLD:
            outcome = codes.HELD
        elif code <= codes.MOVE_VIA:
            if yes:
                outcome = codes.MOVED
            elif self.path_state(i) != codes.NO:
                outcome = codes.BOUNCED
            else:
                outcome = codes.NOPATH
        elif code <= codes.SUPPORT_MOVE:
            if self.support_into[i] >= 0:
                outcome = codes.GIVEN if yes else codes.CUT
        elif code == codes.CONVOY and self.cargo[i] >= 0:
            if yes or self.path_state(self.cargo[i]) != codes.NO:
                outcome = codes.CONVOYED
            else:
                outcome = codes.DISRUPTED
        return outcome

    def find_results(self) -> int:
        """Set each unit's `outcome` and its `dislodger`; return how many are dislodged."""
        count = 0
        for i in range(self.size):
            outcome = self.find_outcome(i)
            attacker = -1
            if outcome != codes.MOVED:
                attacker = self.rivals[self.here[i]]
                while attacker >= 0 and not self.answers[attacker]:
                    attacker = self.next_rival[attacker]
            self.outcome[i] = outcome
            self.dislodger[i] = attacker
            if attacker >= 0:
                count += 1
        return count

    def is_standoff(self, to: int) -> bool:
        """Return whether there was a standoff in the empty province `to`."""
        rival = self.rivals[to]
        while rival >= 0:
            if self.prevent_strength(rival) & codes.STRENGTH_MASK:
                return True
            rival = self.next_rival[rival]
        return False

    def find_place(self, i: int) -> int:
        """Return where a unit that was not dislodged is now."""
        return self.to[i] if self.outcome[i] == codes.MOVED else self.place[i]

    def pack_unit(self, i: int, place: int) -> int:
        """Return the unit as one integer, in `place`."""
        return self.power[i] << codes.POWER_SHIFT | place << codes.PLACE_SHIFT | self.kind[i]
