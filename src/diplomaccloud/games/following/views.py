"""What a person follows: the list, the buttons on other pages, and the link in a notice."""

from collections.abc import Callable
from functools import wraps
from typing import Final
from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST

from diplomaccloud.games.following import actions
from diplomaccloud.games.following.forms import FollowForm
from diplomaccloud.games.following.read import (
    find_game_key,
    find_person_key,
    list_following,
    name_target,
    read_unfollow_token,
)
from diplomaccloud.games.following.wording import (
    FOLLOWERS_ALLOWED,
    FOLLOWERS_REFUSED,
    FOLLOWS_GAME,
    FOLLOWS_PERSON,
    NO_LONGER,
)
from diplomaccloud.games.table.errors import NoSuchGame, Refused
from diplomaccloud.games.table.forms import require_user_id
from diplomaccloud.games.visibility.read import viewer_of
from diplomaccloud.shared.responses import see_other

_METHODS: Final = ["GET", "HEAD", "POST"]


def _member_required(page: str) -> Callable[..., Callable[..., HttpResponse]]:
    """Return a decorator that sends visitors to log in and guests to sign up, then to the page."""

    def wrap(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
        @wraps(view)
        def check(request: HttpRequest, **names: str) -> HttpResponse:
            address = reverse(page, kwargs=names)
            if not request.user.is_authenticated:
                return redirect_to_login(address)
            if getattr(request.user, "guest", False):
                signup = reverse("account_signup")
                return HttpResponseRedirect(f"{signup}?{urlencode({'next': address})}")
            return view(request, **names)

        return check

    return wrap


@require_http_methods(_METHODS)
@_member_required("following")
def following(request: HttpRequest) -> HttpResponse:
    """List what the person follows; a POST follows a player by name."""
    form = FollowForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        try:
            name = form.cleaned_data["name"]
            actions.follow_person(user_id=require_user_id(request), name=name, now=timezone.now())
            messages.success(request, FOLLOWS_PERSON.format(name=name))
            return see_other(reverse("following"))
        except Refused as refusal:
            form.add_error("name", str(refusal))
    listed = list_following(viewer_of(request.user))
    status = 422 if form.errors else 200
    context = {"listed": listed, "form": form}
    return render(request, "games/following/following.html", context, status=status)


@require_POST
@_member_required("following")
def choose_followers(request: HttpRequest) -> HttpResponse:
    """Let others follow the person, or nobody."""
    is_allowed = request.POST.get("allowed") == "1"
    actions.let_people_follow(user_id=require_user_id(request), is_allowed=is_allowed)
    messages.success(request, FOLLOWERS_ALLOWED if is_allowed else FOLLOWERS_REFUSED)
    return see_other(reverse("following"))


@require_POST
@_member_required("person")
def follow_person(request: HttpRequest, name: str) -> HttpResponse:
    """Follow or unfollow the person, and go back to the page of the button."""
    user_id = require_user_id(request)
    try:
        if request.POST.get("follow") == "1":
            actions.follow_person(user_id=user_id, name=name, now=timezone.now())
            messages.success(request, FOLLOWS_PERSON.format(name=name))
        else:
            actions.unfollow_person(user_id=user_id, person_id=find_person_key(name))
            messages.success(request, NO_LONGER.format(name=name))
    except Refused as refusal:
        messages.error(request, str(refusal))
    return _go_back(request, reverse("person", args=[name]))


@require_POST
@_member_required("games:detail")
def follow_game(request: HttpRequest, slug: str) -> HttpResponse:
    """Follow or unfollow the game, and go back to the page of the button."""
    user_id = require_user_id(request)
    if request.POST.get("follow") == "1":
        actions.follow_game(user_id=user_id, slug=slug, now=timezone.now())
        messages.success(request, FOLLOWS_GAME)
    else:
        found = find_game_key(slug, viewer_of(request.user))
        if found is None:
            raise NoSuchGame
        key, world = found
        actions.unfollow_game(user_id=user_id, game_id=key)
        messages.success(request, NO_LONGER.format(name=world))
    return _go_back(request, reverse("games:detail", args=[slug]))


def _go_back(request: HttpRequest, page: str) -> HttpResponse:
    return see_other(reverse("following") if request.POST.get("from") == "list" else page)


@csrf_exempt
@never_cache
@require_http_methods(_METHODS)
def unfollow(request: HttpRequest, token: str) -> HttpResponse:
    """Ask whether to unfollow; a POST does it. The address itself is the authorization.

    A GET changes nothing, because programs that scan e-mail follow its links.
    """
    target = read_unfollow_token(token)
    if target is None:
        raise Http404
    user_id, kind, key = target
    name, is_done = name_target(user_id, kind, key), request.method == "POST"
    if is_done and kind == "p":
        actions.unfollow_person(user_id=user_id, person_id=key)
    elif is_done:
        actions.unfollow_game(user_id=user_id, game_id=key)
    context = {"name": name, "is_done": is_done or not name}
    return render(request, "games/following/unfollow.html", context)
