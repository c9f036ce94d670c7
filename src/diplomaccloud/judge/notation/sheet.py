"""A power's whole order sheet: one order on a line, or several with commas between them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from diplomaccloud.judge.board import Board, Power
from diplomaccloud.judge.notation.errors import NotationError
from diplomaccloud.judge.notation.names import names_of
from diplomaccloud.judge.notation.orders import parse_line
from diplomaccloud.judge.notation.words import name_tokens
from diplomaccloud.judge.orders import Order
from diplomaccloud.judge.position import Position

MAX_SHEET = 64 * 1024
"""The longest sheet that is read, in characters."""

MAX_LINES = 250
"""The longest sheet that is read, in orders; no board has room for half as many units."""

_PARTS = re.compile(r"[,;]")


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


def parse_sheet(text: str, board: Board, position: Position, power: Power) -> Sheet:
    """Return the orders of `power` written in `text`, and an error for each that is none.

    One order stands on a line; commas and semicolons part orders too, and an order may follow
    another at once if it begins with A or F. Empty lines, lines that
    begin with `#`, and the power's own name before a colon are passed over. Takes time
    linear in the length of the text: a sheet too long is answered with a single error.
    """
    if len(text) > MAX_SHEET:
        return _refused(f"a sheet has at most {MAX_SHEET} characters, this has {len(text)}")
    orders: list[Order] = []
    errors: list[LineError] = []
    for count, (number, part) in enumerate(_parts(text), start=1):
        if count > MAX_LINES:
            return _refused(f"a sheet has at most {MAX_LINES} orders")
        try:
            own = _without_heading(part, board, power)
            if own:
                orders.extend(parse_line(own, board, position, power))
        except NotationError as error:
            errors.append(LineError(number, part[:80], str(error)))
    return Sheet(tuple(orders), tuple(errors))


def _refused(message: str) -> Sheet:
    return Sheet((), (LineError(1, "", message),))


def _parts(text: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(text.splitlines(), start=1):
        if line.lstrip().startswith("#"):
            continue
        for part in _PARTS.split(line):
            if part.strip():
                yield number, part.strip()


def _without_heading(part: str, board: Board, power: Power) -> str:
    """Return `part` without the name of `power` and a colon before it."""
    heading, colon, rest = part.partition(":")
    if not colon or len(heading) > 40:
        return part
    words = name_tokens(heading)
    found = names_of(board).power(words, 0)
    if found is None or found[1] != len(words):
        return part
    if found[0] != power:
        raise NotationError(f"this is an order of {board.power_info[found[0]].name}, not yours")
    return rest.strip()
