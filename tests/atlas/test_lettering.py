"""Names, codes and where they are printed, on maps of a few seeds of every kind."""

import re

import pytest

from diplomaccloud.atlas.generator import make_chart
from diplomaccloud.atlas.generator.cultures import DRY_ENDS
from diplomaccloud.atlas.generator.decency import is_decent, is_usable_code
from diplomaccloud.atlas.generator.drawing import drawing_faults
from diplomaccloud.atlas.generator.names import plain
from diplomaccloud.judge.board import Terrain

SEEDS = [("names a", 2), ("names b", 7), ("names c", 10)]


@pytest.fixture(scope="module", params=SEEDS, ids=[f"{players} players" for _, players in SEEDS])
def chart(request):
    return make_chart(*request.param)


def test_nearly_every_name_is_printed_whole_and_nothing_overlaps(chart):
    printed = [shape.anchors.label_size > 0 for shape in chart.shapes]
    assert sum(printed) >= 0.98 * len(printed)
    assert [str(fault) for fault in drawing_faults(chart) if fault.rule == 9] == []


def test_the_names_of_seas_fit_their_kind_and_are_the_largest(chart):
    by_code = chart.board.by_code
    usual, at_sea = [], []
    for shape in chart.shapes:
        is_sea = by_code[shape.province].terrain is Terrain.SEA
        (at_sea if is_sea else usual).append(shape.anchors.label_size)
    assert max(at_sea) > max(usual)
    seas = [p.name for p in chart.board.provinces if p.terrain is Terrain.SEA]
    assert [name for name in seas if not re.search(r"^(Bay|Gulf) of | (Sea|Ocean)$", name)] == []
    proper = [re.sub(r"^(Bay|Gulf) of | (Sea|Ocean)$", "", name) for name in seas]
    assert [name for name in proper if name.endswith(tuple(DRY_ENDS - {"tal", "dal"}))] == []


def test_every_power_has_a_first_letter_of_its_own(chart):
    letters = [plain(info.name)[0] for info in chart.board.powers]
    assert len(set(letters)) == len(letters)


def test_no_name_and_no_code_is_rude(chart):
    names = [*(p.name for p in chart.board.provinces), *(i.name for i in chart.board.powers)]
    words = [plain(word).lower() for name in names for word in name.split()]
    assert [word for word in words if not is_decent(word)] == []
    assert [p.code for p in chart.board.provinces if not is_usable_code(p.code)] == []


@pytest.mark.parametrize(
    ("name", "decent"),
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
    ],
)
def test_a_name_is_judged_by_its_beginning_its_end_and_what_is_in_it(name, decent):
    assert is_decent(name) is decent


@pytest.mark.parametrize(
    ("code", "usable"),
    [("SUP", False), ("NEC", False), ("KKK", False), ("KUT", False), ("PAR", True), ("NAV", True)],
)
def test_a_code_is_no_word_of_an_order_and_no_insult(code, usable):
    assert is_usable_code(code) is usable
