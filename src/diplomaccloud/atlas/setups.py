"""Maps of Europe for other setups, with changed borders, homes and closed land."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from diplomaccloud.judge.drawing.chart import Chart
from diplomaccloud.judge.drawing.europe import derive_chart
from diplomaccloud.setups import Setup, setups

DRAWINGS = Path(__file__).with_name("drawings.txt")

DATA = Path(__file__).with_name("setups.toml")
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
