"""Bodies are read before a thread is taken, threads are shared, answers are made as a whole."""

import asyncio
import threading

import pytest
from judge.tests.effort import PATIENCE
from tests.project.test_admission import make_scope

from diplomaccloud.project import threads
from diplomaccloud.project.admission import Refusal
from diplomaccloud.project.threads import FairThreads, Pages


def make_form(length, **changes):
    scope = make_scope(content_length=str(length))
    more = {"method": "POST", "query_string": b"", "server": ("localhost", 80), "scheme": "http"}
    return scope | more | changes


def echo(environ, start_response):
    """Answer with the body of the request."""
    start_response("200 OK", [("Content-Type", "text/plain")])
    return [environ["wsgi.input"].read()]


async def ask(pages, scope, *parts, gone=False):
    """Return the messages that answer a request whose body comes in parts."""
    coming = [{"type": "http.request", "body": part, "more_body": True} for part in parts]
    if coming and not gone:
        coming[-1]["more_body"] = False
    sent, left = [], iter(coming)

    async def receive():
        if (message := next(left, None)) is not None:
            return message
        if gone:
            return {"type": "http.disconnect"}
        await asyncio.Event().wait()  # nothing more comes
        return None

    async def send(message):
        sent.append(message)

    await pages(scope, receive, send)
    return sent


def test_a_body_reaches_the_page_as_a_whole():
    start, end = asyncio.run(ask(Pages(echo), make_form(6), b"abc", b"def"))
    assert (start["status"], end["body"], end["more_body"]) == (200, b"abcdef", False)


def test_a_body_that_stops_is_refused_without_a_thread(monkeypatch):
    monkeypatch.setattr(threads, "GRACE_SECONDS", 0.05)
    pages = Pages(lambda *_: pytest.fail("a thread was taken"))
    message = {"type": "http.request", "body": b"a", "more_body": True}

    async def run():
        first = iter([message])

        async def receive():
            if (found := next(first, None)) is not None:
                return found
            await asyncio.Event().wait()
            return None

        await pages(make_form(1000), receive, None)

    with pytest.raises(Refusal, match="too slowly") as refusal:
        asyncio.run(run())
    assert refusal.value.status == 408
    assert not pages._bodies._held


def test_a_body_that_breaks_off_is_refused():
    with pytest.raises(Refusal) as refusal:
        asyncio.run(ask(Pages(echo), make_form(6), b"abc", gone=True))
    assert refusal.value.status == 400


@pytest.mark.parametrize("length", [10**7, 10**16, "abc", "5,5", "-1", ""])
def test_a_body_that_the_page_refuses_is_not_read(length):
    _, end = asyncio.run(ask(Pages(echo), make_form(length)))
    assert end["body"] == b""


def test_what_is_read_at_the_same_time_is_bounded(monkeypatch):
    monkeypatch.setattr(threads, "MOST_BYTES", 300)
    monkeypatch.setattr(threads, "MOST_BYTES_FOR_ONE", 200)
    reader = threads.BodyReader()
    with reader.room_for(make_form(150)):
        with pytest.raises(Refusal) as refusal:
            reader.room_for(make_form(100)).__enter__()
        assert refusal.value.status == 429
        other = make_form(150, client=("192.0.2.2", 1))
        with reader.room_for(other), pytest.raises(Refusal) as refusal:
            reader.room_for(make_form(1, client=("192.0.2.3", 1))).__enter__()
        assert refusal.value.status == 503
    assert not reader._held


def test_long_bodies_leave_room_for_short_ones(monkeypatch):
    monkeypatch.setattr(threads, "MOST_BYTES", 300)
    monkeypatch.setattr(threads, "MOST_BYTES_OF_LONG", 200)
    monkeypatch.setattr(threads, "SHORT_BYTES", 20)
    reader = threads.BodyReader()
    with reader.room_for(make_form(190)):
        with pytest.raises(Refusal) as refusal:
            reader.room_for(make_form(20, client=("192.0.2.2", 1))).__enter__()
        assert refusal.value.status == 503
        with reader.room_for(make_form(19, client=("192.0.2.2", 1))):
            pass


def test_a_body_that_is_longer_than_it_said_is_not_kept():
    with pytest.raises(Refusal, match="longer") as refusal:
        asyncio.run(ask(Pages(echo), make_form(6), b"abc", b"defg", b"h"))
    assert refusal.value.status == 400


def test_a_long_answer_waits_in_a_file(monkeypatch):
    monkeypatch.setattr(threads, "MEMORY_BYTES", 100_000)
    parts = [bytes([number]) * 50_000 for number in range(5)]
    closed = []

    class Body(list):
        def close(self):
            closed.append(True)

    def download(_environ, start_response):
        start_response("200 OK", [])
        return Body(parts)

    _, *sent = asyncio.run(ask(Pages(download), make_form(0)))
    assert b"".join(message["body"] for message in sent) == b"".join(parts)
    assert [message["more_body"] for message in sent] == [True] * (len(sent) - 1) + [False]
    assert closed == [True]


