"""Pictures and maps in text of games, on the map of Europe, other maps, and boards without one."""

import json
import re
import sys
from itertools import combinations
from xml.etree import ElementTree as ET

import pytest
from judge.tests.grids import grid_board, smaller_europe

from diplomaccloud import judge
from diplomaccloud.judge.board import Board, PowerInfo, Province, Start, Terrain
from diplomaccloud.judge.codec import board_to_json
from diplomaccloud.judge.drawing.diagram import RADIUS, list_links, make_diagram, place_provinces
from diplomaccloud.judge.drawing.europe import DATA
from diplomaccloud.judge.drawing.theme import NIGHT

SVG = "{http://www.w3.org/2000/svg}"
DISLODGED = "F1901M FRANCE: A PAR, A PIC; GERMANY: A BUR; RUSSIA: F STP/SC; centers FRANCE: PAR BRE"


def toy_board(count=5, name="Toy"):
    """Return a board where every province is a neighbor of every other."""
    names = [chr(ord("A") + i) + "land" for i in range(count)]
    powers = tuple(PowerInfo(judge.Power(n.upper()), n, f"{n}ish") for n in names)
    provinces = tuple(
        Province(judge.ProvinceCode(n[:3].upper()), n, Terrain.COASTAL, (), True, p.power)
        for n, p in zip(names, powers, strict=True)
    )
    codes = [one.code for one in provinces]
    borders = tuple(combinations(codes, 2))
    starts = tuple(
        Start(p.power, judge.UnitKind.ARMY, judge.Location(c))
        for p, c in zip(powers, codes, strict=True)
    )
    return Board(name, powers, provinces, borders, borders, starts, 3)


def dislodged_game():
    game = judge.Game(position=DISLODGED)
    game.order("FRANCE", "A PAR - BUR; A PIC S A PAR - BUR")
    return game, game.adjudicate()


def parse_svg(text):
    return ET.fromstring(text)  # noqa: S314 made here


def find_orders(picture):
    groups = parse_svg(picture).iter(f"{SVG}g")
    return {g.get("data-order"): g.get("data-outcome") for g in groups if g.get("data-order")}


def list_titles(picture):
    return [title.text for title in parse_svg(picture).iter(f"{SVG}title")]


def test_a_turn_shows_arrows_and_failures_and_a_game_what_is_ordered():
    game = judge.Game()
    assert find_orders(game.picture()) == {}
    game.order("FRANCE", "A PAR - BUR; A MAR - XYZ")
    game.order("GERMANY", "A MUN - BUR")
    assert find_orders(game.picture()) == {"A PAR - BUR": None, "A MUN - BUR": None}
    assert find_orders(game.picture(orders=False)) == {}
    turn = game.adjudicate()
    outcomes = find_orders(turn.picture())
    assert outcomes["A PAR - BUR"] == outcomes["A MUN - BUR"] == "bounced"
    assert "Standoff in BUR" in list_titles(turn.picture())
    assert find_orders(turn.picture(orders=False)) == {}
    # The next phase shows what happened, until something is ordered.
    assert find_orders(game.picture()) == outcomes
    game.order("FRANCE", "A PAR - GAS")
    assert find_orders(game.picture()) == {"A PAR - GAS": None}


def test_a_phase_of_retreats_shows_where_units_may_go():
    game, turn = dislodged_game()
    ways = [title for title in list_titles(game.picture()) if "may retreat to" in title]
    assert ways[0] == "A BUR may retreat to BEL"
    assert len(ways) == len(turn["A BUR"].retreats)
    game.order("GERMANY", "A BUR R MUN")
    assert find_orders(game.picture()) == {"A BUR R MUN": None}
    assert not any("may retreat to" in title for title in list_titles(game.picture()))


def test_the_arguments_change_the_picture():
    game = judge.Game()
    plain = game.picture()
    assert 'width="900"' in plain[:100]
    texts = [len(game.picture(labels=kind).split("<text")) for kind in ("names", "codes", "none")]
    assert texts[0] > texts[1] > texts[2]
    assert ">Burgundy</text" not in game.picture(width=400)
    assert ">BUR</text" in game.picture(width=400)
    assert "<text" not in game.picture(width=200)
    dark = game.picture(dark=True, patterns=True)
    assert 'class="pattern"' in dark
    assert 'class="pattern"' not in plain
    assert NIGHT.sea in dark
    assert NIGHT.sea not in plain


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"width": 5}, "width: expected a number from 100 to 10000"),
        ({"width": "wide"}, "width: expected a whole number, not str"),
        ({"labels": "latin"}, "labels: 'latin' is not names, codes or none"),
    ],
)
def test_a_wrong_argument_is_named(arguments, message):
    with pytest.raises((TypeError, ValueError), match=message):
        judge.Game().picture(**arguments)


