"""The ledger of a game for one viewer: open proposals, and who kept what in each phase."""

from dataclasses import dataclass

from diplomaccloud.deals import DealNames, DealVerdict, describe_clause
from diplomaccloud.judge.phases import Phase
from diplomaccloud.press.conversations.page import Desk
from diplomaccloud.press.proposals.page import (
    ClauseView,
    ProposalView,
    present_findings,
    present_proposal,
)
from diplomaccloud.press.proposals.read import DealFacts, LedgerFacts, read_deals
from diplomaccloud.press.proposals.wording import ProposalState
from diplomaccloud.press.table.read import Flag
from diplomaccloud.press.table.wording import title_phase


@dataclass(frozen=True, slots=True)
class JudgedDeal:
    """A deal in one phase; `tone` is `broken` if anyone broke it, else `kept` or `moot`."""

    url: str
    title: str
    flags: tuple[Flag, ...]
    tone: str
    clauses: tuple[ClauseView, ...]


@dataclass(frozen=True, slots=True)
class WaitingProposal:
    """An open proposal, or a deal that has not been judged yet."""

    title: str
    flags: tuple[Flag, ...]
    card: ProposalView


@dataclass(frozen=True, slots=True)
class LedgerPage:
    """The page: `open` proposals, `fresh` deals, and judged ones by the title of the phase.

    The newest phase comes first.
    """

    open: tuple[WaitingProposal, ...]
    fresh: tuple[WaitingProposal, ...]
    phases: tuple[tuple[str, list[JudgedDeal]], ...]


def present_ledger(desk: Desk) -> LedgerPage:
    """Return the ledger of all deals that the viewer can read."""
    deals = read_deals(desk.press)
    accepted = [deal for deal in deals if deal.proposal.state is ProposalState.ACCEPTED]
    phases: dict[Phase, list[JudgedDeal]] = {}
    for deal in accepted:
        for entry in deal.proposal.ledger:
            phases.setdefault(entry.phase, []).append(_present_judged(desk, deal, entry))
    newest_first = sorted(phases, key=lambda phase: phase.order, reverse=True)
    return LedgerPage(
        open=tuple(
            _present_waiting(desk, deal)
            for deal in deals
            if deal.proposal.state is ProposalState.OPEN
        ),
        fresh=tuple(_present_waiting(desk, deal) for deal in accepted if not deal.proposal.ledger),
        phases=tuple((title_phase(phase), phases[phase]) for phase in newest_first),
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
    return ", ".join(map(desk.names.country, deal.proposal.parties))


def _message_url(desk: Desk, deal: DealFacts) -> str:
    return f"{desk.url('conversation', str(deal.address))}{deal.number}/"
