"""One game with PettingZoo's parallel API: all powers order at once."""

from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import ParallelEnv

from diplomaccloud.environments.arrays import Ints, read_ints
from diplomaccloud.environments.settings import Settings
from diplomaccloud.environments.spaces import OneGame, make_box
from diplomaccloud.judge.checks import describe

Observation = dict[str, Any]
Answer = tuple[
    dict[str, Observation],
    dict[str, float],
    dict[str, bool],
    dict[str, bool],
    dict[str, dict[str, Any]],
]


class ParallelGame(ParallelEnv[str, Observation, Any]):
    """A game whose agents are the powers; eliminated powers leave it.

    An observation has the state's row and a mask of the choices in each province, which can be
    passed to `action_space(agent).sample(observation["action_mask"])`. An action has a choice for
    each province: 0 where the agent has nothing to order. `infos[agent]["orders"]` lists, by
    province, the orders behind the choices: province, code, target and goal.
    """

    metadata = {"name": "diplomaccloud_v1", "render_modes": ["ansi"]}
    render_mode = "ansi"

    def __init__(self, settings: Settings) -> None:
        self._game = game = OneGame(settings)
        self.possible_agents = list(game.powers)
        self.agents: list[str] = []
        size, most = len(game.games.provinces), settings.most_orders
        masks = spaces.Tuple([spaces.MultiBinary(most)] * size)
        self.observation_spaces = {
            agent: spaces.Dict(
                {"observation": make_box(game.games.states.shape[1]), "action_mask": masks}
            )
            for agent in self.possible_agents
        }
        self.action_spaces = {
            agent: spaces.MultiDiscrete([most] * size) for agent in self.possible_agents
        }

    def observation_space(self, agent: str) -> spaces.Space[Observation]:
        """Return the space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of an agent's actions."""
        return self.action_spaces[agent]

    def reset(
        self,
        seed: int | None = None,
        options: dict[str, Any] | None = None,  # noqa: ARG002 required by PettingZoo
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Start over; return the observations and the orders to choose from."""
        self._game.reset(seed)
        self.agents = list(self._game.living)
        return self._observe(self.agents), self._inform(self.agents)

    def step(self, actions: dict[str, Ints]) -> Answer:
        """Play a phase with an action for each of `agents`.

        Raises `TypeError` or `ValueError`, without playing anything, if an agent is missing or has
        left, or if a number is not a choice; the error names the agent or the first such number.
        """
        for agent in actions:
            if agent not in self.agents:
                raise ValueError(f"actions: {describe(agent)} is not one of {self.agents}")
        if not self.agents:
            return {}, {}, {}, {}, {}
        choices = np.zeros_like(self._game.games.lengths)
        for agent in self.agents:
            if agent not in actions:
                raise ValueError(f"actions: {agent} is missing")
            choices[0] += self._read_action(agent, actions[agent])
        were = self.agents
        rewards, terminated, truncated = self._game.play(choices)
        self.agents = list(self._game.living)
        return self._observe(were), rewards, terminated, truncated, self._inform(were)

    def render(self) -> str:
        """Return the position as text."""
        return self._game.describe()

    def close(self) -> None:
        """Do nothing: a game has no resources to release."""

    def state(self) -> Ints:
        """Return the row of the state, which all agents see."""
        return self._game.show_state()

    def _read_action(self, agent: str, action: object) -> Ints:
        lengths = self._game.find_lengths(agent)
        given = read_ints(f"actions[{agent!r}]", action, lengths.shape)
        wrong = np.flatnonzero((given < 0) | (given >= lengths))
        if not len(wrong):
            return given
        at = int(wrong[0])
        province, most = self._game.games.provinces[at], int(lengths[at]) - 1
        choices = f"{agent} has the choices 0 to {most}" if most else f"{agent} has only choice 0"
        raise ValueError(f"actions[{agent!r}][{at}]: in {province} {choices}, not {given[at]}")

    def _observe(self, agents: list[str]) -> dict[str, Observation]:
        row = self._game.show_state()
        most = np.arange(self._game.games.settings.most_orders)
        return {
            agent: {
                "observation": row.copy(),
                "action_mask": tuple(
                    (most < self._game.find_lengths(agent)[:, None]).astype(np.int8)
                ),
            }
            for agent in agents
        }

    def _inform(self, agents: list[str]) -> dict[str, dict[str, Any]]:
        return {agent: {"orders": self._game.find_orders(agent)} for agent in agents}
