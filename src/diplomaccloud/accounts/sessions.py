"""Where a person is logged in: the list of sessions, and ending them.

A row for each session holds the device where it started and, within an hour, when it was last used.
Ending all sessions but one changes `User.session_salt`, on which the hash in every session depends.
So it also ends sessions without a row, and needs no search.

The first use on a day (UTC) renews a session: it lasts a year from then if its owner wants to stay
logged in, or else two weeks, unless the browser is closed before. A guest's lasts two weeks.

`allauth.usersessions` would need all of this beside it: it stores the address of each visitor,
writes a row in each request, asks for each session on its own, and ends only sessions with a row.
"""

import datetime as dt
import time
from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import wraps
from importlib import import_module
from typing import Final, Literal, cast

from django.conf import settings
from django.contrib import auth, messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.signals import user_logged_in, user_logged_out
from django.contrib.sessions.models import Session
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.shortcuts import render
from django.utils import timezone
from django.utils.crypto import constant_time_compare, get_random_string
from django.utils.deprecation import MiddlewareMixin
from django.utils.module_loading import import_string
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from diplomaccloud.accounts.models import MAX_SALT, LoginSession, User
from diplomaccloud.accounts.people import record_return, start_of_day

CHALLENGE_SECONDS: Final = 600
"""How long a session lasts that only requested a passkey challenge and has not logged in."""
KEEP_FOR: Final = dt.timedelta(seconds=settings.ACCOUNT_SESSION_COOKIE_AGE)
"""How long after its last use a session lasts that its owner wants to keep."""
MAX_LISTED: Final = 100
_PRUNED_AT_ONCE: Final = 100
USE_STEP: Final = dt.timedelta(hours=1)
"""A use is saved at most this often, so that reading pages rarely writes."""

_MAX_WRITTEN: Final = 10_000
_written: dict[str, float] = {}
"""When this process must next save each session's use; skipping it saves a query per page."""
UNKNOWN: Final = "Unknown device"
_BROWSERS: Final = (
    # The order matters: most browsers also name the ones that they resemble.
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("CriOS/", "Chrome"),
    ("Chrome/", "Chrome"),
    ("HeadlessChrome/", "Chrome"),
    ("Safari/", "Safari"),
)
_SYSTEMS: Final = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("CrOS", "ChromeOS"),
    ("Windows", "Windows"),
    ("Mac OS X", "macOS"),
    ("Linux", "Linux"),
)
_MAX_DIGITS = 18


@dataclass(frozen=True, slots=True)
class Grant:
    """Anything other than a session that lets a program act for a person, such as an API token."""

    name: str
    created_at: dt.datetime
    used_at: dt.datetime | None


@receiver(user_logged_in)
def record_login(*, request: HttpRequest, user: User, **_facts: object) -> None:
    """Save the row of a session that has just started; guests have none."""
    if request.session.get("_session_expiry") == CHALLENGE_SECONDS:
        request.session.set_expiry(None)
    if user.guest:
        return
    # Before Django replaces the time of the last log-in.
    record_return(user, now=timezone.now())
    prune_login_sessions(now=timezone.now())
    if not request.session.session_key:
        request.session.save()
    _record_use(request, user, now=timezone.now())


@receiver(user_logged_out)
def forget_login(*, request: HttpRequest | None, **_facts: object) -> None:
    """Delete the row of a session whose owner logs out."""
    session = getattr(request, "session", None)
    if session is not None and session.session_key:
        forget_sessions([session.session_key])


def forget_sessions(keys: Collection[str]) -> None:
    """Delete the rows of sessions that have ended."""
    LoginSession.objects.filter(session_key__in=keys).delete()


def is_kept(request: HttpRequest) -> bool:
    """Return whether the session's owner wants to stay logged in."""
    return bool(request.session.get("_session_expiry") == KEEP_FOR.total_seconds())


