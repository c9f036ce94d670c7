"""Events: each viewer gets each one once, in order, and nothing that the viewer may not know."""

import pytest
from django.utils import timezone
from tests.api.calls import Program, problem_of, token_of
from tests.games.steps import due
from tests.press.conftest import talking  # noqa: F401 - a fixture
from tests.press.deals import answer, peace, process, propose, terms

from diplomaccloud.api import events
from diplomaccloud.games.table.models import Game

pytestmark = pytest.mark.every_database


def read(program, slug, after="0"):
    found = program.get(f"/games/{slug}/events?after={after}")
    assert found.status_code == 200, found.content
    return found.json()


def test_everybody_reads_the_public_events_in_order(table):
    visitor, player = Program(), Program(token_of(table.alice))
    page = read(visitor, table.slug)
    assert read(player, table.slug) == page
    kinds = [event["type"] for event in page["events"]]
    assert kinds[0] == "game.created"
    assert kinds.index("game.started") < kinds.index("phase.opened")
    assert [event["id"] for event in page["events"]] == [
        str(number + 1) for number in range(len(kinds))
    ]
    assert (page["next"], page["more"]) == (str(Game.objects.get().version), False)
    due(table)
    later = read(visitor, table.slug, page["next"])
    kinds = [event["type"] for event in later["events"]]
    assert kinds[:3] == ["phase.closed", "phase.resolved", "phase.opened"]
    resolved, opened = later["events"][1:3]
    assert (resolved["data"]["phase"], resolved["data"]["sequence"]) == ("S1901M", 1)
    assert (opened["data"]["phase"], opened["data"]["sequence"]) == ("F1901M", 2)
    assert opened["data"]["due_at"]
    again = read(visitor, table.slug, later["events"][0]["id"])
    assert again["events"] == later["events"][1:]


def test_pages_of_events_follow_each_other_without_gaps_and_repetitions(table, monkeypatch):
    due(table)
    whole = read(Program(), table.slug)
    monkeypatch.setattr(events, "LIMIT", 2)
    found, after, more = [], "0", True
    while more:
        page = read(Program(), table.slug, after)
        assert len(page["events"]) <= 2
        found += page["events"]
        after, more = page["next"], page["more"]
    assert (found, after) == (whole["events"], whole["next"])


def test_one_may_begin_with_what_comes_next(table):
    page = read(Program(), table.slug, "now")
    assert page == {"events": [], "next": str(Game.objects.get().version), "more": False}
    assert read(Program(), table.slug, page["next"])["events"] == []
    assert read(Program(), table.slug, "999999999")["events"] == []


@pytest.mark.parametrize("after", ["-1", "1-", "1-2-3-4", "x", "1.5", "", "1" * 10, "NOW"])
def test_other_texts_are_no_ids(table, after):
    document = problem_of(
        Program().get(f"/games/{table.slug}/events?after={after}"), "invalid", 422
    )
    assert [fault["field"] for fault in document["errors"]] == ["after"]


@pytest.mark.parametrize("wait", ["-1", "31", "x"])
def test_nobody_waits_for_another_time(table, wait):
    answered = Program().get(f"/games/{table.slug}/events?wait={wait}")
    problem_of(answered, "invalid", 422)


def test_messages_and_answers_reach_those_who_have_them(talking):  # noqa: F811
    programs = {
        who: Program(token_of(talking.user_id(who)))
        for who in ("ENGLAND", "FRANCE", "ITALY", "Morgan", "Sam")
    }
    begun = {who: read(program, talking.slug, "now") for who, program in programs.items()}

    def news(who):
        return read(programs[who], talking.slug, begun[who]["next"])["events"]

    deal = terms([peace()])
    number = propose(talking, "ENGLAND", "FRANCE", deal, body="Do you agree?")
    (event,) = news("FRANCE")
    assert (event["type"], event["data"]) == ("message.received", {"with": "ENGLAND", "number": 1})
    assert event["id"] == f"{begun['FRANCE']['next']}-1-0"
    assert news("ENGLAND") == []
    answer(talking, "FRANCE", "ENGLAND", number)
    (event,) = news("ENGLAND")
    assert (event["type"], event["data"]) == ("proposal.answered", {"with": "FRANCE", "number": 1})
    assert len(news("FRANCE")) == 1
    talking.send("ENGLAND", "FRANCE+ITALY", "Together.")
    assert [event["data"] for event in news("ITALY")] == [{"with": "ENGLAND,FRANCE", "number": 1}]
    assert news("Morgan") == news("Sam") == []
    # Public events come in between, and no number reveals what others wrote.
    process(talking)
    visitor = read(Program(), talking.slug, begun["Sam"]["next"])
    assert news("Sam") == visitor["events"]
    assert [event["id"] for event in visitor["events"]] == [
        str(int(begun["Sam"]["next"]) + one + 1) for one in range(len(visitor["events"]))
    ]
    mixed = news("FRANCE")
    for place, event in enumerate(mixed):
        rest = read(programs["FRANCE"], talking.slug, event["id"])["events"]
        assert rest == mixed[place + 1 :]


def test_without_the_scope_no_message_is_told(talking):  # noqa: F811
    talking.send("ENGLAND", "FRANCE", "Hello.")
    reader = Program(token_of(talking.user_id("FRANCE"), "read"))
    assert read(reader, talking.slug) == read(Program(), talking.slug)


def test_a_private_or_canceled_game_tells_strangers_nothing(table):
    Game.objects.update(private=True)
    for who in (Program(), Program(token_of(table.user_id("charlie")))):
        if who.token:
            Game.objects.update(master=None)
        problem_of(who.get(f"/games/{table.slug}/events"), "not-found", 404)
    assert read(Program(token_of(table.bob)), table.slug)["events"]


def test_who_has_left_hears_of_no_later_answer(talking):  # noqa: F811
    number = propose(talking, "ENGLAND", "FRANCE", terms([peace()]))
    england = Program(token_of(talking.user_id("ENGLAND")))
    talking.resign("ENGLAND")
    begun = read(england, talking.slug, "now")["next"]
    talking.send("FRANCE", "ENGLAND", "Are you there?")
    answer(talking, "FRANCE", "ENGLAND", number, now=timezone.now())
    kinds = {event["type"] for event in read(england, talking.slug, begun)["events"]}
    assert not kinds & {"message.received", "proposal.answered"}
