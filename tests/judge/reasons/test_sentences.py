"""The sentences of trees of causes in known situations, word for word, and their sources."""

import json
from dataclasses import replace

import pytest
from tests.judge.shorthand import BOARD, orders, position, sentence_of, unit

from diplomaccloud.judge.board import ProvinceCode
from diplomaccloud.judge.explain import explain
from diplomaccloud.judge.orders import Build, Hold, Waive
from diplomaccloud.judge.phases import Phase
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.reasons.editions import cite_edition
from diplomaccloud.judge.reasons.rulebook import Source, datc, rule
from diplomaccloud.judge.reasons.values import Explanation, Topic
from diplomaccloud.judge.results import Outcome
from diplomaccloud.judge.rules import DEFAULT, EDITIONS, Paradox, RuleSet


def _explained(text: str, name: str, rules: RuleSet = DEFAULT) -> Explanation:
    start = position(text)
    found = explain(BOARD, start, orders(text, start), rules)
    return next(one for key, one in found.items() if str(key) == name)


PARADOX = "ENGLAND: F LON S F WAL - ENG, F WAL - ENG\nFRANCE: A BRE - LON, F ENG C A BRE - LON"
GARRISON = (
    "GERMANY: F HEL - NTH, F SKA S F HEL - NTH\nENGLAND: F NTH H\n"
    "RUSSIA: F NWY - NTH, F NWG S F NWY - NTH"
)
DRIVEN = (
    "FRANCE: A BUR H\nGERMANY: A MUN - BUR, A RUH S A MUN - BUR\n"
    "ITALY: A MAR - GAS\nENGLAND: F BRE - GAS, A PIC H"
)
SPARED = (
    "FRANCE: A PAR - BUR, A GAS S A PAR - BUR, A BRE - GAS\n"
    "GERMANY: A BUR - GAS\nITALY: A SPA - GAS"
)
RING = "TURKEY: A SMY - ANK, A CON - SMY, F ANK - CON"
SWAP = "ENGLAND: A BEL - LON, F ENG C A BEL - LON\nFRANCE: A LON - BEL, F NTH C A LON - BEL"
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
            "Bounced in the North Sea: its own fleet from the Skagerrak also tried to move there, "
            "1 against 2. England’s support against its own unit did not count.",
            ["rule 3", "DATC 5.B.6"],
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
            "FRANCE: A PAR - BUR, A BUR H",
            "A PAR",
            "The army in Paris attacked Burgundy with strength 0 because France cannot "
            "dislodge its own army.",
            ["DATC 5.B.8", "rule 12"],
            id="an own unit in the way",
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
            "FRANCE: F BRE - ENG, F ENG H\nENGLAND: F LON - ENG, F NTH S F LON - ENG",
            "F BRE",
            "The fleet in Brest attacked the English Channel with strength 0 because France "
            "cannot dislodge its own fleet; against the other units moving there its strength was "
            "1.",
            ["DATC 5.B.8", "rule 12"],
            id="an own unit in the way, where 1 against 2 decided",
        ),
    ],
)
def test_the_tree_says(text: str, name: str, sentence: str, sources: list[str]) -> None:
    nodes = {sentence_of(one): one for one in _explained(text, name).cause.walk()}
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
    nodes = _explained(text, name).cause.walk()
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
    assert Topic.CALM not in {one.topic for one in _explained(text, "A PAR").cause.walk()}


def test_a_number_in_the_reason_is_in_the_tree_too() -> None:
    text = "FRANCE: F BRE - ENG, F ENG H\nENGLAND: F LON - ENG, F NTH S F LON - ENG"
    cause = _explained(text, "F BRE").cause
    assert sentence_of(cause) == (
        "Bounced in the English Channel: England’s fleet from London also tried to move there, "
        "1 against 2."
    )
    told = " ".join(sentence_of(one) for one in cause.causes)
    assert "its strength was 1" in told
    assert "with strength 2" in told


@pytest.mark.parametrize(
    ("edition", "sentence"),
    [
        ("2000", "Norway is barred: the attacker came from there."),
        ("2023", "Norway is open: the attacker came from there, but by convoy."),
    ],
)
def test_where_a_convoyed_attacker_came_from(edition: str, sentence: str) -> None:
    text = "ENGLAND: A NWY - SWE VIA, F SKA C A NWY - SWE, F BOT S A NWY - SWE\nRUSSIA: A SWE H"
    nodes = _explained(text, "A SWE", EDITIONS[edition]).cause.walk()
    assert sentence in {sentence_of(node) for node in nodes}


def test_a_paragraph_has_the_reason_the_main_cause_and_the_rules() -> None:
    text = "FRANCE: A PAR - BUR\nGERMANY: A BUR H, A MUN S A BUR"
    explained = _explained(text, "A PAR")
    assert explained.paragraph == (
        "Bounced in Burgundy: Germany’s army was not dislodged, 1 against 2. The army in Burgundy "
        "held with strength 2, supported from Munich. (2000 rulebook, rules 5, 8; DATC 5.B.5.)"
    )
    assert explained.details == ("The army in Paris attacked Burgundy with strength 1.",)


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
        explained = _explained(PANDIN, name, rules)
        assert datc("4.A.2") in explained.sources, name
        texts = [explained.paragraph, *explained.details]
        assert any(f"the rule of {cited[:4]}" in text for text in texts), name
    (fleet,) = [_explained(PANDIN, "F ENG", rules)]
    told = [sentence_of(node) for node in fleet.cause.walk()]
    assert any("bounced each other" in sentence for sentence in told)
    assert cited in _explained(PANDIN, "F WAL", rules).paragraph


