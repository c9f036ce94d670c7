"""A person's reports, in words."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from diplomaccloud.press.conversations.wording import cut_text
from diplomaccloud.press.reports.read import OwnReport

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

    report: OwnReport
    place: str
    excerpt: str


def present_own_reports(reports: Iterable[OwnReport]) -> tuple[OwnReportView, ...]:
    """Return a person's reports for a list."""
    return tuple(
        OwnReportView(row, _describe_report(row), row.country or cut_text(row.body))
        for row in reports
    )


def _describe_report(row: OwnReport) -> str:
    if row.text is not None:
        return row.text.label.capitalize()
    if row.country:
        return f"Player in {row.world}"
    return f"In {row.world}" if row.world else "Personal message"
