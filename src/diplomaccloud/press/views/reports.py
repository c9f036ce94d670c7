"""Reporting a message or a player, a person's own reports, and appeals."""

from collections.abc import Callable

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from diplomaccloud.accounts.models import User
from diplomaccloud.games.table.forms import require_user_id
from diplomaccloud.games.visibility.read import viewer_of
from diplomaccloud.press.actions.reports.filing import (
    appeal_decision,
    report_message,
    report_player,
)
from diplomaccloud.press.addresses import parse_address
from diplomaccloud.press.errors import NoSuchCase, NoSuchConversation
from diplomaccloud.press.evidence import Evidence
from diplomaccloud.press.forms.reports import SentReport, read_report
from diplomaccloud.press.presenters.reports import (
    confirm_report,
    present_decision,
    present_evidence,
    present_own,
)
from diplomaccloud.press.presenters.text_reports import present_own_text
from diplomaccloud.press.text import MAX_REASON
from diplomaccloud.press.viewpoint import PressReader, copy_personal_evidence, is_personal_reported
from diplomaccloud.press.viewpoint.copies import copy_evidence, is_message_reported
from diplomaccloud.press.viewpoint.reports import (
    GROUNDS,
    GROUNDS_OF_PLAYERS,
    read_own_decision,
    read_own_reports,
    read_player_choices,
)
from diplomaccloud.press.views.kept_text import keep_text
from diplomaccloud.schedule.errors import Refused
from diplomaccloud.shared.responses import RefusedResponse, see_other

_APPEALED = "Your appeal was sent. Another moderator will review the decision."
_READ = ["GET", "HEAD", "POST"]


@never_cache
@keep_text
@login_required
@require_http_methods(_READ)
def report(request: HttpRequest, slug: str, members: str, number: int) -> HttpResponse:
    """Show the form for reporting a message in a game, and accept the report."""
    address = parse_address(members)
    reader = PressReader(slug, viewer_of(request.user))
    evidence = copy_evidence(reader, address, number)
    back = reverse("press:conversation", args=[slug, members])
    return _report(
        request,
        evidence,
        f"{back}#m{number}",
        lambda sent: report_message(
            user_id=require_user_id(request),
            slug=slug,
            to=address,
            evidence=evidence,
            grounds=sent.grounds,
            note=sent.note,
            now=timezone.now(),
        ),
        is_reported=is_message_reported(reader, address, number),
    )


@never_cache
@keep_text
@login_required
@require_http_methods(_READ)
def report_personal(request: HttpRequest, name: str, number: int) -> HttpResponse:
    """Show the form for reporting a personal message, and accept the report."""
    now = timezone.now()
    evidence = copy_personal_evidence(viewer_of(request.user), name, number, now=now)
    back = reverse("press:personal", args=[name])
    return _report(
        request,
        evidence,
        f"{back}#m{number}",
        lambda sent: report_message(
            user_id=require_user_id(request),
            to=name,
            evidence=evidence,
            grounds=sent.grounds,
            note=sent.note,
            now=now,
        ),
        is_reported=is_personal_reported(viewer_of(request.user), name, number),
    )


def _report(
    request: HttpRequest,
    evidence: Evidence,
    back: str,
    act: Callable[[SentReport], None],
    *,
    is_reported: bool,
) -> HttpResponse:
    if request.method != "POST":
        return _show_form(request, evidence, back, SentReport(), is_reported=is_reported)
    sent = read_report(request.POST)
    try:
        act(sent)
    except NoSuchConversation:
        raise
    except Refused as error:
        return _show_form(request, evidence, back, sent, error, is_reported=is_reported)
    messages.success(request, confirm_report())
    return see_other(back)


def _show_form(
    request: HttpRequest,
    evidence: Evidence,
    back: str,
    sent: SentReport,
    error: Refused | None = None,
    *,
    is_reported: bool,
) -> HttpResponse:
    context = {
        "is_reported": is_reported,
        "evidence": present_evidence(evidence.content),
        "grounds": GROUNDS,
        "sent": sent,
        "back": back,
        "error": str(error) if error else "",
        "max_reason": MAX_REASON,
    }
    content = render_to_string("press/reports/report.html", context, request)
    if error is not None:
        return RefusedResponse(content, status=error.status, refused=str(error))
    return HttpResponse(content)


@never_cache
@keep_text
@login_required
@require_http_methods(_READ)
def report_seat(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the form for reporting a player of a game by country, and accept the report."""
    world, choices = read_player_choices(slug, viewer_of(request.user))
    power, sent, error = request.POST.get("power", ""), SentReport(), None
    if request.method == "POST":
        sent = read_report(request.POST)
        try:
            report_player(
                user_id=require_user_id(request),
                slug=slug,
                power=power,
                grounds=sent.grounds,
                note=sent.note,
                now=timezone.now(),
            )
        except Refused as refused:
            error = refused
        else:
            messages.success(request, confirm_report())
            return see_other(reverse("games:detail", args=[slug]))
    context = {
        "world": world,
        "choices": choices,
        "power": power,
        "grounds": GROUNDS_OF_PLAYERS,
        "sent": sent,
        "back": reverse("games:detail", args=[slug]),
        "error": str(error) if error else "",
        "max_reason": MAX_REASON,
    }
    content = render_to_string("press/reports/report_player.html", context, request)
    if error is not None:
        return RefusedResponse(content, status=error.status, refused=str(error))
    return HttpResponse(content)


@never_cache
@login_required
@require_safe
def show_own(request: HttpRequest) -> HttpResponse:
    """Show the person's own reports, and the decisions about the person."""
    facts = read_own_reports(viewer_of(request.user), now=timezone.now())
    may_rename = isinstance(request.user, User) and request.user.hidden_name is not None
    context = {
        "own": present_own(facts),
        "texts": [present_own_text(row, may_rename=may_rename) for row in facts.texts],
    }
    content = render_to_string("press/reports/own.html", context, request)
    return HttpResponse(content)


@never_cache
@keep_text
@login_required
@require_http_methods(_READ)
def appeal(request: HttpRequest, key: str) -> HttpResponse:
    """Show the form for appealing a decision, and accept the appeal."""
    decision = read_own_decision(viewer_of(request.user), key)
    text, error = request.POST.get("text", ""), None
    if request.method == "POST":
        try:
            appeal_decision(
                user_id=require_user_id(request), key=key, text=text, now=timezone.now()
            )
        except NoSuchCase:
            raise
        except Refused as refused:
            error = refused
        else:
            messages.success(request, _APPEALED)
            return see_other(reverse("press:reports"))
    context = {
        "decision": present_decision(decision),
        "text": text,
        "error": str(error) if error else "",
        "max_reason": MAX_REASON,
    }
    content = render_to_string("press/reports/appeal.html", context, request)
    if error is not None:
        return RefusedResponse(content, status=error.status, refused=str(error))
    return HttpResponse(content)
