"""A person's reports, and the decisions about the person and their messages."""

import datetime as dt
from dataclasses import dataclass

from django.db.models import Q, QuerySet

from diplomaccloud.games.visibility.read import Viewer
from diplomaccloud.judge.phases import Phase as JudgePhase
from diplomaccloud.press.errors import NoSuchCase
from diplomaccloud.press.models import Case, Decision, PressLimit, Report
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

    `country` is the viewer's seat in a case about the viewer's play, else blank. `appeal` is the
    text of the viewer's appeal, and `may_appeal` says whether one is possible. If an appeal
    overturned a removal, `seat_returned` says whether the seat was still vacant.
    """

    key: str
    world: str
    outcome: Outcome
    reason: str
    until: dt.datetime | None
    at: dt.datetime
    on_appeal: bool
    by_master: bool
    country: str = ""
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

    `text` is the kind of text reported, None for a message or the player of `country`.
    """

    world: str
    body: str
    at: dt.datetime
    is_decided: bool
    text: TextKind | None = None
    country: str = ""


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
    """Return the decisions about the viewer and their messages, and the viewer's own reports."""
    if viewer.user_id is None:
        raise NoSuchCase
    related = _reports.read(viewer.user_id)
    # One query for both would read all decisions of the site.
    found = [*_decisions.read(viewer.user_id), *_decisions_about_player.read(viewer.user_id)]
    decisions = sorted(found, key=lambda row: (row.at, row.pk), reverse=True)[:MAX_LISTED]
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
    """Return all decisions about the viewer and their messages, oldest first."""
    person = viewer.user_id or 0
    rows = [*_select_decisions(person), *_select_decisions(person, as_player=True)]
    ordered = sorted(rows, key=lambda row: row.pk)
    return tuple(present_decision(row, own=True) for row in ordered)


def read_own_decision(viewer: Viewer, key: str) -> DecisionFacts:
    """Return the first decision about the viewer in a case; raise `NoSuchCase`."""
    chosen = (_select_decisions(viewer.user_id or 0, as_player=player) for player in (False, True))
    found = (rows.filter(case__key=key, on_appeal=False).first() for rows in chosen)
    decision = next(filter(None, found), None)
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
        country=name_country(case),
        subject=message.subject if own and message else "",
        body=message.body if own and message else "",
        sent_at=message.at if own and message else None,
        phase=message.phase.judge_phase if own and message and message.phase else None,
        appeal=appeal.text if appeal else "",
        seat_returned=decision.seat_returned,
        may_appeal=own and case.stage == Stage.DECIDED and not decision.on_appeal,
    )


def name_country(case: Case) -> str:
    """Return the country of the player whom the case is about; blank if about a message."""
    if case.seat is None or case.game is None:
        return ""
    case.seat.game = case.game
    return case.seat.country_name


def _select_decisions(user_id: int, *, as_player: bool = False) -> QuerySet[Decision]:
    """Return the decisions that the person concerned sees: all except "no action".

    They are about the person's messages or, with `as_player`, about the person.
    """
    mine = Q(case__person=user_id) if as_player else Q(case__message__send__author=user_id)
    rows = Decision.objects.filter(mine).exclude(Q(outcome=Outcome.NONE) & Q(on_appeal=False))
    return rows.select_related("case__game", "case__seat", "case__message__phase", "appeal")


_decisions = PreparedQuery(
    lambda person: _select_decisions(person).order_by("-at", "-pk")[:MAX_LISTED], int
)
_decisions_about_player = PreparedQuery(
    lambda person: _select_decisions(person, as_player=True).order_by("-at", "-pk")[:MAX_LISTED],
    int,
)
_reports = PreparedQuery(
    lambda person: (
        Report.objects.filter(reporter=person)
        .select_related("case__game", "case__seat", "message")
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
        body=report.message.body if report.message else "",
        at=report.at,
        is_decided=case.stage != Stage.OPEN,
        country=name_country(case),
    )
