"""The pages of proposals and of the ledger: composed without a script, kept from others."""

import html
import re

import pytest
from django.test import Client
from tests.press.deals import answer, order, peace, process, propose, terms, zone
from tests.press.people import new_key

from diplomaccloud.press.proposals.models import Proposal
from diplomaccloud.press.table.models import Message

PART = {"HX-Request": "true"}


@pytest.fixture
def url(talking):
    return lambda rest="": f"/games/{talking.slug}/press/{rest}"


def text_of(response):
    return html.unescape(" ".join(re.sub(r"<[^>]+>", " ", response.content.decode()).split()))


def lines_of(response):
    """Return the clauses that the form carries."""
    found = re.findall(r'name="clause"\s+value="([^"]*)"', response.content.decode())
    return [html.unescape(line) for line in found]


def test_a_proposal_is_composed_step_by_step_and_answered_without_a_script(client_of, url):
    france, england = client_of("FRANCE"), client_of("ENGLAND")
    assert url("ENGLAND/proposal/") in france.get(url("ENGLAND/")).content.decode()
    page = france.get(url("ENGLAND/proposal/"))
    assert "Add the first one below." in text_of(page)
    steps = [
        {"kind": "order", "order": "FRANCE A PAR - BUR"},
        {"kind": "dmz", "province": ["ENG", "BEL"], "power": ["ENGLAND"], "until": "F1902"},
        {"kind": "peace", "alternative": "1"},
        {"kind": "alliance", "against": ["GERMANY"], "alternative": "1"},
        {"kind": "draw", "alternative": "1"},
    ]
    key = new_key()
    for step in steps:
        form = {"clause": lines_of(page), "body": "A plan.", "key": key, "do": "add", **step}
        page = france.post(url("ENGLAND/proposal/"), form)
        assert page.status_code == 200
    assert len(lines_of(page)) == len(steps)
    text = text_of(page)
    for sentence in (
        "France’s army in Paris moves to Burgundy.",
        "England stays out of Belgium and the English Channel through Fall 1902.",
        "England and France are allied against Germany.",
        "A plan.",
    ):
        assert sentence in text
    form = {"clause": lines_of(page), "body": "A plan.", "key": key, "do": "remove 1.2"}
    page = france.post(url("ENGLAND/proposal/"), form)
    sent = france.post(url("ENGLAND/proposal/"), {**form, "clause": lines_of(page), "do": "send"})
    assert (sent.status_code, sent.url) == (303, url("ENGLAND/") + "#m1")
    text = text_of(england.get(url("FRANCE/")))
    for words in ("A plan.", "Alternative B", "Accept A", "Decline to say", "You has not"):
        assert (words in text) is (words != "You has not")
    done = england.post(url("FRANCE/1/proposal/answer/"), {"answer": "accept 1"}, follow=True)
    assert "The deal is made." in text_of(done)
    assert Proposal.objects.get().alternative == 1


def test_a_counter_offer_is_prefilled(talking, client_of, url):
    number = propose(talking, "FRANCE", "ENGLAND", terms([peace(), zone("ENG")]))
    england = client_of("ENGLAND")
    page = england.get(url(f"FRANCE/proposal/?counter={number}"))
    assert len(lines_of(page)) == 2
    form = {"clause": lines_of(page)[:1], "counters": number, "key": new_key(), "do": "send"}
    assert england.post(url("FRANCE/proposal/"), form).status_code == 303
    assert "Countered" in text_of(client_of("FRANCE").get(url("ENGLAND/")))


BAD = [
    ({"kind": "order", "order": "FRANCE A PAR - MOS"}, "Choose an order."),
    ({"kind": "dmz"}, "Choose at least one province."),
    ({"kind": "dmz", "province": "PRA"}, "'PRA' is not a province of this map."),
    ({"kind": "dmz", "province": "BUR", "power": "ITALY"}, "ITALY is not a party."),
    ({"kind": "peace", "until": "1903"}, "not a season"),
    ({"kind": "alliance"}, "Choose whom the alliance is against."),
    ({"kind": "alliance", "against": "FRANCE"}, "cannot be both an ally and an enemy"),
]


