"""The shapes of provinces as data, from which a page's script draws what the overlay would."""

import json
import re
from collections.abc import Sequence
from typing import Any

from tests.atlas.toy_map import toy_chart

from diplomaccloud.atlas.render.overlay import render_overlay, write_shapes
from diplomaccloud.judge.position import starting_position


def _trace(ring: Sequence[int], arcs: list[list[int]]) -> list[tuple[int, int]]:
    """Return the points of a ring in tenths, as `map-shapes.js` finds them."""
    points: list[tuple[int, int]] = []
    for ref in ring:
        x, y, *steps = arcs[ref if ref >= 0 else ~ref]
        line = [(x, y)]
        for dx, dy in zip(steps[::2], steps[1::2], strict=True):
            line.append((line[-1][0] + dx, line[-1][1] + dy))
        points += (line if ref >= 0 else line[::-1])[1 if points else 0 :]
    return points


def _parse(path: str) -> list[tuple[int, int]]:
    """Return the points of path data with relative steps, in tenths."""
    numbers = [round(float(text) * 10) for text in re.findall(r"-?\d*\.?\d+", path)]
    points = [(numbers[0], numbers[1])]
    for dx, dy in zip(numbers[2::2], numbers[3::2], strict=True):
        points.append((points[-1][0] + dx, points[-1][1] + dy))
    return points


def test_the_shapes_are_those_that_an_overlay_draws() -> None:
    chart = toy_chart()
    drawn = render_overlay(chart, starting_position(chart.board))
    facts: dict[str, Any] = json.loads(write_shapes(chart))
    assert len(facts["provinces"]) == len(chart.shapes)
    for code, terrain, name, rings in facts["provinces"]:
        shape = re.search(
            rf'<path id="p-{code}" class="province {terrain}"[^>]* d="([^"]*)"', drawn
        )
        assert shape
        assert f"<title>{name}</title>" in drawn
        paths = [path for path in shape[1].split("z") if path]
        assert [_trace(ring, facts["arcs"]) for ring in rings] == [_parse(path) for path in paths]


def test_a_drawing_without_shapes_has_a_gap_for_them() -> None:
    chart = toy_chart()
    drawn = render_overlay(chart, starting_position(chart.board), shapes=False)
    assert '<g class="provinces" data-same></g>' in drawn
    assert 'class="province ' not in drawn
