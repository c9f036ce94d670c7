"""The rules that explanations cite, for the end of the rulebook page."""

from dataclasses import dataclass

from diplomaccloud.judge.messages.english import capitalize
from diplomaccloud.judge.reasons.rulebook import Source, list_sources

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
    numbered = [source for source in list_sources() if source.place.isdigit()]
    cases = [source for source in list_sources() if source.book.startswith("DATC")]
    sections = [s for s in list_sources() if s not in numbered and s not in cases]
    return (
        ("The numbered rules", tuple(map(_present, numbered))),
        ("Rules without a number", tuple(map(_present, sections))),
        ("Fine points", tuple(map(_present, cases))),
    )


def _present(source: Source) -> RuleEntry:
    return RuleEntry(
        source.anchor, capitalize(str(source)), source.gist, _SECTIONS.get(source.anchor, "")
    )
