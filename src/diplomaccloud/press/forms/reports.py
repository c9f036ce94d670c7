"""The submitted forms of reports and decisions. Actions validate them."""

from dataclasses import dataclass

from django.http import QueryDict

from diplomaccloud.press.forms.messages import read_number


@dataclass(frozen=True, slots=True)
class SentReport:
    """A report: the grounds and a note."""

    grounds: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class SentDecision:
    """A decision: the outcome, the reason, and the number of days for which press is limited."""

    outcome: str = ""
    reason: str = ""
    days: int = 0


def read_report(sent: QueryDict) -> SentReport:
    """Return the report that a form sent."""
    return SentReport(sent.get("grounds", ""), sent.get("note", ""))


def read_decision(sent: QueryDict) -> SentDecision:
    """Return the decision that a form sent."""
    days = read_number(sent, "days") or 0
    return SentDecision(sent.get("outcome", ""), sent.get("reason", ""), days)
