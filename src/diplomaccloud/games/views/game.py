"""The game as it is now, and orders for it."""

from urllib.parse import urlencode

from django.contrib import messages
from django.http import (
    HttpRequest,
    HttpResponse,
)
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe
from django_htmx.middleware import HtmxDetails

from diplomaccloud.games import actions, viewpoint
from diplomaccloud.games.errors import TooMuchText
from diplomaccloud.games.views.decorators import person_required
from diplomaccloud.games.views.late import in_time
from diplomaccloud.games.views.responses import Act, act_of, done, game_page, owner, see_other
from diplomaccloud.judge.legality.order_entry import Problem, compose_rejected_text


@never_cache
@require_safe
def detail(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the game as it is now."""
    return game_page(request, slug, code=request.GET.get("code", ""))


@person_required
@require_POST
@in_time
def orders(request: HttpRequest, slug: str) -> HttpResponse:
    """Save orders, and with `ready` be ready too unless a piece was refused."""
    sheet = request.POST.get("sheet", "")
    try:
        saved = actions.save_orders(
            **act_of(request, slug),
            choices=request.POST.getlist("order"),
            sheet=sheet,
            draft=request.POST.get("draft", ""),
        )
    except TooMuchText as refused:
        nothing = actions.Saved((), (Problem(sheet, str(refused)),))
        return _answer(request, slug, nothing, status=refused.status)
    if not saved.problems and request.POST.get("ready") == "1":
        _be_ready(act_of(request, slug))
    if not saved.problems and not HtmxDetails(request):
        return _told(request, slug, saved)
    return _answer(request, slug, saved, status=422 if saved.problems else 200)


def _answer(request: HttpRequest, slug: str, saved: actions.Saved, *, status: int) -> HttpResponse:
    """Return the game with what was refused in the order box again, as it was typed."""
    sheet, problems = compose_rejected_text(saved.problems)
    response = game_page(
        request,
        slug,
        status=status,
        saved=tuple(str(order) for order in saved.orders),
        counts=saved.counts,
        problems=problems,
        sheet=sheet,
    )
    if problems:
        response.refused = "; ".join(problem.message for problem in problems)  # type: ignore[attr-defined]
    return response


def _told(request: HttpRequest, slug: str, saved: actions.Saved) -> HttpResponse:
    """Return the way back to the draft that was saved, where its orders are told in full."""
    orders = "; ".join(saved.counts) or "every unit as it is without an order"
    if saved.live:
        return done(request, slug, f"Your orders are saved. What counts now: {orders}.")
    messages.success(request, f"“{saved.draft}” is saved, but it is not the live draft.")
    address = reverse("games:detail", args=[slug])
    return see_other(f"{address}?{urlencode({'draft': saved.draft})}")


@person_required
@require_POST
def sketch(request: HttpRequest, slug: str) -> HttpResponse:
    """Draw orders that are not saved."""
    drawn = viewpoint.sketch(
        slug,
        viewpoint.viewer_of(request.user),
        choices=request.POST.getlist("order"),
        sheet=request.POST.get("sheet", ""),
    )
    return HttpResponse(drawn)


@person_required
@require_POST
@in_time
def ready(request: HttpRequest, slug: str) -> HttpResponse:
    """Set or take back the ready flag; the last one to be ready sees the result at once."""
    act = act_of(request, slug)
    if request.POST.get("ready") == "1":
        _be_ready(act)
    else:
        actions.unset_ready(**act)
    if HtmxDetails(request):
        return game_page(request, slug)
    return see_other(reverse("games:detail", args=[slug]))


def _be_ready(act: Act) -> None:
    due = actions.set_ready(**act)
    if due is not None:
        actions.advance(game_id=due, owner=owner(), now=timezone.now)
