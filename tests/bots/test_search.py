"""The bot that looks ahead: sound orders, the same for the same seed, and better than DumbBot."""

import random
from array import array
from collections.abc import Sequence
from dataclasses import replace

import pytest
from judge.tests.effort import examples
from tests.bots.kernels import COMPILED, PYTHON
from tests.bots.policies import (
    EUROPE,
    draw_seeds,
    free_orders,
    generated_board,
    play_states,
)

from diplomaccloud.bots import find_bot, policy, search
from diplomaccloud.bots.arena import play_games
from diplomaccloud.bots.candidates import Source
from diplomaccloud.bots.kernel import KERNEL
from diplomaccloud.bots.policy import read_orders
from diplomaccloud.bots.search import Forecast, Replies, draw_replies, find_plan
from diplomaccloud.judge import batch
from diplomaccloud.judge.board import Location, Power, Terrain
from diplomaccloud.judge.kernel.core.codes import CONVOY, MOVE, MOVE_VIA, SUPPORT_HOLD, SUPPORT_MOVE
from diplomaccloud.judge.kernel.layout import pack_state, unpack_state
from diplomaccloud.judge.kernel.table import table_of
from diplomaccloud.judge.legality.legal_orders import legal_orders
from diplomaccloud.judge.notation import parse_position
from diplomaccloud.judge.orders import Build, Move
from diplomaccloud.judge.rules import DEFAULT

BUDGET = 60


@pytest.mark.parametrize("number", [-1, 3])
def test_orders_are_legal_and_sound_and_stay_within_the_budget(number: int) -> None:
    board = EUROPE if number < 0 else generated_board(number)
    for count, states in enumerate(play_states(board, 1, 40, seed=8)):
        position = unpack_state(board, states)
        rng = random.Random(count)
        power = rng.randrange(len(board.powers))
        plan = find_plan(Source(board, states, power, rng), BUDGET)
        assert 0 < plan.evaluations <= BUDGET
        assert 0 <= plan.value <= 1
        assert Source(board, states, power, rng).is_sound(plan.orders.tobytes())
        info = board.powers[power]
        orders = find_bot("search:60").orders(board, position, info.power, DEFAULT, rng)
        assert set(orders) <= set(legal_orders(board, position, info.power))


def test_the_same_seed_finds_the_same_plan_and_another_seed_may_not() -> None:
    state = batch.start(1, EUROPE)
    first, again, other = [
        find_plan(Source(EUROPE, state, 2, random.Random(seed)), 200) for seed in (1, 1, 2)
    ]
    assert first == again
    assert first != other


@pytest.mark.parametrize("years", [0, 1])
def test_candidates_are_tried_as_phases_are_judged(years: int) -> None:
    """Each pair is the candidate with the reply, judged and played on to Spring by the policy."""
    powers, rng = len(EUROPE.powers), random.Random(4)
    table, deep = table_of(EUROPE), 3 * len(EUROPE.provinces)
    for states in play_states(EUROPE, 1, 25, seed=9):
        replies = policy.choose_orders(EUROPE, states * 2, draw_seeds(rng, 2 * powers))
        power = rng.randrange(powers)
        candidates = policy.sample_orders(EUROPE, states, power, draw_seeds(rng, 3))
        pairs = array("i", [0, 1, 2, 0])
        seeds = draw_seeds(rng, 2 * powers)
        again, copies = array("Q", seeds), array("Q", seeds)
        found = []
        for one in (KERNEL, PYTHON):
            values = array("d", [0.0]) * (2 * powers)
            given = table, states, power, candidates, replies, pairs
            drawn = again if one is PYTHON else copies
            one.try_candidates(*given, drawn, values, 0.5, 5.0, years=years)
            found.append(values)
        assert found[0] == found[1]
        wanted = array("d")
        own = Source(EUROPE, states, power, rng).legal
        for n, (mine, reply) in enumerate([(0, 1), (2, 0)]):
            row = replies[reply * deep : (reply + 1) * deep]
            for here in own:
                row[here :: deep // 3] = candidates[
                    mine * deep + here : (mine + 1) * deep : deep // 3
                ]
            state = batch.adjudicate(states, row, board=EUROPE).states
            follow = seeds[n * powers : (n + 1) * powers]
            worths = []
            for _ in range(years + 1):
                if worths:
                    state = _play_phase(state, follow)
                while state[2] < 0 and state[1]:
                    state = _play_phase(state, follow)
                worths.append(policy.measure_states(EUROPE, state))
            wanted += array("d", [sum(each) / len(each) for each in zip(*worths, strict=True)])
        assert found[0] == wanted


def _play_phase(state: "array[int]", seeds: "array[int]") -> "array[int]":
    """Return the state after a phase in which all follow the policy, or of a game that is won."""
    if state[2] >= 0:
        return state
    chosen = policy.choose_orders(EUROPE, state, seeds)
    return batch.adjudicate(state, chosen, board=EUROPE).states


