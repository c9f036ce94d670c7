"""The games to measure, and the pages and actions measured on them."""

import datetime as dt
import itertools
from collections.abc import Iterator

from django.http import HttpResponse
from django.test import Client
from django.utils import timezone
from figures import EMPTY, EMPTY_FOR_PERSON, Line
from tests.games.large_games import begin, crowd, lengthen, write

from diplomaccloud.accounts.models import User
from diplomaccloud.games.bots.actions import move_bots
from diplomaccloud.games.orders.actions import save_orders, set_ready
from diplomaccloud.games.table.models import Game, Seat
from diplomaccloud.games.turn.claims import claim_phase
from diplomaccloud.games.turn.turn import process_phase

PEOPLE = 7
PAST = (1, 20, 80)
UNITS = (22, 34)
NUMBERS = itertools.count(1)


def make_people() -> list[int]:
    """Return the keys of people for all seats of a game."""
    return [User.objects.create(username=f"person{seat}").pk for seat in range(PEOPLE)]


def make_game(people: list[int], units: int, past: int, *, now: dt.datetime) -> Game:
    """Return a game with an order for each unit, after `past` phases."""
    game: Game = begin(people, next(NUMBERS), now=now)
    crowd(game, units)
    write(game, Seat.objects.filter(game=game), now=now)
    lengthen(game, past)
    return game


def lines(rounds: int) -> Iterator[Line]:
    """Yield everything to measure, the empty view first."""
    from django.conf import settings

    settings.ROOT_URLCONF = "benchmarks.empty_pages"
    now = timezone.now()
    people = make_people()
    watcher = User.objects.create(username="watcher")
    visitor, player = Client(SERVER_NAME="localhost"), _client(people[0])
    yield _visit(EMPTY, visitor, "/empty/", rounds * 4)
    yield _visit(EMPTY_FOR_PERSON, player, "/empty-for-person/", rounds * 4)
    yield from _pages(people, watcher, rounds, now)
    yield from _actions(people, rounds, now)
    yield from _turns(people, rounds, now)
    while Game.objects.count() < 50:
        begin(people, next(NUMBERS), now=now)
    newcomer = User.objects.create(username="newcomer").pk
    for _ in range(3):
        begin([newcomer, *people[1:]], next(NUMBERS), now=now)
    clients = {"player in all games": player, "player in 3 games": _client(newcomer)}
    for page, address in (("lobby", "/games/"), ("home", "/")):
        for who, client in {**clients, "visitor": visitor}.items():
            yield _visit(f"{page}, {who}, more than 50 games", client, address, rounds)


def _pages(people: list[int], watcher: User, rounds: int, now: dt.datetime) -> Iterator[Line]:
    for units, past in itertools.product(UNITS, PAST):
        game = make_game(people, units, past, now=now)
        address, size = f"/games/{game.slug}/", f"{units} units, {past} phases"
        player = _client(people[0])
        yield _visit(f"game page, player, {size}", player, address, rounds)
        yield _visit_first(f"game page, player, first time, {size}", player, address, rounds)
        yield _visit(f"game page, watcher, {size}", _client(watcher.pk), address, rounds)
        visitor = Client(SERVER_NAME="localhost")
        yield _visit(f"game page, visitor, {size}", visitor, address, rounds)
        if units == max(UNITS):
            yield _visit(f"phase page, {size}", player, f"{address}phases/1/", rounds)
    yield _visit("statistics, 80 phases", player, f"{address}statistics/", rounds)


def _actions(people: list[int], rounds: int, now: dt.datetime) -> Iterator[Line]:
    game = begin(people, next(NUMBERS), now=now)
    crowd(game)
    posted = write(game, Seat.objects.filter(game=game), now=now)
    seat = next(iter(posted))
    client, address = _client(seat.user_id), f"/games/{game.slug}/"
    form = {"phase": "1", "order": posted[seat]}
    yield Line(
        "save orders (POST)",
        itertools.repeat(None),
        _post(client, f"{address}orders/", form),
        rounds,
    )
    ready = {"phase": "1", "ready": "1"}
    yield Line(
        "ready (POST)", itertools.repeat(None), _post(client, f"{address}ready/", ready), rounds
    )
    quiet = {"slug": game.slug, "user_id": seat.user_id, "sequence": 1, "now": now}
    yield Line(
        "save orders (action)",
        itertools.repeat(None),
        lambda _: save_orders(choices=posted[seat], sheet="", **quiet),
        rounds,
    )
    yield Line("ready (action)", itertools.repeat(None), lambda _: set_ready(**quiet), rounds)


def _turns(people: list[int], rounds: int, now: dt.datetime) -> Iterator[Line]:
    def claim_phases(bot: str) -> Iterator[tuple[int, dt.datetime]]:
        while True:
            game = begin(people[:1] if bot else people, next(NUMBERS), now=now, bot=bot)
            crowd(game)
            write(game, Seat.objects.filter(game=game, bot=""), now=now)
            phase = game.newest_phase()
            claim_phase(game_id=game.pk, owner="bench", now=phase.adjudicate_at)
            yield phase.pk, phase.adjudicate_at

    def process(claim: tuple[int, dt.datetime]) -> None:
        assert process_phase(phase_id=claim[0], owner="bench", now=claim[1])

    def with_bots(claim: tuple[int, dt.datetime]) -> None:
        move_bots(phase_id=claim[0], now=claim[1])
        process(claim)

    yield Line("resolved phase, 34 units, 7 people", claim_phases(""), process, rounds)
    yield Line("resolved phase, 34 units, 6 random bots", claim_phases("random"), with_bots, rounds)


def _client(user_id: int) -> Client:
    client = Client(SERVER_NAME="localhost")
    client.force_login(User.objects.get(pk=user_id))
    return client


def _visit(name: str, client: Client, address: str, rounds: int) -> Line:
    def work(_: object) -> HttpResponse:
        answer = client.get(address)
        assert answer.status_code == 200, (address, answer.status_code)
        return answer

    return Line(name, itertools.repeat(None), work, rounds)


def _visit_first(name: str, client: Client, address: str, rounds: int) -> Line:
    """Return a visit to a page of which this process has not shown anything before."""
    from diplomaccloud.games.results.page import _list_results, _pictures
    from diplomaccloud.games.results.read import decoded_phases
    from diplomaccloud.pages.templatetags import fragments
    from diplomaccloud.sandbox import order_choices

    def forget() -> None:
        fragments._render.cache_clear()
        _pictures.clear()
        _list_results.cache_clear()
        decoded_phases.clear()
        order_choices._list_unit_choices.cache_clear()

    visit = _visit(name, client, address, rounds)

    def work(argument: object) -> object:
        forget()
        return visit.work(argument)

    return Line(name, visit.arguments, work, rounds)


def _post(client: Client, address: str, form: dict[str, object]):
    def work(_: object) -> None:
        assert client.post(address, form).status_code == 303

    return work
