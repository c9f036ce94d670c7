"""Boards, positions and orders as tokens."""

import random

import pytest

from diplomaccloud.atlas.generator.pipeline import make_chart
from diplomaccloud.bots import BOTS
from diplomaccloud.bots.arena import choose_orders
from diplomaccloud.daide.board import (
    read_centers,
    read_definition,
    read_position,
    words_of,
    write_centers,
    write_definition,
    write_position,
)
from diplomaccloud.daide.language import STANDARD, Vocabulary, Word, read_text, write_text
from diplomaccloud.daide.messages import Cursor
from diplomaccloud.daide.orders import RULES, read_order, write_order, write_results
from diplomaccloud.judge.adjudication import adjudicate
from diplomaccloud.judge.legality.legal_orders import legal_orders
from diplomaccloud.judge.notation import parse_order, parse_position
from diplomaccloud.judge.orders import Waive, power_of
from diplomaccloud.judge.position import starting_position
from diplomaccloud.judge.standard.europe import standard_board

EUROPE = standard_board()
WORDS = words_of(EUROPE)
BOARDS = [EUROPE, make_chart("mu", 7).board, make_chart("two", 2).board]


def read_term(words, tokens):
    cursor = Cursor((int(Word.BRA), *tokens, int(Word.KET)), words.vocabulary)
    return cursor.order()


def note_of(position, power, text, given=()):
    return read_order(WORDS, position, power, read_term(WORDS, read_text(text)), given).note.name


def test_europe_has_the_standard_tokens():
    assert WORDS.vocabulary is STANDARD
    assert WORDS.map_name == "standard"
    assert WORDS.vocabulary.to_bytes() == b""
    assert write_text(WORDS.write_place("ENG")) == "ECH"
    assert write_text(WORDS.write_place("STP/SC")) == "(STP SCS)"


def test_another_board_has_names_that_mean_nothing_else():
    words = words_of(BOARDS[1])
    assert set(Word.__members__) & {province.code for province in BOARDS[1].provinces}
    assert not set(Word.__members__) & {*words.vocabulary.powers, *words.vocabulary.provinces}
    assert Vocabulary.from_bytes(words.vocabulary.to_bytes()) == words.vocabulary


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.name)
def test_a_definition_gives_the_same_board(board):
    words = words_of(board)
    read = read_definition(write_definition(words), words.vocabulary, words.map_name)
    names = {token: code for code, token in words.provinces.items()}

    def rename(place):
        code, _, coast = place.partition("/")
        code = names[read.provinces[code]]
        return f"{code}/{coast}" if coast else code

    assert {rename(p.code) for p in read.board.provinces} == set(board.by_code)
    for province in read.board.provinces:
        old = board.by_code[rename(province.code)]
        assert (province.terrain, province.center) == (old.terrain, old.center)
        assert sorted(province.coasts) == sorted(old.coasts)
        assert (province.home is None) == (old.home is None or not old.center)
    for ours, theirs in (
        (board.army_borders, read.board.army_borders),
        (board.fleet_borders, read.board.fleet_borders),
    ):
        assert {frozenset(map(rename, pair)) for pair in theirs} == {frozenset(p) for p in ours}


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.name)
def test_positions_and_orders_of_a_game_come_back(board):
    words = words_of(board)
    position, bots = starting_position(board), dict.fromkeys(board.power_info, BOTS["random"])
    for _ in range(25):
        units = read_position(write_position(words, position), words)
        assert (units.phase, sorted(units.standing)) == (position.phase, list(position.units))
        assert units.dislodged == tuple((e.unit, e.retreats) for e in position.dislodged)
        assert read_centers(write_centers(words, position), words) == position.centers
        orders = choose_orders(board, position, bots, RULES, "daide")
        resolution = adjudicate(board, position, orders, RULES)
        assert write_results(words, position, resolution)
        for power in board.power_info:
            given = []
            for order in (order for order in orders if power_of(order) == power):
                tokens = write_order(words, order, position)
                reading = read_order(words, position, power, read_term(words, tokens), given)
                assert reading.note is Word.MBV, (str(order), reading)
                assert write_order(words, reading.order, position) == tokens
                given.append(reading.order)
        position = resolution.next


def test_every_legal_order_may_be_valid():
    position = parse_position(
        "S1901M FRANCE: A PAR, A BRE, F MAO, F GAS, F MAR; ENGLAND: F ENG, F NTH, A LON, F STP/NC"
    )
    for power in ("FRANCE", "ENGLAND"):
        for order in legal_orders(EUROPE, position, power, RULES):
            tokens = write_order(WORDS, order, position)
            assert note_of(position, power, write_text(tokens)) == "MBV", str(order)


