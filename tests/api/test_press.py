"""Press over the API: it obeys the rule of press, sends once per key, and stays secret."""

import copy
import datetime as dt
import json
from pathlib import Path

import pytest
from django.utils import timezone
from tests.api.calls import Program, problem_of, token_of
from tests.api.test_operations import SCHEMA
from tests.press.conftest import talking  # noqa: F401 - a fixture
from tests.press.deals import peace, terms

from diplomaccloud.api import operations
from diplomaccloud.press.table import actions as limits
from diplomaccloud.press.table.models import Message

GUIDE = (Path(__file__).parents[2] / "docs" / "http-api.md").read_text("utf-8")


@pytest.fixture
def as_power(talking):  # noqa: F811
    """A function that returns the program of a power's player, or of a person."""
    return lambda who: Program(token_of(talking.user_id(who)))


@pytest.fixture
def path(talking):  # noqa: F811
    return f"/games/{talking.slug}/seat"


def test_a_message_arrives_and_reading_marks_nothing(as_power, path):
    england, france = as_power("ENGLAND"), as_power("FRANCE")
    body = {"to": ["FRANCE"], "subject": "Channel", "body": "Do you agree?"}
    sent = england.post(f"{path}/messages", body, key="hello").json()
    assert sent == {"sent": [{"with": "FRANCE", "number": 1}], "published_at": None}
    assert england.post(f"{path}/messages", body, key="hello").json() == sent
    assert Message.objects.count() == 1
    (row,) = (
        row
        for row in france.get(f"{path}/conversations").json()["conversations"]
        if row["with"] == "ENGLAND"
    )
    assert (row["unread"], row["last"]["body"], row["writable"]) == (1, "Do you agree?", True)
    page = france.get(f"{path}/messages?with=ENGLAND").json()
    assert [message["body"] for message in page["messages"]] == ["Do you agree?"]
    assert page["messages"][0]["author"]["power"] == "ENGLAND"
    assert page["conversation"]["unread"] == 1
    marked = france.post(f"{path}/messages/read", {"with": "ENGLAND", "number": 1}).json()
    assert marked == {"unread": 0, "muted": False}
    marked = france.post(f"{path}/messages/unread", {"with": "ENGLAND", "number": 1}).json()
    assert marked["unread"] == 1
    assert france.post(f"{path}/messages/mute", {"with": "ENGLAND"}).json()["muted"]
    france.post(f"{path}/messages/delete", {"with": "ENGLAND", "number": 1})
    assert france.get(f"{path}/messages?with=ENGLAND").json()["messages"] == []
    assert france.get(f"{path}/messages?with=ENGLAND&after=1").json()["messages"] == []


def test_a_message_has_the_time_when_its_request_arrived(as_power, path, monkeypatch):
    arrival = timezone.now()
    clock = [arrival]
    monkeypatch.setattr(timezone, "now", lambda: clock[0])

    def wait(request, slug):
        clock[0] = arrival + dt.timedelta(seconds=20)

    monkeypatch.setattr(operations, "_require_match", wait)
    england = as_power("ENGLAND")
    england.post(f"{path}/messages", {"to": ["FRANCE"], "body": "In time."})
    assert Message.objects.get().at == arrival
    clock[0] = arrival
    england.post("/me/messages", {"to": "Sam", "body": "In time."})
    assert Message.objects.latest("pk").at == arrival


def test_apart_is_a_copy_for_each_and_together_one_conversation(as_power, path):
    england, france = as_power("ENGLAND"), as_power("FRANCE")
    body = {"to": ["FRANCE", "ITALY"], "body": "Hello."}
    sent = england.post(f"{path}/messages", body).json()["sent"]
    assert [copy["with"] for copy in sent] == ["FRANCE", "ITALY"]
    sent = england.post(f"{path}/messages", {**body, "mode": "together"}).json()["sent"]
    assert [copy["with"] for copy in sent] == ["FRANCE,ITALY"]
    page = france.get(f"{path}/messages?with=ITALY,ENGLAND").json()
    assert len(page["messages"]) == 1
    everyone = england.post(f"{path}/messages", {"to": ["everyone"], "body": "All."})
    assert everyone.json()["sent"][0]["with"] == "everyone"


