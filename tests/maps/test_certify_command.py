"""`diplomaccloud map certify`: it measures a map, resumes, and checks a certificate by playing."""

import json
from dataclasses import replace

import pytest

from diplomaccloud.atlas.chartfile import content_hash, dump_chart
from diplomaccloud.bots.pinned import CAPTAIN, GREEDY
from diplomaccloud.judge.cli import main
from diplomaccloud.judge.drawing.europe import standard_chart
from diplomaccloud.maps import measurement
from diplomaccloud.maps.measurement import GamesFile, choose_seed

PLAN = ((GREEDY, 3), (CAPTAIN, 3))


@pytest.fixture
def files(tmp_path, monkeypatch):
    """Write a map to a file; return its path, and where its certificate will be."""
    monkeypatch.setattr(measurement, "plan_measurement", lambda powers: PLAN)
    path = tmp_path / "map.json"
    board = replace(standard_chart().board, first_year=1801)
    path.write_text(dump_chart(replace(standard_chart(), board=board)))
    return str(path), tmp_path / "certificate.json"


def test_a_certificate_is_written_and_can_be_checked(files, capsys):
    path, output = files
    assert main(["map", "certify", path, "-o", str(output)]) == 0
    assert "captain-1     3 games  spread" in capsys.readouterr().out
    data = json.loads(output.read_bytes())
    assert [(row["bot"], row["games"]) for row in data["bots"]] == list(PLAN)
    assert sorted(each.name for each in output.parent.iterdir()) == [output.name, "map.json"]
    check = ["map", "certify", path, "--check", str(output), "--sample", "1"]
    assert main(check) == 0
    assert "2 games were played again" in capsys.readouterr().out

    # A forged game, with numbers that do not follow from it.
    games = data["bots"][0]["ends"].split(";")
    data["bots"][0]["ends"] = ";".join(["34 0 0 0 0 0 0", *games[1:]])
    output.write_text(json.dumps(data))
    assert main(check) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines == [
        "the numbers do not follow from the games",
        "greedy-1, game 0: ends differently",
    ]
    assert main(["map", "certify", "standard", "--check", str(output)]) != 0
    assert "is that of the map" in capsys.readouterr().err


def test_it_resumes_from_finished_games(files, capsys):
    path, output = files
    keep, chart = output.with_name("kept"), standard_chart()
    board = replace(chart.board, first_year=1801)
    key = content_hash(replace(chart, board=board))
    with GamesFile(keep, key, choose_seed(key), 7) as file:
        file.add(GREEDY, (34, 0, 0, 0, 0, 0, 0))
    assert main(["map", "certify", path, "-o", str(output), "--keep", str(keep)]) == 0
    data = json.loads(output.read_bytes())
    assert data["bots"][0]["ends"].startswith("34 0 0 0 0 0 0;")
    assert keep.exists()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--scale", "-o", "x.json"], "--scale measures the map `standard` alone"),
        ([], "-o says where"),
        (["--check"], "--check takes the file"),
        (["-o", "missing/x.json"], "there is no folder"),
        (["-o", "x.json", "--keep", "missing/x"], "there is no folder"),
        (["--check", "/dev/null"], "/dev/null: "),
    ],
)
def test_a_wrong_option_is_named(files, capsys, options, message):
    assert main(["map", "certify", files[0], *options]) != 0
    assert message in capsys.readouterr().err


def test_a_faulty_map_is_refused_with_its_faults(files, tmp_path, capsys):
    path = tmp_path / "bad.json"
    path.write_text("{}")
    assert main(["map", "certify", str(path), "-o", str(files[1])]) == 1
    assert "faults" in capsys.readouterr().out
