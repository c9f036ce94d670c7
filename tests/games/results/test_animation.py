"""A processed phase as an animation: what happens to each unit, and who may see it."""

import gzip
import re

import pytest
from tests.games.steps import due, save
from tests.scenes import scene

from diplomaccloud.games.table.models import Game

EVERYBODY = ["alice", "bob", "charlie", "nobody"]
TERRITORY = {"countries", "stars"}


@pytest.fixture
@scene
def fought(cast):
    """Two phases are over, in the second Austria and Turkey bounced; a third one is open."""
    for mine, theirs in (("A BUD - SER", "A CON - BUL"), ("A SER - BUL", "A BUL - SER")):
        save(cast, "alice", mine)
        save(cast, "bob", theirs)
        assert due(cast) == 1
    return cast


def ask(cast, who, sequence, **query):
    return cast.client(who).get(cast.url(f"phases/{sequence}/animation/"), query)


def steps(animation):
    return {
        (motion["power"], motion["unit"]): [step["kind"] for step in motion["steps"]]
        for motion in animation["motions"]
    }


@pytest.mark.parametrize("who", EVERYBODY)
def test_units_move_and_bounce(fought, who):
    moved, bounced = (ask(fought, who, sequence).json() for sequence in (1, 2))
    assert steps(moved) == {("AUSTRIA", "A BUD"): ["go"], ("TURKEY", "A CON"): ["go"]}
    assert steps(bounced) == {("AUSTRIA", "A SER"): ["bounce"], ("TURKEY", "A BUL"): ["bounce"]}
    assert "head-to-head battle" in bounced["captions"][0]
    paths = [step["path"] for motion in moved["motions"] for step in motion["steps"]]
    assert all(re.fullmatch(r"M[-\d. ]+Q[-\d. ]+", path) for path in paths)


def test_the_picture_is_that_of_the_page_of_the_phase(fought):
    page = fought.client("nobody").get(fought.url("phases/2/")).content.decode()
    animation = ask(fought, "nobody", 2).json()
    for name, drawn in animation["parts"].items():
        assert drawn in page, name
        assert drawn.startswith(f'<g class="{name}"'), name


def test_orders_are_numbered_as_their_explanations_are(fought):
    animation = ask(fought, "nobody", 2).json()
    numbers = {line["order"]: line["number"] for line in animation["orders"]}
    page = fought.client("nobody").get(fought.url("phases/2/")).content.decode()
    line = page.partition(f'id="order-2-{numbers["A SER - BUL"]}"')[2]
    assert "A SER - BUL" in line.partition("</li>")[0]


def test_territory_that_the_page_has_is_not_sent_again(fought):
    first = ask(fought, "nobody", 1).json()
    assert first["parts"].keys() >= TERRITORY
    second = ask(fought, "nobody", 2, have=[first["territory"], "nonsense"]).json()
    assert second["territory"] == first["territory"]
    assert not TERRITORY & second["parts"].keys()


def test_an_animation_is_small(fought):
    first = ask(fought, "nobody", 1).json()["territory"]
    answer = ask(fought, "nobody", 2, have=first)
    assert len(gzip.compress(answer.content)) < 15_000


@pytest.mark.parametrize("who", EVERYBODY)
def test_an_open_phase_has_none(fought, who):
    assert ask(fought, who, 3).status_code == 404
    assert ask(fought, who, 4).status_code == 404
    assert ask(fought, who, 0).status_code == 404


def test_a_private_game_shows_none_to_strangers(fought):
    Game.objects.update(private=True)
    assert ask(fought, "alice", 1).status_code == 200
    assert ask(fought, "nobody", 1).status_code == 404


def test_the_table_leaves_out_the_parts_of_the_map_that_the_page_has(fought):
    client = fought.client("alice")
    whole = client.get(fought.url()).content.decode()
    territory = re.search(r'data-territory="(\w+)"', whole)[1]
    headers = {"HX-Request": "true", "Map-Has": f"{territory} nonsense"}
    part = client.get(fought.url(), headers=headers).content.decode()
    gaps = re.findall(r'<g class="(\w+)" data-same></g>', part)
    assert gaps == ["countries", "provinces", "stars"]
    assert len(gzip.compress(part.encode())) < 20_000
    strange = client.get(fought.url(), headers=headers | {"Map-Has": ""}).content.decode()
    assert re.findall(r'<g class="(\w+)" data-same></g>', strange) == ["provinces"]
    without = client.get(fought.url(), headers={"Map-Has": territory}).content.decode()
    for page in (whole, without):
        assert re.findall(r'<g class="(\w+)" data-same></g>', page) == ["provinces"]
