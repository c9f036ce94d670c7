"""The press options: games from before they existed, and invalid combinations."""

import datetime as dt
from dataclasses import replace

import pytest

from diplomaccloud.games.creation.actions import plan_faults
from diplomaccloud.games.creation.presets import GAME_PRESETS
from diplomaccloud.games.table.options import Master, Options, Press, Successor, Talk
from diplomaccloud.judge.codec import CodecError
from diplomaccloud.schedule import PRESETS

MINUTE = dt.timedelta(minutes=1)
LIVE, DAILY = PRESETS["live"].schedule, PRESETS["daily"].schedule


def test_options_from_before_there_was_press_have_the_defaults():
    stored = Options(DAILY).to_json()
    del stored["talk"]
    assert Options.from_json(stored) == Options(DAILY)


def test_options_are_read_as_they_were_written():
    talk = Talk(
        gray=True,
        writing=5 * MINUTE,
        silent=True,
        successor=Successor.BLANK,
        master_reads=True,
    )
    options = Options(DAILY, press=Press.RULEBOOK, talk=talk)
    assert Options.from_json(options.to_json()) == options


@pytest.mark.parametrize(
    ("member", "value"), [("gray", 1), ("writing", -1), ("writing", 9999), ("successor", "x")]
)
def test_damaged_options_are_named(member, value):
    stored = Options(DAILY).to_json()
    stored["talk"][member] = value
    with pytest.raises(CodecError, match=f"talk.{member}"):
        Options.from_json(stored)


def test_the_preset_of_the_table_has_the_quiet_time_of_the_rulebook():
    writing = {key: preset.options.talk.writing for key, preset in GAME_PRESETS.items()}
    assert {key: span for key, span in writing.items() if span} == {"table": 5 * MINUTE}


FAULTS = {
    "gray messages in short phases": (LIVE, Press.FULL, Talk(gray=True), "gray"),
    "gray messages without press": (DAILY, Press.NONE, Talk(gray=True), "gray"),
    "a look without press": (DAILY, Press.NONE, Talk(master_reads=True), "master_reads"),
    "a look of the site": (DAILY, Press.FULL, Talk(master_reads=True), "master_reads"),
    "quiet time with full press": (DAILY, Press.FULL, Talk(writing=5 * MINUTE), "writing"),
    "quiet time as long as the phase": (LIVE, Press.RULEBOOK, Talk(writing=60 * MINUTE), "writing"),
}


@pytest.mark.parametrize(("schedule", "press", "talk", "part"), FAULTS.values(), ids=FAULTS)
def test_options_that_make_no_sense_together(plan, now, schedule, press, talk, part):
    options = replace(plan.options, schedule=schedule, press=press, talk=talk)
    assert [fault.part for fault in plan_faults(replace(plan, options=options), now=now)] == [part]


@pytest.mark.parametrize("press", [Press.FULL, Press.PUBLIC, Press.RULEBOOK])
def test_options_that_make_sense(plan, now, press):
    writing = 5 * MINUTE if press is Press.RULEBOOK else dt.timedelta()
    options = replace(
        plan.options, schedule=DAILY, press=press, talk=Talk(gray=True, writing=writing)
    )
    assert plan_faults(replace(plan, options=options), now=now) == ()


@pytest.mark.parametrize("master", Master)
def test_only_a_game_master_who_does_not_play_may_read_messages(plan, now, master):
    options = replace(plan.options, schedule=DAILY, master=master, talk=Talk(master_reads=True))
    faults = plan_faults(replace(plan, options=options), now=now)
    expected = [] if master is Master.CREATOR else ["master_reads"]
    assert [fault.part for fault in faults] == expected
