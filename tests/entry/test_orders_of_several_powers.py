"""Orders of a player of several powers."""

import pytest

from diplomaccloud.entry.orders import compose_rejected_text, read_orders
from diplomaccloud.judge.board import Power
from diplomaccloud.judge.orders import power_of
from diplomaccloud.judge.phases import Phase
from diplomaccloud.judge.position import Position
from diplomaccloud.setups import setups

SETUP = setups()["2000-4"]
BOTH = (Power("AUSTRIA"), Power("FRANCE"))
OWED = Position(
    Phase.parse("W1901A"),
    tuple(one for one in SETUP.position.units if one.power not in BOTH),
    SETUP.position.centers,
)


def read(position, *lines, sheet=""):
    return read_orders(SETUP.board, position, BOTH, choices=lines, text=sheet)


@pytest.mark.parametrize("line", ["A VIE - GAL", "A PAR - BUR", "F BRE H"])
def test_either_power_s_units_are_ordered(line):
    (order,) = read(SETUP.position, line).orders
    assert str(order) == line


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("A BER - KIE", "not yours"),
        ("A PAR - NOWHERE", "not a province"),
        ("A VIE - PAR", "does not border"),
    ],
)
def test_a_refusal_says_why(line, words):
    (problem,) = read(SETUP.position, line).problems
    assert words in problem.message.casefold()


def test_waives_are_distributed_among_powers():
    reading = read(OWED, *["WAIVE"] * 6)
    assert [power_of(order) for order in reading.orders] == [BOTH[0]] * 3 + [BOTH[1]] * 3
    assert read(OWED, *["WAIVE"] * 7).problems


def test_each_power_builds_at_home():
    reading = read(OWED, "A VIE B", "A PAR B", "F BRE B")
    assert [power_of(order) for order in reading.orders] == ["AUSTRIA", "FRANCE", "FRANCE"]


SHEETS = {
    "one behind the other": "A VIE - GAL A PAR - BUR F TRI H",
    "under their names": "France:\nA PAR - BUR\nAustria\nA VIE - GAL\nF stands",
    "a table": "| Austria: | A Vie-Gal, F Tri H |\n| France: | A Par-Bur |",
}


@pytest.mark.parametrize("sheet", SHEETS.values(), ids=SHEETS)
def test_a_sheet_for_both(sheet):
    reading = read(SETUP.position, sheet=sheet)
    assert reading.problems == ()
    assert {str(order): power_of(order) for order in reading.orders} == {
        "A VIE - GAL": "AUSTRIA",
        "F TRI H": "AUSTRIA",
        "A PAR - BUR": "FRANCE",
    }


def test_a_waive_under_a_name_is_that_power_s():
    reading = read(OWED, sheet="France: WAIVE; A PAR B\nGermany: A BER B")
    assert [power_of(order) for order in reading.orders] == ["FRANCE", "FRANCE"]
    (problem,) = reading.problems
    assert problem.message == "These are orders for Germany, not for you."
    assert compose_rejected_text(reading.problems)[0] == "Germany:\nA BER B"
