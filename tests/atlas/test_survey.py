"""The survey of the generator, and the commands for maps."""

import json
from dataclasses import replace

import pytest
from judge.tests.drawing.toy_map import toy_chart
from tests.atlas.chart_faults import set_value, valid_data

from diplomaccloud.atlas import survey
from diplomaccloud.atlas.chartfile import dump_chart
from diplomaccloud.atlas.survey import (
    TARGETS,
    MapResult,
    build_json,
    build_table,
    count_broken_rules,
    drawing_figures,
    find_medians,
    list_tasks,
    standard_figures,
)
from diplomaccloud.bots.standings import SelfPlay
from diplomaccloud.cli import map_table
from diplomaccloud.judge.cli import main
from diplomaccloud.judge.drawing.europe import standard_chart
from diplomaccloud.maps import factory, measurement

MAPS = [
    MapResult("a", 7, 1.0, (), figures={"cv_frontier": 0.1, "cv_other": 1.0}),
    MapResult("b", 7, 2.0, ("rule 4, A: x", "rule 4, B: x"), figures={"cv_frontier": 0.3}),
    MapResult("c", 7, failure="no map"),
    MapResult("a", 3, 0.5, (), figures={"cv_frontier": 0.2}),
]  # fmt: skip


def test_the_number_of_seeds():
    tasks = list_tasks(3, 2)
    assert len(set(tasks)) == 3 + 8 * 2
    assert sum(task.players == 7 for task in tasks) == 3


def test_a_map_counts_once_per_constraint():
    assert count_broken_rules(MAPS) == {"rule 4": 1, "no map": 1}
    missed = MapResult("d", 7, faults=("Polar: No ice, here.", "Polar: No land.", "rule 4, A: x"))
    assert count_broken_rules([missed, missed]) == {"Polar": 2, "rule 4": 2}


def test_medians_are_over_the_maps_with_the_figure():
    assert find_medians(MAPS[:3]) == {"cv_frontier": 0.2, "cv_other": 1.0}


def test_results_are_read_as_they_were_written():
    assert [MapResult.from_line(result.to_line()) for result in MAPS] == MAPS
    with pytest.raises(ValueError, match="not a line of a survey"):
        MapResult.from_line('{"seed": 1}')


def test_the_table_compares_our_figures_with_target_and_standard():
    lines = build_table(MAPS, {"cv_frontier": 0.205}).splitlines()
    (frontier,) = [line for line in lines if line.startswith("CV frontier") and "≤" in line]
    assert frontier.split()[3:] == ["0.28", "0.205", "≤", "0.15", "0.2", "missed"]
    assert any("rule 4: 333.333, no map: 333.333" in line for line in lines)
    assert len(build_json(MAPS, {})["players"]) == 2
    assert {"cv_voronoi_share", "cv_land_area"} <= {target.name for target in TARGETS}


def test_the_drawing_of_the_toy_chart_is_measured():
    figures = drawing_figures(toy_chart())
    assert figures["full_names"] == 1.0
    assert figures["cv_land_area"] == pytest.approx(0.083, abs=0.001)


def test_the_command_continues_from_saved_results(tmp_path, monkeypatch, capsys):
    made = []

    def measure(task):
        made.append(task)
        return MapResult(task.seed, task.players, 1.0, figures={"cv_frontier": 0.1})

    monkeypatch.setattr(survey, "measure_map", measure)
    saved = tmp_path / "saved.jsonl"
    for seeds in ("1", "3"):
        command = ["map", "table", "--seeds", seeds, "--others", "0", "--jobs", "1", "--json"]
        assert main([*command, "--keep", str(saved)]) == 0
    assert len(made) == 3
    assert json.loads(capsys.readouterr().out.split("\n}\n")[1] + "}")["players"]["7"]["maps"] == 3


def test_validate_lists_the_faults_and_fails(tmp_path, capsys):
    data = valid_data()
    set_value("board", "provinces", 1, "code", "ALM")(data)
    file = tmp_path / "map.json"
    file.write_text(json.dumps(data))
    assert main(["map", "validate", str(file)]) == 1
    assert (
        "board.provinces[1].code: 'ALM' is also the code of board.provinces[0]\n"
        in capsys.readouterr().out
    )


def test_validate_describes_a_valid_map(tmp_path, capsys):
    file = tmp_path / "map.json"
    file.write_text(dump_chart(toy_chart()))
    assert main(["map", "validate", str(file)]) == 0
    assert "no fault. Toyland: 2 powers, 7 provinces, 3 centers" in capsys.readouterr().out
    assert main(["map", "validate", "--published", str(file)]) == 1
    assert "rule 10, Toy: 7 provinces for 3 centers" in capsys.readouterr().out


