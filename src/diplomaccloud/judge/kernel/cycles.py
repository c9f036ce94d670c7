"""Orders that depend on themselves: circular movement and convoy paradoxes, over integers.

The rules are those of `movement.paradox` for the 2000 edition. A shortcut comes first: if no
convoy is open and all open moves can succeed together, they do.
"""

from itertools import product

from diplomaccloud.judge.kernel.movement import NO, OPEN, YES, KernelState, Orders
from diplomaccloud.judge.kernel.table import Table, bits, mask_of

_MAX_INPUTS = 8
_MAX_BRANCHES = 2_000

_NO_UNITS: list[int] = []


def resolve_orders(table: Table, orders: Orders) -> KernelState:
    """Return the decided movement of legal orders."""
    movement = KernelState(table, orders)
    moves, supports, convoys = movement.draw_conclusions()
    while moves or supports or convoys:
        if convoys or not _try_all_moves(movement, moves, supports):
            _OpenQuestions(movement, moves, supports, convoys).decide_cycle()
        movement.questions = (moves, supports, convoys)
        moves, supports, convoys = movement.draw_conclusions()
    return movement


def _try_all_moves(movement: KernelState, moves: list[int], supports: list[int]) -> bool:
    """Let all open moves succeed if that is consistent; return whether it is."""
    answers = movement.answers
    for i in moves:
        answers[i] = YES
    for i in supports:
        answers[i] = movement.support_state(i)
    if all(movement.move_state(i) == YES for i in moves):
        return True
    for i in (*moves, *supports):
        answers[i] = OPEN
    return False


class _OpenQuestions:
    """The open questions of a movement phase; each is the number of a unit.

    A *solution* is a consistent set of answers, as the mask of the questions answered yes.
    """

    def __init__(
        self, movement: KernelState, moves: list[int], supports: list[int], convoys: list[int]
    ) -> None:
        self.movement = movement
        self.questions = [*moves, *supports, *convoys]
        self.evaluate = {
            **dict.fromkeys(moves, movement.move_state),
            **dict.fromkeys(supports, movement.support_state),
            **dict.fromkeys(convoys, movement.convoy_state),
        }
        self.moves = frozenset(moves)
        self.convoys = frozenset(convoys)
        self.branches = 0

    def decide_cycle(self) -> None:
        """Decide at least one of the open questions, when no more conclusions can be drawn."""
        cycle = self._find_smallest_cycle()
        solutions: list[int] = []
        self.branches = 0
        if not self._search(cycle, solutions):
            solutions = []
        if len(solutions) == 1:
            self._record(cycle, solutions[0])
            return
        disputed = [i for i in cycle if len({answers >> i & 1 for answers in solutions}) != 1]
        failed = [i for i in disputed if i in self.convoys]
        if failed:
            self.movement.paradox_failed.update(failed)
            self._record(failed, 0)
            return
        circular = mask_of(i for i in disputed if i in self.moves)
        solution = next((answers for answers in solutions if answers & circular == circular), None)
        if solution is None:
            self.movement.paradox_stopped.update(i for i in cycle if i in self.moves)
        self._record(cycle, solution or 0)

    def _record(self, questions: list[int], solution: int) -> None:
        for i in questions:
            self.movement.answers[i] = solution >> i & 1

    # What depends on what.

    def _find_smallest_cycle(self) -> list[int]:
        """Return a smallest set of questions that depends on no open question outside it."""
        inputs = {i: self._find_inputs(i) for i in self.questions}
        smallest, size = 0, len(self.questions) + 1
        for i in self.questions:
            reach = new = 1 << i
            while new:
                onward = 0
                for question in bits(new):
                    onward |= inputs[question]
                new = onward & ~reach
                reach |= new
            if reach.bit_count() < size:
                smallest, size = reach, reach.bit_count()
        return [i for i in self.questions if smallest >> i & 1]

    def _find_inputs(self, i: int) -> int:
        """Return the mask of the open questions that can really change the answer to `i`."""
        mentioned = list(dict.fromkeys(self._list_mentioned(i)))
        if len(mentioned) > _MAX_INPUTS:
            return mask_of(mentioned)
        answers, evaluate = self.movement.answers, self.evaluate[i]
        results = []
        for values in product((NO, YES), repeat=len(mentioned)):
            for question, value in zip(mentioned, values, strict=True):
                answers[question] = value
            results.append(evaluate(i))
        for question in mentioned:
            answers[question] = OPEN
        inputs = 0
        for place, question in enumerate(reversed(mentioned)):
            flip = 1 << place
            if any(result != results[row ^ flip] for row, result in enumerate(results)):
                inputs |= 1 << question
        return inputs

    def _list_mentioned(self, i: int) -> list[int]:
        """Return the open questions that the equation of `i` mentions, some more than once."""
        movement, answers = self.movement, self.movement.answers
        mentioned: list[int] = []
        attackers = movement.rivals.get(movement.here[i], _NO_UNITS)
        if i in self.moves:
            self._add_mentioned_by_move(i, mentioned)
        elif i in self.convoys:
            mentioned += attackers
        else:
            for attacker in attackers:
                mentioned.append(attacker)
                if movement.cuts(attacker, i):
                    self._add_fleets(attacker, mentioned)
        return [question for question in mentioned if answers[question] == OPEN]

    def _add_mentioned_by_move(self, i: int, mentioned: list[int]) -> None:
        movement = self.movement
        target = movement.at.get(movement.goal[i], -1)
        if target >= 0:
            mentioned += movement.supporters.get(target, _NO_UNITS)
            if movement.opponent[i] < 0 <= movement.goal[target]:
                mentioned.append(target)
        for rival in movement.rivals[movement.goal[i]]:
            self._add_fleets(rival, mentioned)
            mentioned += movement.supporters.get(rival, _NO_UNITS)
            opponent = movement.opponent[rival]
            if rival != i and opponent >= 0:
                mentioned.append(opponent)

    def _add_fleets(self, army: int, mentioned: list[int]) -> None:
        """Add the fleets on which the path of a convoyed army depends."""
        route = self.movement.route[army]
        if route is not None and self.movement.path_state(army) == OPEN:
            mentioned += [fleet for fleet, _ in route]

    # Consistent answers.

    def _search(self, cycle: list[int], solutions: list[int]) -> bool:
        """Add to `solutions` every way to answer the rest; return whether the search ended."""
        self.branches += 1
        if self.branches > _MAX_BRANCHES:
            return False
        answers = self.movement.answers
        before = [answers[i] for i in cycle]
        complete = True
        if self._draw_consequences(cycle):
            free = next((i for i in cycle if answers[i] == OPEN), None)
            if free is None:
                solutions.append(mask_of(i for i in cycle if answers[i]))
            else:
                for guess in (NO, YES):
                    answers[free] = guess
                    complete = complete and self._search(cycle, solutions)
        for i, value in zip(cycle, before, strict=True):
            answers[i] = value
        return complete

    def _draw_consequences(self, cycle: list[int]) -> bool:
        """Decide what follows from the answers so far; return whether they are consistent."""
        answers = self.movement.answers
        changed = True
        while changed:
            changed = False
            for i in cycle:
                answer = self.evaluate[i](i)
                if answer == OPEN:
                    continue
                if answers[i] == OPEN:
                    answers[i] = answer
                    changed = True
                elif answers[i] != answer:
                    return False
        return True
