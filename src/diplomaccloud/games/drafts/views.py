"""A player's drafts: changing, comparing and copying them."""

from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from diplomaccloud.games.drafts import actions
from diplomaccloud.games.drafts.forms import DraftAction, DraftForm
from diplomaccloud.games.orders.page import copy_orders
from diplomaccloud.games.results.page import draw_live_draft
from diplomaccloud.games.table.views import (
    game_login_required,
    keep_late_input,
    read_game,
    show_page,
)
from diplomaccloud.shared.responses import see_other


@game_login_required
@require_POST
@keep_late_input
def drafts(request: HttpRequest, slug: str) -> HttpResponse:
    """Create, rename or delete a draft, or make it live, depending on the button."""
    form = DraftForm.read(request)
    shown, message = _change_draft(form, request, slug)
    messages.success(request, message)
    address = reverse("games:detail", args=[slug])
    return see_other(f"{address}?{urlencode({'draft': shown})}" if shown else address)


def _change_draft(form: DraftForm, request: HttpRequest, slug: str) -> tuple[str, str]:
    """Do what the form asks; return the draft to show, blank for the live one, and a message."""
    action, named = form.action(request, slug), form.cleaned_data["draft"]
    match form.cleaned_data["act"]:
        case DraftAction.NEW:
            name, copy = form.cleaned_data["name"], form.cleaned_data["copy"]
            draft = actions.new_draft(**action, name=name, copy=copy)
            return draft.name, (
                f"Draft “{draft.name}” created. It does not count until you make it live."
            )
        case DraftAction.RENAME:
            draft = actions.rename_draft(**action, name=named, new_name=form.cleaned_data["name"])
            return "" if draft.live else draft.name, f"Draft renamed to “{draft.name}”."
        case DraftAction.DROP:
            actions.drop_draft(**action, name=named)
            return "", f"Draft “{named}” deleted."
        case _:
            actions.make_live(**action, name=named)
            return "", f"“{named}” is now the live draft. Its orders count."


@never_cache
@game_login_required
@require_safe
def compare(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a draft and the live draft side by side, as text and on maps."""
    reader = read_game(request, slug, draft=request.GET.get("draft", ""))
    context = {"live_overlay": draw_live_draft(reader)}
    return show_page(request, reader, "games/drafts/compare.html", context, with_board=True)


@never_cache
@game_login_required
@require_safe
def copy(request: HttpRequest, slug: str) -> HttpResponse:
    """Send the viewer's live orders as a text file."""
    name, text = copy_orders(read_game(request, slug))
    response = HttpResponse(text, content_type="text/plain; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
