"""Faults of fleets' places on split coasts: those by the wrong shore."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from itertools import combinations

from shapely import LineString, MultiLineString, Point

from diplomaccloud.atlas.chart import ArcKind
from diplomaccloud.atlas.checking.chartdata import ChartData
from diplomaccloud.atlas.checking.faults import Faults, below
from diplomaccloud.atlas.checking.lines import points_of

_SLACK = 1.0
"""Places that would fit better by less than this, in map units, may be either's."""

Places = Mapping[str, list[float]]


def find_coast_faults(data: ChartData, found: Faults) -> None:
    """Add places for fleets on two coasts that are exchanged."""
    shores = _shores(data)
    for i, shape in enumerate(data["shapes"]):
        if shape is None:
            continue
        for member, places in (
            ("units", shape["units"]),
            ("dislodged_coasts", shape.get("dislodged_coasts", {})),
        ):
            for one, other in _exchanged(places, shores):
                at = below(f"shapes[{i}].{member}", one)
                found.add(at, f"lies by the shore of {other}, and that by the shore of {one}")


def _shores(data: ChartData) -> dict[str, MultiLineString]:
    """Return the shore of each coast of a split one: all lines beside the seas that it reaches."""
    reached: dict[str, set[str]] = defaultdict(set)
    for border in data["board"]["fleet_borders"]:
        for place, to in (border, border[::-1]) if border is not None else ():
            if "/" in place:
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


def _exchanged(places: Places, shores: Mapping[str, MultiLineString]) -> Iterator[tuple[str, str]]:
    """Yield pairs of places for fleets that would fit better the other way round."""
    for one, other in combinations([place for place in places if place in shores], 2):
        first, second = Point(places[one]), Point(places[other])
        as_is = first.distance(shores[one]) + second.distance(shores[other])
        exchanged = first.distance(shores[other]) + second.distance(shores[one])
        if exchanged + _SLACK < as_is:
            yield one, other
