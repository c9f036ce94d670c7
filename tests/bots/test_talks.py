"""Bots that talk: what they offer, answer, promise and break."""

import random
from array import array
from dataclasses import replace
from statistics import fmean

import pytest
from judge.tests.shorthand import BOARD, order, position
from tests.bots.policies import EUROPE, draw_seeds, generated_board

from diplomaccloud.bots import find_bot, policy
from diplomaccloud.bots.arena import Played, play_game
from diplomaccloud.bots.candidates import Source
from diplomaccloud.bots.kernel import SLOW_KERNEL
from diplomaccloud.bots.pacts import Pact, find_pact
from diplomaccloud.bots.player import Bot
from diplomaccloud.bots.policy import read_orders
from diplomaccloud.bots.search import draw_replies, find_plan, try_candidates
from diplomaccloud.bots.talks.diplomat import (
    MOST_MESSAGES,
    MOST_YEARS,
    PHRASES,
    Diplomat,
    Reason,
    TalkAnswer,
    _find_price,
)
from diplomaccloud.bots.talks.press_table import PressTable, find_diplomat, seat_diplomats
from diplomaccloud.bots.talks.views import TEMPERS, Entry, View
from diplomaccloud.deals import (
    Alliance,
    Clause,
    DealTurn,
    Draw,
    Ordered,
    Peace,
    Terms,
    Zone,
    require_possible,
)
from diplomaccloud.deals.breaches import find_attack
from diplomaccloud.judge import batch
from diplomaccloud.judge.board import Board, Power, ProvinceCode
from diplomaccloud.judge.kernel.layout import pack_state, unpack_state
from diplomaccloud.judge.kernel.table import table_of
from diplomaccloud.judge.orders import Order
from diplomaccloud.judge.phases import Phase, Season
from diplomaccloud.judge.position import Position, starting_position
from diplomaccloud.judge.rules import DEFAULT

_compiled = pytest.mark.skipif(bool(SLOW_KERNEL), reason="takes minutes: run scripts/kernel")
FRANCE, GERMANY, ITALY = Power("FRANCE"), Power("GERMANY"), Power("ITALY")
START = position(
    """
    FRANCE: A PAR H, A MAR H, A GAS H
    GERMANY: A RUH H, A MUN H
    ITALY: A PIE H, A TYR H
    """,
    "S1903M",
    {"FRANCE": "PAR MAR BRE", "GERMANY": "MUN KIE", "ITALY": "VEN ROM"},
)
OWNERS = {unit.province: unit.power for unit in START.units}


def promise(text: str, power: str = "FRANCE") -> Ordered:
    return Ordered(order(text, power, OWNERS))


def agree(*clauses: Clause, phase: Phase = START.phase, partner: Power = GERMANY) -> Terms:
    return Terms(phase, tuple(sorted((FRANCE, partner))), (clauses,))


def look(deals: tuple[Terms, ...] = (), ledger: tuple[Entry, ...] = ()) -> View:
    audience = frozenset({GERMANY, ITALY})
    return View(BOARD, START, FRANCE, tuple((terms, 0) for terms in deals), ledger, audience)


def diplomat() -> Diplomat:
    found = find_diplomat(find_bot("search:50"))
    assert found is not None
    return found


def answer(terms: Terms, view: View | None = None, seed: str = "1") -> TalkAnswer:
    return diplomat().reply(view or look(), terms, seed)


# Truces of the policy.


def make_truces(board: Board, *pairs: tuple[int, int]) -> "array[int]":
    powers = len(board.powers)
    truces = array("i", [0]) * powers**2
    for one, other in pairs:
        truces[one * powers + other] = 1
    return truces


