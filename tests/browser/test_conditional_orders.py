"""Conditional orders for retreats and builds, written in the form and carried out."""

import re

from playwright.sync_api import Page, expect
from tests.browser.test_play import be_ready, wait_for_scripts


def test_chosen_conditional_orders_are_saved_and_carried_out(page: Page, site, log_in, complaints):
    log_in(page, "Planner", site.arrange("fall", "Planner"))
    wait_for_scripts(page)
    page.locator("#conditional-orders > details > summary").click()
    page.get_by_label("Army in Norway, choice 1").select_option(label="Sweden")
    page.get_by_label("Army in Norway, choice 2").select_option(label="Disband it")
    page.get_by_text("Builds and disbands after Fall").click()
    page.get_by_label("One build, choice 1").select_option(label="Fleet in Edinburgh")
    text = page.get_by_label("As text, one condition per line")
    expect(text).to_have_value("if NWY is dislodged: SWE, disband\nif one gained: F EDI")
    page.get_by_role("button", name="Save conditional orders").click()
    saved_orders = page.locator(".conditional-orders__saved")
    expect(saved_orders).to_contain_text("if NWY is dislodged: SWE, disband")
    expect(saved_orders).to_contain_text("if 1 gained: F EDI")
    # Unsaved orders are still there, because only the panel was updated.
    be_ready(page)
    expect(page.locator(".season")).to_have_text("Spring 1903")
    page.goto(page.locator(".phase-list a[href*='/phases/']").last.get_attribute("href"))
    expect(page.locator(".result code", has_text="F EDI B")).to_be_visible()
    assert complaints == []


def test_the_panel_names_an_invalid_clause(page: Page, site, log_in):
    log_in(page, "Stumbler", site.arrange("fall", "Stumbler"))
    page.locator("#conditional-orders > details > summary").click()
    page.get_by_label("As text, one condition per line").fill("if NWY is dislodged: PAR")
    page.get_by_role("button", name="Save conditional orders").click()
    alert = page.locator("#conditional-orders [role=alert]")
    expect(alert).to_contain_text(re.compile("if NWY is dislodged: PAR.*cannot go to Paris"))
    expect(page.get_by_label("As text, one condition per line")).to_have_value(
        "if NWY is dislodged: PAR"
    )
