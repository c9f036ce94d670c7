"""Each switch alone: positions in which only that switch changes the result.

A row gives what is looked at under each value of the switch; every other switch has its
default, or what the row sets for all values. `test_every_value_of_every_switch_has_a_row` keeps
the table whole.
"""

from collections.abc import Sequence
from dataclasses import fields, replace
from enum import Enum

import pytest
from judge.tests.switches import choosing, moves, sheets, writing
from judge.tests.switches.looking import Row

from diplomaccloud.judge.rules import DEFAULT, Removal, RuleSet

ROWS = [*moves.ROWS, *writing.ROWS, *choosing.ROWS, *sheets.ROWS]
YES_NO = (True, False)

SEEN = [pytest.param(row, value, id=f"{row} [{value}]") for row in ROWS for value in row.seen]


@pytest.mark.parametrize(("row", "value"), SEEN)
def test_a_switch_alone(row: Row, value: object) -> None:
    rules = replace(DEFAULT, **{**row.base, row.switch: value})  # type: ignore[arg-type]
    assert row.look(rules) == row.seen[value]


# Two wordings of one way to count; see docs/rules.md, 4.D.8.
ALIKE = {Removal.HOME_1971, Removal.HOME_2000}


def test_every_value_of_every_switch_has_a_row_and_makes_a_difference() -> None:
    for switch in fields(RuleSet):
        if switch.name == "name":
            continue
        default = getattr(DEFAULT, switch.name)
        values: Sequence[object] = YES_NO
        if isinstance(default, Enum):
            values = list(type(default))
        rows = [row for row in ROWS if row.switch == switch.name]
        seen = {value: [row.seen.get(value) for row in rows] for value in values}
        assert all(any(value in row.seen for row in rows) for value in values), switch.name
        for value in values:
            alike = [other for other in values if other != value and seen[other] == seen[value]]
            assert {value, *alike} in ({value}, ALIKE), (switch.name, value)
