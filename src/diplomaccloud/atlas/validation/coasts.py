"""Faults of fleets' places on split coasts: places at the wrong shore."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from itertools import combinations

from shapely import LineString, MultiLineString
from shapely import Point as Spot
from shapely.geometry.base import BaseGeometry

from diplomaccloud.atlas.chart import ArcKind
from diplomaccloud.atlas.validation.chart_schema import ChartData
from diplomaccloud.atlas.validation.faults import Faults, join_path
from diplomaccloud.atlas.validation.lines import points_of

_SLACK = 1.0
"""Swapped places are accepted if swapping them back would gain less than this, in map units."""

Places = Mapping[str, list[float]]


def find_coast_faults(data: ChartData, faults: Faults) -> None:
    """Add fleets' places on two coasts that are swapped, for units and for dislodged units.

    A dislodged fleet is drawn where there is space near its own place, even at another shore.
    """
    coasts = _find_split_coasts(data)
    shores = _find_shores(data, coasts)
    for i, shape in enumerate(data["shapes"]):
        if shape is None:
            continue
        # Popped, so that even thousands of further shapes of this province cost nothing.
        own = coasts.pop(shape["province"], frozenset())
        units, dislodged = (
            {place: at for place, at in places.items() if place in own}
            for places in (shape["units"], shape.get("dislodged_coasts", {}))
        )
        for first, second in _find_swapped(units, shores):
            at = join_path(f"shapes[{i}].units", first)
            faults.add(at, f"is at the shore of {second}, and {second} at the shore of {first}")
        for first, second in _find_swapped(
            dislodged, {place: Spot(at) for place, at in units.items()}
        ):
            at = join_path(f"shapes[{i}].dislodged_coasts", first)
            message = f"is at the fleet's place on {second}, and {second} at the one on {first}"
            faults.add(at, message)


def _find_split_coasts(data: ChartData) -> dict[str, frozenset[str]]:
    """Return the coasts of each province with several."""
    return {
        province["code"]: frozenset(
            f"{province['code']}/{coast}" for coast in province["coasts"] if coast
        )
        for province in data["board"]["provinces"]
        if province is not None and province["coasts"]
    }


def _find_shores(
    data: ChartData, coasts: Mapping[str, frozenset[str]]
) -> dict[str, MultiLineString]:
    """Return the shore of each coast: all lines along the seas that it borders."""
    known_coasts = frozenset().union(*coasts.values())
    reachable: dict[str, set[str]] = defaultdict(set)
    for border in data["board"]["fleet_borders"]:
        for place, to in (border, border[::-1]) if border is not None else ():
            if place in known_coasts:
                reachable[place].add(to)
    lines: dict[frozenset[str], list[LineString]] = defaultdict(list)
    for arc in data["arcs"]:
        if arc is not None and arc["kind"] == ArcKind.COAST and arc["left"] and arc["right"]:
            lines[frozenset({arc["left"], arc["right"]})].append(LineString(points_of(arc)))
    shores = {
        place: [line for sea in seas for line in lines[frozenset({place.split("/")[0], sea})]]
        for place, seas in reachable.items()
    }
    return {place: MultiLineString(pieces) for place, pieces in shores.items() if pieces}


def _find_swapped(places: Places, marks: Mapping[str, BaseGeometry]) -> Iterator[tuple[str, str]]:
    """Yield pairs of places that would be nearer to their `marks` if they were swapped."""
    for first, second in combinations([place for place in places if place in marks], 2):
        first_place, second_place = Spot(places[first]), Spot(places[second])
        as_is = first_place.distance(marks[first]) + second_place.distance(marks[second])
        swapped = first_place.distance(marks[second]) + second_place.distance(marks[first])
        if swapped + _SLACK < as_is:
            yield first, second
