"""What terms and joint plans are worth to a bot: the best with them, minus the best without."""

import random
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from statistics import fmean
from typing import Final

from diplomaccloud.bots.candidates import Source, read_row
from diplomaccloud.bots.pacts import Codes, Deal, Pact, find_pact
from diplomaccloud.bots.policy import try_candidates as try_order_rows
from diplomaccloud.bots.search import Replies, draw_replies, find_plan, try_candidates
from diplomaccloud.bots.talks.views import View
from diplomaccloud.deals import Clause, Ordered
from diplomaccloud.judge.board import Power
from diplomaccloud.judge.kernel.layout import (
    HEAD,
    MOVE,
    POWER_SHIFT,
    SUPPORT_MOVE,
    pack_state,
    read_order,
)
from diplomaccloud.judge.kernel.table import table_of

REPLIES: Final = 24
"""The number of replies of the others used to compare plans."""


def make_source(view: View, pact: Pact, seed: str) -> Source:
    """Return a source of candidates for the bot's power under a pact."""
    state = pack_state(view.board, view.position)
    number = table_of(view.board).power_of[view.power]
    return Source(view.board, state, number, random.Random(seed), pact)


def measure_plans(source: Source, plans: Iterable[bytes], seed: str) -> list[float]:
    """Return the average worth of each plan, all against the same replies."""
    source.rng = random.Random(f"{seed}/replies")
    plans = list(plans)
    values = try_candidates(source, plans, draw_replies(source, REPLIES))
    own = values[source.power :: len(source.board.powers)]
    return [fmean(own[at : at + REPLIES]) for at in range(0, len(own), REPLIES)]


def appraise(view: View, deal: Deal, budget: int, seed: str) -> float:
    """Return how much a deal adds to the worth of the position, where 1 is a whole game.

    This assumes that everyone keeps the deal. Both cases use the same random numbers from `seed`.
    """
    worth = []
    for deals in (view.deals, (*view.deals, deal)):
        pact = find_pact(view.board, view.position, view.power, deals)
        source = make_source(view, pact, seed)
        plan = find_plan(source, budget).orders.tobytes()
        worth += measure_plans(source, [plan], seed)
    return worth[1] - worth[0]


TRIAL_REPLIES: Final = 12
"""The number of replies of the others used to try a joint plan."""

MOST_AIDS: Final = 12
"""How many supported attacks each side offers; the best few of both sides are combined."""

_BEST: Final = 3
LEAST_GAIN: Final = 0.004
"""How much a joint plan must add to the worth of each side's position; 1 is a whole game."""


@dataclass(frozen=True, slots=True)
class Aid:
    """A move of one power's unit and its support from another power's; places are provinces."""

    mover: int
    move: Codes
    helper: int
    support: Codes


@dataclass(frozen=True, slots=True)
class JointPlan:
    """Orders that two powers would promise each other, and the gain for both."""

    clauses: tuple[Clause, ...]
    gain: float
    partner_gain: float


def find_joint_plan(view: View, partner: Power, budget: int, seed: str) -> JointPlan | None:
    """Return the plan with the largest product of gains, or None if no plan benefits both."""
    mine = _open_side(view, f"{seed}/{view.power}")
    # The bot knows only those of its partner's deals that are also its own.
    other = replace(view, power=partner, deals=view.find_deals_with(partner))
    theirs = _open_side(other, f"{seed}/{partner}")
    if not (mine.legal and theirs.legal):
        return None
    plans = [find_plan(side, budget).orders.tobytes() for side in (mine, theirs)]
    trial = _Trial(mine, theirs, plans)
    singles = [(aid,) for side in (0, 1) for aid in trial.list_aids(side)]
    gains = trial.measure(singles)
    best: dict[int, list[Aid]] = {}
    for (aid,), _ in sorted(zip(singles, gains, strict=True), key=lambda each: -sum(each[1])):
        best.setdefault(int(aid.mover in theirs.legal), []).append(aid)
    pairs = [
        (one, two)
        for one in best.get(0, [])[:_BEST]
        for two in best.get(1, [])[:_BEST]
        if len({one.mover, one.helper, two.mover, two.helper}) == 4
    ]
    options = [*singles, *pairs]
    gains += trial.measure(pairs)
    found = max(
        zip(options, gains, strict=True),
        key=lambda each: each[1][0] * each[1][1] if min(each[1]) > 0 else -1.0,
        default=None,
    )
    if found is None or min(found[1]) < LEAST_GAIN:
        return None
    return JointPlan(trial.word(found[0]), *found[1])


