"""Maps of Europe for other setups, with changed borders, homes and closed land."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from diplomaccloud.atlas.chart import Chart, Passage, Shape
from diplomaccloud.atlas.standard import standard_chart
from diplomaccloud.judge.board import Board, Location
from diplomaccloud.judge.standard.setups import Setup, setups

DATA = Path(__file__).with_name("boards.toml")
DRAWINGS = Path(__file__).with_name("drawings.txt")

MAKER_PREFIX = "setup "
"""The prefix of the `maker` of a setup's map; the name of the setup follows."""


@dataclass(frozen=True, slots=True)
class SetupChart:
    """A setup and its map.

    In a setup where a coin flip decides who gets a power, the map is of the board after the flip.
    """

    setup: Setup
    chart: Chart


@cache
def setup_charts() -> Mapping[str, SetupChart]:
    """Return the maps of all setups except the standard one, by the setup's name."""
    names: dict[str, str] = tomllib.loads(DATA.read_text(encoding="utf-8"))["names"]
    charts = {}
    for name, world in names.items():
        setup = setups()[name]
        board = setup.board if setup.coin is None else setup.coin.board
        chart = replace(derive_chart(board, world), maker=MAKER_PREFIX + name)
        charts[name] = SetupChart(setup, chart)
    return charts


@cache
def known_drawings() -> frozenset[str]:
    """Return the hashes of all maps of Europe that any version of this project has drawn.

    They include the current maps: after redrawing Europe, add a line for each to `drawings.txt`.
    """
    lines = DRAWINGS.read_text(encoding="ascii").splitlines()
    return frozenset(line.split()[0] for line in lines)


def derive_chart(board: Board, world: str) -> Chart:
    """Return the standard map for `board`, which has some or all of the standard provinces.

    Provinces that `board` closes become hatched land. A border of `board` that no line of the map
    shows is drawn as a passage, if `boards.toml` has a line for it.
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
    """Return the passages in `boards.toml` for borders of `board`."""
    entries: list[dict[str, list[str | float]]] = tomllib.loads(DATA.read_text(encoding="utf-8"))[
        "passages"
    ]
    borders = {frozenset(border) for border in board.fleet_borders}
    passages = []
    for entry in entries:
        first, last = (Location(str(end)) for end in entry["ends"])
        values = [float(value) for value in entry["points"]]
        if frozenset((first, last)) in borders:
            points = tuple(zip(values[::2], values[1::2], strict=True))
            passages.append(Passage((first, last), points))
    return tuple(passages)
