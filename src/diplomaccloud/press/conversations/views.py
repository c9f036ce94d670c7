"""What the views of press share: parts of pages, cards, and forms that lose no text."""

from collections.abc import Callable
from contextlib import suppress
from functools import wraps
from typing import Final, TypeVar
from urllib.parse import urlsplit

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe
from django_htmx.middleware import HtmxDetails

from diplomaccloud.accounts.models import User
from diplomaccloud.games.page.page import present_frame
from diplomaccloud.games.table.errors import NotYourSeat
from diplomaccloud.games.table.forms import require_user_id
from diplomaccloud.games.visibility.read import viewer_of
from diplomaccloud.press.conversations.actions import (
    hide_message,
    mark_read,
    mark_unread,
    mute_conversation,
)
from diplomaccloud.press.conversations.forms import read_number
from diplomaccloud.press.conversations.page import AttachmentView, Desk, PressView
from diplomaccloud.press.conversations.read import PressReader
from diplomaccloud.press.conversations.wording import CLOSED, NOT_NOW
from diplomaccloud.press.table.addresses import Address, AddressKind, parse_address
from diplomaccloud.press.table.errors import KeyReused, NoSuchConversation
from diplomaccloud.press.table.rules import Why
from diplomaccloud.press.table.wording import is_outside_link
from diplomaccloud.schedule.timer import Refused
from diplomaccloud.shared.responses import render_page, see_other, wants_json

_PREFETCH_HEADERS = ("Sec-Purpose", "Purpose", "X-Purpose", "X-Moz")


class RefusedJson(JsonResponse):
    """A refusal for a script, which also adds the reason to the request's log line.

    `is_used` says that the form's key would be refused again, so the script needs a new one.
    """

    def __init__(self, refused: str, *, status: int, is_used: bool = False) -> None:
        used = {"used": True} if is_used else {}
        super().__init__({"error": refused, **used}, status=status)
        self.refused = refused


def is_prefetch(request: HttpRequest) -> bool:
    """Return whether the request is a browser's prefetch."""
    headers = (request.headers.get(name, "") for name in _PREFETCH_HEADERS)
    return any("prefetch" in value or "preview" in value for value in headers)


def done(request: HttpRequest, url: str) -> HttpResponse:
    """Return the response to a small form: nothing for a script, else a redirect to `url`."""
    return JsonResponse({}) if wants_json(request) else see_other(url)


# Reading and showing press for a request: full pages, or the part that a script requests.


PAGE_TARGET = "mail"
"""What a script on a full page requests, which includes the list of conversations."""


def read_desk(request: HttpRequest, slug: str, *, is_brief: bool = False) -> Desk:
    """Return a game's press as the person may see it; raise `NoSuchGame`.

    `is_brief` loads less, for a partial page that does not list the conversations.
    """
    is_listed = not is_part(request) or HtmxDetails(request).target == PAGE_TARGET
    press = PressReader(slug, viewer_of(request.user))
    return Desk(press, is_brief=is_brief and not is_listed)


def is_part(request: HttpRequest) -> bool:
    """Return whether a script requests part of the page."""
    return bool(HtmxDetails(request))


def show_press(
    request: HttpRequest, desk: Desk, press: PressView, *, status: int = 200, refused: str = ""
) -> HttpResponse:
    """Return the page of a game's press, or the part that a script requested."""
    if is_part(request) and status == 200:
        with_list = HtmxDetails(request).target == PAGE_TARGET
        context = {"press": press, "with_list": with_list}
        return render_page(request, "press/page/partial.html", context, refused=refused)
    context = {"press": press, "view": present_frame(desk.reader)}
    return render_page(request, "press/page/page.html", context, status=status, refused=refused)


def mark_seen(request: HttpRequest, press: PressView, *, slug: str = "", to: Address | str) -> None:
    """Mark the messages as read that a full page shows."""
    if request.method != "GET" or is_part(request) or is_prefetch(request) or not press.current:
        return
    facts = press.current.facts
    if isinstance(request.user, User) and facts.last > facts.read:
        # Watchers of a public conversation have nothing to mark, and guests store nothing.
        with suppress(NoSuchConversation, NotYourSeat):
            mark_read(user_id=request.user.pk, slug=slug, to=to, up_to=facts.last)


@never_cache
@require_POST
def mark(
    request: HttpRequest, act: str, slug: str = "", members: str = "", name: str = ""
) -> HttpResponse:
    """Mark messages as read or unread, delete one, or mute the conversation, for this person only.

    The conversation is with `members` in the game, or else with the person called `name`.
    """
    user_id, to = require_user_id(request), parse_address(members) if slug else name
    if act == "unread":
        url = reverse("press:list", args=[slug]) if slug else reverse("press:inbox")
    elif slug:
        url = reverse("press:conversation", args=[slug, members])
    else:
        url = reverse("press:personal", args=[name])
    match act:
        case "mute":
            is_muted, now = request.POST.get("muted") == "1", timezone.now()
            mute_conversation(user_id=user_id, slug=slug, to=to, muted=is_muted, now=now)
        case "read":
            # Up to one that a page has shown.
            mark_read(user_id=user_id, slug=slug, to=to, up_to=_number(request, "up_to"))
        case "unread":
            # With all later ones.
            mark_unread(user_id=user_id, slug=slug, to=to, from_number=_number(request, "from"))
        case _:
            hide_message(user_id=user_id, slug=slug, to=to, number=_number(request, "number"))
    return done(request, url)


