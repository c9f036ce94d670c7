"""Chart files: writing, reading, and validating invalid ones."""

import json
import subprocess
import sys
from dataclasses import replace
from functools import cache
from pathlib import Path

import jsonschema
import pytest
from judge.tests.drawing.checkerboard import checkerboard
from judge.tests.drawing.toy_map import ruled_toy_chart, toy_chart
from tests.atlas.chart_faults import (
    BROKEN,
    BROKEN_RULES,
    IST,
    KET,
    RULED,
    combine,
    delete,
    ruled_data,
    set_value,
    valid_data,
)

from diplomaccloud.atlas.chartfile import (
    ChartError,
    chart_from_json,
    chart_to_json,
    check_chart,
    content_hash,
    dump_chart,
    load_chart,
)
from diplomaccloud.atlas.generator.pipeline import make_chart
from diplomaccloud.atlas.validation.chart_schema import json_schema
from diplomaccloud.atlas.validation.geometry import find_coast_faults, find_crossings
from diplomaccloud.atlas.validation.schemas import Faults
from diplomaccloud.judge.board import Location
from diplomaccloud.judge.drawing.chart import Feature, FeatureKind, Passage
from diplomaccloud.judge.drawing.europe import standard_chart
from diplomaccloud.judge.drawing.overlay import render_map
from diplomaccloud.judge.schemas import read_schema

DOCS = Path(__file__).parents[2] / "docs"
SCHEMA = json.loads(read_schema("map"))
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)


NAMES = ["standard", "toy", *(f"seed {n}" for n in range(20))]


@cache
def chart_of(name):
    """Return the standard map, the toy chart, or one of 20 generated maps for 2 to 10 players."""
    if name in ("standard", "toy"):
        return standard_chart() if name == "standard" else toy_chart()
    number = int(name.removeprefix("seed "))
    return make_chart(f"format {number}", 2 + number % 9)


def faults(data, *, drawing=True):
    try:
        chart_from_json(data, drawing=drawing)
    except ChartError as error:
        return [str(fault) for fault in error.faults]
    return []


def paths(data):
    return {text.split(": ")[0] for text in faults(data)}


def rich_chart():
    """Return a chart with all optional members."""
    toy = toy_chart()
    isthmos = toy.shapes[2]
    places = {Location("IST/WC"): (190.0, 190.0)}
    anchors = replace(isthmos.anchors, dislodged_coasts=places)
    ends = (Location("BOR"), Location("ESE"))
    passage = Passage(ends, ((150.0, 260.0), (400.0, 40.0)))
    board = replace(toy.board, fleet_borders=(*toy.board.fleet_borders, ends))
    shapes = (*toy.shapes[:2], replace(isthmos, anchors=anchors), *toy.shapes[3:])
    return replace(
        toy,
        board=board,
        shapes=shapes,
        passages=(passage,),
        fairness={"cv": 0.25, "fleet_share": 0.5},
        seed="a seed",
        title="The Isles of Kalora",
        features=(
            Feature(
                FeatureKind.RIVER,
                ((10.0, 20.0), (30.0, 40.0)),
                "River Kal",
                ((10.0, 15.0), (40.0, 15.0)),
            ),
            Feature(FeatureKind.FOREST, ((50.0, 60.0),)),
        ),
    )


@pytest.mark.long
@pytest.mark.parametrize("name", NAMES)
def test_every_map_is_valid_and_is_read_as_it_was_written(name):
    assert check_chart(dump_chart(chart_of(name))) == chart_of(name)


@pytest.mark.long
@pytest.mark.parametrize("name", NAMES)
def test_every_map_matches_the_published_schema(name):
    assert not list(VALIDATOR.iter_errors(json.loads(dump_chart(chart_of(name)))))


def test_a_province_may_show_its_code_where_no_name_fits():
    toy = toy_chart()
    anchors = replace(toy.shapes[KET].anchors, label_lines=(), label_size=0.0)
    kett = replace(toy.shapes[KET], anchors=anchors)
    coded = replace(toy, shapes=(*toy.shapes[:KET], kett, *toy.shapes[KET + 1 :]))
    assert check_chart(dump_chart(coded)) == coded


def test_the_published_schema_is_the_programs_schema():
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    assert json_schema() == SCHEMA


def test_the_format_document_describes_every_member():
    page = (DOCS / "map-format.md").read_text(encoding="utf-8")

    def members(schema):
        yield from schema.get("properties", {})
        for inner in (*schema.get("properties", {}).values(), *schema.get("prefixItems", ())):
            yield from members(inner)
        for key in ("items", "additionalProperties"):
            if isinstance(schema.get(key), dict):
                yield from members(schema[key])
        for choice in schema.get("anyOf", ()):
            yield from members(choice)

    assert sorted({name for name in members(SCHEMA) if f"`{name}`" not in page}) == []


def test_the_example_in_the_document_is_a_valid_map():
    page = (DOCS / "map-format.md").read_text(encoding="utf-8")
    (example,) = (part for part in page.split("```json\n")[1:] if part.startswith('{"v"'))
    assert check_chart(example.split("```")[0]).world == "Two Shores"