@pytest.mark.parametrize(("budget", "years"), [(600, 0), (2000, 1)])
def test_a_large_search_looks_a_year_further_at_twice_the_cost(
    budget: int, years: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Most of a large budget goes there, and the rest to near searches for its neighbors."""
    tried: list[tuple[int, int]] = []

    def try_candidates(*_: object, pairs: "array[int]", years: int, **__: object) -> "array[float]":
        tried.append((years, len(pairs) // 2))
        return array("d", [0.1]) * (len(pairs) // 2 * len(EUROPE.powers))

    monkeypatch.setattr(policy, "try_candidates", try_candidates)
    state = batch.start(1, EUROPE)
    plan = find_plan(Source(EUROPE, state, 2, random.Random(1)), budget)
    costs = [0, 0]
    for far, count in tried:
        costs[far] += (1 + far) * count
    assert plan.evaluations == sum(costs) <= budget
    assert costs[years] > 0.5 * budget
    assert (costs[1 - years] > 0) == (years == 1)


def test_only_a_large_search_forecasts_the_orders_of_its_neighbors(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    given: list[tuple[int, Sequence[Forecast]]] = []

    def draw(source: Source, count: int, forecasts: Sequence[Forecast]) -> Replies:
        given.append((source.power, forecasts))
        return draw_replies(source, count, forecasts)

    monkeypatch.setattr(search, "draw_replies", draw)
    state = batch.start(1, EUROPE)
    find_plan(Source(EUROPE, state, 2, random.Random(1)), 600)
    assert not any(forecasts for _, forecasts in given)
    find_plan(Source(EUROPE, state, 2, random.Random(1)), 2000)
    assert {power for power, forecasts in given if forecasts} == {2}
    forecasts = given[-1][1]
    units = [Source(EUROPE, state, power, random.Random(1)).units for power in (1, 3, 4)]
    assert [each.units for each in forecasts] == units
    assert any(len(set(each.rows)) > 1 for each in forecasts)


@pytest.mark.skipif(COMPILED is None, reason="takes minutes: run scripts/kernel")
def test_a_search_that_looks_further_takes_every_center_that_nobody_defends() -> None:
    """When only the later Spring counted, it went elsewhere, because it could take them later."""
    position = parse_position(
        "F1901M AUSTRIA: A SER, A VIE, F TRI; ENGLAND: A CLY, F NWG, F YOR; "
        "FRANCE: A BUR, A SPA, F MAO; GERMANY: A KIE, A SIL, F DEN; "
        "ITALY: A APU, A VEN, F ION; RUSSIA: A LVN, A SEV, F BLA, F BOT; "
        "TURKEY: A ARM, A BUL, F ANK; centers AUSTRIA: BUD TRI VIE; centers ENGLAND: EDI LON LVP; "
        "centers FRANCE: BRE MAR PAR; centers GERMANY: BER KIE MUN; centers ITALY: NAP ROM VEN; "
        "centers RUSSIA: MOS SEV STP WAR; centers TURKEY: ANK CON SMY"
    )
    for seed in range(3):
        orders = find_bot("search:1500").orders(
            EUROPE, position, Power("FRANCE"), DEFAULT, random.Random(seed)
        )
        goals = {str(order.to) for order in orders if isinstance(order, Move)}
        assert goals == {"BEL", "POR", "SPA/SC"}


@pytest.mark.parametrize("coast", ["NC", "SC"])
def test_support_for_a_move_to_the_other_coast_is_useless(coast: str) -> None:
    position = parse_position("F1912M ENGLAND: F POR, F WES; FRANCE: A MAR; centers ENGLAND: LON")
    source = Source(EUROPE, pack_state(EUROPE, position), 1, random.Random(1))
    table = table_of(EUROPE)
    goals = {name: table.place_of[Location(f"SPA/{name}")] for name in ("NC", "SC")}
    here = {EUROPE.provinces[unit].code: unit for unit in source.units}
    row = array("i", source.free)
    row[here["POR"] :: source.size] = array("i", (MOVE, 0, goals["SC"]))
    row[here["WES"] :: source.size] = array("i", (SUPPORT_MOVE, here["POR"], goals[coast]))
    assert source.is_broken(row, here["WES"]) is (coast == "NC")


def test_builds_that_the_policy_does_not_choose_are_candidates() -> None:
    position = parse_position(
        "W1904A TURKEY: A BUL, A SER, F AEG; RUSSIA: A MOS; "
        "centers TURKEY: ANK CON SMY BUL SER GRE; centers RUSSIA: MOS"
    )
    source = Source(EUROPE, pack_state(EUROPE, position), 6, random.Random(1))
    kinds = set()
    for candidate in source.find_first(30):
        orders = read_orders(EUROPE, position, source.state, Power("TURKEY"), array("i", candidate))
        assert set(orders) <= set(legal_orders(EUROPE, position, Power("TURKEY")))
        assert len(orders) == 3
        kinds.add(tuple(sorted(str(order.unit) for order in orders if isinstance(order, Build))))
    assert len(kinds) == 8


def test_convoys_with_the_army_and_every_fleet_are_candidates() -> None:
    position = parse_position("F1905M ENGLAND: A YOR, F NTH; centers ENGLAND: LON EDI LVP NWY")
    source = Source(EUROPE, pack_state(EUROPE, position), 1, random.Random(1))
    army, fleet = sorted(source.units, key=lambda here: EUROPE.provinces[here].code, reverse=True)
    convoys = 0
    for candidate in source.find_first(40):
        row = array("i")
        row.frombytes(candidate)
        assert row[army] != CONVOY
        if row[fleet] == CONVOY:
            convoys += 1
            size = len(EUROPE.provinces)
            assert row[army] in {MOVE, MOVE_VIA}
            assert row[2 * size + army] == row[2 * size + fleet]
    assert convoys > 3


def test_nobody_is_supported_where_no_other_could_come() -> None:
    text = "F1905M FRANCE: A PAR, A GAS, F BRE; GERMANY: A MUN; centers FRANCE: PAR BRE MAR"
    source = Source(EUROPE, pack_state(EUROPE, parse_position(text)), 2, random.Random(1))
    table, helped = table_of(EUROPE), set()
    for forced in source.sets:
        for code, target, place in forced.values():
            if code == SUPPORT_HOLD:
                helped.add(EUROPE.provinces[target].code)
            elif code == SUPPORT_MOVE:
                helped.add(EUROPE.provinces[table.province_of[place]].code)
    assert helped == {"BUR"}


@pytest.mark.parametrize(("others", "fleets"), [("", False), ("; FRANCE: A LON", True)])
def test_an_army_goes_next_door_by_sea_only_to_change_places(others: str, fleets: bool) -> None:
    text = f"F1905M ENGLAND: A YOR, F NTH{others}; centers ENGLAND: EDI LVP NWY"
    source = Source(EUROPE, pack_state(EUROPE, parse_position(text)), 1, random.Random(1))
    table = table_of(EUROPE)
    (yorkshire,) = [here for here in source.units if EUROPE.provinces[here].code == "YOR"]
    goals = {
        EUROPE.provinces[table.province_of[forced[yorkshire][2]]].code
        for forced in source.sets
        if yorkshire in forced
        and len(forced) > 1
        and CONVOY in {each[0] for each in forced.values()}
    }
    assert ("LON" in goals) is fleets
    assert "NWY" in goals


@pytest.mark.skipif(COMPILED is None, reason="takes minutes: run scripts/kernel")
def test_one_searcher_beats_six_dumbbots() -> None:
    games = 2 * examples.times
    bots = [find_bot("search:300"), find_bot("dumbbot")]
    scores = []
    for game in play_games(EUROPE, bots, games=games, until=1925, seed="search", one_of=True):
        (seat,) = [power for power, name in game.bots.items() if name == "search:300"]
        scores.append(game.score(seat))
    assert sum(scores) / games > 0.5


# Bad input, and positions with little or much to do.


@pytest.mark.parametrize(
    "name",
    ["search", "search:", "search:x", "search:-5", "search:19", "search:9999999999", "search:٣٠٠"],
)
def test_searches_without_sense_are_refused(name: str) -> None:
    with pytest.raises(ValueError, match="evaluations"):
        find_bot(name)
    with pytest.raises(ValueError, match="there is no bot 'clever'"):
        find_bot("clever")


def test_wrong_pairs_and_powers_are_refused() -> None:
    state, seeds = batch.start(1, EUROPE), array("Q", range(7))
    row = free_orders(EUROPE)
    for pair in ([1, 0], [0, 1], [-1, 0], [0, -1]):
        with pytest.raises(ValueError, match="no order row"):
            policy.try_candidates(
                EUROPE, state, 0, candidates=row, replies=row, pairs=array("i", pair), seeds=seeds
            )
    fit = {"candidates": row, "replies": row, "pairs": array("i", [0, 0])}
    with pytest.raises(ValueError, match="no power 7"):
        policy.try_candidates(EUROPE, state, 7, **fit, seeds=seeds)
    with pytest.raises(ValueError, match="too short"):
        policy.try_candidates(EUROPE, state, 0, **fit, seeds=seeds[:6])


def test_forty_units_one_unit_and_none_get_orders() -> None:
    lands = [p.code for p in EUROPE.provinces if p.terrain is not Terrain.SEA][:40]
    for units in (lands, lands[:1], []):
        text = "FRANCE: " + ", ".join(f"A {code}" for code in units) if units else ""
        for phase in ("S1905M", "W1905A"):
            position = parse_position(f"{phase} {text}; centers FRANCE: PAR MAR")
            orders = find_bot("search:20").orders(
                EUROPE, position, Power("FRANCE"), DEFAULT, random.Random(1)
            )
            assert set(orders) <= set(legal_orders(EUROPE, position, Power("FRANCE")))


def test_a_map_without_home_centers_is_played() -> None:
    homeless = replace(
        EUROPE, provinces=tuple(replace(province, home=None) for province in EUROPE.provinces)
    )
    bots = [find_bot("search:20"), find_bot("dumbbot")]
    (game,) = play_games(homeless, bots, games=1, until=1902, seed="homeless", one_of=True)
    assert game.final.phase.year == 1903
