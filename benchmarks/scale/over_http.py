"""Processor time of a web server for each page, in multiples of that for an empty page."""

import argparse
import itertools
from collections.abc import Callable, Iterable, Iterator

from benchmarks.real_server import CSRF, log_in
from benchmarks.served_pages import Page, Request, Served, measure_served
from large_site import BUSY, REGULAR, USUAL

from diplomaccloud.accounts.models import User
from diplomaccloud.games.table.models import Game


def measure_pages(options: argparse.Namespace) -> dict[str, Served]:
    """Return the fastest of `options.rounds` for each page."""
    person = log_in(User.objects.get(pk=REGULAR))
    chosen = (page for page in _list_pages(person) if options.only in page.name)
    return measure_served(person, chosen, options.rounds)


def _list_pages(person: str) -> Iterator[Page]:
    games = Game.objects.filter(seats__user=REGULAR, status="running").order_by("pk")
    named = {key: f"/people/person{key:06d}/" for key in (BUSY, USUAL, REGULAR)}
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
