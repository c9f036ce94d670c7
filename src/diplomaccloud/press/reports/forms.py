"""The submitted forms of reports. Actions validate them."""

from dataclasses import dataclass

from django.http import QueryDict


@dataclass(frozen=True, slots=True)
class SentReport:
    """A report: the grounds and a note."""

    grounds: str = ""
    note: str = ""


def read_report(sent: QueryDict) -> SentReport:
    """Return the report that a form sent."""
    return SentReport(sent.get("grounds", ""), sent.get("note", ""))
