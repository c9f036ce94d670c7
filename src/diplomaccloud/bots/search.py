"""A bot that looks ahead: it tries many candidates against likely replies, and plays the best.

The worth of a candidate is the average worth of its power's position next Spring, and in a large
search also a year after that. The policy draws the other powers' replies, and everyone's orders
in the phases after that; a large search first searches for what its neighbors may order. All
candidates meet the same replies with the same random numbers. The cost of a search is counted in
evaluations: one candidate against one reply until next Spring.

More evaluations alone stop paying: a plan of 10,000 is worth 0.196 against the policy's replies,
and one of 600 is worth 0.194. So large budgets are partly spent on forecasts, and look a year
further. One of 2000 among six of 600 took 1.2 times an equal share without forecasts, and 1.7 times
with them. Further plans count the mean of both Springs: by the later one alone, a bot left centers
that nobody could defend. Tried without a gain: builds tried over two more years, influence of
armies over sea, all supports of an attack, and a value fitted to how games ended.
"""

import random
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean

from diplomaccloud.bots import policy
from diplomaccloud.bots.candidates import Source, read_row
from diplomaccloud.bots.pacts import NO_PACT, Pact
from diplomaccloud.bots.policy import read_orders
from diplomaccloud.judge.board import Board, Power
from diplomaccloud.judge.kernel.layout import pack_state
from diplomaccloud.judge.kernel.table import table_of
from diplomaccloud.judge.orders import Order
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.rules import RuleSet

Replies = tuple["array[int]", list["array[int]"]]
"""Order rows with the orders of all powers, and the seeds for the phases after each."""

_FORECAST_SHARE = 0.5
"""The part of the replies that follow the forecasts."""


@dataclass(frozen=True, slots=True)
class Forecast:
    """What one power may order: the provinces of its units, and equally likely order rows."""

    units: Sequence[int]
    rows: Sequence[bytes]


def draw_replies(source: Source, count: int, forecasts: Sequence[Forecast] = ()) -> Replies:
    """Return replies of the other powers under the pact of the source.

    The policy draws them. Where a power near the bot's units has a *forecast*, half of the replies
    follow it instead: it has orders that small searches found for that power.
    """
    powers, deep = len(source.board.powers), 3 * source.size
    rows = policy.choose_orders(
        source.board,
        source.state * count,
        _draw_seeds(source.rng, count * powers),
        truces=source.pact.truces,
    )
    doubtful = round(source.pact.doubt * count)
    if doubtful:
        rows[: deep * doubtful] = policy.choose_orders(
            source.board,
            source.state * doubtful,
            _draw_seeds(source.rng, doubtful * powers),
            truces=source.pact.doubt_truces(source.power),
        )
    for forecast in forecasts:
        for number in range(round(_FORECAST_SHARE * count)):
            drawn = read_row(source.rng.choice(forecast.rows))
            for unit in forecast.units:
                at = deep * number + unit
                rows[at : at + 2 * source.size + 1 : source.size] = drawn[unit :: source.size]
    for province, codes in source.pact.pins.items():
        for at in range(province, len(rows), deep):
            rows[at : at + 2 * source.size + 1 : source.size] = array("i", codes)
    return rows, [_draw_seeds(source.rng, powers) for _ in range(count)]


def _draw_seeds(rng: random.Random, count: int) -> "array[int]":
    return array("Q", [rng.getrandbits(64) for _ in range(count)])


def find_neighbors(source: Source) -> list[Source]:
    """Return sources for the powers with a unit that could meet one of the power's this phase.

    Powers that have promised peace to it are left out.
    """
    powers, truces = len(source.board.powers), source.pact.truces
    near = _find_touched(source)
    rivals = [
        Source(source.board, source.state, power, source.rng)
        for power in range(powers)
        if power != source.power and not (truces and truces[power * powers + source.power])
    ]
    return [rival for rival in rivals if not near.isdisjoint(_find_touched(rival))]


