"""Files of games are streams; a fault belongs to its game, and all other games are read."""

import gzip
import io
import itertools
import json
import os
import threading
from pathlib import Path

import pytest
from judge.tests.test_exchange import ELSEWHERE

from diplomaccloud import judge
from diplomaccloud.judge.cli import main
from diplomaccloud.judge.exchange import files

CENTERS = sorted(judge.standard_board().centers)
CLOSED = "retreats that the rules do not"


def play():
    """Return a game of two phases."""
    game = judge.Game(rules="diplomacy package")
    game.order("FRANCE", "A PAR - BUR; A MAR S A PAR - BUR; F BRE - MAO")
    game.adjudicate()
    game.order("FRANCE", "A BUR - MUN")
    game.adjudicate()
    return game


GAME = play()
SAVED = judge.write_game(GAME, "diplomacy", "x").strip()
TEXT = judge.write_game(GAME, "text", "x")
RECORD = judge.write_game(GAME, "record", "x")


def read(source):
    """Return the games of a source, which may be text."""
    return list(judge.read_games(io.StringIO(source) if isinstance(source, str) else source))


def is_equal(saved):
    game = saved.game
    return saved.is_complete and not saved.errors and game.position == GAME.position


@pytest.mark.parametrize(
    ("content", "lines"),
    [
        (f"{SAVED}\n\n{SAVED}", [1, 3]),
        (f"\ufeff{SAVED}\r\n{SAVED}\r\n", [1, 2]),
        (f" [{SAVED},{SAVED}]", [1, 1]),
        (f"\n[\n{SAVED}\n,\n{SAVED}\n]\n", [3, 5]),
        (json.dumps([json.loads(SAVED)] * 2, indent=1), [2, 788]),
        (json.dumps(json.loads(SAVED), indent=1) * 2, [1, 786]),
        (TEXT + TEXT, [1, 11]),
        (f"\ufeff\n{TEXT}# a comment\n{TEXT}".replace("\n", "\r\n"), [2, 13]),
        (RECORD + RECORD, [1, 4]),
        (json.dumps(GAME.to_json()) + "\n" + json.dumps(GAME.to_json()), [1, 2]),
        (f"[{','.join((RECORD + RECORD).splitlines())}]", [1, 1]),
    ],
)
def test_the_games_of_a_file_are_read_however_they_are_written(content, lines):
    games = read(content)
    assert all(map(is_equal, games))
    assert [saved.number for saved in games] == [1, 2]
    assert [saved.line for saved in games] == lines


def test_a_file_may_be_given_in_many_ways(tmp_path):
    path = tmp_path / "games.jsonl"
    path.write_text(f"{SAVED}\n{SAVED}\n")
    packed = gzip.compress(f"{SAVED}\n".encode()) * 2
    (tmp_path / "packed").write_bytes(packed)
    with path.open("rb") as binary, path.open() as text:
        sources = [str(path), path, binary, text, tmp_path / "packed", io.BytesIO(packed)]
        sources += [[SAVED, SAVED], iter([SAVED.encode()] * 2)]
        for source in sources:
            assert list(map(is_equal, judge.read_games(source))) == [True, True]
    inlet, outlet = os.pipe()

    def fill():
        with os.fdopen(outlet, "wb") as pipe:
            pipe.write(f"{SAVED}\n{SAVED}".encode())

    threading.Thread(target=fill).start()
    with os.fdopen(inlet, "rb", buffering=0) as pipe:
        assert list(map(is_equal, judge.read_games(pipe))) == [True, True]
    for wrong in (b"{}", 5, None):
        with pytest.raises(TypeError, match="expected a file, its name or its lines, not"):
            next(judge.read_games(wrong))
    with pytest.raises(IsADirectoryError):
        next(judge.read_games(tmp_path))


def test_a_file_without_end_is_read_as_far_as_it_is_used():
    for content in (SAVED, TEXT, RECORD):
        lines = itertools.cycle([f"{line}\n" for line in content.splitlines()])
        games = itertools.islice(judge.read_games(lines), 3)
        assert list(map(is_equal, games)) == [True] * 3
    endless = itertools.chain(["["], itertools.cycle([SAVED, ","]))
    assert list(map(is_equal, itertools.islice(judge.read_games(endless), 3))) == [True] * 3


def change(path, value):
    """Return the saved game with another value at a path."""
    saved = json.loads(SAVED)
    *parents, last = path
    part = saved
    for key in parents:
        part = part[key]
    part[last] = value
    return json.dumps(saved, separators=(",", ":"))


