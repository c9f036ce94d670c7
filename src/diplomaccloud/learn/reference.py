"""Views: the rulebook and the glossary."""

from typing import Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from diplomaccloud.learn.diagrams import present_diagrams
from diplomaccloud.learn.glossary import TERMS
from diplomaccloud.learn.rulebook import list_rules

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
