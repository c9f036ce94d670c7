"""The lists of people with the best ratings, and hiding one's own."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from diplomaccloud.games.ratings.actions import hide_ratings
from diplomaccloud.games.ratings.forms import HidingForm, PageForm
from diplomaccloud.games.ratings.page import present_leaderboard
from diplomaccloud.games.ratings.read import has_hidden_ratings, read_leaderboard
from diplomaccloud.games.ratings.wording import Kind
from diplomaccloud.games.table.forms import require_user_id
from diplomaccloud.games.visibility.read import viewer_of
from diplomaccloud.shared.responses import see_other


@require_safe
def leaderboard(request: HttpRequest, kind: str = Kind.FULL.value) -> HttpResponse:
    """Show a page of the list of a kind."""
    if kind not in list(Kind):
        raise Http404
    viewer = viewer_of(request.user)
    number = PageForm(request.GET).read_page()
    board = read_leaderboard(Kind(kind), number, viewer, now=timezone.now())
    context = {
        "page": present_leaderboard(board),
        "is_hidden": viewer.user_id is not None and has_hidden_ratings(viewer),
    }
    return render(request, "games/ratings/leaderboard.html", context)


@login_required
@require_POST
def hide(request: HttpRequest) -> HttpResponse:
    """Hide the person's ratings from others, or show them again."""
    form = HidingForm(request.POST)
    if form.is_valid():
        hide_ratings(user_id=require_user_id(request), hidden=form.is_hidden)
        hidden = "Your ratings are hidden. They go on being computed, and only you can see them."
        messages.success(request, hidden if form.is_hidden else "Everyone can see your ratings.")
    else:
        messages.error(request, "Choose whether to hide or to show your ratings.")
    return see_other(reverse("ratings"))
