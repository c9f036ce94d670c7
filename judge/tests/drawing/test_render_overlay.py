"""The overlay: provinces and their owners, units, stars and standoffs."""

from dataclasses import replace

import pytest
from judge.tests.drawing.toy_drawings import (
    A_ALM,
    CROWDED,
    ESE,
    F_EAST,
    SVG,
    drawings,
    position,
    unit,
)
from judge.tests.drawing.toy_map import ALMAR, DUNN, parse_svg, toy_board, toy_chart

from diplomaccloud.judge.board import Location, Power, ProvinceCode
from diplomaccloud.judge.drawing.europe import standard_chart
from diplomaccloud.judge.drawing.labels import _CHARGES, _CLOTHS
from diplomaccloud.judge.drawing.overlay import find_territory, render_map, render_overlay
from diplomaccloud.judge.drawing.scene import Scene
from diplomaccloud.judge.drawing.sizes import badge_box, badge_scale, box_around, place_badges
from diplomaccloud.judge.drawing.theme import LIGHT, luminance, power_inks
from diplomaccloud.judge.phases import Phase
from diplomaccloud.judge.position import Dislodged, Position


def test_the_overlay_has_every_province_once_with_a_tooltip() -> None:
    root = parse_svg(drawings()["overlay"])
    provinces = [e for e in root.iter() if "province" in e.get("class", "").split()]
    named = {e.get("data-province"): e.findtext(f"{SVG}title") for e in provinces}
    assert len(provinces) == len(named)
    assert named == {p.code: p.name for p in toy_board().provinces}
    assert {e.get("id") for e in provinces} == {f"p-{code}" for code in named}


def test_the_overlay_has_every_unit_once_with_its_power() -> None:
    root = parse_svg(drawings()["overlay"])
    units = [e for e in root.iter() if "unit" in e.get("class", "").split()]
    assert sorted(e.get("data-unit", "") for e in units) == sorted(map(str, CROWDED.units))
    east = next(e for e in units if e.get("data-unit") == "F IST/EC")
    assert east[0].text == "Dunnish fleet in Isthmos (east coast)"
    assert (east.get("data-province"), east.get("data-power")) == ("IST", "DUNN")


def test_a_dislodged_unit_is_next_to_its_attacker() -> None:
    driven = Dislodged(F_EAST, ProvinceCode("KET"), (ESE,))
    attacker = unit("A IST", ALMAR)
    root = parse_svg(render_overlay(toy_chart(), position(attacker, dislodged=(driven,))))
    units = {e.get("data-unit"): e for e in root.iter() if "unit" in e.get("class", "").split()}
    assert units["F IST/EC"].get("data-dislodged") == "1"
    assert units["A IST"].get("data-dislodged") is None
    assert units["F IST/EC"].get("transform") != units["A IST"].get("transform")
    assert list(units) == ["A IST", "F IST/EC"]


def test_a_unit_dislodged_in_this_phase_has_a_ring() -> None:
    driven = Dislodged(F_EAST, ProvinceCode("KET"), (ESE,))
    svg = render_overlay(toy_chart(), CROWDED, dislodged=(driven,))
    marked = [e for e in parse_svg(svg).iter() if e.get("data-dislodged")]
    assert [e.get("data-unit") for e in marked] == ["F IST/EC"]
    assert svg.count('class="dislodged-ring"') == 1


def test_a_standoff_is_marked_in_its_province() -> None:
    svg = render_overlay(toy_chart(), position(A_ALM), standoffs=[ProvinceCode("BOR")])
    marks = [e for e in parse_svg(svg).iter() if e.get("class") == "standoff"]
    assert [e.get("data-province") for e in marks] == ["BOR"]


@pytest.mark.parametrize(
    ("owners", "home_tint", "expected"),
    [
        ({"ALM": ALMAR}, True, {"ALM": ALMAR, "KET": ALMAR}),
        ({"ALM": ALMAR}, False, {"ALM": ALMAR}),
        ({"ALM": DUNN, "IST": ALMAR}, True, {"ALM": DUNN, "IST": ALMAR}),
        ({}, True, {}),
    ],
    ids=[
        "home land follows a home center",
        "home land stays plain without home_tint",
        "home land is lost with the last home center",
        "no owners, no colors",
    ],
)
def test_territory(owners: dict[str, Power], home_tint: bool, expected: dict[str, Power]) -> None:
    centers = {ProvinceCode(code): power for code, power in owners.items()}
    held = Position(Phase.parse("S1901M"), (), centers)
    assert find_territory(toy_chart(), held, home_tint=home_tint) == expected


@pytest.mark.parametrize("color", ["#f4f4f4", "#ffd83b", "#101040", "#c8453c", "red;x"])
def test_a_badge_and_its_mark_have_enough_contrast(color: str) -> None:
    inks = power_inks(color)
    light, dark = sorted((luminance(inks.badge), luminance(inks.mark)), reverse=True)
    assert (light + 0.05) / (dark + 0.05) >= 3


