"""Many games at once: the choices are the judge's legal orders, and steps what it decides."""

import subprocess
import sys
from array import array
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from judge.tests.effort import examples

from diplomaccloud import judge
from diplomaccloud.atlas.generator.pipeline import make_chart
from diplomaccloud.bots.policy import choose_orders
from diplomaccloud.environments import Reward, VectorEnv
from diplomaccloud.judge import batch
from diplomaccloud.judge.board import Board
from diplomaccloud.judge.kernel.core.codes import PHASE, WINNER, YEAR
from diplomaccloud.judge.kernel.layout import read_order
from diplomaccloud.judge.kernel.table import table_of
from diplomaccloud.judge.orders import Waive
from diplomaccloud.judge.rules import EDITIONS, RuleSet
from diplomaccloud.judge.version import tell_install

SEEDS = st.integers(0, 2**32 - 1)
BOARDS = st.sampled_from(["standard", "two powers", "nine powers"])
GAMES = 4


@cache
def board_called(name: str) -> Board:
    if name == "standard":
        return judge.standard_board()
    return make_chart("environments", 2 if name == "two powers" else 9).board


def play_on(env: VectorEnv, seed: int) -> None:
    """Bring each game to a random position of the first years."""
    rng = np.random.default_rng(seed)
    env.reset(seed)
    for _ in range(int(rng.integers(0, 30))):
        if rng.random() < 0.5:
            env.step_orders(env.order_as_dumbbot())
        else:
            env.step(env.sample())


def positions_of(env: VectorEnv):
    return batch.unpack(env.states, env.board)


@pytest.mark.long
@examples(60)
@given(BOARDS, SEEDS)
def test_choices_are_the_legal_orders(name, seed):
    env = VectorEnv(GAMES, board=board_called(name), most_orders=2000)
    play_on(env, seed)
    for game, position in enumerate(positions_of(env)):
        wanted = {}
        for order in judge.legal_orders(env.board, position):
            if not isinstance(order, Waive):
                wanted.setdefault(order.unit.province, set()).add(str(order))
        for here, code in enumerate(env.provinces):
            texts = env.list_texts(game, here)
            mask = env.masks[game, here]
            assert mask.sum() == max(1, len(texts))
            assert mask[: len(texts)].all()
            if not texts:
                assert env.actors[game, here] == -1
            assert set(texts) - {"-"} == wanted.pop(code, set())
            assert len(texts) == len(set(texts))
        assert not wanted
    assert env.cut == 0


@examples(60)
@given(BOARDS, SEEDS)
def test_actors_are_the_powers_that_order(name, seed):
    env = VectorEnv(GAMES, board=board_called(name))
    play_on(env, seed)
    for game, position in enumerate(positions_of(env)):
        for power in env.board.power_info:
            legal = judge.legal_orders(env.board, position, power)
            provinces = {order.unit.province for order in legal if not isinstance(order, Waive)}
            number = env.powers.index(power)
            mine = np.flatnonzero(env.actors[game] == number)
            assert {env.provinces[here] for here in mine} == provinces
            assert env.centers[game, number] == len(position.centers_of(power))
            dislodged = [entry.unit for entry in position.dislodged]
            units = [unit for unit in [*position.units, *dislodged] if unit.power == power]
            assert env.units[game, number] == len(units)


@examples(80)
@given(BOARDS, SEEDS)
def test_a_step_is_what_the_judge_decides(name, seed):
    env = VectorEnv(GAMES, board=board_called(name), last_year=1906)
    play_on(env, seed)
    table, before = table_of(env.board), positions_of(env)
    states, choices = env.states.tolist(), env.sample()
    chosen = []
    for game, state in enumerate(states):
        rows = [
            env.orders[env.firsts[game, here] + choices[game, here]].tolist()
            for here in np.flatnonzero(env.lengths[game])
        ]
        done = [row for row in rows if state[PHASE] != 4 or row[1]]
        chosen.append([read_order(table, state, *row[1:], row[0]) for row in done])
    after, _rewards, won, late, more = env.step(choices)
    for game, position in enumerate(before):
        decided = judge.adjudicate(env.board, position, chosen[game])
        ended = won[game] or late[game]
        row = array("i", (more["final"] if ended else after)[game].tolist())
        assert batch.unpack(row, env.board)[0] == decided.next
        assert won[game] == (decided.ending is not None)
        assert late[game] == (not won[game] and decided.next.phase.year > 1906)
        if ended:
            assert batch.unpack(after, env.board)[game] == judge.starting_position(env.board)


