"""Deadlines in the reader's local time, on days with and without clock changes."""

import pytest
from playwright.sync_api import Browser, expect

from diplomaccloud import games

SCRIPT = (games.__path__[0], "static", "games", "local-time.js")
PAGE = """<!doctype html><meta name="viewport" content="width=device-width">
<script type="module" src="/local-time.js"></script>
<local-time data-zone="{zone}" hidden>Your time: <time datetime="{at}"></time></local-time>"""
BERLIN, PACIFIC, UTC = "Europe/Berlin", "America/Los_Angeles", "UTC"


OWN = """<!doctype html><script type="module" src="/local-time.js"></script>
<own-time data-zone="{zone}"><time datetime="{at}"></time></own-time>"""


@pytest.mark.parametrize(
    ("reader", "zone", "at", "shown"),
    [
        (BERLIN, UTC, "2026-10-25T00:30:00+00:00", "Sun, Oct 25, 02:30 your time"),
        (BERLIN, UTC, "2026-10-25T01:30:00+00:00", "Sun, Oct 25, 02:30 your time"),
        (BERLIN, PACIFIC, "2026-12-31T23:05:00+00:00", "Fri, Jan 1, 00:05 your time"),
        ("Europe/London", UTC, "2026-11-29T20:15:00+00:00", "Sun, Nov 29, 20:15"),
        ("Europe/London", UTC, "2026-06-06T20:15:00+00:00", "Sat, Jun 6, 21:15 your time"),
    ],
)
def test_a_deadline_stands_in_the_reader_s_own_time(browser: Browser, reader, zone, at, shown):
    context = browser.new_context(timezone_id=reader)
    page = context.new_page()
    page.route("**/local-time.js", lambda route: route.fulfill(path="/".join(SCRIPT)))
    html = {"body": OWN.format(zone=zone, at=at), "content_type": "text/html"}
    page.route("**/page", lambda route: route.fulfill(**html))
    page.goto("http://game.test/page")
    expect(page.locator("own-time")).to_have_text(shown)
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
    script = "/".join(SCRIPT)
    context = browser.new_context(timezone_id=reader, viewport={"width": 390, "height": 700})
    page = context.new_page()
    page.route("**/local-time.js", lambda route: route.fulfill(path=script))
    html = {"body": PAGE.format(zone=zone, at=at), "content_type": "text/html"}
    page.route("**/page", lambda route: route.fulfill(**html))
    page.goto("http://game.test/page")
    page.wait_for_function("Boolean(customElements.get('local-time'))")
    line = page.locator("local-time")
    assert line.is_visible() is bool(shown)
    if shown:
        expect(line).to_have_text(f"Your time: {shown}")
    context.close()
