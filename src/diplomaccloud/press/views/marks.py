"""A person's marks in a conversation: read, unread, deleted and muted; and "Done talking"."""

from typing import TypedDict

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from diplomaccloud.games.deadlines.actions import finish_talking, resume_talking
from diplomaccloud.games.table.forms import require_user_id
from diplomaccloud.games.table.views import game_login_required
from diplomaccloud.press import actions
from diplomaccloud.press.addresses import Address, parse_address
from diplomaccloud.press.errors import NoSuchConversation
from diplomaccloud.press.forms.messages import read_number
from diplomaccloud.press.forms.talk import TalkForm
from diplomaccloud.press.views.answers import done
from diplomaccloud.shared.responses import wants_json

BLOCKED = "You blocked {name}, who is not notified. You can unblock them in the message settings."


class Place(TypedDict):
    """The person and the conversation whose marks change."""

    slug: str
    user_id: int
    to: Address


@never_cache
@require_POST
def read(request: HttpRequest, slug: str, members: str) -> HttpResponse:
    """Mark messages as read, up to one that a page has shown."""
    actions.mark_read(**_place(request, slug, members), up_to=_number(request, "up_to"))
    return done(request, _url(slug, members))


@never_cache
@require_POST
def unread(request: HttpRequest, slug: str, members: str) -> HttpResponse:
    """Mark a message and all later ones as unread."""
    actions.mark_unread(**_place(request, slug, members), from_number=_number(request, "from"))
    return done(request, reverse("press:list", args=[slug]))


@never_cache
@require_POST
def delete(request: HttpRequest, slug: str, members: str) -> HttpResponse:
    """Delete a message for this person only."""
    actions.hide_message(**_place(request, slug, members), number=_number(request, "number"))
    return done(request, _url(slug, members))


@never_cache
@require_POST
def mute(request: HttpRequest, slug: str, members: str) -> HttpResponse:
    """Mute or unmute the conversation."""
    actions.mute_conversation(
        **_place(request, slug, members),
        muted=request.POST.get("muted") == "1",
        now=timezone.now(),
    )
    return done(request, _url(slug, members))


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
    actions.block_person(
        user_id=require_user_id(request), name=name, blocked=True, now=timezone.now()
    )
    if not wants_json(request):
        messages.success(request, BLOCKED.format(name=name))
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


def _place(request: HttpRequest, slug: str, members: str) -> Place:
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


def _url(slug: str, members: str) -> str:
    return reverse("press:conversation", args=[slug, members])
