"""A person makes a token, opens calls on the page of the API, and sends them."""

import json

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect
from tests.browser.conftest import PASSWORD

PHONE = {"width": 390, "height": 844}


def test_a_person_makes_a_token_and_sends_calls(page, site, log_in, complaints):
    game = site.arrange("movement", "Programmer", "Foe").rstrip("/").rpartition("/")[2]
    log_in(page, "Programmer", "/account/tokens/")
    page.get_by_label("Name").fill("my bot")
    page.get_by_label("Play: orders").check()
    page.get_by_role("button", name="Make").click()
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Continue").click()
    token = page.locator(".token-made code").inner_text()
    assert token.startswith("dc_")
    page.goto("/api/")
    page.get_by_label("Token for trying").fill(token)

    me = open_call(page, "getMe")
    assert json.loads(send(me, "200"))["screen_name"] == "Programmer"
    legal = open_call(page, "listLegalOrders")
    legal.get_by_label("game").fill(game)
    found = json.loads(send(legal, "200"))
    order = found["units"][0]["orders"][0]
    orders = open_call(page, "saveOrders")
    orders.get_by_label("game").fill(game)
    body = {"phase": found["sequence"], "orders": [order]}
    orders.get_by_label("Body").fill(json.dumps(body))
    assert order in json.loads(send(orders, "200"))["orders"]
    orders.get_by_label("Body").fill("{")
    assert "not-understood" in send(orders, "400")
    expect(orders.locator(".call__status--refused")).to_be_visible()
    page.get_by_label("Token for trying").fill("dc_wrong")
    assert "bad-token" in send(me, "401")
    assert complaints == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_an_open_call_fits_a_phone_and_is_accessible(page, scheme):
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size(PHONE)
    page.goto("/api/")
    send(open_call(page, "listGames"), "200")
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width <= PHONE["width"]
    results = Axe().run(page, context="#listGames")
    assert results.violations_count == 0, results.generate_report()


def open_call(page, name):
    """Return the part of a call, which is opened."""
    call = page.locator(f"#{name}")
    call.locator("summary").click()
    return call


def send(call, status):
    """Return the answer to a call, which has this status."""
    call.get_by_role("button", name="Send").click()
    expect(call.locator(".call__status")).to_contain_text(status)
    return call.locator("pre").inner_text()
