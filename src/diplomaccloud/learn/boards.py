"""The small boards of lessons and diagrams, with their pictures before and after a turn."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from typing import Any

from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe

from diplomaccloud.atlas.chartfile import content_hash
from diplomaccloud.atlas.png import renderer_version
from diplomaccloud.judge.board import Board, ProvinceCode
from diplomaccloud.judge.drawing.base import render_base
from diplomaccloud.judge.drawing.chart import Chart
from diplomaccloud.judge.drawing.europe import standard_chart
from diplomaccloud.judge.drawing.labels import Labels
from diplomaccloud.judge.drawing.overlay import render_overlay, render_parts
from diplomaccloud.judge.drawing.scene import view_box
from diplomaccloud.judge.orders import Hold
from diplomaccloud.judge.position import Dislodged, Position
from diplomaccloud.judge.results import OrderResult, Resolution
from diplomaccloud.learn.cutting import cut_apart
from diplomaccloud.maps.pictures import BASE_THEMES, THEMES
from diplomaccloud.sandbox.animation import JudgedPhase, animate_phase

_HASH_LENGTH = 16
"""Hexadecimal digits of a picture's address; enough to tell a few boards apart."""


WHOLE = "europe"
"""The name of the whole board, on which the first game is played."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A board as a page shows it: the drawn base in both schemes and the overlay."""

    light_url: str
    dark_url: str
    width: int
    height: int
    overlay: SafeString


@dataclass(frozen=True, slots=True)
class SmallBoard:
    """A small board: its chart and its hash, which is in the address of its pictures."""

    name: str
    chart: Chart
    digest: str

    @property
    def board(self) -> Board:
        """What the judge needs."""
        return self.chart.board

    def show(self, drawn: str = "") -> Picture:
        """Return its picture, with what is drawn on top."""
        width, height = (round(float(side)) for side in view_box(self.chart).split()[2:])
        light, dark = (
            reverse("learn:board", args=[self.name, self.digest, theme]) for theme in THEMES
        )
        overlay = mark_safe(drawn)  # noqa: S308 - drawn by us; the renderer escapes names
        return Picture(light, dark, width, height, overlay)


@cache
def small_board(name: str) -> SmallBoard:
    """Return the small board called `name`, or the whole one; raise `KeyError` for others."""
    chart = standard_chart() if name == WHOLE else cut_apart(name)
    digest = f"{content_hash(chart)[:_HASH_LENGTH]}-{renderer_version()}"
    return SmallBoard(name, chart, digest)


@cache
def draw_base(name: str, theme: str) -> bytes:
    """Return the SVG of a small board without units and names."""
    return render_base(small_board(name).chart, BASE_THEMES[theme]).encode()


@dataclass(frozen=True, slots=True)
class RestingBoard:
    """A position with the results of a turn, as the board shows them while nothing plays."""

    chart: Chart
    position: Position
    results: tuple[OrderResult, ...]
    standoffs: tuple[ProvinceCode, ...]
    dislodged: tuple[Dislodged, ...] = ()
    labels: Labels = Labels.BOTH

    def draw(self, title: str) -> str:
        """Return the overlay."""
        return render_overlay(self.chart, self.position, **self._turn, title=title)

    def parts(self) -> Mapping[str, str]:
        """Return the groups of the overlay that change with the turn."""
        return render_parts(self.chart, self.position, **self._turn)

    @property
    def _turn(self) -> dict[str, Any]:
        return {
            "results": self.results,
            "dislodged": self.dislodged,
            "standoffs": self.standoffs,
            "labels": self.labels,
        }


def rest_before(judged: JudgedPhase) -> RestingBoard:
    """Return the board with a phase's results, and every unit where it was ordered."""
    turn = judged.resolution
    return RestingBoard(
        judged.chart,
        judged.position,
        tuple(turn.results),
        tuple(turn.standoffs),
        tuple(turn.dislodged),
        judged.labels,
    )


def rest_after(
    chart: Chart, turn: Sequence[Resolution], labels: Labels = Labels.BOTH
) -> RestingBoard:
    """Return the board after the phases of a turn, with their results.

    As on the page of a game, units that only held are left out: a ring would say nothing.
    """
    position = turn[-1].next
    occupied = {unit.province for unit in position.units}
    results = (result for resolution in turn for result in resolution.results)
    standoffs = (code for resolution in turn for code in resolution.standoffs)
    return RestingBoard(
        chart,
        position,
        tuple(result for result in results if not isinstance(result.order, Hold)),
        tuple(code for code in standoffs if code not in occupied),
        labels=labels,
    )


def build_replay(judged: JudgedPhase, resting: RestingBoard) -> Mapping[str, object]:
    """Return what a page needs to play a phase on the board that it shows.

    It leaves out the parts of the picture that look the same as on the `resting` board throughout.
    """
    animation = asdict(animate_phase(judged))
    planned, shown = animation["planned"], resting.parts()
    animation["parts"] = {
        name: drawn
        for name, drawn in animation["parts"].items()
        if name in planned or drawn != shown[name]
    }
    return animation