def test_what_is_not_yours_does_not_exist(as_power, path, talking):  # noqa: F811
    talking.send("ENGLAND", "FRANCE", "A secret.")
    italy, stranger = as_power("ITALY"), as_power("Sam")
    for program in (italy, stranger):
        for members in ("ENGLAND,FRANCE", "NOWHERE", "FRANCE,FRANCE,"):
            answer = program.get(f"{path}/messages?with={members}")
            assert b"A secret." not in answer.content
    problem_of(stranger.get(f"{path}/messages?with=FRANCE"), "not-found", 404)
    problem_of(italy.get(f"{path}/messages?with=NOWHERE"), "not-found", 404)
    problem_of(italy.post(f"{path}/messages", {"to": ["NOWHERE"], "body": "A"}), "not-found", 404)
    unknown = italy.post(f"{path}/messages/delete", {"with": "FRANCE", "number": 1})
    problem_of(unknown, "not-found", 404)


def test_the_rule_of_press_holds_here_too(as_power, path, talking):  # noqa: F811
    england = as_power("ENGLAND")
    talking.agree(press="public")
    before = Message.objects.count()
    closed = england.post(f"{path}/messages", {"to": ["FRANCE"], "body": "A"}, key="k")
    assert closed.status_code in (404, 409)
    for body in ({"to": [], "body": "A"}, {"to": ["everyone"], "body": "A", "extra": 1}):
        problem_of(england.post(f"{path}/messages", body), "invalid", 422)
    for text in ("", "x\x07y", "\u202e"):
        refused = england.post(f"{path}/messages", {"to": ["everyone"], "body": text})
        problem_of(refused, "refused", 422)
    assert Message.objects.count() == before


def test_a_message_needs_the_scope(talking, path):  # noqa: F811
    program = Program(token_of(talking.user_id("ENGLAND"), "read", "play"))
    for rest in ("/conversations", "/messages?with=FRANCE"):
        problem_of(program.get(f"{path}{rest}"), "scope", 403)


def test_a_proposal_is_offered_read_and_answered(as_power, path):
    england, france = as_power("ENGLAND"), as_power("FRANCE")
    deal = terms([peace("ENGLAND", "FRANCE")], parties=("ENGLAND", "FRANCE"))
    body = {"to": ["FRANCE"], "proposal": {"terms": deal}}
    sent = england.post(f"{path}/messages", body)
    assert sent.status_code == 200, sent.content
    (message,) = france.get(f"{path}/messages?with=ENGLAND").json()["messages"]
    proposal = message["proposal"]
    assert (message["attached"], proposal["state"]) == ("proposal", "open")
    assert (proposal["proposer"], proposal["may_answer"]) == ("ENGLAND", True)
    given = {"with": "ENGLAND", "number": message["number"], "answer": "accept"}
    answer = france.post(f"{path}/proposals/answer", given, key="yes")
    assert answer.json() == {"state": "accepted"}
    assert france.post(f"{path}/proposals/answer", given, key="yes").json() == answer.json()
    refused = france.post(f"{path}/proposals/answer", {**given, "answer": "refuse"})
    assert refused.status_code == 409
    # What a program has read can be sent back, as part of a counter-offer.
    assert proposal["terms"] == deal
    other = france.post(f"{path}/messages", {"to": ["ENGLAND"], "proposal": {"terms": deal}})
    assert other.status_code == 200


TO_WALES = {"order": "move", "unit": ["F", "LON", "ENGLAND"], "to": "WAL", "via": False}


