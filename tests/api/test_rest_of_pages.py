"""API counterparts of other pages: rooms, history, people, notices and maps."""

import json
import threading
from dataclasses import replace

import pytest
from django.db import connection
from tests.api.calls import Program, problem_of, token_of
from tests.games.steps import due, save
from tests.press.conftest import talking  # noqa: F401 - a fixture

from diplomaccloud.games.table.models import Game, Seat
from diplomaccloud.judge.drawing.europe import standard_chart
from diplomaccloud.maps.factory import NoMapError
from diplomaccloud.maps.library import store_chart
from diplomaccloud.maps.previews import MAP_WORKER
from diplomaccloud.notices.models import Destination


@pytest.fixture
def room(program, table):
    """The id of a private game of Alice's that waits for players."""
    body = {"world": "Waiting", "private": True, "options": {}}
    return program("alice").post("/games", body).json()["id"]


def test_a_waiting_room_has_invitations_and_dismissals(program, table, room):
    alice, bob, charlie = program("alice"), program("bob"), program("charlie")
    path = f"/games/{room}"
    code = alice.get(f"{path}/waiting-room").json()["code"]
    assert bob.get(f"/codes/{code}").json() == {"game": room, "needs_code": True}
    problem_of(bob.get("/codes/nothing"), "not-found", 404)
    problem_of(bob.get(f"{path}/waiting-room"), "not-found", 404)
    assert alice.post(f"{path}/invitations", {"name": "bob"}).json()["invited"] == ["Bob"]
    assert bob.post(f"{path}/seats", {}).status_code == 200
    seen = bob.get(f"{path}/waiting-room").json()
    assert (seen["invited"], seen["free"], seen["ready"]) == ([], 5, 0)
    ready = bob.put(f"{path}/seat/ready-to-start", {"ready": True}).json()
    (own,) = (seat for seat in ready["seats"] if seat["you"])
    assert own["ready"]
    problem_of(bob.post(f"{path}/dismissals", {"seat": own["key"]}), "not-yours", 403)
    after = alice.post(f"{path}/dismissals", {"seat": own["key"]}).json()
    assert after["free"] == 6
    alice.post(f"{path}/invitations", {"name": "Charlie"})
    gone = alice.call("DELETE", f"{path}/invitations?name=Charlie").json()
    assert gone["invited"] == []
    problem_of(charlie.get(f"{path}/waiting-room"), "not-found", 404)
    again = alice.call("DELETE", f"{path}/invitations?name=Charlie")
    problem_of(again, "wrong-moment", 409)
    unknown = problem_of(alice.post(f"{path}/invitations", {"name": "Zoe"}), "invalid", 422)
    assert unknown["errors"][0]["field"] == "name"
    named = alice.put(f"{path}/seat/country", {"country": "Ruritania"})
    assert named.json()["country"] == "Ruritania"
    problem_of(alice.put(f"{path}/seat/color", {"color": "#123456"}), "wrong-moment", 409)
    problem_of(alice.put(f"{path}/seat/color", {"color": "red"}), "invalid", 422)
    problem_of(alice.get(f"/games/{table.slug}/waiting-room"), "wrong-moment", 409)


def test_an_anonymous_waiting_room_shows_no_person_s_seat(program, table):
    alice, bob, charlie = program("alice"), program("bob"), program("charlie")
    body = {"world": "Hidden", "options": {"anonymous": True}}
    path = f"/games/{alice.post('/games', body).json()['id']}"
    alice.post(f"{path}/invitations", {"name": "Bob"})
    bob.post(f"{path}/seats", {})
    seen = bob.put(f"{path}/seat/ready-to-start", {"ready": True}).json()
    assert [seat["ready"] for seat in seen["seats"] if seat["you"]] == [True]
    for who in (charlie, bob, alice):
        room = who.get(f"{path}/waiting-room").json()
        assert room["ready"] == 1
        assert {seat["ready"] for seat in room["seats"] if not seat["you"]} == {None}
        assert {seat["ready"] for seat in who.get(path).json()["seats"]} == {None}
        assert all(seat["key"] for seat in room["seats"]) is (who is alice)
        assert any(seat["key"] for seat in room["seats"]) is (who is alice)
    (other,) = (seat for seat in room["seats"] if not seat["you"])
    after = alice.post(f"{path}/dismissals", {"seat": other["key"]}).json()
    assert (after["free"], after["invited"], after["ready"]) == (6, ["Bob"], 0)


