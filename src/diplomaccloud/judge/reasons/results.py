"""Makes the results of a decided movement phase: outcome, message, and the units that caused it."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from operator import attrgetter
from typing import Any

from diplomaccloud.judge.board import Board, Location
from diplomaccloud.judge.geography import geography
from diplomaccloud.judge.kernel.selection import KERNEL
from diplomaccloud.judge.kernel.values import Verdict
from diplomaccloud.judge.legality.phase_orders import PhaseOrders
from diplomaccloud.judge.messages.english import Sentence, render_message
from diplomaccloud.judge.messages.values import Message, OwnUnit, Parameter, Place, PowerName
from diplomaccloud.judge.movement.convoy import chain_exists
from diplomaccloud.judge.movement.findings import (
    Finding,
    Reason,
    dislodging_strengths,
    find_reason,
)
from diplomaccloud.judge.movement.kernel_bridge import restore_movement
from diplomaccloud.judge.movement.state import MovementState
from diplomaccloud.judge.orders import (
    Convoy,
    Hold,
    Move,
    MovementOrder,
    Order,
    SupportHold,
    SupportMove,
)
from diplomaccloud.judge.results import LazyResults, OrderResult, Outcome
from diplomaccloud.judge.rules import RuleSet
from diplomaccloud.judge.units import Unit

_LOST_BY_STRENGTH = {
    Reason.RIVALS: "bounced_rivals",
    Reason.OCCUPIED: "bounced_occupied",
    Reason.HEAD_TO_HEAD: "bounced_head_to_head",
}
_STAYED = frozenset({Reason.HELD, Reason.WITHSTOOD, Reason.BELEAGUERED})


def join_sentences(messages: Sequence[Message]) -> Message:
    """Return one message that says all of `messages`, each a sentence of its own."""
    if len(messages) == 1:
        return messages[0]
    return Message.of("sentences", sentences=tuple(messages))


_MOVEMENT_ORDERS = {Hold, Move, SupportHold, SupportMove, Convoy}


class MovementResults(LazyResults):
    """The results of a movement phase; the reasons are found when a result is first looked at.

    `orders` are those that the units follow; a unit without an order holds. `decided` is what the
    kernel or the general resolver decided about them: nothing is decided again. `read_orders`
    returns the refused orders, if there are any.
    """

    __slots__ = ("_board", "_decided", "_orders", "_read_orders", "_rules", "_units")

    def __init__(
        self,
        outcomes: tuple[Outcome, ...],
        *,
        board: Board,
        rules: RuleSet,
        units: Sequence[Unit],
        orders: Iterable[Order | None],
        decided: Verdict | MovementState,
        read_orders: Callable[[], PhaseOrders] | None = None,
    ) -> None:
        # As the class above does, without the call.
        self.outcomes = outcomes
        self._made = None
        self._board = board
        self._rules = rules
        self._units = units
        self._orders = orders
        self._decided = decided
        self._read_orders = read_orders

    def make_results(self) -> Iterator[OrderResult]:
        """Yield the result of each unit's order, then those of void orders for no unit."""
        orders: Iterable[Any] = self._orders
        given: dict[Location, MovementOrder] = {
            order.unit.location: order for order in orders if type(order) in _MOVEMENT_ORDERS
        }
        movement = self._decided
        if not isinstance(movement, MovementState):
            followed = [given.get(unit.location) or Hold(unit) for unit in self._units]
            movement = restore_movement(self._board, self._rules, followed, movement)
        maker = ResultMaker(movement)
        if self._read_orders is None:
            for i, unit in enumerate(self._units):
                yield maker.make_result(i, unit.location not in given)
            return
        read = self._read_orders()
        for i, unit in enumerate(self._units):
            refusal = read.refusal_of(unit)
            result = maker.make_result(i, read.order_of(unit) is None or read.is_implied(unit))
            yield result if refusal is None else replace(refusal, by=result.by)
        yield from read.void


