"""Adjudicate the positions of a switch with each of its values, and group values that agree."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from itertools import combinations

from switch_examples import ALIKE
from switch_parts import Example, Switch, make_unit

from diplomaccloud.judge import adjudicate
from diplomaccloud.judge.board import Location, Power, ProvinceCode, province_of
from diplomaccloud.judge.notation import parse_sheet
from diplomaccloud.judge.orders import (
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    Order,
    SupportHold,
    SupportMove,
    Waive,
)
from diplomaccloud.judge.phases import Phase
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.results import Resolution
from diplomaccloud.judge.rules import DEFAULT, RuleSet
from diplomaccloud.judge.standard.europe import standard_board
from diplomaccloud.judge.units import Unit

BOARD = standard_board()
SEED = "7"

Value = bool | Enum


class SameJudgmentsError(Exception):
    """Two values of a switch agree on all of its positions."""


@dataclass(frozen=True)
class Judgment:
    """The result of an example under `values`, which all agree."""

    values: tuple[Value, ...]
    position: Position
    resolution: Resolution

    @property
    def facts(self) -> Mapping[str, str]:
        """The facts that the switch may change: outcomes and retreats by unit, and the winner."""
        facts: dict[str, str] = {}
        for result in self.resolution.results:
            key = province_of_order(result.order)
            facts[key] = f"{facts.get(key, '')} {result.order}: {result.outcome}"
        for entry in self.resolution.dislodged:
            facts[f"{entry.unit} retreats"] = " ".join(entry.retreats)
        if self.resolution.ending is not None:
            facts["ending"] = " ".join(self.resolution.ending.winners)
        return facts


def list_values(name: str) -> tuple[Value, ...]:
    """Return all values of the switch `name`, starting with the default."""
    default = getattr(DEFAULT, name)
    values = list(type(default)) if isinstance(default, Enum) else [True, False]
    return (default, *(value for value in values if value != default))


def judge_example(name: str, example: Example) -> tuple[Judgment, ...]:
    """Return the different judgments of an example, starting with the default value's."""
    judgments: list[Judgment] = []
    for value in list_values(name):
        if example.values and value not in example.values:
            continue
        rules = replace(DEFAULT, **{**example.base, name: value})  # type: ignore[arg-type]
        judgment = _judge(example, rules, value)
        for number, other in enumerate(judgments):
            if other.facts == judgment.facts and other.position == judgment.position:
                judgments[number] = replace(other, values=(*other.values, value))
                break
        else:
            judgments.append(judgment)
    return tuple(judgments)


def require_differences(name: str, switch: Switch) -> None:
    """Raise `SameJudgmentsError` unless each pair of values differs on some position."""
    judged = [judge_example(name, example) for example in switch.examples]
    for pair in combinations(list_values(name), 2):
        if ALIKE.issuperset(pair):
            continue
        if not any(_is_apart(pair, judgments) for judgments in judged):
            raise SameJudgmentsError(f"{name}: {pair[0]} and {pair[1]} decide every position alike")
    for example, judgments in zip(switch.examples, judged, strict=True):
        if len(judgments) < 2:
            raise SameJudgmentsError(f"{name}: all values decide alike: {example.about}")


def _is_apart(pair: Iterable[Value], judgments: Sequence[Judgment]) -> bool:
    """Return whether the two values have different judgments."""
    groups = [number for value in pair for number, j in enumerate(judgments) if value in j.values]
    return len(groups) == 2 and groups[0] != groups[1]


def _judge(example: Example, rules: RuleSet, value: Value) -> Judgment:
    position = read_position(example)
    orders: Sequence[Order] = example.listed or _read_orders(example, position, rules)
    if example.prepare is not None:
        position, orders = example.prepare(position, orders, rules)
    return Judgment((value,), position, adjudicate(BOARD, position, orders, rules, seed=SEED))


def read_position(example: Example) -> Position:
    """Return the position of an example; by default, each power owns its home centers."""
    units = [
        make_unit(" ".join(text.split()[:2]), power)
        for power, text in _list_lines(example.units or example.orders)
    ]
    powers = {unit.power for unit in units}
    homes = BOARD.home_centers
    owned = example.centers or {power: " ".join(homes[power]) for power in powers}
    centers = {
        ProvinceCode(code): Power(power) for power, codes in owned.items() for code in codes.split()
    }
    return Position(Phase.parse(example.phase), tuple(set(units)), centers)


def _read_orders(example: Example, position: Position, rules: RuleSet) -> list[Order]:
    owners = {unit.province: unit.power for unit in position.units}
    orders: list[Order] = []
    for line in example.orders.strip().splitlines():
        power, _, text = line.strip().partition(": ")
        if example.as_written:
            sheet = text.replace("; ", "\n")
            orders += parse_sheet(sheet, BOARD, position, Power(power), rules=rules).orders
        else:
            orders += [read_order(part, power, owners) for part in text.split(", ")]
    return orders


def _list_lines(text: str) -> Iterable[tuple[str, str]]:
    for line in text.strip().splitlines():
        power, _, listed = line.strip().partition(": ")
        yield from ((power, part) for part in listed.split(", ") if part)


def read_order(text: str, power: str, owners: Mapping[ProvinceCode, Power]) -> Order:
    """Return the order in `text` exactly as written, even if it is illegal."""
    if text == "WAIVE":
        return Waive(Power(power))
    words = text.split()
    unit = make_unit(" ".join(words[:2]), power)
    match words[2:]:
        case ["-", goal, *via]:
            return Move(unit, Location(goal), bool(via))
        case ["S" | "C" as verb, kind, place, *goal]:
            owner = owners.get(province_of(Location(place)), Power(power))
            return _read_help(unit, verb, make_unit(f"{kind} {place}", owner), goal)
        case ["H"]:
            return Hold(unit)
        case ["D"]:
            return Disband(unit)
        case ["B"]:
            return Build(unit)
    raise ValueError(f"not a canonical order: {text}")


def _read_help(unit: Unit, verb: str, other: Unit, goal: Sequence[str]) -> Order:
    if not goal:
        return SupportHold(unit, other)
    if verb == "C":
        return Convoy(unit, other, ProvinceCode(goal[1]))
    return SupportMove(unit, other, Location(goal[1]))


def province_of_order(order: Order) -> str:
    """Return the province of the unit that `order` is for, or `WAIVE`."""
    return "WAIVE" if isinstance(order, Waive) else province_of(order.unit.location)
