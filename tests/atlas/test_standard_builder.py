"""The steps from the drawing to the standard map."""

import pytest

from diplomaccloud.atlas.standard import standard_chart
from diplomaccloud.atlas.standard.builder.anchors import Box, split_name
from diplomaccloud.atlas.standard.builder.assembly import SOURCE
from diplomaccloud.atlas.standard.builder.drawing import (
    DrawingError,
    cut_pieces,
    find_faces,
    parse_drawing,
)

ISLAND = "[coast ring Island]\n5 45, 9 45, 9 49, 5 49\n"


def test_the_stored_lines_match_the_drawing():
    drawing = parse_drawing(SOURCE.read_text(encoding="utf-8"))
    arcs, _ = find_faces(cut_pieces(drawing), drawing.places)
    stored = standard_chart().arcs
    assert [(a.kind, a.left, a.right) for a in arcs] == [(a.kind, a.left, a.right) for a in stored]
    for made, saved in zip(arcs, stored, strict=True):
        for end in (0, -1):
            assert made.points[end] == pytest.approx(saved.points[end], abs=0.11)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("[coast ring Island]\n5 45, 9\n", "'9' is not a longitude and a latitude"),
        ("[shore ring Island]\n5 45, 9 45, 9 49\n", "kind ring|line name"),
        (ISLAND + "[land line Border]\n5 45, 8 47\n", "Border: nothing to join at"),
    ],
)
def test_a_faulty_drawing_is_refused_with_the_position(text, reason):
    with pytest.raises(DrawingError) as refused:
        cut_pieces(parse_drawing(text))
    assert reason in str(refused.value)


def test_a_place_outside_its_space_is_refused():
    drawing = parse_drawing(SOURCE.read_text(encoding="utf-8").replace("PAR 2 48.3", "PAR 5 47.2"))
    with pytest.raises(DrawingError, match="its place is inside"):
        find_faces(cut_pieces(drawing), drawing.places)


def test_a_line_with_one_space_on_both_sides_is_refused():
    text = SOURCE.read_text(encoding="utf-8")
    drawing = parse_drawing(text.replace("PIC 2.2 49.9", "PAR 2.2 49.9"))
    with pytest.raises(DrawingError, match="has 'PAR' on both sides"):
        find_faces(cut_pieces(drawing), drawing.places)


@pytest.mark.parametrize(
    ("name", "ways"),
    [
        ("Paris", [("Paris",)]),
        ("North Sea", [("North Sea",), ("North", "Sea")]),
        (
            "Gulf of Lyon",
            [
                ("Gulf of Lyon",),
                ("Gulf", "of Lyon"),
                ("Gulf of", "Lyon"),
                ("Gulf", "of", "Lyon"),
            ],
        ),
    ],
)
def test_a_name_is_split_between_its_words(name, ways):
    assert split_name(name) == ways


@pytest.mark.parametrize(
    ("other", "meets"),
    [
        (Box(10, 0, 10, 10), False),
        (Box(9.9, 0, 10, 10), True),
        (Box(0, 12, 40, 14), False),
        (Box(0, 11.9, 40, 14), True),
    ],
)
def test_boxes_that_only_touch_do_not_overlap(other, meets):
    assert Box(0, 0, 10, 10).overlaps(other) is meets
