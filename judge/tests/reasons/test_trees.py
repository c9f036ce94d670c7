"""Trees of causes: their numbers are right, and what they call decisive decides."""

import json
import pickle
import random
import re
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from judge.tests.cases import case_position, load_cases, read_orders
from judge.tests.effort import examples
from judge.tests.grids import grid_board
from judge.tests.scenes import NORTH, SOUTH, random_knot, random_orders, random_position
from judge.tests.shorthand import BOARD, sentence_of
from judge.tests.test_cases import FILES

from diplomaccloud.judge.adjudication import adjudicate, powers_to_order
from diplomaccloud.judge.board import Location, Power, ProvinceCode, Terrain, UnitKind
from diplomaccloud.judge.explain import Explanations, explain
from diplomaccloud.judge.legality.legal_orders import legal_orders
from diplomaccloud.judge.orders import Hold, Move, MovementOrder, Order, SupportHold, SupportMove
from diplomaccloud.judge.phases import Phase, Stage
from diplomaccloud.judge.position import Dislodged, Position, starting_position
from diplomaccloud.judge.reasons.facts import DecidedPhase, Fate, decide_phase
from diplomaccloud.judge.reasons.trees import MAX_ORDERS, MIN_ASKED
from diplomaccloud.judge.reasons.values import Cause, Explanation, Side, Strength, Topic
from diplomaccloud.judge.results import Outcome
from diplomaccloud.judge.rules import DEFAULT, EDITIONS, RuleSet
from diplomaccloud.judge.units import Unit

SEEDS = st.integers(0, 2**32 - 1)
RULES = st.sampled_from(sorted(EDITIONS))


def _scene(seed: int) -> tuple[Position, list[MovementOrder]]:
    """Return a crowded position, every third time one whose orders depend on themselves."""
    rng = random.Random(seed)
    if rng.random() < 0.3:
        given = random_knot(BOARD, rng)
        units = tuple(order.unit for order in given)
        start = Position(Phase.parse("S1903M"), units, {})
        return start, sorted(given, key=lambda order: order.unit)
    places = rng.choice([NORTH, SOUTH])
    start = random_position(BOARD, rng, rng.randint(8, 14), places=places)
    return start, random_orders(BOARD, start, rng)


def _nodes(explained: Explanations) -> Iterator[tuple[Explanation, Cause]]:
    for explanation in explained.values():
        for node in explanation.cause.walk():
            yield explanation, node


@examples(60)
@given(SEEDS, RULES)
def test_every_strength_counts_the_supports_that_were_given(seed: int, edition: str) -> None:
    rules = EDITIONS[edition]
    start, given = _scene(seed)
    phase = decide_phase(BOARD, rules, start.units, given)
    for _, node in _nodes(explain(BOARD, start, given, rules)):
        if (strength := node.strength) is not None:
            assert strength.value == _recomputed(phase, strength)
            counted = sum(support.counts for support in strength.supports)
            assert strength.value in {0, 1 + counted}
            assert f" {strength.value}" in sentence_of(node)
            assert all(support.counts or support.why_not for support in strength.supports)


def _recomputed(phase: DecidedPhase, strength: Strength) -> int:
    """Return a strength of DATC 5.B, counted in the outcomes of the supports."""
    i = phase.at[strength.unit.province]
    whole = 1 + len(_find_supporters(phase, i))
    match strength.side:
        case Side.ATTACK:
            return _attack_recomputed(phase, i, whole)
        case Side.HOLD:
            return int(not phase.moves(i)) if phase.goals[i] else whole
        case Side.DEFEND:
            return whole
        case Side.PREVENT:
            lost = phase.facts[i].head_to_head and phase.dislodger(i) == _find_target(phase, i)
            return 0 if lost or not phase.facts[i].path_open else whole


def _find_supporters(phase: DecidedPhase, i: int) -> list[Power]:
    outcomes = zip(phase.orders, phase.verdict.outcomes, strict=True)
    return [
        order.unit.power
        for order, outcome in outcomes
        if isinstance(order, SupportHold | SupportMove)
        and outcome is Outcome.GIVEN
        and order.target == phase.units[i]
    ]


def _find_target(phase: DecidedPhase, i: int) -> int | None:
    return phase.at.get(phase.goals[i])


def _attack_recomputed(phase: DecidedPhase, i: int, whole: int) -> int:
    """Return the strength of a move; it is 0 against an own unit only if that decides."""
    target = _find_target(phase, i)
    meets = bool(phase.facts[i].head_to_head)
    if not phase.facts[i].path_open:
        return 0
    if target is None or (phase.moves(target) and not meets):
        return whole
    power = phase.units[target].power
    if power == phase.units[i].power:
        return whole if whole <= phase.find_resistance(i, target) else 0
    own = _find_supporters(phase, i).count(power)
    return 0 if own and phase.rules.own_attack_void else whole - own


