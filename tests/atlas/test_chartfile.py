import copy
import json

import pytest

from diplomaccloud.atlas.chart import Anchors, Arc, ArcKind, Chart, Relief, Shape
from diplomaccloud.atlas.chartfile import (
    ChartError,
    chart_from_json,
    chart_to_json,
    content_hash,
    dump_chart,
    load_chart,
)
from diplomaccloud.judge.board import (
    Board,
    Location,
    Power,
    PowerInfo,
    Province,
    ProvinceCode,
    Start,
    Terrain,
    UnitKind,
)

WALES, SEA = ProvinceCode("WAL"), ProvinceCode("ENG")
ENGLAND = Power("ENGLAND")


def anchors(code, x):
    return Anchors((x, 10), ("Wales",), 11.5, {Location(code): (x, 30.5)}, (x, 60.0), (x, 80))


def small_chart(width=200):
    board = Board(
        name="Two",
        powers=(PowerInfo(ENGLAND, "England", "English"),),
        provinces=(
            Province(WALES, "Wäles", Terrain.COASTAL, center=True, home=ENGLAND, aliases=("W",)),
            Province(SEA, "English Channel", Terrain.SEA),
        ),
        army_borders=(),
        fleet_borders=((Location("WAL"), Location("ENG")),),
        starts=(Start(ENGLAND, UnitKind.FLEET, Location("WAL")),),
        victory_centers=1,
        impassable=((ProvinceCode("SWI"), "Switzerland"),),
    )
    arcs = (
        Arc(((100, 0), (90, 50.5), (100, 100)), ArcKind.COAST, SEA, WALES),
        Arc(((100, 0), (0, 0), (0, 100), (100, 100)), ArcKind.FRAME, WALES, None),
        Arc(((100, 100), (200, 100), (200, 0), (100, 0)), ArcKind.FRAME, SEA, None),
        Arc(((150, 50), (160, 50), (160, 60), (150, 50)), ArcKind.COAST, SEA, SEA),
    )
    return Chart(
        world="Little",
        board=board,
        size=(width, 100),
        arcs=arcs,
        shapes=(
            Shape(WALES, (((0, ~1),),), anchors(WALES, 40)),
            Shape(SEA, (((0, 2),),), anchors(SEA, 140)),
        ),
        palette={ENGLAND: "#aa3322"},
        scenery=(("", ((3,),)),),
        relief=Relief(2, 1, b"\x00\xff"),
        seed="a seed",
        fairness={"cv_neutrals": 0.25},
    )


def test_a_chart_read_back_is_equal():
    chart = small_chart()
    assert load_chart(dump_chart(chart)) == chart


def test_equal_charts_have_one_text_and_one_hash():
    assert dump_chart(small_chart(200)) == dump_chart(small_chart(200.0))
    assert content_hash(small_chart()) == content_hash(load_chart(dump_chart(small_chart())))


def test_another_size_gives_another_hash():
    assert content_hash(small_chart(200)) != content_hash(small_chart(201))


def test_the_text_has_sorted_keys_and_no_spaces():
    text = dump_chart(small_chart())
    assert text == json.dumps(
        json.loads(text), sort_keys=True, separators=(",", ":"), ensure_ascii=False
    )


def put(*path):
    """Return a function that puts the last of `path` where the others lead."""

    def change(data):
        *way, last, value = path
        for step in way:
            data = data[step]
        data[last] = value

    return change


def drop(*path):
    def change(data):
        *way, last = path
        for step in way:
            data = data[step]
        del data[last]

    return change


def twice(data):
    data["shapes"].append(data["shapes"][0])


