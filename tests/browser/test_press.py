"""Players talk in real browsers: live, on a phone, offline, and without JavaScript."""

import json
import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect
from tests.browser.test_play import let_it_act, wait_until

HERE = "tests/browser/press_setup.py"
PHONE = {"width": 390, "height": 844}


@pytest.fixture
def table(site):
    """Return the path of a game of Ann (England) and Ben (France), who have talked before."""
    path = site.arrange("movement", "Ann", "Ben")
    said = [["Ben", "ENGLAND", "Will A PAR - BUR help you?"], ["Ann", "FRANCE", "Not much."]]
    site.run(HERE, path.split("/")[2], json.dumps(said))
    return path


def open_talk(page, country):
    page.locator("a[data-tab=press]").click()
    # Before its script is loaded, the link leads to a separate page.
    page.wait_for_function("() => customElements.get('talk-panel')")
    page.locator(".talk__name", has_text=country).click()
    expect(page.locator("#composer-text")).to_be_visible()


def say(page, text):
    page.locator("#composer-text").fill(text)
    page.get_by_role("button", name="Send", exact=True).click()
    expect(page.locator("#composer-text")).to_have_value("")


def bubbles(page):
    return page.locator(".conversation .message__text")


@pytest.mark.guard
def test_two_people_talk_live_and_in_order(table, visit):
    ann, ben = visit("Ann", table), visit("Ben", table)
    open_talk(ann, "France")
    open_talk(ben, "England")
    for number in range(3):
        say(ann, f"Question {number}?")
        say(ben, f"Answer {number}.")
    expected = ["Will A PAR - BUR help you?", "Not much."]
    for number in range(3):
        expected += [f"Question {number}?", f"Answer {number}."]
    for page in (ann, ben):
        expect(bubbles(page)).to_have_count(len(expected))
    assert bubbles(ann).all_inner_texts() == bubbles(ben).all_inner_texts()
    assert set(bubbles(ann).all_inner_texts()) == set(expected)
    expect(ann.locator('a[data-tab=press] [data-unread="press"]')).to_be_hidden()


def test_a_hidden_panel_counts_and_does_not_mark_as_read(table, visit):
    ann, ben = visit("Ann", table), visit("Ben", table)
    open_talk(ben, "England")
    say(ben, "Are you there?")
    count = ann.locator('a[data-tab=press] [data-unread="press"]')
    expect(count).to_contain_text("2")
    open_talk(ann, "France")
    expect(count).to_be_hidden()


def test_what_arrives_while_the_script_loads_is_shown(table, visit):
    ann, ben = visit("Ann", table, service_workers="block"), visit("Ben", table)
    loading = []

    def hold(route):
        loading.append(route)

    ann.add_init_script("""
        window.heard = [];
        document.addEventListener("own-changed", ({ detail }) => heard.push(detail));
    """)
    ann.route("**/press/page/press*.js", hold)
    ann.reload()
    open_talk(ben, "England")
    say(ben, "First.")
    while not loading:
        ann.wait_for_timeout(50)
    say(ben, "Second.")
    newest = ann.evaluate("""new Promise((done) => {
        const stream = new EventSource(document.querySelector("live-game").dataset.live);
        stream.addEventListener("changed", ({ data }) => {
            stream.close();
            done(JSON.parse(data).own);
        });
    })""")
    wait_until(ann, lambda: newest in ann.evaluate("heard"))
    loading[0].continue_()
    count = ann.locator('a[data-tab=press] [data-unread="press"]')
    expect(count).to_contain_text("3")


