"""How explanations are told: nothing is lost, and names lead to other orders, each once."""

import random

import pytest
from tests.judge.scenes import NORTH, random_knot, random_orders, random_position
from tests.judge.shorthand import BOARD, orders, position

from diplomaccloud.games.presenters.explanation import Telling, cited_beside, rules_of_cause
from diplomaccloud.judge.adjudicate import adjudicate
from diplomaccloud.judge.explain import explain
from diplomaccloud.judge.phases import Phase
from diplomaccloud.judge.position import Position


def tellings(start, given):
    results = adjudicate(BOARD, start, given).results
    found = explain(BOARD, start, given).values()
    for number, (result, one) in enumerate(zip(results, found, strict=True)):
        yield number, result, one, Telling(BOARD, results, number, one)


def told_by(text, unit):
    start = position(text)
    return next(
        (result, one, telling)
        for _, result, one, telling in tellings(start, orders(text, start))
        if str(result.order.unit) == unit
    )


def words(told):
    return "".join(bit.text for bit in told.bits)


def all_of(told):
    for one in told:
        yield one
        yield from all_of(one.below)


@pytest.mark.parametrize("seed", range(12))
def test_sentences_are_the_judge_s_and_no_link_comes_twice_or_leads_to_itself(seed):
    rng = random.Random(seed)
    if seed % 3:
        start = random_position(BOARD, rng, 12, places=NORTH)
        given = random_orders(BOARD, start, rng)
    else:
        given = random_knot(BOARD, rng)
        start = Position(Phase.parse("S1903M"), tuple(one.unit for one in given), {})
    for number, _, one, telling in tellings(start, given):
        causes, otherwise = telling.causes(), telling.otherwise()
        sentences = {cause.sentence for cause in one.cause.walk()}
        told = [words(line) for line in all_of(causes)]
        assert set(told) <= sentences - {one.sentence}
        assert len(told) == len(set(told))
        assert [words(line) for line in otherwise] == list(one.otherwise)
        bits = [bit for line in all_of((*causes, *otherwise)) for bit in line.bits]
        links = [bit.number for bit in bits if bit.number is not None]
        assert number not in links
        assert len(links) == len(set(links))


BESIDE = "FRANCE: A PAR - BUR\nGERMANY: A BUR - MAR, A MUN S A PAR - BUR\nITALY: A MAR H"


def test_units_places_and_orders_lead_on():
    result, one, telling = told_by(BESIDE, "A PAR")
    first, second, third = telling.causes()
    assert result.reason == one.sentence
    assert [bit.text for bit in first.bits if bit.number is not None] == ["Munich"]
    assert [bit.text for bit in second.bits if bit.number is not None] == ["The army in Burgundy"]
    (order, *_) = third.bits
    assert (order.text, order.is_order, order.number) == ("A BUR - MAR", True, None)
    assert [words(line) for line in third.below] == [
        "The army in Burgundy attacked Marseilles with strength 1.",
        "The army in Marseilles held with strength 1.",
    ]


def test_the_rules_that_decided_stand_apart_with_what_they_come_to():
    _, one, _ = told_by("FRANCE: A PAR S F BRE, F BRE H\nGERMANY: A BUR - PAR", "A PAR")
    (rule, issue) = rules_of_cause(one)
    assert rule.title == "Rule 13"
    assert rule.gist.startswith("An attack cuts support")
    assert issue.title == "DATC 5.B.2"
    assert cited_beside(one) == ""
    _, beaten, _ = told_by("FRANCE: A PAR - BUR\nGERMANY: A BUR H", "A PAR")
    assert cited_beside(beaten) == "2000 rulebook, rule 8; DATC 5.B.8"


def test_orders_in_a_ring_end_where_they_began():
    text = "FRANCE: A PAR - BUR, A BUR - GAS, A GAS - PAR\nGERMANY: A MUN - BUR"
    result, _, telling = told_by(text, "A PAR")
    told = {words(one) for one in all_of(telling.causes())}
    assert f"{result.order}: {result.reason}" not in told
    assert len(told) > 4
