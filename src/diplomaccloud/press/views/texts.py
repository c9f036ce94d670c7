"""Reporting names and statuses, and judging such reports."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from diplomaccloud.games.table.forms import require_user_id
from diplomaccloud.games.visibility.read import viewer_of
from diplomaccloud.press.actions.reports.texts import judge_text, report_text
from diplomaccloud.press.errors import NoSuchCase
from diplomaccloud.press.forms.reports import SentReport, read_report
from diplomaccloud.press.presenters.reports import confirm_report
from diplomaccloud.press.presenters.text_reports import TITLES, present_text_case
from diplomaccloud.press.text import MAX_REASON
from diplomaccloud.press.viewpoint.reports import (
    GROUNDS,
    TextKind,
    is_text_reported,
    read_reportable,
    read_text_case,
)
from diplomaccloud.press.views.kept_text import keep_text
from diplomaccloud.schedule.errors import Refused
from diplomaccloud.shared.responses import RefusedResponse, see_other

_DONE = {
    "hidden": "The text was hidden.",
    "kept": "The text was kept.",
    "restored": "The text was restored.",
}
_READ = ["GET", "HEAD", "POST"]


@never_cache
@keep_text
@login_required
@require_http_methods(_READ)
def report(request: HttpRequest, kind: str, of: str) -> HttpResponse:
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
def case(request: HttpRequest, key: str) -> HttpResponse:
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
    content = render_to_string(template, {**context, "error": str(error or "")}, request)
    if error is not None:
        return RefusedResponse(content, status=error.status, refused=str(error))
    return HttpResponse(content)
