"""Honest records pass; what they prove, and what they cannot prove."""

import pytest
from tests.record.forgery import KEYS, verify
from tests.record.honest_games import (
    Table,
    coin_game,
    eventful_game,
    hesitant_game,
    hidden_game,
)


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
