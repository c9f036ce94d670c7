"""The measurements: pages for several readers, the poll of live streams, and phases."""

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from time import perf_counter, process_time, time
from unittest import mock

from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from large_site import BUSY, USUAL, VETERANS, watched_games
from tests.games.large_games import DAY, begin, crowd, lengthen, write

from diplomaccloud.accounts.models import User
from diplomaccloud.games.bots.actions import move_bots
from diplomaccloud.games.creation.actions import create_game
from diplomaccloud.games.creation.presets import GamePlan
from diplomaccloud.games.lobby.actions import start_game
from diplomaccloud.games.orders.actions import save_orders
from diplomaccloud.games.page import read as versions
from diplomaccloud.games.people import read as people
from diplomaccloud.games.table.models import Game, Seat
from diplomaccloud.games.table.options import Ends, Master, Options
from diplomaccloud.games.turn.claims import claim_phase
from diplomaccloud.games.turn.turn import process_phase
from diplomaccloud.maps.library import store_standard
from diplomaccloud.schedule import Interval, Lengths, Schedule

_NUMBERS = itertools.count(int(time()))
"""Numbers for new games, in a database that may have games from an earlier run."""
FEW = 5
"""The number of games on each person's page, so that pages can be compared."""
YEARS = 34
"""Length of the game with the long table of supply centers: 68 movement phases."""


@dataclass(frozen=True, slots=True)
class Figures:
    """The fastest of several rounds, in milliseconds, the queries, and the size of the response."""

    wall_ms: float
    cpu_ms: float
    queries: int
    size: int

    @property
    def ms(self) -> float:
        """The page's processor time on SQLite, which runs in this process; else elapsed time."""
        return self.cpu_ms if connection.vendor == "sqlite" else self.wall_ms


@dataclass(frozen=True, slots=True)
class Goal:
    """What a line must not exceed: a ratio to the small site, or milliseconds."""

    ratio: float | None = None
    ms: float | None = None
    cpu_ms: float | None = None
    queries: int | None = 12


def measure(work: Callable[[], object], rounds: int) -> Figures:
    """Return the measurements of `work`, which is called `rounds` times after two warm-ups."""
    work()
    with CaptureQueriesContext(connection) as captured:
        answer = work()
    asked = [q["sql"] for q in captured if q["sql"].split(" ", 1)[0] in _VERBS]
    wall, cpu = [], []
    for _ in range(rounds):
        started, used = perf_counter(), process_time()
        work()
        cpu.append(process_time() - used)
        wall.append(perf_counter() - started)
    return Figures(
        min(wall) * 1000, min(cpu) * 1000, len(asked), len(getattr(answer, "content", b""))
    )


_VERBS = ("SELECT", "INSERT", "UPDATE", "DELETE", "WITH")


def queries_of(work: Callable[[], object]) -> list[str]:
    """Return the queries of `work`."""
    work()
    with CaptureQueriesContext(connection) as captured:
        work()
    return [q["sql"] for q in captured]


def list_pages() -> Iterator[tuple[str, Goal, Callable[[], object]]]:
    """Yield the name, the goal and the work of each page, and of the poll."""
    readers = {
        "visitor": Client(SERVER_NAME="localhost"),
        "player": _client(USUAL),
        "busy player": _client(BUSY),
    }
    growing = Goal(ratio=1.3)
    for who, client in readers.items():
        yield f"home, {who}", growing, _visit(client, "/")
        yield f"lobby, {who}", growing, _visit(client, "/games/")
    for who, key in (("player", USUAL), ("busy player", BUSY), ("veteran", VETERANS[0])):
        visit = _visit(readers["player"], f"/people/person{key:06d}/")
        # The longer list of a person with many games costs more, up to its limit.
        yield f"page of a {who}", Goal(), visit
        yield f"page of a {who}, {FEW} games", growing, _with_few_games(visit)
    yield "list of players", growing, _visit(readers["player"], "/people/")
    yield "list of players, by login", growing, _visit(readers["player"], "/people/?order=login")
    busy = Game.objects.filter(status="running", seats__user=VETERANS[0]).first()
    address = f"/games/{busy.slug}/"
    yield "game of seven veterans", growing, _visit(readers["player"], address)
    # Press may add three queries.
    talking = Goal(ratio=1.3, queries=15)
    yield "game of seven veterans, player", talking, _visit(_client(VETERANS[0]), address)
    long = _find_long_game()
    yield (
        "centers after 68 phases",
        growing,
        _visit(readers["player"], f"/games/{long.slug}/centers/"),
    )
    games = watched_games()
    yield (
        f"poll of {len(games)} games",
        Goal(ms=10),
        lambda: versions.read_live([versions.select_pulses(games)]).pulses,
    )


