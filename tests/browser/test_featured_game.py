"""Home and the lobby in motion: the featured game, and a title that stays true."""

import re

import pytest
from playwright.sync_api import expect

FEATURE = """
import django
django.setup()
from django.utils import timezone
from diplomaccloud.games.featured.actions import tend_featured_game
from diplomaccloud.games.featured.models import FeaturedGame
FeaturedGame.objects.all().delete()  # other tests may have had one chosen
tend_featured_game(now=timezone.now())
"""
MOVING = ".featured__turn"


@pytest.fixture(scope="module")
def game(site):
    """Return the path of a game that is featured."""
    path = site.arrange("battle", "Fay", "Gus", "Hal", "Ida")
    site.run("-c", FEATURE)
    return path


@pytest.fixture
def short(page):
    """Let turns end soon."""
    page.add_init_script(
        "addEventListener('load', () => {"
        " document.querySelector('featured-game').dataset.seconds = 0 })"
    )


@pytest.mark.parametrize("path", ["/", "/games/"])
def test_it_plays_in_view(game, page, short, complaints, path):
    drawings = []
    page.on("response", lambda response: drawings.append(response.url))
    page.set_viewport_size({"width": 390, "height": 300})
    page.goto(path)
    featured = page.locator("featured-game")
    expect(featured.get_by_role("link")).to_have_attribute("href", game)
    assert not [url for url in drawings if "/featured/" in url and url.endswith(".svg")]
    featured.locator("picture").scroll_into_view_if_needed()
    expect(featured.locator(MOVING)).to_be_visible()
    assert featured.locator(MOVING).evaluate(
        "image => image.decode().then(() => image.naturalWidth)"
    )
    again = featured.get_by_role("button", name="Play again")
    expect(again).to_be_visible()
    expect(featured.locator(MOVING)).to_have_count(0)
    again.click()
    expect(featured.locator(MOVING)).to_be_visible()
    assert len([url for url in drawings if "/featured/" in url and url.endswith(".svg")]) == 1
    assert complaints == []


def test_without_motion_it_is_a_still_picture(game, browser, site):
    context = browser.new_context(base_url=site.url, reduced_motion="reduce")
    page = context.new_page()
    page.goto("/")
    featured = page.locator("featured-game")
    featured.locator("picture").scroll_into_view_if_needed()
    page.wait_for_load_state("networkidle")
    expect(featured.locator(MOVING)).to_have_count(0)
    expect(featured.get_by_role("button", name="Play again")).to_have_count(0)
    context.close()


def test_dark_colors_reach_the_moving_picture(game, browser, site):
    context = browser.new_context(base_url=site.url, color_scheme="dark")
    page = context.new_page()
    page.goto("/")
    featured = page.locator("featured-game")
    with page.expect_response("**/*-dark.svg"):
        featured.locator("picture").scroll_into_view_if_needed()
    assert featured.locator(MOVING).evaluate("image => image.currentSrc.startsWith('data:')")
    context.close()


def test_home_is_renewed_when_it_is_seen_again(site, page, log_in):
    site.arrange("opening", "Jon")
    log_in(page, "Jon", "/")
    expect(page).to_have_title(re.compile(r"^\(1\) "))
    site.arrange("opening", "Jon")
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    page.evaluate("const later = Date.now() + 61_000; Date.now = () => later")
    expect(page).to_have_title(re.compile(r"^\(1\) "))
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(page).to_have_title(re.compile(r"^\(2\) "))
    expect(page.locator(".home__main .game-card")).to_have_count(2)
