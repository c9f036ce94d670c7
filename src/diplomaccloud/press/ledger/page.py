"""The ledger of a game for one viewer: open proposals, and who kept what in each phase."""

from dataclasses import dataclass

from diplomaccloud.deals import DealNames, DealVerdict, describe_clause
from diplomaccloud.press.conversations.page import Desk
from diplomaccloud.press.proposals.page import (
    ClauseView,
    ProposalView,
    present_findings,
    present_proposal,
)
from diplomaccloud.press.proposals.read import DealFacts, LedgerFacts, read_deals
from diplomaccloud.press.proposals.wording import ProposalState
from diplomaccloud.press.table.rules import Moment
from diplomaccloud.press.table.wording import Flag, title_phase


@dataclass(frozen=True, slots=True)
class JudgedDeal:
    """A deal in one phase; `tone` is `broken` if anyone broke it, else `kept` or `moot`."""

    url: str
    title: str
    flags: tuple[Flag, ...]
    tone: str
    clauses: tuple[ClauseView, ...]


@dataclass(frozen=True, slots=True)
class JudgedPhase:
    """A phase with the deals that were binding in it."""

    title: str
    deals: tuple[JudgedDeal, ...]


@dataclass(frozen=True, slots=True)
class WaitingProposal:
    """An open proposal, or a deal that has not been judged yet."""

    title: str
    flags: tuple[Flag, ...]
    card: ProposalView


@dataclass(frozen=True, slots=True)
class LedgerPage:
    """The page: `open` proposals, `fresh` deals, and judged phases, newest first.

    `writes` says whether the viewer takes part in the game's press.
    """

    open: tuple[WaitingProposal, ...]
    fresh: tuple[WaitingProposal, ...]
    phases: tuple[JudgedPhase, ...]
    is_over: bool
    writes: bool


def present_ledger(desk: Desk) -> LedgerPage:
    """Return the ledger of all deals that the viewer can read."""
    deals = read_deals(desk.press)
    accepted = [deal for deal in deals if deal.proposal.state is ProposalState.ACCEPTED]
    phases = {entry.phase: None for deal in accepted for entry in deal.proposal.ledger}
    newest_first = sorted(phases, key=lambda phase: phase.order, reverse=True)
    return LedgerPage(
        open=tuple(
            _present_waiting(desk, deal)
            for deal in deals
            if deal.proposal.state is ProposalState.OPEN
        ),
        fresh=tuple(_present_waiting(desk, deal) for deal in accepted if not deal.proposal.ledger),
        phases=tuple(
            JudgedPhase(
                title_phase(phase),
                tuple(
                    _present_judged(desk, deal, entry)
                    for deal in accepted
                    for entry in deal.proposal.ledger
                    if entry.phase == phase
                ),
            )
            for phase in newest_first
        ),
        is_over=desk.press.state.moment is Moment.OVER,
        writes=desk.press.may_write,
    )


def _present_waiting(desk: Desk, deal: DealFacts) -> WaitingProposal:
    return WaitingProposal(
        title=_title(desk, deal),
        flags=desk.names.flags(deal.proposal.parties),
        card=present_proposal(deal.proposal, _message_url(desk, deal)),
    )


def _present_judged(desk: Desk, deal: DealFacts, entry: LedgerFacts) -> JudgedDeal:
    facts = deal.proposal
    names = DealNames(facts.board, facts.countries)
    clauses = facts.terms.alternatives[facts.alternative or 0]
    verdicts = {finding.verdict for finding in entry.findings}
    tone = next(
        (word for word in (DealVerdict.BROKEN, DealVerdict.KEPT) if word in verdicts),
        DealVerdict.MOOT,
    )
    return JudgedDeal(
        url=f"{_message_url(desk, deal)}proposal/",
        title=_title(desk, deal),
        flags=desk.names.flags(facts.parties),
        tone=tone.value,
        clauses=tuple(
            ClauseView(describe_clause(clause, names), findings)
            for index, clause in enumerate(clauses)
            if (findings := present_findings(index, clause, entry.findings, names))
        ),
    )


def _title(desk: Desk, deal: DealFacts) -> str:
    countries = [desk.names.country(power) for power in deal.proposal.parties]
    return ", ".join(countries)


def _message_url(desk: Desk, deal: DealFacts) -> str:
    return f"{desk.url('conversation', str(deal.address))}{deal.number}/"