@examples(60)
@given(SEEDS)
def test_the_strengths_decide_every_move(seed: int) -> None:
    """A move succeeds if and only if its attack beats everything the tree sets against it."""
    start, given = _scene(seed)
    for explanation in explain(BOARD, start, given).values():
        strengths = [one.strength for one in explanation.cause.causes if one.strength is not None]
        own = [s for s in strengths if s.side is Side.ATTACK and s.unit == explanation.order.unit]
        if not own or explanation.outcome not in {Outcome.MOVED, Outcome.BOUNCED}:
            continue
        resisted = max((s.value for s in strengths if s.side is not Side.ATTACK), default=0)
        won = own[0].value > resisted
        assert won == (explanation.outcome is Outcome.MOVED), explanation.paragraph


@examples(60)
@given(SEEDS, RULES)
def test_decisive_units_decide(seed: int, edition: str) -> None:
    """If the decisive unit holds instead, the order has the result that the tree predicts."""
    rules = EDITIONS[edition]
    start, given = _scene(seed)
    was = _fates(start, given, rules)
    for _, node in _nodes(explain(BOARD, start, given, rules)):
        if (decisive := node.decisive) is not None:
            now = _fates(start, _without(given, {decisive.unit}), rules)[decisive.fate]
            assert now == (decisive.outcome, decisive.dislodged)
            assert now != was[decisive.fate]


@examples(40)
@given(SEEDS)
def test_other_units_in_a_tree_do_not_decide(seed: int) -> None:
    start, given = _scene(seed)
    was = _fates(start, given, DEFAULT)
    for explanation in explain(BOARD, start, given).values():
        mine = explanation.order.unit
        nodes = list(explanation.cause.walk())
        named = {node.unit for node in nodes if node.unit is not None} - {mine}
        named -= {n.decisive.unit for n in nodes if n.decisive and n.decisive.fate == mine}
        for other in named:
            assert _fates(start, _without(given, {other}), DEFAULT)[mine] == was[mine]


@examples(60)
@given(SEEDS, RULES)
def test_a_support_counts_without_the_attacks_on_it(seed: int, edition: str) -> None:
    rules = EDITIONS[edition]
    start, given = _scene(seed)
    for explanation in explain(BOARD, start, given, rules).values():
        if explanation.outcome is not Outcome.CUT:
            continue
        about = {Topic.CUT, Topic.SPARED}
        attackers = {one.unit for one in explanation.cause.causes if one.topic in about}
        assert any(one.topic is Topic.CUT for one in explanation.cause.causes)
        order = explanation.order
        assert isinstance(order, SupportHold | SupportMove)
        if order.target not in attackers:
            fates = _fates(start, _without(given, attackers), rules)
            assert fates[order.unit][0] is not Outcome.CUT


def _without(given: list[MovementOrder], units: set[Unit | None]) -> list[MovementOrder]:
    return [Hold(order.unit) if order.unit in units else order for order in given]


def _fates(
    start: Position, given: list[MovementOrder], rules: RuleSet
) -> dict[Unit, tuple[Outcome, bool]]:
    resolution = adjudicate(BOARD, start, given, rules)
    out = {one.unit for one in resolution.dislodged}
    return {one.order.unit: (one.outcome, one.order.unit in out) for one in resolution.results}


def test_decisive_causes_are_found_often() -> None:
    """The tests above would pass if nothing were ever called decisive."""
    found = {Outcome.MOVED: 0, Outcome.BOUNCED: 0, Outcome.CUT: 0, Outcome.NOPATH: 0}
    for seed in range(25):
        start, given = _scene(seed)
        for explanation, node in _nodes(explain(BOARD, start, given)):
            if node.decisive is not None and explanation.outcome in found:
                found[explanation.outcome] += 1
    assert min(found.values()) >= 8, found


@examples(50)
@given(SEEDS, RULES)
def test_trees_agree_with_results_and_name_only_units_on_the_board(seed: int, edition: str) -> None:
    rules = EDITIONS[edition]
    start, given = _scene(seed)
    resolution = adjudicate(BOARD, start, given, rules)
    explained = explain(BOARD, start, given, rules)
    for result, explanation in zip(resolution.results, explained.values(), strict=True):
        assert explanation.order == result.order
        assert explanation.outcome is result.outcome
        assert explanation.sentence == result.why
    here = {_phrase(one.kind, one.province) for one in start.units}
    for _, node in _nodes(explained):
        assert node.unit is None or node.unit in start.units
        assert set(_PHRASES.findall(sentence_of(node))) <= here, sentence_of(node)


def _phrase(kind: UnitKind, code: ProvinceCode) -> str:
    province = BOARD.by_code[code]
    article = "the " if province.terrain is Terrain.SEA else ""
    return f"the {kind.word} in {article}{province.name}"


_PHRASES = re.compile("|".join(_phrase(kind, code) for kind in UnitKind for code in BOARD.by_code))