def keep_session(request: HttpRequest, *, kept: bool) -> None:
    """Let the session last a year after its last use, or until the browser is closed."""
    request.session.set_expiry(int(KEEP_FOR.total_seconds()) if kept else 0)


def renew_session(request: HttpRequest, response: HttpResponseBase, *, now: dt.datetime) -> bool:
    """Renew the session and its cookie on the first use of a day; return whether it was done.

    Only the end of the session is written, so that other requests keep what they write to it.
    """
    session = request.session
    if "public" in response.headers.get("Cache-Control", ""):
        return False  # a cache would give others the cookie
    if session.get("_session_expiry") == settings.SESSION_COOKIE_AGE:
        # Releases in which every session ended after two weeks marked kept ones this way.
        keep_session(request, kept=True)
        return True
    life = dt.timedelta(seconds=session.get_expiry_age())
    old = Session.objects.filter(
        session_key=session.session_key, expire_date__lt=start_of_day(now) + life
    )
    if not old.update(expire_date=now + life):
        return False
    if not session.get_expire_at_browser_close():
        response.set_cookie(
            settings.SESSION_COOKIE_NAME,
            session.session_key or "",
            max_age=life,
            domain=settings.SESSION_COOKIE_DOMAIN,
            path=settings.SESSION_COOKIE_PATH,
            secure=settings.SESSION_COOKIE_SECURE,
            httponly=settings.SESSION_COOKIE_HTTPONLY,
            samesite=cast("Literal['Lax']", settings.SESSION_COOKIE_SAMESITE),
        )
    return True


