"""Whole games over real sockets, and guests who behave badly."""

import asyncio
import contextlib
import random
from itertools import count

import pytest
from extras.daide.tests.sockets import HOST, Guest, make_course, make_player, run, serving, stop
from judge.tests.effort import examples

from diplomaccloud.atlas.generator.pipeline import make_chart
from diplomaccloud.daide import player as player_module
from diplomaccloud.daide.language import (
    RESERVED,
    STANDARD,
    FrameType,
    read_text,
    write_frame,
    write_initial,
    write_message,
)
from diplomaccloud.daide.network import play_on
from diplomaccloud.judge.standard.europe import standard_board


@pytest.mark.parametrize("clients", [1, 3, 7])
def test_our_clients_play_whole_games_on_our_server(clients):
    course = make_course(standard_board(), clients, until=1903 + 2 * examples.times, level=20)
    players = [make_player(bot) for bot in ("greedy", "dumbbot", "random") * 3][:clients]

    async def play():
        async with serving(course) as (port, task):
            await asyncio.gather(*(play_on(player, HOST, port) for player in players))
            await task

    run(play())
    assert course.play.ending is not None
    for player in players:
        assert player.ending == course.play.ending
        assert player.position.units == course.play.position.units
        assert player.position.centers == course.play.position.centers
        assert not player.refusal


def test_a_client_that_cannot_think_says_why_and_does_not_wait_for_ever(monkeypatch):
    def fail(*_):
        raise RuntimeError("no orders")

    monkeypatch.setattr(player_module, "_think", fail)
    player, course = make_player("hold"), make_course(standard_board(), 1)

    async def play():
        async with serving(course) as (port, _):
            await play_on(player, HOST, port)

    with pytest.raises(RuntimeError, match="no orders"):
        run(play())


LARGE = pytest.param("ten", 10, marks=pytest.mark.long)


@pytest.mark.parametrize(("seed", "powers"), [("atlantis", 7), ("two", 2), LARGE])
def test_our_clients_play_on_maps_that_they_do_not_know(seed, powers):
    course = make_course(make_chart(seed, powers).board, 2, until=1904)
    players = [make_player("greedy"), make_player("dumbbot")]

    async def play():
        async with serving(course) as (port, task):
            await asyncio.gather(*(play_on(player, HOST, port) for player in players))
            await task

    run(play())
    assert course.play.ending is not None
    for player in players:
        assert player.ending == course.play.ending
        assert len(player.position.units) == len(course.play.position.units)


FIRSTS = {
    "silence": (b"", "EM 1"),
    "a message": (write_message(read_text("OBS")), "EM 2"),
    "swapped bytes": (b"\0\0\4\0\1\0\x10\xda", "EM 3"),
    "another protocol": (b"GET / HTTP/1.1\r\n\r\n", "EM 2"),
    "another number": (write_frame(FrameType.INITIAL, b"\0\1\0\0"), "EM 4"),
    "another version": (write_frame(FrameType.INITIAL, b"\0\2\xda\x10"), "EM 5"),
}


@pytest.mark.parametrize(("first", "answer"), FIRSTS.values(), ids=FIRSTS)
def test_who_does_not_begin_well_hears_why_and_has_to_go(first, answer):
    async def play():
        async with serving(make_course(standard_board(), 1), initial_time=0.2) as (port, _):
            guest = await Guest.come(port, first)
            assert await guest.hear() == answer
            assert await guest.hear() == "end"

    run(play())


LATER = {
    "a second beginning": (write_initial(), "EM 6"),
    "a message without tokens": (write_frame(FrameType.DIPLOMACY), "EM 9"),
    "half a token": (write_frame(FrameType.DIPLOMACY, b"\x48"), "EM 9"),
    "names": (write_frame(FrameType.REPRESENTATION), "EM 13"),
    "an unknown type": (b"\x09\0\0\0", "EM 8"),
    "a reserved token": (write_frame(FrameType.DIPLOMACY, b"\x5f\0"), "EM 14"),
    "a farewell": (write_frame(FrameType.FINAL), "end"),
    "an error": (write_frame(FrameType.ERROR, b"\0\1"), "end"),
}


@pytest.mark.parametrize(("data", "answer"), LATER.values(), ids=LATER)
def test_who_breaks_the_protocol_hears_why_and_has_to_go(data, answer):
    async def play():
        async with serving(make_course(standard_board(), 1)) as (port, _):
            guest = await Guest.come(port)
            assert await guest.hear() == "RM"
            await guest.send(data)
            assert await guest.hear() == answer

    run(play())


def test_a_player_whose_connection_breaks_comes_back_and_plays_to_the_end():
    course = make_course(standard_board(), 2, until=1903)

    async def play():
        async with serving(course) as (port, task):
            ours = asyncio.create_task(play_on(make_player(), HOST, port))
            guest = await Guest.come(port)
            await guest.say("NME ('guest') ('1')")
            await guest.hear_until("MAP")
            await guest.say("YES (MAP ('standard'))")
            hello = await guest.hear_until("HLO")
            power, passcode = hello.split("(")[1][:3], hello.split("(")[2].split(")")[0]
            await guest.say("NOT (GOF)")
            await guest.hear_until("YES")
            twin = await Guest.come(port)
            await twin.say(f"IAM ({power}) ({passcode})")
            await twin.hear_until("REJ")
            guest.leave()
            again = await Guest.come(port)
            while True:
                await again.say(f"IAM ({power}) ({passcode})")
                answer = await again.hear_until(("YES", "REJ"))
                if answer.startswith("YES"):
                    break
                again.leave()
                again = await Guest.come(port)
            again.leave()
            await ours
            await task

    run(play())
    assert course.play.ending is not None


def test_ten_thousand_pieces_of_noise_do_not_stop_a_game():
    """In `scripts/long-trials`; the checks send a tenth."""
    rng = random.Random("noise")
    known = sorted(STANDARD.names)

    def make_noise():
        kind = rng.random()
        if kind < 0.02:
            return rng.randbytes(rng.randint(1, 80))
        tokens = [rng.choice(known) for _ in range(rng.randint(1, 20))]
        if kind < 0.3:
            tokens = [rng.randrange(0x10000) for _ in tokens]
            tokens = [token for token in tokens if token >> 8 not in RESERVED] or [0x4813]
        return write_message(tuple(tokens))

    course = make_course(standard_board(), 2, until=1902, level=30)
    received = count()
    receive = course.receive
    course.receive = lambda *said: (next(received), receive(*said))

    async def disturb(port, left):
        while left:
            guest = await Guest.come(port)
            reading = asyncio.create_task(guest.hear_until("nothing like that"))
            while left and not reading.done():
                left -= 1
                with contextlib.suppress(ConnectionError):
                    await guest.send(make_noise())
                await asyncio.sleep(0)
            await stop(reading)
            guest.leave()

    async def play():
        async with serving(course) as (port, task):
            ours = asyncio.create_task(play_on(make_player(), HOST, port))
            noisy = await Guest.come(port)
            await noisy.say("NME ('noisy') ('1')")
            await noisy.hear_until("MAP")
            await noisy.say("YES (MAP ('standard'))")
            await noisy.hear_until("NOW")
            await disturb(port, 1000 * examples.times)
            noisy.leave()
            await ours
            await task

    run(play())
    assert course.play.ending is not None
    assert next(received) > 200 * examples.times
