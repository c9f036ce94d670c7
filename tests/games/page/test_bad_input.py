"""Bad input: a clear message with the right status, nothing changed, one line in the log."""

import logging
from html import unescape

import pytest
from django.utils import timezone

from diplomaccloud.games.table.log_models import Event
from diplomaccloud.games.table.phase_models import OrderRow, Phase, Submission
from diplomaccloud.pages import errors


def counts():
    submitted = Submission.objects.exclude(saved_at=None, ready_at=None)
    return [rows.count() for rows in (Event.objects, OrderRow.objects, Phase.objects, submitted)]


CASES = [
    pytest.param(
        "alice", "orders/", {"phase": 1, "sheet": "A PRA H"}, 422, "PRA", id="unknown province"
    ),
    pytest.param(
        "alice", "orders/", {"phase": 1, "sheet": "A CON H"}, 422, "not yours", id="another's unit"
    ),
    pytest.param(
        "alice",
        "orders/",
        {"phase": 1, "order": "A CON H"},
        422,
        "not yours",
        id="another's unit chosen",
    ),
    pytest.param(
        "alice",
        "orders/",
        {"phase": 7, "sheet": "A VIE H"},
        409,
        "no such phase",
        id="unknown phase",
    ),
    pytest.param("alice", "orders/", {"sheet": "A VIE H"}, 400, "which phase", id="no phase"),
    pytest.param("alice", "orders/", {"phase": "9" * 30}, 400, "which phase", id="endless phase"),
    pytest.param(
        "alice", "orders/", {"phase": 1, "sheet": "A" * 9000}, 413, "more text", id="9 kB of orders"
    ),
    pytest.param(
        "alice",
        "orders/",
        {"phase": 1, "sheet": "A" * 1_000_000},
        413,
        "128 kilobytes",
        id="1 MB of orders",
    ),
    pytest.param(
        "charlie",
        "orders/",
        {"phase": 1, "sheet": "A VIE H"},
        403,
        "do not play",
        id="a stranger's orders",
    ),
    pytest.param(
        "charlie", "ready/", {"phase": 1, "ready": 1}, 403, "do not play", id="a stranger is ready"
    ),
    pytest.param(
        "charlie", "country/", {"country": "X"}, 403, "do not play", id="a stranger names"
    ),
    pytest.param("charlie", "join/", {}, 409, "has started", id="too late to join"),
    pytest.param("bob", "start/", {}, 403, "creator", id="not the creator"),
    pytest.param("alice", "country/", {"country": "x" * 99}, 400, "at most 30", id="long country"),
    pytest.param("alice", "country/", {"country": "a\x00b"}, 400, "NUL", id="a zero byte"),
    pytest.param("alice", "country/", {"country": "Unsigned"}, 400, "uses itself", id="a label"),
    pytest.param("alice", "country/", {"country": "\u3164"}, 400, "letters", id="a blank letter"),
]


@pytest.mark.parametrize("headers", [{}, {"HX-Request": "true"}], ids=["page", "part"])
@pytest.mark.parametrize(("who", "rest", "data", "status", "message"), CASES)
def test_bad_input_is_refused(cast, caplog, who, rest, data, status, message, headers):
    client, before = cast.client(who), counts()
    with caplog.at_level(logging.INFO):
        caplog.clear()
        response = client.post(cast.url(rest), data, headers=headers)
    assert response.status_code == status
    assert message in response.content.decode()
    assert counts() == before
    assert len(caplog.records) == 1


@pytest.mark.parametrize("rest", ["orders/", "conditional-orders/"])
def test_the_log_does_not_say_which_orders_were_refused(cast, caplog, rest):
    data = {"phase": 1, "sheet": "A VIE - MOS", "ahead": "if VIE is taken: A BUD - MOS"}
    with caplog.at_level(logging.INFO):
        caplog.clear()
        response = cast.client("alice").post(cast.url(rest), data)
    assert response.status_code == 422
    assert "MOS" in response.content.decode()
    assert "refused" in caplog.text
    assert "MOS" not in caplog.text
    assert "Moscow" not in caplog.text


def test_a_late_submission_is_told_so(cast, caplog):
    now = timezone.now()
    Phase.objects.update(opens_at=now, due_at=now, adjudicate_at=now)
    before = counts()
    response = cast.client("alice").post(cast.url("orders/"), {"phase": 1, "sheet": "A VIE H"})
    assert response.status_code == 409
    assert response.context["late"].message in unescape(response.content.decode())
    assert counts() == before


