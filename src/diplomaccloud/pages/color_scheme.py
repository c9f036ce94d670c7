"""Light and dark colors: a person's choice, and how it reaches every page.

Templates are written for a browser that decides by itself: `<source media="(prefers-color-scheme:
dark)">` beside each picture, `light-dark()` in styles. If a person has chosen, the middleware
changes these few places of each page on its way out. So no template, fragment or script needs to
know the choice, a page never shows the other colors first, and pages without a database have them,
too. The service worker does the same to stored pages: see `paint` in `service-worker.js`.

The choice is stored with the account, and in a cookie for visitors and for pages that do not read
the account. An account without a choice follows the cookie.
"""

import datetime as dt
from enum import StrEnum
from typing import Final

from django import forms
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.utils.cache import patch_vary_headers
from django.utils.deprecation import MiddlewareMixin
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from diplomaccloud.accounts.models import User
from diplomaccloud.accounts.people import set_color_scheme
from diplomaccloud.shared.addresses import find_last_page, require_own_form
from diplomaccloud.shared.responses import see_other, wants_json

COOKIE: Final = "color_scheme"
HEADER: Final = "Color-Scheme"
"""Says to the service worker which colors stored pages need."""
_KEEP_FOR: Final = dt.timedelta(days=365)
_ROOT: Final = '<html lang="en"'
_META: Final = '<meta name="color-scheme" content="'
_MEDIA: Final = 'media="{}"'


class ColorScheme(StrEnum):
    """The colors of the site; `AUTO` follows the device."""

    AUTO = "auto"
    LIGHT = "light"
    DARK = "dark"

    @property
    def media(self) -> str:
        """The media query of a picture for dark colors."""
        dark = {ColorScheme.LIGHT: "not all", ColorScheme.DARK: "all"}
        return dark.get(self, "(prefers-color-scheme: dark)")


class SchemeForm(forms.Form):
    """The colors that a person has chosen."""

    scheme = forms.ChoiceField(choices=[(scheme.value, scheme.name) for scheme in ColorScheme])


class ColorSchemes(MiddlewareMixin):
    """Gives each page the colors that its reader has chosen."""

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        """Return the response; other responses than pages do not change."""
        is_page = response.headers.get("Content-Type", "").startswith("text/html")
        if not is_page or not isinstance(response, HttpResponse):
            return response
        scheme = find_scheme(request)
        patch_vary_headers(response, ("Cookie",))
        response.headers[HEADER] = scheme.value
        if scheme is not ColorScheme.AUTO:
            response.content = _paint(response.content, scheme)
            if "Content-Length" in response.headers:
                response.headers["Content-Length"] = str(len(response.content))
        # The next page may not read the account.
        if _find_stored(request) not in (None, request.COOKIES.get(COOKIE)):
            _set_cookie(request, response, scheme)
        return response


@csrf_exempt
@require_POST
def choose_scheme(request: HttpRequest) -> HttpResponse:
    """Store the chosen colors, and return to the page; the form has no token."""
    form = SchemeForm(request.POST)
    require_own_form(request)
    if form.is_valid():
        scheme = ColorScheme(form.cleaned_data["scheme"])
        if isinstance(request.user, User):
            set_color_scheme(user_id=request.user.pk, scheme=scheme)
            request.user.color_scheme = scheme.value
        response = (
            HttpResponse(status=204) if wants_json(request) else see_other(find_last_page(request))
        )
        _set_cookie(request, response, scheme)
        return response
    return HttpResponse(status=422) if wants_json(request) else see_other(find_last_page(request))


def find_scheme(request: HttpRequest) -> ColorScheme:
    """Return the colors of a page: those of the account, or else of the browser."""
    chosen = _find_stored(request) or request.COOKIES.get(COOKIE)
    return ColorScheme(chosen) if chosen in list(ColorScheme) else ColorScheme.AUTO


def _find_stored(request: HttpRequest) -> str | None:
    # Only if the user was read already: most requests need none, and the database may be down.
    user = getattr(request, "_cached_user", None)
    return (user.color_scheme or None) if isinstance(user, User) else None


def _set_cookie(request: HttpRequest, response: HttpResponse, scheme: ColorScheme) -> None:
    response.set_cookie(
        COOKIE,
        scheme.value,
        max_age=_KEEP_FOR,
        secure=request.is_secure(),
        httponly=True,
        samesite="Lax",
    )


def _paint(page: bytes, scheme: ColorScheme) -> bytes:
    """Return the page in these colors; text that people wrote has no unescaped quotes."""
    changes = (
        (_ROOT, f'{_ROOT} data-color-scheme="{scheme}"', 1),
        (f'{_META}light dark"', f'{_META}{scheme}"', 1),
        (_MEDIA.format(ColorScheme.AUTO.media), _MEDIA.format(scheme.media), -1),
    )
    for old, new, times in changes:
        page = page.replace(old.encode(), new.encode(), times)
    return page
