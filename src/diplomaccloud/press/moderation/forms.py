"""The submitted form of a decision. Actions validate it."""

from dataclasses import dataclass

from django.http import QueryDict

from diplomaccloud.press.conversations.forms import read_number


@dataclass(frozen=True, slots=True)
class SentDecision:
    """A decision: the outcome, the reason, and the number of days for which press is limited."""

    outcome: str = ""
    reason: str = ""
    days: int = 0


def read_decision(sent: QueryDict) -> SentDecision:
    """Return the decision that a form sent."""
    days = read_number(sent, "days") or 0
    return SentDecision(sent.get("outcome", ""), sent.get("reason", ""), days)
