"""Units, positions and drawings of the toy chart, for several test modules."""

from judge.tests.drawing.toy_map import ALMAR, DUNN, toy_chart

from diplomaccloud.judge.board import Location, Power, ProvinceCode, UnitKind
from diplomaccloud.judge.drawing.base import render_base
from diplomaccloud.judge.drawing.labels import Labels
from diplomaccloud.judge.drawing.overlay import render_map, render_overlay, render_thumbnail
from diplomaccloud.judge.drawing.theme import NIGHT
from diplomaccloud.judge.phases import Phase
from diplomaccloud.judge.position import Dislodged, Position
from diplomaccloud.judge.units import Unit

SVG = "{http://www.w3.org/2000/svg}"


def unit(text: str, power: Power) -> Unit:
    """Return the unit of `power` with this text, e.g. A ALM."""
    kind, place = text.split()
    return Unit(UnitKind(kind), Location(place), power)


A_ALM, A_KET, F_WSE = unit("A ALM", ALMAR), unit("A KET", ALMAR), unit("F WSE", ALMAR)
A_BOR, F_DUN, F_EAST = unit("A BOR", DUNN), unit("F DUN", DUNN), unit("F IST/EC", DUNN)
IST, BOR, KET, ESE = (Location(code) for code in ("IST", "BOR", "KET", "ESE"))


def position(*units: Unit, dislodged: tuple[Dislodged, ...] = ()) -> Position:
    """Return the position of `units` in fall 1901, when each power holds one center."""
    centers = {ProvinceCode("ALM"): ALMAR, ProvinceCode("DUN"): DUNN}
    return Position(Phase.parse("F1901M"), units, centers, dislodged)


CROWDED = position(A_ALM, A_KET, F_WSE, A_BOR, F_DUN, F_EAST)


def drawings() -> dict[str, str]:
    """Return one drawing of each kind, by name."""
    chart = toy_chart()
    return {
        "base": render_base(chart),
        "base at night": render_base(chart, NIGHT),
        "overlay": render_overlay(chart, CROWDED, title="Fall 1901", labels=Labels.BOTH),
        "map": render_map(chart),
        "thumbnail": render_thumbnail(chart),
    }
