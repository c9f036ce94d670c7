"""How pages show explanations: nothing is lost, and units link to their results, each once."""

import random

import pytest
from judge.tests.scenes import NORTH, random_knot, random_orders, random_position
from judge.tests.shorthand import BOARD, orders, position

from diplomaccloud.games.results.page import present_explanation
from diplomaccloud.games.results.read import OrderExplanation
from diplomaccloud.judge.adjudication import adjudicate
from diplomaccloud.judge.explain import explain, explain_order
from diplomaccloud.judge.geography import geography
from diplomaccloud.judge.messages import english
from diplomaccloud.judge.messages.english import render_message
from diplomaccloud.judge.phases import Phase
from diplomaccloud.judge.position import Position

NAMES = geography(BOARD)


def present_all(start, given):
    """Yield each result of a phase with its explanation, as the judge gives it and as shown."""
    results = tuple(adjudicate(BOARD, start, given).results)
    explained = explain(BOARD, start, given).values()
    for number, (result, explanation) in enumerate(zip(results, explained, strict=True)):
        why = OrderExplanation(1, number, BOARD, results, explanation)
        yield result, explanation, present_explanation(why, "/phases/1/")


def present(text, unit):
    start = position(text)
    return next(
        (result, explanation, view)
        for result, explanation, view in present_all(start, orders(text, start))
        if str(result.order.unit) == unit
    )


def words(cause):
    return "".join(fragment.text for fragment in cause.fragments)


def walk(causes):
    for cause in causes:
        yield cause
        yield from walk(cause.causes)


@pytest.mark.parametrize("seed", range(12))
def test_sentences_are_the_judge_s_and_no_link_comes_twice_or_leads_to_itself(seed):
    rng = random.Random(seed)
    if seed % 3:
        start = random_position(BOARD, rng, 12, places=NORTH)
        given = random_orders(BOARD, start, rng)
    else:
        given = random_knot(BOARD, rng)
        start = Position(Phase.parse("S1903M"), tuple(order.unit for order in given), {})
    for _, explanation, view in present_all(start, given):
        sentences = {render_message(cause.message, NAMES) for cause in explanation.cause.walk()}
        shown = [words(cause) for cause in walk(view.causes)]
        assert set(shown) <= sentences - {explanation.sentence}
        assert len(shown) == len(set(shown))
        assert [words(cause) for cause in view.alternatives] == [
            render_message(message, NAMES) for message in explanation.alternatives
        ]
        fragments = [
            fragment
            for cause in walk((*view.causes, *view.alternatives))
            for fragment in cause.fragments
        ]
        links = [fragment.number for fragment in fragments if fragment.number is not None]
        assert view.number not in links
        assert len(links) == len(set(links))


def test_no_english_of_the_judge_is_read(monkeypatch):
    """The presenter fills in the catalog's sentences itself: it needs no rendered sentence."""
    start = position(BESIDE)
    given = orders(BESIDE, start)
    results = tuple(adjudicate(BOARD, start, given).results)
    explanation = explain_order(BOARD, start, given, 0)

    def refuse(*_):
        raise AssertionError("the judge wrote English")

    monkeypatch.setattr(english, "render_message", refuse)
    monkeypatch.setattr("diplomaccloud.judge.reasons.values.render_message", refuse)
    view = present_explanation(OrderExplanation(1, 0, BOARD, results, explanation), "/")
    assert view.causes
    assert view.rules


BESIDE = "FRANCE: A PAR - BUR\nGERMANY: A BUR - MAR, A MUN S A PAR - BUR\nITALY: A MAR H"


def test_units_places_and_orders_are_links():
    result, explanation, view = present(BESIDE, "A PAR")
    first, second, third = view.causes
    assert result.why == explanation.sentence
    assert [part.text for part in first.fragments if part.number is not None] == ["Munich"]
    assert [part.text for part in second.fragments if part.number is not None] == [
        "The army in Burgundy"
    ]
    (order, *_) = third.fragments
    assert (order.text, order.is_order, order.number) == ("A BUR - MAR", True, None)
    assert [words(cause) for cause in third.causes] == [
        "The army in Burgundy attacked Marseilles with strength 1.",
        "The army in Marseilles held with strength 1.",
    ]


def test_the_rules_that_decided_stand_apart_with_their_gist():
    _, _, cut = present("FRANCE: A PAR S F BRE, F BRE H\nGERMANY: A BUR - PAR", "A PAR")
    (rule, issue) = cut.rules
    assert rule.title == "Rule 13"
    assert rule.gist.startswith("An attack cuts support")
    assert issue.title == "DATC 5.B.2"
    assert cut.cited == ()
    _, _, beaten = present("FRANCE: A PAR - BUR\nGERMANY: A BUR H", "A PAR")
    assert [rule.title for rule in beaten.cited] == ["rule 8", "DATC 5.B.8"]
    assert [rule.url for rule in beaten.cited] == ["/rules/#rule-8", "/rules/#datc-5.B.8"]


def test_orders_in_a_cycle_end_where_they_began():
    text = "FRANCE: A PAR - BUR, A BUR - GAS, A GAS - PAR\nGERMANY: A MUN - BUR"
    result, _, view = present(text, "A PAR")
    shown = {words(cause) for cause in walk(view.causes)}
    assert f"{result.order}: {result.why}" not in shown
    assert len(shown) > 4
