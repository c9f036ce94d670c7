"""The public face of the judge: `docs/library.md` and the examples beside it are right."""

import contextlib
import doctest
import io
import itertools
import json
import pickle
import re
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

from diplomaccloud import judge
from diplomaccloud.judge import batch, public
from diplomaccloud.judge.explain import explain
from diplomaccloud.judge.orders import Waive
from diplomaccloud.judge.protocol import answer, replay
from diplomaccloud.judge.protocol.requests import position_to_request

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "library.md"
EXAMPLES = ROOT / "docs" / "examples"
UNREADABLE = "'XYZ' is not a province."


def test_the_page_shows_what_happens():
    failed, tried = doctest.testfile(str(PAGE), module_relative=False, optionflags=doctest.ELLIPSIS)
    assert tried > 20
    assert failed == 0


def test_every_public_name_is_on_the_pages_and_in_the_example():
    page, example = PAGE.read_text(), (EXAMPLES / "every_name.py").read_text()
    api = (ROOT / "docs" / "api.md").read_text()
    missing = [f"docs/library.md: {name}" for name in judge.__all__ if not has_word(page, name)]
    missing += [f"docs/library.md: {name}" for name in batch.__all__ if not has_word(page, name)]
    for name in judge.__all__:
        if not re.search(rf":: diplomaccloud\.judge\.{name}\b", api):
            missing.append(f"docs/api.md: {name}")
        if not re.search(rf"\bjudge\.{name}\b|import.*\b{name}\b", example):
            missing.append(f"docs/examples/every_name.py: {name}")
    assert not missing, missing


def has_word(page, name):
    return re.search(rf"\b{name}\b", page) is not None


def test_a_name_is_imported_when_it_is_first_used():
    program = """
import sys
from diplomaccloud import judge
loaded = [name for name in sys.modules if name.startswith("diplomaccloud.judge.")]
print(loaded, judge.adjudicate.__name__, set(judge.__all__) <= set(dir(judge)))
for name in judge.__all__:
    getattr(judge, name)
import diplomaccloud.judge.adjudication
print(callable(judge.adjudicate))
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout == "[] adjudicate True\nTrue\n"
    with pytest.raises(AttributeError, match="has no attribute 'Gaem'"):
        judge.Gaem  # noqa: B018


def test_the_list_of_public_names_is_read_as_python_reads_it():
    listed = {name for name in vars(public) if not name.startswith("_")}
    assert set(judge.__all__) == listed
    assert all(getattr(judge, name) is getattr(public, name) for name in listed)


def test_a_first_position_needs_neither_the_kernel_nor_the_notation():
    program = """
import sys
from diplomaccloud import judge
judge.Game()
print(*sorted(name for name in sys.modules if name.count(".") == 2 and ".judge." in name))
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    needed = "board checks game geography phases position rules standard units"
    assert done.stdout.split() == [f"diplomaccloud.judge.{name}" for name in needed.split()]


@pytest.mark.parametrize("name", ["first_turn", "save_munich", "every_name"])
def test_the_examples_run(name):
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        runpy.run_path(str(EXAMPLES / f"{name}.py"), run_name="__main__")
    assert output.getvalue().count("\n") > 1


def test_the_readme_shows_the_first_example():
    example = (EXAMPLES / "first_turn.py").read_text().partition('"""\n\n')[2]
    assert f"```python\n{example}```" in (ROOT / "README.md").read_text()


# Games.


def test_the_reason_of_a_result_has_the_same_name_everywhere():
    game = judge.Game()
    game.order("FRANCE", "A PAR - BUR")
    start = game.position
    turn = game.adjudicate()
    request = {**position_to_request(start), "orders": {"FRANCE": ["A PAR - BUR"]}}
    of_order = next(one for one in turn.resolution.results if str(one.order) == "A PAR - BUR")
    assert turn["A PAR"].why == of_order.why == answer(request)["why"]["A PAR"]
    assert not hasattr(of_order, "reason")


def test_an_order_replaces_the_one_before_and_a_bad_one_nothing():
    game = judge.Game()
    assert game.order("France", "A PAR - BUR") == ()
    assert game.order("FRANCE", ["A PAR - PIC"]) == ()
    (problem,) = game.order("FRANCE", "A PAR - LON")
    assert problem.text == "A PAR - LON"
    assert "A PAR - PIC" in game.orders["FRANCE"]
    assert game.adjudicate()["A PAR"].outcome == "moved"
    assert game.unit_in("pic") is not None


def test_different_orders_for_one_unit_are_a_problem():
    game = judge.Game()
    (problem,) = game.order("FRANCE", "A PAR - BUR; A PAR H")
    assert problem.message == "A PAR was given different orders."
    assert game.adjudicate()["A PAR"].outcome != "moved"


