"""Builds the results of a decided movement phase: outcomes, messages, and the units at fault."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from diplomaccloud.judge.board import Board
from diplomaccloud.judge.geography import geography
from diplomaccloud.judge.legality.reader import PhaseOrders
from diplomaccloud.judge.messages.english import Sentence
from diplomaccloud.judge.messages.values import (
    Message,
    OwnUnit,
    Place,
    PowerName,
    join_sentences,
)
from diplomaccloud.judge.movement.convoy import chain_exists
from diplomaccloud.judge.movement.findings import (
    Finding,
    Reason,
    dislodging_strengths,
    find_reason,
)
from diplomaccloud.judge.movement.state import MovementState
from diplomaccloud.judge.orders import (
    Convoy,
    Hold,
    Move,
    Order,
    SupportHold,
    SupportMove,
)
from diplomaccloud.judge.reasons.statements import choose_rivals_key, explain_by_kernel
from diplomaccloud.judge.results import LazyResults, OrderResult, Outcome
from diplomaccloud.judge.rules import RuleSet
from diplomaccloud.judge.units import Unit

_LOST_BY_STRENGTH = {
    Reason.RIVALS: "bounced_rivals",
    Reason.OCCUPIED: "bounced_occupied",
    Reason.HEAD_TO_HEAD: "bounced_head_to_head",
}
_BLOCKED_BY_OWN = {
    Reason.OWN_STAYED: "bounced_own_stayed",
    Reason.OWN_UNIT: "bounced_own_unit",
}
_STAYED = frozenset({Reason.HELD, Reason.WITHSTOOD, Reason.BELEAGUERED})


class MovementResults(LazyResults):
    """The results of a movement phase; reasons are computed when a result is first accessed.

    `orders` are the orders that the units follow; a unit without an order holds. `movement` has the
    general resolver's decisions, or is `None` if the kernel decided; then the kernel also explains
    them. `read_orders` returns the refused orders, if there are any.
    """

    __slots__ = ("_board", "_movement", "_orders", "_read_orders", "_rules", "_units")

    def __init__(
        self,
        outcomes: tuple[Outcome, ...],
        board: Board,
        rules: RuleSet,
        units: Sequence[Unit],
        orders: Iterable[Order | None],
        *,
        movement: MovementState | None = None,
        read_orders: Callable[[], PhaseOrders] | None = None,
    ) -> None:
        # Same as in the class above, without the call.
        self.outcomes = outcomes
        self._made = None
        self._board = board
        self._rules = rules
        self._units = units
        self._orders = orders
        self._movement = movement
        self._read_orders = read_orders

    def make_results(self) -> Iterable[OrderResult]:
        """Return the result of each unit's order, then those of void orders for no unit."""
        if self._movement is None:
            orders: Any = self._orders
            results = explain_by_kernel(self._board, self._rules, self._units, orders)
        else:
            results = ResultMaker(self._movement).make_results()
        if self._read_orders is None:
            return results
        return self._refuse_orders(results, self._read_orders())

    def _refuse_orders(
        self, results: Iterable[OrderResult], read: PhaseOrders
    ) -> Iterator[OrderResult]:
        for unit, result in zip(self._units, results, strict=True):
            refusal = read.refusal_of(unit)
            if refusal is not None:
                yield replace(refusal, by=result.by)
                continue
            implicit = read.order_of(unit) is None or read.is_implied(unit)
            yield result if result.implicit == implicit else replace(result, implicit=implicit)
        yield from read.void


