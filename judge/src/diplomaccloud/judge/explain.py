"""Explains the orders of one phase with a tree of causes for each, built on demand.

A movement phase is decided only once, even if all of its orders are explained, and again for each
unit of which a tree asks what would have happened if it had held; see `reasons.facts`.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice

from diplomaccloud.judge.adjudication import adjudicate, orders_followed
from diplomaccloud.judge.adjustments import (
    adjustments_owed,
    build_sites,
    distance_home,
    removal_order,
)
from diplomaccloud.judge.board import Board, Power, ProvinceCode, province_of
from diplomaccloud.judge.geography import geography
from diplomaccloud.judge.legality.reader import (
    PhaseOrders,
    accept_needless_convoys,
    separate_orders,
)
from diplomaccloud.judge.messages.values import Message, Parameter, Place, PowerName, UnitDistance
from diplomaccloud.judge.orders import Build, Order, Retreat, Waive, power_of
from diplomaccloud.judge.phases import Stage
from diplomaccloud.judge.position import Dislodged, Position, require_sound_units
from diplomaccloud.judge.reasons.facts import DecidedPhase, decide_phase
from diplomaccloud.judge.reasons.rulebook import Source, datc, rule, section
from diplomaccloud.judge.reasons.statements import add_dislodgment, find_message
from diplomaccloud.judge.reasons.trees import build_tree
from diplomaccloud.judge.reasons.values import Cause, Explanation, Topic
from diplomaccloud.judge.results import OrderResult, Outcome
from diplomaccloud.judge.rules import DEFAULT, Removal, RuleSet, find_rules
from diplomaccloud.judge.units import Unit

Key = Unit | str
Explain = Callable[[], Explanation]
FindCause = Callable[[], Cause]


class Explanations(Mapping[Key, Explanation]):
    """The explanations of one phase by unit, each built when it is first looked up.

    The key of a waived build, or of a void order that is not for a unit of its power, is the power
    and the text, such as `FRANCE WAIVE`; from the second on, a number follows.
    """

    def __init__(self, explained: Iterable[tuple[Order, Explain]]) -> None:
        self._explain: dict[Key, Explain] = {}
        self._made: dict[Key, Explanation] = {}
        for order, explain_this in explained:
            key: Key = f"{power_of(order)} {order}"
            if not isinstance(order, Waive) and order.unit not in self._explain:
                key = order.unit
            number, text = 2, key
            while key in self._explain:
                key, number = f"{text} {number}", number + 1
            self._explain[key] = explain_this

    def __getitem__(self, key: Key) -> Explanation:
        if key not in self._made:
            self._made[key] = self._explain[key]()
        return self._made[key]

    def __iter__(self) -> Iterator[Key]:
        return iter(self._explain)

    def __len__(self) -> int:
        return len(self._explain)


def explain(
    board: Board,
    position: Position,
    orders: Iterable[Order],
    rules: RuleSet | str = DEFAULT,
    *,
    seed: str = "",
) -> Explanations:
    """Return an explanation for every result that `adjudicate` gives for the same orders.

    No order ever raises an error. The sentence of each explanation is the reason in its result.
    Raises `PositionError` if a unit cannot be where it is.
    """
    return Explanations(_explain_phase(board, position, orders, find_rules(rules), seed))


def explain_order(
    board: Board,
    position: Position,
    orders: Iterable[Order],
    number: int,
    rules: RuleSet | str = DEFAULT,
    *,
    seed: str = "",
) -> Explanation | None:
    """Return the explanation of result `number`, counted from 0, among those of `adjudicate`.

    Returns `None` if there are fewer results. The other results are not computed.
    """
    explained = _explain_phase(board, position, orders, find_rules(rules), seed)
    for _, explain_this in islice(explained, number, number + 1):
        return explain_this()
    return None


def _explain_phase(
    board: Board, position: Position, orders: Iterable[Order], rules: RuleSet, seed: str
) -> Iterator[tuple[Order, Explain]]:
    """Yield the order of every result with a function that explains it."""
    valid, refused = separate_orders(board, orders)
    if position.phase.stage is Stage.MOVEMENT:
        explained = _explain_movement(board, position, valid, rules)
    else:
        explained = _explain_other_phase(board, position, valid, rules, seed)
    for order, outcome, find_cause in explained:
        yield order, partial(_build, board, rules, order, outcome, find_cause)
    for result in refused:
        find_cause = partial(_explain_void, result)
        yield result.order, partial(_build, board, rules, result.order, result.outcome, find_cause)


def _build(
    board: Board, rules: RuleSet, order: Order, outcome: Outcome, find_cause: FindCause
) -> Explanation:
    """Return an explanation that cites the rulebook of its edition."""
    return Explanation(order, outcome, find_cause().cite_edition(rules), geography(board))


def _explain_void(result: OrderResult) -> Cause:
    return Cause(Topic.RESULT, find_message(result), (datc("4.E.1"),))


# Movement.


Explained = Iterator[tuple[Order, Outcome, FindCause]]
"""The order and the outcome of each result, with a function that returns its tree of causes."""


def _explain_movement(
    board: Board, position: Position, orders: Iterable[Order], rules: RuleSet
) -> Explained:
    phase_orders = PhaseOrders(board, position, orders, rules)
    followed = orders_followed(position, phase_orders)
    try:
        phase = decide_phase(board, rules, position.units, followed)
    except ValueError:
        require_sound_units(board, position)
        raise
    accept_needless_convoys(board, phase_orders, followed, phase.verdict)
    for number, unit in enumerate(position.units):
        order: Order = followed[number]
        outcome, refusal = phase.verdict.outcomes[number], phase_orders.refusal_of(unit)
        if refusal is not None:
            order, outcome = refusal.order, refusal.outcome
        is_implicit = phase_orders.order_of(unit) is None or phase_orders.is_implied(unit)
        yield order, outcome, partial(_explain_unit, phase, number, refusal, is_implicit)
    for result in phase_orders.void:
        yield result.order, result.outcome, partial(_explain_void, result)


def _explain_unit(
    phase: DecidedPhase, number: int, refusal: OrderResult | None, is_implicit: bool
) -> Cause:
    """Return the tree of the unit's order, or of its `refusal` if it was refused."""
    unit, tree = phase.units[number], build_tree(phase, number)
    dislodged = next((entry for entry in phase.verdict.dislodged if entry.unit == unit), None)
    message, sources, causes = tree.message, tree.sources, tree.causes
    if refusal is not None:
        # The unit holds because its order was refused.
        message, sources = find_message(refusal), (datc("4.E.1"),)
        causes = tuple([cause for cause in causes if cause.topic is not Topic.CALM])
        if dislodged is not None:
            message = add_dislodgment(refusal, tree.message)
            sources += tree.sources
    elif phase.verdict.outcomes[number] is Outcome.HOLD and is_implicit:
        sources += (datc("4.D.9"),)
    if dislodged is not None:
        rivals = {
            code: [phase.units[rival] for rival in phase.rivals.get(code, ())]
            for code in phase.verdict.standoffs
        }
        by_convoy = phase.facts[phase.facts[number].dislodger].by_convoy
        options = _explain_retreat_options(
            phase.board,
            dislodged,
            phase.verdict.units,
            rivals,
            attacker_place_open=bool(by_convoy) and phase.rules.retreat_to_convoyed_attacker,
        )
        # They come before the decisive units, which are last.
        first = sum(cause.topic is not Topic.DECISIVE for cause in causes)
        causes = (*causes[:first], options, *causes[first:])
    return Cause(tree.topic, message, sources, tree.unit, causes=causes)


