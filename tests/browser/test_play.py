"""A person plays by clicking, by typing and with others, and looks at past phases."""

import re
import time

import pytest
from judge.tests.effort import PATIENCE
from playwright.sync_api import Page, expect


def slot(page: Page, title: str):
    """Return the button of one line of the order form."""
    return page.locator(".slot__button", has_text=title)


def chip(page: Page, text: str):
    return page.locator(".slot__panel .chip", has_text=re.compile(f"^{re.escape(text)}$"))


def verb(page: Page, word: str):
    return page.locator(".slot__panel .verb", has_text=re.compile(f"^{word}$"))


def wait_for_scripts(page: Page) -> None:
    """Wait until the page of a game reacts to everything.

    It loads its scripts one after another, and its load event does not wait for them.
    """
    page.wait_for_function("() => customElements.get('copy-text')", timeout=PATIENCE * 1000)


def wait_until_still(page: Page) -> None:
    """Wait until the map has glided to its place."""
    page.wait_for_function(
        "() => document.querySelector('.map__sheet').getAnimations().length === 0"
    )


def wait_until(page: Page, condition) -> None:
    """Wait for a condition; the content security policy forbids Playwright's own method."""
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, "the condition was never met"
        page.wait_for_timeout(50)


def let_it_act(page: Page) -> None:
    """Wait until the page has done what it was about to do: run its tasks, and drawn itself."""
    frame = "new Promise((done) => requestAnimationFrame(() => setTimeout(done)))"
    page.evaluate(f"{frame}.then(() => {frame})")


def tap(page: Page, province: str, *, finger: bool = False) -> None:
    """Touch a visible point of `province` or of its unit on the map of a game."""
    point = find_point(page, province)
    if finger:
        page.touchscreen.tap(*point)
    else:
        page.mouse.click(*point)


def find_point(page: Page, province: str) -> list[float]:
    """Return a visible point of `province` or of its unit; the page's clock must run."""
    wait_for_scripts(page)
    page.locator("map-view .provinces:not([data-same])").wait_for(state="attached")
    let_it_act(page)
    point = page.evaluate(
        """code => {
            const shape = document.querySelector(`path[data-province="${code}"]`);
            const unit = document.querySelector(`.unit[data-province="${code}"]`);
            const box = (unit ?? shape).getBoundingClientRect();
            for (let n = 1; n < 400; n += 1) {
                const x = box.left + box.width * ((n * 0.618) % 1);
                const y = box.top + box.height * ((n * 0.383) % 1);
                const found = document.elementFromPoint(x, y)?.closest("[data-province]");
                if (found?.dataset.province === code) return [x, y];
            }
            return null;
        }""",
        province,
    )
    assert point, f"no point of {province} can be touched"
    return point


def open_tab(page: Page, name: str) -> None:
    """Show a section of the panel beside the map."""
    page.get_by_role("navigation", name="Panel").get_by_role("link", name=name).click()


ANYWAY = "Mark as ready anyway"


SAVE_TEXT = "Save typed orders"


def expect_saved(page: Page) -> None:
    """Wait until the page says that the orders given last are saved."""
    expect(page.locator(".order-form__state[data-state=saved]")).to_be_visible()


def be_ready(page: Page) -> None:
    """Press "Save and ready" without any order, and confirm it."""
    page.get_by_role("button", name="Save and ready").click()
    page.get_by_role("button", name=ANYWAY).click()


def values(page: Page) -> list[str]:
    return page.locator("select[name=order]").evaluate_all("all => all.map(one => one.value)")


@pytest.mark.guard
def test_a_newcomer_plays_a_solo_game_from_the_first_page(page: Page, site, complaints):
    page.goto("/")
    page.get_by_role("link", name="Play now", exact=True).click()
    expect(page.locator(".season")).to_have_text("Spring 1901")
    expect(page.get_by_role("timer")).to_contain_text(re.compile(r"\d+d \d+h|\d+h \d\dm"))

    page.locator(".slot__button").first.click()
    verb(page, "Move").click()
    page.locator(".slot__panel .chip").first.click()
    expect(page.locator(".order-form__dirty")).to_be_visible()
    order = values(page)[0]
    expect(page.locator(f'g.orders [data-order="{order}"]')).to_have_count(1)
    page.get_by_role("button", name="Save orders").click()
    expect(page.locator("#notices")).to_contain_text(order)
    expect(page).to_have_url(re.compile(r"/games/[a-z2-9]{10}/"))

    page.get_by_role("button", name="Save and ready").click()
    expect(page.locator(".season")).not_to_have_text("Spring 1901")
    expect(page.get_by_role("heading", name="Results of")).to_be_visible()
    expect(page.locator("#order-form-status")).not_to_contain_text("saved")

    page.keyboard.press("Home")
    expect(page.locator(".phase-bar__title")).to_have_text("Spring 1901, Movement")
    expect(page.locator("map-view")).to_have_class(re.compile("is-past"))
    expect(page.locator(f'g.orders [data-order="{order}"][data-outcome]')).to_have_count(1)
    expect(page.locator(".result code", has_text=order)).to_be_visible()
    page.keyboard.press("End")
    expect(page.get_by_role("heading", name=re.compile("Orders|Retreats|Builds"))).to_be_visible()
    open_tab(page, "Game")
    page.get_by_role("link", name="Centers", exact=True).click()
    expect(page.get_by_text("Rankings", exact=True)).to_be_visible()
    assert complaints == []


