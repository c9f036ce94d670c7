"""One game with PettingZoo's two APIs: all powers order at once, or each step orders one unit."""

from collections import deque
from operator import index
from typing import Any, Final

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv, ParallelEnv

from diplomaccloud.environments.vector import Flags, Ints, VectorEnv, read_ints
from diplomaccloud.judge.checks import describe
from diplomaccloud.judge.kernel.core.codes import PHASE
from diplomaccloud.judge.kernel.layout import ADJUSTMENT_PHASES, unpack_state

LIMITS: Final = np.iinfo(np.int32)


Observation = dict[str, Any]
StepAnswer = tuple[
    dict[str, Observation],
    dict[str, float],
    dict[str, bool],
    dict[str, bool],
    dict[str, dict[str, Any]],
]


class _OneGame:
    """One game, whose agents are the powers that are still playing; takes the keywords of games.

    When the game has ended, `_final` is its last state.
    """

    render_mode = "ansi"

    def __init__(self, **settings: Any) -> None:
        self._games = VectorEnv(1, **settings)
        self._powers = self._games.powers
        self._living: list[str] = []
        self._final: Ints | None = None
        self.possible_agents = list(self._powers)
        self.agents: list[str] = []
        self.observation_spaces: dict[str, spaces.Space[Observation]] = {}
        self.action_spaces: dict[str, spaces.Space[Any]] = {}

    def _start(self, seed: int | None) -> None:
        self._games.reset(seed)
        self._final = None
        self._living = self._find_living(self._games.centers, self._games.units)

    def _play_phase(
        self, choices: Ints
    ) -> tuple[dict[str, float], dict[str, bool], dict[str, bool]]:
        """Play a phase; return the rewards, terminations and truncations of the living powers.

        Eliminated powers count as living until the next phase.
        """
        _states, rewards, won, late, more = self._games.step(choices)
        alive = self._find_living(more["centers"], more["units"])
        over, ended = bool(won[0]), bool(won[0] or late[0])
        if ended:
            self._final = more["final"][0].copy()
        paid = {name: float(rewards[0, self._powers.index(name)]) for name in self._living}
        terminated = {name: over or name not in alive for name in self._living}
        truncated = {name: ended and not terminated[name] for name in self._living}
        self._living = [] if ended else alive
        return paid, terminated, truncated

    def state(self) -> Ints:
        """Return the row of the state, which all agents see; the last one if the game has ended."""
        return self._games.states[0].copy() if self._final is None else self._final.copy()

    def _find_lengths(self, name: str) -> Ints:
        """Return how many choices a power has in each province; 1 where it has only choice 0."""
        mine = self._games.actors[0] == self._powers.index(name)
        if self._final is not None:
            mine = np.zeros_like(mine)
        return np.where(mine, self._games.lengths[0], 1).astype(np.int32)

    def _find_orders(self, name: str) -> Ints:
        """Return the orders in a power's lists: province, code, target, goal."""
        rows = self._games.orders
        mine: Flags = self._games.actors[0, rows[:, 0]] == self._powers.index(name)
        return rows[mine & (self._final is None)]

    def _find_living(self, centers: Ints, units: Ints) -> list[str]:
        alive = (centers[0] > 0) | (units[0] > 0)
        return [name for name, lives in zip(self._powers, alive, strict=True) if lives]

    def observation_space(self, agent: str) -> spaces.Space[Observation]:
        """Return the space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of an agent's actions."""
        return self.action_spaces[agent]

    def render(self) -> str:
        """Return the position as text."""
        row: Any = self.state()
        return unpack_state(self._games.board, row).to_text()

    def close(self) -> None:
        """Do nothing: a game has no resources to release."""


