"""Messages in all games, mutes and blocks, reports, and the press of finished games."""

import json

import pytest
from tests.api.calls import Program, problem_of, token_of
from tests.press.archive import NOTED, PUBLIC, SECRET
from tests.press.conftest import archive, talking  # noqa: F401 - fixtures

from diplomaccloud.accounts.models import User
from diplomaccloud.games.table.models import Status
from diplomaccloud.press.moderation.actions import assign_waiting_cases
from diplomaccloud.press.moderation.models import Report, TextCase
from diplomaccloud.press.reports.actions import judge_text


@pytest.fixture
def as_power(talking):  # noqa: F811
    """A function that returns the program of a power's player, or of a person."""
    return lambda who: Program(token_of(talking.user_id(who)))


@pytest.fixture
def path(talking):  # noqa: F811
    return f"/games/{talking.slug}/seat"


def test_everything_of_all_games_is_listed_found_and_exported(as_power, talking):  # noqa: F811
    talking.send("ENGLAND", "FRANCE", "Burgundy is yours.")
    as_power("ENGLAND").post("/me/messages", {"to": "Sam", "body": "Outside."})
    england, france, italy = as_power("ENGLAND"), as_power("FRANCE"), as_power("ITALY")
    (row,) = france.get("/me/conversations").json()["conversations"]
    assert (row["game"], row["conversation"]["with"]) == (talking.slug, "ENGLAND")
    sent = england.get("/me/sent").json()["messages"]
    assert {(row["game"], row["to"][0]) for row in sent} == {
        (None, "Sam"),
        (talking.slug, "FRANCE"),
    }
    (hit,) = france.get("/me/search?q=burgundy").json()["found"]
    assert (hit["with"], hit["message"]["body"]) == ("ENGLAND", "Burgundy is yours.")
    export = france.get("/me/export")
    lines = [json.loads(line) for line in export.streaming_content if line.strip()]
    assert [line["text"] for line in lines] == ["Burgundy is yours."]
    assert italy.get("/me/conversations").json()["conversations"] == []
    assert italy.get("/me/search?q=burgundy").json()["found"] == []
    assert b"Burgundy" not in b"".join(italy.get("/me/export").streaming_content)
    problem_of(italy.get("/me/search?q="), "invalid", 422)


@pytest.mark.parametrize("path", ["/me/conversations", "/me/sent"])
def test_what_no_page_gave_begins_none(as_power, path):
    england = as_power("ENGLAND")
    assert england.get(f"{path}?from=").status_code == 200
    assert england.get(f"{path}?from=2026-11-24T01:02:03%2B00:00~1").status_code == 200
    hostile = ["x", "1", "~", "~1", "2026-13-01T00:00:00%2B00:00~1", "2026-11-24T01:02:03~1"]
    for cursor in [*hostile, "2026-11-24T01:02:03%2B00:00~-1", "0001-01-01T00:00:00%2B23:59~1"]:
        document = problem_of(england.get(f"{path}?from={cursor}"), "invalid", 422)
        assert [fault["field"] for fault in document["errors"]] == ["from"]


def test_a_seat_counts_what_is_unread_with_the_scope(as_power, path, talking):  # noqa: F811
    talking.send("ENGLAND", "FRANCE", "One.")
    talking.send("ENGLAND", "FRANCE", "Two.")
    assert as_power("FRANCE").get(path).json()["unread_messages"] == 2
    assert as_power("ENGLAND").get(path).json()["unread_messages"] == 0
    reader = Program(token_of(talking.user_id("FRANCE"), "read"))
    assert reader.get(path).json()["unread_messages"] is None
    as_power("FRANCE").post(f"{path}/messages/read", {"with": "ENGLAND", "number": 2})
    assert as_power("FRANCE").get(path).json()["unread_messages"] == 0


def test_personal_messages_are_marked_and_people_blocked(as_power):
    sam, morgan = as_power("Sam"), as_power("Morgan")
    sam.post("/me/messages", {"to": "Morgan", "body": "Hello."})
    place = {"with": "Sam", "number": 1}
    assert morgan.post("/me/messages/read", place).json() == {"unread": 0, "muted": False}
    assert morgan.post("/me/messages/unread", place).json()["unread"] == 1
    assert morgan.post("/me/messages/mute", place).json()["muted"]
    muted = [{"game": None, "with": "Sam"}]
    assert morgan.get("/me/choices").json()["muted_conversations"] == muted
    assert not morgan.post("/me/messages/unmute", place).json()["muted"]
    report = {**place, "grounds": "other", "note": "Rude."}
    assert morgan.post("/me/messages/report", report).status_code == 200
    blocked = morgan.post("/me/blocks", {"name": "Sam", "blocked": True}).json()
    assert blocked["blocked"] == ["Sam"]
    refused = sam.post("/me/messages", {"to": "Morgan", "body": "Again."})
    assert refused.status_code == 409
    morgan.post("/me/blocks", {"name": "Sam", "blocked": False})
    assert not morgan.put("/me/choices", {"accepts_personal": False}).json()["accepts_personal"]
    morgan.post("/me/messages/delete", place)
    assert morgan.get("/me/messages?with=Sam").json()["messages"] == []
    problem_of(morgan.post("/me/blocks", {"name": "Nobody", "blocked": True}), "refused", 422)


def test_a_country_is_muted(as_power, path, talking):  # noqa: F811
    talking.send("ENGLAND", "FRANCE", "Hello.")
    france = as_power("FRANCE")
    choices = france.post(f"{path}/mutes", {"power": "ENGLAND", "muted": True}).json()
    assert [row["power"] for row in choices["muted_seats"]] == ["ENGLAND"]
    (message,) = france.get(f"{path}/messages?with=ENGLAND").json()["messages"]
    assert message["muted"]
    problem_of(france.post(f"{path}/mutes", {"power": "MARS", "muted": True}), "not-found", 404)


