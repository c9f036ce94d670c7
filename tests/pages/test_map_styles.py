"""Maps on pages have the style that the browser remembers, and every base map has an address."""

import re

import pytest
from judge.tests.drawing.toy_map import toy_chart

from diplomaccloud.maps import library
from diplomaccloud.maps.map_styles import COOKIE, MapStyle
from diplomaccloud.pages.map_styles import _paint

pytestmark = pytest.mark.django_db
OTHERS = [style for style in MapStyle if style is not MapStyle.PARCHMENT]


def read_map(page):
    """Return the style that a page's root names, and the addresses of its base map."""
    root = re.search(r'<html lang="en"(?: data-map-style="([a-z-]+)")?', page.text)
    base = re.search(r'<picture class="map__base">.*?</picture>', page.text, re.DOTALL)
    return root[1], re.findall(r'(?:src|srcset)="([^"]+)"', base[0]) if base else []


@pytest.fixture
def path(settings, tmp_path, now):
    settings.DATA_DIR = tmp_path
    return f"/maps/{library.store_chart(toy_chart(), now=now)}/"


@pytest.mark.parametrize("style", OTHERS)
def test_the_map_on_a_page_has_the_chosen_style(client, path, style):
    client.cookies[COOKIE] = style
    page = client.get(path)
    chosen, bases = read_map(page)
    assert chosen == style
    assert [base.split("?")[0] for base in bases] == [
        f"{path}{style}-dark.svg",
        f"{path}{style}-light.svg",
    ]
    assert "map-styles" in page.text.partition("</head>")[0]
    assert int(page.headers.get("Content-Length", len(page.content))) == len(page.content)
    downloads = set(re.findall(r'href="([^"]+[?]style=[^"]+)"', page.text))
    assert {download.partition("=")[2] for download in downloads} == {style}
    parchment, styled = (
        client.get(f"{path}map.svg?style={one}").content for one in (MapStyle.PARCHMENT, style)
    )
    assert parchment != styled
    pictures = [client.get(base) for base in bases]
    assert [picture.status_code for picture in pictures] == [200, 200]
    has_night = style is MapStyle.MODERN
    assert (pictures[0].content != pictures[1].content) is has_night


def test_only_a_page_in_ink_has_the_patterns_of_badges(client, path):
    pages = {}
    for style in MapStyle:
        client.cookies[COOKIE] = style
        pages[style] = client.get(path).text
    assert {style for style, page in pages.items() if 'id="o-b0"' in page} == {MapStyle.INK}
    named = set(re.findall(r"var[(]--badge-(\d+),", pages[MapStyle.INK]))
    assert named
    assert all(f'id="o-b{number}"' in pages[MapStyle.INK] for number in named)


@pytest.mark.parametrize("chosen", ["", "parchment", "gold", '"><script>'])
def test_without_a_choice_maps_are_parchment(client, path, chosen):
    client.cookies[COOKIE] = chosen
    style, bases = read_map(client.get(path))
    assert style is None
    assert {base.split("?")[0] for base in bases} == {f"{path}light.svg", f"{path}dark.svg"}


def test_a_page_without_a_map_does_not_change(client):
    client.cookies[COOKIE] = "ink"
    page = client.get("/maps/import/", follow=True)
    assert "data-map-style" not in page.text


def test_a_page_that_gets_a_map_later_has_the_style_at_load(client):
    client.cookies[COOKIE] = "ink"
    page = client.get("/maps/new/")
    assert read_map(page) == ("ink", [])
    assert "map-styles" in page.text.partition("</head>")[0]
    assert 'id="o-b0"' in page.text


def test_only_links_to_the_site_s_own_pictures_have_the_style():
    own, others = "/maps/a/map.svg", ("https://maps.example/", "//maps.example/a", "/", "a")
    links = [f'<a rel="x" href="{path}?style=parchment">' for path in (own, *others)]
    painted = _paint("".join(links).encode(), MapStyle.INK).decode()
    assert painted == "".join(links).replace(f"{own}?style=parchment", f"{own}?style=ink")


def test_lessons_have_the_style_too(client):
    client.cookies[COOKIE] = "modern"
    pages = [client.get(path, follow=True) for path in ("/learn/move/", "/learn/support/")]
    bases = [base for page in pages for base in read_map(page)[1]]
    assert bases
    assert all(client.get(base).status_code == 200 for base in bases)
    assert all("/modern-" in base for base in bases)
