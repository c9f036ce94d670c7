"""Map files are read or refused with the first wrong part; what is read can be drawn."""

import copy
import json
import random
from functools import cache

import pytest
from judge.tests.grids import smaller_europe

from diplomaccloud.judge.codec import CodecError, board_to_json
from diplomaccloud.judge.drawing.europe import DATA, derive_chart, standard_chart
from diplomaccloud.judge.drawing.map_file import read_map
from diplomaccloud.judge.drawing.overlay import render_map, render_thumbnail
from diplomaccloud.judge.standard.europe import standard_board

WRONG = (
    None,
    True,
    7,
    -1,
    1e9,
    float("nan"),
    10**400,
    "?",
    "<b>",
    "x" * 3000,
    [],
    {},
    [[]],
    [0, 0],
)


@cache
def europe():
    return {**json.loads(DATA.read_text("utf-8")), "board": board_to_json(standard_board())}


def list_paths(value, path=()):
    """Yield the path of every part, of which long lists give only some."""
    yield path
    keys = range(min(len(value), 3)) if isinstance(value, list) else value
    for key in keys if isinstance(value, list | dict) else ():
        yield from list_paths(value[key], (*path, key))


def damage(path, wrong):
    data = copy.deepcopy(europe())
    part = data
    for key in path[:-1]:
        part = part[key]
    if wrong is ...:
        del part[path[-1]]
    else:
        part[path[-1]] = wrong
    return data


def fault(data):
    with pytest.raises(CodecError) as caught:
        read_map(json.dumps(data))
    return str(caught.value)


def test_the_standard_map_is_read_from_its_file():
    assert read_map(json.dumps(europe())) == standard_chart()
    assert read_map(json.dumps(europe()).encode()) == standard_chart()


@pytest.mark.parametrize(
    ("path", "wrong", "message"),
    [
        (("v",), 3, "v: only versions 1 and 2 can be read"),
        (("size",), [0, 10], "size[0]: not from 1 to 100000"),
        (("arcs", 3, "kind"), "hill", "arcs[3].kind: 'hill' is not one of"),
        (("arcs", 3, "left"), "XYZ", "arcs[3].left: 'XYZ' is not a province of the board"),
        (("arcs", 0, "points"), [1, 2, 3], "arcs[0].points: has 3 numbers"),
        (("arcs", 0, "points", 5), "x", "arcs[0].points[5]: not a number"),
        (("shapes", 0, "province"), "XYZ", "shapes[0].province: 'XYZ' is not a province"),
        (("shapes", 1, "polygons", 0, 0, 0), 8000, "shapes[1].polygons[0][0][0]: not from"),
        (("shapes", 2, "polygons"), [], "shapes[2].polygons: is empty"),
        (("shapes", 2, "units"), {}, "shapes[2].units: there is no place for a unit at"),
        (("shapes", 2), ..., "shapes: "),
        (("palette", "FRANCE"), "red", "palette.FRANCE: cannot be 'red'"),
        (("palette", "FRANCE"), ..., "palette: FRANCE has no color"),
        (("palette", "NORWAY"), "#000000", "palette: key: 'NORWAY' is not a power of the board"),
        (("relief", "values"), "AAAA", "relief.values: has 3 heights instead of"),
        (("relief", "values"), "ä", "relief.values: is not base64"),
        (("board", "provinces", 0, "home"), "NOBODY", "board: BOH: home of unknown power NOBODY"),
        (("title",), "a\u202eb", "title: holds "),
        (("title",), "a" * 81, "title: longer than 80 characters"),
        (("features",), [{"kind": "sea", "points": []}], "features[0].kind: "),
        (("features",), [{"kind": "lake", "points": [1, 1, 2, 2]}], "features[0].points: has 4 n"),
        (("features",), [{"kind": "ice", "points": [1, 1], "label": [1]}], "features[0].label: "),
        (("passages",), [{"ends": ["PAR", "X"], "points": []}], "passages[0].ends[1]: 'X' is not"),
    ],
)
def test_the_first_wrong_part_is_named(path, wrong, message):
    assert fault(damage(path, wrong)).startswith(message)


def test_an_arc_cannot_be_in_more_outlines_than_it_has_sides():
    data = damage(("scenery",), [["", [[0] * 1000]]])
    assert "is in more than 2 outlines" in fault(data)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", "the map file is not JSON"),
        (b"\xff", "the map file is not UTF-8 text"),
        ("[" * 100_000, "the map file is nested too deeply"),
        ("1" * 5_000, "the map file is not readable JSON"),
        (" " * 8_000_001, "the map file is longer than 8 million bytes"),
        ("[]", "value: not an object"),
        ("{}", "v: missing"),
    ],
)
def test_a_file_that_is_not_a_map_is_refused_in_one_sentence(content, message):
    with pytest.raises(CodecError, match=message):
        read_map(content)


@pytest.mark.long
def test_damaged_files_are_refused_or_drawn():
    """Replace one part after another by something wrong: nothing but `CodecError` is raised."""
    chance = random.Random(1)
    drawn = 0
    for path in chance.sample(list(list_paths(europe())), 150):
        if not path:
            continue
        try:
            chart = read_map(json.dumps(damage(path, chance.choice(WRONG))))
        except CodecError:
            continue
        drawn += 1
        assert render_thumbnail(chart).endswith("</svg>")
    assert drawn > 3


def test_a_board_of_european_provinces_has_its_own_drawing():
    board = smaller_europe()
    chart = derive_chart(board, "Three")
    assert {shape.province for shape in chart.shapes} == set(board.by_code)
    drawn = render_map(chart)
    assert [name for _, name in board.impassable if f"<title>{name} (imp" not in drawn] == []
