"""Records of games: written, judged again, and what is said of those that differ."""

import gzip
import io
import json
import random
from pathlib import Path

import pytest
from judge.tests.protocol.asking import check
from judge.tests.scenes import random_orders

from diplomaccloud.judge.adjudication import adjudicate
from diplomaccloud.judge.board import Board
from diplomaccloud.judge.cli import main
from diplomaccloud.judge.legality.legal_orders import legal_orders
from diplomaccloud.judge.orders import Order
from diplomaccloud.judge.phases import Stage
from diplomaccloud.judge.position import starting_position
from diplomaccloud.judge.protocol import RecordError, dump_record, read_record, replay
from diplomaccloud.judge.protocol.records import Played
from diplomaccloud.judge.rules import EDITIONS
from diplomaccloud.judge.standard.europe import standard_board

BOARD = standard_board()


def played(board: Board, rules: str, seed: str, phases: int = 24) -> list[Played]:
    """Return a game of random orders that mostly fit together."""
    rng = random.Random(seed)
    position = starting_position(board)
    game: list[Played] = []
    for _ in range(phases):
        orders: tuple[Order, ...] = tuple(legal_orders(board, position))
        if position.phase.stage is Stage.MOVEMENT:
            orders = tuple(random_orders(board, position, rng))
        elif rng.random() < 0.5:
            orders = ()
        resolution = adjudicate(board, position, orders, EDITIONS[rules], seed=seed)
        game.append((position, orders, resolution))
        position = resolution.next
    return game


def record(rules: str = "2000", seed: str = "1") -> list[dict[str, object]]:
    game = played(BOARD, rules, seed)
    return [json.loads(line) for line in dump_record(BOARD, EDITIONS[rules], game, seed=seed)]


@pytest.mark.parametrize("rules", EDITIONS)
def test_a_record_replays_to_itself(rules: str) -> None:
    heading, *phases = record(rules, seed=rules)
    check("recordHeading", heading)
    for phase in phases:
        check("recordPhase", phase)
    assert {phase["phase"][-1] for phase in phases} == {"M", "R", "A"}
    found = replay([heading, *phases])
    assert (found.games, found.phases, found.differences) == (1, 24, ())
    assert replay([{**heading, "phases": phases}]) == found


def test_a_record_contains_a_board_that_is_not_standard() -> None:
    land = Board(
        name="half of Europe",
        powers=BOARD.powers,
        provinces=BOARD.provinces,
        army_borders=BOARD.army_borders[:-40],
        fleet_borders=BOARD.fleet_borders,
        starts=BOARD.starts,
        victory_centers=12,
    )
    lines = dump_record(land, EDITIONS["2000"], played(land, "2000", "x", 6))
    from diplomaccloud.judge.protocol.boards import BoardLoader

    assert replay([json.loads(line) for line in lines], BoardLoader()).differences == ()


def changed(entries: list[dict[str, object]], number: int, **parts: object) -> list[object]:
    return [{**one, **parts} if i == number else one for i, one in enumerate(entries)]


def test_the_first_difference_is_named() -> None:
    entries = record()
    unit, word = next(iter(entries[2]["results"].items()))
    other = "void" if word != "void" else "hold"
    broken = changed(entries, 2, results={**entries[2]["results"], unit: other})
    found = replay([*broken, {"id": "another", **entries[1]}])
    (difference,) = found.differences
    assert (difference.entry, difference.phase) == (3, entries[2]["phase"])
    assert difference.what == f"{unit}: judged {word}, the record says {other}"
    assert str(difference) == f"{entries[2]['phase']} (entry 3): {difference.what}"
    assert (found.games, found.phases) == (2, 3)


def test_a_next_position_that_differs_is_named() -> None:
    entries = record()
    after = dict(entries[1]["next"])
    after["units"] = {**after["units"], "FRANCE": ["A PAR"]}
    (difference,) = replay(changed(entries, 1, next=after)).differences
    assert difference.what.startswith("units of FRANCE: judged ")
    assert difference.what.endswith(", the record says A PAR")