def test_orders_of_another_power_are_refused_however_they_are_given():
    game = judge.Game()
    board, start = judge.standard_board(), game.position
    order = judge.parse_order("A MUN - BUR", board, start, judge.Power("GERMANY"))
    for given in ("GERMANY: A MUN - BUR", "A MUN - BUR", order):
        game.clear()
        (problem,) = game.order("FRANCE", given)
        assert problem.power == "FRANCE"
        assert game.problems == (problem,)
    assert game.adjudicate()["A MUN"].outcome == "hold"


def test_a_waived_build_of_another_power_is_refused_in_a_sentence():
    game = judge.Game(
        position="W1901A FRANCE: A PAR; centers FRANCE: PAR MAR; centers GERMANY: BER"
    )
    (problem,) = game.order("FRANCE", Waive(judge.Power("GERMANY")))
    assert problem.message == "This is an order for Germany, not for you."


def test_an_unreadable_order_is_void_and_says_why():
    game = judge.Game()
    game.order("FRANCE", "A PAR - XYZ")
    result = game.adjudicate()["A PAR"]
    assert result.outcome == "void"
    assert result.why == UNREADABLE


def test_an_order_for_nobody_is_void_for_that_reason():
    game = judge.Game()
    game.order("FRANCE", "A MAR S A BUR")
    assert game.adjudicate()["A MAR"].why == "There is no unit in BUR (Burgundy)."


def test_an_error_of_a_sheet_has_what_the_page_says():
    board = judge.standard_board()
    start = judge.starting_position(board)
    sheet = judge.parse_sheet("A PAR - BUR\nA MAR - XYZ", board, start, judge.Power("FRANCE"))
    assert re.search(
        r"`errors`, each with `line` \(from 1\), `text` and `message`", PAGE.read_text()
    )
    (error,) = sheet.errors
    assert (error.line, error.text, error.message) == (2, "A MAR - XYZ", str(error.error))


def test_orders_are_not_the_keys_of_a_dictionary():
    game = judge.Game()
    orders = {"A PAR - BUR": "A PAR", "A MAR": "A MAR - SPA"}
    with pytest.raises(TypeError, match=r"^orders: expected text, an order or a list, not dict; "):
        game.order("FRANCE", orders)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"^orders: expected text, an order or a list, not bytes$"):
        game.order("FRANCE", b"A PAR - BUR")  # type: ignore[arg-type]
    assert game.orders == {}
    assert game.order("FRANCE", orders.values())[0].text == "A PAR"
    assert game.orders["FRANCE"] == ("A MAR - SPA",)


@pytest.mark.parametrize(
    "key", ["XXX", "A XXX", "F XXX/NC", "FRANCE", "NARNIA WAIVE", "A PAR - BUR", ""]
)
def test_a_result_is_asked_for_by_a_unit_or_a_province(key):
    turn = judge.Game().adjudicate()
    with pytest.raises(KeyError, match=f"'{key}' is neither a unit nor a province of the board"):
        turn[key]
    for known in ("RUH", "A RUH", "F SPA/NC", "FRANCE WAIVE"):
        with pytest.raises(KeyError, match=f"'{known}' had nothing to order in S1901M"):
            turn[known]


def test_a_unit_is_made_of_three_parts_and_says_so():
    for parts in (["A PAR"], ["A PAR", "FRANCE"], []):
        with pytest.raises(TypeError) as caught:
            judge.Unit(*parts)
        assert str(caught.value).startswith("a unit has a kind, a location and a power; ")
    with pytest.raises(TypeError, match=r"to read one, write parse_unit\('A PAR', board, power\)"):
        judge.Unit("A PAR")  # type: ignore[call-arg, arg-type]


def test_rules_are_given_by_name_or_by_value_everywhere():
    board = judge.standard_board()
    start = judge.starting_position(board)
    france = judge.Power("FRANCE")
    order = judge.parse_order("A PAR - BUR", board, start, france)
    row = batch.pack_orders([start], [[order]])
    stored = judge.Game().to_json()
    calls = [
        lambda rules: judge.Game(rules=rules).rules,
        lambda rules: judge.adjudicate(board, start, [order], rules).next,
        lambda rules: [each.paragraph for each in explain(board, start, [order], rules).values()],
        lambda rules: judge.legal_orders(board, start, france, rules),
        lambda rules: judge.why_illegal(board, start, france, order, rules),
        lambda rules: judge.parse_order("A PAR - BUR", board, start, france, rules=rules),
        lambda rules: judge.parse_sheet("A PAR - BUR", board, start, france, rules=rules),
        lambda rules: batch.pack_orders([start], [[order]], rules=rules),
        lambda rules: batch.adjudicate(batch.start(1), row, rules).states,
    ]
    for call in calls:
        assert call("1971") == call(judge.EDITIONS["1971"])
        with pytest.raises(ValueError, match="there is no edition '1970' \\(choose from: 1961, "):
            call("1970")
        with pytest.raises(TypeError, match="rules: expected a RuleSet or an edition"):
            call(7)
    assert judge.Game.from_json({**stored, "rules": "1971"}).rules == judge.EDITIONS["1971"]


