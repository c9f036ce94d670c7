"""Clauses and findings in plain English, as whole sentences with named parameters."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, assert_never

from diplomaccloud.deals.ledger import DealVerdict, Finding
from diplomaccloud.deals.terms import Alliance, Clause, DealTurn, Draw, Ordered, Peace, Zone
from diplomaccloud.judge.board import Board, Power
from diplomaccloud.judge.geography import geography
from diplomaccloud.judge.orders import (
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    Order,
    Retreat,
    SupportHold,
    SupportMove,
    Waive,
)
from diplomaccloud.judge.units import Unit


@dataclass(frozen=True)
class DealNames:
    """The names of countries and places on a page; `countries` overrides the board's names."""

    board: Board
    countries: Mapping[Power, str]

    def country(self, power: Power) -> str:
        """Return the name of a power's country."""
        return self.countries.get(power) or geography(self.board).power(power)

    def list_countries(self, powers: Sequence[Power]) -> str:
        """Return the names of powers, the last one after "and"."""
        return join_words([self.country(power) for power in powers])

    def place(self, place: str) -> str:
        """Return a place's name as it appears in a sentence: `the North Sea`."""
        return geography(self.board).the(place)

    def unit(self, unit: Unit) -> str:
        """Return a unit's description: `France’s army in Paris`."""
        country, place = self.country(unit.power), self.place(unit.location)
        return f"{country}’s {unit.kind.word} in {place}"

    def target(self, unit: Unit, power: Power) -> str:
        """Return a unit's description in an order of `power`: `its army in Paris`."""
        if unit.power != power:
            return self.unit(unit)
        return f"its {unit.kind.word} in {self.place(unit.location)}"


_ORDERS: Final[Mapping[type, tuple[str, str]]] = {
    Hold: ("{unit} holds.", "{unit} does not hold."),
    Move: ("{unit} moves to {to}.", "{unit} does not move to {to}."),
    SupportHold: ("{unit} supports {target}.", "{unit} does not support {target}."),
    SupportMove: (
        "{unit} supports the move of {target} to {to}.",
        "{unit} does not support the move of {target} to {to}.",
    ),
    Convoy: ("{unit} convoys {target} to {to}.", "{unit} does not convoy {target} to {to}."),
    Retreat: ("{unit} retreats to {to}.", "{unit} does not retreat to {to}."),
    Disband: ("{unit} disbands.", "{unit} does not disband."),
    Build: (
        "{country} builds {a_unit} in {place}.",
        "{country} does not build {a_unit} in {place}.",
    ),
    Waive: ("{country} waives a build.", "{country} waives no build."),
}
_A_UNIT: Final = {"army": "an army", "fleet": "a fleet"}


def describe_clause(clause: Clause, names: DealNames) -> str:
    """Return the clause as a sentence."""
    match clause:
        case Ordered(order, given):
            return describe_order(order, names, given=given)
        case Zone(powers, provinces, until):
            places = join_words([names.place(code) for code in provinces])
            return _describe_zone(names.list_countries(powers), places, len(powers), until)
        case Peace(powers, until):
            countries = names.list_countries(powers)
            if until is None:
                return f"{countries} keep peace for the rest of the game."
            return f"{countries} keep peace through {until.title}."
        case Alliance(powers, against):
            allies, enemies = names.list_countries(powers), names.list_countries(against)
            return f"{allies} are allied against {enemies}."
        case Draw(powers):
            countries = names.list_countries(powers)
            return f"{countries} each vote for a draw if the others do."
        case _:
            assert_never(clause)


def _describe_zone(countries: str, places: str, count: int, until: DealTurn | None) -> str:
    if until is None and count == 1:
        return f"{countries} stays out of {places} for the rest of the game."
    if until is None:
        return f"{countries} stay out of {places} for the rest of the game."
    if count == 1:
        return f"{countries} stays out of {places} through {until.title}."
    return f"{countries} stay out of {places} through {until.title}."


def describe_order(order: Order, names: DealNames, *, given: bool = True) -> str:
    """Return a sentence that says what the order's unit does, or does not do."""
    sentence = _ORDERS[type(order)][0 if given else 1]
    if isinstance(order, Waive):
        return sentence.format(country=names.country(order.power))
    unit = order.unit
    target = getattr(order, "target", None)
    to = getattr(order, "to", None)
    return sentence.format(
        unit=names.unit(unit),
        country=names.country(unit.power),
        a_unit=_A_UNIT[unit.kind.word],
        place=names.place(unit.location),
        target=names.target(target, unit.power) if target else "",
        to=names.place(to) if to else "",
    )


def describe_finding(finding: Finding, clause: Clause, names: DealNames) -> str:
    """Return the ledger's finding on one power and one clause as a sentence."""
    country = names.country(finding.power)
    match finding.verdict:
        case DealVerdict.KEPT:
            return f"{country} kept this."
        case DealVerdict.MOOT if isinstance(clause, Draw):
            return f"{country} did not have to vote for a draw."
        case DealVerdict.MOOT:
            return f"{country} no longer had to keep this."
        case DealVerdict.BROKEN if finding.fault is not None:
            return f"{country} broke this by ordering {finding.fault}."
        case DealVerdict.BROKEN if isinstance(clause, Draw):
            return f"{country} broke this by not voting for a draw."
        case DealVerdict.BROKEN:
            return f"{country} broke this by giving no such order."
        case _:
            assert_never(finding.verdict)


def join_words(words: Sequence[str]) -> str:
    """Return the words joined with commas, and with "and" before the last."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} and {words[-1]}"
