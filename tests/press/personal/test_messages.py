"""Messages over all games, and personal messages."""

import re

import pytest
from tests.press.people import new_key

from diplomaccloud.press.conversations.actions import mute_seat

QUERIES = 8
"""For a page of Messages, with the session, the person and the numbers in the header."""


def write(client, name, body="Hello.", **more):
    return client.post(f"/messages/with/{name}/send/", {"body": body, "key": new_key(), **more})


@pytest.mark.parametrize("path", ["", "sent/", "search/?q=x", "with/Sam/"])
def test_visitors_log_in_first(client_of, path):
    answer = client_of().get(f"/messages/{path}")
    assert answer.status_code == 302
    assert answer.url.startswith("/accounts/login/")


def test_the_inbox_lists_what_is_new(talking, client_of):
    talking.send("FRANCE", "ENGLAND", "Channel?")
    talking.send("ITALY", "everyone", "Peace!")
    page = client_of("ENGLAND").get("/messages/").content.decode()
    for text in ("France", "Channel?", "Peace!", f"/games/{talking.slug}/press/FRANCE/"):
        assert text in page
    assert re.search(r'data-unread="inbox"[^>]*><span>2</span>', page)


def test_sent_messages_say_where_they_went(talking, client_of):
    talking.send("FRANCE", "ENGLAND+ITALY", "Peace?", mode="apart")
    page = client_of("FRANCE").get("/messages/sent/").content.decode()
    assert "To England and Italy" in page
    assert "To each separately" in page
    assert "Peace?" not in client_of("GERMANY").get("/messages/sent/").content.decode()


def test_a_search_finds_only_what_one_can_read(talking, client_of):
    talking.send("FRANCE", "ENGLAND", "The treasure is in Belgium.")
    found = client_of("ENGLAND").get("/messages/search/?q=treasure").content.decode()
    assert "treasure is in Belgium" in found
    assert f"/games/{talking.slug}/press/FRANCE/?before=2#m1" in found
    other = client_of("GERMANY").get("/messages/search/?q=treasure").content.decode()
    assert "No message or document contains" in other


@pytest.mark.parametrize("cursor", ["x", "2030-01-01T00:00:00+00:00~1", "~", "%00", "9" * 500])
def test_a_damaged_cursor_is_no_error(client_of, cursor):
    assert client_of("FRANCE").get(f"/messages/?from={cursor}").status_code in (200, 400)


def test_two_people_write_to_each_other(client_of):
    answer = write(client_of("Sam"), "Morgan", "Do you want to play?")
    assert (answer.status_code, answer.url) == (303, "/messages/with/Morgan/#latest")
    inbox = client_of("Morgan").get("/messages/").content.decode()
    assert "Do you want to play?" in inbox
    page = client_of("Morgan").get("/messages/with/Sam/").content.decode()
    assert "Sam to you" in page
    assert 'data-unread="inbox" hidden' in client_of("Morgan").get("/messages/").content.decode()


@pytest.mark.parametrize("name", ["Sam", "Nobody-at-all"])
def test_there_is_no_conversation_with_oneself_or_nobody(client_of, name):
    client = client_of("Sam")
    assert client.get(f"/messages/with/{name}/").status_code == 404
    answer = write(client, name, "My long text.")
    assert answer.status_code in (400, 404)
    assert "My long text." in answer.content.decode()


def test_a_block_refuses_and_returns_the_text(client_of):
    morgan, sam = client_of("Morgan"), client_of("Sam")
    assert morgan.post("/messages/with/Sam/block/", {"blocked": "1"}).status_code == 303
    assert "Unblock <bdi>Sam</bdi>" in morgan.get("/messages/with/Sam/").content.decode()
    answer = write(sam, "Morgan", "Please answer.")
    assert answer.status_code == 409
    assert "Please answer." in answer.content.decode()
    assert 'name="body"' not in sam.get("/messages/with/Morgan/").content.decode()


def test_bad_text_comes_back(client_of):
    answer = write(client_of("Sam"), "Morgan", "a\u202eb", subject="Kept")
    assert answer.status_code == 400
    assert 'value="Kept"' in answer.content.decode()


def test_a_profile_leads_to_a_message(client_of):
    page = client_of("Sam").get("/people/Morgan/").content.decode()
    assert 'href="/messages/with/Morgan/"' in page
    assert "Write a message" not in client_of("Sam").get("/people/Sam/").content.decode()
    assert "Write a message" not in client_of().get("/people/Morgan/").content.decode()


def test_logs_name_nobody_one_writes_to(client_of, caplog, capsys):
    client_of("Sam").get("/messages/with/Morgan/")
    written = caplog.text + "".join(capsys.readouterr())
    assert "Morgan" not in written


def test_settings_list_mutes_and_blocks_and_end_them(talking, client_of):
    talking.send("ENGLAND", "FRANCE")
    client, game = client_of("FRANCE"), f"/games/{talking.slug}/press/"
    client.post(f"{game}ENGLAND/mute/", {"muted": "1"})
    mute_seat(
        slug=talking.slug,
        user_id=talking.user_id("FRANCE"),
        power="ITALY",
        muted=True,
        now=talking.now,
    )
    client.post("/messages/with/Sam/block/", {"blocked": "1"})
    page = client.get("/messages/settings/").content.decode()
    assert page.count('class="choice"') == 3
    for what, slug, to in (
        ("block", "", "Sam"),
        ("seat", talking.slug, "ITALY"),
        ("conversation", talking.slug, "ENGLAND"),
    ):
        client.post("/messages/settings/end/", {"what": what, "game": slug, "to": to})
    page = client.get("/messages/settings/").content.decode()
    assert 'class="choice"' not in page
    assert client.post("/messages/settings/end/", {"what": "x"}).status_code == 404


def test_a_person_can_refuse_all_personal_messages(client_of):
    client, other = client_of("Sam"), client_of("Morgan")
    client.post("/messages/settings/personal/", {})
    answer = other.post("/messages/with/Sam/send/", {"body": "Hello?", "key": new_key()})
    assert answer.status_code == 409
    assert "Hello?" in answer.content.decode()
    client.post("/messages/settings/personal/", {"personal": "1"})
    answer = other.post("/messages/with/Sam/send/", {"body": "Hello?", "key": new_key()})
    assert answer.status_code in (302, 303)


def test_rows_of_messages_have_the_colors_of_countries(talking, client_of):
    talking.send("ENGLAND", "FRANCE")
    page = client_of("FRANCE").get("/messages/").content.decode()
    assert re.search(r'<svg class="swatch" color="#[0-9a-f]{6}"', page)
    assert "England" in page
