"""A turn as it happens on the map of the game page, and past phases in the same place."""

import datetime as dt
import re
from datetime import UTC

import pytest
from judge.tests.effort import PATIENCE
from playwright.sync_api import Page, expect
from tests.browser.test_play import (
    be_ready,
    chip,
    expect_saved,
    find_point,
    let_it_act,
    slot,
    tap,
    verb,
    wait_for_scripts,
    wait_until_still,
)

DRAWING = """
document.querySelector('.map__sheet > svg').outerHTML.replace(/<title>.*?<.title>| style=""/g, '')
"""
"""Without tooltips and empty styles: a province gets its tooltip when the pointer is over it, and
the text of a drawing is measured with a style that is removed again."""
RECORD = """
const sheet = document.querySelector(".map__sheet");
const caption = document.querySelector(".turn-caption p");
[window.moves, window.captions] = [{}, []];
new MutationObserver((changes) => {
  for (const { target } of changes) {
    const { unit } = target.dataset;
    if (unit) (window.moves[unit] ??= []).push(target.getAttribute("transform"));
  }
}).observe(sheet, { subtree: true, attributeFilter: ["transform"] });
new MutationObserver(() => window.captions.push(caption.textContent))
  .observe(caption, { childList: true });
"""
"""Notes where units go and which captions appear."""


@pytest.fixture
def battle(page: Page, site, log_in):
    """Open a game in which a movement phase was just judged; England's army must retreat."""
    name = f"Fighter{next(NUMBERS)}"
    log_in(page, name, site.arrange("battle", name, "Foe"))
    expect(page.locator("g.orders .order.move[data-outcome]")).to_have_count(5)
    page.locator("map-view .provinces:not([data-same])").wait_for(state="attached")
    page.locator(".turn-caption p").wait_for(state="attached")
    wait_for_scripts(page)
    return page


NUMBERS = iter(range(1000))


def play(page: Page) -> None:
    page.locator(".phase-bar__play").click()
    expect(page.locator("map-view")).to_have_class(re.compile("is-past"))


def unit(page: Page, text: str, power: str):
    return page.locator(f'.unit[data-unit="{text}"][data-power="{power}"]')


def is_over(page: Page) -> None:
    expect(page.locator("map-view")).not_to_have_class(
        re.compile("is-past"), timeout=PATIENCE * 1000
    )


def stop_time(page: Page) -> None:
    """Stop the clock and the frames of the page, so that no animation ends by itself."""
    now = dt.datetime.now(UTC)
    page.clock.install(time=now)
    page.clock.pause_at(now + dt.timedelta(minutes=5))


@pytest.mark.guard
def test_a_turn_plays_and_ends_in_exactly_the_picture_of_the_page(battle: Page, complaints):
    before = battle.evaluate(DRAWING)
    battle.evaluate(RECORD)
    play(battle)
    is_over(battle)
    assert battle.evaluate(DRAWING) == before
    moves, captions = battle.evaluate("[window.moves, window.captions]")
    moved = {name: len(set(places)) for name, places in moves.items()}
    assert {"A YOR", "A BUR", "A PAR", "A BEL", "F ENG", "F BRE"} == moved.keys()
    assert captions[0] == "Spring 1902, Movement"
    assert captions[1].startswith("English army in Belgium: Dislodged by France’s army")
    assert complaints == []


@pytest.mark.parametrize("way", ["button", "tap", "key"])
def test_an_animation_can_be_skipped(battle: Page, way):
    before, panels = battle.evaluate(DRAWING), battle.locator(".slot__panel").count()
    sea = find_point(battle, "NAO")
    stop_time(battle)
    play(battle)
    battle.clock.run_for(500)
    if way == "button":
        battle.get_by_role("button", name="Skip").click()
    elif way == "tap":
        battle.mouse.click(*sea)
    else:
        battle.keyboard.press("Escape")
    is_over(battle)
    assert battle.evaluate(DRAWING) == before
    assert battle.locator(".slot__panel").count() == panels


