"""Who gets which power in a new game: its creator, an invited person, a bot, or the draw."""

import pytest
from tests.api.calls import problem_of

from diplomaccloud.games.table.models import Game, Invitation, Seat

POWERS = ("AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "ITALY", "RUSSIA", "TURKEY")
YOU = {"kind": "you"}
BOB = {"kind": "person", "name": "Bob"}
BOT = {"kind": "bot", "name": "hold"}


@pytest.fixture
def create(program, table):
    """A function that creates a game with these holders as Alice."""

    def send(holders, *, call="/games", **more):
        body = {"world": "Aldmark", "holders": holders, **more}
        return program("alice").post(call, body)

    return send


def players_of(game):
    """Return the name of the player of each power, as everyone reads it."""
    return {seat["powers"][0]: seat["holder"]["name"] for seat in game["seats"]}


def test_the_creator_a_guest_and_a_bot_get_their_powers(create, program, client):
    chosen = {"TURKEY": YOU, "FRANCE": BOB, "ITALY": BOT, "RUSSIA": {"kind": "open"}}
    made = create(chosen).json()
    place = f"/games/{made['id']}"
    assert made["rated"] is False
    assert made["holders"] == {
        "TURKEY": {"kind": "person", "name": "Alice"},
        "FRANCE": {"kind": "person", "name": ""},
        "ITALY": {"kind": "bot", "name": "hold"},
    }
    rules = client.get(f"{place}/rules/").content.decode()
    assert "has chosen who plays France, Italy and Turkey" in rules
    assert program("bob").post(f"{place}/seats", {}).status_code == 200
    assert program("nobody").get(place).json()["holders"]["FRANCE"]["name"] == "Bob"
    started = program("alice").post(f"{place}/start", {"bot": "random"}).json()
    players = players_of(started)
    assert set(players) == set(POWERS)
    assert (players["TURKEY"], players["FRANCE"], players["ITALY"]) == ("Alice", "Bob", "hold")
    assert started["holders"]["FRANCE"] == {"kind": "person", "name": "Bob"}
    assert len(started["holders"]) == 3


def test_others_leave_room_for_a_guest_and_for_bots_with_powers(create, program):
    chosen = dict.fromkeys(POWERS[:5], BOT)
    place = f"/games/{create({**chosen, 'RUSSIA': BOB}).json()['id']}"
    problem_of(program("charlie").post(f"{place}/seats", {}), "wrong-moment", 409)
    assert program("bob").post(f"{place}/seats", {}).status_code == 200
    started = program("alice").post(f"{place}/start", {}).json()
    assert players_of(started)["RUSSIA"] == "Bob"
    assert players_of(started)["TURKEY"] == "Alice"


def test_a_guest_who_stays_away_leaves_the_power_to_the_draw(create, program):
    made = create({"FRANCE": BOB}).json()
    place = f"/games/{made['id']}"
    withdrawn = program("alice").call("DELETE", f"{place}/invitations?name=Bob")
    assert withdrawn.status_code == 200
    assert program("alice").get(place).json()["holders"] == {}
    started = program("alice").post(f"{place}/start", {"bot": "hold"}).json()
    assert set(players_of(started)) == set(POWERS)


def test_a_game_that_is_full_with_bots_starts_at_once(create):
    chosen = dict.fromkeys(POWERS[1:], BOT)
    made = create(chosen, options={"start": "full"}).json()
    assert made["status"] == "running"
    assert players_of(made)["AUSTRIA"] == "Alice"


def test_bots_and_the_person_of_a_solo_game_get_their_powers(create):
    chosen = {"TURKEY": YOU, "ITALY": {"kind": "bot", "name": "greedy"}}
    made = create(chosen, call="/solo-games", bot="hold").json()
    players = players_of(made)
    assert (players.pop("TURKEY"), players.pop("ITALY")) == ("Alice", "greedy")
    assert set(players.values()) == {"hold"}


def test_a_player_of_several_powers_is_named_by_any_of_them(create):
    made = create({"ITALY": YOU}, options={"setup": "2000-3"}).json()
    assert list(made["holders"]) == ["RUSSIA"]


@pytest.mark.parametrize(
    ("holders", "more", "field"),
    [
        ({"SPAIN": YOU}, {}, "holders.SPAIN"),
        ({"FRANCE": {"kind": "nobody"}}, {}, "holders.FRANCE.kind"),
        ({"FRANCE": {"kind": "person"}}, {}, "holders.FRANCE.name"),
        ({"FRANCE": {"kind": "you", "name": "Alice"}}, {}, "holders.FRANCE.name"),
        ({"FRANCE": {"kind": "person", "name": "Nobody"}}, {}, "holders.FRANCE"),
        ({"FRANCE": {"kind": "bot", "name": "nobody"}}, {}, "holders.FRANCE"),
        ({"FRANCE": BOB, "ITALY": BOB}, {}, "holders.ITALY"),
        ({"FRANCE": YOU, "ITALY": {"kind": "person", "name": "Alice"}}, {}, "holders.ITALY"),
        ({"RUSSIA": YOU, "ITALY": BOT}, {"options": {"setup": "2000-3"}}, "holders.ITALY"),
        (dict.fromkeys(POWERS, BOT), {}, "holders"),
        ({"FRANCE": YOU}, {"options": {"master": "creator"}}, "holders.FRANCE"),
        ({"FRANCE": YOU}, {"options": {"anonymous": True}}, "holders"),
        ({"FRANCE": YOU}, {"rated": True}, "rated"),
        ({"FRANCE": BOB}, {"call": "/solo-games"}, "holders.FRANCE.kind"),
        (dict.fromkeys(POWERS, BOT), {"call": "/solo-games"}, "holders"),
    ],
)
def test_a_wrong_holder_is_named_and_nothing_is_created(create, holders, more, field):
    answer = create(holders, **more)
    document = problem_of(answer, answer.json()["type"].rpartition(":")[2], 422)
    assert document["errors"][0]["field"] == field
    assert Game.objects.count() == 1
    assert not Invitation.objects.exists()
    assert not Seat.objects.exclude(reserved="").exists()
