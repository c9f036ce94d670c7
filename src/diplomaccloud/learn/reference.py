"""Views: the rulebook, the glossary, and the guides for players."""

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.http import require_safe
from markdown import Markdown

from diplomaccloud.judge.messages.english import capitalize
from diplomaccloud.judge.reasons.editions import list_books
from diplomaccloud.judge.reasons.rulebook import RULEBOOK, Source, list_sources
from diplomaccloud.learn.diagrams import present_diagrams
from diplomaccloud.learn.glossary import TERMS

_SECTIONS = {
    "rule-1": "move",
    "rule-2": "board",
    "rule-3": "standoffs",
    "rule-4": "support",
    "rule-5": "standoffs",
    "rule-6": "standoffs",
    "rule-7": "standoffs",
    "rule-8": "support",
    "rule-9": "support",
    "rule-10": "support",
    "rule-11": "dislodged",
    "rule-12": "own-units",
    "rule-13": "cut",
    "rule-14": "cut",
    "rule-15": "cut",
    "rule-16": "cut",
    "rule-17": "convoys",
    "rule-18": "convoys",
    "rule-19": "convoy-or-land",
    "rule-20": "convoys",
    "rule-21": "paradox",
    "rule-22": "paradox",
}
"""The section of the page that explains each of the numbered rules."""


@dataclass(frozen=True, slots=True)
class RuleEntry:
    """A rule with its anchor, and the section of the page that explains it."""

    anchor: str
    title: str
    gist: str
    section: str


def list_rules() -> tuple[tuple[str, tuple[RuleEntry, ...]], ...]:
    """Return all rules that explanations cite, under the title of the list they belong to."""
    printed = [source for source in list_sources() if source.book == RULEBOOK]
    numbered = [source for source in printed if source.is_numbered]
    sections = [source for source in printed if not source.is_numbered]
    cases = [source for source in list_sources() if source.book != RULEBOOK]
    return (
        ("The numbered rules", tuple(map(_present, numbered))),
        ("Rules without a number", tuple(map(_present, sections))),
        ("Fine points", tuple(map(_present, cases))),
        *((f"The {book}", tuple(map(_present, sources))) for book, sources in list_books()),
    )


def _present(source: Source) -> RuleEntry:
    return RuleEntry(
        source.anchor, capitalize(str(source)), source.gist, _SECTIONS.get(source.anchor, "")
    )


CONTENTS: Final = (
    ("game", "The game in short"),
    ("board", "The board"),
    ("year", "The year"),
    ("orders", "Orders"),
    ("move", "Moving"),
    ("support", "Support"),
    ("dislodged", "Dislodged units"),
    ("cut", "Cutting support"),
    ("convoys", "Convoys"),
    ("retreats", "Retreats"),
    ("builds", "Builds and disbands"),
    ("winning", "Winning"),
    ("negotiation", "Negotiation"),
    ("written", "How orders are written"),
    ("cited", "Every rule on one line"),
)
"""The sections of the rulebook: anchor and title."""

EXAMPLES: Final = (
    ("Hold", "A PAR H"),
    ("Move", "A PAR - BUR"),
    ("Support a unit that stays", "A MAR S A PAR"),
    ("Support a move", "A MAR S A PAR - BUR"),
    ("Convoy", "F ENG C A PIC - LON"),
    ("Move by convoy", "A PIC - LON"),
    ("Move by convoy to a neighbor", "A PIC - BEL VIA"),
    ("Retreat", "A PAR R GAS"),
    ("Disband", "A PAR D"),
    ("Build", "F STP/NC B"),
    ("Build nothing", "WAIVE"),
)
"""How each kind of order is written."""


@require_safe
def rules(request: HttpRequest) -> HttpResponse:
    """Show the rulebook."""
    context = {
        "contents": CONTENTS,
        "diagrams": present_diagrams(),
        "examples": EXAMPLES,
        "rules": list_rules(),
    }
    return render(request, "learn/rules.html", context)


@require_safe
def glossary(request: HttpRequest) -> HttpResponse:
    """Show the terms of the game."""
    return render(request, "learn/glossary.html", {"terms": TERMS})


GUIDES: Final = ("press", "press-guide", "notices", "http-api")
"""The names of the documents, without `.md`."""
_PACKAGED: Final = Path(__file__).parent / "texts"
"""The folder with the documents in a wheel; see `force-include` in `pyproject.toml`."""
_DOCS: Final = Path(__file__).parents[3] / "docs"
_SCROLLED: Final = '<div class="table-scroll" tabindex="0" role="group" aria-label="Table">'
_LINK: Final = re.compile(r'href="([a-z-]+)\.md(?=["#])')


@dataclass(frozen=True, slots=True)
class Guide:
    """A guide as HTML, its title, and the anchors and titles of its sections."""

    title: str
    html: SafeString
    sections: tuple[tuple[str, str], ...]


@require_safe
def show_guide(request: HttpRequest, name: str) -> HttpResponse:
    """Show a guide for players."""
    if name not in GUIDES:
        raise Http404
    return render(request, "learn/guide.html", {"guide": read_guide(name)})


@cache
def read_guide(name: str) -> Guide:
    """Return one of `GUIDES`; its links to other guides lead to their pages."""
    folder = _PACKAGED if _PACKAGED.is_dir() else _DOCS
    markdown = Markdown(extensions=["tables", "toc"], output_format="html")
    html = markdown.convert((folder / f"{name}.md").read_text("utf-8"))
    html = _LINK.sub(lambda link: f'href="{reverse("guide", args=[link[1]])}', html)
    html = html.replace("<table>", f'{_SCROLLED}<table class="table">')
    html = html.replace("</table>", "</table></div>").replace("<th>", '<th scope="col">')
    (top,) = markdown.toc_tokens  # type: ignore[attr-defined]
    sections = tuple((token["id"], token["name"]) for token in top["children"])
    return Guide(top["name"], mark_safe(html), sections)  # noqa: S308 our own text
