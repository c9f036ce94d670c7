"""The board's part of a chart file: the judge's form, with texts that are safe to show."""

import re

from diplomaccloud.judge.board import Board
from diplomaccloud.judge.boardcodec import read_board
from diplomaccloud.judge.jsonread import Node

CODE = re.compile(r"[A-Z][A-Z0-9]{1,5}", re.ASCII)
LOCATION = re.compile(r"[A-Z][A-Z0-9]{1,5}(/[A-Z]{2})?", re.ASCII)
POWER = re.compile(r"[A-Z][A-Z0-9_]{0,31}", re.ASCII)
_COAST = re.compile(r"[A-Z]{2}", re.ASCII)


def board_from_node(node: Node) -> Board:
    """Return the board written at `node`, or raise `CodecError` naming the place.

    Stricter than the judge: codes and keys are plain capitals and names short and printable,
    for they go into drawings, pages and addresses.
    """
    board = read_board(node)
    _check_texts(node)
    node["victory_centers"].integer(low=1)
    node["first_year"].integer(0, 9999)
    return board


def _check_texts(node: Node) -> None:
    """Refuse the board at `node`, known to be one, for any text that is not safe to show."""
    node["name"].line()
    for key, name, adjective in (power.items(3) for power in node["powers"].items()):
        key.line(POWER)
        name.line()
        adjective.line()
    for province in node["provinces"].items():
        province["code"].line(CODE)
        province["name"].line()
        for coast in province["coasts"].items():
            coast.line(_COAST)
        for alias in province["aliases"].items():
            alias.line()
    for code, name in (one.items(2) for one in node["impassable"].items()):
        code.line(CODE)
        name.line()
