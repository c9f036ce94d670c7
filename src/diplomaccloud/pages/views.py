"""The home page, `robots.txt`, the administrator's pages, and the template context of every page.

The administrator of a site can write the pages about privacy, terms, contact and trademark. A file
`NAME.md` in `settings.OPERATOR_TEXTS` replaces the text that comes with the software. HTML in it is
shown as text, and links lead only to pages, other sites and mail.
"""

from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Final

from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from diplomaccloud.accounts.addresses import sends_mail
from diplomaccloud.accounts.two_factor import can_use_passkeys
from diplomaccloud.games.deadlines.read import find_stopped_clock
from diplomaccloud.games.home.page import present_home
from diplomaccloud.games.home.read import read_home
from diplomaccloud.games.visibility.read import viewer_of
from diplomaccloud.pages.color_scheme import find_scheme
from diplomaccloud.pages.installation import account_mark
from diplomaccloud.press.inbox.page import present_inbox_link
from diplomaccloud.shared.addresses import find_origin
from diplomaccloud.shared.markdown import MarkdownText, render_markdown
from diplomaccloud.version import __version__


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Show the user's games, games to join and to watch, and ways to play against bots."""
    viewer = viewer_of(request.user)
    read = read_home(viewer)
    view = present_home(read, viewer, timezone.now())
    context = {"home": view, "lobby": read.lobby, "waiting_games": len(view.turn)}
    return render(request, "pages/home.html", context)


@require_safe
def robots(_request: HttpRequest) -> HttpResponse:
    """Ask crawlers to skip pages that make a new map, board or file for each request."""
    return HttpResponse(
        "User-agent: *\nDisallow: /maps/new/\nDisallow: /games/play/\n"
        "Disallow: /maps/*/print/\nDisallow: /games/*.pdf\n",
        content_type="text/plain",
    )


TITLES: Final = {
    "privacy": "Privacy",
    "terms": "Terms",
    "contact": "Contact",
    "trademark": "Trademark",
}
"""The names of the pages, and their titles in the footer."""
_DESCRIPTIONS: Final = {
    "privacy": "What this site stores about you, who sees it, and how to delete it.",
    "terms": "What this site expects of its players, and what they can expect of it.",
    "contact": "Whom to write to about a message, a game, your account or this site.",
    "trademark": "Who owns the name Diplomacy, and how this site uses it.",
}
MAX_LENGTH: Final = 200_000
"""In characters; the rest of a file is left out."""
_DEFAULTS: Final = Path(__file__).parent / "texts"


@require_safe
def show_text(request: HttpRequest, name: str) -> HttpResponse:
    """Show the administrator's text, or the one that comes with the software."""
    for folder in (Path(settings.OPERATOR_TEXTS), _DEFAULTS) if name in TITLES else ():
        path = folder / f"{name}.md"
        try:
            text = _render(name, path, path.stat().st_mtime_ns)
        except FileNotFoundError:
            continue
        context = {"text": text, "description": _DESCRIPTIONS[name]}
        return render(request, "pages/operator_text.html", context)
    raise Http404


@cache
def _render(name: str, path: Path, _changed_at: int) -> MarkdownText:
    source = path.read_text(encoding="utf-8", errors="replace")[:MAX_LENGTH]
    text = render_markdown(source)
    return replace(text, title=text.title or TITLES[name])


TRADEMARK = "Diplomacy is a trademark of its owner, who is not affiliated with this project."

_NAV_PATHS: Final = frozenset({"/", "/games/", "/learn/", "/maps/", "/maps/new/", "/people/"})
"""The pages that the masthead links to: it is a fragment, and one for every page would be many."""


def site_context(request: HttpRequest) -> dict[str, object]:
    """Return the values of the page footer, facts about the site, and who is logged in.

    The account's values are functions, so a page without them needs no session and no database.
    """
    return {
        "trademark": TRADEMARK,
        "operator_texts": tuple(TITLES.items()),
        "version": __version__,
        "code_url": settings.CODE_URL,
        "sends_mail": sends_mail(),
        "can_use_passkeys": lambda: can_use_passkeys(request),
        "account_mark": lambda: account_mark(request.user),
        "stopped_clock": find_stopped_clock,
        "color_scheme": lambda: find_scheme(request),
        "site_address": lambda: _find_address(request),
        "inbox_link": cache(lambda: present_inbox_link(request.user)),
        "nav_path": request.path if request.path in _NAV_PATHS else "",
        "server_time": lambda: timezone.localtime().isoformat(),
    }


def _find_address(request: HttpRequest) -> str:
    """Return the address of the site without a slash, blank if its host is not allowed."""
    try:
        return find_origin(request)
    except DisallowedHost:
        return ""
