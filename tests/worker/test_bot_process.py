"""The process in which bots look ahead: the same orders as here, and an end to searches."""

import pytest

from diplomaccloud.bots.seats import ask_bot
from diplomaccloud.judge.position import starting_position
from diplomaccloud.judge.rules import DEFAULT
from diplomaccloud.judge.standard.europe import standard_board
from diplomaccloud.maps.line_worker import WorkerSlow
from diplomaccloud.worker import bot_process
from diplomaccloud.worker.bot_process import BotProcess


@pytest.fixture
def process():
    process = BotProcess(60)
    yield process
    process.close()


def question(name, seed="1"):
    board = standard_board()
    asked = name, board, starting_position(board), "FRANCE"
    return asked, {"rules": DEFAULT, "seed": seed}


def test_a_bot_orders_there_what_it_orders_here(process):
    for name in ("level:1", "level:3:avenger", "greedy"):
        given, more = question(name)
        assert list(process.order(*given, **more)) == list(ask_bot(*given, **more))


def test_a_bot_that_fails_is_an_error_and_the_next_one_orders(process):
    given, more = question("no such bot")
    with pytest.raises(RuntimeError, match="no such bot"):
        process.order(*given, **more)
    given, more = question("greedy")
    assert process.order(*given, **more)


@pytest.mark.long
def test_a_search_that_runs_away_ends_and_the_next_bot_orders(process):
    given, more = question("search:1000000")
    with pytest.raises((WorkerSlow, OSError)):
        process.order(*given, **more)
    given, more = question("greedy")
    assert process.order(*given, **more)


def test_a_limit_of_the_service_stays(monkeypatch):
    limits = []
    monkeypatch.setattr(bot_process.resource, "getrlimit", lambda _: (3, 5))
    monkeypatch.setattr(bot_process.resource, "setrlimit", lambda _, pair: limits.append(pair))
    monkeypatch.setattr(bot_process, "CPU_SECONDS", 1_000)
    bot_process._limit_time()
    assert limits == [(5, 5)]
