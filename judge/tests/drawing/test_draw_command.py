"""`diplomaccloud draw` writes a picture of a position, or says in one line what is wrong."""

import io
import json

import pytest
from judge.tests.grids import smaller_europe

from diplomaccloud import judge
from diplomaccloud.judge.cli import main
from diplomaccloud.judge.codec import board_to_json
from diplomaccloud.judge.drawing.europe import DATA

POSITION = "S1901M FRANCE: A PAR, A MAR; GERMANY: A MUN"
ORDERS = "FRANCE: A PAR - BUR; A MAR S A PAR - BUR\nGERMANY: A MUN - BUR"


def draw(capsys, *arguments):
    status = main(["draw", *arguments])
    done = capsys.readouterr()
    return status, done.out, done.err


def test_a_position_is_drawn_from_text_json_and_files(capsys, tmp_path, monkeypatch):
    game = judge.Game(position=POSITION)
    request = {"phase": "S1901M", "units": {"FRANCE": ["A PAR", "A MAR"], "GERMANY": ["A MUN"]}}
    file = tmp_path / "position.txt"
    file.write_text(POSITION)
    expected = f"{game.picture()}\n"
    for text in (POSITION, str(file), json.dumps(game.to_json()), json.dumps(request)):
        assert draw(capsys, text) == (0, expected, "")
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(POSITION.encode())))
    assert draw(capsys, "-") == (0, expected, "")
    file.write_bytes(b"\xef\xbb\xbf" + POSITION.replace(" ", "\r\n", 1).encode())
    assert draw(capsys, str(file)) == (0, expected, "")


def test_orders_are_drawn_with_their_results(capsys, tmp_path):
    status, svg, _ = draw(capsys, POSITION, "--orders", ORDERS, "--dark", "--width", "500")
    game = judge.Game(position=POSITION)
    for line in ORDERS.splitlines():
        game.order(*line.split(": "))
    assert (status, svg) == (0, f"{game.adjudicate().picture(dark=True, width=500)}\n")
    output = tmp_path / "turn.svg"
    assert draw(capsys, POSITION, "--orders", ORDERS, "-o", str(output)) == (0, "", "")
    assert 'data-outcome="bounced"' in output.read_text("utf-8")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["S1901M FRANCE: A XYZ"], "units: FRANCE: 'XYZ' is not a province."),
        (["position.json"], "no such file or directory"),
        (["{"], "the position is not JSON"),
        (['{"phase": "X"}'], "phase: not a phase"),
        ([POSITION, "--orders", "FRANCE: A PAR - XYZ"], "orders: FRANCE: line 1: "),
        ([POSITION, "--orders", "A PAR - BUR"], "orders: expected the name of a power"),
        ([POSITION, "--width", "5"], "width: expected a number from 100"),
        ([POSITION, "--rules", "1066"], "there is no edition '1066'"),
        ([POSITION, "--map", "/dev/zero"], "the map file is longer than 8 million bytes"),
        ([POSITION, "-o", "turn.gif"], "must end in .svg or .png"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(arguments, message, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    status, out, err = draw(capsys, *arguments)
    assert (status, out) == (2, "")
    assert message in err
    assert err.startswith("diplomaccloud: ")
    assert err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_is_not_text_and_a_map_of_another_board_are_named(capsys, tmp_path):
    position, world = tmp_path / "position.txt", tmp_path / "map.json"
    position.write_bytes(POSITION.encode("utf-16"))
    status, _, err = draw(capsys, str(position))
    assert (status, err) == (2, f"diplomaccloud: {str(position)[:80]} is not UTF-8 text\n")
    board = board_to_json(judge.standard_board())
    world.write_text(json.dumps({**json.loads(DATA.read_text("utf-8")), "board": board}))
    game = judge.Game(judge.read_map(world.read_text()), position=POSITION)
    stored = json.dumps(game.to_json())
    assert draw(capsys, stored, "--map", str(world)) == (0, f"{game.picture()}\n", "")
    stored = json.dumps(judge.Game(smaller_europe()).to_json())
    status, _, err = draw(capsys, stored, "--map", str(world))
    assert status == 2
    assert err.startswith("diplomaccloud: map: ")


def test_a_folder_that_does_not_exist_is_named_by_the_file_that_was_asked_for(capsys, tmp_path):
    file = tmp_path / "no" / "turn.svg"
    status, _, err = draw(capsys, POSITION, "-o", str(file))
    assert (status, err) == (2, f"diplomaccloud: {str(file)!r}: no such file or directory\n")


def test_a_unit_is_read_with_the_name_of_its_power():
    board = judge.standard_board()
    unit = judge.parse_unit("F STP/SC", board, "Russia")
    assert (str(unit), unit.power) == ("F STP/SC", "RUSSIA")
    with pytest.raises(judge.NotationError):
        judge.parse_unit("A NTH", board, "RUSSIA")
    with pytest.raises(ValueError, match="there is no power 'Norway'"):
        judge.parse_unit("A PAR", board, "Norway")
