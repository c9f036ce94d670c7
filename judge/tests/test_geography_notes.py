"""The notes on geography of document 3, as data."""

import tomllib
from typing import Any

import pytest
from judge.tests.cases import HERE, load_reaches
from judge.tests.shorthand import BOARD, order, play, position, standing, unit, words
from judge.tests.test_cases import test_reach as check_reach

from diplomaccloud.judge.adjudication import adjudicate
from diplomaccloud.judge.board import Location
from diplomaccloud.judge.notation import NotationError, parse_order
from diplomaccloud.judge.units import Unit

FOLDER = HERE / "geography"
NOTES: dict[str, list[dict[str, Any]]] = tomllib.loads(
    (FOLDER / "notes.toml").read_text(encoding="utf-8")
)


def rows(key: str) -> list[Any]:
    return [pytest.param(row, id=row["note"]) for row in NOTES[key]]


def moved(one: Unit, to: str) -> bool:
    return words(play(f"FRANCE: {one} - {to}"), str(one))[str(one)] == "moved"


@pytest.mark.parametrize("row", rows("path"))
def test_path(row: dict[str, Any]) -> None:
    here = unit(row["unit"], "FRANCE")
    for step in row["steps"]:
        assert moved(here, step)
        here = here.at(Location(step))
    assert not any(moved(here, place) for place in row.get("then_not", ()))


def test_kiel_has_one_coastline() -> None:
    for row in load_reaches(FOLDER):
        check_reach(row)


@pytest.mark.parametrize("row", rows("coastless"))
def test_a_coast_must_be_named(row: dict[str, Any]) -> None:
    start = position(f"FRANCE: {row['unit']} H")
    with pytest.raises(NotationError, match="coast"):
        parse_order(f"{row['unit']} - {row['to']}", BOARD, start, start.units[0].power)
    assert not moved(start.units[0], row["to"])


@pytest.mark.parametrize("row", rows("crowded"))
def test_a_fleet_on_one_coast_holds_the_whole_province(row: dict[str, Any]) -> None:
    done = play(f"RUSSIA: {row['holds']} H\nFRANCE: {row['comes']} - {row['to']}")
    assert standing(done) == sorted([f"RUSSIA {row['holds']}", f"FRANCE {row['comes']}"])


@pytest.mark.parametrize("row", rows("build"))
def test_a_build_names_the_coast(row: dict[str, Any]) -> None:
    power = row["power"]
    start = position(f"{power}: A UKR H", "W1901A", {power: "STP MOS"})
    counts = [
        len(adjudicate(BOARD, start, [order(text, power)]).next.units)
        for text in [row["order"], *row["works"]]
    ]
    assert counts == [1, *(2 for _ in row["works"])]