def test_a_clause_that_cannot_be_added_leaves_the_rest(client_of, url):
    france = client_of("FRANCE")
    first = france.post(url("ENGLAND/proposal/"), {"kind": "peace", "do": "add"})
    for fields, message in BAD:
        form = {"clause": lines_of(first), "body": "Mine.", "do": "add", **fields}
        page = france.post(url("ENGLAND/proposal/"), form)
        assert message in text_of(page)
        assert "Mine." in text_of(page)
        assert lines_of(page) == lines_of(first)


def test_damaged_clauses_are_refused_and_the_text_comes_back(client_of, url):
    france = client_of("FRANCE")
    for clause in ("", "0", "0 {", "x {}", "0 []", "9 {}", "0 " + "[" * 100_000):
        form = {"clause": clause, "body": "Mine.", "key": new_key(), "do": "send"}
        page = france.post(url("ENGLAND/proposal/"), form)
        assert page.status_code == 400
        assert "Mine." in text_of(page)
    page = Client().post(url("ENGLAND/proposal/"), {"body": "Mine.", "do": "send"})
    assert page.status_code == 403
    assert "Mine." in text_of(page)
    assert not Message.objects.exists()


def draft_publicly(client, url, *steps):
    """Return the fields of a public proposal after these steps; each adds a clause."""
    form = {"body": "Mine.", "key": new_key(), "do": "add"}
    for step in steps:
        page = client.post(url("everyone/proposal/"), {**form, **step})
        assert "composer__error" not in page.content.decode()
        form["clause"] = lines_of(page)
    return form


def test_clauses_about_a_country_that_is_no_party_any_more_stay_and_say_so(client_of, url):
    france = client_of("FRANCE")
    both = {"party": ["ENGLAND", "ITALY"]}
    form = draft_publicly(
        france,
        url,
        {"kind": "dmz", "province": "ENG", "power": "ENGLAND", **both},
        {"kind": "dmz", "province": "PIE", "power": "ITALY", **both},
        {"kind": "order", "order": "ENGLAND F LON - NTH", **both},
    )
    assert len(form["clause"]) == 3
    one = {**form, "party": "ITALY", "kind": "draw", "power": "ITALY"}
    for do, status in (("send", 400), ("add", 200), ("compose", 200), ("remove 0.9", 200)):
        page = france.post(url("everyone/proposal/"), {**one, "do": do})
        assert page.status_code == status
        assert lines_of(page) == form["clause"]
        assert text_of(page).count("England is not a party.") == (3 if do in ("send", "add") else 2)
        assert ("Choose it again" in text_of(page)) is (do in ("send", "add"))
        assert "Mine." in page.content.decode()
    assert not Message.objects.exists()
    for place in ("remove 0.2", "remove 0.0"):
        page = france.post(url("everyone/proposal/"), {**one, "do": place})
        one["clause"] = lines_of(page)
    assert "is not a party" not in text_of(page)
    sent = france.post(url("everyone/proposal/"), {**one, "do": "send"})
    assert sent.status_code == 303
    assert Proposal.objects.get().terms["parties"] == ["FRANCE", "ITALY"]


def test_a_public_proposal_without_a_party_asks_for_one(client_of, url):
    france = client_of("FRANCE")
    order = {"kind": "order", "order": "FRANCE A PAR - BUR"}
    page = france.post(url("everyone/proposal/"), {**order, "do": "add"})
    assert "Choose at least one country as a party." in text_of(page)
    form = draft_publicly(france, url, {**order, "party": "ENGLAND"})
    page = france.post(url("everyone/proposal/"), {**form, "do": "send"})
    assert page.status_code == 400
    assert "Choose at least one country as a party." in text_of(page)
    assert lines_of(page) == form["clause"]