def test_people_who_want_no_motion_see_a_still_picture(battle: Page):
    battle.emulate_media(reduced_motion="reduce")
    before = battle.evaluate(DRAWING)
    stop_time(battle)
    play(battle)
    expect(unit(battle, "A YOR", "ENGLAND")).to_have_count(1)
    still = battle.evaluate(DRAWING)
    battle.clock.run_for(1500)
    assert battle.evaluate(DRAWING) == still
    expect(battle.locator(".turn-caption")).to_contain_text("Dislodged by")
    battle.clock.run_for(3000)
    is_over(battle)
    assert battle.evaluate(DRAWING) == before


@pytest.mark.guard
def test_arrow_keys_show_past_phases_and_keep_unsaved_orders(battle: Page):
    slot(battle, "Army in Belgium").click()
    verb(battle, "Retreat").click()
    chip(battle, "Holland").click()
    expect_saved(battle)
    expect(battle.locator('g.order-marks [data-order="A BEL R HOL"]')).to_have_count(1)
    before, address = battle.evaluate(DRAWING), battle.url
    battle.keyboard.press("ArrowLeft")
    expect(battle.locator(".phase-bar__title")).to_have_text("Spring 1902, Movement")
    expect(unit(battle, "A YOR", "ENGLAND")).to_have_count(1)
    expect(battle.locator(".phase-list [aria-current]")).to_have_count(1)
    battle.keyboard.press("ArrowRight")
    expect(battle.locator(".phase-bar__title")).to_have_text("Spring 1902, Retreats")
    assert battle.evaluate(DRAWING) == before
    battle.keyboard.press("Home")
    expect(unit(battle, "A YOR", "ENGLAND")).to_have_count(1)
    expect(battle.locator(".bar__past")).to_have_text("Spring 1902 · past")
    expect(battle.locator(".bar__phase")).to_be_hidden()
    battle.get_by_role("button", name="Back to now").click()
    assert battle.evaluate(DRAWING) == before
    assert battle.url == address
    expect(slot(battle, "Army in Belgium")).to_contain_text("Holland")
    expect_saved(battle)


def test_the_first_order_replaces_the_arrows_of_the_last_turn(battle: Page):
    slot(battle, "Army in Belgium").click()
    verb(battle, "Retreat").click()
    chip(battle, "Holland").click()
    expect(battle.locator('g.order-marks [data-order="A BEL R HOL"]')).to_have_count(1)
    expect(battle.locator(".order[data-outcome]")).to_have_count(0)


def test_a_tap_on_an_order_says_why(battle: Page):
    box = battle.locator('.order[data-order="A YOR - NWY"] path').first.bounding_box()
    assert box
    battle.mouse.click(box["x"] + box["width"] * 0.8, box["y"] + box["height"] * 0.2)
    note = battle.get_by_role("dialog", name="Why: A YOR - NWY")
    expect(note).to_contain_text("Moved by convoy to Norway.")
    battle.keyboard.press("Escape")
    expect(note).to_have_count(0)


def test_a_tap_on_a_unit_of_a_past_phase_says_why_and_orders_nothing(battle: Page):
    panel = battle.locator(".slot__panel").inner_html()
    battle.keyboard.press("ArrowLeft")
    expect(unit(battle, "A YOR", "ENGLAND")).to_have_count(1)
    tap(battle, "ENG")
    note = battle.get_by_role("dialog", name="Why: F ENG - MAO")
    expect(note).to_contain_text("France’s fleet from Brest also tried to move there")
    expect(note.locator(".turn-why__more")).not_to_be_empty()
    assert battle.locator(".slot__panel").inner_html() == panel


