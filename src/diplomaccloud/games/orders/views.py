"""Saving orders and marking them as ready."""

import datetime as dt
from dataclasses import asdict
from urllib.parse import urlencode

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import reverse
from django.views.decorators.http import require_POST
from django_htmx.middleware import HtmxDetails

from diplomaccloud.entry.orders import (
    OrderTextTooLong,
    Problem,
    compose_rejected_text,
    read_orders,
)
from diplomaccloud.games.orders import actions
from diplomaccloud.games.orders.forms import OrderForm, PreviewForm, ReadyForm, ReceiptForm
from diplomaccloud.games.orders.page import SentOrders, describe_gaps, describe_saved
from diplomaccloud.games.orders.page import describe_unready as describe_obstacle
from diplomaccloud.games.results.page import draw_orders
from diplomaccloud.games.table.errors import (
    InputOutdated,
    NoSuchDraft,
    NoSuchGame,
    Refused,
    TooMuchText,
)
from diplomaccloud.games.table.views import (
    GameNotes,
    game_login_required,
    game_page,
    keep_late_input,
    process_if_due,
    read_game,
    redirect_with_message,
)
from diplomaccloud.shared.database_cache import this_minute
from diplomaccloud.shared.responses import see_other


@game_login_required
@require_POST
@keep_late_input
def orders(request: HttpRequest, slug: str) -> HttpResponse:
    """Save orders, and mark the player as ready if asked, in one action."""
    form = OrderForm.read(request)
    try:
        saved = actions.save_orders(
            **form.action(request, slug),
            choices=form.cleaned_data["order"],
            sheet=form.cleaned_data["sheet"],
            draft=form.cleaned_data["draft"],
            version=form.cleaned_data["version"],
            ready=form.cleaned_data["ready"] or form.cleaned_data["anyway"],
            confirmed=form.cleaned_data["anyway"],
            page=form.cleaned_data["page"],
            change=form.cleaned_data["change"] or 0,
            automatic=form.cleaned_data["whole"],
        )
    except TooMuchText as error:
        nothing = actions.Saved((), (Problem(form.cleaned_data["sheet"], str(error)),))
        return _show_saved(request, slug, nothing, form, status=error.status)
    except (InputOutdated, NoSuchDraft) as error:
        return _show_conflict(request, slug, form, error)
    process_if_due(saved.due_game_id)
    if saved.problems:
        return _show_saved(request, slug, saved, form, status=422)
    if HtmxDetails(request) or saved.not_ready:
        return _show_saved(request, slug, saved, form, status=200)
    return _redirect_to_draft(request, slug, saved)


def _show_conflict(
    request: HttpRequest, slug: str, form: OrderForm, error: Refused
) -> HttpResponse:
    fields, why = form.cleaned_data, str(error)
    wants_ready = fields["ready"] or fields["anyway"]
    sent = SentOrders(why, tuple(fields["order"]), fields["sheet"], wants_ready)
    notes, status = GameNotes(outdated=sent), InputOutdated.status
    return game_page(request, slug, notes, draft=fields["draft"], status=status, refused=why)


def _show_saved(
    request: HttpRequest, slug: str, saved: actions.Saved, form: OrderForm, *, status: int
) -> HttpResponse:
    """Return the game with the refused text back in the order box, as it was typed."""
    draft, sequence = form.cleaned_data["draft"], form.sequence
    sheet, problems = compose_rejected_text(saved.problems)
    notes = GameNotes(
        problems=problems,
        saved=tuple(str(order) for order in saved.orders),
        counts=tuple(saved.counts),
        saved_in=saved.draft,
        saved_phase=sequence,
        sheet=sheet,
        not_ready=describe_unready(saved),
        can_confirm=saved.not_ready is actions.NotReady.UNDECIDED,
    )
    # Orders are secret: the log says how many were refused, not which ones.
    refused = f"{len(problems)} of the orders" if problems else ""
    return game_page(request, slug, notes, draft=draft, status=status, refused=refused)


def describe_unready(saved: actions.Saved) -> str:
    """Return why a player who asked to be ready was not marked as ready, blank otherwise."""
    if saved.not_ready is None:
        return ""
    if saved.not_ready is actions.NotReady.UNDECIDED:
        return describe_gaps(**asdict(saved.gaps))
    return describe_obstacle(refused=len(saved.problems), draft=saved.draft)


