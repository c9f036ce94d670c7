"""The sentences of trees of causes in known situations, word for word, and their sources."""

import json
from dataclasses import replace

import pytest
from judge.tests.reasons.situations import DRIVEN, PARADOX, SPARED, SWAP, explain_one
from judge.tests.shorthand import sentence_of

from diplomaccloud.judge.reasons.rulebook import datc
from diplomaccloud.judge.reasons.values import Topic
from diplomaccloud.judge.results import Outcome
from diplomaccloud.judge.rules import DEFAULT, EDITIONS, Paradox

GARRISON = (
    "GERMANY: F HEL - NTH, F SKA S F HEL - NTH\nENGLAND: F NTH H\n"
    "RUSSIA: F NWY - NTH, F NWG S F NWY - NTH"
)
RING = "TURKEY: A SMY - ANK, A CON - SMY, F ANK - CON"
ROUTES = (
    "FRANCE: A TUN - NAP, F TYS C A TUN - NAP, F ION C A TUN - NAP\n"
    "ITALY: F NAP S F ROM - TYS, F ROM - TYS"
)
OTHERS = (
    "FRANCE: A PAR - BUR, A GAS S A PAR - BUR\nGERMANY: A BUR H, A MUN S A PAR - BUR, A BEL S A BUR"
)

UNAIDED = (
    "ENGLAND: F NTH H, F YOR S F NWY - NTH\nGERMANY: F HEL S F SKA - NTH\n"
    "RUSSIA: F SKA - NTH, F NWY - NTH"
)
"""As in DATC 6.E.7: the support against an own unit counts for the standoff alone."""


