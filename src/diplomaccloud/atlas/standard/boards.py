"""Europe as other boards have it: the standard map with borders, homes and closed land changed."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from diplomaccloud.atlas.chart import Chart, Passage, Ring, Shape
from diplomaccloud.atlas.standard import standard_chart
from diplomaccloud.judge.board import Board, Location
from diplomaccloud.judge.standard.setups import Setup, setups

DATA = Path(__file__).with_name("boards.toml")
DRAWINGS = Path(__file__).with_name("drawings.txt")

MAKER = "setup "
"""How the maker of such a map begins; the setup's name follows."""


@dataclass(frozen=True, slots=True)
class SetupChart:
    """A setup of the documents and its map.

    Where a coin joins a power to a player, the map is of the board from then on.
    """

    setup: Setup
    chart: Chart


@cache
def setup_charts() -> Mapping[str, SetupChart]:
    """Return the maps of all setups but the usual one, by the setup's name."""
    names: dict[str, str] = tomllib.loads(DATA.read_text(encoding="utf-8"))["names"]
    found = {}
    for name, world in names.items():
        setup = setups()[name]
        board = setup.board if setup.coin is None else setup.coin.board
        chart = replace(derived_chart(board, world), maker=MAKER + name)
        found[name] = SetupChart(setup, chart)
    return found


@cache
def known_drawings() -> frozenset[str]:
    """Return the hashes of all maps of Europe that any version of this project has drawn.

    Those drawn now are among them: who draws Europe anew adds a line for each to `drawings.txt`.
    """
    lines = DRAWINGS.read_text(encoding="ascii").splitlines()
    return frozenset(line.split()[0] for line in lines)


def derived_chart(board: Board, world: str) -> Chart:
    """Return the standard map for `board`, which has some or all of the standard provinces.

    Provinces that `board` closes become hatched land; a border of it that no line of the map
    shows is drawn as a passage, if there is a line for it in `boards.toml`.
    """
    whole = standard_chart()
    open_, closed = _parted(whole, board)
    return replace(
        whole,
        world=world,
        board=board,
        shapes=tuple(_shape(shape, board) for shape in open_),
        palette={power: whole.palette[power] for power in board.power_info},
        scenery=(*whole.scenery, *closed),
        passages=_passages(board),
    )


def _parted(whole: Chart, board: Board) -> tuple[list[Shape], list[tuple[str, tuple[Ring, ...]]]]:
    """Return the shapes of the provinces of `board`, and those of closed ones as scenery."""
    open_ = [shape for shape in whole.shapes if shape.province in board.by_code]
    closed: list[tuple[str, tuple[Ring, ...]]] = [
        (shape.province, rings)
        for shape in whole.shapes
        if shape.province not in board.by_code
        for rings in shape.polygons
    ]
    return open_, closed


def _shape(shape: Shape, board: Board) -> Shape:
    if board.by_code[shape.province].center or shape.anchors.star is None:
        return shape
    return replace(shape, anchors=replace(shape.anchors, star=None))


def _passages(board: Board) -> tuple[Passage, ...]:
    drawn: list[dict[str, list[str | float]]] = tomllib.loads(DATA.read_text(encoding="utf-8"))[
        "passages"
    ]
    borders = {frozenset(border) for border in board.fleet_borders}
    found = []
    for one in drawn:
        first, last = (Location(str(end)) for end in one["ends"])
        values = [float(value) for value in one["points"]]
        if frozenset((first, last)) in borders:
            points = tuple(zip(values[::2], values[1::2], strict=True))
            found.append(Passage((first, last), points))
    return tuple(found)
