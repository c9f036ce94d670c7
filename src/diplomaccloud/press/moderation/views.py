"""Judging reports: the queue, a case, stopped games, the audit, and the list of moderators.

For people who are not judges, these pages return the same 404 as pages that don't exist.
"""

import datetime as dt
from collections.abc import Callable, Mapping
from typing import ParamSpec

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from diplomaccloud.accounts.models import User
from diplomaccloud.accounts.screen_names import isolate
from diplomaccloud.games.table.forms import require_user_id
from diplomaccloud.games.table.views import lease_owner
from diplomaccloud.games.visibility.read import viewer_of
from diplomaccloud.press.conversations.forms import read_number
from diplomaccloud.press.conversations.views import keep_text, read_texts
from diplomaccloud.press.moderation import actions, page, read
from diplomaccloud.press.table.errors import NoSuchCase, NoSuchConversation
from diplomaccloud.press.table.text import MAX_REASON
from diplomaccloud.schedule.timer import Refused
from diplomaccloud.shared.responses import render_page, see_other

_UNCOUNTED = "Anonymous games are not counted. Any that the person plays follow within an hour."
_STOP_FIELDS = ("act", "slug", "name", "days", "reason")
MAX_SLUG = 20
_Given = ParamSpec("_Given")


def form_page(view: Callable[_Given, HttpResponse]) -> Callable[_Given, HttpResponse]:
    """Wrap a view that shows a form to people with an account, and accepts it."""
    allowed = require_http_methods(["GET", "HEAD", "POST"])(view)
    return never_cache(keep_text(login_required(allowed)))


def plain_page(view: Callable[_Given, HttpResponse]) -> Callable[_Given, HttpResponse]:
    """Wrap a view that only shows something to people with an account."""
    return never_cache(login_required(require_safe(view)))


def attempt(act: Callable[[], object]) -> Refused | None:
    """Do what a form asks for; return why it was refused, if it was.

    Raises `NoSuchCase` and `NoSuchConversation`: the person must not see the form, either.
    """
    try:
        act()
    except (NoSuchCase, NoSuchConversation):
        raise
    except Refused as error:
        return error
    return None


def render_form(
    request: HttpRequest, template: str, context: Mapping[str, object], error: Refused | None
) -> HttpResponse:
    """Return a page with a form and, if it was refused, the reason."""
    status, why = (error.status, str(error)) if error else (200, "")
    shown = {"max_reason": MAX_REASON, **context, "error": why}
    return render_page(request, template, shown, status=status, refused=why)


@plain_page
def show_queue(request: HttpRequest) -> HttpResponse:
    """Show the waiting cases and those that the person decided."""
    waiting, decided = read.read_queue(viewer_of(request.user), now=timezone.now())
    waiting_texts, hidden_texts = read.read_text_queue(viewer_of(request.user), now=timezone.now())
    context = {
        "waiting": list(map(page.present_line, waiting)),
        "decided": list(map(page.present_line, decided)),
        "waiting_texts": list(map(page.present_text_line, waiting_texts)),
        "hidden_texts": list(map(page.present_text_line, hidden_texts)),
    }
    return render_page(request, "press/moderation/queue.html", context)


@plain_page
def show_case(request: HttpRequest, key: str) -> HttpResponse:
    """Show one case."""
    return _show_case(request, key)


@never_cache
@login_required
@require_POST
def take(request: HttpRequest, key: str) -> HttpResponse:
    """Take a case, or return it to the queue."""
    returns, user_id = request.POST.get("act") == "return", require_user_id(request)
    act = actions.return_case if returns else actions.take_case
    if error := attempt(lambda: act(user_id=user_id, key=key, now=timezone.now())):
        return _show_case(request, key, error)
    return see_other(reverse("press:moderation") if returns else reverse("press:case", args=[key]))


@never_cache
@keep_text
@login_required
@require_POST
def decide(request: HttpRequest, key: str) -> HttpResponse:
    """Decide a case."""
    outcome, reason = request.POST.get("outcome", ""), request.POST.get("reason", "")
    days, user_id = read_number(request.POST, "days") or 0, require_user_id(request)
    error = attempt(
        lambda: actions.decide_case(
            user_id=user_id,
            key=key,
            outcome=outcome,
            reason=reason,
            days=days,
            owner=lease_owner(),
            now=timezone.now(),
        )
    )
    if error:
        sent = {"outcome": outcome, "reason": reason, "days": days}
        return _show_case(request, key, error, sent=sent)
    messages.success(request, "The case is decided.")
    return see_other(reverse("press:moderation"))


