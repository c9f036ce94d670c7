"""The clock of the game page: it shows the server's time, whatever the device's clock says."""

import datetime as dt
import re

import pytest
from playwright.sync_api import Page, expect
from tests.browser.test_play import be_ready, let_it_act, slot, verb, wait_for_scripts

DAY = dt.timedelta(days=1)
UTC = dt.UTC


def shift(page: Page, by: dt.timedelta) -> None:
    """Set the device's clock off by `by`, and stop it."""
    page.clock.install(time=dt.datetime.now(UTC) + by)


@pytest.mark.parametrize("wrong", [3 * DAY, -3 * DAY, dt.timedelta(0)], ids=str)
def test_a_wrong_clock_of_the_device_does_not_matter(page: Page, site, log_in, wrong):
    path = site.arrange("movement", f"Shifted{wrong.days + 3}", "Foe")
    shift(page, wrong)
    log_in(page, f"Shifted{wrong.days + 3}", path)
    # The scene opens with a day, of which some seconds have passed.
    expect(page.locator(".clock__time").first).to_have_text(re.compile(r"^\s*23h 5[89]m\s*$"))


def test_seconds_are_shown_in_the_last_hour(page: Page, site, log_in):
    path = site.arrange("movement", "Counter", "Foe", due=1800)
    shift(page, DAY)
    log_in(page, "Counter", path)
    expect(page.locator(".clock__time").first).to_have_text(re.compile(r"^\s*2\dm \d\ds\s*$"))


def test_at_zero_the_turn_is_judged_and_nothing_can_be_saved(page: Page, site, log_in):
    path = site.arrange("movement", "Latecomer", "Foe", due=600)
    shift(page, 3 * DAY)
    log_in(page, "Latecomer", path)
    expect(page).to_have_title(re.compile("^Your move · Spring 1902 · Testland"))
    assert "icon-move" in icon(page)
    slot(page, "Army in London").click()
    verb(page, "Hold").click()
    wait_for_scripts(page)
    with page.expect_request("**/state/"):
        page.clock.fast_forward(600_000)
        expect(page.locator("[data-face=due]")).to_be_visible()
    expect(page.locator("[data-face=due]")).to_contain_text("The turn is being judged.")
    expect(page.locator("#save-ready")).to_be_disabled()
    expect(page.locator(".order-form__over")).to_contain_text("not saved do not count")
    expect(slot(page, "Army in London")).to_contain_text("Hold")
    expect(page).to_have_title(re.compile("^Spring 1902"))
    assert "icon-move" not in icon(page)


def test_a_deadline_that_passed_before_the_clock_was_ready_counts(page: Page, site, log_in):
    log_in(page, "Slowpoke", site.arrange("movement", "Slowpoke"))
    wait_for_scripts(page)
    page.evaluate(
        """() => {
          const clock = document.querySelector("game-clock");
          const place = clock.parentElement;
          clock.remove();
          clock.querySelector("count-down").isOver = true;
          place.append(clock);
        }"""
    )
    expect(page.locator("#save-ready")).to_be_disabled()


def test_live_news_show_and_hide_that_the_site_s_clock_has_stopped(page: Page, site, log_in):
    log_in(page, "Waiter", site.arrange("movement", "Waiter"))
    wait_for_scripts(page)
    note, tell = page.locator("#stopped-clock"), "stopped => live.hear({ version: 0, stopped })"
    page.evaluate("globalThis.live = document.querySelector('live-game'), live.source.close()")
    expect(note).to_be_hidden()
    page.evaluate(tell, True)
    expect(note).to_be_visible()
    expect(page.locator("#announcer")).not_to_be_empty()
    page.evaluate(tell, None)
    expect(note).to_be_hidden()


def test_saved_orders_end_your_move(page: Page, site, log_in):
    log_in(page, "Mover", site.arrange("movement", "Mover", "Foe"))
    expect(page).to_have_title(re.compile("^Your move · "))
    slot(page, "Army in London").click()
    verb(page, "Hold").click()
    expect(page).to_have_title(re.compile("^Spring 1902 · Testland"))
    assert "icon-move" not in icon(page)


def test_a_turn_that_comes_live_is_your_move_again(page: Page, site, log_in, visit):
    path = site.arrange("movement", "Patient", "Quick")
    log_in(page, "Patient", path)
    be_ready(page)
    expect(page).to_have_title(re.compile("^Spring 1902 · Testland"))
    be_ready(visit("Quick", path))
    expect(page.locator(".season")).to_have_text("Fall 1902")
    # The old board leaves only now, with its clock.
    expect(page.locator("game-clock")).to_have_count(1)
    let_it_act(page)
    expect(page).to_have_title(re.compile("^Your move · Fall 1902"))


def test_the_reader_s_own_time_comes_first(browser, site, base_url, log_in):
    path = site.arrange("movement", "Farther", "Foe")
    context = browser.new_context(timezone_id="Asia/Kathmandu", base_url=base_url)
    page = context.new_page()
    log_in(page, "Farther", path)
    own = page.locator("own-time").first
    expect(own).to_have_text(re.compile(r"^\s*\w{3}, \w{3} \d+, \d\d:\d\d your time\s*$"))
    page.locator(".clock__summary").click()
    expect(page.locator(".clock__yours")).to_be_visible()
    assert page.locator(".clock__note").inner_text().strip().startswith("Your time: due")
    context.close()


def test_without_script_the_server_s_time_stands_there(browser, site, base_url, log_in):
    path = site.arrange("movement", "Plainly", "Foe")
    context = browser.new_context(java_script_enabled=False, base_url=base_url)
    page = context.new_page()
    log_in(page, "Plainly", path)
    expect(page.locator(".clock__time").first).to_have_text(re.compile(r"\d\d:\d\d UTC"))
    expect(page.locator(".clock__at").first).to_be_hidden()
    context.close()


def icon(page: Page) -> str:
    return page.locator('link[rel="icon"]').get_attribute("href")
