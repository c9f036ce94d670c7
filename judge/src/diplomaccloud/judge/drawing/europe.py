"""The standard map of Europe in 1901, our own drawing, and maps of Europe for other setups."""

import json
from dataclasses import replace
from functools import cache
from pathlib import Path

from diplomaccloud.judge.board import Board, Location
from diplomaccloud.judge.drawing.chart import Chart, Passage, Shape
from diplomaccloud.judge.drawing.map_file import chart_from_json
from diplomaccloud.judge.standard.europe import standard_board

DATA = Path(__file__).with_name("europe.json")
"""The stored standard map: a chart file without its board, which is in `judge.standard`.

`scripts/europe` writes it from a drawing.
"""

_PASSAGES = {
    (
        "AEG",
        "BLA",
    ): "855,861 862,848 867,837 880,817 893,799 909,786 914,772 914,757 917,747 922,738 929,727"
}
"""Connections of some boards that the map of Europe does not show as lines, in map units."""


@cache
def standard_chart() -> Chart:
    """Return the standard board as a map."""
    return chart_from_json(json.loads(DATA.read_text(encoding="utf-8")), standard_board())


def derive_chart(board: Board, world: str) -> Chart:
    """Return the standard map for `board`, which has some or all of the standard provinces.

    Provinces that `board` closes become hatched land. A border of `board` that no line of the map
    shows is drawn as a passage, if there is a line for it here.
    """
    whole = standard_chart()
    shapes = [shape for shape in whole.shapes if shape.province in board.by_code]
    closed = (
        (str(shape.province), rings)
        for shape in whole.shapes
        if shape.province not in board.by_code
        for rings in shape.polygons
    )
    return replace(
        whole,
        world=world,
        board=board,
        shapes=tuple(_derive_shape(shape, board) for shape in shapes),
        palette={power: whole.palette[power] for power in board.power_info},
        scenery=(*whole.scenery, *closed),
        passages=_list_passages(board),
    )


def _derive_shape(shape: Shape, board: Board) -> Shape:
    if board.by_code[shape.province].center or shape.anchors.star is None:
        return shape
    return replace(shape, anchors=replace(shape.anchors, star=None))


def _list_passages(board: Board) -> tuple[Passage, ...]:
    borders = {frozenset(border) for border in board.fleet_borders}
    passages = []
    for (start, end), drawn in _PASSAGES.items():
        points = [(float(x), float(y)) for x, y in (one.split(",") for one in drawn.split())]
        if {start, end} in borders:
            passages.append(Passage((Location(start), Location(end)), tuple(points)))
    return tuple(passages)
