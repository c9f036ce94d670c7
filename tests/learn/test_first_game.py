"""The pages of the first game: forms, redirects and a cookie."""

import re

import pytest

from diplomaccloud.judge.drawing.overlay import hash_territory, render_parts
from diplomaccloud.learn.boards import WHOLE, small_board
from diplomaccloud.learn.coach.first_game import load_state, play

pytestmark = pytest.mark.django_db

HOME, ORDERS = "/learn/first-game/", "/learn/first-game/orders/"


@pytest.fixture
def game(client):
    client.post("/learn/first-game/start/", {"country": "FRANCE"})
    return client


def order(client, *orders):
    """Send `orders` for the open phase and return the answer."""
    text = client.get(ORDERS).content.decode()
    phase = re.search(r'name="phase" value="(\w+)"', text).group(1)
    return client.post(ORDERS, {"phase": phase, "order": orders})


def test_the_game_begins_with_a_country(client):
    assert "good for beginners" in client.get(HOME).content.decode()
    answer = client.post("/learn/first-game/start/", {"country": "FRANCE"})
    assert answer.headers["Location"] == ORDERS
    assert "France · Spring 1901" in client.get(ORDERS).content.decode()


def test_an_unknown_country_is_refused_in_a_sentence(client):
    page = client.post("/learn/first-game/start/", {"country": "ATLANTIS"})
    assert "Choose one of the seven countries." in page.content.decode()


def test_orders_lead_to_the_comments_on_them(game):
    assert order(game, "A MAR H", "A PAR - BUR", "F BRE - MAO").headers["Location"] == HOME
    text = game.get(HOME).content.decode()
    assert "What happened in Spring 1901" in text
    assert "It could have gone to Spain" in text
    assert "Continue: Fall 1901" in text


def test_the_result_shows_the_board_after_the_turn(game):
    order(game, "A MAR - SPA")
    text = game.get(HOME).content.decode()
    assert re.search(r'<g class="unit army" data-unit="A SPA"', text)
    assert re.search(r'data-order="A MAR - SPA"[^>]+data-outcome="moved"', text)
    order(game, "A SPA H")
    text = game.get(HOME).content.decode()
    assert "You held Spain: " in text
    position = play(load_state(game.cookies["first-game"].value)).position
    assert position.centers["SPA"] == "FRANCE"
    territory = hash_territory(render_parts(small_board(WHOLE).chart, position))
    assert f'data-territory="{territory}"' in text


def test_a_game_can_be_played_to_its_end(game):
    for _ in range(30):
        if order(game).headers["Location"] == HOME and "is over" in game.get(HOME).content.decode():
            break
    assert "Your first game is over." in game.get(HOME).content.decode()
    assert game.get(ORDERS).headers["Location"] == HOME


def test_an_order_that_cannot_be_followed_is_explained_and_nothing_is_lost(game):
    page = order(game, "A PAR - BUR", "A MOS - UKR", "rubbish")
    text = page.content.decode()
    assert "errorlist" in text
    assert 'value="A PAR - BUR" selected' in text
    assert "Spring 1901" in game.get(ORDERS).content.decode()


def test_the_form_of_an_earlier_turn_changes_nothing(game):
    order(game)
    answer = game.post(ORDERS, {"phase": "S1901M", "order": "A PAR - BUR"})
    assert answer.headers["Location"] == HOME
    assert "Fall 1901" in game.get(ORDERS).content.decode()


def test_a_forged_cookie_leads_to_the_start(client):
    client.cookies["first-game"] = "forged"
    assert "Start the game" in client.get(HOME).content.decode()
    assert client.get(ORDERS).headers["Location"] == HOME
    assert client.post("/learn/first-game/sketch/").status_code == 404


def test_the_sketch_draws_the_chosen_orders(game):
    answer = game.post("/learn/first-game/sketch/", {"order": "A PAR - BUR"})
    assert answer.content.decode().startswith("<g")


def test_the_list_of_lessons_shows_a_game_in_progress(game):
    assert "in progress" in game.get("/learn/").content.decode()


def test_nothing_is_read_from_the_database(game, django_assert_num_queries):
    with django_assert_num_queries(0):
        game.get(ORDERS)
        order(game)
        game.get(HOME)
