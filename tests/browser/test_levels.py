"""A visitor chooses opponents of several levels, and plays a turn that they think about."""

import os
import re
import signal

import pytest
from judge.tests.effort import PATIENCE
from playwright.sync_api import Page, expect
from tests.browser.test_play import be_ready, open_tab, verb


@pytest.fixture
def worker(site):
    """The worker of the site, in which the bots think."""
    process = site.start("-m", "diplomaccloud", "manage", "worker", "--pause", "0.3")
    yield process
    os.killpg(process.pid, signal.SIGKILL)
    process.wait(PATIENCE)


@pytest.mark.long
@pytest.mark.usefixtures("worker")
def test_a_visitor_chooses_levels_and_plays_a_turn(page: Page, site, complaints):
    page.goto("/")
    page.get_by_role("link", name="choose your opponents").click()
    expect(page.get_by_role("checkbox", name="Recruit")).to_be_checked()
    page.get_by_role("checkbox", name="Colonel").check()
    page.get_by_role("button", name="Start game").click()
    expect(page.locator(".season")).to_have_text("Spring 1901")
    page.locator(".slot__button").first.click()
    verb(page, "Hold").click()
    page.get_by_role("button", name="Save orders").click()
    expect(page).to_have_url(re.compile(r"/games/[a-z2-9]{10}/"))
    page.locator(".hint").get_by_role("button").click()
    expect(page.locator(".hint").get_by_role("listitem").first).to_be_visible()
    be_ready(page)
    expect(page.locator(".season")).not_to_have_text("Spring 1901")
    open_tab(page, "Powers")
    expect(page.locator("#powers")).to_contain_text("Colonel")
    assert complaints == []