def test_a_picture_is_saved_as_svg_and_png(tmp_path, monkeypatch):
    picture = judge.Game().picture(width=300)
    picture.save(tmp_path / "a.svg")
    assert (tmp_path / "a.svg").read_text("utf-8") == picture
    with pytest.raises(ValueError, match=r"must end in .svg or .png, not '.gif'"):
        picture.save(tmp_path / "a.gif")
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    with pytest.raises(ModuleNotFoundError, match=r"pip install '\./judge\[png\]'"):
        picture.save(tmp_path / "a.png")
    assert [path.name for path in tmp_path.iterdir()] == ["a.svg"]


def test_a_png_has_the_width_of_the_picture(tmp_path):
    pytest.importorskip("resvg_py")
    picture = judge.Game().picture(width=300)
    for width in (None, 150):
        picture.save(str(tmp_path / "a.PNG"), width)
        content = (tmp_path / "a.PNG").read_bytes()
        assert content[:4] == b"\x89PNG"
        assert int.from_bytes(content[16:20], "big") == (width or 300)


def test_notebooks_show_games_turns_and_pictures_with_ids_of_their_own():
    game, turn = dislodged_game()
    shown = [game._repr_svg_(), turn._repr_svg_(), game.picture(dark=True)._repr_svg_()]
    ids = [set(re.findall(r'\bid="([^"]+)"', svg)) for svg in shown]
    assert not any(first & second for first, second in combinations(ids, 2))
    for svg, known in zip(shown, ids, strict=True):
        parse_svg(svg)
        assert {*re.findall(r'href="#([^"]+)"', svg), *re.findall(r"url\(#([^)]+)", svg)} <= known


def test_a_game_on_a_map_file_is_drawn_on_that_map():
    data = {**json.loads(DATA.read_text("utf-8")), "board": board_to_json(judge.standard_board())}
    data["world"] = "Old Europe"
    world = judge.read_map(json.dumps(data))
    game = judge.Game(world)
    assert game.board == judge.standard_board()
    assert list_titles(game.picture())[0] == "Old Europe, S1901M"
    turn = game.copy().adjudicate()
    assert list_titles(turn.picture())[0] == "Old Europe, S1901M"
    assert game.map_text() == judge.Game().map_text()
    stored = game.to_json()
    assert judge.Game.from_json(stored, world).picture() == game.picture()
    assert list_titles(judge.Game.from_json(stored).picture())[0] != "Old Europe, S1901M"
    with pytest.raises(judge.CodecError, match=r"^map: "):
        judge.Game.from_json(stored, smaller_europe())


def test_a_board_of_european_provinces_is_drawn_as_europe():
    picture = judge.Game(smaller_europe()).picture()
    assert 'data-province="PAR"' in picture
    assert f'r="{RADIUS:g}"' not in picture


def test_a_board_without_a_map_is_a_diagram_of_disks_and_lines():
    game = judge.Game(toy_board())
    assert game.order("ALAND", "A ALA - BLA") == ()
    picture = game.picture()
    assert picture.count(f'r="{RADIUS:g}"') == 5
    assert find_orders(picture) == {"A ALA - BLA": None}
    assert "Cland" in picture


def apart_board(count=300):
    """Return a board without borders."""
    provinces = tuple(Province(f"P{i:03}", f"Isle {i}", Terrain.INLAND) for i in range(count))
    return judge.Board("Apart", (), provinces, (), (), (), 1)


@pytest.mark.parametrize(
    "board",
    [toy_board(1), toy_board(2), toy_board(12), judge.standard_board(), apart_board()],
    ids=["one", "two", "twelve", "europe", "apart"],
)
def test_no_disk_of_a_diagram_covers_another_or_its_name(board):
    places, (width, height) = place_provinces(board)
    assert set(places) == set(board.by_code)
    for x, y in places.values():
        assert RADIUS <= x <= width - RADIUS
        assert RADIUS <= y <= height - RADIUS
    for (x, y), (to_x, to_y) in combinations(places.values(), 2):
        assert (x - to_x) ** 2 + (y - to_y) ** 2 >= (2 * RADIUS) ** 2
    assert len(places) > 12 or place_provinces(board) == (places, (width, height))
    assert {shape.province for shape in make_diagram(board).shapes} == set(places)


