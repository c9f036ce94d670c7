"""The record of a game: processed phases, supply centers, statistics, log."""

from dataclasses import asdict

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from django_htmx.middleware import HtmxDetails

from diplomaccloud.games.page.page import GamePage, present_summary
from diplomaccloud.games.page.responses import (
    known_parts,
    list_phase_panels,
    page_number,
    read_game,
)
from diplomaccloud.games.results.page import (
    PhaseReport,
    build_sandbox_url,
    present_animation,
    present_explanation,
    present_log,
    report_phase,
)
from diplomaccloud.games.results.read import explain_order
from diplomaccloud.games.seats.page import Seats, present_seats
from diplomaccloud.games.table.read import Reader


@never_cache
@require_safe
def phase(request: HttpRequest, slug: str, sequence: int) -> HttpResponse:
    """Show a processed phase with all orders and their outcomes."""
    reader = read_game(request, slug)
    seats = present_seats(reader)
    report = report_phase(reader, seats, sequence, known=known_parts(request))
    view = present_summary(reader, seats)
    template = "games/results/_phase.html" if HtmxDetails(request) else "games/results/phase.html"
    return render(request, template, _phase_context(request, reader, seats, view, report))


@never_cache
@require_safe
def animation(request: HttpRequest, slug: str, sequence: int) -> HttpResponse:
    """Return a processed phase as an animation; `have` are territories that the page has."""
    reader = read_game(request, slug)
    have = request.GET.getlist("have")
    return JsonResponse(asdict(present_animation(reader, sequence, have)))


@never_cache
@require_safe
def why(request: HttpRequest, slug: str, sequence: int, number: int) -> HttpResponse:
    """Explain the outcome of one order of a processed phase."""
    reader = read_game(request, slug)
    if HtmxDetails(request):
        url = reverse("games:phase", args=[slug, sequence])
        explanation = present_explanation(explain_order(reader, sequence, number), url)
        context = {"why": explanation, "arrived": True}
        return render(request, "games/results/_explanation.html", context)
    seats = present_seats(reader)
    report = report_phase(reader, seats, sequence, number)
    view = present_summary(reader, seats)
    context = _phase_context(request, reader, seats, view, report)
    return render(request, "games/results/phase.html", context)


def _phase_context(
    request: HttpRequest, reader: Reader, seats: Seats, view: GamePage, report: PhaseReport
) -> dict[str, object]:
    panels = list_phase_panels(request, reader, seats, report.sequence)
    query = next((panel.phase_query for panel in panels if panel.phase_query), "")
    return {"view": view, "report": report, "panels": panels, "phase_query": query}


@never_cache
@require_safe
def log(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the public log: deadlines, votes and the game master's actions, newest first."""
    reader = read_game(request, slug)
    seats = present_seats(reader)
    view, page = present_summary(reader, seats), present_log(reader, page_number(request))
    return render(request, "games/log/log.html", {"view": view, "log": page})


@never_cache
@require_safe
def rules(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the rules and options of the game."""
    reader = read_game(request, slug)
    seats = present_seats(reader)
    view = present_summary(reader, seats)
    return render(request, "games/game/rules.html", {"view": view})


# Phases of a game in the sandbox, where anyone who may see them can try other orders.


@never_cache
@require_safe
def sandbox(request: HttpRequest, slug: str, sequence: int | None = None) -> HttpResponse:
    """Open the position now, or a processed phase with its orders, in the sandbox of its map."""
    return HttpResponseRedirect(build_sandbox_url(read_game(request, slug), sequence))
