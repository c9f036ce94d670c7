"""Maps in few units: only proportions matter, down to a size that pictures can show."""

from dataclasses import replace

import pytest
from tests.atlas.toy_map import toy_chart

from diplomaccloud.atlas.chart import Anchors, Chart, Point
from diplomaccloud.atlas.chartfile import ChartError, check_chart, dump_chart
from diplomaccloud.atlas.render.coasts import place_coast_marks
from diplomaccloud.atlas.render.codes import place_codes
from diplomaccloud.judge.board import ProvinceCode


def scaled(chart: Chart, scale: float) -> Chart:
    """Return the same map in other units."""

    def moved(at: Point) -> Point:
        return at[0] * scale, at[1] * scale

    def anchors(given: Anchors) -> Anchors:
        return replace(
            given,
            label=moved(given.label),
            label_size=given.label_size * scale,
            units={place: moved(at) for place, at in given.units.items()},
            dislodged=moved(given.dislodged),
            star=given.star and moved(given.star),
        )

    return replace(
        chart,
        size=moved(chart.size),
        arcs=tuple(replace(arc, points=tuple(map(moved, arc.points))) for arc in chart.arcs),
        shapes=tuple(replace(one, anchors=anchors(one.anchors)) for one in chart.shapes),
    )


@pytest.mark.parametrize("scale", [0.25, 0.5, 4.0])
def test_a_map_is_sound_in_any_units(scale: float) -> None:
    check_chart(dump_chart(scaled(toy_chart(), scale)))


def test_a_map_without_printed_names_is_too() -> None:
    chart = toy_chart()
    shapes = tuple(
        replace(one, anchors=replace(one.anchors, label_size=0.0, label_lines=()))
        for one in chart.shapes
    )
    check_chart(dump_chart(scaled(replace(chart, shapes=shapes), 0.25)))


def test_marks_and_codes_stand_where_they_do_on_a_larger_one() -> None:
    whole, small = toy_chart(), scaled(toy_chart(), 0.25)
    isthmus = ProvinceCode("IST")
    for one, other in zip(
        place_coast_marks(whole)[isthmus], place_coast_marks(small)[isthmus], strict=True
    ):
        assert one.text == other.text
        assert tuple(4 * side for side in other.at) == pytest.approx(one.at, abs=13)
    for code, print_ in place_codes(small).items():
        assert print_.cost < 8 or place_codes(whole)[code].cost >= 8, code


def test_one_of_so_few_units_that_it_would_be_coarse_is_refused_with_the_reason() -> None:
    with pytest.raises(ChartError) as refusal:
        check_chart(dump_chart(scaled(toy_chart(), 0.125)))
    (fault,) = refusal.value.faults
    assert str(fault).startswith("size: is 60 by 40 units, too few to be drawn well")
