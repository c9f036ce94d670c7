"""Ten people fill, miss and confirm musters while workers and web servers are killed.

One game waits for each template at any time, and nobody who has confirmed loses a seat. The times
of musters are moved instead of clocks, since workers take a jump of their clocks for an outage.
"""

import datetime as dt
import random
import threading
import time
from collections import Counter
from functools import partial

import pytest
from django.db import transaction
from django.db.models import Count
from django.utils import timezone
from tests.api.calls import token_of
from tests.worker.separate_site import Launcher, make_people, use_own_database, wait_until
from tests.worker.site_clients import Server

from diplomaccloud.games.next_game.models import GameTemplate, NextGame
from diplomaccloud.games.table.lock import lock_game_by_id
from diplomaccloud.games.table.log_models import Event
from diplomaccloud.games.table.models import Game, Seat, Status, Tenure
from diplomaccloud.games.table.phase_models import Phase
from diplomaccloud.notices.models import Notice
from diplomaccloud.worker.record_samples import replay_sample

PEOPLE = 10
ACTS = 12
"""How often each person does something."""
WORKERS = SERVERS = 2
SLOW = 0.02
"""How long processes wait in transactions, in seconds, so that some are killed there."""
LEASE_SECONDS = 0.5
KILL_AFTER, MOVE_AFTER = (2, 5), (6, 20)
"""After how many acts something is killed, and time passes; seconds would depend on the machine."""
SEATS, USUAL = 7, 4
DONE, REFUSED, LATER = {200, 201}, {403, 409}, {429, 503}
"""The statuses of what was done, of refusals, and of what has to be sent again."""


@pytest.fixture
def hall(tmp_path, django_db_setup, django_db_blocker):
    """A launcher of processes on a site that opens two games at a time."""
    with (
        django_db_blocker.unblock(),
        use_own_database(tmp_path) as url,
        Launcher(url, tmp_path, DIPLOMACCLOUD_NEXT_GAMES="on") as launcher,
    ):
        live = {"title": "Europe, live", "map": "standard", "speed": "evening"}
        GameTemplate.objects.filter(slot=2).update(**live)
        yield launcher


class Person(threading.Thread):
    """Joins, leaves and confirms over the API; a request to a killed server is sent again."""

    def __init__(self, number, user_id, servers, acts):
        super().__init__(daemon=True)
        self.user_id, self.tried, self.statuses = user_id, [], Counter()
        self._token, self._servers, self._acts = token_of(user_id), servers, acts
        self._rng = random.Random(f"person {number}")

    def run(self):
        for number in range(self._acts):
            _, found = self._send(number, "GET", "/next-games")
            game = self._rng.choice(found["games"])
            choices = "confirm confirm confirm confirm bots leave wait"
            choices = choices if game["you"] else "join join wait"
            act = self._rng.choice(choices.split())
            self.tried.append((act, game["game"]))
            seat = f"/games/{game['game']}/seat"
            requests = {
                "join": ("POST", f"{seat}s", {}),
                "leave": ("DELETE", f"{seat}s"),
                "confirm": ("PUT", f"{seat}/confirmation", {}),
                "bots": ("PUT", f"{seat}/confirmation", {"bots": True}),
            }
            if act in requests:
                status, _ = self._send(number, *requests[act])
                self.statuses[status] += 1
            time.sleep(self._rng.uniform(0, 0.3))

    def _send(self, number, method, path, body=None):
        while True:
            server, key = self._rng.choice(self._servers), f"{method}-{number}"
            answer = server.call(method, path, self._token, body, "" if method == "GET" else key)
            if answer is not None and answer[0] not in LATER:
                return answer[0], answer[2]
            time.sleep(0.1)

    def has_tried(self, act, slug, since):
        """Return whether it did this, or was doing it, when `since` acts had begun."""
        return (act, slug) in self.tried[max(0, since - 1) :]


class Killer(threading.Thread):
    """Kills and restarts workers and servers until people have finished; then all of them run."""

    def __init__(self, site, servers, people):
        super().__init__(daemon=True)
        self._site, self._servers, self._people = site, servers, people
        self._rng, self.kills = random.Random(1), 0
        self._start_worker = partial(site.start, "worker", SLOW, LEASE_SECONDS, "clock,notices")
        self.workers = [self._start_worker() for _ in range(WORKERS)]

    def run(self):
        while wait_for_acts(self._people, self._rng.randint(*KILL_AFTER)):
            time.sleep(self._rng.uniform(0, 0.2))
            self.kills += 1
            if self._rng.random() < 0.5:
                self._site.kill(self.workers.pop(0))
                self.workers.append(self._start_worker())
            else:
                server = self._rng.choice(self._servers)
                server.kill()
                server.start()


