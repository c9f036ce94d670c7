"""Forms that are refused while a person composes: a sentence says why, and the text comes back."""

import html
import re

import pytest
from django.test import Client
from tests.press.deals import propose, terms, zone
from tests.press.moderation.test_reports import INSULT, decide, report
from tests.press.people import new_key

from diplomaccloud.accounts.models import User
from diplomaccloud.games.table.models import Game
from diplomaccloud.press.table.models import Message

TEXT, SUBJECT, TERMS = "A long text of mine.", "A plan of mine", "A wording of mine."
LEFT = "You no longer play this country"
SEVERAL = ["ENGLAND", "ITALY"]


@pytest.fixture
def url(talking):
    return lambda rest="": f"/games/{talking.slug}/press/{rest}"


def text_of(response):
    return html.unescape(" ".join(re.sub(r"<[^>]+>", " ", response.content.decode()).split()))


def field_of(response, name):
    """Return the text that a page has in the field of this name, None without the field."""
    found = re.search(
        rf'<textarea[^>]*name="{name}"[^>]*>\s*(.*?)</textarea>', response.content.decode(), re.S
    )
    return html.unescape(found[1]) if found else None


def lose_seat(talking):
    talking.resign("FRANCE")


def replace_player(talking):
    talking.resign("FRANCE")
    talking.take("Sam", "FRANCE")


def close_talk(talking):
    talking.agree(press="rulebook")
    talking.game.phases.update(locked_at=talking.now)


def silence(talking):
    talking.agree(press="none")


def hide_game(talking):
    """Hide the game from a person who never had a part in it."""
    Game.objects.filter(pk=talking.game_id).update(private=True)


CHANGES = [lose_seat, replace_player, close_talk, silence]


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("mode", ["apart", "together"])
@pytest.mark.parametrize("rest", ["send/", "carry/"])
def test_a_message_to_several_countries_comes_back(talking, client_of, url, change, mode, rest):
    client = client_of("FRANCE")
    change(talking)
    form = {"to": SEVERAL, "mode": mode, "subject": SUBJECT, "body": TEXT, "key": new_key()}
    answer = client.post(url(rest), form)
    assert answer.status_code in ({200} if rest == "carry/" else {403, 404, 409})
    text = answer.content.decode()
    for kept in (SUBJECT, TEXT):
        assert kept in text
    assert not Message.objects.exists()


def test_a_message_to_several_can_go_to_everyone_where_only_that_is_open(talking, client_of, url):
    client = client_of("FRANCE")
    talking.agree(press="public")
    form = {"to": SEVERAL, "subject": SUBJECT, "body": TEXT, "key": new_key()}
    answer = client.post(url("send/"), form)
    assert answer.status_code == 404
    assert field_of(answer, "body") == TEXT
    assert SUBJECT in answer.content.decode()
    assert url("everyone/carry/") in answer.content.decode()


@pytest.mark.parametrize("change", CHANGES)
def test_a_subject_comes_back_with_its_text(talking, client_of, url, change):
    client = client_of("FRANCE")
    talking.send("FRANCE", "ENGLAND")
    change(talking)
    form = {"to": "ENGLAND", "subject": SUBJECT, "body": TEXT, "key": new_key()}
    for rest in ("send/", "ENGLAND/carry/"):
        answer = client.post(url(rest), form)
        assert SUBJECT in answer.content.decode()
        assert TEXT in answer.content.decode()


