"""Proposals: their terms, answers and ledger, and the deals of a game."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Final, Literal

from django.http import HttpRequest
from pydantic import BeforeValidator, Field, StrictInt

from diplomaccloud.api.addresses import (
    GameId,
    Members,
    MessageNumber,
    WithAddress,
    read_address,
)
from diplomaccloud.api.answers import ApiAnswer, Given, Text
from diplomaccloud.api.auth import PRESS
from diplomaccloud.api.operations import Area, act_on, read_press
from diplomaccloud.api.problems import refuse_value
from diplomaccloud.api.repeats import find_arrival
from diplomaccloud.deals import terms_to_json
from diplomaccloud.press.proposals import actions as proposals_actions
from diplomaccloud.press.proposals.read import read_deals
from diplomaccloud.press.proposals.wording import Answer as GivenAnswer
from diplomaccloud.schedule.timer import Refused


class ProposalReply(ApiAnswer):
    """The answer of a seat to a proposal."""

    power: str
    answer: str
    alternative: int


class FindingState(ApiAnswer):
    """The ledger's verdict on a power and a clause, counted from 0: kept, broken or moot."""

    clause: int
    power: str
    verdict: str
    fault: Text | None = Field(description="The order that broke the clause.")


class LedgerPhase(ApiAnswer):
    """The ledger's findings for one phase; `final` is true if no later phase is judged."""

    phase: Text
    findings: list[FindingState]
    final: bool


class ProposalText(ApiAnswer):
    """A proposal in a message: its terms, in the format of `docs/press.md`, and its state."""

    terms: Annotated[dict[str, Any], BeforeValidator(terms_to_json)]
    state: str
    alternative: int | None = Field(
        description="The alternative that was accepted, counted from 0."
    )
    proposer: str
    parties: list[str]
    answers: list[ProposalReply]
    may_answer: bool
    may_withdraw: bool
    ledger: list[LedgerPhase] = Field(description="Who kept the deal, once accepted.")


class DealState(ApiAnswer):
    """An open or accepted proposal, and the message that carries it."""

    members: WithAddress
    number: int
    proposal: ProposalText


class DealList(ApiAnswer):
    """The deals that you can read, newest first."""

    deals: list[DealState]


class ProposalAnswered(ApiAnswer):
    """The state of the proposal after your answer."""

    state: str


class ProposalGiven(Given):
    """Terms to propose. In a counter-offer, `counters` is the number of the proposal it answers."""

    terms: dict[str, Any]
    counters: Annotated[StrictInt, Field(ge=1, le=10**9)] | None = None


class ProposalAnswerGiven(Given):
    """An answer to the proposal in message `number`, or to one of its alternatives."""

    members: Members
    number: MessageNumber
    answer: Literal["accept", "refuse", "decline", "withdraw"]
    alternative: Annotated[StrictInt, Field(ge=0, le=2)] = 0


_TERMS: Final = ("v", "phase", "parties", "alternatives")
_CLAUSES: Final[Mapping[str, Sequence[str]]] = {
    "order": ("clause", "order"),
    "not-order": ("clause", "order"),
    "dmz": ("clause", "powers", "provinces", "until"),
    "peace": ("clause", "powers", "until"),
    "alliance": ("clause", "powers", "against"),
    "draw": ("clause", "powers"),
}
"""The members of each kind of clause."""
area = Area("press", PRESS)


@area.reads("/games/{game}/seat/deals", DealList)
def list_deals(request: HttpRequest, game: GameId) -> object:
    """List the open and accepted proposals that you can read, and who kept their deals."""
    return {"deals": read_deals(read_press(request, game))}


@area.writes("POST /games/{game}/seat/proposals/answer", ProposalAnswered)
def answer_proposal(request: HttpRequest, game: GameId, given: ProposalAnswerGiven) -> object:
    """Answer a proposal, or withdraw your own. To make a counter-offer, send a message."""
    state = proposals_actions.answer_proposal(
        **act_on(request, game),
        to=read_address(given.members),
        number=given.number,
        answer=GivenAnswer(given.answer),
        alternative=given.alternative,
        now=find_arrival(request),
    )
    return ProposalAnswered(state=state)


def require_known_members(terms: Mapping[str, object]) -> None:
    """Raise `Problem` for a member that terms do not have: it would silently mean nothing."""
    place = "proposal.terms"
    unknown = [f"{place}.{name}" for name in terms if name not in _TERMS]
    for number, clauses in enumerate(_list(terms.get("alternatives"))):
        for at, clause in enumerate(_list(clauses)):
            known = _CLAUSES.get(str(clause.get("clause"))) if isinstance(clause, dict) else None
            if known is not None:
                where = f"{place}.alternatives[{number}][{at}]"
                unknown += [f"{where}.{name}" for name in clause if name not in known]
    if unknown:
        raise refuse_value(unknown[0][:200], Refused("There is no such field."))


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []
