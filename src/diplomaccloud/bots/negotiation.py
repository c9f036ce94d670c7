"""How bots answer proposals: pure functions of what is public and of a bot's own deals.

A bot sees the position, the terms and its own ledger; never a text, nor anyone's drafts. The same
offer with the same state of `rng` gets the same reply, so that a game can be replayed. Stronger
bots replace a policy here by another `Negotiator`.
"""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from diplomaccloud.deals import (
    Alliance,
    Clause,
    Ordered,
    Peace,
    Terms,
    Zone,
    powers_bound,
)
from diplomaccloud.deals.breaches import find_goal
from diplomaccloud.judge.board import Board, Power, ProvinceCode
from diplomaccloud.judge.orders import Convoy, Disband, Hold, Move, Order, SupportMove, power_of
from diplomaccloud.judge.phases import Phase
from diplomaccloud.judge.position import Position

GRUDGE_YEARS: Final = 2
"""For how many years a bot refuses everything from a power that broke a deal with it."""


@dataclass(frozen=True, slots=True)
class Breach:
    """A deal of the bot's that a power broke in a phase."""

    power: Power
    phase: Phase


@dataclass(frozen=True, slots=True)
class Offer:
    """What a bot knows of a proposal; `powers` are its own, `breaches` are from its own ledger."""

    board: Board
    position: Position
    powers: frozenset[Power]
    terms: Terms
    breaches: Sequence[Breach] = ()


@dataclass(frozen=True, slots=True)
class Reply:
    """Whether a bot accepts, and which alternative."""

    accepts: bool
    alternative: int = 0


REFUSAL: Final = Reply(accepts=False)


class Negotiator(Protocol):
    """A policy for answers."""

    def reply(self, offer: Offer, rng: random.Random) -> Reply:
        """Return the answer to an offer."""
        ...


class GreedyNegotiator:
    """Accepts what does not cost it a center, and refuses the rest and those who broke a deal."""

    def reply(self, offer: Offer, rng: random.Random) -> Reply:  # noqa: ARG002 the protocol's
        """Return an acceptance of the first alternative that costs no center."""
        if _holds_grudge(offer):
            return REFUSAL
        for number, clauses in enumerate(offer.terms.alternatives):
            if not any(costs_center(clause, offer) for clause in clauses):
                return Reply(accepts=True, alternative=number)
        return REFUSAL


class RandomNegotiator:
    """Accepts any alternative or refuses, all equally likely."""

    def reply(self, offer: Offer, rng: random.Random) -> Reply:
        """Return a random answer."""
        choice = rng.randint(0, len(offer.terms.alternatives))
        return Reply(accepts=True, alternative=choice - 1) if choice else REFUSAL


class HoldNegotiator:
    """Accepts what it keeps by holding."""

    def reply(self, offer: Offer, rng: random.Random) -> Reply:  # noqa: ARG002 the protocol's
        """Return an acceptance of the first alternative that asks for nothing else."""
        for number, clauses in enumerate(offer.terms.alternatives):
            if all(_is_kept_by_holding(clause, offer) for clause in clauses):
                return Reply(accepts=True, alternative=number)
        return REFUSAL


NEGOTIATORS: Final[Mapping[str, Negotiator]] = {
    "greedy": GreedyNegotiator(),
    "dumbbot": GreedyNegotiator(),
    "random": RandomNegotiator(),
    "hold": HoldNegotiator(),
    "level": GreedyNegotiator(),
}
"""The policy of each bot, by its name, or by the first word of it as in `level:3`."""


def _holds_grudge(offer: Offer) -> bool:
    others = set(offer.terms.parties) - offer.powers
    year = offer.position.phase.year
    return any(
        breach.power in others and year - breach.phase.year < GRUDGE_YEARS
        for breach in offer.breaches
    )


def costs_center(clause: Clause, offer: Offer) -> bool:
    """Return whether the clause gives up a center of the bot's, or its defense.

    Its center is given up by an order of another that enters it, by help for such an order, by a
    unit that leaves it while a foreign unit is next to it, by a zone that keeps the bot out of it
    then, and by peace with a power whose unit stands in it.
    """
    match clause:
        case Ordered(order, True) if power_of(order) in offer.powers:
            return _helps_enemy(order, offer) or _leaves_center(order, offer)
        case Ordered(order, True):
            return _helps_enemy(order, offer)
        case Ordered():
            return False
        case Zone(powers, provinces):
            bound = offer.powers.intersection(powers)
            return bool(bound) and any(_is_threatened(code, offer) for code in provinces)
        case Peace(powers) | Alliance(powers):
            partners = set(powers) - offer.powers
            return any(
                unit.power in partners and _owns(unit.province, offer)
                for unit in offer.position.units
            )
        case _:
            return False


def _owns(code: ProvinceCode, offer: Offer) -> bool:
    return offer.position.centers.get(code) in offer.powers


def _is_threatened(code: ProvinceCode, offer: Offer) -> bool:
    """Return whether the province is a center of the bot's that a foreign unit can enter."""
    return _owns(code, offer) and any(
        unit.power not in offer.powers and code in offer.board.reach(unit.kind, unit.location)
        for unit in offer.position.units
    )


def _helps_enemy(order: Order, offer: Offer) -> bool:
    """Return whether the order moves, or helps to move, a foreign unit into one of its centers."""
    goal = find_goal(order)
    if goal is None or not _owns(goal, offer):
        return False
    match order:
        case Move(unit):
            return unit.power not in offer.powers
        case SupportMove(_, target) | Convoy(_, target):
            return target.power not in offer.powers
        case _:
            return False


def _leaves_center(order: Order, offer: Offer) -> bool:
    match order:
        case Move(unit) | Disband(unit):
            return _is_threatened(unit.province, offer)
        case _:
            return False


def _is_kept_by_holding(clause: Clause, offer: Offer) -> bool:
    if not offer.powers.intersection(powers_bound(clause)):
        return True
    match clause:
        case Ordered(order, given):
            return isinstance(order, Hold) == given
        case Zone(_, provinces):
            units = offer.position.units
            return not any(u.power in offer.powers and u.province in provinces for u in units)
        case _:
            return True
