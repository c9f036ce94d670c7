"""Headers that show a setting that does not fit the proxy: the page, the log and the note."""

import datetime as dt
import json

import pytest
from django.test import Client, RequestFactory
from django.utils import timezone
from structlog.testing import capture_logs

from diplomaccloud.pages import wrong_settings
from diplomaccloud.pages.wrong_settings import (
    find_form_fault,
    find_host_fault,
    find_proxy_fault,
    find_redirect_fault,
    list_notes,
    note_fault,
)

LOG_IN = "/accounts/login/"
OURS = "https://games.example.org"
SECURE = {"X-Forwarded-Proto": "https"}


@pytest.fixture(autouse=True)
def site(settings, tmp_path, monkeypatch):
    """A public site behind one proxy that has no settings yet."""
    settings.DATA_DIR = tmp_path
    settings.ALLOWED_HOSTS = ["games.example.org", "127.0.0.1"]
    settings.SECURE_SSL_REDIRECT = False
    monkeypatch.setattr(wrong_settings, "_noted_at", {})
    monkeypatch.setattr(wrong_settings, "_watch", wrong_settings._Watch())
    return settings


def know_https(settings):
    settings.SECURE_SSL_REDIRECT = True
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1


def ask(host="games.example.org", address="127.0.0.1", path="/", **headers):
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    return RequestFactory().get(path, headers={"Host": host, **sent}, REMOTE_ADDR=address)


@pytest.mark.parametrize(
    ("host", "headers", "setting", "part"),
    [
        ("games.example.org", {"Origin": OURS, **SECURE}, "HTTPS", "HTTPS=1 and restart the site."),
        ("games.example.org", {"Origin": OURS}, "HTTPS", "send the header X-Forwarded-Proto"),
        ("games.example.org", {"Referer": f"{OURS}/games/"}, "HTTPS", "HTTPS=1"),
        (
            "games.example.org",
            {"Origin": "http://games.example.org:8080"},
            "TRUSTED_ORIGINS",
            "http://games.example.org:8080",
        ),
        (
            "127.0.0.1:8000",
            {"Origin": OURS, "Sec-Fetch-Site": "same-origin"},
            "ALLOWED_HOSTS",
            "games.example.org",
        ),
    ],
)
def test_a_form_that_no_setting_lets_through_names_the_setting(host, headers, setting, part):
    fault = find_form_fault(ask(host, **headers))
    assert fault.setting == setting
    assert part in fault.fix


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Origin": "http://games.example.org"},
        {"Origin": "null"},
        {"Origin": "https://evil.example"},
        {"Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site"},
        {"Origin": "https://games.example.org.evil.example"},
        {"Origin": "https://games.example.org/<script>"},
        {"Origin": "https://[games"},
        {"Referer": "https://[games"},
    ],
)
def test_a_form_of_another_site_or_an_old_one_names_no_setting(headers):
    assert find_form_fault(ask(**headers)) is None


def test_an_own_https_form_with_the_right_settings_names_nothing(site):
    know_https(site)
    assert find_form_fault(ask(Origin=OURS, X_Forwarded_Proto="https")) is None
    assert find_form_fault(ask(Origin=OURS.replace("s:", ":"), X_Forwarded_Proto="https")) is None
    port = find_form_fault(ask(Origin=f"{OURS}:8443", X_Forwarded_Proto="https"))
    assert port.setting == "TRUSTED_ORIGINS"


@pytest.mark.django_db
def test_the_page_of_a_form_names_https(site):
    client = Client(enforce_csrf_checks=True, headers={"Host": "games.example.org", **SECURE})
    client.get(LOG_IN)
    sent = {"login": "A name with words.", "csrfmiddlewaretoken": client.cookies["csrftoken"].value}
    page = client.post(LOG_IN, sent, headers={"Origin": OURS})
    assert page.status_code == 403
    assert "If you are its host, set DIPLOMACCLOUD_HTTPS=1" in page.content.decode()
    # A browser also says that the form is this site's, so the page keeps what was typed.
    page = client.post(LOG_IN, sent, headers={"Origin": OURS, "Sec-Fetch-Site": "same-origin"})
    assert "DIPLOMACCLOUD_HTTPS=1" in page.content.decode()
    assert "What you sent is below." in page.content.decode()


def test_a_foreign_name_is_on_the_page_and_hostile_ones_are_not():
    page = Client().get("/", headers={"Host": "other.example:81"})
    assert page.status_code == 400
    assert "the name other.example." in page.content.decode()
    assert "DIPLOMACCLOUD_ALLOWED_HOSTS" in page.content.decode()
    for host in ("<script>.example", "a" * 300 + ".example", "", "x\ny"):
        page = Client().get("/", headers={"Host": host})
        assert "DIPLOMACCLOUD" not in page.content.decode()
    assert find_host_fault(ask()) is None


@pytest.mark.parametrize(
    "headers",
    [
        {"Sec-Fetch-Mode": "navigate"},
        {"Sec-Fetch-Mode": "navigate", "X-Forwarded-Proto": "http"},
        {"Referer": f"{OURS}/games/"},
        {"Origin": OURS},
    ],
)
def test_a_browser_that_uses_https_is_not_redirected_to_the_same_page(site, headers):
    know_https(site)
    page = Client().get("/", headers={"Host": "games.example.org", **headers})
    assert page.status_code == 503
    assert "X-Forwarded-Proto" in page.content.decode()


