"""The pages of a game's press: what each person sees, sends and gets back."""

import re
from itertools import pairwise
from urllib.parse import quote

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from tests.press.people import new_key

from diplomaccloud.press.conversations.actions import send_message
from diplomaccloud.press.table.addresses import EVERYONE
from diplomaccloud.press.table.models import Message

JSON = {"Accept": "application/json"}
PART = {"HX-Request": "true"}
PAGE_QUERIES = 12
"""Most of them are for the frame of the game's pages."""
PART_QUERIES = 6
"""For 50 messages of a conversation, with the session and the person."""
SEND_QUERIES = 10
"""For a message in a game, besides the session and the person."""
CHANGING = re.compile(rb'[A-Za-z0-9]{64}|value="[0-9a-f]{32}"|name="server-time" content="[^"]*"')
"""What differs between two answers for any person: tokens, keys of forms, the time."""


@pytest.fixture
def url(talking):
    return lambda rest="": f"/games/{talking.slug}/press/{rest}"


def still(response) -> bytes:
    content = b"".join(response) if response.streaming else response.content
    return CHANGING.sub(b"", content)


def write(client, url, to, body="Hello.", *, key="", **more):
    fields = {"to": to, "body": body, "key": key or new_key(), "mode": "apart", **more}
    headers = fields.pop("headers", {})
    return client.post(url("send/"), fields, headers=headers)


def test_a_form_sends_and_leads_to_the_conversation(client_of, url):
    answer = write(client_of("FRANCE"), url, "ENGLAND", "Channel?", subject="A plan")
    assert (answer.status_code, answer.url) == (303, url("ENGLAND/") + "#latest")
    page = client_of("ENGLAND").get(url("FRANCE/"))
    assert page.status_code == 200
    for text in ("Channel?", "A plan", "France to you", "Spring 1901"):
        assert text in page.content.decode()


def list_chips(page):
    row = page.content.decode().partition("press-chips")[2].partition("</nav>")[0]
    return re.findall(r"<bdi[^>]*>([^<]+)</bdi>", row)


def test_all_other_countries_are_chips_before_anything_is_written(talking, client_of, url):
    countries = ["Austria", "England", "Germany", "Italy", "Russia", "Turkey"]
    client = client_of("FRANCE")
    for path in (url("TURKEY/"), f"/games/{talking.slug}/"):
        assert list_chips(client.get(path)) == ["Everyone", *countries, "Game master", "Notes"]
    # Those who wrote come first, and stay in place when their conversation is open.
    talking.send("ITALY", "FRANCE")
    first = ["Italy", "Everyone", *(country for country in countries if country != "Italy")]
    for path in (url("ITALY/"), url("TURKEY/"), f"/games/{talking.slug}/"):
        assert list_chips(client.get(path))[:7] == first
    # What others write changes nothing, and watchers see what is public.
    talking.send("ITALY", "TURKEY")
    assert list_chips(client.get(url("ITALY/")))[:7] == first
    assert list_chips(client_of("Sam").get(url("everyone/"))) == ["Everyone"]


def test_countries_stay_chips_while_press_is_closed_and_not_without_press(talking, client_of, url):
    client = client_of("FRANCE")
    talking.agree(press="rulebook")
    talking.game.phases.update(locked_at=talking.now)
    assert "Turkey" in list_chips(client.get(url("ENGLAND/")))
    talking.agree(press="public")
    assert "Turkey" not in list_chips(client.get(url("everyone/")))


def test_copies_lead_to_the_list_and_a_group_to_its_conversation(client_of, url):
    client = client_of("FRANCE")
    apart = client.post(
        url("send/"),
        {"to": ["ENGLAND", "ITALY"], "mode": "apart", "body": "Peace?", "key": new_key()},
        follow=True,
    )
    assert apart.redirect_chain == [(url(), 303)]
    assert "Sent separately to 2 countries." in apart.content.decode()
    together = client.post(
        url("send/"),
        {"to": ["ITALY", "ENGLAND"], "mode": "together", "body": "Peace!", "key": new_key()},
    )
    assert together.url == url("ENGLAND+ITALY/") + "#latest"


