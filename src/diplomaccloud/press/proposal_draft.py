"""A proposal that is being composed in a form, as unchecked values."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

KINDS: Final = ("order", "dmz", "peace", "alliance", "draw")
"""The kinds of clauses that a form offers."""


@dataclass(frozen=True, slots=True)
class ClauseFields:
    """The fields for the clause to add, as sent.

    `order` is a power and an order, `FRANCE A PAR - BUR`; `powers` and `provinces` are codes.
    """

    kind: str = "order"
    order: str = ""
    forbidden: bool = False
    powers: tuple[str, ...] = ()
    provinces: tuple[str, ...] = ()
    against: tuple[str, ...] = ()
    until: str = ""
    alternative: int = 0


@dataclass(frozen=True, slots=True)
class ProposalDraft:
    """A proposal that is being composed; `clauses` are JSON of `deals`, by alternative."""

    alternatives: tuple[tuple[object, ...], ...] = ()
    parties: tuple[str, ...] = ()
    body: str = ""
    key: str = ""
    counters: int | None = None
    fields: ClauseFields = field(default_factory=ClauseFields)
    do: str = ""


def write_clause_line(alternative: int, clause: Mapping[str, object]) -> str:
    """Return a clause as the form carries it."""
    return f"{alternative} {json.dumps(clause, sort_keys=True)}"


def remove_clause(
    alternatives: tuple[tuple[object, ...], ...], place: str
) -> tuple[tuple[object, ...], ...]:
    """Return the clauses without the one at `place`, such as `1.0`, dropping empty alternatives."""
    kept = (
        tuple(c for index, c in enumerate(clauses) if f"{number}.{index}" != place)
        for number, clauses in enumerate(alternatives)
    )
    return tuple(clauses for clauses in kept if clauses)
