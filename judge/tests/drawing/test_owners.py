"""What a picture shows of owners: home countries, captured centers, and places to build."""

import re

import pytest
from judge.tests.drawing.toy_map import parse_svg

from diplomaccloud.judge.board import Location, Power, ProvinceCode, UnitKind
from diplomaccloud.judge.drawing.europe import standard_chart
from diplomaccloud.judge.drawing.overlay import render_map, render_orders
from diplomaccloud.judge.drawing.theme import LIGHT, NIGHT, Theme, power_inks
from diplomaccloud.judge.orders import Build
from diplomaccloud.judge.phases import Phase
from diplomaccloud.judge.position import Position, starting_position
from diplomaccloud.judge.units import Unit

AUSTRIA, ITALY = Power("AUSTRIA"), Power("ITALY")
VIE, TRI = ProvinceCode("VIE"), ProvinceCode("TRI")
CHART = standard_chart()
START = starting_position(CHART.board)
CAPTURED = Position(START.phase, START.units, {**START.centers, VIE: ITALY, TRI: ITALY})


def list_homes(position: Position) -> list[str | None]:
    root = parse_svg(render_map(CHART, position))
    return [e.get("data-power") for e in root.iter() if e.get("class") == "home"]


def test_a_home_country_keeps_a_fine_line_where_another_power_has_a_part() -> None:
    assert list_homes(START) == []
    assert list_homes(CAPTURED) == [AUSTRIA]


@pytest.mark.parametrize("theme", [LIGHT, NIGHT], ids=["light", "night"])
def test_the_rim_of_a_captured_center_has_the_color_of_its_home_power(theme: Theme) -> None:
    svg = render_map(CHART, CAPTURED, theme)
    ink = power_inks(CHART.palette[AUSTRIA]).badge
    star = re.search(r'<use href="#o-flag\d" [^>]*data-center="VIE"[^>]*>', svg)
    assert star is not None
    assert f'stroke="{ink}"' in star[0]
    flag = re.search(r'<g id="o-cloth0".*?</g>', svg)
    assert flag is not None
    widths = [float(width) for width in re.findall(r'stroke-width="([\d.]+)"', flag[0])]
    # Half of the last stroke is beside the cloth, and each lower one shows beyond it.
    assert widths == sorted(widths, reverse=True)
    assert widths[-1] / 2 > 2.5


def test_winter_shows_where_one_may_build_and_does_not_yet() -> None:
    army = Unit(UnitKind.ARMY, Location("MAR"), Power("FRANCE"))
    centers = {**START.centers, ProvinceCode("SPA"): Power("FRANCE")}
    units = (*(unit for unit in START.units if unit.power != "FRANCE"), army)
    winter = Position(Phase.parse("W1901A"), units, centers)

    def list_sites(drawn: str) -> set[str]:
        return set(re.findall(r'class="site" data-province="(\w+)"', drawn))

    assert list_sites(render_orders(CHART, winter, [])) == {"BRE", "PAR"}
    build = Build(Unit(UnitKind.ARMY, Location("PAR"), Power("FRANCE")))
    assert list_sites(render_orders(CHART, winter, [build])) == {"BRE"}
    spring = Position(Phase.parse("S1902M"), units, centers)
    assert list_sites(render_orders(CHART, spring, [])) == set()
