"""What every part of a drawing shares: the chart, the position, the inks and the scale."""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from html import escape
from statistics import median

from diplomaccloud.atlas.chart import Anchors, Chart, Point, Ring, Shape
from diplomaccloud.atlas.render.chart_cache import once_per_chart
from diplomaccloud.atlas.render.lettering import LETTERS
from diplomaccloud.atlas.render.paths import num
from diplomaccloud.atlas.render.theme import PowerInks, Theme, is_dark, power_inks
from diplomaccloud.judge.board import Location, Power, ProvinceCode, Terrain, province_of
from diplomaccloud.judge.position import Dislodged, Position
from diplomaccloud.judge.units import Unit

FONT = "TeX Gyre Pagella"
FONT_STACK = f"{FONT},{LETTERS},Palatino,Palatino Linotype,Book Antiqua,Georgia,serif"

HALF_WIDTH = 16.0
HALF_HEIGHT = 11.5
"""Half the size of a badge, in plain units (`Scene.unit` map units each)."""

_LABEL_SIZE = 15.0
"""The label size at which a badge has its plain size."""

_MAP_SIZE = 1340.0
_MARGIN = 30.0
_PLAIN = re.compile(r"[\w .,:/()-]*")


@dataclass(frozen=True)
class Scene:
    """One drawing under way."""

    chart: Chart
    position: Position
    theme: Theme
    dislodged: tuple[Dislodged, ...] = ()
    colours: Mapping[str, str] = field(default_factory=dict)
    """Colours by power that replace the chart's."""
    patterned: bool = False
    """Whether countries show patterns beside their colours."""

    @cached_property
    def shapes(self) -> Mapping[ProvinceCode, Shape]:
        """Shapes by province."""
        return {shape.province: shape for shape in self.chart.shapes}

    @cached_property
    def label_size(self) -> float:
        """The usual font size of the map's names, in map units."""
        return usual_label_size(self.chart)

    @cached_property
    def unit(self) -> float:
        """How many map units a plain unit of badges, stars and strokes takes."""
        return unit_of(self.chart)

    @cached_property
    def inks(self) -> Mapping[Power, PowerInks]:
        """Shades of every power of the board."""
        return {
            info.power: power_inks(self.colour_of(info.power), live=self.theme.live)
            for info in self.chart.board.powers
        }

    def colour_of(self, power: Power) -> str:
        """Return the plain colour of `power`, empty for one that has none."""
        return self.colours.get(power) or self.chart.palette.get(power, "")

    def is_dark(self, power: Power) -> bool:
        """Return whether the land of `power` is so dark that letters on it are light."""
        return is_dark(self.colour_of(power))

    @property
    def initials(self) -> Mapping[Power, str]:
        """One letter per power, or two where powers share their first."""
        return _signs(self.chart)

    def inks_of(self, power: Power) -> PowerInks:
        """Return the shades of `power`, grey ones for a power not on the board."""
        return self.inks.get(power) or power_inks("", live=self.theme.live)

    def place(self, location: Location) -> Point | None:
        """Return where a unit at `location` is drawn; None for a place not on the chart.

        A coast left out, or named where there is none, is answered as well as can be.
        """
        shape = self.shapes.get(province_of(location))
        if shape is None:
            return None
        units = shape.anchors.units
        found = units.get(location) or units.get(Location(shape.province))
        return found or next(iter(units.values()), shape.anchors.label)

    def place_of(self, unit: Unit) -> Point | None:
        """Return where `unit` is drawn: beside its attacker when it has been driven out."""
        shape = self.shapes.get(unit.province)
        if shape is not None and unit in self.driven_out:
            return self._beside_attacker(unit, shape.anchors)
        return self.place(unit.location)

    def _beside_attacker(self, unit: Unit, anchors: Anchors) -> Point:
        """Return the first place in the province that who came in leaves free, else the farthest.

        A fleet that came in by a coast may stand where others are driven out to.
        """
        held = (
            self.place(one.location) for one in self.position.units if one.province == unit.province
        )
        attacker = next(held, None)
        usual = anchors.dislodged_at(unit.location)
        if attacker is None or self._apart(usual, attacker) >= 1:
            return usual
        places = (usual, *anchors.units.values(), *anchors.dislodged_coasts.values())
        clear = (place for place in places if self._apart(place, attacker) >= 1)
        return next(clear, max(places, key=lambda place: self._apart(place, attacker)))

    def _apart(self, one: Point, other: Point) -> float:
        """Return how far two badges are from each other, 1 when they touch."""
        wide, high = 2 * HALF_WIDTH * self.unit, 2 * HALF_HEIGHT * self.unit
        return max(abs(one[0] - other[0]) / wide, abs(one[1] - other[1]) / high)

    @cached_property
    def occupied(self) -> frozenset[ProvinceCode]:
        """Provinces in which a unit stands."""
        return frozenset(unit.province for unit in self.position.units)

    @cached_property
    def driven_out(self) -> frozenset[Unit]:
        """Dislodged units that no longer stand in their province."""
        listed = (*self.position.dislodged, *self.dislodged)
        return frozenset(one.unit for one in listed) - frozenset(self.position.units)

    @cached_property
    def beaten(self) -> frozenset[Unit]:
        """Units that still stand in their province but lose it this phase."""
        return frozenset(one.unit for one in self.dislodged) & frozenset(self.position.units)


