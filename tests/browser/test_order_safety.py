"""No order is lost silently: half-made choices, forgotten builds, two tabs and drafts."""

import re

import pytest
from playwright.sync_api import Page, expect
from tests.browser.test_play import (
    ANYWAY,
    chip,
    expect_saved,
    let_it_act,
    slot,
    tap,
    values,
    verb,
    wait_for_scripts,
)


def start_build(page: Page) -> None:
    """Choose a build in London without choosing army or fleet."""
    slot(page, "Build 1").click()
    verb(page, "Build").click()
    chip(page, "London").click()


def expect_nothing_sent(page: Page, button: str) -> None:
    sent = []
    page.on("request", lambda request: sent.append(request.url))
    page.get_by_role("button", name=button, exact=True).click()
    let_it_act(page)
    assert not [url for url in sent if url.endswith("/orders/")]


@pytest.mark.guard
def test_nothing_is_sent_while_an_order_is_not_finished(page: Page, site, log_in, complaints):
    log_in(page, "Halfway", site.arrange("builds", "Halfway"))
    start_build(page)
    expect_nothing_sent(page, "Save and ready")
    alert = page.locator(".slot__panel [role=alert]")
    expect(alert).to_contain_text("Nothing was sent, because this order is not finished.")
    expect(alert).to_be_in_viewport()
    expect(page.locator(".slot__panel .chip").first).to_be_focused()
    page.locator(".slot__panel .chip", has_text="fleet in London").click()
    expect_saved(page)
    assert values(page)[0] == "F LON B"
    assert complaints == []


def test_an_order_that_is_not_finished_stays_while_another_is_chosen(page: Page, site, log_in):
    log_in(page, "Jumper", site.arrange("builds", "Jumper"))
    start_build(page)
    slot(page, "Build 2").click()
    expect(slot(page, "Build 1")).to_contain_text("Build, London…")
    verb(page, "No build").click()
    assert values(page) == ["", "WAIVE"]
    expect_nothing_sent(page, "Save and ready")
    expect(slot(page, "Build 1")).to_have_attribute("aria-expanded", "true")
    expect(page.locator(".slot__panel [role=alert]")).to_contain_text("not finished")
    page.locator(".slot__panel .chip", has_text="army in London").click()
    assert values(page) == ["A LON B", "WAIVE"]
    page.get_by_role("button", name="Save and ready").click()
    expect(page.locator(".result--good", has_text="A LON B")).to_be_visible()


def test_an_order_that_is_not_finished_can_be_canceled(page: Page, site, log_in):
    log_in(page, "Canceler", site.arrange("movement", "Canceler"))
    slot(page, "Army in Yorkshire").click()
    verb(page, "Move").click()
    chip(page, "Liverpool").click()
    slot(page, "Army in Yorkshire").click()
    verb(page, "Support").click()
    page.get_by_role("button", name="Cancel and keep “Move to Liverpool”").click()
    expect(slot(page, "Army in Yorkshire")).to_contain_text("Move to Liverpool")
    slot(page, "Army in Yorkshire").click()
    page.keyboard.press("s")
    for _ in range(3):
        page.keyboard.press("Escape")
    expect_saved(page)
    assert "A YOR - LVP" in values(page)


def test_a_panel_in_which_nothing_was_chosen_does_not_matter(page: Page, site, log_in):
    log_in(page, "Looker", site.arrange("movement", "Looker"))
    slot(page, "Army in Yorkshire").click()
    page.get_by_role("button", name="Save and ready").click()
    expect(page.get_by_role("button", name=ANYWAY)).to_be_visible()


@pytest.mark.guard
def test_ready_without_orders_or_with_builds_left_asks(page: Page, site, log_in):
    log_in(page, "Hasty", site.arrange("builds", "Hasty"))
    slot(page, "Build 1").click()
    page.keyboard.press("b")
    chip(page, "Liverpool").click()
    page.locator(".slot__panel .chip", has_text="army in Liverpool").click()
    page.get_by_role("button", name="Save and ready").click()
    status = page.locator("#order-form-status")
    expect(status).to_contain_text("You can build one more unit.")
    expect(status).to_be_in_viewport()
    assert values(page) == ["A LVP B", ""]
    status.get_by_role("button", name=ANYWAY).click()
    expect(page.locator(".result--good", has_text="A LVP B")).to_be_visible()


