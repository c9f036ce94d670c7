"""The conversations of a game: the list, one conversation, and a new message."""

from dataclasses import replace

from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from diplomaccloud.accounts.models import User
from diplomaccloud.games.table.errors import NoSuchGame, NotYourSeat
from diplomaccloud.press import actions
from diplomaccloud.press.addresses import Address, Kind, parse_address
from diplomaccloud.press.errors import KeyReused, NoSuchConversation
from diplomaccloud.press.forms.attachments import list_attached
from diplomaccloud.press.forms.messages import SentMessage, read_number
from diplomaccloud.press.presenters.opening import present_opening
from diplomaccloud.press.presenters.page import Draft
from diplomaccloud.press.presenters.press_page import (
    present_conversation,
    present_list,
    present_new,
)
from diplomaccloud.press.viewpoint.opening import read_opening
from diplomaccloud.press.views.answers import is_prefetch
from diplomaccloud.press.views.reading import is_part, read_desk, show_press
from diplomaccloud.schedule.errors import Refused

_MAX_CHOSEN = 40
"""More countries than a game has."""


@never_cache
@require_safe
def show_list(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the conversations and, on a full page, the form for a new message."""
    desk = read_desk(request, slug)
    return show_press(request, desk, present_list(desk) if is_part(request) else present_new(desk))


@never_cache
@require_safe
def show_new(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the form for a new message; `to` preselects countries."""
    desk = read_desk(request, slug)
    chosen = tuple(request.GET.getlist("to")[:_MAX_CHOSEN])
    draft = Draft(to=chosen, attached=list_attached(request.GET))
    return show_press(request, desk, present_new(desk, draft=draft))


@never_cache
@require_safe
def show_conversation(request: HttpRequest, slug: str, members: str) -> HttpResponse:
    """Show a conversation. A full page marks its messages as read."""
    desk, address = read_desk(request, slug, is_brief=True), parse_address(members)
    after, before = read_number(request.GET, "after"), read_number(request.GET, "before")
    facts = desk.press.conversation(address, after=after, before=before)
    is_later = after is not None or before is not None
    attached = list_attached(request.GET)
    draft = Draft(attached=attached) if attached else None
    view = present_conversation(desk, facts, draft=draft, part=is_later, past=before is not None)
    if view.current is not None and (
        opening := present_opening(desk, read_opening(desk.press, address))
    ):
        view = replace(view, current=replace(view.current, opening=opening))
    response = show_press(request, desk, view)
    is_seen = request.method == "GET" and not is_part(request) and not is_prefetch(request)
    if is_seen and view.current and view.current.last > view.current.read:
        _mark_read(request, slug, address, view.current.last)
    return response


def show_refused(
    request: HttpRequest, slug: str, sent: SentMessage, error: Refused
) -> HttpResponse:
    """Return the page with the refused message back in its form.

    Raises `error` if the person no longer has such a page.
    """
    draft = Draft(
        to=sent.to,
        attached=sent.attached,
        together=sent.together,
        subject=sent.subject,
        body=sent.body,
        # A key used for another message would be refused again.
        key="" if isinstance(error, KeyReused) else sent.key,
        error=str(error),
    )
    try:
        desk, address = read_desk(request, slug), sent.address
        if address.kind is not Kind.SEATS or len(sent.to) == 1:
            view = present_conversation(desk, desk.press.conversation(address), draft=draft)
        else:
            view = present_new(desk, draft=draft)
    except (NoSuchConversation, NoSuchGame) as gone:
        raise error from gone
    return show_press(request, desk, view, status=error.status, refused=str(error))


def _mark_read(request: HttpRequest, slug: str, address: Address, number: int) -> None:
    if not isinstance(request.user, User):
        return
    try:
        actions.mark_read(user_id=request.user.pk, slug=slug, to=address, up_to=number)
    except (NoSuchConversation, NotYourSeat):
        # Watchers of a public conversation have nothing to mark, and guests store nothing.
        return
