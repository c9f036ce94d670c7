"""Games without a connection: stored boards, orders that wait, and nothing left after log-out."""

import pytest
from playwright.sync_api import expect
from tests.browser.conftest import HERE
from tests.browser.test_play import expect_saved, verb, wait_until


@pytest.fixture
def stored_game(site, page, log_in):
    """Return the path of a game that is open on the page, and stored."""
    path = site.arrange("movement", "Pat", "Kim")
    log_in(page, "Pat", path)
    page.evaluate(
        """async (path) => {
          const isStored = async () => {
            for (const name of await caches.keys())
              if (await (await caches.open(name)).match(path)) return true;
            return false;
          };
          while (!await isStored()) await new Promise((resolve) => setTimeout(resolve, 100));
        }""",
        path,
    )
    return path


def choose_first_order(page, place: int = 0) -> str:
    """Choose a move for the first unit, and return it."""
    page.locator(".slot__button").first.click()
    verb(page, "Move").click()
    page.locator(".slot__panel .chip").nth(place).click()
    return page.locator("select[name=order]").first.input_value()


def ready(page) -> None:
    page.evaluate(
        "document.getElementById('orders').requestSubmit(document.getElementById('save-ready'))"
    )


def expect_waiting(page) -> None:
    """Wait until the page says that the orders given last are not saved."""
    expect(page.locator(".order-form__state[data-state=waiting]")).to_be_visible()


def lose_connection(page, context) -> None:
    """Disconnect the browser, and leave it only what the service worker has stored."""
    context.new_cdp_session(page).send("Network.clearBrowserCache")
    context.set_offline(True)


def expect_land(page) -> None:
    """Wait until the base map is loaded, and check that it is a picture."""
    expect(page.locator(".map__base img")).to_have_js_property("complete", True)
    assert page.evaluate("document.querySelector('.map__base img').naturalWidth") > 0


def test_the_board_opens_without_a_connection(page, context, stored_game):
    lose_connection(page, context)
    page.reload()
    expect(page.locator("#no-connection")).to_contain_text("the board as it was")
    expect_land(page)
    expect(page.locator("select[name=order]").first).to_be_attached()


def test_a_board_in_another_style_has_its_land_without_a_connection(page, context, stored_game):
    page.get_by_label("Map style").select_option("modern")
    for _ in range(2):  # the page that is stored has the style
        page.reload()
        expect_land(page)
    lose_connection(page, context)
    page.reload()
    expect(page.locator("html[data-stored-at]")).to_have_attribute("data-map-style", "modern")
    expect_land(page)


def test_a_stored_board_gives_way_to_the_site_unless_orders_would_be_lost(
    page, context, stored_game, hold
):
    context.set_offline(True)
    page.clock.install()
    page.reload()
    expect(page.locator("html[data-stored-at]")).to_have_count(1)
    choose_first_order(page)
    expect_waiting(page)
    saves = hold("POST", "*/orders/save/")
    context.set_offline(False)
    wait_until(page, saves.count)
    for _ in range(12):  # the site answers many times
        page.clock.run_for(500)
        page.evaluate(f"async () => {{ await fetch('{stored_game}state/'); }}")
    expect(page.locator("html[data-stored-at]")).to_have_count(1)
    saves.end()
    expect(page.locator("html[data-stored-at]")).to_have_count(0)
    expect(page.locator("#no-connection")).to_have_count(0)


def test_another_page_says_that_it_is_not_stored_and_lists_the_games(page, context, stored_game):
    context.set_offline(True)
    page.goto("/games/")
    expect(page.get_by_role("heading", name="No connection")).to_be_visible()
    page.locator("#stored-games a").click()
    expect(page.locator("#no-connection")).to_contain_text("the board as it was")


def test_orders_given_offline_wait_and_are_sent(page, context, stored_game):
    context.set_offline(True)
    page.reload()
    expect(page.locator("#no-connection")).to_be_visible()
    order = choose_first_order(page)
    expect_waiting(page)
    page.reload()
    expect_waiting(page)
    expect(page.locator("select[name=order]").first).to_have_value(order)
    newest = choose_first_order(page, 1)
    expect(page.locator(".order-form__state")).to_contain_text("No connection.")
    assert page.evaluate(WAITING) == [[newest]]
    context.set_offline(False)
    expect(page.locator("html[data-stored-at]")).to_have_count(0)
    expect_saved(page)
    expect(page.locator("select[name=order]").first).to_have_value(newest)
    assert page.evaluate(WAITING) == []


WAITING = """async () => (await offlineStore.readOrders())
  .map(({ fields }) => fields.filter(([name]) => name === "order").map(([, value]) => value))"""


@pytest.mark.guard
def test_orders_given_in_airplane_mode_survive_a_closed_tab(page, context, stored_game):
    page.evaluate("navigator.serviceWorker.ready.then(() => 1)")
    context.set_offline(True)
    order = choose_first_order(page)
    expect_waiting(page)
    page.close(run_before_unload=False)
    context.set_offline(False)
    again = context.new_page()
    again.goto(stored_game)
    expect(again.locator("select[name=order]").first).to_have_value(order)


def test_orders_whose_answer_was_lost_are_no_conflict(page, stored_game, hold):
    held = hold("POST", "*/orders/save/")
    choose_first_order(page)
    [lost] = held.take()
    newest = choose_first_order(page, 1)
    # The tab is hidden before the answer: the newest set is sent at once.
    page.evaluate("document.querySelector('order-form').saver.sendNow()")
    [_, hidden] = [lost, *held.take()]
    lost.release()
    hidden.release()
    expect_saved(page)
    held.end()
    page.reload()
    expect(page.locator("select[name=order]").first).to_have_value(newest)


