"""One person's requests for pages, partly of press."""

import random
from unittest.mock import patch

from django.conf import settings
from django.test import Client
from judge.tests.scenes import random_orders

from diplomaccloud.accounts.models import User
from diplomaccloud.games.table import panels
from diplomaccloud.games.table.models import Game
from diplomaccloud.sandbox.address import encode_state
from diplomaccloud.sandbox.engine import open_position

PART = {"HX-Request": "true"}
OK = (200, 303)


def list_visits(game: Game, user_id: int):
    """Return functions that request a page, by the name of the page."""
    settings.ALLOWED_HOSTS = ["testserver"]
    client = Client()
    client.force_login(User.objects.get(pk=user_id))
    url, board = f"/games/{game.slug}/", _draw_board(game)

    def visit(path, **headers):
        answer = client.get(path, headers=headers)
        assert answer.status_code in OK, (path, answer.status_code)

    def visit_without_press():
        with patch.object(panels, "_load_functions", lambda _: ()):
            visit(url)

    def adjudicate():
        form = {"board": board, "do": "adjudicate"}
        answer = client.post(f"{url}maps/draw/", form, headers=PART)
        assert answer.status_code in OK, answer.status_code

    return {
        "page: game without press": visit_without_press,
        "page: game": lambda: visit(url),
        "page: conversations": lambda: visit(f"{url}press/"),
        "page: conversation": lambda: visit(f"{url}press/FRANCE/"),
        "page: conversation, new part": lambda: visit(f"{url}press/FRANCE/?after=1", **PART),
        "page: ledger": lambda: visit(f"{url}press/ledger/"),
        "page: messages": lambda: visit("/messages/"),
        "page: notices": lambda: visit("/notices/"),
        "page: what-if": adjudicate,
    }


def _draw_board(game: Game) -> str:
    """Return the board of the game with an order for every unit."""
    phase = game.newest_phase()
    orders = random_orders(phase.board, phase.position, random.Random(1))
    state = open_position(phase.board, phase.position, orders, game.rules.name)
    return encode_state(state, phase.board, game.chart.content_hash)