def test_a_solo_game_starts_at_once_and_has_hints(program, table):
    alice = program("alice")
    made = alice.post("/solo-games", {"bot": "hold", "world": "Alone"}, key="solo")
    assert (made.status_code, made.json()["status"]) == (201, "running")
    path = f"/games/{made.json()['id']}/seat"
    hint = alice.get(f"{path}/hint").json()
    assert hint == {"available": True, "asked": False, "orders": [], "warnings": []}
    assert alice.post(f"{path}/hint", {"phase": 1}).json()["asked"]
    assert not alice.get(f"/games/{table.slug}/seat/hint").json()["available"]
    problem_of(alice.post("/solo-games", {"bot": "nobody"}), "invalid", 422)


def test_the_past_of_a_game_is_read(program, table):
    save(table, "alice", "A VIE - GAL", "A BUD S A VIE - GAL")
    due(table)
    alice, nobody, path = program("alice"), program("nobody"), f"/games/{table.slug}"
    log = nobody.get(f"{path}/log").json()
    assert (log["page"], log["pages"]) == (1, 1)
    assert nobody.get(f"{path}/centers").json()["years"]["1900"]["VIE"] == "AUSTRIA"
    deeds = nobody.get(f"{path}/statistics").json()["deeds"]["AUSTRIA"]
    assert (deeds["moves"], deeds["moved"], deeds["supports"]) == (1, 1, 1)
    results = nobody.get(f"{path}/phases/1").json()["results"]
    number = next(at for at, row in enumerate(results) if row["order"] == "A VIE - GAL")
    why = nobody.get(f"{path}/phases/1/why/{number}").json()
    assert (why["order"], why["explanation"]["outcome"]) == ("A VIE - GAL", "moved")
    problem_of(nobody.get(f"{path}/phases/2/why/0"), "not-found", 404)
    problem_of(nobody.get(f"{path}/phases/1/why/999"), "not-found", 404)
    assert nobody.get(f"{path}/picture").headers["Content-Type"] == "image/png"
    assert isinstance(nobody.get("/keys").json(), dict | list)
    lines = b"".join(nobody.get(f"{path}/record").streaming_content).splitlines()
    assert json.loads(lines[0])["record"]
    problem_of(program("charlie").get(f"{path}/seat/record"), "not-found", 404)
    assert b"".join(alice.get(f"{path}/seat/record").streaming_content)


def test_receipts_are_for_their_holder(program, table):
    save(table, "alice", "A VIE - GAL")
    path = f"/games/{table.slug}/receipts"
    (own,) = program("alice").get(path).json()["saves"]
    assert "A VIE - GAL" in own["text"]
    assert program("bob").get(path).json()["saves"] == []
    assert b"A VIE" not in program("nobody").get(path).content
    due(table)
    locked = program("bob").get(f"{path}?phase=1").json()
    assert locked["sequence"] == 1
    assert {row["part"] for row in locked["receipts"]} <= {"orders", "sealed"}
    problem_of(program("bob").get(f"{path}?phase=2"), "not-found", 404)


def test_drafts_are_copied_and_renamed(program, table):
    save(table, "alice", "A VIE - GAL")
    alice, path = program("alice"), f"/games/{table.slug}/seat/drafts"
    copied = alice.put(f"{path}/Plan B", {"phase": 1, "copied": True}).json()
    assert copied["orders"] == ["A VIE - GAL"]
    renamed = alice.post(f"{path}/Plan%20B/rename", {"phase": 1, "new_name": "Plan C"}).json()
    assert "Plan C" in {draft["name"] for draft in renamed["drafts"]}


