"""The message settings: who may write to a person, and what is muted or blocked."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from diplomaccloud.games.table.forms import require_user_id
from diplomaccloud.games.visibility.read import viewer_of
from diplomaccloud.press import actions
from diplomaccloud.press.addresses import parse_address
from diplomaccloud.press.errors import NoSuchConversation
from diplomaccloud.press.presenters.choices import present_choices
from diplomaccloud.press.viewpoint.mutes import read_mutes
from diplomaccloud.shared.responses import see_other


@never_cache
@login_required
@require_safe
def show(request: HttpRequest) -> HttpResponse:
    """Show the settings."""
    choices = present_choices(read_mutes(viewer_of(request.user)))
    return render(request, "press/choices.html", {"choices": choices})


@never_cache
@require_POST
def accept(request: HttpRequest) -> HttpResponse:
    """Save whether others may write personal messages."""
    accepted = request.POST.get("personal") == "1"
    actions.accept_personal(user_id=require_user_id(request), accepted=accepted)
    said = "Others can write to you." if accepted else "Nobody can write personal messages to you."
    messages.success(request, said)
    return see_other(reverse("press:choices"))


@never_cache
@require_POST
def end(request: HttpRequest) -> HttpResponse:
    """End a listed mute or block."""
    user_id, now = require_user_id(request), timezone.now()
    what, game, to = (request.POST.get(name, "") for name in ("what", "game", "to"))
    match what:
        case "block":
            actions.block_person(user_id=user_id, name=to, blocked=False, now=now)
        case "seat":
            actions.mute_seat(slug=game, user_id=user_id, power=to, muted=False, now=now)
        case "conversation":
            place = parse_address(to) if game else to
            actions.mute_conversation(user_id=user_id, slug=game, to=place, muted=False, now=now)
        case _:
            raise NoSuchConversation
    messages.success(request, "Done.")
    return see_other(reverse("press:choices"))
