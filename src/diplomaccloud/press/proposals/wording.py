"""The states of proposals, and the answers that lead to them."""

from enum import StrEnum
from typing import Final


class ProposalState(StrEnum):
    """The state of a proposal. An open one has lapsed once the orders of its phase close."""

    OPEN = "open"
    ACCEPTED = "accepted"
    REFUSED = "refused"
    DECLINED = "declined"
    COUNTERED = "countered"
    WITHDRAWN = "withdrawn"
    LAPSED = "lapsed"
    VOID = "void"


class Answer(StrEnum):
    """A seat's answer; `DECLINE` is "none of your business"."""

    ACCEPT = "accept"
    REFUSE = "refuse"
    DECLINE = "decline"
    COUNTER = "counter"
    WITHDRAW = "withdraw"


LETTERS: Final = "ABC"
"""The names of alternatives."""
YOU: Final = "You"
STATES: Final = {
    ProposalState.OPEN: "Open",
    ProposalState.ACCEPTED: "Accepted",
    ProposalState.REFUSED: "Refused",
    ProposalState.DECLINED: "Declined",
    ProposalState.COUNTERED: "Countered",
    ProposalState.WITHDRAWN: "Withdrawn",
    ProposalState.LAPSED: "Lapsed",
    ProposalState.VOID: "Void",
}
NOTES: Final = {
    ProposalState.LAPSED: "Orders closed before everyone had answered.",
    ProposalState.VOID: "The game was rolled back to before this deal.",
}
ANSWERS: Final = {
    Answer.ACCEPT: "{country} accepted.",
    Answer.REFUSE: "{country} refused.",
    Answer.DECLINE: "{country} answered: none of your business.",
    Answer.COUNTER: "{country} made a counter-offer.",
    Answer.WITHDRAW: "{country} withdrew it.",
}


def describe_unanswered(number: int) -> str:
    """Return how many proposals wait for the reader's answer."""
    return "Proposal to answer" if number == 1 else f"{number} proposals to answer"
