"""A bot's diplomat: it proposes, answers, keeps and breaks deals. A seed determines everything.

A bot sends at most `MOST_MESSAGES` per phase: remarks about broken deals, then joint plans with its
partners, then offers of peace. Answers don't count as messages, but the phrase with a refusal does.
"""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final, Protocol

from diplomaccloud.bots.candidates import Source, read_row
from diplomaccloud.bots.levels import accepts_draw
from diplomaccloud.bots.negotiation import Offer, Reply, costs_center
from diplomaccloud.bots.pacts import Deal, Pact, find_pact
from diplomaccloud.bots.policy import read_orders
from diplomaccloud.bots.promises import keep_promises
from diplomaccloud.bots.repairs import has_slip
from diplomaccloud.bots.search import draw_replies, find_plan
from diplomaccloud.bots.talks.appraisal import appraise, find_joint_plan, make_source, measure_plans
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
from diplomaccloud.judge.board import Board, Power
from diplomaccloud.judge.draw_votes import players_left
from diplomaccloud.judge.kernel.batch import adjudicate
from diplomaccloud.judge.kernel.layout import (
    FALL_MOVEMENT,
    HEAD,
    PHASE,
    POWER_SHIFT,
    pack_orders,
    pack_state,
    width,
)
from diplomaccloud.judge.orders import Order
from diplomaccloud.judge.phases import Phase, Season, Stage
from diplomaccloud.judge.position import Position
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


class PactBot(Protocol):
    """A bot that can keep to a pact."""

    def orders(
        self,
        board: Board,
        position: Position,
        power: Power,
        rules: RuleSet,
        rng: random.Random,
        *,
        pact: Pact,
    ) -> Sequence[Order]:
        """Return legal orders for every unit of `power` that needs one in this phase."""
        ...


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


class Diplomat:
    """Negotiates for a bot, using about `budget` evaluations to weigh a deal."""

    def __init__(self, bot: PactBot, budget: int, temper: Temper = TEMPERS[""]) -> None:
        self.bot, self.temper = bot, temper
        self.budget = min(_MAX_BUDGET, max(_MIN_BUDGET, budget))

    # Messages.

    def open_talk(self, view: View, seed: str, left: int = MOST_MESSAGES) -> list[Message]:
        """Return at most `left` messages that the bot sends at the start of a movement phase."""
        if view.position.phase.stage is not Stage.MOVEMENT or not view.position.units_of(
            view.power
        ):
            return []
        # If called again in the same phase, the remarks have already been made.
        messages = self._remark(view, seed) if left == MOST_MESSAGES else []
        messages += self._propose_joint_plans(view, seed, left - len(messages))
        if view.position.phase.season is Season.SPRING:
            messages += self._propose_peace(view, seed, left - len(messages))
        return messages[:left]

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
        return [
            Message(power, phrase=choose_phrase(Reason.BETRAYED, rng))
            for power in sorted(breakers & view.audience)
        ]

    def _propose_joint_plans(self, view: View, seed: str, left: int) -> list[Message]:
        messages: list[Message] = []
        partners = view.partners & view.audience
        for partner in sorted(partners, key=lambda power: (-view.contacts.get(power, 0), power)):
            if len(messages) >= left:
                break
            if _has_plan(view, partner):
                continue
            plan = find_joint_plan(view, partner, self.budget, f"{seed}/joint/{partner}")
            if plan is not None and plan.gain * view.find_trust(partner) > 0:
                messages.append(Message(partner, _make_terms(view, partner, plan.clauses)))
        return messages

    def _propose_peace(self, view: View, seed: str, left: int) -> list[Message]:
        """Return offers of peace to trusted neighbors, those with the most contact first."""
        messages: list[Message] = []
        room = _find_room(view)
        until = DealTurn(Season.WINTER, view.position.phase.year + PEACE_YEARS)
        for other in sorted(view.contacts, key=lambda power: (-view.contacts[power], power)):
            if len(messages) >= min(left, room):
                break
            if (
                other not in view.audience
                or other in _find_lasting(view)
                or view.has_wronged(other)
            ):
                continue
            clause = Peace(tuple(sorted((view.power, other))), until)
            terms = _make_terms(view, other, (clause,))
            if self._find_fault(view, terms, 0, f"{seed}/peace/{other}") is None:
                messages.append(Message(other, terms))
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
        return TalkAnswer(
            Reply(accepts=False), choose_phrase(faults[0], random.Random(f"{seed}/phrase"))
        )

    def _find_fault(self, view: View, terms: Terms, number: int, seed: str) -> Reason | None:
        """Return the reason to refuse an alternative, or None to accept it."""
        others = [power for power in terms.parties if power != view.power]
        clauses = terms.alternatives[number]
        if any(view.bears_grudge(other) for other in others):
            return Reason.GRUDGE
        offer = Offer(view.board, view.position, frozenset({view.power}), terms)
        if any(costs_center(clause, offer) for clause in clauses):
            return Reason.CENTER
        if fault := _find_conflict(view, clauses):
            return fault
        if not all(_agrees_to_draw(view, clause) for clause in clauses):
            return Reason.DRAW
        return None if self._pays(view, (terms, number), others, seed) else Reason.GAIN

    def _pays(self, view: View, deal: Deal, others: Sequence[Power], seed: str) -> bool:
        """Return whether a deal with `others` is worth its price."""
        clauses = deal[0].alternatives[deal[1]]
        if all(set(powers_bound(clause)) <= {view.power} for clause in clauses):
            # Accepting a one-sided deal would only reveal the bot's plans.
            return False
        return appraise(view, deal, self.budget, seed) > _find_price(view, clauses, others)

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
        if pact.own is not None and not all(pact.allows(order) for order in orders):
            orders = keep_promises(board, position, orders, pact.own, rules=rules, rng=rng)
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
    if now.season is Season.SPRING:
        return phase.year == now.year - 1 and phase.season is not Season.SPRING
    return phase.year == now.year