def _number(request: HttpRequest, name: str) -> int:
    number = read_number(request.POST, name)
    if number is None:
        raise NoSuchConversation
    return number


# Forms that lose no text: whatever the reason for a refusal, the response shows the text.


LOGGED_OUT: Final = 401
"""The status for a script after its session has ended; a page gets 403 and the text."""
_LOGGED_OUT_TEXT: Final = "You are logged out, so nothing was sent."
_LOGGED_OUT_SCRIPT: Final = f"{_LOGGED_OUT_TEXT} Log in again: your text stays here."
_LABELS: Final = {
    "subject": "Subject",
    "text": "Your text",
    "wording": "Clauses",
    "body": "Your message",
    "note": "Your note",
    "reason": "Your reason",
}
"""The text fields of press forms, with their labels."""

_View = Callable[..., HttpResponse]


def keep_text(view: _View) -> _View:
    """Wrap a view so that refused forms return the text, even if there is no page for the form.

    Visitors get their text, too: their session ended while they were writing.
    """

    @wraps(view)
    def answer(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        if request.method != "POST":
            return view(request, *args, **kwargs)
        if not request.user.is_authenticated:
            if wants_json(request):
                return RefusedJson(_LOGGED_OUT_SCRIPT, status=LOGGED_OUT)
            return _show(request, _LOGGED_OUT_TEXT, status=403, refused="logged out")
        try:
            return view(request, *args, **kwargs)
        except Refused as error:
            if not read_texts(request):
                raise
            if wants_json(request):
                return RefusedJson(str(error), status=error.status)
            return _show(request, str(error), status=error.status, refused=str(error))

    return answer


def read_texts(request: HttpRequest) -> tuple[tuple[str, str], ...]:
    """Return the texts that a person typed into the posted form, each with its label."""
    texts = []
    for name, label in _LABELS.items():
        if text := "\n".join(filter(str.strip, request.POST.getlist(name))):
            texts.append((label, text))
    return tuple(texts)


def keep_key(request: HttpRequest, error: Refused | None) -> str:
    """Return the key for a form shown again; blank if the key would be refused again."""
    return "" if isinstance(error, KeyReused) else request.POST.get("key", "")


def find_closed(desk: Desk, address: Address, *, is_sent: bool) -> str:
    """Return why no player can send something there now; blank if one can.

    Raises `NoSuchConversation` if the viewer never can. With `is_sent`, the form of a player who
    has just lost the seat is still shown again.
    """
    if address.kind not in (AddressKind.SEATS, AddressKind.PUBLIC):
        raise NoSuchConversation
    summary = desk.press.summary(address)
    if not desk.reader.has_seat and not (is_sent and summary.why is Why.LEFT):
        raise NoSuchConversation
    return "" if summary.is_writable else CLOSED.get(summary.why, NOT_NOW)


def _show(request: HttpRequest, message: str, *, status: int, refused: str) -> HttpResponse:
    context = {"texts": read_texts(request), "message": message}
    return render_page(
        request, "press/conversations/refused.html", context, status=status, refused=refused
    )


CONTEXT: Final = 4
"""How many messages before a card its link also shows."""

_Facts = TypeVar("_Facts")


def find_attachment(desk: Desk, address: Address, number: int, kind: type[_Facts]) -> _Facts | None:
    """Return the attachment of `kind` of a message that the viewer can read, or None."""
    for message in desk.press.conversation(address, after=number - 1, limit=1).messages:
        for part in message.attachments:
            if message.number == number and isinstance(part, kind):
                return part
    return None


def send_card(
    request: HttpRequest, conversation: str, number: int, card: AttachmentView
) -> HttpResponse:
    """Send a card to a script, and redirect everyone else to its message in `conversation`."""
    if not is_part(request):
        return see_other(f"{conversation}?after={max(0, number - CONTEXT)}#m{number}")
    return render(request, card.template, {"attachment": card})


@require_safe
def leaving(request: HttpRequest) -> HttpResponse:
    """Show where a link leads, without following it automatically or sending a referrer."""
    address = request.GET.get("to", "")
    known = is_outside_link(address)
    host = urlsplit(address).hostname if known else ""
    context = {"address": address if known else "", "host": host}
    response = render(
        request, "press/conversations/leaving.html", context, status=200 if known else 400
    )
    response.headers["Referrer-Policy"] = "no-referrer"
    return response
