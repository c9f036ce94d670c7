"""The page where a game master reads a private conversation, if the players agreed to it."""

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from diplomaccloud.games.page.page import present_frame
from diplomaccloud.games.table.forms import require_user_id
from diplomaccloud.games.table.log import MAX_REASON
from diplomaccloud.games.visibility.read import viewer_of
from diplomaccloud.press.conversations.views import keep_text, read_desk, read_texts
from diplomaccloud.press.inspection.actions import look_at_conversation
from diplomaccloud.press.inspection.read import read_look, read_looker
from diplomaccloud.press.moderation.judges import MAX_INSPECTED
from diplomaccloud.press.moderation.page import present_copies
from diplomaccloud.press.moderation.views import attempt, render_form
from diplomaccloud.press.table.addresses import seats_address
from diplomaccloud.press.table.state import PLAYED
from diplomaccloud.schedule.timer import Refused

_MAX_MEMBERS = 40
"""More countries than a game has."""


@never_cache
@keep_text
@require_http_methods(["GET", "HEAD", "POST"])
def look(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the form for a conversation and a reason, then show the conversation once."""
    viewer, now = viewer_of(request.user), timezone.now()
    chosen, reason = request.POST.getlist("to"), request.POST.get("reason", "")
    countries, has_played = read_looker(viewer, slug)
    error, looked = None, {}
    if request.method == "POST":
        user_id, to = require_user_id(request), seats_address(chosen[:_MAX_MEMBERS])
        error = Refused("Choose at least two countries.")
        if len(to.powers) >= 2:
            error = attempt(
                lambda: look_at_conversation(
                    slug=slug, user_id=user_id, to=to, reason=reason, now=now
                )
            )
        if error is None:
            looked["copies"] = present_copies(read_look(viewer, slug, to, at=now))
    desk = read_desk(request, slug)
    context = {
        "view": present_frame(desk.reader),
        "press_url": desk.url("list"),
        "countries": [
            (power, country, desk.names.color(power), desk.names.letters(power), power in chosen)
            for power, country in countries
        ],
        "title": ", ".join(country for power, country in countries if power in chosen),
        "reason": reason if error else "",
        "max_reason": MAX_REASON,
        "max_shown": MAX_INSPECTED,
        "why": PLAYED if has_played else "",
        "unsent": read_texts(request) if error and has_played else (),
        "has_looked": bool(looked),
        **looked,
    }
    return render_form(request, "press/inspection/look.html", context, error)
