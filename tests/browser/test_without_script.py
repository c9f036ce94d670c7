"""Everything works with plain forms and links, without scripts."""

import pytest
from playwright.sync_api import expect
from tests.browser.test_pages import PRIVATE, PUBLIC, SIZES
from tests.browser.test_play import be_ready

OWN = ["/accounts/email/", "/accounts/password/change/", "/maps/import/", "/people/Slim/"]
YEARS_LATER = """() => {
    for (const row of document.querySelectorAll(".table-scroll tr"))
        for (let year = 0; year < 8; year++) row.append(row.lastElementChild.cloneNode(true));
}"""
BROKEN_WORDS = """() => {
    const broken = [];
    for (const table of document.querySelectorAll(".table-scroll table")) {
        const texts = document.createTreeWalker(table, NodeFilter.SHOW_TEXT);
        for (let text = texts.nextNode(); text; text = texts.nextNode()) {
            for (const { 0: word, index } of text.data.matchAll(/[\\p{L}\\p{N}]+/gu)) {
                const range = new Range();
                range.setStart(text, index);
                range.setEnd(text, index + word.length);
                const tops = [...range.getClientRects()].map(box => Math.round(box.top));
                if (new Set(tops).size > 1) broken.push(word);
            }
        }
    }
    return broken;
}"""


@pytest.fixture
def plain(browser, site):
    """Return a page in a browser that runs no scripts."""
    context = browser.new_context(base_url=site.url, java_script_enabled=False)
    yield context.new_page()
    context.close()


def test_a_whole_turn(plain):
    plain.goto("/games/quick/?map=standard")
    orders = plain.locator("select[name=order]")
    assert orders.count() >= 3
    move = orders.first.locator("[data-kind=move] option").first.get_attribute("value")
    orders.first.select_option(move)
    plain.get_by_role("button", name="Save orders").click()
    expect(plain.locator("#notices")).to_contain_text("Orders saved")
    expect(orders.first).to_have_value(move)
    plain.get_by_role("button", name="Save and ready").click()
    expect(plain.locator(".season")).not_to_have_text("Spring 1901")
    plain.get_by_role("link", name="History").click()
    plain.locator("a[rel=first], .phase-bar__off").first.wait_for()
    expect(plain.locator(".result").first).to_be_visible()


@pytest.fixture
def slim(browser, site):
    """Return a page on a phone that runs no scripts."""
    context = browser.new_context(
        base_url=site.url, java_script_enabled=False, viewport=SIZES["phone"]
    )
    yield context.new_page()
    context.close()


def test_no_page_is_wider_than_a_phone_and_no_table_breaks_words(slim, site, log_in):
    game = site.arrange("opening", "Slim")
    log_in(slim, "Slim", game)
    be_ready(slim)
    slim.get_by_role("link", name="History").wait_for()
    chart = slim.locator("#game a[href^='/maps/']").first.get_attribute("href")
    wrong = []
    for path in [*PRIVATE, *OWN, *PUBLIC]:
        if path == PUBLIC[0]:
            slim.context.clear_cookies()
        slim.goto(path.replace("GAME", game).replace("MAP", chart))
        if slim.evaluate("document.documentElement.scrollWidth > innerWidth"):
            wrong.append(f"{slim.url} is too wide")
        slim.evaluate(YEARS_LATER)
        wrong += [f"{slim.url} breaks {word}" for word in slim.evaluate(BROKEN_WORDS)]
    assert not wrong, "\n".join(wrong)


def test_a_rejected_order_is_shown_with_the_reason(plain, site, log_in):
    log_in(plain, "Plainer", site.arrange("movement", "Plainer"))
    plain.locator(".typed summary").click()
    plain.get_by_label("Orders as text").fill("A PAR - BUR")
    plain.get_by_role("button", name="Save orders").click()
    expect(plain.locator("#order-form-status [role=alert]")).to_contain_text("A PAR - BUR")


def test_a_game_is_created_from_the_gallery(plain, site, log_in):
    site.arrange("opening", "Founder")
    log_in(plain, "Founder", "/maps/?for=game")
    plain.locator(".card__title a").last.click()
    plain.get_by_label("Name", exact=True).fill("Founded")
    plain.get_by_role("button", name="Create game").click()
    expect(plain.get_by_role("heading", name="Founded")).to_be_visible()
    plain.get_by_role("button", name="Start now with").click()
    expect(plain.locator(".season")).to_have_text("Spring 1901")
    plain.get_by_role("link", name="units and centers").click()
    plain.locator(".seats summary").click()
    plain.get_by_label("Country name").fill("Utopia")
    plain.get_by_role("button", name="Rename").click()
    expect(plain.locator(".power--you")).to_contain_text("Utopia")


def test_a_visitor_draws_a_world_and_plays_on_it(plain):
    plain.goto("/maps/new/")
    plain.get_by_label("Players").fill("3")
    plain.get_by_label("Pangaea").check()
    plain.get_by_role("button", name="Draw", exact=True).click()
    expect(plain.locator(".drawn .facts")).to_contain_text("Pangaea")
    title = plain.locator(".drawn h2").inner_text()
    plain.get_by_role("button", name="Draw another").click()
    expect(plain.locator(".drawn h2")).not_to_have_text(title)
    plain.get_by_role("button", name="Play this map").click()
    assert plain.locator("select[name=order]").count() >= 2
    plain.get_by_role("button", name="Save and ready").click()
    expect(plain.locator(".season").first).to_be_visible()
