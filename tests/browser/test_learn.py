"""The lessons in a browser: by map, by keyboard, and without scripts."""

import re
from urllib.parse import urlencode

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from diplomaccloud.judge import parse_order
from diplomaccloud.judge.board import province_of
from diplomaccloud.judge.orders import Build, Convoy, Disband, Hold, Move, Retreat, SupportHold
from diplomaccloud.learn.boards import WHOLE, small_board
from diplomaccloud.learn.page import COURSE

STEPS = [
    pytest.param(f"/learn/{lesson.slug}/{number}/", step, id=f"{lesson.slug}-{number}")
    for lesson in COURSE
    for number, step in enumerate(lesson.steps, start=1)
]
UNLIKE = [
    param for param in STEPS if param.id in {"letters-2", "builds-2", "ending-3", "retreat-1"}
]
"""Steps whose forms differ from the others; the rest is tested without a browser."""

PHONE = {"width": 390, "height": 844}
CONTRAST = {"runOnly": {"type": "rule", "values": ["color-contrast"]}}
"""The only rule that a page can break in one color scheme and not in the other."""


def read_solution(step):
    """Return the orders of the solution."""
    board, position = step.small.board, step.position
    return [parse_order(text, board, position, step.you) for text in step.orders_of_solution()]


POINT_ON_SCREEN = """([x, y]) => {
    const svg = document.querySelector("map-view svg.overlay");
    svg.scrollIntoView({ block: "center", behavior: "instant" });
    const point = new DOMPoint(x, y).matrixTransform(svg.getScreenCTM());
    return [point.x, point.y];
}"""


def tap(page, chart, province):
    """Tap `province` on the board where its unit stands or would stand."""
    shape = next(shape for shape in chart.shapes if shape.province == province)
    x, y = page.evaluate(POINT_ON_SCREEN, [*next(iter(shape.anchors.units.values()))])
    page.mouse.click(x, y)


def order_by_map(page, chart, order):
    """Give `order` by tapping the board; kinds of orders are buttons."""
    slot = page.locator(f'.slot[data-unit="{order.unit}"]')
    slot.get_by_role("button").first.click()
    if isinstance(order, Hold):
        slot.get_by_role("button", name="Hold", exact=True).click()
    elif isinstance(order, Move | Retreat):
        tap(page, chart, province_of(order.to))
    else:
        word = "Convoy" if isinstance(order, Convoy) else "Support"
        slot.get_by_role("button", name=word, exact=True).click()
        tap(page, chart, order.target.province)
        if slot.locator(".slot__panel").is_visible():
            goal = order.target.province if isinstance(order, SupportHold) else order.to
            tap(page, chart, province_of(goal))


@pytest.mark.parametrize(("path", "step"), UNLIKE)
def test_a_step_is_solved_without_scripts(browser, site, path, step):
    context = browser.new_context(base_url=site.url, java_script_enabled=False)
    page = context.new_page()
    page.goto(path)
    if step.letters:
        page.locator(f'input[name=letter][value="{step.letter}"]').check()
    if step.votes:
        page.locator(f'input[name=vote][value="{step.vote}"]').check()
    solution = step.orders_of_solution()
    units = page.locator(".slot").evaluate_all("slots => slots.map(slot => slot.dataset.unit)")
    for place, unit in enumerate(units):
        text = solution[place] if not unit else next(t for t in solution if t.startswith(unit))
        page.locator("select[name=order]").nth(place).select_option(text)
    page.get_by_role("button", name="Carry out the orders").click()
    expect(page.get_by_text("Well done.")).to_be_visible()
    context.close()


@pytest.mark.parametrize(("path", "step"), STEPS)
def test_a_step_is_solved_on_the_board(page, complaints, path, step):
    page.set_viewport_size(PHONE)
    page.goto(path)
    if step.letters:
        page.locator(f'input[name=letter][value="{step.letter}"]').check()
    if step.votes:
        page.locator(f'input[name=vote][value="{step.vote}"]').check()
    for number, order in enumerate(read_solution(step)):
        if isinstance(order, Build | Disband):
            page.locator(f"#slot-{number + 1}").get_by_role("button").first.click()
            if isinstance(order, Build):
                tap(page, step.small.chart, order.unit.province)
                kind = order.unit.kind.word
                chip = page.locator(".slot__panel").get_by_role("button", name=kind)
                if chip.count():
                    chip.first.click()
            else:
                tap(page, step.small.chart, order.unit.province)
        else:
            order_by_map(page, step.small.chart, order)
    page.get_by_role("button", name="Carry out the orders").click()
    expect(page.get_by_text("Well done.")).to_be_visible()
    assert complaints == []