@pytest.mark.guard
def test_a_guest_sees_the_first_turn_happen(page: Page, site, complaints):
    page.goto("/")
    page.get_by_role("link", name="Play now", exact=True).click()
    expect(page.locator("#hint-heading")).to_have_count(0)
    page.locator(".slot__button").first.click()
    verb(page, "Move").click()
    page.locator(".slot__panel .chip").first.click()
    page.get_by_role("button", name="Save and ready").click()
    expect(page).to_have_url(re.compile(r"/games/[a-z2-9]{10}/$"))
    expect(page.locator("map-view")).to_have_class(re.compile("is-past"))
    expect(page.locator(".turn-caption")).not_to_be_empty()
    expect(page.locator("#notices .note")).to_have_count(1)
    assert complaints == []


@pytest.mark.guard
def test_every_kind_of_movement_order_can_be_clicked(page: Page, site, log_in, complaints):
    log_in(page, "Clicker", site.arrange("movement", "Clicker"))

    slot(page, "Army in London").click()
    verb(page, "Move").click()
    chip(page, "Norway").click()

    slot(page, "Fleet in North Sea").click()
    verb(page, "Convoy").click()
    chip(page, "English army in London").click()
    chip(page, "Norway").click()

    slot(page, "Fleet in English Channel").click()
    verb(page, "Support").click()
    chip(page, "English fleet in North Sea").click()
    chip(page, "to hold where it is").click()

    slot(page, "Army in Yorkshire").click()
    page.keyboard.press("h")

    assert sorted(values(page)) == [
        "A LON - NWY",
        "A YOR H",
        "F ENG S F NTH",
        "F NTH C A LON - NWY",
    ]
    page.get_by_role("button", name="Save and ready").click()
    expect(page.locator(".result code", has_text="A LON - NWY").first).to_be_visible()
    expect(page.locator(".result--good", has_text="A LON - NWY").first).to_be_visible()
    assert complaints == []


def test_units_and_targets_can_be_tapped_on_the_map(page: Page, site, log_in):
    log_in(page, "Tapper", site.arrange("movement", "Tapper"))
    tap(page, "YOR")
    expect(slot(page, "Army in Yorkshire")).to_have_attribute("aria-expanded", "true")
    tap(page, "EDI")
    expect(slot(page, "Army in Yorkshire")).to_contain_text("Move to Edinburgh")
    tap(page, "ENG")
    page.keyboard.press("s")
    tap(page, "LON")
    expect(page.locator(".slot__panel .chip").first).to_be_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    expect(page.locator(".slot__button[aria-expanded=true]")).to_have_count(0)
    assert "A YOR - EDI" in values(page)


@pytest.mark.guard
def test_orders_can_be_tapped_on_a_phone(browser, site, log_in):
    context = browser.new_context(
        base_url=site.url, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True
    )
    page = context.new_page()
    log_in(page, "Finger", site.arrange("movement", "Finger"))
    tap(page, "YOR", finger=True)
    expect(slot(page, "Army in Yorkshire")).to_have_attribute("aria-expanded", "true")
    expect(slot(page, "Army in Yorkshire")).to_be_in_viewport()
    tap(page, "LVP", finger=True)
    expect(slot(page, "Army in Yorkshire")).to_contain_text("Move to Liverpool")
    expect_saved(page)
    context.close()


@pytest.mark.guard
def test_a_late_submission_is_rejected_and_nothing_is_lost(page: Page, site, log_in, hold):
    for path in ("/live/games/*", "*/state/"):
        hold("GET", path).answer(503)
    path = site.arrange("movement", "Late")
    log_in(page, "Late", path)
    wait_for_scripts(page)
    held = hold("POST", "*/orders/save/")
    slot(page, "Army in Yorkshire").click()
    verb(page, "Move").click()
    chip(page, "Liverpool").click()
    other = page.context.new_page()
    other.goto(path)
    be_ready(other)
    expect(other.locator(".season")).to_have_text("Fall 1902")
    held.end()
    expect(page.locator(".order-form__state")).to_have_attribute("data-state", "refused")
    expect(page.locator(".order-form__state")).to_contain_text("Spring 1902, Movement")
    assert "A YOR - LVP" in values(page)