@once_per_chart
def usual_label_size(chart: Chart) -> float:
    """Return the median font size of the names on land that fit, else one in scale with the map."""
    by_code = chart.board.by_code
    sizes = [
        shape.anchors.label_size
        for shape in chart.shapes
        if shape.anchors.label_size > 0 and by_code[shape.province].terrain is not Terrain.SEA
    ]
    return median(sizes) if sizes else max(chart.size) * _LABEL_SIZE / _MAP_SIZE


def unit_of(chart: Chart) -> float:
    """Return how many map units a plain unit of badges, stars and strokes takes."""
    return usual_label_size(chart) / _LABEL_SIZE


def frame_scale(chart: Chart) -> float:
    """Return how many map units a plain unit of the frame and the coast takes."""
    return max(chart.size) / _MAP_SIZE


def view_box(chart: Chart) -> str:
    """Return the `viewBox` shared by base and overlay: the map and its frame around it."""
    margin = _MARGIN * frame_scale(chart)
    width, height = (side + 2 * margin for side in chart.size)
    return f"{num(-margin)} {num(-margin)} {num(width)} {num(height)}"


def svg_element(chart: Chart, content: str, attributes: str = "") -> str:
    """Return the `svg` element with that `viewBox` around `content`."""
    head = f'<svg xmlns="http://www.w3.org/2000/svg"{attributes} viewBox="{view_box(chart)}">'
    return f"{head}{content}</svg>"


def margin_of(chart: Chart) -> float:
    """Return the width of the frame in map units."""
    return _MARGIN * frame_scale(chart)


def rings_of(shape: Shape) -> list[Ring]:
    """Return every ring of `shape`, outer rings and holes alike."""
    return [ring for polygon in shape.polygons for ring in polygon]


def text_of(value: str) -> str:
    """Return `value` escaped for element content or a double-quoted attribute.

    Control characters, which XML cannot hold at all, become a replacement character.
    """
    if _PLAIN.fullmatch(value):
        return value
    clean = "".join(
        c if c.isprintable() or c == "\xad" else "\N{REPLACEMENT CHARACTER}" for c in value
    )
    return escape(clean, quote=True)


def unit_title(scene: Scene, unit: Unit) -> str:
    """Return `French army in Paris`, the coast added where the unit stands on one."""
    info = scene.chart.board.power_info.get(unit.power)
    province = scene.chart.board.by_code.get(unit.province)
    adjective = info.adjective if info else unit.power
    name = province.name if province else unit.province
    coast = coast_text(unit.location)
    where = f"{name} ({coast_name(coast)})" if coast else name
    return f"{adjective} {unit.kind.word} in {where}"


def coast_text(location: Location) -> str:
    """Return `NC` for `STP/NC`; empty for a location without a coast."""
    return location[len(province_of(location)) + 1 :]


def coast_name(coast: str) -> str:
    """Return `north coast` for `NC`; a coast of another name is returned as it is."""
    sides = {"N": "north", "E": "east", "S": "south", "W": "west"}
    if coast.endswith("C") and coast[:-1] and set(coast[:-1]) <= set(sides):
        return "".join(sides[letter] for letter in coast[:-1]) + " coast"
    return coast


@once_per_chart
def _signs(chart: Chart) -> Mapping[Power, str]:
    return initials({info.power: info.name for info in chart.board.powers})


def initials(names: Mapping[Power, str]) -> dict[Power, str]:
    """Return the shortest distinct sign per power: its first letter, else two of its letters."""
    letters = {power: [c for c in name if c.isalnum()] or ["?"] for power, name in names.items()}
    firsts = Counter(spelt[0].upper() for spelt in letters.values())
    found: dict[Power, str] = {}
    for power, (first, *others) in letters.items():
        head = first.upper()
        pairs = [head + c.lower() for c in others]
        numbered = (f"{head}{n}" for n in range(2, len(names) + 2))
        signs = [head] if firsts[head] == 1 else [*pairs, *numbered]
        found[power] = next(sign for sign in signs if sign not in found.values())
    return found