def test_a_phase_left_out_is_named() -> None:
    entries = record()
    (difference,) = replay([*entries[:2], *entries[3:]]).differences
    assert difference.what.startswith("phase: it begins with ")


def test_lines_picked_from_games_need_no_heading_and_no_order() -> None:
    _, *phases = record()
    found = replay([{**phases[0], "id": "a"}, {**phases[3], "id": "a"}, {**phases[1], "id": "b"}])
    assert (found.games, found.phases, found.differences) == (2, 3, ())


def test_retreats_without_a_choice_may_be_written_out_and_the_end_called_completed() -> None:
    centers = list(BOARD.centers)
    idle = {
        "phase": "F1901R",
        "units": {},
        "centers": {"ITALY": centers[:18]},
        "dislodged": {"ITALY": {"A ROM": []}},
        "orders": {"ITALY": ["A ROM D"]},
        "next": {"phase": "COMPLETED", "units": {}, "centers": {"ITALY": centers[:18]}},
    }
    assert replay([idle]).differences == ()


WRONG: dict[str, tuple[list[object], str]] = {
    "a list": ([[]], "entry 1: not an object"),
    "another record": ([{"record": "chess", "v": 1}], "entry 1: record: not a"),
    "a later version": ([{"record": "diplomaccloud game", "v": 2}], "entry 1: record: not a"),
    "another map": (
        [{"record": "diplomaccloud game", "v": 1, "map_hash": "0" * 64}],
        "entry 1: map_hash: the map is not the one",
    ),
    "no phases": ([{"record": "diplomaccloud game", "v": 1, "phases": 5}], "phases: not a list"),
    "a phase that is none": ([{"phase": "S1901M"}], "entry 1: value: units: missing"),
    "phases that are none": (
        [{"record": "diplomaccloud game", "v": 1, "phases": [7]}],
        "phases[0]: not an object",
    ),
}


@pytest.mark.parametrize(("entries", "error"), WRONG.values(), ids=WRONG)
def test_an_invalid_record_is_refused(entries: list[object], error: str) -> None:
    with pytest.raises(RecordError) as caught:
        replay(entries)
    assert error in str(caught.value)


def test_a_file_may_have_one_value_over_many_lines_or_one_on_each() -> None:
    heading, *phases = record()
    whole = json.dumps({**heading, "phases": phases}, indent=1).encode()
    lines = b"\n".join(json.dumps(one).encode() for one in (heading, *phases))
    assert list(read_record(io.BytesIO(whole))) == [{**heading, "phases": phases}]
    assert list(read_record(io.BytesIO(b"\n" + lines + b"\n\n"))) == [heading, *phases]
    with pytest.raises(ValueError, match="line 3: not JSON"):
        list(read_record(io.BytesIO(b"{}\n{}\n{\n")))


def test_the_exit_status_is_that_of_the_replay(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    entries = record()
    text = "\n".join(json.dumps(one) for one in entries)
    plain, packed, bad = tmp_path / "game.jsonl", tmp_path / "game.jsonl.gz", tmp_path / "bad.json"
    plain.write_text(text, encoding="utf-8")
    packed.write_bytes(gzip.compress(text.encode()))
    for path in (plain, packed):
        assert main(["replay", str(path)]) == 0
        assert capsys.readouterr().out == "1 games, 24 phases adjudicated, 0 differences\n"
    bad.write_text(json.dumps(changed(entries, 1, results={})[1]), encoding="utf-8")
    assert main(["replay", str(bad)]) == 1
    assert "the record says nothing" in capsys.readouterr().out
    bad.write_text("no record", encoding="utf-8")
    assert main(["replay", str(bad)]) == 2
    assert main(["replay", str(tmp_path / "missing.json")]) == 2
    for broken in (b"no archive", gzip.compress(text.encode())[:500]):
        packed.write_bytes(broken)
        assert main(["replay", str(packed)]) == 2
    assert "Traceback" not in capsys.readouterr().err