@pytest.mark.parametrize("hidden", [False, True])
def test_a_stranger_gets_the_text_back(talking, client_of, url, hidden):
    client = client_of("Sam")
    if hidden:
        hide_game(talking)
    posts = {
        "send/": {"to": "ENGLAND", "body": TEXT, "key": new_key()},
        "ENGLAND/carry/": {"to": "ENGLAND", "body": TEXT},
        "carry/": {"to": SEVERAL, "body": TEXT},
        "ENGLAND/document/": {"text": TEXT, "key": new_key()},
        "everyone/document/": {"text": TEXT, "key": new_key()},
        "ENGLAND/1/document/change/": {"text": TEXT},
        "ENGLAND/proposal/": {"body": TEXT, "do": "send", "key": new_key()},
        "everyone/proposal/": {"body": TEXT, "do": "add"},
        "ENGLAND/1/report/": {"note": TEXT, "grounds": "abuse"},
        "look/": {"reason": TEXT, "to": SEVERAL},
    }
    for rest, form in posts.items():
        answer = client.post(url(rest), form)
        assert answer.status_code in {200, 400, 403, 404, 409}, rest
        assert TEXT in text_of(answer) or TEXT in html.unescape(answer.content.decode()), rest
    assert not Message.objects.exists()


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("to", ["ENGLAND", "everyone"])
def test_a_document_comes_back(talking, client_of, url, change, to):
    client = client_of("FRANCE")
    change(talking)
    form = {"text": TERMS, "body": TEXT, "key": new_key()}
    answer = client.post(url(f"{to}/document/"), form)
    assert answer.status_code in {403, 404, 409}
    assert TERMS in text_of(answer)
    assert TEXT in text_of(answer)
    if change in (lose_seat, replace_player):
        assert LEFT in text_of(answer)


@pytest.mark.parametrize("change", CHANGES)
def test_the_change_of_a_document_comes_back(talking, client_of, url, change):
    client = client_of("FRANCE")
    client.post(url("ENGLAND/document/"), {"text": "First.", "key": new_key()})
    change(talking)
    answer = client.post(url("ENGLAND/1/document/change/"), {"text": TERMS})
    assert answer.status_code in {403, 404, 409}
    assert TERMS in text_of(answer)


def test_the_change_of_a_document_that_was_signed_comes_back(talking, client_of, url):
    client = client_of("FRANCE")
    client.post(url("ENGLAND/document/"), {"text": "First.", "key": new_key()})
    page = client_of("ENGLAND").get(url("FRANCE/")).content.decode()
    digest = re.search(r'name="digest"\s+value="(\w+)"', page)[1]
    client_of("ENGLAND").post(url("FRANCE/1/document/sign/"), {"digest": digest})
    answer = client.post(url("ENGLAND/1/document/change/"), {"text": TERMS})
    assert answer.status_code == 409
    assert TERMS in text_of(answer)
    assert "has been signed" in text_of(answer)


def compose(client, url, to="ENGLAND", **fields):
    """Return the fields of a form that proposes a zone and peace."""
    page = client.post(url(f"{to}/proposal/"), {"kind": "dmz", "province": "ENG", "do": "add"})
    return {**form_of(page), "body": TEXT, **fields}


def form_of(page):
    """Return the hidden fields of the form of a proposal."""
    found = re.findall(r'type="hidden" name="(\w+)"\s+value="([^"]*)"', page.content.decode())
    form = {}
    for name, value in found:
        if name != "csrfmiddlewaretoken":
            form.setdefault(name, []).append(html.unescape(value))
    return form


@pytest.mark.parametrize("change", [*CHANGES, lambda talking: talking.finish()])
@pytest.mark.parametrize("do", ["send", "add", "compose", "remove 0.1"])
def test_a_proposal_comes_back_with_its_clauses(talking, client_of, url, change, do):
    client = client_of("FRANCE")
    form = compose(client, url, do=do, kind="peace", key=new_key())
    change(talking)
    answer = client.post(url("ENGLAND/proposal/"), form)
    text = text_of(answer)
    assert TEXT in html.unescape(answer.content.decode())
    assert "England and France stay out of the English Channel" in text
    if change in (lose_seat, replace_player):
        assert LEFT in text
    assert not Message.objects.exists()


@pytest.mark.parametrize("change", CHANGES)
def test_a_counter_offer_comes_back_with_its_clauses(talking, client_of, url, change):
    number = propose(talking, "ENGLAND", "FRANCE", terms([zone("ENG")]))
    client = client_of("FRANCE")
    page = client.get(url(f"ENGLAND/proposal/?counter={number}"))
    form = {**form_of(page), "body": TEXT, "do": "send"}
    change(talking)
    answer = client.post(url("ENGLAND/proposal/"), form)
    assert answer.status_code in {403, 404, 409}
    assert TEXT in text_of(answer)
    assert "stay out of the English Channel" in text_of(answer)


