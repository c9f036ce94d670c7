"""Orders that depend on themselves: circular movement and convoy paradoxes.

A shortcut comes first: if no convoy is open and all open moves can succeed together, they do.
Otherwise a smallest set of questions that depend on each other, the *cycle*, is searched for
consistent answers. If there is exactly one set of these, it holds (DATC 5.B.9). Otherwise the
convoys fail that differ between the sets (Szykman, 4.A.2), so that the rule affects only the
paradox; a cycle of moves alone is circular movement, and all of its moves succeed.
"""

from . import codes, native
from .movement import Movement


class Cycle:
    """The open questions of a movement phase, each the number of a unit, and the search.

    `inputs` has a mask of units for each question: those whose answers can change its answer.
    A *solution* is a consistent set of answers. `first` has the answers of the first solution,
    `ever` says whether some solution answers yes, and `always` whether all do. `trail` has the
    questions that the search has answered, in order.
    """

    def __init__(self, movement: Movement) -> None:
        zeros = [0] * codes.ROOM
        self.movement = movement
        self.questions, self.cycle, self.trail = zeros[:], zeros[:], zeros[:]
        self.question_count = self.cycle_size = self.trail_length = 0
        self.mentioned = zeros[:]
        self.mentioned_count = 0
        self.circular = zeros[:]
        self.first, self.ever, self.always = zeros[:], zeros[:], zeros[:]
        self.results = [0] * 256
        self.keep: list[object] = []
        self.inputs = native.masks(self.keep, [0] * (codes.MAX_UNITS * codes.MAX_WORDS))
        self.seen, self.reach, self.fresh = [0] * 9, [0] * 9, [0] * 9
        self.onward, self.smallest = [0] * 9, [0] * 9
        self.branches = self.solutions = 0
        self.is_over = self.is_fixed = False

    def resolve_orders(self) -> None:
        """Match and decide all orders of the movement phase."""
        self.movement.match_orders()
        while self.movement.draw_conclusions() != 0:
            if self.movement.convoy_count or not self.movement.try_all_moves():
                self.decide_cycle()
        if self.movement.either_count:
            self.movement.settle_routes()

    def decide_cycle(self) -> None:
        """Decide at least one of the open questions, when no more conclusions can be drawn."""
        self.question_count = 0
        for k in range(self.movement.move_count):
            self.add_question(self.movement.moves[k])
        for k in range(self.movement.support_count):
            self.add_question(self.movement.supports[k])
        for k in range(self.movement.convoy_count):
            self.add_question(self.movement.convoys[k])
        self.find_smallest_cycle()
        self.is_fixed = False
        self.start_search()
        if self.solutions == 1:
            self.record_first()
        elif not self.disrupt_convoys() and not self.move_in_circles():
            for k in range(self.cycle_size):
                i = self.cycle[k]
                self.movement.answers[i] = codes.NO
                if self.movement.goal[i] >= 0:
                    self.movement.paradox_stopped[i] = 1

    def add_question(self, i: int) -> None:
        """Add an open question."""
        self.questions[self.question_count] = i
        self.question_count += 1

    def record_first(self) -> None:
        """Record the answers of the first solution."""
        for k in range(self.cycle_size):
            i = self.cycle[k]
            self.movement.answers[i] = self.first[i]

    def disrupt_convoys(self) -> bool:
        """Disrupt the convoys on which the solutions disagree; return whether there are any.

        Some rules also stop the moves on which they disagree.
        """
        some = False
        for k in range(self.cycle_size):
            i = self.cycle[k]
            if self.movement.goal[i] < 0 and self.movement.support_into[i] < 0:
                if self.solutions == 0 or self.ever[i] != self.always[i]:
                    some = True
                    self.movement.paradox_failed[i] = 1
                    self.movement.answers[i] = codes.NO
        if some and self.movement.paradox == codes.ALL_HOLD:
            for k in range(self.cycle_size):
                i = self.cycle[k]
                if self.movement.goal[i] >= 0:
                    if self.solutions == 0 or self.ever[i] != self.always[i]:
                        self.movement.paradox_stopped[i] = 1
                        self.movement.answers[i] = codes.NO
        return some

    def move_in_circles(self) -> bool:
        """Choose the solution in which every disputed move succeeds, if there is one."""
        if self.solutions == 0:
            return False
        for k in range(self.cycle_size):
            i = self.cycle[k]
            self.circular[i] = 0
            if self.movement.goal[i] >= 0 and self.ever[i] and not self.always[i]:
                self.circular[i] = 1
        self.is_fixed = True
        self.start_search()
        if self.solutions:
            self.record_first()
        return self.solutions > 0

    def evaluate(self, i: int) -> int:
        """Return the answer to a question as far as it follows from the other answers."""
        if self.movement.goal[i] >= 0:
            return self.movement.move_state(i)
        if self.movement.support_into[i] >= 0:
            return self.movement.support_state(i)
        return self.movement.convoy_state(i)

    # What depends on what.

    def find_smallest_cycle(self) -> None:
        """Set `cycle` to a smallest set of questions that depends on no open question outside."""
        words = (self.movement.size + codes.WORD - 1) // codes.WORD
        best = codes.MAX_UNITS + 1
        for k in range(self.question_count):
            self.find_inputs(self.questions[k])
        for k in range(self.question_count):
            self.find_dependencies(self.questions[k], words)
            size = 0
            for word in range(words):
                size += native.count_bits(self.reach[word])
            if size < best:
                best = size
                for word in range(words):
                    self.smallest[word] = self.reach[word]
        self.cycle_size = 0
        for k in range(self.question_count):
            i = self.questions[k]
            if self.smallest[i // codes.WORD] >> i % codes.WORD & 1:
                self.cycle[self.cycle_size] = i
                self.cycle_size += 1

    def find_dependencies(self, i: int, words: int) -> None:
        """Set `reach` to the questions on which `i` depends, at any remove, and `i` itself."""
        for word in range(words):
            self.reach[word] = 0
            self.fresh[word] = 0
        self.reach[i // codes.WORD] = native.bit(i % codes.WORD)
        self.fresh[i // codes.WORD] = self.reach[i // codes.WORD]
        grows = True
        while grows:
            grows = False
            for word in range(words):
                self.onward[word] = 0
            for word in range(words):
                left = self.fresh[word]
                while left:
                    question = word * codes.WORD + native.find_lowest(left)
                    left &= left - 1
                    for other in range(words):
                        self.onward[other] |= self.inputs[question * codes.MAX_WORDS + other]
            for word in range(words):
                self.fresh[word] = self.onward[word] & ~self.reach[word]
                self.reach[word] |= self.fresh[word]
                if self.fresh[word]:
                    grows = True

    def find_inputs(self, i: int) -> None:
        """Find the open questions that can really change the answer to `i`."""
        base = i * codes.MAX_WORDS
        for word in range(codes.MAX_WORDS):
            self.seen[word] = 0
            self.inputs[base + word] = 0
        self.mentioned_count = 0
        self.list_mentioned(i)
        count = self.mentioned_count
        if count > codes.MAX_INPUTS:
            for word in range(codes.MAX_WORDS):
                self.inputs[base + word] = self.seen[word]
            return
        rows = 1 << count
        for row in range(rows):
            for k in range(count):
                self.movement.answers[self.mentioned[k]] = row >> k & 1
            self.results[row] = self.evaluate(i)
        for k in range(count):
            question = self.mentioned[k]
            self.movement.answers[question] = codes.OPEN
            matters = False
            for row in range(rows):
                if self.results[row] != self.results[row ^ 1 << k]:
                    matters = True
            if matters:
                self.inputs[base + question // codes.WORD] |= native.bit(question % codes.WORD)

    def list_mentioned(self, i: int) -> None:
        """Add the open questions that the equation of `i` mentions."""
        if self.movement.goal[i] >= 0:
            target = self.movement.at[self.movement.goal[i]]
            if target >= 0:
                self.add_supporters(target)
                meets = self.movement.opposed(i)
                if meets != codes.YES and self.movement.goal[target] >= 0:
                    self.add_mentioned(target)
                if meets == codes.OPEN:
                    self.add_opponents(i)
            other = self.movement.rivals[self.movement.goal[i]]
            while other >= 0:
                self.add_fleets(other)
                self.add_supporters(other)
                if other != i:
                    self.add_silencer(other)
                other = self.movement.next_rival[other]
        else:
            other = self.movement.rivals[self.movement.here[i]]
            while other >= 0:
                self.add_mentioned(other)
                if self.movement.support_into[i] >= 0:
                    self.add_attack(other, i)
                other = self.movement.next_rival[other]

    def add_mentioned(self, i: int) -> None:
        """Add a question that an equation mentions, if it is open."""
        word = i // codes.WORD
        bit = native.bit(i % codes.WORD)
        if self.movement.answers[i] == codes.OPEN and not self.seen[word] & bit:
            self.seen[word] |= bit
            self.mentioned[self.mentioned_count] = i
            self.mentioned_count += 1

    def add_supporters(self, i: int) -> None:
        """Add the supporters of a unit."""
        supporter = self.movement.supporters[i]
        while supporter >= 0:
            self.add_mentioned(supporter)
            supporter = self.movement.next_supporter[supporter]

    def add_fleets(self, army: int) -> None:
        """Add the fleets on which the path of a convoyed army depends."""
        if self.movement.path_state(army) == codes.OPEN:
            self.add_convoy(army)

    def add_route(self, army: int) -> None:
        """Add the fleets that decide whether an army with two routes goes by sea."""
        if self.movement.convoy_used(army) == codes.OPEN:
            self.add_convoy(army)

    def add_convoy(self, army: int) -> None:
        """Add the fleets of an army that goes by convoy, or may."""
        fleet = self.movement.fleets[army]
        while fleet >= 0:
            self.add_mentioned(fleet)
            fleet = self.movement.next_fleet[fleet]

    def add_opponents(self, i: int) -> None:
        """Add the fleets that decide whether a move meets another head to head."""
        self.add_route(i)
        self.add_route(self.movement.opponent[i])

    def add_silencer(self, i: int) -> None:
        """Add the unit that may take away a move's prevent strength, and what decides that."""
        silencer = self.movement.find_silencer(i)
        if silencer >= 0:
            self.add_mentioned(silencer)
            if self.movement.rules & codes.SILENCES:
                self.add_mentioned(i)
            if self.movement.opposed(i) == codes.OPEN:
                self.add_opponents(i)

    def add_attack(self, attacker: int, supporter: int) -> None:
        """Add the fleets that decide whether an attack cuts a support."""
        spared = codes.NO
        if self.movement.spares:
            spared = self.movement.spares_support(attacker, supporter)
        cut = self.movement.cuts(attacker, supporter)
        if spared == codes.OPEN:
            self.add_convoy(attacker)
        elif cut == codes.YES:
            self.add_fleets(attacker)
        if cut == codes.OPEN or spared == codes.OPEN:
            self.add_route(attacker)
            fleet = self.movement.at[self.movement.support_into[supporter]]
            if fleet >= 0 and self.movement.cargo[fleet] >= 0:
                self.add_route(self.movement.cargo[fleet])

    # Consistent answers.

    def start_search(self) -> None:
        """Search the solutions; there are none if the search takes too long."""
        self.branches = 0
        self.solutions = 0
        self.trail_length = 0
        self.is_over = False
        self.search()
        if self.is_over:
            self.solutions = 0

    def search(self) -> None:
        """Try every way to answer the rest of the cycle; record the solutions."""
        self.branches += 1
        if self.is_over or self.branches > codes.MAX_BRANCHES:
            self.is_over = True
            return
        if self.is_fixed and self.solutions:
            return
        before = self.trail_length
        if self.draw_consequences():
            choice = -1
            for k in range(self.cycle_size):
                if choice < 0 and self.movement.answers[self.cycle[k]] == codes.OPEN:
                    choice = self.cycle[k]
            if choice < 0:
                self.record_solution()
            else:
                for guess in range(2):
                    self.movement.answers[choice] = guess
                    self.search()
                    self.movement.answers[choice] = codes.OPEN
        while self.trail_length > before:
            self.trail_length -= 1
            self.movement.answers[self.trail[self.trail_length]] = codes.OPEN

    def draw_consequences(self) -> bool:
        """Decide what follows from the answers so far; return whether they are consistent."""
        grows = True
        while grows:
            grows = False
            for k in range(self.cycle_size):
                i = self.cycle[k]
                answer = self.evaluate(i)
                if answer == codes.OPEN:
                    continue
                if self.movement.answers[i] == codes.OPEN:
                    self.movement.answers[i] = answer
                    self.trail[self.trail_length] = i
                    self.trail_length += 1
                    grows = True
                elif self.movement.answers[i] != answer:
                    return False
        return True

    def record_solution(self) -> None:
        """Record the answers as a solution, unless a disputed move has to succeed and does not."""
        for k in range(self.cycle_size):
            i = self.cycle[k]
            if self.is_fixed and self.circular[i] and self.movement.answers[i] != codes.YES:
                return
        for k in range(self.cycle_size):
            i = self.cycle[k]
            answer = self.movement.answers[i]
            if self.solutions == 0:
                self.first[i] = answer
                self.ever[i] = answer
                self.always[i] = answer
            else:
                self.ever[i] |= answer
                self.always[i] &= answer
        self.solutions += 1
