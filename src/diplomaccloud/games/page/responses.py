"""The page of a game as an answer, with the panels of other apps: `settings.GAME_PAGE`."""

from dataclasses import dataclass
from typing import cast

from django.http import HttpRequest, HttpResponse
from django_htmx.http import HttpResponseClientRedirect
from django_htmx.middleware import HtmxDetails

from diplomaccloud.games.lobby.page import draw_qr_code
from diplomaccloud.games.orders.page import DraftConflict, SentOrders, present_conflict
from diplomaccloud.games.page.page import GameView, present_game, present_summary
from diplomaccloud.games.table.panels import GamePanel, list_panels
from diplomaccloud.games.table.views import NO_NOTES, GameNotes, known_parts, read_game
from diplomaccloud.judge.legality.order_entry import Problem
from diplomaccloud.shared.responses import render_page

__all__ = ["game_page", "present_game", "present_summary"]


@dataclass(frozen=True, slots=True)
class Refusal:
    """A refused piece of text, and why.

    `slot` is its place in the order form, 0 if it is not there. `line` is its line in the order
    box, 0 if that is obvious.
    """

    text: str
    message: str
    slot: int
    line: int


_TEMPLATES = {
    "forming": "games/page/forming.html",
    "running": "games/page/running.html",
    "finished": "games/page/finished.html",
}


def game_page(
    request: HttpRequest,
    slug: str,
    notes: GameNotes = NO_NOTES,
    *,
    code: str = "",
    draft: str = "",
    status: int = 200,
    refused: str = "",
) -> HttpResponse:
    """Return the current page of the game: see `table.views.game_page`."""
    reader = read_game(request, slug, code=code, draft=draft)
    view = present_game(reader, known_parts(request))
    panels = () if reader.by_code else list_panels(request, reader)
    return render_game(request, view, notes, panels=panels, status=status, refused=refused)


def render_game(
    request: HttpRequest,
    view: GameView,
    notes: GameNotes = NO_NOTES,
    *,
    panels: tuple[GamePanel, ...] = (),
    status: int = 200,
    refused: str = "",
) -> HttpResponse:
    """Return the page of a game, or the part of it that htmx requested."""
    template = _TEMPLATES[view.header.status]
    if view.by_code and view.header.status == "running":
        template = "games/page/replacement.html"
    elif HtmxDetails(request):
        if view.header.status != "running":
            return HttpResponseClientRedirect(view.header.url)
        template = "games/page/_board.html"
    context: dict[str, object] = {
        "view": view,
        "panels": panels,
        "problems": notes.problems,
        "saved": notes.saved,
        "saved_in": notes.saved_in,
        "saved_phase": notes.saved_phase,
        "counts": notes.counts,
        "sheet": notes.sheet,
        "not_ready": notes.not_ready,
        "can_confirm": notes.can_confirm,
        "conflict": _present_conflict(view, cast("SentOrders | None", notes.outdated)),
        "conditions": notes.conditions,
        "late": notes.late,
        "refusals": _place_refusals(view, notes.problems),
    }
    if view.header.status == "forming" and view.invite_url:
        address = request.build_absolute_uri(view.invite_url)
        context["invitation"] = {"url": address, "qr_code": draw_qr_code(address)}
    return render_page(request, template, context, status=status, refused=refused)


def _present_conflict(view: GameView, outdated: SentOrders | None) -> DraftConflict | None:
    return present_conflict(view.order_form, outdated) if view.order_form and outdated else None


def _place_refusals(view: GameView, problems: tuple[Problem, ...]) -> tuple[Refusal, ...]:
    """Return each refused piece with the line of the order form that it belongs to."""
    lines = view.order_form.slots if view.order_form else ()
    slots = {slot.key: number for number, slot in enumerate(lines, 1)}
    return tuple(
        Refusal(problem.short, problem.message, slots.get(problem.key, 0), problem.line)
        for problem in problems
    )
