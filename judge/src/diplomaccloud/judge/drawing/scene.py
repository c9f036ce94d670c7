"""The scene that all parts of a drawing share: chart, position, colors and scale."""

import re
from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from html import escape
from importlib.resources import files

from diplomaccloud.judge.board import Location, Power, ProvinceCode, UnitKind, province_of
from diplomaccloud.judge.drawing.chart import Anchors, Chart, Point, Ring, Shape
from diplomaccloud.judge.drawing.many_powers import MIN_NEAR_DIFFERENCE, find_near_powers
from diplomaccloud.judge.drawing.palette import color_difference
from diplomaccloud.judge.drawing.paths import num
from diplomaccloud.judge.drawing.sizes import (
    HALF_HEIGHT,
    HALF_WIDTH,
    MAP_SIZE,
    badge_scale,
    place_badges,
)
from diplomaccloud.judge.drawing.theme import (
    INKED,
    PowerInks,
    Theme,
    power_inks,
)
from diplomaccloud.judge.position import Dislodged, Position
from diplomaccloud.judge.units import Unit

FONT = "TeX Gyre Pagella"

LETTERS = "Map Letters"
"""The name of the fonts that a standalone map embeds, to look the same on every computer."""

_SERIF_STACK = f"{FONT},{LETTERS},Palatino,Palatino Linotype,Book Antiqua,Georgia,serif"

SANS = "Map Sans"
"""The fonts of looks without serifs, which are at most as wide as the usual ones."""

_SANS_STACK = f"{SANS},Fira Sans Condensed,Roboto Condensed,Arial Narrow,sans-serif"

DISLODGED_SIZE = 0.8
"""The size of the badge of a dislodged unit, relative to a usual badge."""

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
    def unit(self) -> float:
        """The size of a plain unit of badges, stars and strokes, in map units."""
        return badge_scale(self.chart)

    @cached_property
    def inks(self) -> Mapping[Power, PowerInks]:
        """The shades of every power on the board."""
        if self.theme.look.inked:
            return {info.power: INKED for info in self.chart.board.powers}
        return {
            info.power: power_inks(self.color_of(info.power), live=self.theme.live)
            for info in self.chart.board.powers
        }

    @cached_property
    def alike(self) -> frozenset[Power]:
        """Powers that start near one with a similar color: their patterns always show."""
        plain = {
            info.power: power_inks(self.color_of(info.power)).badge
            for info in self.chart.board.powers
        }
        return frozenset(
            second
            for first, second in find_near_powers(self.chart.board)
            if color_difference(plain[first], plain[second]) < MIN_NEAR_DIFFERENCE
        )

    def color_of(self, power: Power) -> str:
        """Return the color of `power`; empty if it has none."""
        return self.colors.get(power) or self.chart.palette.get(power, "")

    def inks_of(self, power: Power) -> PowerInks:
        """Return the shades of `power`; gray ones for a power that is not on the board."""
        return self.inks.get(power) or power_inks("", live=self.theme.live)

    def number_of(self, power: Power) -> int:
        """Return the number of `power` on the board, from 0; one more than the last if unknown."""
        powers = [info.power for info in self.chart.board.powers]
        return powers.index(power) if power in powers else len(powers)

    def place(self, location: Location) -> Point | None:
        """Return where a unit at `location` is drawn; `None` if the chart has no such province.

        If the coast is missing or wrong, the result is another place in the province.
        """
        badges = place_badges(self.chart)
        badge = badges.get(location) or badges.get(Location(province_of(location)))
        shape = self.shapes.get(province_of(location))
        if badge is not None or shape is None:
            return badge
        return next((badges[place] for place in shape.anchors.units), shape.anchors.label)

    def place_of(self, unit: Unit) -> Point | None:
        """Return where `unit` is drawn: next to its attacker if it has been dislodged.

        A fleet without its coast is the one that is in the province.
        """
        shape, drawn = self.shapes.get(unit.province), self._find_fleet(unit)
        if shape is not None and drawn in self.removed:
            return self._place_beside_attacker(drawn, shape.anchors)
        return self.place(drawn.location)

    def goal_of(self, unit: Unit, to: Location) -> Point | None:
        """Return where `unit` would be drawn after it went to `to`, which may lack its coast.

        If a fleet reaches several coasts, the result is the usual place in the province.
        """
        if unit.kind is UnitKind.FLEET and not coast_suffix(to):
            reached = self.chart.board.destinations(unit.kind, self._find_fleet(unit).location)
            coasts = [place for place in reached if province_of(place) == province_of(to)]
            if len(coasts) == 1:
                return self.place(coasts[0])
        return self.place(to)

    def _find_fleet(self, unit: Unit) -> Unit:
        """Return the fleet that `unit` stands for, if it lacks the coast, or else `unit`."""
        if unit.kind is UnitKind.ARMY or unit.location in self.chart.board.fleet_neighbors:
            return unit
        known = (*self.position.units, *self.removed)
        same = (
            one
            for one in known
            if (one.kind, one.province, one.power) == (unit.kind, unit.province, unit.power)
        )
        return next(same, unit)

    def size_of(self, unit: Unit) -> float:
        """Return the size of the badge of `unit`, relative to the usual size."""
        return DISLODGED_SIZE if unit in self.removed else 1.0

    def _place_beside_attacker(self, unit: Unit, anchors: Anchors) -> Point:
        """Return the first place in the province that is clear of the attacker, or the farthest.

        An attacking fleet on a coast may stand where dislodged units usually go. A place that
        touches the attacker is pushed away from it.
        """
        standing = (u for u in self.position.units if u.province == unit.province)
        attacker = next((self.place(attacking.location) for attacking in standing), None)
        usual = anchors.dislodged_at(unit.location)
        if attacker is None or self._badge_distance(usual, attacker) >= 1:
            return usual
        places = (usual, *anchors.units.values(), *anchors.dislodged_coasts.values())
        clear = (place for place in places if self._badge_distance(place, attacker) >= 1)
        farthest = max(places, key=lambda place: self._badge_distance(place, attacker))
        place = next(clear, farthest)
        distance = self._badge_distance(place, attacker)
        if distance >= 1 or distance == 0:
            return place
        return (
            attacker[0] + (place[0] - attacker[0]) / distance,
            attacker[1] + (place[1] - attacker[1]) / distance,
        )

    def _badge_distance(self, first: Point, second: Point) -> float:
        """Return the distance of a dislodged unit's badge and a usual one; 1 if they touch."""
        reach = (1 + DISLODGED_SIZE) * self.unit
        width, height = reach * HALF_WIDTH, reach * HALF_HEIGHT
        return max(abs(first[0] - second[0]) / width, abs(first[1] - second[1]) / height)

    @cached_property
    def occupied(self) -> frozenset[ProvinceCode]:
        """The provinces with a unit in them."""
        return frozenset(unit.province for unit in self.position.units)

    @cached_property
    def removed(self) -> frozenset[Unit]:
        """Dislodged units that have left their place in the position."""
        all_dislodged = (*self.position.dislodged, *self.dislodged)
        return frozenset(entry.unit for entry in all_dislodged).difference(self.position.units)

    @cached_property
    def still_in_place(self) -> frozenset[Unit]:
        """Dislodged units that the position still lists in their province."""
        return frozenset(entry.unit for entry in self.dislodged).intersection(self.position.units)


