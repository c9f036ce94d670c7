"""The ladder: bots that beat others rise, DumbBot stays fixed, and easy seats count less."""

import json
import random
from dataclasses import replace

import pytest

from diplomaccloud.bots.standings import Tally
from diplomaccloud.judge.board import Power
from diplomaccloud.judge.cli import main
from diplomaccloud.ladder.ratings import Ladder, Rating, add_games, dump_ladder, load_ladder

POWERS = [Power(name) for name in ("A", "B", "C")]


def make_games(strengths, count=200, bonus=(0, 0, 0), seed=1):
    """Return games of bots with these strengths; the powers add to it."""
    rng, games = random.Random(seed), []
    names = list(strengths)
    for _ in range(count):
        bots = rng.sample(names, 3)
        centers = [
            max(0, round(10 + strengths[bot] + more + rng.gauss(0, 3)))
            for bot, more in zip(bots, bonus, strict=True)
        ]
        games.append(
            Tally(
                "standard",
                dict(zip(POWERS, bots, strict=True)),
                dict(zip(POWERS, centers, strict=True)),
                None,
                9,
            )
        )
    return games


def rate(games):
    ladder = Ladder()
    assert add_games(ladder, "run", games, "2026-11-01") == len(games)
    return ladder


def test_bots_are_ranked_by_strength_and_dumbbot_stays():
    ladder = rate(make_games({"weak": -2, "dumbbot": 0, "good": 2, "best": 4}))
    assert [name for name, _ in ladder.rank()] == ["best", "good", "dumbbot", "weak"]
    fixed = ladder.bots["dumbbot"]
    assert fixed.mu == 25
    assert fixed.value == pytest.approx(25, abs=0.01)
    assert ladder.bots["best"].mu > 27
    assert ladder.bots["best"].sigma < Rating().sigma / 3
    assert ladder.bots["best"].games > 100


def test_a_game_of_a_single_power_changes_nothing():
    alone = Tally("one", {POWERS[0]: "one"}, {POWERS[0]: 3}, None, 9)
    assert rate([alone]).bots == {}


def test_the_largest_values_of_a_file_can_be_computed_with():
    for sigma in (0.0, 1000.0):
        ladder = Ladder({"one": Rating(1000.0, sigma), "two": Rating(-1000.0, sigma)})
        add_games(ladder, "run", make_games({"one": 0, "two": 9, "new": 9}, 3), "2026-11-01")
        assert load_ladder(dump_ladder(ladder)).bots == ladder.bots


def test_powers_have_an_offset_so_that_an_easy_seat_helps_nobody():
    games = make_games({"one": 0, "two": 0, "dumbbot": 0}, 400, bonus=(5, 0, 0))
    # `one` has the strong power twice as often.
    games = [game for n, game in enumerate(games) if game.bots[POWERS[0]] == "one" or n % 2]
    ladder = rate(games)
    offsets = ladder.powers["standard"]
    assert offsets["A"].mu > offsets["B"].mu + 2
    # On maps that are played once, nothing is known of their powers.
    unknown = rate([replace(game, map=f"map {n}") for n, game in enumerate(games)])
    gains = [each.bots["one"].mu - each.bots["two"].mu for each in (ladder, unknown)]
    assert gains[0] < 0.7 * gains[1]


def test_several_seats_of_a_bot_count_as_one_game():
    games = [
        Tally("m", dict(zip(POWERS, "xxy", strict=True)), dict.fromkeys(POWERS, 3), POWERS[0], 9)
    ]
    ladder = rate(games)
    assert {name: rating.games for name, rating in ladder.bots.items()} == {"x": 1, "y": 1}
    assert ladder.bots["x"].mu > ladder.bots["y"].mu