def test_optional_members_are_read_as_they_were_written():
    rich = rich_chart()
    assert check_chart(dump_chart(rich)) == rich
    assert not list(VALIDATOR.iter_errors(json.loads(dump_chart(rich))))
    assert rich.shapes[2].anchors.dislodged_at(Location("IST/WC")) == (190.0, 190.0)
    assert rich.shapes[2].anchors.dislodged_at(Location("IST/EC")) == (254, 175)


def test_empty_optional_members_are_left_out():
    data = chart_to_json(toy_chart())
    assert not {"passages", "title", "features"} & set(data)
    assert all("dislodged_coasts" not in shape for shape in data["shapes"])


def test_equal_charts_have_one_text_and_one_hash():
    whole, broken = (replace(toy_chart(), size=size) for size in ((480, 320), (480.0, 320.0)))
    assert dump_chart(whole) == dump_chart(broken)
    assert content_hash(whole) == content_hash(load_chart(dump_chart(whole)))


def test_another_world_has_another_hash():
    assert content_hash(toy_chart()) != content_hash(replace(toy_chart(), world="Elsewhere"))


def test_the_text_has_sorted_keys_and_no_spaces():
    text = dump_chart(toy_chart())
    assert text == json.dumps(
        json.loads(text), sort_keys=True, separators=(",", ":"), ensure_ascii=False
    )


@pytest.mark.parametrize(
    ("change", "path", "message"), [row[1:] for row in BROKEN], ids=[row[0] for row in BROKEN]
)
def test_a_fault_is_reported_with_its_path(change, path, message):
    data = valid_data()
    assert not faults(data)
    change(data)
    messages = faults(data)
    assert [text for text in messages if text.startswith(f"{path}: ") and message in text], messages


@pytest.mark.parametrize(
    ("change", "path", "message"),
    [row[1:] for row in BROKEN_RULES],
    ids=[row[0] for row in BROKEN_RULES],
)
def test_a_fault_of_a_border_rule_is_reported_with_its_path(change, path, message):
    data = ruled_data()
    change(data)
    messages = faults(data)
    assert [text for text in messages if text.startswith(f"{path}: ") and message in text], messages


def test_a_map_has_version_2_only_if_it_uses_something_of_it():
    untitled = replace(rich_chart(), title="", features=())
    assert chart_to_json(toy_chart())["v"] == chart_to_json(untitled)["v"] == 1
    assert chart_to_json(rich_chart())["v"] == 2
    ruled = ruled_toy_chart()
    data = chart_to_json(ruled)
    assert (data["v"], data["board"]["v"]) == (2, 2)
    only_letter = replace(
        ruled, board=replace(toy_chart().board, fleet_borders=(ruled.passages[0].ends,))
    )
    data = chart_to_json(only_letter)
    assert (data["v"], data["board"]["v"]) == (2, 1)
    assert not list(VALIDATOR.iter_errors(json.loads(dump_chart(ruled))))
    # A file that states version 2 without using it is read, and has the hash of version 1.
    plain = combine(set_value("v", 2), set_value("board", "v", 2))
    stated = valid_data()
    plain(stated)
    assert content_hash(chart_from_json(stated, drawing=True)) == content_hash(toy_chart())


def test_a_map_for_64_powers_is_valid_and_drawn():
    chart = checkerboard()
    text = dump_chart(chart)
    assert check_chart(text) == chart
    assert chart_to_json(chart)["v"] == 2
    assert not list(VALIDATOR.iter_errors(json.loads(text)))
    drawn = render_map(chart)
    assert all(color in drawn for color in chart.palette.values())


def test_rules_and_letters_are_read_as_they_were_written():
    assert check_chart(dump_chart(ruled_toy_chart())) == ruled_toy_chart()


@pytest.mark.parametrize("change", [row[1] for row in RULED], ids=[row[0] for row in RULED])
def test_a_file_says_to_which_coast_a_river_belongs(change):
    data = ruled_data()
    change(data)
    assert faults(data) == []


def test_every_fault_is_reported_not_only_the_first():
    data = valid_data()
    combine(
        set_value("world", 7),
        set_value("board", "provinces", KET, "name", "Almar"),
        set_value("palette", "ALMAR", "red"),
        delete("shapes", 0, "polygons", 0, 0, 1),
        set_value("shapes", 4, "label", [1.0, 1.0]),
        set_value("board", "victory_centers", 9),
    )(data)
    assert {
        "world",
        "board.provinces[1].name",
        "palette.ALMAR",
        "shapes[0].polygons[0][0][0]",
        "shapes[4].label",
        "board.victory_centers",
    } <= paths(data)


def test_names_from_an_invalid_member_are_not_reported_as_unknown():
    data = valid_data()
    set_value("board", "provinces", KET, "code", 5)(data)
    assert paths(data) == {"board.provinces[1].code"}