def frame_scale(chart: Chart) -> float:
    """Return the size of a plain unit of the frame and the coast, in map units."""
    return max(chart.size) / MAP_SIZE


def view_box(chart: Chart) -> str:
    """Return the `viewBox` of base and overlay: the map with its frame."""
    margin = frame_margin(chart)
    width, height = (side + 2 * margin for side in chart.size)
    return f"{num(-margin)} {num(-margin)} {num(width)} {num(height)}"


def svg_element(chart: Chart, content: str, attributes: str = "", box: str = "") -> str:
    """Return an `svg` element with `content` and as its `viewBox` the map's, or `box`."""
    shown = box or view_box(chart)
    head = f'<svg xmlns="http://www.w3.org/2000/svg"{attributes} viewBox="{shown}">'
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


def choose_fonts(theme: Theme) -> str:
    """Return the `font-family` of all text of a drawing; a live one takes others from the page."""
    return _SANS_STACK if theme.look.sans else _SERIF_STACK


@cache
def font_faces(*, sans: bool = False) -> str:
    """Return a `style` element with both font faces, about 40 KB compressed.

    Only for standalone drawings: a page with a strict content security policy blocks it.
    """
    faces = ""
    family, prefix = (SANS, "map-sans") if sans else (LETTERS, "map-letters")
    for name, style in (("regular", "normal"), ("italic", "italic")):
        font = files("diplomaccloud.judge.drawing") / "fonts" / f"{prefix}-{name}.woff2"
        faces += (
            f'@font-face{{font-family:"{family}";font-style:{style};'
            f"src:url(data:font/woff2;base64,{b64encode(font.read_bytes()).decode()})}}"
        )
    return f"<style>{faces}</style>"
