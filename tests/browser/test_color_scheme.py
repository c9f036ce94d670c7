"""A choice of light or dark colors: at once, from the first frame of later pages, and offline."""

import pytest
from playwright.sync_api import expect

PAPER = "getComputedStyle(document.documentElement).colorScheme"
PICTURE = "document.querySelector('.map__base img').currentSrc"
REQUESTS = """
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) (window.seen ??= []).push(entry.name);
  }).observe({ type: "resource", buffered: true });
"""

STORED = """async () => {
  while (!await caches.match(location.pathname)) await new Promise((done) => setTimeout(done, 50));
}"""
NOTED = """async () => {
  while (await offlineStore.readScheme() !== "dark") await new Promise((go) => setTimeout(go, 50));
}"""


@pytest.mark.parametrize(("ambient", "chosen"), [("light", "dark"), ("dark", "light")])
def test_a_choice_shows_at_once_and_from_the_first_byte_of_the_next_page(
    site, page, log_in, ambient, chosen
):
    path = site.arrange("movement", "Dusk", "Dawn")
    page.emulate_media(color_scheme=ambient)
    log_in(page, "Dusk", path)
    assert f"/{ambient}.svg" in page.evaluate(PICTURE)
    page.locator(".menu > summary").click()
    with page.expect_response("**/color-scheme/"):
        page.get_by_role("button", name=chosen.title(), exact=True).click()
    expect(page.locator(f'.scheme [value="{chosen}"]')).to_have_attribute("aria-pressed", "true")
    assert page.evaluate(PAPER) == chosen
    expect(page.locator(".map__base img")).to_have_js_property("complete", True)
    assert f"/{chosen}.svg" in page.evaluate(PICTURE)
    page.add_init_script(REQUESTS)
    page.reload()
    page.locator(".map__base img").wait_for()
    assert page.evaluate(PAPER) == chosen
    # The picture in the other colors is not even requested.
    requested = page.evaluate("window.seen.filter((address) => address.includes('/maps/'))")
    assert not [address for address in requested if f"/{ambient}.svg" in address]


def test_pages_of_the_browser_follow_the_choice_without_a_connection(site, page, context, log_in):
    path = site.arrange("movement", "Noon", "Night")
    page.emulate_media(color_scheme="light")
    log_in(page, "Noon", path)
    page.evaluate(STORED)
    page.goto("/")
    page.locator(".userbar__name").click()
    with page.expect_response("**/color-scheme/"):
        page.get_by_role("button", name="Dark", exact=True).click()
    page.goto("/learn/")
    page.evaluate(NOTED)
    context.set_offline(True)
    page.goto(path)
    expect(page.locator("html[data-stored-at]")).to_have_count(1)
    assert page.evaluate(PAPER) == "dark"
    expect(page.locator(".map__base img")).to_have_js_property("complete", True)
    assert page.evaluate("document.querySelector('.map__base img').naturalWidth") > 0
    page.goto("/maps/")
    expect(page.get_by_role("heading", name="No connection")).to_be_visible()
    assert page.evaluate(PAPER) == "dark"


def test_a_visitor_chooses_without_scripts(site, browser):
    context = browser.new_context(base_url=site.url, java_script_enabled=False)
    page = context.new_page()
    page.goto("/learn/")
    page.get_by_role("button", name="Dark", exact=True).click()
    page.wait_for_url("**/learn/")
    expect(page.locator('html[data-color-scheme="dark"]')).to_have_count(1)
    context.close()