def test_orders_as_rows_are_adjudicated_as_in_a_batch():
    env = VectorEnv(3, last_year=1950)
    env.reset(7)
    for _ in range(40):
        orders = env.order_as_dumbbot()
        wanted = batch.adjudicate(env.states, orders).states
        states, _rewards, won, _late, more = env.step_orders(orders)
        rows = np.where(won[:, None], more["final"], states)
        assert np.array_equal(rows.reshape(-1), wanted)


def test_dumbbot_is_that_of_the_bots():
    env = VectorEnv(2)
    env.reset(7)
    seeds = np.random.default_rng(7).integers(0, 1 << 64, (2, 7), np.uint64)
    wanted = choose_orders(env.board, array("i", env.states.reshape(-1)), seeds.reshape(-1))
    assert array("i", env.order_as_dumbbot().reshape(-1)) == wanted


@pytest.mark.parametrize("name", ["standard", "two powers"])
def test_equal_seeds_play_equal_games(name):
    played = []
    for seed in (3, 3, 4):
        env = VectorEnv(GAMES, board=board_called(name))
        rows = [env.reset(seed)[0].copy()]
        for _ in range(25):
            rows.append(env.step(env.sample())[0].copy())
            rows.append(env.step_orders(env.order_as_dumbbot())[0].copy())
        played.append(np.stack(rows))
    assert np.array_equal(played[0], played[1])
    assert not np.array_equal(played[0], played[2])


def test_scores_are_one_in_all_and_paid_at_the_end():
    env = VectorEnv(8, board=board_called("two powers"), last_year=1920)
    env.reset(1)
    wins = 0
    for _ in range(200):
        _states, rewards, won, late, more = env.step_orders(env.order_as_dumbbot())
        assert np.allclose(rewards.sum(axis=1), won | late)
        for game in np.flatnonzero(won):
            assert rewards[game, more["final"][game, WINNER]] == 1
        for game in np.flatnonzero(late):
            squares = more["centers"][game].astype(float) ** 2
            assert np.allclose(rewards[game], squares / squares.sum())
            assert more["final"][game, YEAR] == 1921
        wins += won.sum()
    assert wins


def test_centers_gained_are_paid_in_every_phase():
    env = VectorEnv(4, reward=Reward.CENTERS, last_year=1904)
    env.reset(1)
    paid, before = np.zeros((4, 7)), env.centers.copy()
    for _ in range(60):
        _states, rewards, won, late, more = env.step(env.sample())
        paid += rewards
        assert np.array_equal(paid, more["centers"] - before)
        paid[won | late] = 0
        before = np.where((won | late)[:, None], env.centers, before)


def test_long_lists_are_cut_and_counted():
    env = VectorEnv(GAMES, most_orders=3)
    whole = VectorEnv(GAMES)
    env.reset(1)
    whole.reset(1, states=env.states)
    assert env.lengths.max() == 3
    assert env.masks.shape == (GAMES, 75, 3)
    assert env.cut == (whole.lengths > 3).sum()
    assert np.array_equal(env.lengths, np.minimum(whole.lengths, 3))
    assert env.list_texts(0, 5) == whole.list_texts(0, 5)[:3]
    for _ in range(20):
        env.step(env.sample())


def test_games_begin_where_one_says():
    game = judge.Game(position="S1901M FRANCE: A PAR, A MAR; GERMANY: A BUR")
    game.order("FRANCE", "A PAR - BUR; A MAR S A PAR - BUR")
    game.adjudicate()
    env = VectorEnv(2)
    states, _more = env.reset(states=np.tile(np.array(batch.pack([game.position])), (2, 1)))
    here = env.provinces.index("BUR")
    assert states[1, PHASE] == 1
    assert env.lengths[1].sum() == env.lengths[1, here]
    assert set(env.list_texts(1, here)) >= {"A BUR D", "A BUR R MUN"}
    assert env.list_texts(1, here)[0] == "A BUR D"


@pytest.mark.parametrize(
    ("choices", "error", "words"),
    [
        (None, TypeError, "choices: expected an array of integers, not None"),
        ("AAA", TypeError, "choices: expected an array of integers, not AAA"),
        (
            np.zeros((2, 75)),
            TypeError,
            "choices: expected an array of integers, not an array of f",
        ),
        (np.zeros((2, 75), bool), TypeError, "not an array of bool"),
        ([[0] * 75, [0]], TypeError, "choices: expected an array of integers with rows of equal"),
        (np.zeros((2, 74), int), ValueError, r"choices: expected the shape \(2, 75\), not \(2, 7"),
        (np.zeros(150, int), ValueError, r"choices: expected the shape"),
    ],
)
def test_wrong_arrays_are_refused(choices, error, words):
    env = VectorEnv(2)
    before = env.states.copy()
    with pytest.raises(error, match=words):
        env.step(choices)
    assert np.array_equal(env.states, before)


