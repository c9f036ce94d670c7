"""A person chooses the style of maps beside a map: it shows at once, and on later pages."""

import pytest
from playwright.sync_api import expect

PICTURE = "document.querySelector('.map__base img').currentSrc"
BADGE = """getComputedStyle(document.querySelector('.unit .badge use[href$="-badge"]')).fill"""
SHEETS = """() => [...document.styleSheets].some((sheet) => sheet.href?.includes("map-styles"))"""

SANS = """() => [...document.fonts].some((font) =>
    font.family.includes("Map Sans") && font.style === "normal" && font.status === "loaded")"""


@pytest.mark.parametrize("style", ["modern", "ink"])
def test_a_style_shows_at_once_and_on_the_next_page(site, page, log_in, style):
    path = site.arrange("movement", f"Plain {style}", f"Fancy {style}")
    page.emulate_media(color_scheme="light")
    log_in(page, f"Plain {style}", path)
    picture = page.locator(".map__base img")
    badge = page.evaluate(BADGE)
    page.evaluate("window.isFirst = true")
    page.get_by_label("Map style").select_option(style)
    for is_first in (True, None):
        expect(page.locator("html")).to_have_attribute("data-map-style", style)
        expect(picture).to_have_js_property("complete", True)
        assert f"/{style}-light.svg" in page.evaluate(PICTURE)
        page.wait_for_function(SHEETS)
        if style == "modern":
            page.wait_for_function(SANS)
        expect(page.get_by_label("Map style")).to_have_value(style)
        assert (page.evaluate(BADGE) == badge) is (style != "ink")
        assert page.locator("#o-b0").count() == (style == "ink")
        assert page.evaluate(SANS) is (style == "modern")
        assert page.evaluate("window.isFirst") is is_first
        page.reload()
    page.get_by_label("Map style").select_option("parchment")
    assert page.evaluate(BADGE) == badge
    assert "/light.svg" in picture.get_attribute("src")
