"""The scene that all parts of a drawing share: chart, position, colors and scale."""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from html import escape
from statistics import median

from diplomaccloud.atlas.chart import Anchors, Chart, Point, Ring, Shape
from diplomaccloud.atlas.render.chart_cache import cache_per_chart
from diplomaccloud.atlas.render.embedded_fonts import LETTERS
from diplomaccloud.atlas.render.paths import num
from diplomaccloud.atlas.render.theme import PowerInks, Theme, is_dark, power_inks
from diplomaccloud.judge.board import Location, Power, ProvinceCode, Terrain, province_of
from diplomaccloud.judge.position import Dislodged, Position
from diplomaccloud.judge.units import Unit

FONT = "TeX Gyre Pagella"
FONT_STACK = f"{FONT},{LETTERS},Palatino,Palatino Linotype,Book Antiqua,Georgia,serif"

HALF_WIDTH = 16.0
HALF_HEIGHT = 11.5
"""Half the size of a badge, in plain units of `Scene.unit` map units."""

_LABEL_SIZE = 15.0
"""The size of names at which a plain unit is one map unit."""

_MAP_SIZE = 1340.0
"""The longer side of a map at which the frame has its plain size."""

_FRAME_WIDTH = 30.0
"""The width of the frame, in plain units."""

_SAFE_TEXT = re.compile(r"[\w .,:/()-]*")


@dataclass(frozen=True)
class Scene:
    """The values that one drawing is made from."""

    chart: Chart
    position: Position
    theme: Theme
    dislodged: tuple[Dislodged, ...] = ()
    colors: Mapping[str, str] = field(default_factory=dict)
    """Colors by power, replacing those of the chart."""
    patterned: bool = False
    """Whether countries show patterns in addition to their colors."""

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
        """The size of a plain unit of badges, stars and strokes, in map units."""
        return badge_scale(self.chart)

    @cached_property
    def inks(self) -> Mapping[Power, PowerInks]:
        """The shades of every power on the board."""
        return {
            info.power: power_inks(self.color_of(info.power), live=self.theme.live)
            for info in self.chart.board.powers
        }

    def color_of(self, power: Power) -> str:
        """Return the color of `power`; empty if it has none."""
        return self.colors.get(power) or self.chart.palette.get(power, "")

    def is_dark(self, power: Power) -> bool:
        """Return whether the land of `power` is so dark that text on it is light."""
        return is_dark(self.color_of(power))

    @property
    def initials(self) -> Mapping[Power, str]:
        """One letter for each power, or two where powers share the first one."""
        return _choose_signs(self.chart)

    def inks_of(self, power: Power) -> PowerInks:
        """Return the shades of `power`; gray ones for a power that is not on the board."""
        return self.inks.get(power) or power_inks("", live=self.theme.live)

    def place(self, location: Location) -> Point | None:
        """Return where a unit at `location` is drawn; `None` if the chart has no such province.

        If the coast is missing or wrong, the result is another place in the province.
        """
        shape = self.shapes.get(province_of(location))
        if shape is None:
            return None
        units = shape.anchors.units
        at = units.get(location) or units.get(Location(shape.province))
        return at or next(iter(units.values()), shape.anchors.label)

    def place_of(self, unit: Unit) -> Point | None:
        """Return where `unit` is drawn: next to its attacker if it has been dislodged."""
        shape = self.shapes.get(unit.province)
        if shape is not None and unit in self.removed:
            return self._place_beside_attacker(unit, shape.anchors)
        return self.place(unit.location)

    def _place_beside_attacker(self, unit: Unit, anchors: Anchors) -> Point:
        """Return the first place in the province that is clear of the attacker, or the farthest.

        An attacking fleet on a coast may stand where dislodged units usually go.
        """
        attackers = (
            self.place(other.location)
            for other in self.position.units
            if other.province == unit.province
        )
        attacker = next(attackers, None)
        usual = anchors.dislodged_at(unit.location)
        if attacker is None or self._badge_distance(usual, attacker) >= 1:
            return usual
        places = (usual, *anchors.units.values(), *anchors.dislodged_coasts.values())
        clear = (place for place in places if self._badge_distance(place, attacker) >= 1)
        return next(clear, max(places, key=lambda place: self._badge_distance(place, attacker)))

    def _badge_distance(self, first: Point, second: Point) -> float:
        """Return the distance between two badges; it is 1 when they touch."""
        width, height = 2 * HALF_WIDTH * self.unit, 2 * HALF_HEIGHT * self.unit
        return max(abs(first[0] - second[0]) / width, abs(first[1] - second[1]) / height)

    @cached_property
    def occupied(self) -> frozenset[ProvinceCode]:
        """The provinces with a unit in them."""
        return frozenset(unit.province for unit in self.position.units)

    @cached_property
    def removed(self) -> frozenset[Unit]:
        """Dislodged units that have left their place in the position."""
        all_dislodged = (*self.position.dislodged, *self.dislodged)
        return frozenset(dislodged.unit for dislodged in all_dislodged) - frozenset(
            self.position.units
        )

    @cached_property
    def still_in_place(self) -> frozenset[Unit]:
        """Dislodged units that the position still lists in their province."""
        return frozenset(dislodged.unit for dislodged in self.dislodged) & frozenset(
            self.position.units
        )


