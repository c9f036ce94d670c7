"""What everybody may know of a person."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from diplomaccloud.games import viewpoint


@require_safe
def person(request: HttpRequest, name: str) -> HttpResponse:
    """Show a person's public profile."""
    shown = viewpoint.person_view(name, viewpoint.viewer_of(request.user))
    return render(request, "games/person.html", {"person": shown})