MOVES = parse_position("S1901M FRANCE: A PAR, F MAO, A BRE; ENGLAND: F NTH, A LON")
NOTES = {
    "not adjacent": ("(FRA AMY PAR) MTO MUN", "FAR"),
    "no such unit": ("(FRA AMY MAR) HLD", "NSU"),
    "not your unit": ("(ENG AMY LON) HLD", "NYU"),
    "the wrong kind": ("(FRA FLT PAR) HLD", "NSU"),
    "support for no unit": ("(FRA AMY PAR) SUP (FRA AMY MAR)", "NSU"),
    "support out of reach": ("(FRA AMY PAR) SUP (ENG AMY LON) MTO WAL", "FAR"),
    "a convoy by an army": ("(FRA AMY PAR) CVY (FRA AMY BRE) CTO LON", "NSF"),
    "a convoy of no army": ("(FRA FLT MAO) CVY (FRA AMY MAR) CTO LON", "NSA"),
    "a convoy of a fleet": ("(FRA FLT MAO) CVY (ENG FLT NTH) CTO LON", "NSA"),
    "a way over land": ("(FRA AMY BRE) CTO LON VIA (PIC)", "NAS"),
    "a way without a fleet": ("(FRA AMY BRE) CTO LON VIA (ECH)", "NSF"),
    "a fleet that goes by convoy": ("(FRA FLT MAO) CTO LON VIA (ECH)", "NSA"),
    "a coast that is open": ("(FRA FLT MAO) MTO SPA", "FAR"),
    "a retreat in Spring": ("(FRA AMY PAR) RTO BUR", "NRS"),
    "a build in Spring": ("(FRA AMY PAR) BLD", "NRS"),
    "a good order": ("(FRA FLT MAO) MTO (SPA NCS)", "MBV"),
}


@pytest.mark.parametrize(("text", "note"), NOTES.values(), ids=NOTES)
def test_a_movement_order_gets_its_note(text, note):
    assert note_of(MOVES, "FRANCE", text) == note


RETREATS = parse_position("S1901R FRANCE: A PAR; GERMANY: A BUR; dislodged FRANCE: A BUR (GAS MAR)")


@pytest.mark.parametrize(
    ("text", "note"),
    [
        ("(FRA AMY BUR) RTO GAS", "MBV"),
        ("(FRA AMY BUR) DSB", "MBV"),
        ("(FRA AMY BUR) RTO PIC", "NVR"),
        ("(FRA AMY PAR) RTO PIC", "NRN"),
        ("(GER AMY BUR) DSB", "NRN"),
        ("(FRA AMY MUN) DSB", "NSU"),
        ("(FRA AMY BUR) HLD", "NRS"),
    ],
)
def test_a_retreat_gets_its_note(text, note):
    assert note_of(RETREATS, "FRANCE", text) == note


BUILDS = parse_position(
    "W1901A FRANCE: A PAR; TURKEY: A CON, A ANK; GERMANY: A MUN, A KIE; ENGLAND: F LON;"
    "centers FRANCE: PAR BRE SPA; centers GERMANY: MUN MAR; centers ENGLAND: LON EDI;"
    "centers RUSSIA: STP; centers TURKEY: CON ANK BUL"
)


@pytest.mark.parametrize(
    ("power", "text", "note"),
    [
        ("FRANCE", "(FRA FLT BRE) BLD", "MBV"),
        ("FRANCE", "FRA WVE", "MBV"),
        ("ENGLAND", "ENG WVE", "MBV"),
        ("RUSSIA", "RUS WVE", "MBV"),
        ("FRANCE", "(FRA AMY PAR) BLD", "ESC"),
        ("FRANCE", "(FRA AMY MAR) BLD", "YSC"),
        ("FRANCE", "(FRA AMY SPA) BLD", "HSC"),
        ("FRANCE", "(FRA AMY BUR) BLD", "NSC"),
        ("FRANCE", "(ENG AMY EDI) BLD", "NYU"),
        ("FRANCE", "(FRA AMY PAR) REM", "NMR"),
        ("GERMANY", "(GER AMY BER) BLD", "YSC"),
        ("RUSSIA", "(RUS FLT STP) BLD", "CST"),
        ("RUSSIA", "(RUS FLT (STP NCS)) BLD", "MBV"),
        ("GERMANY", "GER WVE", "NMB"),
        ("TURKEY", "TUR WVE", "MBV"),
    ],
)
def test_an_adjustment_gets_its_note(power, text, note):
    assert note_of(BUILDS, power, text) == note


