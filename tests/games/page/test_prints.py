"""A turn on paper: what everyone sees who may see the game, and nothing else."""

import json
from base64 import b64encode

import pytest
from tests.games.steps import due, save
from tests.scenes import scene

from diplomaccloud.games.table.models import Game
from diplomaccloud.maps.prints import PRINT_WORKER

EVERYBODY = ["alice", "bob", "charlie", "nobody"]
PDFS = ["turn.pdf", "slips.pdf", "phases/1/turn.pdf"]


@pytest.fixture
@scene
def open_turn(cast):
    """A phase is over; Austria has saved orders for the next one."""
    save(cast, "alice", "A BUD - SER")
    assert due(cast) == 1
    save(cast, "alice", "A SER - GRE")
    return cast


@pytest.fixture
def asked(monkeypatch, settings, tmp_path):
    """The requests that reach the worker, which answers at once."""
    settings.DATA_DIR = tmp_path
    lines = []

    def ask(line):
        lines.append(line)
        return b64encode(b"%PDF-x").decode()

    monkeypatch.setattr(PRINT_WORKER, "ask", ask)
    return lines


@pytest.mark.parametrize("name", PDFS)
def test_everybody_gets_the_same_file_without_open_orders(open_turn, asked, name):
    for who in EVERYBODY:
        response = open_turn.client(who).get(open_turn.url(name))
        assert (response.status_code, response.content) == (200, b"%PDF-x")
    save(open_turn, "alice", "A SER - BUL")
    open_turn.client("alice").get(open_turn.url(name))
    (line,) = asked
    assert not any(player in line for player in ("alice", "bob", "charlie"))


def test_a_past_phase_has_its_results_and_the_current_one_those_before_it(open_turn, asked):
    for name in PDFS:
        open_turn.client("nobody").get(open_turn.url(name))
    now, _, past = (json.loads(line) for line in asked)
    assert past["position"] == now["past"][0][0]
    assert past["resolution"] == now["past"][0][1]
    assert "moved" in {result["outcome"] for result in past["resolution"]["results"]}
    assert (now["resolution"], past["past"], past["deadline"]) == (None, [], "")
    assert now["deadline"].startswith("Orders are due ")


@pytest.mark.parametrize("name", [*PDFS, "phases/2/turn.pdf"])
def test_what_may_not_be_seen_is_not_printed(open_turn, asked, name):
    Game.objects.update(private=True)
    assert open_turn.client("nobody").get(open_turn.url(name)).status_code == 404
    assert open_turn.client("alice").get(open_turn.url("phases/2/turn.pdf")).status_code == 404
    assert asked == []


def test_the_menus_link_to_the_turn_that_is_shown(open_turn, asked):
    client = open_turn.client("nobody")
    board, phase = (client.get(open_turn.url(page)).content.decode() for page in ("", "phases/1/"))
    for name in ("turn.pdf", "slips.pdf"):
        assert f'href="{open_turn.url(name)}?style=parchment"' in board
    assert f'href="{open_turn.url("phases/1/turn.pdf")}?style=parchment"' in phase
    assert asked == []