def test_a_step_is_solved_by_keyboard_alone(page):
    page.goto("/learn/support/1/")
    slot = page.locator('.slot[data-unit="A PAR"] .slot__button')
    slot.focus()
    page.keyboard.press("Enter")
    page.keyboard.press("m")
    page.get_by_role("button", name="Burgundy", exact=True).focus()
    page.keyboard.press("Enter")
    page.locator('.slot[data-unit="A MAR"] .slot__button').focus()
    page.keyboard.press("Enter")
    page.keyboard.press("s")
    for name in ("French army in Paris", "Burgundy"):
        page.get_by_role("button", name=name, exact=True).focus()
        page.keyboard.press("Enter")
    page.get_by_role("button", name="Carry out the orders").press("Enter")
    expect(page.get_by_text("Well done.")).to_be_visible()


def test_the_chosen_orders_are_drawn(page):
    page.goto("/learn/move/1/")
    page.locator(".slot__button").click()
    with page.expect_response("**/sketch/"):
        tap(page, small_board("germany").chart, "KIE")
    expect(page.locator("map-view g.orders > *")).not_to_have_count(0)


@pytest.mark.parametrize("width", [320, 1440])
@pytest.mark.parametrize(
    "path",
    [
        "/learn/",
        "/learn/letters/2/",
        "/learn/support/2/?order=A+PAR+H",
        "/rules/",
        "/glossary/",
        "/guides/press/",
        "/learn/first-game/",
    ],
)
def test_pages_fit_and_are_accessible(page, path, width):
    page.emulate_media(color_scheme="light", reduced_motion="reduce")
    page.set_viewport_size({"width": width, "height": 844})
    page.goto(path)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    faults = Axe().run(page).response["violations"]
    page.emulate_media(color_scheme="dark")
    faults += Axe().run(page, options=CONTRAST).response["violations"]
    assert [(fault["id"], fault["nodes"][0]["html"][:200]) for fault in faults] == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_board_above_the_lessons_is_shown_in_both_schemes(page, scheme):
    page.emulate_media(color_scheme=scheme)
    page.goto("/learn/")
    picture = page.locator(".learn-hero__board img")
    assert picture.evaluate("(image) => image.decode().then(() => image.currentSrc)").endswith(
        f"board-{scheme}.webp"
    )


def test_the_board_of_a_lesson_stays_in_view_while_an_order_is_chosen_on_it(page):
    page.set_viewport_size(PHONE)
    page.goto("/learn/move/2/")
    page.wait_for_function("() => customElements.get('order-form')")
    board = page.locator(".lesson__board .map")
    board.scroll_into_view_if_needed()
    before = page.evaluate("scrollY")
    assert page.evaluate(
        """() => {
          const form = document.querySelector("order-form");
          return form.pick(form.slots[0].province);
        }"""
    )
    expect(page.locator(".slot__button").first).to_have_attribute("aria-expanded", "true")
    assert page.evaluate("scrollY") == before


def test_the_first_game_is_played_on_the_map(page, complaints):
    page.set_viewport_size(PHONE)
    page.goto("/learn/first-game/")
    page.get_by_role("button", name="Start the game").click()
    page.locator('.slot[data-unit="A MAR"] .slot__button').click()
    tap(page, small_board(WHOLE).chart, "SPA")
    page.get_by_role("button", name="Carry out the orders").click()
    expect(page.get_by_role("heading", name="What happened in Spring 1901")).to_be_visible()
    expect(page.get_by_text("reached Spain")).to_be_visible()
    page.get_by_role("link", name="Continue: Fall 1901").click()
    expect(page.get_by_text("Stay in Spain")).to_be_visible()
    faults = Axe().run(page).response["violations"]
    assert [(fault["id"], fault["nodes"][0]["html"][:200]) for fault in faults] == []
    assert complaints == []


def test_the_result_of_a_lesson_plays_like_a_turn(page, complaints):
    # Scripts hold the choices in memory, so that the page has fewer elements.
    choices = page.request.get("/learn/move/1/").text()
    order = re.search(r'data-kind="move">\s*<option value="([^"]+)"', choices)[1]
    page.goto(f"/learn/move/1/?order={order}")
    board = page.locator(".lesson__board map-view")
    expect(board).to_have_class(re.compile("is-past"))
    expect(page.locator(".turn-caption")).to_be_visible()
    expect(board).not_to_have_class(re.compile("is-past"))
    before = page.evaluate("document.querySelector('.map__sheet > svg').outerHTML")
    page.get_by_role("button", name="Play the turn again").click()
    expect(board).to_have_class(re.compile("is-past"))
    page.get_by_role("button", name="Skip").click()
    expect(board).not_to_have_class(re.compile("is-past"))
    assert page.evaluate("document.querySelector('.map__sheet > svg').outerHTML") == before
    assert complaints == []