def test_lines_pass_few_disks_that_they_do_not_lead_to():
    board = judge.standard_board()
    places, _ = place_provinces(board)
    crossed = 0
    for first, second in list_links(board):
        (x, y), (to_x, to_y) = places[first], places[second]
        square = (to_x - x) ** 2 + (to_y - y) ** 2
        for code, (at_x, at_y) in places.items():
            along = ((at_x - x) * (to_x - x) + (at_y - y) * (to_y - y)) / square
            off = abs((at_x - x) * (to_y - y) - (at_y - y) * (to_x - x)) / square**0.5
            crossed += code not in (first, second) and 0 < along < 1 and off < RADIUS * 0.9
    assert crossed < 20


@pytest.mark.parametrize("columns", [40, 100, 200])
def test_a_map_in_text_has_every_code_once_and_every_unit(columns):
    game, _ = dislodged_game()
    text = game.map_text(columns)
    assert max(map(len, text.splitlines())) <= columns
    words = re.findall(r"\b[A-Z]{3}\b", text)
    assert sorted(words) == sorted(game.board.by_code)
    units = re.findall(r"[AF] [A-Z][a-z]+\*?", text)
    assert sorted(units) == ["A Fra", "A Fra", "A Ger*", "F Rus"]


def test_a_map_in_text_shows_the_shape_of_europe():
    lines = judge.Game().map_text(100).splitlines()
    place = {
        code: (row, line.index(code))
        for row, line in enumerate(lines)
        for code in re.findall(r"\b[A-Z]{3}\b", line)
    }
    assert place["EDI"][0] < place["LON"][0] < place["PAR"][0] < place["TUN"][0]
    assert place["MAO"][1] < place["PAR"][1] < place["MUN"][1] < place["WAR"][1] < place["SEV"][1]
    (row, column) = place["PAR"]
    assert lines[row + 1][column - 2 : column + 4].strip() == "A Fra"


def test_powers_with_the_same_first_letters_are_told_apart_in_a_map():
    names = ("Northland", "Northern League", "Sud")
    board = toy_board(3)
    powers = tuple(
        PowerInfo(info.power, name, name) for info, name in zip(board.powers, names, strict=True)
    )
    game = judge.Game(Board("T", powers, *list(vars(board).values())[2:8]))
    units = re.findall(r"A [A-Z][A-Za-z]+", game.map_text(60))
    assert sorted(units) == ["A Northe", "A Northl", "A Sud"]


def test_a_name_longer_than_a_row_is_cut():
    board = toy_board(3)
    names = [f"Union of the Northern Isles {end}" for end in "ABC"]
    powers = tuple(
        PowerInfo(info.power, name, name) for info, name in zip(board.powers, names, strict=True)
    )
    game = judge.Game(Board("T", powers, *list(vars(board).values())[2:8]))
    text = game.map_text(20)
    assert {line.strip() for line in text.splitlines() if line} == {
        *board.by_code,
        "A UnionoftheNorther…",
    }


def test_a_narrow_map_of_many_provinces_has_all_of_them():
    board = grid_board(8, 16)
    text = judge.Game(board).map_text(20)
    assert max(map(len, text.splitlines())) <= 20
    assert set(board.by_code) <= set(text.split())


@pytest.mark.parametrize("columns", [5, 10**6, "100"])
def test_a_map_of_no_sensible_width_is_refused(columns):
    with pytest.raises((TypeError, ValueError), match="columns"):
        judge.Game().map_text(columns)


# Games and positions on a terminal.


def test_a_game_is_printed_with_a_line_for_each_power():
    game, _ = dislodged_game()
    lines = str(game).splitlines()
    assert lines[0] == "F1901R"
    assert [line.split()[0] for line in lines[1:]] == list(game.powers)
    assert lines[3] == "FRANCE   BRE PAR (2)  A BUR, A PIC"
    assert "dislodged A BUR (BEL GAS MAR MUN RUH)" in lines[4]
    assert [line.split()[0] for line in str(game.position).splitlines()[1:]] == [
        "FRANCE",
        "GERMANY",
        "RUSSIA",
    ]


def test_every_power_has_its_units_and_centers():
    game, _ = dislodged_game()
    assert game.units["FRANCE"] == game.position.units_of("FRANCE")
    assert game.centers["FRANCE"] == ("BRE", "PAR")
    assert game.units["ITALY"] == game.centers["ITALY"] == ()
    assert list(game.units) == list(game.centers) == list(game.powers)