@pytest.mark.guard
def test_older_messages_arrive_once_and_only_in_their_conversation(site, table, visit):
    pair = [["Ben", "ENGLAND", "Anything else?"], ["Ann", "FRANCE", "Nothing."]]
    said = [*pair * 25, ["Ben", "everyone", "Hello, all."]]
    site.run(HERE, table.split("/")[2], json.dumps(said))
    page = visit("Ann", table, service_workers="block")
    errors, held = [], []
    page.on("pageerror", lambda error: errors.append(str(error)))

    def hold(route):
        held.append(route)

    page.route(re.compile(r"\?before="), hold)
    older = page.get_by_role("link", name="Show older messages")
    open_talk(page, "France")
    expect(older).to_be_visible()
    with page.expect_request(re.compile(r"\?before=")):
        older.evaluate("(link) => { link.click(); link.click(); }")
    wait_until(page, lambda: held)
    let_it_act(page)
    for route in held:
        route.continue_()
    held.clear()
    expect(older).to_have_count(0)
    expect(bubbles(page)).to_have_count(52)
    page.locator(".press-chips a", has_text="Everyone").click()
    expect(page.locator("#talk-title")).to_contain_text("Everyone")
    page.locator(".press-chips a", has_text="France").click()
    expect(older).to_be_visible()
    with page.expect_request(re.compile(r"\?before=")):
        older.evaluate("(link) => link.click()")
    page.locator(".press-chips a", has_text="Everyone").click()
    expect(page.locator("#talk-title")).to_contain_text("Everyone")
    with page.expect_event("requestfinished", lambda request: "?before=" in request.url):
        held.pop().continue_()
    let_it_act(page)
    expect(page.locator("#talk-title")).to_contain_text("Everyone")
    expect(bubbles(page)).to_have_text(["Hello, all."])
    assert errors == []


def test_another_conversation_is_marked_as_read_after_one_was_marked_as_unread(site, table, visit):
    page = visit("Ann", table)
    open_talk(page, "France")
    count = page.locator('a[data-tab=press] [data-unread="press"]')
    expect(count).to_be_hidden()
    page.locator(".message__menu summary").first.click()
    page.get_by_role("button", name="Mark as unread from here").first.click()
    expect(count).to_contain_text("1")
    site.run(HERE, table.split("/")[2], json.dumps([["Ben", "everyone", "Hello, all."]]))
    expect(count).to_contain_text("2")
    page.locator(".talk__name", has_text="Everyone").click()
    expect(bubbles(page)).to_have_text(["Hello, all."])
    expect(count).to_contain_text("1")
    page.locator(".press-chips a", has_text="France").click()
    expect(bubbles(page)).to_have_count(2)
    expect(count).to_be_hidden()


def test_a_new_phase_leaves_the_conversation_as_it_is(site, table, visit):
    slug = table.split("/")[2]
    said = [["Ben", "ENGLAND", "One\ntwo\nthree\nfour\nfive\nsix."]] * 8
    site.run(HERE, slug, json.dumps(said))
    ann = visit("Ann", table, service_workers="block")
    ben = visit("Ben", f"{table}press/ENGLAND/")
    open_talk(ann, "France")
    text, log = ann.locator("#composer-text"), ann.locator(".conversation__log")
    text.fill("Half a thought")
    log.evaluate("log => log.scrollTo(0, 300)")
    # The first answer is a page from the proxy while the site restarts.
    ann.route(f"**{table}", lambda route: route.fulfill(status=502, body="No site"), times=1)
    given = [["Ben", "A PAR - BUR"], ["Ann", "A LON H", "F NTH H", "F ENG H", "A YOR H"]]
    site.run("tests/browser/deals_setup.py", slug, json.dumps(given))
    expect(ann.locator(".season")).to_have_text("Fall 1902")
    expect(ann.locator(".note--turned")).to_have_count(0)
    expect(text).to_have_value("Half a thought")
    expect(text).to_be_focused()
    ann.wait_for_function("() => document.querySelector('.conversation__log').scrollTop === 300")
    expect(ben.locator(".season")).to_have_text("Fall 1902")


