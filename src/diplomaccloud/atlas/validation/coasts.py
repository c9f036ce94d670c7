"""Faults of fleets' places on split coasts: those by the wrong shore."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from itertools import combinations

from shapely import LineString, MultiLineString, Point
from shapely.geometry.base import BaseGeometry

from diplomaccloud.atlas.chart import ArcKind
from diplomaccloud.atlas.validation.chart_data import ChartData
from diplomaccloud.atlas.validation.faults import Faults, below
from diplomaccloud.atlas.validation.lines import points_of

_SLACK = 1.0
"""Places that would fit better by less than this, in map units, may be either's."""

Places = Mapping[str, list[float]]


def find_coast_faults(data: ChartData, found: Faults) -> None:
    """Add places for fleets on two coasts that are exchanged, standing or driven out.

    One driven out stands where there is room near the fleet's own place, be it by another shore.
    """
    coasts = _coasts(data)
    shores = _shores(data, coasts)
    for i, shape in enumerate(data["shapes"]):
        if shape is None:
            continue
        # Taken out: no further shape of the same province is looked at, however many there are.
        own = coasts.pop(shape["province"], frozenset())
        units, outs = (
            {place: at for place, at in places.items() if place in own}
            for places in (shape["units"], shape.get("dislodged_coasts", {}))
        )
        for one, other in _exchanged(units, shores):
            at = below(f"shapes[{i}].units", one)
            found.add(at, f"lies by the shore of {other}, and that by the shore of {one}")
        for one, other in _exchanged(outs, {place: Point(at) for place, at in units.items()}):
            at = below(f"shapes[{i}].dislodged_coasts", one)
            found.add(at, f"lies by the fleet's place on {other}, and that by the one on {one}")


def _coasts(data: ChartData) -> dict[str, frozenset[str]]:
    """Return the places on the coasts of each province that is split."""
    return {
        one["code"]: frozenset(f"{one['code']}/{coast}" for coast in one["coasts"] if coast)
        for one in data["board"]["provinces"]
        if one is not None and one["coasts"]
    }


def _shores(data: ChartData, coasts: Mapping[str, frozenset[str]]) -> dict[str, MultiLineString]:
    """Return the shore by each of the `coasts`: all lines beside the seas that it reaches."""
    known = frozenset().union(*coasts.values())
    reached: dict[str, set[str]] = defaultdict(set)
    for border in data["board"]["fleet_borders"]:
        for place, to in (border, border[::-1]) if border is not None else ():
            if place in known:
                reached[place].add(to)
    lines: dict[frozenset[str], list[LineString]] = defaultdict(list)
    for arc in data["arcs"]:
        if arc is not None and arc["kind"] == ArcKind.COAST and arc["left"] and arc["right"]:
            lines[frozenset({arc["left"], arc["right"]})].append(LineString(points_of(arc)))
    shores = {
        place: [line for sea in seas for line in lines[frozenset({place.split("/")[0], sea})]]
        for place, seas in reached.items()
    }
    return {place: MultiLineString(found) for place, found in shores.items() if found}


def _exchanged(places: Places, marks: Mapping[str, BaseGeometry]) -> Iterator[tuple[str, str]]:
    """Yield pairs of places that would be nearer to their `marks` the other way round."""
    for one, other in combinations([place for place in places if place in marks], 2):
        first, second = Point(places[one]), Point(places[other])
        as_is = first.distance(marks[one]) + second.distance(marks[other])
        exchanged = first.distance(marks[other]) + second.distance(marks[one])
        if exchanged + _SLACK < as_is:
            yield one, other
