"""Measurements: games that can be played again, files that resume, and honest verdicts."""

import json
from dataclasses import replace

import pytest
from tests.maps.measurements import (
    POWERS,
    make_measurement,
    make_row,
    make_scale,
)

from diplomaccloud.bots.pinned import CAPTAIN, COLONEL, GENERAL, GREEDY, PINNED_BOTS
from diplomaccloud.judge.board import Power
from diplomaccloud.judge.codec import CodecError
from diplomaccloud.judge.drawing.europe import standard_chart
from diplomaccloud.maps import measurement
from diplomaccloud.maps.fairness import Verdict, compare, describe, describe_in_text
from diplomaccloud.maps.measurement import (
    SCALE_PLAN,
    GamesFile,
    find_differences,
    list_batches,
    load_scale,
    measurement_from_json,
    measurement_to_json,
    plan_measurement,
    play_batch,
    play_series,
    recompute,
    summarize,
)

BOARD = standard_chart().board
KEY = "a" * 64
POWERS_OF = {count: tuple(Power(f"P{number}") for number in range(count)) for count in (2, 10, 11)}


def play(bot=GREEDY, first=0, games=4, years=2, seed="s"):
    return list(play_series(BOARD, bot, seed=seed, first=first, games=games, years=years))


def measure(games=4):
    return summarize(
        KEY, POWERS, {GREEDY: play(games=games)}, seed="s", engine="1", date=make_scale().date
    )


class TestGames:
    @pytest.mark.parametrize("bot", [GREEDY, CAPTAIN])
    def test_a_game_depends_on_its_number_and_seed_alone(self, bot):
        rows = play(bot)
        assert play(bot, first=2, games=1) == [rows[2]]
        assert play(bot, seed="t") != rows
        assert all(len(row) == 7 and sum(row) <= 34 for row in rows)

    def test_a_game_ends_after_the_last_year(self):
        assert play(years=1)[0] == play(years=1, games=1)[0] != play(years=4, games=1)[0]

    def test_small_maps_are_measured_with_generals_and_large_ones_with_colonels(self):
        for powers in (2, 7, 10):
            assert plan_measurement(powers) == ((GREEDY, 400), (CAPTAIN, 400), (GENERAL, 100))
        for powers in (11, 34):
            assert plan_measurement(powers) == ((CAPTAIN, 400), (COLONEL, 100))

    def test_batches_are_the_games_that_are_missing(self):
        plan = ((GREEDY, 120), (GENERAL, 2))
        batches = list_batches(BOARD, plan, {GREEDY: [()] * 60}, seed="s")
        found = [(batch.bot, batch.first, batch.games) for batch in batches]
        assert found == [(GREEDY, 60, 50), (GREEDY, 110, 10), (GENERAL, 0, 1), (GENERAL, 1, 1)]

    def test_a_sample_of_the_games_is_played_again(self):
        found = measure()
        answers = list(find_differences(BOARD, found, 2, years=2))
        assert answers == [(GREEDY, 0, True), (GREEDY, 2, True)]
        wrong = (*found.rows[0].games[:2], (34, 0, 0, 0, 0, 0, 0), found.rows[0].games[3])
        forged = replace(found, rows=(replace(found.rows[0], games=wrong),))
        assert list(find_differences(BOARD, forged, 99, years=2))[2] == (GREEDY, 2, False)


class TestJson:
    def test_a_measurement_is_read_as_it_was_written(self):
        found = measure()
        read = measurement_from_json(json.loads(json.dumps(measurement_to_json(found))))
        assert [row.games for row in read.rows] == [row.games for row in found.rows]
        assert measurement_to_json(read) == measurement_to_json(found)
        assert measurement_to_json(recompute(read)) == measurement_to_json(found)

    @pytest.mark.parametrize(
        ("change", "message"),
        [
            ({"form": 3}, "form: "),
            ({"powers": []}, "powers: "),
            ({"powers": ["A"] * 7}, "powers: "),
            ({"date": "yesterday"}, "date: "),
            ({"years": 0}, "years: "),
            ({"bots": []}, "bots: "),
            ({"bots": [{}]}, r"bots\[0\]"),
            ({"seed": 7}, "seed: "),
        ],
        ids=str,
    )
    def test_a_fault_is_named(self, change, message):
        with pytest.raises(CodecError, match=f"^{message}"):
            measurement_from_json(measurement_to_json(measure()) | change)

    @pytest.mark.parametrize(
        ("change", "message"),
        [
            ({"bot": "greedy"}, "bot: "),
            ({"ends": "1 2"}, "ends: "),
            ({"ends": ";".join(["1 2 3 4 5 6 x"] * 3)}, "ends: "),
            ({"ends": ";".join(["1 2 3 4 5 6 70000"] * 3)}, "ends: "),
            ({"ends": ";".join(["1 2 3 4 5 6"] * 3)}, "ends: "),
            ({"shares": [[0, 0, 0, 0]]}, "shares: "),
            ({"spread": [0, 0, 0]}, "spread: "),
            ({"spread": [0, 0, 0, float("nan")]}, r"spread\[3\]: "),
        ],
        ids=str,
    )
    def test_a_fault_of_a_row_is_named(self, change, message):
        data = measurement_to_json(measure())
        data["bots"] = [data["bots"][0] | change]
        with pytest.raises(CodecError, match=rf"^bots\[0\]\.{message}"):
            measurement_from_json(data)

    def test_a_bot_is_there_once(self):
        data = measurement_to_json(measure())
        data["bots"] *= 2
        with pytest.raises(CodecError, match="twice"):
            measurement_from_json(data)


