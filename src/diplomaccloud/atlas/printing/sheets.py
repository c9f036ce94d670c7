"""What is on each printed sheet, and where; `sheets.typ` sets it.

Lengths are in millimeters.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Final

from diplomaccloud.judge.adjudication import powers_to_order
from diplomaccloud.judge.adjustments import adjustments_owed, build_sites
from diplomaccloud.judge.board import Location, Power, PowerInfo, UnitKind
from diplomaccloud.judge.drawing.chart import Chart
from diplomaccloud.judge.drawing.decoration import Decoration
from diplomaccloud.judge.drawing.labels import STAR, star_symbols
from diplomaccloud.judge.drawing.scene import Scene, frame_margin
from diplomaccloud.judge.drawing.styles import PARCHMENT, STYLES
from diplomaccloud.judge.drawing.units import draw_badge, unit_symbols
from diplomaccloud.judge.orders import power_of
from diplomaccloud.judge.phases import Stage
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.results import OrderResult, Outcome, Resolution
from diplomaccloud.judge.units import Unit

Json = dict[str, Any]


class Sheet(StrEnum):
    """What can be printed: a turn, slips to write orders on, a poster, or tiles that make one."""

    TURN = "turn"
    SLIPS = "slips"
    POSTER_A3 = "poster-a3"
    POSTER_A2 = "poster-a2"
    POSTER_A1 = "poster-a1"
    TILES_A3 = "tiles-a3"
    TILES_A2 = "tiles-a2"
    TILES_A1 = "tiles-a1"

    @property
    def is_of_turn(self) -> bool:
        """Whether it shows a turn of a game, and not only a map."""
        return self in {Sheet.TURN, Sheet.SLIPS}


@dataclass(frozen=True, slots=True)
class Past:
    """A phase that was processed: its position at the start, and how its orders ended."""

    position: Position
    resolution: Resolution


@dataclass(frozen=True, slots=True)
class Content:
    """What a sheet shows: a position, and with `resolution`, how its orders ended.

    `past` are the phases of the last turn, oldest first, whose results are listed but not drawn.
    `title` is the name of the game or the map. `deadline` is a sentence, blank if there is none,
    and `imprint` says at the foot where the sheet comes from. A poster is decorated unless
    `decoration` says that it is plain; it prints the title and the key itself.
    """

    chart: Chart
    position: Position
    resolution: Resolution | None = None
    title: str = ""
    deadline: str = ""
    imprint: str = ""
    past: tuple[Past, ...] = ()
    style: str = PARCHMENT
    decoration: Decoration = Decoration.AUTO

    @property
    def after(self) -> Position:
        """The position once the orders have been carried out."""
        return self.resolution.next if self.resolution else self.position

    @property
    def listed(self) -> tuple[Past, ...]:
        """The phases whose results are listed, oldest first."""
        return (Past(self.position, self.resolution),) if self.resolution else self.past


_A4: Final = (210.0, 297.0)
_POSTERS: Final = {
    Sheet.POSTER_A3: (420.0, 297.0),
    Sheet.POSTER_A2: (594.0, 420.0),
    Sheet.POSTER_A1: (841.0, 594.0),
}
_TILE_MARGIN: Final = 14.0
"""How far the cut is from the edge of a tile: printers leave about five millimeters white."""
_BLEED: Final = 4.0
_TILES: Final = {Sheet.TILES_A3: (2, 1), Sheet.TILES_A2: (2, 2), Sheet.TILES_A1: (3, 3)}
"""The columns and rows of tiles that make a wide poster of about this size."""
_TALL: Final = 1.0
"""The width of a map divided by its height below which its poster is upright."""

# Shares of the shorter side of a poster.
_EDGE, _GAP, _HEAD, _PANEL, _STRIP = 0.035, 0.022, 0.085, 0.2, 0.2
_MANY_POWERS: Final = 12
"""From how many powers on a key does not list their homes."""
_STRIP_COLUMNS: Final = 4
_TYPE: Final = 0.019
"""The size of the letters in a key, unless they would be too many."""
_KEY_LINES: Final = 14
"""The height of what is below the powers, in sizes of letters."""

TURN_WIDTH: Final = 186.0
"""The room for the map on the sheet of a turn."""
_TURN_HEIGHT: Final = 150.0

_COLUMNS: Final = 3
_MAX_LINES: Final = 25
"""How many lines of results fit below the map."""
_HEADING_LINES, _ROW_LINES = 2.0, 1.3

_NOTES: Final = {
    Outcome.BOUNCED: "bounced",
    Outcome.CUT: "cut",
    Outcome.VOID: "void",
    Outcome.DISRUPTED: "convoy failed",
    Outcome.NOPATH: "no convoy",
    Outcome.DISBANDED: "disbanded",
}
"""What is written after an order that was not simply carried out."""


def lay_out(sheet: Sheet, content: Content) -> tuple[Json, float]:
    """Return what the sheet shows, and how wide the map on it is."""
    chart, scene = content.chart, Scene(content.chart, content.position, STYLES[content.style])
    ratio = measure_shape(chart)
    data: Json = {
        "sheet": sheet.value,
        "title": content.title or chart.title or chart.world,
        "deadline": content.deadline,
        "imprint": content.imprint,
        "icons": _draw_icons(scene),
        "powers": [_describe_power(content, info) for info in chart.board.powers],
    }
    if sheet is Sheet.TURN:
        width = min(TURN_WIDTH, _TURN_HEIGHT * ratio)
        return data | _describe_turn(content) | {"map": (width, width / ratio)}, width
    if sheet is Sheet.SLIPS:
        slips = {"slips": list(_write_slips(content)), "none": "There are no orders to give."}
        return data | slips | {"subtitle": content.position.phase.title}, 0.0
    if sheet in _POSTERS:
        size = _POSTERS[sheet] if ratio >= _TALL else _POSTERS[sheet][::-1]
    else:
        tiles = _cut(_TILES[sheet], tall=ratio < _TALL)
        data["tiles"] = tiles
        size = tiles["width"] * tiles["columns"], tiles["height"] * tiles["rows"]
    poster = _lay_out_poster(size, ratio, len(chart.board.powers))
    return data | _describe_map(content) | {"poster": poster}, poster["map"][2]


def measure_shape(chart: Chart) -> float:
    """Return the width of a drawing with its frame, divided by its height."""
    margin = frame_margin(chart)
    width, height = (side + 2 * margin for side in chart.size)
    return width / height


def _draw_icons(scene: Scene) -> dict[str, str]:
    """Return a small drawing of each power's badge, and those of the key."""
    powers = scene.chart.board.powers
    defs = f"<defs>{unit_symbols(scene)}{star_symbols(scene)}</defs>"
    head = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="-25 -25 50 50">'

    def draw(kind: UnitKind, power: Power) -> str:
        return f"{head}{defs}{draw_badge(scene, Unit(kind, Location(''), power))}</svg>"

    icons = {f"power-{i}": draw(UnitKind.ARMY, info.power) for i, info in enumerate(powers)}
    icons |= {kind.word: draw(kind, Power("")) for kind in UnitKind}
    star = f'<path d="{STAR}" fill="{scene.theme.star}" stroke="{scene.theme.outline}"/>'
    icons["star"] = head.replace("-25 -25 50 50", "-12 -12 24 24") + star + "</svg>"
    return icons


