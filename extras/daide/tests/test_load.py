"""Slow bots, and guests who request a lot and read nothing."""

import asyncio
import threading

from extras.daide.tests.sockets import HOST, Guest, join, make_course, make_player, run, serving
from judge.tests.effort import PATIENCE

from diplomaccloud.bots import BOTS
from diplomaccloud.daide.language import read_text, write_message
from diplomaccloud.daide.network import play_on
from diplomaccloud.daide.player import Player
from diplomaccloud.judge.standard.europe import standard_board


class SlowBot:
    """Thinks until it is released."""

    name = "slow"

    def __init__(self):
        self.asked, self.may_go_on = threading.Event(), threading.Event()

    def orders(self, *position):
        self.asked.set()
        self.may_go_on.wait(PATIENCE)
        return BOTS["hold"].orders(*position)


def test_clients_are_answered_while_bots_think():
    bot = SlowBot()
    course = make_course(standard_board(), 1, until=1901)
    course.bots = [bot]

    async def play():
        async with serving(course) as (port, _):
            try:
                guest = await join(port)
                await asyncio.to_thread(bot.asked.wait, 60)
                await guest.say("MAP")
                assert await guest.hear_until("MAP") == "MAP ('standard')"
                assert not bot.may_go_on.is_set()
            finally:
                bot.may_go_on.set()

    run(play())


def test_our_client_hears_the_server_while_its_bot_thinks():
    bot = SlowBot()
    course = make_course(standard_board(), 1, until=1901, movement_time=1)
    player = Player(bot, version="1", seed="1")

    async def play():
        async with serving(course) as (port, task):
            client = asyncio.create_task(play_on(player, HOST, port))
            try:
                await asyncio.to_thread(bot.asked.wait, 60)
                # The deadlines of two phases pass, and the server closes.
                await client
                await task
                assert not bot.may_go_on.is_set()
            finally:
                bot.may_go_on.set()

    run(play())
    assert player.ending is not None


def test_our_client_leaves_a_server_that_keeps_it_after_the_end(monkeypatch):
    monkeypatch.setattr("diplomaccloud.daide.network.LINGER", 0.1)
    course = make_course(standard_board(), 1, until=1901, linger=1000.0)
    player = make_player()

    async def play():
        async with serving(course) as (port, _):
            await play_on(player, HOST, port)

    run(play())
    assert player.ending is not None
    assert not player.is_over


def test_greedy_orders_take_the_place_of_those_of_a_bot_that_fails(caplog):
    class BrokenBot:
        name = "broken"

        def orders(self, *_):
            raise ZeroDivisionError

    course = make_course(standard_board(), 1, until=1901)
    course.bots = [BrokenBot()]

    async def play():
        async with serving(course) as (port, task):
            await play_on(make_player(), HOST, port)
            await task

    run(play())
    assert course.play.ending is not None
    assert "a bot failed in" in caplog.text


def test_who_asks_much_and_reads_nothing_is_not_served_before_it_reads():
    course = make_course(standard_board(), 1)
    received, receive = [], course.receive

    def answer_at_length(number, message, now):
        received.append(number)
        receive(number, message, now)
        if message == (0x4809,):
            course.room.send(course.room.visitors[number], (0x4B41,) * 30_000)

    course.receive = answer_at_length

    async def play():
        async with serving(course) as (port, _):
            greedy, other = await Guest.come(port), await Guest.come(port)
            await greedy.send(write_message(read_text("MAP")) * 5000)
            await other.say("HLO")
            assert await other.hear_until("REJ") == "REJ (HLO)"
            assert len(received) < 1000
            greedy.leave()

    run(play())


def test_a_connection_to_somebody_who_does_not_read_ends_with_the_game(monkeypatch):
    monkeypatch.setattr("diplomaccloud.daide.network.MAX_WAITING", 100_000_000)
    course = make_course(standard_board(), 1, until=1901)
    transports, connect = [], course.connect

    def watch(now):
        transports.append(asyncio.current_task().get_coro().cr_frame.f_locals["writer"])
        return connect(now)

    course.connect = watch

    async def play():
        async with serving(course) as (port, task):
            deaf = await Guest.come(port)
            await deaf.hear()
            (writer,) = transports
            writer.write(bytes(30_000_000))
            await play_on(make_player(), HOST, port)
            await task
            await asyncio.sleep(0)
            assert writer.transport.get_write_buffer_size() == 0
            deaf.leave()

    run(play())
