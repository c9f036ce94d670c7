"""Orders that depend on themselves: circular movement and convoy paradoxes, over integers.

The same rules as `movement.paradox` for the 2000 edition. First a short cut: if no convoy
is open and all open moves can succeed together, they do.
"""

from itertools import product

from diplomaccloud.judge.kernel.movement import NO, OPEN, YES, Fight, Orders
from diplomaccloud.judge.kernel.table import Table, bits, mask_of

_MOST_INPUTS = 8
_MOST_BRANCHES = 2_000

_NONE: list[int] = []


def decide(table: Table, orders: Orders) -> Fight:
    """Return the decided fight of legal orders."""
    fight = Fight(table, orders)
    moves, supports, convoys = fight.settle()
    while moves or supports or convoys:
        if convoys or not _all_move(fight, moves, supports):
            _Circles(fight, moves, supports, convoys).settle()
        fight.questions = (moves, supports, convoys)
        moves, supports, convoys = fight.settle()
    return fight


def _all_move(fight: Fight, moves: list[int], supports: list[int]) -> bool:
    """Let all open moves succeed if that is consistent; return whether it is."""
    state = fight.state
    for i in moves:
        state[i] = YES
    for i in supports:
        state[i] = fight.support_state(i)
    if all(fight.move_state(i) == YES for i in moves):
        return True
    for i in (*moves, *supports):
        state[i] = OPEN
    return False


class _Circles:
    """The open questions of a fight; each is the number of a unit."""

    def __init__(
        self, fight: Fight, moves: list[int], supports: list[int], convoys: list[int]
    ) -> None:
        self.fight = fight
        self.questions = [*moves, *supports, *convoys]
        self.evaluate = {
            **dict.fromkeys(moves, fight.move_state),
            **dict.fromkeys(supports, fight.support_state),
            **dict.fromkeys(convoys, fight.convoy_state),
        }
        self.moves = frozenset(moves)
        self.convoys = frozenset(convoys)
        self.branches = 0

    def settle(self) -> None:
        """Decide at least one of the open questions, all consequences having been drawn."""
        circle = self._first_circle()
        found: list[int] = []
        self.branches = 0
        whole = self._search(circle, found)
        if not whole:
            found = []
        if len(found) == 1:
            self._record(circle, found[0])
            return
        disputed = [i for i in circle if len({answers >> i & 1 for answers in found}) != 1]
        drowned = [i for i in disputed if i in self.convoys]
        if drowned:
            self.fight.drowned.update(drowned)
            self._record(drowned, 0)
            return
        turning = mask_of(i for i in disputed if i in self.moves)
        answers = next((one for one in found if one & turning == turning), None)
        if answers is None:
            self.fight.stayed.update(i for i in circle if i in self.moves)
        self._record(circle, answers or 0)

    def _record(self, questions: list[int], answers: int) -> None:
        for i in questions:
            self.fight.state[i] = answers >> i & 1

    # What depends on what.

    def _first_circle(self) -> list[int]:
        """Return a smallest set of questions that depends on nothing open outside it."""
        inputs = {i: self._inputs(i) for i in self.questions}
        smallest, size = 0, len(self.questions) + 1
        for i in self.questions:
            reach = fresh = 1 << i
            while fresh:
                onward = 0
                for one in bits(fresh):
                    onward |= inputs[one]
                fresh = onward & ~reach
                reach |= fresh
            if reach.bit_count() < size:
                smallest, size = reach, reach.bit_count()
        return [i for i in self.questions if smallest >> i & 1]

    def _inputs(self, i: int) -> int:
        """Return the mask of open questions that can really change the answer to `i`."""
        mentioned = list(dict.fromkeys(self._mentioned(i)))
        if len(mentioned) > _MOST_INPUTS:
            return mask_of(mentioned)
        state, evaluate = self.fight.state, self.evaluate[i]
        table = []
        for values in product((NO, YES), repeat=len(mentioned)):
            for one, value in zip(mentioned, values, strict=True):
                state[one] = value
            table.append(evaluate(i))
        for one in mentioned:
            state[one] = OPEN
        matters = 0
        for place, one in enumerate(reversed(mentioned)):
            flip = 1 << place
            if any(answer != table[row ^ flip] for row, answer in enumerate(table)):
                matters |= 1 << one
        return matters

    def _mentioned(self, i: int) -> list[int]:
        """Return the open questions that the equation of `i` mentions."""
        fight, state = self.fight, self.fight.state
        found: list[int] = []
        attackers = fight.rivals.get(fight.here[i], _NONE)
        if i in self.moves:
            self._mentioned_by_move(i, found)
        elif i in self.convoys:
            found += attackers
        else:
            for attacker in attackers:
                found.append(attacker)
                if fight.cuts(attacker, i):
                    self._path_questions(attacker, found)
        return [one for one in found if state[one] == OPEN]

    def _mentioned_by_move(self, i: int, found: list[int]) -> None:
        fight = self.fight
        target = fight.at.get(fight.goal[i], -1)
        if target >= 0:
            found += fight.backers.get(target, _NONE)
            if fight.facing[i] < 0 <= fight.goal[target]:
                found.append(target)
        for rival in fight.rivals[fight.goal[i]]:
            self._path_questions(rival, found)
            found += fight.backers.get(rival, _NONE)
            opponent = fight.facing[rival]
            if rival != i and opponent >= 0:
                found.append(opponent)

    def _path_questions(self, unit: int, found: list[int]) -> None:
        route = self.fight.route[unit]
        if route is not None and self.fight.path(unit) == OPEN:
            found += [fleet for fleet, _ in route]

    # Consistent answers.

    def _search(self, circle: list[int], found: list[int]) -> bool:
        """Add to `found` every way to answer the rest; return whether the search was whole."""
        self.branches += 1
        if self.branches > _MOST_BRANCHES:
            return False
        state = self.fight.state
        before = [state[i] for i in circle]
        whole = True
        if self._consequences(circle):
            free = next((i for i in circle if state[i] == OPEN), None)
            if free is None:
                found.append(mask_of(i for i in circle if state[i]))
            else:
                for guess in (NO, YES):
                    state[free] = guess
                    whole = whole and self._search(circle, found)
        for i, value in zip(circle, before, strict=True):
            state[i] = value
        return whole

    def _consequences(self, circle: list[int]) -> bool:
        """Draw what follows from the answers so far; return whether they are consistent."""
        state = self.fight.state
        grows = True
        while grows:
            grows = False
            for i in circle:
                answer = self.evaluate[i](i)
                if answer == OPEN:
                    continue
                if state[i] == OPEN:
                    state[i] = answer
                    grows = True
                elif state[i] != answer:
                    return False
        return True