@pytest.mark.parametrize(
    ("text", "name", "sentence", "sources"),
    [
        pytest.param(
            PARADOX,
            "A BRE",
            "The fleet in the English Channel did not convoy: its own convoy would have decided "
            "whether it was dislodged, and by Szykman’s rule such a fleet only holds.",
            ["rule 21", "DATC 4.A.2"],
            id="a paradox and its rule",
        ),
        pytest.param(
            PARADOX,
            "F LON",
            "The attack by France’s army from Brest did not cut the support: a paradox ended its "
            "convoy, so it did not arrive.",
            ["rule 21", "DATC 4.A.2"],
            id="a convoy that a paradox ended cuts nothing",
        ),
        pytest.param(
            GARRISON,
            "F NTH",
            "If the fleet in the Skagerrak had held instead, the fleet in the North Sea would have "
            "been dislodged.",
            [],
            id="a beleaguered garrison lives by each of the attacks on it",
        ),
        pytest.param(
            UNAIDED,
            "F NWY",
            "Bounced in the North Sea: its own fleet from the Skagerrak was stronger, "
            "2 against 1. England’s support against its own unit did not count.",
            ["DATC 5.B.1", "DATC 5.B.6"],
            id="the numbers of a bounce are those compared, without a support that is not counted",
        ),
        pytest.param(
            DRIVEN,
            "A BUR",
            "Gascony is barred: a standoff between Italy and England left it empty.",
            ["“Retreat and Disbanding Phase”"],
            id="no retreat to where a standoff was",
        ),
        pytest.param(
            DRIVEN,
            "A BUR",
            "Munich is barred: the attacker came from there.",
            ["“Retreat and Disbanding Phase”"],
            id="no retreat to where the attacker came from",
        ),
        pytest.param(
            DRIVEN,
            "A BUR",
            "Picardy is barred: England’s army is there.",
            ["“Retreat and Disbanding Phase”"],
            id="no retreat to where a unit is",
        ),
        pytest.param(
            DRIVEN,
            "A BUR",
            "The army in Burgundy could retreat to Belgium or Paris.",
            ["“Retreat and Disbanding Phase”"],
            id="the retreats that are open",
        ),
        pytest.param(
            SPARED,
            "A GAS",
            "The attack by Germany’s army from Burgundy did not cut the support: it came from the "
            "province into which the support was given, and it did not dislodge the unit.",
            ["rule 13", "DATC 5.B.2"],
            id="the unit attacked does not cut the support against itself",
        ),
        pytest.param(
            SPARED,
            "A GAS",
            "The attack by France’s army from Brest did not cut the support: a power does not cut "
            "its own support.",
            ["rule 16", "DATC 5.B.2"],
            id="a power does not cut its own support",
        ),
        pytest.param(
            SPARED,
            "A GAS",
            "The attack by Italy’s army from Spain cut the support: it did not come from Burgundy, "
            "into which the support was given.",
            ["rule 13", "DATC 5.B.2"],
            id="an attack from elsewhere cuts",
        ),
        pytest.param(
            RING,
            "A SMY",
            "The units in Smyrna, Ankara and Constantinople moved in a circle.",
            ["rule 7", "DATC 5.B.9"],
            id="a ring",
        ),
        pytest.param(
            SWAP,
            "A LON",
            "The units in London and Belgium swapped places, which a convoy allows.",
            ["rule 19"],
            id="a swap by convoy",
        ),
        pytest.param(
            ROUTES,
            "F NAP",
            "The attack by France’s army from Tunis cut the support: it did not come from the "
            "Tyrrhenian Sea, into which the support was given.",
            ["rule 22", "rule 13", "DATC 5.B.2"],
            id="a convoy with another route cuts the support against one of its fleets",
        ),
        pytest.param(
            OTHERS,
            "A PAR",
            "The army in Paris attacked Burgundy with strength 2, supported from Gascony. The "
            "support from Munich did not count: Germany cannot help to dislodge its own unit.",
            ["DATC 5.B.8", "rule 12"],
            id="support against an own unit is not counted",
        ),
        pytest.param(
            OTHERS,
            "A MUN",
            "The army in Paris attacked Burgundy with strength 2, supported from Gascony. The "
            "support from Munich did not count: Germany cannot help to dislodge its own unit.",
            ["DATC 5.B.8", "rule 12"],
            id="a support that was given and adds nothing",
        ),
        pytest.param(
            "ENGLAND: A LON - NWY, F NTH C A LON - NWY\nGERMANY: F HEL - NTH, F DEN S F HEL - NTH",
            "A LON",
            "The fleet in the North Sea was dislodged, which disrupted its convoy.",
            ["rule 17", "DATC 5.B.3"],
            id="a fleet that was dislodged",
        ),
        pytest.param(
            DRIVEN,
            "A BUR",
            "Dislodged by Germany’s army from Munich, 2 against 1.",
            ["DATC 5.B.1"],
            id="a unit that held and was dislodged",
        ),
        pytest.param(
            "FRANCE: A PAR - BUR, A MAR S A PAR - BUR, A BUR H",
            "A PAR",
            "The army in Paris attacked Burgundy with strength 0 because France cannot "
            "dislodge its own army.",
            ["DATC 5.B.8", "rule 12"],
            id="an own unit in the way",
        ),
        pytest.param(
            "ITALY: A VEN - PIE, A ROM - VEN\nFRANCE: A MAR - PIE",
            "A ROM",
            "Bounced in Venice: Italy’s own army was still there.",
            ["rule 5", "DATC 5.B.5"],
            id="an own unit that did not leave",
        ),
        pytest.param(
            "ITALY: A VEN - PIE, A ROM - VEN\nFRANCE: A MAR - PIE",
            "A ROM",
            "The army in Rome attacked Venice with strength 1.",
            ["DATC 5.B.8"],
            id="an own unit that did not leave, and the strength that it withstood",
        ),
        pytest.param(
            "ITALY: A VEN - PIE, A ROM - VEN\nFRANCE: A MAR - PIE",
            "A ROM",
            "A VEN - PIE: Bounced in Piedmont: France’s army from Marseilles also tried to move "
            "there, 1 against 1.",
            ["rule 3", "DATC 5.B.6"],
            id="an own unit that did not leave, and why",
        ),
        pytest.param(
            "FRANCE: A PAR - BUR, A BUR H",
            "A PAR",
            "Bounced in Burgundy: France’s own army was still there.",
            ["rule 12", "DATC 5.B.8"],
            id="an own unit that held in the way",
        ),
        pytest.param(
            "FRANCE: A PAR - BUR\nGERMANY: A BUR H",
            "A PAR",
            "Bounced in Burgundy: Germany’s army was not dislodged, 1 against 1.",
            ["DATC 5.B.1", "DATC 5.B.5"],
            id="a unit that held in the way",
        ),
        pytest.param(
            "FRANCE: A PAR - BUR\nGERMANY: A BUR H, A MUN S A BUR",
            "A BUR",
            "Held in Burgundy against the attack by France’s army from Paris, 2 against 1.",
            ["DATC 5.B.1", "DATC 5.B.5"],
            id="a unit that withstood an attack",
        ),
        pytest.param(
            "FRANCE: A PAR - BUR\nGERMANY: A MUN - BUR, A RUH S A MUN - BUR",
            "A PAR",
            "The army in Munich also tried to move to Burgundy, with strength 2, supported from "
            "Ruhr.",
            ["DATC 5.B.6"],
            id="a rival that was stronger",
        ),
        pytest.param(
            "ITALY: A ROM - VEN, A VEN - ROM",
            "A ROM",
            "Bounced in Venice after a head-to-head battle with Italy’s army, 1 against 1.",
            ["rule 6", "DATC 5.B.7"],
            id="two own units that tried to swap places",
        ),
        pytest.param(
            "FRANCE: F BRE - ENG, F MAO S F BRE - ENG, F ENG H\nENGLAND: F LON - ENG, F WAL - ENG",
            "F BRE",
            "The fleet in Brest attacked the English Channel with strength 0 because France "
            "cannot dislodge its own fleet; against the other units moving there its strength was "
            "2, supported from the Mid-Atlantic Ocean.",
            ["DATC 5.B.8", "rule 12"],
            id="an own unit in the way, and others that were kept out",
        ),
        pytest.param(
            "FRANCE: F BRE - ENG, F MAO S F BRE - ENG, F ENG H\n"
            "ENGLAND: F LON - ENG, F NTH S F LON - ENG, F WAL S F LON - ENG",
            "F BRE",
            "The fleet in Brest attacked the English Channel with strength 0 because France "
            "cannot dislodge its own fleet; against the other units moving there its strength was "
            "2, supported from the Mid-Atlantic Ocean.",
            ["DATC 5.B.8", "rule 12"],
            id="an own unit in the way, where 2 against 3 decided",
        ),
        pytest.param(
            "FRANCE: F BRE - ENG, F ENG H\nENGLAND: F LON - ENG, F NTH S F LON - ENG",
            "F BRE",
            "The fleet in Brest attacked the English Channel with strength 1.",
            ["DATC 5.B.8"],
            id="an own unit in the way, too strong for a foreign attack, too",
        ),
    ],
)
def test_the_tree_says(text: str, name: str, sentence: str, sources: list[str]) -> None:
    nodes = {sentence_of(one): one for one in explain_one(text, name).cause.walk()}
    assert sentence in nodes, "\n".join(nodes)
    assert [str(one) for one in nodes[sentence].sources] == sources


