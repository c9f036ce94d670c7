"""Guests, who play against bots before they sign up; and what guests and banned people may do.

A guest has a row like any other person, since games and orders need one, but no password. Nobody
else sees a guest: guests are not listed, have no profile, do not play with other people and do not
receive mail. The row becomes the person's account when the guest signs up. A guest who stays away
for `KEEP_GUESTS_FOR` is deleted with all games: see `games.guests.actions`.

Banned people can read why, appeal, download their data and delete their account. Public pages stay
open to them, as to any visitor.
"""

import datetime as dt
from typing import Final
from urllib.parse import urlencode

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.urls import reverse
from django.utils import timezone
from django.utils.deprecation import MiddlewareMixin

from diplomaccloud.accounts.models import User
from diplomaccloud.accounts.sessions import renew_session

KEEP_GUESTS_FOR: Final = dt.timedelta(days=7)
"""How long after the last visit a guest is deleted, with all games."""
_VISIT_STEP: Final = dt.timedelta(hours=1)
"""A visit is saved at most this often, so that reading pages rarely writes."""
_GAME_PAGES: Final = frozenset(
    {
        *("orders", "copy", "drafts", "compare", "conditional-orders", "preview", "ready"),
        *("country", "color", "draw-vote", "open-vote", "answer-vote", "resign", "play"),
        *("quick", "seat-bot", "hint"),
    }
)
"""Pages of games to which a guest may send a form."""
_ACCOUNT_PAGES: Final = frozenset(
    {
        *("account_login", "account_logout", "account_signup"),
        *("mfa_authenticate", "mfa_login_webauthn", "color-scheme"),
    }
)
_OPEN_APPS: Final = frozenset({"learn", "sandbox"})
"""Apps whose forms are open to all visitors: they store nothing on the site."""
_OPEN_PAGES: Final = frozenset({"notices:confirm", "notices:unsubscribe", "announcements:dismiss"})
"""Pages that anyone who knows their secret address may use."""
_SIGN_UP_FIRST: Final = "Sign up first: choose a name and a password. You keep your game."
BANNED: Final = "Your account is banned from this site. Your Reports page says why."
_OPEN_TO_BANNED: Final = frozenset(
    {
        *("press:reports", "press:appeal", "press:export", "press:leaving"),
        *("account_logout", "account_login", "account_delete", "account_export"),
        *("account_export_file", "account_sessions", "account_reauthenticate"),
        "color-scheme",
        *("mfa_reauthenticate", "mfa_reauthenticate_webauthn"),
    }
)
"""What a banned person can still do."""


def create_guest(name: str, *, now: dt.datetime) -> User:
    """Return a new guest; `name` is unique, and is never shown.

    The space in the stored name distinguishes it from screen names, which have no spaces.
    """
    guest = User(username=f"guest {name}", guest=True, visited_at=now, date_joined=now)
    guest.set_unusable_password()
    guest.save()
    return guest


def is_guest(user: object) -> bool:
    """Return whether the person is a guest; a visitor without a game is not."""
    return isinstance(user, User) and user.guest


def expired_guests(*, now: dt.datetime) -> QuerySet[User]:
    """Return the guests whose last visit was too long ago, longest absent first."""
    # SQLite uses an index on a boolean only if it is compared with something.
    guests = User.objects.filter(guest__in=[True], visited_at__lt=now - KEEP_GUESTS_FOR)
    return guests.order_by("visited_at")


class GuestLimits(MiddlewareMixin):
    """Records guests' visits, renews their sessions, and says what only members can do."""

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        """Return the response."""
        # Only if the user was read already: most requests need none, and the database may be down.
        user, now = getattr(request, "_cached_user", None), timezone.now()
        if not isinstance(user, User) or not user.guest or user.visited_at is None:
            return response
        old = User.objects.filter(guest__in=[True], visited_at__lt=now, pk=user.pk)
        if now - user.visited_at >= _VISIT_STEP and old.update(visited_at=now):
            renew_session(request, response, now=now)
        return response

    def process_view(
        self, request: HttpRequest, _view: object, _args: object, _kwargs: object
    ) -> HttpResponse | None:
        """Return a redirect to the sign-up page if a guest may not do this."""
        if _is_open_to_guests(request) or not is_guest(request.user):
            return None
        messages.info(request, _SIGN_UP_FIRST)
        back = request.path if request.method in ("GET", "HEAD") else _find_page(request)
        return HttpResponseRedirect(f"{reverse('account_signup')}?{urlencode({'next': back})}")


def _is_open_to_guests(request: HttpRequest) -> bool:
    match = request.resolver_match
    if match is None:
        return True
    name = match.url_name or ""
    if request.method in ("GET", "HEAD", "OPTIONS"):
        closed = name.startswith(("account_", "mfa_")) and name not in _ACCOUNT_PAGES
        return not closed and match.view_name not in ("games:create", "maps:import")
    if match.app_name == "games":
        return name in _GAME_PAGES
    if match.app_name in _OPEN_APPS or match.view_name in _OPEN_PAGES:
        return True
    return not match.app_name and name in _ACCOUNT_PAGES


def _find_page(request: HttpRequest) -> str:
    """Return the page to show after sign-up, in place of the form that was sent."""
    match = request.resolver_match
    if match and match.app_name == "games" and "slug" in match.kwargs:
        return reverse("games:detail", args=[match.kwargs["slug"]])
    return reverse("games:lobby" if match and match.app_name == "games" else "home")


class BannedLimits(MiddlewareMixin):
    """Refuses the site's forms and private pages to banned people."""

    def process_view(
        self, request: HttpRequest, _view: object, _args: object, _kwargs: object
    ) -> None:
        """Raise `PermissionDenied` if a banned person may not do this."""
        match = request.resolver_match
        if match is None or match.view_name in _OPEN_TO_BANNED:
            return
        is_read = request.method in ("GET", "HEAD", "OPTIONS")
        if is_read and match.app_name not in ("press", "notices"):
            return
        if isinstance(request.user, User) and request.user.banned_at is not None:
            raise PermissionDenied(BANNED)