DAMAGES = [
    (SAVED[:900], "input"),
    (SAVED.replace('"map"', '"map', 1), "input"),
    (SAVED.replace("PAR", "P\0R", 1), "input"),
    (SAVED.replace("PAR", "P\udcffR", 1), "input"),
    (SAVED.replace('"timestamp":0', '"timestamp":NaN', 1), "input"),
    (SAVED.replace('"timestamp":0', f'"timestamp":{"9" * 5000}', 1), "input"),
    (SAVED.replace('"map"', '"id":"y","map"', 1), "input"),
    ('{"id":' + '{"id":' * 20_000 + "}", "input"),
    (change(["phases", 1, "orders", "FRANCE"], ["A BUR - XYZ"]), "input"),
    (change(["phases", 1, "state", "units", "FRANCE"], ["A BUR"]), "rules"),
    (change(["phases", 2, "state", "centers", "FRANCE"], ["BRE"]), "rules"),
    (change(["phases", 1, "name"], "S1901M"), None),
    (change(["phases", 1, "state", "name"], "F1902M"), "source"),
]


@pytest.mark.parametrize(("damaged", "kind"), DAMAGES)
@pytest.mark.parametrize("form", ["{0}\n{1}\n{0}", "[{0},\n{1},\n{0}]"])
def test_a_damaged_game_is_named_and_the_others_are_read(form, damaged, kind):
    content = form.format(SAVED, damaged).encode(errors="surrogateescape")
    first, second, third = read(io.BytesIO(content))
    assert is_equal(first)
    assert is_equal(third)
    assert (second.number, second.line) == (2, 2)
    if kind is None:  # only the name in the state counts
        assert is_equal(second)
    else:
        assert not second.is_complete
        assert {(error.kind, error.line) for error in second.errors} == {(kind, 2)}


def test_what_was_sound_before_a_fault_is_kept():
    (saved,) = read(change(["phases", 1, "orders", "FRANCE"], ["A BUR - XYZ", "A MAR - ABC"]))
    assert [(e.phase, e.power, e.text) for e in saved.errors] == [
        ("F1901M", "FRANCE", "A BUR - XYZ"),
        ("F1901M", "FRANCE", "A MAR - ABC"),
    ]
    assert [turn.phase for turn in saved.game.turns] == ["S1901M"]
    assert saved.game.orders == {}
    (saved,) = read(change(["phases", 2, "state", "units", "FRANCE"], []))
    assert str(saved.errors[0]).startswith(f"line 1: F1901M: {ELSEWHERE}: ")
    assert saved.game.phase == "F1901M"
    assert saved.game.orders["FRANCE"] == ("A BUR - MUN", "A MAR H", "F MAO H")


def test_a_damaged_record_ends_at_the_next_heading():
    heading, spring, fall = RECORD.splitlines(keepends=True)
    games = read(
        heading + spring + fall[:90] + "\n" + RECORD + heading[:40] + "\n" + spring + RECORD
    )
    assert [saved.is_complete for saved in games] == [False, True, False, True]
    assert [saved.line for saved in games] == [1, 4, 7, 9]
    assert games[0].game.phase == "F1901M"


def test_a_damaged_heading_is_no_fault_of_the_game_before():
    arena = gzip.decompress((Path(__file__).with_name("games") / "arena.jsonl.gz").read_bytes())
    heading, _, rest = arena.partition(b"\n")
    games = read(io.BytesIO(arena + heading[:-9] + b"\n" + rest + arena))
    assert [saved.is_complete for saved in games] == [True, False, True]


def test_a_tag_that_cannot_be_read_is_no_fault_of_the_game_before():
    damaged = TEXT.encode().replace(b'"x"', b'"\xe9"')
    games = read(io.BytesIO(TEXT.encode() + damaged + TEXT.encode()))
    assert [saved.is_complete for saved in games] == [True, False, True]
    assert games[1].errors[0].message == "the line is not UTF-8"


def test_a_first_game_without_a_format_is_a_fault():
    for good in (SAVED, RECORD):
        games = read(f'{{"foo": 1}}\n{SAVED.replace("phases", "phbses")}\n{good}')
        assert [saved.is_complete for saved in games] == [False, False, True]
        assert [saved.number for saved in games] == [1, 2, 3]
        assert "no format that is known" in games[0].errors[0].message