def test_a_waiting_set_for_a_phase_that_is_over_is_refused_with_the_reason(
    page, context, stored_game, site
):
    context.set_offline(True)
    order = choose_first_order(page)
    expect_waiting(page)
    site.run(str(HERE / "game_setup.py"), "end", stored_game)
    page.goto("about:blank")
    context.set_offline(False)
    page.goto(stored_game)
    note = page.locator("[id^=refused-]")
    expect(note).to_contain_text("was resolved")
    expect(note).to_contain_text(order)


SEND = """async () => {
  window.entry = { key: "k", account: "me", url: "/slow/", fields: [["order", "old"]], at: 1 };
  await offlineStore.writeOrders(entry);
  window.sent = offlineStore.sendOrders("me");
}"""
CHANGE = 'offlineStore.writeOrders({ ...entry, fields: [["order", "new"]], at: 2 })'
FIND_ENDS = """async () => {
  const ends = (await sent).map(([, end]) => end);
  return [ends, (await offlineStore.readOrders()).map(({ fields }) => fields[0][1])];
}"""


@pytest.mark.parametrize("status", [200, 409])
def test_orders_changed_while_older_ones_are_sent_stay(page, stored_game, hold, status):
    held = hold("POST", "/slow/")
    page.evaluate(SEND)
    [older] = held.take()
    page.evaluate(CHANGE)
    older.answer(status)
    end = "saved" if status == 200 else "refused"
    assert page.evaluate(FIND_ENDS) == [[end], ["new"]]


def test_orders_wait_while_a_proxy_answers_for_the_site(page, stored_game, hold):
    page.evaluate("navigator.serviceWorker.ready.then(() => 1)")
    choose_first_order(page)
    expect_saved(page)
    held = hold("POST", "*/orders/save/")
    held.answer(502, "<h1>Bad Gateway</h1>")
    order = choose_first_order(page, 1)
    expect_waiting(page)
    held.end()
    expect_saved(page)
    expect(page.locator("select[name=order]").first).to_have_value(order)


def test_newer_orders_are_not_overwritten(site, browser, page, context, stored_game, log_in):
    context.set_offline(True)
    choose_first_order(page)
    expect_waiting(page)
    other = browser.new_context(base_url=site.url).new_page()
    log_in(other, "Pat", stored_game)
    choose_first_order(other, 1)
    expect_saved(other)
    other.context.close()
    context.set_offline(False)
    expect(page.locator(".conflict tr.is-different")).to_have_count(1)


def test_nothing_is_left_after_log_out(page, context, stored_game):
    context.set_offline(True)
    choose_first_order(page)
    expect_waiting(page)
    # The worker sends the form, in vain, when it has deleted everything.
    with page.expect_event("requestfailed", lambda request: "logout" in request.url):
        page.evaluate("document.querySelector('form[action*=logout]').requestSubmit()")
    context.set_offline(False)
    page.goto("/rules/")
    names = page.evaluate("caches.keys()")
    assert not [name for name in names if name.startswith("account-")]
    assert (
        page.evaluate(
            """() => new Promise((resolve) => {
          const opening = indexedDB.open("diplomaccloud");
          opening.onsuccess = () => {
            const rows = opening.result.transaction("orders").objectStore("orders").getAll();
            rows.onsuccess = () => resolve(rows.result.length);
          };
        })"""
        )
        == 0
    )


def test_another_account_finds_nothing(page, context, stored_game, log_in, site):
    context.set_offline(True)
    choose_first_order(page)
    expect_waiting(page)
    page.goto("about:blank")  # back online, the game's own page would send and navigate by itself
    context.set_offline(False)
    # Without all cookies, the worker's own request would get a token that does not fit the form.
    context.clear_cookies(name="sessionid")
    log_in(page, "Kim", stored_game)
    expect(page.locator("#not-sent")).to_have_count(0)
    assert not page.locator("[id^=sent-], [id^=refused-]").count()


def test_orders_marked_as_ready_offline_wait(page, context, stored_game):
    page.evaluate("navigator.serviceWorker.ready.then(() => 1)")
    context.set_offline(True)
    order = choose_first_order(page)
    ready(page)
    expect(page.locator("#not-sent")).to_contain_text(order)
    assert len(page.evaluate(WAITING)) == 1
    context.set_offline(False)
    expect(page.get_by_role("button", name="I'm not ready")).to_be_visible()


def test_without_a_connection_no_part_of_another_phase_is_shown(page, context, stored_game):
    page.locator("[data-tab=powers]").click()
    expect(page.locator("#powers table")).to_contain_text("Pat")
    page.locator("[data-tab=orders]").click()
    lose_connection(page, context)
    page.reload()
    expect(page.locator("html[data-stored-at]")).to_have_count(1)
    part = page.locator("folded-part[data-url$='/parts/powers/']")
    phase = part.get_attribute("data-phase")
    part.evaluate("part => { part.dataset.phase = '99'; }")
    page.locator("[data-tab=powers]").click()
    expect(part.get_by_role("link")).to_be_visible()
    part.evaluate("(part, phase) => { part.dataset.phase = phase; }", phase)
    part.get_by_role("link").click()
    expect(page.locator("#powers table")).to_contain_text("Pat")