def limit_challenge(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """Return a view that requests a passkey challenge, with a session that ends soon if it is new.

    Otherwise, programs that only request challenges would fill the table of sessions.
    """

    @wraps(view)
    def wrapped(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponseBase:
        was_empty = request.session.is_empty()
        response = view(request, *args, **kwargs)
        if was_empty and request.session.modified and not request.user.is_authenticated:
            request.session.set_expiry(CHALLENGE_SECONDS)
        return response

    return wrapped


def list_sessions(user: User) -> list[LoginSession]:
    """Return the person's sessions that have not ended, the most recently used first."""
    rows = list(LoginSession.objects.filter(user=user).order_by("-seen_at")[:MAX_LISTED])
    alive = find_people([row.session_key for row in rows])
    ended = [row.pk for row in rows if alive.get(row.session_key) != user.pk]
    LoginSession.objects.filter(pk__in=ended).delete()
    return [row for row in rows if row.pk not in ended]


def list_grants(user_id: int, *, now: dt.datetime) -> list[Grant]:
    """Return what else can act for the person, as listed by `settings.ACCOUNT_GRANTS`."""
    return [
        grant for path in settings.ACCOUNT_GRANTS for grant in import_string(path)(user_id, now=now)
    ]


def end_session(*, user_id: int, key: int) -> None:
    """End a session of the person, if there is one."""
    for row in LoginSession.objects.filter(user=user_id, pk=key):
        import_module(settings.SESSION_ENGINE).SessionStore().delete(row.session_key)
        row.delete()


def end_other_sessions(request: HttpRequest, user: User) -> None:
    """End all sessions of the person except the one of the request."""
    user.session_salt = get_random_string(MAX_SALT)
    user.save(update_fields=["session_salt"])
    LoginSession.objects.filter(user=user).delete()
    auth.update_session_auth_hash(request, user)
    _record_use(request, user, now=timezone.now())


def prune_login_sessions(*, now: dt.datetime) -> int:
    """Delete rows of sessions that have been unused for too long; return how many.

    Each log-in deletes a few, so there are never many.
    """
    # Rows of sessions that end earlier are deleted with them.
    old = LoginSession.objects.filter(seen_at__lt=now - KEEP_FOR - USE_STEP)
    ended = list(old.values_list("pk", flat=True)[:_PRUNED_AT_ONCE])
    return LoginSession.objects.filter(pk__in=ended).delete()[0] if ended else 0


def describe_sessions(user_id: int) -> list[dict[str, str]]:
    """Return the person's sessions for the download of the person's data."""
    rows = LoginSession.objects.filter(user=user_id).order_by("pk")
    return [
        {
            "device": row.device,
            "since": row.created_at.isoformat(),
            "last_used": row.seen_at.isoformat(),
        }
        for row in rows
    ]


class SessionsSeen(MiddlewareMixin):
    """Saves when a person's session was last used, and renews it."""

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        """Return the response."""
        # Only if the user was read already: most requests need none, and the database may be down.
        user = getattr(request, "_cached_user", None)
        if isinstance(user, User) and not user.guest and response.status_code < 500:
            now = timezone.now()
            if _record_use(request, user, now=now) and renew_session(request, response, now=now):
                record_return(user, now=now)
        return response


def _record_use(request: HttpRequest, user: User, *, now: dt.datetime) -> bool:
    """Save when the session was last used; return False if this process did so an hour ago."""
    key = request.session.session_key
    if not key or time.monotonic() < _written.get(key, 0.0):
        return False
    if len(_written) >= _MAX_WRITTEN:
        _written.clear()
    device = describe_device(request.headers.get("User-Agent", ""))
    rows, seen_at = LoginSession.objects.filter(session_key=key), now
    if not rows.filter(seen_at__lte=now - USE_STEP).update(device=device, seen_at=now):
        known = rows.values_list("seen_at", flat=True).first()
        if known is None:
            new = LoginSession(
                user=user, session_key=key, device=device, created_at=now, seen_at=now
            )
            LoginSession.objects.bulk_create([new], ignore_conflicts=True)
        else:
            # Another process saved a use less than an hour ago.
            seen_at = known
    _written[key] = time.monotonic() + (seen_at + USE_STEP - now).total_seconds()
    return True


def describe_device(user_agent: str) -> str:
    """Return the browser and the system that the header names, or `UNKNOWN`."""
    browser = next((name for mark, name in _BROWSERS if mark in user_agent), "")
    system = next((name for mark, name in _SYSTEMS if mark in user_agent), "")
    if browser and system:
        return f"{browser} on {system}"
    return browser or system or UNKNOWN


def find_people(keys: Collection[str]) -> dict[str, int]:
    """Return the key of the person behind each session, by session key, in two queries.

    Sessions that have ended, for example by a password change, and those of closed accounts are
    left out.
    """
    rows = Session.objects.filter(session_key__in=keys, expire_date__gt=timezone.now())
    contents = {row.session_key: row.get_decoded() for row in rows}
    claims = {
        key: int(data[auth.SESSION_KEY])
        for key, data in contents.items()
        if data.get(auth.BACKEND_SESSION_KEY) in settings.AUTHENTICATION_BACKENDS
        and str(data.get(auth.SESSION_KEY, "")).isdecimal()
    }
    people = User.objects.filter(is_active=True).in_bulk(set(claims.values()))
    return {
        key: user_id
        for key, user_id in claims.items()
        if (person := people.get(user_id)) is not None
        and constant_time_compare(
            str(contents[key].get(auth.HASH_SESSION_KEY)), person.get_session_auth_hash()
        )
    }


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def show_sessions(request: HttpRequest) -> HttpResponse:
    """List where the person is logged in, and end one session or all others."""
    user = cast("User", request.user)
    if request.method == "POST":
        wanted = request.POST.get("end", "")
        if wanted == "others":
            end_other_sessions(request, user)
            messages.success(request, "You are logged out everywhere else.")
        elif wanted.isdecimal() and len(wanted) <= _MAX_DIGITS:
            end_session(user_id=user.pk, key=int(wanted))
            messages.success(request, "The device is logged out.")
        return HttpResponseRedirect(request.path, status=303)
    now = timezone.now()
    content = {
        "sessions": list_sessions(user),
        "grants": list_grants(user.pk, now=now),
        "hour_ago": now - USE_STEP,
    }
    return render(request, "accounts/sessions.html", content)