def test_builds_beyond_what_is_owed_are_problems():
    game = judge.Game(position="W1901A FRANCE: A PAR; centers FRANCE: PAR MAR BRE")
    assert game.legal_orders("FRANCE")["WAIVE"] == ("WAIVE",)
    problems = game.order("FRANCE", "A MAR B, F BRE B")
    assert problems == ()
    game = judge.Game(position="W1901A FRANCE: A PAR; centers FRANCE: PAR MAR BRE; GERMANY: A BER")
    assert len(game.order("FRANCE", "A MAR B, F BRE B, WAIVE")) == 1
    turn = game.adjudicate()
    assert turn["A MAR"].outcome == "built"
    assert turn["BER"].outcome == "disbanded"


def test_a_dislodged_unit_says_by_whom_and_where_it_may_go():
    game = judge.Game(position="S1901M FRANCE: A PAR, A PIC; GERMANY: A BUR")
    game.order("FRANCE", "A PAR - BUR; A PIC S A PAR - BUR")
    turn = game.adjudicate()
    assert turn["A BUR"].dislodged_by == "A PAR"
    assert "MUN" in turn["A BUR"].retreats
    assert game.phase == "S1901R"
    assert game.powers_to_order == ("GERMANY",)
    assert turn.explain("bur")
    with pytest.raises(KeyError, match="'A NAP' had nothing to order in S1901M"):
        turn["A NAP"]


def test_a_game_goes_through_json_whole_and_its_record_replays():
    game = judge.Game(rules="2023", seed="s")
    game.order("FRANCE", "A PAR - BUR; A MAR - XYZ; F BRE - LON")
    game.adjudicate()
    game.adjudicate()
    game.order("FRANCE", "A BUR - MUN; A BUR flies")
    data = json.loads(json.dumps(game.to_json()))
    same = judge.Game.from_json(data)
    assert same.to_json() == game.to_json()
    assert same.problems == game.problems
    assert same.undo().next == game.turns[-1].next
    assert replay([data]).differences == ()
    board, position = judge.standard_board(), game.position
    assert position.problems(board) == ()


@pytest.mark.parametrize(
    ("change", "error"),
    [
        (lambda data: data.pop("now"), "now: missing"),
        (lambda data: data.update(v=9), "record: not a"),
        (lambda data: data["phases"][0].update(units={"X": []}), r"phases\[0\].units: .* 'X'"),
        (lambda data: data["phases"][0].update(orders={"FRANCE": [7]}), "not a text"),
        (lambda data: data["phases"][0].update(orders={}), r"phases\[0\].next: the orders lead"),
        (lambda data: data["phases"].pop(), "now.phase: does not begin"),
        (lambda data: data.update(phases={}), "phases: not a list"),
        (lambda data: data.update(map="x.json"), "map: there is no map"),
    ],
)
def test_the_part_of_a_stored_game_at_fault_is_named(change, error):
    game = judge.Game()
    game.order("FRANCE", "A PAR - BUR")
    game.adjudicate()
    game.adjudicate()
    data = game.to_json()
    change(data)
    with pytest.raises(judge.CodecError, match=error):
        judge.Game.from_json(data)


def test_bad_arguments_are_named():
    with pytest.raises(ValueError, match="there is no edition '1999'"):
        judge.Game(rules="1999")
    with pytest.raises(ValueError, match="there is no power 'NARNIA' on this board"):
        judge.Game().order("NARNIA", "A PAR H")
    with pytest.raises(TypeError, match=r"orders\[1\]: expected text or an order, not int"):
        judge.Game().order("FRANCE", ["A PAR H", 7])
    with pytest.raises(ValueError, match="nothing to undo"):
        judge.Game().undo()
    with pytest.raises(judge.PositionError, match="two units in BUR"):
        judge.Game(position="S1901M FRANCE: A BUR; GERMANY: A BUR")


def test_more_orders_than_one_call_takes_are_refused():
    with pytest.raises(ValueError, match="orders: more than 2000 in one call"):
        judge.Game().order("FRANCE", itertools.repeat("A PAR H"))
    assert judge.Game().order("FRANCE", ["A PAR H"] * 2000) == ()


