"""The conversations of a game: lists, messages, sending, marks, and the panel of the game page."""

import datetime as dt
from dataclasses import replace

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from diplomaccloud.accounts.screen_names import isolate
from diplomaccloud.games.deadlines.actions import finish_talking, resume_talking
from diplomaccloud.games.table.errors import NoSuchGame
from diplomaccloud.games.table.forms import require_user_id
from diplomaccloud.games.table.panels import GamePanel
from diplomaccloud.games.table.read import Reader
from diplomaccloud.games.table.views import game_login_required
from diplomaccloud.press.conversations import actions
from diplomaccloud.press.conversations.actions import Mode, block_person, send_message
from diplomaccloud.press.conversations.forms import read_number
from diplomaccloud.press.conversations.page import TALK, Desk, Draft, PressView, link_board
from diplomaccloud.press.conversations.read import PressReader
from diplomaccloud.press.conversations.views import (
    RefusedJson,
    done,
    is_part,
    keep_key,
    keep_text,
    mark_seen,
    read_desk,
    show_press,
)
from diplomaccloud.press.conversations.wording import CLOSED, NOT_NOW
from diplomaccloud.press.maps.page import CHOOSE_MAP
from diplomaccloud.press.openings.page import present_opening
from diplomaccloud.press.openings.read import read_opening
from diplomaccloud.press.page.forms import (
    TalkForm,
    list_attached,
    read_addressee,
    read_attachment,
    read_message,
)
from diplomaccloud.press.page.page import present_conversation, present_list, present_new
from diplomaccloud.press.table.addresses import GRAY, TABLE, AddressKind, parse_address
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
    attached = list_attached(request.GET)
    view = present_conversation(
        desk,
        facts,
        draft=Draft(attached=attached) if attached else None,
        part=after is not None or before is not None,
        past=before is not None,
        opening=present_opening(desk, read_opening(desk.press, address)),
    )
    response = show_press(request, desk, view)
    mark_seen(request, view, slug=slug, to=address)
    return response


def show_refused(request: HttpRequest, slug: str, sent: Draft, error: Refused) -> HttpResponse:
    """Return the page with the refused message back in its form.

    Raises `error` if the person no longer has such a page.
    """
    # A key used for another message would be refused again.
    draft = replace(sent, key=keep_key(request, error), error=str(error))
    try:
        desk, address = read_desk(request, slug), read_addressee(sent)
        if address.kind is not AddressKind.SEATS or len(sent.to) == 1:
            view = present_conversation(desk, desk.press.conversation(address), draft=draft)
        else:
            view = present_new(desk, draft=draft)
    except (NoSuchConversation, NoSuchGame) as gone:
        raise error from gone
    return show_press(request, desk, view, status=error.status, refused=str(error))


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
    desk = read_desk(request, slug)
    return show_press(request, desk, present_new(desk, draft=_carry_draft(request)))


@never_cache
@keep_text
@require_POST
def carry(request: HttpRequest, slug: str, members: str) -> HttpResponse:
    """Show a conversation, with the contents of the posted form in the composer."""
    draft = _carry_draft(request)
    if not (draft.body or draft.subject or draft.attached or draft.has_menu):
        return see_other(reverse("press:conversation", args=[slug, members]))
    desk = read_desk(request, slug)
    facts = desk.press.conversation(parse_address(members))
    if not facts.summary.is_writable:
        why = CLOSED.get(facts.summary.why, NOT_NOW)
        draft = replace(draft, error=why, is_carried=False)
    return show_press(request, desk, present_conversation(desk, facts, draft=draft))


