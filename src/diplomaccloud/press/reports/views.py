"""Reporting messages, players, names and statuses, a person's own reports, and appeals."""

from collections.abc import Callable

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from diplomaccloud.accounts.models import User
from diplomaccloud.games.table.forms import require_user_id
from diplomaccloud.games.visibility.read import viewer_of
from diplomaccloud.press.conversations.read import PressReader
from diplomaccloud.press.conversations.views import keep_text
from diplomaccloud.press.moderation.judges import Evidence
from diplomaccloud.press.moderation.page import (
    TITLES,
    present_copies,
    present_decision,
    present_own_text,
    present_text_case,
)
from diplomaccloud.press.moderation.read import (
    GROUNDS,
    GROUNDS_OF_PLAYERS,
    is_text_reported,
    read_copies,
    read_reportable,
    read_text_case,
)
from diplomaccloud.press.moderation.wording import TextKind
from diplomaccloud.press.reports.actions import (
    appeal_decision,
    judge_text,
    report_message,
    report_player,
    report_text,
)
from diplomaccloud.press.reports.forms import SentReport, read_report
from diplomaccloud.press.reports.page import confirm_report, present_own_reports
from diplomaccloud.press.reports.read import (
    copy_evidence,
    copy_personal_evidence,
    is_message_reported,
    is_personal_reported,
    read_own_decision,
    read_own_reports,
    read_player_choices,
)
from diplomaccloud.press.table.addresses import parse_address
from diplomaccloud.press.table.errors import NoSuchCase, NoSuchConversation
from diplomaccloud.press.table.text import MAX_REASON
from diplomaccloud.schedule.timer import Refused
from diplomaccloud.shared.responses import render_page, see_other

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
        "evidence": present_copies(read_copies(evidence.content)),
        "grounds": GROUNDS,
        "sent": sent,
        "back": back,
        "max_reason": MAX_REASON,
    }
    return _render(request, "press/reports/report.html", context, error)


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
        "max_reason": MAX_REASON,
    }
    return _render(request, "press/reports/report_player.html", context, error)


@never_cache
@login_required
@require_safe
def show_own(request: HttpRequest) -> HttpResponse:
    """Show the person's own reports, and the decisions about the person."""
    facts = read_own_reports(viewer_of(request.user), now=timezone.now())
    may_rename = isinstance(request.user, User) and request.user.hidden_name is not None
    context = {
        "limits": facts.limits,
        "decisions": [present_decision(row) for row in facts.decisions],
        "reports": present_own_reports(facts.reports),
        "texts": [present_own_text(row, may_rename=may_rename) for row in facts.texts],
    }
    return render(request, "press/reports/own.html", context)


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
        "max_reason": MAX_REASON,
    }
    return _render(request, "press/reports/appeal.html", context, error)


# Reporting names and statuses, and judging such reports.


_DONE = {
    "hidden": "The text was hidden.",
    "kept": "The text was kept.",
    "restored": "The text was restored.",
}


@never_cache
@keep_text
@login_required
@require_http_methods(_READ)
def report_public_text(request: HttpRequest, kind: str, of: str) -> HttpResponse:
    """Show the form for reporting a name or a status, and accept the report."""
    viewer = viewer_of(request.user)
    found = read_reportable(viewer, kind, of)
    sent, error = SentReport(), None
    back = reverse("maps:detail" if kind == TextKind.MAP else "person", args=[of])
    if request.method == "POST":
        sent = read_report(request.POST)
        try:
            report_text(
                user_id=require_user_id(request),
                kind=kind,
                of=of,
                grounds=sent.grounds,
                note=sent.note,
                now=timezone.now(),
            )
        except NoSuchCase:
            raise
        except Refused as refused:
            error = refused
        else:
            messages.success(request, confirm_report())
            return see_other(back)
    context = {
        "title": TITLES[TextKind(kind)],
        "text": found.text,
        "kind": TextKind(kind),
        "is_reported": is_text_reported(viewer, kind, found),
        "grounds": GROUNDS,
        "sent": sent,
        "back": back,
        "max_reason": MAX_REASON,
    }
    return _render(request, "press/reports/report_text.html", context, error)


@never_cache
@keep_text
@login_required
@require_http_methods(_READ)
def judge_public_text(request: HttpRequest, key: str) -> HttpResponse:
    """Show the reports of a name or a status to a moderator, and accept the decision."""
    stage, reason = request.POST.get("stage", ""), request.POST.get("reason", "")
    error = None
    if request.method == "POST":
        try:
            judge_text(
                user_id=require_user_id(request),
                key=key,
                stage=stage,
                reason=reason,
                now=timezone.now(),
            )
        except NoSuchCase:
            raise
        except Refused as refused:
            error = refused
        else:
            messages.success(request, _DONE[stage])
            return see_other(reverse("press:moderation"))
    facts = present_text_case(read_text_case(viewer_of(request.user), key, now=timezone.now()))
    context = {"case": facts, "stage": stage, "reason": reason, "max_reason": MAX_REASON}
    return _render(request, "press/moderation/text.html", context, error)


def _render(
    request: HttpRequest, template: str, context: dict[str, object], error: Refused | None
) -> HttpResponse:
    status, why = (error.status, str(error)) if error else (200, "")
    return render_page(request, template, {**context, "error": why}, status=status, refused=why)
