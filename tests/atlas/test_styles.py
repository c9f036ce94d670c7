"""Maps are readable in every style, measured in the pixels of pictures.

The parts of a picture are drawn one by one and laid over each other. So it is known which pixels
are letters or marks, and what is behind them. A picture is divided into small squares, so that a
faint place counts even if the rest of the map is fine.
"""

from collections.abc import Callable, Mapping
from copy import deepcopy
from functools import cache
from io import BytesIO
from itertools import combinations
from random import Random
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import numpy as np
import pytest
from judge.tests.drawing.toy_map import parse_svg
from numpy.typing import NDArray
from PIL import Image
from scipy import ndimage

from diplomaccloud.atlas.generator.pipeline import make_chart
from diplomaccloud.atlas.png import render_png
from diplomaccloud.cli.map_pictures import _AT_NIGHT, _STYLES
from diplomaccloud.judge.board import Board, Location, UnitKind
from diplomaccloud.judge.drawing.chart import Chart
from diplomaccloud.judge.drawing.europe import standard_chart
from diplomaccloud.judge.drawing.overlay import render_map
from diplomaccloud.judge.drawing.palette import find_least_difference
from diplomaccloud.judge.drawing.patterns import write_pattern
from diplomaccloud.judge.drawing.styles import STYLES
from diplomaccloud.judge.drawing.theme import is_dark, luminance, mix, power_inks
from diplomaccloud.judge.orders import Hold, Move, Order, SupportHold
from diplomaccloud.judge.phases import Phase
from diplomaccloud.judge.position import Position, starting_position
from diplomaccloud.judge.results import OrderResult, Outcome
from diplomaccloud.judge.units import Unit

SVG = "{http://www.w3.org/2000/svg}"
WIDTH = 1600
SQUARE = 40
"""The side of the squares, in pixels."""
ENOUGH = 30
"""How many pixels of a square must be measured, so that it counts."""
LOWEST = {"frontiers": 30}
"""The part of a square's pixels that may be fainter, in percent; by default `BLURRED`. The head of
an inlet is narrower than the lines along it."""
BLURRED = 10
LEAST = {"names": 4.5, "badges": 3.0, "stars": 3.0, "frontiers": 3.0, "arrows": 3.0}
REACH = {"badges": 8, "stars": 7, "frontiers": 7, "arrows": 11}
"""How far the colors of a mark are from its edge, in pixels."""

Picture = NDArray[np.float32]
Mask = NDArray[np.bool_]

MAPS: Mapping[str, Callable[[], Chart]] = {
    "europe": standard_chart,
    "2 powers": lambda: make_chart("styles", 2),
    "5 powers": lambda: make_chart("styles", 5),
    "7 powers": lambda: make_chart("styles", 7),
    "10 powers": lambda: make_chart("styles", 10),
    "closed borders": lambda: make_chart("styles", 7, landform="isthmus"),
}


@cache
def load_chart(name: str) -> Chart:
    return MAPS[name]()


def make_turn(chart: Chart) -> tuple[Position, list[OrderResult]]:
    """Return a position in which all centers are owned, with orders of all kinds for its units."""
    rng, board = Random(1), chart.board
    powers = [info.power for info in board.powers]
    start = starting_position(board)
    units = list(start.units)
    centers = dict(start.centers)
    for province in board.provinces:
        if province.center and province.code not in centers:
            owner = rng.choice(powers)
            centers[province.code] = owner
            units.append(Unit(UnitKind.ARMY, Location(province.code), owner))
    for power in powers[:2]:  # captured homes have flags
        captured = next(code for code, owner in centers.items() if owner == power)
        centers[captured] = rng.choice([one for one in powers if one != power])
    results = [_make_result(board, unit, units, rng) for unit in units]
    return Position(Phase.parse("F1903M"), tuple(units), centers), results


def _make_result(board: Board, unit: Unit, units: list[Unit], rng: Random) -> OrderResult:
    near = sorted(board.reach(unit.kind, unit.location))
    beside = [other for other in units if other.province in near]
    order: Order = Hold(unit)
    if near:  # an army on a small island can go nowhere
        order = Move(unit, Location(rng.choice(near)))
    match rng.randrange(4):
        case 0 if beside:
            order = SupportHold(unit, rng.choice(beside))
        case 1:
            order = Hold(unit)
    failed = Outcome.BOUNCED if isinstance(order, Move) else Outcome.CUT
    worked = Outcome.MOVED if isinstance(order, Move) else Outcome.GIVEN
    if isinstance(order, Hold):
        failed = worked = Outcome.HOLD
    return OrderResult(order, rng.choice([worked, failed]), "")


