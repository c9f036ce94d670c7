"""Games go through every format and come out the same; what is wrong with a text is named."""

import gzip
import json
from itertools import islice
from pathlib import Path

import pytest
from judge.tests.grids import grid_board

from diplomaccloud import judge
from diplomaccloud.judge.cli import main
from diplomaccloud.judge.exchange import FORMATS, ExchangeError, read_games, write_games
from diplomaccloud.judge.exchange.saved_games import hash_position

GAME = Path(__file__).with_name("games") / "arena.jsonl.gz"
NO_PHASES = "there are no phases"
TEXT = """\
[Game "Danube 4"]
[Rules "2000"]
[Result "*"]

S1901M
FRANCE: A PAR - BUR, A MAR S A PAR - BUR, F BRE - MAO
GERMANY: A MUN - BUR, F KIE - HOL

F1901M
FRANCE: A BUR - BEL
"""


@pytest.fixture(scope="module")
def record():
    """The record of a game of random bots that has retreats and builds, as the arena wrote it."""
    return gzip.decompress(GAME.read_bytes())


def convert(content, name):
    return "\n".join(write_games(read_games(content), name)).encode()


def test_a_game_is_the_same_in_every_format(record):
    ((_, played),) = read_games(record)
    assert {"M", "A"} <= {turn.phase[-1] for turn in played.turns}
    for name in FORMATS:
        written = convert(record, name)
        ((title, game),) = read_games(written)
        assert title == "arena"
        assert game.position == played.position, name
        assert [t.position.to_text() for t in game.turns] == [
            t.position.to_text() for t in played.turns
        ]
        if name != "diplomacy":  # it is read by its own edition
            assert convert(convert(written, "record"), name) == written


def test_several_games_stand_in_one_text():
    games = list(read_games((TEXT + "\n" + TEXT.replace("Danube 4", "Rhine")).encode()))
    assert [name for name, _ in games] == ["Danube 4", "Rhine"]
    assert all(game.phase == "W1901A" for _, game in games)
    start = "S1901M\\nFRANCE: A PAR".replace("\\n", "; ")
    ((_, game),) = read_games(f'[Start "{start}"]\n\nS1901M\nFRANCE: A PAR - BUR\n'.encode())
    (written,) = read_games("\n".join(write_games([("", game)], "text")).encode())
    assert written[1].position == game.position


def test_the_hash_of_a_position_is_that_of_the_package():
    start = judge.starting_position(judge.standard_board())
    assert hash_position(start) == "1919110489198082658"


def test_a_support_of_a_fleet_is_written_as_the_package_reads_it():
    game = judge.Game(position="S1901M FRANCE: A GAS, F MAO, F POR, F WES; centers FRANCE: BRE")
    game.order("FRANCE", "F MAO - SPA/NC; A GAS S F MAO - SPA/NC; F POR S F MAO - SPA/NC")
    game.order("FRANCE", "F WES S F MAO - SPA/SC")
    game.adjudicate()
    (line,) = write_games([("x", game)], "diplomacy")
    assert json.loads(line)["phases"][0]["orders"]["FRANCE"] == [
        "A GAS S F MAO - SPA",
        "F MAO - SPA/NC",
        "F POR S F MAO - SPA",  # the package drops the coast
        "F WES H",  # without the coast, the support would be given
    ]


def test_a_game_that_the_package_judges_in_another_way_is_refused():
    start = "S1901M ENGLAND: A HOL; FRANCE: A BEL; GERMANY: F NTH; centers FRANCE: BRE"
    for rules in ("2000", "diplomacy package"):
        game = judge.Game(rules=rules, position=start)
        game.order("ENGLAND", "A HOL - BEL VIA")
        game.order("FRANCE", "A BEL - PIC")
        game.adjudicate()
        lines = write_games([("x", game)], "diplomacy")
        if rules == "2000":
            with pytest.raises(ExchangeError, match="x: S1901M: the package diplomacy adjudicates"):
                list(lines)
        else:
            ((_, read),) = read_games("\n".join(lines).encode())
            assert read.position == game.position


def test_a_game_is_refused_if_an_army_waited_for_part_of_a_convoy():
    start = "S1901M ENGLAND: A WAL, F ENG, F NTH"
    for rules, moves in (("2000", False), ("diplomacy package", True)):
        game = judge.Game(rules=rules, position=start)
        game.order("ENGLAND", "A WAL - YOR; F NTH C A WAL - YOR; F ENG C A WAL - BEL")
        assert (game.adjudicate()["WAL"].outcome.value == "moved") is moves
        lines = write_games([("x", game)], "diplomacy")
        if moves:
            ((_, read),) = read_games("\n".join(lines).encode())
            assert read.position == game.position
        else:
            with pytest.raises(ExchangeError, match="x: S1901M: the package diplomacy adjudicates"):
                list(lines)


