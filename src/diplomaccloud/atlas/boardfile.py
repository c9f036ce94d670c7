"""The board's part of a chart file: the judge's form, with texts that are safe to show."""

import re
from collections.abc import Iterator

from diplomaccloud.atlas.reading import ChartError, Node
from diplomaccloud.judge.board import Board
from diplomaccloud.judge.boardcodec import board_from_json, board_to_json
from diplomaccloud.judge.jsonread import CodecError

CODE = re.compile(r"[A-Z][A-Z0-9]{1,5}", re.ASCII)
LOCATION = re.compile(r"[A-Z][A-Z0-9]{1,5}(/[A-Z]{2})?", re.ASCII)
POWER = re.compile(r"[A-Z][A-Z0-9_]{0,31}", re.ASCII)
_COAST = re.compile(r"[A-Z]{2}", re.ASCII)


def board_to_data(board: Board) -> dict[str, object]:
    """Return `board` as JSON values."""
    return board_to_json(board)


def board_from_node(node: Node) -> Board:
    """Return the board written at `node`, or raise `ChartError` naming the place.

    Stricter than the judge: codes and keys are plain capitals and names short and printable,
    for they go into drawings, pages and addresses.
    """
    try:
        board = board_from_json(node.value)
    except CodecError as error:
        raise ChartError(f"{node.where}: {error}") from error
    for value, where, pattern in _texts(board):
        Node(value, f"{node.where}.{where}").text(pattern)
    if board.victory_centers < 1 or not 0 <= board.first_year <= 9999:
        raise node.fail("the victory or the first year is out of range")
    return board


def _texts(board: Board) -> Iterator[tuple[str, str, re.Pattern[str] | None]]:
    """Yield every text that may be shown: value, place and the pattern it must have."""
    yield board.name, "name", None
    for place, power in enumerate(board.powers):
        yield power.power, f"powers[{place}][0]", POWER
        yield power.name, f"powers[{place}][1]", None
        yield power.adjective, f"powers[{place}][2]", None
    for place, province in enumerate(board.provinces):
        at = f"provinces[{place}]"
        yield province.code, f"{at}.code", CODE
        yield province.name, f"{at}.name", None
        for number, coast in enumerate(province.coasts):
            yield coast, f"{at}.coasts[{number}]", _COAST
        for number, alias in enumerate(province.aliases):
            yield alias, f"{at}.aliases[{number}]", None
    for place, (code, name) in enumerate(board.impassable):
        yield code, f"impassable[{place}][0]", CODE
        yield name, f"impassable[{place}][1]", None