def wait_for_acts(people, number):
    """Wait until people have begun this number of acts; return False if they finish before."""
    end = number + sum(len(person.tried) for person in people)
    while sum(len(person.tried) for person in people) < end:
        if not any(person.is_alive() for person in people):
            return False
        time.sleep(0.02)
    return True


@pytest.mark.long
@pytest.mark.real_database
def test_nobody_loses_a_seat_and_one_game_waits_although_processes_are_killed(
    hall, tmp_path, times
):
    rng, users = random.Random(1), make_people(PEOPLE)
    servers = [Server(hall, tmp_path / f"port-{number}", SLOW) for number in range(SERVERS)]
    for server in servers:
        server.start()
    people = [Person(number, user, servers, ACTS * times) for number, user in enumerate(users)]
    killer = Killer(hall, servers, people)
    wait_until(lambda: NextGame.objects.filter(waiting=True).count() == 2)
    for thread in (*people, killer):
        thread.start()
    while wait_for_acts(people, rng.randint(*MOVE_AFTER)):
        require_one_game_for_each_template()
        key = rng.choice(list(NextGame.objects.filter(waiting=True).values_list("pk", flat=True)))
        let_time_pass(key, people)
    killer.join()
    wait_until(lambda: not Event.objects.filter(waiting=True).exists())
    hall.dismiss(killer.workers)
    statuses = sum((person.statuses for person in people), Counter())
    assert set(statuses) <= DONE | REFUSED, statuses
    assert all(len(person.tried) == ACTS * times for person in people)
    assert killer.kills > 1
    require_one_game_for_each_template()
    check_games()
    check_notices()
    assert replay_sample(100).faults == ()


def require_one_game_for_each_template():
    waiting = NextGame.objects.filter(waiting=True).order_by("template__slot")
    assert list(waiting.values_list("template__slot", flat=True)) == [1, 2]
    seats = Seat.objects.values("game").annotate(count=Count("pk"), people=Count("user"))
    assert all(row["people"] <= row["count"] <= SEATS for row in seats)


def let_time_pass(key, people):
    """Let a muster end, or two people have waited long enough; check who has a seat after it."""
    counts, at = [len(person.tried) for person in people], timezone.now() - dt.timedelta(seconds=2)
    with transaction.atomic():
        game = lock_game_by_id(key)
        row = NextGame.objects.get(pk=key)
        if not row.waiting or row.due_at is None:
            return
        seats = dict(game.seats.values_list("user", "ready_at"))
        NextGame.objects.filter(pk=key).update(due_at=at)
    wait_until(lambda: NextGame.objects.get(pk=key).due_at != at)
    with transaction.atomic():
        lock_game_by_id(key)
        after = set(
            Seat.objects.filter(game=key, user__isnull=False).values_list("user", flat=True)
        )
    ended = row.muster_at is not None
    kept = {user for user, ready_at in seats.items() if ready_at or not ended}
    joined, left = (
        {
            person.user_id
            for person, since in zip(people, counts, strict=True)
            if person.has_tried(act, game.slug, since)
        }
        for act in ("join", "leave")
    )
    assert kept - left <= after <= kept | joined


def check_games():
    """Started games began once, with seven seats and bots of level 3 in those without people."""
    started = Game.objects.filter(status=Status.RUNNING)
    assert started
    assert NextGame.objects.count() == len(started) + 2 == Game.objects.count()
    for game in started:
        assert game.seats.count() == SEATS == len(set(game.seats.values_list("power", flat=True)))
        first = Tenure.objects.filter(seat__game=game, since_at=game.started_at)
        users = list(first.exclude(user=None).values_list("user", flat=True))
        assert len(users) == len(set(users)) >= 2
        assert game.rated == (len(users) >= USUAL)
        bots = first.filter(user=None).values_list("bot", flat=True)
        assert len(users) + len(bots) == SEATS
        assert all(bot.startswith("level:3") for bot in bots)
        assert Event.objects.filter(game=game, kind="started").count() == 1
        assert Phase.objects.filter(game=game, sequence=1).count() == 1


def check_notices():
    """All who lost a seat in a muster hear of it once, and a start is announced once."""
    dropped = Event.objects.filter(kind="muster", data__what="dropped")
    expected = Counter((event.game_id, user) for event in dropped for user in event.data["people"])
    found = Notice.objects.filter(kind="muster", data__what="dropped")
    assert Counter(found.values_list("game_id", "user_id")) == expected
    starts = Notice.objects.filter(kind="started").values_list("game_id", "user_id")
    held = Tenure.objects.exclude(user=None).values_list("seat__game_id", "user_id")
    assert max(Counter(starts).values(), default=0) <= 1
    assert set(starts) <= set(held)