@never_cache
@keep_text
@login_required
@require_POST
def inspect(request: HttpRequest, key: str) -> HttpResponse:
    """Show more than the evidence once: the conversation as it is now, a name, or signals."""
    what, reason = request.POST.get("what", ""), request.POST.get("reason", "")
    now, viewer, user_id = timezone.now(), viewer_of(request.user), require_user_id(request)
    error = attempt(
        lambda: actions.inspect_case(user_id=user_id, key=key, what=what, reason=reason, now=now)
    )
    if error:
        return _show_case(request, key, error, inspected=what, inspection_reason=reason)
    if what == "name":
        return _show_case(request, key, name=read.read_unmasked(viewer, key, at=now))
    if what == "signals":
        return _show_case(request, key, signals=read.read_signals(viewer, key, at=now))
    copies = page.present_copies(read.read_inspected(viewer, key, at=now))
    return _show_case(request, key, conversation=copies)


def _show_case(
    request: HttpRequest,
    key: str,
    error: Refused | None = None,
    *,
    sent: Mapping[str, object] | None = None,
    **looked: object,
) -> HttpResponse:
    """Return the page of a case; `looked` is the result of an inspection, shown only this once."""
    case = read.read_case(viewer_of(request.user), key, now=timezone.now())
    has_form = bool(case.outcomes) and (sent is not None or case.may_inspect)
    context = {
        "case": page.present_case(case),
        "sent": sent or {"days": actions.LIMIT_DAYS[2]},
        "days": actions.LIMIT_DAYS,
        "unsent": () if error is None or has_form else read_texts(request),
        **looked,
    }
    return render_form(request, "press/moderation/case.html", context, error)


_ANNULLED = "The game is annulled. The ratings are computed again from it on."
_COUNTED = "The game counts again. The ratings are computed again from it on."


@form_page
def stops(request: HttpRequest) -> HttpResponse:
    """Stop a game or let it continue, pause all games of a person, and annul a game."""
    stopped = read.read_stopped_games(viewer_of(request.user))
    sent = {name: request.POST.get(name, "").strip() for name in _STOP_FIELDS}
    error = None
    if request.method == "POST":
        error = attempt(lambda: messages.success(request, _stop(request, sent)))
        if error is None:
            return see_other(reverse("press:stops"))
    else:
        sent["slug"] = request.GET.get("game", "")[:MAX_SLUG]
    context = {"stopped": stopped, "sent": sent, "days": list(map(str, actions.PAUSE_DAYS))}
    return render_form(request, "press/moderation/stops.html", context, error)


def _stop(request: HttpRequest, sent: Mapping[str, str]) -> str:
    """Do what a form of the page asks for, and return the sentence that says so."""
    user_id, now, act = require_user_id(request), timezone.now(), sent["act"]
    if act in ("stop", "continue"):
        stopped, slug = act == "stop", sent["slug"].rstrip("/").rpartition("/")[2]
        actions.stop_game(
            user_id=user_id, slug=slug, stopped=stopped, reason=sent["reason"], now=now
        )
        return "The game is stopped." if stopped else "The game continues."
    if act in ("annul", "count"):
        annulled, slug = act == "annul", sent["slug"].rstrip("/").rpartition("/")[2]
        actions.annul_game(
            user_id=user_id, slug=slug, annulled=annulled, reason=sent["reason"], now=now
        )
        return _ANNULLED if annulled else _COUNTED
    choices = {str(number): number for number in actions.PAUSE_DAYS}
    days = choices.get(sent["days"], 0) if act == "pause" else 0
    if act not in ("pause", "unpause") or (act == "pause" and not days):
        raise Refused("Choose what to do.")
    changed, unchanged = actions.pause_games(
        user_id=user_id, name=sent["name"], days=days, reason=sent["reason"], now=now
    )
    games = "1 game" if changed == 1 else f"{changed} games"
    done = f"{games} paused." if days else f"The pauses of {games} ended."
    if unchanged and days:
        done += (
            f" {unchanged} could not be paused now, because a phase is due or a game is stopped."
        )
    return f"{done} {_UNCOUNTED}"


@plain_page
def show_audit(request: HttpRequest) -> HttpResponse:
    """Show the actions of judges and administrators, the newest or those before a time."""
    try:
        before = dt.datetime.fromisoformat(request.GET.get("before", ""))
        # The first and last days of the calendar do not exist in every time zone.
        at = before.astimezone(dt.UTC) if before.tzinfo else None
    except (ValueError, OverflowError):
        at = None
    lines = [
        (line, page.describe_act(line))
        for line in read.read_audit(viewer_of(request.user), before=at)
    ]
    return render_page(request, "press/moderation/log.html", {"lines": lines})


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
            changed = actions.appoint_moderator(
                name=name, appointed=appointed, by=request.user.pk, now=timezone.now()
            )
        except Refused as refused:
            error = refused
        else:
            state = "a moderator" if appointed else "no longer a moderator"
            shown = isolate(name)
            kept = f"{shown} was already {state}." if appointed else f"{shown} is not a moderator."
            messages.success(request, f"{shown} is {state}." if changed else kept)
            return see_other(reverse("press:moderators"))
    context = {"names": read.list_moderators(), "name": name if error else ""}
    return render_form(request, "press/moderation/moderators.html", context, error)
