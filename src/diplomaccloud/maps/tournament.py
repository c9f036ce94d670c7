"""A tournament of placements: test games find the most even homes and centers.

Measurements of the boards choose a few of many placements, and games of the greedy bot choose some
of those. A strong bot plays on them, because what is even for the greedy bot need not be even for
good players. Hill climbing follows: the best placements are changed slightly where their powers do
unequally well, and a change that does better in games of the strong bot replaces them. The search
also selects for luck, so certificates are measured afterward in new games.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from diplomaccloud.atlas.generator.mesh import Floats
from diplomaccloud.atlas.generator.placement_candidates import Placement, PlacementCandidates
from diplomaccloud.bots.kernel import SLOW_KERNEL
from diplomaccloud.bots.pinned import GREEDY
from diplomaccloud.bots.standings import estimate_chance, measure_spread
from diplomaccloud.judge.board import Board
from diplomaccloud.maps.measurement import plan_measurement, play_series

Games = list[list[float]]
"""The shares of the powers in each game, in board order."""

Play = Callable[[Board, int, str], Games]
"""Plays a number of games on a board, with the text as random seed."""

_MAX_CHANGES = 3
"""How many changes a new placement may be away from the best one."""

_CHANGE_VARIANCE = 0.004
"""How much a change adds on average to the square of the spread, beyond the prediction."""


@dataclass(frozen=True, slots=True)
class Budget:
    """How many placements play how many games.

    Of the `candidates`, taken from all lands in turn, the `entrants` with boards nearest the
    targets play `quick_games` of the greedy bot each. On the best `finalists`, the strong bot plays
    `first_games` each, and the best `leaders` of them are improved in `rounds` of changes: in each,
    `changes` new placements play `first_games`, the best of them plays `extra_games`, and the
    leader plays another `first_games`. A leader whose spread is at most `target_spread` stays.

    Few games make some placements look more even than they are. So what looks best plays more: the
    leaders at least `leader_games`, and the winner at least `sure_games`.
    """

    candidates: int = 64
    entrants: int = 16
    quick_games: int = 50
    finalists: int = 8
    first_games: int = 12
    leaders: int = 2
    rounds: int = 2
    changes: int = 3
    extra_games: int = 16
    leader_games: int = 24
    sure_games: int = 48
    target_spread: float = 0.15


@dataclass
class Entrant:
    """A placement on a land and the games played on it."""

    space: PlacementCandidates
    placement: Placement
    board: Board
    games: Games = field(default_factory=list)

    @property
    def unevenness(self) -> float:
        """The square of the spread minus the average effect of chance; may be below 0."""
        return measure_spread(self.games) ** 2 - estimate_chance(self.games) ** 2

    @property
    def spread(self) -> float:
        """The spread without the effect of chance; at least 0."""
        return float(max(self.unevenness, 0.0) ** 0.5)

    @property
    def mean_shares(self) -> Floats:
        """The mean share of each power, in units of an equal share."""
        rows = np.array(self.games)
        return np.asarray(rows.mean(axis=0) * rows.shape[1])


def play_greedy_games(board: Board, games: int, seed: str) -> Games:
    """Return the shares in games that the greedy bot plays against itself."""
    return _play_bot(GREEDY, board, games, seed)


def play_strong_games(board: Board, games: int, seed: str) -> Games:
    """Return the shares in games of the strongest bot that measures such a map.

    Without the compiled kernel, which it needs, the greedy bot plays instead.
    """
    bot, _ = plan_measurement(len(board.powers))[-1]
    return _play_bot(GREEDY if SLOW_KERNEL else bot, board, games, seed)


def _play_bot(bot: str, board: Board, games: int, seed: str) -> Games:
    played = play_series(board, bot, seed=seed, first=0, games=games)
    return [[count / (sum(counts) or 1) for count in counts] for counts in played]


class Tournament:
    """The search; its result is the same for the same lands and budget."""

    def __init__(
        self,
        spaces: Sequence[PlacementCandidates],
        budget: Budget | None = None,
        play: Play = play_greedy_games,
        play_strong: Play = play_strong_games,
        progress: Callable[[str], None] | None = None,
    ) -> None:
        """Prepare the search; `progress` receives a description of each step."""
        self._spaces, self._play, self._play_strong = spaces, play, play_strong
        self._report = progress or (lambda _step: None)
        self._budget = Budget() if budget is None else budget
        self._tried: set[tuple[int, Placement]] = set()

    def rank_entrants(self) -> list[Entrant]:
        """Run the search and return the finalists, most even first; empty without placements."""
        budget = self._budget
        candidates = list(dict.fromkeys(self._draw_placements()))
        candidates.sort(key=lambda pair: pair[0].excess(pair[1]))
        entrants = []
        for space, placement in candidates[: budget.entrants]:
            entrants.append(Entrant(space, placement, space.board(placement)))
            self._report(f"placement {len(entrants)}")
            seed = f"playoff {placement.starts} {placement.neutrals}"
            entrants[-1].games.extend(self._play(entrants[-1].board, budget.quick_games, seed))
        best = [(each.space, each.placement) for each in _rank(entrants)[: budget.finalists]]
        finalists = self._confirm(self._enter(best), budget.leaders, budget.leader_games)
        leaders, others = finalists[: budget.leaders], finalists[budget.leaders :]
        for number in range(budget.rounds if leaders else 0):
            self._report(f"changes, {number + 1} of {budget.rounds}")
            for place, leader in enumerate(leaders):
                if leader.spread > budget.target_spread:
                    first, *rest = _rank([leader, *self._enter_best_change(leader)])
                    leaders[place] = first
                    others += rest
        return self._confirm([*leaders, *others], 1, budget.sure_games)

    def _confirm(self, entrants: Sequence[Entrant], count: int, games: int) -> list[Entrant]:
        """Return the entrants, most even first; the first `count` have played at least `games`.

        Those that are no longer among the first after more games make room for others.
        """
        while True:
            ranked = _rank(entrants)
            unsure = [entrant for entrant in ranked[:count] if len(entrant.games) < games]
            if not unsure:
                return ranked
            self._report(f"more games on placement {entrants.index(unsure[0]) + 1}")
            self._add_games(unsure[0], self._budget.first_games)

    def _draw_placements(self) -> Iterator[tuple[PlacementCandidates, Placement]]:
        """Yield placements from all lands in turn."""
        for number in range(self._budget.candidates if self._spaces else 0):
            space = self._spaces[number % len(self._spaces)]
            placement = space.placement(number // len(self._spaces))
            if placement is not None:
                yield space, placement

    def _enter_best_change(self, best: Entrant) -> list[Entrant]:
        """Let promising changes of `best` play; return the best of them, if any."""
        promising = [(best.space, change) for change in self._find_promising_changes(best)]
        challengers = _rank(self._enter(promising))[:1]
        for challenger in challengers:
            self._add_games(challenger, self._budget.extra_games)
            # More games expose a best placement that was merely lucky.
            self._add_games(best, self._budget.first_games)
        return challengers

    def _find_promising_changes(self, best: Entrant) -> list[Placement]:
        """Return the placements near `best` with the most even predicted shares.

        Candidates are up to `_MAX_CHANGES` changes away. Each change makes the prediction less
        certain.
        """
        space = best.space
        residual = best.mean_shares - space.predicted_shares(best.placement)
        candidates: dict[Placement, float] = {}
        beam = [best.placement]
        for depth in range(1, _MAX_CHANGES + 1):
            scores = {}
            for change in dict.fromkeys(new for near in beam for new in space.changes(near)):
                if change not in candidates and (id(space), change) not in self._tried:
                    predicted = residual + space.predicted_shares(change)
                    variance = float(predicted.var() / predicted.mean() ** 2)
                    scores[change] = variance + depth * _CHANGE_VARIANCE
            beam = _select_lowest(scores, self._budget.changes)
            candidates |= {change: scores[change] for change in beam}
        return _select_lowest(candidates, self._budget.changes)

    def _enter(self, placements: Iterable[tuple[PlacementCandidates, Placement]]) -> list[Entrant]:
        """Return the placements as entrants on which the strong bot has played its first games."""
        entrants = []
        for space, placement in placements:
            self._tried.add((id(space), placement))
            entrants.append(Entrant(space, placement, space.board(placement)))
            self._report(f"strong placement {len(self._tried)}")
            self._add_games(entrants[-1], self._budget.first_games)
        return entrants

    def _add_games(self, entrant: Entrant, games: int) -> None:
        placement = entrant.placement
        # This text determines every certified map: changing it would give different maps.
        seed = f"final {placement.starts} {placement.neutrals} {len(entrant.games)}"
        entrant.games.extend(self._play_strong(entrant.board, games, seed))


def _rank(entrants: Sequence[Entrant]) -> list[Entrant]:
    return sorted(entrants, key=lambda entrant: entrant.unevenness)


def _select_lowest(scores: Mapping[Placement, float], count: int) -> list[Placement]:
    ranked = sorted(scores, key=lambda p: (scores[p], p.starts, p.neutrals))
    return ranked[:count]
