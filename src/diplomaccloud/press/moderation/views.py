"""Judging reports: the queue, a case, stopped games, the audit, and the list of moderators.

For people who are not judges, these pages return the same 404 as pages that don't exist.
"""

import datetime as dt
from collections.abc import Callable, Mapping

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from diplomaccloud.accounts.models import User
from diplomaccloud.games.table.forms import require_user_id
from diplomaccloud.games.table.views import lease_owner
from diplomaccloud.games.visibility.read import viewer_of
from diplomaccloud.press.conversations.views import keep_text, read_texts
from diplomaccloud.press.moderation.actions import (
    LIMIT_DAYS,
    PAUSE_DAYS,
    appoint_moderator,
    decide_case,
    inspect_case,
    pause_games,
    return_case,
    stop_game,
    take_case,
)
from diplomaccloud.press.moderation.forms import SentDecision, read_decision
from diplomaccloud.press.moderation.page import (
    present_audit,
    present_case,
    present_copies,
    present_lines,
    present_text_lines,
)
from diplomaccloud.press.moderation.read import (
    list_moderators,
    read_audit,
    read_case,
    read_inspected,
    read_queue,
    read_signals,
    read_stopped_games,
    read_text_queue,
    read_unmasked,
)
from diplomaccloud.press.table.errors import NoSuchCase
from diplomaccloud.press.table.text import MAX_REASON
from diplomaccloud.schedule.timer import Refused
from diplomaccloud.shared.responses import render_page, see_other

_DECIDED = "The case is decided."
_UNCOUNTED = "Anonymous games are not counted. Any that the person plays follow within an hour."
_STOP_FIELDS = ("act", "slug", "name", "days", "reason")
MAX_SLUG = 20


@never_cache
@login_required
@require_safe
def show_queue(request: HttpRequest) -> HttpResponse:
    """Show the waiting cases and those that the person decided."""
    viewer = viewer_of(request.user)
    queue = read_queue(viewer, now=timezone.now())
    texts = read_text_queue(viewer, now=timezone.now())
    context = {
        "waiting": present_lines(queue.waiting),
        "decided": present_lines(queue.decided),
        "is_moderator": queue.is_moderator,
        "waiting_texts": present_text_lines(texts.waiting),
        "hidden_texts": present_text_lines(texts.hidden),
    }
    return _render(request, "press/moderation/queue.html", context)


@never_cache
@login_required
@require_safe
def show_case(request: HttpRequest, key: str) -> HttpResponse:
    """Show one case."""
    return _show_case(request, key)


@never_cache
@login_required
@require_POST
def take(request: HttpRequest, key: str) -> HttpResponse:
    """Take a case, or return it to the queue."""
    act = return_case if request.POST.get("act") == "return" else take_case
    return _act(
        request,
        key,
        lambda: act(user_id=require_user_id(request), key=key, now=timezone.now()),
        back=reverse("press:moderation") if act is return_case else "",
    )


@never_cache
@keep_text
@login_required
@require_POST
def decide(request: HttpRequest, key: str) -> HttpResponse:
    """Decide a case."""
    sent = read_decision(request.POST)

    def act() -> None:
        decide_case(
            user_id=require_user_id(request),
            key=key,
            outcome=sent.outcome,
            reason=sent.reason,
            days=sent.days,
            owner=lease_owner(),
            now=timezone.now(),
        )
        messages.success(request, _DECIDED)

    return _act(request, key, act, back=reverse("press:moderation"), sent=sent)


@never_cache
@keep_text
@login_required
@require_POST
def inspect(request: HttpRequest, key: str) -> HttpResponse:
    """Show more than the evidence once: the conversation as it is now, a name, or signals."""
    what, reason = request.POST.get("what", ""), request.POST.get("reason", "")
    now, viewer = timezone.now(), viewer_of(request.user)
    try:
        inspect_case(user_id=require_user_id(request), key=key, what=what, reason=reason, now=now)
    except NoSuchCase:
        raise
    except Refused as error:
        return _show_case(request, key, error=error, inspection=(what, reason))
    if what == "name":
        return _show_case(request, key, name=read_unmasked(viewer, key, at=now))
    if what == "signals":
        return _show_case(request, key, signals=read_signals(viewer, key, at=now))
    copies = present_copies(read_inspected(viewer, key, at=now))
    return _show_case(request, key, conversation=copies)


