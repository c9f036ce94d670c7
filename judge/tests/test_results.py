"""LazyResults, whose reasons are built only when they are read."""

import copy
import json
import pickle
import random
from collections.abc import Iterable
from typing import Any

import pytest
from judge.tests.scenes import random_orders, random_position

from diplomaccloud.judge import adjudicate
from diplomaccloud.judge.board import Location, Power, UnitKind
from diplomaccloud.judge.codec import resolution_from_json, resolution_to_json
from diplomaccloud.judge.geography import geography
from diplomaccloud.judge.orders import Hold
from diplomaccloud.judge.reasons.statements import explain_results
from diplomaccloud.judge.results import LazyResults, OrderResult, Outcome, Resolution
from diplomaccloud.judge.rules import EDITIONS
from diplomaccloud.judge.standard.europe import standard_board
from diplomaccloud.judge.units import Unit

BOARD = standard_board()
PARIS = Unit(UnitKind.ARMY, Location("PAR"), Power("FRANCE"))
HELD = OrderResult(Hold(PARIS), Outcome.HOLD, "Held in Paris.")


def _resolution(edition: str = "2000", seed: int = 7) -> Resolution:
    """Return a crowded phase in which one order is left out and one is void."""
    rng = random.Random(seed)
    position = random_position(BOARD, rng, 30, powers=7)
    orders = random_orders(BOARD, position, rng)
    return adjudicate(BOARD, position, [*orders[1:], Hold(PARIS)], EDITIONS[edition])


def test_reasons_are_made_once_and_only_when_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Iterable[OrderResult]] = []

    def noted(*arguments: Any, **named: Any) -> Iterable[OrderResult]:
        made.append(explain_results(*arguments, **named))
        return made[-1]

    monkeypatch.setattr("diplomaccloud.judge.adjudication.explain_results", noted)
    resolution = _resolution()
    size = len(resolution.results)
    assert len(resolution.outcomes) == size
    assert made == []
    assert [result.outcome for result in resolution.results] == list(resolution.outcomes)
    assert resolution.results[0].why
    assert len(made) == 1


@pytest.mark.parametrize("edition", EDITIONS)
def test_outcomes_are_those_of_the_results(edition: str) -> None:
    for seed in range(20):
        resolution = _resolution(edition, seed)
        assert resolution.outcomes == tuple(result.outcome for result in resolution.results)


@pytest.mark.parametrize(
    "through",
    [
        lambda one: pickle.loads(pickle.dumps(one)),  # noqa: S301 - our own value
        copy.deepcopy,
        lambda one: resolution_from_json(
            json.loads(json.dumps(resolution_to_json(one)))
        ).with_names(geography(BOARD)),
    ],
    ids=["pickle", "copy", "codec"],
)
def test_a_resolution_stays_the_same_value(through) -> None:  # type: ignore[no-untyped-def]
    resolution = _resolution()
    again = through(resolution)
    assert again == _resolution()
    assert _resolution() == again
    assert again.results[3].why == resolution.results[3].why
    assert again.outcomes == resolution.outcomes


def test_results_are_a_sequence_like_any_other() -> None:
    results = LazyResults((Outcome.HOLD, Outcome.HOLD), lambda: [HELD, HELD])
    assert results == (HELD, HELD)
    assert results != (HELD,)
    assert results != [HELD, HELD]
    assert hash(results) == hash((HELD, HELD))
    assert results[-1:] == (HELD,)
    assert repr(results) == repr((HELD, HELD))
    assert HELD in results