def test_a_run_is_rated_once_and_its_new_games_later():
    games = make_games({"x": 1, "y": 0, "dumbbot": 0}, 30)
    ladder = Ladder()
    assert add_games(ladder, "run", games[:20], "2026-11-01") == 20
    assert add_games(ladder, "run", games, "2026-11-02") == 10
    assert add_games(ladder, "run", games, "2026-11-03") == 0
    assert ladder.bots == rate(games).bots
    assert [(entry.day, entry.games) for entry in ladder.entries] == [
        ("2026-11-01", 20),
        ("2026-11-02", 10),
    ]
    assert ladder.entries[-1].values["x"] == ladder.bots["x"].value
    assert load_ladder(dump_ladder(ladder)) == ladder


# The command.


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    path = tmp_path_factory.mktemp("ladder") / "results.jsonl"
    asked = ["--bots", "dumbbot,hold", "--games", "6", "--until", "1903", "--processes", "1"]
    assert main(["arena", *asked, "--results", str(path)]) == 0
    return path


def test_games_of_the_arena_make_a_ladder(results, tmp_path, capsys):
    file = str(tmp_path / "ladder.json")
    assert main(["ladder", "add", file, str(results)]) == 0
    assert "6 games rated" in capsys.readouterr().out
    before = (tmp_path / "ladder.json").read_bytes()
    assert main(["ladder", "add", file, str(results)]) == 0
    assert "0 games rated" in capsys.readouterr().out
    assert (tmp_path / "ladder.json").read_bytes() == before
    assert main(["ladder", "show", file]) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()[1:]] == [
        "dumbbot",
        "hold",
    ]
    assert main(["ladder", "show", file, "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)["bots"]
    assert shown["hold"]["rating"] < shown["dumbbot"]["rating"]
    assert shown["hold"]["games"] == 6


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda text: "", "not JSON"),
        (lambda text: text[:40], "not JSON"),
        (lambda text: "[]", "not a ladder"),
        (lambda text: text.replace('"v": 1', '"v": 9'), "not version 1"),
        (lambda text: text.replace('"mu": 25.0', '"mu": "25"'), "bots.dumbbot.mu"),
        (lambda text: text.replace('"mu": 25.0', '"mu": NaN'), "bots.dumbbot.mu"),
        (lambda text: text.replace('"mu": 25.0', '"mu": 1e6'), "bots.dumbbot.mu"),
        (lambda text: text.replace('"dumbbot"', '"\\ud800"'), "cannot be printed"),
        (lambda text: text.replace('"dumbbot"', '"\\u001b[2J"'), "cannot be printed"),
        (lambda text: text.replace('"games": 6', '"games": -6'), "games"),
        (lambda text: text.replace('"entries"', '"entry"'), "entries: missing"),
        (lambda text: text.replace("dumbbot", "\udcff"), "utf-8"),
    ],
)
def test_a_damaged_ladder_is_refused_and_left_as_it_is(change, message, results, tmp_path, capsys):
    file = tmp_path / "ladder.json"
    assert main(["ladder", "add", str(file), str(results)]) == 0
    damaged = change(file.read_text()).encode(errors="surrogateescape")
    file.write_bytes(damaged)
    capsys.readouterr()
    for command in (["add", str(file), str(results)], ["show", str(file)]):
        assert main(["ladder", *command]) == 2
        told = capsys.readouterr().err
        assert "ladder.json cannot be read as a ladder" in told
        assert message in told
        assert told.count("\n") == 1
        assert file.read_bytes() == damaged


def test_files_that_are_no_results_change_nothing(results, tmp_path, capsys):
    file, other = tmp_path / "ladder.json", tmp_path / "other.jsonl"
    other.write_text("no results\n")
    assert main(["ladder", "add", str(file), str(results), str(other)]) == 2
    assert "other.jsonl is not a file of results" in capsys.readouterr().err
    assert not file.exists()
    other.write_bytes(results.read_bytes() + b"?\n")
    assert main(["ladder", "add", str(file), str(other)]) == 2
    assert "line 8 is not a result" in capsys.readouterr().err
    assert main(["ladder", "show", str(file)]) == 2
    assert "ladder.json" in capsys.readouterr().err
