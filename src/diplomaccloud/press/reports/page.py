"""A person's reports and the decisions about the person, in words."""

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from diplomaccloud.press.conversations.wording import cut_text
from diplomaccloud.press.moderation.page import (
    CopyView,
    DecisionView,
    present_copies,
    present_decision,
)
from diplomaccloud.press.moderation.read import read_copies
from diplomaccloud.press.reports.read import OwnReport, OwnReports

_THANKS: Final = (
    "Thank you. Your report is under review. "
    'Your <a href="{}">Reports page</a> will show when it is decided.'
)


def confirm_report() -> SafeString:
    """Return the notice about a report that was sent, with a link to the page that shows it."""
    return format_html(_THANKS, reverse("press:reports"))


@dataclass(frozen=True, slots=True)
class OwnReportView:
    """A report that the viewer sent."""

    place: str
    excerpt: str
    state: str
    is_decided: bool
    at: dt.datetime


@dataclass(frozen=True, slots=True)
class OwnView:
    """The page of a person's reports and the decisions about the person."""

    decisions: tuple[DecisionView, ...]
    reports: tuple[OwnReportView, ...]
    limits: tuple[tuple[str, dt.datetime], ...]


def present_evidence(content: Mapping[str, object]) -> tuple[CopyView, ...]:
    """Return the messages that a report would copy."""
    return present_copies(read_copies(content))


def present_own(facts: OwnReports) -> OwnView:
    """Return the page of a person."""
    return OwnView(
        tuple(map(present_decision, facts.decisions)),
        tuple(
            OwnReportView(
                place=_describe_report(row),
                excerpt=row.country or cut_text(row.body),
                state="Decided" if row.is_decided else "Under review",
                is_decided=row.is_decided,
                at=row.at,
            )
            for row in facts.reports
        ),
        facts.limits,
    )


def _describe_report(row: OwnReport) -> str:
    if row.text is not None:
        return row.text.label.capitalize()
    if row.country:
        return f"Player in {row.world}"
    return f"In {row.world}" if row.world else "Personal message"