# Retreats and adjustments.


_RETREATS = section("Retreat and Disbanding Phase")
_WINTER = section("Gaining and Losing Units Phase")
_DISORDER = section("Civil Disorder")


def _explain_other_phase(
    board: Board, position: Position, orders: Iterable[Order], rules: RuleSet, seed: str
) -> Explained:
    results = adjudicate(board, position, orders, rules, seed=seed).results
    for number, result in enumerate(results):
        find_cause = partial(_explain_void, result)
        if position.phase.stage is Stage.ADJUSTMENTS:
            find_cause = partial(_explain_adjustment, board, position, rules, seed, result)
        elif number < len(position.dislodged):
            dislodged = position.dislodged[number]
            find_cause = partial(_explain_retreat, board, position, rules, dislodged, result)
        yield result.order, result.outcome, find_cause


def _explain_retreat_options(
    board: Board,
    dislodged: Dislodged,
    units: Iterable[Unit],
    rivals: Mapping[ProvinceCode, Sequence[Unit]],
    *,
    attacker_place_open: bool = False,
) -> Cause:
    """Return a node about a dislodged unit's retreats, with a node for each barred place.

    `units` are on the board after the moves. `rivals` are the units that bounced in a province that
    was left empty, if known. `attacker_place_open` says that the unit may retreat to where its
    attacker came from, which then has a node if it is open.
    """
    unit, units_at = dislodged.unit, {standing.province: standing for standing in units}
    causes: list[Cause] = []
    for location in sorted(geography(board).places[unit.kind].get(unit.location, ())):
        code, source = province_of(location), _RETREATS
        named: dict[str, Parameter] = {"place": Place(location)}
        if location in dislodged.retreats:
            if code != dislodged.by:
                continue
            key, source = "retreat_open_by_convoy", datc("4.A.5")
        elif code == dislodged.by and not attacker_place_open:
            key = "retreat_barred_attacker"
        elif code in units_at:
            key, named["unit"] = "retreat_barred_unit", units_at[code]
        elif powers := dict.fromkeys(PowerName(rival.power) for rival in rivals.get(code, ())):
            key, named["powers"] = "retreat_barred_standoff_between", tuple(powers)
        else:
            key = "retreat_barred_standoff"
        causes.append(Cause(Topic.RETREAT, Message(key, named), (source,)))
    message = Message.of("no_retreat", unit=unit)
    if dislodged.retreats:
        places = tuple(map(Place, dislodged.retreats))
        message = Message.of("retreat_options", unit=unit, places=places)
    return Cause(Topic.RETREAT, message, (_RETREATS,), unit, causes=tuple(causes))


