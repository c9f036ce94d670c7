"""Drafts, conditional orders, votes; creating, joining and leaving games."""

import pytest
from tests.api.calls import problem_of
from tests.games.steps import due

from diplomaccloud.games.table.models import Game, Seat
from diplomaccloud.games.votes.models import Vote


@pytest.fixture
def alice(program):
    return program("alice")


def seat_of(table):
    return f"/games/{table.slug}/seat"


def test_a_draft_is_made_filled_made_live_and_deleted(alice, table):
    path = f"{seat_of(table)}/drafts"
    answer = alice.put(f"{path}/Plan%20B", {"phase": 1, "orders": ["A VIE - BOH"]}).json()
    assert (answer["draft"], answer["live"], answer["receipt"]) == ("Plan B", False, None)
    alice.put(f"{seat_of(table)}/orders", {"phase": 1, "orders": ["A VIE - GAL"]})
    assert alice.get(seat_of(table)).json()["orders"] == ["A VIE - GAL"]
    body = {"phase": 1, "orders": ["F TRI - ALB"], "live": True}
    answer = alice.put(f"{path}/Plan%20B", body, key="live").json()
    assert (answer["orders"], answer["live"]) == (["A VIE - BOH", "F TRI - ALB"], True)
    (first,) = (
        draft["name"] for draft in alice.get(seat_of(table)).json()["drafts"] if not draft["live"]
    )
    seat = alice.call("DELETE", f"{path}/{first}?phase=1").json()
    assert [draft["name"] for draft in seat["drafts"]] == ["Plan B"]
    problem_of(alice.call("DELETE", f"{path}/Plan%20B"), "invalid", 422)
    answer = alice.call("DELETE", f"{path}/Plan%20B?phase=1")
    assert answer.status_code in (409, 422)
    due(table)
    problem_of(alice.put(f"{path}/C", {"phase": 1}), "phase-over", 409)


def test_a_draft_does_not_go_live_if_all_its_orders_are_refused(alice, table):
    alice.put(f"{seat_of(table)}/orders", {"phase": 1, "orders": ["A VIE - GAL"]})
    before = alice.get(seat_of(table)).json()
    body = {"phase": 1, "orders": ["A PAR - XYZ"], "live": True}
    for key in ("", "once"):
        problem = problem_of(alice.put(f"{seat_of(table)}/drafts/B", body, key=key), "orders", 422)
        assert [order["text"] for order in problem["orders"]] == ["A PAR - XYZ"]
    assert alice.get(seat_of(table)).json() == before


def test_an_outdated_draft_does_not_go_live(alice, table):
    path = f"{seat_of(table)}/drafts/B"

    def read_draft():
        drafts = alice.get(seat_of(table)).json()["drafts"]
        return next(draft for draft in drafts if draft["name"] == "B")

    alice.put(path, {"phase": 1, "orders": ["A VIE - GAL"]})
    seen = read_draft()["version"]
    alice.put(path, {"phase": 1, "orders": ["A VIE - BOH"]})
    # Nothing would be replaced, but an order that the player has not seen would be submitted.
    for orders in ([], ["A VIE - BOH"]):
        body = {"phase": 1, "orders": orders, "live": True, "version": seen}
        problem_of(alice.put(path, body), "outdated", 409)
    assert not read_draft()["live"]
    body = {"phase": 1, "orders": ["A VIE - TYR"], "live": True, "version": read_draft()["version"]}
    # The second request repeats the first, whose answer was lost.
    for _ in range(2):
        assert alice.put(path, body).json()["orders"] == ["A VIE - TYR"]
    assert read_draft()["live"]


