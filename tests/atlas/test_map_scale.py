"""Maps in other units: only proportions matter, down to a minimum size."""

from dataclasses import replace

import pytest
from judge.tests.drawing.toy_map import toy_chart

from diplomaccloud.atlas.chartfile import ChartError, check_chart, dump_chart
from diplomaccloud.judge.board import ProvinceCode
from diplomaccloud.judge.drawing.chart import Anchors, Chart, Point
from diplomaccloud.judge.drawing.labels import place_coast_marks, place_codes


def scale_chart(chart: Chart, scale: float) -> Chart:
    """Return the map with all lengths multiplied by `scale`."""

    def scale_point(at: Point) -> Point:
        return at[0] * scale, at[1] * scale

    def scale_anchors(original: Anchors) -> Anchors:
        return replace(
            original,
            label=scale_point(original.label),
            label_size=original.label_size * scale,
            units={place: scale_point(at) for place, at in original.units.items()},
            dislodged=scale_point(original.dislodged),
            star=original.star and scale_point(original.star),
        )

    return replace(
        chart,
        size=scale_point(chart.size),
        arcs=tuple(replace(arc, points=tuple(map(scale_point, arc.points))) for arc in chart.arcs),
        shapes=tuple(
            replace(shape, anchors=scale_anchors(shape.anchors)) for shape in chart.shapes
        ),
    )


@pytest.mark.parametrize("scale", [0.25, 0.5, 4.0])
def test_a_map_is_valid_in_any_units(scale: float) -> None:
    check_chart(dump_chart(scale_chart(toy_chart(), scale)))


def test_a_map_without_printed_names_is_valid_in_any_units() -> None:
    chart = toy_chart()
    shapes = tuple(
        replace(shape, anchors=replace(shape.anchors, label_size=0.0, label_lines=()))
        for shape in chart.shapes
    )
    check_chart(dump_chart(scale_chart(replace(chart, shapes=shapes), 0.25)))


def test_marks_and_codes_have_the_same_places_on_a_smaller_map() -> None:
    whole, small = toy_chart(), scale_chart(toy_chart(), 0.25)
    isthmus = ProvinceCode("IST")
    for large_mark, small_mark in zip(
        place_coast_marks(whole)[isthmus], place_coast_marks(small)[isthmus], strict=True
    ):
        assert large_mark.text == small_mark.text
        assert tuple(4 * side for side in small_mark.at) == pytest.approx(large_mark.at, abs=13)
    for code, code_label in place_codes(small).items():
        assert code_label.cost < 8 or place_codes(whole)[code].cost >= 8, code


def test_a_map_with_too_few_units_is_rejected() -> None:
    with pytest.raises(ChartError) as refusal:
        check_chart(dump_chart(scale_chart(toy_chart(), 0.125)))
    (fault,) = refusal.value.faults
    assert str(fault).startswith("size: is 60 by 40 units, which is too coarse to draw")
