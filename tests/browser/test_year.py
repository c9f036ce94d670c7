"""A whole year without a mouse: by the keyboard, and by what a screen reader finds."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect
from tests.browser.test_play import ANYWAY, be_ready

TURN = 120_000
"""Milliseconds that a turn may take to appear, even while other tests keep the disk busy."""

MOST_TABS = 45
"""How often Tab may be pressed from the top of the page to the last control of the orders."""


def press(control: Locator) -> None:
    """Press Tab until the control has focus, and then Enter."""
    page = control.page
    for _ in range(MOST_TABS):
        if control.evaluate("element => element === document.activeElement"):
            page.keyboard.press("Enter")
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"{control} is not within {MOST_TABS} presses of Tab")


def activate(control: Locator) -> None:
    """Activate a control of the accessibility tree, without looking for it on the screen."""
    control.evaluate("element => element.click()")


@pytest.fixture(params=[press, activate], ids=["keyboard", "screen reader"])
def act(request):
    """Return the way in which this person uses a control."""
    return request.param


@pytest.fixture
def table(page: Page, browser, site, log_in):
    """Return the pages of a person who has England and of another, whose orders are saved."""
    path = site.arrange("skirmish", "Tabitha", "Foe")
    other = browser.new_context(base_url=site.url).new_page()
    log_in(page, "Tabitha", path)
    log_in(other, "Foe", path)
    yield page, other
    other.context.close()


def test_a_year_from_spring_to_builds(table, act, complaints):
    page, other = table

    def button(name: str) -> Locator:
        return page.get_by_role("button", name=name, exact=True)

    def unit(name: str) -> Locator:
        return page.get_by_role("button", name=re.compile(f"^{name}"))

    def order(name: str, *answers: str) -> None:
        act(unit(name))
        for answer in answers:
            act(button(answer))
        expect(unit(name)).to_be_focused()
        expect(page.locator("#announcer")).to_contain_text(f"{name}: ")
        expect(page.get_by_role("status").filter(has_text="Saved at")).to_be_visible()

    def wait_for(phase: str, first: str) -> None:
        main = page.get_by_role("main")
        for part in phase.split(", "):
            expect(main.get_by_text(part).first).to_be_visible(timeout=TURN)
        expect(unit(first)).to_be_focused()

    order("Fleet in North Sea", "Convoy", "English army in Yorkshire", "Norway")
    order("Army in Yorkshire", "Move", "Norway")
    order("Fleet in English Channel", "Move", "Mid-Atlantic Ocean")
    act(button("Save and ready"))
    expect(page.get_by_role("status").filter(has_text="you are ready")).to_be_visible()
    other.get_by_role("button", name="Save and ready").click()

    wait_for("Spring 1902, Retreats", "Army in Belgium")
    results = page.get_by_role("listitem").filter(has_text="F ENG - MAO")
    expect(results).to_contain_text("bounced")
    order("Army in Belgium", "Retreat", "Holland")
    act(button("Save and ready"))

    wait_for("Fall 1902, Movement", "Army in Holland")
    act(button("Save and ready"))
    act(button(ANYWAY))
    be_ready(other)

    wait_for("Winter 1902", "Build 1")
    act(unit("Build 1"))
    act(button("Build"))
    act(button("London"))
    act(page.get_by_role("button", name=re.compile("fleet in London")))
    act(button("Save and ready"))

    wait_for("Spring 1903, Movement", "Army in Holland")
    expect(unit("Fleet in London")).to_be_visible()
    assert complaints == []
