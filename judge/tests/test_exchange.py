"""Games go through every format and come out the same; what is wrong with a text is named."""

import gzip
import io
import json
from pathlib import Path

import pytest
from judge.tests.grids import grid_board

from diplomaccloud import judge
from diplomaccloud.judge.cli import main
from diplomaccloud.judge.exchange.files import WRITTEN

GAME = Path(__file__).with_name("games") / "arena.jsonl.gz"
NO_PHASES = "there are no phases"
ELSEWHERE = "the orders lead to another position"
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


def read(content):
    """Return the games in a file of these bytes."""
    return list(judge.read_games(io.BytesIO(content)))


def read_one(content):
    """Return the only game in a file of these bytes, which has no fault."""
    (saved,) = read(content)
    assert saved.is_complete
    assert not saved.errors
    return saved


def convert(content, name):
    games = map(read_one, [content])
    return "".join(judge.write_game(saved.game, name, saved.name) for saved in games).encode()


def find_error(content):
    """Return the only error in a file of one game, as text."""
    (saved,) = read(content)
    (error,) = saved.errors
    assert not saved.is_complete
    return str(error)


def test_a_game_is_the_same_in_every_format(record):
    played = read_one(record).game
    assert {"M", "A"} <= {turn.phase[-1] for turn in played.turns}
    for name in WRITTEN:
        written = convert(record, name)
        saved = read_one(written)
        assert (saved.name, saved.format) == ("arena", name)
        assert saved.game.position == played.position, name
        assert [t.position.to_text() for t in saved.game.turns] == [
            t.position.to_text() for t in played.turns
        ]
        if name != "diplomacy":  # it is read by its own edition
            assert convert(convert(written, "record"), name) == written


def test_several_games_stand_in_one_text():
    games = read((TEXT + "\n" + TEXT.replace("Danube 4", "Rhine")).encode())
    assert [saved.name for saved in games] == ["Danube 4", "Rhine"]
    assert [(saved.number, saved.line) for saved in games] == [(1, 1), (2, 12)]
    assert all(saved.game.phase == "W1901A" for saved in games)
    start = "S1901M\\nFRANCE: A PAR".replace("\\n", "; ")
    game = read_one(f'[Start "{start}"]\n\nS1901M\nFRANCE: A PAR - BUR\n'.encode()).game
    assert read_one(judge.write_game(game, "text").encode()).game.position == game.position


def test_the_hash_of_a_position_is_that_of_the_package():
    start = judge.starting_position(judge.standard_board())
    assert judge.position_hash(start) == "1919110489198082658"
    grid = judge.starting_position(grid_board(4, 4))
    with pytest.raises(judge.PositionError):
        judge.position_hash(grid)


def test_a_support_of_a_fleet_is_written_as_the_package_reads_it():
    game = judge.Game(position="S1901M FRANCE: A GAS, F MAO, F POR, F WES; centers FRANCE: BRE")
    game.order("FRANCE", "F MAO - SPA/NC; A GAS S F MAO - SPA/NC; F POR S F MAO - SPA/NC")
    game.order("FRANCE", "F WES S F MAO - SPA/SC")
    game.adjudicate()
    line = judge.write_game(game, "diplomacy")
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
        if rules == "2000":
            with pytest.raises(ValueError, match="S1901M: the package diplomacy adjudicates"):
                judge.write_game(game, "diplomacy")
        else:
            line = judge.write_game(game, "diplomacy")
            assert read_one(line.encode()).game.position == game.position


def test_a_game_is_refused_if_an_army_waited_for_part_of_a_convoy():
    start = "S1901M ENGLAND: A WAL, F ENG, F NTH"
    for rules, moves in (("2000", False), ("diplomacy package", True)):
        game = judge.Game(rules=rules, position=start)
        game.order("ENGLAND", "A WAL - YOR; F NTH C A WAL - YOR; F ENG C A WAL - BEL")
        assert (game.adjudicate()["WAL"].outcome.value == "moved") is moves
        if moves:
            line = judge.write_game(game, "diplomacy")
            assert read_one(line.encode()).game.position == game.position
        else:
            with pytest.raises(ValueError, match="S1901M: the package diplomacy adjudicates"):
                judge.write_game(game, "diplomacy")


def test_a_unit_that_a_convoy_left_without_a_retreat_disbands_in_a_phase_of_the_package():
    start = (
        "S1901M ENGLAND: A LON, F NTH, F ENG; GERMANY: A HOL, A RUH, A BUR, F BEL; FRANCE: A PIC"
    )
    game = judge.Game(rules="diplomacy package", position=start)
    game.order("ENGLAND", "A LON - BEL; F NTH C A LON - BEL; F ENG S A LON - BEL")
    game.adjudicate()
    assert game.phase == "F1901M"
    line = judge.write_game(game, "diplomacy")
    _, retreats, last = json.loads(line)["phases"]
    assert retreats["name"] == "S1901R"
    assert retreats["orders"]["GERMANY"] == ["F BEL D"]
    assert "*F BEL" in retreats["state"]["units"]["GERMANY"]
    assert last["name"] == "F1901M"
    saved = read_one(line.encode())
    assert [turn.phase for turn in saved.game.turns] == ["S1901M"]
    assert saved.game.position == game.position


