"""Workers that are killed between an event and its delivery lose and duplicate nothing."""

import random
import secrets
import threading
import time
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from django.utils import timezone
from tests.worker.separate_site import LENGTH, make_games, wait_until

from diplomaccloud.games.table.log_models import Event
from diplomaccloud.games.table.models import Game, Seat
from diplomaccloud.games.table.phase_models import Phase
from diplomaccloud.notices.models import Delivery, Destination, Notice, NoticeSettings
from diplomaccloud.press.conversations.actions import send_message
from diplomaccloud.press.table.addresses import seats_address
from diplomaccloud.press.table.events import PressEventKind, record_press_event
from diplomaccloud.press.table.models import PressEvent, Send

GAMES = 24
"""Each has two people, each of whom has a webhook."""
TALKS = 12
"""In how many games people talk."""
KILLS = 12
LEASE_SECONDS = 2.0


class Hook(BaseHTTPRequestHandler):
    """A webhook that is slow now and then, and answers with an error now and then."""

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        chance = self.server.rng.random()
        time.sleep(0.2 if chance < 0.1 else 0)  # steady: workers meet slow webhooks
        accepted = chance > 0.05
        if accepted:
            self.server.accepted.append(self.headers["webhook-id"])
        self.send_response(204 if accepted else 500)
        self.end_headers()

    def log_message(self, *_args):
        pass


@pytest.fixture
def hook():
    with ThreadingHTTPServer(("127.0.0.1", 0), Hook) as server:
        server.daemon_threads, server.block_on_close = True, False
        server.accepted, server.rng = [], random.Random(2)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


def make_linked_games(count, *, now, schedules=()):
    """Return the people in new games, by slug; notices can link to these games."""
    games = make_games(count, now=now, schedules=schedules)
    linked = {}
    for number, game in enumerate(Game.objects.order_by("pk")):
        # The addresses of games contain no other characters.
        slug = f"{number:010d}".translate(str.maketrans("0123456789", "abcdefghij"))
        Game.objects.filter(pk=game.pk).update(slug=slug)
        linked[slug] = games[game.slug]
    return linked


def add_hooks(games, hook, now):
    """Give each of the people a webhook."""
    url = f"http://127.0.0.1:{hook.server_address[1]}/"
    Destination.objects.bulk_create(
        Destination(
            user_id=person,
            channel="webhook",
            address=url,
            digest="x",
            secret={"key": "c2VjcmV0"},
            origin="http://site.example",
            created_at=now,
            confirmed_at=now,
        )
        for person in sorted({person for pair in games.values() for person in pair})
    )


def kill_again_and_again(site, kills, meanwhile):
    """Kill one of two workers after another, with `meanwhile(number)` before each; return them."""
    rng = random.Random(1)
    workers = [site.start("notifier", LEASE_SECONDS) for _ in range(2)]
    for number in range(kills):
        time.sleep(rng.uniform(0.05, 0.5))
        meanwhile(number)
        site.kill(workers.pop(0))
        workers.append(site.start("notifier", LEASE_SECONDS))
    return workers


def check_deliveries(hook, kills):
    """Check that nobody has two equal notices, and that each went out with one id."""
    assert set(Counter(Notice.objects.values_list("user", "key")).values()) == {1}
    sent = Delivery.objects.filter(state="sent").count()
    assert sent == Delivery.objects.count()
    # A call that was accepted is repeated only if its worker died before it could note that.
    assert len(set(hook.accepted)) == sent
    assert len(hook.accepted) - sent <= kills
    return sent


@pytest.mark.long
@pytest.mark.real_database
def test_every_notice_is_written_once_and_delivered_with_one_id(site, hook, times):
    now = timezone.now()
    games = make_linked_games(GAMES * times, now=now)
    add_hooks(games, hook, now)
    expected = len(games) * 2

    def knows_all_starts():
        return Notice.objects.filter(kind="started").count() == expected

    def turn(number):
        """Let all games have their next turn while workers are being killed."""
        if number == KILLS // 2:
            # The news of a start is of no use after the first deadline, and would be dropped.
            wait_until(knows_all_starts)
            late = timezone.now()
            Phase.objects.filter(open=True).update(due_at=late, adjudicate_at=late)

    def is_done():
        return (
            knows_all_starts()
            and not Phase.objects.filter(open=True, adjudicate_at__lte=timezone.now()).exists()
            and not Event.objects.filter(waiting__in=[True]).exists()
            and not Delivery.objects.filter(state="waiting").exists()
        )

    workers = kill_again_and_again(site, KILLS, turn)
    wait_until(is_done)
    site.dismiss(workers)
    assert knows_all_starts()
    assert check_deliveries(hook, KILLS) >= expected


@pytest.mark.long
@pytest.mark.real_database
def test_every_message_is_announced_once_and_delivered_with_one_id(site, hook, times):
    now = timezone.now()
    games = make_linked_games(TALKS * times, now=now - LENGTH / 2)
    Event.objects.update(waiting=None)
    add_hooks(games, hook, now)
    wishes = {"message": {"chat": True}}
    for person in {person for pair in games.values() for person in pair}:
        NoticeSettings.objects.create(user_id=person, choices=wishes)
    slugs = list(games)

    def talk(number):
        """Let the next game's people write to each other, and create other notices."""
        for slug in slugs[number::KILLS]:
            for author, reader in (games[slug], games[slug][::-1]):
                seat = Seat.objects.get(game__slug=slug, user=reader)
                send_message(
                    slug=slug,
                    user_id=author,
                    to=seats_address([seat.power]),
                    body="Peace?",
                    key=secrets.token_hex(16),
                    now=timezone.now(),
                )
            record_press_event(
                PressEventKind.OPENING,
                key=f"opening of {slug}",
                user_ids=games[slug],
                game_id=seat.game_id,
                now=timezone.now(),
            )

    def is_done():
        return not (
            Send.objects.filter(unnoticed__in=[True]).exists()
            or PressEvent.objects.filter(waiting__in=[True]).exists()
            or Delivery.objects.filter(state="waiting").exists()
        )

    workers = kill_again_and_again(site, KILLS, talk)
    wait_until(is_done)
    site.dismiss(workers)
    counted = Counter(Notice.objects.values_list("kind", flat=True))
    assert counted == {"message": 2 * len(games), "opening": 2 * len(games)}
    assert check_deliveries(hook, KILLS) == 4 * len(games)
