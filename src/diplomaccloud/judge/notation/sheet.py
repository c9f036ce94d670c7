"""Whole order sheets: one power's, or those of several powers under their names."""

import re
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass
from functools import lru_cache

from diplomaccloud.judge.board import Board, Power, ProvinceCode
from diplomaccloud.judge.notation.lines import Line, parse_line
from diplomaccloud.judge.notation.names import names_of, power_spellings
from diplomaccloud.judge.notation.words import MAX_LINE, name_tokens
from diplomaccloud.judge.orders import Order, Waive
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.rules import DEFAULT, RuleSet

MAX_SHEET = 64 * 1024
"""The longest sheet that is read, in characters."""

MAX_LINES = 250
"""The most orders that one power's sheet may have; no board has room for half as many units."""

_MARKUP = re.compile(r"</?[a-zA-Z]{1,8}>|\|")
"""Underlining and the bars of tables, as they come with a sheet copied from a page."""
_STRAY = re.compile(r"\[/?[biu]\]", re.IGNORECASE)
"""What is left of underlining in a forum's posts, in the middle of words: `the a[/u]rmy`."""
_RULE = re.compile(r"[\s:-]*")
_PARTS = re.compile(r"[,;]|\(or\)|^\(or\b", re.IGNORECASE)
_NOTHING = re.compile(r"(?:does not change|no changes?|no orders|nothing|none)\W*", re.IGNORECASE)
_Numbered = tuple[int, str]


@dataclass(frozen=True, slots=True)
class LineError:
    """A piece of a sheet that is no order: its line (from 1), its text and what is wrong."""

    line_number: int
    text: str
    message: str


@dataclass(frozen=True, slots=True)
class Sheet:
    """The orders read from a sheet, in the order written, and what could not be read."""

    orders: tuple[Order, ...]
    errors: tuple[LineError, ...]


def parse_sheet(
    text: str, board: Board, position: Position, power: Power, *, rules: RuleSet = DEFAULT
) -> Sheet:
    """Return the orders of `power` written in `text`, and an error for each that is none.

    One order stands on a line; commas and semicolons part orders too, and an order may follow
    another at once if its unit's kind is written. A line that makes sense only together with
    the one before it goes on from there. Empty lines, lines that begin with `#`, the power's
    own name before a colon, the bars and tags of a copied table, and `(or)` between two ways to
    write an order are passed over. Takes time linear in the length of the text: a sheet too
    long is answered with a single error.
    """
    if len(text) > MAX_SHEET:
        return _refused(f"a sheet has at most {MAX_SHEET} characters, this has {len(text)}")
    return _read(list(_lines(text)), board, position, power, rules)


def parse_sheets(
    text: str, board: Board, position: Position, *, rules: RuleSet = DEFAULT
) -> Mapping[Power, Sheet]:
    """Return the orders written in `text` by power, as rulebooks print them.

    The orders of each power follow its name and a colon, or its name and a verb: `Germany:
    A Hol—Bel A Ruhr S Hol—Bel`, `Germany builds F Kiel and A Mun.` What stands before the first
    name is passed over. Errors name the line of the whole text.
    """
    if len(text) > MAX_SHEET * max(1, len(board.powers)):
        refused = _refused(f"sheets have at most {MAX_SHEET} characters for each power")
        return {info.power: refused for info in board.powers}
    lines: dict[Power, list[_Numbered]] = {}
    power: Power | None = None
    for number, line in _lines(text):
        for heading, part in _headed(line, board):
            power = heading or power
            if power is not None and part.strip():
                lines.setdefault(power, []).append((number, part.strip()))
    return {power: _read(own, board, position, power, rules) for power, own in lines.items()}


def _refused(message: str) -> Sheet:
    return Sheet((), (LineError(1, "", message),))


def _lines(text: str) -> Iterator[_Numbered]:
    for number, line in enumerate(text.splitlines(), start=1):
        bare = _MARKUP.sub(" ", _STRAY.sub("", line)).strip()
        if not bare.startswith("#") and not _RULE.fullmatch(bare):
            yield number, bare


