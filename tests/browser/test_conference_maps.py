"""Players draw conference maps with taps, send them, answer with changes and use their orders."""

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

HERE = "tests/browser/map_setup.py"


def tap(page, province):
    page.wait_for_function("() => document.querySelector('sandbox-table')?.map?.isConnected")
    page.locator("map-view").evaluate(
        "(map, province) => map.dispatchEvent(new CustomEvent('map-pick', {detail: {province}}))",
        province,
    )


def test_a_map_goes_from_a_drawing_to_the_orders_on_the_board(site, visit):
    path = site.arrange("movement", "Ann", "Ben")
    ann = visit("Ann", f"{path}press/FRANCE/", viewport={"width": 390, "height": 844})
    ann.locator(".composer__attach summary").click()
    ann.get_by_role("button", name="Map", exact=True).click()
    expect(ann.locator("a[data-province=LON]")).to_be_visible()
    tap(ann, "LON")
    expect(ann.locator("[data-open]")).to_be_visible()
    tap(ann, "WAL")
    expect(ann.locator("#orders-heading + span")).to_contain_text("1 of")

    ann.get_by_role("link", name="Marks").click()
    ann.get_by_role("radio", name="Arrow").check(force=True)
    tap(ann, "LON")
    expect(ann.locator("[data-hint]")).to_contain_text("Click where it ends")
    tap(ann, "WAL")
    expect(ann.locator(".mark-lines li")).to_have_count(1)
    ann.get_by_role("link", name="Orders", exact=True).click()
    expect(ann.locator("#orders-heading")).to_be_visible()
    ann.get_by_role("button", name="Adjudicate").click()
    expect(ann.locator("#results-heading")).to_be_visible()
    ann.get_by_role("link", name="Change orders").click()
    expect(ann.locator("#orders-heading")).to_be_visible()

    ann.get_by_role("link", name="Send", exact=True).click()
    ann.get_by_role("button", name="Send to France").click()
    # The composer is beside the board.
    expect(ann.locator("#map .map__sheet > svg")).to_be_visible()
    expect(ann.locator("[data-attached]")).to_contain_text("1 order, 1 mark")
    ann.locator(".composer__send").click()
    expect(ann.locator(".map-card")).to_have_count(1)
    expect(ann.locator("[data-attached]")).to_have_count(0)
    expect(ann.locator("#map .map__sheet > svg")).to_be_visible()
    assert ann.url.endswith(f"{path}#press")
    ben = visit("Ben", f"{path}press/ENGLAND/", color_scheme="dark")
    ben.locator(".map-card figcaption a").click()
    ben.locator(".row a[href*='parent=']").click()
    expect(ben.locator("a[data-province=LON] .slot__order")).to_contain_text("Wales")
    tap(ben, "LON")
    expect(ben.locator("[data-open]")).to_be_visible()
    tap(ben, "YOR")
    expect(ben.locator("a[data-province=LON] .slot__order")).to_contain_text("Yorkshire")
    ben.get_by_role("link", name="Send", exact=True).click()
    expect(ben.locator(".map-changes")).to_contain_text("A LON - WAL is now A LON - YOR")
    ben.get_by_role("button", name="Send to England").click()
    ben.locator(".composer__send").click()
    expect(ben.locator(".map-card")).to_have_count(2)
    expect(ann.locator(".map-card")).to_have_count(2)


def test_orders_of_a_map_are_added_and_taken_back_beside_the_board(site, visit):
    path = site.arrange("movement", "Ann", "Ben")
    send_map(site, path, "A LON - YOR")
    page = visit("Ann", path, viewport={"width": 390, "height": 844})
    open_press(page)
    card = page.locator(".map-card")
    card.get_by_role("button", name="Add my order").click()
    expect(card.locator(".adopted")).to_contain_text("A LON - YOR")
    drawn = page.locator("#map [data-order='A LON - YOR']")
    expect(drawn).to_be_attached()
    assert list_saved(page) == ["A LON - YOR"]
    assert Axe().run(page).response["violations"] == []
    card.get_by_role("button", name="Undo").click()
    expect(drawn).not_to_be_attached()
    expect(card.get_by_role("button", name="Add my order")).to_be_focused()
    assert list_saved(page) == []


def list_saved(page):
    """Return the orders as the site has them."""
    page.wait_for_function("() => !document.querySelector('order-form').saver.pending")
    text = page.request.get(page.url.partition("#")[0] + "orders/copy/").text()
    return [line for line in text.split("\n\n")[1].splitlines() if " - " in line]