@pytest.mark.guard
def test_a_second_tab_overwrites_nothing_without_asking(page: Page, site, log_in):
    path = site.arrange("movement", "Tabby", "Rival")
    log_in(page, "Tabby", path)
    other = page.context.new_page()
    other.goto(path)
    order_move(other, "Fleet in North Sea", "Norway")
    expect_saved(other)
    order_move(page, "Army in Yorkshire", "Liverpool")
    conflict = page.locator(".conflict")
    expect(conflict.get_by_role("alert")).to_be_visible()
    expect(conflict).to_be_focused()
    rows = conflict.locator("tr.is-different")
    expect(rows).to_have_count(2)
    expect(rows.filter(has_text="Fleet")).to_contain_text(re.compile("Hold.*Norway", re.DOTALL))
    page.get_by_role("button", name="Save this page’s orders").click()
    expect(page.locator("#order-form-status")).to_contain_text("A YOR - LVP")
    expect(page.locator("#order-form-status")).to_contain_text("F NTH H")

    slot(other, "Army in Yorkshire").click()
    verb(other, "Hold").click()
    expect(other.get_by_role("button", name="Save this page’s orders")).to_be_visible()
    other.locator(".conflict").get_by_role("link").click()
    expect(slot(other, "Army in Yorkshire")).to_contain_text("Move to Liverpool")


def order_move(page: Page, unit: str, place: str) -> None:
    slot(page, unit).click()
    verb(page, "Move").click()
    chip(page, place).click()


@pytest.mark.guard
def test_forms_open_again_if_the_deadline_moves(page: Page, site, log_in):
    log_in(page, "Late", site.arrange("movement", "Late"))
    button = page.locator("#save-ready")
    names = ["live-game", "game-clock"]
    page.evaluate(
        "names => Promise.all(names.map(n => customElements.whenDefined(n))).then(() => 1)", names
    )
    page.evaluate("document.querySelector('game-clock').advance()")
    expect(button).to_be_disabled()
    page.evaluate("document.querySelector('live-game').renewClock('later')")
    expect(button).to_be_enabled()
    expect(page.locator(".order-form__over")).to_have_count(0)


def test_unsaved_conditional_orders_survive_saving_orders(page: Page, site, log_in):
    log_in(page, "Careful", site.arrange("fall", "Careful"))
    wait_for_scripts(page)
    page.locator("#conditional-orders > details > summary").click()
    text = page.locator("#conditional-orders-text")
    text.fill("if NWY is dislodged: SWE")
    page.get_by_role("button", name="Save and ready").click()
    page.get_by_role("button", name=ANYWAY).wait_for()
    expect(text).to_be_visible()
    expect(text).to_have_value("if NWY is dislodged: SWE")


@pytest.mark.guard
def test_a_form_says_that_the_site_does_not_answer(page: Page, site, log_in, hold):
    log_in(page, "Cut", site.arrange("fall", "Cut"))
    page.locator("#conditional-orders > details > summary").click()
    text = page.locator("#conditional-orders-text")
    text.fill("if NWY is dislodged: SWE")
    hold("POST", "*/conditional-orders/").answer(502, "down")
    page.locator("#conditional-orders .row button:not([name])").click()
    expect(page.locator("#notices")).to_contain_text("The site does not answer")
    expect(text).to_have_value("if NWY is dislodged: SWE")


def test_the_warning_about_the_draft_appears_when_the_deadline_is_near(page: Page, site, log_in):
    path = site.arrange("movement", "Drafter", "Foe")
    page.clock.install()
    log_in(page, "Drafter", path)
    warning = page.locator("[data-show-at]")
    expect(warning).to_be_hidden()
    page.clock.run_for(20 * 3_600_000)
    expect(warning).to_be_visible()


def test_a_tap_continues_the_order_that_is_not_finished(page: Page, site, log_in):
    log_in(page, "Tapper2", site.arrange("builds", "Tapper2"))
    tap(page, "LON")
    expect(slot(page, "Build 1")).to_contain_text("Build, London…")
    page.locator(".slot__panel .chip", has_text="army in London").click()
    assert values(page) == ["A LON B", ""]
