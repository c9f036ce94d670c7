"""The record of a game: processed phases, supply centers, statistics, log."""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from django_htmx.middleware import HtmxDetails

from diplomaccloud.games import viewpoint
from diplomaccloud.games.views.responses import page_number


@never_cache
@require_safe
def phase(request: HttpRequest, slug: str, sequence: int) -> HttpResponse:
    """Show a processed phase with all orders and their outcomes."""
    view, report = viewpoint.phase_view(slug, viewpoint.viewer_of(request.user), sequence)
    template = "games/_phase.html" if HtmxDetails(request) else "games/phase.html"
    return render(request, template, {"view": view, "report": report})


@never_cache
@require_safe
def why(request: HttpRequest, slug: str, sequence: int, number: int) -> HttpResponse:
    """Explain the outcome of one order of a processed phase."""
    viewer = viewpoint.viewer_of(request.user)
    if HtmxDetails(request):
        explanation = viewpoint.explanation_view(slug, viewer, sequence, number)
        context = {"why": explanation, "arrived": True}
        return render(request, "games/_explanation.html", context)
    view, report = viewpoint.phase_view(slug, viewer, sequence, why=number)
    return render(request, "games/phase.html", {"view": view, "report": report})


@never_cache
@require_safe
def centers(request: HttpRequest, slug: str) -> HttpResponse:
    """Show rankings, and who owned which supply center when."""
    view, owned = viewpoint.centers_view(slug, viewpoint.viewer_of(request.user))
    return render(request, "games/centers.html", {"view": view, "centers": owned})


@never_cache
@require_safe
def log(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the public log: deadlines, votes and the game master's acts, newest first."""
    view, page = viewpoint.log_view(slug, viewpoint.viewer_of(request.user), page_number(request))
    return render(request, "games/log.html", {"view": view, "log": page})


@never_cache
@require_safe
def statistics(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the statistics of the game."""
    view, figures = viewpoint.statistics_view(slug, viewpoint.viewer_of(request.user))
    return render(request, "games/statistics.html", {"view": view, "figures": figures})


@never_cache
@require_safe
def record(request: HttpRequest, slug: str) -> HttpResponse:
    """Send the record of the game as JSON lines, for `diplomaccloud replay`."""
    lines = viewpoint.record_lines(slug, viewpoint.viewer_of(request.user))
    return HttpResponse(
        "".join(f"{line}\n" for line in lines),
        content_type="application/jsonl; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{slug}.jsonl"'},
    )


@never_cache
@require_safe
def rules(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the rules and options of the game."""
    view = viewpoint.plain_view(slug, viewpoint.viewer_of(request.user))
    return render(request, "games/rules.html", {"view": view})


@never_cache
@require_safe
def state(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the state of the game, for pages that poll for changes."""
    return JsonResponse(viewpoint.state_of(slug, viewpoint.viewer_of(request.user)))