OUT_OF_SIGHT = """names => names.filter((name) => {
    const part = document.querySelector(name);
    if (!part) return true;
    const { left, top, right, bottom, width } = part.getBoundingClientRect();
    if (!width || left < 0 || top < 0 || right > innerWidth || bottom > innerHeight) return true;
    const corners = [left + 4, right - 4].flatMap((x) => [top + 4, bottom - 4].map((y) => [x, y]));
    return corners.some(([x, y]) => {
      const found = document.elementFromPoint(x, y);
      return !part.contains(found) && !found?.contains(part);
    });
  })"""
"""Which parts of the page are not shown whole without scrolling."""


@pytest.mark.parametrize(("path", "step"), STEPS)
def test_a_step_and_its_result_are_seen_without_scrolling(page, path, step):
    page.emulate_media(reduced_motion="reduce")
    answer = urlencode(
        [("order", order) for order in step.orders_of_solution()]
        + ([("letter", step.letter)] if step.letters else [])
        + ([("vote", step.vote)] if step.votes else [])
    )
    asked = [".task", ".lesson__board .map", ".lesson__actions .button"]
    told = [".task", ".lesson__board .map", "#report"]
    for address, size, parts in (
        (path, PHONE, asked),
        (f"{path}?{answer}", PHONE, [*told, "#report .button--main"]),
        (f"{path}?order=", PHONE, [*told, ".lesson__actions .button"]),
        (path, {"width": 320, "height": 568}, asked[:2]),
        (path, {"width": 1440, "height": 900}, asked),
        (f"{path}?{answer}", {"width": 1440, "height": 900}, told),
    ):
        page.set_viewport_size(size)
        page.goto(address)
        page.wait_for_function("() => customElements.get('turn-replay')")
        assert page.evaluate(OUT_OF_SIGHT, parts) == [], (address, size)


@pytest.mark.parametrize("path", ["/learn/", "/learn/move/1/", "/learn/move/1/?order=A+MUN+-+KIE"])
def test_letters_of_twice_the_size_fit(page, path):
    page.set_viewport_size(PHONE)
    session = page.context.new_cdp_session(page)
    session.send("Page.setFontSizes", {"fontSizes": {"standard": 32}})
    page.goto(path)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


BADGES = """() => [...document.querySelectorAll(".map__sheet .unit")].map((unit) =>
    [unit.querySelector("title").textContent, unit.getAttribute("transform")])"""


@pytest.mark.parametrize(
    ("path", "army", "told"),
    [
        ("/learn/move/1/?order=A+MUN+-+KIE", "German army in Kiel", "Well done."),
        ("/learn/move/1/?order=A+MUN+-+BOH", "German army in Munich", "Not yet."),
        (
            "/learn/support/1/?order=A+PAR+-+BUR&order=A+MAR+S+A+PAR+-+BUR",
            "French army in Burgundy",
            "Well done.",
        ),
    ],
)
def test_the_replay_leaves_the_units_where_the_page_says(page, complaints, path, army, told):
    page.emulate_media(reduced_motion="reduce")
    page.goto(path)
    expect(page.get_by_text(told)).to_be_visible()
    expect(page.get_by_role("button", name="Play the turn again")).to_be_visible()
    still = page.evaluate(BADGES)
    assert army in [label for label, _ in still]
    page.emulate_media(reduced_motion="no-preference")
    page.goto(path)
    board = page.locator(".lesson__board map-view")
    expect(board).to_have_class(re.compile("is-past"))
    expect(board).not_to_have_class(re.compile("is-past"))
    assert page.evaluate(BADGES) == still
    assert complaints == []


def test_the_result_of_a_lesson_stays_still_for_people_who_want_no_motion(page):
    page.emulate_media(reduced_motion="reduce")
    page.clock.install()
    page.goto("/learn/move/1/?order=x")
    expect(page.get_by_role("button", name="Play the turn again")).to_be_visible()
    page.clock.run_for(2_000)
    expect(page.locator(".lesson__board map-view")).not_to_have_class(re.compile("is-past"))
