"""The order bar: a year on the map of a phone, without the panel."""

import re

import pytest
from playwright.sync_api import Page, expect
from tests.browser.test_covered_units import COVERED
from tests.browser.test_play import be_ready, let_it_act, tap, values, wait_for_scripts

TURN = 120_000
"""Milliseconds that a turn may take to appear."""
HIDDEN_TARGETS = """() => {
    const map = document.querySelector("map-view");
    const matrix = map.querySelector(".map__sheet > svg").getScreenCTM();
    const shapes = [...map.querySelectorAll("path.is-target, path.is-selected")];
    return shapes.map(({ dataset }) => dataset.province).filter((province) => {
        const point = map.pointOf(province);
        const { x, y } = new DOMPoint(point.x, point.y).matrixTransform(matrix);
        return !map.querySelector(".map__sheet").contains(document.elementFromPoint(x, y));
    });
}"""
SMALL = """() => [...document.querySelectorAll(".order-bar button")]
    .filter((button) => button.offsetWidth > 1)
    .filter(({ offsetWidth, offsetHeight }) => offsetWidth < 44 || offsetHeight < 44)
    .map(({ textContent }) => textContent)"""


class Phone:
    """A game on the tab *Map* of a phone."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.taps = 0
        self.bar = page.locator(".order-bar")

    def open_map(self) -> None:
        wait_for_scripts(self.page)
        self.page.locator("a[data-tab=map]").tap()
        expect(self.bar).to_be_visible()

    def tap(self, *provinces: str) -> None:
        for province in provinces:
            self.check()
            tap(self.page, province, finger=True)
            self.taps += 1

    def press(self, key: str) -> None:
        self.check()
        self.bar.locator(f"[data-key={key}]").tap()
        self.taps += 1

    def check(self) -> None:
        let_it_act(self.page)
        if not self.page.locator(".unit.is-selected").count():
            assert self.page.evaluate(COVERED) == []
        assert self.page.evaluate(HIDDEN_TARGETS) == []
        assert self.page.evaluate(SMALL) == []


@pytest.fixture
def open_phone(browser, site, log_in):
    """Return a function that opens the game at `path` for a person with a phone of that size.

    At the end, no script of these pages may have failed.
    """
    contexts, errors = [], []

    def open_phone(name: str, path: str, width: int = 390, height: int = 844) -> Phone:
        context = browser.new_context(
            base_url=site.url,
            viewport={"width": width, "height": height},
            device_scale_factor=3,
            has_touch=True,
            is_mobile=True,
            reduced_motion="reduce",
        )
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        log_in(page, name, path)
        phone = Phone(page)
        phone.open_map()
        return phone

    yield open_phone
    for context in contexts:
        context.close()
    assert errors == []


def wait_for(page: Page, season: str, stage: str) -> None:
    expect(page.locator(".season")).to_have_text(season, timeout=TURN)
    expect(page.locator(".stage")).to_have_text(stage, timeout=TURN)
    # The last turn is shown first; a tap would only end that.
    expect(page.locator(".turn-caption")).to_be_visible()
    expect(page.locator("map-view")).not_to_have_class(re.compile("is-past"))


def test_a_year_is_played_on_the_map_alone(site, visit, open_phone):
    path = site.arrange("skirmish", "Thumb", "Rival")
    rival = visit("Rival", path)
    phone = open_phone("Thumb", path)
    page = phone.page

    phone.tap("NTH")
    phone.press("convoy")
    phone.tap("YOR", "NWY")
    phone.taps = 0
    phone.tap("YOR", "NWY")
    assert phone.taps == 2
    phone.taps = 0
    phone.tap("ENG")
    phone.press("support")
    phone.tap("BEL", "BEL")
    assert phone.taps == 4
    assert sorted(values(page)) == [
        "A BEL H",
        "A YOR - NWY",
        "F ENG S A BEL",
        "F NTH C A YOR - NWY",
    ]
    phone.tap("ENG")
    phone.press("move")
    phone.tap("MAO")
    phone.press("ready")
    expect(phone.bar.locator("[data-key=unready]")).to_be_visible()
    rival.get_by_role("button", name="Save and ready").click()

    wait_for(page, "Spring 1902", "Retreats")
    phone.tap("BEL", "HOL")
    assert values(page) == ["A BEL R HOL"]
    phone.press("ready")

    wait_for(page, "Fall 1902", "Movement")
    phone.press("ready")
    phone.press("anyway")
    be_ready(rival)

    wait_for(page, "Winter 1902", "Adjustments")
    phone.press("waive")
    phone.press("unit")
    phone.tap("LON")
    phone.bar.locator(".chip", has_text="fleet in London").tap()
    assert values(page) == ["F LON B"]
    phone.press("ready")
    wait_for(page, "Spring 1903", "Movement")
    expect(page.locator('.unit[data-unit="F LON"]')).to_have_count(1)
    expect(page.locator(".table__panel")).to_have_css("height", "0px")


@pytest.mark.parametrize("size", [(320, 568), (430, 932)])
def test_the_bar_fits_other_phones(site, open_phone, size):
    phone = open_phone(f"Wide{size[0]}", site.arrange("east", f"Wide{size[0]}"), *size)
    phone.tap("BLA")
    phone.press("convoy")
    phone.tap("BUL", "ARM")
    phone.check()
    assert "F BLA C A BUL - ARM" in values(phone.page)
    assert phone.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_orders_are_given_with_the_keyboard(site, open_phone):
    phone = open_phone("Keys", site.arrange("movement", "Keys"))
    page = phone.page
    phone.bar.locator("[data-key=unit]").focus()
    page.keyboard.press("Enter")
    expect(phone.bar).to_contain_text("Army in London")
    phone.bar.locator("[data-key=move]").focus()
    page.keyboard.press("Enter")
    first = phone.bar.locator(".chip").first
    expect(first).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(phone.bar.locator(".chip").nth(1)).to_be_focused()
    page.keyboard.press("Enter")
    assert re.match("A LON - ", values(page)[0])
    assert page.evaluate("document.querySelector('.order-bar').contains(document.activeElement)")


def test_a_tapped_province_is_described(site, open_phone):
    phone = open_phone("Asker", site.arrange("movement", "Asker"))
    phone.tap("PAR")
    expect(phone.bar).to_contain_text("Paris · PAR · French army · center of France")


def test_a_drag_that_begins_on_a_unit_moves_the_map(site, open_phone):
    phone = open_phone("Dragger", site.arrange("movement", "Dragger"))
    page = phone.page
    box = page.locator('.unit[data-unit="A YOR"] .badge').bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    touch = page.context.new_cdp_session(page)

    def send(kind: str, *points: tuple[float, float]) -> None:
        found = [{"x": x, "y": y} for x, y in points]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": found})

    send("touchStart", (x, y))
    for step in range(1, 6):
        send("touchMove", (x - 12 * step, y))
    send("touchEnd")
    let_it_act(page)
    moved = page.locator('.unit[data-unit="A YOR"] .badge').bounding_box()
    assert box["x"] - moved["x"] > 30
    expect(page.locator(".unit.is-selected")).to_have_count(0)