def _open_side(view: View, seed: str) -> Source:
    return make_source(view, find_pact(view.board, view.position, view.power, view.deals), seed)


class _Trial:
    """Tries the joint plans of two sides against the same replies of the others."""

    def __init__(self, mine: Source, theirs: Source, plans: Sequence[bytes]) -> None:
        self.sides, self.plans = (mine, theirs), plans
        self.replies: Replies = draw_replies(mine, TRIAL_REPLIES)
        self.base = self._value([plans])[0]

    def list_aids(self, side: int) -> list[Aid]:
        """Return the attacks of one side that the other can support, those on centers first."""
        movers, helpers = self.sides[side], self.sides[1 - side]
        supports: dict[tuple[int, int], list[int]] = {}
        for helper, orders in helpers.legal.items():
            for code, target, to in orders:
                if code == SUPPORT_MOVE and target in movers.legal and helper not in helpers.pins:
                    supports.setdefault((target, to), []).append(helper)
        aids = []
        for mover, orders in movers.legal.items():
            for move in orders:
                if move[0] == MOVE and mover not in movers.pins and self._is_contested(move[2]):
                    support = (SUPPORT_MOVE, mover, move[2])
                    aids += [
                        Aid(mover, move, helper, support)
                        for helper in supports.get((mover, move[2]), [])
                    ]
        centers = set(movers.table.centers)
        aids.sort(key=lambda aid: movers.table.province_of[aid.move[2]] not in centers)
        return aids[:MOST_AIDS]

    def _is_contested(self, place: int) -> bool:
        """Return whether a third power holds the place or could be there next."""
        source = self.sides[0]
        goal, own = source.table.province_of[place], {side.power for side in self.sides}
        here = source.state[HEAD + goal]
        if here >= 0:
            return here >> POWER_SHIFT not in own
        for code in source.state[HEAD : HEAD + source.size]:
            if code >= 0 and code >> POWER_SHIFT not in own:
                row = (code & 1) * source.table.places + (code >> 1 & 1023)
                if goal in source.table.reach[row]:
                    return True
        return False

    def measure(self, options: Sequence[tuple[Aid, ...]]) -> list[tuple[float, float]]:
        """Return what each option gains for the two sides."""
        pairs = [[self._arrange(side, option) for side in (0, 1)] for option in options]
        return [(mine - self.base[0], theirs - self.base[1]) for mine, theirs in self._value(pairs)]

    def _arrange(self, side: int, option: tuple[Aid, ...]) -> bytes:
        """Return a side's plan with its part of an option."""
        source, orders = self.sides[side], {}
        for aid in option:
            if aid.mover in source.legal:
                orders[aid.mover] = aid.move
            if aid.helper in source.legal:
                orders[aid.helper] = aid.support
        return source.force(orders, 0.0, read_row(self.plans[side]))

    def _value(self, pairs: Sequence[Sequence[bytes]]) -> list[tuple[float, float]]:
        """Return the average worth of both sides' plans to them over the replies."""
        if not pairs:
            return []
        mine, theirs = self.sides
        rows, follow = self.replies
        deep = 3 * mine.size
        candidates, replies, numbers, seeds = array("i"), array("i"), array("i"), array("Q")
        for number, (own, other) in enumerate(pairs):
            candidates.frombytes(own)
            row = read_row(other)
            for reply in range(TRIAL_REPLIES):
                given = rows[reply * deep : (reply + 1) * deep]
                for here in theirs.units:
                    given[here :: mine.size] = row[here :: mine.size]
                replies += given
                numbers.append(number)
                numbers.append(number * TRIAL_REPLIES + reply)
                seeds += follow[reply]
        values = try_order_rows(
            mine.board,
            mine.state,
            mine.power,
            candidates=candidates,
            replies=replies,
            pairs=numbers,
            seeds=seeds,
            truces=mine.pact.truces,
        )
        powers = len(mine.board.powers)
        worth = []
        for number in range(len(pairs)):
            part = values[number * TRIAL_REPLIES * powers : (number + 1) * TRIAL_REPLIES * powers]
            worth.append((fmean(part[mine.power :: powers]), fmean(part[theirs.power :: powers])))
        return worth

    def word(self, option: tuple[Aid, ...]) -> tuple[Clause, ...]:
        """Return the option as clauses."""
        source = self.sides[0]
        orders: dict[int, Codes] = {}
        for aid in option:
            orders[aid.mover] = aid.move
            orders[aid.helper] = aid.support
        return tuple(
            Ordered(read_order(source.table, source.state, *codes, here))
            for here, codes in orders.items()
        )
