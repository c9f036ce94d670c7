"""The lettered passages of generated globes."""

from itertools import pairwise

import pytest

from diplomaccloud.atlas.chartfile import dump_chart, load_chart
from diplomaccloud.atlas.generator.pipeline import make_chart
from diplomaccloud.judge.board import Terrain, UnitKind, province_of
from diplomaccloud.judge.drawing.scene import frame_scale
from diplomaccloud.judge.geography import geography


@pytest.fixture(scope="module")
def globe():
    return make_chart("around", 3, landform="globe")


def test_passages_join_opposite_places_of_one_kind_that_do_not_touch(globe):
    board = globe.board
    sides = {frozenset((arc.left, arc.right)) for arc in globe.arcs}
    assert len(globe.passages) >= 4
    for passage in globe.passages:
        left, right = map(province_of, passage.ends)
        is_sea = [board.by_code[code].terrain is Terrain.SEA for code in (left, right)]
        assert is_sea[0] == is_sea[1]
        assert frozenset((left, right)) not in sides
        unit = UnitKind.FLEET if is_sea[0] else UnitKind.ARMY
        assert right in map(province_of, board.reach(unit, passage.ends[0]))
        assert right in geography(board).around[left]
    assert load_chart(dump_chart(globe)) == globe


def test_letters_follow_from_the_top_with_room_between_them(globe):
    heights = [passage.points[0][1] for passage in globe.passages]
    assert all(lower - upper > 45 * frame_scale(globe) for upper, lower in pairwise(heights))
    assert "".join(passage.mark for passage in globe.passages) == "ABCDEFGHIJKLM"[: len(heights)]
    for passage in globe.passages:
        (_, height), first, second, _ = passage.points
        assert (first, second) == ((0.0, height), (globe.size[0], height))


def test_names_units_and_stars_keep_clear_of_the_letters(globe):
    anchors = [shape.anchors for shape in globe.shapes]
    for one in anchors:
        spots = [one.label, one.dislodged, *one.units.values(), *([one.star] if one.star else ())]
        for x, y in spots:
            near = [min(abs(y - passage.points[0][1]) for passage in globe.passages)]
            assert min(x, globe.size[0] - x) > 30 or min(near) > 15