def _redirect_to_draft(request: HttpRequest, slug: str, saved: actions.Saved) -> HttpResponse:
    """Return a redirect to the saved draft, with a message that lists its orders."""
    if saved.live:
        return redirect_with_message(request, slug, describe_saved(saved.counts, ready=saved.ready))
    messages.success(request, f"Draft “{saved.draft}” saved. It is not the live draft.")
    address = reverse("games:detail", args=[slug])
    return see_other(f"{address}?{urlencode({'draft': saved.draft})}")


@game_login_required
@require_POST
def save(request: HttpRequest, slug: str) -> HttpResponse:
    """Save the orders that a page with scripts sends after each change; answer with JSON."""
    try:
        form = OrderForm.read(request)
        action = form.action(request, slug)
        saves = this_minute.count(f"saves:{slug} {action['user_id']}")
        if 0 < settings.SAVES_PER_MINUTE < saves:
            headers = {"Retry-After": str(_PAUSE_SECONDS)}
            return JsonResponse(
                {"error": _TOO_OFTEN.format(number=settings.SAVES_PER_MINUTE)},
                status=429,
                headers=headers,
            )
        saved = actions.save_orders(
            **action,
            choices=form.cleaned_data["order"],
            sheet=form.cleaned_data["sheet"],
            draft=form.cleaned_data["draft"],
            version=form.cleaned_data["version"],
            page=form.cleaned_data["page"],
            change=form.cleaned_data["change"] or 0,
            automatic=True,
        )
    except (InputOutdated, NoSuchDraft) as error:
        # The page then sends its form, and shows the answer, which has both sets.
        answer = {"error": str(error), "outdated": True}
        return JsonResponse(answer, status=InputOutdated.status)
    except Refused as error:
        return JsonResponse({"error": str(error)}, status=error.status)
    return JsonResponse(_describe_save(saved, action["now"]), status=422 if saved.problems else 200)


def _describe_save(saved: actions.Saved, now: dt.datetime) -> dict[str, object]:
    """Return the answer to a page: nothing was saved if it has no `saved_at`."""
    answer: dict[str, object] = {}
    if saved.version:
        answer |= {"version": saved.version, "saved_at": now}
    if saved.signed:
        answer["receipt"] = asdict(saved.signed)
    if saved.problems:
        refused = [{"text": each.text, "message": each.message} for each in saved.problems]
        answer["refused"] = refused
    return answer


_PAUSE_SECONDS = 10
_TOO_OFTEN = (
    "You changed your orders more than {number} times in a minute. Saving continues shortly."
)


@game_login_required
@require_POST
@keep_late_input
def receipt(request: HttpRequest, slug: str) -> HttpResponse:
    """Sign a receipt for the live orders as they are saved now, and show the receipts."""
    actions.get_receipt(**ReceiptForm.read(request).action(request, slug))
    return see_other(reverse("games:receipts", args=[slug]))


@game_login_required
@require_POST
def preview(request: HttpRequest, slug: str) -> HttpResponse:
    """Draw orders on the map without saving them."""
    form = PreviewForm.read(request)
    reader = read_game(request, slug)
    if not (reader.has_seat and reader.is_running):
        raise NoSuchGame
    try:
        reading = read_orders(
            reader.board,
            reader.position,
            reader.own_powers,
            choices=form.cleaned_data["order"],
            text=form.cleaned_data["sheet"],
            rules=reader.game.rules,
        )
    except OrderTextTooLong as error:
        raise TooMuchText(str(error)) from error
    return HttpResponse(draw_orders(reader, reading.orders))


@game_login_required
@require_POST
@keep_late_input
def ready(request: HttpRequest, slug: str) -> HttpResponse:
    """Set or clear the ready flag; the last player to be ready sees the results at once."""
    form = ReadyForm.read(request)
    action = form.action(request, slug)
    if form.cleaned_data["ready"]:
        process_if_due(actions.set_ready(**action))
    else:
        actions.unset_ready(**action)
    if HtmxDetails(request):
        return game_page(request, slug)
    return see_other(reverse("games:detail", args=[slug]))
