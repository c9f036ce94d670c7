"""Sound maps changed at random: each change is refused with its place, or leaves a sound map."""

import copy
import json
from functools import cache
from random import Random

import pytest
from tests.atlas.breaking import sound

from diplomaccloud.atlas.chartfile import (
    ChartError,
    chart_from_json,
    chart_to_json,
    check_chart,
    dump_chart,
)
from diplomaccloud.atlas.generator import make_chart
from diplomaccloud.atlas.standard import standard_chart

CHANGES = {"toy": 40, "Europe": 6, "for two": 8}
"""In each of the tests of a map."""

OTHERS = (None, True, -1, 1.5, 1e308, "", "x", "\u202e", [], {}, [[]])

FIXED = {"v", "code", "terrain", "center", "kind", "left", "right", "province", "width", "height"}
"""Members of which no other value fits to the rest of the map."""


@cache
def charts():
    """Return the maps to be broken, as JSON values."""
    told = {"Europe": standard_chart(), "for two": make_chart("broken", 2)}
    return {"toy": sound()} | {
        name: json.loads(json.dumps(chart_to_json(chart))) for name, chart in told.items()
    }


def ways(value, way=()):
    """Yield the way to every value within `value`."""
    for key, one in (
        value.items()
        if isinstance(value, dict)
        else enumerate(value if isinstance(value, list) else ())
    ):
        yield (*way, key)
        yield from ways(one, (*way, key))


def at(data, way):
    for key in way:
        data = data[key]
    return data


@cache
def ways_by_kind(name):
    """Return the ways to all values of the map, those alike but for numbers together."""
    kinds = {}
    for way in ways(charts()[name]):
        kinds.setdefault(tuple("#" if isinstance(key, int) else key for key in way), []).append(way)
    return [*kinds.values()]


def changed(name, random):
    """Return the map `name` with one value deleted, doubled, replaced, moved or exchanged."""
    data = copy.deepcopy(charts()[name])
    alike = random.choice(ways_by_kind(name))
    way = random.choice(alike)
    parent, key = at(data, way[:-1]), way[-1]
    value = parent[key]
    match random.choice(["delete", "double", "other", "strange", "exchange", "nudge"]):
        case "delete":
            del parent[key]
        case "double" if isinstance(parent, list):
            parent.insert(key, copy.deepcopy(value))
        case "other":
            parent[key] = copy.deepcopy(at(charts()[name], random.choice(alike)))
        case "strange":
            parent[key] = random.choice(OTHERS)
        case "exchange" if isinstance(parent, list):
            other = random.randrange(len(parent))
            parent[key], parent[other] = parent[other], value
        case _ if isinstance(value, bool):
            parent[key] = not value
        case _ if isinstance(value, int | float):
            parent[key] = value + random.choice([-1, 1, 30])
        case _ if isinstance(value, str):
            parent[key] = value.swapcase()
        case _ if isinstance(value, list):
            value.reverse()
    return way, data


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", CHANGES)
def test_a_change_at_random_is_named_or_leaves_a_map_that_comes_back(name, seed):
    random = Random(f"{name} {seed}")
    for _ in range(CHANGES[name]):
        way, data = changed(name, random)
        found = faults(data)
        assert all(len(text) < 600 and ": " in text for text in found), way
        if not found:
            assert data == charts()[name] or way[-1] not in FIXED, way
            chart = chart_from_json(data)
            assert check_chart(dump_chart(chart)) == chart, way


def faults(data):
    try:
        chart_from_json(data, drawing=True)
    except ChartError as error:
        return [str(fault) for fault in error.faults]
    return []
