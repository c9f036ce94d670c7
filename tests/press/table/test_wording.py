"""The text of messages as HTML: escaped, with links out of the site and places to light up."""

import pytest

from diplomaccloud.press.table.wording import is_outside_link, render_text

CODES = frozenset({"MUN", "BUR", "PAR", "NTH", "LON", "NWY", "STP", "GOL"})


def test_html_is_text():
    assert render_text("<b>&'\"") == "&lt;b&gt;&amp;&#x27;&quot;"


@pytest.mark.parametrize(
    ("text", "shown", "after"),
    [
        ("see https://example.org/a?b=c.", "https://example.org/a?b=c", "."),
        ("(http://example.org)", "http://example.org", ")"),
        ("https://example.org/a_(b)!", "https://example.org/a_(b)", "!"),
    ],
)
def test_an_address_leads_through_the_page_that_warns(text, shown, after):
    html = render_text(text)
    assert f">{shown}</a>{after}" in html
    assert 'href="/leaving/?to=http' in html
    assert 'rel="noopener noreferrer nofollow"' in html


@pytest.mark.parametrize(
    "text",
    [
        "javascript:alert(1)",
        "data:text/html,x",
        "ftp://example.org",
        "https://",
        "https://bank.example@other.example/",
        "https://[half",
        "http://example.org:port/",
        "https://example.org/" + "a" * 3000,
    ],
)
def test_anything_else_stays_text(text):
    assert "<a" not in render_text(text)
    assert not is_outside_link(text)


@pytest.mark.parametrize(
    ("text", "marked", "places"),
    [
        ("hold MUN please", "MUN", "MUN"),
        ("I order A MUN - BUR now", "A MUN - BUR", "MUN BUR"),
        ("F NTH C A LON - NWY", "F NTH C A LON - NWY", "NTH LON NWY"),
        ("A PAR S A MUN - BUR.", "A PAR S A MUN - BUR", "PAR MUN BUR"),
        ("F GOL-MUN", "F GOL-MUN", "GOL MUN"),
        ("F STP/NC H", "F STP/NC H", "STP"),
    ],
)
def test_provinces_and_orders_can_be_shown_on_the_map(text, marked, places):
    assert f'<span class="place" data-places="{places}">{marked}</span>' in render_text(text, CODES)


@pytest.mark.parametrize("text", ["mun", "MUNICH", "XMUN", "XYZ", "NTHC"])
def test_other_words_are_not_places(text):
    assert render_text(text, CODES) == text


def test_a_place_inside_an_address_stays_part_of_it():
    assert "data-places" not in render_text("https://example.org/MUN", CODES)
