"""A form that comes too late: the page says why, keeps what was sent, and nothing is changed."""

import pytest
from tests.games.steps import call_vote, due, phase, save
from tests.scenes import scene

from diplomaccloud.games.table.log_models import Event, LogEntry
from diplomaccloud.games.table.models import Game, Seat
from diplomaccloud.games.table.phase_models import ConditionalOrders, Draft, OrderRow, Submission
from diplomaccloud.games.votes.models import Ballot, Vote

TABLES = (Ballot, Draft, Event, LogEntry, Vote, OrderRow, ConditionalOrders, Seat, Submission)
PLAYERS = {
    "orders": ("orders/", {"order": ["A VIE - GAL", "A BUD H"]}, "A VIE - GAL\nA BUD H"),
    "typed orders": ("orders/", {"sheet": "vienna to galicia"}, "vienna to galicia"),
    "ready": ("ready/", {"ready": "1"}, ""),
    "not ready": ("ready/", {"ready": "0"}, ""),
    "a draft": ("drafts/", {"act": "new", "name": "Bold"}, "Bold"),
    "a plan": (
        "conditional-orders/",
        {"ahead": "if VIE is dislodged: BOH"},
        "if VIE is dislodged: BOH",
    ),
    "a plan in lists": ("conditional-orders/", {"if VIE is dislodged": ["TYR", "BOH"]}, "TYR\nBOH"),
    "a vote with orders": ("draw-vote/", {"vote": "draw"}, "draw"),
    "a vote": ("votes/", {"question": "pause", "length": "86400"}, "1 day"),
    "a ballot": ("votes/answer/", {"vote_id": "1", "answer": "yes"}, "yes"),
}
REASON = {"reason": "They wrote to me.", "key": "k", "power": "TURKEY"}
MASTERS = {
    "time": {"question": "extend", "length": "3600"},
    "end-phase": {},
    "preview": {},
    "resume": {},
    "remove": {},
    "reprimand": {},
    "roll-back": {"to": "1"},
    "roll-forward": {},
}


def state():
    game = Game.objects.values("status", "branch", "ending").get()
    return game, [list(table.objects.order_by("pk").values()) for table in TABLES]


@pytest.fixture
@scene
def late(table):
    """A game whose first phase was resolved after the forms for it were written."""
    save(table, "alice", "A VIE H")
    call_vote(table, "bob", "draw")
    due(table)
    assert phase().sequence == 2
    return table


@pytest.mark.parametrize(("rest", "data", "kept"), PLAYERS.values(), ids=PLAYERS)
def test_a_player_is_told_and_keeps_what_was_sent(late, rest, data, kept):
    before = state()
    answer = late.client("alice").post(late.url(rest), {"phase": 1, **data})
    assert answer.status_code == 409
    late = answer.context["late"]
    assert late.message.startswith("Spring 1901, Movement was resolved on ")
    assert late.message.endswith(" It is now Fall 1901, Movement.")
    assert kept in [text for _, text in late.sent] or not kept
    body = answer.content.decode()
    assert kept in body
    assert 'id="orders"' in body, "the form for the phase at hand is there"
    assert state() == before


@pytest.mark.parametrize(("rest", "data"), MASTERS.items(), ids=MASTERS)
def test_a_master_is_told_and_keeps_the_reason(late, rest, data):
    before = state()
    form = {"phase": 1, **REASON, **data}
    answer = late.client("charlie").post(late.url(f"master/{rest}/"), form)
    assert answer.status_code == 409
    assert "was resolved on" in answer.context["late"].message
    assert ("Reason", "They wrote to me.") in answer.context["late"].sent
    assert state() == before


@pytest.mark.parametrize(("rest", "data"), [(rest, data) for rest, data, _ in PLAYERS.values()])
def test_a_form_that_stays_on_its_page_is_answered_in_a_sentence(late, rest, data):
    form = {"phase": 1, **data}
    answer = late.client("alice").post(late.url(rest), form, headers={"HX-Request": "true"})
    assert answer.status_code == 409
    assert b"was resolved on" in answer.content
    assert b'id="play"' not in answer.content


def test_the_end_of_the_game_is_told_too(late):
    Game.objects.update(
        status="finished", finished_at="2030-01-01T00:00Z", ending={"winners": [], "reason": "So."}
    )
    answer = late.client("alice").post(late.url("draw-vote/"), {"phase": 1, "vote": "draw"})
    assert answer.context["late"].message.endswith(" The game is over.")
    assert answer.status_code == 409


@pytest.mark.parametrize("name", ["orders", "typed orders", "a plan", "a draft", "a vote"])
def test_a_suspended_game_loses_no_input(cast, name):
    Game.objects.update(suspended_reason="an error")
    rest, data, kept = PLAYERS[name]
    answer = cast.client("alice").post(cast.url(rest), {"phase": 1} | data)
    text = answer.content.decode()
    assert answer.status_code == 409
    assert "<strong>Nothing was changed.</strong>" in text
    assert "suspended" in text
    assert f"<dd>{kept}</dd>" in text


def test_what_was_typed_is_shown_when_the_session_has_ended(cast):
    sent = {"phase": 1, "sheet": "A VIE - GAL\nA BUD <b>"}
    answer = cast.client("nobody").post(cast.url("orders/"), sent)
    text = answer.content.decode()
    assert answer.status_code == 403
    assert "A BUD &lt;b&gt;" in text
    assert f"?next=%2Fgames%2F{cast.slug}%2F" in text
    part = cast.client("nobody").post(cast.url("orders/"), sent, headers={"hx-request": "true"})
    assert (part.status_code, part.headers.get("HX-Redirect")) == (403, None)
    assert "You are logged out, so nothing was saved." in part.content.decode()


def test_a_private_game_shows_nothing_but_what_was_typed(cast):
    Game.objects.update(private=True, world="Hidden world")
    answer = cast.client("nobody").post(cast.url("orders/"), {"phase": 1, "sheet": "A VIE - GAL"})
    assert "Hidden world" not in answer.content.decode()