@pytest.mark.parametrize("edition", ["1961", "1971", "1982", "2023"])
def test_an_edition_cites_its_own_rulebook(edition: str) -> None:
    rules = EDITIONS[edition]
    for text, name in ((DRIVEN, "A BUR"), (PARADOX, "A BRE"), (SPARED, "A GAS"), (SWAP, "A LON")):
        explained = _explained(text, name, rules)
        books = {source.book for node in explained.cause.walk() for source in node.sources}
        assert books <= {f"{edition} rulebook", "DATC 3.0"}
        assert books - {"DATC 3.0"} or text in {PARADOX, SWAP}, name
    bounce = _explained("FRANCE: A PAR - BUR\nGERMANY: A MUN - BUR", "A PAR", rules)
    assert bounce.paragraph.endswith(
        {
            "1961": "(1961 rulebook, “Conflicts”; DATC 5.B.6.)",
            "1971": "(1971 rulebook, on conflicts; DATC 5.B.6.)",
            "1982": "(1982 rulebook, on conflicts; DATC 5.B.6.)",
            "2023": "(2023 rulebook, rule 3; DATC 5.B.6.)",
        }[edition]
    )


def test_only_rulebooks_that_have_a_rule_are_cited_for_it() -> None:
    """In 1961 an own attack cuts support; one open route was enough only from 1982 on."""
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
    explained = _explained(text, "A GAS")
    assert explained.outcome is Outcome.GIVEN
    assert explained.summary == f"{explained.sentence} {sentence}"


def test_a_retreat_is_one_or_two_sentences_and_the_rest_is_detail() -> None:
    explained = _explained(DRIVEN, "A BUR")
    assert explained.summary == (
        "Dislodged by Germany’s army from Munich, 2 against 1. The army in Burgundy could retreat "
        "to Belgium or Paris."
    )
    assert len(explained.paragraph) < 300
    assert "Munich is barred: the attacker came from there." in explained.details


def test_the_json_of_a_tree_has_numbers_and_sources() -> None:
    data = _explained("FRANCE: A PAR - BUR\nGERMANY: A BUR H, A MUN S A BUR", "A PAR").to_json()
    assert (data["order"], data["power"], data["outcome"]) == ("A PAR - BUR", "FRANCE", "bounced")
    cause = json.loads(json.dumps(data["cause"]))
    assert cause["causes"][1]["strength"] == {
        "side": "hold",
        "unit": "A BUR",
        "value": 2,
        "supports": [{"unit": "A MUN", "counts": True}],
    }
    assert cause["sources"][0] == {
        "book": "2000 rulebook",
        "place": "5",
        "gist": "A unit that does not leave its province blocks the units that follow it.",
    }


@pytest.mark.parametrize(
    ("edition", "sentence"),
    [
        (
            "2000",
            "The units farthest from home are removed first: the fleet in North Africa (2 steps), "
            "the army in Ruhr (2 steps) and the army in Burgundy (1 step).",
        ),
        (
            "2023",
            "The units farthest from the nearest center of their power are removed first: the "
            "fleet in North Africa (3 steps), the army in Ruhr (2 steps) and the army in Burgundy "
            "(1 step).",
        ),
    ],
)
def test_a_removal_lists_the_distances(edition: str, sentence: str) -> None:
    units = (unit("A BUR", "FRANCE"), unit("F NAF", "FRANCE"), unit("A RUH", "FRANCE"))
    start = Position(Phase.parse("W1901A"), units, {ProvinceCode("PAR"): units[0].power})
    found = [*explain(BOARD, start, [], EDITIONS[edition]).values()]
    assert len(found) == 2
    sentences = [sentence_of(one) for one in found[0].cause.causes]
    assert sentences == ["France owned 1 center and had 3 units, so it had to disband 2.", sentence]


@pytest.mark.parametrize(
    ("occupied", "rest"),
    [
        ("BRE MAR", "only 1 home center was vacant, so it could build 1."),
        ("MAR", "only 2 home centers were vacant, so it could build 2."),
        ("PAR BRE MAR", "no home center was vacant, so it could not build."),
    ],
)
def test_a_build_says_how_many_home_centers_were_vacant(occupied: str, rest: str) -> None:
    units = tuple(unit(f"A {code}", "FRANCE") for code in occupied.split())
    owned = ("PAR", "BRE", "MAR", "SPA", "POR", "BEL")
    paris = unit("A PAR", "FRANCE")
    centers = dict.fromkeys(map(ProvinceCode, owned), paris.power)
    found = explain(BOARD, Position(Phase.parse("W1901A"), units, centers), [Build(paris)])
    assert sentence_of(found[paris].cause.causes[0]).endswith(f", but {rest}")


def test_waived_builds_and_orders_for_no_unit_have_their_own_keys() -> None:
    centers = {ProvinceCode(code): unit("A PAR", "FRANCE").power for code in ("PAR", "BRE")}
    start = Position(Phase.parse("W1901A"), (), centers)
    found = explain(BOARD, start, [Waive(unit("A PAR", "FRANCE").power)])
    assert list(found) == ["FRANCE WAIVE", "FRANCE WAIVE 2"]
    empty = Position(Phase.parse("S1901M"), (), {})
    ghost = Hold(unit("A PAR", "FRANCE"))
    (explanation,) = explain(BOARD, empty, [ghost]).values()
    assert explanation.sentence == "France has no unit in Paris: the province is empty."
