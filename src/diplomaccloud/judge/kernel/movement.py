"""The orders of one movement phase as integers, and the equations of DATC 5.B over them.

The pure twin of the compiled kernel. Every unit has one order and so one question: whether
its move succeeds, its support counts, its convoy holds. `state` answers it by 0 (no),
1 (yes) or 2 (open). A strength is a range, from what is certain to what is still possible;
what follows is decided and never taken back. `circles` settles what depends on itself.

Serves the rule sets that move units by the rules of 2000; see `movement.resolver` for all.
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

_NONE: list[int] = []

Orders = tuple[
    Sequence[int], Sequence[int], Sequence[int], Sequence[int], Sequence[int], Sequence[int]
]
"""For each unit its place, kind, power, and its order's code, target and goal."""


class Fight:
    """Orders matched with each other; lists are indexed by unit.

    `goal` is the province moved to or -1; `rivals` are the moves into each province; `facing`
    is the opponent in a head-to-head battle or -1; `backers` support a unit's move or hold,
    and `focus` is the province into which a matched support is given, or -1. `route` holds,
    for an army that goes by convoy, each of its fleets with the mask of its sea, else `None`;
    `cargo` is the army a fleet carries or -1.
    """

    __slots__ = (
        "at",
        "backers",
        "cargo",
        "drowned",
        "facing",
        "focus",
        "goal",
        "here",
        "movers",
        "powers",
        "questions",
        "rivals",
        "route",
        "size",
        "state",
        "stayed",
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
        self.facing = [-1] * size
        self.focus = [-1] * size
        self.route: list[list[tuple[int, int]] | None] = [None] * size
        self.cargo = [-1] * size
        self.state = state = [NO] * size
        self.backers: dict[int, list[int]] = {}
        self.drowned: set[int] = set()
        self.stayed: set[int] = set()
        self.questions: tuple[list[int], list[int], list[int]] = ([], [], [])
        self.rivals: dict[int, list[int]] = {}
        moves, supports, convoys = self.questions
        for i, code in enumerate(codes):
            if code in (MOVE, MOVE_VIA):
                to = goal[i] = province_of[goals[i]]
                state[i] = OPEN
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
                self.state[fleet] = OPEN
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
                self.focus[i] = targets[i]
            elif goals[i] == goals[target] or goals[i] == goal[target]:
                route = self.route[target]
                if route is not None and not self.chain(target, _seas(route)):
                    continue
                self.focus[i] = goal[target]
            else:
                continue
            matched.append(i)
            self.state[i] = OPEN
            if target in self.backers:
                self.backers[target].append(i)
            else:
                self.backers[target] = [i]
        self.questions[1][:] = matched

    def _find_opponents(self) -> None:
        """Find who comes the other way, both by land or sea and not by convoy."""
        at, goal, here, route = self.at, self.goal, self.here, self.route
        for i in self.questions[0]:
            other = at.get(goal[i], -1)
            if other < 0 or goal[other] != here[i]:
                continue
            if route[i] is None and route[other] is None:
                self.facing[i] = other

    # Convoys.

    def chain(self, army: int, fleets: int) -> bool:
        """Return whether the seas `fleets` lead without a gap from the army to its goal."""
        table = self.table
        reached = fleets & table.shores[self.here[army]]
        last = fleets & table.shores[self.goal[army]]
        if not reached or not last:
            return False
        links, fresh = table.sea_links, reached
        while not reached & last:
            onward, sea = 0, 0
            while fresh:
                if fresh & 1:
                    onward |= links[sea]
                fresh >>= 1
                sea += 1
            fresh = onward & fleets & ~reached
            if not fresh:
                return False
            reached |= fresh
        return True

    def path(self, i: int) -> int:
        """Return whether the way to a move's goal is open (5.B.4)."""
        route = self.route[i]
        if route is None:
            return YES
        whole = hoped = 0
        for fleet, sea in route:
            answer = self.state[fleet]
            if answer:
                hoped |= sea
                if answer == YES:
                    whole |= sea
        if self.chain(i, whole):
            return YES
        return OPEN if hoped != whole and self.chain(i, hoped) else NO

    def convoy_state(self, i: int) -> int:
        """Return whether the fleet does its part: it does unless it is dislodged (5.B.3)."""
        if i in self.drowned:
            return NO
        answer = YES
        for attacker in self.rivals.get(self.here[i], _NONE):
            moved = self.state[attacker]
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
            moved = self.state[attacker]
            if moved == YES:
                return NO
            if self.cuts(attacker, i):
                path = self.path(attacker)
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
            and self.focus[supporter] != self.here[attacker]
        )

    # Moves.

    def backing(self, i: int, without: int = -1) -> tuple[int, int]:
        """Return 1 and the supports of `i`, those of the power `without` left out."""
        low = high = 1
        backers = self.backers.get(i)
        if backers is None:
            return 1, 1
        for backer in backers:
            given = self.state[backer]
            if given and self.powers[backer] != without:
                high += 1
                if given == YES:
                    low += 1
        return low, high

    def attack(self, i: int, target: int) -> tuple[int, int]:
        """Return the strength of a move against `target`, who stands at its goal (5.B.8)."""
        leaves = NO
        if self.facing[i] < 0 <= self.goal[target]:
            leaves = self.state[target]
        if leaves == YES:
            return self.backing(i)
        power = self.powers[target]
        low = high = 0
        if self.powers[i] != power:
            low, high = self.backing(i, power)
        return low, (self.backing(i)[1] if leaves == OPEN else high)

    def prevent(self, i: int) -> tuple[int, int]:
        """Return the strength with which a move keeps its rivals out of its goal (5.B.6)."""
        path, opponent = self.path(i), self.facing[i]
        beaten = self.state[opponent] if opponent >= 0 else NO
        if path == NO or beaten == YES:
            return 0, 0
        low, high = self.backing(i)
        return (low if path == YES and beaten == NO else 0), high

    def resistance(self, i: int, target: int) -> tuple[int, int]:
        """Return the strength that `target` sets against the move of `i` (5.B.5, 5.B.7)."""
        if self.goal[target] < 0 or self.facing[i] >= 0:
            return self.backing(target)
        leaves = self.state[target]
        return int(leaves == NO), int(leaves != YES)

    def move_state(self, i: int) -> int:
        """Return whether a move succeeds (5.B.1)."""
        path = self.path(i)
        if path == NO or i in self.stayed:
            return NO
        to = self.goal[i]
        rivals, target = self.rivals[to], self.at.get(to, -1)
        least = most = 0
        if target >= 0:
            low, high = self.attack(i, target)
            least, most = self.resistance(i, target)
        elif len(rivals) == 1:
            return path
        else:
            low, high = self.backing(i)
        if path == OPEN:
            low = 0
        for rival in rivals:
            if rival != i and high > least:
                bottom, top = self.prevent(rival)
                least = max(least, bottom)
                most = max(most, top)
        if high <= least:
            return NO
        return YES if low > most else OPEN

    # All together.

    def settle(self) -> tuple[list[int], list[int], list[int]]:
        """Decide all that follows; return the moves, supports and convoys left open."""
        state = self.state
        moves, supports, convoys = self.questions
        before, left = -1, len(moves) + len(supports) + len(convoys)
        while left not in (0, before):
            for i in supports:
                state[i] = self.support_state(i)
            for i in moves:
                state[i] = self.move_state(i)
            for i in convoys:
                state[i] = self.convoy_state(i)
            moves = [i for i in moves if state[i] == OPEN]
            supports = [i for i in supports if state[i] == OPEN]
            convoys = [i for i in convoys if state[i] == OPEN]
            before, left = left, len(moves) + len(supports) + len(convoys)
        return moves, supports, convoys

    # What it came to.

    def outcomes(self, codes: Sequence[int]) -> list[int]:
        """Return each unit's outcome by its number in `layout.OUTCOMES`."""
        found = []
        for i, code in enumerate(codes):
            yes = self.state[i]
            if code == HOLD:
                found.append(HELD)
            elif code in (MOVE, MOVE_VIA):
                found.append(MOVED if yes else BOUNCED if self.path(i) else NOPATH)
            elif code in (SUPPORT_HOLD, SUPPORT_MOVE):
                found.append(VOID if self.focus[i] < 0 else GIVEN if yes else CUT)
            elif code == CONVOY and self.cargo[i] >= 0:
                found.append(CONVOYED if yes or self.path(self.cargo[i]) else DISRUPTED)
            else:
                found.append(VOID)
        return found

    def dislodgers(self) -> list[int]:
        """Return who dislodges each unit, or -1."""
        found = [-1] * self.size
        for to, rivals in self.rivals.items():
            i = self.at.get(to, -1)
            if i >= 0 and not (self.goal[i] >= 0 and self.state[i]):
                for rival in rivals:
                    if self.state[rival]:
                        found[i] = rival
        return found

    def standoffs(self) -> list[int]:
        """Return the provinces that a standoff left empty."""
        state, at, goal = self.state, self.at, self.goal
        found = []
        for to, rivals in self.rivals.items():
            unit = at.get(to, -1)
            if unit >= 0 and not (goal[unit] >= 0 and state[unit]):
                continue
            if not any(state[i] for i in rivals) and any(self.prevent(i)[0] for i in rivals):
                found.append(to)
        return found


def _seas(route: Sequence[tuple[int, int]]) -> int:
    mask = 0
    for _, sea in route:
        mask |= sea
    return mask
