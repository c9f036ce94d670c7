"""Announcements: who sees them, when and where, and dismissing, changing and withdrawing them."""

import datetime as dt
import io
import re

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from tests.api.calls import Program, problem_of, token_of
from tests.games.steps import game

from diplomaccloud.accounts.models import User
from diplomaccloud.announcements.actions import (
    PART,
    NoSuchAnnouncement,
    announce,
    dismiss,
    edit,
    withdraw,
)
from diplomaccloud.announcements.models import Announcement, Audience, Dismissal
from diplomaccloud.announcements.read import forget_current, list_current
from diplomaccloud.announcements.views import COOKIE
from diplomaccloud.games.table.errors import Refused
from diplomaccloud.games.visibility.read import Viewer

HOUR = dt.timedelta(hours=1)
DAY = dt.timedelta(days=1)


@pytest.fixture(autouse=True)
def fresh(db):
    """Forget what other tests announced."""
    forget_current()
    yield
    forget_current()


@pytest.fixture
def make(django_capture_on_commit_callbacks):
    """Return a function that announces from an hour ago for a day."""

    def make(text="The site has a **new** map.", **options):
        now = timezone.now()
        times = {"starts_at": now - HOUR, "ends_at": now + DAY}
        with django_capture_on_commit_callbacks(execute=True):
            return announce(text=text, **(times | options))

    return make


@pytest.fixture
def alice(client):
    user = User.objects.create_user("Alice", password="a long enough word")
    client.force_login(user)
    return user


def read_lines(client, path="/"):
    """Return how many announcements a page shows in one line."""
    return client.get(path).text.count('class="announcement')


def list_keys(user_id, *, now=None):
    """Return the announcements that a person sees."""
    return [one.key for one in list_current(Viewer(user_id), now=now or timezone.now())]


@pytest.mark.parametrize("path", ["/", "/games/"])
def test_home_and_lobby_show_one_line_and_other_pages_none(client, make, path):
    make("The site has a **new** map.\n\nMore about it.")
    page = client.get(path).text
    assert "The site has a <strong>new</strong> map." in page
    assert "More about it" not in page
    assert read_lines(client, "/learn/") == 0
    assert "More about it" in client.get("/announcements/").text


def test_html_and_scripts_stay_text(client, make):
    make(
        '<script>alert(1)</script> [x](javascript:alert(1)) ![](javascript:1) <b onclick="x">b</b>'
    )
    page = client.get("/").text
    assert "<script>alert" not in page
    assert "javascript:" not in page
    assert "<b onclick" not in page


def test_an_announcement_is_shown_from_its_start_until_its_end(make):
    now = timezone.now()
    row = make(starts_at=now, ends_at=now + HOUR)
    assert list_keys(None, now=now) == [row.pk]
    assert list_keys(None, now=now + HOUR - dt.timedelta(seconds=1)) == [row.pk]
    assert list_keys(None, now=now + HOUR) == []
    assert list_keys(None, now=now - dt.timedelta(seconds=1)) == []


def test_each_reader_sees_what_is_for_them(make, alice):
    rows = {audience: make(audience=audience).pk for audience in Audience.values}
    assert list_keys(None) == [rows["everybody"]]
    assert list_keys(alice.pk) == [rows["accounts"], rows["everybody"]]


def test_a_person_dismisses_for_all_browsers_and_once(client, make, alice):
    row = make()
    for _ in range(2):
        assert client.post(f"/announcements/{row.pk}/dismiss/").status_code == 303
    assert Dismissal.objects.count() == 1
    other = Client()
    other.force_login(alice)
    assert read_lines(other) == 0
    assert read_lines(Client()) == 1
    # The page and the list of notices still have it.
    assert "new</strong> map" in other.get("/announcements/").text


def test_a_visitor_dismisses_in_a_cookie(client, make):
    first, second = make(), make("Second")
    client.post(f"/announcements/{first.pk}/dismiss/")
    assert read_lines(client) == 1
    client.post(f"/announcements/{second.pk}/dismiss/")
    assert read_lines(client) == 0
    assert not Dismissal.objects.exists()


@pytest.mark.parametrize("cookie", ["x", "1.", "9" * 5000, "-1", "1;2"])
def test_a_strange_cookie_dismisses_nothing(client, make, cookie):
    make()
    client.cookies[COOKIE] = cookie
    assert read_lines(client) == 1


def test_another_site_cannot_dismiss(client, make, alice):
    row = make()
    answer = client.post(
        f"/announcements/{row.pk}/dismiss/", headers={"Origin": "https://elsewhere.example"}
    )
    assert answer.status_code == 403
    assert not Dismissal.objects.exists()


def test_an_unknown_announcement_cannot_be_dismissed(client, alice):
    for key in (1, 10**30):
        assert client.post(f"/announcements/{key}/dismiss/").status_code == 404


