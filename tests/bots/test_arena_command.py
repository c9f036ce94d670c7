"""`diplomaccloud arena`: its table, resuming killed runs, and invalid arguments."""

import gzip
import json
import os
import re
import signal
import subprocess
import sys

import pytest

from diplomaccloud.bots import BOTS
from diplomaccloud.bots.kernel import SLOW_KERNEL
from diplomaccloud.judge.cli import main

SHORT = ["arena", "--until", "1902", "--processes", "1"]


def run(*arguments):
    return main([*SHORT, *map(str, arguments)])


def printed(capsys, *arguments):
    assert run(*arguments) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--players", "3"], "--players 3: the map 'standard' has 7 powers"),
        (["--until", "1800"], "--until 1800: the first year of a game is 1901"),
        (["--until", "1900"], "--until 1900"),
        (["--bots", "clever"], "there is no bot 'clever'"),
        (["--bots", "hold,,greedy"], "there is no bot ''"),
        (["--bots", "search:x"], "search:300"),
        (["--one-of"], "search:300,dumbbot"),
        (["--map", "standard,standard"], "'standard' is given twice"),
        (["--map", "mars"], "there is no map 'mars'"),
        (["--map", "missing.json"], "missing.json"),
    ],
)
def test_what_cannot_be_is_refused(arguments, message, capsys):
    assert main(["arena", "--bots", "hold", "--games", "1", *arguments]) == 2
    told = capsys.readouterr().err
    assert message in told
    assert told.count("\n") == 1


@pytest.mark.parametrize("arguments", [["--games", "0"], ["--games", "x"], ["--processes", "0"]])
def test_numbers_must_be_above_zero(arguments, capsys):
    with pytest.raises(SystemExit) as ended:
        run(*arguments)
    assert ended.value.code == 2
    assert arguments[0] in capsys.readouterr().err


def test_a_map_without_home_centers_is_refused(tmp_path, capsys):
    from dataclasses import replace

    from diplomaccloud.atlas.chartfile import dump_chart
    from diplomaccloud.judge.drawing.europe import standard_chart

    chart = standard_chart()
    homeless = [replace(province, home=None) for province in chart.board.provinces]
    board = replace(chart.board, provinces=tuple(homeless))
    (tmp_path / "map.json").write_text(dump_chart(replace(chart, board=board)))
    assert run("--map", tmp_path / "map.json") == 2
    told = capsys.readouterr().err
    assert "map.json: board.powers[0]: AUSTRIA has no home center" in told
    assert told.count("\n") == 1


def test_the_number_of_powers_that_a_map_has_may_be_said(capsys):
    assert "1 games" in printed(capsys, "--players", 7, "--bots", "hold", "--games", 1)


@pytest.mark.long
def test_several_maps_are_played_and_more_games_if_seats_need_them(capsys):
    asked = ["--map", "standard,seed:one", "--map", "seed:two", "--games", 2]
    assert run(*asked, "--bots", "hold,random,dumbbot", "--json") == 0
    out, told = capsys.readouterr()
    found = json.loads(out)["bots"]
    assert [found[bot]["games"] for bot in ("hold", "random", "dumbbot")] == [9, 9, 9]
    assert told.count("3 games instead of 2") == 3


def test_several_processes_play_the_same_games(capsys):
    asked = ["--bots", "dumbbot,hold", "--games", 6]
    alone = printed(capsys, *asked)
    assert printed(capsys, *asked, "--processes", 2) == alone


@pytest.mark.skipif(bool(SLOW_KERNEL), reason="takes minutes: run scripts/kernel")
@pytest.mark.parametrize("bots", [*BOTS, "random,greedy", "level:2", "search:20"])
def test_the_record_of_every_bot_replays(bots, tmp_path, capsys):
    record = tmp_path / "games.jsonl"
    printed(capsys, "--bots", bots, "--games", 1, "--until", "1901", "--record", record)
    assert main(["replay", str(record)]) == 0
    # Only bots that think no longer than a level are asked again.
    assert ("order sets of bots" in capsys.readouterr().out) == (bots != "search:20")


# Bots that talk.


@pytest.mark.skipif(bool(SLOW_KERNEL), reason="takes minutes: run scripts/kernel")
def test_bots_may_talk_and_the_table_says_what_came_of_it(tmp_path, capsys):
    record = tmp_path / "games.jsonl"
    asked = ["--bots", "search:20,dumbbot", "--games", 2, "--until", "1901", "--press"]
    told = printed(capsys, *asked, "--record", record)
    assert re.search(r"^press: \d+ messages, \d+ proposals, \d+ deals, of which", told, re.M)
    results = tmp_path / "results.jsonl"
    figures = json.loads(printed(capsys, *asked, "--results", results, "--json"))["press"]
    assert 0 < figures["deals"] <= figures["proposals"] <= figures["messages"]
    assert f"press: {figures['messages']} messages, {figures['proposals']} proposals" in told
    assert printed(capsys, *asked, "--results", results) == told
    assert main(["replay", str(record)]) == 0
    out = capsys.readouterr().out
    assert "2 games" in out
    assert "orders by which bots kept promises" in out


# Results that are kept.