class ResultMaker:
    """Builds the results of one decided movement phase."""

    def __init__(self, movement: MovementState) -> None:
        self.movement = movement
        self._units = movement.units
        self.names = geography(movement.board)
        self._dislodgers = movement.find_dislodgers()

    def make_results(self) -> tuple[OrderResult, ...]:
        """Return the result of each unit's order, as if all orders had been given."""
        return tuple([self._make_result(unit) for unit in range(len(self._units))])

    def _make_result(self, unit: int) -> OrderResult:
        movement = self.movement
        dislodger = self._dislodgers.get(unit)
        finding = find_reason(movement, unit)
        causes = finding.units if finding.reason.blames_units else ()
        if dislodger is not None and dislodger not in causes:
            causes = (*causes, dislodger)
        return OrderResult(
            movement.orders[unit],
            finding.reason.outcome,
            Sentence(self.find_message(unit, finding, dislodger), self.names),
            tuple(sorted([movement.provinces[cause] for cause in causes])),
        )

    def find_message(self, unit: int, finding: Finding, dislodger: int | None) -> Message:
        """Return the reason for the outcome of the unit's order; `dislodger` dislodged the unit."""
        if dislodger is None:
            return join_sentences(self._find_messages(unit, finding))
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
        if finding.reason is Reason.UNMATCHED:
            return (self._describe_mismatch(order),)
        if kind is Convoy:
            return self._convoy(finding)
        return (self._support(order, finding),)

    def _find_units(self, units: Sequence[int]) -> tuple[Unit, ...]:
        return tuple([self._units[unit] for unit in units])

    # Holds and moves.

    def _hold(self, unit: int, finding: Finding) -> Message:
        place = Place(self.movement.provinces[unit])
        if finding.reason is Reason.HELD:
            return Message.of("held", place=place)
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
        if reason in {Reason.MOVED, Reason.DISLODGED_UNIT}:
            return (self._describe_success(unit, finding),)
        place = Place(self.movement.goals[unit])
        if reason is Reason.NO_CHAIN:
            return (Message.of("no_convoy", unit=self._units[unit], place=place),)
        if reason is Reason.CONVOY_FAILED:
            keys = "convoy_fleets_dislodged", "convoy_failed_by_paradox"
            return self._failed_fleets(finding.units, *keys, unit=self._units[unit], place=place)
        if reason in _LOST_BY_STRENGTH:
            if reason is Reason.RIVALS:
                bounced = self._bounced_by_rivals(unit, finding)
            else:
                bounced = self._bounced_against(unit, finding, _LOST_BY_STRENGTH[reason])
            return (bounced, *self._discount(unit, finding))
        if reason in _BLOCKED_BY_OWN:
            target = self._units[finding.units[0]]
            return (Message.of(_BLOCKED_BY_OWN[reason], target=target, place=place),)
        return (Message.of("bounced_by_paradox", place=place),)

    def _describe_success(self, unit: int, finding: Finding) -> Message:
        order = self.movement.orders[unit]
        key = "moved_by_convoy" if self.movement.by_convoy(unit) else "moved"
        place = Place(order.to if isinstance(order, Move) else "")
        if finding.reason is Reason.MOVED:
            return Message.of(key, place=place)
        (target,) = self._find_units(finding.units)
        return Message.of(
            f"{key}_and_dislodged",
            place=place,
            target=target,
            strength=finding.strength,
            resistance=finding.resistance,
        )

    def _bounced_against(self, unit: int, finding: Finding, key: str) -> Message:
        return Message.of(
            key,
            place=Place(self.movement.goals[unit]),
            target=self._units[finding.units[0]],
            strength=finding.strength,
            resistance=finding.resistance,
        )

    def _bounced_by_rivals(self, unit: int, finding: Finding) -> Message:
        own = self.movement.powers[unit]
        rivals = self._find_units(finding.units)
        return Message.of(
            choose_rivals_key(finding.strength, finding.resistance),
            place=Place(self.movement.goals[unit]),
            rivals=tuple(OwnUnit(rival) if rival.power == own else rival for rival in rivals),
            strength=finding.strength,
            resistance=finding.resistance,
        )

    def _discount(self, unit: int, finding: Finding) -> tuple[Message, ...]:
        """Return messages about supports for an attack on the supporting power's own unit."""
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
            return Message.of("support_cut", attackers=self._find_units(finding.units))
        target = self._units[self.movement.at[order.target.province]]
        if isinstance(order, SupportHold):
            return Message.of("supported_hold", target=target)
        return Message.of("supported_move", target=target, place=Place(order.to))

    def _describe_mismatch(self, order: Any) -> Message:
        """Return the reason why a support or convoy does not match the order of its unit."""
        movement = self.movement
        target = movement.at[order.target.province]
        unit = self._units[target]
        if isinstance(order, SupportHold):
            return Message.of("support_void_target_moved", target=unit)
        if movement.goals[target] != order.to:
            key = "void_target_not_ordered"
        elif isinstance(order, SupportMove):
            key = "support_void_no_convoy"
        elif movement.by_convoy(target):
            return Message.of("convoy_void_other_fleets", target=unit)
        else:
            key = "convoy_void_by_land"
        return Message.of(key, target=unit, place=Place(order.to))

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
        return (Message.of(key, army=army, place=Place(goal)),)

    def _failed_fleets(
        self,
        fleets: Sequence[int],
        key_dislodged: str,
        key_paradox: str,
        **parameters: Unit | Place,
    ) -> tuple[Message, ...]:
        """Return the reasons why fleets did not convoy: dislodgment, or a paradox."""
        by_paradox = self.movement.paradox_failed
        paradox = self._find_units([fleet for fleet in fleets if fleet in by_paradox])
        dislodged = self._find_units([fleet for fleet in fleets if fleet not in by_paradox])
        if not dislodged:
            return (Message.of(key_paradox, **parameters, fleets=paradox),)
        message = Message.of(key_dislodged, **parameters, fleets=dislodged)
        if not paradox:
            return (message,)
        return message, Message.of("paradox_also_disrupted", fleets=paradox)