def test_the_list_of_notices_has_announcements(client, make, alice):
    make("Read **this**")
    assert "Read <strong>this</strong>" in client.get("/notices/").text


@pytest.mark.parametrize(("hours", "count"), [(25, 0), (23, 1), (-1, 1)])
def test_pages_of_games_show_maintenance_within_a_day(cast, make, hours, count):
    make()
    make("We move.", maintenance_at=timezone.now() + hours * HOUR, ends_at=timezone.now() + 2 * DAY)
    for who in ("alice", "nobody"):
        assert read_lines(cast.client(who), f"/games/{game().slug}/") == count


@pytest.mark.parametrize(
    ("options", "part"),
    [
        ({"ends_at": timezone.now() - 2 * HOUR}, "before it begins"),
        ({"text": " "}, "Write a text"),
        ({"text": "x" * 4001}, "4000"),
        ({"audience": "nobody"}, "everybody"),
    ],
)
def test_a_wrong_announcement_is_refused_with_a_sentence(make, options, part):
    with pytest.raises(Refused, match=part):
        make(**options)
    row = make()
    with pytest.raises(Refused, match=part):
        edit(key=row.pk, **options)
    assert Announcement.objects.get() == row


def test_the_host_changes_and_withdraws(make, django_capture_on_commit_callbacks):
    row = make()
    with django_capture_on_commit_callbacks(execute=True):
        edit(key=row.pk, text="Changed")
    assert [one.text for one in list_current(Viewer(None), now=timezone.now())] == ["Changed"]
    with django_capture_on_commit_callbacks(execute=True):
        assert withdraw(key=row.pk, now=timezone.now())
    assert not withdraw(key=row.pk, now=timezone.now())
    assert list_keys(None) == []
    with pytest.raises(NoSuchAnnouncement):
        withdraw(key=row.pk + 1, now=timezone.now())
    with pytest.raises(NoSuchAnnouncement):
        edit(key=row.pk + 1, text="Changed")


def test_a_page_without_announcements_asks_nothing_more(client, make, alice):
    client.get("/")
    with CaptureQueriesContext(connection) as before:
        client.get("/")
    assert not [query for query in before if "announcement" in query["sql"]]
    make()
    client.get("/")
    with CaptureQueriesContext(connection) as after:
        client.get("/")
    assert len(after) == len(before) + 1


def test_the_command_announces_lists_changes_and_withdraws():
    def run(*args):
        out = io.StringIO()
        call_command("announce", *args, stdout=out)
        return out.getvalue()

    at = (timezone.now() + HOUR).isoformat()
    run("We *move*.", "--maintenance", at, "--for", "accounts")
    row = Announcement.objects.get()
    assert (row.kind, row.audience) == ("maintenance", "accounts")
    assert f"{row.pk}: We *move*." in run()
    run("Later.", "--edit", str(row.pk))
    assert Announcement.objects.get().text == "Later."
    assert "withdrawn" in run("--withdraw", str(row.pk))
    assert run() == ""
    with pytest.raises(CommandError, match="before it begins"):
        run("Late.", "--until", "2020-01-01")
    with pytest.raises(CommandError, match="no announcement"):
        run("--withdraw", "999")


def test_deleting_an_account_deletes_its_dismissals(make, alice):
    dismiss(key=make().pk, user_id=alice.pk)
    assert PART.export is not None
    (exported,) = PART.export(alice.pk)
    assert str(Announcement.objects.get().pk) in "".join(exported.lines)
    PART.erase(alice.pk, timezone.now())
    assert not Dismissal.objects.exists()


def test_programs_read_and_dismiss_them(client, make, alice):
    make("We move.", maintenance_at=timezone.now() + HOUR)
    program = Program(token_of(alice.pk))
    (one,) = program.get("/announcements").json()["announcements"]
    assert (one["kind"], one["text"], one["dismissed"]) == ("maintenance", "We move.", False)
    path = f"/announcements/{one['key']}/dismiss"
    assert Program().post(path).status_code == 401
    assert program.post(path).json()["announcements"] == [one | {"dismissed": True}]
    assert count_on_bell(client) == ""
    problem_of(program.post(f"/announcements/{'0' * 32}/dismiss"), "not-found", 404)


def count_on_bell(client):
    """Return the number on the bell; blank if there is none."""
    found = re.search(r'"bell__number">([0-9]+)', client.get("/learn/").text)
    return found[1] if found else ""


def test_the_bell_counts_an_announcement_until_it_is_dismissed(client, make, alice):
    assert count_on_bell(client) == ""
    row = make()
    make("For others.", audience=Audience.MASTERS)
    assert count_on_bell(client) == "1"
    client.get("/notices/")
    assert count_on_bell(client) == "1"
    assert f"/announcements/{row.pk}/dismiss/" in client.get("/notices/").text
    client.post(f"/announcements/{row.pk}/dismiss/")
    assert count_on_bell(client) == ""
