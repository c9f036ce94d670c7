"""The list of players and their public profiles."""

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe

from diplomaccloud.accounts.people import StatusForm, set_status
from diplomaccloud.games.people.forms import PeopleForm
from diplomaccloud.games.people.page import present_people, present_profile
from diplomaccloud.games.people.read import list_people, read_profile
from diplomaccloud.games.table.forms import require_user_id
from diplomaccloud.games.visibility.read import viewer_of
from diplomaccloud.shared.responses import see_other


@require_safe
def people(request: HttpRequest) -> HttpResponse:
    """List the players."""
    form = PeopleForm(request.GET)
    query = form.query()
    viewer = viewer_of(request.user)
    listed = list_people(query, viewer, now=timezone.now())
    context = {"page": present_people(listed, query), "form": form, "query": query}
    return render(request, "games/people/people.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def person(request: HttpRequest, name: str) -> HttpResponse:
    """Show a player's public profile; a POST from that player sets a new status message."""
    viewer = viewer_of(request.user)
    profile = present_profile(read_profile(name, viewer, now=timezone.now()))
    posted = request.method == "POST"
    form = StatusForm(request.POST if posted else None, initial={"status": profile.status})
    if posted:
        if not profile.is_you:
            raise PermissionDenied("You can only change your own status message.")
        if form.is_valid():
            return _save_status(request, form.cleaned_data["status"])
    status = 422 if form.errors else 200
    return render(
        request, "games/people/person.html", {"person": profile, "form": form}, status=status
    )


def _save_status(request: HttpRequest, text: str) -> HttpResponse:
    saved = set_status(user_id=require_user_id(request), text=text)
    message = "Status message saved. Everyone can read it." if saved else "Status message removed."
    messages.success(request, message)
    return see_other(request.path)
