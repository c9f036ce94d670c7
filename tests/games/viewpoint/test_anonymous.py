"""An anonymous game shows no names until it ends; some games only players may watch."""

import datetime as dt
import json

import pytest
from django.utils import timezone
from tests.games.steps import names_in
from tests.scenes import scene

from diplomaccloud.games import actions, viewpoint
from diplomaccloud.games.models import Event, Game, LogEntry, Phase
from diplomaccloud.games.presenters.game_page import present_state
from diplomaccloud.games.viewpoint import GameReader, Viewer, versions

PAGES = ["", "state/", "centers/", "rules/", "phases/1/", "?code=letmein222"]
LISTS = ["/", "/games/", "/maps/"]
NAMES = {"alice": "Alice", "bob": "Bob"}


@pytest.fixture
@scene
def nameless(forming, agree):
    """Alice and Bob play an anonymous game; one phase is over and one vote is open."""
    agree(anonymous=True)
    now = timezone.now()
    actions.join_game(slug=forming.slug, user_id=forming.bob, now=now)
    return forming


@pytest.fixture
@scene
def running(nameless):
    now = timezone.now()
    actions.start_game(slug=nameless.slug, user_id=nameless.alice, now=now)
    actions.advance(game_id=nameless.game_id, owner="t", now=now)
    due = Phase.objects.get().due_at
    actions.advance(game_id=nameless.game_id, owner="t", now=due + dt.timedelta(seconds=1))
    actions.resign(slug=nameless.slug, user_id=nameless.bob, now=due + dt.timedelta(seconds=2))
    actions.take_seat(
        slug=nameless.slug, user_id=nameless.bob, power="TURKEY", now=due + dt.timedelta(seconds=3)
    )
    return nameless


def everything(cast, who):
    """Every page and answer as the person gets it, without the head that says who looks."""
    client = cast.client(who)
    chart = Game.objects.get().chart.content_hash
    for url in [cast.url(rest) for rest in PAGES] + [*LISTS, f"/maps/{chart}/"]:
        for headers in ({}, {"HX-Request": "true"}):
            yield url, client.get(url, headers=headers).content.decode()
    viewer = Viewer(cast.user_id(who))
    yield "state", json.dumps(present_state(GameReader(cast.slug, viewer)))
    yield "live", json.dumps(versions.read_live([versions.select_pulses([cast.game_id])]).pulses)
    yield "events", json.dumps([event.data for event in Event.objects.filter(seat=None)])
    yield "log", " ".join(f"{entry.text} {entry.reason}" for entry in LogEntry.objects.all())


def others_in(body, who):
    return names_in(body, [name for key, name in NAMES.items() if key != who])


@pytest.mark.parametrize("who", ["alice", "bob", "charlie", "nobody"])
def test_nobody_is_named_while_it_forms(nameless, who):
    for url, body in everything(nameless, who):
        assert not others_in(body, who), url


@pytest.mark.parametrize("who", ["alice", "bob", "charlie", "nobody"])
def test_nobody_is_named_while_it_runs(running, who):
    for url, body in everything(running, who):
        assert not others_in(body, who), url


def test_everybody_is_named_when_it_is_over(running):
    Game.objects.update(
        status="finished",
        finished_at=timezone.now(),
        ending={"v": 1, "winners": ["AUSTRIA"], "reason": "They won."},
    )
    body = running.client("nobody").get(running.url()).content.decode()
    assert others_in(body, "nobody") == ["Alice", "Bob"]


def test_the_walk_would_find_a_name(running, agree):
    agree(anonymous=False)
    found = {name for _, body in everything(running, "charlie") for name in others_in(body, "x")}
    assert found == {"Alice", "Bob"}


@pytest.mark.parametrize("who", ["charlie", "nobody"])
def test_strangers_do_not_see_a_game_that_only_players_watch(cast, agree, who):
    agree(watch="players")
    client = cast.client(who)
    for rest in ("", "state/", "centers/", "rules/", "phases/1/"):
        assert client.get(cast.url(rest)).status_code == 404, rest
    assert not viewpoint.may_see(cast.slug, Viewer(cast.user_id(who)))
    assert b"Testland" not in client.get("/games/").content
    if who == "charlie":
        for rest in ("orders/", "country/", "color/", "start/"):
            assert client.post(cast.url(rest), {"phase": 1}).status_code == 404, rest


def test_its_players_do(cast, agree):
    agree(watch="players")
    assert cast.client("bob").get(cast.url()).status_code == 200


def test_while_it_forms_people_can_find_it(forming, agree):
    agree(watch="players")
    assert b"Testland" in forming.client("charlie").get("/games/").content
