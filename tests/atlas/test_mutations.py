"""Random changes to valid maps: each is rejected with a path, or leaves a valid map."""

import copy
import json
from functools import cache
from random import Random

import pytest
from tests.atlas.chart_faults import valid_data

from diplomaccloud.atlas.chartfile import (
    ChartError,
    chart_from_json,
    chart_to_json,
    check_chart,
    dump_chart,
)
from diplomaccloud.atlas.generator.pipeline import make_chart
from diplomaccloud.judge.drawing.europe import standard_chart

CHANGES = {"toy": 40, "Europe": 6, "for two": 8}
"""How many changes each test makes, by map."""

OTHERS = (None, True, -1, 1.5, 1e308, "", "x", "\u202e", [], {}, [[]])

FIXED = {"v", "code", "terrain", "center", "kind", "left", "right", "province", "width", "height"}
"""Members for which no other value fits the rest of the map."""


@cache
def charts():
    """Return the maps to change, as JSON values."""
    maps = {"Europe": standard_chart(), "for two": make_chart("broken", 2)}
    return {"toy": valid_data()} | {
        name: json.loads(json.dumps(chart_to_json(chart))) for name, chart in maps.items()
    }


def list_paths(value, path=()):
    """Yield the path of every value inside `value`."""
    for key, member in (
        value.items()
        if isinstance(value, dict)
        else enumerate(value if isinstance(value, list) else ())
    ):
        yield (*path, key)
        yield from list_paths(member, (*path, key))


def get_value(data, path):
    for key in path:
        data = data[key]
    return data


@cache
def group_paths(name):
    """Return the paths of all values of the map, grouped by their names without indices."""
    kinds = {}
    for path in list_paths(charts()[name]):
        kinds.setdefault(tuple("#" if isinstance(key, int) else key for key in path), []).append(
            path
        )
    return [*kinds.values()]


def change_randomly(name, random):
    """Return the map `name` with one value deleted, repeated, replaced, moved or swapped."""
    data = copy.deepcopy(charts()[name])
    alike = random.choice(group_paths(name))
    path = random.choice(alike)
    parent, key = get_value(data, path[:-1]), path[-1]
    value = parent[key]
    match random.choice(["delete", "double", "other", "strange", "exchange", "nudge"]):
        case "delete":
            del parent[key]
        case "double" if isinstance(parent, list):
            parent.insert(key, copy.deepcopy(value))
        case "other":
            parent[key] = copy.deepcopy(get_value(charts()[name], random.choice(alike)))
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
    return path, data


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", CHANGES)
def test_a_random_change_is_reported_or_leaves_a_valid_map(name, seed):
    random = Random(f"{name} {seed}")
    for _ in range(CHANGES[name]):
        path, data = change_randomly(name, random)
        messages = faults(data)
        assert all(len(text) < 600 and ": " in text for text in messages), path
        if not messages:
            assert data == charts()[name] or path[-1] not in FIXED, path
            chart = chart_from_json(data)
            assert check_chart(dump_chart(chart)) == chart, path


def faults(data):
    try:
        chart_from_json(data, drawing=True)
    except ChartError as error:
        return [str(fault) for fault in error.faults]
    return []
