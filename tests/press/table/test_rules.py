"""Who may write when: the table of the rules, and finding the current moment of a game."""

import datetime as dt
from pathlib import Path

import pytest

from diplomaccloud.games.creation.forms import GameForm
from diplomaccloud.games.creation.page import PRESS
from diplomaccloud.games.table.options import Press
from diplomaccloud.judge.phases import Stage
from diplomaccloud.press.table.addresses import AddressKind
from diplomaccloud.press.table.rules import (
    TABLE,
    Moment,
    PressPhase,
    PressState,
    PressVerdict,
    Why,
    decide,
    find_state,
    last_quarter,
    publication_time,
)
from diplomaccloud.schedule import Deadline, DeadlineMove, MoveKind

ROOT = Path(__file__).parents[3]
YES, LATER, NEVER = PressVerdict.ALLOWED, PressVerdict.CLOSED, PressVerdict.ABSENT
OPEN, CLOSED, OVER, FORMING = Moment.OPEN, Moment.CLOSED, Moment.OVER, Moment.FORMING
MINUTE = dt.timedelta(minutes=1)
NOON = dt.datetime(2030, 1, 1, 12, tzinfo=dt.UTC)
WRITING = 5 * MINUTE

SPOKEN = {
    # rule: moment: seats, public, gray
    Press.FULL: {OPEN: (YES, YES, YES), CLOSED: (YES, YES, YES), OVER: (YES, YES, YES)},
    Press.PUBLIC: {OPEN: (NEVER, YES, YES), CLOSED: (NEVER, YES, YES), OVER: (YES, YES, YES)},
    Press.RULEBOOK: {OPEN: (YES, YES, YES), CLOSED: (LATER, LATER, LATER), OVER: (YES, YES, YES)},
    Press.NONE: {
        OPEN: (NEVER, NEVER, NEVER),
        CLOSED: (NEVER, NEVER, NEVER),
        OVER: (NEVER, YES, YES),
    },
}


def test_every_rule_has_a_row_a_choice_and_a_sentence():
    missing = [f"{rule}: table" for rule in Press if rule not in TABLE]
    chosen = dict(GameForm.base_fields["press"].choices)
    missing += [f"{rule}: choice" for rule in Press if rule.value not in chosen]
    missing += [f"{rule}: sentence" for rule in Press if rule not in PRESS]
    described = (ROOT / "docs" / "http-api.md").read_text("utf-8")
    (row,) = [line for line in described.splitlines() if line.startswith("| `press` | `full`")]
    missing += [f"{rule}: docs/http-api.md" for rule in Press if f"`{rule}`" not in row]
    assert not missing, missing


@pytest.mark.parametrize("moment", [OPEN, CLOSED, OVER])
@pytest.mark.parametrize("press", Press)
def test_the_table_of_who_may_speak(press, moment):
    state = PressState(moment, Why.QUIET)
    kinds = (AddressKind.SEATS, AddressKind.PUBLIC, AddressKind.GRAY)
    assert tuple(decide(press, kind, state)[0] for kind in kinds) == SPOKEN[press][moment]
    for kind in (AddressKind.NOTES, AddressKind.MASTER):
        assert decide(press, kind, state)[0] is YES
    assert decide(press, AddressKind.PREGAME, state) == (LATER, Why.STARTED)


@pytest.mark.parametrize("press", Press)
def test_before_countries_are_drawn_there_is_the_table(press):
    state = PressState(FORMING)
    allowed = {kind for kind in AddressKind if decide(press, kind, state)[0] is YES}
    assert allowed == {AddressKind.PREGAME, AddressKind.NOTES}


def move(kind, at, *, by=dt.timedelta(), old=NOON, new=NOON):
    return DeadlineMove(
        kind,
        f"{kind} {at}",
        at,
        by,
        Deadline(old, old, exact=False),
        Deadline(new, new, exact=False),
        "",
    )


def state(at, *moves, due=NOON, stage=Stage.MOVEMENT, closed=False, **more):
    phase = PressPhase(stage, Deadline(due, due, exact=False), closed, moves)
    facts = {"over": False, "suspended": False, "writing": WRITING} | more
    found = find_state(phase, at=at, **facts)
    return found.moment, found.why


LATER_DUE = NOON + 60 * MINUTE
MOMENTS = {
    "talk is open": (state(NOON - 6 * MINUTE), (OPEN, Why.NOTHING)),
    "quiet time starts to the second": (state(NOON - 5 * MINUTE), (CLOSED, Why.QUIET)),
    "a second before it": (state(NOON - WRITING - MINUTE / 60), (OPEN, Why.NOTHING)),
    "no quiet time": (state(NOON - MINUTE, writing=dt.timedelta()), (OPEN, Why.NOTHING)),
    "orders are due": (state(NOON), (CLOSED, Why.ORDERS_CLOSED)),
    "orders are locked": (state(NOON - 9 * MINUTE, closed=True), (CLOSED, Why.ORDERS_CLOSED)),
    "retreats": (state(NOON - 9 * MINUTE, stage=Stage.RETREATS), (CLOSED, Why.RETREATS)),
    "builds": (state(NOON - 9 * MINUTE, stage=Stage.ADJUSTMENTS), (CLOSED, Why.BUILDS)),
    "suspended": (state(NOON - 9 * MINUTE, suspended=True), (CLOSED, Why.SUSPENDED)),
    "over": (state(NOON - MINUTE, over=True), (OVER, Why.NOTHING)),
    "an extension reopens talk": (
        state(NOON - MINUTE, move(MoveKind.EXTENDED, NOON - 2 * MINUTE), due=LATER_DUE),
        (OPEN, Why.NOTHING),
    ),
    "grace does not reopen talk": (
        state(
            NOON + MINUTE,
            move(MoveKind.GRACE, NOON, new=LATER_DUE),
            due=LATER_DUE,
        ),
        (CLOSED, Why.QUIET),
    ),
    "talk that ended early stays ended after an extension": (
        state(NOON - 30 * MINUTE, move(MoveKind.TALKED, NOON - 40 * MINUTE), due=LATER_DUE),
        (CLOSED, Why.QUIET),
    ),
    "a pause": (
        state(NOON, move(MoveKind.PAUSED, NOON - MINUTE, by=30 * MINUTE), due=LATER_DUE),
        (CLOSED, Why.PAUSED),
    ),
    "a pause that has run out": (
        state(NOON + 30 * MINUTE, move(MoveKind.PAUSED, NOON, by=30 * MINUTE), due=LATER_DUE),
        (OPEN, Why.NOTHING),
    ),
    "a pause that was ended": (
        state(
            NOON + MINUTE,
            move(MoveKind.PAUSED, NOON - MINUTE, by=30 * MINUTE),
            move(MoveKind.RESUMED, NOON),
            due=LATER_DUE,
        ),
        (OPEN, Why.NOTHING),
    ),
}


@pytest.mark.parametrize(("found", "expected"), MOMENTS.values(), ids=MOMENTS)
def test_moments(found, expected):
    assert found == expected


def test_a_gray_message_appears_at_the_next_quarter_hour():
    assert publication_time(NOON) == publication_time(NOON + 14 * MINUTE) == NOON + 15 * MINUTE
    assert publication_time(NOON + 15 * MINUTE) == NOON + 30 * MINUTE
    assert last_quarter(NOON + 59 * MINUTE) == NOON + 45 * MINUTE