def _read(
    lines: Iterable[_Numbered],
    board: Board,
    position: Position,
    power: Power,
    rules: RuleSet,
) -> Sheet:
    orders: list[Order] = []
    errors: list[LineError] = []
    lapsed: set[Order] = set()
    held: tuple[int, str, Line] | None = None
    for number, text in lines:
        line = _read_line(text, board, position, power, rules)
        lapsed |= line.lapsed
        if held is not None and len(held[1]) + len(text) < MAX_LINE:
            joined = f"{held[1]} {text}"
            whole = _read_line(joined, board, position, power, rules)
            if _makes_more_sense(whole, held[2], line):
                lapsed |= whole.lapsed
                held = held[0], joined, whole
                continue
        _keep(held, orders, errors)
        held = number, text, line
        if len(orders) + len(errors) > MAX_LINES:
            break
    _keep(held, orders, errors)
    if len(orders) + len(errors) > MAX_LINES:
        return _refused(f"a sheet has at most {MAX_LINES} orders")
    return Sheet(_but_lapsed(orders, lapsed), tuple(errors))


def _but_lapsed(orders: list[Order], lapsed: Set[Order]) -> tuple[Order, ...]:
    """Return `orders` without those that lack a detail another for the unit has (4.C)."""
    if not lapsed:
        return tuple(orders)
    whole = {_unit_of(order) for order in orders if order not in lapsed}
    return tuple(o for o in orders if o not in lapsed or _unit_of(o) not in whole)


def _unit_of(order: Order) -> ProvinceCode | None:
    return None if isinstance(order, Waive) else order.unit.province


def _makes_more_sense(whole: Line, one: Line, other: Line) -> bool:
    """Return whether two lines read as one leave fewer errors, and not by losing orders."""
    more = len(whole.orders) > len(one.orders) + len(other.orders)
    fewer = len(whole.errors) < len(one.errors) + len(other.errors)
    return fewer and (more or not whole.errors)


def _keep(held: tuple[int, str, Line] | None, orders: list[Order], errors: list[LineError]) -> None:
    if held is not None:
        number, _, line = held
        orders += line.orders
        errors += (LineError(number, text, message) for text, message in line.errors)


def _read_line(text: str, board: Board, position: Position, power: Power, rules: RuleSet) -> Line:
    orders: list[Order] = []
    errors: list[tuple[str, str]] = []
    lapsed: set[Order] = set()
    for part in _PARTS.split(text):
        if not part.strip() or _NOTHING.fullmatch(part.strip()):
            continue
        owner, own = _without_heading(part.strip(), board)
        if owner not in (None, power):
            whose = board.power_info[owner or power].name
            errors.append((part.strip()[:80], f"this is an order of {whose}, not yours"))
        elif own:
            line = parse_line(own, board, position, power, rules=rules)
            lapsed |= line.lapsed
            orders += line.orders
            errors += line.errors
        if len(orders) + len(errors) > MAX_LINES:
            break
    return Line(tuple(orders), tuple(errors), frozenset(lapsed))


def _without_heading(part: str, board: Board) -> tuple[Power | None, str]:
    """Return the power named before a colon, if any, and what follows it."""
    heading, colon, rest = part.partition(":")
    if not colon or len(heading) > 40:
        return None, part
    words = name_tokens(heading)
    found = names_of(board).power(words, 0)
    if found is None or found[1] != len(words):
        return None, part
    return found[0], rest.strip()


# Sheets of several powers.


def _headed(line: str, board: Board) -> Iterator[tuple[Power | None, str]]:
    """Yield the parts of a line, each with the power whose name begins it, if one does."""
    begun: tuple[Power | None, int] = (None, 0)
    for match in _headings(board).finditer(line):
        yield begun[0], line[begun[1] : match.start()]
        found = names_of(board).power(name_tokens(match["name"]), 0)
        begun = (found[0] if found else None, match.end())
    yield begun[0], line[begun[1] :]


@lru_cache(maxsize=16)
def _headings(board: Board) -> re.Pattern[str]:
    """Return the pattern of a power's name that heads orders."""
    spelled = {word for info in board.powers for word in power_spellings(info)}
    names = "|".join(re.escape(word) for word in sorted(spelled, key=len, reverse=True))
    verbs = "builds|removes|disbands|retreats|waives|writes|orders|does"
    return re.compile(
        rf"(?<![^\W_])(?P<name>{names})"
        rf"(?:\s*:|\s+(?:writes|orders)\b,?|(?=\s+(?:{verbs})\b)|\s*,(?=\s*\w)|\s*$)",
        re.IGNORECASE,
    )