@pytest.mark.parametrize(
    ("province", "choice", "words"),
    [
        ("PAR", 99, r"choices\[1, \d+\]: PAR has the choices 0 to \d+, not 99"),
        ("PAR", -1, r"choices\[1, \d+\]: PAR has the choices 0 to \d+, not -1"),
        ("BUR", 1, r"choices\[1, \d+\]: nobody chooses in BUR, so it must be 0, not 1"),
        ("PAR", 2**40, r"choices\[1, \d+\]: 1099511627776 does not fit into 32 bits"),
    ],
)
def test_a_wrong_choice_is_named(province, choice, words):
    env = VectorEnv(2)
    choices = np.zeros((2, 75), np.int64)
    choices[1, env.provinces.index(province)] = choice
    before = env.states.copy()
    with pytest.raises(ValueError, match=words):
        env.step(choices)
    assert np.array_equal(env.states, before)


@pytest.mark.parametrize("kind", [np.int8, np.uint8, np.int16, np.uint32, np.int64])
def test_any_whole_numbers_are_choices(kind):
    env = VectorEnv(2)
    env.reset(1)
    choices = env.sample()
    wanted = env.find_orders(choices).copy()
    assert np.array_equal(env.find_orders(choices.astype(kind)), wanted)
    assert np.array_equal(env.find_orders(np.asfortranarray(choices)), wanted)
    assert np.array_equal(env.find_orders(choices.tolist()), wanted)


@pytest.mark.parametrize(
    ("settings", "error", "words"),
    [
        ({"count": 0}, ValueError, "count: expected a number from 1"),
        ({"count": 1.5}, TypeError, "count: expected a whole number"),
        ({"board": "europe"}, TypeError, "board: expected a Board"),
        ({"last_year": 1900}, ValueError, "last_year: expected a number from 1901"),
        ({"most_orders": -1}, ValueError, "most_orders: expected a number from 1"),
        ({"reward": "glory"}, ValueError, "reward: expected one of score, centers, not 'glory'"),
        ({"rules": "2000"}, TypeError, "rules: expected a RuleSet"),
        ({"rules": RuleSet(convoy_path="required")}, batch.UnsupportedRulesError, "convoy_path"),
        ({"nonsense": 1}, TypeError, "nonsense"),
    ],
)
def test_wrong_settings_are_named(settings, error, words):
    with pytest.raises(error, match=words):
        VectorEnv(**{"count": 1, **settings})


def test_states_that_are_no_positions_are_refused():
    env = VectorEnv(3)
    env.reset(1)
    states = env.states.copy()
    states[2, PHASE] = 9
    with pytest.raises(ValueError, match="state 2"):
        env.reset(states=states)
    with pytest.raises(ValueError, match="states: expected the shape"):
        env.reset(states=states[:2])
    env.step(env.sample())


@pytest.mark.parametrize("edition", ["1971", "diplomacy package"])
def test_rules_decide_steps(edition):
    rules = EDITIONS[edition]
    env = VectorEnv(4, rules=rules)
    env.reset(5)
    for _ in range(30):
        orders = env.find_orders(env.sample()).copy()
        wanted = batch.adjudicate(env.states, orders, rules).states
        states, _rewards, won, late, more = env.step_orders(orders)
        rows = np.where((won | late)[:, None], more["final"], states)
        assert np.array_equal(rows.reshape(-1), wanted)


def test_lots_are_drawn_from_the_seed_of_the_reset():
    winter = judge.parse_position("W1901A ITALY: A TUN, A GRE, F NAF; centers ITALY: ROM VEN")
    env = VectorEnv(30, rules=EDITIONS["2009"])
    rows = np.frombuffer(batch.pack([winter] * 30), np.int32).reshape(env.states.shape)
    played = []
    for seed in (1, 1, 2):
        env.reset(seed, rows)
        played.append(env.step(np.zeros_like(env.lengths))[0].copy())
    assert np.array_equal(played[0], played[1])
    assert not np.array_equal(played[0], played[2])
    assert len(np.unique(played[0], axis=0)) == 3


def test_games_at_once_need_neither_django_nor_pettingzoo():
    program = """
import sys
for name in ("django", "pettingzoo", "gymnasium", "scipy", "shapely"):
    sys.modules[name] = None
from diplomaccloud import environments
environments.VectorEnv(2).reset(1)
try:
    environments.parallel_env()
except ImportError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert tell_install("gym") in done.stdout, done.stderr


def test_without_numpy_a_sentence_says_what_to_install():
    program = "import sys; sys.modules['numpy'] = None; import diplomaccloud.environments"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert f"environments need NumPy; in a checkout: {tell_install('gym')}" in done.stderr