def test_retreats_of_the_package_to_occupied_places_are_left_out():
    start = "S1901M FRANCE: A ROM, F TYS, A APU, F ION; ITALY: F NAP"
    game = judge.Game(rules="diplomacy package", position=start)
    game.order("FRANCE", "A ROM - NAP VIA; F TYS C A ROM - NAP; A APU S A ROM - NAP")
    game.adjudicate()
    game.order("ITALY", "F NAP R ROM")
    game.adjudicate()
    line = judge.write_game(game, "diplomacy")
    saved = json.loads(line)
    saved["phases"][1]["state"]["retreats"]["ITALY"]["F NAP"] = ["APU", "ION", "ROM", "TYS"]
    position = read_one(json.dumps(saved).encode()).game.position
    assert position == game.position
    assert [str(unit) for unit in position.units_of(judge.Power("ITALY"))] == ["F ROM"]


def test_a_support_that_only_the_package_counts_is_written_as_a_hold():
    start = "F1901M TURKEY: A ARM, F CON; RUSSIA: A SEV, F BLA"
    game = judge.Game(rules="diplomacy package", position=start)
    game.order("TURKEY", "F CON H; A ARM S A SEV - ANK")
    game.order("RUSSIA", "A SEV - ANK; F BLA C A SEV - ANK")
    with_support = game.copy()
    game.order("TURKEY", "A ARM H")
    for each, expected in ((with_support, "A ARM S A SEV - ANK"), (game, "A ARM H")):
        each.adjudicate()
        line = judge.write_game(each, "diplomacy")
        assert expected in json.loads(line)["phases"][0]["orders"]["TURKEY"]
    leaving = judge.Game(rules="diplomacy package", position=start.replace("F CON", "F ANK"))
    leaving.order("TURKEY", "F ANK - CON; A ARM S A SEV - ANK")
    leaving.order("RUSSIA", "A SEV - ANK; F BLA C A SEV - ANK")
    leaving.adjudicate()
    line = judge.write_game(leaving, "diplomacy")
    orders = json.loads(line)["phases"][0]["orders"]
    assert orders["TURKEY"] == ["A ARM S A SEV - ANK", "F ANK - CON"]
    walking = judge.Game(
        rules="diplomacy package", position="F1901M TURKEY: A RUM, A BUL; RUSSIA: A SEV, F BLA"
    )
    walking.order("TURKEY", "A RUM - SEV; A BUL S A SEV - RUM")
    walking.order("RUSSIA", "A SEV - RUM VIA; F BLA H")
    walking.adjudicate()
    line = judge.write_game(walking, "diplomacy")
    orders = json.loads(line)["phases"][0]["orders"]
    assert orders["TURKEY"] == ["A BUL S A SEV - RUM", "A RUM - SEV"]
    game = judge.Game(rules="diplomacy package", position=start.replace("F CON", "F ANK"))
    game.order("TURKEY", "F ANK H; A ARM S A SEV - ANK")
    game.order("RUSSIA", "A SEV - ANK; F BLA C A SEV - ANK")
    assert game.adjudicate()["ANK"].dislodged_by is None
    line = judge.write_game(game, "diplomacy")
    orders = json.loads(line)["phases"][0]["orders"]
    assert orders["RUSSIA"] == ["A SEV - ANK VIA", "F BLA C A SEV - ANK"]
    assert orders["TURKEY"] == ["A ARM H", "F ANK H"]


def test_removals_that_the_package_decided_are_read_from_its_next_state():
    start = "W1901A FRANCE: A PAR, A MAR, F BRE; centers FRANCE: PAR MAR"
    game = judge.Game(rules="diplomacy package", position=start)
    game.order("FRANCE", "A PAR D")
    game.adjudicate()
    line = judge.write_game(game, "diplomacy")
    saved = json.loads(line)
    saved["phases"][0]["orders"]["FRANCE"] = []
    assert read_one(json.dumps(saved).encode()).game.position == game.position


def test_a_saved_game_has_an_order_for_every_unit_that_the_package_accepts():
    game = judge.Game()
    game.order("FRANCE", "A PAR - LON; A MAR - SPA; F BRE - MAO")
    game.order("TURKEY", "A SMY - BUL VIA")
    game.adjudicate()
    line = judge.write_game(game, "diplomacy")
    first, last = json.loads(line)["phases"]
    assert first["orders"]["FRANCE"] == ["A MAR - SPA", "A PAR H", "F BRE - MAO"]
    assert sum(map(len, first["orders"].values())) == 22
    assert first["results"]["A PAR"] == ["void"]
    assert last["state"]["builds"]["FRANCE"] == {"count": 0, "homes": []}


