"""Draw a judgment on the part of the standard map that it needs."""

import re
from collections.abc import Iterable
from functools import cache

from switch_judgments import Judgment

from diplomaccloud.atlas.crop import crop_chart
from diplomaccloud.judge.board import Location, ProvinceCode, province_of
from diplomaccloud.judge.drawing.base import render_base
from diplomaccloud.judge.drawing.chart import Anchors, Chart, Mark, MarkKind, Point, Window
from diplomaccloud.judge.drawing.europe import standard_chart
from diplomaccloud.judge.drawing.labels import Labels
from diplomaccloud.judge.drawing.overlay import render_overlay
from diplomaccloud.judge.drawing.theme import LIGHT, NIGHT

THEMES = {"light": LIGHT, "dark": NIGHT}
RATIO = 4 / 3
"""The width-to-height ratio of all pictures, so that two fit side by side."""

MIN_WIDTH = 340
PADDING = 46
"""The distance from the edge of a picture to the centers of its units and names, in map units."""

STEP = 10
"""Windows start and end at multiples of this, so that similar positions share a window."""

_PLACE = re.compile(r"\b[A-Z]{3}(?:/[A-Z]{2})?\b")
_IDS = re.compile(r'(\bid="|href="#|url\(#)')


def find_window(judgments: Iterable[Judgment]) -> Window:
    """Return the part of the map that shows every unit, destination and retreat."""
    points = [
        point
        for judgment in judgments
        for place in _list_places(judgment)
        for point in _list_points(place)
    ]
    across, down = [x for x, _ in points], [y for _, y in points]
    width = max(max(across) - min(across) + 2 * PADDING, MIN_WIDTH)
    height = max(max(down) - min(down) + 2 * PADDING, width / RATIO)
    width = max(width, height * RATIO)
    left, right = _place(min(across), max(across), width, standard_chart().size[0])
    top, bottom = _place(min(down), max(down), height, standard_chart().size[1])
    return Window(left, top, right, bottom)


def _place(first: float, last: float, length: float, most: float) -> tuple[int, int]:
    """Return the ends of a stretch of `length` around both points, inside the map."""
    length = STEP * round(length / STEP)
    begin = min(max((first + last - length) / 2, 0), most - length)
    begin = STEP * round(begin / STEP)
    return round(begin), round(begin + length)


def _list_places(judgment: Judgment) -> set[Location]:
    places = {unit.location for unit in judgment.position.units}
    for result in judgment.resolution.results:
        places |= {Location(text) for text in _PLACE.findall(str(result.order))}
    for entry in judgment.resolution.dislodged:
        places |= set(entry.retreats)
    return places


def _list_points(place: Location) -> tuple[Point, ...]:
    anchors = _list_anchors().get(province_of(place))
    if anchors is None:  # a word such as VIA
        return ()
    # Draw a province only if all its unit places fit.
    return anchors.label, *anchors.units.values()


@cache
def _list_anchors() -> dict[ProvinceCode, Anchors]:
    return {shape.province: shape.anchors for shape in standard_chart().shapes}


@cache
def cut_map(window: Window) -> Chart:
    """Return the part of the standard map inside `window`."""
    return crop_chart(standard_chart(), window, "Europe")


def draw_board(window: Window, theme: str) -> str:
    """Return the SVG of a part of the map without units and names, `light` or `dark`."""
    return render_base(cut_map(window), THEMES[theme])


def draw_judgment(
    judgment: Judgment, window: Window, title: str, number: int, *, after: bool
) -> str:
    """Return the `svg` element to lay over the board; `number` makes its ids unique on a page."""
    resolution = judgment.resolution
    if after:
        shaded = {province_of(p) for entry in resolution.dislodged for p in entry.retreats}
        marks = [Mark(MarkKind.WASH, "gold", code) for code in sorted(shaded)]
        drawn = render_overlay(
            cut_map(window),
            resolution.next,
            labels=Labels.NAMES,
            title=title,
            shapes=False,
            marks=marks,
        )
    else:
        drawn = render_overlay(
            cut_map(window),
            judgment.position,
            results=resolution.results,
            dislodged=resolution.dislodged,
            standoffs=resolution.standoffs,
            labels=Labels.NAMES,
            title=title,
            shapes=False,
        )
    drawn = drawn.replace('class="overlay"', 'class="judgment"', 1)  # the theme has an overlay
    return _IDS.sub(lambda match: f"{match[0]}s{number}-", drawn).replace("\n", "")
