"""Eight pages still look as they did when someone last checked them.

After an intended change run `./check browser -- -k pictures --renew-pictures`, look at the changed
files in `tests/browser/pictures`, and commit them.
"""

from pathlib import Path

import pytest
from tests.browser.page_pictures import measure_difference, open_context, take_picture
from tests.browser.test_play import wait_for_scripts

FOLDER = Path(__file__).parent / "pictures"
TOLERANCE = 0.01
"""The largest share of squares that may differ. Repeated runs differ in none; a button that is
missing differs in 4.7 %, and a page that is moved or darker in more."""
PAGES = {
    "log-in": ("/accounts/login/", "phone", "light"),
    "sign-up": ("/accounts/signup/", "desk", "dark"),
    "rules": ("/rules/", "phone", "dark"),
    "glossary": ("/glossary/", "desk", "light"),
    "lessons": ("/learn/", "phone", "light"),
    "map": ("MAP", "desk", "dark"),
    "game-phone": ("GAME", "phone", "dark"),
    "game-desk": ("GAME", "desk", "light"),
}


@pytest.fixture(scope="module")
def game(site):
    return site.arrange("movement", "Painter", "Model")


@pytest.fixture
def open_page(browser, site, game, log_in):
    """Return a function that opens one of the pages, as its size and scheme demand."""
    contexts = []

    def open_page(name: str):
        path, size, scheme = PAGES[name]
        contexts.append(open_context(browser, site.url, size, scheme))
        page = contexts[-1].new_page()
        if path in ("GAME", "MAP"):
            log_in(page, "Painter", game)
        if path == "MAP":
            page.locator("a[data-tab=game]").click()
            page.goto(page.locator('#game a[href^="/maps/"]').first.get_attribute("href"))
        elif path == "GAME":
            wait_for_scripts(page)
        else:
            page.goto(path)
        if path in ("GAME", "MAP"):
            page.locator("map-view.is-settled").wait_for()
        return page

    yield open_page
    for context in contexts:
        context.close()


@pytest.mark.parametrize("name", PAGES)
def test_a_page_looks_as_in_its_picture(name, open_page, request, tmp_path):
    picture, stored = take_picture(open_page(name)), FOLDER / f"{name}.webp"
    if request.config.getoption("--renew-pictures"):
        stored.write_bytes(picture)
    difference = measure_difference(picture, stored.read_bytes())
    if difference > TOLERANCE:
        seen = tmp_path / stored.name
        seen.write_bytes(picture)
        pytest.fail(
            f"{name} differs in {difference:.2%} of the picture: compare {stored} and {seen}"
        )


@pytest.mark.parametrize(
    "fault",
    [
        "main button:last-of-type { visibility: hidden !important }",
        "body { filter: brightness(.8) }",
        "main { padding-top: 3rem !important }",
    ],
)
def test_a_fault_is_seen(fault, open_page):
    page = open_page("log-in")
    picture = take_picture(page)
    page.add_style_tag(content=fault)
    assert measure_difference(picture, take_picture(page)) > TOLERANCE
