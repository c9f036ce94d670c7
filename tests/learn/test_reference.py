"""The rulebook and the glossary: text, judge and explanations agree."""

import re
from pathlib import Path

import pytest

from diplomaccloud.judge.reasons.rulebook import list_sources
from diplomaccloud.learn.diagrams import DIAGRAMS, judge_diagram
from diplomaccloud.learn.reference import CONTENTS, GUIDES, TERMS

pytestmark = pytest.mark.django_db

DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture
def rulebook(client):
    return client.get("/rules/").content.decode()


@pytest.mark.parametrize("name", DIAGRAMS)
def test_the_judge_decides_a_diagram_as_its_text_says(name):
    diagram = DIAGRAMS[name]
    orders, resolution = judge_diagram(diagram)
    decided = {str(result.order): result.outcome.value for result in resolution.results}
    assert {str(order) for order in orders} <= set(decided)
    assert diagram.outcomes.items() <= decided.items()
    assert {entry.unit.province for entry in resolution.dislodged} == set(diagram.dislodged)
    assert set(resolution.standoffs) == set(diagram.empty)


def test_the_retreat_diagram_names_every_retreat():
    _, resolution = judge_diagram(DIAGRAMS["retreat"])
    (dislodged,) = resolution.next.dislodged
    assert set(dislodged.retreats) == {"PAR", "BEL", "GAS"}


def test_every_diagram_is_on_the_page(rulebook):
    assert all(f'id="diagram-{name}"' in rulebook for name in DIAGRAMS)


def test_diagrams_are_pictures_so_that_the_page_stays_small(rulebook, client):
    assert len(re.findall(r"<[a-z]", rulebook)) <= 1_200
    urls = re.findall(r"/learn/diagrams/[^\s\"]+", rulebook)
    assert len(urls) == 2 * len(DIAGRAMS)
    for url in urls[:2]:
        picture = client.get(url)
        assert picture["Content-Type"] == "image/svg+xml"
        assert len(picture.content) < 60_000
    other = re.sub(r"[0-9a-f]{16}", "0" * 16, urls[0])
    assert client.get(other).status_code == 404


def test_every_rule_that_explanations_cite_has_its_place(rulebook):
    missing = [s.anchor for s in list_sources() if f'id="{s.anchor}"' not in rulebook]
    assert missing == []


def test_every_id_is_there_once_and_every_link_leads_somewhere(rulebook):
    ids = re.findall(r'\sid="([^"]+)"', rulebook)
    assert sorted(ids) == sorted(set(ids))
    links = re.findall(r'href="#([^"]+)"', rulebook) + re.findall(r"url\(#([^)]+)\)", rulebook)
    assert set(links) <= set(ids)
    assert {anchor for anchor, _ in CONTENTS} <= set(ids)


def test_terms_of_the_game_are_in_the_glossary_of_players():
    text = (DOCS / "glossary.md").read_text(encoding="utf-8")
    table = text.partition("## The game")[2].partition("## The site")[0]
    documented = re.findall(r"^\| ([a-z -]+) \|", table, re.MULTILINE)[1:]
    assert set(documented) <= {term.name for term in TERMS}


def test_the_glossary_is_sorted_and_leads_to_sections_of_the_rulebook(client, rulebook):
    assert list(TERMS) == sorted(TERMS, key=lambda term: term.name)
    for term in TERMS:
        assert not term.section or f'id="{term.section}"' in rulebook
    page = client.get("/glossary/").content.decode()
    assert all(f'id="{term.anchor}"' in page for term in TERMS)


def test_links_of_the_guides_lead_to_places_on_the_site(client):
    pages = {f"/guides/{name}/": client.get(f"/guides/{name}/") for name in GUIDES}
    assert {page.status_code for page in pages.values()} == {200}
    texts = {url: page.content.decode() for url, page in pages.items()}
    for url, text in texts.items():
        article = text.partition("<article")[2].partition("</article>")[0]
        assert "<h1" in article
        assert '<div class="table-scroll"' in article
        for link in re.findall(r'href="([^"]+)"', article):
            place, _, anchor = link.partition("#")
            assert place in texts or place.startswith("https://") or not place
            assert not anchor or f'id="{anchor}"' in texts[place or url]
    assert client.get("/guides/operations/").status_code == 404