def test_many_faults_are_counted_but_not_all_listed():
    data = valid_data()
    data["board"]["aliases"] = 1
    for province in data["board"]["provinces"]:
        province["aliases"] = [0] * 40
    data["shapes"] = [{}] * 400
    with pytest.raises(ChartError) as refusal:
        chart_from_json(data)
    assert len(refusal.value.faults) == 1000
    assert refusal.value.unlisted > 1000
    assert f"(and {999 + refusal.value.unlisted:,} more faults)" in str(refusal.value)


HOSTILE = [
    ("nothing", b"", "is not JSON: Expecting value at line 1, column 1"),
    ("an unfinished object", b"{", "is not JSON"),
    ("a list", b"[]", "is a list, not an object"),
    ("null", b"null", "is null, not an object"),
    ("deep nesting", b"[" * 100_000, "is nested too deeply"),
    ("deep nesting of objects", b'{"v":' * 100_000, "is nested too deeply"),
    ("a number of 5,000 digits", b"1" * 5000, "a number is too long"),
    ("another encoding", '{"world":"Ä"}'.encode("latin-1"), "not UTF-8 text: byte 10, on line 1"),
    ("a byte-order mark", '\ufeff{"v":1}'.encode(), "byte-order mark"),
    ("UTF-16", '{"v":1}'.encode("utf-16"), "is not UTF-8 text: byte 0"),
    ("a hundred million bytes", b" " * 100_000_000, "is longer than 8 million bytes"),
    ("a picture", b"\x89PNG\r\n\x1a\n\x00\x00", "is not UTF-8 text: byte 0"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("content", "message"), [row[1:] for row in HOSTILE], ids=[row[0] for row in HOSTILE]
)
def test_a_hostile_file_gets_one_clear_error(content, message):
    with pytest.raises(ChartError) as refusal:
        check_chart(content)
    (fault,) = refusal.value.faults
    assert message in str(fault)
    assert len(str(fault)) < 200


def test_a_repeated_member_is_a_fault():
    text = dump_chart(toy_chart()).replace('"world":', '"world":"Elsewhere","world":')
    with pytest.raises(ChartError, match=r"chart: has the member 'world' more than once"):
        load_chart(text)


TANGLES = [
    ("of one line", lambda i: [0.0, 0.0, 480.0, 320.0], "too many lines cross"),
    ("through one point", lambda i: [i, 0.0, 240.0, 160.0, 480.0 - i, 320.0], "many lines cross"),
    ("side by side", lambda i: [i / 9, 0.0, 240.0 + i / 9, 320.0], "overlaps too many lines"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("points", "message"), [row[1:] for row in TANGLES], ids=[row[0] for row in TANGLES]
)
def test_the_search_for_crossings_stops_early_in_tangled_lines(points, message):
    data = valid_data()
    data["arcs"] = [
        {"kind": "land", "left": "ALM", "right": "KET", "points": points(i)} for i in range(900)
    ]
    faults_found = Faults()
    find_crossings(data, faults_found)
    assert message in [*faults_found][-1].message
    assert len(faults_found) <= 201


def test_many_rings_of_one_arc_are_not_followed():
    data = valid_data()
    data["arcs"][0]["points"] = [float(k % 7) for k in range(8_000)]
    data["shapes"][0]["polygons"] = [[[0] * 2000] * 100]
    assert "arcs[0]: is used 200,001 times in outlines; the limit is 2" in faults(data)


def test_fleets_places_are_compared_once_for_each_existing_coast():
    data = valid_data()
    set_value("shapes", IST, "units", {"IST/EC": [186.0, 186.0], "IST/WC": [290.0, 180.0]})(data)
    data["shapes"][IST]["units"] |= {"IST/XX": [186.0, 186.0], "ALM/WC": [290.0, 180.0]}
    data["board"]["fleet_borders"] += [["IST/XX", "WSE"], ["ALM/WC", "ESE"]]
    data["shapes"] += [data["shapes"][IST]] * 300
    faults_found = Faults()
    find_coast_faults(data, faults_found)
    assert [str(fault).split(",")[0] for fault in faults_found] == [
        "shapes[2].units.'IST/EC': is at the shore of IST/WC"
    ]


def test_swapped_places_of_dislodged_fleets_are_reported():
    data = valid_data()
    set_value("shapes", IST, "dislodged_coasts", {"IST/EC": [186, 186], "IST/WC": [290, 180]})(data)
    assert [text for text in faults(data) if "is at the fleet's place on IST/WC" in text]
    data["shapes"][IST]["dislodged_coasts"] |= {"IST/EC": [290, 180], "IST/WC": [186, 186]}
    assert faults(data) == []


def test_too_many_points_stop_the_validation():
    data = valid_data()
    data["arcs"] += [{**data["arcs"][0], "points": [1.0] * 8_000}] * 63
    assert [text for text in faults(data) if text.startswith("arcs: have 252,")]


def test_reading_a_stored_chart_loads_no_numerical_library():
    program = (
        "import sys; from diplomaccloud.atlas.chartfile import load_chart;"
        "load_chart(sys.stdin.read());"
        "sys.exit(bool({'numpy', 'scipy', 'shapely'} & set(sys.modules)))"
    )
    text = dump_chart(toy_chart()).encode()
    assert subprocess.run([sys.executable, "-c", program], input=text, check=False).returncode == 0
