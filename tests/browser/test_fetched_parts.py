"""Parts of the game page that are fetched when they are first shown."""

import pytest
from playwright.sync_api import expect


@pytest.mark.guard
def test_a_part_is_fetched_when_it_is_opened_and_again_after_a_turn(page, site, log_in, complaints):
    asked = []
    page.on("request", lambda request: asked.append(request.url.partition("/parts/")[2]))
    path = site.arrange("movement", "Alice", "Bob")
    log_in(page, "Alice", path)
    page.locator("[data-tab=powers]").wait_for()
    assert not any(asked)
    page.locator("[data-tab=powers]").click()
    expect(page.locator("#powers table")).to_contain_text("Alice")
    assert list(filter(None, asked)) == ["powers/"]
    page.locator("[data-tab=orders]").click()
    page.locator("#conditional-drawer > summary").click()
    expect(page.locator("#conditional-orders select").first).to_be_visible()
    # The server sends the table again: what was open is fetched again.
    page.evaluate("htmx.ajax('GET', location.pathname, {target: '#play', swap: 'outerHTML'})")
    expect(page.locator("#conditional-orders select").first).to_be_visible()
    assert list(filter(None, asked)).count("conditional-orders/") == 2
    assert complaints == []


def test_a_part_that_cannot_be_fetched_says_so_and_can_be_tried_again(page, site, log_in, hold):
    log_in(page, "Alice", site.arrange("movement", "Alice", "Bob"))
    held = hold("GET", "*/parts/powers/")
    page.locator("[data-tab=powers]").click()
    held.answer(502, "down")
    expect(page.locator("#powers")).to_contain_text("could not be loaded")
    held.end()
    page.locator("#powers").get_by_role("link", name="Try again").click()
    expect(page.locator("#powers table")).to_contain_text("Alice")


def test_without_scripts_each_part_is_a_page(browser, page, site, log_in):
    path = site.arrange("movement", "Alice", "Bob")
    log_in(page, "Alice", path)
    context = browser.new_context(base_url=site.url, java_script_enabled=False)
    context.add_cookies(page.context.cookies())
    plain = context.new_page()
    for drawer, link, heading, shown in (
        ("", "Players, units", "Powers", "Alice"),
        ("#votes-drawer", "Show the votes", "Votes", "End the game in a draw"),
        (
            *("#conditional-drawer", "Write conditional orders", "Conditional orders"),
            "is dislodged, it retreats to",
        ),
    ):
        plain.goto(path)
        if drawer:
            plain.locator(f"{drawer} > summary").click()
        plain.get_by_role("link", name=link).click()
        expect(plain.locator("main")).to_contain_text(shown)
        expect(plain.get_by_role("heading", level=2).first).to_have_text(heading)
        plain.locator(f"main p > a[href='{path}']").click()
        expect(plain).to_have_url(f"{site.url}{path}")
    context.close()