@pytest.mark.guard
def test_a_zoomed_map_can_be_tapped(page: Page, site, log_in):
    log_in(page, "Zoomer", site.arrange("movement", "Zoomer"))
    wait_for_scripts(page)
    before = page.locator("svg.overlay").bounding_box()["width"]
    page.get_by_role("button", name="Zoom in").click()
    page.wait_for_function(
        "was => document.querySelector('svg.overlay').getBoundingClientRect().width > was * 1.3",
        arg=before,
    )
    wait_until_still(page)
    tap(page, "YOR")
    expect(slot(page, "Army in Yorkshire")).to_have_attribute("aria-expanded", "true")
    page.get_by_role("button", name="Save and ready").click()
    page.get_by_role("button", name=ANYWAY).wait_for()
    let_it_act(page)
    assert page.locator("svg.overlay").bounding_box()["width"] > before * 1.3
    page.locator("[data-zoom=whole]").click()


def test_only_legal_choices_are_offered(page: Page, site, log_in):
    log_in(page, "Lawful", site.arrange("movement", "Lawful"))
    slot(page, "Fleet in North Sea").click()
    verb(page, "Move").click()
    offered = page.locator(".slot__panel .chip").all_inner_texts()
    assert "Norway" in offered
    assert not {"Paris", "Liverpool", "Portugal"} & set(offered)
    expect(page.locator("path.is-target[data-province=NWY]")).to_have_count(1)
    marked = page.locator("path.province.is-target").evaluate_all(
        "all => all.map(one => one.dataset.province)"
    )
    assert "NWY" in marked
    assert "PAR" not in marked


def test_a_dislodged_unit_can_be_selected_beside_its_attacker(page: Page, site, log_in):
    log_in(page, "Beaten", site.arrange("dislodged", "Beaten"))
    expect(page.locator(".slot--dislodged")).to_contain_text("Army in Belgium")
    tap(page, "BEL")
    expect(slot(page, "Army in Belgium")).to_have_attribute("aria-expanded", "true")
    tap(page, "HOL")
    expect(slot(page, "Army in Belgium")).to_contain_text("Retreat to Holland")
    page.get_by_role("button", name="Save and ready").click()
    expect(page.locator(".result--good", has_text="A BEL R HOL")).to_be_visible()


@pytest.mark.guard
def test_a_build_takes_a_center_and_then_a_kind_of_unit(page: Page, site, log_in):
    log_in(page, "Builder", site.arrange("builds", "Builder"))
    expect(page.locator(".slot")).to_have_count(2)
    slot(page, "Build 1").click()
    page.keyboard.press("b")
    chip(page, "London").click()
    page.locator(".slot__panel .chip", has_text="fleet in London").click()
    slot(page, "Build 2").click()
    page.keyboard.press("b")
    expect(chip(page, "London")).to_have_count(0)
    chip(page, "Liverpool").click()
    page.locator(".slot__panel .chip", has_text="army in Liverpool").click()
    page.get_by_role("button", name="Save and ready").click()
    expect(page.locator(".result--good", has_text="F LON B")).to_be_visible()
    expect(page.locator(".result--good", has_text="A LVP B")).to_be_visible()


def test_a_disband_is_chosen_on_the_map(page: Page, site, log_in):
    log_in(page, "Shrinker", site.arrange("disbands", "Shrinker"))
    tap(page, "YOR")
    assert values(page) == ["A YOR D"]
    page.get_by_role("button", name="Save and ready").click()
    expect(page.locator(".result--good", has_text="A YOR D")).to_be_visible()


@pytest.mark.guard
def test_an_impossible_typed_order_is_rejected_beside_the_form(page: Page, site, log_in):
    log_in(page, "Typist", site.arrange("movement", "Typist"))
    page.get_by_text("Type orders").click()
    page.get_by_label("Orders as text").fill("A YOR - PRA\nF NTH - NWY")
    page.get_by_role("button", name=SAVE_TEXT).click()
    alert = page.locator("#order-form-status [role=alert]")
    expect(alert).to_contain_text("A YOR - PRA")
    expect(alert).to_contain_text("PRA")
    expect(page.get_by_label("Orders as text")).to_have_value("A YOR - PRA")
    assert "F NTH - NWY" in values(page)