def test_people_are_found_and_set_their_status(program, table):
    alice = program("alice")
    page = program("nobody").get("/people?q=ali").json()
    assert [person["name"] for person in page["people"]] == ["Alice"]
    saved = alice.put("/me/status", {"status": "On holiday."}).json()
    assert saved["person"]["status"] == "On holiday."
    assert program("bob").get("/people/Alice").json()["person"]["status"] == "On holiday."
    problem_of(alice.get("/people/Nobody"), "not-found", 404)
    problem_of(alice.put("/me/status", {"status": "x" * 500}), "invalid", 422)


def test_notices_have_settings_and_destinations(program, table):
    alice, bob = program("alice"), program("bob")
    assert alice.get("/me/notices").json()["page"] == 1
    assert alice.post("/me/notices/seen", {"up_to": "2026-11-23T18:00:00Z"}).status_code == 200
    problem_of(alice.post("/me/notices/seen", {"up_to": "2026-11-23"}), "invalid", 422)
    changed = {"kinds": {"message": {"chat": True}}, "quiet_from": "22:00", "quiet_until": "07:00"}
    saved = alice.put("/me/notice-settings", {**changed, "zone": "Europe/Berlin"}).json()
    assert (saved["kinds"]["message"]["chat"], saved["quiet_from"]) == (True, "22:00:00")
    assert alice.get("/me/notice-settings").json() == saved
    for wrong in (
        {"kinds": {"message": {"pigeon": True}}},
        {"kinds": {"seat": {"push": True}}},
        {"quiet_from": None},
        {"zone": "Mars/Olympus"},
        {"quiet_from": "22:00+02:00"},
    ):
        problem_of(alice.put("/me/notice-settings", wrong), "invalid", 422)
    assert alice.get("/me/notice-settings").json() == saved
    address = "https://discord.com/api/webhooks/1/abcdefghijkl"
    hook = {"kind": "chat", "address": address}
    (added,) = alice.post("/me/destinations", hook).json()["destinations"]
    assert (added["channel"], added["confirmed"]) == ("discord", True)
    problem_of(bob.post(f"/me/destinations/{added['key']}/remove", {}), "not-found", 404)
    assert alice.post(f"/me/destinations/{added['key']}/test").status_code == 200
    again = alice.post(f"/me/destinations/{added['key']}/test")
    problem_of(again, "wrong-moment", 409)
    for address in ("http://localhost/", "https://example.com/hook"):
        wrong = {"kind": "chat", "address": address}
        problem_of(alice.post("/me/destinations", wrong), "invalid", 422)
    removed = alice.post(f"/me/destinations/{added['key']}/remove").json()
    assert removed == {"destinations": []}
    assert not Destination.objects.exists()


@pytest.mark.django_db(transaction=True)
@pytest.mark.every_database
def test_settings_of_different_kinds_saved_at_the_same_time_all_last(table):
    token, start = token_of(table.alice), threading.Barrier(4)
    kinds, answers = ("reminder", "result", "started", "finished"), []
    old = Program(token).get("/me/notice-settings").json()["kinds"]
    wanted = {kind: {"chat": not old[kind]["chat"]} for kind in kinds}

    def save(kind):
        program = Program(token)
        start.wait()
        body = {"kinds": {kind: wanted[kind]}}
        answers.append(program.put("/me/notice-settings", body).status_code)
        connection.close()

    threads = [threading.Thread(target=save, args=(kind,)) for kind in kinds]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == [200] * 4
    saved = Program(token).get("/me/notice-settings").json()["kinds"]
    assert {kind: {"chat": saved[kind]["chat"]} for kind in kinds} == wanted


def test_a_token_without_press_sends_no_messages_to_another_address(program, table):
    alice = program("alice", "read", "play", "create", "gm")
    chat = {"kind": "chat", "address": "https://discord.com/api/webhooks/1/abcdefghijkl"}
    problem_of(alice.post("/me/destinations", chat), "scope", 403)
    problem_of(alice.put("/me/notice-settings", {"with_text": True}), "scope", 403)
    for path in ("/me/destinations", "/me/notice-settings", "/me/notices"):
        problem_of(alice.get(path), "scope", 403)
    assert not Destination.objects.exists()


