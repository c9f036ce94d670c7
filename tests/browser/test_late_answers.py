"""Answers of the site that arrive late, or in another order than they were asked for."""

import json

import pytest
from playwright.sync_api import Page, expect
from tests.browser.test_offline import choose_first_order
from tests.browser.test_play import be_ready, expect_saved, slot, verb


def settle(page: Page) -> None:
    """Let the page send what it is about to send, and handle what has arrived."""
    page.evaluate("fetch('/health/live').then((answer) => answer.text())")
    page.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")


@pytest.fixture
def order_page(page: Page, site, log_in) -> Page:
    """Open a game in which Quick plays England, and another person has not given orders."""
    log_in(page, "Quick", site.arrange("movement", "Quick", "Slow"))
    page.wait_for_function("() => customElements.get('order-form')")
    return page


SAVES = "*/orders/save/"


@pytest.mark.guard
def test_orders_given_before_the_answer_follow_it(order_page: Page, hold):
    held = hold("POST", SAVES)
    choose_first_order(order_page)
    [first] = held.take()
    order = choose_first_order(order_page, 1)
    order_page.evaluate("void document.querySelector('order-form').saver.send()")
    settle(order_page)
    assert held.count() == 0
    expect(order_page.locator(".order-form__state")).not_to_contain_text("Saved")
    first.release()
    held.release()
    expect_saved(order_page)
    held.end()
    order_page.reload()
    expect(order_page.locator("select[name=order]").first).to_have_value(order)


@pytest.mark.guard
def test_ready_can_be_pressed_while_orders_are_saved(order_page: Page, hold):
    held = hold("POST", SAVES)
    choose_first_order(order_page)
    [first] = held.take()
    order_page.get_by_role("button", name="Save and ready").click()
    first.release()
    expect(order_page.get_by_role("button", name="I'm not ready")).to_be_visible()


def test_no_order_is_chosen_while_the_form_is_about_to_be_replaced(order_page: Page, hold):
    be_ready(order_page)
    held = hold("POST", "*/ready/")
    order_page.get_by_role("button", name="I'm not ready").click()
    [withdrawal] = held.take()
    form = order_page.locator("order-form")
    expect(form).to_have_attribute("inert", "")
    withdrawal.release()
    expect(order_page.get_by_role("button", name="Save and ready")).to_be_visible()
    expect(form).not_to_have_attribute("inert", "")


def test_the_newest_drawing_of_orders_stays(order_page: Page, hold):
    address = order_page.locator("order-form").get_attribute("data-sketch")
    held = hold("POST", address)
    first = choose_first_order(order_page)
    [older] = held.take()
    second = choose_first_order(order_page, 1)
    held.release()
    expect(order_page.locator(f'svg [data-order="{second}"]')).to_have_count(1)
    with order_page.expect_event("requestfinished", lambda sent: sent.url.endswith(address)):
        older.release()
    settle(order_page)
    expect(order_page.locator(f'svg [data-order="{first}"]')).to_have_count(0)


def test_an_explanation_that_comes_late_does_not_disturb(page: Page, site, log_in, hold):
    log_in(page, "Fencer", site.arrange("battle", "Fencer", "Foe"))
    expect(page.locator("map-view.has-results")).to_be_visible()
    held = hold("GET", "*/animation/*")
    page.locator("g.orders .order.move[data-outcome]").first.dispatch_event("click")
    [answer] = held.take()
    slot(page, "Army in Belgium").click()
    with page.expect_event("requestfinished", lambda sent: "/animation/" in sent.url):
        answer.release()
    settle(page)
    expect(page.locator(".turn-why")).to_have_count(0)
    expect(verb(page, "Retreat")).to_be_visible()


@pytest.mark.guard
def test_an_older_state_of_the_game_changes_nothing(order_page: Page, hold):
    address = order_page.locator("live-game").get_attribute("data-state")
    state = order_page.request.get(address).json()
    held = hold("GET", address)
    # With a cache, the browser sends the second only 20 seconds after the first.
    cache = order_page.context.new_cdp_session(order_page)
    cache.send("Network.enable")
    cache.send("Network.setCacheDisabled", {"cacheDisabled": True})
    for _ in range(2):
        order_page.evaluate("void document.querySelector('live-game').ask()")
    older, newer = held.take(2)
    readiness = [seat | {"ready": True} for seat in state["seats"]]
    newer.answer(200, json.dumps(state | {"seats": readiness}), "application/json")
    mark = order_page.locator(".power[data-seat=ENGLAND] .power__ready")
    expect(mark).to_be_visible()
    with order_page.expect_event("requestfinished", lambda sent: sent.url.endswith(address)):
        older.answer(200, json.dumps(state | {"version": state["version"] - 1}), "application/json")
    settle(order_page)
    expect(mark).to_be_visible()


def test_conditions_typed_while_others_are_saved_stay(page: Page, site, log_in, hold):
    log_in(page, "Planner", site.arrange("fall", "Planner"))
    page.wait_for_function("() => customElements.get('conditional-orders')")
    page.locator("#conditional-orders > details > summary").click()
    text = page.locator("#conditional-orders-text")
    text.fill("if NWY is dislodged: SWE")
    held = hold("POST", "*/conditional-orders/")
    page.locator("#conditional-orders .row button:not([name])").click()
    [answer] = held.take()
    text.fill("if NWY is dislodged: BAR")
    old = text.element_handle()
    answer.release()
    page.wait_for_function("(old) => !old.isConnected", arg=old)
    expect(text).to_have_value("if NWY is dislodged: BAR")