@pytest.mark.parametrize(
    ("place", "value", "field", "kind"),
    [
        ((), 1, "", "invalid"),
        ((), {"rubbish": 1}, "v", "invalid"),
        (("v",), 2, "v", "invalid"),
        (("rubbish",), 1, "rubbish", "invalid"),
        (("phase",), "F1901M", "phase", "refused"),
        (("phase",), "X", "phase", "invalid"),
        (("parties",), ["ENGLAND", "SPAIN"], "parties[1]", "refused"),
        (("parties",), ["ENGLAND", "ITALY"], "alternatives[0][0].powers[1]", "refused"),
        (("alternatives", 0, 1), "peace", "alternatives[0][1]", "invalid"),
        (("alternatives", 0, 1), {}, "alternatives[0][1].clause", "invalid"),
        (("alternatives", 0, 1, "clause"), "gift", "alternatives[0][1].clause", "invalid"),
        (("alternatives", 0, 1, "clause"), "draw", "alternatives[0][1].until", "invalid"),
        (("alternatives", 0, 1, "until"), "1902", "alternatives[0][1].until", "invalid"),
        (("alternatives", 0, 1, "until"), "F1900", "alternatives[0][1].until", "refused"),
        (("alternatives", 0, 1, "powers"), ["FRANCE"], "alternatives[0][1].powers", "invalid"),
        (("alternatives", 0, 2, "order", "order"), "wait", "alternatives[0][2].order.order", "in"),
        (("alternatives", 0, 2, "order", "to"), "PRA", "alternatives[0][2].order.to", "refused"),
        (("alternatives", 0, 2, "order", "to"), "MOS", "alternatives[0][2].order", "refused"),
        (("alternatives", 0, 2, "order", "too"), "MOS", "alternatives[0][2].order.too", "invalid"),
    ],
)
def test_the_faulty_part_of_terms_is_named(as_power, path, place, value, field, kind):
    pair = "ENGLAND", "FRANCE"
    clauses = [peace(*pair), {**peace(*pair), "until": "F1902"}]
    deal = terms([*clauses, {"clause": "order", "order": TO_WALES}], parties=pair)
    body = {"to": ["FRANCE"], "proposal": {"terms": copy.deepcopy(deal)}}
    *above, last = ("terms", *place)
    part = body["proposal"]
    for step in above:
        part = part[step]
    part[last] = value
    answer = as_power("ENGLAND").post(f"{path}/messages", body)
    document = problem_of(answer, "refused" if kind == "refused" else "invalid", 422)
    assert document["errors"][0]["field"] == f"proposal.terms.{field}".rstrip(".")
    assert not Message.objects.exists()


def test_null_is_the_same_as_a_missing_end(as_power, path):
    england = as_power("ENGLAND")
    deal = terms([{**peace("ENGLAND", "FRANCE"), "until": None}])
    body = {"to": ["FRANCE"], "proposal": {"terms": deal}}
    assert england.post(f"{path}/messages", body).status_code == 200
    (message,) = england.get(f"{path}/messages?with=FRANCE").json()["messages"]
    assert "until" not in message["proposal"]["terms"]["alternatives"][0][0]


def test_the_guide_shows_each_clause_once(as_power, path):
    start = GUIDE.index('{"v": 1, "phase"')
    shown = json.loads(GUIDE[start : GUIDE.index("\n\n", start)])
    clauses = sorted(clause["clause"] for clause in shown["alternatives"][0])
    described = SCHEMA["components"]["schemas"]["ProposalTerms"]["properties"]["alternatives"]
    assert clauses == sorted(described["items"]["items"]["discriminator"]["mapping"])
    body = {"to": ["FRANCE"], "proposal": {"terms": shown}}
    answer = as_power("ENGLAND").post(f"{path}/messages", body)
    assert answer.status_code == 200, answer.content


def test_people_write_to_each_other(as_power):
    sam, morgan = as_power("Sam"), as_power("Morgan")
    body = {"to": "Morgan", "body": "Hello."}
    sent = sam.post("/me/messages", body, key="hi").json()
    assert sent["sent"] == [{"with": "Morgan", "number": 1}]
    assert sam.post("/me/messages", body, key="hi").json() == sent
    (message,) = morgan.get("/me/messages?with=Sam").json()["messages"]
    assert (message["body"], message["author"]["name"]) == ("Hello.", "Sam")
    problem_of(sam.get("/me/messages?with=Nobody"), "not-found", 404)
    problem_of(sam.get("/me/messages"), "invalid", 422)


def test_a_token_for_a_seat_reads_no_personal_messages(talking):  # noqa: F811
    token = token_of(talking.user_id("ENGLAND"), "read", "press", slug=talking.slug)
    problem_of(Program(token).get("/me/messages?with=Sam"), "other-seat", 403)
    problem_of(Program(token).post("/me/messages", {"to": "Sam", "body": "A"}), "other-seat", 403)
    assert Program(token).get("/me").json()["unread_messages"] is None


def test_a_message_that_came_too_soon_is_sent_later_with_the_same_key(as_power, path, monkeypatch):
    england = as_power("ENGLAND")
    body = {"to": ["FRANCE"], "body": "Hello."}
    with monkeypatch.context() as patch:
        patch.setattr(limits, "MAX_A_MINUTE", 1)
        assert england.post(f"{path}/messages", body).status_code == 200
        refused = england.post(f"{path}/messages", body, key="again")
        problem_of(refused, "too-many", 429)
        assert refused.headers["Retry-After"]
    assert england.post(f"{path}/messages", body, key="again").status_code == 200
    assert Message.objects.count() == 2
