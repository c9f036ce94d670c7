"""Moving a person's text from one form to another, without sending or storing anything.

Without scripts, following a link would lose the text. Scripts store it in the browser and follow
links instead.
"""

from dataclasses import replace

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from diplomaccloud.press.addresses import parse_address
from diplomaccloud.press.forms.messages import SentMessage, read_message
from diplomaccloud.press.presenters.maps import CHOOSE_MAP
from diplomaccloud.press.presenters.page import Draft
from diplomaccloud.press.presenters.press_page import (
    CLOSED,
    NOT_NOW,
    present_conversation,
    present_new,
)
from diplomaccloud.press.views.kept_text import keep_text
from diplomaccloud.press.views.reading import read_desk, show_press
from diplomaccloud.shared.responses import see_other

DETACH = "detach"


@never_cache
@keep_text
@require_POST
def carry_to_new(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the form for a new message with the contents of the posted form."""
    desk, draft = read_desk(request, slug), _draft(request, read_message(request))
    return show_press(request, desk, present_new(desk, draft=draft))


@never_cache
@keep_text
@require_POST
def carry(request: HttpRequest, slug: str, members: str) -> HttpResponse:
    """Show a conversation, with the contents of the posted form in the composer."""
    draft = _draft(request, read_message(request))
    if not (draft.body or draft.subject or draft.attached or draft.has_menu):
        return see_other(reverse("press:conversation", args=[slug, members]))
    desk = read_desk(request, slug)
    facts = desk.press.conversation(parse_address(members))
    if not facts.summary.is_writable:
        why = CLOSED.get(facts.summary.why, NOT_NOW)
        draft = replace(draft, error=why, is_carried=False)
    return show_press(request, desk, present_conversation(desk, facts, draft=draft))


def _draft(request: HttpRequest, sent: SentMessage) -> Draft:
    do = request.POST.get("do", "")
    return Draft(
        to=sent.to,
        attached=() if do == DETACH else sent.attached,
        together=sent.together,
        subject=sent.subject,
        body=sent.body,
        key=sent.key,
        is_carried=True,
        has_menu=do == CHOOSE_MAP,
    )