def send_map(site, path, *orders):
    site.run(HERE, path.split("/")[2], "Ben", "ENGLAND", *orders)


def open_press(page):
    page.locator("a[data-tab=press]").click()
    page.wait_for_function("() => customElements.get('talk-panel')")
    page.locator(".talk__name", has_text="France").click()
    expect(page.locator(".map-card")).to_be_visible()


def test_orders_of_a_map_go_into_the_draft_on_the_screen_and_others_stay(site, visit):
    path = site.arrange("movement", "Ann", "Ben")
    orders = ("A LON - WAL", "F NTH S A YOR - LON", "F ENG - BRE", "A PAR - BUR")
    send_map(site, path, *orders)
    page = visit("Ann", path)
    page.locator("#new-draft summary").click()
    page.get_by_label("Draft name").fill("Plan B")
    page.get_by_role("button", name="Create draft").click()
    expect(page.locator(".order-form__state")).to_contain_text("Draft: Plan B.")
    open_press(page)
    page.get_by_role("button", name="Add my 3 orders").click()
    expect(page.locator(".adopted")).to_contain_text("F ENG - BRE")
    expect(page.locator(".adopted")).to_contain_text("Draft: Plan B.")
    expect(page.locator(".order-form__state > strong")).to_contain_text("Saved at")
    page.wait_for_function("() => !document.querySelector('order-form').saver.pending")
    for address, number in ((f"{path}?draft=Plan+B", 1), (path, 0)):
        page.goto(address)
        expect(page.locator("order-form option[value='A LON - WAL'][selected]")).to_have_count(
            number
        )


def test_builds_on_a_map_take_the_lines_that_are_free_and_can_be_taken_back(site, visit):
    path = site.arrange("builds", "Ann", "Ben")
    send_map(site, path, "F LON B", "A LVP B")
    page = visit("Ann", path)
    lines = page.locator("order-form .slot__order")
    expect(lines).to_have_count(2)
    before = lines.all_inner_texts()
    open_press(page)
    page.get_by_role("button", name="Add my 2 orders").click()
    expect(page.locator(".adopted")).to_contain_text("F LON B, A LVP B")
    expect(page.locator(".counts__text")).to_contain_text("A LVP B")
    page.get_by_role("button", name="Undo").click()
    page.wait_for_function("() => !document.querySelector('order-form').saver.pending")
    expect(page.locator(".counts__text")).not_to_contain_text("A LVP B")
    assert lines.all_text_contents() == before


def test_a_ready_player_is_asked_before_orders_of_a_map_are_added(site, visit):
    path = site.arrange("movement", "Ann", "Ben")
    send_map(site, path, "A LON - WAL")
    page = visit("Ann", path)
    page.locator("#save-ready").click()
    page.locator("button[name=anyway]").click()
    expect(page.locator("order-form[data-ready]")).to_have_count(1)
    open_press(page)
    add = page.get_by_role("button", name="Add my order")
    page.once("dialog", lambda dialog: dialog.dismiss())
    add.click()
    expect(page.locator("order-form[data-ready]")).to_have_count(1)
    expect(page.locator(".adopted")).to_have_count(0)
    page.once("dialog", lambda dialog: dialog.accept())
    add.click()
    expect(page.locator(".adopted")).to_contain_text("A LON - WAL")
    expect(page.locator("order-form[data-ready]")).to_have_count(0)
    expect(page.locator(".order-form__state > strong")).to_contain_text("Saved at")
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("#map [data-order='A LON - WAL']")).not_to_be_attached()


def test_orders_of_a_map_are_added_and_taken_back_without_javascript(site, visit):
    path = site.arrange("movement", "Ann", "Ben")
    send_map(site, path, "A LON - WAL", "F NTH - NWG")
    page = visit("Ann", f"{path}press/FRANCE/", java_script_enabled=False)
    page.get_by_role("button", name="Add my 2 orders").click()
    status = page.locator("#order-form-status")
    expect(status).to_contain_text("A LON - WAL")
    expect(page.locator("#saved-orders .counts__text")).to_contain_text("F NTH - NWG")
    status.get_by_role("button", name="Undo").click()
    expect(page.locator("#saved-orders .counts__text")).not_to_contain_text("F NTH - NWG")