def _find_touched(source: Source) -> set[int]:
    """Return the provinces where the power has a unit or could move one without a convoy."""
    return set(source.units).union(*map(source.find_reach, source.units))


MIN_BUDGET, MAX_BUDGET = 20, 1_000_000
FAR_BUDGET = 1_500
"""From this budget on, a search forecasts its neighbors' orders, and its evaluations look a year
further, because more candidates would not help."""
_FAR_COST = 2
"""How many evaluations one of these counts for."""

_FORECAST_PART = 0.4
"""The part of a large budget that goes to the neighbors' searches."""
_FORECAST_BUDGET = 200
"""The evaluations of a neighbor's search. With a larger part, there are more searches."""
_FORECAST_TOLERANCE = 0.03
"""How much worse than the best the forecast orders may be, as a fraction of the best."""

_FIRST = 13
"""The number of evaluations for each candidate in the first round."""

_PARENTS = 8
_ROUNDS = (12, 5, 2)
"""How many candidates meet new replies in each of the last rounds."""


@dataclass(frozen=True, slots=True)
class Plan:
    """The chosen orders as an order row, their worth, and the number of evaluations.

    `alternatives` has the candidates of the last rounds with their values, the chosen one first.
    """

    orders: "array[int]"
    value: float
    evaluations: int
    alternatives: "tuple[tuple[bytes, float], ...]" = ()


def list_best(alternatives: Sequence[tuple[bytes, float]], tolerance: float) -> list[bytes]:
    """Return the alternatives within this fraction of the value of the first, which is the best."""
    worth = alternatives[0][1]
    # For a bot that takes revenge, even the best may have a negative value.
    return [row for row, value in alternatives if value >= worth - tolerance * abs(worth)]