class TestGamesFile:
    def open(self, tmp_path, key=KEY, powers=2):
        return GamesFile(tmp_path / "games", key, "seed", powers)

    def test_games_are_kept(self, tmp_path):
        with self.open(tmp_path) as file:
            file.add(GREEDY, (1, 2))
            file.add(GENERAL, (3, 4))
        with self.open(tmp_path) as file:
            assert (file.games[GREEDY], file.games[GENERAL]) == ([(1, 2)], [(3, 4)])

    def test_a_line_that_was_cut_off_is_forgotten(self, tmp_path):
        with self.open(tmp_path) as file:
            file.add(GREEDY, (1, 2))
        path = tmp_path / "games"
        whole = path.read_bytes()
        for end in (1, whole.index(b"\n") + 1, len(whole) - 1):
            path.write_bytes(whole[:end])
            with self.open(tmp_path) as file:
                assert file.games[GREEDY] == []
                file.add(GREEDY, (5, 6))
            with self.open(tmp_path) as file:
                assert file.games[GREEDY] == [(5, 6)]

    @pytest.mark.parametrize(
        "line", ['["greedy-1", 1]', '["hold", 1, 2]', '["greedy-1", 1, "2"]', "{", "7", "\udcff"]
    )
    def test_a_damaged_file_is_refused_and_left_unchanged(self, tmp_path, line):
        with self.open(tmp_path):
            pass
        path = tmp_path / "games"
        damaged = path.read_bytes() + line.encode(errors="surrogateescape") + b"\n"
        path.write_bytes(damaged)
        with pytest.raises(ValueError, match="line 2 is damaged"), self.open(tmp_path):
            pass
        assert path.read_bytes() == damaged

    def test_games_of_another_map_are_refused(self, tmp_path):
        with self.open(tmp_path):
            pass
        with pytest.raises(ValueError, match="another map"), self.open(tmp_path, key="b" * 64):
            pass

    def test_one_process_at_a_time(self, tmp_path):
        with (
            self.open(tmp_path),
            pytest.raises(ValueError, match="in use"),
            self.open(tmp_path),
        ):
            pass

    def test_a_measurement_that_is_interrupted_gives_the_same_result(self, tmp_path):
        plan, games = ((GREEDY, 2), (CAPTAIN, 2)), {}
        for _ in range(99):
            with GamesFile(tmp_path / "games", KEY, "s", 7) as file:
                batch = next(list_batches(BOARD, plan, file.games, seed="s"), None)
                if batch is None:
                    games = {bot: list(file.games[bot]) for bot, _ in plan}
                    break
                # Only the first of its games is finished.
                file.add(batch.bot, play_batch(replace(batch, games=1))[0])
        assert games == {
            bot: list(play_series(BOARD, bot, seed="s", first=0, games=2)) for bot, _ in plan
        }


