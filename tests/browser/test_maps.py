"""Maps on a phone: first the whole map with codes, then zooming with two fingers."""

from statistics import median

import pytest
from tests.browser.test_play import let_it_act, wait_until, wait_until_still

PHONE = {"width": 390, "height": 844}


@pytest.fixture
def phone(browser, site):
    """Return a page on a phone, and a function that touches it at several places."""
    site.arrange("opening", "Mapper")
    context = browser.new_context(
        base_url=site.url,
        viewport=PHONE,
        has_touch=True,
        is_mobile=True,
        reduced_motion="reduce",
    )
    page = context.new_page()
    session = context.new_cdp_session(page)

    def touch(kind: str, *places: tuple[float, float]) -> None:
        points = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(places)]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    yield page, touch
    context.close()


def scale(page) -> float:
    return page.evaluate(
        "new DOMMatrix(getComputedStyle(document.querySelector('.map__sheet')).transform).a"
    )


def spread(page, touch, start: int, end: int) -> None:
    """Put two fingers `start` pixels from the middle of the map and move them to `end`."""
    box = page.locator(".map__window").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    touch("touchStart", (x - start, y), (x + start, y))
    for step in range(1, 9):
        away = start + (end - start) * step / 8
        touch("touchMove", (x - away, y), (x + away, y))
        let_it_act(page)
    touch("touchEnd")


def test_a_map_opens_whole_with_codes_and_two_fingers_zoom_in(phone):
    page, touch = phone
    page.goto("/maps/")
    page.locator(".card__title a").last.click()
    page.locator(".map__tools").wait_for()
    assert page.evaluate("[document.documentElement.scrollWidth, visualViewport.scale]") == [390, 1]
    assert scale(page) == 1
    page.locator(".labels .codes").wait_for()  # the viewer chooses them once it has its size
    assert not page.locator(".labels .names").is_visible()
    sizes = page.locator(".codes text").evaluate_all(
        "all => all.map(one => parseFloat(getComputedStyle(one).fontSize) * one.getScreenCTM().a)"
    )
    assert min(sizes) > 8
    spread(page, touch, 25, 90)
    wait_until(page, lambda: scale(page) > 1.4)
    assert page.evaluate("visualViewport.scale") == 1
    spread(page, touch, 110, 10)
    wait_until(page, lambda: scale(page) < 1.1)


def test_the_place_under_the_pointer_stays_while_the_map_grows(page, site):
    site.arrange("opening", "Mapper")
    page.goto(f"{site.url}/maps/")
    page.locator(".card__title a").last.click()
    page.locator(".map__tools").wait_for()
    page.locator(".map__window").scroll_into_view_if_needed()
    box = page.locator(".map__window").bounding_box()
    pointer = [box["x"] + box["width"] * 0.3, box["y"] + box["height"] * 0.2]
    under = """([x, y]) => {
        const sheet = document.querySelector(".map__sheet").getBoundingClientRect();
        return [(x - sheet.left) / sheet.width, (y - sheet.top) / sheet.height];
    }"""
    before = page.evaluate(under, pointer)
    page.mouse.move(*pointer)
    page.keyboard.down("Control")
    page.mouse.wheel(0, -400)
    wait_until(page, lambda: scale(page) > 1.4)
    wait_until_still(page)
    assert page.evaluate(under, pointer) == pytest.approx(before, abs=0.01)


def test_a_tap_selects_the_nearest_unit_within_reach(phone):
    page, _ = phone
    page.goto("/maps/")
    page.locator(".card__title a").last.click()
    page.locator(".map__tools").wait_for()
    answers = page.evaluate(
        """() => {
            const view = document.querySelector("map-view");
            const [one, other] = view.querySelectorAll(".unit");
            const [near, far] = [one.dataset.province, other.dataset.province];
            const box = one.getBoundingClientRect();
            const side = other.getBoundingClientRect().x > box.x ? -1 : 1; // away from the other
            const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
            const under = (off, hit) =>
                view.unitUnder({ clientX: x + side * off, clientY: y }, hit);
            view.mark({ mine: [near, far] });
            const taken = [under(11, far) === near, under(14, far) === ""];
            view.mark({ targets: ["NONE"], mine: [near] });
            return [...taken, under(5, "NONE") === ""];
        }"""
    )
    assert answers == [True, True, True]


