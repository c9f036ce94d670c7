"""Reads the conditional orders of one power from text."""

import re

from diplomaccloud.judge.board import Board, Location, Power, ProvinceCode
from diplomaccloud.judge.conditional_orders.plans import (
    AdjustmentPlan,
    ConditionalOrders,
    RetreatPlan,
)
from diplomaccloud.judge.notation import NotationError, NotationKey, parse_unit
from diplomaccloud.judge.notation.units import Reader, choose_province, require_end
from diplomaccloud.judge.units import Unit

MAX_LENGTH = 2_000
MAX_CLAUSES = 60
MAX_CHOICES = 40
MAX_QUOTED = 60
"""How many characters of a clause an error quotes."""

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
_ADJUSTMENT_WORDS = re.compile(
    r"(?:then )?(?:(?P<builds>builds?)|(?P<removes>removes?|disbands?)) ?:? ?"
)
# "and" separates only before a unit or a waive, because a name may contain it.
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


def parse_conditional_orders(text: str, board: Board, power: Power) -> ConditionalOrders:
    """Return the conditional orders of `power` in `text`.

    Clauses end with a semicolon or a line break. "Two gained" means that two builds are due,
    however many centers changed hands. A clause without "gained" or "lost" uses the word of the
    clause before it. Raises `NotationError` naming the clause at fault; two clauses may not have
    the same condition.
    """
    retreats: dict[ProvinceCode, RetreatPlan] = {}
    adjustments: dict[int, AdjustmentPlan] = {}
    sign = 1
    for clause in split_clauses(text):
        try:
            plan = _parse_clause(clause, board, power, sign)
        except NotationError as error:
            raise clause_error(clause, error) from None
        if isinstance(plan, RetreatPlan):
            if plan.province in retreats:
                raise clause_error(clause, NotationError(NotationKey.CONDITION_REPEATED))
            retreats[plan.province] = plan
        else:
            if plan.owed in adjustments:
                raise clause_error(clause, NotationError(NotationKey.CONDITION_REPEATED))
            adjustments[plan.owed] = plan
            sign = 1 if plan.owed > 0 else -1
    return ConditionalOrders(tuple(retreats.values()), tuple(adjustments.values()))


def split_clauses(text: str) -> list[str]:
    """Return the clauses of `text` with single spaces, without periods and `#` comments.

    Raises `NotationError` if the text is too long or has too many clauses.
    """
    if len(text) > MAX_LENGTH:
        raise NotationError(NotationKey.TEXT_TOO_LONG, limit=MAX_LENGTH)
    clauses = [" ".join(clause.split()) for clause in re.split(r"[;\n]", _COMMENT.sub("", text))]
    clauses = [clause.rstrip(".") for clause in clauses if clause.strip(" .")]
    if len(clauses) > MAX_CLAUSES:
        raise NotationError(NotationKey.TOO_MANY_CONDITIONS, limit=MAX_CLAUSES)
    return clauses


def clause_error(clause: str, error: NotationError) -> NotationError:
    """Return the error that quotes `clause` and says what is wrong with it."""
    return NotationError(NotationKey.CLAUSE, clause=clause[:MAX_QUOTED], error=error.message)


def _parse_clause(
    clause: str, board: Board, power: Power, sign: int
) -> RetreatPlan | AdjustmentPlan:
    """Return a clause's plan; `sign` says whether a number alone means gained or lost."""
    lowered = clause.lower()
    if match := _DISLODGED.fullmatch(lowered):
        province = _parse_place(match["place"], board)[0]
        parts = _split_choices(_without_start(match["body"], _RETREAT_WORDS))
        return RetreatPlan(province, tuple(_parse_retreat(part, board) for part in parts))
    if match := _COUNTED.fullmatch(lowered):
        number = _parse_number(match["number"])
        if match["way"] is not None:
            sign = -1 if match["way"] in _LOST else 1
        _require_same_way(match["body"], sign)
        parts = _split_choices(_without_start(match["body"], _ADJUSTMENT_WORDS))
        units = tuple(_parse_adjustment(part, board, power, sign) for part in parts)
        return AdjustmentPlan(sign * number, units)
    raise NotationError(NotationKey.CONDITION_UNKNOWN)


def _require_same_way(body: str, sign: int) -> None:
    """Raise `NotationError` if `body` removes units for a gain or builds units for a loss."""
    verb = _ADJUSTMENT_WORDS.match(body)
    if verb and verb["removes" if sign > 0 else "builds"]:
        raise NotationError(NotationKey.CONDITION_CONTRADICTED)


def _without_start(body: str, words: re.Pattern[str]) -> str:
    match = words.match(body)
    return body[match.end() :] if match else body


def _split_choices(body: str) -> list[str]:
    parts = [part.strip() for part in _SEPARATOR.split(body)]
    if not body or not all(parts):
        raise NotationError(NotationKey.CHOICE_MISSING)
    if len(parts) > MAX_CHOICES:
        raise NotationError(NotationKey.TOO_MANY_CHOICES, limit=MAX_CHOICES)
    return parts


def _parse_number(word: str) -> int:
    number = _NUMBERS.get(word, int(word) if word.isascii() and word.isdecimal() else 0)
    if not 0 < number <= MAX_CHOICES:
        raise NotationError(NotationKey.UNKNOWN_NUMBER, word=word)
    return number


def _parse_place(text: str, board: Board) -> tuple[ProvinceCode, str | None]:
    reader = Reader(text, board)
    reading, coast = reader.place()
    require_end(reader, reading.text)
    return choose_province(reading, lambda _: True, board), coast


def _parse_retreat(part: str, board: Board) -> Location | None:
    if part in _DISBAND:
        return None
    code, coast = _parse_place(part, board)
    return Location(f"{code}/{coast}" if coast else code)


def _parse_adjustment(part: str, board: Board, power: Power, sign: int) -> Unit | None:
    if part in _WAIVE:
        if sign < 0:
            raise NotationError(NotationKey.REMOVAL_WAIVED)
        return None
    return parse_unit(part, board, power)