def _explain_retreat(
    board: Board, position: Position, rules: RuleSet, dislodged: Dislodged, result: OrderResult
) -> Cause:
    """Return the tree for the result of one dislodged unit in a retreat phase."""
    sources: tuple[Source, ...] = (_RETREATS,)
    if result.outcome is Outcome.VOID:
        sources = (datc("4.E.1"), *sources)
    elif isinstance(result.order, Retreat) and result.outcome is Outcome.DISBANDED:
        sources = (rule(2), *sources)
    # Whether the attacker walked is no longer known, but it did come from there.
    is_open = rules.retreat_to_convoyed_attacker and any(
        unit.province == dislodged.by for unit in position.units
    )
    options = _explain_retreat_options(
        board, dislodged, position.units, {}, attacker_place_open=is_open
    )
    message = find_message(result)
    return Cause(Topic.RESULT, message, sources, dislodged.unit, causes=(options,))


def _explain_adjustment(
    board: Board, position: Position, rules: RuleSet, seed: str, result: OrderResult
) -> Cause:
    """Return the tree for one build, waiver or disband."""
    order, power = result.order, power_of(result.order)
    unit = None if isinstance(order, Waive) else order.unit
    causes = [_explain_balance(board, position, power)]
    sources: tuple[Source, ...] = (_WINTER,)
    match result.outcome:
        case Outcome.WAIVED:
            sources = (datc("4.D.7"), _WINTER)
        case Outcome.DISBANDED if result.implicit:
            causes.append(_explain_removals(board, position, power, rules, seed))
            sources = (_DISORDER, datc("4.D.8"))
        case Outcome.VOID if isinstance(order, Build):
            sources = (datc("4.D.4"), datc("4.D.5"), _WINTER)
        case Outcome.VOID:
            sources = (datc("4.D.6"), _WINTER)
    return Cause(Topic.RESULT, find_message(result), sources, unit, causes=tuple(causes))


def _explain_balance(board: Board, position: Position, power: Power) -> Cause:
    """Return a node about the power's numbers of centers and units, and the consequence."""
    centers, units = len(position.centers_of(power)), len(position.units_of(power))
    owed = adjustments_owed(board, position, power)
    named: dict[str, Parameter] = {"power": PowerName(power), "centers": centers, "units": units}
    key = "nothing_to_adjust"
    if owed < 0:
        key, named["count"] = "must_disband", -owed
    elif owed < centers - units:
        key, free = "no_free_center", len(build_sites(board, position, power))
        if free:
            key, named["free"] = "may_build_in_free_centers", free
    elif owed:
        key, named["count"] = "may_build", owed
    return Cause(Topic.ADJUSTMENT, Message.of(key, **named), (_WINTER,))


def _explain_removals(
    board: Board, position: Position, power: Power, rules: RuleSet, seed: str
) -> Cause:
    """Return a node about the order in which civil disorder removes the power's units."""
    queue = removal_order(board, position, power, rules, seed)
    key, units = "removal_by_lot", tuple[Parameter, ...](queue)
    if rules.removal is not Removal.RANDOM_2009:
        count_steps = distance_home(board, position, power, rules.removal)
        units = tuple([UnitDistance(unit, count_steps(unit)) for unit in queue])
        owned = rules.removal is Removal.OWNED_2023
        key = "removal_far_from_centers" if owned else "removal_far_from_home"
    sources = (_DISORDER, datc("4.D.8"))
    return Cause(Topic.ADJUSTMENT, Message.of(key, units=units), sources)