def test_under_a_truce_the_policy_enters_nothing_of_the_other() -> None:
    table, entered = table_of(EUROPE), [0, 0]
    rng = random.Random(3)
    for phases in range(2, 24):
        states = batch.start(1, EUROPE)
        policy.play(EUROPE, states, draw_seeds(rng, 7), phases)
        where = unpack_state(EUROPE, states)
        if where.phase.stage.value != "M":
            continue
        for kind, pairs in enumerate([(), ((2, 3),)]):
            seeds, truces = draw_seeds(rng, 10), make_truces(EUROPE, *pairs)
            rows = policy.sample_orders(EUROPE, states, 2, seeds, truces=truces)
            deep = 3 * table.provinces
            for at in range(0, len(rows), deep):
                given = read(where, states, rows[at : at + deep])
                entered[kind] += find_attack([table.powers[3]], given, where) is not None
    assert entered[0] > 0 == entered[1]


def read(where: Position, state: "array[int]", row: "array[int]") -> list[Order]:
    return list(read_orders(EUROPE, where, state, table_of(EUROPE).powers[2], row))


# Candidates under a pact.


def test_candidates_keep_what_was_promised_and_may_count_on_others() -> None:
    held = promise("A GAS - BUR")
    helped = promise("A RUH S A GAS - BUR", "GERMANY")
    deal = agree(Peace((FRANCE, GERMANY)), held, helped), 0
    pact = find_pact(BOARD, START, FRANCE, [deal])
    number, state = table_of(BOARD).power_of[FRANCE], pack_state(BOARD, START)
    source = Source(BOARD, state, number, random.Random(1), pact)
    assert len(source.pins) == 1
    assert len(pact.pins) == 2
    bot = find_bot("search:50")
    for seed in range(5):
        found = bot.orders(BOARD, START, FRANCE, DEFAULT, random.Random(seed), pact=pact)  # type: ignore[call-arg]
        assert held.order in found
        assert find_attack([GERMANY], found, START) is None


def test_a_bot_that_doubts_expects_attacks_of_partners_in_a_part_of_the_replies() -> None:
    pact = find_pact(BOARD, START, FRANCE, [(agree(Peace((FRANCE, GERMANY))), 0)])
    powers, own = len(BOARD.powers), table_of(BOARD).power_of[FRANCE]
    other = table_of(BOARD).power_of[GERMANY]
    assert pact.truces is not None
    doubted = pact.doubt_truces(own)
    assert doubted is not None
    assert (pact.truces[other * powers + own], doubted[other * powers + own]) == (1, 0)
    assert (pact.truces[own * powers + other], doubted[own * powers + other]) == (1, 1)


# Trust.


def entry(year: int, *breakers: Power) -> Entry:
    return Entry(Phase.parse(f"F{year}M"), (FRANCE, GERMANY), breakers)


@pytest.mark.parametrize(
    ("ledger", "trust"),
    [
        ((), 0.5),
        ((entry(1901),), 0.6),
        ((entry(1901), entry(1901), entry(1902)), 0.7),
        ((entry(1902, GERMANY),), 0.0),
        ((entry(1901, GERMANY),), 0.3),
        ((entry(1900), entry(1901, GERMANY)), 0.3),
        ((entry(1900, GERMANY), entry(1901), entry(1902)), 0.5),
        ((entry(1902, FRANCE),), 0.6),
        ((entry(1898, GERMANY), entry(1900, GERMANY)), 0.0),
        ((entry(1897, GERMANY), entry(1899, GERMANY)), 0.3),
    ],
)
def test_trust_follows_from_deeds_and_comes_back_slowly(ledger, trust) -> None:
    assert look(ledger=ledger).find_trust(GERMANY) == pytest.approx(trust)


def test_an_avenger_bears_a_longer_grudge() -> None:
    view = replace(look(ledger=(entry(1900, GERMANY),)), temper=TEMPERS["avenger"])
    assert view.find_trust(GERMANY) == 0


# Answers.


