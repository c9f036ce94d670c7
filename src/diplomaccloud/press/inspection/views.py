"""The page where a game master reads a private conversation, if the players agreed to it."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from diplomaccloud.games.page.page import present_frame
from diplomaccloud.games.table.forms import require_user_id
from diplomaccloud.games.table.log import MAX_REASON
from diplomaccloud.games.visibility.read import viewer_of
from diplomaccloud.press.conversations.views import keep_text, read_desk, read_texts
from diplomaccloud.press.inspection import actions
from diplomaccloud.press.inspection.read import read_look, read_looker
from diplomaccloud.press.moderation.judges import MAX_INSPECTED
from diplomaccloud.press.moderation.page import present_copies
from diplomaccloud.press.table.addresses import seats_address
from diplomaccloud.press.table.errors import NoSuchConversation
from diplomaccloud.press.table.state import PLAYED
from diplomaccloud.schedule.timer import Refused
from diplomaccloud.shared.responses import render_page

_MAX_MEMBERS = 40
"""More countries than a game has."""
_TOO_FEW = "Choose at least two countries."


@dataclass(frozen=True, slots=True)
class CountryChoice:
    """A country in the form."""

    power: str
    country: str
    color: str
    chosen: bool


@never_cache
@keep_text
@require_http_methods(["GET", "HEAD", "POST"])
def look(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the form for a conversation and a reason, then show the conversation once."""
    viewer = viewer_of(request.user)
    looker = read_looker(viewer, slug)
    why = PLAYED if looker.has_played else ""
    if request.method != "POST":
        return _show(request, slug, looker.countries, why=why)
    now, to = timezone.now(), seats_address(request.POST.getlist("to")[:_MAX_MEMBERS])
    try:
        if len(to.powers) < 2:
            raise Refused(_TOO_FEW)
        actions.look_at_conversation(
            slug=slug,
            user_id=require_user_id(request),
            to=to,
            reason=request.POST.get("reason", ""),
            now=now,
        )
    except NoSuchConversation:
        raise
    except Refused as error:
        return _show(request, slug, looker.countries, why=why, error=error)
    copies = present_copies(read_look(viewer, slug, to, at=now))
    return _show(request, slug, looker.countries, copies=copies, has_looked=True)


def _show(
    request: HttpRequest,
    slug: str,
    countries: Sequence[tuple[str, str]],
    *,
    why: str = "",
    error: Refused | None = None,
    **looked: object,
) -> HttpResponse:
    """Return the page; `why` is the reason for not showing a form."""
    desk, chosen = read_desk(request, slug), request.POST.getlist("to")
    listed = [
        CountryChoice(power, country, desk.names.color(power), power in chosen)
        for power, country in countries
    ]
    context = {
        "view": present_frame(desk.reader),
        "press_url": desk.url("list"),
        "countries": listed,
        "title": ", ".join(row.country for row in listed if row.chosen),
        "reason": request.POST.get("reason", "") if error else "",
        "max_reason": MAX_REASON,
        "max_shown": MAX_INSPECTED,
        "why": why,
        "unsent": read_texts(request) if error and why else (),
        **looked,
    }
    status, why = (error.status, str(error)) if error else (200, "")
    context["error"] = why
    return render_page(request, "press/inspection/look.html", context, status=status, refused=why)
