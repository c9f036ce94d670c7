"""Forms beside the orders change only their own part of the page."""

import pytest
from playwright.sync_api import expect
from tests.browser.test_play import expect_saved, let_it_act, slot, verb, wait_until


@pytest.fixture
def saves(hold):
    """Hold back the orders that a page saves by itself."""
    return hold("POST", "*/orders/save/")


@pytest.fixture
def voter(page, site, log_in, complaints, saves):
    """Return a game page on which Alice has an order that the site has not saved yet."""
    log_in(page, "Alice", site.arrange("movement", "Alice", "Bob"))
    page.locator(".slot__button", has_text="Army in Yorkshire").click()
    verb(page, "Move").click()
    page.locator(".slot__panel .chip", has_text="Liverpool").click()
    page.locator("#votes-drawer > summary").click()
    yield page
    assert complaints == []


def has_unsaved_orders(page) -> bool:
    return page.evaluate("document.querySelector('order-form').dirty")


@pytest.mark.guard
def test_calling_a_vote_updates_the_page_in_place(voter):
    voter.locator("#move-draw").click()
    expect(voter.locator("#votes .vote")).to_contain_text("Draw")
    expect(voter.locator("#notices")).to_contain_text("The vote is open")
    expect(voter.locator("#votes-heading")).to_be_focused()
    assert has_unsaved_orders(voter)
    assert voter.evaluate("document.querySelector('.table__scroll').scrollTop") > 0


def test_surrender_is_confirmed_in_place_and_can_be_declined(voter):
    voter.locator("input[value=surrender]").check()
    voter.get_by_role("button", name="Save vote").click()
    expect(voter.locator("#ballot")).to_contain_text("Surrender?")
    voter.get_by_role("link", name="Keep playing").click()
    expect(voter.locator("#ballot input[value=none]")).to_be_checked()
    assert has_unsaved_orders(voter)


def test_on_a_phone_the_question_is_completely_visible(voter):
    voter.set_viewport_size({"width": 390, "height": 844})
    voter.locator("input[value=surrender]").check()
    voter.get_by_role("button", name="Save vote").click()
    expect(voter.locator("#ballot")).to_contain_text("Surrender?")

    def is_visible():
        head = voter.locator("#sure").bounding_box()
        covered = voter.locator(".sheet-handle").bounding_box()
        last = voter.get_by_role("link", name="Keep playing").bounding_box()
        end = voter.locator(".table__tabs").bounding_box()["y"]
        return covered["y"] + covered["height"] <= head["y"] and last["y"] + last["height"] <= end

    wait_until(voter, is_visible)  # it glides there


def create_draft(voter) -> None:
    voter.locator(".drafts__new summary").click()
    voter.get_by_label("Draft name").fill("Second thoughts")
    voter.get_by_role("button", name="Create draft").click()


@pytest.mark.guard
def test_a_draft_replaces_unsaved_orders_only_after_confirmation(voter, saves):
    saves.end()
    expect_saved(voter)
    assert not has_unsaved_orders(voter)
    slot(voter, "Army in London").click()
    verb(voter, "Move").click()  # not finished: the page cannot save it
    questions = []
    voter.once("dialog", lambda dialog: (questions.append(dialog.message), dialog.dismiss()))
    create_draft(voter)
    wait_until(voter, lambda: questions)
    let_it_act(voter)
    assert len(questions) == 1
    assert has_unsaved_orders(voter)
    voter.once("dialog", lambda dialog: dialog.accept())
    voter.get_by_role("button", name="Create draft").click()
    expect(voter.locator(".drafts__tabs > a[aria-current]")).to_contain_text("Second thoughts")
    assert not has_unsaved_orders(voter)


def test_a_draft_waits_until_the_orders_are_saved(voter, saves):
    create_draft(voter)
    [save] = saves.take()
    let_it_act(voter)
    expect(voter.locator(".drafts__tabs")).to_have_count(0)
    assert has_unsaved_orders(voter)
    save.release()
    expect(voter.locator(".drafts__tabs > a[aria-current]")).to_contain_text("Second thoughts")
    expect(slot(voter, "Army in Yorkshire")).to_contain_text("Liverpool")
    assert not has_unsaved_orders(voter)


def test_a_vote_that_another_player_calls_appears_at_once(voter, browser, site, log_in):
    context = browser.new_context(base_url=site.url)
    other = context.new_page()
    log_in(other, "Bob", voter.url.removeprefix(site.url))
    expect(voter.locator("#votes-drawer .drawer__state")).to_have_text("")
    other.locator("#votes-drawer > summary").click()
    other.locator("#move-draw").click()
    expect(other.locator("#votes .vote")).to_contain_text("Draw")
    expect(voter.locator("#votes-drawer .drawer__state")).to_contain_text("1 waiting for you")
    expect(voter.locator("#announcer")).to_have_text("A vote is waiting for you.")
    assert has_unsaved_orders(voter)
    voter.locator("#votes .vote").get_by_role("button", name="No").click()
    expect(voter.locator("#votes-drawer .drawer__state")).not_to_contain_text("waiting for you")
    assert has_unsaved_orders(voter)
    context.close()