def test_the_same_form_sends_once(client_of, url):
    client, key = client_of("FRANCE"), new_key()
    first = write(client, url, "ENGLAND", key=key)
    assert write(client, url, "ENGLAND", key=key).url == first.url
    assert Message.objects.count() == 1
    other = write(client, url, "ENGLAND", "Something else.", key=key)
    assert other.status_code == 409
    assert "Something else." in other.content.decode()
    assert key not in other.content.decode()
    assert Message.objects.count() == 1


def test_a_script_gets_json(client_of, url):
    answer = write(client_of("FRANCE"), url, "ENGLAND", headers=JSON)
    assert answer.json() == {"sent": [{"url": url("ENGLAND/"), "number": 1}], "note": ""}
    refused = write(client_of("FRANCE"), url, "ENGLAND", "a\u202eb", headers=JSON)
    assert refused.status_code == 400
    assert set(refused.json()) == {"error"}
    used = {"key": new_key(), "headers": JSON}
    write(client_of("FRANCE"), url, "ENGLAND", **used)
    assert write(client_of("FRANCE"), url, "ENGLAND", "Other.", **used).json()["used"] is True
    assert write(client_of(), url, "ENGLAND", headers=JSON).status_code == 401


@pytest.mark.parametrize("body", ["x" * 10_001, "a\u202eb", "\x07", "", "e" + "\u0301" * 12])
def test_bad_text_comes_back(client_of, url, body):
    answer = write(client_of("FRANCE"), url, "ENGLAND", body, subject="Kept")
    assert answer.status_code == 400
    page = answer.content.decode()
    assert "composer__error" in page
    assert 'value="Kept"' in page
    assert len(body) < 2 or body.replace("\u202e", "")[:5] in page.replace("\u202e", "")


@pytest.mark.parametrize("mode", ["apart", "together"])
def test_a_message_to_nobody_comes_back(client_of, url, mode):
    answer = write(client_of("FRANCE"), url, [], "Peace?", mode=mode, subject="Kept")
    assert answer.status_code == 400
    page = answer.content.decode()
    for text in ("Choose at least one country.", "Peace?", 'value="Kept"'):
        assert text in page


def test_a_nul_is_refused_with_the_text(client_of, url):
    answer = write(client_of("FRANCE"), url, "ENGLAND", "Long \x00 text")
    assert answer.status_code == 400
    assert "Long  text" in answer.content.decode()


def test_a_late_message_comes_back(talking, client_of, url):
    client = client_of("FRANCE")
    client.get(url("ENGLAND/"))
    talking.agree(press="rulebook")
    talking.game.phases.update(locked_at=talking.now)
    answer = write(client, url, "ENGLAND", "Too late?")
    assert answer.status_code == 409
    assert "Too late?" in answer.content.decode()
    page = client.get(url("ENGLAND/")).content.decode()
    assert "Press is closed until the next movement phase." in page
    assert 'name="body"' not in page


def test_too_many_messages_come_back(client_of, url):
    client = client_of("FRANCE")
    answers = [write(client, url, "ENGLAND", f"Message {number}.") for number in range(31)]
    assert {answer.status_code for answer in answers[:30]} == {303}
    assert answers[30].status_code == 429
    assert "Message 30." in answers[30].content.decode()


@pytest.mark.parametrize("to", ["NARNIA", "FRANCE", "ENGLAND+FRANCE", "ITALY+ENGLAND", "", "+"])
def test_a_forged_address_is_not_found_and_the_text_comes_back(client_of, url, to):
    answer = write(client_of("FRANCE"), url, to, "My long text.")
    assert answer.status_code == 404
    assert "My long text." in answer.content.decode()


def test_logged_out_people_keep_their_text(client_of, url):
    answer = write(client_of(), url, "ENGLAND", "My long text.")
    assert answer.status_code == 403
    assert "My long text." in answer.content.decode()