@examples(30)
@given(SEEDS)
def test_the_order_of_orders_changes_no_tree(seed: int) -> None:
    start, given = _scene(seed)
    one = {str(k): v.to_json() for k, v in explain(BOARD, start, given).items()}
    random.Random(seed).shuffle(given)
    other = {str(k): v.to_json() for k, v in explain(BOARD, start, given).items()}
    assert one == other


@pytest.mark.long
def test_the_sentences_of_every_known_case_read_well() -> None:
    """Every message of every known case is made of whole sentences."""
    for path in FILES:
        for case in load_cases(path):
            start = case_position(case, BOARD)
            given = read_orders(case, BOARD, start).orders
            for edition in case.rules:
                explained = explain(BOARD, start, given, EDITIONS[edition])
                resolution = adjudicate(BOARD, start, given, EDITIONS[edition])
                reasons = [one.why for one in resolution.results]
                assert [one.sentence for one in explained.values()] == reasons, case.id
                for _, node in _nodes(explained):
                    _assert_reads_well(sentence_of(node))


def _assert_reads_well(sentence: str) -> None:
    assert sentence[0].isupper(), sentence
    assert re.search(r"[^.]\.\Z", sentence), sentence
    assert "  " not in sentence, sentence
    assert not re.search(r"\b(None|and and|the the|, and\.)|\(\)|: \.", sentence), sentence


@pytest.mark.parametrize("seed", range(3))
def test_every_phase_of_a_random_game_is_explained(seed: int) -> None:
    rng = random.Random(seed)
    start = starting_position(BOARD)
    seen: set[Stage] = set()
    while start.phase.year < 1907:
        given = _any_orders(start, rng)
        explained = explain(BOARD, start, given, seed="x")
        resolution = adjudicate(BOARD, start, given, seed="x")
        assert [e.sentence for e in explained.values()] == [r.why for r in resolution.results]
        for _, node in _nodes(explained):
            _assert_reads_well(sentence_of(node))
        json.dumps([one.to_json() for one in explained.values()])
        seen.add(start.phase.stage)
        start = resolution.next
    assert seen == set(Stage)


def test_a_column_of_many_units_is_explained_by_a_few_questions(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each unit waits for the next: a tree of all of them would ask about all of them."""
    asked = []

    def counted(self: DecidedPhase, other: int) -> list[Fate]:
        asked.append(other)
        return without(self, other)

    without = DecidedPhase.list_fates_without
    monkeypatch.setattr(DecidedPhase, "list_fates_without", counted)
    board = grid_board(4, 128)
    codes = [ProvinceCode(f"01{y:02}") for y in range(128)]
    power = board.powers[0].power
    units = [Unit(UnitKind.FLEET, Location(code), power) for code in codes]
    given: list[Order] = [
        Move(one, Location(ahead)) for one, ahead in zip(units, codes[1:], strict=False)
    ]
    start = Position(Phase.parse("S1903M"), tuple(units), {})
    found = explain(board, start, [*given, Hold(units[-1])])[units[0]]
    assert found.outcome is Outcome.BOUNCED
    results = [node for node in found.cause.walk() if node.topic is Topic.RESULT]
    assert len(results) == MAX_ORDERS + 1
    assert 0 < len(asked) <= MIN_ASKED


def test_explanations_of_refused_orders_can_be_pickled() -> None:
    start = starting_position(BOARD)
    army, fleet = (next(one for one in start.units if one.kind is kind) for kind in UnitKind)
    _assert_pickled(start, [Move(army, Location("LON")), Move(fleet, Location("MOS"))])


@pytest.mark.parametrize("phase", ["S1901R", "W1901A"])
def test_explanations_of_other_phases_can_be_pickled(phase: str) -> None:
    gone = Unit(UnitKind.ARMY, Location("BUR"), Power("FRANCE"))
    dislodged = (Dislodged(gone, ProvinceCode("MUN"), (Location("PAR"),)),)
    centers = {ProvinceCode("BRE"): Power("FRANCE")}
    start = Position(Phase.parse(phase), (), centers, dislodged * (phase == "S1901R"))
    _assert_pickled(start, [])


def _assert_pickled(start: Position, given: list[Order]) -> None:
    found = explain(BOARD, start, given)
    again = pickle.loads(pickle.dumps(found))  # noqa: S301 our own value
    assert found
    assert {unit: one.to_json() for unit, one in again.items()} == {
        unit: one.to_json() for unit, one in found.items()
    }


def _any_orders(start: Position, rng: random.Random) -> list[Order]:
    if start.phase.stage is Stage.MOVEMENT:
        return [*random_orders(BOARD, start, rng)]
    given: list[Order] = []
    for power in sorted(powers_to_order(BOARD, start)):
        legal = legal_orders(BOARD, start, power)
        given += rng.sample(legal, min(len(legal), 3))
    return given
