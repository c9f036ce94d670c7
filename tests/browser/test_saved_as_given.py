"""Orders that the page saves by itself: the chip that takes one back, drafts, marks, receipts."""

import pytest
from playwright.sync_api import Page, expect
from tests.browser.test_offline import choose_first_order
from tests.browser.test_play import be_ready, expect_saved, slot, tap, values, wait_for_scripts

STATE = ".order-form__state"


@pytest.fixture
def order_page(page: Page, site, log_in) -> Page:
    """Open a game in which Quick plays England, and another person has not given orders."""
    log_in(page, "Quick", site.arrange("movement", "Quick", "Slow"))
    wait_for_scripts(page)
    return page


@pytest.mark.guard
def test_a_mistaken_tap_is_taken_back_by_the_chip(order_page: Page):
    page = order_page
    before = values(page)
    tap(page, "YOR")
    tap(page, "LVP")
    expect_saved(page)
    chip = page.locator(".undo-chip")
    expect(chip).to_contain_text("Move to Liverpool")
    chip.click()
    expect(chip).to_have_count(0)
    expect(page.locator(STATE)).to_have_attribute("data-state", "saved")
    assert values(page) == before
    page.reload()
    assert values(page) == before
    assert page.locator("select[data-saved]").count() == 0


@pytest.mark.guard
def test_orders_that_are_ready_change_only_after_a_question(order_page: Page):
    page = order_page
    be_ready(page)
    expect(page.get_by_role("button", name="I'm not ready")).to_be_visible()
    questions = []
    page.once("dialog", lambda dialog: questions.append(dialog.message) or dialog.dismiss())
    slot(page, "Army in Yorkshire").click()
    assert len(questions) == 1
    expect(slot(page, "Army in Yorkshire")).to_have_attribute("aria-expanded", "false")
    page.once("dialog", lambda dialog: dialog.accept())
    slot(page, "Army in Yorkshire").click()
    expect(page.get_by_role("button", name="Save and ready")).to_be_visible()


def test_a_draft_on_the_screen_is_named_and_saved(order_page: Page):
    page = order_page
    page.locator("#new-draft > summary").click()
    page.locator("#draft-name").fill("Plan B")
    page.get_by_role("button", name="Create draft").click()
    expect(page.locator(STATE)).to_contain_text("Plan B")
    order = choose_first_order(page)
    expect_saved(page)
    page.get_by_role("navigation", name="Drafts").get_by_role("link", name="Orders").click()
    expect(page.locator(STATE)).not_to_contain_text("Plan B")
    assert order not in values(page)


def test_a_page_that_saves_too_often_waits_and_says_so(order_page: Page, hold):
    page = order_page
    held = hold("POST", "*/orders/save/")
    held.answer(429, '{"error": "Saving continues shortly."}', "application/json")
    choose_first_order(page)
    expect(page.locator(STATE)).to_contain_text("Not saved yet. Saving continues shortly.")


STORE = """() => {
  const account = document.querySelector("meta[name=account]").content;
  window.kept = `unsent ${account} receipts ${location.pathname.split("/")[2]}`;
  localStorage.setItem(kept, JSON.stringify(Array.from({ length: 25 }, (_, n) => ({ n }))));
}"""


def test_the_browser_keeps_the_last_receipts_of_a_game(order_page: Page):
    page = order_page
    page.evaluate(STORE)
    order = choose_first_order(page)
    expect_saved(page)
    stored = page.evaluate("JSON.parse(localStorage.getItem(kept))")
    assert [row.get("n") for row in stored] == [*range(6, 25), None]
    assert order in stored[-1]["text"]
    page.goto(page.url + "receipts/")
    expect(page.locator("kept-receipts [data-number]")).to_have_text("20")