def test_a_phase_that_was_just_judged_plays_by_itself(battle: Page):
    shapes = battle.locator("g.provinces > path").count()
    with battle.expect_response(lambda response: response.request.method == "POST") as saved:
        be_ready(battle)
    assert len(saved.value.body()) < 120_000
    expect(battle.locator("map-view")).to_have_class(re.compile("is-past"))
    expect(battle.locator(".turn-caption")).to_contain_text("Spring 1902, Retreats")
    is_over(battle)
    expect(battle.locator(".season")).to_have_text("Fall 1902")
    assert battle.locator(".order[data-outcome]").count() > 0
    assert battle.locator("g.provinces > path").count() == shapes
    assert battle.locator("g.names text").count() > 0
    assert battle.locator("[data-same]").count() == 0
    battle.reload()
    wait_for_scripts(battle)
    let_it_act(battle)
    expect(battle.locator("map-view")).not_to_have_class(re.compile("is-past"))


PHONE = {"width": 390, "height": 844}
ON_VIEW = """names => {
    const room = document.querySelector(".map__window").getBoundingClientRect();
    const inside = ({ left, right, top, bottom }) => left >= room.left && right <= room.right
        && top >= room.top && bottom <= room.bottom;
    return names.filter(name => {
        const unit = document.querySelector(`.unit[data-unit="${name}"]`);
        return unit && inside(unit.getBoundingClientRect());
    });
}"""
TRANSFORM = "document.querySelector('.map__sheet').style.transform"


def zoom_in_on_a_corner(page: Page) -> None:
    page.locator(".map__window").focus()
    for key in ("+", "+", "+", "+"):
        page.keyboard.press(key)
    for key in ("ArrowLeft",) * 12:
        page.keyboard.press(key)
    wait_until_still(page)


def test_on_a_phone_a_turn_plays_beside_the_orders_and_comes_into_view(battle: Page):
    battle.set_viewport_size(PHONE)
    zoom_in_on_a_corner(battle)
    place = battle.evaluate(TRANSFORM)
    moving = ["A YOR", "A BUR", "F BRE"]
    battle.get_by_role("button", name="Play the last turn").click()
    expect(battle.locator("map-view")).to_have_class(re.compile("is-past"))
    expect(battle.locator(".map__window")).to_have_class(re.compile("is-visiting"))
    wait_until_still(battle)
    assert battle.evaluate(ON_VIEW, moving) == moving
    expect(battle.locator(".slot__button").first).to_be_visible()
    is_over(battle)
    wait_until_still(battle)
    assert battle.evaluate(TRANSFORM) == place


def test_who_moves_the_map_while_a_turn_plays_stays_there(battle: Page):
    zoom_in_on_a_corner(battle)
    play(battle)
    expect(battle.locator(".map__window")).to_have_class(re.compile("is-visiting"))
    wait_until_still(battle)
    battle.locator(".map__window").focus()
    battle.keyboard.press("+")
    wait_until_still(battle)
    place = battle.evaluate(TRANSFORM)
    is_over(battle)
    assert battle.evaluate(TRANSFORM) == place


@pytest.mark.guard
def test_results_are_shown_on_the_map_beside_unsaved_orders(battle: Page):
    slot(battle, "Army in Belgium").click()
    verb(battle, "Retreat").click()
    chip(battle, "Holland").click()
    address = battle.url
    battle.get_by_role("link", name="Show on the map").click()
    expect(battle.locator(".phase-bar__title")).to_have_text("Spring 1902, Movement")
    expect(unit(battle, "A YOR", "ENGLAND")).to_have_count(1)
    assert battle.url == address
    expect_saved(battle)


