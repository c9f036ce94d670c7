"""Views: the rulebook, the glossary, and the guides."""

import re
from dataclasses import dataclass
from functools import cache
from html import unescape
from pathlib import Path
from textwrap import shorten
from typing import Final

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.html import strip_tags
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.http import require_safe
from markdown import Markdown

from diplomaccloud.judge.messages.english import capitalize
from diplomaccloud.judge.reasons.rulebook import RULEBOOK, Source, list_books, list_sources
from diplomaccloud.learn.diagrams import present_diagrams

_SECTIONS = {
    f"rule-{number}": section
    for section, numbers in {
        "move": (1,),
        "board": (2,),
        "standoffs": (3, 5, 6, 7),
        "support": (4, 8, 9, 10),
        "dislodged": (11,),
        "own-units": (12,),
        "cut": (13, 14, 15, 16),
        "convoys": (17, 18, 20),
        "convoy-or-land": (19,),
        "paradox": (21, 22),
    }.items()
    for number in numbers
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


# The terms of the game, for players; `docs/glossary.md` decides what things are called.


@dataclass(frozen=True, slots=True)
class Term:
    """A term, its meaning, and the section of the rulebook that explains it."""

    name: str
    meaning: str
    section: str = ""

    @property
    def anchor(self) -> str:
        """Its id on the page."""
        return self.name.lower().replace(" ", "-")


TERMS = (
    Term("adjustment", "The phase in Winter in which countries build and disband.", "builds"),
    Term("ally", "A player who works together with you, for as long as it suits both."),
    Term("army", "A unit that moves on land.", "units"),
    Term("attack", "A move to a province with a unit in it.", "move"),
    Term(
        "beleaguered garrison",
        "A unit that survives because equal attacks on it stop each other.",
        "support",
    ),
    Term("bounce", "To fail to enter a province and stay in place.", "standoffs"),
    Term("build", "To get a new unit in Winter, in an empty home center.", "builds"),
    Term("center", "Short for supply center.", "centers"),
    Term(
        "civil disorder",
        "What happens to a country without a player: its units hold, and the "
        "rules choose what it disbands.",
        "civil-disorder",
    ),
    Term(
        "coast",
        "The shore of a land province. A few provinces have two, and a fleet stands on "
        "one of them.",
        "board",
    ),
    Term(
        "conditional orders",
        "Retreats, builds and disbands that you write during "
        "movement. They are used if their conditions are met.",
    ),
    Term("convoy", "An order by which a fleet at sea carries an army to another coast.", "convoys"),
    Term("country", "One of the sides in the game. The rules also call it a power.", "game"),
    Term("cut", "A support is cut, and does not count, if the supporting unit is attacked.", "cut"),
    Term("deadline", "When orders close."),
    Term("disband", "To take a unit off the board: in Winter, or instead of a retreat.", "builds"),
    Term("dislodge", "To drive a unit out of its province with a stronger attack.", "dislodged"),
    Term("draft", "A set of orders that you saved. The live draft is the one that counts."),
    Term("draw", "An ending that all remaining players share equally.", "draws"),
    Term("draw vote", "The word DRAW or SURRENDER, written with the orders.", "draws"),
    Term("explanation", "Why an order had its outcome: open it with “Why?” beside a result."),
    Term("fleet", "A unit that moves at sea and along coasts.", "units"),
    Term("hold", "To stay and defend the province.", "orders"),
    Term("home center", "A supply center in which a country may build.", "centers"),
    Term("lock", "The moment orders close. Nothing can be changed after that."),
    Term("move", "To go to a neighboring province.", "move"),
    Term("neutral", "Owned by no country."),
    Term("order", "One instruction to one unit.", "orders"),
    Term("order set", "All orders that one player submits for a phase."),
    Term(
        "outcome",
        "What happened to an order: it succeeded, bounced, was cut or was void.",
        "orders",
    ),
    Term("phase", "One step of a game year: movement, retreats or adjustments.", "year"),
    Term("position", "Where the units stand and who owns which centers."),
    Term("power", "A country, in the words of the rules.", "game"),
    Term("province", "An area of the map: sea, coast or inland.", "board"),
    Term(
        "ready",
        "Your mark that the phase may end before the deadline. It ends when everyone is ready.",
    ),
    Term("retreat", "The move of a dislodged unit to a free province.", "retreats"),
    Term("rule set", "An edition of the rulebook with its choices.", "editions"),
    Term(
        "setup", "How a game starts: who plays which countries, and where the units are.", "fewer"
    ),
    Term("stab", "To attack an ally by surprise."),
    Term("stalemate line", "A line of units that no attacker can break, no matter how strong."),
    Term("standoff", "Two or more equal moves to the same province: nobody gets in.", "standoffs"),
    Term(
        "supply center",
        "A province with a star. It supports one unit of the country that owns it.",
        "centers",
    ),
    Term("support", "An order that adds 1 to the strength of another unit.", "support"),
    Term("turn", "Spring or Fall: a movement phase and what follows it.", "year"),
    Term("unit", "An army or a fleet.", "units"),
    Term(
        "void",
        "Without effect, like an order that is impossible or matches no other order.",
        "mistakes",
    ),
    Term("waive", "To give up a build that you are entitled to.", "builds"),
)
"""All terms, in alphabetical order."""


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


GUIDES: Final = (
    *("first-week", "press", "press-guide", "notices", "ratings"),
    *("game-masters", "first-case", "http-api"),
)
"""The names of the documents, without `.md`."""
_PACKAGED: Final = Path(__file__).parent / "texts"
"""The folder with the documents in a wheel; see `force-include` in `pyproject.toml`."""
_DOCS: Final = Path(__file__).parents[3] / "docs"
_SCROLLED: Final = '<div class="table-scroll" tabindex="0" role="group" aria-label="Table">'
_LINK: Final = re.compile(r'href="([a-z-]+)\.md(?=["#])')

_PARAGRAPH: Final = re.compile(r"<p>(.*?)</p>", re.DOTALL)
_MAX_DESCRIPTION: Final = 160
"""In characters: what search engines and chats show of a page."""


@dataclass(frozen=True, slots=True)
class Guide:
    """A guide as HTML, its title, first words, and the anchors and titles of its sections."""

    title: str
    description: str
    html: SafeString
    sections: tuple[tuple[str, str], ...]


@require_safe
def show_guide(request: HttpRequest, name: str) -> HttpResponse:
    """Show a guide."""
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
    return Guide(top["name"], _describe(html), mark_safe(html), sections)  # noqa: S308 our own text


def _describe(html: str) -> str:
    """Return the first paragraph as plain text, shortened."""
    paragraph = _PARAGRAPH.search(html)
    text = unescape(strip_tags(paragraph[1])) if paragraph else ""
    return shorten(text, _MAX_DESCRIPTION, placeholder=" …")
