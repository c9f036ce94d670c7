"""The conversations of a game: lists, messages, sending, marks, and the panel of the game page."""

from dataclasses import replace
from typing import TypedDict

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from diplomaccloud.accounts.models import User
from diplomaccloud.games.deadlines.actions import finish_talking, resume_talking
from diplomaccloud.games.table.errors import NoSuchGame, NotYourSeat
from diplomaccloud.games.table.forms import require_user_id
from diplomaccloud.games.table.panels import GamePanel
from diplomaccloud.games.table.read import Reader
from diplomaccloud.games.table.views import game_login_required
from diplomaccloud.press.conversations import actions as conversations_actions
from diplomaccloud.press.conversations.actions import (
    Mode,
    Sent,
    block_person,
    hide_message,
    mark_read,
    mark_unread,
    mute_conversation,
    send_message,
)
from diplomaccloud.press.conversations.forms import read_number
from diplomaccloud.press.conversations.page import Desk, Draft, PressView
from diplomaccloud.press.conversations.read import PressReader
from diplomaccloud.press.conversations.views import (
    RefusedJson,
    done,
    is_part,
    is_prefetch,
    keep_text,
    read_desk,
    show_press,
)
from diplomaccloud.press.conversations.wording import CLOSED, NOT_NOW, describe_sent
from diplomaccloud.press.maps.page import CHOOSE_MAP
from diplomaccloud.press.openings.page import present_opening
from diplomaccloud.press.openings.read import read_opening
from diplomaccloud.press.page.forms import SentMessage, TalkForm, list_attached, read_message
from diplomaccloud.press.page.page import (
    present_conversation,
    present_list,
    present_new,
    present_table,
)
from diplomaccloud.press.table.addresses import TABLE, Address, AddressKind, parse_address
from diplomaccloud.press.table.errors import KeyReused, NoSuchConversation
from diplomaccloud.schedule.timer import Refused
from diplomaccloud.shared.responses import see_other, wants_json

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
        if address.kind is not AddressKind.SEATS or len(sent.to) == 1:
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
        mark_read(user_id=request.user.pk, slug=slug, to=address, up_to=number)
    except (NoSuchConversation, NotYourSeat):
        # Watchers of a public conversation have nothing to mark, and guests store nothing.
        return


# Moving a person's text from one form to another, without sending or storing anything.
#
# Without scripts, following a link would lose the text. Scripts store it in the browser and follow
# links instead.


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


# Sending a message in a game, once per composer key; a refusal returns the text.


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
    if sent.address.kind is AddressKind.GRAY:
        return see_other(_url(slug, str(sent.address)))
    if len(places) == 1:
        return see_other(f"{places[0]['url']}#latest")
    return see_other(reverse("press:list", args=[slug]))


def _url(slug: str, address: str) -> str:
    return reverse("press:conversation", args=[slug, address])


# A person's marks in a conversation: read, unread, deleted and muted; and "Done talking".


BLOCKED = "You blocked {name}, who is not notified. You can unblock them in the message settings."


class PanelPlace(TypedDict):
    """The person and the conversation whose marks change."""

    slug: str
    user_id: int
    to: Address


@never_cache
@require_POST
def read(request: HttpRequest, slug: str, members: str) -> HttpResponse:
    """Mark messages as read, up to one that a page has shown."""
    mark_read(**_place(request, slug, members), up_to=_number(request, "up_to"))
    return done(request, _conversation_url(slug, members))


@never_cache
@require_POST
def unread(request: HttpRequest, slug: str, members: str) -> HttpResponse:
    """Mark a message and all later ones as unread."""
    mark_unread(**_place(request, slug, members), from_number=_number(request, "from"))
    return done(request, reverse("press:list", args=[slug]))


@never_cache
@require_POST
def delete(request: HttpRequest, slug: str, members: str) -> HttpResponse:
    """Delete a message for this person only."""
    hide_message(**_place(request, slug, members), number=_number(request, "number"))
    return done(request, _conversation_url(slug, members))


@never_cache
@require_POST
def mute(request: HttpRequest, slug: str, members: str) -> HttpResponse:
    """Mute or unmute the conversation."""
    mute_conversation(
        **_place(request, slug, members),
        muted=request.POST.get("muted") == "1",
        now=timezone.now(),
    )
    return done(request, _conversation_url(slug, members))


@never_cache
@require_POST
def mute_seat(request: HttpRequest, slug: str, members: str) -> HttpResponse:
    """Mute or unmute the seat of a country in all its conversations."""
    conversations_actions.mute_seat(
        slug=slug,
        user_id=require_user_id(request),
        power=request.POST.get("mute", "") or request.POST.get("unmute", ""),
        muted="mute" in request.POST,
        now=timezone.now(),
    )
    return done(request, _conversation_url(slug, members))


@never_cache
@require_POST
def block(request: HttpRequest, slug: str, members: str) -> HttpResponse:
    """Block the personal messages of a message's author."""
    name = request.POST.get("name", "")
    block_person(user_id=require_user_id(request), name=name, blocked=True, now=timezone.now())
    if not wants_json(request):
        messages.success(request, BLOCKED.format(name=name))
    return done(request, _conversation_url(slug, members))


@game_login_required
@never_cache
@require_POST
def talk(request: HttpRequest, slug: str) -> HttpResponse:
    """Record that the player is done talking in the open phase, or no longer is."""
    form = TalkForm.read(request)
    if form.cleaned_data["done"]:
        finish_talking(**form.action(request, slug))
    else:
        resume_talking(**form.action(request, slug))
    return done(request, reverse("press:list", args=[slug]))


def _place(request: HttpRequest, slug: str, members: str) -> PanelPlace:
    return {
        "slug": slug,
        "user_id": require_user_id(request),
        "to": parse_address(members),
    }


def _number(request: HttpRequest, name: str) -> int:
    number = read_number(request.POST, name)
    if number is None:
        raise NoSuchConversation
    return number


def _conversation_url(slug: str, members: str) -> str:
    return reverse("press:conversation", args=[slug, members])


# The press panel on the game page and in the waiting room.


def present_panel(_request: HttpRequest, reader: Reader) -> GamePanel | None:
    """Return the press panel; None if the viewer has no conversations in the game."""
    desk = Desk(PressReader.on_page(reader))
    view = _present_table(desk) if reader.is_forming else present_list(desk)
    if view is None or not view.lines:
        return None
    return GamePanel(
        key="press",
        title="Press",
        icon="i-envelope",
        template="press/page/_panel.html",
        view=view,
        unread=view.unread,
        styles=("press/conversations/press.css", "press/proposals/deals.css"),
        scripts=("press/page/start.js",),
    )


def _present_table(desk: Desk) -> PressView | None:
    try:
        facts = desk.press.conversation(TABLE)
    except NoSuchConversation:
        return None
    return present_table(desk, facts)