@pytest.mark.parametrize("name", ["", "games.jsonl", "games.jsonl.gz"])
def test_a_run_goes_on_wherever_it_was_cut(name, tmp_path, capsys):
    results, record = tmp_path / "results.jsonl", tmp_path / name
    asked = ["--bots", "dumbbot,hold", "--games", 4, "--results", results]
    asked += ["--record", record] if name else []
    whole = printed(capsys, *asked)
    kept, games = results.read_bytes(), record.read_bytes() if name else b""
    assert kept.count(b"\n") == 5
    assert printed(capsys, *asked) == whole
    ends = [at for at in range(len(kept)) if kept[at : at + 1] == b"\n"]
    for cut in (0, 10, ends[0], ends[0] + 1, ends[1] + 5, ends[2] + 1, ends[3], len(kept)):
        results.write_bytes(kept[:cut])
        assert printed(capsys, *asked) == whole
        assert results.read_bytes() == kept
        assert not name or record.read_bytes() == games
    if name:
        assert main(["replay", str(record)]) == 0
        assert capsys.readouterr().out.startswith("4 games")
        opener = gzip.open if name.endswith(".gz") else open
        assert b"arena 1/3" in opener(record, "rb").read()


STOPS_AFTER_FOUR = """
import signal, sys
from diplomaccloud.judge.cli import main
from diplomaccloud.cli import tables
add, saved = tables.ResultsFile.add, []

def add_four(results, *game):
    add(results, *game)
    saved.append(game)
    if len(saved) == 4:
        print("saved", flush=True)
        signal.pause()

tables.ResultsFile.add = add_four
sys.exit(main(sys.argv[1:]))
"""


def test_a_run_that_was_killed_goes_on(tmp_path, capsys):
    results = tmp_path / "results.jsonl"
    asked = ["--bots", "dumbbot,hold", "--games", "9", "--until", "1903", "--results", str(results)]
    whole = printed(capsys, *asked)
    kept = results.read_bytes()
    results.unlink()
    command = [sys.executable, "-c", STOPS_AFTER_FOUR, "arena", *asked, "--processes", "2"]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    running = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE)
    assert running.stdout.readline() == b"saved\n"
    running.send_signal(signal.SIGKILL)
    # The processes that play have the other end: they end, too.
    assert running.communicate()[0] == b""
    assert results.read_bytes() == b"".join(kept.splitlines(keepends=True)[:5])
    assert printed(capsys, *asked) == whole
    assert results.read_bytes() == kept


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda text: "once upon a time", "is not a file of results"),
        (lambda text: "once upon a time\n", "is not a file of results"),
        (lambda text: "[]\n", "is not a file of results"),
        (lambda text: "[" * 200_000 + "\n", "is not a file of results"),
        (lambda text: text.replace('"v":1', '"v":2'), "version 2"),
        (lambda text: text.replace("dumbbot", "drumbot", 1), "another run: bots"),
        (lambda text: text.replace('"seats"', '"seat"', 1), "line 2 is not a result"),
        (lambda text: text.replace('"phases"', "phases", 1), "line 2 is not a result"),
        (lambda text: text + "\n", "line 4 is not a result"),
        (lambda text: text + text.splitlines()[-1] + "\n", "more games"),
    ],
)
def test_a_damaged_file_of_results_is_refused_and_left_alone(change, message, tmp_path, capsys):
    results = tmp_path / "results.jsonl"
    asked = ["--bots", "dumbbot,hold", "--games", 2, "--results", results]
    printed(capsys, *asked)
    damaged = change(results.read_text())
    results.write_text(damaged)
    assert run(*asked) == 2
    told = capsys.readouterr().err
    assert message in told
    assert told.count("\n") == 1
    assert results.read_text() == damaged


@pytest.mark.parametrize(
    "other", [["--seed", "2"], ["--until", "1903"], ["--games", "4"], ["--map", "seed:a"]]
)
def test_results_of_another_run_are_refused(other, tmp_path, capsys):
    asked = ["--bots", "hold,random", "--games", 2, "--results", tmp_path / "results.jsonl"]
    printed(capsys, *asked)
    assert run(*asked, *other) == 2
    assert "has games of another run" in capsys.readouterr().err


def test_two_runs_do_not_write_one_file(tmp_path, capsys):
    from diplomaccloud.cli.tables import ResultsFile

    results = tmp_path / "results.jsonl"
    asked = ["--bots", "hold", "--games", 2, "--results", results]
    with ResultsFile(results, None, {}, 2):
        begun = results.read_bytes()
        assert run(*asked) == 2
        assert "is in use by another run" in capsys.readouterr().err
        assert results.read_bytes() == begun


def test_results_and_record_are_two_files(tmp_path, capsys):
    file = tmp_path / "results.jsonl"
    assert run("--bots", "hold", "--games", 1, "--results", file, "--record", file) == 2
    assert "cannot hold both the results and the record" in capsys.readouterr().err
    assert not file.exists()


def test_a_record_that_is_gone_is_missed(tmp_path, capsys):
    results, record = tmp_path / "results.jsonl", tmp_path / "games.jsonl"
    asked = ["--bots", "hold", "--games", 2, "--results", results]
    printed(capsys, *asked, "--record", record)
    record.write_text("")
    assert run(*asked, "--record", record) == 2
    assert "does not contain the games" in capsys.readouterr().err
    assert run(*asked) == 2
    assert "another run: recorded" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["games.jsonl", "games.jsonl.gz"])
def test_its_games_replay_to_themselves(name, tmp_path, capsys):
    file = tmp_path / name
    asked = ["--games", "2", "--until", "1902", "--bots", "hold,random", "--record", str(file)]
    assert main(["arena", *asked]) == 0
    assert capsys.readouterr().out.splitlines()[-1].startswith("2 games, ")
    assert main(["replay", str(file)]) == 0
    reply = capsys.readouterr().out.splitlines()[0]
    assert reply.startswith("2 games, ")
    assert reply.endswith(" phases adjudicated, 0 differences")
