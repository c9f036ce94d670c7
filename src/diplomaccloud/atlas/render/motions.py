"""The paths along which units move when a turn is replayed."""

from collections.abc import Iterable, Mapping

from diplomaccloud.atlas.chart import Chart
from diplomaccloud.atlas.render.arrows import find_routes
from diplomaccloud.atlas.render.base import refine_chart
from diplomaccloud.atlas.render.curves import curve_between
from diplomaccloud.atlas.render.scene import Scene
from diplomaccloud.atlas.render.theme import LIGHT
from diplomaccloud.judge.orders import Order, Retreat
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.units import Unit


def trace_routes(chart: Chart, position: Position, orders: Iterable[Order]) -> Mapping[Unit, str]:
    """Return the path of each ordered move and retreat, from badge to badge."""
    ordered = tuple(orders)
    scene = Scene(refine_chart(chart), position, LIGHT)
    routes = dict(find_routes(scene, ordered))
    for order in ordered:
        if isinstance(order, Retreat):
            start, end = scene.place_of(order.unit), scene.place(order.to)
            if start is not None and end is not None:
                routes[order.unit] = curve_between(start, end)
    return {unit: route.path() for unit, route in routes.items()}


def trace_retreats(chart: Chart, before: Position, after: Position) -> Mapping[Unit, str]:
    """Return the path of each unit dislodged between two positions, to its new place."""
    refined = refine_chart(chart)
    scenes = Scene(refined, before, LIGHT), Scene(refined, after, LIGHT)
    paths = {}
    for entry in after.dislodged:
        start, end = (scene.place_of(entry.unit) for scene in scenes)
        if start is not None and end is not None:
            paths[entry.unit] = curve_between(start, end).path()
    return paths
