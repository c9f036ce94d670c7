"""A person's reports, and the decisions about the person's messages."""

import datetime as dt
from dataclasses import dataclass

from django.db.models import Q, QuerySet

from diplomaccloud.games.viewpoint import Viewer
from diplomaccloud.judge.phases import Phase as JudgePhase
from diplomaccloud.press.errors import NoSuchCase
from diplomaccloud.press.models import Decision, PressLimit, Report
from diplomaccloud.press.models.reports import Outcome, Stage
from diplomaccloud.press.models.texts import TextKind
from diplomaccloud.press.viewpoint.reports.texts import (
    MAX_LISTED,
    OwnText,
    read_own_text_reports,
    read_own_texts,
)
from diplomaccloud.shared.prepared_queries import PreparedQuery


@dataclass(frozen=True, slots=True)
class DecisionFacts:
    """A decision without the name of the judge; `body` is the viewer's message.

    `appeal` is the text of the viewer's appeal, and `may_appeal` says whether one is possible. If
    an appeal overturned a removal, `seat_returned` says whether the seat was still vacant.
    """

    key: str
    world: str
    outcome: Outcome
    reason: str
    until: dt.datetime | None
    at: dt.datetime
    on_appeal: bool
    by_master: bool
    subject: str = ""
    body: str = ""
    sent_at: dt.datetime | None = None
    phase: JudgePhase | None = None
    appeal: str = ""
    may_appeal: bool = False
    seat_returned: bool | None = None


@dataclass(frozen=True, slots=True)
class OwnReport:
    """A report by the viewer, who can only see whether it is decided.

    `text` is the kind of text reported, None for a message.
    """

    world: str
    body: str
    at: dt.datetime
    is_decided: bool
    text: TextKind | None = None


@dataclass(frozen=True, slots=True)
class OwnReports:
    """The viewer's reports and decisions, newest first; `limits` has worlds and ends of limits.

    A limit on all press has a blank world. `texts` has the viewer's texts that moderators hid or
    restored.
    """

    decisions: tuple[DecisionFacts, ...]
    reports: tuple[OwnReport, ...]
    limits: tuple[tuple[str, dt.datetime], ...]
    texts: tuple[OwnText, ...] = ()


def read_own_reports(viewer: Viewer, *, now: dt.datetime) -> OwnReports:
    """Return the decisions about the viewer's messages, and the viewer's own reports."""
    if viewer.user_id is None:
        raise NoSuchCase
    decisions, related = _decisions.read(viewer.user_id), _reports.read(viewer.user_id)
    limits = [row for row in _limits.read(viewer.user_id) if row.until > now]
    texts = tuple(
        OwnReport("", text, at, is_decided, kind)
        for kind, text, at, is_decided in read_own_text_reports(viewer.user_id)
    )
    sent = sorted((*map(_present_report, related), *texts), key=lambda row: row.at, reverse=True)
    return OwnReports(
        tuple(present_decision(row, own=True) for row in decisions),
        tuple(sent[:MAX_LISTED]),
        tuple((row.game.world if row.game else "", row.until) for row in limits),
        read_own_texts(viewer.user_id),
    )


def read_own_decisions(viewer: Viewer) -> tuple[DecisionFacts, ...]:
    """Return all decisions about the viewer's messages, oldest first."""
    rows = _select_decisions(viewer.user_id or 0).order_by("pk")
    return tuple(present_decision(row, own=True) for row in rows)


def read_own_decision(viewer: Viewer, key: str) -> DecisionFacts:
    """Return the first decision about one of the viewer's messages; raise `NoSuchCase`."""
    rows = _select_decisions(viewer.user_id or 0).filter(case__key=key, on_appeal=False)
    decision = rows.first()
    if decision is None:
        raise NoSuchCase
    return present_decision(decision, own=True)


def present_decision(decision: Decision, *, own: bool = False) -> DecisionFacts:
    """Return a decision as its judges may see it or, with `own`, as the person concerned may."""
    case = decision.case
    message, appeal = case.message, getattr(decision, "appeal", None)
    return DecisionFacts(
        key=case.key,
        world=case.game.world if case.game else "",
        outcome=Outcome(decision.outcome),
        reason=decision.reason,
        until=decision.until,
        at=decision.at,
        on_appeal=decision.on_appeal,
        by_master=decision.by_master,
        subject=message.subject if own else "",
        body=message.body if own else "",
        sent_at=message.at if own else None,
        phase=message.phase.judge_phase if own and message.phase else None,
        appeal=appeal.text if appeal else "",
        seat_returned=decision.seat_returned,
        may_appeal=own and case.stage == Stage.DECIDED and not decision.on_appeal,
    )


def _select_decisions(user_id: int) -> QuerySet[Decision]:
    """Return the decisions that the author of a message sees: all except "no action"."""
    rows = Decision.objects.filter(case__message__send__author=user_id)
    rows = rows.exclude(Q(outcome=Outcome.NONE) & Q(on_appeal=False))
    return rows.select_related("case__game", "case__message__phase", "appeal")


_decisions = PreparedQuery(
    lambda person: _select_decisions(person).order_by("-at", "-pk")[:MAX_LISTED], int
)
_reports = PreparedQuery(
    lambda person: (
        Report.objects.filter(reporter=person)
        .select_related("case__game", "message")
        .order_by("-at", "-pk")[:MAX_LISTED]
    ),
    int,
)
# A person has few of them, whether they are over or not.
_limits = PreparedQuery(
    lambda person: PressLimit.objects.filter(user=person).select_related("game").order_by("until"),
    int,
)


def _present_report(report: Report) -> OwnReport:
    case = report.case
    return OwnReport(
        world=case.game.world if case.game else "",
        body=report.message.body,
        at=report.at,
        is_decided=case.stage != Stage.OPEN,
    )