def test_orders_that_are_drawn_late_wait_for_the_present_picture(battle: Page, hold):
    address = battle.locator("order-form").get_attribute("data-sketch")
    drawings = hold("POST", address)
    slot(battle, "Army in Belgium").click()
    verb(battle, "Retreat").click()
    chip(battle, "Holland").click()
    [drawing] = drawings.take()
    battle.get_by_role("link", name="Show on the map").click()
    expect(unit(battle, "A YOR", "ENGLAND")).to_have_count(1)
    before = battle.evaluate(DRAWING)
    with battle.expect_event("requestfinished", lambda request: request.url.endswith(address)):
        drawing.release()
    let_it_act(battle)
    assert battle.evaluate(DRAWING) == before
    expect(battle.locator(".phase-bar__title")).to_have_text("Spring 1902, Movement")
    battle.get_by_role("button", name="Back to now").click()
    expect(battle.locator('g.order-marks [data-order="A BEL R HOL"]')).to_have_count(1)
    expect(unit(battle, "A YOR", "ENGLAND")).to_have_count(0)


def test_a_past_phase_shows_no_marks_of_the_present_one(battle: Page):
    slot(battle, "Army in Belgium").click()
    fill = """code => {
      const { fill, stroke } = getComputedStyle(document.getElementById(`p-${code}`));
      return [fill, stroke];
    }"""
    unmarked = battle.evaluate(fill, "NAO")
    assert battle.evaluate(fill, "HOL") != unmarked
    battle.keyboard.press("Escape")
    battle.keyboard.press("ArrowLeft")
    expect(unit(battle, "A YOR", "ENGLAND")).to_have_count(1)
    battle.evaluate("document.querySelector('order-form').slots[0].button.focus()")
    battle.evaluate("document.querySelector('order-form').map.mark({ targets: ['HOL'] })")
    assert battle.evaluate(fill, "HOL") == unmarked


def test_a_link_to_a_part_of_the_page_leads_there_without_loading_it_again(battle: Page):
    battle.set_viewport_size(PHONE)
    battle.evaluate("window.isSamePage = true")
    battle.evaluate("document.querySelector('live-game').point('Spring 1902, Retreats')")
    battle.get_by_role("link", name="the results").click()
    expect(battle.locator("#last-results")).to_be_in_viewport()
    let_it_act(battle)
    assert battle.evaluate("window.isSamePage")


def test_pages_of_past_phases_swap_their_parts_in_place(battle: Page, complaints):
    be_ready(battle)
    expect(battle.locator(".season")).to_have_text("Fall 1902")
    is_over(battle)
    battle.goto(f"{battle.url.split('#')[0]}phases/1/")
    wait_for_scripts(battle)
    expect(battle.locator("#phase-heading")).to_have_text("Spring 1902, Movement")
    expect(unit(battle, "A YOR", "ENGLAND")).to_have_count(1)
    battle.get_by_role("button", name="Zoom in").click()
    wait_until_still(battle)
    place = battle.evaluate(TRANSFORM)
    battle.evaluate("document.querySelector('map-view').dataset.same = ''")
    with battle.expect_response(re.compile(r"/phases/2/$")) as answer:
        battle.locator('phase-bar a[rel="next"]').first.click()
    assert len(answer.value.body()) < 90_000
    expect(battle.locator("#phase-heading")).to_have_text("Spring 1902, Retreats")
    expect(battle).to_have_title(re.compile("^Spring 1902, Retreats · "))
    expect(battle).to_have_url(re.compile(r"/phases/2/$"))
    expect(unit(battle, "A YOR", "ENGLAND")).to_have_count(0)
    expect(battle.locator(".phase-bar__title")).to_have_text("Spring 1902, Retreats")
    expect(battle.locator("map-view[data-same]")).to_have_count(1)
    assert battle.evaluate(TRANSFORM) == place
    expect(battle.locator("svg [data-same]")).to_have_count(0)
    battle.locator(".why__ask").first.click()
    expect(battle.locator(".why__text").first).to_be_visible()
    battle.go_back()
    expect(battle.locator("#phase-heading")).to_have_text("Spring 1902, Movement")
    expect(unit(battle, "A YOR", "ENGLAND")).to_have_count(1)
    expect(battle.locator("map-view[data-same]")).to_have_count(1)
    assert complaints == []