def test_conditional_orders_are_saved_all_or_none(alice, table):
    path = f"{seat_of(table)}/conditional-orders"
    text = "if VIE is dislodged: BOH, disband"
    seat = alice.put(path, {"phase": 1, "text": text}).json()
    assert "VIE" in seat["conditional_orders"]
    again = alice.put(path, {"phase": 1, "text": seat["conditional_orders"]}).json()
    assert again["conditional_orders"] == seat["conditional_orders"]
    problem_of(alice.put(path, {"phase": 1, "text": f"{text}\nrubbish"}), "refused", 422)
    old = {"phase": 1, "text": "", "version": "0" * 16}
    problem_of(alice.put(path, old), "outdated", 409)
    assert alice.put(path, {"phase": 1, "text": ""}).json()["conditional_orders"] == ""


def test_draw_votes_and_questions(alice, program, table):
    path = seat_of(table)
    seat = alice.put(f"{path}/draw-vote", {"phase": 1, "vote": "draw"}).json()
    assert seat["draw_vote"] == "draw"
    assert program("bob").get(path).json()["draw_vote"] == "none"
    problem_of(alice.put(f"{path}/draw-vote", {"phase": 1, "vote": "win"}), "invalid", 422)
    seat = alice.post(f"{path}/votes", {"phase": 1, "question": "draw"}, key="v").json()
    (vote,) = seat["votes"]
    assert (vote["question"], vote["agreed"], vote["own"]) == ("draw", 1, True)
    assert alice.post(f"{path}/votes", {"phase": 1, "question": "draw"}, key="v").json() == seat
    problem_of(alice.post(f"{path}/votes", {"phase": 1, "question": "draw"}), "wrong-moment", 409)
    body = {"phase": 1, "answer": "no"}
    stranger = program("charlie").post(f"{path}/votes/{vote['id']}", body)
    problem_of(stranger, "not-yours", 403)
    problem_of(alice.post(f"{path}/votes/{'0' * 32}", body), "not-found", 404)
    answer = program("bob").post(f"{path}/votes/{vote['id']}", {"phase": 1, "answer": "yes"})
    assert answer.status_code == 200
    assert Vote.objects.get().outcome == "carried"
    assert Game.objects.get().status == "finished"


def test_a_question_is_withdrawn_by_its_player(alice, table):
    path = f"{seat_of(table)}/votes"
    body = {"phase": 1, "question": "extend", "seconds": 3600}
    (vote,) = alice.post(path, body).json()["votes"]
    answer = alice.post(f"{path}/{vote['id']}", {"phase": 1, "answer": "withdraw"})
    assert answer.status_code == 200
    assert not Vote.objects.filter(open=True).exists()


def test_a_game_is_created_joined_filled_and_played(program, table, standard):
    alice, bob = program("alice"), program("bob")
    body = {"world": "Aldmark", "options": {"anonymous": True, "fill_with": "hold"}}
    game = alice.post("/games", body, key="make")
    assert game.status_code == 201
    state = game.json()
    assert (state["status"], state["anonymous"], state["map"]) == ("forming", True, standard)
    assert alice.post("/games", body, key="make").json() == state
    path = f"/games/{state['id']}"
    assert bob.post(f"{path}/seats", {}).json()["seats"][1]["holder"]["kind"] == "person"
    problem_of(bob.post(f"{path}/seats", {}), "wrong-moment", 409)
    problem_of(bob.post(f"{path}/start", {}), "not-yours", 403)
    assert bob.call("DELETE", f"{path}/seats").json() == {"game": state["id"]}
    bob.post(f"{path}/seats", {})
    seats = alice.post(f"{path}/bots", {"bot": "greedy"}).json()["seats"]
    assert [seat["holder"]["name"] for seat in seats] == ["", "", "greedy"]
    problem_of(alice.post(f"{path}/bots", {"bot": "no such"}), "refused", 422)
    assert alice.post(f"{path}/start", {}).json()["phase"]["name"] == "S1901M"
    assert bob.call("DELETE", f"{path}/seats").status_code == 200
    seats = alice.get(path).json()["seats"]
    (power,) = (s["powers"][0] for s in seats if s["holder"]["kind"] == "vacant")
    taken = program("charlie").post(f"{path}/seats", {"power": power})
    assert taken.status_code == 200, taken.content
    assert Seat.objects.get(game__slug=state["id"], power=power).user_id == table.charlie