def list_actions() -> Iterator[tuple[str, Goal, Callable[[], Callable[[], object]]]]:
    """Yield the name and goal of each kind of action, and a function that prepares one."""
    yield "orders saved, 34 units", Goal(cpu_ms=None, queries=None), _prepare_orders
    yield "phase, 34 units, seven people", Goal(cpu_ms=25, queries=None), _prepare_people
    yield "phase, 34 units, seven greedy bots", Goal(cpu_ms=60, queries=None), _prepare_bots


def measure_actions(prepare: Callable[[], Callable[[], object]], rounds: int) -> Figures:
    """Return the measurements of actions, each of which is prepared separately."""
    prepare()()
    work = prepare()
    with CaptureQueriesContext(connection) as captured:
        work()
    asked = [q["sql"] for q in captured if q["sql"].split(" ", 1)[0] in _VERBS]
    wall, cpu = [], []
    for _ in range(rounds):
        work = prepare()
        started, used = perf_counter(), process_time()
        work()
        cpu.append(process_time() - used)
        wall.append(perf_counter() - started)
    return Figures(sorted(wall)[rounds // 2] * 1000, sorted(cpu)[rounds // 2] * 1000, len(asked), 0)


def _prepare_orders() -> Callable[[], object]:
    now = timezone.now()
    game = begin(list(VETERANS), next(_NUMBERS), now=now)
    crowd(game)
    choices = write(game, Seat.objects.filter(game=game), now=now)
    seat, chosen = next(iter(choices.items()))
    order = {"slug": game.slug, "user_id": seat.user_id, "sequence": 1, "now": timezone.now()}
    return lambda: save_orders(choices=chosen[::-1], sheet="", **order)


def _prepare_people() -> Callable[[], object]:
    now = timezone.now()
    game = begin(list(VETERANS), next(_NUMBERS), now=now)
    crowd(game)
    write(game, Seat.objects.filter(game=game), now=now)
    return _process(game)


def _prepare_bots() -> Callable[[], object]:
    now, number = timezone.now(), next(_NUMBERS)
    plan = GamePlan(
        world=f"Bots {number}",
        map_hash=store_standard(now=now),
        options=Options(
            Schedule(Interval(Lengths(DAY, DAY, DAY))), fill_with="greedy", master=Master.CREATOR,
            ends=Ends(last_year=1950),
        ),
    )  # fmt: skip
    slug = f"{number:010d}".replace("0", "a").replace("1", "z")
    user = User.objects.create(username=f"bots{number}").pk
    create_game(plan=plan, creator_id=user, now=now, slug=slug, code="x", seed=f"bots {number}")
    game = start_game(slug=slug, user_id=user, now=now)
    crowd(game)
    return _process(game)


def _process(game: Game) -> Callable[[], object]:
    phase = game.newest_phase()

    def work() -> None:
        claim_phase(game_id=game.pk, owner="scale", now=phase.adjudicate_at)
        move_bots(phase_id=phase.pk, now=phase.adjudicate_at)
        assert process_phase(phase_id=phase.pk, owner="scale", now=phase.adjudicate_at)

    return work


def _find_long_game() -> Game:
    """Return a game of 68 movement phases, made at the first call."""
    world = "Grand 900001"
    known = Game.objects.filter(world=world).first()
    if known is not None:
        return known
    game: Game = begin(list(VETERANS), 900_001, now=timezone.now())
    lengthen(game, YEARS * 3)
    for phase in game.phases.filter(processed_at=None):
        position = phase.position
        phase.position = replace(position, phase=replace(position.phase, year=1800 + YEARS))
        phase.name = str(phase.position.phase)
        phase.save()
    return game


def _with_few_games(visit: Callable[[], object]) -> Callable[[], object]:
    def work() -> object:
        with mock.patch.object(people, "_MAX_GAMES", FEW):
            return visit()

    return work


def _client(user: int) -> Client:
    client = Client(SERVER_NAME="localhost")
    client.force_login(User.objects.get(pk=user))
    return client


def _visit(client: Client, address: str) -> Callable[[], object]:
    def work() -> object:
        answer = client.get(address)
        assert answer.status_code == 200, (address, answer.status_code)
        return answer

    return work
