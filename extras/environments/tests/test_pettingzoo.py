"""One game in PettingZoo's forms: its own tests hold, and every choice is what the judge allows."""

import re
import warnings
from functools import cache
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from judge.tests.effort import examples
from pettingzoo.test import api_test, parallel_api_test, seed_test

from diplomaccloud import environments, judge
from diplomaccloud.atlas.generator.pipeline import make_chart
from diplomaccloud.judge import batch
from diplomaccloud.judge.kernel.core.codes import PHASE
from diplomaccloud.judge.orders import Build, Disband, Waive
from diplomaccloud.judge.phases import Stage

SEEDS = st.integers(0, 2**32 - 1)
HINTS = re.compile(
    "Observation space for each agent|We recommend agents|Observation is not a NumPy array"
)
"""What PettingZoo's tests say of every environment with masks, and of agents with names."""


@cache
def settings_called(name: str) -> dict:
    if name == "standard":
        return {"last_year": 1903}
    board = make_chart("environments", 3).board
    return {"board": board, "last_year": 1915, "reward": "centers"}


each_setting = pytest.mark.parametrize("name", ["standard", "generated"])


def run_quietly(test, *arguments, **options):
    """Run one of PettingZoo's tests; fail if it warns of anything but the `HINTS`."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        test(*arguments, **options)
    assert not [str(each.message) for each in caught if not HINTS.match(str(each.message))]


@each_setting
def test_the_parallel_form_passes_pettingzoos_test(name):
    run_quietly(parallel_api_test, environments.parallel_env(**settings_called(name)), 100)


@each_setting
def test_the_form_with_turns_passes_pettingzoos_test(name):
    run_quietly(api_test, environments.env(**settings_called(name)), 500)


@each_setting
def test_equal_seeds_play_equal_games(name):
    settings = settings_called(name)
    run_quietly(seed_test, lambda: environments.env(**settings), num_cycles=100)
    played = []
    for seed in (1, 1, 2):  # PettingZoo's own test would choose orders that are not legal
        env = environments.parallel_env(**settings)
        observations, _ = env.reset(seed=seed)
        for agent in env.possible_agents:
            env.action_space(agent).seed(seed)
        rows = []
        for _ in range(10):
            observations, *_ = env.step(sample_actions(env, observations))
            rows.append(env.state())
        played.append(np.stack(rows))
    assert np.array_equal(played[0], played[1])
    assert not np.array_equal(played[0], played[2])


def sample_actions(env, observations):
    return {
        agent: env.action_space(agent).sample(observations[agent]["action_mask"])
        for agent in env.agents
    }


@each_setting
def test_agents_leave_when_they_are_eliminated_and_all_when_the_game_ends(name):
    env = environments.parallel_env(**settings_called(name))
    observations, _ = env.reset(seed=1)
    assert env.agents == env.possible_agents
    for agent in env.possible_agents:
        env.action_space(agent).seed(1)
    while env.agents:
        were = list(env.agents)
        observations, _rewards, terminated, truncated, infos = env.step(
            sample_actions(env, observations)
        )
        position = batch.unpack(env.state(), env._games.board)[0]
        dislodged = [entry.unit for entry in position.dislodged]
        alive = {unit.power for unit in [*position.units, *dislodged]}
        alive |= set(position.centers.values())
        assert set(observations) == set(infos) == set(were)
        if env.agents:
            assert set(env.agents) == alive & set(were)
            assert {agent for agent in were if terminated[agent]} == set(were) - alive
            assert not any(truncated.values())
        else:
            assert all(terminated[agent] or truncated[agent] for agent in were)
    assert env.step({}) == ({}, {}, {}, {}, {})
    env.reset(seed=1)
    assert env.agents == env.possible_agents


@examples(20)
@given(SEEDS)
def test_masks_of_the_parallel_form_are_the_legal_orders(seed):
    env = environments.parallel_env(**settings_called("generated"))
    board = env._games.board
    observations, infos = env.reset(seed=seed)
    for agent in env.possible_agents:
        env.action_space(agent).seed(seed)
    for _ in range(12):
        if not env.agents:
            return
        position = batch.unpack(env.state(), board)[0]
        for agent in env.agents:
            legal = [
                order
                for order in judge.legal_orders(board, position, judge.Power(agent))
                if not isinstance(order, Waive)
            ]
            rows = infos[agent]["orders"]
            given_rows = rows[rows[:, 1] > 0] if env.state()[PHASE] == 4 else rows
            assert len(given_rows) == len(legal)
            choices = sum(int(mask.sum()) for mask in observations[agent]["action_mask"])
            assert choices - (len(board.provinces) - len(set(rows[:, 0]))) == len(rows)
        observations, *_, infos = env.step(sample_actions(env, observations))


@pytest.mark.parametrize(
    ("change", "error", "words"),
    [
        (lambda a: a.pop("ITALY"), ValueError, "actions: ITALY is missing"),
        (lambda a: a.update(SPAIN=a["ITALY"]), ValueError, "actions: SPAIN is not one of"),
        (lambda a: a.update(ITALY=None), TypeError, r"actions\['ITALY'\]: expected an array"),
        (
            lambda a: a.update(ITALY=a["ITALY"][1:]),
            ValueError,
            r"actions\['ITALY'\]: expected the s",
        ),
        (
            lambda a: a["ITALY"].__setitem__(6, 1),
            ValueError,
            r"actions\['ITALY'\]\[6\]: in PAR ITALY has only choice 0, not 1",
        ),
        (
            lambda a: a["FRANCE"].__setitem__(6, 99),
            ValueError,
            r"actions\['FRANCE'\]\[6\]: in PAR FRANCE has the choices 0 to \d+, not 99",
        ),
    ],
)
def test_a_wrong_action_is_named_and_changes_nothing(change, error, words):
    env = environments.parallel_env()
    env.reset(seed=1)
    actions = {agent: np.zeros(75, np.int64) for agent in env.agents}
    before = env.state()
    change(actions)
    with pytest.raises(error, match=words):
        env.step(actions)
    assert np.array_equal(env.state(), before)


def play_turns(env, seed, watch):
    """Play a game of turns at random; `watch` gets what happened before each choice."""
    env.reset(seed=seed)
    rng = np.random.default_rng(seed)
    for agent in env.agent_iter(5000):
        observation, _reward, terminated, truncated, _info = env.last()
        if terminated or truncated:
            env.step(None)
            continue
        choices = np.flatnonzero(observation["action_mask"])
        choice = int(rng.choice(choices))
        watch(agent, observation, choice)
        env.step(choice)


@each_setting
def test_units_are_ordered_one_by_one_until_the_judge_decides(name):
    env = environments.env(**settings_called(name))
    board = env._games.board
    width = env._games.states.shape[1]
    phases = {}

    def watch(agent, observation, choice):
        row = observation["observation"]
        key = row[:width].tobytes()
        text = env.list_texts()[choice]
        phases.setdefault(key, []).append((agent, board.provinces[row[-1]].code, text))

    play_turns(env, 3, watch)
    keys = list(phases)
    for key, following in pairwise(keys):
        position = batch.unpack(np.frombuffer(key, np.int32), board)[0]
        orders = [
            judge.parse_order(text, board, position, judge.Power(agent))
            for agent, _, text in phases[key]
            if text != "-"
        ]
        asked = [(agent, code) for agent, code, _ in phases[key]]
        assert len(asked) == len(set(asked))
        decided = judge.adjudicate(board, position, orders)
        if position.phase.stage is Stage.ADJUSTMENTS:
            given_orders = {str(order) for order in orders}
            done = [
                result.order
                for result in decided.results
                if isinstance(result.order, Build | Disband) and not result.implicit
            ]
            assert {str(order) for order in done} == given_orders
        wanted = decided.next
        while not judge.legal_orders(board, wanted):
            wanted = judge.adjudicate(board, wanted, []).next
        assert wanted == batch.unpack(np.frombuffer(following, np.int32), board)[0]


def test_nobody_sees_what_others_order():
    env = environments.env()
    env.reset(seed=1)
    first = env.agent_selection
    unseen = {agent: env.observe(agent) for agent in env.agents}
    env.step(1)
    assert env.agent_selection == first
    for agent in env.agents:
        same = np.array_equal(env.observe(agent)["observation"], unseen[agent]["observation"])
        assert same == (agent != first)
    assert env.observe(env.agents[-1])["action_mask"].sum() == 1


@pytest.mark.parametrize(
    ("action", "error", "words"),
    [
        (99, ValueError, r"action: in \w+ AUSTRIA has the choices 0 to \d+, not 99"),
        (-1, ValueError, r"action: in \w+ AUSTRIA has the choices 0 to \d+, not -1"),
        (None, TypeError, "action: expected a whole number, not None"),
        (1.0, TypeError, "action: expected a whole number, not 1.0"),
        (True, ValueError, "not True"),
    ],
)
def test_a_wrong_choice_of_a_unit_is_named(action, error, words):
    env = environments.env()
    env.reset(seed=1)
    with pytest.raises(error, match=words):
        env.step(action)
    env.step(np.int32(1))
