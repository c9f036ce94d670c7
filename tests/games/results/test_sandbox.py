"""A game in the sandbox: what everyone may see of it, and never an order that is still secret."""

from urllib.parse import parse_qs, urlsplit

import pytest
from tests.games.cast_pages import EVERYBODY, SECRET
from tests.games.steps import due, save

from diplomaccloud.games.table.models import Game
from diplomaccloud.judge.standard.europe import standard_board
from diplomaccloud.maps.library import standard_hash
from diplomaccloud.sandbox import engine
from diplomaccloud.sandbox.address import decode_state

BOARD = standard_board()


def open_in_sandbox(cast, who, rest):
    response = cast.client(who).get(cast.url(rest))
    assert response.status_code == 302
    address = urlsplit(response["Location"])
    assert address.path == f"/maps/{standard_hash()}/sandbox/"
    (text,) = parse_qs(address.query)["board"]
    return decode_state(text, BOARD, standard_hash())


@pytest.mark.parametrize("who", EVERYBODY)
def test_the_position_now_opens_without_orders_for_everybody(cast, who):
    before = open_in_sandbox(cast, who, "sandbox/")
    save(cast, "alice", SECRET)
    after = open_in_sandbox(cast, who, "sandbox/")
    assert after == before
    assert after.orders == ()
    assert str(after.start.phase) == "S1901M"


@pytest.mark.parametrize("who", EVERYBODY)
def test_a_processed_phase_opens_with_its_orders(cast, who):
    save(cast, "alice", SECRET)
    due(cast)
    state = open_in_sandbox(cast, who, "phases/1/sandbox/")
    assert SECRET in map(str, state.orders)
    assert state.edition == Game.objects.get().rules.name
    now = engine.replay(BOARD, engine.step(BOARD, state)).position
    assert open_in_sandbox(cast, who, "sandbox/").start == now


@pytest.mark.parametrize("who", EVERYBODY)
def test_the_open_phase_is_not_a_processed_one(cast, who):
    assert cast.client(who).get(cast.url("phases/1/sandbox/")).status_code == 404
    assert cast.client(who).get(cast.url("phases/9/sandbox/")).status_code == 404


@pytest.mark.parametrize(("who", "status"), [("alice", 302), ("charlie", 404), ("nobody", 404)])
def test_a_private_game_opens_only_for_its_players(cast, who, status):
    Game.objects.update(private=True)
    assert cast.client(who).get(cast.url("sandbox/")).status_code == status


def test_saving_changes_neither_the_answer_nor_its_queries(
    cast, django_assert_max_num_queries, django_assert_num_queries
):
    client = cast.client("bob")
    client.get(cast.url("sandbox/"))
    with django_assert_max_num_queries(12) as first:
        client.get(cast.url("sandbox/"))
    save(cast, "alice", SECRET)
    with django_assert_num_queries(len(first)):
        client.get(cast.url("sandbox/"))
