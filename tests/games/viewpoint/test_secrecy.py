"""Nobody sees another power's orders before the phase is processed: every read, every viewer."""

import json

import pytest
from django.utils import timezone
from tests.games.steps import save

from diplomaccloud.games import actions
from diplomaccloud.games.models import Game, Phase
from diplomaccloud.games.presenters.game_page import present_state
from diplomaccloud.games.viewpoint import GameReader, Viewer, versions

SECRET = "A VIE - GAL"
WRITTEN = "our army in Vienna is to attack Galicia"
READS = ["", "state/", "centers/", "phases/1/", "phases/2/", "?code=letmein222"]
ELSEWHERE = ["/", "/games/", "/maps/"]


@pytest.fixture
def secret(cast):
    """Alice has typed an order and says that she is ready."""
    now = timezone.now()
    actions.save_orders(
        slug=cast.slug, user_id=cast.alice, sequence=1, choices=[], sheet=WRITTEN, now=now
    )
    actions.set_ready(slug=cast.slug, user_id=cast.alice, sequence=1, now=now)
    return cast


def bodies(cast, who):
    client = cast.client(who)
    for url in [cast.url(rest) for rest in READS] + ELSEWHERE:
        for headers in ({}, {"HX-Request": "true"}):
            yield url, client.get(url, headers=headers).content.decode()
    for rest, data in (
        ("orders/", {"phase": 1, "sheet": "A VIE - BOH"}),
        ("orders/", {"phase": 1, "sheet": "F ANK S A VIE - GAL"}),
        ("orders/", {"phase": 9, "sheet": "A VIE - BOH"}),
        ("ready/", {"phase": 1, "ready": "0"}),
    ):
        answer = client.post(cast.url(rest), data).content.decode()
        # What a viewer typed comes back to that viewer: only more than that would tell.
        yield rest, answer.replace("F ANK S A VIE - GAL", "")


def test_the_owner_sees_the_order(secret):
    page = secret.client("alice").get(secret.url())
    assert [slot.selected for slot in page.context["view"].order_form.slots if slot.saved] == [
        SECRET
    ]
    assert page.context["view"].order_form.text == SECRET
    assert 'value="A VIE - GAL" selected' in " ".join(page.content.decode().split())


@pytest.mark.parametrize("who", ["bob", "charlie", "nobody"])
def test_nobody_else_does_by_any_page(secret, who):
    for url, body in bodies(secret, who):
        assert SECRET not in body, url
        assert WRITTEN not in body, url


@pytest.mark.parametrize("who", ["bob", "charlie", "nobody"])
def test_the_picture_is_the_same_as_before_the_order(cast, who):
    before = cast.client(who).get(cast.url()).context["view"]
    save(cast, "alice", SECRET)
    after = cast.client(who).get(cast.url()).context["view"]
    assert after == before


def test_what_a_refusal_says_does_not_depend_on_another_s_orders(secret):
    bob = secret.client("bob")
    answers = [
        bob.post(secret.url("orders/"), {"phase": 1, "sheet": sheet}).context["problems"][0].message
        for sheet in ("A VIE - GAL", "A VIE - BOH")
    ]
    assert answers[0].replace("GAL", "BOH") == answers[1]


def test_a_live_stream_and_the_state_tell_no_order(secret):
    pulse = versions.pulses([secret.slug])[secret.slug]
    assert set(pulse) == {"version", "phase", "status"}
    state = present_state(GameReader(secret.slug, Viewer(secret.bob)))
    assert set(state) == {"version", "phase", "status", "due_at", "seats"}
    assert {"power": "AUSTRIA", "ready": True} in state["seats"]
    assert "GAL" not in json.dumps(state)


def test_saving_moves_no_public_version(cast):
    before = versions.version_of(cast.game_id)
    save(cast, "alice", SECRET)
    assert versions.version_of(cast.game_id) == before
    actions.set_ready(slug=cast.slug, user_id=cast.alice, sequence=1, now=timezone.now())
    # One more, not two: no gap tells that orders were saved in between.
    assert versions.version_of(cast.game_id) == before + 1
    assert versions.pulses([cast.slug])[cast.slug]["version"] == before + 1


def test_after_processing_everybody_sees_it(secret):
    actions.advance(game_id=secret.game_id, owner="t", now=Phase.objects.get().due_at)
    for who in ("alice", "bob", "charlie", "nobody"):
        assert SECRET in secret.client(who).get(secret.url("phases/1/")).content.decode()


@pytest.mark.parametrize("who", ["charlie", "nobody"])
def test_a_private_game_does_not_exist_for_strangers(secret, who):
    Game.objects.update(private=True)
    client = secret.client(who)
    unknown = client.get("/games/zzzzzzzzzz/")
    assert unknown.status_code == 404
    for rest in READS:
        answer = client.get(secret.url(rest))
        assert answer.status_code == 404, rest
        assert b"Testland" not in answer.content
    if who == "charlie":
        for rest in ("orders/", "ready/", "country/", "join/", "leave/", "start/"):
            data = {"phase": 1, "ready": "1", "country": "X"}
            assert client.post(secret.url(rest), data).status_code == 404, rest