def test_a_game_that_is_over_has_no_further_phase():
    start = "F1901M FRANCE: A PAR; centers FRANCE: " + " ".join(CENTERS[:18])
    game = judge.Game(rules="diplomacy package", position=start)
    game.adjudicate()
    assert game.ending
    saved = json.loads(judge.write_game(game, "diplomacy"))
    assert read(json.dumps(saved))[0].is_complete
    saved["phases"][1]["state"]["name"] = saved["phases"][1]["name"] = game.phase
    saved["phases"].append(saved["phases"][1])
    (error,) = read(json.dumps(saved))[0].errors
    assert (error.kind, error.phase) == ("rules", game.phase)


def test_a_game_that_is_too_large_is_a_fault(monkeypatch):
    monkeypatch.setattr(files, "MAX_GAME", 20_000)
    long = "A PAR H" * 5_000
    for content in (
        f'{SAVED}\n{{"id":"{long}"}}\n{SAVED}',
        f'[{SAVED},{{"id":"{long}"}},{SAVED}]',
        f"{TEXT}{TEXT}{long}\n{TEXT}",
        TEXT + f'[Game "x"]\n{"GERMANY: A MUN H, A MUN H" * 100}\n' + "A\n" * 20_000 + TEXT,
    ):
        first, second, third = read(content)
        assert is_equal(first)
        assert "longer than" in second.errors[0].message
        assert is_equal(third)


