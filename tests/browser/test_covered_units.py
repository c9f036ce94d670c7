"""No control over the board covers a unit of the viewer: two hundred positions on twelve maps."""

import random

import pytest
from judge.tests.scenes import random_position
from playwright.sync_api import Page, expect
from tests.browser.test_play import be_ready, let_it_act, wait_for_scripts

from diplomaccloud.atlas.generator.pipeline import make_chart
from diplomaccloud.judge.drawing.chart import Chart
from diplomaccloud.judge.drawing.europe import standard_chart
from diplomaccloud.judge.drawing.overlay import render_overlay

SIZES = [(320, 568), (360, 640), (390, 844), (430, 932), (844, 390)]
PLAYERS = (2, 3, 4, 4, 5, 5, 6, 7, 8, 9, 10)
POSITIONS = 200
COVERED = """() => {
    const view = document.querySelector("map-view");
    const powers = view.dataset.powers.split(" ");
    const units = [...view.querySelectorAll(".unit")];
    return units.filter((unit) => {
        if (!powers.includes(unit.dataset.power)) return false;
        const { x, y, width, height } = unit.querySelector(".badge").getBoundingClientRect();
        const hit = document.elementFromPoint(x + width / 2, y + height / 2);
        return !hit || !view.querySelector(".map__sheet").contains(hit);
    }).map(({ dataset }) => dataset.unit);
}"""
TRY = f"""([positions, first]) => {{
    const listCovered = {COVERED};
    const found = [];
    for (const [number, {{ drawing, power }}] of positions.entries()) {{
        const view = document.querySelector("map-view");
        const place = view.parentElement;
        view.remove();
        view.querySelector(".map__sheet > svg").outerHTML = drawing;
        Object.assign(view.dataset, {{ powers: power, phase: first + number }});
        place.append(view);
        const units = listCovered();
        view.panzoom.panBy(5000, 5000);
        view.querySelector("[data-zoom=units]").click();
        units.push(...listCovered());
        if (units.length) found.push([number, power, ...units]);
    }}
    return found;
}}"""


@pytest.fixture
def table(browser, site, log_in):
    """Return the page of a game on a phone."""
    context = browser.new_context(
        base_url=site.url,
        viewport={"width": 390, "height": 844},
        has_touch=True,
        is_mobile=True,
        reduced_motion="reduce",
    )
    page = context.new_page()
    log_in(page, "Easterner", site.arrange("east", "Easterner"))
    wait_for_scripts(page)
    let_it_act(page)
    yield page
    context.close()


def draw_positions(charts: list[Chart], count: int) -> list[dict[str, str]]:
    """Return the pictures of random positions, each with one of its powers."""
    rng = random.Random(36)
    drawn = []
    for number in range(count):
        chart = charts[number % len(charts)]
        board = chart.board
        powers = len(board.powers)
        size = rng.randint(powers, min(3 * powers, len(board.provinces) // 2))
        position = random_position(board, rng, size, powers=powers)
        power = rng.choice(position.units).power
        drawn.append({"drawing": render_overlay(chart, position, shapes=False), "power": power})
    return drawn


@pytest.mark.parametrize("size", [(320, 568), (390, 844), (844, 390)])
def test_a_unit_at_the_edge_is_beside_the_buttons(table: Page, size):
    table.set_viewport_size({"width": size[0], "height": size[1]})
    table.reload()
    wait_for_scripts(table)
    let_it_act(table)
    assert table.evaluate(COVERED) == []


def test_a_new_phase_and_a_turned_phone_show_the_own_units_again(table: Page):
    def leave() -> None:
        table.locator("map-view").evaluate(
            "view => { view.panzoom.taken(); view.panzoom.panBy(2000, 0); }"
        )
        assert table.evaluate(COVERED)

    leave()
    table.set_viewport_size({"width": 844, "height": 390})
    let_it_act(table)
    assert table.evaluate(COVERED) == []
    leave()
    be_ready(table)
    table.locator(".season", has_text="Fall 1904").wait_for()
    let_it_act(table)
    assert table.evaluate(COVERED) == []


def test_no_notice_lies_over_the_board(table: Page):
    table.get_by_role("button", name="Save and ready").click()
    table.context.set_offline(True)
    table.locator("#no-connection").wait_for()
    for tab in ("map", "orders"):
        table.locator(f"a[data-tab={tab}]").tap()
        over = table.evaluate(
            """() => {
                const map = document.querySelector(".table__map").getBoundingClientRect();
                return [...document.querySelectorAll("#notices > .note")]
                    .map((note) => note.getBoundingClientRect())
                    .filter(({ top, bottom }) => top < map.bottom - 1 && bottom > map.top + 1);
            }"""
        )
        assert over == []
        expect(table.locator("#no-connection")).to_be_in_viewport()


@pytest.mark.long
def test_no_unit_is_covered_on_two_hundred_positions(table: Page):
    charts = [standard_chart(), *(make_chart(f"phone {n}", n) for n in PLAYERS)]
    positions = draw_positions(charts, POSITIONS)
    covered = []
    for round_, (width, height) in enumerate(SIZES):
        table.set_viewport_size({"width": width, "height": height})
        let_it_act(table)
        found = table.evaluate(TRY, [positions, 1000 * (round_ + 1)])
        covered += [(width, *one) for one in found]
    assert not covered, covered