def _describe_power(content: Content, info: PowerInfo) -> Json:
    board, after = content.chart.board, content.after
    centers = len(after.centers_of(info.power))
    before = content.listed[0].position if content.listed else after
    change = centers - len(before.centers_of(info.power))
    number = board.powers.index(info)
    return {
        "name": info.name,
        "icon": f"power-{number}",
        "homes": [board.by_code[code].name for code in board.home_centers.get(info.power, ())],
        "centers": centers,
        "change": f"{change:+d}".replace("-", "\N{MINUS SIGN}") if change else "",
        "units": len(after.units_of(info.power)),
    }


def _describe_map(content: Content) -> Json:
    board = content.chart.board
    return {
        "subtitle": f"A map for {_count(len(board.powers), 'power')}",
        "goal": f"{len(board.centers)} supply centers, {board.victory_centers} to win",
        "key": [("army", "Army"), ("fleet", "Fleet"), ("star", "Supply center")],
    }


def _count(number: int, word: str) -> str:
    names = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
    return f"{names[number] if number < len(names) else number} {word}{'s' * (number != 1)}"


def _cut(shape: tuple[int, int], *, tall: bool) -> Json:
    """Return the size and number of the tiles, and the label of each."""
    columns, rows = shape[::-1] if tall else shape
    # A sheet of two tiles lies across them.
    width, height = (side - 2 * _TILE_MARGIN for side in _A4)
    if (columns == rows) != tall:
        width, height = height, width
    labels = [
        f"row {row + 1} of {rows}, column {column + 1} of {columns}. "
        "Cut at the marks and join the edges."
        for row in range(rows)
        for column in range(columns)
    ]
    return {
        "columns": columns,
        "rows": rows,
        "width": width,
        "height": height,
        "margin": _TILE_MARGIN,
        "bleed": _BLEED,
        "labels": labels,
    }