class ParallelGame(_OneGame, ParallelEnv[str, Observation, Any]):
    """A game whose agents are the powers; eliminated powers leave it.

    An observation has the state's row and a mask of the choices in each province, which can be
    passed to `action_space(agent).sample(observation["action_mask"])`. An action has a choice for
    each province: 0 where the agent has nothing to order. `infos[agent]["orders"]` lists, by
    province, the orders behind the choices: province, code, target and goal.
    """

    metadata = {"name": "diplomaccloud_v1", "render_modes": ["ansi"]}

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        games = self._games
        size, most = len(games.provinces), games.settings.most_orders
        masks = spaces.Tuple([spaces.MultiBinary(most)] * size)
        for agent in self.possible_agents:
            row = spaces.Box(LIMITS.min, LIMITS.max, (games.states.shape[1],), np.int32)
            self.observation_spaces[agent] = spaces.Dict({"observation": row, "action_mask": masks})
            self.action_spaces[agent] = spaces.MultiDiscrete([most] * size)

    def reset(
        self,
        seed: int | None = None,
        options: dict[str, Any] | None = None,  # noqa: ARG002 required by PettingZoo
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Start over; return the observations and the orders to choose from."""
        self._start(seed)
        self.agents = list(self._living)
        return self._observe(self.agents), self._inform(self.agents)

    def step(self, actions: dict[str, Ints]) -> StepAnswer:
        """Play a phase with an action for each of `agents`.

        Raises `TypeError` or `ValueError`, without playing anything, if an agent is missing or has
        left, or if a number is not a choice; the error names the agent or the first such number.
        """
        for agent in actions:
            if agent not in self.agents:
                raise ValueError(f"actions: {describe(agent)} is not one of {self.agents}")
        if not self.agents:
            return {}, {}, {}, {}, {}
        choices = np.zeros_like(self._games.lengths)
        for agent in self.agents:
            if agent not in actions:
                raise ValueError(f"actions: {agent} is missing")
            choices[0] += self._read_action(agent, actions[agent])
        were = self.agents
        rewards, terminated, truncated = self._play_phase(choices)
        self.agents = list(self._living)
        return self._observe(were), rewards, terminated, truncated, self._inform(were)

    def _read_action(self, agent: str, action: object) -> Ints:
        lengths = self._find_lengths(agent)
        given = read_ints(f"actions[{agent!r}]", action, lengths.shape)
        wrong = np.flatnonzero((given < 0) | (given >= lengths))
        if not len(wrong):
            return given
        at = int(wrong[0])
        province, most = self._games.provinces[at], int(lengths[at]) - 1
        choices = f"{agent} has the choices 0 to {most}" if most else f"{agent} has only choice 0"
        raise ValueError(f"actions[{agent!r}][{at}]: in {province} {choices}, not {given[at]}")

    def _observe(self, agents: list[str]) -> dict[str, Observation]:
        row = self.state()
        most = np.arange(self._games.settings.most_orders)
        return {
            agent: {
                "observation": row.copy(),
                "action_mask": tuple((most < self._find_lengths(agent)[:, None]).astype(np.int8)),
            }
            for agent in agents
        }

    def _inform(self, agents: list[str]) -> dict[str, dict[str, Any]]:
        return {agent: {"orders": self._find_orders(agent)} for agent in agents}


OPEN = -1
"""The code of an order that an agent has not given yet."""


class UnitGame(_OneGame, AECEnv[str, Observation, Any]):
    """A game whose agents are the powers, which order one unit at a time; eliminated ones leave.

    Powers go in numerical order, and each orders its units by province. No agent sees what the
    others have ordered in this phase, which is played when all have ordered. In winter, a power
    is asked about its home centers only while it may still build, and about its units only while
    it must still disband some, so it cannot give too many orders or too few disbands.

    An observation has the state's row, then a row with the agent's own orders so far (code -1 for
    none), then the province to order in, or -1. The mask has the choices there, and
    `infos[agent]["orders"]` their code, target and goal.
    """

    metadata = {
        "name": "diplomaccloud_units_v1",
        "render_modes": ["ansi"],
        "is_parallelizable": False,
    }

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        games = self._games
        self._size, self._most = len(games.provinces), games.settings.most_orders
        length = games.states.shape[1] + 3 * self._size + 1
        for agent in self.possible_agents:
            row = spaces.Box(LIMITS.min, LIMITS.max, (length,), np.int32)
            mask = spaces.MultiBinary(self._most)
            self.observation_spaces[agent] = spaces.Dict({"observation": row, "action_mask": mask})
            self.action_spaces[agent] = spaces.Discrete(self._most)

    def reset(
        self,
        seed: int | None = None,
        options: dict[str, Any] | None = None,  # noqa: ARG002 required by PettingZoo
    ) -> None:
        """Start over."""
        self._start(seed)
        self.agents = list(self._living)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._skip_agent_selection = None  # type: ignore[assignment] # as PettingZoo itself does
        self.agent_selection = self.agents[0]
        self._open_phase()
        self._ask()

    def step(self, action: int | None) -> None:
        """Order the current unit; pass `None` for an agent that has been eliminated or is done.

        Raises `TypeError` or `ValueError`, without changing anything, if `action` is not a choice.
        """
        if not self.agents:
            return
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        number = self._read_action(action)
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self._give_order(number)
        while not self._turns and self._final is None:
            paid, terminated, truncated = self._play_phase(self._choices)
            for name, reward in paid.items():
                self.rewards[name] += reward
            self.terminations.update(terminated)
            self.truncations.update(truncated)
            if self._final is None:
                self._open_phase()
        self._ask()
        self._accumulate_rewards()
        self._deads_step_first()

    def observe(self, agent: str) -> Observation:
        """Return an agent's observation."""
        asked = bool(self._turns) and self._powers[self._turns[0][0]] == agent
        province = self._turns[0][1] if asked else -1
        row = np.concatenate(
            [self.state(), self._orders[agent].reshape(-1), [province]], dtype=np.int32
        )
        mask = np.zeros(self._most, np.int8)
        mask[slice(*self._find_limits()) if asked else 0] = 1
        return {"observation": row, "action_mask": mask}

    def list_texts(self) -> list[str]:
        """Return the choices of the current unit as text."""
        return self._games.list_texts(0, self._turns[0][1]) if self._turns else []

    def _open_phase(self) -> None:
        games = self._games
        actors = games.actors[0]
        asked = [(int(power), int(province)) for province, power in enumerate(actors) if power >= 0]
        self._turns = deque(sorted(asked))
        self._choices = np.zeros_like(games.lengths)
        shape = 3, self._size
        self._orders = {agent: np.full(shape, OPEN, np.int32) for agent in self._powers}
        is_winter = games.states[0, PHASE] in ADJUSTMENT_PHASES
        self._owed = games.find_owed(0) if is_winter else []

    def _find_limits(self) -> tuple[int, int]:
        """Return the first choice of the current unit, and the end of its choices."""
        power, province = self._turns[0]
        length = int(self._games.lengths[0, province])
        if not self._owed or self._owed[power] > 0:
            return 0, length
        waiting = sum(actor == power for actor, _ in self._turns)
        return int(waiting <= -self._owed[power]), length

    def _read_action(self, action: object) -> int:
        province = self._games.provinces[self._turns[0][1]]
        try:
            number = index(action)  # type: ignore[arg-type] # checked here
        except TypeError as error:
            raise TypeError(f"action: expected a whole number, not {describe(action)}") from error
        least, most = self._find_limits()
        if isinstance(action, bool) or not least <= number < most:
            raise ValueError(
                f"action: in {province} {self.agent_selection} has the choices {least} to "
                f"{most - 1}, not {describe(action)}"
            )
        return number

    def _give_order(self, number: int) -> None:
        power, province = self._turns.popleft()
        games = self._games
        self._choices[0, province] = number
        row = games.orders[games.firsts[0, province] + number]
        self._orders[self._powers[power]][:, province] = row[1:]
        if self._owed and number:
            self._owed[power] += 1 if self._owed[power] < 0 else -1
        if self._owed and not self._owed[power]:
            self._turns = deque(turn for turn in self._turns if turn[0] != power)

    def _ask(self) -> None:
        self.infos: dict[str, dict[str, Any]] = {
            agent: {"orders": np.zeros((0, 3), np.int32)} for agent in self.agents
        }
        if not self._turns:
            return
        power, province = self._turns[0]
        self.agent_selection = self._powers[power]
        games = self._games
        first = games.firsts[0, province]
        rows = games.orders[first : first + games.lengths[0, province], 1:]
        self.infos[self.agent_selection] = {"orders": rows}