def test_the_page_about_redirects_has_its_style(site):
    know_https(site)
    headers = {"Host": "games.example.org", "Sec-Fetch-Mode": "no-cors"}
    style = Client().get("/static/pages/none.css", headers=headers)
    assert style.status_code == 404


@pytest.mark.parametrize(
    ("host", "headers"),
    [
        ("games.example.org", {}),
        ("games.example.org", {"Referer": "https://other.example/"}),
        ("127.0.0.1:8000", {"Sec-Fetch-Mode": "navigate"}),
    ],
)
def test_a_browser_that_uses_http_is_redirected(site, host, headers):
    know_https(site)
    assert Client().get("/", headers={"Host": host, **headers}).status_code == 301


def test_a_browser_that_says_nothing_is_redirected_a_few_times(site):
    know_https(site)
    found = [find_redirect_fault(ask(User_Agent="old")) for _ in range(8)]
    assert [fault is None for fault in found] == [True] * 5 + [False] * 3
    assert find_redirect_fault(ask(User_Agent="other")) is None
    assert find_redirect_fault(ask(User_Agent="old", path="/other/")) is None


def test_what_is_remembered_of_redirects_is_bounded(site):
    know_https(site)
    for number in range(wrong_settings._MOST_WATCHED + 50):
        find_redirect_fault(ask(User_Agent=str(number)))
    assert len(wrong_settings._watch._seen) == wrong_settings._MOST_WATCHED


@pytest.mark.parametrize(
    ("count", "headers", "setting"),
    [
        (0, {"X-Forwarded-For": "8.8.8.8"}, "PROXIES"),
        (0, {"X-Forwarded-For": "8.8.8.8", **SECURE}, "HTTPS"),
        (2, {"X-Forwarded-For": "8.8.8.8"}, "PROXIES"),
        (1, {"X-Forwarded-Proto": "http"}, "PROXIES"),
        (1, {"X-Forwarded-For": "8.8.8.8, 10.0.0.7"}, "PROXIES"),
        (1, {"X-Forwarded-For": "8.8.8.8"}, None),
        (1, {"X-Forwarded-For": "192.168.1.5"}, None),
        (1, {"X-Forwarded-For": "fd00::9, 8.8.8.8:99"}, None),
        (2, {"X-Forwarded-For": "8.8.8.8, 10.0.0.7"}, None),
        (2, {}, None),
        (0, {}, None),
    ],
)
def test_the_number_of_proxies_is_compared_with_the_header(site, count, headers, setting):
    site.ALLAUTH_TRUSTED_PROXY_COUNT = count
    fault = find_proxy_fault(ask(**headers))
    assert (fault and fault.setting) == setting


def test_without_a_proxy_visitors_cannot_make_notes():
    headers = {"X_Forwarded_For": "8.8.8.8", "X_Forwarded_Proto": "https"}
    assert find_proxy_fault(ask(address="8.8.4.4", **headers)) is None
    assert find_proxy_fault(ask(address="", **headers)).setting == "HTTPS"


def test_a_kind_is_logged_and_noted_once_an_hour(site, monkeypatch, time_machine):
    files = site.DATA_DIR / "wrong-settings"
    time_machine.move_to(timezone.now())
    with capture_logs() as lines:
        for number in range(50):
            note_fault(find_host_fault(ask(f"name{number}.example")))
        note_fault(find_redirect_fault_of(site))
    assert [line["setting"] for line in lines] == [
        "DIPLOMACCLOUD_ALLOWED_HOSTS",
        "DIPLOMACCLOUD_HTTPS",
    ]
    assert sorted(path.name for path in files.iterdir()) == ["host.json", "redirects.json"]
    # Another process.
    monkeypatch.setattr(wrong_settings, "_noted_at", {})
    with capture_logs() as lines:
        note_fault(find_host_fault(ask("another.example")))
    assert lines == []
    monkeypatch.setattr(wrong_settings, "_noted_at", {})
    time_machine.shift(3601)
    with capture_logs() as lines:
        note_fault(find_host_fault(ask("another.example")))
    (line,) = lines
    assert "another.example" in line["what"]


def find_redirect_fault_of(site):
    know_https(site)
    return find_redirect_fault(ask(Sec_Fetch_Mode="navigate"))


def test_the_doctor_reads_recent_notes_about_the_present_settings(site):
    note_fault(find_host_fault(ask("other.example")))
    now = timezone.now()
    (note,) = list_notes(now)
    assert (note.setting, note.what) == (
        "DIPLOMACCLOUD_ALLOWED_HOSTS",
        "This site does not answer to the name other.example.",
    )
    assert list_notes(now + wrong_settings.RECENT + dt.timedelta(minutes=1)) == []
    site.ALLOWED_HOSTS = ["other.example"]
    assert list_notes(now) == []


@pytest.mark.parametrize("content", ["", "{", "[]", "{}", json.dumps({"seen_at": 1}), "x" * 9_000])
def test_a_broken_note_is_replaced(site, content):
    path = site.DATA_DIR / "wrong-settings" / "host.json"
    path.parent.mkdir()
    path.write_text(content)
    assert list_notes(timezone.now()) == []
    note_fault(find_host_fault(ask("other.example")))
    assert len(list_notes(timezone.now())) == 1


def test_a_full_disk_stops_no_page(site):
    (site.DATA_DIR / "wrong-settings").write_text("not a folder")
    assert Client().get("/", headers={"Host": "other.example"}).status_code == 400
    assert "host" in wrong_settings._noted_at
