"""The states of proposals, and the answers that lead to them."""

from enum import StrEnum


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