def test_a_text_that_changes_on_the_page_is_signed_only_once_read(table, visit):
    ann, ben = (
        visit("Ann", f"{table}press/FRANCE/"),
        visit("Ben", f"{table}press/ENGLAND/document/"),
    )
    ben.get_by_label("Text of the document").fill("Peace until 1905.")
    ben.get_by_role("button", name="Send the document").click()
    card = ann.locator(".document")
    sign, box = card.get_by_role("button", name="Sign"), card.get_by_role("checkbox")
    expect(card).to_contain_text("Peace until 1905.")
    expect(sign).to_be_enabled()
    expect(box).to_have_count(0)
    for text in ("England gets nothing.", "England gets Brest."):
        ben.get_by_role("link", name="Change the text").click()
        ben.get_by_label("Text of the document").fill(text)
        ben.get_by_role("button", name="Save the change").click()
        expect(card).to_contain_text(text)
        expect(card.locator(".document__changed")).to_be_visible()
        expect(sign).to_be_disabled()
    # Other news leave the text unread.
    ann.locator("talk-panel").evaluate("(panel) => panel.refresh()")
    expect(sign).to_be_disabled()
    box.check()
    expect(sign).to_be_enabled()
    box.uncheck()
    expect(sign).to_be_disabled()
    assert Axe().run(ann).response["violations"] == []
    box.check()
    sign.click()
    expect(card).to_contain_text("Signed by England")
    expect(box).to_have_count(0)


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_the_newest_text_is_shown_however_late_an_older_answer_comes(table, visit, order):
    ben = visit("Ben", f"{table}press/ENGLAND/document/")
    ben.get_by_label("Text of the document").fill("Peace until 1905.")
    ben.get_by_role("button", name="Send the document").click()
    expect(ben.locator(".document")).to_be_visible()
    page = visit("Ann", f"{table}press/FRANCE/", service_workers="block")
    card = page.locator(".document")
    address, held = card.get_attribute("data-card"), []
    body = page.request.get(address, headers={"HX-Request": "true"}).text()

    def hold(route):
        held.append(route)

    # Not with the fixture `hold`: the browser sends the site one request for an address at a time.
    page.route(f"**{address}", hold)
    for number in range(2):
        page.locator("talk-panel").evaluate("(panel) => panel.refresh()")
        wait_until(page, lambda number=number: len(held) > number)
    for number in order:
        with page.expect_event("requestfinished", lambda request: request.url.endswith(address)):
            held[number].fulfill(
                body=body.replace("1905", f"191{number}"), content_type="text/html"
            )
        let_it_act(page)
    expect(card).to_contain_text("Peace until 1911.")


def test_an_order_in_a_message_lights_up_the_map(table, visit):
    page = visit("Ann", table)
    open_talk(page, "France")
    place = page.locator(".place[role=button]").first
    place.click()
    expect(page.locator("path.province.is-lit")).to_have_count(2)
    place.press("Enter")
    expect(page.locator("path.province.is-lit")).to_have_count(0)


def test_unsent_text_survives_a_reload_and_not_a_logout(table, visit):
    page = visit("Ann", f"{table}press/FRANCE/")
    page.locator("#composer-text").fill("Half a thought")
    page.reload()
    expect(page.locator("#composer-text")).to_have_value("Half a thought")
    page.locator(".menu > summary").click()
    page.locator(".menu").get_by_role("button", name="Log out").click()
    page.wait_for_url("**/")
    assert page.evaluate("Object.keys(localStorage).filter((name) => /^unsent /.test(name))") == []


def test_text_from_the_waiting_room_is_shown_after_the_start(site, visit):
    path = site.arrange("waiting", "Ann", "Ben")
    site.run(HERE, path.split("/")[2], json.dumps([["Ben", "table", "Do we wait?"]]))
    ann = visit("Ann", f"{path}press/table/")
    ben, room = visit("Ben", path), ann.context.new_page()
    expect(ann.locator("kept-text")).to_have_count(0)
    ann.locator("#composer-text").fill("Half a thought")
    room.goto(path)
    room.locator(".room__form .button--ready").click()
    kept = ann.locator("kept-text")
    expect(kept.get_by_label("You did not send this text.")).to_have_value("Half a thought")
    assert Axe().run(ann, "kept-text").response["violations"] == []
    ann.reload()
    expect(kept).to_be_visible()
    ben.goto(f"{path}press/table/")
    ben.wait_for_function("Boolean(customElements.get('kept-text'))")
    expect(ben.locator("kept-text")).to_be_hidden()
    kept.get_by_role("button", name="Discard").click()
    expect(kept).to_be_hidden()
    ann.reload()
    ann.wait_for_function("Boolean(customElements.get('kept-text'))")
    expect(kept).to_be_hidden()


