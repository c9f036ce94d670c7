"""The rules that explanations cite, for the end of the rulebook page."""

from dataclasses import dataclass

from diplomaccloud.judge.messages.english import capitalize
from diplomaccloud.judge.reasons.editions import list_books
from diplomaccloud.judge.reasons.rulebook import RULEBOOK, Source, list_sources

_SECTIONS = {
    "rule-1": "move",
    "rule-2": "board",
    "rule-3": "standoffs",
    "rule-4": "support",
    "rule-5": "standoffs",
    "rule-6": "standoffs",
    "rule-7": "standoffs",
    "rule-8": "support",
    "rule-9": "support",
    "rule-10": "support",
    "rule-11": "dislodged",
    "rule-12": "own-units",
    "rule-13": "cut",
    "rule-14": "cut",
    "rule-15": "cut",
    "rule-16": "cut",
    "rule-17": "convoys",
    "rule-18": "convoys",
    "rule-19": "convoy-or-land",
    "rule-20": "convoys",
    "rule-21": "paradox",
    "rule-22": "paradox",
}
"""The section of the page that explains each of the numbered rules."""


@dataclass(frozen=True, slots=True)
class RuleEntry:
    """A rule with its anchor, and the section of the page that explains it."""

    anchor: str
    title: str
    gist: str
    section: str


def list_rules() -> tuple[tuple[str, tuple[RuleEntry, ...]], ...]:
    """Return all rules that explanations cite, under the title of the list they belong to."""
    printed = [source for source in list_sources() if source.book == RULEBOOK]
    numbered = [source for source in printed if source.is_numbered]
    sections = [source for source in printed if not source.is_numbered]
    cases = [source for source in list_sources() if source.book != RULEBOOK]
    return (
        ("The numbered rules", tuple(map(_present, numbered))),
        ("Rules without a number", tuple(map(_present, sections))),
        ("Fine points", tuple(map(_present, cases))),
        *((f"The {book}", tuple(map(_present, sources))) for book, sources in list_books()),
    )


def _present(source: Source) -> RuleEntry:
    return RuleEntry(
        source.anchor, capitalize(str(source)), source.gist, _SECTIONS.get(source.anchor, "")
    )
