"""A player's papers: drafts of orders, what is written ahead, copies and receipts."""

from collections.abc import Callable, Mapping, Sequence
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

from diplomaccloud.games import actions, viewpoint
from diplomaccloud.games.errors import Refused
from diplomaccloud.games.presenters.drafts import AheadClause, AheadView
from diplomaccloud.games.views.decorators import person_required
from diplomaccloud.games.views.late import CONDITION, in_time
from diplomaccloud.games.views.responses import (
    act_of,
    done,
    game_page,
    see_other,
    sequence_of,
    whole_number,
)
from diplomaccloud.judge.conditional_orders import compose_player_text


@person_required
@require_POST
@in_time
def drafts(request: HttpRequest, slug: str) -> HttpResponse:
    """Make, rename or drop a draft, or make one live, as the form says."""
    act = _ACTS.get(request.POST.get("act", ""))
    if act is None:
        raise Refused("The form does not say what to do with the draft. Reload the page.")
    shown, message = act(request, slug)
    messages.success(request, message)
    address = reverse("games:detail", args=[slug])
    return see_other(f"{address}?{urlencode({'draft': shown})}" if shown else address)


def _new(request: HttpRequest, slug: str) -> tuple[str, str]:
    name, copied = request.POST.get("name", ""), request.POST.get("copy") == "1"
    draft = actions.new_draft(**act_of(request, slug), name=name, copy=copied)
    return draft.name, f"“{draft.name}” is a new draft. It does not count until you make it live."


def _rename(request: HttpRequest, slug: str) -> tuple[str, str]:
    name, new_name = request.POST.get("draft", ""), request.POST.get("name", "")
    draft = actions.rename_draft(**act_of(request, slug), name=name, new_name=new_name)
    return "" if draft.live else draft.name, f"The draft is called “{draft.name}” now."


def _drop(request: HttpRequest, slug: str) -> tuple[str, str]:
    name = request.POST.get("draft", "")
    actions.drop_draft(**act_of(request, slug), name=name)
    return "", f"The draft “{name}” is dropped."


def _live(request: HttpRequest, slug: str) -> tuple[str, str]:
    name = request.POST.get("draft", "")
    actions.make_live(**act_of(request, slug), name=name)
    return "", f"“{name}” is the live draft now: its orders count."


_ACTS: dict[str, Callable[[HttpRequest, str], tuple[str, str]]] = {
    "new": _new,
    "rename": _rename,
    "drop": _drop,
    "live": _live,
}


@person_required
@require_POST
@in_time
def ahead(request: HttpRequest, slug: str) -> HttpResponse:
    """Save what is written ahead: the text if it was changed, else what the lists say."""
    typed, lists = _typed_ahead(request), _lists_ahead(request)
    text = compose_player_text(lists) if typed is None else typed
    problem = ""
    try:
        actions.save_plan(**act_of(request, slug), text=text)
    except Refused as refused:
        if refused.status != Refused.status:
            raise
        problem = str(refused)
    if not problem and not HtmxDetails(request):
        return done(request, slug, "Saved what you wrote ahead." if text else "Nothing is ahead.")
    view = viewpoint.own_ahead(slug, viewpoint.viewer_of(request.user))
    view = replace(view, saved=not problem)
    if problem:
        view = _as_sent(replace(view, problem=problem, text=text), lists, changed=typed is not None)
    status = 422 if problem else 200
    if HtmxDetails(request):
        context = {"ahead": view, "sequence": sequence_of(request)}
        response = render(request, "games/_ahead.html", context, status=status)
    else:
        response = game_page(request, slug, status=status, ahead=view)
    if problem:
        response.refused = problem  # type: ignore[attr-defined]
    return response


def _typed_ahead(request: HttpRequest) -> str | None:
    """Return the text that was typed, None if it says no more than when it was shown."""
    if request.POST.get("forget") == "1":
        return ""
    typed, was = (_lines(request.POST.get(name, "")) for name in ("ahead", "was"))
    return typed if typed != was else None


def _lists_ahead(request: HttpRequest) -> dict[str, list[str]]:
    return {key: values for key, values in request.POST.lists() if CONDITION.fullmatch(key)}


def _as_sent(view: AheadView, lists: Mapping[str, Sequence[str]], *, changed: bool) -> AheadView:
    """Return `view` with the choices as they were sent; they win again unless the text did."""

    def chosen(clause: AheadClause) -> AheadClause:
        sent = zip_longest(clause.lists, lists.get(clause.condition, ())[: len(clause.lists)])
        shown = (one if value is None else replace(one, chosen=value) for one, value in sent)
        return replace(clause, lists=tuple(shown))

    retreats, adjustments = (tuple(map(chosen, one)) for one in (view.retreats, view.adjustments))
    was = view.was if changed else view.text
    return replace(view, retreats=retreats, adjustments=adjustments, was=was)


def _lines(text: str) -> str:
    """Return `text` as it was before a browser sent it: forms end lines in another way."""
    return "\n".join(text.splitlines()).strip()


@never_cache
@person_required
@require_safe
def compare(request: HttpRequest, slug: str) -> HttpResponse:
    """Show one of the viewer's drafts and the live one side by side, as text and on the map."""
    draft, viewer = request.GET.get("draft", ""), viewpoint.viewer_of(request.user)
    view, live = viewpoint.compared(slug, viewer, draft)
    return render(
        request, "games/compare.html", {"view": view, "desk": view.desk, "live_overlay": live}
    )


@never_cache
@person_required
@require_safe
def copy(request: HttpRequest, slug: str) -> HttpResponse:
    """Hand out the viewer's own orders that count as a text to keep."""
    kept = viewpoint.own_orders(slug, viewpoint.viewer_of(request.user))
    text = f"{kept.title}\n\n{kept.text}\n"
    response = HttpResponse(text, content_type="text/plain; charset=utf-8")
    name = f"orders-{slug}-{kept.phase}.txt"
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


@never_cache
@require_safe
def receipts(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the receipts of a locked phase, and how to check one."""
    sequence = whole_number(request.GET.get("phase", ""), digits=6)
    viewer = viewpoint.viewer_of(request.user)
    view, page = viewpoint.receipts_view(slug, viewer, sequence)
    return render(request, "games/receipts.html", {"view": view, "page": page})