def test_text_that_another_tab_has_sent_can_be_changed_and_sent(table, visit):
    """The tab keeps its text, and with it the key that the other tab has already used."""
    first = visit("Ann", f"{table}press/FRANCE/")
    other = first.context.new_page()
    other.goto(first.url)
    other.locator("#composer-text").fill("The same thought")
    expect(first.locator("#composer-text")).to_have_value("The same thought")
    first.get_by_role("button", name="Send", exact=True).click()
    expect(first.locator("#composer-text")).to_have_value("")
    other.locator("#composer-text").fill("Another thought")
    send = other.get_by_role("button", name="Send", exact=True)
    send.click()
    expect(other.locator(".composer__state")).to_contain_text("You already sent another message")
    expect(other.locator("#composer-text")).to_have_value("Another thought")
    send.click()
    expect(other.locator("#composer-text")).to_have_value("")
    expected = ["Will A PAR - BUR help you?", "Not much.", "The same thought", "Another thought"]
    expect(bubbles(other)).to_have_text(expected)


def test_messages_without_a_connection_wait_and_go_in_order(table, visit):
    page = visit("Ann", f"{table}press/FRANCE/")
    page.evaluate("navigator.serviceWorker.ready")
    page.context.set_offline(True)
    for text in ("First of all.", "And second."):
        say(page, text)
    waiting = page.locator(".message--waiting")
    expect(waiting).to_have_count(2)
    expect(waiting.first).to_contain_text("Not sent.")
    page.context.set_offline(False)
    expect(waiting).to_have_count(0)
    expected = ["Will A PAR - BUR help you?", "Not much.", "First of all.", "And second."]
    expect(bubbles(page)).to_have_text(expected)


@pytest.mark.guard
def test_text_typed_while_a_message_is_sent_stays(table, visit, hold):
    page = visit("Ann", f"{table}press/FRANCE/")
    held = hold("POST", "*/send/")
    composer = page.get_by_role("textbox", name="Message")
    composer.fill("One thing.")
    page.get_by_role("button", name="Send").click()
    [sending] = held.take()
    composer.press("End")
    composer.press_sequentially(" And another.")
    sending.release()
    expect(bubbles(page).last).to_have_text("One thing.")
    expect(composer).to_have_value("And another.")
    page.reload()
    expect(composer).to_have_value("And another.")


def test_a_message_that_waits_in_a_closed_conversation_is_shown(table, visit):
    page = visit("Ann", f"{table}press/FRANCE/")
    page.evaluate("navigator.serviceWorker.ready")
    page.context.set_offline(True)
    say(page, "Too late?")
    waiting = page.locator(".message--waiting")
    expect(waiting).to_have_count(1)
    page.evaluate(
        """() => {
          document.querySelector("message-composer").remove();
          document.querySelector("talk-panel").showWaiting();
        }"""
    )
    expect(waiting.get_by_role("button", name="Edit")).to_have_count(0)
    waiting.get_by_role("button", name="Discard").click()
    expect(waiting).to_have_count(0)


def test_a_new_message_without_a_connection_can_be_edited(table, visit):
    page = visit("Ann", f"{table}press/new/")
    page.evaluate("navigator.serviceWorker.ready")
    page.context.set_offline(True)
    page.locator("label", has_text="France").click()
    say(page, "Can we talk?")
    waiting = page.locator(".message--waiting")
    expect(waiting).to_contain_text("To France")
    waiting.get_by_role("button", name="Edit").click()
    expect(waiting).to_have_count(0)
    expect(page.locator("#to-FRANCE")).to_be_checked()
    say(page, "Let us talk.")
    page.context.set_offline(False)
    expect(waiting).to_have_count(0)
    page.goto(f"{table}press/FRANCE/")
    expect(bubbles(page).last).to_have_text("Let us talk.")


