"""Every page, on a phone and a desktop, in light and dark: accessible and never too wide."""

from http import HTTPStatus

import pytest
from axe_playwright_python.sync_playwright import Axe
from tests.browser.test_play import be_ready

ARCHIVE = "tests/browser/archive_setup.py"
SIZES = {"phone": {"width": 390, "height": 844}, "desk": {"width": 1440, "height": 900}}
PUBLIC = [
    "/",
    "/accounts/signup/",
    "/accounts/login/",
    "/accounts/password/reset/",
    "/games/",
    "/games/?speed=live&q=nothing",
    "/games/play/",
    "/maps/",
    "/api/",
    "/people/",
    "/people/?name=nobody-at-all",
    "/ratings/",
    "/about/privacy/",
    "/about/contact/",
    "/nothing/",
]
PRIVATE = [
    "/",
    "/games/new/",
    "/maps/?for=game",
    "/maps/new/",
    "/people/?order=login",
    "/people/Watcher/",
    "/ratings/",
    "/account/following/",
    "/notices/",
    "/notices/settings/",
    "GAME",
    "GAMEcenters/",
    "GAMEphases/1/",
    "GAMEphases/1/why/0/",
    "GAMEstatistics/",
    "GAMEreceipts/",
    "GAMElog/",
    "GAMErules/",
    "GAMEresign/",
    "GAMEpress/",
    "GAMEpress/new/?to=FRANCE&to=ITALY",
    "GAMEpress/everyone/",
    "GAMEpress/notes/",
    "GAMEpress/everyone/proposal/",
    "GAMEpress/everyone/document/",
    "GAMEpress/ledger/",
    "GAMEmaps/",
    "GAMEmaps/draw/",
    "PAST",
    "PASTmaps/",
    "PASTmaps/1/",
    "PASTpress/FRANCE/",
    "PASTpress/FRANCE/1/report/",
    "PASTpress/FRANCE/2/map/",
    "PASTpress/opening/",
    "PASTchronicle/",
    "PASTchronicle/1/",
    "/messages/",
    "/messages/sent/",
    "/messages/search/?q=help",
    "/messages/with/Writer/",
    "/messages/settings/",
    "/reports/",
    "/slack/",
    "/account/tokens/",
    "/account/delete/",
    "/account/sessions/",
    "/account/relationships/",
    "/account/export/",
    "/accounts/email/",
    "/accounts/password/change/",
    "/accounts/two-factor/",
    "/accounts/two-factor/webauthn/",
    "/leaving/?to=https://example.org/",
    "MAP",
]

FAULTS = {"resultTypes": ["violations"]}
"""What axe describes: without it, also each element that passes each rule."""
CONTRAST = {**FAULTS, "runOnly": {"type": "rule", "values": ["color-contrast"]}}
"""The only rule that a page can break in one color scheme and not in the other."""


@pytest.fixture(scope="module")
def game(site):
    return site.arrange("opening", "Watcher")


@pytest.fixture(scope="module")
def past(site):
    """Return the path of a finished game in which people have talked."""
    path = site.arrange("movement", "Watcher", "Writer")
    site.run(ARCHIVE, path.split("/")[2])
    return path


@pytest.fixture(params=SIZES)
def size(request):
    return SIZES[request.param]


@pytest.fixture
def sight(browser, site, size):
    """Return a page of that size, and the browser's error messages."""
    context = browser.new_context(base_url=site.url, viewport=size, reduced_motion="reduce")
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on(
        "console", lambda message: errors.append(message.text) if message.type == "error" else None
    )
    yield page, errors
    context.close()


def check(page, complaints: list[str]) -> list[str]:
    """Return the faults of the open page, in light and then in dark colors."""
    page.emulate_media(color_scheme="light")
    wrong = [text for text in complaints if "the server responded with" not in text]
    complaints.clear()
    too_wide = page.evaluate("document.documentElement.scrollWidth > innerWidth")
    violations = Axe().run(page, options=FAULTS).response["violations"]
    page.emulate_media(color_scheme="dark")
    violations += Axe().run(page, options=CONTRAST).response["violations"]
    wrong += [
        f"{violation['id']}: {violation['nodes'][0]['html'][:160]} "
        f"{violation['nodes'][0]['failureSummary'][:300]}"
        for violation in violations
    ]
    return [f"{page.url}: {text}" for text in wrong + ["too wide"] * too_wide]


def test_public_pages_are_sound(sight):
    page, complaints = sight
    wrong = []
    for path in PUBLIC:
        page.goto(path)
        wrong += check(page, complaints)
    assert not wrong, "\n".join(wrong)


@pytest.fixture
def private(sight, game, past, log_in):
    """Return the addresses of pages for a player, who has logged in and ended a phase."""
    page, _ = sight
    log_in(page, "Watcher", game)
    if not page.locator(".phase-list a[rel=first]").count():
        be_ready(page)
        page.locator(".phase-list a[rel=first]").wait_for(state="attached")
    page.locator("a[data-tab=game]").click()
    chart = page.locator("#game a[href^='/maps/']").first.get_attribute("href")
    return [
        path.replace("GAME", game).replace("PAST", past).replace("MAP", chart) for path in PRIVATE
    ]


@pytest.mark.guard
@pytest.mark.parametrize("size", ["phone"], indirect=True)
def test_each_page_opens_without_a_complaint(sight, private):
    page, complaints = sight
    wrong = []
    for path in [*PUBLIC, *private]:
        answer = page.goto(path)
        if answer.status not in {HTTPStatus.OK, HTTPStatus.NOT_FOUND}:
            wrong.append(f"{path}: {answer.status}")
        wrong += [text for text in complaints if "the server responded with" not in text]
        complaints.clear()
        if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
            wrong.append(f"{path}: too wide")
    assert not wrong, "\n".join(wrong)


@pytest.mark.long
def test_pages_for_players_are_sound(sight, game, private):
    page, complaints = sight
    wrong = []
    for path in private:
        answer = page.goto(path)
        assert answer.status == HTTPStatus.OK, path
        wrong += check(page, complaints)
    page.goto(game)
    page.locator(".slot__button").first.click()
    wrong += check(page, complaints)
    assert not wrong, "\n".join(wrong)


def test_controls_are_large_enough_to_touch(sight, game, log_in):
    page, _ = sight
    log_in(page, "Watcher", game)
    page.locator(".slot__button").first.click()
    small = page.evaluate(
        """() => [
            ...document.querySelectorAll("button, .button, .tabs a, .nav a, select, textarea")]
            .map(one => [one, one.getBoundingClientRect()])
            .filter(([, box]) => box.width > 0 && (box.height < 43.5 || box.width < 43.5))
            .filter(([one]) => !one.closest(".offscreen"))
            .map(([one]) => one.outerHTML.slice(0, 120))"""
    )
    assert small == []


def test_on_a_phone_a_waiting_room_begins_with_what_to_do(site, visit):
    path = site.arrange("waiting", "Iris", "Jonas")
    page = visit("Iris", path, viewport={"width": 390, "height": 844})
    tops = [
        page.locator(part).bounding_box()["y"]
        for part in (".room__act", ".room__seats", ".room__press")
    ]
    assert tops == sorted(tops)
