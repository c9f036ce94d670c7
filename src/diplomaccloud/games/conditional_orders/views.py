"""Conditional orders as a form."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import zip_longest

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_POST
from django_htmx.middleware import HtmxDetails

from diplomaccloud.games.conditional_orders import actions
from diplomaccloud.games.conditional_orders.forms import ConditionalOrdersForm, read_condition_lists
from diplomaccloud.games.conditional_orders.page import (
    ConditionFields,
    ConditionsForm,
    present_conditions,
)
from diplomaccloud.games.conditional_orders.plans import compose_player_text
from diplomaccloud.games.table.errors import InputOutdated, NoSuchGame, Refused
from diplomaccloud.games.table.views import (
    GameNotes,
    game_login_required,
    game_page,
    keep_late_input,
    read_game,
    redirect_with_message,
)
from diplomaccloud.shared.responses import render_page


@game_login_required
@require_POST
@keep_late_input
def conditional_orders(request: HttpRequest, slug: str) -> HttpResponse:
    """Save conditional orders: the text if it was changed, otherwise the choices from lists."""
    form, lists = ConditionalOrdersForm.read(request), read_condition_lists(request)
    text = compose_player_text(lists) if form.typed is None else form.typed
    problem, status = "", 200
    try:
        actions.save_conditional_orders(
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
    conditions = present_conditions(read_game(request, slug))
    if conditions is None:
        raise NoSuchGame
    view = replace(conditions, saved=not problem)
    if problem:
        changed = form.typed is not None
        view = _restore_input(replace(view, problem=problem, text=text), lists, changed=changed)
    if HtmxDetails(request):
        context = {"conditions": view, "sequence": form.sequence}
        return render_page(
            request,
            "games/conditional_orders/_conditional_orders.html",
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