@pytest.mark.guard
def test_everything_works_without_javascript(table, visit):
    page = visit("Ann", f"{table}press/", java_script_enabled=False)
    page.locator("label", has_text="France").click()
    page.locator("label", has_text="Russia").click()
    page.locator("label", has_text="Group conversation").click()
    page.locator("#composer-text").fill("Peace for all of us?")
    page.get_by_role("button", name="Send").click()
    expect(page.locator(".message--yours .message__text")).to_have_text(["Peace for all of us?"])
    assert re.search(r"/press/FRANCE\+RUSSIA/", page.url)
    page.locator("#composer-text").fill("And quickly.")
    page.locator(".composer__attach summary").click()
    page.get_by_role("button", name="Map", exact=True).click()
    page.get_by_role("button", name="Show new maps").click()
    expect(page.locator("#composer-text")).to_have_value("And quickly.")
    page.goto(page.url.removesuffix("carry/"))
    page.locator("#composer-text").fill("And quickly.")
    page.locator(".composer__attach summary").click()
    page.get_by_role("button", name="Proposal").click()
    page.get_by_role("button", name="Cancel").click()
    expect(page.locator("#composer-text")).to_have_value("And quickly.")
    page.locator(".composer__send").click()
    expect(bubbles(page)).to_have_count(2)


@pytest.mark.parametrize(("height", "least"), [(844, 0.45 * 844), (500, 120)])
def test_messages_have_room_on_a_phone(site, table, visit, height, least):
    """At 500 px, the keyboard is open, and the field has the focus."""
    site.run(HERE, table.split("/")[2], json.dumps([["Ben", "ENGLAND", "Hello?"]] * 12))
    page = visit("Ann", table, viewport={"width": 390, "height": height})
    open_talk(page, "France")
    log, field = page.locator(".conversation__log"), page.locator("#composer-text")
    low = log.evaluate("log => log.clientHeight")
    assert low >= least
    log.evaluate("log => log.scrollTo(0, log.scrollHeight)")
    field.focus()
    expect(page.locator(".composer__send")).to_be_in_viewport(ratio=1)
    assert log.evaluate("log => log.clientHeight") > low
    # The last message stays in view, and the field and its buttons are in one row.
    expect(bubbles(page).last).to_be_in_viewport(ratio=1)
    field.fill("One line")
    parts = map(page.locator, (".composer__attach", "#composer-text", ".composer__send"))
    centers = [(box := part.bounding_box())["y"] + box["height"] / 2 for part in parts]
    assert max(centers) - min(centers) < 4
    assert page.locator(".composer").bounding_box()["height"] < 72


def test_every_country_is_a_tap_away_from_the_first_day(site, visit):
    page = visit("Ann", site.arrange("opening", "Ann", "Ben"), viewport=PHONE)
    page.locator("a[data-tab=press]").click()
    chips = page.locator(".press-chips")
    expect(chips.locator("a")).to_have_count(9)
    assert chips.evaluate("chips => chips.scrollWidth > chips.clientWidth")
    assert chips.evaluate("chips => getComputedStyle(chips).maskImage") != "none"
    page.wait_for_function("() => customElements.get('talk-panel')")
    chips.get_by_role("link", name="Turkey").click()
    expect(page.get_by_role("textbox", name="Message to Turkey")).to_be_visible()
    expect(chips.locator("a[aria-current]")).to_be_in_viewport(ratio=1)
    expect(chips.locator("a")).to_have_count(9)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [PHONE, {"width": 320, "height": 640}])
def test_map_and_composer_share_a_phone(table, visit, size, scheme):
    page = visit("Ann", table, viewport=size, color_scheme=scheme)
    open_talk(page, "France")
    composer = page.locator(".composer__send").bounding_box()
    assert composer["y"] + composer["height"] <= size["height"]
    window = page.locator(".table__map").bounding_box()
    assert window["height"] > 0.25 * size["height"]
    assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")
    violations = Axe().run(page).response["violations"]
    assert [(found["id"], found["nodes"][0]["html"][:160]) for found in violations] == []
