"""The sandbox by hand: pieces and orders by tapping the map, undo, results, and without scripts."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect
from tests.browser.test_play import let_it_act, wait_until

PHONE = {"width": 390, "height": 844}


@pytest.fixture(scope="session")
def sandbox(site):
    """The address of the sandbox of the standard map."""
    site.run(
        "-c",
        "import django; django.setup();"
        "from django.utils import timezone;"
        "from diplomaccloud.maps.library import store_standard;"
        "store_standard(now=timezone.now())",
    )
    key = site.run(
        "-c",
        "import django; django.setup();"
        "from diplomaccloud.maps.library import standard_hash; print(standard_hash())",
    ).split()[-1]
    return f"/maps/{key}/sandbox/"


def tap(page, code: str) -> None:
    """Click on a province as a person does: on its unit, or on its name."""
    place = page.evaluate(
        """code => {
            const unit = document.querySelector(`.unit[data-province="${code}"]`);
            const box = (unit ?? document.querySelector(`#p-${code}`)).getBoundingClientRect();
            return [box.x + box.width / 2, box.y + box.height / 2];
        }""",
        code,
    )
    page.mouse.click(*place)


def order_of(page, line: str):
    """Return the place that shows the order of a line."""
    return page.locator(f"a[data-line='{line}'] .slot__order")


def given(page) -> list[str]:
    """Return the orders that the panel shows."""
    texts = page.locator(".slot__order").all_inner_texts()
    return [text for text in texts if text != "No order"]


def test_a_turn_is_planned_on_the_map(page, sandbox, complaints):
    page.goto(sandbox)
    tap(page, "PAR")
    expect(page.locator(".slot__button[aria-expanded=true]")).to_contain_text("Army in Paris")
    tap(page, "BUR")
    expect(order_of(page, "FRANCE A PAR")).to_have_text("Move to Burgundy")
    expect(page.locator("[data-line='FRANCE A PAR']")).to_be_focused()
    expect(page.locator("g.orders path").first).to_be_attached()
    tap(page, "MAR")
    page.get_by_role("button", name="Support", exact=True).click()
    page.get_by_role("button", name="French army in Paris").click()
    page.get_by_role("button", name="Burgundy").click()
    expect(order_of(page, "FRANCE A MAR")).to_have_text("Support the army in Paris to Burgundy")
    page.keyboard.press("Control+z")
    expect(order_of(page, "FRANCE A MAR")).to_have_text("No order")
    page.get_by_role("link", name="Redo").click()
    expect(order_of(page, "FRANCE A MAR")).to_have_text("Support the army in Paris to Burgundy")
    page.get_by_role("button", name="Adjudicate").click()
    expect(page.get_by_role("heading", name="Results of Spring 1901, Movement")).to_be_visible()
    page.get_by_role("link", name="Why?").first.click()
    expect(page.locator("details.why")).to_be_visible()
    expect(page.get_by_role("heading", name="Results of Spring 1901, Movement")).to_be_visible()
    page.get_by_role("link", name="Continue to Fall 1901, Movement").click()
    expect(order_of(page, "FRANCE A BUR")).to_be_visible()
    page.go_back()
    expect(page.get_by_role("heading", name="Results of Spring 1901, Movement")).to_be_visible()
    assert complaints == []


def test_pieces_are_put_down_by_tapping(page, sandbox, complaints):
    page.goto(f"{sandbox}?view=setup")
    page.locator("label", has_text="Fleet").first.click()
    page.locator(".palette__powers label", has_text="England").click()
    tap(page, "NTH")
    expect(page.locator(".unit[data-unit='F NTH']")).to_have_count(1)
    expect(page.locator("input[value=fleet]")).to_be_checked()
    tap(page, "SPA")
    expect(page.locator(".unit[data-unit='F SPA/NC']")).to_have_count(1)
    tap(page, "SPA")
    expect(page.locator(".unit[data-unit='F SPA/SC']")).to_have_count(1)
    tap(page, "SPA")
    expect(page.locator(".unit[data-province=SPA]")).to_have_count(0)
    tap(page, "MUN")
    expect(page.get_by_role("alert")).to_contain_text("Munich is inland")
    expect(page.locator(".unit[data-unit='F NTH']")).to_have_count(1)
    assert complaints == []


def test_early_taps_wait_for_the_order_on_its_way(page, sandbox, complaints):
    held, others = [], []

    def hold(route):
        if route.request.method == "POST":
            held.append(route)
        else:
            others.append(route.request.url)
            route.continue_()

    page.route(f"**{sandbox}**", hold)
    page.goto(sandbox)
    tap(page, "PAR")
    expect(page.locator("[data-open]")).to_contain_text("Army in Paris")
    with page.expect_request(lambda request: request.method == "POST"):
        tap(page, "BUR")
    others.clear()
    tap(page, "MAR")
    page.locator("a[data-line='ENGLAND F LON']").click()
    let_it_act(page)
    assert others == []
    wait_until(page, lambda: held)
    held.pop().continue_()
    expect(order_of(page, "FRANCE A PAR")).to_have_text("Move to Burgundy")
    expect(page.locator("[data-open]")).to_contain_text("Army in Marseilles")
    with page.expect_request(lambda request: request.method == "POST"):
        tap(page, "SPA")
    page.get_by_role("button", name="Move", exact=True).click()
    page.get_by_role("button", name="Piedmont").click()
    while len(held) < 2:
        page.wait_for_timeout(50)
    held.pop().continue_()
    expect(order_of(page, "FRANCE A MAR")).to_have_text("Move to Piedmont")
    expect(order_of(page, "FRANCE A PAR")).to_have_text("Move to Burgundy")
    assert complaints == []


def test_a_request_that_fails_takes_early_taps_with_it(page, sandbox):
    held = []

    def hold(route):
        held.append(route)

    page.goto(sandbox)
    page.route(f"**{sandbox}?*", hold)
    with page.expect_request(lambda request: "line=FRANCE" in request.url):
        tap(page, "PAR")
    tap(page, "BUR")
    wait_until(page, lambda: held)
    with page.expect_event("requestfailed"):
        held.pop().abort()
    expect(page.locator("#notices").get_by_role("alert")).to_be_visible()
    page.unroute_all()
    tap(page, "MAR")
    expect(page.locator("[data-open]")).to_contain_text("Army in Marseilles")
    let_it_act(page)
    expect(page.locator("[data-open]")).to_be_visible()
    expect(order_of(page, "FRANCE A PAR")).to_have_text("No order")


def test_an_address_shows_the_same_board_to_somebody_else(page, browser, site, sandbox):
    page.goto(sandbox)
    tap(page, "PAR")
    tap(page, "BUR")
    expect(order_of(page, "FRANCE A PAR")).to_have_text("Move to Burgundy")
    page.get_by_role("link", name="Share").click()
    address = page.get_by_label("Address").input_value()
    context = browser.new_context()
    friend = context.new_page()
    friend.goto(address)
    assert given(friend) == ["Move to Burgundy"]
    context.close()


def test_everything_works_without_scripts(browser, site, sandbox):
    context = browser.new_context(base_url=site.url, java_script_enabled=False, viewport=PHONE)
    page = context.new_page()
    page.goto(sandbox)
    page.get_by_role("link", name=re.compile("Army in Paris")).click()
    page.get_by_label("Army in Paris", exact=True).select_option("A PAR - BUR")
    page.get_by_role("button", name="Give this order").click()
    page.get_by_role("button", name="Adjudicate").click()
    page.get_by_role("link", name="Why?").first.click()
    expect(page.locator("details.why")).to_be_visible()
    page.get_by_role("link", name="Set up").click()
    page.get_by_label("Place").select_option("NTH")
    page.get_by_label("Fleet", exact=True).check()
    page.get_by_role("button", name="Put it there").click()
    expect(page.locator(".unit[data-unit='F NTH']")).to_have_count(1)
    context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("view", ["", "?line=FRANCE+A+PAR", "?view=setup", "?view=share"])
def test_it_is_sound_for_screen_readers(page, sandbox, scheme, view):
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    for size in (PHONE, {"width": 1440, "height": 900}):
        page.set_viewport_size(size)
        page.goto(f"{sandbox}{view}")
        let_it_act(page)
        found = Axe().run(page)
        assert found.violations_count == 0, found.generate_report()
        assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")