@never_cache
@keep_text
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def stops(request: HttpRequest) -> HttpResponse:
    """Stop a game or let it continue, and pause all games of a person for an emergency."""
    stopped = read_stopped_games(viewer_of(request.user))
    sent = {name: request.POST.get(name, "").strip() for name in _STOP_FIELDS}
    error = None
    if request.method == "POST":
        try:
            messages.success(request, _stop(request, sent))
        except NoSuchCase:
            raise
        except Refused as refused:
            error = refused
        else:
            return see_other(reverse("press:stops"))
    else:
        sent["slug"] = request.GET.get("game", "")[:MAX_SLUG]
    context = {
        "stopped": stopped,
        "sent": sent,
        "days": [str(number) for number in PAUSE_DAYS],
        "max_reason": MAX_REASON,
    }
    return _render(request, "press/moderation/stops.html", context, error)


def _stop(request: HttpRequest, sent: Mapping[str, str]) -> str:
    """Do what a form of the page asks for, and return the sentence that says so."""
    user_id, now, act = require_user_id(request), timezone.now(), sent["act"]
    if act in ("stop", "continue"):
        stopped, slug = act == "stop", sent["slug"].rstrip("/").rpartition("/")[2]
        stop_game(user_id=user_id, slug=slug, stopped=stopped, reason=sent["reason"], now=now)
        return "The game is stopped." if stopped else "The game continues."
    choices = {str(number): number for number in PAUSE_DAYS}
    days = choices.get(sent["days"], 0) if act == "pause" else 0
    if act not in ("pause", "unpause") or (act == "pause" and not days):
        raise Refused("Choose what to do.")
    changed, left = pause_games(
        user_id=user_id, name=sent["name"], days=days, reason=sent["reason"], now=now
    )
    games = "1 game" if changed == 1 else f"{changed} games"
    done = f"{games} paused." if days else f"The pauses of {games} ended."
    if left and days:
        done += f" {left} could not be paused now, because a phase is due or a game is stopped."
    return f"{done} {_UNCOUNTED}"


@never_cache
@login_required
@require_safe
def show_audit(request: HttpRequest) -> HttpResponse:
    """Show the actions of judges and administrators."""
    lines = present_audit(read_audit(viewer_of(request.user), before=_read_time(request)))
    return _render(request, "press/moderation/log.html", {"lines": lines})


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def moderators(request: HttpRequest) -> HttpResponse:
    """List the moderators; an administrator appoints and dismisses them."""
    if not (isinstance(request.user, User) and request.user.is_superuser):
        raise NoSuchCase
    name, error = request.POST.get("name", "").strip(), None
    if request.method == "POST":
        appointed = request.POST.get("act") != "dismiss"
        try:
            changed = appoint_moderator(
                name=name, appointed=appointed, by=request.user.pk, now=timezone.now()
            )
        except Refused as refused:
            error = refused
        else:
            state = "a moderator" if appointed else "no longer a moderator"
            kept = f"{name} was already {state}." if appointed else f"{name} is not a moderator."
            messages.success(request, f"{name} is {state}." if changed else kept)
            return see_other(reverse("press:moderators"))
    context: dict[str, object] = {
        "names": list_moderators(),
        "name": name if error else "",
    }
    return _render(request, "press/moderation/moderators.html", context, error)


def _act(
    request: HttpRequest,
    key: str,
    act: Callable[[], None],
    *,
    back: str = "",
    sent: SentDecision | None = None,
) -> HttpResponse:
    try:
        act()
    except NoSuchCase:
        raise
    except Refused as error:
        return _show_case(request, key, error=error, sent=sent)
    return see_other(back or reverse("press:case", args=[key]))


def _show_case(
    request: HttpRequest,
    key: str,
    *,
    error: Refused | None = None,
    sent: SentDecision | None = None,
    inspection: tuple[str, str] = ("", ""),
    **looked: object,
) -> HttpResponse:
    """Return the page of a case; `looked` is the result of an inspection, shown only this once."""
    case = read_case(viewer_of(request.user), key, now=timezone.now())
    has_form = bool(case.outcomes) and (sent is not None or case.may_inspect)
    context = {
        "case": present_case(case),
        "sent": sent or SentDecision(days=LIMIT_DAYS[2]),
        "days": LIMIT_DAYS,
        "inspected": inspection[0],
        "inspection_reason": inspection[1],
        "max_reason": MAX_REASON,
        "unsent": () if error is None or has_form else read_texts(request),
        **looked,
    }
    return _render(request, "press/moderation/case.html", context, error)


def _render(
    request: HttpRequest, template: str, context: dict[str, object], error: Refused | None = None
) -> HttpResponse:
    status, why = (error.status, str(error)) if error else (200, "")
    return render_page(request, template, {**context, "error": why}, status=status, refused=why)


def _read_time(request: HttpRequest) -> dt.datetime | None:
    """Return the time before which to show lines; None for the newest."""
    try:
        at = dt.datetime.fromisoformat(request.GET.get("before", ""))
        # The first and last days of the calendar do not exist in every time zone.
        return at.astimezone(dt.UTC) if at.tzinfo else None
    except (ValueError, OverflowError):
        return None
