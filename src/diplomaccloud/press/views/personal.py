"""Personal messages between two people, outside games."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from diplomaccloud.games.table.errors import NoSuchPlayer
from diplomaccloud.games.table.forms import require_user_id
from diplomaccloud.games.visibility.read import viewer_of
from diplomaccloud.press import actions, viewpoint
from diplomaccloud.press.errors import KeyReused, NoSuchConversation
from diplomaccloud.press.forms.messages import SentMessage, read_message, read_number
from diplomaccloud.press.presenters.page import Draft, PressView
from diplomaccloud.press.presenters.personal import present_personal
from diplomaccloud.press.views.answers import (
    RefusedJson,
    done,
    is_prefetch,
)
from diplomaccloud.press.views.kept_text import keep_text
from diplomaccloud.press.views.reading import is_part
from diplomaccloud.schedule.errors import Refused
from diplomaccloud.shared.responses import RefusedResponse, see_other, wants_json


@never_cache
@login_required
@require_safe
def show_personal(request: HttpRequest, name: str) -> HttpResponse:
    """Show the conversation with a person. A full page marks its messages as read."""
    after, before = read_number(request.GET, "after"), read_number(request.GET, "before")
    facts = viewpoint.read_personal(
        viewer_of(request.user), name, now=timezone.now(), after=after, before=before
    )
    is_later = after is not None or before is not None
    blocked = viewpoint.is_blocked(viewer_of(request.user), facts.summary.person)
    view = present_personal(facts, part=is_later, past=before is not None, blocked=blocked)
    response = _show(request, view)
    is_seen = request.method == "GET" and not is_part(request) and not is_prefetch(request)
    if is_seen and view.current and view.current.last > view.current.read:
        actions.mark_read(
            user_id=require_user_id(request), to=facts.summary.person, up_to=view.current.last
        )
    return response


@never_cache
@keep_text
@require_POST
def send(request: HttpRequest, name: str) -> HttpResponse:
    """Send a message to the person."""
    sent = read_message(request)
    try:
        number = actions.send_personal(
            user_id=require_user_id(request),
            to=name,
            subject=sent.subject,
            body=sent.body,
            key=sent.key,
            now=timezone.now(),
        )
    except (NoSuchConversation, NoSuchPlayer):
        raise
    except Refused as error:
        if wants_json(request):
            is_used = isinstance(error, KeyReused)
            return RefusedJson(str(error), status=error.status, is_used=is_used)
        return _show_refused(request, name, sent, error)
    url = reverse("press:personal", args=[name])
    if wants_json(request):
        return JsonResponse({"sent": [{"url": url, "number": number}], "note": ""})
    return see_other(f"{url}#latest")


def _show_refused(
    request: HttpRequest, name: str, sent: SentMessage, error: Refused
) -> HttpResponse:
    draft = Draft(
        subject=sent.subject,
        body=sent.body,
        key="" if isinstance(error, KeyReused) else sent.key,
        error=str(error),
    )
    facts = viewpoint.read_personal(viewer_of(request.user), name, now=timezone.now())
    blocked = viewpoint.is_blocked(viewer_of(request.user), facts.summary.person)
    view = present_personal(facts, draft=draft, blocked=blocked)
    return _show(request, view, status=error.status, refused=str(error))


@never_cache
@require_POST
def read(request: HttpRequest, name: str) -> HttpResponse:
    """Mark messages as read, up to one that a page has shown."""
    user_id = require_user_id(request)
    actions.mark_read(user_id=user_id, to=name, up_to=_number(request, "up_to"))
    return done(request, reverse("press:personal", args=[name]))


@never_cache
@require_POST
def unread(request: HttpRequest, name: str) -> HttpResponse:
    """Mark a message and all later ones as unread."""
    user_id = require_user_id(request)
    actions.mark_unread(user_id=user_id, to=name, from_number=_number(request, "from"))
    return done(request, reverse("press:inbox"))


@never_cache
@require_POST
def delete(request: HttpRequest, name: str) -> HttpResponse:
    """Delete a message for this person only."""
    user_id = require_user_id(request)
    actions.hide_message(user_id=user_id, to=name, number=_number(request, "number"))
    return done(request, reverse("press:personal", args=[name]))


@never_cache
@require_POST
def mute(request: HttpRequest, name: str) -> HttpResponse:
    """Mute or unmute the conversation."""
    actions.mute_conversation(
        user_id=require_user_id(request),
        to=name,
        muted=request.POST.get("muted") == "1",
        now=timezone.now(),
    )
    return done(request, reverse("press:personal", args=[name]))


@never_cache
@require_POST
def block(request: HttpRequest, name: str) -> HttpResponse:
    """Block or unblock the person's messages."""
    actions.block_person(
        user_id=require_user_id(request),
        name=name,
        blocked=request.POST.get("blocked") == "1",
        now=timezone.now(),
    )
    return done(request, reverse("press:personal", args=[name]))


def _number(request: HttpRequest, name: str) -> int:
    number = read_number(request.POST, name)
    if number is None:
        raise NoSuchConversation
    return number


def _show(
    request: HttpRequest, press: PressView, *, status: int = 200, refused: str = ""
) -> HttpResponse:
    is_short = is_part(request) and status == 200
    template = "press/partial.html" if is_short else "press/personal.html"
    content = render_to_string(template, {"press": press}, request)
    if refused:
        return RefusedResponse(content, status=status, refused=refused)
    return HttpResponse(content, status=status)
