"""The small boards of lessons and diagrams: parts of the standard map, with their pictures."""

from dataclasses import dataclass, replace
from functools import cache

from django.urls import reverse

from diplomaccloud.atlas.chart import Chart
from diplomaccloud.atlas.chartfile import content_hash
from diplomaccloud.atlas.render import LIGHT, NIGHT, render_base, renderer_version
from diplomaccloud.atlas.render.scene import view_box
from diplomaccloud.atlas.standard import standard_chart
from diplomaccloud.atlas.window import Window
from diplomaccloud.judge.board import Board

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