def test_a_unit_that_a_convoy_left_without_a_retreat_disbands_in_a_phase_of_the_package():
    start = (
        "S1901M ENGLAND: A LON, F NTH, F ENG; GERMANY: A HOL, A RUH, A BUR, F BEL; FRANCE: A PIC"
    )
    game = judge.Game(rules="diplomacy package", position=start)
    game.order("ENGLAND", "A LON - BEL; F NTH C A LON - BEL; F ENG S A LON - BEL")
    game.adjudicate()
    assert game.phase == "F1901M"
    (line,) = write_games([("x", game)], "diplomacy")
    _, retreats, last = json.loads(line)["phases"]
    assert retreats["name"] == "S1901R"
    assert retreats["orders"]["GERMANY"] == ["F BEL D"]
    assert "*F BEL" in retreats["state"]["units"]["GERMANY"]
    assert last["name"] == "F1901M"
    ((_, read),) = read_games(line.encode())
    assert [turn.phase for turn in read.turns] == ["S1901M"]
    assert read.position == game.position


def test_retreats_of_the_package_to_occupied_places_are_left_out():
    start = "S1901M FRANCE: A ROM, F TYS, A APU, F ION; ITALY: F NAP"
    game = judge.Game(rules="diplomacy package", position=start)
    game.order("FRANCE", "A ROM - NAP VIA; F TYS C A ROM - NAP; A APU S A ROM - NAP")
    game.adjudicate()
    game.order("ITALY", "F NAP R ROM")
    game.adjudicate()
    (line,) = write_games([("x", game)], "diplomacy")
    saved = json.loads(line)
    saved["phases"][1]["state"]["retreats"]["ITALY"]["F NAP"] = ["APU", "ION", "ROM", "TYS"]
    ((_, read),) = read_games(json.dumps(saved).encode())
    assert read.position == game.position
    assert [str(unit) for unit in read.position.units_of(judge.Power("ITALY"))] == ["F ROM"]


def test_a_support_that_only_the_package_counts_is_written_as_a_hold():
    start = "F1901M TURKEY: A ARM, F CON; RUSSIA: A SEV, F BLA"
    game = judge.Game(rules="diplomacy package", position=start)
    game.order("TURKEY", "F CON H; A ARM S A SEV - ANK")
    game.order("RUSSIA", "A SEV - ANK; F BLA C A SEV - ANK")
    with_support = game.copy()
    game.order("TURKEY", "A ARM H")
    for each, expected in ((with_support, "A ARM S A SEV - ANK"), (game, "A ARM H")):
        each.adjudicate()
        (line,) = write_games([("x", each)], "diplomacy")
        assert expected in json.loads(line)["phases"][0]["orders"]["TURKEY"]
    game = judge.Game(rules="diplomacy package", position=start.replace("F CON", "F ANK"))
    game.order("TURKEY", "F ANK H; A ARM S A SEV - ANK")
    game.order("RUSSIA", "A SEV - ANK; F BLA C A SEV - ANK")
    assert game.adjudicate()["ANK"].dislodged_by is None
    (line,) = write_games([("x", game)], "diplomacy")
    orders = json.loads(line)["phases"][0]["orders"]
    assert orders["RUSSIA"] == ["A SEV - ANK VIA", "F BLA C A SEV - ANK"]
    assert orders["TURKEY"] == ["A ARM H", "F ANK H"]


def test_removals_that_the_package_decided_are_read_from_its_next_state():
    start = "W1901A FRANCE: A PAR, A MAR, F BRE; centers FRANCE: PAR MAR"
    game = judge.Game(rules="diplomacy package", position=start)
    game.order("FRANCE", "A PAR D")
    game.adjudicate()
    (line,) = write_games([("x", game)], "diplomacy")
    saved = json.loads(line)
    saved["phases"][0]["orders"]["FRANCE"] = []
    ((_, read),) = read_games(json.dumps(saved).encode())
    assert read.position == game.position


