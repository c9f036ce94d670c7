"""The page of a game, its picture for previews of links, and its state for pages that poll."""

from dataclasses import dataclass, fields, replace
from typing import cast

from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from django_htmx.http import HttpResponseClientRedirect
from django_htmx.middleware import HtmxDetails

from diplomaccloud.atlas.printing.sheets import Sheet
from diplomaccloud.games.hall.page import find_preview_url
from diplomaccloud.games.lobby.page import draw_qr_code
from diplomaccloud.games.orders.page import SentOrders, present_conflict
from diplomaccloud.games.page.page import (
    CONDITIONS,
    POWERS,
    VOTES,
    GameView,
    describe_due,
    present_game,
    present_part,
    present_state,
    present_summary,
)
from diplomaccloud.games.results.page import print_turn as present_print
from diplomaccloud.games.table.errors import NoSuchGame
from diplomaccloud.games.table.panels import GamePanel, list_panels
from diplomaccloud.games.table.read import Reader
from diplomaccloud.games.table.views import NO_NOTES, GameNotes, known_parts, read_game
from diplomaccloud.games.visibility.read import needs_code, viewer_of
from diplomaccloud.maps.prints import answer_print, read_style
from diplomaccloud.shared.responses import render_page

__all__ = ["game_page", "present_game", "present_summary"]

_PICTURE_CACHE = "public, max-age=300"


@never_cache
@require_safe
def detail(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the game."""
    code, draft = request.GET.get("code", "").strip().lower(), request.GET.get("draft", "")
    try:
        response = game_page(request, slug, code=code, draft=draft)
    except NoSuchGame:
        if not needs_code(slug):
            raise
    else:
        if request.user.is_authenticated and not request.GET.keys() - {"code"}:
            response.headers["Offline-Copy"] = "allowed"
        return response
    # Probably a friend of a player who got the address without its code.
    context = {"slug": slug, "wrong": code}
    return render_page(request, "games/page/door.html", context, status=403, refused="no code")


@dataclass(frozen=True, slots=True)
class _Part:
    """A part of the page that is fetched when it is shown: its heading and its template.

    `heading_id` is the id of a heading that is outside of the template; blank if it has its own.
    """

    heading: str
    template: str
    heading_id: str = ""


_PARTS = {
    POWERS: _Part("Players, units and centers", "games/page/_powers_part.html"),
    VOTES: _Part("Votes", "games/votes/_votes_part.html", "votes-heading"),
    CONDITIONS: _Part(
        "Conditional orders",
        "games/conditional_orders/_conditions.html",
        "conditional-orders-heading",
    ),
}


@never_cache
@require_safe
def part(request: HttpRequest, slug: str, name: str) -> HttpResponse:
    """Show a part of the game: alone to scripts, otherwise as a page of its own."""
    shown = _PARTS.get(name)
    reader = read_game(request, slug)
    view = present_part(reader, name) if shown and not reader.is_forming else None
    if shown is None or view is None:
        raise NoSuchGame
    context = {
        "view": view,
        "heading": shown.heading,
        "heading_id": shown.heading_id,
        "part_template": shown.template,
        "conditions": view.order_form and view.order_form.conditions,
        "sequence": view.header.sequence,
    }
    template = shown.template if HtmxDetails(request) else "games/page/part.html"
    response = render_page(request, template, context)
    if HtmxDetails(request) and request.user.is_authenticated:
        response.headers["Offline-Copy"] = "allowed"
        # Without a connection, a page shows no part of another phase.
        response.headers["Game-Phase"] = str(view.header.sequence)
    return response


@require_safe
def picture(_request: HttpRequest, slug: str) -> HttpResponse:
    """Redirect to the picture for previews of links; addresses of it are older than its names."""
    reader = Reader(slug, viewer_of(AnonymousUser()))
    return HttpResponseRedirect(find_preview_url(reader), headers={"Cache-Control": _PICTURE_CACHE})


@never_cache
@require_safe
def state(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the state of the game, for pages that poll for changes."""
    return JsonResponse(present_state(read_game(request, slug)))


@never_cache
@require_safe
def print_turn(
    request: HttpRequest, slug: str, sequence: int | None = None, kind: str = Sheet.TURN
) -> HttpResponse:
    """Send a turn to print, or slips to write the orders of the open phase on."""
    reader = read_game(request, slug)
    address = request.build_absolute_uri(reverse("games:detail", args=[slug]))
    deadline = describe_due(reader)
    wanted = present_print(reader, sequence, kind, deadline=deadline, imprint=address)
    wanted = replace(wanted, content=replace(wanted.content, style=read_style(request)))
    return answer_print(request, wanted, f"{reader.game.world} {wanted.content.position.phase}")


# The page as an answer to all forms, with the panels of other apps.


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
    """Return the page of the game: `table.views.game_page` finds it under `settings.GAME_PAGE`."""
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
    form, outdated = view.order_form, cast("SentOrders | None", notes.outdated)
    # Each refused piece, with the line of the order form that it belongs to.
    slots = {slot.key: number for number, slot in enumerate(form.slots if form else (), 1)}
    context = {
        **{field.name: getattr(notes, field.name) for field in fields(notes)},
        "view": view,
        "panels": panels,
        "conflict": present_conflict(form, outdated) if form and outdated else None,
        "refusals": [
            Refusal(problem.short, problem.message, slots.get(problem.key, 0), problem.line)
            for problem in notes.problems
        ],
    }
    if view.header.status == "forming" and view.invite_url:
        address = request.build_absolute_uri(view.invite_url)
        context["invitation"] = {"url": address, "qr_code": draw_qr_code(address)}
    return render_page(request, template, context, status=status, refused=refused)
