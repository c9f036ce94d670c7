"""Sending a visitor to log in before anything is changed."""

from collections.abc import Callable
from functools import wraps

from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.urls import reverse

View = Callable[[HttpRequest, str], HttpResponse]


def person_required(view: View) -> View:
    """Return a view that asks a visitor to log in, and to come back to the game's page.

    What was posted cannot be asked for again with GET, so its own address would be a dead end.
    """

    @wraps(view)
    def asked(request: HttpRequest, slug: str) -> HttpResponse:
        if request.user.is_authenticated:
            return view(request, slug)
        return redirect_to_login(reverse("games:detail", args=[slug]))

    return asked
