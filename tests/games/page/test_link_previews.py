"""Previews of links show what their readers may see, and to others only the map."""

import re

import pytest
from tests.games.browsing import read_page

from diplomaccloud.games.hall.models import Standing
from diplomaccloud.games.table.models import Game
from diplomaccloud.maps.card_pictures import name_picture

HASH, VERSION = "a" * 64, "drawn"
CURRENT = f"/maps/cards/{name_picture(HASH, VERSION, 'light')}.webp"


@pytest.fixture
def drawn(cast):
    """The cast's game, whose position a worker has drawn."""
    Standing.objects.update(position_hash=HASH, drawn=VERSION)
    return cast


def read_preview(response) -> dict[str, str]:
    return dict(re.findall(r'<meta property="og:(\w+)" content="(.*?)">', read_page(response)))


def preview_of(cast, who, rest=""):
    return read_preview(cast.client(who).get(cast.url(rest)))


def test_a_public_game_shows_its_board(drawn):
    for who in ("nobody", "alice"):
        assert preview_of(drawn, who)["image"] == f"http://testserver{CURRENT}"


def test_before_the_board_is_drawn_the_opening_is_shown(cast):
    map_hash = Game.objects.get().chart.content_hash
    assert f"/maps/{map_hash}/light-card.webp" in preview_of(cast, "nobody")["image"]


def test_the_former_address_leads_to_the_picture_of_a_public_game(drawn):
    answer = drawn.client("nobody").get(drawn.url("picture.png"))
    assert (answer.status_code, answer["Location"]) == (302, CURRENT)


def test_a_private_game_shows_its_board_only_to_its_players(drawn):
    Game.objects.update(private=True)
    preview = preview_of(drawn, "alice")
    assert preview["title"] == "A private game"
    assert preview["image"].endswith(CURRENT)
    for who in ("charlie", "nobody"):
        assert CURRENT not in read_page(drawn.client(who).get(drawn.url()))
        assert drawn.client(who).get(drawn.url("picture.png")).status_code == 404


def test_an_invited_player_sees_the_opening_of_a_private_game(drawn):
    from django.utils import timezone

    from diplomaccloud.games.seats.actions import resign

    Game.objects.update(private=True)
    resign(slug=drawn.slug, user_id=drawn.bob, now=timezone.now())
    preview = preview_of(drawn, "charlie", f"?code={Game.objects.get().code}")
    assert preview["title"] == "A private game"
    assert "light-card.webp" in preview["image"]
