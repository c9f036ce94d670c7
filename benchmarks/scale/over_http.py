"""Processor time of a web server for each page, in multiples of that for an empty page."""

import argparse
import http.client
import itertools
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from http import HTTPStatus
from urllib.parse import urlencode

from benchmarks.real_server import CSRF, Server, log_in, serve
from large_site import BUSY, REGULAR, USUAL

from diplomaccloud.accounts.models import User
from diplomaccloud.games.table.models import Game

BATCH = 40
"""Requests between two looks at the server's processor time, which is counted in hundredths."""


_EMPTY = ("empty, visitor", "empty, player")
Request = tuple[str, dict[str, object]]
"""An address, and what is posted to it, if anything."""


@dataclass(frozen=True, slots=True)
class Page:
    """Requests for a page, with the cookies of the reader."""

    name: str
    requests: Iterator[Request]
    cookies: str = ""


@dataclass(frozen=True, slots=True)
class Served:
    """A page's processor time, also in multiples of both empty pages, and its size in bytes."""

    ms: float
    times_visitor: float
    times_player: float
    size: int


def measure_pages(options: argparse.Namespace) -> dict[str, Served]:
    """Return the fastest of `options.rounds` for each page; each round asks for all pages."""
    pages = [page for page in _list_pages() if page.name in _EMPTY or options.only in page.name]
    with serve(1, with_empty_pages=True) as server:
        # One connection for all: the server would close others while they wait for their turn.
        connection = http.client.HTTPConnection("127.0.0.1", server.port)
        asks = [_ask(connection, page) for page in pages]
        sizes = [ask() for ask in asks]
        rounds = [_time(server, asks) for _ in range(options.rounds)]
    fastest = [min(times) for times in zip(*rounds, strict=True)]
    return {
        page.name: Served(ms, ms / fastest[0], ms / fastest[1], size)
        for page, ms, size in zip(pages, fastest, sizes, strict=True)
    }


def _time(server: Server, asks: list[Callable[[], int]]) -> list[float]:
    times = []
    for ask in asks:
        before = server.read_cpu()
        for _ in range(BATCH):
            ask()
        times.append((server.read_cpu() - before) * 1000 / BATCH)
    return times


def _list_pages() -> Iterator[Page]:
    person = log_in(User.objects.get(pk=REGULAR))
    games = Game.objects.filter(seats__user=REGULAR, status="running").order_by("pk")
    named = {key: f"/people/person{key:06d}/" for key in (BUSY, USUAL, REGULAR)}
    yield Page(_EMPTY[0], _at("/empty/"))
    yield Page(_EMPTY[1], _at("/empty-for-person/"), person)
    for who, cookies in (("visitor", ""), ("player in ten games", person)):
        yield Page(f"home, {who}", _at("/"), cookies)
        yield Page(f"lobby, {who}", _at("/games/"), cookies)
        yield Page(f"leaderboard, {who}", _at("/ratings/"), cookies)
        yield Page(f"leaderboard's last page, {who}", _at("/ratings/full/?page=1000000"), cookies)
        yield Page(f"profile, {who}", _at(named[USUAL]), cookies)
        yield Page(f"profile of a busy person, {who}", _at(named[BUSY]), cookies)
        yield Page(f"game, {who}", _at(f"/games/{games[0].slug}/"), cookies)
    yield Page("own profile, player in ten games", _at(named[REGULAR]), person)
    half = len(games) // 2  # who is ready can no longer save
    yield Page("save of one order", _in_turn(games[:half], "orders/save", _hold), person)
    yield Page("ready", _in_turn(games[half:], "ready", lambda _: {"ready": 1}), person)


def _at(path: str) -> Iterator[Request]:
    return itertools.repeat((path, {}))


def _in_turn(
    games: Iterable[Game], act: str, choose: Callable[[Game], dict[str, object]]
) -> Iterator[Request]:
    """Act in one game after another, since nobody may save sixty times a minute in one."""
    posted = {"phase": 1, "csrfmiddlewaretoken": CSRF}
    return itertools.cycle(
        [(f"/games/{game.slug}/{act}/", posted | choose(game)) for game in games]
    )


def _hold(game: Game) -> dict[str, object]:
    """Let a unit of the player hold."""
    power = game.seats.get(user=REGULAR).power
    units = game.newest_phase().position.units
    return {"order": next(f"{unit} H" for unit in units if unit.power == power)}


def _ask(connection: http.client.HTTPConnection, page: Page) -> Callable[[], int]:
    """Return a function that asks for the page once, and returns how many bytes came back."""
    headers = {"Cookie": page.cookies, "Accept-Encoding": "gzip"}
    posting = headers | {"Content-Type": "application/x-www-form-urlencoded"}

    def ask() -> int:
        path, form = next(page.requests)
        if form:
            connection.request("POST", path, urlencode(form), posting)
        else:
            connection.request("GET", path, headers=headers)
        answer = connection.getresponse()
        content = answer.read()
        assert answer.status in (HTTPStatus.OK, HTTPStatus.SEE_OTHER), (path, answer.status)
        return len(content)

    return ask
