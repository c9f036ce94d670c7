"""The pages of games over HTTP, as players, watchers and visitors load them."""

import argparse
import itertools
from collections.abc import Iterator

from benchmarks.real_server import log_in
from benchmarks.served_pages import Page, Served, measure_served
from django.utils import timezone

from diplomaccloud.accounts.models import User
from scenes import PAST, UNITS, make_game, make_people


def measure_pages(options: argparse.Namespace) -> dict[str, Served]:
    """Return the fastest of `options.rounds` for each page."""
    people = make_people()
    player = log_in(User.objects.get(pk=people[0]))
    chosen = (page for page in _list_pages(people, player) if options.only in page.name)
    return measure_served(player, chosen, options.rounds)


def _list_pages(people: list[int], player: str) -> Iterator[Page]:
    watcher = log_in(User.objects.create(username="watcher"))
    now = timezone.now()
    for units, past in itertools.product(UNITS, PAST):
        address = f"/games/{make_game(people, units, past, now=now).slug}/"
        size = f"{units} units, {past} phases"
        for who, cookies in (("player", player), ("watcher", watcher), ("visitor", "")):
            yield Page(f"game page, {who}, {size}", _at(address), cookies)
    yield Page(f"phase page, {size}", _at(f"{address}phases/1/"), player)
    yield Page(f"statistics, {past} phases", _at(f"{address}statistics/"), player)
    for page, path in (("lobby", "/games/"), ("home", "/")):
        for who, cookies in (("player", player), ("visitor", "")):
            yield Page(f"{page}, {who}", _at(path), cookies)


def _at(path: str) -> Iterator[tuple[str, dict[str, object]]]:
    return itertools.repeat((path, {}))
