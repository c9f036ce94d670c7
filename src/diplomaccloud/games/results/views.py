"""Pages of processed phases: results, animations, explanations; and the log and the rules."""

from dataclasses import asdict

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from django_htmx.middleware import HtmxDetails

from diplomaccloud.games.results.page import (
    PhaseReport,
    build_sandbox_url,
    present_animation,
    present_explanation,
    report_phase,
)
from diplomaccloud.games.results.read import explain_order, read_log
from diplomaccloud.games.seats.page import present_seats
from diplomaccloud.games.seats.wording import name_master
from diplomaccloud.games.table.panels import list_panels, list_phase_panels
from diplomaccloud.games.table.read import Reader
from diplomaccloud.games.table.views import known_parts, read_game, show_page
from diplomaccloud.shared.responses import page_number


@never_cache
@require_safe
def phase(request: HttpRequest, slug: str, sequence: int) -> HttpResponse:
    """Show a processed phase with all orders and their outcomes."""
    reader = read_game(request, slug)
    seats = present_seats(reader)
    report = report_phase(reader, seats, sequence, known=known_parts(request))
    template = "games/results/_phase.html" if HtmxDetails(request) else "games/results/phase.html"
    return _show_phase(request, reader, template, report)


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
    return _show_phase(request, reader, "games/results/phase.html", report)


def _show_phase(
    request: HttpRequest, reader: Reader, template: str, report: PhaseReport
) -> HttpResponse:
    panels = list_phase_panels(request, reader, report.sequence)
    query = next((panel.phase_query for panel in panels if panel.phase_query), "")
    known = {panel.key for panel in panels}
    # Only their tabs are shown, which lead to the page of the game.
    others = [panel for panel in list_panels(request, reader) if panel.key not in known]
    context = {"report": report, "panels": panels, "others": others, "phase_query": query}
    return show_page(request, reader, template, context)


@never_cache
@require_safe
def log(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the public log: deadlines, votes and the game master's actions, newest first."""
    reader = read_game(request, slug)
    context = {
        "log": read_log(reader, page_number(request)),
        "master": name_master(reader.game.master),
    }
    return show_page(request, reader, "games/results/log.html", context)


@never_cache
@require_safe
def rules(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the rules and options of the game."""
    return show_page(request, read_game(request, slug), "games/creation/rules.html")


# Phases of a game in the sandbox, where anyone who may see them can try other orders.


@never_cache
@require_safe
def sandbox(request: HttpRequest, slug: str, sequence: int | None = None) -> HttpResponse:
    """Open the position now, or a processed phase with its orders, in the sandbox of its map."""
    return HttpResponseRedirect(build_sandbox_url(read_game(request, slug), sequence))