def _make_terms(view: View, other: Power, clauses: Sequence[Clause]) -> Terms:
    parties = tuple(sorted((view.power, other)))
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
    own = find_promises([*view.deals, (terms, 0)], [view.power], phase).get(view.power)
    if own is None:
        return False
    by_unit: dict[object, Order] = {}
    for order in own.orders:
        unit = getattr(order, "unit", None)
        if by_unit.setdefault(unit, order) != order:
            return True
    return any(own.is_broken_by(order, view.board, view.position) for order in own.orders)


def _agrees_to_draw(view: View, clause: Clause) -> bool:
    if not isinstance(clause, Draw):
        return True
    sharing = len(players_left(view.position))
    return accepts_draw(view.board, view.position, view.power, sharing=sharing, is_stale=False)


def _find_price(view: View, clauses: Sequence[Clause], others: Sequence[Power]) -> float:
    """Return the minimum worth of acceptable terms."""
    if all(isinstance(clause, Peace | Alliance | Draw) for clause in clauses):
        trust = min(view.find_trust(other) for other in others)
        return _PRICE_OF_PEACE * 2 * trust if trust >= TRUST else 0.0
    if not all(isinstance(clause, Ordered) for clause in clauses):
        return 0.0
    # Allow one favor per partner and phase, because many small ones could tie up all units.
    favors = set(others) <= view.partners and not any(_has_plan(view, other) for other in others)
    return -_GOODWILL if favors else 0.0


def _binds_long(view: View, clause: Clause) -> bool:
    """Return whether a clause binds the bot for more years than it can foresee."""
    if not isinstance(clause, Peace | Alliance | Zone) or view.power not in clause.powers:
        return False
    end = end_of(clause)
    return end is None or end.year > view.position.phase.year + MOST_YEARS


def _takes_center(source: Source, row: bytes, victim: Power) -> bool:
    """Return whether the orders are likely to take a center from the victim this Fall."""
    if source.state[PHASE] != FALL_MOVEMENT:
        return False
    number = source.table.power_of[victim]
    own = read_row(row)
    goals = {source.find_goal(own, here) for here in source.units}
    prey = [goal for goal in goals if goal is not None and source.owners[goal] == number]
    if not prey:
        return False
    replies, follow = draw_replies(source, 12)
    for here in source.units:
        for at in range(here, len(replies), source.size):
            replies[at] = own[at % (3 * source.size)]
    after = adjudicate(source.board, source.state * len(follow), replies).states
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


def choose_phrase(reason: Reason, rng: random.Random) -> str:
    """Return one of the phrases for a reason."""
    return rng.choice(PHRASES[reason])
