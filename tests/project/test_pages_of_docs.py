"""The examples on the pages of the documentation do what the pages say."""

import contextlib
import doctest
import io
import json
import re
import runpy
from dataclasses import fields
from pathlib import Path

import pytest

from diplomaccloud import judge
from diplomaccloud.judge.board import Location

DOCS = Path(__file__).parents[2] / "docs"
EXAMPLES = DOCS / "examples"
PAGES = (
    *("index", "quick-start", "coming-from", "batches", "daide", "environments", "formats"),
    "switches",
)


@pytest.mark.parametrize("name", PAGES)
def test_the_examples_of_a_page_do_what_it_shows(name):
    failed, tried = doctest.testfile(
        str(DOCS / f"{name}.md"), module_relative=False, optionflags=doctest.ELLIPSIS
    )
    assert tried > 2
    assert failed == 0


def test_the_examples_of_every_page_are_tested():
    pages = {path.stem for path in DOCS.glob("*.md") if "\n>>> " in path.read_text("utf-8")}
    assert pages - {"library"} <= set(PAGES)  # that one is tested with the judge


def test_every_switch_has_a_row_in_the_rules_and_a_picture(monkeypatch):
    monkeypatch.syspath_prepend(str(DOCS / "site"))
    from switch_examples import GROUPS

    rules = (DOCS / "rules.md").read_text(encoding="utf-8")
    pictures = [name for group in GROUPS.values() for name in group]
    switches = [field.name for field in fields(judge.RuleSet) if field.name != "name"]
    missing = [f"docs/rules.md: {name}" for name in switches if f"`{name}`" not in rules]
    missing += [f"docs/site: {name}" for name in switches if name not in pictures]
    assert not missing, missing


def find_calls():
    """Return the code in the last columns of the tables of calls."""
    page = (DOCS / "coming-from.md").read_text(encoding="utf-8")
    cells = re.findall(r"^\|.*\| (.*) \|$", page, re.MULTILINE)
    codes = [code for cell in cells for code in re.findall(r"`([^`]+)`", cell)]
    return [code for code in codes if re.match(r"(judge\.|game|turn|list\(|json\.|\")", code)]


def test_every_call_that_replaces_another_works():
    calls = find_calls()
    assert len(calls) > 40
    board = judge.standard_board()
    for call in calls:
        game = judge.Game(position="S1901M FRANCE: A PAR, A MAR; GERMANY: A BUR")
        game.order("FRANCE", "A PAR - BUR; A MAR S A PAR - BUR")
        started = game.copy()
        turn = game.adjudicate()
        names = {"judge": judge, "json": json, "board": board, "turn": turn}
        names |= {"power": judge.Power("FRANCE"), "position": started.position}
        names |= {"text": "A PAR - BUR", "orders": "A PAR - BUR", "data": game.to_json()}
        names |= {"unit": started.position.units[0], "location": Location("BUR")}
        names["path"] = "games.jsonl"  # not opened before the first game is asked for
        names["order"] = judge.parse_order(
            "A PAR - BUR", board, started.position, judge.Power("FRANCE")
        )
        after = any(part in call for part in ("undo", "turn", "position", "ending"))
        names["game"] = game if after and "adjudicate" not in call else started
        exec(call.replace("[...]", "[]").replace("…", ""), names)  # noqa: S102 our own text


def run_example(name):
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        runpy.run_path(str(EXAMPLES / f"{name}.py"), run_name="__main__")
    return output.getvalue()


@pytest.mark.parametrize(
    ("page", "name"),
    [
        ("quick-start", "quick_start"),
        ("save-munich", "save_munich"),
        ("save-munich", "save_munich_always"),
    ],
)
def test_a_page_shows_what_its_programs_print(page, name):
    page = (DOCS / f"{page}.md").read_text(encoding="utf-8")
    assert f"```text\n{run_example(name)}```" in page
    assert f"examples/{name}.py" in page


def test_the_environment_plays():
    assert run_example("environment").count("centers\n") == 7


@pytest.mark.long
def test_the_program_that_learns_a_value_meets_dumbbot(monkeypatch):
    short = {"generations": 2, "games": 2, "trials": 7, "rounds": 3, "cores": 1}
    options = [part for name, number in short.items() for part in (f"--{name}", str(number))]
    monkeypatch.setattr("sys.argv", ["linear_value.py", *options])
    lines = run_example("linear_value").splitlines()
    assert re.fullmatch(r"learned in \d+ s", lines[0])
    rows = [re.fullmatch(r"(\D+) +7 +0\.\d{3} ± 0\.\d{3}", line) for line in lines[2:4]]
    assert [row.group(1).strip() for row in rows] == ["random orders", "linear value"]
