"""The form for composing a proposal: the clauses so far, and the fields for another one."""

import json
from collections.abc import Sequence
from typing import Final

from django.http import HttpRequest

from diplomaccloud.deals import MAX_ALTERNATIVES
from diplomaccloud.press.conversations.forms import join_subject, read_number
from diplomaccloud.press.proposals.page import KINDS, ClauseFields, ProposalDraft

MAX_FIELDS: Final = 12
"""More clauses than a proposal can have; any beyond this number are not read."""
MAX_PARTIES: Final = 40
"""More countries than a game has."""


def read_proposal(request: HttpRequest) -> ProposalDraft:
    """Return the unchecked proposal from a form."""
    sent = request.POST
    kind = sent.get("kind", "order")
    fields = ClauseFields(
        kind=kind if kind in KINDS else "order",
        order=sent.get("order", ""),
        forbidden=sent.get("forbidden") == "1",
        powers=tuple(sent.getlist("power")),
        provinces=tuple(sent.getlist("province")),
        against=tuple(sent.getlist("against")),
        until=sent.get("until", ""),
        alternative=min(read_number(sent, "alternative") or 0, MAX_ALTERNATIVES - 1),
    )
    return ProposalDraft(
        alternatives=_read_clauses(sent.getlist("clause")),
        parties=tuple(sent.getlist("party")[:MAX_PARTIES]),
        body=join_subject(sent),
        key=sent.get("key", ""),
        counters=read_number(sent, "counters"),
        fields=fields,
        do=sent.get("do", ""),
    )


def _read_clauses(lines: Sequence[str]) -> tuple[tuple[object, ...], ...]:
    """Return the clauses by alternative, from lines like `0 {…}`, skipping damaged lines."""
    clauses: dict[int, list[object]] = {}
    for line in lines[:MAX_FIELDS]:
        number, _, text = line.partition(" ")
        try:
            clause: object = json.loads(text)
        except (ValueError, RecursionError):
            continue
        if number.isdecimal() and len(number) == 1:
            clauses.setdefault(int(number), []).append(clause)
    return tuple(tuple(clauses[number]) for number in sorted(clauses))