def test_builds_beyond_what_is_owed_are_refused():
    given = [Waive("FRANCE"), Waive("FRANCE")]
    assert note_of(BUILDS, "FRANCE", "(FRA FLT BRE) BLD", given) == "NMB"


RESULTS = {
    "a move": ("FRANCE: A PAR - BUR", "((FRA AMY PAR) MTO BUR) (SUC)"),
    "a bounce": ("FRANCE: A PAR - BUR; GERMANY: A MUN - BUR", "((FRA AMY PAR) MTO BUR) (BNC)"),
    "a hold": ("FRANCE: A PAR H", "((FRA AMY PAR) HLD) (SUC)"),
    "a support": (
        "FRANCE: A PAR - BUR, A MAR S A PAR - BUR",
        "((FRA AMY MAR) SUP (FRA AMY PAR) MTO BUR) (SUC)",
    ),
    "a support for what does not happen": (
        "FRANCE: A PAR H, A MAR S A PAR - BUR",
        "((FRA AMY MAR) SUP (FRA AMY PAR) MTO BUR) (NSO)",
    ),
    "a cut support": (
        "FRANCE: A PAR - BUR, A MAR S A PAR - BUR; ITALY: A PIE - MAR",
        "((FRA AMY MAR) SUP (FRA AMY PAR) MTO BUR) (CUT)",
    ),
    "a dislodged unit that held": (
        "FRANCE: A PAR - BUR, A MAR S A PAR - BUR; GERMANY: A BUR H",
        "((GER AMY BUR) HLD) (RET)",
    ),
    "a dislodged unit that moved": (
        "FRANCE: A PAR - BUR, A MAR S A PAR - BUR; GERMANY: A BUR - MUN, A MUN H",
        "((GER AMY BUR) MTO MUN) (BNC RET)",
    ),
    "a convoy": (
        "ENGLAND: A LON - NWY, F NTH C A LON - NWY",
        "((ENG AMY LON) CTO NWY VIA (NTH)) (SUC)",
    ),
    "a convoy without a fleet's order": (
        "ENGLAND: A LON - NWY, F NTH H",
        "((ENG AMY LON) CTO NWY VIA (NTH)) (NSO)",
    ),
    "a convoy with a dislodged fleet": (
        "ENGLAND: A LON - NWY, F NTH C A LON - NWY; GERMANY: F HOL - NTH, F BEL S F HOL - NTH",
        "((ENG AMY LON) CTO NWY VIA (NTH)) (DSR)",
    ),
    "the dislodged fleet": (
        "ENGLAND: A LON - NWY, F NTH C A LON - NWY; GERMANY: F HOL - NTH, F BEL S F HOL - NTH",
        "((ENG FLT NTH) CVY (ENG AMY LON) CTO NWY) (RET)",
    ),
}


@pytest.mark.parametrize(("written", "told"), RESULTS.values(), ids=RESULTS)
def test_a_result_is_told(written, told):
    groups = [group.split(": ") for group in written.split("; ")]
    units = "; ".join(
        f"{power}: {', '.join(' '.join(text.split()[:2]) for text in orders.split(', '))}"
        for power, orders in groups
    )
    position = parse_position(f"S1901M {units}")
    orders = [
        parse_order(text, EUROPE, position, power)
        for power, texts in groups
        for text in texts.split(", ")
    ]
    results = write_results(WORDS, position, adjudicate(EUROPE, position, orders, RULES))
    assert f"ORD (SPR 1901) {told}" in map(write_text, results)


def test_an_army_next_door_goes_by_sea_only_if_its_order_says_so():
    position = parse_position("S1901M ENGLAND: A LON, F NTH; FRANCE: A YOR")
    texts = ("A LON - YOR", "F NTH C A LON - YOR")
    orders = [parse_order(text, EUROPE, position, "ENGLAND") for text in texts]
    results = map(
        write_text, write_results(WORDS, position, adjudicate(EUROPE, position, orders, RULES))
    )
    assert any("((ENG FLT NTH) CVY (ENG AMY LON) CTO YOR) (NSO)" in text for text in results)


def test_a_definition_with_faults_is_refused():
    message = list(write_definition(WORDS))
    rng = random.Random(1)
    for _ in range(200):
        broken = list(message)
        broken[rng.randrange(len(broken))] = rng.choice(message)
        try:
            read_definition(tuple(broken), STANDARD, "broken")
        except ValueError:
            continue
