"""How bots answer proposals: pure functions of public information and a bot's own deals.

A bot sees the position, the terms and its own ledger, but no messages and no drafts. The same
offer with the same state of `rng` gets the same reply, so a game can be replayed.
"""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

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
from diplomaccloud.judge.orders import Convoy, Disband, Hold, Move, Order, SupportMove
from diplomaccloud.judge.phases import Phase
from diplomaccloud.judge.position import Position

GRUDGE_YEARS: Final = 2
"""How many years a bot refuses all proposals from a power that broke a deal with it."""


@dataclass(frozen=True, slots=True)
class Breach:
    """A power's breach of a deal with the bot in a phase."""

    power: Power
    phase: Phase


@dataclass(frozen=True, slots=True)
class Offer:
    """A proposal as a bot sees it; `powers` are its own, and `breaches` come from its ledger."""

    board: Board
    position: Position
    powers: frozenset[Power]
    terms: Terms
    breaches: Sequence[Breach] = ()


@dataclass(frozen=True, slots=True)
class Reply:
    """A bot's answer: whether it accepts, and which alternative."""

    accepts: bool
    alternative: int = 0


REFUSAL: Final = Reply(accepts=False)


def reply_greedily(offer: Offer, _rng: random.Random) -> Reply:
    """Accept the first alternative that costs no center; refuse a power that broke a deal."""
    partners, year = set(offer.terms.parties) - offer.powers, offer.position.phase.year
    if any(
        breach.power in partners and year - breach.phase.year < GRUDGE_YEARS
        for breach in offer.breaches
    ):
        return REFUSAL
    for number, clauses in enumerate(offer.terms.alternatives):
        if not any(costs_center(clause, offer) for clause in clauses):
            return Reply(accepts=True, alternative=number)
    return REFUSAL


def reply_at_random(offer: Offer, rng: random.Random) -> Reply:
    """Accept a random alternative or refuse, with equal probability for each."""
    choice = rng.randint(0, len(offer.terms.alternatives))
    return Reply(accepts=True, alternative=choice - 1) if choice else REFUSAL


def reply_holding(offer: Offer, _rng: random.Random) -> Reply:
    """Accept the first alternative that asks for nothing but holding, or refuse."""
    for number, clauses in enumerate(offer.terms.alternatives):
        if all(_is_kept_by_holding(clause, offer) for clause in clauses):
            return Reply(accepts=True, alternative=number)
    return REFUSAL


NEGOTIATORS: Final[Mapping[str, Callable[[Offer, random.Random], Reply]]] = {
    "greedy": reply_greedily,
    "dumbbot": reply_greedily,
    "random": reply_at_random,
    "hold": reply_holding,
    "level": reply_greedily,
}
"""How each bot answers an offer, by name; for `level:3`, by its first word."""


def costs_center(clause: Clause, offer: Offer) -> bool:
    """Return whether the clause would cost the bot a center or that center's defense.

    It would if a foreign unit is to enter the center, or is to be helped to do so; if the bot's
    unit is to leave a center next to a foreign unit, or is kept out of it by a zone; or if the
    bot would be at peace with a power whose unit occupies the center.
    """
    match clause:
        case Ordered(Move(unit) | Disband(unit) as order, True) if unit.power in offer.powers:
            return _helps_enemy(order, offer) or _is_threatened(unit.province, offer)
        case Ordered(order, True):
            return _helps_enemy(order, offer)
        case Zone(powers, provinces):
            bound = offer.powers.intersection(powers)
            return bool(bound) and any(_is_threatened(code, offer) for code in provinces)
        case Peace(powers) | Alliance(powers):
            partners, units = set(powers) - offer.powers, offer.position.units
            return any(unit.power in partners and _owns(unit.province, offer) for unit in units)
        case _:
            return False


def _owns(code: ProvinceCode, offer: Offer) -> bool:
    return offer.position.centers.get(code) in offer.powers


def _is_threatened(code: ProvinceCode, offer: Offer) -> bool:
    """Return whether the province is one of the bot's centers and a foreign unit can enter it."""
    return _owns(code, offer) and any(
        unit.power not in offer.powers and code in offer.board.reach(unit.kind, unit.location)
        for unit in offer.position.units
    )


def _helps_enemy(order: Order, offer: Offer) -> bool:
    """Return whether the order moves a foreign unit into a center of the bot's, or helps it to."""
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