def test_alternatives_stay_when_a_third_party_joins(client_of, url):
    france = client_of("FRANCE")
    two, three = {"party": "ENGLAND"}, {"party": ["ENGLAND", "ITALY"]}
    form = draft_publicly(
        france, url, {"kind": "peace", **two}, {"kind": "draw", "alternative": "1", **two}
    )
    page = france.post(url("everyone/proposal/"), {**form, **three, "do": "send"})
    assert page.status_code == 400
    assert "A proposal to several countries cannot have alternatives" in text_of(page)
    assert lines_of(page) == form["clause"]


def test_the_same_form_proposes_once(client_of, url):
    france = client_of("FRANCE")
    page = france.post(url("ENGLAND/proposal/"), {"kind": "peace", "do": "add"})
    form = {"clause": lines_of(page), "key": new_key(), "do": "send"}
    assert {france.post(url("ENGLAND/proposal/"), form).url for _ in range(2)} == {
        url("ENGLAND/") + "#m1"
    }
    assert Proposal.objects.count() == 1


@pytest.mark.parametrize("anonymous", [False, True], ids=["named", "anonymous"])
def test_the_ledger_shows_deals_to_their_readers_alone(talking, client_of, url, anonymous):
    talking.agree(anonymous=anonymous)
    viewers = ["ITALY", "Morgan", "Sam", None]
    before = [still(client_of(who).get(url("ledger/"))) for who in viewers]
    number = propose(talking, "FRANCE", "ENGLAND", terms([peace(), zone("ENG")]))
    waiting = text_of(client_of("ENGLAND").get(url("ledger/")))
    assert "Open proposals" in waiting
    assert "Awaits your answer" in waiting
    answer(talking, "ENGLAND", "FRANCE", number)
    assert "Agreed, not yet judged" in text_of(client_of("FRANCE").get(url("ledger/")))
    assert [still(client_of(who).get(url("ledger/"))) for who in viewers] == before
    order(talking, "ENGLAND", "F LON - ENG")
    order(talking, "FRANCE", "A PAR H")
    process(talking)
    for who in ("FRANCE", "ENGLAND"):
        client = client_of(who)
        text = text_of(client.get(url("ledger/")))
        assert "Spring 1901" in text
        assert "England and France kept this." in text
        assert "England broke this by ordering F LON - ENG." in text
    for who in viewers:
        assert "F LON - ENG" not in text_of(client_of(who).get(url("ledger/")))


def still(response):
    """Return a page without what differs between two answers for any person."""
    changing = rb'[A-Za-z0-9]{64}|name="server-time" content="[^"]*"'
    return response.status_code, re.sub(changing, b"", response.content)


def test_others_find_the_same_whether_or_not_there_is_a_proposal(talking, client_of, url):
    """Cards, answers and counter-offers of others look like those of invented numbers."""
    places = ["ENGLAND/1/proposal/", "FRANCE/1/proposal/", "ENGLAND/proposal/?counter=1"]
    viewers = ["ITALY", "Morgan", "Sam", None]

    def read():
        found = []
        for who in viewers:
            client = client_of(who)
            found += [still(client.get(url(place), headers=PART)) for place in places]
            form = {"answer": "accept 0"}
            found.append(still(client.post(url("FRANCE/1/proposal/answer/"), form)))
        return found

    before = read()
    propose(talking, "FRANCE", "ENGLAND", terms([peace()]))
    assert read() == before
    card = client_of("ENGLAND").get(url("FRANCE/1/proposal/"), headers=PART)
    assert "Accept" in text_of(card)
    assert client_of("ENGLAND").get(url("FRANCE/1/proposal/")).status_code == 303


def test_a_kind_of_conversation_without_proposals_has_no_page(client_of, url):
    for who, place in (("FRANCE", "notes"), ("FRANCE", "game-master"), ("Sam", "everyone")):
        assert client_of(who).get(url(f"{place}/proposal/")).status_code == 404
    page = client_of("FRANCE").get(url("everyone/proposal/"))
    assert "Parties besides you" in text_of(page)
