"""Deadlines in the reader's local time, on days with and without clock changes."""

from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, expect

from diplomaccloud import games, pages, press

APPS = {"games": games, "pages": pages, "press": press}
PAGE = """<!doctype html><meta name="viewport" content="width=device-width">
<script type="module" src="/games/table/local-time.js"></script>
<local-time data-zone="{zone}" hidden>Your time: <time datetime="{at}"></time></local-time>"""
BERLIN, PACIFIC, UTC = "Europe/Berlin", "America/Los_Angeles", "UTC"


OWN = """<!doctype html><script type="module" src="/pages/js/own-time.js"></script>
<own-time {words}><time datetime="{at}">the server's words</time></own-time>"""
MESSAGE = """<!doctype html>
<script type="module" src="/press/conversations/message-time.js"></script>
<message-time {words}><time datetime="{at}"></time></message-time>"""


def send_script(route):
    path = urlsplit(route.request.url).path
    route.fulfill(path=Path(APPS[path.split("/")[1]].__path__[0], "static" + path))


def serve(page, body):
    """Show the page `body` with these scripts."""
    page.route("**/page", lambda route: route.fulfill(body=body, content_type="text/html"))
    page.route("**/*.js", send_script)
    page.goto("http://game.test/page")


@pytest.mark.parametrize(
    ("reader", "words", "at", "shown"),
    [
        (BERLIN, "", "2026-10-25T00:30:00+00:00", "Sun, Oct 25, 02:30 your time"),
        (BERLIN, "", "2026-10-25T01:30:00+00:00", "Sun, Oct 25, 02:30 your time"),
        (
            BERLIN,
            f'data-zone="{PACIFIC}"',
            "2026-12-31T23:05:00+00:00",
            "Fri, Jan 1, 2027, 00:05 your time",
        ),
        ("Europe/London", 'data-zone="UTC"', "2026-11-29T20:15:00+00:00", "Sun, Nov 29, 20:15"),
        (
            "Europe/London",
            'data-zone="UTC"',
            "2026-06-06T20:15:00+00:00",
            "Sat, Jun 6, 21:15 your time",
        ),
        (BERLIN, "data-seconds", "2026-02-03T11:04:05+00:00", "Tue, Feb 3, 12:04:05 your time"),
        (BERLIN, "", "2025-02-03T11:04:05+00:00", "Mon, Feb 3, 2025, 12:04 your time"),
        (BERLIN, "", "someday", "the server's words"),
    ],
)
def test_a_time_stands_in_the_reader_s_own_time(browser: Browser, reader, words, at, shown):
    context = browser.new_context(timezone_id=reader)
    page = context.new_page()
    page.clock.set_fixed_time("2026-11-28T12:00:00Z")
    serve(page, OWN.format(words=words, at=at))
    page.wait_for_function("Boolean(customElements.get('own-time'))")
    expect(page.locator("own-time")).to_have_text(shown)
    context.close()


@pytest.mark.parametrize(
    ("words", "at", "shown"),
    [
        ("", "2026-11-28T09:00:00+00:00", "10:00"),
        ("", "2026-11-28T20:00:00+00:00", "21:00"),
        ("", "2026-11-27T09:00:00+00:00", "Fri 10:00"),
        ("", "2026-11-28T23:15:00+00:00", "Nov 29, 00:15"),
        ("", "2025-11-28T09:00:00+00:00", "Nov 28, 2025, 10:00"),
        ("", "2027-11-28T09:00:00+00:00", "Nov 28, 2027, 10:00"),
        ("data-long", "2026-11-28T09:00:00+00:00", "Saturday 10:00"),
        ("data-long", "2026-11-28T20:00:00+00:00", "November 28, 21:00"),
        ("data-long", "2026-12-05T00:16:00+00:00", "December 5, 01:16"),
        ("data-long", "2027-01-04T09:00:00+00:00", "January 4, 2027, 10:00"),
    ],
)
def test_a_time_in_press_is_short_only_if_it_has_passed(browser: Browser, words, at, shown):
    context = browser.new_context(timezone_id=BERLIN)
    page = context.new_page()
    page.clock.set_fixed_time("2026-11-28T12:00:00Z")
    serve(page, MESSAGE.format(words=words, at=at))
    page.wait_for_function("Boolean(customElements.get('message-time'))")
    expect(page.locator("message-time")).to_have_text(shown)
    context.close()


@pytest.mark.parametrize(
    ("reader", "zone", "at", "shown"),
    [
        pytest.param(BERLIN, PACIFIC, "2027-03-14T08:00:00+00:00", "Sunday, March 14 at 09:00 CET",
                     id="midnight before Pacific clocks go forward: nine hours"),
        pytest.param(BERLIN, PACIFIC, "2027-03-15T07:00:00+00:00", "Monday, March 15 at 08:00 CET",
                     id="midnight after: eight hours"),
        pytest.param(BERLIN, PACIFIC, "2027-03-28T00:59:00+00:00", "Sunday, March 28 at 01:59 CET",
                     id="the minute before the reader's clocks go forward"),
        pytest.param(BERLIN, PACIFIC, "2027-03-28T01:00:00+00:00", "Sunday, March 28 at 03:00 CEST",
                     id="the minute after"),
        pytest.param(BERLIN, PACIFIC, "2026-10-25T00:30:00+00:00",
                     "Sunday, October 25 at 02:30 CEST", id="the first half past two in autumn"),
        pytest.param(BERLIN, PACIFIC, "2026-10-25T01:30:00+00:00",
                     "Sunday, October 25 at 02:30 CET", id="the second"),
        pytest.param(BERLIN, PACIFIC, "2026-11-01T09:30:00+00:00",
                     "Sunday, November 1 at 10:30 CET", id="half past one twice in the Pacific"),
        pytest.param(PACIFIC, PACIFIC, "2026-11-01T09:30:00+00:00", "", id="at home: nothing"),
        pytest.param("America/Tijuana", PACIFIC, "2026-11-02T08:00:00+00:00", "",
                     id="the same clocks elsewhere: nothing"),
        pytest.param(UTC, UTC, "2026-11-02T08:00:00+00:00", "", id="a reader in UTC: nothing"),
        pytest.param(BERLIN, "Mars/Olympus", "2026-11-02T08:00:00+00:00",
                     "Monday, November 2 at 09:00 CET", id="a zone that the browser does not know"),
    ],
)  # fmt: skip
def test_a_reader_sees_the_time_on_their_own_clock(browser: Browser, reader, zone, at, shown):
    context = browser.new_context(timezone_id=reader, viewport={"width": 390, "height": 700})
    page = context.new_page()
    serve(page, PAGE.format(zone=zone, at=at))
    page.wait_for_function("Boolean(customElements.get('local-time'))")
    line = page.locator("local-time")
    assert line.is_visible() is bool(shown)
    if shown:
        expect(line).to_have_text(f"Your time: {shown}")
    context.close()


def test_the_summary_of_a_new_game_is_in_the_creator_s_time_zone(browser: Browser, site, log_in):
    site.arrange("movement", "Zoned", "Foe")
    context = browser.new_context(base_url=site.url, timezone_id="America/New_York")
    page = context.new_page()
    log_in(page, "Zoned", "/games/new/")
    expect(page.locator("#summary")).to_contain_text("New York time")
    context.close()
