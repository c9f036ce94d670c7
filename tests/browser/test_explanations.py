"""Explanations open by a link, by a name in another explanation, and by a tap on the map."""

import re

import pytest
from playwright.sync_api import expect
from tests.browser.test_play import tap

ORDERS = "A LON - WAL\nA YOR - WAL\nF NTH S F ENG"


@pytest.fixture(scope="module")
def past(site, browser):
    """Return the URL of a phase in which two English armies bounced."""
    path = site.arrange("movement", "Reader")
    page = browser.new_page(base_url=site.url)
    page.goto(f"/accounts/login/?next={path}")
    page.get_by_label("Screen name").fill("Reader")
    page.get_by_label("Password").fill("a long enough word")
    page.locator("main").get_by_role("button", name="Log in").click()
    page.locator(".typed summary").click()
    page.get_by_label("Orders as text").fill(ORDERS)
    page.get_by_role("button", name="Save and ready").click()
    page.locator("#last-results .result").first.wait_for()
    page.close()
    return f"{path}phases/1/"


def line(page, order):
    return page.locator(".result", has=page.locator("code", has_text=re.compile(f"^{order}$")))


def test_an_explanation_opens_in_place_and_leads_to_another(page, past, complaints):
    page.goto(past)
    result = line(page, "A LON - WAL")
    result.get_by_role("link", name="Why?").click()
    expect(result.locator(".why__text")).to_contain_text(
        "The army in Yorkshire also tried to move to Wales"
    )
    expect(result.locator(".why > summary")).to_be_focused()
    assert page.url.endswith(past)
    expect(result.get_by_role("link", name="The army in Yorkshire")).to_be_hidden()
    result.get_by_text("In detail").click()
    result.get_by_role("link", name="The army in Yorkshire").click()
    other = line(page, "A YOR - WAL")
    expect(other.locator(".why__text")).to_contain_text(
        "The army in London also tried to move to Wales"
    )
    expect(result.locator(".why__text")).to_be_visible()
    expect(other.locator(".why > summary")).to_be_focused()
    page.keyboard.press("Enter")
    expect(other.locator(".why__text")).to_be_hidden()
    assert complaints == []


@pytest.mark.parametrize("size", [{"width": 1440, "height": 900}, {"width": 390, "height": 844}])
def test_a_tap_on_the_map_explains_the_order_there(page, past, size, complaints):
    page.set_viewport_size(size)
    page.goto(past)
    page.locator(".map__tools").wait_for()
    tap(page, "NTH")
    result = line(page, "F NTH S F ENG")
    expect(result.locator(".why__text")).to_contain_text(
        "No unit attacked the fleet in the North Sea"
    )
    expect(result.locator(".why > summary")).to_be_in_viewport()
    assert complaints == []


def test_without_scripts_it_is_a_page(browser, site, past):
    context = browser.new_context(base_url=site.url, java_script_enabled=False)
    page = context.new_page()
    page.goto(past)
    line(page, "A LON - WAL").get_by_role("link", name="Why?").click()
    result = line(page, "A LON - WAL")
    expect(result.locator(".why__text")).to_contain_text(
        "The army in Yorkshire also tried to move to Wales"
    )
    expect(result).to_be_in_viewport()
    context.close()
