"""The status message: one line about a person that everyone can read."""

import pytest
from django.test import Client
from django.utils import timezone

from diplomaccloud.accounts.models import User
from diplomaccloud.accounts.people import clean_status, set_status
from diplomaccloud.games.lobby.actions import join_game, start_game

MESSAGE = "Slow games only."
HOSTILE = "\"><script>alert('1')</script>"
PAGE = "/people/Alice/"


def read_status(name="Alice"):
    return User.objects.get(username=name).status


@pytest.mark.parametrize(
    ("text", "saved"),
    [
        pytest.param(MESSAGE, MESSAGE, id="a sentence"),
        pytest.param("  two \t words\r\n\r\nbelow ", "two words below", id="several lines"),
        pytest.param("e\u0301", "\u00e9", id="an accent written by itself"),
        pytest.param("\u05e9\u05dc\u05d5\u05dd", "\u05e9\u05dc\u05d5\u05dd", id="Hebrew"),
        pytest.param("\U0001f642", "\U0001f642", id="a face"),
        pytest.param("x" * 140, "x" * 140, id="140 characters"),
        pytest.param(f"{'x' * 140}   ", "x" * 140, id="140 characters and spaces"),
        pytest.param(HOSTILE, HOSTILE, id="markup"),
        pytest.param(" \n ", "", id="spaces alone"),
        pytest.param("", "", id="nothing"),
    ],
)
def test_a_message_is_saved_in_a_normal_form(text, saved):
    assert clean_status(text) == saved


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        pytest.param("x" * 141, "at most 140", id="141 characters"),
        pytest.param("\u0958" * 71, "at most 140", id="too long once normalized"),
        pytest.param("a\u202eb", "only", id="right to left from here on"),
        pytest.param("a\u2066b", "only", id="an isolate that is not closed"),
        pytest.param("a\x1b[2Jb", "only", id="a command to a terminal"),
        pytest.param("a\u200bb", "only", id="a space without width"),
        pytest.param("\u3164", "only", id="a blank letter"),
        pytest.param("\ue000", "only", id="an unassigned character"),
    ],
)
def test_a_bad_message_gets_a_reason_and_stays_in_the_form(people, text, reason):
    client = Client()
    client.force_login(User.objects.get(username="Alice"))
    client.post(PAGE, {"status": MESSAGE})
    page = client.post(PAGE, {"status": text})
    assert page.status_code == 422
    (error,) = page.context["form"].errors["status"]
    assert reason in error
    assert page.context["form"]["status"].value() == text
    assert read_status() == MESSAGE
    with pytest.raises(ValueError, match=reason):
        set_status(user_id=people["alice"], text=text)


def test_users_write_and_clear_it_on_their_own_page(people):
    client = Client()
    client.force_login(User.objects.get(username="Alice"))
    page = client.post("/people/alice/", {"status": f" {MESSAGE} "}, follow=True)
    assert page.redirect_chain[0][1] == 303
    assert "Everyone can read it." in page.content.decode()
    assert page.context["form"]["status"].value() == read_status() == MESSAGE
    page = client.post(PAGE, {"status": ""}, follow=True)
    assert "Status message removed." in page.content.decode()
    assert read_status() == ""
    assert MESSAGE not in page.content.decode()


@pytest.mark.parametrize("who", ["bob", "nobody"])
def test_users_cannot_change_another_user_s_message(cast, who):
    client = cast.client(who)
    assert 'name="status"' not in client.get(PAGE).content.decode()
    assert client.post(PAGE, {"status": "I am a fool."}).status_code == 403
    assert read_status() == ""


def test_a_form_without_a_csrf_token_is_rejected(cast):
    assert cast.client("alice", csrf=True).post(PAGE, {"status": MESSAGE}).status_code == 403
    assert read_status() == ""


@pytest.fixture
def hostile(forming):
    set_status(user_id=forming.alice, text=HOSTILE)
    return forming


@pytest.mark.parametrize("who", ["alice", "bob", "nobody"])
@pytest.mark.parametrize("address", [PAGE, "/people/", "/games/aaaaaaaaaa/"])
def test_it_is_shown_as_isolated_text(hostile, who, address):
    page = hostile.client(who).get(address).content.decode()
    shown = "&quot;&gt;&lt;script&gt;alert(&#x27;1&#x27;)&lt;/script&gt;"
    assert f'<q class="status"><bdi>{shown}</bdi></q>' in page
    assert HOSTILE not in page


@pytest.mark.parametrize("who", ["alice", "bob", "charlie", "nobody"])
def test_an_anonymous_game_shows_no_messages(hostile, agree, who):
    agree(anonymous=True)
    now = timezone.now()
    join_game(slug=hostile.slug, user_id=hostile.bob, now=now)
    set_status(user_id=hostile.bob, text=MESSAGE)
    for _ in ("forming", "running"):
        page = hostile.client(who).get(hostile.url()).content.decode()
        assert "<q " not in page
        assert MESSAGE not in page
        if _ == "forming":
            start_game(slug=hostile.slug, user_id=hostile.alice, now=now)