def test_what_a_turn_says_cannot_be_changed():
    game = judge.Game()
    game.order("FRANCE", "A PAR - XYZ")
    turn = game.adjudicate()
    hash(turn.unread)
    same = pickle.loads(pickle.dumps(turn))  # noqa: S301 our own value
    assert same["A PAR"] == turn["A PAR"]


def test_a_game_that_is_won_is_over_until_undone():
    board = judge.standard_board()
    centers = " ".join(board.centers[:18])
    game = judge.Game(position=f"F1901M FRANCE: A PAR; centers FRANCE: {centers}")
    game.adjudicate()
    assert game.ending is not None
    with pytest.raises(ValueError, match="the game is over"):
        game.adjudicate()
    game.undo()
    assert game.ending is None


# Positions as texts.


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "phase: not a phase: ''"),
        ("S1901X FRANCE: A PAR", "phase: not a phase: 'S1901X'"),
        ("S1901M NARNIA: A PAR", "units: there is no power 'NARNIA'"),
        ("S1901M FRANCE: A XYZ", "units: FRANCE: 'XYZ' is not a province."),
        ("S1901M A PAR", "'A PAR' comes before the name of a power"),
        ("S1901M centers FRANCE: BUR", "centers: FRANCE: 'BUR' is not a supply center"),
        ("S1901M dislodged FRANCE: A PAR (GAS)", "dislodged: there are no retreats in S1901M"),
        ("W1901A FRANCE: A PAR", "centers: missing"),
    ],
)
def test_the_part_of_a_position_at_fault_is_named(text, fault):
    with pytest.raises(judge.PositionError) as caught:
        judge.parse_position(text)
    assert str(caught.value).startswith(fault)


def test_positions_are_written_as_they_are_read():
    text = "F1901R\nFRANCE: A MAR, F SPA/SC\ndislodged ITALY: A PIE (TUS VEN)\ncenters FRANCE: MAR"
    assert judge.parse_position(text).to_text() == text


def test_the_attacker_of_a_dislodged_unit_is_written_where_it_is_known():
    game = judge.Game(position="S1901M FRANCE: A PAR, A PIC; GERMANY: A BUR, F NTH")
    game.order("FRANCE", "A PAR - BUR; A PIC S A PAR - BUR")
    game.adjudicate()
    text = game.position.to_text()
    assert "dislodged GERMANY: A BUR (BEL GAS MAR MUN RUH) from PAR" in text
    assert judge.parse_position(text) == game.position
    (lost,) = judge.parse_position("S1901R dislodged GERMANY: A MUN from bur").dislodged
    assert (str(lost.unit), lost.by, lost.retreats) == ("A MUN", "BUR", ())
    with pytest.raises(judge.PositionError, match="'XYZ' is not a province"):
        judge.parse_position("S1901R FRANCE: A BUR; dislodged GERMANY: A BUR (MUN) from XYZ")


# Batches.


def test_batches_take_any_buffer_and_refuse_others():
    states = batch.start(4)
    length, orders_length = batch.row_lengths()
    table = memoryview(states).cast("B").cast("i", (4, length))
    orders = batch.pack_orders(batch.unpack(states), [[]] * 4)
    assert len(orders) == 4 * orders_length
    assert batch.adjudicate(table, orders).states == batch.adjudicate(states, orders).states
    with pytest.raises(TypeError, match="states: expected a buffer of 32-bit integers"):
        batch.adjudicate([1, 2], orders)
    with pytest.raises(ValueError, match=r"orders: .* not of format 'B'"):
        batch.adjudicate(states, bytes(orders))
    with pytest.raises(ValueError, match="not whole rows"):
        batch.unpack(states[:-1])
    with pytest.raises(ValueError, match="rows must be contiguous"):
        batch.unpack(memoryview(states)[::2])


def test_what_cannot_be_packed_is_named():
    start = judge.starting_position(judge.standard_board())
    board, france = judge.standard_board(), judge.Power("FRANCE")
    order = judge.parse_order("A PAR - BUR", board, start, france)
    crowded = judge.parse_position("S1901M FRANCE: A BUR; GERMANY: A BUR")
    with pytest.raises(judge.PositionError, match=r"positions\[1\]: units: A BUR"):
        batch.pack([start, crowded])
    elsewhere = judge.parse_position("S1901M FRANCE: A MAR")
    with pytest.raises(ValueError, match=r"orders\[1\]: A PAR - BUR: "):
        batch.pack_orders([start, elsewhere], [[order], [order]])
    with pytest.raises(ValueError, match="expected one list for each of the 2 positions"):
        batch.pack_orders([start, start], [[order]])