def badge_outlines(svg: str) -> dict[str, str]:
    """Return the badge outline of each kind of unit."""
    root = parse_svg(svg)
    drawn = (e for e in root.iter(f"{SVG}g") if "unit" in e.get("class", "").split())
    return {e.get("class", ""): e.findall(f".//{SVG}use")[0].get("href", "") for e in drawn}


def test_armies_and_fleets_have_different_outlines() -> None:
    svg = render_overlay(toy_chart(), CROWDED)
    outlines = badge_outlines(svg)
    assert outlines == {"unit army": "#o-army-badge", "unit fleet": "#o-fleet-badge"}
    symbols = {e.get("id"): e for e in parse_svg(svg).iter(f"{SVG}g") if e.get("id")}
    army, fleet = (symbols[f"o-{kind}-badge"][0].get("d") for kind in ("army", "fleet"))
    assert army != fleet


def test_an_owned_center_has_its_owners_color() -> None:
    root = parse_svg(render_map(toy_chart(), CROWDED))
    stars = [e for e in root.iter(f"{SVG}use") if e.get("class") == "star" and e.get("data-power")]
    palette = {str(power): color for power, color in toy_chart().palette.items()}
    assert {e.get("data-power"): e.get("fill") for e in stars} == {
        power: power_inks(color).deep for power, color in palette.items()
    }


def test_a_home_center_of_another_power_has_the_owners_flag_and_a_rim_for_its_home() -> None:
    taken = replace(CROWDED, centers={**CROWDED.centers, ProvinceCode("ALM"): DUNN})
    stars = next(
        e for e in parse_svg(render_map(toy_chart(), taken)).iter() if e.get("class") == "stars"
    )
    marks = {e.get("data-center"): e for e in stars.iter(f"{SVG}use") if e.get("class") == "star"}
    palette = toy_chart().palette
    assert marks["DUN"].get("href") == "#o-seat"
    assert marks["ALM"].get("stroke") == power_inks(palette[ALMAR]).badge
    flag = next(e for e in stars.iter() if f"#{e.get('id')}" == marks["ALM"].get("href"))
    assert (flag.get("data-power"), flag[0].get("fill")) == (DUNN, power_inks(palette[DUNN]).badge)


def test_the_flags_of_64_powers_differ_without_color() -> None:
    flags = {(charge, cloth) for cloth in _CLOTHS for charge in _CHARGES}
    assert len(flags) == len(_CLOTHS) * len(_CHARGES) == 64


def test_no_unit_or_star_has_a_letter_that_could_be_read_as_army_or_fleet() -> None:
    root = parse_svg(render_overlay(toy_chart(), CROWDED))
    for name in ("units", "stars"):
        layer = next(e for e in root.iter(f"{SVG}g") if e.get("class") == name)
        assert [e.text for e in layer.iter(f"{SVG}text") if e.get("class") != "coast-tag"] == []


def test_a_fleet_dislodged_from_a_coast_is_near_that_coast() -> None:
    chart = toy_chart()
    shapes = tuple(
        replace(shape, anchors=replace(shape.anchors, dislodged_coasts={F_EAST.location: (7, 8)}))
        if shape.province == "IST"
        else shape
        for shape in chart.shapes
    )
    out = Dislodged(F_EAST, by=ProvinceCode("BOR"), retreats=())
    scene = Scene(replace(chart, shapes=shapes), position(A_ALM, dislodged=(out,)), LIGHT)
    assert scene.place_of(F_EAST) == (7, 8)


def test_countries_have_distinct_patterns_hidden_until_a_page_shows_them() -> None:
    overlay = parse_svg(render_overlay(toy_chart(), CROWDED))
    uses = [e for e in overlay.iter(f"{SVG}use") if e.get("class") == "pattern"]
    patterns = {f"url(#{e.get('id')})": e for e in overlay.iter(f"{SVG}pattern")}
    drawn = [e.get("d") for use in uses for e in patterns[use.get("fill")].iter(f"{SVG}path")]
    assert len(uses) == len(drawn) == len(set(drawn)) == 2
    assert {e.get("display") for e in uses} == {"none"}
    shown = render_map(toy_chart(), CROWDED, patterns=True)
    assert shown.count("<pattern ") == render_map(toy_chart(), CROWDED).count("<pattern ") + 2


def test_a_badge_goes_farther_than_usual_before_it_hides_a_star():
    chart, moscow = standard_chart(), Location("MOS")
    shapes = tuple(
        replace(shape, anchors=replace(shape.anchors, star=shape.anchors.units[moscow]))
        if shape.province == moscow
        else shape
        for shape in chart.shapes
    )
    chart = replace(chart, shapes=shapes)
    unit = badge_scale(chart)
    badge = badge_box(place_badges(chart)[moscow], unit)
    stars = [shape.anchors.star for shape in shapes if shape.anchors.star is not None]
    assert not any(badge.shared_area(box_around(star, 8.5 * unit, 8.5 * unit)) for star in stars)