@pytest.mark.parametrize(
    ("text", "name", "sentence"),
    [
        ("FRANCE: A PAR H", "A PAR", "No unit attacked the army in Paris."),
        (
            "FRANCE: A PAR H, A BUR S A PAR",
            "A BUR",
            "No unit attacked the army in Burgundy, so its support could not be cut.",
        ),
        (
            "ENGLAND: F LON - NTH",
            "F LON",
            "The North Sea was empty, and no other unit moved there.",
        ),
        ("FRANCE: A PAR - BUR, A BUR - MUN", "A PAR", "No other unit moved there."),
    ],
    ids=["a hold", "a support", "a move into an empty sea", "a move after another"],
)
def test_a_cause_says_that_a_unit_was_not_attacked(text: str, name: str, sentence: str) -> None:
    nodes = explain_one(text, name).cause.walk()
    assert [sentence_of(node) for node in nodes if node.topic is Topic.CALM] == [sentence]


@pytest.mark.parametrize(
    "text",
    [
        "FRANCE: A PAR - BUR, A MAR - BUR",
        "FRANCE: A PAR - BUR, A GAS S A PAR - BUR\nGERMANY: A MUN - BUR",
        "FRANCE: A PAR - BUR, A GAS S A PAR - BUR\nGERMANY: A BUR H",
        "FRANCE: A PAR H\nGERMANY: A BUR - PAR",
        "FRANCE: A PAR S F BRE, F BRE H\nGERMANY: A BUR - PAR",
        "FRANCE: A PAR - MOS",
    ],
    ids=[
        "a standoff",
        "a rival beaten",
        "a unit dislodged",
        "a hold attacked",
        "a support cut",
        "an order refused",
    ],
)
def test_no_cause_says_so_if_it_was(text: str) -> None:
    assert Topic.CALM not in {one.topic for one in explain_one(text, "A PAR").cause.walk()}


