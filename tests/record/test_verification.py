"""Honest records pass; what they prove, and what they cannot prove."""

import re
from itertools import pairwise

import pytest
from tests.record import honest_games
from tests.record.forgery import KEYS, verify
from tests.record.honest_games import (
    Table,
    coin_game,
    eventful_game,
    hesitant_game,
    hidden_game,
)

from diplomaccloud.bots.kernel import SLOW_KERNEL
from diplomaccloud.record import lines


@pytest.mark.parametrize("make", [eventful_game, hidden_game, coin_game, hesitant_game])
@pytest.mark.parametrize("reader", [None, 2])
def test_an_honest_record_passes(make, reader):
    table = make()
    head = table.chain()[-1].hash
    report = verify(table.record(reader=reader), heads=[head], keys=KEYS)
    assert [str(fault) for fault in report.faults] == []
    assert report.games == 1
    assert report.phases == len(table.played)
    assert report.checked["digests of sealed texts"]
    assert "whether the site used conditional orders correctly" in report.unchecked
    assert report.checked["order sets of bots"]
    assert report.checked["heads"] == 1


def test_a_bot_may_fail_and_give_no_orders(monkeypatch):
    monkeypatch.setattr(Table, "bot_orders", lambda *_: [])
    table = Table(bots={1: "greedy"})
    table.play(1)
    report = verify(table.record())
    assert [str(fault) for fault in report.faults] == []
    assert any("the bot 'greedy' really failed" in what for what in report.unchecked)


@pytest.mark.skipif(bool(SLOW_KERNEL), reason="replay then skips varied bots")
def test_a_bot_must_vary_after_a_rollback(monkeypatch):
    monkeypatch.setattr(honest_games, "vary", lambda bot: bot)
    faults = [str(fault) for fault in verify(eventful_game().record()).faults]
    assert len(faults) == 1
    assert re.fullmatch(r"line \d+: the orders of \w+ are not the ones of the bot .*", faults[0])


def test_bots_of_another_version_are_not_checked(monkeypatch):
    monkeypatch.setattr(honest_games, "vary", lambda bot: bot)
    monkeypatch.setattr(lines, "__version__", "0.2.0")
    report = verify(eventful_game().record())
    assert [str(fault) for fault in report.faults] == []
    assert any("'greedy' of version 0.2.0" in what for what in report.unchecked)


def delay_draw(table, place):
    """Take the draw and the first opening out of a game, and add the draw again at `place`."""
    start, draw, opened, *rest = table.bodies
    assert (draw["kind"], opened["kind"]) == ("draw", "open")
    rest.insert(place, {**draw, "late": True, "at": rest[place - 1]["at"]})
    table.bodies = [start, *rest]
    return table


@pytest.mark.long
@pytest.mark.parametrize("make", [eventful_game, coin_game])
def test_a_record_with_a_late_draw_is_proved_from_there(make):
    phases, reports = len(make().played), []
    for place in range(1, len(make().bodies) - 2):
        table = delay_draw(make(), place)
        report = verify(table.record(reader=2), keys=KEYS)
        assert [str(fault) for fault in report.faults] == [], place
        assert re.fullmatch(r"game \w+: not verifiable before line \d+", *report.late)
        reports.append(report)
    assert max(report.phases for report in reports) == phases - 1
    assert all(one.phases >= two.phases for one, two in pairwise(reports))
    assert all(report.checked["commitments"] for report in reports)


def test_what_follows_a_late_draw_is_checked():
    table = delay_draw(eventful_game(), 1)
    resolve = [body for body in table.bodies if body["kind"] == "resolve"][1]
    resolve["orders"] = {power: [] for power in resolve["orders"]}
    assert [fault.line for fault in verify(table.record()).faults] == [7]


def test_a_draw_that_never_comes_or_does_not_say_so_is_a_fault():
    table = eventful_game()
    del table.bodies[1]
    faults = [str(fault) for fault in verify(table.record()).faults]
    assert faults == ["line 2: the powers have not been drawn yet"]
    table = delay_draw(eventful_game(), 5)
    del table.bodies[6]["late"]
    assert [fault.line for fault in verify(table.record()).faults] == [7]


def reserved_table():
    """Return a game of the site whose first phase is open, with two powers that were not drawn."""
    table = Table("lagoon", reserved=("FRANCE", "AUSTRIA"))
    table.open()
    return table


def test_reserved_powers_are_not_drawn():
    assert [str(fault) for fault in verify(reserved_table().record()).faults] == []


@pytest.mark.parametrize(
    ("edit", "what"),
    [
        (lambda start, seats: start.update(reserved=["FRANCE"]), "AUSTRIA was not reserved"),
        (lambda start, seats: start.pop("reserved"), "FRANCE was not reserved"),
        (lambda start, seats: seats[6].pop("reserved"), "the draw gives seat"),
        (lambda start, seats: seats[0].update(reserved=True), "was not reserved"),
        (lambda start, seats: seats[5].update(powers=["AUSTRIA"]), "AUSTRIA was not reserved"),
    ],
)
def test_only_powers_of_the_first_line_can_go_to_seats_without_a_draw(edit, what):
    table = reserved_table()
    edit(table.bodies[0], table.bodies[1]["seats"])
    assert what in str(verify(table.record()).faults[0])
