"""The small boards of lessons and diagrams, with their pictures before and after a turn."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache

from django.urls import reverse

from diplomaccloud.atlas.chart import Chart, Window
from diplomaccloud.atlas.chartfile import content_hash
from diplomaccloud.atlas.render.base import render_base
from diplomaccloud.atlas.render.labels import Labels
from diplomaccloud.atlas.render.overlay import render_overlay, render_parts
from diplomaccloud.atlas.render.png import renderer_version
from diplomaccloud.atlas.render.scene import view_box
from diplomaccloud.atlas.render.theme import LIGHT, NIGHT
from diplomaccloud.atlas.standard import standard_chart
from diplomaccloud.judge.board import Board, ProvinceCode
from diplomaccloud.judge.orders import Hold
from diplomaccloud.judge.position import Dislodged, Position
from diplomaccloud.judge.results import OrderResult, Resolution
from diplomaccloud.sandbox.animation import JudgedPhase, animate_phase

_THEMES = {"light": LIGHT, "dark": NIGHT}
_HASH_LENGTH = 16
"""Hexadecimal digits of a picture's address; enough to tell a few boards apart."""


@dataclass(frozen=True, slots=True)
class Cut:
    """Which part of the standard map a small board shows.

    `without` are provinces that are out of play. `victory_centers` decides who wins on it.
    """

    window: Window
    without: tuple[str, ...] = ()
    victory_centers: int | None = None


CUTS = {
    "germany": Cut(Window(420, 290, 770, 650), ("BUD", "WAR")),
    "burgundy": Cut(Window(225, 465, 605, 790), ("BRE", "VEN")),
    "channel": Cut(Window(205, 225, 600, 625), ("BER", "MUN", "CLY", "LVP", "BRE", "PIC", "SKA")),
    "west": Cut(Window(225, 465, 605, 790), ("VEN", "TUS", "TYR", "KIE", "WAL", "LON"), 4),
    "alps": Cut(Window(300, 480, 700, 790), ("ADR",)),
}
"""The small boards by name."""

WHOLE = "europe"
"""The name of the whole board, on which the first game is played."""


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

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of its pictures."""
        width, height = (float(side) for side in view_box(self.chart).split()[2:])
        return round(width), round(height)

    def picture_url(self, theme: str) -> str:
        """Return the address of the picture without units and names, `light` or `dark`."""
        return reverse("learn:board", args=[self.name, self.digest, theme])


@cache
def small_board(name: str) -> SmallBoard:
    """Return the small board called `name`, or the whole one; raise `KeyError` for others."""
    chart = standard_chart() if name == WHOLE else _cut(CUTS[name])
    digest = f"{content_hash(chart)[:_HASH_LENGTH]}-{renderer_version()}"
    return SmallBoard(name, chart, digest)


def _cut(cut: Cut) -> Chart:
    # Imported only when needed: other pages do not use its geometry library.
    from diplomaccloud.atlas.crop import crop_chart  # noqa: PLC0415

    chart = crop_chart(
        standard_chart(),
        cut.window,
        "Small board",
        without=cut.without,
        victory_centers=cut.victory_centers,
    )
    # Enlarged this much, hills are blurred and hide the borders that a lesson is about.
    return replace(chart, relief=None)


@cache
def draw_base(name: str, theme: str) -> bytes:
    """Return the SVG of a small board without units and names."""
    return render_base(small_board(name).chart, _THEMES[theme]).encode()


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
        return render_overlay(
            self.chart,
            self.position,
            results=self.results,
            dislodged=self.dislodged,
            standoffs=self.standoffs,
            labels=self.labels,
            title=title,
        )

    def parts(self) -> Mapping[str, str]:
        """Return the groups of the overlay that change with the turn."""
        return render_parts(
            self.chart,
            self.position,
            results=self.results,
            dislodged=self.dislodged,
            standoffs=self.standoffs,
            labels=self.labels,
        )


def rest_before(judged: JudgedPhase) -> RestingBoard:
    """Return the board with a phase's results, and every unit where it was ordered."""
    resolution = judged.resolution
    return RestingBoard(
        judged.chart,
        judged.position,
        tuple(resolution.results),
        tuple(resolution.standoffs),
        tuple(resolution.dislodged),
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
