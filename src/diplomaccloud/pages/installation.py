"""What a browser needs to install the site: manifest, icons, service worker, offline page.

The service worker stores the board and the orders of a person's own games, so that they open
without a connection. Two headers control it: `Account` names the person that a response is for, and
`Offline-Copy` marks the pages that may be stored. Everything stored belongs to one account, and is
deleted when that account logs out or another logs in.

Pages are stored although they are sent with `no-store`. Orders saved without a connection are sent
as their form, with the phase and the version of the draft, so the server treats them like those of
any outdated page. The browser decides nothing.
"""

import json
from functools import cache
from pathlib import Path
from typing import Final, cast

from django.contrib.staticfiles import finders
from django.http import FileResponse, HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.utils.crypto import salted_hmac
from django.utils.deprecation import MiddlewareMixin
from django.views.decorators.http import require_safe

from diplomaccloud.accounts.models import User
from diplomaccloud.pages.static_files import release_digest

ACCOUNT_HEADER: Final = "Account"
NO_ACCOUNT: Final = "none"
_ACCOUNT_DIGITS: Final = 16
_DAY: Final = "public, max-age=86400"
_ICONS: Final = (
    ("icon.svg", "any", "image/svg+xml", "any"),
    ("icon-192.png", "192x192", "image/png", "any"),
    ("icon-512.png", "512x512", "image/png", "any"),
    ("icon-maskable-512.png", "512x512", "image/png", "maskable"),
)
_SHELL: Final = (
    *("pages/css/site.css", "pages/js/offline-page.js"),
    *("pages/fonts/pagella-regular.woff2", "pages/icon.svg", "pages/icons.svg"),
)
"""The static files of the offline page."""


@require_safe
def manifest(_request: HttpRequest) -> HttpResponse:
    """Send the web app manifest."""
    icons = [
        {"src": static(f"pages/{name}"), "sizes": sizes, "type": kind, "purpose": purpose}
        for name, sizes, kind, purpose in _ICONS
    ]
    facts = {
        "id": reverse("home"),
        "name": "Diplomaccloud",
        "short_name": "Diplomaccloud",
        "description": "Play Diplomacy online, against people or bots.",
        "start_url": reverse("home"),
        "scope": reverse("home"),
        "display": "standalone",
        "background_color": "#f1e7cf",
        "theme_color": "#1e3454",
        "icons": icons,
    }
    return JsonResponse(
        facts, content_type="application/manifest+json", headers={"Cache-Control": _DAY}
    )


@require_safe
def send_icon(request: HttpRequest, kind: str) -> FileResponse:
    """Send the icon with the name that was requested."""
    path = Path(cast("str", finders.find(f"pages{request.path_info}")))
    return FileResponse(path.open("rb"), content_type=kind, headers={"Cache-Control": _DAY})


@require_safe
def service_worker(_request: HttpRequest) -> HttpResponse:
    """Send the service worker; a new release changes its text, so that browsers replace it."""
    return HttpResponse(
        _worker_text(), content_type="text/javascript", headers={"Cache-Control": "no-cache"}
    )


@cache
def _worker_text() -> str:
    release = {
        "digest": release_digest(),
        "prefix": static("").rstrip("/") + "/",
        "shell": [static(name) for name in _SHELL],
        "offlinePage": reverse("offline"),
        "logout": reverse("account_logout"),
        "icon": static("pages/icon-192.png"),
    }
    script = Path(cast("str", finders.find("pages/js/service-worker.js")))
    store = Path(cast("str", finders.find("pages/js/offline-store.js")))
    texts = [path.read_text(encoding="utf-8") for path in (store, script)]
    return "\n".join([f"self.release = {json.dumps(release)};", *texts])


@require_safe
def offline(request: HttpRequest) -> HttpResponse:
    """Show the page for addresses that are not stored; it is the same for everyone."""
    return render(request, "pages/offline.html")


class AccountHeader(MiddlewareMixin):
    """Names the account that a response is for, so that no other account sees what is stored."""

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        """Return the response; a page has the header if the user was read."""
        # Only if the user was read already: most requests need none, and the database may be down.
        user = getattr(request, "_cached_user", None)
        is_page = response.headers.get("Content-Type", "").startswith("text/html")
        if user is not None and is_page:
            response.headers[ACCOUNT_HEADER] = account_mark(user)
        return response


def account_mark(user: object) -> str:
    """Return a string that identifies the account and reveals nothing about it."""
    if not isinstance(user, User):
        return NO_ACCOUNT
    return salted_hmac("offline account", str(user.pk)).hexdigest()[:_ACCOUNT_DIGITS]