FAULTS = [
    ("a later version", put("v", 2), "chart.v"),
    ("no board", drop("board"), "chart.board: missing"),
    ("a list for the board", put("board", []), "chart.board: not an object"),
    ("a code in lower case", put("board", "impassable", 0, 0, "swi"), "impassable[0][0]"),
    (
        "text that runs backwards",
        put("board", "provinces", 0, "name", "\u202eWales"),
        "provinces[0].name",
    ),
    ("a control character", put("world", "a\x00b"), "chart.world: holds a character"),
    ("a very long name", put("world", "a" * 81), "chart.world: longer"),
    ("a long province", put("board", "provinces", 0, "name", "a" * 81), "[0].name: longer"),
    ("markup as a code", put("board", "impassable", 0, 0, "<B>"), "impassable[0][0]"),
    ("an unknown terrain", put("board", "provinces", 0, "terrain", "lava"), "[0].terrain"),
    ("a border to nowhere", put("board", "fleet_borders", 0, 1, "NTH"), "no fleet can stand"),
    ("true for a number", put("size", [True, 100.0]), "chart.size[0]: not a number"),
    ("an infinite size", put("size", [float("inf"), 100.0]), "chart.size[0]"),
    ("a size that is no number", put("size", [float("nan"), 100.0]), "chart.size[0]"),
    ("a huge integer", put("size", [10**400, 100]), "chart.size[0]"),
    ("no height", put("size", [200.0]), "chart.size"),
    ("a size of nought", put("size", [200.0, 0]), "chart.size: is not positive"),
    ("an odd number of coordinates", put("arcs", 0, "points", [1.0, 2.0, 3.0]), "arcs[0].points"),
    ("one point", put("arcs", 0, "points", [1.0, 2.0]), "arcs[0].points"),
    ("an unknown kind of arc", put("arcs", 0, "kind", "river"), "arcs[0].kind"),
    ("an arc beside no province", put("arcs", 0, "left", "NTH"), "arcs[0].left: there is no"),
    ("an arc that is not there", put("shapes", 0, "polygons", [[[9]]]), "polygons[0][0][0]"),
    ("a ring that does not close", put("shapes", 0, "polygons", [[[0, 1]]]), "does not end where"),
    ("an empty ring", put("shapes", 0, "polygons", [[[]]]), "polygons[0][0]: is empty"),
    ("no outline", put("shapes", 0, "polygons", []), "has no outline"),
    ("a province twice", twice, "WAL has two shapes"),
    ("a province without shape", drop("shapes", 1), "ENG has no shape"),
    ("a unit elsewhere", put("shapes", 0, "units", "ENG", [1, 2]), "'ENG' is no location in WAL"),
    ("no place for a unit", put("shapes", 0, "units", {}), "no place for a unit at WAL"),
    ("a script as colour", put("palette", "ENGLAND", "url(x)"), "palette.ENGLAND"),
    ("a colour for nobody", put("palette", "FRANCE", "#000000"), "no power 'FRANCE'"),
    ("no colour", put("palette", {}), "ENGLAND has no colour"),
    ("relief too short", put("relief", "width", 3), "has 2 heights, not 3"),
    ("relief not base64", put("relief", "values", "*"), "is not base64"),
    ("a boolean victory", put("board", "victory_centers", True), "victory_centers"),
    ("text for truth", put("board", "provinces", 0, "center", "yes"), "[0].center"),
    ("scenery without outlines", put("scenery", 0, [""]), "scenery[0]"),
    ("a key that is markup", put("fairness", "<b>", 1.0), "chart.fairness: key: cannot be '<b>'"),
    (
        "a victory of none",
        put("board", "victory_centers", 0),
        "chart.board.victory_centers: not from",
    ),
    ("a measure that is text", put("fairness", "cv_neutrals", "1"), "fairness.cv_neutrals"),
]


@pytest.mark.parametrize(
    ("change", "place"), [row[1:] for row in FAULTS], ids=[row[0] for row in FAULTS]
)
def test_a_faulty_chart_is_refused_with_the_place(change, place):
    data = copy.deepcopy(chart_to_json(small_chart()))
    change(data)
    with pytest.raises(ChartError) as refusal:
        chart_from_json(data)
    assert place in str(refusal.value)


@pytest.mark.parametrize("text", ["", "{", "[]", "null", "[" * 100_000, "1" * 5000])
def test_text_that_is_no_chart_is_refused(text):
    with pytest.raises(ChartError):
        load_chart(text)
