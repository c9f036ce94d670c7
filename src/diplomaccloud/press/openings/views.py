"""Agreeing to open conversations when a game is over, and withdrawing consent."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from diplomaccloud.games.table.forms import require_user_id
from diplomaccloud.games.table.views import game_login_required
from diplomaccloud.press.conversations.views import read_desk
from diplomaccloud.press.openings import actions
from diplomaccloud.press.openings.forms import read_consents
from diplomaccloud.press.openings.page import present_openings
from diplomaccloud.press.table.addresses import parse_address
from diplomaccloud.press.table.errors import NoSuchConversation
from diplomaccloud.schedule.timer import WrongMoment
from diplomaccloud.shared.responses import render_page, see_other


@never_cache
@require_safe
def show_opening(request: HttpRequest, slug: str) -> HttpResponse:
    """Show which of the person's conversations are open and which could be."""
    return _show(request, slug)


@game_login_required
@never_cache
@require_POST
def agree(request: HttpRequest, slug: str) -> HttpResponse:
    """Agree to open the conversations in the form."""
    consents = read_consents(request)
    if not consents:
        return _show(request, slug, refused="Choose at least one conversation.", status=400)
    user_id, now, agreed = require_user_id(request), timezone.now(), len(consents)
    try:
        opened = len(actions.agree_to_open(slug=slug, user_id=user_id, to=consents, now=now))
    except WrongMoment as error:
        return _show(request, slug, refused=str(error), status=error.status)
    if opened == agreed:
        said = "It is open now." if agreed == 1 else "All are open now."
    elif opened:
        said = f"You agreed. {opened} of {agreed} conversations are open now."
    else:
        said = "You agreed. It opens once everyone else who could read it has agreed."
    messages.success(request, said)
    return see_other(_back(request, slug))


@game_login_required
@never_cache
@require_POST
def withdraw(request: HttpRequest, slug: str) -> HttpResponse:
    """Withdraw the consent to open a conversation."""
    address = parse_address(request.POST.get("conversation", ""))
    try:
        actions.withdraw_consent(slug=slug, user_id=require_user_id(request), to=address)
    except WrongMoment as error:
        return _show(request, slug, refused=str(error), status=error.status)
    messages.success(request, "You withdrew your consent. The conversation stays private.")
    return see_other(_back(request, slug))


def _back(request: HttpRequest, slug: str) -> str:
    """Return the page of the form: that of the conversation or that of all conversations."""
    if request.POST.get("from") == "conversation":
        _, _, members = request.POST.get("conversation", "").rpartition(" ")
        return reverse("press:conversation", args=[slug, str(parse_address(members))])
    return reverse("press:opening", args=[slug])


def _show(request: HttpRequest, slug: str, *, refused: str = "", status: int = 200) -> HttpResponse:
    desk = read_desk(request, slug)
    if not desk.press.may_write:
        raise NoSuchConversation
    game = desk.reader.game
    context = {"opening": present_openings(desk), "game": game, "refused": refused}
    return render_page(
        request, "press/openings/openings.html", context, status=status, refused=refused
    )