def test_a_number_in_the_reason_is_in_the_tree_too() -> None:
    text = (
        "FRANCE: F BRE - ENG, F MAO S F BRE - ENG, F ENG H\n"
        "ENGLAND: F LON - ENG, F NTH S F LON - ENG, F WAL S F LON - ENG"
    )
    cause = explain_one(text, "F BRE").cause
    assert sentence_of(cause) == (
        "Bounced in the English Channel: England’s fleet from London was stronger, 3 against 2."
    )
    told = " ".join(sentence_of(one) for one in cause.causes)
    assert "its strength was 2" in told
    assert "with strength 3" in told


@pytest.mark.parametrize(
    ("edition", "sentence"),
    [
        ("2000", "Norway is barred: the attacker came from there."),
        ("2023", "Norway is open: the attacker came from there, but by convoy."),
    ],
)
def test_where_a_convoyed_attacker_came_from(edition: str, sentence: str) -> None:
    text = "ENGLAND: A NWY - SWE VIA, F SKA C A NWY - SWE, F BOT S A NWY - SWE\nRUSSIA: A SWE H"
    nodes = explain_one(text, "A SWE", EDITIONS[edition]).cause.walk()
    assert sentence in {sentence_of(node) for node in nodes}


def test_a_paragraph_has_the_reason_the_main_cause_and_the_rules() -> None:
    text = "FRANCE: A PAR - BUR\nGERMANY: A BUR H, A MUN S A BUR"
    explained = explain_one(text, "A PAR")
    assert explained.paragraph == (
        "Bounced in Burgundy: Germany’s army was not dislodged, 1 against 2. The army in Burgundy "
        "held with strength 2, supported from Munich. (2000 rulebook, rule 8; DATC 5.B.1, "
        "5.B.5.)"
    )
    assert explained.details == ("The army in Paris attacked Burgundy with strength 1.",)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            "FRANCE: A PAR - BUR, A GAS S A PAR - BUR\nGERMANY: A BUR H",
            "Without this support, the army in Paris would not have moved to Burgundy.",
        ),
        (
            "FRANCE: A PAR - BUR, A GAS S A PAR - BUR",
            "The support was not needed: the army in Paris would have moved to Burgundy "
            "without it.",
        ),
        (
            "FRANCE: A PAR - BUR, A GAS S A PAR - BUR\nGERMANY: A MUN S A BUR, A BUR H",
            "The support was not enough: the army in Paris did not move to Burgundy.",
        ),
        (
            "FRANCE: A PAR - BUR, A GAS S A PAR - BUR\nGERMANY: A MUN - BUR, A RUH S A MUN - BUR",
            "Without this support, the army in Munich would have moved to Burgundy.",
        ),
        (
            "FRANCE: A PAR H, A GAS S A PAR\nGERMANY: A BUR - PAR, A PIC S A BUR - PAR",
            "Without this support, the army in Paris would have been dislodged.",
        ),
        (
            "FRANCE: A PAR H, A GAS S A PAR\nGERMANY: A BUR - PAR",
            "The support was not needed: the army in Paris would have held without it.",
        ),
        (
            "FRANCE: A PAR H, A GAS S A PAR",
            "The support was not needed: no unit attacked the army in Paris.",
        ),
        (
            "FRANCE: A PAR H, A GAS S A PAR\n"
            "GERMANY: A BUR - PAR, A PIC S A BUR - PAR, A BRE S A BUR - PAR",
            "The support was not enough: the army in Paris was dislodged.",
        ),
    ],
)
def test_a_support_that_was_given_says_whether_it_mattered(text: str, sentence: str) -> None:
    explained = explain_one(text, "A GAS")
    assert explained.outcome is Outcome.GIVEN
    assert explained.summary == f"{explained.sentence} {sentence}"