def test_a_counter_offer_to_a_forged_proposal_comes_back(client_of, url):
    client = client_of("FRANCE")
    form = compose(client, url, do="send", key=new_key(), counters="7")
    answer = client.post(url("ENGLAND/proposal/"), form)
    assert answer.status_code == 404
    assert TEXT in text_of(answer)
    assert "stay out of the English Channel" in text_of(answer)


def test_the_clauses_come_back_to_a_person_who_is_logged_out(client_of, url):
    form = compose(client_of("FRANCE"), url, do="send", key=new_key())
    answer = Client().post(url("ENGLAND/proposal/"), form)
    assert answer.status_code == 403
    assert "stay out of the English Channel" in text_of(answer)
    assert TEXT in text_of(answer)


def test_a_document_or_proposal_with_a_used_key_can_be_sent_from_the_page_that_returns_it(
    client_of, url
):
    client, key = client_of("FRANCE"), new_key()
    client.post(url("send/"), {"to": "ENGLAND", "body": "First.", "key": key})
    for rest, form in (
        ("ENGLAND/document/", {"text": TERMS}),
        ("ENGLAND/proposal/", compose(client, url, do="send")),
    ):
        answer = client.post(url(rest), {**form, "key": key})
        assert answer.status_code == 409
        fresh = re.search(r'name="key" value="(\w+)"', answer.content.decode())[1]
        assert fresh != key
        assert client.post(url(rest), {**form, "key": fresh}).status_code == 303


@pytest.fixture
def reported(talking):
    """Italy has insulted France; Mina and Mo are moderators."""
    for name in ("Mina", "Mo"):
        User.objects.create(username=name, moderator=True)
    talking.send("ITALY", "FRANCE", INSULT)
    Game.objects.update(master=None)
    return talking


def test_a_report_comes_back(reported, client_of, url):
    form = {"grounds": "abuse", "note": TEXT}
    for client, number, status in ((Client(), 1, 403), (client_of("FRANCE"), 9, 404)):
        answer = client.post(url(f"ITALY/{number}/report/"), form)
        assert answer.status_code == status
        assert TEXT in text_of(answer)


def test_an_appeal_comes_back(reported, client_of):
    key = report(reported, "FRANCE", "ITALY", 1)
    for client, status in ((Client(), 403), (client_of("ITALY"), 404)):
        answer = client.post(f"/reports/{key}/appeal/", {"text": TEXT})
        assert answer.status_code == status
        assert TEXT in text_of(answer)


def test_the_reasons_of_moderators_come_back(reported, client_of):
    key = report(reported, "FRANCE", "ITALY", 1)
    mina, page = client_of("Mina"), f"/moderation/{key}/"
    mina.post(f"{page}take/")
    decide(reported, "Mina", key, "warning")
    for act, form in (
        ("decide/", {"outcome": "warning", "reason": TEXT}),
        ("inspect/", {"what": "name", "reason": TEXT}),
    ):
        answer = mina.post(page + act, form)
        assert answer.status_code == 409
        assert TEXT in html.unescape(answer.content.decode())
        for client, status in ((Client(), 403), (client_of("FRANCE"), 404)):
            answer = client.post(page + act, form)
            assert answer.status_code == status
            assert TEXT in text_of(answer)


def test_a_personal_message_comes_back(client_of):
    client = client_of("FRANCE")
    form = {"subject": SUBJECT, "body": TEXT, "key": new_key()}
    for path in ("/messages/with/Nobody/send/", "/messages/with/Sam/send/"):
        client_of("Sam").post("/messages/settings/personal/", {"personal": "0"})
        answer = client.post(path, form)
        assert answer.status_code in {400, 404, 409}
        assert TEXT in text_of(answer)
        assert SUBJECT in answer.content.decode()
