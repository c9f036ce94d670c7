"""Measure live streams on a real server: `python benchmarks/press/live.py`.

One server process has `--streams` open, each for a different person. The script prints the memory
for each stream, and the processor time while nothing happens. Then `--talkers` of the people write
to their partners for `--seconds`, one message each in `--pause` seconds, as browsers do: a stream
says that something has changed, and the page fetches the news and marks it as read. The script
prints the time from the request that sends a message to the response that brings its text to the
reader, and exits with 1 if a limit is missed. The database is a SQLite file, or
DIPLOMACCLOUD_CHECKS_DATABASE:

    scripts/servers.py postgresql .venv/bin/python benchmarks/press/live.py
"""

import argparse
import asyncio
import os
import random
import re
import secrets
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlencode

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "judge" / "src"), str(ROOT / "src"), str(ROOT)]

from benchmarks.fresh import fresh_site  # noqa: E402
from benchmarks.real_server import CSRF, log_in, serve  # noqa: E402

MAX_KB = 40
MAX_SECONDS = 1.5
SEATS = 7
WARM_STREAMS = 100
WARM_SECONDS = 10
AT_ONCE = 20
"""The number of streams that are opened at the same time."""


def main() -> None:
    """Create people and games, start the server, and measure."""
    parser = argparse.ArgumentParser(description="Measure live streams on a real server.")
    parser.add_argument("--streams", type=int, default=1000)
    parser.add_argument("--talkers", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--pause", type=float, default=40)
    parser.add_argument("--workers", type=int, default=1, help="processes of the server")
    options = parser.parse_args()
    with fresh_site(os.environ.get("DIPLOMACCLOUD_CHECKS_DATABASE", "")):
        people = make_people(options.streams, options.talkers)
        with serve(options.workers) as server:
            figures = asyncio.run(measure(server, people, options))
    missed = [
        *(["memory"] if figures.kilobytes >= MAX_KB else []),
        *(["sent to seen"] if figures.p95 >= MAX_SECONDS else []),
    ]
    sys.exit("missed: " + ", ".join(missed) if missed else 0)


@dataclass(frozen=True, slots=True)
class Figures:
    """Memory of a stream, seconds from sending to seeing, and processor time for a message."""

    kilobytes: float
    median: float
    p95: float
    message_ms: float


class Person:
    """A person with a browser: a cookie, the game to follow, and the partner to write to."""

    def __init__(self, cookie: str, slug: str, power: str = "") -> None:
        self.cookie, self.slug, self.power = cookie, slug, power
        self.partner: Person | None = None
        self.shown = 0
        self.waiting: dict[str, float] = {}
        self.changed = asyncio.Event()


def make_people(count, talkers):
    """Return people who are logged in; the first ones write in pairs, the others watch."""
    from django.utils import timezone
    from tests.games.large_games import begin

    from diplomaccloud.accounts.models import User
    from diplomaccloud.games.table.models import Game, Seat

    users = User.objects.bulk_create(
        User(username=f"person{number}", password="!") for number in range(count)
    )
    users = list(User.objects.filter(pk__gte=min(user.pk for user in users)).order_by("pk"))
    cookies = [log_in(user) for user in users]
    people, slugs = [], []
    for start in range(0, talkers, SEATS - 1):
        seated = users[start : start + SEATS - 1]
        game = begin([user.pk for user in seated], start + 1, now=timezone.now(), bot="hold")
        # Addresses of games have no digits.
        slug = f"{start:010d}".translate(str.maketrans("0123456789", "abcdefghij"))
        Game.objects.filter(pk=game.pk).update(slug=slug)
        slugs.append(slug)
        seats = Seat.objects.filter(game=game, user__in=seated)
        powers = {seat.user_id: seat.power for seat in seats}
        talking = [
            Person(cookies[start + place], slug, powers[user.pk])
            for place, user in enumerate(seated)
        ]
        for first, second in zip(talking[::2], talking[1::2], strict=False):
            first.partner, second.partner = second, first
        people += talking
    watchers = enumerate(cookies[len(people) :])
    return people + [Person(cookie, slugs[number % len(slugs)]) for number, cookie in watchers]


async def measure(server, people, options):
    """Print the measurements and return those that can be compared."""
    await asyncio.gather(*(ask(server, person, "GET", "/messages/") for person in people[:10]))
    await close(await open_streams(server, people[:WARM_STREAMS]))
    await asyncio.sleep(3)
    before = server.read_memory()
    streams = await open_streams(server, people)
    await asyncio.sleep(5)
    used = server.read_cpu()
    await asyncio.sleep(10)
    idle = (server.read_cpu() - used) / 10
    each = (server.read_memory() - before) / len(people)
    print(f"{len(people)} streams: {each:.1f} kB each, {idle:.0%} of a processor", flush=True)
    talkers = people[: options.talkers]
    times, busy = await talk(server, talkers, options.seconds, options.pause)
    await close(streams)
    times.sort()
    median, p95 = times[len(times) // 2], times[int(len(times) * 0.95)]
    print(f"{len(times)} messages by {options.talkers} people in {options.seconds:.0f} s:")
    print(f"sent to seen: median {median:.2f} s, p95 {p95:.2f} s, slowest {times[-1]:.2f} s")
    print(f"the server used {busy:.0%} of a processor")
    spent = 1000 * busy * options.seconds / len(times)
    return Figures(each, median, p95, spent)


async def open_streams(server, people):
    """Return the tasks and writers of one open stream for each person."""
    streams, gate = [], asyncio.Semaphore(AT_ONCE)

    async def open_one(person):
        async with gate:
            reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
            writer.write(head("GET", f"/live/games/{person.slug}", person))
            status = await reader.readline()
            assert b" 200 " in status, status
            task = asyncio.create_task(listen(person, reader))
            streams.append((task, writer))

    await asyncio.gather(*map(open_one, people))
    return streams


async def listen(person, reader):
    """Record the stream's events."""
    while line := await reader.readline():
        if line.startswith(b"event: changed"):
            person.changed.set()


async def close(streams):
    """Close the streams."""
    for task, writer in streams:
        task.cancel()
        writer.close()
    await asyncio.sleep(1)


async def talk(server, people, seconds, pause):
    """Return the time from sending to seeing for each message, and the server's load."""
    times: list[float] = []
    readers = [asyncio.create_task(read(server, person, times)) for person in people]
    # Each stream starts by saying that its page may be outdated; real people don't all come at
    # once.
    await asyncio.sleep(WARM_SECONDS)
    used, end = server.read_cpu(), time.monotonic() + seconds
    await asyncio.gather(*(write(server, person, end, pause) for person in people))
    busy = (server.read_cpu() - used) / seconds
    await asyncio.sleep(3)
    for reader in readers:
        reader.cancel()
    lost = sum(len(person.waiting) for person in people)
    assert not lost, f"{lost} messages were not seen"
    return times, busy


async def write(server, person, end, pause):
    """Send a message to the partner now and then."""
    rng = random.Random(person.cookie)
    await asyncio.sleep(rng.uniform(0, pause))
    while person.partner is not None and time.monotonic() < end:
        word = secrets.token_hex(8)
        form = {"to": person.partner.power, "mode": "apart", "body": f"Word {word}."}
        person.partner.waiting[word] = time.monotonic()
        url = f"/games/{person.slug}/press/send/"
        answer = await ask(server, person, "POST", url, {**form, "key": secrets.token_hex(16)})
        assert b'"sent"' in answer, answer[:300]
        await asyncio.sleep(rng.uniform(0.5, 1.5) * pause)


async def read(server, person, times):
    """Fetch the news whenever the stream says so, and mark it as read, as the page does."""
    while person.partner is not None:
        await person.changed.wait()
        person.changed.clear()
        url = f"/games/{person.slug}/press/{person.partner.power}/"
        page = (await ask(server, person, "GET", f"{url}?after={person.shown}")).decode()
        now = time.monotonic()
        words = [word for word in re.findall(r"Word (\w+)\.", page) if word in person.waiting]
        times += [now - person.waiting.pop(word) for word in words]
        if last := re.search(r'data-last="(\d+)"', page):
            person.shown = max(person.shown, int(last[1]))
        if words:
            await ask(server, person, "POST", f"{url}read/", {"up_to": person.shown})


async def ask(server, person, method, url, form=None):
    """Return the response to one request."""
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    body = urlencode(form or {}).encode()
    more = {"HX-Request": "true", "Connection": "close"}
    if form is not None:
        more = {
            "Accept": "application/json",
            "Connection": "close",
            "Content-Type": "application/x-www-form-urlencoded",
            "Content-Length": str(len(body)),
            "X-CSRFToken": CSRF,
        }
    writer.write(head(method, url, person, more) + body)
    answer = await reader.read()
    writer.close()
    return answer


def head(method, url, person, more=None):
    """Return the first lines of a request."""
    headers = {"Host": "127.0.0.1", "Cookie": person.cookie, **(more or {})}
    lines = [f"{method} {url} HTTP/1.1", *(f"{name}: {text}" for name, text in headers.items())]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


if __name__ == "__main__":
    main()
