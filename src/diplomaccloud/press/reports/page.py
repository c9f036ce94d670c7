"""A person's reports, in words."""

from typing import Final

from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from diplomaccloud.press.reports.read import OwnReport

_THANKS: Final = (
    "Thank you. Your report is under review. "
    'Your <a href="{}">Reports page</a> will show when it is decided.'
)


def confirm_report() -> SafeString:
    """Return the notice about a report that was sent, with a link to the page that shows it."""
    return format_html(_THANKS, reverse("press:reports"))


def describe_report(row: OwnReport) -> str:
    """Return what a person reported, and where."""
    if row.text is not None:
        return row.text.label.capitalize()
    if row.country:
        return f"Player in {row.world}"
    return f"In {row.world}" if row.world else "Personal message"