def test_validate_checks_the_rule_of_the_landform_that_a_map_names(tmp_path, capsys):
    file = tmp_path / "map.json"
    named = replace(toy_chart(), maker="hand, landform pangaea")
    file.write_text(dump_chart(named))
    assert main(["map", "validate", str(file)]) == 1
    assert capsys.readouterr().out.startswith("Pangaea: The land reaches the frame in ")
    file.write_text(dump_chart(replace(named, maker="hand, landform polar")))
    assert main(["map", "validate", str(file)]) == 1
    assert capsys.readouterr().out.startswith("Polar: No impassable land of at least 3% ")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["-o", "map.gif"], "cannot write .gif"),
        (["-o", "nowhere/map.svg"], "there is no folder 'nowhere'"),
        (["-o", "map.svg", "--players", "35"], "players: 35 is not between 2 and 34"),
        (["-o", "map.svg", "--provinces", "5"], "provinces: 5 does not fit: 7 players need"),
        (["-o", "map.svg", "--sea", "0.9"], "sea: 0.9 is not between"),
        (["-o", "map.svg", "--homes", "5"], "homes: 5 is not varied or equal"),
    ],
)
def test_a_map_that_cannot_be_made_gets_a_clear_error(
    tmp_path, monkeypatch, capsys, options, message
):
    monkeypatch.chdir(tmp_path)
    assert main(["map", "make", "--seed", "x", *options]) == 2
    assert message in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_the_standard_boards_own_size_is_as_published():
    figures = standard_figures(standard_chart())
    assert figures["mean_degree"] == pytest.approx(5.49, abs=0.01)
    assert figures["sea_share"] == pytest.approx(19 / 75, abs=0.0001)
    assert figures["spaces_per_center"] == pytest.approx(75 / 34, abs=0.0001)


def test_self_play_is_compared_with_the_target_and_the_standard_map(monkeypatch, capsys):
    spreads = {"survey 0": 0.3, "survey 1": 0.24, "survey 2": 0.2, "": 0.317}
    chosen = []

    def measure(chart):
        return SelfPlay(200, 18, 17.0, (), spreads[chart.seed], 0.02, 0.05)

    def make_fair_map(seeds):
        chosen.append(seeds)
        return replace(standard_chart(), seed=seeds[0].rstrip("a"))

    monkeypatch.setattr(map_table, "play_games", measure)
    monkeypatch.setattr(factory, "make_map", lambda seed: replace(standard_chart(), seed=seed))
    monkeypatch.setattr(factory, "make_fair_map", make_fair_map)
    assert main(["map", "table", "--selfplay", "3"]) == 0
    output = capsys.readouterr().out
    (line,) = [line for line in output.splitlines() if line.startswith("CV of shares")]
    assert line.split()[-6:] == ["0.40", "0.317", "≤", "0.22", "0.240", "missed"]
    (line,) = [line for line in output.splitlines() if line.startswith("CV moves to threaten")]
    assert line.split()[-6:] == ["0.25", "0.136", "≤", "0.07", "0.136", "missed"]
    assert "middle half of the CVs in self-play is from 0.220 to 0.270" in output
    assert "1 of 3 maps meet the target" in output
    assert not chosen
    assert main(["map", "table", "--selfplay", "1", "--certified", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["maps"][0]["spread"] == 0.3
    assert chosen == [[f"survey 0{letter}" for letter in "abcdefgh"]]
    for wrong in (["--selfplay", "0"], ["--certified"]):
        assert main(["map", "table", *wrong]) != 0


def test_a_map_can_be_chosen_and_certified_by_play(monkeypatch, capsys, tmp_path):
    asked = []

    def make_fair_map(seeds, players, **wishes):
        asked.append((seeds, players, wishes["provinces"], wishes["sea"], wishes["homes"]))
        return replace(standard_chart(), board=replace(standard_chart().board, first_year=1801))

    monkeypatch.setattr(factory, "make_fair_map", make_fair_map)
    monkeypatch.setattr(measurement, "plan_measurement", lambda powers: (("greedy-1", 3),))
    output = str(tmp_path / "map.json")
    wishes = ["--certify", "--sea", "0.3", "--homes", "equal"]
    assert main(["map", "make", "--seed", "x", *wishes, "-o", output]) == 0
    assert asked == [(["x"], 7, None, 0.3, "equal")]
    assert "greedy-1     3 games  spread" in capsys.readouterr().out
    assert [path.name for path in tmp_path.iterdir()] == ["map.json"]