# What is said in phase after phase is stored, and so are its words: see `Message.rendered`.

_MAX_STORED = 16_384
_stored: dict[tuple[object, ...], Message] = {}

_identify = attrgetter("kind", "location", "power")
"""Returns what a unit is, which has its hash ready, unlike the unit."""


def _store_message(identity: tuple[object, ...], message: Message) -> Message:
    if len(_stored) >= _MAX_STORED:
        _stored.clear()
    _stored[identity] = message
    return message


def _stored_message(
    key: str, location: str = "", name: str = "", unit: Unit | None = None
) -> Message:
    """Return the message with a place and a unit, by its name there, or one or none of them."""
    identity: tuple[object, ...] = key, location
    if unit is not None:
        identity = key, location, unit.kind, unit.location, unit.power
    message = _stored.get(identity)
    if message is None:
        parameters: dict[str, Parameter] = {} if unit is None else {name: unit}
        if location:
            parameters["place"] = Place(location)
        message = _store_message(identity, Message(key, parameters))
    return message


class MovementSentence(Sentence):
    """Why an order of a movement phase had its outcome; the message is found when it is read."""

    __slots__ = ("_dislodger", "_finding", "_maker", "_unit")

    def __init__(
        self, maker: "ResultMaker", unit: int, finding: Finding, dislodger: int | None
    ) -> None:
        self._maker = maker
        self._unit = unit
        self._finding = finding
        self._dislodger = dislodger
        self._names = maker.names

    @property
    def message(self) -> Message:
        """The message without words."""
        return self._maker.find_message(self._unit, self._finding, self._dislodger)

    def __str__(self) -> str:
        message = self._maker.find_message(self._unit, self._finding, self._dislodger)
        rendered = message.rendered
        if rendered is not None and rendered[0] is self._names:
            return rendered[1]
        return render_message(message, self._names)


_UNMATCHED = Reason.UNMATCHED
_MOVED = Reason.MOVED
_make_result = KERNEL.builder(OrderResult)


