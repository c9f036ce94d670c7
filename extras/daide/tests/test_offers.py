"""Offers of press as terms of deals, and back."""

import random

import pytest

from diplomaccloud.atlas.generator.pipeline import make_chart
from diplomaccloud.daide.board import words_of
from diplomaccloud.daide.language import compose, read_text, write_text
from diplomaccloud.daide.messages import MAX_LEVEL, Cursor, read_press
from diplomaccloud.daide.orders import RULES, read_terms, write_terms
from diplomaccloud.deals import (
    Alliance,
    DealTurn,
    Draw,
    Ordered,
    Peace,
    Terms,
    Zone,
    require_possible,
    terms_from_json,
    terms_to_json,
)
from diplomaccloud.judge.legality.legal_orders import legal_orders
from diplomaccloud.judge.notation import parse_order
from diplomaccloud.judge.phases import Season
from diplomaccloud.judge.position import starting_position
from diplomaccloud.judge.standard.europe import standard_board

EUROPE = standard_board()
START = starting_position(EUROPE)
PAIR = ("FRANCE", "ENGLAND")
LONG = DealTurn(Season.WINTER, 1903)


def read(text, power="ENGLAND"):
    return parse_order(text, EUROPE, START, power)


BOTH = ("ENGLAND", "FRANCE")
OFFERS = {
    "PCE (ENG FRA)": [[Peace(BOTH, LONG)]],
    "ALY (FRA ENG) VSS (GER ITA)": [[Alliance(BOTH, ("GERMANY", "ITALY"))]],
    "DMZ (ENG FRA) (BUR ECH)": [[Zone(BOTH, ("BUR", "ENG"), LONG)]],
    "DRW": [[Draw(BOTH)]],
    "XDO ((ENG FLT LON) MTO NTH)": [[Ordered(read("F LON - NTH"))]],
    "NOT (XDO ((ENG FLT LON) MTO ECH))": [[Ordered(read("F LON - ENG"), given=False)]],
    "AND (PCE (ENG FRA)) (DMZ (FRA) (BUR))": [
        [Peace(BOTH, LONG), Zone(("FRANCE",), ("BUR",), LONG)]
    ],
    "ORR (DRW) (PCE (ENG FRA))": [[Draw(BOTH)], [Peace(BOTH, LONG)]],
}


@pytest.mark.parametrize("text", OFFERS)
def test_offers_are_terms(text):
    words = words_of(EUROPE)
    offer = read_text(f"PRP ({text})")
    assert read_press(Cursor(compose([offer]), words.vocabulary), MAX_LEVEL) == offer
    alternatives = tuple(map(tuple, OFFERS[text]))
    terms = read_terms(words, START, PAIR, offer)
    assert terms == Terms(START.phase, BOTH, alternatives)
    require_possible(terms, EUROPE, START)
    assert terms_from_json(terms_to_json(terms), EUROPE) == terms
    said = write_terms(words, START, terms)
    assert read_terms(words, START, PAIR, said) == terms
    assert write_text(said).count("(") == write_text(offer).count("(")


@pytest.mark.parametrize(
    "text",
    [
        "SLO (ENG)",
        "NOT (PCE (ENG FRA))",
        "AND (DRW) (SLO (ENG))",
        "XDO ((ENG FLT LON) MTO PAR)",
        "XDO ((ENG FLT LON) RTO WAL)",
        "XDO (ENG WVE)",
        "XDO ((GER AMY LON) HLD)",
    ],
)
def test_what_is_no_clause_is_no_proposal(text):
    assert read_terms(words_of(EUROPE), START, PAIR, read_text(f"PRP ({text})")) is None


def test_a_province_of_another_map_is_no_clause():
    words = words_of(EUROPE)
    offer = list(read_text("PRP (DMZ (ENG) (LON))"))
    offer[offer.index(words.provinces["LON"])] = 0x50FF
    assert read_terms(words, START, PAIR, tuple(offer)) is None


def test_terms_without_words_are_not_written():
    words = words_of(EUROPE)
    three = Terms(START.phase, ("ENGLAND", "FRANCE", "ITALY"), ((Draw(BOTH),),))
    assert write_terms(words, START, three) is None
    nested = ((Peace(BOTH), Draw(BOTH)), (Draw(BOTH),))
    assert write_terms(words, START, Terms(START.phase, BOTH, nested)) is None


@pytest.mark.parametrize("board", [EUROPE, make_chart("atlantis", 7).board], ids=lambda b: b.name)
def test_every_order_can_be_promised(board):
    words, start = words_of(board), starting_position(board)
    parties = tuple(sorted(board.power_info))
    orders = random.Random(1).sample(legal_orders(board, start, rules=RULES), 100)
    for number, order in enumerate(orders):
        terms = Terms(start.phase, parties, ((Ordered(order, given=number % 2 == 0),),))
        offer = write_terms(words, start, terms)
        assert read_press(Cursor(compose([offer]), words.vocabulary), MAX_LEVEL) == offer
        # The coast to which another unit is supported has no words.
        back = read_terms(words, start, parties, offer)
        assert write_terms(words, start, back) == offer
