"""The list of players and their public profiles."""

from dataclasses import dataclass
from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe

from diplomaccloud.accounts.people import PeopleOrder, StatusForm, set_status
from diplomaccloud.games.hall.read import read_cards, read_stamps
from diplomaccloud.games.people.forms import PeopleForm
from diplomaccloud.games.people.page import list_card_keys, present_profile
from diplomaccloud.games.people.read import (
    PeopleQuery,
    Person,
    list_people,
    list_waiting_games,
    read_profile,
)
from diplomaccloud.games.ratings.read import read_ratings
from diplomaccloud.games.table.forms import require_user_id
from diplomaccloud.games.visibility.read import viewer_of
from diplomaccloud.shared.responses import see_other


@dataclass(frozen=True, slots=True)
class PeoplePage:
    """One page of the list; the URL of a neighboring page is blank if there is none."""

    people: tuple[Person, ...]
    previous_url: str
    next_url: str


@require_safe
def people(request: HttpRequest) -> HttpResponse:
    """List the players."""
    form = PeopleForm(request.GET)
    query = form.query()
    viewer = viewer_of(request.user)
    listed = list_people(query, viewer, now=timezone.now())
    names = [person.name for person in listed.people]
    page = PeoplePage(
        people=listed.people,
        previous_url=_page_url(query, "before", names[0]) if names and listed.has_previous else "",
        next_url=_page_url(query, "after", names[-1]) if names and listed.has_next else "",
    )
    return render(request, "games/people/people.html", {"page": page, "form": form, "query": query})


@require_http_methods(["GET", "HEAD", "POST"])
def person(request: HttpRequest, name: str) -> HttpResponse:
    """Show a player's public profile; a POST from that player sets a new status message."""
    viewer = viewer_of(request.user)
    now = timezone.now()
    profile = read_profile(name, viewer, now=now)
    person = profile.person
    posted = request.method == "POST"
    form = StatusForm(request.POST if posted else None, initial={"status": person.status})
    if posted:
        if not person.is_you:
            raise PermissionDenied("You can only change your own status message.")
        if form.is_valid():
            text = form.cleaned_data["status"]
            saved = set_status(user_id=require_user_id(request), text=text)
            removed = "Status message removed."
            messages.success(
                request, "Status message saved. Everyone can read it." if saved else removed
            )
            return see_other(request.path)
    status = 422 if form.errors else 200
    cards = read_cards(viewer, read_stamps(list_card_keys(profile)))
    ratings = read_ratings(profile.key, viewer, now=now)
    view = present_profile(profile, cards, ratings, now)
    context = {"person": person, "profile": profile, "view": view, "form": form}
    return render(request, "games/people/person.html", context, status=status)


@require_safe
@login_required
def invite(request: HttpRequest, name: str) -> HttpResponse:
    """List the viewer's games that wait for players, with a button to invite the person."""
    viewer = viewer_of(request.user)
    person = read_profile(name, viewer, now=timezone.now()).person
    games = list_waiting_games(viewer)
    return render(request, "games/people/invite.html", {"person": person, "games": games})


def _page_url(query: PeopleQuery, direction: str, name: str) -> str:
    order = "" if query.order is PeopleOrder.NAME else str(query.order)
    values = {"name": query.name, "order": order, direction: name}
    query_string = urlencode({key: value for key, value in values.items() if value})
    return f"{reverse('people')}?{query_string}"
