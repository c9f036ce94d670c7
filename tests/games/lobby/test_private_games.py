"""The code of a private game, entered in the lobby, leads to a free seat."""

import html
import re

import pytest
from django.utils import timezone

from diplomaccloud.games.seats.actions import resign
from diplomaccloud.games.table.models import Game, Seat
from diplomaccloud.games.table.phase_models import Phase
from diplomaccloud.games.turn.claims import advance

CODE = "letmein222"


@pytest.fixture
def private(cast):
    Game.objects.update(private=True)
    return cast


@pytest.fixture
def vacant(private):
    resign(slug=private.slug, user_id=private.alice, now=timezone.now())
    return private


def bring(cast, who, code=CODE):
    return cast.client(who).get("/games/code/", {"code": code}, follow=True)


@pytest.mark.parametrize("who", ["charlie", "nobody"])
def test_it_offers_the_vacant_seat(vacant, who):
    answer = bring(vacant, who, f" {CODE.upper()} ")
    assert answer.status_code == 200
    assert [seat.power for seat, *_ in answer.context["view"].status.vacant] == ["AUSTRIA"]
    assert ("Take over Austria</button>" in answer.content.decode()) is (who == "charlie")


def test_it_opens_only_a_page_that_names_the_seat_and_follows_no_stream(vacant):
    page = bring(vacant, "charlie").content.decode()
    assert "A country needs a player." in page
    assert "<live-game" not in page
    for path in ("rules/", "state/", "log/"):
        assert vacant.client("charlie").get(vacant.url(path)).status_code == 404
    for who in ("alice", "bob"):
        own = vacant.client(who).get(vacant.url(), {"code": CODE}).content.decode()
        assert "<live-game" in own


@pytest.mark.parametrize("who", ["charlie", "nobody"])
def test_its_page_leads_to_no_page_that_refuses(vacant, who):
    now = timezone.now()
    Phase.objects.update(due_at=now, adjudicate_at=now)
    assert advance(game_id=vacant.game_id, owner="test", now=now) == 1
    client, page = vacant.client(who), bring(vacant, who).content.decode()
    assert "Army in " in page
    assert "Missed turns" in page
    addresses = [html.unescape(address) for address in re.findall(r'="(/[^"]*)"', page)]
    for address in addresses:
        if f"/{vacant.slug}/" in address and not address.endswith("/take-over/"):
            assert client.get(address).status_code == 200, address
    log_in = [address for address in addresses if address.startswith("/accounts/login/")]
    assert bool(log_in) is (who == "nobody")
    assert all(f"code%3D{CODE}" in address for address in log_in)


def test_who_takes_it_is_led_to_the_game_and_others_no_more(vacant):
    data = {"power": "AUSTRIA", "code": CODE}
    assert vacant.client("charlie").post(vacant.url("take-over/"), data).status_code == 303
    assert Seat.objects.get(power="AUSTRIA").user_id == vacant.charlie
    assert bring(vacant, "charlie").redirect_chain == [(vacant.url(), 303)]
    assert bring(vacant, "nobody").status_code == 404


@pytest.mark.parametrize("code", ["", "wrong", "letmein22"])
def test_a_wrong_code_opens_nothing(vacant, code):
    assert bring(vacant, "charlie", code).status_code == 404


def test_a_game_without_a_vacant_seat_is_not_shown(private):
    answer = bring(private, "charlie")
    assert answer.status_code == 404
    assert b"Testland" not in answer.content


def test_where_bots_take_such_seats_none_is_offered(private, agree):
    agree(missed={"limit": 2, "substitute": "hold"})
    resign(slug=private.slug, user_id=private.alice, now=timezone.now())
    assert bring(private, "charlie").status_code == 404


def test_a_public_game_is_found_in_the_list_not_by_its_code(cast):
    assert bring(cast, "charlie").status_code == 404
    assert 'action="/games/code/"' in cast.client("charlie").get("/games/").content.decode()


def test_a_game_that_forms_is_joined_on_its_page(forming):
    Game.objects.update(private=True)
    answer = bring(forming, "charlie")
    assert answer.redirect_chain == [(f"{forming.url()}?code={CODE}", 303)]
    assert answer.context["view"].can_join
