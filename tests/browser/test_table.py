"""The game page as a table: what the map gets of the screen, its position, and the panel."""

import re

import pytest
from playwright.sync_api import Page, expect
from tests.browser.test_play import ANYWAY, be_ready, chip, slot, verb

DESK = {"width": 1440, "height": 900}
PHONE = {"width": 390, "height": 844}
SHARE = """() => {
    const box = document.querySelector(".table__map").getBoundingClientRect();
    return (box.width * box.height) / (innerWidth * innerHeight);
}"""
UNITS_OUT_OF_VIEW = """() => {
    const view = document.querySelector("map-view");
    const room = view.querySelector(".map__window").getBoundingClientRect();
    const powers = new Set(view.dataset.powers.split(" "));
    return [...view.querySelectorAll(".unit")].filter(unit => powers.has(unit.dataset.power))
        .map(unit => [unit.dataset.unit, unit.getBoundingClientRect()])
        .filter(([, box]) => box.left < room.left || box.right > room.right
            || box.top < room.top || box.bottom > room.bottom)
        .map(([name]) => name);
}"""
SCROLLS = """() => document.documentElement.scrollHeight > innerHeight
    || document.documentElement.scrollWidth > innerWidth"""
PLACE = "() => new DOMMatrix(getComputedStyle(document.querySelector('.map__sheet')).transform)"
TOP = """element => {
    const box = element.getBoundingClientRect();
    const at = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
    return element.contains(at);
}"""


@pytest.fixture(scope="module")
def game(site):
    return site.arrange("opening", "Seated")


@pytest.fixture
def open_game(browser, site, game, log_in):
    """Return a function that opens the game in a window of that size."""
    contexts = []

    def open_game(size, **options) -> Page:
        context = browser.new_context(
            base_url=site.url, viewport=size, reduced_motion="reduce", **options
        )
        contexts.append(context)
        page = context.new_page()
        log_in(page, "Seated", game)
        page.locator(".map__sheet[style*=scale]").wait_for()
        return page

    yield open_game
    for context in contexts:
        context.close()


def place(page: Page) -> tuple[float, ...]:
    """Return how the map is moved and scaled."""
    matrix = page.evaluate(f"({PLACE})().toJSON()")
    return tuple(round(matrix[key], 2) for key in ("a", "e", "f"))


def test_on_a_desktop_the_map_has_most_of_the_screen(open_game):
    page = open_game(DESK)
    assert page.evaluate(SHARE) >= 0.57
    assert not page.evaluate(SCROLLS)
    assert page.evaluate(UNITS_OUT_OF_VIEW) == []
    assert page.locator(".slot__button").first.evaluate(TOP)
    page.get_by_role("button", name="Panel").click()
    assert page.evaluate(SHARE) >= 0.75
    assert page.evaluate(UNITS_OUT_OF_VIEW) == []
    page.get_by_role("navigation", name="Panel").get_by_role("link", name="Powers").click()
    expect(page.locator(".seats")).to_be_visible()
    expect(page.locator(".slot").first).to_be_hidden()


def test_on_a_phone_the_map_has_half_of_the_screen_above_the_orders(open_game):
    page = open_game(PHONE, has_touch=True, is_mobile=True)
    assert page.locator(".table__bar").bounding_box()["height"] <= 56
    assert page.evaluate(SHARE) >= 0.5
    assert not page.evaluate(SCROLLS)
    assert page.evaluate(UNITS_OUT_OF_VIEW) == []
    assert page.locator(".slot__button").first.evaluate(TOP)
    assert page.get_by_role("button", name="Save and ready").evaluate(TOP)


def test_the_sheet_has_three_heights(open_game):
    page = open_game(PHONE)
    panel = page.locator(".table__panel")

    def height() -> float:
        return panel.bounding_box()["height"]

    middle = height()
    page.get_by_role("button", name="Make the panel higher").click()
    high = height()
    assert high > 700
    page.get_by_role("button", name="Make the panel lower").click()
    assert height() == middle
    page.get_by_role("navigation", name="Panel").get_by_role("link", name="Map").click()
    assert page.evaluate(SHARE) > 0.75
    expect(page.get_by_role("navigation", name="Phases")).to_be_visible()
    page.get_by_role("navigation", name="Panel").get_by_role("link", name="Orders").click()
    assert height() == middle
    grip = page.locator(".sheet-handle__title").bounding_box()
    x, y = grip["x"] + 20, grip["y"] + 8
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x, y - 150, steps=4)
    page.mouse.up()
    assert height() == high