def draw_layers(chart: Chart, style: str) -> dict[str, Picture]:
    """Return the parts of the map as RGBA from 0 to 1, with premultiplied colors."""
    position, results = make_turn(chart)
    root = parse_svg(render_map(chart, position, STYLES[style], results=results))
    parts = list(root)
    middle = next(i for i, part in enumerate(parts) if part.get("class") == "countries")
    shared = [part for part in parts[:middle] if part.tag in {f"{SVG}defs", f"{SVG}style"}]
    groups = {part.get("class", ""): part for part in parts[middle:]}

    def draw(*shown: Element, change: Callable[[Element], None] = lambda _: None) -> Picture:
        copied = [deepcopy(part) for part in shown]
        for part in copied:
            change(part)
        return render([*shared, *copied], root)

    labels = groups["labels"]
    return {
        "ground": draw(*parts[:middle], groups["countries"], change=remove_frontiers),
        "frontiers": draw(groups["countries"], change=leave_frontiers),
        "arrows": draw(groups["standoffs"], groups["orders"]),
        "halos": draw(labels, change=lambda part: paint(part, "fill")),
        "names": draw(labels, change=lambda part: paint(part, "stroke")),
        "stars": draw(groups["stars"]),
        "badges": draw(groups["units"]),
    }


def render(parts: list[Element], root: Element) -> Picture:
    page = ElementTree.Element(root.tag, root.attrib)
    page.extend(parts)
    svg = ElementTree.tostring(page, encoding="unicode")
    with Image.open(BytesIO(render_png(svg, WIDTH))) as picture:
        pixels = np.asarray(picture.convert("RGBA"), dtype=np.float32) / 255
    return np.dstack([pixels[..., :3] * pixels[..., 3:], pixels[..., 3]])


def paint(part: Element, name: str) -> None:
    """Leave out the fill or the stroke of all texts."""
    for element in part.iter():
        if name in element.attrib:
            element.set(name, "none")


def list_frontier_parts(part: Element) -> list[tuple[Element, Element]]:
    """Return each frontier and its light inner line, with the groups that they are in."""
    found = []
    for country in part.iter(f"{SVG}g"):
        if country.get("class") == "country":
            found.append((country, country[-1]))
            clipped = country[-2]
            found += [(clipped, use) for use in clipped if use.get("stroke")]
    found += [(part, line) for line in part if line.get("class") == "faint"]
    return found


def remove_frontiers(part: Element) -> None:
    for parent, element in list_frontier_parts(part):
        parent.remove(element)


def leave_frontiers(part: Element) -> None:
    kept = {id(element) for _, element in list_frontier_parts(part)}
    for parent in list(part.iter()):
        for element in list(parent):
            is_drawn = element.tag in {f"{SVG}use", f"{SVG}path", f"{SVG}text"}
            is_drawn = is_drawn and not element.get("id")
            if is_drawn and id(element) not in kept and parent.tag != f"{SVG}clipPath":
                parent.remove(element)


def lay_over(below: Picture, above: Picture) -> Picture:
    """Return `below` with `above` over it."""
    return above + below * (1 - above[..., 3:])


def measure_luminance(picture: Picture) -> Picture:
    """Return the relative luminance of each pixel as WCAG defines it, plus .05."""
    parts = np.clip(picture[..., :3], 0, 1)
    linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    return np.asarray(linear @ np.array([0.2126, 0.7152, 0.0722]) + 0.05)


def compare(first: Picture, second: Picture) -> Picture:
    return np.maximum(first, second) / np.minimum(first, second)


def find_worst(kind: str, contrasts: Picture, measured: Mask) -> float:
    """Return the lowest contrast of any square."""
    rows, columns = np.nonzero(measured)
    squares = rows // SQUARE * (WIDTH // SQUARE + 1) + columns // SQUARE
    order = np.argsort(squares, kind="stable")
    values, ends = contrasts[measured][order], np.flatnonzero(np.diff(squares[order])) + 1
    groups = [group for group in np.split(values, ends) if len(group) >= ENOUGH]
    assert groups
    return float(min(np.percentile(group, LOWEST.get(kind, BLURRED)) for group in groups))


def measure_names(letters: Picture, behind: Picture) -> float:
    """Return the contrast of names with what is behind and directly beside the letters."""
    alpha = letters[..., 3:]
    ink, full = measure_luminance(letters / np.maximum(alpha, 0.01)), alpha[..., 0] > 0.8
    # The color of the nearest pixel that is nearly nothing but letter.
    near = ndimage.distance_transform_edt(~full, return_distances=False, return_indices=True)
    beside = ndimage.binary_dilation(full, iterations=1)
    return find_worst("names", compare(ink[tuple(near)], measure_luminance(behind)), beside)


def measure_marks(kind: str, marks: Picture, below: Picture) -> float:
    """Return the contrast of marks with the ground around them.

    A mark stands out if one of the colors along its edge does. Frontiers have two grounds, and
    stand out if they do from one of them.
    """
    shown, covered, size = marks[..., 3] > 0.6, marks[..., 3] > 0.05, 2 * REACH[kind] + 1
    drawn, ground = measure_luminance(lay_over(below, marks)), measure_luminance(below)
    lightest = ndimage.maximum_filter(np.where(shown, drawn, 0.0), size)
    darkest = ndimage.minimum_filter(np.where(shown, drawn, 9.0), size)
    around = ndimage.binary_dilation(covered, iterations=2) & ~covered & (lightest > 0)
    contrasts = np.maximum(
        compare(np.where(around, lightest, 1.0), ground),
        compare(np.where(around, darkest, 1.0), ground),
    )
    if kind == "frontiers":
        contrasts = ndimage.maximum_filter(np.where(around, contrasts, 0.0), 2 * size)
    return find_worst(kind, contrasts, around)


