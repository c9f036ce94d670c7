"""A bot's diplomat: it proposes, answers, keeps and breaks deals. A seed determines everything.

A bot sends at most `MOST_MESSAGES` per phase: remarks about broken deals, then joint plans with its
partners, then offers of peace. Answers don't count as messages, but the phrase with a refusal does.
"""

import random
from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from statistics import fmean
from typing import Final

from diplomaccloud.bots import policy
from diplomaccloud.bots.candidates import ForcedSet, Source, read_row
from diplomaccloud.bots.levels import LevelBot, VariedBot, accepts_draw
from diplomaccloud.bots.negotiation import Offer, Reply, costs_center
from diplomaccloud.bots.pacts import Codes, Deal, Pact, find_pact, keep_promises
from diplomaccloud.bots.policy import read_orders
from diplomaccloud.bots.repairs import has_slip
from diplomaccloud.bots.search import (
    Replies,
    SearchBot,
    draw_replies,
    find_plan,
    try_candidates,
)
from diplomaccloud.bots.talks.views import TEMPERS, TRUST, Temper, View
from diplomaccloud.deals import (
    Alliance,
    Clause,
    DealTurn,
    Draw,
    Ordered,
    Peace,
    Terms,
    Zone,
    find_promises,
    powers_bound,
)
from diplomaccloud.deals.terms import end_of
from diplomaccloud.entry.votes import players_left
from diplomaccloud.judge import batch
from diplomaccloud.judge.board import Power
from diplomaccloud.judge.kernel.core.codes import HEAD, MOVE, POWER_SHIFT, SUPPORT_MOVE
from diplomaccloud.judge.kernel.layout import pack_orders, pack_state, read_order, width
from diplomaccloud.judge.kernel.table import table_of
from diplomaccloud.judge.orders import Order
from diplomaccloud.judge.phases import Phase, Season, Stage
from diplomaccloud.judge.rules import RuleSet

MOST_MESSAGES: Final = 3
PEACE_YEARS: Final = 2
"""The length in additional years of the peace that a bot offers."""
MOST_YEARS: Final = 4
"""The most additional years for which a bot makes promises; it looks only one year ahead."""

_MIN_BUDGET, _MAX_BUDGET = 50, 200
_PRICE_OF_PEACE = -0.01
_GOODWILL = 0.004
"""How much terms that a partner asks for may cost."""
_SURE = 0.6
"""The minimum probability that a stab takes a center at once."""


@dataclass(frozen=True, slots=True)
class Message:
    """A bot's message to another power: terms or a phrase."""

    to: Power
    terms: Terms | None = None
    phrase: str = ""


@dataclass(frozen=True, slots=True)
class TalkAnswer:
    """A bot's reply to terms, and the phrase that it sends to their author, if any."""

    reply: Reply
    phrase: str = ""


class Reason(StrEnum):
    """The reason for a refusal or a remark."""

    GRUDGE = "grudge"
    CENTER = "center"
    PROMISED = "promised"
    STRONG = "strong"
    CROWDED = "crowded"
    DRAW = "draw"
    LONG = "long"
    GAIN = "gain"
    BETRAYED = "betrayed"


# What terms and joint plans are worth: the best with them, minus the best without.


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
    mine = values[source.power :: len(source.board.powers)]
    return [fmean(mine[at : at + REPLIES]) for at in range(0, len(mine), REPLIES)]


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


def find_joint_plan(
    view: View, partner: Power, budget: int, seed: str
) -> tuple[Clause, ...] | None:
    """Return orders that two powers would promise each other; None if no plan benefits both.

    The product of the two gains is the largest.
    """
    mine = _open_side(view, f"{seed}/{view.power}")
    # The bot knows only those of its partner's deals that are also its own.
    partner_view = replace(view, power=partner, deals=view.find_deals_with(partner))
    theirs = _open_side(partner_view, f"{seed}/{partner}")
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
    gains += trial.measure(pairs)
    option, gain = max(
        zip([*singles, *pairs], gains, strict=True),
        key=lambda each: each[1][0] * each[1][1] if min(each[1]) > 0 else -1.0,
        default=((), (0.0, 0.0)),
    )
    if min(gain) < LEAST_GAIN:
        return None
    orders: dict[int, Codes] = {}
    for aid in option:
        orders |= {aid.mover: aid.move, aid.helper: aid.support}
    return tuple(
        Ordered(read_order(mine.table, mine.state, *codes, unit)) for unit, codes in orders.items()
    )


