"""Attachments of messages: documents, and maps that start from a what-if."""

import pytest
from tests.api.calls import Program, problem_of, token_of
from tests.press.conftest import talking  # noqa: F401 - a fixture

from diplomaccloud.games.table.phase_models import OrderRow
from diplomaccloud.press.documents.models import Document
from diplomaccloud.press.maps.models import ConferenceMap


@pytest.fixture
def as_power(talking):  # noqa: F811
    """A function that returns the program of a power's player, or of a person."""
    return lambda who: Program(token_of(talking.user_id(who)))


@pytest.fixture
def path(talking):  # noqa: F811
    return f"/games/{talking.slug}/seat"


def read_last(program, path, members):
    return program.get(f"{path}/messages?with={members}").json()["messages"][-1]


def test_a_document_is_shown_changed_and_signed(as_power, path):
    england, france, italy = as_power("ENGLAND"), as_power("FRANCE"), as_power("ITALY")
    body = {"to": ["FRANCE"], "document": {"text": "We divide Belgium."}}
    assert england.post(f"{path}/messages", body).status_code == 200
    shown = read_last(france, path, "ENGLAND")
    document = shown["document"]
    assert (document["text"], document["may_sign"]) == ("We divide Belgium.", True)
    assert document["changed_at"] is None
    place = {"with": "FRANCE", "number": shown["number"]}
    change = {**place, "text": "We divide Holland."}
    changed = england.post(f"{path}/documents/change", change).json()
    assert changed["document"]["text"] == "We divide Holland."
    seen = read_last(france, path, "ENGLAND")
    assert seen["document"]["changed_at"] == changed["document"]["changed_at"] > seen["at"]
    signature = {"with": "ENGLAND", "number": shown["number"], "digest": document["digest"]}
    problem_of(france.post(f"{path}/documents/sign", signature), "wrong-moment", 409)
    signature["digest"] = changed["document"]["digest"]
    signed = france.post(f"{path}/documents/sign", signature).json()["document"]
    assert [row["power"] for row in signed["signatures"]] == ["FRANCE"]
    problem_of(england.post(f"{path}/documents/change", change), "wrong-moment", 409)
    again = {"to": ["ITALY"], "document": {"of": {"with": "ENGLAND", "number": 1}}}
    assert france.post(f"{path}/messages", again).status_code == 200
    copy = read_last(italy, path, "FRANCE")["document"]
    # Who gets it later does not learn that it was changed before.
    assert (copy["text"], copy["changed_at"]) == ("We divide Holland.", None)
    for act, more in (("sign", {"digest": "x"}), ("change", {"text": "Mine."})):
        unknown = italy.post(f"{path}/documents/{act}", {"with": "GERMANY", "number": 1, **more})
        problem_of(unknown, "not-found", 404)
    assert Document.objects.count() == 1


def test_a_message_carries_one_thing(as_power, path):
    both = {"to": ["FRANCE"], "document": {"text": "A"}, "map": {"number": 1}}
    document = problem_of(as_power("ENGLAND").post(f"{path}/messages", both), "invalid", 422)
    assert document["errors"][0]["field"] == "map"
    twice = {"to": ["FRANCE"], "document": {"text": "A", "of": {"with": "ITALY", "number": 1}}}
    document = problem_of(as_power("ENGLAND").post(f"{path}/messages", twice), "invalid", 422)
    assert document["errors"][0]["field"] == "document.text"


def test_what_if_judges_and_stores_nothing(as_power, path):
    england = as_power("ENGLAND")
    orders = ["F LON - ENG", "F BRE - ENG", "A PAR - BUR", "A ROM - MOS"]
    asked = england.post(f"{path}/what-if", {"orders": orders}).json()
    outcomes = {row["order"]: row["outcome"] for row in asked["results"] if not row["implicit"]}
    assert outcomes == {"F LON - ENG": "bounced", "F BRE - ENG": "bounced", "A PAR - BUR": "moved"}
    assert [row["text"] for row in asked["refused"]] == ["A ROM - MOS"]
    assert asked["phase"] == "F1901M"
    further = england.post(f"{path}/what-if", {"board": asked["board"], "orders": []}).json()
    assert further["phase"] == "S1902M"
    assert not OrderRow.objects.exists()
    text = "Phase: S1905M\nFrance: A BUR\nGermany: A MUN"
    other = {"position": text, "orders": ["A BUR - MUN"], "adjudicate": False}
    board = england.post(f"{path}/what-if", other).json()
    assert [row["unit"] for row in board["position"]["units"]] == ["A BUR", "A MUN"]
    assert (board["orders"], board["results"]) == (["A BUR - MUN"], [])


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"board": "rubbish"}, "board"),
        ({"position": "rubbish"}, "position"),
        ({"marks": [{"kind": "arrow", "place": "PAR", "to": "PAR"}]}, "marks[0]"),
        ({"marks": [{"kind": "star", "place": "PAR"}]}, "marks[0].kind"),
        ({"orders": ["A PAR H" + " " * 290] * 120}, "orders"),
        ({"base": 0}, "base"),
        ({"unknown": 1}, "unknown"),
    ],
)
def test_a_wrong_hypothesis_is_named(as_power, path, body, field):
    document = problem_of(as_power("ENGLAND").post(f"{path}/what-if", body), "invalid", 422)
    assert document["errors"][0]["field"] == field