def test_a_forged_form_is_refused(cast, caplog):
    client, before = cast.client("alice", csrf=True), counts()
    with caplog.at_level(logging.INFO):
        caplog.clear()
        response = client.post(
            cast.url("orders/"), {"phase": 1, "sheet": "A VIE H", "csrfmiddlewaretoken": "x" * 64}
        )
    assert response.status_code == 403
    assert "did not come from this site" in response.content.decode()
    assert counts() == before
    assert len(caplog.records) == 1


@pytest.mark.parametrize(
    "path",
    [
        "/games/zzzzzzzzzz/",
        "/games/1/",
        "/games/../etc/",
        "/games/ZZZZZZZZZZ/",
        "/games/aaaaaaaaaa/phases/-1/",
        "/games/aaaaaaaaaa/phases/x/",
        "/maps/0000/",
        "/maps/" + "0" * 64 + "/",
        "/maps/" + "0" * 64 + "/light.svg",
        "/nowhere/",
    ],
)
def test_an_address_of_nothing_is_not_found(cast, path):
    response = cast.client("alice").get(path)
    assert response.status_code == 404
    assert "Page not found" in response.content.decode()


@pytest.mark.parametrize("rest", ["orders/", "ready/", "country/", "join/", "leave/", "start/"])
def test_changes_are_posted(cast, caplog, rest):
    client = cast.client("alice")
    with caplog.at_level(logging.INFO):
        caplog.clear()
        response = client.get(cast.url(rest))
    assert (response.status_code, response.headers["Allow"]) == (405, "POST")
    assert "Method not allowed: use POST." in response.content.decode()
    assert len(caplog.records) == 1


@pytest.mark.parametrize("rest", ["orders/", "ready/", "country/", "join/", "leave/", "start/"])
def test_visitors_log_in_first(cast, rest):
    response = cast.client("nobody").post(cast.url(rest), {"phase": 1})
    assert (response.status_code, response.url) == (302, f"/accounts/login/?next={cast.url()}")


def test_htmx_is_sent_to_the_whole_login_page(cast):
    headers = {"HX-Request": "true", "HX-Current-URL": f"http://testserver{cast.url()}"}
    response = cast.client("nobody").post(cast.url("orders/"), {"phase": 1}, headers=headers)
    back = cast.url().replace("/", "%2F")
    assert response.headers["HX-Redirect"] == f"/accounts/login/?next={back}"
    assert response.content == b""


def test_every_page_has_the_strict_policy(cast):
    for path in ("/", "/games/", cast.url(), "/nowhere/"):
        policy = cast.client("alice").get(path).headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy


@pytest.mark.parametrize(
    ("headers", "data", "answer"),
    [
        pytest.param({"Host": "evil.example"}, {"phase": 1}, "evil.example", id="a forged host"),
        pytest.param(
            {}, {str(number): "" for number in range(500)}, "could not understand", id="500 fields"
        ),
    ],
)
def test_suspicious_requests_get_one_line_too(cast, caplog, monkeypatch, headers, data, answer):
    monkeypatch.setattr(errors, "note_fault", lambda _fault: None)
    client, before = cast.client("alice"), counts()
    with caplog.at_level(logging.INFO):
        caplog.clear()
        response = client.post(cast.url("orders/"), data, headers=headers)
    assert response.status_code == 400
    assert answer in response.content.decode()
    assert counts() == before
    assert len(caplog.records) == 1


def test_a_broken_page_says_so_and_keeps_the_reason_for_the_log(cast, caplog, monkeypatch):
    def broken(*arguments, **named):
        raise RuntimeError("the reason")

    monkeypatch.setattr("diplomaccloud.games.page.views.present_game", broken)
    client = cast.client("alice")
    client.raise_request_exception = False
    response = client.get(cast.url())
    assert response.status_code == 500
    assert "the reason" not in response.content.decode()
    assert "the reason" in caplog.text


def test_a_body_of_unsaid_length_is_refused(cast):
    response = cast.client("alice").post(
        cast.url("orders/"),
        {"phase": 1},
        headers={"Transfer-Encoding": "chunked"},
        CONTENT_LENGTH="",
    )
    assert response.status_code == 411
    assert "Content-Length is required" in response.content.decode()
