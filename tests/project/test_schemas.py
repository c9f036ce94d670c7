"""The package's output matches its published schemas, and damaged output does not."""

import copy
import json
from dataclasses import fields
from enum import Enum
from functools import cache
from pathlib import Path

import jsonschema
import pytest
from tests.record.honest_games import coin_game, eventful_game, hidden_game

from diplomaccloud.atlas.validation.chart_schema import board_schema, json_schema
from diplomaccloud.judge import Game
from diplomaccloud.judge.cli import main
from diplomaccloud.judge.codec import board_to_json
from diplomaccloud.judge.protocol.requests import position_to_request
from diplomaccloud.judge.results import Outcome
from diplomaccloud.judge.rules import RuleSet
from diplomaccloud.judge.schemas import list_schemas, read_schema
from diplomaccloud.judge.standard.europe import standard_board
from diplomaccloud.record.lines import LineKind
from diplomaccloud.setups import setups

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "docs" / "record-example.jsonl"
SMALL = setups()["early-3"].board
SHARED = ("power", "phase", "unit", "location", "code", "position")


@cache
def validator(name):
    return jsonschema.Draft202012Validator(json.loads(read_schema(name)))


def is_valid(name, value):
    return validator(name).is_valid(value)


def require_valid(name, value):
    validator(name).validate(value)


def played_game():
    """Return a game with retreats, an unreadable order and orders of the phase to come."""
    game = Game(position="F1901M FRANCE: A PAR, A PIC; GERMANY: A BUR; centers FRANCE: PAR BRE")
    game.order("FRANCE", "A PAR - BUR; A PIC S A PAR - BUR; A MAR - XYZ")
    game.adjudicate()
    game.order("GERMANY", "A BUR R MUN; A BUR flies")
    return game


@cache
def chain_lines():
    """Return lines of every kind of records of version 2."""
    records = [EXAMPLE.read_bytes(), eventful_game().record(reader=2), hidden_game().record()]
    records.append(coin_game().record())
    return [json.loads(line) for record in records for line in record.splitlines()]


def one_of_each_kind():
    return {line["kind"]: line for line in chain_lines()}


def test_every_schema_is_one_and_has_a_name_and_a_version():
    assert list_schemas() == ["board", "map", "position", "protocol", "record"]
    for name in list_schemas():
        schema = json.loads(read_schema(name))
        jsonschema.Draft202012Validator.check_schema(schema)
        assert schema["$id"].startswith(f"urn:diplomaccloud:schema:{name}:")
    page = (ROOT / "docs" / "formats.md").read_text(encoding="utf-8")
    assert [name for name in list_schemas() if f"| `{name}` |" not in page] == []


def test_what_two_schemas_share_is_the_same():
    record, position = (validator(name).schema["$defs"] for name in ("record", "position"))
    assert {name: record[name] for name in SHARED} == {name: position[name] for name in SHARED}
    assert json.loads(read_schema("board")) == board_schema()
    assert record["board"] == json_schema()["properties"]["board"]


def test_the_record_knows_every_switch_kind_and_outcome():
    parts = validator("record").schema["$defs"]
    switches = parts["rules"]["properties"]
    assert list(switches) == [field.name for field in fields(RuleSet)]
    for name, switch in switches.items():
        default = getattr(RuleSet(), name)
        if isinstance(default, Enum):
            assert switch["enum"] == [value.value for value in type(default)]
    assert parts["line"]["properties"]["kind"]["enum"] == [kind.value for kind in LineKind]
    assert parts["results"]["additionalProperties"]["enum"] == list(Outcome)


def test_boards_are_valid():
    for board in (standard_board(), SMALL):
        require_valid("board", board_to_json(board))


def test_positions_are_valid():
    for position in (Game().position, played_game().position):
        require_valid("position", position_to_request(position))


def test_stored_games_are_valid_and_their_lines_too():
    data = json.loads(json.dumps(played_game().to_json()))
    require_valid("record", data)
    for phase in data["phases"]:
        require_valid("record", phase)
    require_valid("record", {key: data[key] for key in data if key not in {"phases", "now"}})


def test_every_kind_of_line_is_valid():
    assert set(one_of_each_kind()) == {kind.value for kind in LineKind}
    for line in chain_lines():
        require_valid("record", line)


def test_records_of_the_arena_are_valid(tmp_path, capsys):
    record = tmp_path / "games.jsonl"
    arguments = ["--games", "1", "--until", "1901", "--bots", "random", "--record", str(record)]
    assert main(["arena", *arguments]) == 0
    for line in record.read_text().splitlines():
        require_valid("record", json.loads(line))


def require_every_part(name, data, keys):
    """Assert that without a part, or with a wrong one, the data are refused."""
    require_valid(name, data)
    for key in keys:
        assert not is_valid(name, {k: v for k, v in data.items() if k != key}), key
        for wrong in (None, -1, "?", [0]):
            assert not is_valid(name, {**data, key: wrong}), (key, wrong)


def test_damaged_boards_and_positions_are_refused():
    board = board_to_json(SMALL)
    require_every_part("board", board, ("v", "powers", "provinces", "victory_centers"))
    position = position_to_request(Game().position)
    require_every_part("position", position, ("phase", "units", "centers", "dislodged"))


def test_damaged_lines_are_refused():
    for kind, line in one_of_each_kind().items():
        keys = {"sequence", "seats"} & line.keys() if kind != LineKind.LOG else {"by"}
        require_every_part("record", line, ("hash", "n", *keys))


@pytest.mark.parametrize(
    ("path", "wrong"),
    [
        (("v",), 9),
        (("rules", "paradox"), "none"),
        (("phases", 0, "phase"), "X1901M"),
        (("phases", 0, "units", "FRANCE"), "A PAR"),
        (("phases", 0, "results", "A PAR"), "won"),
        (("now", "orders", "GERMANY", 0), 7),
        (("now", "dislodged", "GERMANY"), ["A BUR"]),
    ],
)
def test_damaged_games_are_refused(path, wrong):
    data = copy.deepcopy(played_game().to_json())
    part = data
    for key in path[:-1]:
        part = part[key]
    part[path[-1]] = wrong
    assert not is_valid("record", data)


def test_a_line_of_an_unknown_kind_or_version_is_refused():
    line = one_of_each_kind()["game"]
    assert not is_valid("record", {**line, "kind": "wish"})
    assert not is_valid("record", {**line, "v": 3})


def test_the_command_prints_a_schema_and_lists_them(capsys):
    assert main(["schema"]) == 0
    assert capsys.readouterr().out.splitlines() == list_schemas()
    assert main(["schema", "record"]) == 0
    assert capsys.readouterr().out == read_schema("record")
    assert main(["schema", "nothing"]) == 2
    assert "there is no schema named 'nothing'" in capsys.readouterr().err
