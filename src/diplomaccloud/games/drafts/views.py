"""A player's drafts, conditional orders, copies and receipts."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import zip_longest
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe
from django_htmx.middleware import HtmxDetails

from diplomaccloud.games.conditional_orders.actions import save_conditional_orders
from diplomaccloud.games.conditional_orders.page import (
    ConditionFields,
    ConditionsForm,
    require_conditions,
)
from diplomaccloud.games.drafts import actions
from diplomaccloud.games.drafts.forms import (
    ConditionalOrdersForm,
    DraftAction,
    DraftForm,
    read_condition_lists,
)
from diplomaccloud.games.drafts.page import copy_orders
from diplomaccloud.games.orders.page import present_receipts
from diplomaccloud.games.page.page import draw_live_draft, present_game, present_summary
from diplomaccloud.games.page.responses import (
    GameNotes,
    game_login_required,
    game_page,
    keep_late_input,
    read_game,
    redirect_with_message,
    render_page,
    see_other,
)
from diplomaccloud.games.seats.page import present_seats
from diplomaccloud.games.table.errors import InputOutdated, Refused
from diplomaccloud.games.table.forms import MAX_SEQUENCE
from diplomaccloud.judge.conditional_orders import compose_player_text


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


@game_login_required
@require_POST
@keep_late_input
def conditional_orders(request: HttpRequest, slug: str) -> HttpResponse:
    """Save conditional orders: the text if it was changed, otherwise the choices from lists."""
    form, lists = ConditionalOrdersForm.read(request), read_condition_lists(request)
    text = compose_player_text(lists) if form.typed is None else form.typed
    problem, status = "", 200
    try:
        save_conditional_orders(
            **form.action(request, slug), text=text, version=form.cleaned_data["version"]
        )
    except Refused as error:
        if error.status != Refused.status and not isinstance(error, InputOutdated):
            raise
        problem = str(error)
        status = 422 if error.status == Refused.status else error.status
    if not problem and not HtmxDetails(request):
        saved = "Conditional orders saved." if text else "Conditional orders deleted."
        return redirect_with_message(request, slug, saved)
    refused = "conditional orders" if problem else ""  # the orders are secret
    view = require_conditions(read_game(request, slug))
    view = replace(view, saved=not problem)
    if problem:
        changed = form.typed is not None
        view = _restore_input(replace(view, problem=problem, text=text), lists, changed=changed)
    if HtmxDetails(request):
        context = {"conditions": view, "sequence": form.sequence}
        return render_page(
            request,
            "games/orders/_conditional_orders.html",
            context,
            status=status,
            refused=refused,
        )
    return game_page(request, slug, GameNotes(conditions=view), status=status, refused=refused)


def _restore_input(
    view: ConditionsForm, lists: Mapping[str, Sequence[str]], *, changed: bool
) -> ConditionsForm:
    """Return `view` with the choices that were sent; they win again unless the text changed."""

    def restore(clause: ConditionFields) -> ConditionFields:
        sent = zip_longest(clause.lists, lists.get(clause.condition, ())[: len(clause.lists)])
        restored = (
            choice if value is None else replace(choice, chosen=value) for choice, value in sent
        )
        return replace(clause, lists=tuple(restored))

    return replace(
        view,
        retreats=tuple(map(restore, view.retreats)),
        adjustments=tuple(map(restore, view.adjustments)),
        was=view.was if changed else view.text,
    )


@never_cache
@game_login_required
@require_safe
def compare(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a draft and the live draft side by side, as text and on maps."""
    reader = read_game(request, slug, draft=request.GET.get("draft", ""))
    live, view = draw_live_draft(reader), present_game(reader)
    context = {"view": view, "order_form": view.order_form, "live_overlay": live}
    return render(request, "games/drafts/compare.html", context)


@never_cache
@game_login_required
@require_safe
def copy(request: HttpRequest, slug: str) -> HttpResponse:
    """Send the viewer's live orders as a text file."""
    own = copy_orders(read_game(request, slug))
    response = HttpResponse(
        f"{own.title}\n\n{own.text}\n", content_type="text/plain; charset=utf-8"
    )
    name = f"orders-{slug}-{own.phase}.txt"
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


@never_cache
@require_safe
def receipts(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the receipts of a locked phase, and how to check one."""
    text = request.GET.get("phase", "")
    plain = text.isascii() and text.isdecimal() and len(text) <= len(str(MAX_SEQUENCE))
    reader = read_game(request, slug)
    seats = present_seats(reader)
    page = present_receipts(reader, seats, int(text) if plain else None)
    context = {"view": present_summary(reader, seats), "page": page}
    return render(request, "games/results/receipts.html", context)