def test_a_world_is_drawn_played_on_and_saved_to_the_gallery(phone, log_in):
    page, _ = phone
    log_in(page, "Mapper", "/maps/new/")
    page.get_by_label("Players").fill("2")
    page.get_by_label("Isthmus").check()
    page.get_by_role("button", name="Draw").click()
    page.locator(".map__base img").wait_for()
    first = page.get_by_role("heading", level=2).inner_text()
    assert "landform=isthmus" in page.url
    page.get_by_role("button", name="Draw another").click()
    wait_until(page, lambda: page.get_by_role("heading", level=2).inner_text() != first)
    second = page.url
    page.reload()
    assert page.url == second
    page.locator(".map__base img").wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    drawn = page.locator(".map__base img")
    wait_until(page, lambda: drawn.evaluate("one => one.naturalWidth") > 0)
    page.get_by_role("button", name="Play this map").click()
    page.locator(".bar__game").wait_for()
    assert "/games/" in page.url
    page.goto(second)
    page.get_by_label("Map name").fill("Phoneland")
    page.get_by_role("button", name="Save to the gallery").click()
    page.get_by_role("heading", name="Phoneland").wait_for()
    assert page.locator("#evenness").is_visible()


def test_patterns_are_shown_on_every_map_until_they_are_switched_off(phone):
    page, _ = phone
    page.goto("/maps/")
    page.locator(".card__title a").last.click()
    button = page.get_by_role("button", name="Show patterns as well as colors")
    patterns = page.locator(".map__sheet .pattern")
    patterns.nth(1).wait_for(state="attached")
    assert not patterns.first.is_visible()
    button.click()
    assert button.get_attribute("aria-pressed") == "true"
    assert patterns.first.is_visible()
    page.reload()
    assert button.get_attribute("aria-pressed") == "true"
    assert patterns.first.is_visible()
    button.click()
    assert not patterns.first.is_visible()
    page.reload()
    assert button.get_attribute("aria-pressed") == "false"


def test_the_decoration_of_maps_is_hidden_until_it_is_switched_on_again(phone):
    page, _ = phone
    page.goto("/maps/test/?seed=sheet&players=2")
    button = page.get_by_role("button", name="Show the title and country names")
    decoration = page.locator(".map__sheet .decoration")
    button.wait_for()
    assert button.get_attribute("aria-pressed") == "true"
    assert decoration.is_visible()
    button.click()
    assert not decoration.is_visible()
    page.reload()
    button.wait_for()
    assert button.get_attribute("aria-pressed") == "false"
    assert not decoration.is_visible()
    button.click()
    assert decoration.is_visible()


def test_nothing_covers_the_map(phone):
    page, _ = phone
    page.goto("/maps/")
    page.locator(".card__title a").last.click()
    tools, window = page.locator(".map__tools"), page.locator(".map__window")
    tools.wait_for()
    for width in (390, 1440):
        page.set_viewport_size({"width": width, "height": 900})
        under = window.bounding_box()
        assert tools.bounding_box()["y"] >= under["y"] + under["height"] - 1


@pytest.mark.long
@pytest.mark.parametrize(
    ("wanted", "shown"), [("players=7", ".names"), ("players=10&provinces=200", ".codes")]
)
def test_a_map_of_many_provinces_shows_codes_where_its_names_are_too_small(
    phone, log_in, wanted, shown
):
    page, _ = phone
    page.set_viewport_size({"width": 1000, "height": 900})
    log_in(page, "Mapper", "/maps/new/")
    page.goto(f"/maps/new/?seed=wide&sea=25&{wanted}")
    page.locator(f".labels {shown}").wait_for()
    sizes = page.locator(f".labels {shown} text").evaluate_all(
        "all => all.map(one => parseFloat(getComputedStyle(one).fontSize) * one.getScreenCTM().a)"
    )
    assert median(sizes) > 6.4


def test_only_the_labels_that_are_shown_are_laid_out(phone):
    """A browser lays out the text of hidden groups, so the text must be hidden, too."""
    page, _ = phone
    page.goto("/maps/")
    page.locator(".card__title a").last.click()
    wait_until(page, lambda: page.locator("map-view.is-settled").count() > 0)
    for far, shown, hidden in ((True, "codes", "names"), (False, "names", "codes")):
        page.evaluate(
            "(far) => document.querySelector('.map__sheet').classList.toggle('is-far', far)", far
        )
        assert laid_out(page, shown) > 0
        assert laid_out(page, hidden) == 0


def laid_out(page, group) -> int:
    """Return how many texts of a group of labels the browser lays out."""
    return page.evaluate(
        f"[...document.querySelectorAll('.map__sheet .{group} text')]"
        ".filter((text) => getComputedStyle(text).display !== 'none').length"
    )