def test_only_a_file_that_cannot_be_split_ends_the_reading():
    packed = gzip.compress("".join(f"{SAVED}\n" for _ in range(40)).encode(), 0)
    for damaged in (packed[: len(packed) // 2], packed[:-8] + b"12345678"):
        games = []
        with pytest.raises(ValueError, match="the compressed file is damaged"):
            games.extend(judge.read_games(io.BytesIO(damaged)))
        assert list(judge.read_games([SAVED]))
    with pytest.raises(ValueError, match="line 1: the file has no format that is known"):
        read('{"foo": 1}')
    assert read("") == read(" \n\n") == read("[]") == []


def list_phases(game):
    """Return the phases of a game as version 1 lines."""
    return [json.loads(line) for line in judge.write_game(game, "record").splitlines()[1:]]


def write_lines(phases):
    return "".join(f"{json.dumps(phase)}\n" for phase in phases)


def test_closed_retreats_that_a_source_offers_are_noted_and_ours_count():
    start = "S1901M GERMANY: A MUN, A RUH; FRANCE: A BUR, A PAR; centers FRANCE: BRE"
    game = judge.Game(position=start)
    game.order("GERMANY", "A MUN - BUR; A RUH S A MUN - BUR")
    game.adjudicate()
    game.order("FRANCE", "A BUR - GAS")
    game.adjudicate()
    phases = list_phases(game)
    for place in (phases[0]["next"], phases[1]):
        place["dislodged"]["FRANCE"]["A BUR"] += ["PAR", "MUN"]
    (saved,) = read(write_lines(phases))
    assert saved.is_complete
    assert saved.game.position == game.position
    (error,) = saved.errors
    assert (error.kind, error.phase, error.power) == ("source", "S1901R", "FRANCE")
    assert CLOSED in error.message
    (saved,) = read(write_lines(phases[1:]))  # also where the file begins
    assert CLOSED in saved.errors[0].message
    assert saved.game.position == game.position
    for place in (phases[0]["next"], phases[1]):
        place["dislodged"]["FRANCE"]["A BUR"] = ["GAS"]
    (saved,) = read(write_lines(phases))
    assert saved.errors[0].kind == "rules"


def test_a_selection_of_phases_is_read_in_pieces():
    phases = list_phases(GAME)
    games = read(write_lines([{"id": "a", **phases[0]}, {"id": "b", **phases[1]}]))
    assert [(saved.name, saved.is_complete) for saved in games] == [("a", True), ("b", True)]
    game = judge.Game(position=GAME.position)
    for _ in range(2):
        game.adjudicate()
    games = read(write_lines([phases[0], *list_phases(game)]))
    assert [saved.is_complete for saved in games] == [False, True]
    assert [(saved.number, saved.line) for saved in games] == [(1, 1), (2, 2)]
    assert games[0].errors[0].kind == "source"


# The command.


def convert(*arguments):
    return main(["convert", *map(str, arguments)])


@pytest.fixture
def damaged(tmp_path):
    """A file with five games, of which the second and the fourth are damaged."""
    path = tmp_path / "games.jsonl"
    path.write_text("\n".join([SAVED, SAVED[:90], SAVED, DAMAGES[8][0], SAVED]))
    return path


def test_the_command_writes_the_good_games_and_names_the_others(damaged, tmp_path, capsys):
    assert convert(damaged, "--to", "text") == 1
    output, errors = capsys.readouterr()
    assert list(map(is_equal, read(output))) == [True] * 3
    first, second, last = errors.splitlines()
    assert first.startswith("diplomaccloud: game 2: line 2: not JSON: ")
    assert second.startswith("diplomaccloud: game 4: line 4: F1901M: FRANCE: 'A BUR - XYZ': ")
    assert last == "diplomaccloud: not converted: 2 of 5 games"
    target, report = tmp_path / "good.txt", tmp_path / "bad.jsonl"
    options = ["--to", "text", "-o", target, "--errors", report, "--jobs", 2]
    assert convert(damaged, *options) == 1
    assert target.read_text() == output
    _, fault = map(json.loads, report.read_text().splitlines())
    assert [fault[key] for key in ("number", "line", "name", "phase", "power", "text", "kind")] == [
        *(4, 4, "x", "F1901M", "FRANCE", "A BUR - XYZ", "input")
    ]
    assert "A BUR" not in capsys.readouterr().err


def test_the_command_names_the_file_at_fault(damaged, tmp_path, capsys):
    nowhere, target = tmp_path / "nowhere" / "out.txt", tmp_path / "out.txt"
    faults = {
        (tmp_path, target): (tmp_path, "is a directory"),
        (tmp_path / "missing", target): (tmp_path / "missing", "no such file or directory"),
        (damaged, nowhere): (nowhere, "no such file or directory"),
    }
    for (source, output), (path, fault) in faults.items():
        assert convert(source, "--to", "text", "-o", output) == 2
        assert capsys.readouterr().err == f"diplomaccloud: {str(path)!r}: {fault}\n"


def test_the_command_leaves_no_half_written_file(damaged, tmp_path, capsys):
    target = tmp_path / "out.txt"
    target.write_text("before")
    names = set(tmp_path.iterdir())
    assert convert(damaged, "--to", "text", "-o", target, "--strict") == 1
    bad, empty, cut = tmp_path / "bad", tmp_path / "empty", tmp_path / "cut"
    bad.write_text(SAVED[:90])
    empty.write_text("\n")
    assert convert(bad, "--to", "text", "-o", target) == 1
    assert convert(empty, "--to", "text", "-o", target) == 2
    assert convert(tmp_path, "--to", "text", "-o", target) == 2
    assert convert(damaged, "--to", "text", "-o", target, "--jobs", 0) == 2
    assert convert(damaged, "--to", "text", "-o", target, "--errors", target) == 2
    assert target.read_text() == "before"
    packed = gzip.compress(f"{SAVED}\n".encode() * 30, 0)
    cut.write_bytes(packed[:100_000])
    for strict, status in (("--strict", 2), ("--jobs=1", 1)):
        assert convert(cut, "--to", "text", "-o", target, strict) == status
        assert (target.read_text() == "before") is (status == 2)
    assert "the compressed file is damaged" in capsys.readouterr().err
    assert set(tmp_path.iterdir()) == {*names, bad, empty, cut}


def test_the_errors_of_games_before_a_damaged_part_are_kept(tmp_path, capsys):
    cut, target, errors = tmp_path / "cut", tmp_path / "target", tmp_path / "errors"
    bad = SAVED.replace("PAR - BUR", "PAR - XYZ")
    assert bad != SAVED
    packed = gzip.compress(f"{bad}\n".encode() * 30, 0)
    cut.write_bytes(packed[:100_000])
    assert convert(cut, "--to", "text", "-o", target, "--errors", errors) == 1
    assert "the compressed file is damaged" in capsys.readouterr().err
    told = [json.loads(line) for line in errors.read_text().splitlines()]
    assert "A PAR - XYZ" in told[0]["text"]
    assert not target.exists()


def _end_process(to, part):
    os._exit(9)


def _use_too_much(to, part):
    raise MemoryError


@pytest.mark.parametrize(
    ("jobs", "work", "told"),
    [(2, _end_process, "one of the processes has ended"), (1, _use_too_much, "not enough memory")],
)
def test_a_run_that_cannot_end_writes_nothing(jobs, work, told, damaged, monkeypatch, capsys):
    monkeypatch.setattr(files, "convert_part", work)
    target = damaged.with_name("out.txt")
    assert convert(damaged, "--to", "text", "-o", target, "--jobs", jobs) == 2
    assert told in capsys.readouterr().err
    assert [path.name for path in damaged.parent.iterdir()] == [damaged.name]


def test_no_more_processes_are_started_than_a_machine_can_have(damaged, capsys):
    assert convert(damaged, "--to", "text", "--jobs", 100_000) == 2
    assert "--jobs must be from 1 to" in capsys.readouterr().err