def test_maps_are_found_by_landform(program, table, now):
    maker, title = "generator 8, landform inland-sea", "The Shores of Bel"
    chart = replace(standard_chart(), world="Bel", maker=maker, title=title)
    store_chart(chart, now=now)
    (card,) = program("nobody").get("/maps?landform=inland-sea").json()["maps"]
    assert (card["name"], card["title"], card["landform"]) == ("Bel", title, "inland-sea")
    assert program("nobody").get("/maps?landform=isthmus").json()["total"] == 0
    problem_of(program("nobody").get("/maps?landform=flat"), "invalid", 422)


def test_a_landform_without_room_for_the_players_is_refused_at_once(program, table):
    asked = {"seed": "amber 1", "players": 34, "landform": "new-world"}
    problem_of(program("alice").post("/map-previews", asked), "invalid", 422)


def test_maps_are_listed_drawn_made_and_kept(program, table, monkeypatch):
    alice, nobody = program("alice"), program("nobody")
    (card,) = nobody.get("/maps").json()["maps"]
    path = f"/maps/{card['hash']}"
    assert nobody.get(f"{path}/card").json() == card
    assert (card["title"], card["landform"], card["listed"]) == ("", None, True)
    assert b"<svg" in nobody.get(f"{path}/picture/dark").content[:200]
    assert nobody.get(f"{path}/start").content.startswith(b"\x89PNG")
    for part in ("card", "picture/light", "start"):
        problem_of(nobody.get(f"/maps/{'0' * 64}/{part}"), "not-found", 404)
    monkeypatch.setattr(MAP_WORKER, "make", lambda _: standard_chart())
    asked = {"seed": "amber 1", "players": 7}
    problem_of(alice.post("/maps", {**asked, "name": "Amber"}), "wrong-moment", 409)
    assert alice.post("/map-previews", asked).json()["provinces"] == card["provinces"]
    kept = alice.post("/maps", {**asked, "name": "Amber"}, key="keep")
    assert (kept.status_code, kept.json()["name"]) == (201, "Amber")
    problem_of(alice.post("/map-previews", {**asked, "provinces": 11}), "invalid", 422)

    def fail(_):
        raise NoMapError("No such map.")

    monkeypatch.setattr(MAP_WORKER, "make", fail)
    problem_of(alice.post("/map-previews", {**asked, "seed": "b"}), "invalid", 422)


def test_a_game_master_looks_and_it_is_logged(talking):  # noqa: F811
    talking.agree(master_reads=True)
    talking.send("ENGLAND", "FRANCE", "A secret.")
    Game.objects.get()
    morgan = Program(token_of(talking.user_id("Morgan")))
    england = Program(token_of(talking.user_id("ENGLAND")))
    path = f"/games/{talking.slug}"
    preview = morgan.post(f"{path}/previews", {"phase": 1, "reason": "A test."})
    assert preview.json()["results"]
    look = {"powers": ["ENGLAND", "FRANCE"], "reason": "A report."}
    assert [row["body"] for row in morgan.post(f"{path}/looks", look).json()["messages"]] == [
        "A secret."
    ]
    telling = morgan.post(f"{path}/looks", {**look, "reason": "England was reported."})
    assert problem_of(telling, "refused", 422)["errors"][0]["field"] == "reason"
    kinds = [line["kind"] for line in england.get(f"{path}/log").json()["lines"]]
    assert len(kinds) >= 2
    assert england.post(f"{path}/looks", look).status_code in (403, 404)
    assert england.post(f"{path}/previews", {"phase": 1, "reason": "x"}).status_code == 403


@pytest.mark.parametrize("then", ["end", "bots"])
def test_the_last_player_decides_about_the_game_on_leaving(program, table, then):
    alice = program("alice")
    path = f"/games/{table.slug}/seats?then={then}"
    problem_of(alice.call("DELETE", path), "wrong-moment", 409)
    problem_of(alice.call("DELETE", f"/games/{table.slug}/seats?then=maybe"), "invalid", 422)
    program("bob").call("DELETE", f"/games/{table.slug}/seats")
    assert alice.call("DELETE", path).json() == {"game": table.slug}
    game = Game.objects.get()
    assert game.status == ("finished" if then == "end" else "running")
    assert Seat.objects.filter(user=table.alice).exists() is (then == "end")
    assert Seat.objects.filter(bot="").exists() is (then == "end")
