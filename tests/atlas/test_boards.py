"""Maps of the setups."""

import re

import pytest

from diplomaccloud.atlas.chart import Chart
from diplomaccloud.atlas.chartfile import check_chart, dump_chart
from diplomaccloud.atlas.render.base import render_base
from diplomaccloud.atlas.render.overlay import render_map
from diplomaccloud.atlas.standard import setup_charts, standard_chart
from diplomaccloud.judge import adjudicate
from diplomaccloud.judge.standard.setups import setups

CHARTS = setup_charts()


def test_every_setup_except_the_standard_one_has_a_map_with_its_own_name():
    assert set(CHARTS) == set(setups()) - {"standard"}
    assert len({setup_chart.chart.world for setup_chart in CHARTS.values()}) == len(CHARTS)


@pytest.mark.parametrize("name", CHARTS)
def test_the_map_is_valid(name):
    chart = CHARTS[name].chart
    assert check_chart(dump_chart(chart)) == chart


@pytest.mark.parametrize("name", CHARTS)
def test_the_judge_plays_the_setup_on_the_board_of_the_map(name):
    setup, board = CHARTS[name].setup, CHARTS[name].chart.board
    assert setup.coin is not None or board == setup.board
    first = adjudicate(board, setup.position, []).next
    assert {unit.location for unit in first.units} == {start.location for start in board.starts}


@pytest.mark.parametrize(
    ("name", "closed"),
    [
        ("manual", ""),
        ("1961-5", ""),
        ("early-6", "ANK ARM BUL CON SMY SYR"),
        ("early-4", "ANK ARM BUD BUL CON FIN GAL GRE LVN MOS RUM SER SEV SMY STP SYR UKR WAR"),
    ],
)
def test_land_outside_the_game_is_hatched_like_switzerland(name, closed):
    chart: Chart = CHARTS[name].chart
    codes = {code for code, _ in chart.scenery if code}
    assert codes == {"SWI", *closed.split()}
    hatched = re.findall(r'fill="url\(#b-hatch\)"', render_base(chart))
    assert len(hatched) == sum(bool(code) for code, _ in chart.scenery)
    drawn = set(re.findall(r'data-province="(\w+)"', render_map(chart)))
    assert drawn == {p.code for p in standard_chart().board.provinces} - set(closed.split())


def test_the_passage_from_the_black_sea_to_the_aegean_is_drawn():
    with_passage = {
        name
        for name, setup_chart in CHARTS.items()
        if 'class="passages"' in render_base(setup_chart.chart)
    }
    assert with_passage == {"early-6", "early-5", "early-4", "early-3"}
    (passage,) = CHARTS["early-6"].chart.passages
    assert set(passage.ends) == {"AEG", "BLA"}


def test_a_strait_is_cut_through_land_only():
    base = render_base(CHARTS["early-6"].chart)
    (strait, _, line) = re.findall(r'd="(M[^"]*)"', base[base.index('class="passages"') :])[:3]
    assert strait.startswith("M914 7")
    assert line.startswith("M855 861")