def test_three_hundred_addressees_are_not_found(client_of, url):
    answer = write(client_of("FRANCE"), url, [f"P{number}" for number in range(300)], "To many.")
    assert answer.status_code == 404


@pytest.mark.parametrize("rest", ["send/", "talk/", "ENGLAND/read/", "ENGLAND/mute/"])
def test_actions_need_a_post(client_of, url, rest):
    answer = client_of("FRANCE").get(url(rest))
    assert answer.status_code == 405


def test_buttons_of_the_composer_take_the_text_along(talking, client_of, url):
    client, sent = (
        client_of("FRANCE"),
        {"to": "ENGLAND", "subject": "A plan", "body": "My long text."},
    )
    for rest, do in (
        ("ENGLAND/carry/", "map"),
        ("carry/", "map"),
        ("everyone/carry/", "carry"),
        ("ENGLAND/proposal/", "compose"),
        ("ENGLAND/document/", "compose"),
    ):
        page = client.post(url(rest), {**sent, "do": do, "key": new_key()})
        assert page.status_code == 200, rest
        assert "My long text." in page.content.decode(), rest
        assert "A plan" in page.content.decode(), rest
    assert client.post(url("ENGLAND/carry/"), {"to": "ENGLAND"}).url == url("ENGLAND/")
    for visitor, rest, status in (
        (client_of(), "ENGLAND/carry/", 403),
        (client_of(), "carry/", 403),
        (client, "NARNIA/carry/", 404),
    ):
        page = visitor.post(url(rest), sent)
        assert page.status_code == status
        assert "My long text." in page.content.decode()
    talking.agree(press="rulebook")
    talking.game.phases.update(locked_at=talking.now)
    page = client_of("FRANCE").post(url("ENGLAND/carry/"), sent).content.decode()
    assert "My long text." in page
    assert "Press is closed until the next movement phase." in page


def test_pages_need_a_get(client_of, url):
    assert client_of("FRANCE").post(url()).status_code == 405


def test_what_is_not_yours_does_not_exist(talking, client_of, url):
    talking.send("FRANCE", "ENGLAND", "Secret.")
    for who in ("Sam", None):
        client = client_of(who)
        real, invented = client.get(url("FRANCE/")), client.get(url("NARNIA/"))
        assert real.status_code == invented.status_code == 404
        assert still(real).replace(b"FRANCE", b"") == still(invented).replace(b"NARNIA", b"")
    germany = client_of("GERMANY")
    group, absent = germany.get(url("ENGLAND+FRANCE/")), germany.get(url("AUSTRIA+ITALY/"))
    assert group.status_code == absent.status_code == 200
    assert len(still(group)) > 0
    assert "Secret." not in group.content.decode()


def test_others_do_not_learn_that_two_talk(talking, client_of, url):
    """Compare every page of a third player, byte by byte, before and after others talk."""
    client, slug = client_of("GERMANY"), talking.slug
    talking.send("GERMANY", "ENGLAND", "Hello.")
    pages = [
        f"/games/{slug}/",
        f"/games/{slug}/state/",
        f"/games/{slug}/log/",
        *map(url, ("", "new/", "ENGLAND/", "ENGLAND+FRANCE/", "everyone/", "notes/")),
        "/messages/",
        "/messages/sent/",
        "/messages/search/?q=Secret",
        "/",
    ]
    for page in pages:
        client.get(page)
    before = [(answer.headers.get("ETag"), still(answer)) for answer in map(client.get, pages)]
    for body in ("Secret.", "More."):
        talking.send("FRANCE", "ENGLAND", body)
        talking.send("ENGLAND", "FRANCE+ITALY", body)
        talking.send("FRANCE", "notes", body)
        talking.send("FRANCE", "game-master", body)
    after = [(answer.headers.get("ETag"), still(answer)) for answer in map(client.get, pages)]
    for page, was, now in zip(pages, before, after, strict=True):
        assert was == now, page


