"""Boards unlike Europe: two powers or 64, another first year, powers without a home center."""

import json
import random
from dataclasses import replace
from itertools import pairwise

import pytest
from judge.tests.oracle_equations import TooLargeError
from judge.tests.oracle_run import differences
from judge.tests.river_board import river_board

from diplomaccloud import judge
from diplomaccloud.judge import batch
from diplomaccloud.judge.board import Board, PowerInfo, Province, Start, Terrain, UnitKind
from diplomaccloud.judge.explain import explain
from diplomaccloud.judge.protocol import answer
from diplomaccloud.judge.protocol.requests import RecordBoards, position_to_request


def ring_board(count: int, year: int = 44) -> Board:
    """Return a ring of coasts, one for each power, around plains and between seas.

    The first power has three home centers; the second has none, and begins in the country of the
    first; the third's country has no center. Every second plain is a center that nobody owns.
    """
    powers = tuple(PowerInfo(f"P{i:02}", f"Realm {i}", f"Realmish {i}") for i in range(count))
    coasts = [f"C{i:02}" for i in range(count)]
    middle = range(2 if count == 2 else -(-count // 8) + 2)
    seas, plains = [f"S{i:02}" for i in middle], [f"L{i:02}" for i in middle]
    at = [i * len(middle) // count for i in range(count)]
    home = dict(zip(coasts, (info.power for info in powers), strict=True))
    home |= {"C01": "P00", "L00": "P00", "L01": "P01"}
    centers = {*coasts, *plains[::2]} - {"C02"}
    provinces = [Province(code, f"Square {code}", Terrain.SEA) for code in seas]
    provinces += [
        Province(code, f"Province {code}", kind, split, code in centers, home.get(code))
        for codes, kind in ((coasts, Terrain.COASTAL), (plains, Terrain.INLAND))
        for code in codes
        for split in [("NC", "SC") if code == "C00" else ()]
    ]
    walks = [(coast, plains[at[i]]) for i, coast in enumerate(coasts)]
    sails = [(coast, seas[at[i]]) for i, coast in enumerate(coasts) if i]
    sails += [("C00/NC", seas[0]), ("C00/SC", seas[-1])]
    starts = [Start(info.power, UnitKind.ARMY, coasts[i]) for i, info in enumerate(powers)]
    starts += [
        Start(info.power, UnitKind.FLEET, sea) for info, sea in zip(powers, seas, strict=False)
    ]
    return Board(
        f"Ring of {count}",
        powers,
        tuple(provinces),
        (*walks, *pairwise(plains)),
        (*sails, *pairwise(seas)),
        tuple(starts),
        2 * count,
        year,
    )


def full_board() -> Board:
    """Return the largest board: 64 powers, and 512 provinces, one of which has eight coasts."""
    ring = ring_board(64)
    coasts = ("NC", "NE", "EC", "SE", "SC", "SW", "WC", "NW")
    more = [
        Province(f"X{i:03}", f"Field {i}", Terrain.COASTAL, () if i else coasts)
        for i in range(512 - len(ring.provinces))
    ]
    codes = [province.code for province in more]
    return replace(
        ring,
        name="Full",
        provinces=(*ring.provinces, *more),
        army_borders=(*ring.army_borders, ("L00", codes[0]), *pairwise(codes)),
        fleet_borders=(
            *ring.fleet_borders,
            *((place, "S00") for place in more[0].fleet_locations),
            *((code, "S01") for code in codes[1:]),
        ),
    )


BOARDS = [ring_board(2), ring_board(3, 1), ring_board(64), river_board()]


@pytest.fixture(params=BOARDS, ids=lambda board: board.name)
def board(request):
    return request.param


def choose_orders(game, rng):
    """Return an order for most units, by power, as text."""
    orders = {}
    for power in game.powers_to_order:
        listed = [rng.choice(texts) for texts in game.legal_orders(power).values()]
        orders[power] = [text for text in listed if rng.random() < 0.9]
    return orders


def play(board, phases):
    game, rng = judge.Game(board), random.Random(board.name)
    for _ in range(phases):
        for power, texts in choose_orders(game, rng).items():
            game.order(power, texts)
        game.adjudicate()
    return game


def test_a_game_is_played_explained_stored_and_put_into_words(board):
    game = play(board, 12)
    assert game.turns[0].phase == f"S{board.first_year}M"
    assert {turn.phase[-1] for turn in game.turns} >= {"M", "A"}
    for turn in game.turns:
        trees = explain(board, turn.position, turn.orders, game.rules, seed="")
        assert set(trees) >= {order.unit for order in turn.orders if str(order) != "WAIVE"}
        assert all(result.why for result in turn.values())
    stored = json.loads(json.dumps(game.to_json()))
    again = judge.Game.from_json(stored)
    assert (again.position, again.board, again.to_json()) == (game.position, board, stored)
    assert judge.parse_position(game.position.to_text(), board) == game.position
    assert str(game).count("\n") == len(board.powers)


def test_batches_and_the_protocol_agree_with_a_game(board):
    for turn in play(board, 8).turns:
        rows = batch.pack([turn.position], board)
        orders = batch.pack_orders([turn.position], [turn.orders], board)
        assert batch.unpack(batch.adjudicate(rows, orders, board=board).states, board) == [
            turn.resolution.next
        ]
        texts = {}
        for order in turn.orders:
            power = getattr(order, "power", None) or order.unit.power
            texts.setdefault(power, []).append(str(order))
        request = {**position_to_request(turn.position), "map": judge.Game(board).to_json()["map"]}
        replied = answer({**request, "orders": texts}, RecordBoards())
        assert replied["next"] == position_to_request(turn.resolution.next)


def test_it_is_drawn_and_mapped_as_text(board):
    game = play(board, 3)
    picture, text = str(game.picture()), game.map_text(400)
    assert all(f'data-province="{code}"' in picture for code in board.by_code)
    assert all(code in text for code in board.by_code)


def test_the_oracle_sees_the_same(board):
    compared = 0
    for turn in play(board, 10).turns:
        if turn.phase[-1] == "M":
            given = {order.unit: order for order in turn.orders}
            units = turn.position.units
            orders = [given.get(unit, judge.orders.Hold(unit)) for unit in units]
            try:
                assert differences(board, orders, judge.EDITIONS["2000"]) == []
            except TooLargeError:
                continue
            compared += 1
    assert compared


def test_the_largest_board_is_played_and_stored():
    board = full_board()
    game = judge.Game(board)
    rng = random.Random(1)
    for _ in range(3):
        for power in game.powers_to_order:
            game.order(power, [rng.choice(texts) for texts in game.legal_orders(power).values()])
        turn = game.adjudicate()
        rows = batch.pack([turn.position], board)
        orders = batch.pack_orders([turn.position], [turn.orders], board)
        after = batch.adjudicate(rows, orders, board=board).states
        assert batch.unpack(after, board) == [turn.resolution.next]
    assert judge.Game.from_json(json.loads(json.dumps(game.to_json()))).board == board
    fleet = judge.Game(board, position="S44M P63: F S00; P00: A X001").legal_orders("P63")["F S00"]
    assert sum(text.startswith("F S00 - X000/") for text in fleet) == 8


def test_builds_follow_the_homes_of_the_board():
    board = ring_board(3)
    text = "W44A P02: F S02; centers P00: C00, C01, L00; centers P01: L02"
    game = judge.Game(board, position=text)
    assert set(game.legal_orders("P00")) == {
        "A C00", "F C00/NC", "F C00/SC", "A C01", "F C01", "A L00", "WAIVE",
    }  # fmt: skip
    assert game.legal_orders("P01") == {}
    (problem,) = game.order("P00", "A L02 B")
    assert not problem.is_unread
    assert game.order("P00", ["F C00/NC B", "A L00 B"]) == ()
    assert [str(unit) for unit in game.adjudicate().resolution.next.units_of("P00")] == [
        "A L00",
        "F C00/NC",
    ]


@pytest.mark.parametrize("rules", judge.EDITIONS)
def test_civil_disorder_removes_units_of_a_power_without_a_home(rules):
    game = judge.Game(ring_board(3), rules, position="W44A P01: A L01, F S01; centers P00: C00")
    turn = game.adjudicate()
    assert turn.resolution.next.units_of("P01") == ()
    assert all(result.why for result in turn.values())