class ResultMaker:
    """Makes the results of one decided movement phase."""

    def __init__(self, movement: MovementState) -> None:
        self.movement = movement
        self._units = movement.units
        self.names = geography(movement.board)
        self._dislodgers = movement.find_dislodgers()

    def make_result(self, unit: int, implicit: bool = False) -> OrderResult:
        """Return the result of the unit's order."""
        movement = self.movement
        dislodger = self._dislodgers.get(unit)
        finding = find_reason(movement, unit)
        causes = finding.units if finding.reason.blames_units else ()
        if dislodger is not None and dislodger not in causes:
            causes = (*causes, dislodger)
        return _make_result(
            movement.orders[unit],
            finding.reason.outcome,
            MovementSentence(self, unit, finding, dislodger),
            tuple(sorted([movement.provinces[cause] for cause in causes])) if causes else (),
            implicit,
        )

    def find_message(self, unit: int, finding: Finding, dislodger: int | None) -> Message:
        """Return why the unit's order had its outcome; `dislodger` dislodged the unit."""
        if dislodger is None:
            if finding.reason is _UNMATCHED:
                return self._describe_mismatch(self.movement.orders[unit])
            messages = self._find_messages(unit, finding)
            return messages[0] if len(messages) == 1 else join_sentences(messages)
        attacker = self._units[dislodger]
        strength, resistance = dislodging_strengths(self.movement, unit, dislodger)
        key = "dislodged"
        if finding.reason is Reason.CUT_BY_DISLODGMENT:
            key = "support_cut_by_dislodgment"
        elif finding.reason is Reason.CUT and finding.units == (dislodger,):
            key = "support_cut_and_dislodged"
        said = Message.of(key, attacker=attacker, strength=strength, resistance=resistance)
        if finding.reason in _STAYED or key != "dislodged":
            return said
        if finding.reason is Reason.HEAD_TO_HEAD and finding.units == (dislodger,):
            lost = self._bounced_against(unit, finding, "dislodged_head_to_head")
            return join_sentences((lost, *self._discount(unit, finding)))
        return join_sentences((*self._find_messages(unit, finding), said))

    def _find_messages(self, unit: int, finding: Finding) -> tuple[Message, ...]:
        order: Any = self.movement.orders[unit]
        kind = type(order)
        if kind is Move:
            return self._move(unit, finding)
        if kind is Hold:
            return (self._hold(unit, finding),)
        if finding.reason is _UNMATCHED:
            return (self._describe_mismatch(order),)
        if kind is Convoy:
            return self._convoy(finding)
        return (self._support(order, finding),)

    def _find_units(self, units: Sequence[int]) -> tuple[Unit, ...]:
        return tuple([self._units[unit] for unit in units])

    # Holds and moves.

    def _hold(self, unit: int, finding: Finding) -> Message:
        if finding.reason is Reason.HELD:
            return _stored_message("held", self.movement.provinces[unit])
        place = Place(self.movement.provinces[unit])
        attackers = self._find_units(finding.units)
        if finding.reason is Reason.WITHSTOOD:
            return Message.of(
                "held_against_attack",
                place=place,
                attackers=attackers,
                strength=finding.strength,
                attack=finding.resistance,
            )
        if finding.reason is Reason.BELEAGUERED:
            return Message.of("held_beleaguered", place=place, attackers=attackers)
        raise AssertionError(finding.reason)

    def _move(self, unit: int, finding: Finding) -> tuple[Message, ...]:
        reason = finding.reason
        if reason is _MOVED or reason is Reason.DISLODGED_UNIT:
            return (self._describe_success(unit, finding),)
        if reason is Reason.NO_CHAIN:
            goal = self.movement.goals[unit]
            return (_stored_message("no_convoy", goal, "unit", self._units[unit]),)
        place = Place(self.movement.goals[unit])
        if reason is Reason.CONVOY_FAILED:
            keys = "convoy_fleets_dislodged", "convoy_failed_by_paradox"
            return self._failed_fleets(finding.units, *keys, unit=self._units[unit], place=place)
        if reason in _LOST_BY_STRENGTH:
            if reason is Reason.RIVALS:
                bounced = self._bounced_by_rivals(unit, finding)
            else:
                bounced = self._bounced_against(unit, finding, _LOST_BY_STRENGTH[reason])
            return (bounced, *self._discount(unit, finding))
        if reason is Reason.OWN_UNIT:
            target = self._units[finding.units[0]]
            return (_stored_message("bounced_own_unit", place.location, "target", target),)
        return (Message.of("bounced_by_paradox", place=place),)

    def _describe_success(self, unit: int, finding: Finding) -> Message:
        order = self.movement.orders[unit]
        key = "moved_by_convoy" if self.movement.by_convoy(unit) else "moved"
        to = order.to if isinstance(order, Move) else ""
        if finding.reason is Reason.MOVED:
            return _stored_message(key, to)
        place = Place(to)
        (target,) = self._find_units(finding.units)
        return Message.of(
            f"{key}_and_dislodged",
            place=place,
            target=target,
            strength=finding.strength,
            resistance=finding.resistance,
        )

    def _bounced_against(self, unit: int, finding: Finding, key: str) -> Message:
        goal, target = self.movement.goals[unit], self._units[finding.units[0]]
        strength, resistance = finding.strength, finding.resistance
        identity = key, goal, strength, resistance, _identify(target)
        return _stored.get(identity) or _store_message(
            identity,
            Message.of(
                key, place=Place(goal), target=target, strength=strength, resistance=resistance
            ),
        )

    def _bounced_by_rivals(self, unit: int, finding: Finding) -> Message:
        place = Place(self.movement.goals[unit])
        own = self.movement.powers[unit]
        rivals = self._find_units(finding.units)
        key, strength, resistance = "bounced_rivals", finding.strength, finding.resistance
        identity = key, place.location, own, strength, resistance, *map(_identify, rivals)
        return _stored.get(identity) or _store_message(
            identity,
            Message.of(
                key,
                place=place,
                rivals=tuple(OwnUnit(rival) if rival.power == own else rival for rival in rivals),
                strength=strength,
                resistance=resistance,
            ),
        )

    def _discount(self, unit: int, finding: Finding) -> tuple[Message, ...]:
        """Return how supports for an attack on a unit of the supporting power counted."""
        if not finding.discounted:
            return ()
        movement = self.movement
        power = movement.powers[movement.at[movement.goals[unit]]]
        voided = movement.rules.own_attack_void
        key = "own_support_voids_attack" if voided else "own_support_not_counted"
        return (Message.of(key, power=PowerName(power)),)

    # Supports and convoys.

    def _support(self, order: SupportHold | SupportMove, finding: Finding) -> Message:
        if finding.reason is not Reason.GIVEN:
            attackers = self._find_units(finding.units)
            identity = "support_cut", *map(_identify, attackers)
            return _stored.get(identity) or _store_message(
                identity, Message.of("support_cut", attackers=attackers)
            )
        target = self._units[self.movement.at[order.target.province]]
        if isinstance(order, SupportHold):
            return _stored_message("supported_hold", "", "target", target)
        return _stored_message("supported_move", order.to, "target", target)

    def _describe_mismatch(self, order: Any) -> Message:
        """Return why a support or convoy matches no order of the unit it names."""
        movement = self.movement
        target = movement.at[order.target.province]
        unit = self._units[target]
        to = ""
        if type(order) is SupportHold:
            key = "support_void_target_moved"
        elif movement.goals[target] != order.to:
            key, to = "void_target_not_ordered", order.to
        elif type(order) is SupportMove:
            key, to = "support_void_no_convoy", order.to
        elif movement.by_convoy(target):
            key = "convoy_void_other_fleets"
        else:
            key, to = "convoy_void_by_land", order.to
        return _stored_message(key, to, "target", unit)

    def _convoy(self, finding: Finding) -> tuple[Message, ...]:
        movement = self.movement
        (number, *failed) = finding.units
        army, goal = self._units[number], movement.goals[number]
        match finding.reason:
            case Reason.OTHER_ROUTE:
                key = "convoy_other_route"
            case Reason.CONVOYED:
                key = "convoyed" if movement.move_ok[number] else "convoyed_and_bounced"
            case Reason.READY if chain_exists(movement, number, movement.routes[number] or ()):
                keys = "convoy_ready_fleets_dislodged", "convoy_ready_paradox"
                return self._failed_fleets(failed, *keys, army=army, place=Place(goal))
            case Reason.READY:
                key = "convoy_ready_no_chain"
            case Reason.PARADOX_FAILED:
                key = "convoy_disrupted_by_paradox"
            case _:
                key = "convoy_disrupted"
        return (_stored_message(key, goal, "army", army),)

    def _failed_fleets(
        self,
        fleets: Sequence[int],
        key_dislodged: str,
        key_paradox: str,
        **parameters: Unit | Place,
    ) -> tuple[Message, ...]:
        """Return why the fleets did not convoy: some were dislodged, some are in a paradox."""
        by_paradox = self.movement.paradox_failed
        paradox = self._find_units([fleet for fleet in fleets if fleet in by_paradox])
        dislodged = self._find_units([fleet for fleet in fleets if fleet not in by_paradox])
        if not dislodged:
            return (Message.of(key_paradox, **parameters, fleets=paradox),)
        message = Message.of(key_dislodged, **parameters, fleets=dislodged)
        if not paradox:
            return (message,)
        return message, Message.of("paradox_also_disrupted", fleets=paradox)
