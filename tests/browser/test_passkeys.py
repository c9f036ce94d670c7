"""Passkeys in a browser with a virtual authenticator: adding, logging in, removing."""

import pytest

PASSWORD = "a long enough word"
PAGES = "/accounts/two-factor/"


@pytest.fixture
def page(browser, site):
    """Return a page at localhost, where browsers allow passkeys, with an authenticator."""
    context = browser.new_context(base_url=f"http://localhost:{site.port}")
    page = context.new_page()
    devices = context.new_cdp_session(page)
    devices.send("WebAuthn.enable")
    options = {"protocol": "ctap2", "transport": "internal", "hasResidentKey": True}
    verified = {"hasUserVerification": True, "isUserVerified": True}
    devices.send("WebAuthn.addVirtualAuthenticator", {"options": options | verified})
    yield page
    context.close()


def sign_up(page, name):
    page.goto("/accounts/signup/")
    page.get_by_label("Screen name").fill(name)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign up and play").click()
    page.wait_for_url("**/")


def confirm(page):
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Continue").click()


def log_out(page):
    page.locator(".userbar__name").click()
    page.get_by_role("button", name="Log out").click()
    page.get_by_role("link", name="Log in").wait_for()


def is_kept(page):
    """Return whether the browser keeps the session when it is closed."""
    (cookie,) = (row for row in page.context.cookies() if row["name"] == "sessionid")
    return cookie["expires"] != -1


def test_a_passkey_logs_in_without_and_after_the_password(page, complaints):
    sign_up(page, "Keyholder")
    page.goto(f"{PAGES}webauthn/add/")
    confirm(page)
    page.get_by_label("Name").fill("My laptop")
    page.get_by_role("button", name="Add a passkey").click()
    page.wait_for_url("**/recovery-codes/")
    page.goto(f"{PAGES}webauthn/")
    assert "My laptop" in page.locator("main").inner_text()
    assert "no password needed" in page.locator("main").inner_text()
    log_out(page)

    page.goto("/accounts/login/")
    page.get_by_role("button", name="Log in with a passkey").click()
    page.locator(".userbar__name").wait_for()
    assert "Keyholder" in page.locator(".userbar__name").inner_text()
    assert is_kept(page)
    log_out(page)

    page.goto("/accounts/login/")
    page.get_by_label("Screen name").fill("Keyholder")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_label("Keep me logged in").first.uncheck()
    page.locator("main").get_by_role("button", name="Log in", exact=True).click()
    page.wait_for_url("**/authenticate/")
    page.get_by_role("button", name="Use a passkey").click()
    page.locator(".userbar__name").wait_for()
    assert not is_kept(page)

    page.goto(f"{PAGES}webauthn/")
    page.get_by_role("link", name="Remove My laptop").click()
    confirm(page)
    page.get_by_role("button", name="Remove the passkey").click()
    page.wait_for_url("**/webauthn/")
    assert "You have no passkeys." in page.locator("main").inner_text()
    assert complaints == []


def test_a_device_without_a_passkey_gets_a_plain_error(page):
    page.goto("/accounts/login/")
    page.get_by_role("button", name="Log in with a passkey").click()
    page.get_by_text("That did not work.").wait_for()


def test_a_page_without_https_offers_no_passkeys(browser, site):
    context = browser.new_context(base_url=site.url)
    other = context.new_page()
    other.goto("/accounts/login/")
    assert other.get_by_role("button", name="Log in with a passkey").count() == 0
    context.close()