REFUSED = [
    ("a grudge", look(ledger=(entry(1902, GERMANY),)), (Peace((FRANCE, GERMANY)),), Reason.GRUDGE),
    ("an open center", None, (promise("A MAR - SPA"),), Reason.CENTER),
    (
        "two orders of a unit",
        None,
        (promise("A GAS - BUR"), promise("A GAS - SPA")),
        Reason.PROMISED,
    ),
    (
        "an alliance against a partner",
        look((agree(Peace((FRANCE, ITALY)), partner=ITALY),)),
        (Alliance((FRANCE, GERMANY), (ITALY,)),),
        Reason.PROMISED,
    ),
    (
        "an alliance without an end",
        None,
        (Alliance((FRANCE, GERMANY), (ITALY,)),),
        Reason.LONG,
    ),
    ("peace for ever", None, (Peace((FRANCE, GERMANY)),), Reason.LONG),
    (
        "peace for a long time",
        None,
        (Peace((FRANCE, GERMANY), DealTurn(Season.WINTER, START.phase.year + MOST_YEARS + 1)),),
        Reason.LONG,
    ),
    (
        "an order for nothing in return",
        look((agree(Peace((FRANCE, GERMANY))),)),
        (promise("A PAR - PIC"),),
        Reason.GAIN,
    ),
    (
        "a zone for nothing in return",
        look((agree(Peace((FRANCE, GERMANY))),)),
        (Zone((FRANCE,), (ProvinceCode("RUM"),), DealTurn(Season.WINTER, START.phase.year)),),
        Reason.GAIN,
    ),
    ("a draw too early", None, (Draw((FRANCE, GERMANY)),), None),
    ("an order for nothing", None, (promise("A GAS - BRE"), promise("A PAR - PIC")), None),
]


@pytest.mark.parametrize(
    ("view", "clauses", "reason"), [row[1:] for row in REFUSED], ids=[row[0] for row in REFUSED]
)
def test_a_refusal_has_a_phrase_that_fits(view, clauses, reason) -> None:
    given = answer(agree(*clauses), view)
    assert not given.reply.accepts or reason is None
    if reason is not None:
        assert given.phrase in PHRASES[reason]


def test_a_partner_is_done_one_favor_in_a_phase() -> None:
    clauses = promise("A PAR H"), promise("A MUN H", "GERMANY")
    peace = agree(Peace((FRANCE, GERMANY)))
    favor = agree(promise("A GAS H"), promise("A RUH H", "GERMANY"))
    asked = [
        _find_price(look(deals), clauses, [GERMANY]) for deals in ((), (peace,), (peace, favor))
    ]
    assert asked[0] == asked[2] == 0
    assert asked[1] < 0


def test_no_zone_is_a_favor() -> None:
    zone = Zone((FRANCE, GERMANY), (ProvinceCode("BUR"),))
    assert _find_price(look((agree(Peace((FRANCE, GERMANY))),)), (zone,), [GERMANY]) == 0


def test_phrases_are_many_and_short() -> None:
    assert set(PHRASES) == set(Reason)
    for phrases in PHRASES.values():
        assert len(set(phrases)) >= 6
        assert max(map(len, phrases)) <= 60
    refusals = {answer(agree(promise("A MAR - SPA")), seed=str(seed)).phrase for seed in range(20)}
    assert len(refusals) > 3


def test_the_same_seed_gives_the_same_answer() -> None:
    terms = agree(Peace((FRANCE, GERMANY)))
    assert answer(terms, seed="7") == answer(terms, seed="7")


# Remarks.


def test_a_broken_deal_is_remarked_once_in_a_phase() -> None:
    view = look(ledger=(entry(1902, GERMANY),))
    phrases = [
        [message.phrase for message in diplomat().open_talk(view, "1", left) if message.phrase]
        for left in (MOST_MESSAGES, MOST_MESSAGES - 1)
    ]
    assert len(phrases[0]) == 1
    assert phrases[1] == []


# Whole games.