class _Search:
    """One search for the orders of one power."""

    def __init__(self, source: Source, budget: int) -> None:
        self.years = int(budget >= FAR_BUDGET)
        self.cost = _FAR_COST if self.years else 1
        self.source = source
        self.scores: dict[bytes, tuple[float, int]] = {}
        """The sums of the worths of candidates, and over how many evaluations."""
        self.forecasts: list[Forecast] = []
        self.forecast_cost = self.forecast(budget) if self.years and source.is_movement else 0
        self.budget, self.spent = (budget - self.forecast_cost) // self.cost, 0

    def forecast(self, budget: int) -> int:
        """Search for what each neighbor may order, and return the number of evaluations."""
        neighbors, spent = find_neighbors(self.source), 0
        for neighbor in neighbors:
            each = int(_FORECAST_PART * budget) // len(neighbors)
            count = max(1, each // _FORECAST_BUDGET)
            plans = [find_plan(neighbor, max(MIN_BUDGET, each // count)) for _ in range(count)]
            spent += sum(plan.evaluations for plan in plans)
            best = [list_best(plan.alternatives, _FORECAST_TOLERANCE) for plan in plans]
            self.forecasts.append(Forecast(neighbor.units, [row for rows in best for row in rows]))
        return spent

    def run(self) -> Plan:
        width = min(48, max(4, round(self.budget**0.5 / 6)))
        replies = draw_replies(self.source, width, self.forecasts)
        self.try_all(self.source.find_first(max(2, self.budget // _FIRST)), replies)
        until = int(0.7 * self.budget)
        while self.spent + width <= until and len(self.scores) > 1:
            parents = self.sort(self.scores)[:_PARENTS]
            wanted = min(16, (until - self.spent) // width)
            children = dict.fromkeys(self.source.vary(parents) for _ in range(wanted))
            fresh = [
                child
                for child in children
                if child not in self.scores and self.source.is_sound(child)
            ]
            if not fresh:
                # There are no new candidates near the best.
                break
            self.try_all(fresh, replies)
        best = last = self.sort(self.scores)[: _ROUNDS[0]]
        for place, most in enumerate(_ROUNDS):
            best = self.sort(best)[:most]
            count = (self.budget - self.spent) // (len(_ROUNDS) - place) // len(best)
            if len(best) > 1 and count:
                self.try_all(best, draw_replies(self.source, count, self.forecasts))
        first = self.sort(best)[0]
        ranked = dict.fromkeys([first, *self.sort(last)])
        alternatives = tuple((each, self.mean(each)) for each in ranked)
        evaluations = self.forecast_cost + self.cost * self.spent
        return Plan(read_row(first), self.mean(first), evaluations, alternatives)

    def sort(self, candidates: Iterable[bytes]) -> list[bytes]:
        """Return the candidates, best first; equally good ones keep their order."""
        return sorted(candidates, key=lambda each: -self.mean(each))

    def mean(self, candidate: bytes) -> float:
        total, count = self.scores[candidate]
        return total / count

    def try_all(self, candidates: Sequence[bytes], replies: Replies) -> None:
        """Add the worth of each candidate against each reply to its score."""
        values = _try_with_foes(self.source, candidates, replies, self.years)
        width = len(replies[1])
        self.spent += len(values)
        for number, candidate in enumerate(candidates):
            total, count = self.scores.get(candidate, (0.0, 0))
            total += sum(values[number * width : (number + 1) * width])
            self.scores[candidate] = total, count + width


def measure_candidates(
    source: Source, candidates: Sequence[bytes], count: int, budget: int
) -> list[float]:
    """Return the average worth of each candidate against `count` replies.

    The replies and the number of years are those of a search with this budget.
    """
    search = _Search(source, budget)
    replies = draw_replies(source, count, search.forecasts)
    values = _try_with_foes(source, candidates, replies, search.years)
    return [fmean(values[at : at + count]) for at in range(0, len(values), count)]


def _try_with_foes(
    source: Source, candidates: Sequence[bytes], replies: Replies, years: int = 0
) -> "array[float]":
    """Return the worth of each candidate against each reply, less what its foes' are worth."""
    all_values = try_candidates(source, candidates, replies, years=years)
    powers = len(source.board.powers)
    values = all_values[source.power :: powers]
    for foe, spite in source.pact.foes.items():
        pairs = zip(values, all_values[foe::powers], strict=True)
        values = array("d", [value - spite * foes_value for value, foes_value in pairs])
    return values


def try_candidates(
    source: Source, candidates: Sequence[bytes], replies: Replies, *, years: int = 0
) -> "array[float]":
    """Return the worth of each candidate against each reply to each power, in this order.

    The worth is the average over the positions of next Spring and of `years` Springs after it.
    """
    rows, pairs, seeds = array("i"), array("i"), array("Q")
    for number, candidate in enumerate(candidates):
        rows.frombytes(candidate)
        for reply, follow in enumerate(replies[1]):
            pairs.append(number)
            pairs.append(reply)
            seeds += follow
    return policy.try_candidates(
        source.board,
        source.state,
        source.power,
        candidates=rows,
        replies=replies[0],
        pairs=pairs,
        seeds=seeds,
        truces=source.pact.truces,
        years=years,
    )


def find_plan(source: Source, budget: int) -> Plan:
    """Return a power's plan, which depends only on the source, its `rng` and the budget."""
    return _Search(source, budget).run()


class SearchBot:
    """Looks ahead to the next Spring, or a year further, with a budget of evaluations a phase."""

    def __init__(self, budget: int) -> None:
        if not MIN_BUDGET <= budget <= MAX_BUDGET:
            raise ValueError(
                f"a search takes {MIN_BUDGET} to {MAX_BUDGET} evaluations, not {budget}"
            )
        self.budget, self.name = budget, f"search:{budget}"

    def orders(
        self,
        board: Board,
        position: Position,
        power: Power,
        rules: RuleSet,
        rng: random.Random,
        *,
        pact: Pact = NO_PACT,
    ) -> Sequence[Order]:
        """Return the orders of `power`; the same for the same state of `rng`."""
        state = pack_state(board, position)
        source = Source(board, state, table_of(board).power_of[power], rng, pact)
        return read_orders(board, position, state, power, find_plan(source, self.budget).orders)
