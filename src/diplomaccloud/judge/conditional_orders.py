"""Retreats and adjustments written ahead of the result, with the conditions on which they hold.

    if MUN is dislodged: BER, KIE; if two gained: A LON, F EDI; if one: F LON

Source: the errata of document 2, "Submitting Conditional Retreats and Adjustments".
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from diplomaccloud.judge.adjustments import adjustments_owed
from diplomaccloud.judge.board import Board, Location, Power, ProvinceCode, province_of
from diplomaccloud.judge.legality.legal_orders import why_illegal
from diplomaccloud.judge.notation import NotationError, parse_unit
from diplomaccloud.judge.notation.meaning import settle
from diplomaccloud.judge.notation.reader import Reader, expect_end
from diplomaccloud.judge.orders import AdjustmentOrder, Build, Disband, Retreat, Waive
from diplomaccloud.judge.position import Dislodged, Position
from diplomaccloud.judge.units import Unit

LONGEST = 2_000
MOST_CLAUSES = 60
MOST_CHOICES = 40


@dataclass(frozen=True, slots=True)
class RetreatPlan:
    """Where the unit in `province` retreats to: the first of `choices` that it can reach.

    None among them is to disband.
    """

    province: ProvinceCode
    choices: tuple[Location | None, ...]

    def __str__(self) -> str:
        shown = ", ".join(choice or "disband" for choice in self.choices)
        return f"if {self.province} is dislodged: {shown}"


@dataclass(frozen=True, slots=True)
class AdjustmentPlan:
    """What is built when `owed` builds are due, or removed when it is negative.

    The first of `units` that are possible are taken, None being a build waived; further ones
    stand in for those that are not possible.
    """

    owed: int
    units: tuple[Unit | None, ...]

    def __str__(self) -> str:
        shown = ", ".join("waive" if unit is None else str(unit) for unit in self.units)
        return f"if {abs(self.owed)} {'gained' if self.owed > 0 else 'lost'}: {shown}"


@dataclass(frozen=True, slots=True)
class Conditions:
    """Everything one player wrote ahead; `str` is its canonical text, which reads back."""

    retreats: tuple[RetreatPlan, ...] = ()
    adjustments: tuple[AdjustmentPlan, ...] = ()

    def __str__(self) -> str:
        return "; ".join(map(str, (*self.retreats, *self.adjustments)))


# Reading.

_DISLODGED = re.compile(
    r"if (?:the )?(?:(?:army|fleet|unit|a|f)(?: in| at)? )?(?P<place>.{1,60}?)"
    r"(?: is| gets| was)? dislodged ?[:,]? ?(?P<body>.*)"
)
_COUNTED = re.compile(
    r"if (?:only |just )?(?P<number>\w{1,8})"
    r"(?: (?:supply )?(?:center|centre|sc|build|unit|removal|disband)s?)?"
    r"(?: (?:is|are|was|were))?(?: (?P<way>gained|won|owed|built|lost|removed|disbanded))?"
    r" ?[:,] ?(?P<body>.*)"
)
_COMMENT = re.compile(r"#[^\n]*")
_RETREAT_WORDS = re.compile(
    r"(?:then )?(?:it )?retreats?(?: to)?(?: \(?in order of preference\)?)? ?:? ?"
)
_ADJUST_WORDS = re.compile(r"(?:then )?(?:builds?|removes?|disbands?) ?:? ?")
# No bare "and": names may hold one; before a unit or a waive it can only join.
_SEPARATOR = re.compile(
    r" ?, ?(?:(?:and|or|then) )*| (?:or|then) | and (?=(?:a|f|army|fleet|waive)\b)"
)
_NUMBERS = {
    word: number
    for number, word in enumerate(
        ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
    )
}
_LOST = frozenset({"lost", "removed", "disbanded"})
_DISBAND = frozenset({"disband", "disbands", "destroy", "remove"})
_WAIVE = frozenset({"waive", "waives", "nothing", "pass"})


def parse_conditions(text: str, board: Board, power: Power) -> Conditions:
    """Return what `text` means when `power` writes it; clauses end with a semicolon or a line.

    "Two gained" means two builds due, however many centers changed hands; a clause without
    "gained" or "lost" is about the same as the clause before. Raises `NotationError` naming
    the clause at fault, also for two clauses on one condition.
    """
    clauses = clauses_of(text)
    retreats: dict[ProvinceCode, RetreatPlan] = {}
    adjustments: dict[int, AdjustmentPlan] = {}
    sign = 1
    for clause in clauses:
        try:
            plan = _clause(clause, board, power, sign)
        except NotationError as error:
            raise NotationError(f"{clause[:60]!r}: {error}") from None
        if isinstance(plan, RetreatPlan):
            _only_once(plan.province in retreats, clause)
            retreats[plan.province] = plan
        else:
            _only_once(plan.owed in adjustments, clause)
            adjustments[plan.owed] = plan
            sign = 1 if plan.owed > 0 else -1
    return Conditions(tuple(retreats.values()), tuple(adjustments.values()))


def clauses_of(text: str) -> list[str]:
    """Return the clauses of `text`, single-spaced, without full stops and `#` comments.

    Raises `NotationError`.
    """
    if len(text) > LONGEST:
        raise NotationError(f"more than {LONGEST} characters")
    clauses = [" ".join(clause.split()) for clause in re.split(r"[;\n]", _COMMENT.sub("", text))]
    clauses = [clause.rstrip(".") for clause in clauses if clause.strip(" .")]
    if len(clauses) > MOST_CLAUSES:
        raise NotationError(f"more than {MOST_CLAUSES} conditions")
    return clauses


def _only_once(again: bool, clause: str) -> None:
    if again:
        raise NotationError(f"{clause[:60]!r}: there is such a condition already")


def _clause(clause: str, board: Board, power: Power, sign: int) -> RetreatPlan | AdjustmentPlan:
    lowered = clause.lower()
    if found := _DISLODGED.fullmatch(lowered):
        province = _place(found["place"], board)[0]
        body = found["body"]
        body = body[m.end() :] if (m := _RETREAT_WORDS.match(body)) else body
        return RetreatPlan(province, tuple(_retreat(part, board) for part in _parts(body)))
    if found := _COUNTED.fullmatch(lowered):
        number = _number(found["number"])
        sign = sign if found["way"] is None else -1 if found["way"] in _LOST else 1
        body = found["body"]
        body = body[m.end() :] if (m := _ADJUST_WORDS.match(body)) else body
        units = tuple(_adjustment(part, board, power, sign) for part in _parts(body))
        return AdjustmentPlan(sign * number, units)
    raise NotationError("write 'if MUN is dislodged: BER, KIE' or 'if two gained: A LON, F EDI'")


def _parts(body: str) -> list[str]:
    parts = [part.strip() for part in _SEPARATOR.split(body)]
    if not body or not all(parts):
        raise NotationError("what is to be done is missing")
    if len(parts) > MOST_CHOICES:
        raise NotationError(f"more than {MOST_CHOICES} choices")
    return parts


def _number(word: str) -> int:
    number = _NUMBERS.get(word, int(word) if word.isascii() and word.isdecimal() else 0)
    if not 0 < number <= MOST_CHOICES:
        raise NotationError(f"{word!r} is no number of builds or removals")
    return number


def _place(text: str, board: Board) -> tuple[ProvinceCode, str | None]:
    reader = Reader(text, board)
    reading, coast = reader.place()
    expect_end(reader, reading.text)
    return settle(reading, lambda _: True, board), coast


def _retreat(part: str, board: Board) -> Location | None:
    if part in _DISBAND:
        return None
    code, coast = _place(part, board)
    return Location(f"{code}/{coast}" if coast else code)


def _adjustment(part: str, board: Board, power: Power, sign: int) -> Unit | None:
    if part in _WAIVE:
        if sign < 0:
            raise NotationError("a removal cannot be waived")
        return None
    return parse_unit(part, board, power)


# Following.


def planned_retreats(
    plan: Conditions, position: Position, power: Power
) -> tuple[Retreat | Disband, ...] | None:
    """Return the retreats that were planned, None if any dislodged unit has none that fits.

    The units choose one after another, in the order in which they were written; what one has
    chosen the next one passes over, for two in one province would both be lost.
    """
    ours = {one.unit.province: one for one in position.dislodged_of(power)}
    orders: list[Retreat | Disband] = []
    taken: set[ProvinceCode] = set()
    for wish in plan.retreats:
        one = ours.pop(wish.province, None)
        if one is None:
            continue
        order = _first_retreat(one, wish, taken)
        if order is None:
            return None
        if isinstance(order, Retreat):
            taken.add(province_of(order.to))
        orders.append(order)
    return None if ours else tuple(orders)


def _first_retreat(
    one: Dislodged, wish: RetreatPlan, taken: set[ProvinceCode]
) -> Retreat | Disband | None:
    for choice in wish.choices:
        if choice is None:
            return Disband(one.unit)
        reach = [to for to in one.retreats if choice in (to, province_of(to))]
        # A province with two coasts in reach needs the coast named.
        if len(reach) == 1 and province_of(reach[0]) not in taken:
            return Retreat(one.unit, reach[0])
    return None


def planned_adjustments(
    plan: Conditions, board: Board, position: Position, power: Power
) -> tuple[AdjustmentOrder, ...] | None:
    """Return the builds or removals that were planned, None if there is no plan that fits."""
    owed = adjustments_owed(board, position, power)
    wish = next((one for one in plan.adjustments if one.owed == owed), None)
    if wish is None:
        return None
    orders = list(_possible(wish, board, position, power))[: abs(owed)]
    return tuple(orders) if len(orders) == abs(owed) else None


def _possible(
    wish: AdjustmentPlan, board: Board, position: Position, power: Power
) -> Iterator[AdjustmentOrder]:
    done: set[ProvinceCode] = set()
    for unit in wish.units:
        if unit is None:
            yield Waive(power)
            continue
        order = Build(unit) if wish.owed > 0 else Disband(unit)
        if unit.province in done or why_illegal(board, position, power, order):
            continue
        done.add(unit.province)
        yield order