def test_a_board_is_adjudicated_for_few_phases(as_power, path):
    england, board = as_power("ENGLAND"), ""
    for _ in range(6):
        board = england.post(f"{path}/what-if", {"board": board}).json()["board"]
    problem_of(england.post(f"{path}/what-if", {"board": board}), "invalid", 422)


def test_own_orders_are_added_for_oneself_alone(as_power, path, talking):  # noqa: F811
    england, body = as_power("ENGLAND"), {"own": True, "adjudicate": False}
    england.put(f"{path}/orders", {"phase": 1, "orders": ["F LON - NTH"]})
    assert england.post(f"{path}/what-if", body).json()["orders"] == ["F LON - NTH"]
    assert as_power("FRANCE").post(f"{path}/what-if", body).json()["orders"] == []
    problem_of(as_power("Sam").post(f"{path}/what-if", body), "not-found", 404)
    base = {"base": talking.phase.sequence}
    problem_of(england.post(f"{path}/what-if", base), "not-found", 404)


def test_a_map_is_kept_sent_read_and_adopted(as_power, path):
    england, france, italy = as_power("ENGLAND"), as_power("FRANCE"), as_power("ITALY")
    orders = ["A PAR - BUR", "F LON - ENG"]
    mark = {"kind": "arrow", "ink": "blue", "place": "LON", "to": "ENG"}
    drawn = {"orders": orders, "marks": [mark], "adjudicate": False}
    board = england.post(f"{path}/what-if", drawn).json()["board"]
    saved = england.post(f"{path}/maps", {"board": board}, key="map")
    assert (saved.status_code, saved.json()) == (201, {"number": 1})
    assert england.post(f"{path}/maps", {"board": board}, key="map").json() == {"number": 1}
    (own,) = england.get(f"{path}/maps").json()["maps"]
    assert (own["number"], own["order_count"], own["mark_count"]) == (1, 2, 1)
    problem_of(france.get(f"{path}/map?number=1"), "not-found", 404)
    assert france.get(f"{path}/maps").json()["maps"] == []
    england.post(f"{path}/messages", {"to": ["FRANCE"], "map": {"number": 1}})
    sent = read_last(france, path, "ENGLAND")["map"]
    assert (sent["number"], sent["may_adopt"], sent["board"]) == (None, True, board)
    whole = france.get(f"{path}/map?with=ENGLAND&number=1").json()
    assert sorted(whole["orders"]) == sorted(orders)
    assert whole["marks"] == [{**mark, "text": ""}]
    picture = france.get(f"{path}/map/picture?with=ENGLAND&number=1")
    assert picture.headers["Content-Type"] == "image/svg+xml"
    adopted = france.post(f"{path}/maps/adopt", {"with": "ENGLAND", "number": 1}).json()
    assert (adopted["orders"], adopted["others"]) == (["A PAR - BUR"], 1)
    place = {"with": "ENGLAND", "number": 1}
    more = france.post(f"{path}/what-if", {"board": board, "orders": ["A MAR - SPA"]}).json()
    france.post(f"{path}/maps", {"board": more["board"], "changes": place})
    assert france.get(f"{path}/maps").json()["maps"][0]["changes"] == board
    for act in ("/map", "/map/picture"):
        problem_of(italy.get(f"{path}{act}?with=ENGLAND&number=1"), "not-found", 404)
    problem_of(italy.post(f"{path}/maps/adopt", place), "not-found", 404)
    problem_of(england.post(f"{path}/maps", {"board": "rubbish"}), "refused", 422)
    assert ConferenceMap.objects.count() == 2
