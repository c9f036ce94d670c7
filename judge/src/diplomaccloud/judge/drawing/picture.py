"""Pictures of a position for notebooks, files and terminals, on whatever map its board has."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from pathlib import Path

from diplomaccloud.judge.board import Board, Location, Power
from diplomaccloud.judge.checks import require_text, require_whole_number
from diplomaccloud.judge.drawing.chart import Chart
from diplomaccloud.judge.drawing.diagram import make_diagram
from diplomaccloud.judge.drawing.europe import derive_chart, standard_chart
from diplomaccloud.judge.drawing.labels import Labels
from diplomaccloud.judge.drawing.overlay import render_map
from diplomaccloud.judge.drawing.png import render_png
from diplomaccloud.judge.drawing.scene import frame_margin
from diplomaccloud.judge.drawing.theme import LIGHT, NIGHT
from diplomaccloud.judge.orders import Order
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.results import Resolution
from diplomaccloud.judge.standard.europe import standard_board
from diplomaccloud.judge.units import Unit

MIN_WIDTH, MAX_WIDTH = 100, 10_000
"""The limits of the width of a picture, in pixels."""

NAMES_WIDTH, CODES_WIDTH = 700, 320
"""From which widths on, in pixels, a picture has names, or at least codes."""

_ID = re.compile(r'(\bid="|\bhref="#|url\(#)')


class Picture(str):
    """A picture as SVG text, which notebooks show."""

    __slots__ = ()

    def save(self, path: str | Path, width: int | None = None) -> None:
        """Write the picture to a file, whose name ends in `.svg` or `.png`.

        A PNG has the picture's own width in pixels, unless `width` is given. It needs the package
        `resvg-py`, which the extra `png` brings. Raises `ValueError` for any other ending, and
        `ModuleNotFoundError` without that package.
        """
        Path(path).write_bytes(self.to_bytes(Path(path).suffix, width))

    def to_bytes(self, ending: str, width: int | None = None) -> bytes:
        """Return the content of a file whose name ends in `.svg` or `.png`; see `save`."""
        if width is not None:
            require_whole_number("width", width, MIN_WIDTH, MAX_WIDTH)
        match ending.lower():
            case ".svg":
                return self.encode()
            case ".png":
                return render_png(self, width or self.width)
            case _:
                raise ValueError(f"the name of a picture must end in .svg or .png, not {ending!r}")

    @property
    def width(self) -> int:
        """The width in pixels."""
        match = re.search(r'\bwidth="(\d+)"', self[:300])
        return int(match[1]) if match else 0

    def _repr_svg_(self) -> str:
        """Return the picture with ids of its own: a notebook has several on one page."""
        return _ID.sub(rf"\g<1>{sha256(self.encode()).hexdigest()[:8]}-", self)


@dataclass(frozen=True, slots=True)
class Style:
    """How pictures look: width in pixels, texts, light or dark, patterns over the countries.

    `labels` are `names`, `codes`, `none`, or, by default, what a map of this width has room for.
    """

    width: int = 900
    labels: str | None = None
    dark: bool = False
    patterns: bool = False

    def __post_init__(self) -> None:
        """Check the values."""
        require_whole_number("width", self.width, MIN_WIDTH, MAX_WIDTH)
        if self.labels is not None:
            require_text("labels", self.labels)
            if self.labels not in {"names", "codes", "none"}:
                raise ValueError(f"labels: {self.labels[:20]!r} is not names, codes or none")

    @property
    def shown_labels(self) -> Labels:
        """The texts of a picture."""
        if self.labels is not None:
            return Labels(self.labels)
        if self.width >= NAMES_WIDTH:
            return Labels.NAMES
        return Labels.CODES if self.width >= CODES_WIDTH else Labels.NONE


def draw_picture(
    world: Chart | Board,
    position: Position,
    style: Style,
    *,
    orders: Iterable[Order] = (),
    resolution: Resolution | None = None,
    is_before: bool = False,
) -> Picture:
    """Return a picture of `position` with orders, or with those that were resolved.

    `is_before` says that `position` is the one before `resolution`, so that dislodged units still
    stand in their provinces. Otherwise, the possible retreats of its dislodged units are drawn.
    """
    chart = find_chart(world)
    return Picture(
        render_map(
            chart,
            position,
            NIGHT if style.dark else LIGHT,
            orders=orders,
            results=resolution.results if resolution else (),
            dislodged=resolution.dislodged if resolution and is_before else (),
            standoffs=resolution.standoffs if resolution and is_before else (),
            labels=style.shown_labels,
            patterns=style.patterns,
            title=f"{chart.world}, {position.phase}" if chart.world else str(position.phase),
            width=style.width,
            retreats=not is_before,
        )
    )


def find_chart(world: Chart | Board) -> Chart:
    """Return the drawing of a board.

    The standard board, and boards of some of its provinces, are drawn as Europe, others as a
    diagram.
    """
    if isinstance(world, Chart):
        return world
    return standard_chart() if world is standard_board() else _find_other_chart(world)


@lru_cache(maxsize=16)
def _find_other_chart(board: Board) -> Chart:
    europe = standard_board()
    if board == europe:
        return standard_chart()
    facts = {(one.code, one.terrain, one.coasts) for one in europe.provinces}
    is_part = all((one.code, one.terrain, one.coasts) in facts for one in board.provinces)
    if is_part and board.power_info.keys() <= europe.power_info.keys():
        return derive_chart(board, board.name)
    return make_diagram(board)


# The map as text.

_MIN_COLUMNS, _MAX_COLUMNS = 20, 1_000
_ROW_HEIGHT = 2.0
"""How many times as high as wide a letter of a terminal is."""


def write_map(world: Chart | Board, position: Position, columns: int) -> str:
    """Return the codes of all provinces about where they are on the map, each once.

    Below the code of a province are its units, such as `A Fra`; a `*` marks a dislodged one. What
    finds no room at its place is moved, so a narrow map has more rows, and a name that is longer
    than a row is cut.
    """
    require_whole_number("columns", columns, _MIN_COLUMNS, _MAX_COLUMNS)
    chart = find_chart(world)
    short = _shorten_powers(chart.board)
    units: dict[str, list[str]] = {}
    for unit in position.units:
        units.setdefault(unit.province, []).append(_write_unit(unit, short))
    for entry in position.dislodged:
        units.setdefault(entry.unit.province, []).append(_write_unit(entry.unit, short) + "*")
    margin = frame_margin(chart)
    across = columns / (chart.size[0] + 2 * margin)
    page = _Page(columns)
    blocks = []
    for shape in chart.shapes:
        x, y = shape.anchors.units.get(Location(shape.province), shape.anchors.label)
        lines = [str(shape.province), *units.pop(shape.province, [])]
        blocks.append((lines, (x + margin) * across, (y + margin) * across / _ROW_HEIGHT))
    # Large blocks first: a code alone finds room more easily.
    blocks.sort(key=lambda block: (-len(block[0]), block[2], block[1]))
    for lines, column, row in blocks:
        page.place(lines, column, row)
    return str(page)


def _write_unit(unit: Unit, short: dict[Power, str]) -> str:
    return f"{unit.kind} {short.get(unit.power, unit.power)}"


def _shorten_powers(board: Board) -> dict[Power, str]:
    """Return the first letters of the name of each power, at least three, that no other has."""
    names = {info.power: "".join(info.name.split()) for info in board.powers}
    short = {}
    for power, name in names.items():
        length = 3
        while length < len(name) and any(
            other[:length].casefold() == name[:length].casefold()
            for key, other in names.items()
            if key != power
        ):
            length += 1
        short[power] = name[:length]
    return short


class _Page:
    """Lines of text that blocks are placed on, each with a blank on both sides."""

    def __init__(self, columns: int) -> None:
        self._columns = columns
        self._rows: list[list[str]] = []

    def place(self, lines: list[str], column: float, row: float) -> None:
        """Write `lines` centered at this place, or at the nearest one that is free."""
        lines = [_cut(line, self._columns) for line in lines]
        wide = max(map(len, lines))
        left, top = round(column - wide / 2), round(row)
        for reach in range(self._columns + len(self._rows) + 1):
            ring = _ring(reach, -left, self._columns - wide - left)
            for down, right in sorted(ring, key=_measure_step):
                if self._is_free(top + down, left + right, wide, len(lines)):
                    self._write(lines, top + down, left + right, wide)
                    return

    def _is_free(self, top: int, left: int, wide: int, high: int) -> bool:
        if top < 0:
            return False
        rows = self._rows[top : top + high]
        return all(cell == " " for row in rows for cell in row[max(left - 1, 0) : left + wide + 1])

    def _write(self, lines: list[str], top: int, left: int, wide: int) -> None:
        while len(self._rows) < top + len(lines):
            self._rows.append([" "] * self._columns)
        for number, line in enumerate(lines):
            start = left + (wide - len(line)) // 2
            self._rows[top + number][start : start + len(line)] = line

    def __str__(self) -> str:
        rows = ["".join(row).rstrip() for row in self._rows]
        while rows and not rows[0]:
            del rows[0]
        return "\n".join(rows)


def _measure_step(step: tuple[int, int]) -> tuple[int, tuple[int, int]]:
    down, right = step
    return 4 * down * down + right * right, step


def _ring(reach: int, least: int, most: int) -> list[tuple[int, int]]:
    """Return the steps to all places that are `reach` away, two columns a row.

    A step is a number of rows down and of columns right, from `least` to `most` columns.
    """
    wide = 2 * reach
    rights = [right for right in {-wide, 1 - wide, wide - 1, wide} if least <= right <= most]
    sides = [(down, right) for down in range(1 - reach, reach) for right in rights]
    across = range(max(-wide, least), min(wide, most) + 1)
    return sides + [(down, right) for down in {-reach, reach} for right in across]


def _cut(line: str, length: int) -> str:
    return line if len(line) <= length else f"{line[: length - 1]}…"