def test_the_json_of_a_tree_has_numbers_and_sources() -> None:
    data = explain_one("FRANCE: A PAR - BUR\nGERMANY: A BUR H, A MUN S A BUR", "A PAR").to_json()
    assert (data["order"], data["power"], data["outcome"]) == ("A PAR - BUR", "FRANCE", "bounced")
    cause = json.loads(json.dumps(data["cause"]))
    assert cause["causes"][1]["strength"] == {
        "side": "hold",
        "unit": "A BUR",
        "value": 2,
        "supports": [{"unit": "A MUN", "counts": True}],
    }
    assert cause["sources"][0] == {
        "book": "DATC 3.2",
        "place": "5.B.1",
        "gist": "A move succeeds if its attack strength exceeds every strength against it.",
    }


RULES_OF_PARADOX = {
    "1971": "by the rule of 1971, a convoyed army does not cut a fleet’s support for a fleet that "
    "attacks one of the convoying fleets.",
    "1982": "by the rule of 1982, a convoyed army does not cut a fleet’s support into a sea where "
    "a fleet convoys.",
    "2000": "by the rule of 2000, a convoyed army does not cut support for an attack on a fleet "
    "that its convoy needs.",
}


@pytest.mark.parametrize("paradox", RULES_OF_PARADOX)
@pytest.mark.parametrize("unit", ["F LON", "F WAL", "A BRE", "F ENG"])
def test_a_printed_paradox_rule_is_in_every_tree_that_it_decides(paradox: str, unit: str) -> None:
    """Without it, the army would not arrive because it does not cut, and the other way around."""
    rules = EDITIONS[paradox]
    if paradox == "2000":
        rules = replace(rules, paradox=Paradox.RULE_2000)
    nodes = [*explain_one(PARADOX, unit, rules).cause.walk()]
    (rule,) = {sentence_of(node) for node in nodes if "DATC 4.A.2" in map(str, node.sources)}
    assert rule == (
        "A convoy paradox rule kept the attack by France’s army from Brest from cutting the "
        f"support into the English Channel: {RULES_OF_PARADOX[paradox]}"
    )


@pytest.mark.parametrize("paradox", [Paradox.RULE_1971, Paradox.RULE_1982, Paradox.RULE_2000])
def test_a_convoy_that_fails_anyway_is_no_paradox(paradox: Paradox) -> None:
    text = (
        "ENGLAND: F WAL S F IRI - ENG, F IRI - ENG\n"
        "FRANCE: A BRE - WAL, F ENG C A BRE - WAL\n"
        "GERMANY: F NTH S F IRI - ENG, F MAO S F IRI - ENG"
    )
    explained = explain_one(text, "F WAL", replace(DEFAULT, paradox=paradox))
    assert (
        "The attack by France’s army from Brest did not cut the support: no convoy brought it "
        "there." in {sentence_of(node) for node in explained.cause.walk()}
    )
    assert datc("4.A.2") not in explained.sources
