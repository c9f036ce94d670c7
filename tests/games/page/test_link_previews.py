"""Previews of links show what everyone may see, and for a private game only the map."""

import re
import struct

from tests.games.browsing import read_page

from diplomaccloud.games.table.models import Game


def read_preview(response) -> dict[str, str]:
    return dict(re.findall(r'<meta property="og:(\w+)" content="(.*?)">', read_page(response)))


def test_a_public_game_shows_its_board(cast):
    preview = read_preview(cast.client("nobody").get(f"/games/{cast.slug}/"))
    assert preview["image"] == f"http://testserver/games/{cast.slug}/picture.png"
    picture = cast.client("nobody").get(f"/games/{cast.slug}/picture.png")
    assert picture.content[:4] == b"\x89PNG"
    assert struct.unpack(">I", picture.content[16:20]) == (800,)


def test_the_picture_is_the_same_for_a_player_and_a_stranger(cast):
    path = f"/games/{cast.slug}/picture.png"
    assert cast.client("alice").get(path).content == cast.client("nobody").get(path).content


def test_a_private_game_shows_only_its_map(cast):
    game = Game.objects.get(slug=cast.slug)
    Game.objects.update(private=True)
    preview = read_preview(cast.client("alice").get(f"/games/{cast.slug}/"))
    assert preview["title"] == "A private game"
    assert preview["image"].endswith(f"/maps/{game.chart.content_hash}/preview.png")
    assert cast.client("alice").get(f"/games/{cast.slug}/picture.png").status_code == 404
    assert cast.client("nobody").get(preview["image"]).content[:4] == b"\x89PNG"