def _carry_draft(request: HttpRequest) -> Draft:
    draft, do = read_message(request), request.POST.get("do", "")
    if do == DETACH:
        draft = replace(draft, attached=())
    return replace(draft, is_carried=True, has_menu=do == CHOOSE_MAP)


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
            to=read_addressee(sent),
            mode=Mode.TOGETHER if sent.together else Mode.APART,
            subject=sent.subject,
            body=sent.body,
            key=sent.key,
            now=timezone.now(),
            attachment=read_attachment(sent),
        )
    except Refused as error:
        if wants_json(request):
            is_used = isinstance(error, KeyReused)
            return RefusedJson(str(error), status=error.status, is_used=is_used)
        return show_refused(request, slug, sent, error)
    places = [
        {"url": _url(slug, str(copy.address)), "number": copy.number} for copy in result.messages
    ]
    # Said if it is not obvious what happened to the message.
    note = f"Sent separately to {len(places)} countries." if len(places) > 1 else ""
    if result.published_at is not None:
        note = (
            "Accepted. Gray messages are published every quarter hour, in random order. "
            f"Yours appears at {result.published_at.astimezone(dt.UTC):%H:%M} UTC."
        )
    # After sending a map, the person returns to the board.
    board = ""
    if any(name == CHOOSE_MAP for name, _ in sent.attached):
        board = link_board(slug, str(result.messages[0].address) if len(places) == 1 else "")
    if wants_json(request):
        way = {"board": board} if board else {}
        return JsonResponse({"sent": places, "note": note, **way})
    if note:
        messages.success(request, note)
    if board:
        return see_other(board)
    if len(places) == 1 or result.published_at is not None:
        url = places[0]["url"] if places else _url(slug, str(GRAY))
        return see_other(f"{url}{'#latest' if places else ''}")
    return see_other(reverse("press:list", args=[slug]))


def _url(slug: str, address: str) -> str:
    return reverse("press:conversation", args=[slug, address])


# Muting a country, blocking a person, and "Done talking".


BLOCKED = "You blocked {name}, who is not notified. You can unblock them in the message settings."


@never_cache
@require_POST
def mute_seat(request: HttpRequest, slug: str, members: str) -> HttpResponse:
    """Mute or unmute the seat of a country in all its conversations."""
    actions.mute_seat(
        slug=slug,
        user_id=require_user_id(request),
        power=request.POST.get("mute", "") or request.POST.get("unmute", ""),
        muted="mute" in request.POST,
        now=timezone.now(),
    )
    return done(request, _url(slug, members))


@never_cache
@require_POST
def block(request: HttpRequest, slug: str, members: str) -> HttpResponse:
    """Block the personal messages of a message's author."""
    name = request.POST.get("name", "")
    block_person(user_id=require_user_id(request), name=name, blocked=True, now=timezone.now())
    if not wants_json(request):
        messages.success(request, BLOCKED.format(name=isolate(name)))
    return done(request, _url(slug, members))


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


def _present_chosen(request: HttpRequest, desk: Desk) -> PressView | None:
    """Return the conversation that the address of the game page names; None if there is none."""
    if not request.GET.get(TALK):
        return None
    try:
        address = parse_address(request.GET[TALK])
        facts = desk.press.conversation(address)
    except NoSuchConversation:
        return None
    draft = Draft(attached=list_attached(request.GET))
    return present_conversation(desk, facts, draft=draft if draft.attached else None)


def present_panel(request: HttpRequest, reader: Reader) -> GamePanel | None:
    """Return the press panel; None if the viewer has no conversations in the game."""
    desk = Desk(PressReader.on_page(reader))
    if reader.is_forming:
        try:
            facts = desk.press.conversation(TABLE)
        except NoSuchConversation:
            return None
        # The table before the draw is a conversation without a list.
        url = desk.url("conversation", str(TABLE))
        view = replace(present_conversation(desk, facts), single=True, url=url)
    else:
        view = _present_chosen(request, desk) or present_list(desk)
    if not view.lines:
        return None
    return GamePanel(
        key="press",
        title="Press",
        icon="envelope",
        template="press/page/_panel.html",
        view=view,
        unread=view.unread,
        later_styles=("press/conversations/press.css", "press/proposals/deals.css"),
        scripts=("press/page/start.js",),
    )