@pytest.mark.parametrize(
    ("change", "error"),
    [
        (("A MUN - BUR", "A MUN - XYZ"), "line 7: S1901M: GERMANY: 'A MUN - XYZ': "),
        (("GERMANY:", "NARNIA:"), "line 7: S1901M: there is no power 'NARNIA'"),
        (("F1901M", "S1902M"), "line 9: F1901M: the game has come to F1901M, not S1902M"),
        (('"2000"', '"1999"'), "line 2: there is no edition '1999'"),
        (('[Result "*"]', '[Result "FRANCE"]'), "line 3: W1901A: the result is *, not 'FRANCE'"),
        (("[Rules ", "[Ruler "), "line 2: unknown tag 'Ruler'"),
        (('[Rules "2000"]', "[Rules 2000]"), "line 2: a tag is written as"),
        (('[Rules "2000"]', '[Start "S1901M FRANCE: A XYZ"]'), "line 2: Start: units: FRANCE"),
        (("GERMANY:", "FRANCE:"), "line 7: S1901M: FRANCE has orders in line 6"),
        (("S1901M\n", ""), "line 5: S1901M: neither a phase nor the orders of a power"),
        (("[Rules", "\udcff"), "line 2: the line is not UTF-8"),
        (("GERMANY: A MUN", "\udcff"), "line 7: S1901M: the line is not UTF-8"),
    ],
)
def test_the_line_of_a_text_at_fault_is_named(change, error):
    content = TEXT.replace(*change).encode(errors="surrogateescape")
    assert find_error(content).startswith(error)
    before, damaged, after = read(TEXT.encode() + content + TEXT.encode())
    assert before.is_complete
    assert not damaged.is_complete
    assert after.is_complete
    assert (after.number, after.line) == (3, 1 + TEXT.count("\n") + content.count(b"\n"))


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
        (["phases", 0, "orders", "FRANCE"], ["A PAR - XYZ"], "S1901M: FRANCE: 'A PAR - XYZ': "),
        (["phases", 0, "orders", "FRANCE"], [7], "phases[0].orders.FRANCE[0]: not a text"),
        (["phases", 1, "state", "units", "ITALY"], ["A PAR"], f"S1901M: {ELSEWHERE}"),
        (["phases", 1, "state", "units", "ITALY"], [["A PAR"]], "phases[1].state"),
        (["phases", 1, "state", "units", "ITALY"], ["A ROM"], f"S1901M: {ELSEWHERE}"),
        (["phases", 1, "state", "name"], "S1999M", "F1901M: the game has come to F1901M, not S19"),
        (["phases", 0, "state", "units"], 7, "phases[0].state.units: not an object"),
    ],
)
def test_the_part_of_a_saved_game_at_fault_is_named(path, value, error):
    saved = json.loads(convert(TEXT.encode(), "diplomacy"))
    set_part(saved, path, value)
    assert error in find_error(json.dumps(saved).encode())


@pytest.mark.parametrize("cut", range(0, 400, 37))
def test_a_damaged_file_is_an_error_and_never_a_crash(record, cut):
    for content in (TEXT.encode(), convert(TEXT.encode(), "diplomacy"), record):
        damaged = content[:cut] + b'{"\xfe' + content[cut + 3 :]
        try:
            games = read(damaged)
        except ValueError:
            continue
        assert not all(saved.is_complete for saved in games)


def test_the_command_converts_and_writes_nothing_that_is_wrong(tmp_path, capsys):
    source, target = tmp_path / "game.txt", tmp_path / "game.jsonl"
    source.write_text(TEXT)
    assert main(["convert", str(source), "--to", "record", "-o", str(target)]) == 0
    assert main(["replay", str(target)]) == 0
    assert main(["convert", str(target), "--to", "text"]) == 0
    assert "FRANCE: A PAR - BUR" in capsys.readouterr().out
    source.write_text(TEXT.replace("BEL", "XYZ"))
    before = target.read_bytes()
    assert main(["convert", str(source), "--to", "record", "-o", str(target)]) == 1
    assert "game 1: line 10: F1901M: FRANCE: " in capsys.readouterr().err
    assert target.read_bytes() == before


def test_a_map_that_a_format_cannot_hold_is_refused():
    game = judge.Game(grid_board(4, 4))
    for name in ("text", "diplomacy"):
        with pytest.raises(ValueError, match="standard map"):
            judge.write_game(game, name)
    with pytest.raises(ValueError, match="there is no format 'pgn'"):
        judge.write_game(game, "pgn")
