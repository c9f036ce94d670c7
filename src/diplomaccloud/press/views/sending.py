"""Sending a message in a game, once per composer key; a refusal returns the text."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from diplomaccloud.games.table.forms import require_user_id
from diplomaccloud.press.actions import Mode, Sent, send_message
from diplomaccloud.press.addresses import Kind
from diplomaccloud.press.errors import KeyReused
from diplomaccloud.press.forms.messages import SentMessage, read_message
from diplomaccloud.press.presenters.sent import describe_sent
from diplomaccloud.press.views.answers import RefusedJson
from diplomaccloud.press.views.conversations import show_refused
from diplomaccloud.press.views.kept_text import keep_text
from diplomaccloud.schedule.errors import Refused
from diplomaccloud.shared.responses import see_other, wants_json


@never_cache
@keep_text
@require_POST
def send(request: HttpRequest, slug: str) -> HttpResponse:
    """Send a message to the addressees in the form."""
    sent = read_message(request)
    try:
        result = send_message(
            slug=slug,
            user_id=require_user_id(request),
            to=sent.address,
            mode=Mode.TOGETHER if sent.together else Mode.APART,
            subject=sent.subject,
            body=sent.body,
            key=sent.key,
            now=timezone.now(),
            attachment=sent.attachment,
        )
    except Refused as error:
        if wants_json(request):
            is_used = isinstance(error, KeyReused)
            return RefusedJson(str(error), status=error.status, is_used=is_used)
        return show_refused(request, slug, sent, error)
    return _answer(request, slug, sent, result)


def _answer(request: HttpRequest, slug: str, sent: SentMessage, result: Sent) -> HttpResponse:
    places = [
        {"url": _url(slug, str(copy.address)), "number": copy.number} for copy in result.messages
    ]
    note = describe_sent(len(places), result.published_at)
    if wants_json(request):
        return JsonResponse({"sent": places, "note": note})
    if note:
        messages.success(request, note)
    if sent.address.kind is Kind.GRAY:
        return see_other(_url(slug, str(sent.address)))
    if len(places) == 1:
        return see_other(f"{places[0]['url']}#latest")
    return see_other(reverse("press:list", args=[slug]))


def _url(slug: str, address: str) -> str:
    return reverse("press:conversation", args=[slug, address])
