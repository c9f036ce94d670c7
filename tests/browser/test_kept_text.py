"""Text that was typed in a conversation which closed before it was sent."""

import json
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, expect

from diplomaccloud import pages, press

pytestmark = pytest.mark.guard

APPS = {"pages": pages, "press": press}
PLACE = "/games/abcdefghjk/press/table/"
STORED = f"unsent me {PLACE}"
PAGE = f"""<!doctype html><meta name="account" content="me">
<script type="module" src="/press/conversations/kept-text.js"></script>
<div id="announcer"></div>
<kept-text data-unsent="{PLACE}" hidden>
<textarea readonly></textarea><button>Copy</button><button>Discard</button></kept-text>"""


def send_script(route):
    path = urlsplit(route.request.url).path
    route.fulfill(path=Path(APPS[path.split("/")[1]].__path__[0], "static" + path))


def open_page(context):
    page = context.new_page()
    page.route("**/page", lambda route: route.fulfill(body=PAGE, content_type="text/html"))
    page.route("**/*.js", send_script)
    page.goto("http://localhost/page")
    page.wait_for_function("Boolean(customElements.get('kept-text'))")
    return page


def store(page, **fields):
    args = [STORED, json.dumps(list(fields.items()))]
    page.evaluate("([name, text]) => localStorage.setItem(name, text)", args)


def test_text_is_shown_copied_and_discarded(browser: Browser):
    context = browser.new_context(permissions=["clipboard-read", "clipboard-write"])
    first = open_page(context)
    expect(first.locator("kept-text")).to_be_hidden()
    store(first, key="0f", to="table", subject="Hello", body="Do we wait?\n<b>")
    page = open_page(context)
    text = page.locator("kept-text textarea")
    expect(text).to_be_visible()
    expect(text).to_have_value("Hello\n\nDo we wait?\n<b>")
    page.get_by_role("button", name="Copy").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == "Hello\n\nDo we wait?\n<b>"
    # A tab that is still in the waiting room is followed.
    store(first, subject="", body="Do we start?")
    expect(text).to_have_value("Do we start?")
    page.get_by_role("button", name="Discard").click()
    expect(page.locator("kept-text")).to_be_hidden()
    assert page.evaluate("name => localStorage.getItem(name)", STORED) is None
    context.close()


def test_text_of_another_account_is_never_shown(browser: Browser):
    context = browser.new_context()
    first = open_page(context)
    args = [STORED.replace(" me ", " you "), json.dumps([["body", "Secret."]])]
    first.evaluate("([name, text]) => localStorage.setItem(name, text)", args)
    page = open_page(context)
    expect(page.locator("kept-text")).to_be_hidden()
    assert page.locator("kept-text textarea").input_value() == ""
    context.close()
