"""Each edition cites its own rulebook, and names the paradox rule that decided."""

from dataclasses import replace

import pytest
from judge.tests.reasons.situations import DRIVEN, PARADOX, SPARED, SWAP, explain_one
from judge.tests.shorthand import sentence_of

from diplomaccloud.judge.reasons.rulebook import Source, cite_edition, datc, rule
from diplomaccloud.judge.rules import DEFAULT, EDITIONS, Paradox, RuleSet

PANDIN = (
    "ENGLAND: F LON S F WAL - ENG, F WAL - ENG\nFRANCE: A BRE - LON, F ENG C A BRE - LON\n"
    "GERMANY: F NTH S F BEL - ENG, F BEL - ENG"
)
"""DATC 6.F.16."""


@pytest.mark.parametrize(
    ("rules", "cited"),
    [
        (EDITIONS["1971"], "1971 rulebook, rule"),
        (EDITIONS["1982"], "1982 rulebook, rule"),
        (replace(DEFAULT, paradox=Paradox.RULE_2000), "2000 rulebook, rules"),
    ],
    ids=["1971", "1982", "the rule of 2000"],
)
def test_every_order_in_a_paradox_names_the_rule_that_decided_it(
    rules: RuleSet, cited: str
) -> None:
    for name in ("F LON", "F WAL", "A BRE", "F ENG", "F BEL"):
        explained = explain_one(PANDIN, name, rules)
        assert datc("4.A.2") in explained.sources, name
        texts = [explained.paragraph, *explained.details]
        assert any(f"the rule of {cited[:4]}" in text for text in texts), name
    (fleet,) = [explain_one(PANDIN, "F ENG", rules)]
    told = [sentence_of(node) for node in fleet.cause.walk()]
    assert any("bounced each other" in sentence for sentence in told)
    assert cited in explain_one(PANDIN, "F WAL", rules).paragraph


@pytest.mark.parametrize("edition", ["1961", "1971", "1982", "2023"])
def test_an_edition_cites_its_own_rulebook(edition: str) -> None:
    rules = EDITIONS[edition]
    for text, name in ((DRIVEN, "A BUR"), (PARADOX, "A BRE"), (SPARED, "A GAS"), (SWAP, "A LON")):
        explained = explain_one(text, name, rules)
        books = {source.book for node in explained.cause.walk() for source in node.sources}
        assert books <= {f"{edition} rulebook", "DATC 3.2"}
        assert books - {"DATC 3.2"} or text in {PARADOX, SWAP}, name
    bounce = explain_one("FRANCE: A PAR - BUR\nGERMANY: A MUN - BUR", "A PAR", rules)
    assert bounce.paragraph.endswith(
        {
            "1961": "(1961 rulebook, “Conflicts”; DATC 5.B.6.)",
            "1971": "(1971 rulebook, on conflicts; DATC 5.B.6.)",
            "1982": "(1982 rulebook, on conflicts; DATC 5.B.6.)",
            "2023": "(2023 rulebook, rule 3; DATC 5.B.6.)",
        }[edition]
    )


def test_only_rulebooks_that_have_a_rule_are_cited_for_it() -> None:
    """In 1961 an attack by its own power cuts support; only since 1982 is one open route enough."""
    books = {number: list_editions_with(rule(number)) for number in (16, 20, 21, 22)}
    assert books == {
        16: ["2000", "2023"],
        20: ["1982", "2000", "2023"],
        21: ["1971", "1982", "2000", "2023"],
        22: ["2000", "2023"],
    }


def list_editions_with(source: Source) -> list[str]:
    names = ("1961", "1971", "1982", "2000", "2023")
    return [name for name in names if cite_edition(source, EDITIONS[name]) is not None]
