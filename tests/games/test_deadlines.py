import datetime as dt

import pytest

from diplomaccloud.games.deadlines import Lengths, due_at
from diplomaccloud.judge.phases import Stage

DAY, HOUR = dt.timedelta(days=1), dt.timedelta(hours=1)
LENGTHS = Lengths(movement=DAY, retreats=12 * HOUR, adjustments=6 * HOUR)
# The night before the clocks go forward in Europe.
EVE = dt.datetime(2030, 3, 30, 12, tzinfo=dt.UTC)


@pytest.mark.parametrize(
    ("stage", "people", "hours"),
    [
        pytest.param(Stage.MOVEMENT, True, 24, id="movement lasts its day, clocks or no clocks"),
        pytest.param(Stage.RETREATS, True, 12, id="retreats have their own length"),
        pytest.param(Stage.ADJUSTMENTS, True, 6, id="builds have their own length"),
        pytest.param(Stage.MOVEMENT, False, 0, id="nobody is waited for when only bots order"),
    ],
)
def test_a_phase_is_due_after_its_length(stage, people, hours):
    assert due_at(EVE, stage, LENGTHS, people=people) == EVE + hours * HOUR


@pytest.mark.parametrize("length", [dt.timedelta(seconds=59), dt.timedelta(days=31)])
def test_lengths_have_bounds(length):
    with pytest.raises(ValueError, match="between a minute and 30 days"):
        Lengths(movement=DAY, retreats=length, adjustments=DAY)