def test_a_player_is_reported_by_country(as_power, talking):  # noqa: F811
    france, path = as_power("FRANCE"), f"/games/{talking.slug}/reports"
    report = {"power": "ITALY", "grounds": "accounts", "note": "One person."}
    problem_of(france.post(path, {**report, "power": "MARS"}), "refused", 422)
    problem_of(france.post(path, {**report, "grounds": "abuse"}), "refused", 422)
    own = france.post(path, report).json()
    assert [(row["country"], row["decided"]) for row in own["reports"]] == [("Italy", False)]
    assert "accounts" in {row["value"] for row in own["player_grounds"]}
    assert "accounts" not in {row["value"] for row in own["grounds"]}
    assert france.post(path, report).status_code == 409


def test_a_message_is_reported_once_and_only_by_who_reads_it(as_power, path, talking):  # noqa: F811
    talking.send("ENGLAND", "FRANCE", "You fool.")
    france, italy = as_power("FRANCE"), as_power("ITALY")
    report = {"with": "ENGLAND", "number": 1, "grounds": "other", "note": "Insult."}
    assert france.post(f"{path}/messages/report", report).status_code == 200
    assert france.post(f"{path}/messages/report", report).status_code == 409
    problem_of(italy.post(f"{path}/messages/report", report), "not-found", 404)
    problem_of(
        france.post(f"{path}/messages/report", {**report, "grounds": "taste"}), "refused", 422
    )
    own = france.get("/me/reports").json()
    assert [(row["body"], row["decided"]) for row in own["reports"]] == [("You fool.", False)]
    assert "other" in {row["value"] for row in own["grounds"]}
    assert as_power("ENGLAND").get("/me/reports").json()["decisions"] == []
    problem_of(france.post("/me/reports/nothing/appeal", {"text": "No."}), "not-found", 404)
    assert Report.objects.count() == 1


def test_a_name_is_reported_and_its_owner_reads_why_it_is_hidden(as_power, talking):  # noqa: F811
    france, england = as_power("FRANCE"), as_power("ENGLAND")
    name = talking.name_of("ENGLAND")
    report = {"kind": "name", "of": name, "grounds": "abuse"}
    own = france.post("/me/reports", report).json()
    assert [(row["body"], row["decided"]) for row in own["reports"]] == [(name, False)]
    assert france.post("/me/reports", report).status_code == 409
    problem_of(france.post("/me/reports", {**report, "of": "Nobody"}), "not-found", 404)
    problem_of(france.post("/me/reports", {**report, "kind": "game"}), "invalid", 422)
    mina = User.objects.create(username="Mina", moderator=True)
    assign_waiting_cases(now=talking.now)
    case = {"key": TextCase.objects.get().key, "stage": "hidden", "reason": "It insults."}
    judge_text(user_id=mina.pk, **case, now=talking.now)
    (text,) = england.get("/me/reports").json()["texts"]
    assert (text["kind"], text["text"], text["hidden"]) == ("name", name, True)
    assert text["reason"] == "It insults."
    assert england.get("/me").json()["screen_name"].startswith("Player-")


def test_talk_ends_for_oneself(as_power, path, talking):  # noqa: F811
    answer = as_power("ENGLAND").put(f"{path}/talk", {"phase": 1, "done": True})
    assert answer.status_code in (200, 409), answer.content
    problem_of(as_power("Sam").put(f"{path}/talk", {"phase": 1, "done": True}), "not-yours", 403)


def test_a_finished_game_is_read_and_conversations_are_opened(as_power, path, archive):  # noqa: F811
    archive.talking.agree(opening="consent")
    chronicle = path.replace("/seat", "/chronicle")
    france, england, sam = as_power("FRANCE"), as_power("ENGLAND"), as_power("Sam")
    problem_of(sam.get(chronicle), "wrong-moment", 409)
    assert france.get(f"{path}/opening").json() == {"conversations": []}
    consent = {"conversations": [{"with": "ENGLAND", "number": 1}]}
    problem_of(france.post(f"{path}/opening", consent), "wrong-moment", 409)
    archive.end()
    assert archive.talking.game.status == Status.FINISHED

    def read_all(program):
        chapters = program.get(chronicle).json()["chapters"]
        pages = [program.get(f"{chronicle}/{row['name']}").json() for row in chapters]
        return [row["message"]["body"] for page in pages for row in page["messages"]]

    assert read_all(Program()) == [PUBLIC]
    rows = france.post(f"{path}/opening", consent).json()["conversations"]
    (row,) = (row for row in rows if row["with"] == "ENGLAND")
    assert (row["agreed"], row["open"]) == (1, 0)
    rows = france.call("DELETE", f"{path}/opening?with=ENGLAND").json()["conversations"]
    assert next(row for row in rows if row["with"] == "ENGLAND")["agreed"] == 0
    france.post(f"{path}/opening", consent)
    england.post(f"{path}/opening", {"conversations": [{"with": "FRANCE", "number": 1}]})
    assert sorted(read_all(sam)) == sorted([PUBLIC, SECRET])
    assert NOTED not in read_all(england)
    withdrawn = france.call("DELETE", f"{path}/opening?with=ENGLAND")
    problem_of(withdrawn, "wrong-moment", 409)
    problem_of(sam.get(f"{path}/opening"), "not-found", 404)
    problem_of(sam.get(f"{chronicle}/999"), "not-found", 404)