@pytest.mark.parametrize(
    ("size", "share", "letters"),
    [
        pytest.param({"width": 844, "height": 390}, 0.4, 16, id="a phone on its side"),
        pytest.param({"width": 320, "height": 568}, 0.4, 16, id="a narrow phone"),
        pytest.param({"width": 820, "height": 1180}, 0.45, 16, id="a tablet"),
        pytest.param(DESK, 0.3, 32, id="a desktop with letters twice as large"),
        pytest.param(PHONE, 0.25, 32, id="a phone with letters twice as large"),
    ],
)
def test_other_windows_have_map_and_orders_too(open_game, size, share, letters):
    page = open_game(size)
    session = page.context.new_cdp_session(page)
    session.send("Page.setFontSizes", {"fontSizes": {"standard": letters}})
    page.reload()
    page.locator(".map__sheet[style*=scale]").wait_for()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.evaluate(SHARE) >= share
    first = page.locator(".slot__button").first
    first.scroll_into_view_if_needed()
    first.click()
    expect(page.locator(".slot__panel .verb").first).to_be_visible()


def test_the_map_opens_on_the_units_on_a_slow_machine_too(open_game):
    page = open_game(PHONE)
    session = page.context.new_cdp_session(page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": 8})
    page.evaluate("sessionStorage.clear()")
    path = page.url
    places = set()
    for _ in range(3):
        page.goto("/games/")
        page.goto(path)
        page.locator(".map__sheet[style*=scale]").wait_for()
        assert page.evaluate(UNITS_OUT_OF_VIEW) == []
        places.add(place(page))
    assert len(places) == 1


def test_the_map_stays_where_it_was_moved(open_game):
    page = open_game(DESK)
    opened = place(page)
    window = page.locator(".map__window")
    window.hover(position={"x": 300, "y": 300})
    page.mouse.wheel(0, -400)
    page.wait_for_function(f"was => ({PLACE})().a > was * 1.3", arg=opened[0])
    zoomed = place(page)
    window.focus()
    page.keyboard.press("ArrowRight")
    moved = place(page)
    assert moved[1] < zoomed[1]
    page.get_by_role("button", name="Save and ready").click()
    page.get_by_role("button", name=ANYWAY).wait_for()
    assert place(page) == moved
    page.reload()
    page.locator(".map__sheet[style*=scale]").wait_for()
    assert place(page) == moved
    page.get_by_role("button", name="Show my units").click()
    assert place(page) == opened
    page.get_by_role("button", name="Show the whole map").click()
    assert place(page)[0] == 1


def test_two_taps_on_a_place_without_a_meaning_zoom_in(open_game):
    page = open_game(PHONE, has_touch=True, is_mobile=True)
    page.get_by_role("button", name="Show the whole map").click()
    page.evaluate(
        """() => {
            const at = { clientX: 30, clientY: 120, bubbles: true };
            const map = document.querySelector(".map__sheet > svg");
            for (const tap of [1, 2]) map.dispatchEvent(new MouseEvent("click", at));
        }"""
    )
    assert place(page)[0] > 1.5


def test_a_power_in_the_strip_leads_to_its_line(open_game):
    page = open_game(DESK)
    powers = page.get_by_role("navigation", name="Powers").get_by_role("link")
    expect(powers.first).to_have_class(re.compile("power--you"))
    power = powers.nth(3).get_attribute("data-seat")
    powers.nth(3).click()
    row = page.locator(f"#seat-{power}")
    expect(row).to_be_visible()
    expect(row).to_be_focused()


@pytest.mark.parametrize("count", [2, 7, 34])
def test_the_strip_on_a_phone_begins_with_mine_and_shows_that_it_scrolls(open_game, count):
    page = open_game(PHONE, has_touch=True, is_mobile=True)
    strip = page.get_by_role("navigation", name="Powers")
    expect(strip).to_be_hidden()
    page.locator("a[data-tab=map]").tap()
    expect(strip).to_be_visible()
    page.locator(".table__powers ul").evaluate(
        """(list, count) => {
            const powers = [...list.children];
            for (let n = powers.length; n < count; n++) {
                list.append(powers[n % 6 + 1].cloneNode(true));
            }
            for (const power of powers.slice(count)) power.remove();
        }""",
        count,
    )
    chips = strip.get_by_role("link")
    expect(chips).to_have_count(count)
    expect(chips.first).to_have_class(re.compile("power--you"))
    expect(chips.first).to_be_in_viewport(ratio=1)
    strip_list = page.locator(".table__powers ul")
    assert strip_list.evaluate("list => list.scrollWidth > list.clientWidth + 1") == (count > 2)
    assert strip_list.evaluate("list => getComputedStyle(list).maskImage") != "none"
    assert not page.evaluate(SCROLLS)
    chips.last.tap()
    expect(page.locator("#powers")).to_be_visible()


def test_a_list_asks_no_more_than_the_map_and_offers_the_convoy(page: Page, site, log_in):
    log_in(page, "Sailor", site.arrange("movement", "Sailor"))
    slot(page, "Army in Yorkshire").click()
    verb(page, "Move").click()
    offered = page.locator(".slot__panel .chip").all_inner_texts()
    twice = [name for name in offered if f"{name} by convoy" in offered]
    assert twice
    chip(page, twice[0]).click()
    expect(slot(page, "Army in Yorkshire")).to_contain_text(f"Move to {twice[0]}")
    expect(page.locator(".slot__panel .chip")).to_have_count(0)


def test_after_a_turn_the_first_unit_has_the_focus(page: Page, site, log_in):
    log_in(page, "Next", site.arrange("movement", "Next"))
    be_ready(page)
    expect(page.locator(".season")).to_have_text("Fall 1902")
    expect(page.locator(".slot__button").first).to_be_focused()
    expect(page.locator("#announcer")).to_have_text(re.compile("processed|new phase"))


def test_without_units_the_map_opens_on_the_centers_to_build_in(
    page: Page, site, log_in, complaints
):
    page.set_viewport_size(PHONE)
    path = site.arrange("rebuild", "Builder")
    session = page.context.new_cdp_session(page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": 4})
    log_in(page, "Builder", path)
    page.locator(".map__sheet[style*=scale]").wait_for()
    page.locator("map-view .provinces:not([data-same])").wait_for(state="attached")
    out_of_view = page.evaluate(
        """() => {
            const room = document.querySelector(".map__window").getBoundingClientRect();
            return ["LON", "LVP", "EDI"].filter(code => {
                const box = document.getElementById(`p-${code}`).getBoundingClientRect();
                return box.left < room.left || box.right > room.right
                    || box.top < room.top || box.bottom > room.bottom;
            });
        }"""
    )
    assert out_of_view == []
    width = page.locator("#p-LON").bounding_box()["width"]
    page.get_by_role("button", name="Show the whole map").click()
    page.wait_for_function(
        "width => document.getElementById('p-LON').getBoundingClientRect().width < width / 2",
        arg=width,
    )
    assert complaints == []


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_a_skip_link_opens_the_board_in_words(open_game, size):
    page = open_game(size)
    board = page.locator("#board-text")
    expect(board).to_have_count(0)  # a folded part of the page
    page.get_by_role("link", name="Read the board in words").press("Enter")
    expect(board).to_have_attribute("open", "")
    expect(board.get_by_role("heading", name="Austria")).to_be_in_viewport()
    expect(board).to_be_focused()


def test_people_without_a_country_see_the_whole_map(page: Page, site):
    page.set_viewport_size(PHONE)
    path = site.arrange("rebuild", "Owner")
    page.goto(path)
    page.locator(".map__sheet[style*=transform]").wait_for()
    out = page.evaluate(
        """() => {
            const room = document.querySelector(".map__window").getBoundingClientRect();
            return [...document.querySelectorAll(".unit")].filter(unit => {
                const box = unit.getBoundingClientRect();
                return box.left < room.left || box.right > room.right;
            }).length;
        }"""
    )
    assert out == 0
    expect(page.get_by_role("button", name="Show my units")).to_be_hidden()


IN_VIEW = """element => {
    const { top, bottom } = element.getBoundingClientRect();
    const middle = document.elementFromPoint(innerWidth / 2, bottom - 4);
    return top >= 0 && bottom <= innerHeight && element.contains(middle);
}"""


@pytest.mark.parametrize("scene", ["opening", "dislodged", "builds"])
def test_the_note_about_the_first_turn_hides_no_order_on_a_phone(page: Page, site, log_in, scene):
    log_in(page, f"First{scene}", site.arrange(scene, f"First{scene}"))
    expect(page.locator(".order-form__first")).to_be_attached()
    for width, height in [(390, 844), (412, 732), (375, 667), (360, 640), (320, 568)]:
        page.set_viewport_size({"width": width, "height": height})
        page.reload()
        first = page.locator(".slot__button").first
        first.wait_for()
        # On the smallest phone there is no note, and a line of two rows just fits.
        assert first.evaluate(TOP if height < 600 else IN_VIEW), (width, height)


def test_a_map_with_passages_fills_its_window_no_further_than_its_letters(page, site, log_in):
    path = site.arrange("opening", "Sailor")
    log_in(page, "Sailor", path)
    page.locator(".map__tools").wait_for()
    cropped = """needsFrame => {
        const view = document.querySelector("map-view");
        view.needsFrame = needsFrame;
        return view.coverWidth() - view.panzoom.whole().width;
    }"""
    assert page.evaluate(cropped, False) > 1
    assert page.evaluate(cropped, True) == 0


def test_a_long_caption_stays_on_the_map_of_a_phone(page, site, log_in):
    page.set_viewport_size({"width": 390, "height": 844})
    log_in(page, "Reader", site.arrange("opening", "Reader"))
    page.locator(".map__tools").wait_for()
    sizes = page.locator(".map__caption").evaluate(
        """caption => {
            caption.textContent = "Old Somewhere · OLD · Somebody’s army · center of Someone Else";
            const { right } = caption.getBoundingClientRect();
            return [right, caption.scrollWidth - caption.clientWidth];
        }"""
    )
    assert sizes[0] <= 390
    assert sizes[1] <= 0
