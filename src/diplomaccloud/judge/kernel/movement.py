"""The orders of one movement phase as integers, and the equations of DATC 5.B over them.

The compiled kernel has the same. Every unit has one order and therefore one question: does
its move succeed, does its support count, does its convoy hold? `answers` has 0 (no), 1 (yes)
or 2 (open). A strength is a range, from what is certain to what is still possible. An answer
that follows is recorded and never changed. `cycles` decides orders that depend on themselves.

This is for rule sets that move units by the rules of 2000; `movement.resolver` is for all.
"""

from collections.abc import Sequence

from diplomaccloud.judge.kernel.layout import (
    CONVOY,
    HOLD,
    MOVE,
    MOVE_VIA,
    OUTCOMES,
    SUPPORT_HOLD,
    SUPPORT_MOVE,
)
from diplomaccloud.judge.kernel.table import Table

NO, YES, OPEN = 0, 1, 2

HELD, MOVED, BOUNCED, NOPATH, GIVEN, CUT, VOID, CONVOYED, DISRUPTED = range(len(OUTCOMES))

_NO_UNITS: list[int] = []

Orders = tuple[
    Sequence[int], Sequence[int], Sequence[int], Sequence[int], Sequence[int], Sequence[int]
]
"""For each unit its place, kind, power, and its order's code, target and goal."""


