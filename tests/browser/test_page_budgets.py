"""What a page costs on a phone with an empty cache: kilobytes on the wire, and elements.

Both are the same on every machine. Times are measured by `python -m benchmarks.pages`.
"""

import json
import re

import pytest
from tests.browser.test_play import let_it_act, wait_until

SETUP = "tests/browser/budgets_setup.py"
BUDGETS = {
    ("/", False): (150, 400),
    ("/", True): (150, 500),
    ("/games/", False): (150, 650),
    ("/games/", True): (150, 650),
    ("/learn/", False): (120, 300),
    ("/people/Counter/", False): (120, 450),
    ("/ratings/", False): (100, 600),
    ("GAME", True): (185, 950),
}
"""The most kilobytes and elements of each page, for a visitor or a player in ten games."""
FURTHER = re.compile(r"-(accented|extended)\.\w*\.?woff2$")
"""Fonts that a page loads only if a name has their letters."""


@pytest.fixture(scope="module")
def game(site):
    return json.loads(site.run(SETUP).splitlines()[-1])


@pytest.fixture
def session(game, page, log_in):
    """Return the cookies of a player; the visit also draws the map."""
    log_in(page, "Counter", game)
    return page.context.cookies()


@pytest.mark.parametrize(("path", "is_player"), BUDGETS)
def test_a_page_stays_within_its_budget(path, is_player, browser, site, game, session):
    context = browser.new_context(
        base_url=site.url,
        viewport={"width": 390, "height": 844},
        device_scale_factor=2,
        service_workers="block",
    )
    if is_player:
        context.add_cookies(session)
    page = context.new_page()
    devtools = context.new_cdp_session(page)
    devtools.send("Network.enable")
    sizes, names = {}, {}
    devtools.on(
        "Network.requestWillBeSent",
        lambda event: names.update({event["requestId"]: event["request"]["url"]}),
    )
    devtools.on(
        "Network.loadingFinished",
        lambda event: sizes.update({event["requestId"]: event["encodedDataLength"]}),
    )
    loading = set()
    page.on("request", lambda request: loading.update({request}))
    for end in ("requestfinished", "requestfailed"):
        page.on(end, lambda request: loading.difference_update({request}))
    assert page.goto(path.replace("GAME", game)).ok

    def count_kilobytes():
        # Other tests name people and games on this site, some with letters of further fonts.
        return sum(size for key, size in sizes.items() if not FURTHER.search(names[key])) / 1000

    def has_loaded():
        let_it_act(page)
        return {request.resource_type for request in loading} <= {"eventsource"}

    wait_until(page, has_loaded)
    measured = {"at load": count_kilobytes()}
    if path in ("/", "/games/"):
        page.locator("featured-game picture").scroll_into_view_if_needed()
        page.locator(".featured__turn").wait_for()
        wait_until(page, has_loaded)
        turn = sum(size for key, size in sizes.items() if "/featured/" in names[key]) / 1000
        assert turn
        measured["with the featured turn"] = measured["at load"] + turn
    nodes = page.evaluate("document.querySelectorAll('*').length")
    context.close()
    kilobytes, most_nodes = BUDGETS[path, is_player]
    assert {when: size for when, size in measured.items() if size > kilobytes} == {}
    assert nodes <= most_nodes
