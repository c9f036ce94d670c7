"""Reads a single unit, as positions and conditional orders name it."""

from diplomaccloud.judge.board import Board, Power
from diplomaccloud.judge.notation.errors import NotationError
from diplomaccloud.judge.notation.meaning import (
    can_stand,
    cannot_stand_error,
    choose_province,
    make_location,
)
from diplomaccloud.judge.notation.reader import Reader, expect_end
from diplomaccloud.judge.units import Unit


def parse_unit(text: str, board: Board, power: Power) -> Unit:
    """Return the unit written as `A PAR` or `F STP/SC`, as a unit of `power`.

    Raises `NotationError` if the kind is missing or such a unit cannot be there.
    """
    reader = Reader(text, board)
    phrase = reader.unit()
    expect_end(reader, "the unit")
    kind = phrase.kind
    if kind is None or phrase.place is None:
        raise NotationError(f"write A for an army or F for a fleet before {text[:40]!r}")
    code = choose_province(phrase.place, lambda code: can_stand(board, kind, code), board)
    location = make_location(board.by_code[code], kind, phrase.coast)
    if location not in board.locations(kind):
        raise cannot_stand_error(board.by_code[code], kind)
    return Unit(kind, location, power)