class TestVerdict:
    @pytest.mark.parametrize(
        ("spreads", "verdict"),
        [
            ((0.1, 0.1, 0.1), Verdict.MORE_EVEN),
            ((0.1, 0.22, 0.1), Verdict.MORE_EVEN),
            ((0.1, 0.24, 0.1), Verdict.ABOUT_LIKE),
            ((0.1, 0.5, 0.1), Verdict.ABOUT_LIKE),
            ((0.3, 0.3, 0.3), Verdict.ABOUT_LIKE),
            ((0.5, 0.36, 0.5), Verdict.ABOUT_LIKE),
            ((0.5, 0.38, 0.5), Verdict.LESS_EVEN),
            ((0.1, 0.5, 0.5), Verdict.ABOUT_LIKE),
        ],
    )
    def test_it_holds_only_if_it_is_certain_for_every_bot(self, spreads, verdict):
        rows = [
            make_row(series, spread)
            for series, spread in zip(plan_measurement(7), spreads, strict=True)
        ]
        found = replace(make_measurement(), rows=tuple(rows))
        assert compare(found, make_scale(0.3, 0.05)) == verdict

    def test_there_is_none_before_all_games_have_been_played(self):
        assert compare(make_measurement(quick=True), make_scale()) is None
        found = make_measurement()
        short = make_row((GENERAL, 99), 0.1)
        assert compare(replace(found, rows=(*found.rows[:-1], short)), make_scale()) is None
        assert compare(replace(found, rows=found.rows[-1:]), make_scale()) is None

    def test_large_maps_are_compared_by_the_bots_that_played_on_them(self):
        found = make_measurement(spread=0.1, powers=POWERS_OF[11])
        assert [row.bot for row in found.rows] == [CAPTAIN, COLONEL]
        assert compare(found, make_scale()) is Verdict.MORE_EVEN


class TestWords:
    shares = (0.1, 0.2, 0.14, 0.14, 0.14, 0.14, 0.14)

    @pytest.mark.parametrize(
        ("spread", "words"),
        [(0.1, "differ less than on"), (0.3, "about as much as"), (0.6, "differ more than on")],
    )
    def test_the_verdict_and_the_extremes_are_sentences(self, spread, words):
        found = make_measurement(spread=spread, shares=self.shares)
        first, second = describe(standard_chart(), found, make_scale()).sentences
        assert words in first
        assert "England did best, with 20%" in second
        assert "Austria worst, with 10%" in second

    def test_a_quick_measurement_says_what_it_rests_on(self):
        found = make_measurement(quick=True, shares=self.shares)
        evenness = describe(standard_chart(), found, make_scale())
        assert evenness.verdict is None
        assert "with the greedy bot only" in " ".join(evenness.sentences)

    def test_a_large_map_says_that_europe_is_smaller(self):
        found = make_measurement(powers=POWERS_OF[11])
        assert (
            "7 powers and this map 11"
            in describe(standard_chart(), found, make_scale()).sentences[-1]
        )

    def test_no_map_is_called_fair(self):
        scale = make_scale()
        texts = [*Verdict]
        for spread in (0.1, 0.3, 0.6):
            for quick in (True, False):
                found = make_measurement(spread=spread, quick=quick, shares=self.shares)
                texts += describe_in_text(standard_chart(), found, scale)
        assert "fair" not in " ".join(texts).lower()

    def test_bars_show_the_bands_and_an_equal_share(self):
        found = make_measurement(shares=self.shares)
        evenness = describe(standard_chart(), found, make_scale(0.4, 0))
        assert [round(power.bar.width) for power in evenness.powers[:3]] == [48, 95, 67]
        assert round(evenness.even) == round(100 / 7 / 0.21)
        bar = evenness.powers[1].bar
        assert (round(bar.start), round(bar.end), round(bar.reach)) == (90, 100, 1)
        assert [line.europe.value for line in evenness.bots] == [0.4] * 3

    def test_a_text_has_a_line_for_each_bot_and_power(self):
        found = make_measurement(shares=self.shares)
        text = "\n".join(describe_in_text(standard_chart(), found, make_scale()))
        assert "general-1   100 games  spread 0.20 ± 0.01 (0.18 to 0.22); Europe 0.30" in text
        assert "England" in text
        assert text.count("20.0 ± 1.0") == 3


class TestScale:
    def test_it_has_all_bots_and_its_numbers_follow_from_its_games(self):
        scale = load_scale()
        assert {row.bot for row in scale.rows} == set(PINNED_BOTS)
        assert scale.powers == POWERS
        assert measurement_to_json(recompute(scale)) == measurement_to_json(scale)
        assert all(len(row.games) <= dict(SCALE_PLAN)[row.bot] for row in scale.rows)

    def test_its_games_can_be_played_again(self):
        scale = load_scale()
        quick = replace(scale, rows=scale.rows[:2])
        assert all(same for _, _, same in find_differences(BOARD, quick, 2))

    def test_its_file_is_small(self):
        assert measurement._SCALE_FILE.stat().st_size < 100_000
