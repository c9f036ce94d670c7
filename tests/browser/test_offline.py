"""Games without a connection: stored boards, orders that wait, and nothing left after log-out."""

import pytest
from playwright.sync_api import expect
from tests.browser.test_play import let_it_act


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
    page.locator(".verb", has_text="Move").click()
    page.locator(".chip").nth(place).click()
    return page.locator("select[name=order]").first.input_value()


def save(page) -> None:
    page.evaluate(
        "document.getElementById('orders').requestSubmit(document.getElementById('save'))"
    )


def test_the_board_opens_without_a_connection(page, context, stored_game):
    context.set_offline(True)
    page.reload()
    expect(page.locator("#no-connection")).to_contain_text("the board as it was")
    expect(page.locator(".map__base img")).to_have_js_property("complete", True)
    assert page.evaluate("document.querySelector('.map__base img').naturalWidth") > 0
    expect(page.locator("select[name=order]").first).to_be_attached()


def test_a_stored_board_gives_way_to_the_site_unless_orders_would_be_lost(
    page, context, stored_game
):
    context.set_offline(True)
    page.clock.install()
    page.reload()
    expect(page.locator("html[data-stored-at]")).to_have_count(1)
    choose_first_order(page)
    context.set_offline(False)
    with page.expect_response("**/state/"):
        page.evaluate("void document.querySelector('live-game').ask()")
    page.clock.run_for(6000)
    let_it_act(page)
    expect(page.locator("html[data-stored-at]")).to_have_count(1)
    page.locator(".slot__button").first.click()
    page.locator(".verb", has_text="Hold").click()
    expect(page.locator("html[data-stored-at]")).to_have_count(0)
    expect(page.locator("#no-connection")).to_have_count(0)


def test_another_page_says_that_it_is_not_stored_and_lists_the_games(page, context, stored_game):
    context.set_offline(True)
    page.goto("/games/")
    expect(page.get_by_role("heading", name="No connection")).to_be_visible()
    page.locator("#stored-games a").click()
    expect(page.locator("#no-connection")).to_contain_text("the board as it was")


def test_orders_saved_offline_wait_and_are_sent(page, context, stored_game):
    context.set_offline(True)
    page.reload()
    expect(page.locator("#no-connection")).to_be_visible()
    order = choose_first_order(page)
    save(page)
    expect(page.locator("#not-sent")).to_contain_text(order)
    page.reload()
    expect(page.locator("#not-sent")).to_contain_text(order)
    expect(page.locator("select[name=order]").first).to_have_value(order)
    context.set_offline(False)
    expect(page.locator("#notices")).to_contain_text("Orders saved")
    expect(page.locator("#not-sent")).to_have_count(0)
    expect(page.locator("select[name=order]").first).to_have_value(order)


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
    page.evaluate("navigator.serviceWorker.ready")
    order = choose_first_order(page)
    held = hold("POST", "*/orders/")
    held.answer(502, "<h1>Bad Gateway</h1>")
    save(page)
    expect(page.locator("#not-sent")).to_contain_text(order)
    held.end()
    expect(page.locator("#not-sent")).to_have_count(0)
    expect(page.locator("select[name=order]").first).to_have_value(order)


def test_newer_orders_are_not_overwritten(site, browser, page, context, stored_game, log_in):
    context.set_offline(True)
    choose_first_order(page)
    save(page)
    expect(page.locator("#not-sent")).to_be_visible()
    other = browser.new_context(base_url=site.url).new_page()
    log_in(other, "Pat", stored_game)
    choose_first_order(other, 1)
    save(other)
    expect(other.locator("#order-form-status")).to_contain_text("Orders saved")
    other.context.close()
    context.set_offline(False)
    page.get_by_role("button", name="Show why").click()
    expect(page.locator("main")).to_contain_text("saved")
    expect(page).to_have_url(f"{site.url}{stored_game}orders/")


def test_nothing_is_left_after_log_out(page, context, stored_game):
    context.set_offline(True)
    choose_first_order(page)
    save(page)
    expect(page.locator("#not-sent")).to_be_visible()
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
    save(page)
    expect(page.locator("#not-sent")).to_be_visible()
    page.goto("about:blank")  # back online, the game's own page would send and navigate by itself
    context.set_offline(False)
    # Without all cookies, the worker's own request would get a token that does not fit the form.
    context.clear_cookies(name="sessionid")
    log_in(page, "Kim", stored_game)
    expect(page.locator("#not-sent")).to_have_count(0)
    assert not page.locator("[id^=sent-], [id^=refused-]").count()


def test_orders_changed_before_the_older_ones_failed_are_not_called_waiting(
    page, stored_game, hold
):
    page.evaluate("navigator.serviceWorker.ready")
    held = hold("POST", "*/orders/")
    first = choose_first_order(page)
    save(page)
    held.take()
    second = choose_first_order(page, 1)
    held.fail()
    expect(page.locator("#not-sent")).to_contain_text(first)
    expect(page.locator("#not-sent")).not_to_contain_text(second)
    expect(page.locator(".order-form__dirty")).to_be_visible()
