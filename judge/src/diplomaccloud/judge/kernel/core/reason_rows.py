"""The rows of numbers in which `reasons` explains orders, and the strengths that stand in them."""

from . import codes, native
from .movement import Movement


class ReasonRow:
    """The row about one order of the phase that `movement` decided.

    `row` has `count` numbers. `found` lists units: rivals, attackers or fleets; `causes` are those
    that caused the outcome.
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
