"""Reporting messages, players, names and statuses, a person's own reports, and appeals."""

from collections.abc import Callable, Mapping
from functools import partial

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html

from diplomaccloud.accounts.models import User
from diplomaccloud.games.table.forms import require_user_id
from diplomaccloud.games.visibility.read import viewer_of
from diplomaccloud.press.conversations.read import PressReader
from diplomaccloud.press.conversations.wording import cut_text
from diplomaccloud.press.moderation import page
from diplomaccloud.press.moderation.judges import Evidence
from diplomaccloud.press.moderation.read import read_copies, read_reportable, read_text_case
from diplomaccloud.press.moderation.views import attempt, form_page, plain_page, render_form
from diplomaccloud.press.moderation.wording import (
    MESSAGE_GROUNDS,
    PLAYER_GROUNDS,
    TextKind,
    TextStage,
)
from diplomaccloud.press.reports import actions, read
from diplomaccloud.press.table.addresses import parse_address
from diplomaccloud.shared.responses import see_other

_THANKS = (
    "Thank you. Your report is under review. "
    'Your <a href="{}">Reports page</a> will show when it is decided.'
)


@form_page
def report(request: HttpRequest, slug: str, members: str, number: int) -> HttpResponse:
    """Show the form for reporting a message in a game, and accept the report."""
    address = parse_address(members)
    reader = PressReader(slug, viewer_of(request.user))
    evidence = read.copy_evidence(reader, address, number)
    is_reported = read.is_message_reported(reader, address, number)
    back = f"{reverse('press:conversation', args=[slug, members])}#m{number}"
    act = partial(actions.report_message, slug=slug, to=address, evidence=evidence)
    context = _present_evidence(evidence, is_reported=is_reported)
    return _report(request, "press/reports/report.html", context, back, act)


@form_page
def report_personal(request: HttpRequest, name: str, number: int) -> HttpResponse:
    """Show the form for reporting a personal message, and accept the report."""
    viewer = viewer_of(request.user)
    evidence = read.copy_personal_evidence(viewer, name, number, now=timezone.now())
    is_reported = read.is_personal_reported(viewer, name, number)
    back = f"{reverse('press:personal', args=[name])}#m{number}"
    act = partial(actions.report_message, to=name, evidence=evidence)
    context = _present_evidence(evidence, is_reported=is_reported)
    return _report(request, "press/reports/report.html", context, back, act)


def _present_evidence(evidence: Evidence, *, is_reported: bool) -> dict[str, object]:
    copies = page.present_copies(read_copies(evidence.content))
    return {"is_reported": is_reported, "evidence": copies, "grounds": MESSAGE_GROUNDS}


def _report(
    request: HttpRequest,
    template: str,
    context: Mapping[str, object],
    back: str,
    act: Callable[..., None],
) -> HttpResponse:
    """Show the form of a report, and make the report with `act`."""
    sent = {name: request.POST.get(name, "") for name in ("grounds", "note")}
    user_id, error = require_user_id(request), None
    if request.method == "POST":
        error = attempt(lambda: act(user_id=user_id, **sent, now=timezone.now()))
        if error is None:
            messages.success(request, format_html(_THANKS, reverse("press:reports")))
            return see_other(back)
    return render_form(request, template, {**context, "sent": sent, "back": back}, error)


@form_page
def report_seat(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the form for reporting a player of a game by country, and accept the report."""
    world, choices = read.read_player_choices(slug, viewer_of(request.user))
    power, back = request.POST.get("power", ""), reverse("games:detail", args=[slug])
    context = {"world": world, "choices": choices, "power": power, "grounds": PLAYER_GROUNDS}
    act = partial(actions.report_player, slug=slug, power=power)
    return _report(request, "press/reports/report_player.html", context, back, act)


@plain_page
def show_own(request: HttpRequest) -> HttpResponse:
    """Show the person's own reports, and the decisions about the person."""
    facts = read.read_own_reports(viewer_of(request.user), now=timezone.now())
    is_hidden = isinstance(request.user, User) and request.user.hidden_name is not None
    hidden_name = (TextKind.NAME, TextStage.HIDDEN)
    texts = [(row, (row.kind, row.stage)) for row in facts.texts]
    context = {
        "limits": facts.limits,
        "decisions": list(map(page.present_decision, facts.decisions)),
        "reports": [
            (row, _describe_report(row), row.country or cut_text(row.body)) for row in facts.reports
        ],
        "texts": [
            (row, page.HEADINGS[act], is_hidden and act == hidden_name) for row, act in texts
        ],
    }
    return render(request, "press/reports/own.html", context)


def _describe_report(row: read.OwnReport) -> str:
    """Return what a person reported, and where."""
    if row.text is not None:
        return row.text.label.capitalize()
    if row.country:
        return f"Player in {row.world}"
    return f"In {row.world}" if row.world else "Personal message"


@form_page
def appeal(request: HttpRequest, key: str) -> HttpResponse:
    """Show the form for appealing a decision, and accept the appeal."""
    decision = read.read_own_decision(viewer_of(request.user), key)
    text, user_id, error = request.POST.get("text", ""), require_user_id(request), None
    if request.method == "POST":
        error = attempt(
            lambda: actions.appeal_decision(user_id=user_id, key=key, text=text, now=timezone.now())
        )
        if error is None:
            sent = "Your appeal was sent. Another moderator will review the decision."
            messages.success(request, sent)
            return see_other(reverse("press:reports"))
    context = {"decision": page.present_decision(decision), "text": text}
    return render_form(request, "press/reports/appeal.html", context, error)


# Reporting names and statuses, and judging such reports.


_DONE = {
    "hidden": "The text was hidden.",
    "kept": "The text was kept.",
    "restored": "The text was restored.",
}


@form_page
def report_public_text(request: HttpRequest, kind: str, of: str) -> HttpResponse:
    """Show the form for reporting a name or a status, and accept the report."""
    reportable, is_reported = read_reportable(viewer_of(request.user), kind, of)
    context = {
        "title": page.TITLES[TextKind(kind)],
        "text": reportable.text,
        "kind": TextKind(kind),
        "is_reported": is_reported,
        "grounds": MESSAGE_GROUNDS,
    }
    back = reverse("maps:detail" if kind == TextKind.MAP else "person", args=[of])
    act = partial(actions.report_text, kind=kind, of=of)
    return _report(request, "press/reports/report_text.html", context, back, act)


@form_page
def judge_public_text(request: HttpRequest, key: str) -> HttpResponse:
    """Show the reports of a name or a status to a moderator, and accept the decision."""
    sent = {name: request.POST.get(name, "") for name in ("stage", "reason")}
    user_id, error = require_user_id(request), None
    if request.method == "POST":
        error = attempt(
            lambda: actions.judge_text(user_id=user_id, key=key, **sent, now=timezone.now())
        )
        if error is None:
            messages.success(request, _DONE[sent["stage"]])
            return see_other(reverse("press:moderation"))
    case = read_text_case(viewer_of(request.user), key, now=timezone.now())
    context = {"case": page.present_text_case(case), **sent}
    return render_form(request, "press/moderation/text.html", context, error)