def _lay_out_poster(size: tuple[float, float], ratio: float, powers: int) -> Json:
    """Return the places of head, map and key: left, top, width and height of each.

    The key is beside a wide map and below a tall one. Head and key take what the map leaves,
    so that the sheet is full.
    """
    width, height = size
    short = min(size)
    edge, gap, head = (share * short for share in (_EDGE, _GAP, _HEAD))
    left, right = edge + 1.2 * gap, width - edge - 1.2 * gap
    top, bottom = edge + 0.6 * gap, height - edge - 1.2 * gap
    inner = right - left
    if width >= height:
        map_height = min(bottom - top - head, (inner - _PANEL * short - gap) / ratio)
        map_width = map_height * ratio
        map_top = bottom - map_height
        panel = left + map_width + gap, map_top, right - left - map_width - gap, map_height
        map_box = left, map_top, map_width, map_height
    else:
        map_width = min(inner, (bottom - top - head - _STRIP * height - gap) * ratio)
        map_height = map_width / ratio
        map_box = left + (inner - map_width) / 2, top + head, map_width, map_height
        panel_top = top + head + map_height + gap
        panel = left, panel_top, inner, bottom - panel_top
        map_top = top + head
    beside = width >= height
    lines = powers * (1.5 if powers > _MANY_POWERS else 3.4) + _KEY_LINES
    return {
        "width": width,
        "height": height,
        "margin": edge,
        "unit": short / 100,
        "type": min(_TYPE * short, panel[3] / lines) if beside else _TYPE * short,
        "homes": powers <= _MANY_POWERS,
        "columns": 1 if beside else _STRIP_COLUMNS,
        "head": (left, top, inner, map_top - top),
        "map": map_box,
        "panel": panel,
    }


def _describe_turn(content: Content) -> Json:
    """Return the results by power, what else happened, and the table of centers."""
    board, columns = content.chart.board, ["", "Centers", "", "Units"]
    resolutions = [past.resolution for past in content.listed]
    dislodged = {entry.unit for decided in resolutions for entry in decided.dislodged}
    groups: list[Json] = []
    for number, info in enumerate(board.powers):
        lines = [
            {"text": str(result.order), "note": _write_note(result, dislodged)}
            for decided in resolutions
            for result in decided.results
            if power_of(result.order) == info.power
        ]
        if lines:
            groups.append({"name": info.name, "icon": f"power-{number}", "lines": lines})
    facts = []
    for decided in resolutions:
        if decided.standoffs:
            names = ", ".join(board.by_code[code].name for code in decided.standoffs)
            facts.append(f"Standoff: {names}.")
        for code, power in decided.gained:
            facts.append(f"{board.power_info[power].name} takes {board.by_code[code].name}.")
    past = f"Results of {content.past[0].position.phase.turn_title}" if content.past else ""
    return {
        "subtitle": content.position.phase.title,
        "past": past,
        "results": _spread(groups, len(board.powers)),
        "facts": facts,
        "columns": columns,
    }


def _spread(groups: list[Json], powers: int) -> list[list[Json]]:
    """Return the results in columns of about the same height; the last one leaves room for a table.

    Returns one list if there are too many for the first page: they are then set in running columns.
    """
    heights = [len(group["lines"]) + _HEADING_LINES for group in groups]
    table = powers * _ROW_LINES + _HEADING_LINES
    if (sum(heights) + table) / _COLUMNS > _MAX_LINES:
        return [groups]
    ends = ((i, j) for j in range(len(groups) + 1) for i in range(j + 1))
    i, j = min(
        ends,
        key=lambda at: max(
            sum(heights[: at[0]]), sum(heights[at[0] : at[1]]), sum(heights[at[1] :]) + table
        ),
    )
    return [groups[:i], groups[i:j], groups[j:]]


def _write_note(result: OrderResult, dislodged: set[Unit]) -> str:
    note = _NOTES.get(result.outcome, "")
    unit = getattr(result.order, "unit", None)
    return ", ".join(filter(None, (note, "dislodged" if unit in dislodged else "")))


def _write_slips(content: Content) -> Iterator[Json]:
    """Yield a slip for each power that has orders to give, with a line for each."""
    board, position = content.chart.board, content.after
    ordering = powers_to_order(board, position)
    for number, info in enumerate(board.powers):
        if info.power in ordering:
            lines = [
                {"unit": unit, "place": place, "choices": choices}
                for unit, place, choices in _list_lines(content, info)
            ]
            yield {"name": info.name, "icon": f"power-{number}", "lines": lines}


def _list_lines(content: Content, info: PowerInfo) -> Iterator[tuple[str, str, str]]:
    """Yield the unit, its place, and its choices, which are blank where there are many."""
    board, position = content.chart.board, content.after
    power = info.power
    match position.phase.stage:
        case Stage.ADJUSTMENTS:
            owed = adjustments_owed(board, position, power)
            if owed > 0:
                word, choices = (
                    "Build",
                    f"Free centers: {', '.join(build_sites(board, position, power))}",
                )
            else:
                word, choices = "Disband", f"Units: {', '.join(map(str, position.units_of(power)))}"
            for number in range(abs(owed), 0, -1):
                yield word, "", choices if number == 1 else ""
        case Stage.RETREATS:
            for entry in position.dislodged_of(power):
                choices = f"Retreats: {', '.join(entry.retreats) or 'none'}"
                yield str(entry.unit), board.by_code[entry.unit.province].name, choices
        case _:
            for unit in position.units_of(power):
                yield str(unit), board.by_code[unit.province].name, ""


def show_parts(content: Content) -> Content:
    """Return the content with the decoration of a poster."""
    if content.decoration is Decoration.PLAIN:
        return content
    return replace(content, decoration=Decoration.PARTS)


def hide_orders(content: Content) -> Content:
    """Return the content with the position after its orders, and without results."""
    return replace(content, position=content.after, resolution=None)