@cache_per_chart
def usual_label_size(chart: Chart) -> float:
    """Return the median font size of the names on land, or one in scale with the map."""
    by_code = chart.board.by_code
    sizes = [
        shape.anchors.label_size
        for shape in chart.shapes
        if shape.anchors.label_size > 0 and by_code[shape.province].terrain is not Terrain.SEA
    ]
    return median(sizes) if sizes else max(chart.size) * _LABEL_SIZE / _MAP_SIZE


def badge_scale(chart: Chart) -> float:
    """Return the size of a plain unit of badges, stars and strokes, in map units."""
    return usual_label_size(chart) / _LABEL_SIZE


def frame_scale(chart: Chart) -> float:
    """Return the size of a plain unit of the frame and the coast, in map units."""
    return max(chart.size) / _MAP_SIZE


def view_box(chart: Chart) -> str:
    """Return the `viewBox` of base and overlay: the map with its frame."""
    margin = _FRAME_WIDTH * frame_scale(chart)
    width, height = (side + 2 * margin for side in chart.size)
    return f"{num(-margin)} {num(-margin)} {num(width)} {num(height)}"


def svg_element(chart: Chart, content: str, attributes: str = "") -> str:
    """Return an `svg` element with `content` and the map's `viewBox`."""
    head = f'<svg xmlns="http://www.w3.org/2000/svg"{attributes} viewBox="{view_box(chart)}">'
    return f"{head}{content}</svg>"


def frame_margin(chart: Chart) -> float:
    """Return the width of the frame in map units."""
    return _FRAME_WIDTH * frame_scale(chart)


def list_rings(shape: Shape) -> list[Ring]:
    """Return all rings of `shape`, both outer rings and holes."""
    return [ring for polygon in shape.polygons for ring in polygon]


def escape_text(value: str) -> str:
    """Return `value` escaped for element content or a double-quoted attribute.

    Control characters, which XML does not allow, become replacement characters.
    """
    if _SAFE_TEXT.fullmatch(value):
        return value
    clean = "".join(
        c if c.isprintable() or c == "\xad" else "\N{REPLACEMENT CHARACTER}" for c in value
    )
    return escape(clean, quote=True)


def describe_unit(scene: Scene, unit: Unit) -> str:
    """Return e.g. `French army in Paris`, with the coast if the unit is on one."""
    info = scene.chart.board.power_info.get(unit.power)
    province = scene.chart.board.by_code.get(unit.province)
    adjective = info.adjective if info else unit.power
    name = province.name if province else unit.province
    coast = coast_suffix(unit.location)
    where = f"{name} ({coast_name(coast)})" if coast else name
    return f"{adjective} {unit.kind.word} in {where}"


def coast_suffix(location: Location) -> str:
    """Return `NC` for `STP/NC`; empty for a location without a coast."""
    return location[len(province_of(location)) + 1 :]


def coast_name(coast: str) -> str:
    """Return `north coast` for `NC`; a coast with another kind of name stays as it is."""
    sides = {"N": "north", "E": "east", "S": "south", "W": "west"}
    if coast.endswith("C") and coast[:-1] and set(coast[:-1]) <= set(sides):
        return "".join(sides[letter] for letter in coast[:-1]) + " coast"
    return coast


@cache_per_chart
def _choose_signs(chart: Chart) -> Mapping[Power, str]:
    return choose_initials({info.power: info.name for info in chart.board.powers})


def choose_initials(names: Mapping[Power, str]) -> dict[Power, str]:
    """Return the shortest distinct sign for each power: its first letter, or two of its letters."""
    letters = {power: [c for c in name if c.isalnum()] or ["?"] for power, name in names.items()}
    firsts = Counter(letters_of_power[0].upper() for letters_of_power in letters.values())
    chosen: dict[Power, str] = {}
    for power, (first, *others) in letters.items():
        head = first.upper()
        pairs = [head + c.lower() for c in others]
        numbered = (f"{head}{n}" for n in range(2, len(names) + 2))
        signs = [head] if firsts[head] == 1 else [*pairs, *numbered]
        chosen[power] = next(sign for sign in signs if sign not in chosen.values())
    return chosen