@pytest.mark.guard
def test_the_last_turn_ends_on_the_final_map_and_ranking(page: Page, site, log_in):
    log_in(page, "Winner", site.arrange("last", "Winner"))
    be_ready(page)
    expect(page.locator(".laurels")).to_contain_text("England")
    expect(page.get_by_text("Final rankings")).to_be_visible()
    expect(page.locator("svg.overlay")).to_be_visible()
    page.get_by_role("link", name="Review").click()
    expect(page.locator("#phase-heading")).to_have_text("Fall 1909, Movement")


@pytest.fixture
def rivals(page: Page, site, log_in, browser):
    """Return the pages of Alice as England and of Bob, in another browser, as France."""
    path = site.arrange("movement", "Alice", "Bob")
    other = browser.new_context(base_url=site.url).new_page()
    log_in(page, "Alice", path)
    log_in(other, "Bob", path)
    yield page, other
    other.context.close()


@pytest.mark.guard
def test_others_see_readiness_at_once_and_it_can_be_withdrawn(rivals):
    alice, bob = rivals
    be_ready(alice)
    open_tab(bob, "Powers")
    expect(bob.locator("tr[data-seat=ENGLAND] [data-ready]")).to_have_text("ready")
    alice.get_by_role("button", name="I'm not ready").click()
    expect(bob.locator("tr[data-seat=ENGLAND] [data-ready]")).to_have_text("not ready")
    expect(alice.get_by_role("button", name="Save and ready")).to_be_visible()


@pytest.mark.guard
def test_the_last_ready_player_brings_everyone_to_the_next_phase(rivals):
    alice, bob = rivals
    be_ready(alice)
    expect(alice.get_by_role("button", name="I'm not ready")).to_be_visible()
    be_ready(bob)
    expect(bob.locator(".season")).to_have_text("Fall 1902")
    expect(alice.locator(".season")).to_have_text("Fall 1902")


def test_unsaved_orders_remain_after_the_phase_with_a_warning(rivals, hold):
    alice, bob = rivals
    other = alice.context.new_page()
    other.goto(alice.url)
    be_ready(other)
    expect(other.get_by_role("button", name="I'm not ready")).to_be_visible()
    hold("POST", "*/orders/save/")
    slot(alice, "Army in Yorkshire").click()
    verb(alice, "Move").click()
    chip(alice, "Liverpool").click()
    be_ready(bob)
    expect(alice.locator(".note--turned")).to_contain_text("This phase is over")
    expect(alice.locator(".clock__face:visible")).to_contain_text("This phase is over.")
    expect(alice.locator(".order-form__over")).to_have_text(
        "This phase is over. Changes that you have not saved do not count."
    )
    # News of a moved deadline may come later than that of the new phase.
    alice.evaluate("document.querySelector('live-game').renewClock('2099-01-01T00:00:00Z')")
    expect(alice.locator(".clock__face:visible")).to_contain_text("This phase is over.")
    expect(alice.locator("#save-typed")).to_be_disabled()
    assert "A YOR - LVP" in values(alice)


def test_the_waiting_room_follows_others_and_leaves_the_focus(site, visit):
    path = site.arrange("waiting", "Alice", "Bob")
    alice, bob = visit("Alice", path), visit("Bob", path)
    alice.evaluate("window.kept = true")
    remove = alice.get_by_role("button", name="Remove Bob")
    remove.focus()
    bob.get_by_role("button", name="I'm ready to start").click()
    expect(alice.locator(".chair", has_text="Bob")).to_contain_text("ready")
    expect(remove).to_be_focused()
    bob.get_by_role("button", name="Leave game").click()
    expect(alice.locator(".room__head h2")).to_have_text("1 of 7 seats are taken")
    expect(alice.locator(".room__seats")).to_be_focused()
    assert alice.evaluate("window.kept")


def test_an_event_older_than_the_page_changes_nothing(page: Page, site, log_in, hold):
    old = 'retry: 10\nevent: changed\ndata: {"version": 0, "phase": 0, "status": "forming"}\n\n'
    hold("GET", "/live/games/*").answer(200, old, "text/event-stream")
    log_in(page, "Listener", site.arrange("movement", "Listener", "Talker"))
    with page.expect_response("**/live/games/*"):
        page.reload()
    page.evaluate("window.kept = true")
    # The browser asks again once the page has heard the event.
    for _ in range(2):
        with page.expect_response("**/live/games/*"):
            pass
    let_it_act(page)
    assert page.evaluate("window.kept")


@pytest.mark.guard
def test_a_page_without_an_event_stream_polls(page: Page, site, log_in, hold):
    hold("GET", "/live/games/*").answer(503)
    page.clock.install()
    log_in(page, "Deaf", site.arrange("movement", "Deaf", "Loud"))
    asked = []
    page.on("request", lambda request: asked.append(request.url.endswith("/state/")))
    # The page may hear only after some of it that there is no stream.
    wait_until(page, lambda: page.clock.run_for(11_000) or any(asked))
