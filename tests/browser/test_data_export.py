"""A person collects their data, waits for a worker, and downloads the file."""

import os
import signal
import zipfile

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect
from tests.browser.conftest import PASSWORD

PAGE = "/account/export/"


@pytest.fixture
def start_worker(site):
    """A function that starts a worker, which ends with the test."""
    started = []

    def start():
        started.append(site.start("-m", "diplomaccloud", "manage", "worker", "--pause", "0.3"))

    yield start
    for process in started:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def request_export(page):
    page.locator(f"form[action='{PAGE}']").get_by_role("button").click()
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Continue").click()


@pytest.mark.long
def test_the_page_changes_by_itself_when_the_file_is_ready(
    page, site, log_in, complaints, start_worker, tmp_path
):
    site.arrange("movement", "Collector", "Foe")
    log_in(page, "Collector", PAGE)
    request_export(page)
    expect(page.get_by_role("heading", name="Your data is being collected")).to_be_visible()
    assert Axe().run(page).response["violations"] == []
    # The page has looked once and found nothing new.
    with page.expect_response(lambda answer: answer.status == 204):
        pass
    start_worker()
    with page.expect_download() as found:
        page.get_by_role("link", name="Download the file").click()
    archive = tmp_path / "archive.zip"
    found.value.save_as(archive)
    with zipfile.ZipFile(archive) as files:
        assert "account.json" in files.namelist()
    assert page.locator("[hx-trigger]").count() == 0
    assert Axe().run(page).response["violations"] == []
    assert complaints == []


def test_without_scripts_a_link_looks_again(browser, site, log_in):
    site.arrange("movement", "Reader", "Foe")
    context = browser.new_context(base_url=site.url, java_script_enabled=False)
    page = context.new_page()
    log_in(page, "Reader", PAGE)
    request_export(page)
    page.get_by_role("link", name="Look again").click()
    expect(page.get_by_role("heading", name="Your data is being collected")).to_be_visible()
    context.close()