def test_a_saved_game_has_an_order_for_every_unit_that_the_package_accepts():
    game = judge.Game()
    game.order("FRANCE", "A PAR - LON; A MAR - SPA; F BRE - MAO")
    game.order("TURKEY", "A SMY - BUL VIA")
    game.adjudicate()
    (line,) = write_games([("x", game)], "diplomacy")
    first, last = json.loads(line)["phases"]
    assert first["orders"]["FRANCE"] == ["A MAR - SPA", "A PAR H", "F BRE - MAO"]
    assert sum(map(len, first["orders"].values())) == 22
    assert first["results"]["A PAR"] == ["void"]
    assert last["state"]["builds"]["FRANCE"] == {"count": 0, "homes": []}


@pytest.mark.parametrize(
    ("change", "error"),
    [
        (("A MUN - BUR", "A MUN - XYZ"), "line 7: GERMANY: 'A MUN - XYZ': "),
        (("GERMANY:", "NARNIA:"), "line 7: there is no power 'NARNIA'"),
        (("F1901M", "S1902M"), "line 9: the game has come to F1901M, not 'S1902M'"),
        (('"2000"', '"1999"'), "line 2: there is no edition '1999'"),
        (('[Result "*"]', '[Result "FRANCE"]'), r"line 3: the result is \*, not 'FRANCE'"),
        (("[Rules ", "[Ruler "), "line 2: unknown tag 'Ruler'"),
        (('[Rules "2000"]', "[Rules 2000]"), "line 2: a tag is written as"),
        (('[Rules "2000"]', '[Start "S1901M FRANCE: A XYZ"]'), "line 2: Start: units: FRANCE"),
        (("GERMANY:", "FRANCE:"), "line 7: FRANCE has orders in line 6"),
        (("S1901M\n", ""), "line 5: neither a phase nor the orders of a power"),
        (("[Rules", "\udcff"), "line 2 is not UTF-8"),
    ],
)
def test_the_line_of_a_text_at_fault_is_named(change, error):
    content = TEXT.replace(*change).encode(errors="surrogateescape")
    with pytest.raises(ExchangeError, match=error):
        list(read_games(content))


def set_part(data, path, value):
    *parents, last = path
    for key in parents:
        data = data[key]
    data[last] = value


@pytest.mark.parametrize(
    ("path", "value", "error"),
    [
        (["map"], "modern", "map: only games on the standard map"),
        (["phases"], [], f"phases: {NO_PHASES}"),
        (["phases", 0, "orders", "FRANCE"], ["A PAR - XYZ"], r"phases\[0\].orders: FRANCE: 'A PAR"),
        (["phases", 0, "orders", "FRANCE"], [7], r"phases\[0\].orders.FRANCE\[0\]: not a text"),
        (["phases", 1, "state", "units", "ITALY"], ["A PAR"], r"phases\[1\].state"),
        (["phases", 1, "state", "name"], "S1999M", r"phases\[1\].state.phase: "),
        (["phases", 0, "state", "units"], 7, r"phases\[0\].state.units: not an object"),
    ],
)
def test_the_part_of_a_saved_game_at_fault_is_named(path, value, error):
    saved = json.loads(convert(TEXT.encode(), "diplomacy"))
    set_part(saved, path, value)
    with pytest.raises(ExchangeError, match=error):
        list(read_games(json.dumps(saved).encode()))


@pytest.mark.parametrize("cut", range(0, 400, 37))
def test_a_damaged_file_is_an_error_and_never_a_crash(record, cut):
    for content in (TEXT.encode(), convert(TEXT.encode(), "diplomacy"), record):
        damaged = content[:cut] + b'{"\xfe' + content[cut + 3 :]
        with pytest.raises(ExchangeError):
            list(read_games(damaged))


def test_the_command_converts_and_writes_nothing_that_is_wrong(tmp_path, capsys):
    source, target = tmp_path / "game.txt", tmp_path / "game.jsonl"
    source.write_text(TEXT)
    assert main(["convert", str(source), "--to", "record", "-o", str(target)]) == 0
    assert main(["replay", str(target)]) == 0
    assert main(["convert", str(target), "--to", "text"]) == 0
    assert "FRANCE: A PAR - BUR" in capsys.readouterr().out
    source.write_text(TEXT.replace("BEL", "XYZ"))
    before = target.read_bytes()
    assert main(["convert", str(source), "--to", "record", "-o", str(target)]) == 2
    assert "line 10: FRANCE: " in capsys.readouterr().err
    assert target.read_bytes() == before


def test_a_map_that_a_format_cannot_hold_is_refused(tmp_path):
    game = judge.Game(grid_board(4, 4))
    for name in ("text", "diplomacy"):
        with pytest.raises(ExchangeError, match="standard map"):
            list(islice(write_games([("", game)], name), 1))
