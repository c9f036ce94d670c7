"""Clients that speak DAIDE play seats of a game whose phases a worker processes."""

import asyncio
from dataclasses import replace

import pytest
from django.utils import timezone
from tests.api.calls import token_of
from tests.worker.separate_site import LENGTH, make_large_games, wait_until

from diplomaccloud.api.tokens import Scope
from diplomaccloud.bots import BOTS
from diplomaccloud.daide.network import play_on
from diplomaccloud.daide.player import Player
from diplomaccloud.games.table.models import Game

pytestmark = pytest.mark.real_database


@pytest.mark.long
def test_our_clients_play_a_whole_game_of_the_site(site, tmp_path):
    ((slug, people),) = make_large_games(1, now=timezone.now()).items()
    game = Game.objects.get()
    ends = replace(game.options.ends, last_year=1902)
    game.options = replace(game.options, ends=ends)
    game.save()
    tokens = [
        token_of(person, Scope.PLAY, slug=slug, name=power) for power, person in people.items()
    ]
    port = tmp_path / "port"
    bridge = site.start("daide", slug, tokens, str(port))
    worker = site.start("worker", 0)
    wait_until(lambda: port.exists() and port.read_text())
    bots = ("greedy", "dumbbot", "random", "greedy", "dumbbot", "random", "hold")
    players = [Player(BOTS[name], version="1", seed=name) for name in bots]

    async def play():
        clients = (play_on(player, "127.0.0.1", int(port.read_text())) for player in players)
        await asyncio.wait_for(asyncio.gather(*clients), 170)

    asyncio.run(play())
    site.kill(worker)
    site.kill(bridge)
    game = Game.objects.get()
    assert game.status == "finished"
    position = game.newest_phase().resolution.next
    assert {player.power for player in players} == set(people)
    for player in players:
        assert player.ending is not None
        assert player.position.centers == position.centers
    first = game.phases.get(sequence=1)
    assert first.submissions.exclude(saved_at=None).exclude(ready_at=None).count() == 7
    assert first.processed_at < first.opens_at + LENGTH