@pytest.mark.parametrize(("most", "most_for_one", "status"), [(25, 99, 503), (99, 25, 429)])
def test_slow_readers_do_not_fill_the_disk(monkeypatch, most, most_for_one, status):
    monkeypatch.setattr(threads, "MEMORY_BYTES", 5)
    monkeypatch.setattr(threads, "MOST_FILE_BYTES", most)
    monkeypatch.setattr(threads, "MOST_FILE_BYTES_FOR_ONE", most_for_one)

    async def run():
        pages, reading, go_on = Pages(echo), asyncio.Semaphore(0), asyncio.Event()

        async def send(_message):
            reading.release()
            await go_on.wait()

        async def read_slowly(length):
            async def receive():
                return {"type": "http.request", "body": b"x" * length, "more_body": False}

            await pages(make_form(length), receive, send)

        slow = []
        for _ in range(2):
            slow.append(asyncio.create_task(read_slowly(10)))
            await asyncio.wait_for(reading.acquire(), PATIENCE)
        with pytest.raises(Refusal) as refusal:
            await asyncio.wait_for(read_slowly(6), PATIENCE)
        assert refusal.value.status == status
        short = asyncio.create_task(read_slowly(5))
        await asyncio.wait_for(reading.acquire(), PATIENCE)
        slow[0].cancel()
        go_on.set()
        await asyncio.gather(*slow, short, return_exceptions=True)
        assert not pages._files._held
        await read_slowly(30)  # longer than allowed, but alone

    asyncio.run(run())


def test_a_thread_is_free_before_the_answer_is_read():
    async def run():
        pages = Pages(echo)
        stuck = asyncio.Event()

        async def send(_message):
            await stuck.wait()

        async def receive():
            return {"type": "http.request", "body": b"", "more_body": False}

        slow = [asyncio.create_task(pages(make_form(0), receive, send)) for _ in range(20)]
        await asyncio.wait_for(ask(pages, make_form(0)), PATIENCE)
        stuck.set()
        await asyncio.gather(*slow)

    asyncio.run(run())


def test_an_address_never_has_all_threads_and_addresses_take_turns():
    async def run():
        fair, order, go_on = FairThreads(3, 2), [], threading.Event()

        def work(name):
            go_on.wait(PATIENCE)
            order.append(name)

        async def ask_for(address, number):
            await fair.run(address, work, f"{address}{number}")

        tasks = [asyncio.create_task(ask_for("a", number)) for number in range(6)]
        await asyncio.sleep(0)
        assert fair._free == 1
        tasks += [asyncio.create_task(ask_for("b", number)) for number in range(3)]
        await asyncio.sleep(0)
        assert fair._free == 0
        tasks[5].cancel()
        go_on.set()
        done = await asyncio.gather(*tasks, return_exceptions=True)
        assert sum(isinstance(one, BaseException) for one in done) == 1
        assert (fair._free, dict(fair._running), dict(fair._waiting)) == (3, {}, {})
        return order

    order = asyncio.run(run())
    assert sorted(order) == ["a0", "a1", "a2", "a3", "a4", "b0", "b1", "b2"]
    assert order.index("b1") < order.index("a4")


def test_too_many_who_wait_are_refused(monkeypatch):
    monkeypatch.setattr(threads, "MOST_WAITING", 0)

    async def run():
        fair, go_on = FairThreads(1, 1), threading.Event()
        first = asyncio.create_task(fair.run("a", go_on.wait, PATIENCE))
        await asyncio.sleep(0)
        try:
            await fair.run("b", go_on.wait, PATIENCE)
        finally:
            go_on.set()
            await first

    with pytest.raises(Refusal) as refusal:
        asyncio.run(run())
    assert refusal.value.status == 503


def test_a_flood_from_an_address_leaves_room_for_others_to_wait(monkeypatch):
    monkeypatch.setattr(threads, "MOST_WAITING", 5)
    served = []

    async def run():
        fair, go_on = FairThreads(1, 1), threading.Event()

        async def ask(who, number):
            try:
                await fair.run(who, go_on.wait, PATIENCE)
            except Refusal as refusal:
                return refusal.status
            served.append((who, number))
            return 200

        asked = []
        for number in range(9):
            asked.append(asyncio.create_task(ask("flood", number)))
        await asyncio.sleep(0)
        for number in range(3):
            asked.append(asyncio.create_task(ask("visitor", number)))
        await asyncio.sleep(0)
        go_on.set()
        return await asyncio.gather(*asked)

    # One is served, five wait, and the last of these make room, until both have as many.
    assert asyncio.run(run()) == [200] * 4 + [503] * 5 + [200, 200, 503]
    assert served[:3] == [("flood", 0), ("flood", 1), ("visitor", 0)]


def test_who_is_refused_while_waiting_holds_no_thread(monkeypatch):
    monkeypatch.setattr(threads, "MOST_WAITING", 2)

    async def run():
        fair, go_on = FairThreads(1, 1), threading.Event()
        flood = [asyncio.create_task(fair.run("flood", go_on.wait, PATIENCE)) for _ in range(3)]
        await asyncio.sleep(0)
        visitor = asyncio.create_task(fair.run("visitor", go_on.wait, PATIENCE))
        await asyncio.sleep(0)
        flood[1].cancel()
        flood[2].cancel()
        go_on.set()
        await asyncio.gather(flood[0], visitor)
        await asyncio.gather(*flood, return_exceptions=True)
        return await fair.run("flood", str, 1)

    assert asyncio.run(asyncio.wait_for(run(), PATIENCE)) == "1"