def test_who_leaves_only_before_the_start_never_resigns(program, table):
    alice, bob = program("alice"), program("bob")
    path = f"/games/{alice.post('/games', {'world': 'Aldmark'}).json()['id']}"
    leave = ("DELETE", f"{path}/seats?before_start=true")
    bob.post(f"{path}/seats", {})
    assert bob.call(*leave).status_code == 200
    problem_of(bob.call(*leave), "not-yours", 403)
    bob.post(f"{path}/seats", {})
    alice.post(f"{path}/start", {})
    problem_of(bob.call(*leave), "wrong-moment", 409)
    assert Seat.objects.filter(game__slug=path.split("/")[2], user=table.bob).exists()
    assert bob.call("DELETE", f"{path}/seats?before_start=false").status_code == 200
    assert not Seat.objects.filter(game__slug=path.split("/")[2], user=table.bob).exists()


def test_a_game_that_nobody_wants_is_canceled(program, table):
    alice = program("alice")
    path = f"/games/{alice.post('/games', {'world': 'Aldmark'}).json()['id']}"
    problem_of(program("bob").call("DELETE", path), "not-yours", 403)
    assert alice.call("DELETE", path).status_code == 200
    problem_of(alice.get(path), "canceled", 410)


def test_a_public_game_like_one_that_waits_is_created_only_if_asked_for(program, table):
    body = {"world": "Aldmark"}
    waiting = program("alice").post("/games", body).json()["id"]
    bob = program("bob")
    document = problem_of(bob.post("/games", body), "similar", 409)
    assert document["game"] == waiting
    assert "Aldmark waits" in document["detail"]
    for more in ({"private": True}, {"preset": "live"}, {"anyway": True}):
        assert bob.post("/games", {**body, **more}).status_code == 201


def test_the_map_of_a_setup_implies_the_setup_of_a_game_like_one_that_waits(program, table):
    body = {"world": "Aldmark", "options": {"setup": "early-4"}}
    game = program("alice").post("/games", body).json()
    same = {"world": "Aldmark", "map": game["map"]}
    document = problem_of(program("bob").post("/games", same), "similar", 409)
    assert document["game"] == game["id"]
    assert program("bob").post("/games", {"world": "Aldmark"}).status_code == 201


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "world"),
        ({"world": ""}, "world"),
        ({"world": "A", "map": "other"}, "map"),
        ({"world": "A", "preset": "other"}, "preset"),
        ({"world": "A", "options": {"speed": 1}}, "options.speed"),
        ({"world": "A", "options": {"v": 2}}, "options.v"),
        ({"world": "A", "options": {"anonymous": "yes"}}, "options.anonymous"),
        ({"world": "A", "options": {"schedule": []}}, "options.schedule"),
    ],
)
def test_options_that_make_no_sense_are_named(program, table, body, field):
    document = problem_of(program("alice").post("/games", body), "invalid", 422)
    assert document["errors"][0]["field"] == field
    assert Game.objects.count() == 1


def test_a_private_game_opens_with_its_code(program, table):
    alice, bob = program("alice"), program("bob")
    path = f"/games/{alice.post('/games', {'world': 'A', 'private': True}).json()['id']}"
    problem_of(bob.post(f"{path}/seats", {}), "not-found", 404)
    problem_of(bob.post(f"{path}/seats", {"code": "wrong"}), "not-found", 404)
    code = Game.objects.get(private=True).code
    assert bob.post(f"{path}/seats", {"code": code}).status_code == 200


def test_the_name_of_a_draft_may_have_more_spaces(program, table):
    path = f"/games/{table.slug}/seat/drafts/to%20%20the%20west%20"
    for _ in range(2):
        answer = program("alice").put(path, {"phase": 1, "orders": ["A VIE H"]})
        assert answer.json()["draft"] == "to the west"
