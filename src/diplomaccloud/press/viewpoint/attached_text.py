"""Attachments as plain text, for the evidence of reports and for data downloads."""

from collections.abc import Iterator, Sequence

from diplomaccloud.deals.sentences import Names, describe_clause
from diplomaccloud.judge.orders import power_of
from diplomaccloud.press.map_content import first_orders, load_content
from diplomaccloud.press.viewpoint.documents import DocumentFacts
from diplomaccloud.press.viewpoint.facts import AttachmentFacts
from diplomaccloud.press.viewpoint.maps import MapFacts
from diplomaccloud.press.viewpoint.proposals import ProposalFacts


def describe_attachments(attachments: Sequence[AttachmentFacts], map_hash: str) -> str:
    """Return the attachments of a message, line by line; blank if there are none.

    `map_hash` is that of the game's map.
    """
    return "\n".join(line for facts in attachments for line in _list_lines(facts, map_hash))


def _list_lines(facts: AttachmentFacts, map_hash: str) -> Iterator[str]:
    match facts:
        case MapFacts():
            yield describe_map(facts.title, facts.content, map_hash)
        case ProposalFacts():
            yield from _list_proposal(facts)
        case DocumentFacts():
            yield facts.text
            for row in facts.signatures:
                yield f"Signed by {row.country} in {row.phase.title}."


def describe_map(title: str, content: str, map_hash: str) -> str:
    """Return a conference map in words: the orders of its first phase, and its marks."""
    state = load_content(content, map_hash)
    orders = [f"{power_of(order)} {order}" for order in first_orders(state)]
    marks = [
        " ".join(part for part in (mark.kind, mark.province, mark.to, mark.text) if part)
        for mark in state.marks
    ]
    return "\n".join((title, *orders, *marks))


def _list_proposal(facts: ProposalFacts) -> Iterator[str]:
    names = Names(facts.board, facts.countries)
    for number, clauses in enumerate(facts.terms.alternatives, start=1):
        if len(facts.terms.alternatives) > 1:
            yield f"Alternative {number}"
        yield from (describe_clause(clause, names) for clause in clauses)
    yield f"State: {facts.state}"
