"""A proposal's card in its message: the offer, the answers, and the ledger's findings."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from diplomaccloud.deals import (
    Clause,
    Draw,
    Finding,
    Names,
    Verdict,
    describe_clause,
    describe_finding,
)
from diplomaccloud.press.presenters.names import title_phase
from diplomaccloud.press.proposal_states import Answer, ProposalState
from diplomaccloud.press.viewpoint import AttachmentFacts, LedgerFacts, ProposalFacts

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
_NOTES: Final = {
    ProposalState.LAPSED: "Orders closed before everyone had answered.",
    ProposalState.VOID: "The game was rolled back to before this deal.",
}
_ANSWERS: Final = {
    Answer.ACCEPT: "{country} accepted.",
    Answer.REFUSE: "{country} refused.",
    Answer.DECLINE: "{country} answered: none of your business.",
    Answer.COUNTER: "{country} made a counter-offer.",
    Answer.WITHDRAW: "{country} withdrew it.",
}


@dataclass(frozen=True, slots=True)
class FindingView:
    """A finding of the ledger in one sentence; `tone` is `kept`, `broken` or `moot`."""

    text: str
    tone: str


@dataclass(frozen=True, slots=True)
class ClauseView:
    """A clause as a sentence, with the ledger's findings."""

    text: str
    findings: tuple[FindingView, ...] = ()


@dataclass(frozen=True, slots=True)
class AlternativeView:
    """The clauses of an alternative; `name` is blank if there is only one."""

    number: int
    name: str
    clauses: tuple[ClauseView, ...]
    accepted: bool = False
    passed_over: bool = False


@dataclass(frozen=True, slots=True)
class ProposalView:
    """A proposal's card; `url` is its address, and `is_live` says whether it may still change."""

    url: str
    state: str
    tone: str
    note: str
    alternatives: tuple[AlternativeView, ...]
    answers: tuple[str, ...]
    may_answer: bool
    may_withdraw: bool
    answer_url: str
    counter_url: str
    is_live: bool
    template: str = "press/_proposal.html"


def present_proposal(facts: AttachmentFacts, url: str) -> ProposalView:
    """Return the card of a proposal whose message is at `url`, blank in a chronicle."""
    if not isinstance(facts, ProposalFacts):
        raise TypeError(f"not a proposal: {facts!r}")
    names = Names(facts.board, facts.countries)
    conversation, _, number = url.rstrip("/").rpartition("/")
    final = any(entry.final for entry in facts.ledger)
    return ProposalView(
        url=f"{url}proposal/",
        state=STATES[facts.state],
        tone=facts.state.value,
        note=_NOTES.get(facts.state, ""),
        alternatives=present_alternatives(facts, names),
        answers=_list_answers(facts, names),
        may_answer=facts.may_answer,
        may_withdraw=facts.may_withdraw,
        answer_url=f"{url}proposal/answer/",
        counter_url=f"{conversation}/proposal/?counter={number}",
        is_live=bool(url)
        and (
            facts.state is ProposalState.OPEN
            or (facts.state is ProposalState.ACCEPTED and not final)
        ),
    )


def present_alternatives(facts: ProposalFacts, names: Names) -> tuple[AlternativeView, ...]:
    """Return the alternatives with the ledger's findings about the accepted one."""
    many = len(facts.terms.alternatives) > 1
    return tuple(
        AlternativeView(
            number=number,
            name=LETTERS[number] if many else "",
            clauses=tuple(
                ClauseView(
                    describe_clause(clause, names),
                    summarize_findings(index, clause, facts.ledger, names)
                    if number == facts.alternative
                    else (),
                )
                for index, clause in enumerate(clauses)
            ),
            accepted=many and number == facts.alternative,
            passed_over=facts.alternative is not None and number != facts.alternative,
        )
        for number, clauses in enumerate(facts.terms.alternatives)
    )


def summarize_findings(
    index: int, clause: Clause, ledger: Sequence[LedgerFacts], names: Names
) -> tuple[FindingView, ...]:
    """Return the findings of all phases so far about a clause: breaches, or that it was kept."""
    judged = [
        (entry.phase, finding)
        for entry in ledger
        for finding in entry.findings
        if finding.clause == index
    ]
    broken = [(phase, found) for phase, found in judged if found.verdict is Verdict.BROKEN]
    if broken:
        return tuple(
            FindingView(f"{title_phase(phase)}: {describe_finding(found, clause, names)}", "broken")
            for phase, found in broken
        )
    if not judged:
        return ()
    phase = judged[-1][0]
    if all(found.verdict is Verdict.MOOT for _, found in judged if _ == phase):
        return (FindingView(_describe_moot(clause), "moot"),)
    return (FindingView(f"Kept in {title_phase(phase)}.", "kept"),)


def _describe_moot(clause: Clause) -> str:
    return "Nobody had to vote." if isinstance(clause, Draw) else "No longer matters."


def present_findings(
    index: int, clause: Clause, findings: Sequence[Finding], names: Names
) -> tuple[FindingView, ...]:
    """Return the findings of one phase about a clause, in as few sentences as possible."""
    about = [found for found in findings if found.clause == index]
    kept = [found.power for found in about if found.verdict is Verdict.KEPT]
    others = [
        FindingView(describe_finding(found, clause, names), found.verdict.value)
        for found in about
        if found.verdict is not Verdict.KEPT
    ]
    if kept:
        others.insert(0, FindingView(f"{names.list_countries(kept)} kept this.", "kept"))
    return tuple(others)


def _list_answers(facts: ProposalFacts, names: Names) -> tuple[str, ...]:
    given = [
        _ANSWERS[answer.answer].format(country=_country(answer.power, facts, names))
        for answer in facts.answers
    ]
    answered = {answer.power for answer in facts.answers}
    if facts.state is ProposalState.OPEN:
        waiting = [
            _country(power, facts, names)
            for power in facts.parties
            if power != facts.proposer and power not in answered
        ]
        given += [
            "You have not answered." if country == YOU else f"{country} has not answered."
            for country in waiting
        ]
    return tuple(given)


def _country(power: str, facts: ProposalFacts, names: Names) -> str:
    if power == facts.own:
        return YOU
    known = {str(key): key for key in facts.board.power_info}
    return names.country(known[power]) if power in known else power