def _open_side(view: View, seed: str) -> Source:
    return make_source(view, find_pact(view.board, view.position, view.power, view.deals), seed)


class _Trial:
    """Tries the joint plans of two sides against the same replies of the others."""

    def __init__(self, mine: Source, theirs: Source, plans: Sequence[bytes]) -> None:
        self.sides, self.plans = (mine, theirs), plans
        self.replies: Replies = draw_replies(mine, TRIAL_REPLIES)
        self.base = self._value([plans])[0]
        owners = [code >> POWER_SHIFT for code in mine.state[HEAD : HEAD + mine.size]]
        # An empty province has the owner -1.
        self.thirds = [h for h, o in enumerate(owners) if o not in {-1, mine.power, theirs.power}]
        self.reach = {goal for unit in self.thirds for goal in mine.find_reach(unit)}

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
        goal = source.table.province_of[place]
        return goal in (self.thirds if source.state[HEAD + goal] >= 0 else self.reach)

    def measure(self, options: Sequence[tuple[Aid, ...]]) -> list[tuple[float, float]]:
        """Return what each option gains for the two sides."""
        pairs = [
            [
                side.force(_part_of(side, option), 0.0, read_row(plan))
                for side, plan in zip(self.sides, self.plans, strict=True)
            ]
            for option in options
        ]
        return [(mine - self.base[0], theirs - self.base[1]) for mine, theirs in self._value(pairs)]

    def _value(self, pairs: Sequence[Sequence[bytes]]) -> list[tuple[float, float]]:
        """Return the average worth of both sides' plans to them over the replies."""
        if not pairs:
            return []
        mine, theirs = self.sides
        rows, follow = self.replies
        deep = 3 * mine.size
        candidates, replies, numbers, seeds = array("i"), array("i"), array("i"), array("Q")
        for number, (candidate, answer) in enumerate(pairs):
            candidates.frombytes(candidate)
            row = read_row(answer)
            for reply in range(TRIAL_REPLIES):
                given = rows[reply * deep : (reply + 1) * deep]
                for unit in theirs.units:
                    given[unit :: mine.size] = row[unit :: mine.size]
                replies += given
                numbers.append(number)
                numbers.append(number * TRIAL_REPLIES + reply)
                seeds += follow[reply]
        values = policy.try_candidates(
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
        step = TRIAL_REPLIES * powers
        parts = [values[at : at + step] for at in range(0, len(values), step)]
        return [(fmean(p[mine.power :: powers]), fmean(p[theirs.power :: powers])) for p in parts]


def _part_of(side: Source, option: tuple[Aid, ...]) -> ForcedSet:
    orders: ForcedSet = {}
    for aid in option:
        if aid.mover in side.legal:
            orders[aid.mover] = aid.move
        if aid.helper in side.legal:
            orders[aid.helper] = aid.support
    return orders


# The diplomat.


class Diplomat:
    """Negotiates for a bot, using about `budget` evaluations to weigh a deal."""

    def __init__(
        self, bot: LevelBot | SearchBot | VariedBot, budget: int, temper: Temper = TEMPERS[""]
    ) -> None:
        self.bot, self.temper = bot, temper
        self.budget = min(_MAX_BUDGET, max(_MIN_BUDGET, budget))

    # Messages.

    def open_talk(self, view: View, seed: str, limit: int = MOST_MESSAGES) -> list[Message]:
        """Return at most `limit` messages that the bot sends at the start of a movement phase."""
        if view.position.phase.stage is not Stage.MOVEMENT or not view.position.units_of(
            view.power
        ):
            return []
        # If called again in the same phase, the remarks have already been made.
        messages = self._remark(view, seed) if limit == MOST_MESSAGES else []
        messages += self._propose_joint_plans(view, seed, limit - len(messages))
        if view.position.phase.begins_year:
            messages += self._propose_peace(view, seed, limit - len(messages))
        return messages[:limit]

    def _remark(self, view: View, seed: str) -> list[Message]:
        """Return remarks about deals that others broke in the previous turn."""
        rng = random.Random(f"{seed}/remarks")
        breakers = {
            power
            for entry in view.ledger
            if _is_recent(entry.phase, view)
            for power in entry.breakers
            if view.power not in entry.breakers
        }
        phrases = PHRASES[Reason.BETRAYED]
        victims = sorted(breakers & view.audience)
        return [Message(power, phrase=rng.choice(phrases)) for power in victims]

    def _propose_joint_plans(self, view: View, seed: str, limit: int) -> list[Message]:
        messages: list[Message] = []
        partners = view.partners & view.audience
        for partner in sorted(partners, key=lambda power: (-view.contacts.get(power, 0), power)):
            if len(messages) >= limit:
                break
            if _has_plan(view, partner):
                continue
            clauses = find_joint_plan(view, partner, self.budget, f"{seed}/joint/{partner}")
            if clauses is not None and not view.bears_grudge(partner):
                messages.append(Message(partner, _make_terms(view, partner, clauses)))
        return messages

    def _propose_peace(self, view: View, seed: str, limit: int) -> list[Message]:
        """Return offers of peace to trusted neighbors, those with the most contact first."""
        messages: list[Message] = []
        room, lasting = _find_room(view), _find_lasting(view)
        until = DealTurn(Season.WINTER, view.position.phase.year + PEACE_YEARS)
        for neighbor in sorted(view.contacts, key=lambda power: (-view.contacts[power], power)):
            if len(messages) >= min(limit, room):
                break
            if neighbor in lasting or neighbor not in view.audience or view.has_wronged(neighbor):
                continue
            clause = Peace(tuple(sorted((view.power, neighbor))), until)
            terms = _make_terms(view, neighbor, (clause,))
            if self._find_fault(view, terms, 0, f"{seed}/peace/{neighbor}") is None:
                messages.append(Message(neighbor, terms))
        return messages

    # Answers.

    def reply(self, view: View, terms: Terms, seed: str) -> TalkAnswer:
        """Return the answer to terms offered by others; they must not be in the view's `deals`."""
        faults = []
        for number in range(len(terms.alternatives)):
            fault = self._find_fault(view, terms, number, f"{seed}/{number}")
            if fault is None:
                return TalkAnswer(Reply(accepts=True, alternative=number))
            faults.append(fault)
        phrase = random.Random(f"{seed}/phrase").choice(PHRASES[faults[0]])
        return TalkAnswer(Reply(accepts=False), phrase)

    def _find_fault(self, view: View, terms: Terms, number: int, seed: str) -> Reason | None:
        """Return the reason to refuse an alternative, or None to accept it."""
        others = [power for power in terms.parties if power != view.power]
        clauses = terms.alternatives[number]
        if any(view.bears_grudge(power) for power in others):
            return Reason.GRUDGE
        offer = Offer(view.board, view.position, frozenset({view.power}), terms)
        if any(costs_center(clause, offer) for clause in clauses):
            return Reason.CENTER
        if fault := _find_conflict(view, clauses):
            return fault
        if not all(_agrees_to_draw(view, clause) for clause in clauses):
            return Reason.DRAW
        if all(set(powers_bound(clause)) <= {view.power} for clause in clauses):
            # Accepting a one-sided deal would only reveal the bot's plans.
            return Reason.GAIN
        worth = appraise(view, (terms, number), self.budget, seed)
        return None if worth > _find_price(view, clauses, others) else Reason.GAIN

    # Orders.

    def choose_orders(
        self, view: View, rules: RuleSet, seed: str
    ) -> tuple[Sequence[Order], Power | None]:
        """Return orders that keep the bot's promises, and None; or a stab and its victim."""
        board, position, power = view.board, view.position, view.power
        rng = random.Random(seed)
        pact = find_pact(board, position, power, view.deals)
        trust = min((view.find_trust(partner) for partner in view.partners), default=1.0)
        pact = replace(pact, doubt=1 - trust, foes=view.foes)
        orders = self.bot.orders(board, position, power, rules, rng, pact=pact)
        if pact.promises is not None and not all(pact.allows(order) for order in orders):
            orders = keep_promises(board, position, orders, pact.promises, rules=rules, rng=rng)
        plan = pack_orders(board, orders)
        if betrayal := self.find_betrayal(view, plan.tobytes(), seed):
            row = read_row(betrayal[1])
            state = pack_state(board, position)
            return read_orders(board, position, state, power, row), betrayal[0]
        return orders, None

    def find_betrayal(self, view: View, plan: bytes, seed: str) -> tuple[Power, bytes] | None:
        """Return the victim and the order row of a stab that pays, or None.

        A stab must take a center at once, be worth more than the treaty, and not hand anybody the
        game. The bot never breaks a deal in the phase in which it was made. `plan` is the order
        row to use otherwise.
        """
        price, phase = view.temper.price, view.position.phase
        if price is None or (phase.season, phase.stage) != (Season.FALL, Stage.MOVEMENT):
            return None
        best = None
        for victim in sorted(view.partners):
            deals = view.find_deals_with(victim)
            if any(terms.phase == phase for terms, _ in deals) or view.could_third_win(victim):
                continue
            kept = [deal for deal in view.deals if deal not in deals]
            pact = find_pact(view.board, view.position, view.power, kept, broken=deals)
            pact = replace(pact, foes=view.foes)
            source = make_source(view, pact, f"{seed}/stab/{victim}")
            row = find_plan(source, self.budget).orders.tobytes()
            if has_slip(source, row):
                continue
            loyal, free = measure_plans(source, [plan, row], f"{seed}/stab/{victim}")
            if free - loyal > price and _takes_center(source, row, victim):
                price, best = free - loyal, (victim, row)
        return best


def _is_recent(phase: Phase, view: View) -> bool:
    """Return whether there was no movement phase between a phase and the position."""
    now = view.position.phase
    if now.begins_year:
        return phase.year == now.year - 1 and not phase.begins_year
    return phase.year == now.year


def _make_terms(view: View, partner: Power, clauses: Sequence[Clause]) -> Terms:
    parties = tuple(sorted((view.power, partner)))
    return Terms(view.position.phase, parties, (tuple(clauses),))


def _has_plan(view: View, partner: Power) -> bool:
    """Return whether a deal with the partner promises orders for this phase."""
    return any(
        terms.phase == view.position.phase
        and any(isinstance(clause, Ordered) for clause in terms.alternatives[number])
        for terms, number in view.find_deals_with(partner)
    )


def _find_lasting(view: View) -> set[Power]:
    """Return the partners whose peace with the bot lasts beyond this year."""
    return {
        power
        for terms, number in view.deals
        for clause in terms.alternatives[number]
        if isinstance(clause, Peace | Alliance)
        and ((end := end_of(clause)) is None or end.year > view.position.phase.year)
        for power in clause.powers
        if power != view.power
    }


def _find_room(view: View) -> int:
    """Return how many more neighbors the bot wants peace with; half of them are enough."""
    neighbors = len(view.contacts)
    return max(1, neighbors // 2) - len(_find_lasting(view) & view.contacts.keys())


def _find_conflict(view: View, clauses: Sequence[Clause]) -> Reason | None:
    """Return the reason against clauses, apart from their price, if any."""
    partners = set()
    for clause in clauses:
        if isinstance(clause, Peace | Alliance) and view.power in clause.powers:
            partners |= set(clause.powers) - {view.power}
        if isinstance(clause, Alliance) and view.partners & set(clause.against):
            return Reason.PROMISED
    if any(view.is_led_by(power) for power in partners):
        return Reason.STRONG
    new = partners - _find_lasting(view)
    if new & view.contacts.keys() and len(new) > _find_room(view):
        return Reason.CROWDED
    if any(_binds_long(view, clause) for clause in clauses):
        return Reason.LONG
    return Reason.PROMISED if _contradicts(view, clauses) else None


def _contradicts(view: View, clauses: Sequence[Clause]) -> bool:
    """Return whether the orders to promise contradict each other or the bot's other promises."""
    phase = view.position.phase
    terms = Terms(phase, (view.power,), (tuple(clauses),))
    promises = find_promises([*view.deals, (terms, 0)], [view.power], phase).get(view.power)
    if promises is None:
        return False
    by_unit: dict[object, Order] = {}
    return any(
        by_unit.setdefault(getattr(order, "unit", None), order) != order
        or promises.is_broken_by(order, view.board, view.position)
        for order in promises.orders
    )


def _agrees_to_draw(view: View, clause: Clause) -> bool:
    sharing = len(players_left(view.position))
    return not isinstance(clause, Draw) or accepts_draw(
        view.board, view.position, view.power, sharing=sharing, is_stale=False
    )


def _find_price(view: View, clauses: Sequence[Clause], others: Sequence[Power]) -> float:
    """Return the minimum worth of acceptable terms."""
    if all(isinstance(clause, Peace | Alliance | Draw) for clause in clauses):
        trust = min(view.find_trust(power) for power in others)
        return _PRICE_OF_PEACE * 2 * trust if trust >= TRUST else 0.0
    if not all(isinstance(clause, Ordered) for clause in clauses):
        return 0.0
    # Allow one favor per partner and phase, because many small ones could tie up all units.
    favors = set(others) <= view.partners and not any(_has_plan(view, power) for power in others)
    return -_GOODWILL if favors else 0.0


def _binds_long(view: View, clause: Clause) -> bool:
    """Return whether a clause binds the bot for more years than it can foresee."""
    if not isinstance(clause, Peace | Alliance | Zone) or view.power not in clause.powers:
        return False
    end = end_of(clause)
    return end is None or end.year > view.position.phase.year + MOST_YEARS


def _takes_center(source: Source, row: bytes, victim: Power) -> bool:
    """Return whether the orders are likely to take a center from the victim this Fall."""
    number, plan = source.table.power_of[victim], read_row(row)
    goals = {source.find_goal(plan, unit) for unit in source.units}
    prey = [goal for goal in goals if goal is not None and source.owners[goal] == number]
    if not prey:
        return False
    replies, follow = draw_replies(source, 12)
    for unit in source.units:
        for at in range(unit, len(replies), source.size):
            replies[at] = plan[at % (3 * source.size)]
    after = batch.adjudicate(source.state * len(follow), replies, board=source.board).states
    wide = width(source.table)
    taken = sum(
        after[at + HEAD + goal] >> POWER_SHIFT == source.power
        for at in range(0, len(after), wide)
        for goal in prey
        if after[at + HEAD + goal] >= 0
    )
    return taken >= _SURE * len(follow)


PHRASES: Final[Mapping[Reason, tuple[str, ...]]] = {
    Reason.GRUDGE: (
        "You broke your word. Not yet.",
        "I remember our last deal too well.",
        "Once bitten, twice shy.",
        "Let some quiet years pass first.",
        "Your promises cost me dearly last time.",
        "Trust takes years. Ask again later.",
    ),
    Reason.CENTER: (
        "That would cost me a center.",
        "I cannot leave my own center open.",
        "My people would not forgive me for giving that up.",
        "That is mine, and it stays mine.",
        "You are asking me to leave my door open.",
        "Anything but my own centers.",
    ),
    Reason.PROMISED: (
        "I have promised something else.",
        "That conflicts with my other promises.",
        "I have already given my word.",
        "I cannot do both.",
        "Another deal stands in the way.",
        "I keep what I promised before.",
    ),
    Reason.STRONG: (
        "You are too strong already.",
        "Someone has to stop you.",
        "Peace with you would hand you the game.",
        "You do not need my help.",
        "The rest of us should worry about you.",
        "Not while you lead like this.",
    ),
    Reason.CROWDED: (
        "I have enough friends for now.",
        "I need somewhere to go.",
        "One more peace treaty would box me in.",
        "Not all of my borders can be quiet.",
        "Perhaps when another treaty ends.",
        "I cannot be at peace with everyone.",
    ),
    Reason.DRAW: (
        "I still hope for more than a draw.",
        "Too early to share the game.",
        "Let's play on.",
        "My share would be too small.",
        "Not yet. There is a game to win.",
        "Ask me again when nothing moves.",
    ),
    Reason.LONG: (
        "Not for so long. Two years, perhaps.",
        "Nobody knows what the board will look like then.",
        "Let's start with a year or two.",
        "I make no promises that far ahead.",
        "Ask for less time, then renew it.",
        "That is a long time in this game.",
    ),
    Reason.GAIN: (
        "I see nothing in it for me.",
        "Other plans look better.",
        "Make it worth my while.",
        "That helps you more than me.",
        "Not this time.",
        "My units have better things to do.",
        "I looked at it twice. No.",
    ),
    Reason.BETRAYED: (
        "You broke our deal. I will not forget it.",
        "So much for your word.",
        "I kept my promise. You did not.",
        "Our deal is over.",
        "That was a mistake, and you will see why.",
        "I trusted you.",
    ),
}
