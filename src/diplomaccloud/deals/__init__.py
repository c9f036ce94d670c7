"""Deals between powers as values: clauses, terms, their JSON and sentences, and the ledger.

A proposal offers *terms* to certain powers: up to 8 clauses in up to 3 alternatives. After each
phase, the *ledger* records who kept an accepted deal, judged by orders and not by luck. Everything
here is a pure function of values, without users or database rows. Deals are not binding.
"""

from diplomaccloud.deals.codec import (
    clause_from_json,
    clause_to_json,
    findings_from_json,
    findings_to_json,
    terms_from_json,
    terms_to_json,
)
from diplomaccloud.deals.ledger import (
    Agreed,
    DealVerdict,
    Finding,
    PhaseFacts,
    Promises,
    find_promises,
    judge_terms,
    list_agreed,
)
from diplomaccloud.deals.sentences import DealNames, describe_clause, describe_finding
from diplomaccloud.deals.terms import (
    MAX_ALTERNATIVES,
    MAX_CLAUSES,
    Alliance,
    Clause,
    DealTurn,
    Draw,
    Ordered,
    Peace,
    Terms,
    TermsError,
    Zone,
    powers_bound,
    require_possible,
)

__all__ = [
    "MAX_ALTERNATIVES",
    "MAX_CLAUSES",
    "Agreed",
    "Alliance",
    "Clause",
    "DealNames",
    "DealTurn",
    "DealVerdict",
    "Draw",
    "Finding",
    "Ordered",
    "Peace",
    "PhaseFacts",
    "Promises",
    "Terms",
    "TermsError",
    "Zone",
    "clause_from_json",
    "clause_to_json",
    "describe_clause",
    "describe_finding",
    "find_promises",
    "findings_from_json",
    "findings_to_json",
    "judge_terms",
    "list_agreed",
    "powers_bound",
    "require_possible",
    "terms_from_json",
    "terms_to_json",
]
