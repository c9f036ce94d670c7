"""Why each order of a decided movement phase had its outcome, as rows of numbers.

A row is all that a sentence about the order says, so that equal rows have equal sentences. It has
the outcome, then statements, then the provinces of the units that caused the outcome, and how many
these are. A statement is its number in `codes` and then its values: places, numbers, units as in a
state, and lists, each with its length first. `judge.reasons.statements` puts a row into words;
`judge.reasons.facts` reads the facts behind it.
"""

from . import codes, native
from .movement import Movement


class Reasons:
    """Explains the orders of the phase that `movement` decided, one at a time.

    `row` is about one order, and has `count` numbers. `found` lists units: rivals, attackers or
    fleets; `causes` are those that caused the outcome.
    """

    def __init__(self, movement: Movement) -> None:
        self.movement = movement
        self.keep: list[object] = []
        self.row = native.ints(self.keep, [0] * (4 * codes.ROOM))
        self.found = native.ints(self.keep, [0] * codes.ROOM)
        self.causes = native.ints(self.keep, [0] * codes.ROOM)
        self.count = self.found_count = self.cause_count = 0

    def add(self, number: int) -> None:
        """Add a number to the row."""
        self.row[self.count] = number
        self.count += 1

    def add_unit(self, i: int) -> None:
        """Add a unit to the row."""
        self.add(self.movement.pack_unit(i, self.movement.place[i]))

    def say(self, statement: int, about: int) -> None:
        """Begin a statement about a place or a power."""
        self.add(statement)
        self.add(about)

    def say_unit(self, statement: int, i: int, place: int) -> None:
        """Add a statement about a unit and a place."""
        self.add(statement)
        self.add_unit(i)
        self.add(place)

    def add_strengths(self, strength: int, resistance: int) -> None:
        """Add what a strength was and what it met."""
        self.add(strength)
        self.add(resistance)

    def add_found(self) -> None:
        """Add the units found, in their order: they were found in the reverse of it."""
        self.add(self.found_count)
        k = self.found_count
        while k > 0:
            k -= 1
            self.add_unit(self.found[k])

    def find(self, i: int) -> None:
        """Add a unit to those found."""
        self.found[self.found_count] = i
        self.found_count += 1

    def blame(self, i: int) -> None:
        """Add a unit to the causes."""
        self.causes[self.cause_count] = i
        self.cause_count += 1

    def blame_found(self) -> None:
        """Let the units found be the causes."""
        self.cause_count = 0
        for k in range(self.found_count):
            self.blame(self.found[k])

    # One order.

    def explain_order(self, i: int) -> None:
        """Set the row of a unit's order, once the outcomes of all orders are found."""
        movement = self.movement
        code = movement.code[i]
        dislodger = movement.dislodger[i]
        self.row[0] = movement.outcome[i]
        self.count = 1
        self.cause_count = 0
        if code == codes.HOLD:
            if dislodger < 0:
                self.explain_hold(i)
        elif code <= codes.MOVE_VIA:
            self.explain_move(i, dislodger)
        elif code <= codes.SUPPORT_MOVE:
            self.explain_support(i, dislodger)
        else:
            self.explain_convoy(i)
        if dislodger >= 0:
            self.add_dislodgment(i, dislodger)
        for k in range(self.cause_count):
            self.add(movement.here[self.causes[k]])
        self.add(self.cause_count)

    # Holds.

    def explain_hold(self, i: int) -> None:
        """Say why a unit that was not dislodged held."""
        movement = self.movement
        here = movement.here[i]
        attack = -1
        self.found_count = 0
        attacker = movement.rivals[here]
        while attacker >= 0:
            if movement.power[attacker] != movement.power[i]:
                if movement.path_state(attacker) != codes.NO:
                    strength = self.measure_attack(attacker)
                    if strength > attack:
                        attack = strength
                    self.find(attacker)
            attacker = movement.next_rival[attacker]
        if attack < 0:
            self.say(codes.SAY_HELD, here)
            return
        held = self.measure_hold(i)
        if attack <= held:
            self.say(codes.SAY_WITHSTOOD, here)
            self.add_found()
            self.add_strengths(held, attack)
            return
        self.found_count = 0
        attacker = movement.rivals[here]
        while attacker >= 0:
            if self.measure_prevention(attacker) > held:
                self.find(attacker)
            attacker = movement.next_rival[attacker]
        if self.found_count < 2:
            self.say(codes.SAY_HELD, here)
            return
        self.say(codes.SAY_BELEAGUERED, here)
        self.add_found()

    def add_dislodgment(self, i: int, dislodger: int) -> None:
        """Say that the unit was dislodged, unless that was said, and add its attacker's province.

        A support that was cut by nothing else, and a head-to-head battle, are one statement.
        """
        movement = self.movement
        alone = self.cause_count == 1 and self.causes[0] == dislodger
        known = False
        for k in range(self.cause_count):
            if self.causes[k] == dislodger:
                known = True
        if not known:
            self.blame(dislodger)
        statement = codes.SAY_DISLODGED
        if movement.outcome[i] == codes.CUT and alone:
            statement = codes.SAY_CUT_AND_DISLODGED
            if movement.cuts(dislodger, i) != codes.YES:
                statement = codes.SAY_CUT_BY_DISLODGMENT
        elif self.count > 1 and self.row[1] == codes.SAY_DISLODGED_HEAD_TO_HEAD:
            return
        self.add(statement)
        self.add_unit(dislodger)
        self.add_strengths(self.measure_attack(dislodger), self.measure_defense(i, dislodger))

    # Moves.

    def explain_move(self, i: int, dislodger: int) -> None:
        """Say why a move succeeded or failed."""
        movement = self.movement
        goal = movement.goal[i]
        by_sea = movement.routed[i] == codes.BY_SEA
        if movement.answers[i] == codes.YES:
            target = movement.at[goal]
            if target < 0 or (movement.goal[target] >= 0 and movement.answers[target]):
                self.say(codes.SAY_MOVED_BY_SEA if by_sea else codes.SAY_MOVED, movement.to[i])
                return
            self.say(codes.SAY_DROVE_BY_SEA if by_sea else codes.SAY_DROVE, movement.to[i])
            self.add_unit(target)
            self.add_strengths(self.measure_attack(i), self.measure_defense(target, i))
            return
        if movement.path_state(i) == codes.NO:
            if self.has_ordered_chain(i):
                self.blame_failed_fleets(i)
                self.say_failed_fleets(i, codes.SAY_FLEETS_DISLODGED, codes.SAY_FLEETS_IN_PARADOX)
            else:
                self.say_unit(codes.SAY_NO_CONVOY, i, goal)
        elif movement.paradox_stopped[i]:
            self.say(codes.SAY_STOPPED_BY_PARADOX, goal)
        else:
            self.explain_bounce(i, dislodger)

    def explain_bounce(self, i: int, dislodger: int) -> None:
        """Say what kept a move from succeeding: what stood at its goal, or its rivals."""
        movement = self.movement
        target = movement.at[movement.goal[i]]
        met = movement.opponent[i] >= 0
        most = self.find_rivals(i)
        full = self.measure_support(i)
        if target < 0 or (not met and movement.goal[target] >= 0 and movement.answers[target]):
            self.say_rivals(i, full, most)
            return
        # A move against a unit of its own power would often fail against a foreign unit, too.
        attack = full
        if movement.power[target] != movement.power[i]:
            attack = self.measure_attack(i)
        held = self.measure_defense(target, i)
        if held >= attack and held >= most:
            self.blame(target)
            if not met and movement.power[target] == movement.power[i]:
                self.say_unit(codes.SAY_OWN_STAYED, target, movement.goal[i])
                return
            statement = codes.SAY_OCCUPIED
            if met:
                statement = codes.SAY_HEAD_TO_HEAD
                if target == dislodger:
                    statement = codes.SAY_DISLODGED_HEAD_TO_HEAD
            self.say(statement, movement.goal[i])
            self.add_unit(target)
            self.add_strengths(attack, held)
        elif movement.power[target] == movement.power[i] and most < full:
            self.blame(target)
            self.say_unit(codes.SAY_OWN_UNIT, target, movement.goal[i])
        else:
            self.say_rivals(i, attack, most)
        if attack < full:
            void = movement.rules & codes.OWN_VOID
            statement = codes.SAY_OWN_VOIDS if void else codes.SAY_OWN_DISCOUNTED
            self.say(statement, movement.power[target])

    def find_rivals(self, i: int) -> int:
        """Find the strongest of the other moves to a move's goal; return their strength."""
        movement = self.movement
        most = 0
        rival = movement.rivals[movement.goal[i]]
        while rival >= 0:
            if rival != i:
                strength = self.measure_prevention(rival)
                if strength > most:
                    most = strength
            rival = movement.next_rival[rival]
        self.found_count = 0
        rival = movement.rivals[movement.goal[i]]
        while rival >= 0:
            if rival != i and self.measure_prevention(rival) == most:
                self.find(rival)
            rival = movement.next_rival[rival]
        return most

    def say_rivals(self, i: int, strength: int, most: int) -> None:
        """Say that a move met the rivals that were found; mark those of its own power."""
        movement = self.movement
        self.blame_found()
        self.say(codes.SAY_RIVALS, movement.goal[i])
        first = self.count + 1
        self.add_found()
        for k in range(self.found_count):
            if movement.power[self.found[self.found_count - 1 - k]] == movement.power[i]:
                self.row[first + k] += codes.OWN_MARK
        self.add_strengths(strength, most)

    # Supports.

    def explain_support(self, i: int, dislodger: int) -> None:
        """Say whether a support was given, was cut, or matched no order."""
        movement = self.movement
        target = movement.at[movement.target[i]]
        if movement.outcome[i] == codes.VOID:
            self.say_mismatch(i, target)
        elif movement.outcome[i] == codes.GIVEN:
            if movement.code[i] == codes.SUPPORT_HOLD:
                self.add(codes.SAY_SUPPORTED_HOLD)
                self.add_unit(target)
            else:
                self.say_unit(codes.SAY_SUPPORTED_MOVE, target, movement.to[i])
        else:
            self.find_cutters(i)
            self.blame_found()
            if self.cause_count != 1 or self.causes[0] != dislodger:
                self.add(codes.SAY_CUT)
                self.add_found()

    def find_cutters(self, i: int) -> None:
        """Find the attackers that cut a support."""
        movement = self.movement
        self.found_count = 0
        attacker = movement.rivals[movement.here[i]]
        while attacker >= 0:
            if not movement.spares or movement.spares_support(attacker, i) == codes.NO:
                if movement.answers[attacker] == codes.YES:
                    self.find(attacker)
                elif movement.cuts(attacker, i) == codes.YES:
                    if movement.path_state(attacker) == codes.YES:
                        self.find(attacker)
            attacker = movement.next_rival[attacker]

    def say_mismatch(self, i: int, target: int) -> None:
        """Say why a support or a convoy matches no order of the unit it names."""
        movement = self.movement
        code = movement.code[i]
        if code == codes.SUPPORT_HOLD:
            self.add(codes.SAY_TARGET_MOVED)
            self.add_unit(target)
        elif movement.goal[target] != movement.to[i]:
            self.say_unit(codes.SAY_TARGET_NOT_ORDERED, target, movement.to[i])
        elif code == codes.SUPPORT_MOVE:
            self.say_unit(codes.SAY_SUPPORT_WITHOUT_CONVOY, target, movement.to[i])
        elif movement.routed[target] == codes.BY_SEA:
            self.add(codes.SAY_OTHER_FLEETS)
            self.add_unit(target)
        else:
            self.say_unit(codes.SAY_CONVOYED_BY_LAND, target, movement.to[i])

    # Convoys.

    def explain_convoy(self, i: int) -> None:
        """Say whether a fleet did its part in a convoy."""
        movement = self.movement
        army = movement.cargo[i]
        if army < 0:
            self.say_mismatch(i, movement.at[movement.target[i]])
            return
        statement = codes.SAY_CONVOY_DISRUPTED
        if movement.path_state(army) == codes.YES:
            statement = codes.SAY_OTHER_ROUTE
            if self.is_on_open_route(i, army):
                statement = codes.SAY_CONVOYED_IN_VAIN
                if movement.answers[army] == codes.YES:
                    statement = codes.SAY_CONVOYED
        elif movement.answers[i] == codes.YES:
            if self.has_ordered_chain(army):
                self.say_failed_fleets(
                    army, codes.SAY_READY_FLEETS_DISLODGED, codes.SAY_READY_IN_PARADOX
                )
                return
            statement = codes.SAY_READY_WITHOUT_CHAIN
        elif movement.paradox_failed[i]:
            statement = codes.SAY_CONVOY_IN_PARADOX
        self.say_unit(statement, army, movement.goal[army])

    def is_on_open_route(self, i: int, army: int) -> bool:
        """Return whether a fleet is on a route that stayed open for an army whose path is open."""
        movement = self.movement
        if movement.answers[i] != codes.YES:
            return False
        search = movement.search
        search.clear_fleets()
        fleet = movement.fleets[army]
        while fleet >= 0:
            if movement.answers[fleet] == codes.YES:
                search.add_fleet(movement.tables.sea_of[movement.here[fleet]])
            fleet = movement.next_fleet[fleet]
        sea = movement.tables.sea_of[movement.here[i]]
        return search.needs_fleet(movement.here[army], movement.goal[army], sea)

    def has_ordered_chain(self, army: int) -> bool:
        """Return whether the fleets ordered to convoy an army form a chain to its goal."""
        movement = self.movement
        # No question is open, so `OPEN` can stand for the fleets that failed.
        fleet = movement.fleets[army]
        while fleet >= 0:
            if movement.answers[fleet] == codes.NO:
                movement.answers[fleet] = codes.OPEN
            fleet = movement.next_fleet[fleet]
        found = movement.has_chain(army, codes.OPEN)
        fleet = movement.fleets[army]
        while fleet >= 0:
            if movement.answers[fleet] == codes.OPEN:
                movement.answers[fleet] = codes.NO
            fleet = movement.next_fleet[fleet]
        return found

    def find_failed_fleets(self, army: int, in_paradox: int) -> None:
        """Find the fleets that did not convoy an army, in a paradox (1) or by dislodgment (0)."""
        movement = self.movement
        self.found_count = 0
        fleet = movement.fleets[army]
        while fleet >= 0:
            if movement.answers[fleet] == codes.NO and movement.paradox_failed[fleet] == in_paradox:
                self.find(fleet)
            fleet = movement.next_fleet[fleet]

    def blame_failed_fleets(self, army: int) -> None:
        """Let the fleets that did not convoy an army be the causes."""
        movement = self.movement
        fleet = movement.fleets[army]
        while fleet >= 0:
            if movement.answers[fleet] == codes.NO:
                self.blame(fleet)
            fleet = movement.next_fleet[fleet]

    def say_failed_fleets(self, army: int, dislodged: int, in_paradox: int) -> None:
        """Say which fleets did not convoy an army, with one of two statements or one more."""
        goal = self.movement.goal[army]
        self.find_failed_fleets(army, 0)
        if self.found_count:
            self.say_unit(dislodged, army, goal)
            self.add_found()
            self.find_failed_fleets(army, 1)
            if self.found_count:
                self.add(codes.SAY_ALSO_IN_PARADOX)
                self.add_found()
            return
        self.find_failed_fleets(army, 1)
        self.say_unit(in_paradox, army, goal)
        self.add_found()

    # Strengths, once nothing is open.

    def measure_support(self, i: int) -> int:
        """Return 1 plus the supports of a unit."""
        return self.movement.supported_strength(i, -1) & codes.STRENGTH_MASK

    def measure_attack(self, i: int) -> int:
        """Return the strength of a move against what stands at its goal."""
        target = self.movement.at[self.movement.goal[i]]
        if target < 0:
            return self.measure_support(i)
        return self.movement.attack_strength(i, target) & codes.STRENGTH_MASK

    def measure_hold(self, i: int) -> int:
        """Return the strength with which a unit resists being dislodged."""
        if self.movement.goal[i] < 0:
            return self.measure_support(i)
        return 0 if self.movement.answers[i] == codes.YES else 1

    def measure_defense(self, i: int, attacker: int) -> int:
        """Return the strength with which a unit resists the move of `attacker`."""
        if self.movement.opponent[attacker] >= 0:
            return self.measure_support(i)
        return self.measure_hold(i)

    def measure_prevention(self, i: int) -> int:
        """Return the strength with which a move prevents its rivals."""
        return self.movement.prevent_strength(i) & codes.STRENGTH_MASK

    # Facts.

    def list_facts(self, i: int) -> None:
        """Set the row to the facts about a unit, in the order of `judge.reasons.facts.Facts`."""
        movement = self.movement
        goal = movement.goal[i]
        by_sea = movement.routed[i] == codes.BY_SEA
        spared = arrives = 0
        if goal >= 0 and movement.at[goal] >= 0 and movement.support_into[movement.at[goal]] >= 0:
            arrives = movement.cuts(i, movement.at[goal])
            if movement.spares:
                spared = movement.spares_support(i, movement.at[goal])
        self.count = 0
        self.add(movement.dislodger[i])
        self.add(movement.cargo[i])
        self.add(1 if movement.answers[i] == codes.YES else 0)
        self.add(movement.paradox_failed[i])
        self.add(1 if by_sea else 0)
        self.add(1 if movement.path_state(i) == codes.YES else 0)
        self.add(1 if by_sea and self.has_ordered_chain(i) else 0)
        self.add(1 if by_sea and movement.has_chain(i, codes.YES) else 0)
        self.add(1 if movement.opponent[i] >= 0 else 0)
        self.add(1 if arrives == codes.YES else 0)
        self.add(1 if spared == codes.YES else 0)
        self.add(self.measure_support(i))
        self.add(self.measure_hold(i))
        self.add(self.measure_attack(i) if goal >= 0 else 0)
        self.add(self.measure_prevention(i) if goal >= 0 else 0)
