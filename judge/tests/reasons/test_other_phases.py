"""The sentences about retreats and adjustments, word for word."""

import pytest
from judge.tests.reasons.situations import DRIVEN, explain_one
from judge.tests.shorthand import BOARD, orders, position, sentence_of, unit

from diplomaccloud.judge.adjudication import adjudicate
from diplomaccloud.judge.board import ProvinceCode
from diplomaccloud.judge.explain import explain
from diplomaccloud.judge.orders import Build, Hold, Waive
from diplomaccloud.judge.phases import Phase
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.rules import EDITIONS


def test_a_retreat_is_one_or_two_sentences_and_the_rest_is_detail() -> None:
    explained = explain_one(DRIVEN, "A BUR")
    assert explained.summary == (
        "Dislodged by Germany’s army from Munich, 2 against 1. The army in Burgundy could retreat "
        "to Belgium or Paris."
    )
    assert len(explained.paragraph) < 300
    assert any(detail.startswith("Munich is barred: ") for detail in explained.details)


@pytest.mark.parametrize("edition", ["2000", "2023", "godip", "diplomacy package"])
def test_a_province_that_the_attacker_left_empty_is_not_said_to_have_had_a_standoff(
    edition: str,
) -> None:
    text = "GERMANY: F HOL - NTH, F HEL S F HOL - NTH\nENGLAND: F NTH H"
    start = position(text)
    left = adjudicate(BOARD, start, orders(text, start), EDITIONS[edition]).next
    explained = next(iter(explain(BOARD, left, [], EDITIONS[edition]).values()))
    [barred] = [detail for detail in explained.details if detail.startswith("Holland is barred: ")]
    assert "standoff" not in barred


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
    assert explanation.sentence.startswith("France has no unit in Paris: ")
