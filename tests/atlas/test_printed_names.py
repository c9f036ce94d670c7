"""Names and codes, and where they are printed, on maps from a few seeds."""

from itertools import combinations

import pytest

from diplomaccloud.atlas.generator.constraints import find_drawing_faults
from diplomaccloud.atlas.generator.names import is_allowed_code, is_allowed_name, strip_accents
from diplomaccloud.atlas.generator.pipeline import make_chart
from diplomaccloud.judge.board import Terrain

SEEDS = [("names a", 2), ("names b", 7), ("names c", 10)]


@pytest.fixture(scope="module", params=SEEDS, ids=[f"{players} players" for _, players in SEEDS])
def chart(request):
    return make_chart(*request.param)


def test_nearly_every_name_is_printed_in_full_and_nothing_overlaps(chart):
    printed = [shape.anchors.label_size > 0 for shape in chart.shapes]
    assert sum(printed) >= 0.98 * len(printed)
    assert [str(fault) for fault in find_drawing_faults(chart) if fault.rule == 9] == []


def test_the_names_of_seas_are_the_largest(chart):
    by_code = chart.board.by_code
    usual, at_sea = [], []
    for shape in chart.shapes:
        is_sea = by_code[shape.province].terrain is Terrain.SEA
        (at_sea if is_sea else usual).append(shape.anchors.label_size)
    assert max(at_sea) > max(usual)


def test_no_bay_is_larger_than_a_gulf_no_gulf_than_a_sea_no_sea_than_an_ocean(chart):
    drawn = {shape.province: chart.area(shape) for shape in chart.shapes}
    areas = {
        kind: [drawn[p.code] for p in chart.board.provinces if kind in p.name.split()]
        for kind in ("Bay", "Gulf", "Sea", "Ocean")
    }
    # Drawn coasts differ a little from the cells that were measured.
    for small, large in combinations(areas, 2):
        assert max(areas[small], default=0) <= 1.02 * min(areas[large], default=1e9)
    waters = [p for p in chart.board.provinces if p.terrain is Terrain.SEA]
    assert 0 < len(areas["Sea"]) <= len(waters) / 2


def test_no_two_powers_share_a_first_letter(chart):
    letters = [strip_accents(info.name)[0] for info in chart.board.powers]
    assert len(set(letters)) == len(letters)


def test_names_and_codes_are_not_rude(chart):
    names = [*(p.name for p in chart.board.provinces), *(i.name for i in chart.board.powers)]
    words = [strip_accents(word).lower() for name in names for word in name.split()]
    assert [word for word in words if not is_allowed_name(word)] == []
    assert [p.code for p in chart.board.provinces if not is_allowed_code(p.code)] == []


@pytest.mark.parametrize(
    ("name", "allowed"),
    [
        ("nazi", False),
        ("fukyama", False),
        ("kokasuka", False),
        ("sahara", False),
        ("bumbazi", False),
        ("gulagan", False),
        ("hokuno", True),
        ("passau", True),
        ("essexa", False),
        ("kimbama", True),
        ("bordell", False),
        ("arselia", False),
        ("gonorsk", False),
        ("poowyn", False),
        ("wakanda", False),
        ("nordsee", False),
        ("erfurt", False),
        ("erfeld", True),
        ("harsee", True),
    ],
)
def test_a_name_is_filtered_by_its_beginning_its_end_and_its_parts(name, allowed):
    assert is_allowed_name(name) is allowed


@pytest.mark.parametrize(
    ("code", "allowed"),
    [
        ("SUP", False),
        ("NEC", False),
        ("KKK", False),
        ("KUT", False),
        ("SLU", False),
        ("PAR", True),
        ("NAV", True),
    ],
)
def test_a_code_is_not_a_word_of_an_order_and_not_an_insult(code, allowed):
    assert is_allowed_code(code) is allowed
