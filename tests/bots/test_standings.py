"""The table of the arena: means, intervals, and the same as JSON."""

import json
import random
from statistics import NormalDist, fmean, stdev

import pytest
from tests.bots.policies import EUROPE

from diplomaccloud.bots import BOTS
from diplomaccloud.bots.arena import play_games
from diplomaccloud.bots.standings import (
    Tally,
    compute_standings,
    estimate_mean,
    format_report,
    read_tally,
    standings_to_json,
    tally_from_json,
    tally_to_json,
)
from diplomaccloud.judge.board import Power
from diplomaccloud.judge.codec import CodecError

A, B, C = map(Power, "ABC")


def make_tally(centers, bots="xyz", winner=None, name="standard"):
    powers = [A, B, C][: len(centers)]
    return Tally(
        name,
        dict(zip(powers, bots, strict=False)),
        dict(zip(powers, centers, strict=True)),
        winner,
        9,
    )


def test_a_game_counts_once_whatever_the_seats():
    games = [
        make_tally([3, 4, 0], "xxy"),
        make_tally([0, 1, 0], "xyy"),
        make_tally([1, 1, 1], "xxy"),
    ]
    found = compute_standings(games)
    assert (found["x"].games, found["x"].seats) == (3, 5)
    assert found["x"].score == pytest.approx((1 + 0 + 2 / 3) / 5)
    assert found["y"].score == pytest.approx((0 + 1 + 1 / 3) / 4)
    assert found["y"].eliminated == pytest.approx(2 / 4)
    won = compute_standings([make_tally([1, 9, 9], winner=A)] * 2)
    assert [won[bot].score for bot in "xyz"] == [1, 0, 0]
    assert (won["x"].solos, won["x"].low, won["x"].high) == (1, 1, 1)


def test_the_interval_is_that_of_students_t():
    values = [0.1, 0.4, 0.35, 0.8]
    mean, low, high = estimate_mean(values, [1] * 4)
    assert mean == pytest.approx(fmean(values))
    assert high - mean == pytest.approx(3.182 * stdev(values) / 2)
    assert mean - low == pytest.approx(high - mean)
    rng = random.Random(1)
    many = [rng.random() for _ in range(400)]
    mean, low, _ = estimate_mean(many, [1] * 400)
    assert mean - low == pytest.approx(NormalDist().inv_cdf(0.975) * stdev(many) / 20, rel=0.01)
    eleven = [0.0] * 6 + [1.0] * 6
    mean, low, _ = estimate_mean(eleven, [1] * 12)
    assert mean - low == pytest.approx(2.201 * stdev(eleven) / 12**0.5, rel=1e-3)


def test_a_single_game_says_nothing_and_no_interval_leaves_the_scale():
    (one,) = compute_standings([make_tally([1], "x")]).values()
    assert (one.score, one.low, one.high) == (1, 0, 1)
    wide = compute_standings([make_tally([5, 0], "xy"), make_tally([0, 5], "xy")])["x"]
    assert (wide.low, wide.high) == (0, 1)


def test_the_report_has_a_line_for_each_power_and_each_bot():
    bots = [BOTS["greedy"], BOTS["hold"]]
    games = play_games(EUROPE, bots, games=2, until=1902, seed="report")
    tallies = [read_tally(game, "standard") for game in games]
    text = format_report(tallies)
    for name in ("Austria", "Turkey", "greedy", "hold", "2 games, 0 won outright"):
        assert name in text
    assert [tally_from_json(json.loads(json.dumps(tally_to_json(t)))) for t in tallies] == tallies
    data = standings_to_json(compute_standings(tallies))
    assert list(data) == ["bots"]
    assert list(data["bots"]) == ["greedy", "hold"]
    for each in data["bots"].values():
        assert list(each) == ["games", "sos", "low", "high"]
        assert each["games"] == 2
        assert 0 <= each["low"] <= each["sos"] <= each["high"] <= 1


def test_several_maps_have_a_line_each_and_powers_none():
    games = [make_tally([2, 1, 0]), make_tally([0, 2, 2], "xzz", name="seed:a")]
    lines = format_report(games).splitlines()
    assert not any(line.startswith("A ") for line in lines)
    assert "score by map      x      y      z" in lines
    assert "standard      0.800  0.200  0.000" in lines
    assert "seed:a        0.000      -  0.500" in lines


@pytest.mark.parametrize(
    ("change", "path"),
    [
        ({"seats": []}, "seats"),
        ({"seats": [["A", "x", -1]]}, r"seats\[0\]"),
        ({"seats": [["A", "x"]]}, r"seats\[0\]"),
        ({"seats": 3}, "seats"),
        ({"winner": "Z"}, "winner"),
        ({"phases": "9"}, "phases"),
        ({"map": None}, "map"),
    ],
)
def test_what_is_no_result_is_refused(change, path):
    with pytest.raises(CodecError, match=path):
        tally_from_json(tally_to_json(make_tally([1, 2, 3])) | change)