def test_a_page_marks_as_read_what_it_shows(talking, client_of, url):
    for body in ("One.", "Two."):
        talking.send("FRANCE", "ENGLAND", body)
    client = client_of("ENGLAND")
    for headers in ({"Sec-Purpose": "prefetch"}, {"Purpose": "prefetch"}, PART):
        client.get(url("FRANCE/"), headers=headers)
        assert talking.reader("ENGLAND").unread == 2
    client.get(url("FRANCE/"))
    assert talking.reader("ENGLAND").unread == 0


def test_marks_are_made_by_plain_forms(talking, client_of, url):
    for body in ("One.", "Two.", "Three."):
        talking.send("FRANCE", "ENGLAND", body)
    client = client_of("ENGLAND")
    assert client.post(url("FRANCE/read/"), {"up_to": "3"}).status_code == 303
    assert talking.reader("ENGLAND").unread == 0
    assert client.post(url("FRANCE/unread/"), {"from": "2"}).url == url()
    assert talking.reader("ENGLAND").unread == 2
    assert client.post(url("FRANCE/delete/"), {"number": "3"}).status_code == 303
    assert talking.read("ENGLAND", "FRANCE") == ["One.", "Two."]
    assert talking.read("FRANCE", "ENGLAND") == ["One.", "Two.", "Three."]
    assert client.post(url("FRANCE/mute/"), {"muted": "1"}).status_code == 303
    assert talking.reader("ENGLAND").unread == 0
    assert "Unmute" in client.get(url("FRANCE/")).content.decode()


@pytest.mark.parametrize("fields", [{}, {"up_to": "x"}, {"up_to": "9" * 40}, {"up_to": "-1"}])
def test_a_mark_without_a_number_is_not_found(talking, client_of, url, fields):
    talking.send("FRANCE", "ENGLAND")
    assert client_of("ENGLAND").post(url("FRANCE/read/"), fields).status_code == 404


def test_new_messages_come_in_order_after_a_number(talking, client_of, url):
    for number in range(1, 8):
        talking.send("FRANCE", "ENGLAND", f"Number {number}.")
    page = client_of("ENGLAND").get(url("FRANCE/?after=4"), headers=PART).content.decode()
    assert re.findall(r"Number (\d)", page.partition("conversation__log")[2]) == ["5", "6", "7"]
    assert 'data-last="7"' in page


def test_older_messages_are_a_link_away(talking, client_of, url):
    for number in range(1, 53):
        talking.send(
            "FRANCE" if number % 2 else "ENGLAND",
            "ENGLAND" if number % 2 else "FRANCE",
            f"Number {number}.",
            now=None,
        )
    client = client_of("ENGLAND")
    page = client.get(url("FRANCE/")).content.decode()
    assert 'href="' + url("FRANCE/?before=3") in page
    older = client.get(url("FRANCE/?before=3")).content.decode()
    assert "Number 1." in older
    assert "Number 2." in older


def test_text_is_never_html(talking, client_of, url):
    talking.send("FRANCE", "ENGLAND", "<script>alert(1)</script> javascript:x", subject="<b>x")
    for page in (url(), url("FRANCE/")):
        text = client_of("ENGLAND").get(page).content.decode()
        assert "<script>alert" not in text
        assert "<b>x" not in text


def test_watchers_read_what_is_public_and_cannot_write(talking, client_of, url):
    talking.send("FRANCE", "everyone", "To all of you.")
    for who in ("Sam", None):
        page = client_of(who).get(url("everyone/")).content.decode()
        assert "To all of you." in page
        assert 'name="body"' not in page
        assert "Only the players and the game master can write here." in page
    assert write(client_of("Sam"), url, "everyone").status_code in (403, 404)