def measure(chart: Chart, style: str) -> dict[str, float]:
    """Return the worst contrast of each kind of thing on the map."""
    layers = draw_layers(chart, style)
    worst, below = {}, layers["ground"]
    for kind, layer in list(layers.items())[1:]:
        if kind == "names":
            worst[kind] = measure_names(layer, below)
        elif kind != "halos":
            worst[kind] = measure_marks(kind, layer, below)
        below = lay_over(below, layer)
    return worst


@pytest.mark.long
@pytest.mark.parametrize("name", MAPS)
@pytest.mark.parametrize("style", STYLES)
def test_everything_on_a_map_stands_out_in_every_style(style: str, name: str) -> None:
    worst = measure(load_chart(name), style)
    shown = {kind: f"{value:.2f}" for kind, value in worst.items()}
    faint = {kind for kind, value in worst.items() if value < LEAST[kind]}
    assert not faint, (style, name, shown)


@pytest.mark.long
@pytest.mark.parametrize("name", MAPS)
def test_powers_have_colors_that_everyone_can_tell_apart(name: str) -> None:
    """Badges and arrows have these colors in every style but ink."""
    palette = [*load_chart(name).palette.values()]
    assert find_least_difference(palette) >= (30 if len(palette) <= 7 else 22)


def measure_pattern(number: int, scale: float, bold: float) -> tuple[Picture, float]:
    """Return how much of each frequency and direction a drawn pattern has, and its brightness."""
    side = 128
    area = f'<path d="M0 0h{side}v{side}H0z" fill="'
    pattern = write_pattern("x", number, "#000000", scale, bold=bold, ground="#ffffff")
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {side} {side}"><defs>{pattern}'
        f'</defs>{area}#ffffff"/>{area}url(#x)"/></svg>'
    )
    with Image.open(BytesIO(render_png(svg, side))) as picture:
        pixels = np.asarray(picture.convert("L"), dtype=np.float64) / 255
    window = np.outer(np.hanning(side), np.hanning(side))
    waves = np.abs(np.fft.fftshift(np.fft.fft2((pixels - pixels.mean()) * window))) ** 2
    # A person sees no difference between waves of about the same direction and length.
    power = ndimage.gaussian_filter(waves, 1.5)
    return power / power.sum(), float(pixels.mean())


@pytest.mark.parametrize(("scale", "bold"), [(1.0, 0.6), (0.5, 1.2)], ids=["countries", "badges"])
def test_the_patterns_of_all_powers_look_different(scale: float, bold: float) -> None:
    drawn = [measure_pattern(number, scale, bold) for number in range(34)]
    differences = {
        (first, second): np.abs(drawn[first][0] - drawn[second][0]).sum() / 2
        + 2 * abs(drawn[first][1] - drawn[second][1])
        for first, second in combinations(range(34), 2)
    }
    # Dots and small circles at the same places.
    assert min(differences.values()) >= 0.19
    apart = {pair: one for pair, one in differences.items() if pair[0] // 10 != pair[1] // 10}
    assert min(apart.values()) >= 0.6


def test_each_power_has_a_pattern_of_its_own_in_ink() -> None:
    patterns = [write_pattern("x", number, "#000000", 1.0) for number in range(64)]
    assert len(set(patterns)) == 64


@pytest.mark.parametrize("style", [style for style in STYLES if style != "ink"])
def test_everyone_can_tell_countries_apart(style: str) -> None:
    """Their tints are paler than the colors of badges."""
    theme = STYLES[style]
    tints = [power_inks(color).tint for color in standard_chart().palette.values()]
    grounds = [mix(tint, theme.land, theme.look.wash) for tint in tints]
    assert find_least_difference(grounds) >= 7


@pytest.mark.parametrize("style", [style for style in STYLES if style != "ink"])
def test_letters_across_a_country_can_be_read(style: str) -> None:
    theme = STYLES[style]
    letters, halo = theme.look.country_names
    for color in standard_chart().palette.values():
        ink, around = theme.label, theme.label_halo
        if is_dark(color):
            ink, around = theme.dark_label, theme.dark_halo
        ground = mix(power_inks(color).tint, theme.land, theme.look.wash)
        beside = mix(around, ground, halo)
        # The halo is drawn below the letters, too.
        first, second = sorted(luminance(one) + 0.05 for one in (beside, mix(ink, beside, letters)))
        assert second / first >= 3, color


def test_only_parchment_and_modern_have_a_night() -> None:
    names = [*_STYLES, *(f"{name}-night" for name in _AT_NIGHT)]
    assert sorted(names) == sorted(STYLES)