class Watched(Diplomat):
    """Notes everything that it sends."""

    def __init__(self, inner: Diplomat, sent: list[tuple[View, int]]) -> None:
        super().__init__(inner.bot, inner.budget, inner.temper)
        self.sent = sent

    def open_talk(self, view, seed, left=MOST_MESSAGES):
        messages = super().open_talk(view, seed, left)
        assert len(messages) <= left <= MOST_MESSAGES
        for message in messages:
            assert message.to in view.audience
            if message.terms is not None:
                require_possible(message.terms, view.board, view.position)
        self.sent.append((view, len(messages)))
        return messages


def play(board: Board, bot: Bot, seed: str, sent: list[tuple[View, int]], years: int) -> Played:
    bots = dict.fromkeys(board.power_info, bot)
    found = {power: Watched(each, sent) for power, each in seat_diplomats(bots).items()}
    table = PressTable(board, found)
    return play_game(board, bots, seed=seed, until=board.first_year + years - 1, table=table)


@pytest.mark.long
@_compiled
@pytest.mark.parametrize("number", [5, 6, None])
def test_bots_offer_only_what_is_possible_and_keep_their_word(number: int | None) -> None:
    board = EUROPE if number is None else generated_board(number)
    sent: list[tuple[View, int]] = []
    game = play(board, find_bot("search:20"), "1", sent, years=2)
    assert game.press is not None
    assert 0 < game.press.deals <= game.press.proposals <= game.press.messages
    assert game.press.promises > 0
    # A power that breaks a deal has decided to.
    assert game.press.broken == 0 or game.press.stabs > 0
    assert {view.position.phase for view, count in sent if count}


@_compiled
def test_the_same_seed_gives_the_same_talk_and_orders() -> None:
    bot = find_bot("level:3:opportunist")
    first, again, other = [play(EUROPE, bot, seed, [], years=1) for seed in "112"]
    assert first == again
    assert first != other


# Paying back.


def test_a_bot_pays_back_who_broke_a_deal_for_as_long_as_it_bears_a_grudge() -> None:
    germany = table_of(BOARD).power_of[GERMANY]
    assert not look(ledger=(entry(1902),)).foes
    assert list(look(ledger=(entry(1902, GERMANY),)).foes) == [germany]
    assert not look(ledger=(entry(1901, GERMANY),)).foes


def test_a_bot_forgets_a_grudge_while_a_third_power_is_near_to_winning() -> None:
    view = look(ledger=(entry(1902, GERMANY),))
    centers = [place for place in BOARD.centers if START.centers.get(place) != FRANCE]
    led = replace(START, centers=START.centers | dict.fromkeys(centers[:20], ITALY))
    assert view.foes
    assert not replace(view, position=led).foes


@_compiled
def test_what_pays_back_costs_the_others_more() -> None:
    rng, worth = random.Random(4), [0.0, 0.0]
    for phases in range(3, 23, 2):
        state = batch.start(1, EUROPE)
        policy.play(EUROPE, state, draw_seeds(rng, 7), phases)
        for number, foes in enumerate(({}, {2: 1.0, 4: 1.0})):
            plan = find_plan(Source(EUROPE, state, 3, random.Random(1), Pact(foes=foes)), 100)
            tried = Source(EUROPE, state, 3, random.Random(2))
            values = try_candidates(tried, [plan.orders.tobytes()], draw_replies(tried, 100))
            worth[number] += fmean(values[2::7]) + fmean(values[4::7])
    assert worth[1] < worth[0]


def test_those_who_do_not_look_ahead_never_stab_and_some_never_talk() -> None:
    recruit = find_diplomat(find_bot("level:1"))
    assert recruit is not None
    assert recruit.temper.price is None
    assert find_diplomat(find_bot("greedy")) is None


def test_a_loyalist_never_stabs() -> None:
    found = find_diplomat(find_bot("level:4:loyalist"))
    assert found is not None
    view = View(EUROPE, starting_position(EUROPE), FRANCE, temper=found.temper)
    assert found.find_betrayal(view, b"", "1") is None
