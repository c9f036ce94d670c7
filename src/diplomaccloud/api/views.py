"""The developer pages: API tokens, and every call with a form to try it."""

from allauth.account.decorators import reauthentication_required
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from diplomaccloud.accounts.sessions import USE_STEP
from diplomaccloud.api import tokens
from diplomaccloud.api.descriptions import describe_calls
from diplomaccloud.api.forms import TokenForm, describe_scope
from diplomaccloud.games.lobby.read import ListQuery, Status, list_games
from diplomaccloud.games.table.errors import NoSuchGame, Refused
from diplomaccloud.games.table.forms import require_user_id
from diplomaccloud.games.visibility.read import Viewer
from diplomaccloud.shared.responses import see_other


@require_safe
def show_calls(request: HttpRequest) -> HttpResponse:
    """List every call of the API, with a form to try it."""
    return render(request, "api/calls.html", {"groups": describe_calls()})


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@reauthentication_required(enabled=lambda request: request.method == "POST")  # type: ignore[untyped-decorator]
def show_tokens(request: HttpRequest) -> HttpResponse:
    """List tokens, and create one, which is shown only once, in the answer to the form.

    A person who has not entered the password recently is asked for it before that.
    """
    user_id = require_user_id(request)
    form = TokenForm(request.POST if request.method == "POST" else None, _list_seats(user_id))
    made, status = "", 200
    if form.is_bound:
        made, status = _make(form, user_id), 422
    if made:
        form, status = TokenForm(None, _list_seats(user_id)), 200
    now = timezone.now()
    rows = [
        {"facts": facts, "scopes": [describe_scope(scope) for scope in facts.scopes]}
        for facts in tokens.list_tokens(user_id, now)
    ]
    context = {
        "form": form,
        "made": made,
        "tokens": rows,
        "most": tokens.MAX_TOKENS,
        "hour_ago": now - USE_STEP,
    }
    return render(request, "api/tokens.html", context, status=status)


@never_cache
@login_required
@require_POST
def revoke(request: HttpRequest, key: int) -> HttpResponse:
    """Revoke a token."""
    if tokens.revoke_token(user_id=require_user_id(request), key=key):
        messages.success(request, "Token revoked. Programs can no longer use it.")
    return see_other(reverse("api:tokens"))


def _make(form: TokenForm, user_id: int) -> str:
    """Return the new token, or a blank string and the reason in the form if it is refused."""
    if not form.is_valid():
        return ""
    given = form.cleaned_data
    try:
        return tokens.make_token(
            user_id=user_id,
            name=given["name"],
            scopes=given["scopes"],
            life=given["days"],
            slug=given["seat"],
            now=timezone.now(),
        )
    except (Refused, NoSuchGame) as error:
        form.add_error(None, str(error))
        return ""


def _list_seats(user_id: int) -> list[tuple[str, str]]:
    """Return the games the person is playing in, for the form."""
    own = list_games(Viewer(user_id), ListQuery(statuses=(), vacant=False)).yours
    return [
        (game.slug, f"Only {game.your_country} in {game.world}")
        for game in own
        if game.yours and game.status == Status.RUNNING
    ]