def test_the_panel_of_the_game_page_has_the_conversations(talking, client_of):
    talking.send("FRANCE", "ENGLAND", "Channel?")
    page = client_of("ENGLAND").get(f"/games/{talking.slug}/").content.decode()
    assert 'data-tab="press"' in page
    assert "Channel?" in page
    assert re.search(r'data-unread="press"[^>]*><span>1</span>', page)


def test_pages_ask_the_database_a_few_times_however_long_the_talk(
    talking, client_of, url, django_assert_max_num_queries, django_assert_num_queries
):
    client = client_of("ENGLAND")
    for _ in range(2):
        for number in range(7):
            talking.send("FRANCE", "ENGLAND", f"Number {number}.")
            talking.send("FRANCE", "ENGLAND+ITALY", f"Number {number}.")
        for page in (url(), url("new/"), url("FRANCE/")):
            client.get(page)
            with django_assert_max_num_queries(PAGE_QUERIES):
                client.get(page)
        with django_assert_num_queries(PART_QUERIES):
            client.get(url("FRANCE/?after=1"), headers=PART)


def test_sending_takes_the_same_few_queries_however_long_the_talk(talking):
    arguments = {"slug": talking.slug, "user_id": talking.user_id("FRANCE"), "to": EVERYONE}
    for _ in range(3):
        talking.send("FRANCE", EVERYONE)
        with CaptureQueriesContext(connection) as captured:
            send_message(**arguments, body="Hello.", key=new_key(), now=talking.tick())
        statements = [query["sql"] for query in captured if "SAVEPOINT" not in query["sql"]]
        assert len(statements) == SEND_QUERIES, statements


def test_a_page_of_a_game_takes_three_queries_more_with_press(
    talking, client_of, monkeypatch, django_assert_num_queries
):
    talking.send("FRANCE", "ENGLAND")
    client, page = client_of("ENGLAND"), f"/games/{talking.slug}/"
    client.get(page)
    with CaptureQueriesContext(connection) as with_press:
        client.get(page)
    monkeypatch.setattr("diplomaccloud.games.table.panels._load_functions", lambda _: ())
    with django_assert_num_queries(len(with_press) - 3):
        client.get(page)


def test_the_page_before_another_site_names_it(client_of):
    address = "https://example.org/a?b=1"
    answer = client_of().get(f"/leaving/?to={quote(address)}")
    assert answer.headers["Referrer-Policy"] == "no-referrer"
    assert f'href="{address}"' in answer.content.decode()
    for wrong in ("javascript:alert(1)", "//example.org", "", "https://a@b.example/"):
        answer = client_of().get(f"/leaving/?to={quote(wrong)}")
        assert answer.status_code == 400
        assert "Continue" not in answer.content.decode()


def list_heading_steps(page):
    """Return the pairs of a heading's level and the next one's that skip a level."""
    levels = [int(level) for level in re.findall(r"<h([1-6])\b", page)]
    return [pair for pair in pairwise(levels) if pair[1] > pair[0] + 1]


def test_no_heading_of_a_conversation_skips_a_level(forming, client_of, talking):
    talking.send("FRANCE", "ENGLAND")
    sent = {"body": "Hello.", "key": new_key(), "to": "table"}
    alice, sam = forming.client("alice"), client_of("Sam")
    assert alice.post(forming.url("press/send/"), sent).status_code == 303
    assert sam.post("/messages/with/Morgan/send/", sent).status_code == 303
    for client, address in (
        (alice, forming.url("press/table/")),
        (alice, forming.url()),
        (sam, "/messages/with/Morgan/"),
        (client_of("ENGLAND"), f"/games/{talking.slug}/press/FRANCE/"),
    ):
        page = client.get(address).content.decode()
        assert 'id="mh1"' in page
        assert list_heading_steps(page) == []


def test_the_panel_of_the_waiting_room_asks_for_the_conversation_that_it_shows(forming):
    page = forming.client("alice").get(forming.url()).content.decode()
    panel = re.search(r'<talk-panel[^>]* data-url="([^"]+)"', page)
    assert panel is not None
    assert panel[1] == forming.url("press/table/")