class KernelState:
    """Orders matched with each other; lists are indexed by unit.

    `goal` is the province moved to or -1. `rivals` are the moves into each province.
    `opponent` is the other unit in a head-to-head battle or -1. `supporters` support a unit's
    move or hold; `support_into` is the province into which a matched support is given, or -1.
    `route` holds each fleet with the mask of its sea for an army that goes by convoy, and
    `None` for other units; `cargo` is the army that a fleet convoys or -1. The paradox rule
    disrupted the convoys in `paradox_failed` and stopped the moves in `paradox_stopped`.
    """

    __slots__ = (
        "answers",
        "at",
        "cargo",
        "goal",
        "here",
        "movers",
        "opponent",
        "paradox_failed",
        "paradox_stopped",
        "powers",
        "questions",
        "rivals",
        "route",
        "size",
        "support_into",
        "supporters",
        "table",
    )

    def __init__(self, table: Table, orders: Orders) -> None:
        places, kinds, powers, codes, targets, goals = orders
        size = len(places)
        province_of = table.province_of
        self.table = table
        self.size = size
        self.powers = powers
        self.here = here = [province_of[place] for place in places]
        self.at = dict(zip(here, range(size), strict=True))
        self.goal = goal = [-1] * size
        self.opponent = [-1] * size
        self.support_into = [-1] * size
        self.route: list[list[tuple[int, int]] | None] = [None] * size
        self.cargo = [-1] * size
        self.answers = answers = [NO] * size
        self.supporters: dict[int, list[int]] = {}
        self.paradox_failed: set[int] = set()
        self.paradox_stopped: set[int] = set()
        self.questions: tuple[list[int], list[int], list[int]] = ([], [], [])
        self.rivals: dict[int, list[int]] = {}
        moves, supports, convoys = self.questions
        for i, code in enumerate(codes):
            if code in (MOVE, MOVE_VIA):
                to = goal[i] = province_of[goals[i]]
                answers[i] = OPEN
                moves.append(i)
                if to in self.rivals:
                    self.rivals[to].append(i)
                else:
                    self.rivals[to] = [i]
            elif code in (SUPPORT_HOLD, SUPPORT_MOVE):
                supports.append(i)
            elif code == CONVOY:
                convoys.append(i)
        self.movers = moves
        self._choose_routes(kinds, codes, targets, goals)
        self._match_supports(codes, targets, goals)
        self._find_opponents()

    def _choose_routes(
        self,
        kinds: Sequence[int],
        codes: Sequence[int],
        targets: Sequence[int],
        goals: Sequence[int],
    ) -> None:
        """Match convoys with armies, and choose each army's route (DATC 4.A.3)."""
        table, here, goal, powers = self.table, self.here, self.goal, self.powers
        moves, _, convoys = self.questions
        fleets: dict[int, list[tuple[int, int]]] = {}
        for i in convoys:
            army, sea = self.at.get(targets[i], -1), table.sea_of[here[i]]
            if army >= 0 and goal[army] == goals[i] >= 0 and sea >= 0:
                fleets.setdefault(army, []).append((i, 1 << sea))
        convoys.clear()
        walks = table.walks
        for i in moves:
            if kinds[i]:
                continue
            mine = fleets.get(i)
            if codes[i] == MOVE and walks[here[i]] >> goal[i] & 1:
                if mine is None:
                    continue
                power = powers[i]
                if all(powers[fleet] != power for fleet, _ in mine):
                    continue
            self.route[i] = mine or []
            for fleet, _ in mine or []:
                self.cargo[fleet] = i
                self.answers[fleet] = OPEN
                convoys.append(fleet)

    def _match_supports(
        self, codes: Sequence[int], targets: Sequence[int], goals: Sequence[int]
    ) -> None:
        goal, at = self.goal, self.at
        matched = []
        for i in self.questions[1]:
            target = at.get(targets[i], -1)
            if target < 0 or (codes[i] == SUPPORT_HOLD) == (goal[target] >= 0):
                continue
            if codes[i] == SUPPORT_HOLD:
                self.support_into[i] = targets[i]
            elif goals[i] == goals[target] or goals[i] == goal[target]:
                route = self.route[target]
                if route is not None and not self.has_chain(target, _seas(route)):
                    continue
                self.support_into[i] = goal[target]
            else:
                continue
            matched.append(i)
            self.answers[i] = OPEN
            if target in self.supporters:
                self.supporters[target].append(i)
            else:
                self.supporters[target] = [i]
        self.questions[1][:] = matched

    def _find_opponents(self) -> None:
        """Find the unit that comes the other way, neither of the two by convoy."""
        at, goal, here, route = self.at, self.goal, self.here, self.route
        for i in self.questions[0]:
            other = at.get(goal[i], -1)
            if other < 0 or goal[other] != here[i]:
                continue
            if route[i] is None and route[other] is None:
                self.opponent[i] = other

    # Convoys.

    def has_chain(self, army: int, fleets: int) -> bool:
        """Return whether the seas `fleets` form a chain from the army to its goal."""
        table = self.table
        reached = fleets & table.shores[self.here[army]]
        last = fleets & table.shores[self.goal[army]]
        if not reached or not last:
            return False
        links, new = table.sea_links, reached
        while not reached & last:
            onward, sea = 0, 0
            while new:
                if new & 1:
                    onward |= links[sea]
                new >>= 1
                sea += 1
            new = onward & fleets & ~reached
            if not new:
                return False
            reached |= new
        return True

    def path_state(self, i: int) -> int:
        """Return whether the path of a move is open (5.B.4)."""
        route = self.route[i]
        if route is None:
            return YES
        certain = possible = 0
        for fleet, sea in route:
            answer = self.answers[fleet]
            if answer:
                possible |= sea
                if answer == YES:
                    certain |= sea
        if self.has_chain(i, certain):
            return YES
        return OPEN if possible != certain and self.has_chain(i, possible) else NO

    def convoy_state(self, i: int) -> int:
        """Return whether a fleet does its part, which it does unless it is dislodged (5.B.3)."""
        if i in self.paradox_failed:
            return NO
        answer = YES
        for attacker in self.rivals.get(self.here[i], _NO_UNITS):
            moved = self.answers[attacker]
            if moved == YES:
                return NO
            if moved == OPEN:
                answer = OPEN
        return answer

    # Supports.

    def support_state(self, i: int) -> int:
        """Return whether a matched support counts (5.B.2)."""
        attackers = self.rivals.get(self.here[i])
        answer = YES
        if attackers is None:
            return answer
        for attacker in attackers:
            moved = self.answers[attacker]
            if moved == YES:
                return NO
            if self.cuts(attacker, i):
                path = self.path_state(attacker)
                if path == YES:
                    return NO
                if path == OPEN:
                    answer = OPEN
            elif moved == OPEN:
                answer = OPEN
        return answer

    def cuts(self, attacker: int, supporter: int) -> bool:
        """Return whether the attack cuts the support even if it bounces."""
        return (
            self.powers[attacker] != self.powers[supporter]
            and self.support_into[supporter] != self.here[attacker]
        )

    # Moves.

    def supported_strength(self, i: int, without: int = -1) -> tuple[int, int]:
        """Return 1 plus the supports of `i`, without those of the power `without`."""
        low = high = 1
        supporters = self.supporters.get(i)
        if supporters is None:
            return 1, 1
        for supporter in supporters:
            answer = self.answers[supporter]
            if answer and self.powers[supporter] != without:
                high += 1
                if answer == YES:
                    low += 1
        return low, high

    def attack_strength(self, i: int, target: int) -> tuple[int, int]:
        """Return the strength of a move against `target`, the unit at its goal (5.B.8)."""
        leaves = NO
        if self.opponent[i] < 0 <= self.goal[target]:
            leaves = self.answers[target]
        if leaves == YES:
            return self.supported_strength(i)
        power = self.powers[target]
        low = high = 0
        if self.powers[i] != power:
            low, high = self.supported_strength(i, power)
        return low, (self.supported_strength(i)[1] if leaves == OPEN else high)

    def prevent_strength(self, i: int) -> tuple[int, int]:
        """Return the strength with which a move prevents its rivals (5.B.6)."""
        path, opponent = self.path_state(i), self.opponent[i]
        beaten = self.answers[opponent] if opponent >= 0 else NO
        if path == NO or beaten == YES:
            return 0, 0
        low, high = self.supported_strength(i)
        return (low if path == YES and beaten == NO else 0), high

    def strength_against(self, i: int, target: int) -> tuple[int, int]:
        """Return the strength of `target` against the move of `i` (5.B.5, 5.B.7)."""
        if self.goal[target] < 0 or self.opponent[i] >= 0:
            return self.supported_strength(target)
        leaves = self.answers[target]
        return int(leaves == NO), int(leaves != YES)

    def move_state(self, i: int) -> int:
        """Return whether a move succeeds (5.B.1)."""
        path = self.path_state(i)
        if path == NO or i in self.paradox_stopped:
            return NO
        to = self.goal[i]
        rivals, target = self.rivals[to], self.at.get(to, -1)
        least = most = 0
        if target >= 0:
            low, high = self.attack_strength(i, target)
            least, most = self.strength_against(i, target)
        elif len(rivals) == 1:
            return path
        else:
            low, high = self.supported_strength(i)
        if path == OPEN:
            low = 0
        for rival in rivals:
            if rival != i and high > least:
                bottom, top = self.prevent_strength(rival)
                least = max(least, bottom)
                most = max(most, top)
        if high <= least:
            return NO
        return YES if low > most else OPEN

    # All together.

    def draw_conclusions(self) -> tuple[list[int], list[int], list[int]]:
        """Answer what can be answered; return the moves, supports and convoys still open."""
        answers = self.answers
        moves, supports, convoys = self.questions
        before, left = -1, len(moves) + len(supports) + len(convoys)
        while left not in (0, before):
            for i in supports:
                answers[i] = self.support_state(i)
            for i in moves:
                answers[i] = self.move_state(i)
            for i in convoys:
                answers[i] = self.convoy_state(i)
            moves = [i for i in moves if answers[i] == OPEN]
            supports = [i for i in supports if answers[i] == OPEN]
            convoys = [i for i in convoys if answers[i] == OPEN]
            before, left = left, len(moves) + len(supports) + len(convoys)
        return moves, supports, convoys

    # Results.

    def find_outcomes(self, codes: Sequence[int]) -> list[int]:
        """Return each unit's outcome by its number in `layout.OUTCOMES`."""
        found = []
        for i, code in enumerate(codes):
            yes = self.answers[i]
            if code == HOLD:
                found.append(HELD)
            elif code in (MOVE, MOVE_VIA):
                found.append(MOVED if yes else BOUNCED if self.path_state(i) else NOPATH)
            elif code in (SUPPORT_HOLD, SUPPORT_MOVE):
                found.append(VOID if self.support_into[i] < 0 else GIVEN if yes else CUT)
            elif code == CONVOY and self.cargo[i] >= 0:
                found.append(CONVOYED if yes or self.path_state(self.cargo[i]) else DISRUPTED)
            else:
                found.append(VOID)
        return found

    def find_dislodgers(self) -> list[int]:
        """Return for each unit the one that dislodges it, or -1."""
        found = [-1] * self.size
        for to, rivals in self.rivals.items():
            i = self.at.get(to, -1)
            if i >= 0 and not (self.goal[i] >= 0 and self.answers[i]):
                for rival in rivals:
                    if self.answers[rival]:
                        found[i] = rival
        return found

    def find_standoffs(self) -> list[int]:
        """Return the empty provinces in which there was a standoff."""
        answers, at, goal = self.answers, self.at, self.goal
        standoffs = []
        for to, rivals in self.rivals.items():
            unit = at.get(to, -1)
            if unit >= 0 and not (goal[unit] >= 0 and answers[unit]):
                continue
            if any(answers[i] for i in rivals):
                continue
            if any(self.prevent_strength(i)[0] for i in rivals):
                standoffs.append(to)
        return standoffs


def _seas(route: Sequence[tuple[int, int]]) -> int:
    mask = 0
    for _, sea in route:
        mask |= sea
    return mask
