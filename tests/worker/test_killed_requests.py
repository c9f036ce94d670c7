"""A server is killed between a request and its answer; a repeated request takes effect once."""

import random
import time
from threading import Thread

import pytest
from django.utils import timezone
from tests.api.calls import token_of
from tests.worker.separate_site import make_games
from tests.worker.site_clients import Server

from diplomaccloud.api.models import KeptAnswer
from diplomaccloud.games.table.log_models import Event
from diplomaccloud.games.table.models import Game
from diplomaccloud.games.table.phase_models import Phase
from diplomaccloud.games.turn.claims import advance
from diplomaccloud.press.table.models import Message

SLUG = "killedgame"
KILLS = 10
"""How many servers are killed; each is slow before and after its transaction ends."""
SLOW = 0.15


@pytest.mark.long
@pytest.mark.every_database
def test_a_request_to_a_killed_server_has_one_effect_when_it_is_sent_again(site, tmp_path):
    now, rng = timezone.now(), random.Random(1)
    maker, _ = next(iter(make_games(1, now=now).values()))
    Game.objects.update(slug=SLUG)
    advance(game_id=Game.objects.get().pk, owner="test", now=now)
    token = token_of(maker)
    server = Server(site, tmp_path / "port", SLOW)
    server.start()
    _, _, legal = server.call("GET", f"/games/{SLUG}/seat/legal", token)
    orders = [unit["orders"] for unit in legal["units"]]
    powers = [seat["powers"][0] for seat in server.call("GET", f"/games/{SLUG}", token)[2]["seats"]]
    own = server.call("GET", f"/games/{SLUG}/seat", token)[2]["powers"][0]
    (rival,) = (power for power in powers if power != own)
    sequence = Phase.objects.get().sequence
    lost, replayed, before = 0, 0, Event.objects.filter(kind="saved").count()
    for number in range(KILLS):
        if number % 2:
            call = ("POST", f"/games/{SLUG}/seat/messages", token)
            body = {"to": [rival], "body": f"Message {number}."}
        else:
            call = ("PUT", f"/games/{SLUG}/seat/orders", token)
            body = {"phase": sequence, "orders": [rng.choice(unit) for unit in orders]}
        answers = []
        asked = Thread(target=lambda: answers.append(server.call(*call, body, f"key-{number}")))  # noqa: B023
        asked.start()
        time.sleep(rng.uniform(0, 4 * SLOW))
        server.kill()
        asked.join()
        lost += answers == [None]
        server.start()
        status, headers, found = server.call(*call, body, f"key-{number}")
        assert status == 200, found
        replayed += "Idempotency-Replayed" in headers
        again = server.call(*call, body, f"key-{number}")
        assert (again[0], again[2]) == (200, found)
    server.kill()
    assert lost
    assert KeptAnswer.objects.exclude(status=200).count() == 0
    assert Event.objects.filter(kind="saved").count() - before == KILLS // 2
    texts = [message.body for message in Message.objects.order_by("pk")]
    assert texts == [f"Message {number}." for number in range(1, KILLS, 2)]
    assert 0 < replayed <= KILLS, "some servers must die after the effect, before the answer"
