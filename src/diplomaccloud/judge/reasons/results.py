"""Makes the results of a decided movement phase: outcome, message, and the units that caused it."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from diplomaccloud.judge.board import Board
from diplomaccloud.judge.geography import geography
from diplomaccloud.judge.kernel.values import Verdict
from diplomaccloud.judge.legality.phase_orders import PhaseOrders
from diplomaccloud.judge.messages.english import render_message
from diplomaccloud.judge.messages.values import Message, OwnUnit, Place, PowerName
from diplomaccloud.judge.movement.convoy import chain_exists
from diplomaccloud.judge.movement.findings import (
    Finding,
    Reason,
    dislodging_strengths,
    find_reason,
)
from diplomaccloud.judge.movement.kernel_bridge import restore_movement
from diplomaccloud.judge.movement.state import MovementState
from diplomaccloud.judge.orders import Convoy, Hold, Move, Order, SupportHold, SupportMove
from diplomaccloud.judge.results import LazyResults, OrderResult, Outcome
from diplomaccloud.judge.rules import RuleSet
from diplomaccloud.judge.units import Unit

_STAYED = frozenset({Reason.HELD, Reason.WITHSTOOD, Reason.BELEAGUERED})


def join_sentences(messages: Sequence[Message]) -> Message:
    """Return one message that says all of `messages`, each a sentence of its own."""
    if len(messages) == 1:
        return messages[0]
    return Message.of("sentences", sentences=tuple(messages))


_MOVEMENT_ORDERS = (Hold, Move, SupportHold, SupportMove, Convoy)


class MovementResults(LazyResults):
    """The results of a movement phase; the reasons are found when a result is first looked at.

    `orders` are those that the units follow; a unit without an order holds. `decided` is what the
    kernel or the general resolver decided about them: nothing is decided again. `phase_orders`
    has the refused orders, if any were read.
    """

    __slots__ = ("_board", "_decided", "_orders", "_phase_orders", "_rules", "_units")

    def __init__(
        self,
        outcomes: tuple[Outcome, ...],
        *,
        board: Board,
        rules: RuleSet,
        units: Sequence[Unit],
        orders: Iterable[Order],
        decided: Verdict | MovementState,
        phase_orders: PhaseOrders | None = None,
    ) -> None:
        super().__init__(outcomes)
        self._board = board
        self._rules = rules
        self._units = units
        self._orders = orders
        self._decided = decided
        self._phase_orders = phase_orders

    def make_results(self) -> Iterator[OrderResult]:
        """Yield the result of each unit's order, then those of void orders for no unit."""
        given = {
            order.unit.location: order
            for order in self._orders
            if isinstance(order, _MOVEMENT_ORDERS)
        }
        movement = self._decided
        if not isinstance(movement, MovementState):
            followed = [given.get(unit.location) or Hold(unit) for unit in self._units]
            movement = restore_movement(self._board, self._rules, followed, movement)
        maker = ResultMaker(movement)
        read = self._phase_orders
        if read is None:
            for i, unit in enumerate(self._units):
                yield maker.make_result(i, unit.location not in given)
            return
        for i, unit in enumerate(self._units):
            refusal = read.refusal_of(unit)
            result = maker.make_result(i, read.order_of(unit) is None or read.is_implied(unit))
            yield result if refusal is None else replace(refusal, by=result.by)
        yield from read.void


class ResultMaker:
    """Makes the results of one decided movement phase."""

    def __init__(self, movement: MovementState) -> None:
        self.movement = movement
        self._units = movement.units
        self._names = geography(movement.board)

    def make_result(self, unit: int, implicit: bool = False) -> OrderResult:
        """Return the result of the unit's order."""
        movement = self.movement
        dislodger = movement.dislodger(unit)
        finding = find_reason(movement, unit)
        causes = finding.units if finding.reason.blames_units else ()
        if dislodger is not None and dislodger not in causes:
            causes = (*causes, dislodger)
        message = self.find_message(unit, finding, dislodger)
        return OrderResult(
            movement.orders[unit],
            finding.reason.outcome,
            render_message(message, self._names),
            tuple(sorted([movement.provinces[cause] for cause in causes])) if causes else (),
            implicit,
            message,
        )

    def find_message(self, unit: int, finding: Finding, dislodger: int | None) -> Message:
        """Return why the unit's order had its outcome; `dislodger` dislodged the unit."""
        if dislodger is None:
            return join_sentences(tuple(self._messages(unit, finding)))
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
        return join_sentences((*self._messages(unit, finding), said))

    def _messages(self, unit: int, finding: Finding) -> Iterator[Message]:
        order = self.movement.orders[unit]
        match order:
            case Move():
                yield from self._move(unit, finding)
            case SupportHold() | SupportMove() | Convoy() if finding.reason is Reason.UNMATCHED:
                yield self._unmatched(order)
            case Convoy():
                yield from self._convoy(finding)
            case SupportHold() | SupportMove():
                yield self._support(order, finding)
            case _:
                yield self._hold(unit, finding)

    def _named(self, units: Sequence[int]) -> tuple[Unit, ...]:
        return tuple(self._units[unit] for unit in units)

    # Holds and moves.

    def _hold(self, unit: int, finding: Finding) -> Message:
        place = Place(self.movement.provinces[unit])
        attackers = self._named(finding.units)
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
        return Message.of("held", place=place)

    def _move(self, unit: int, finding: Finding) -> Iterator[Message]:
        movement = self.movement
        place = Place(movement.goals[unit])
        match finding.reason:
            case Reason.MOVED | Reason.DISLODGED_UNIT:
                yield self._moved(unit, finding)
            case Reason.NO_CHAIN:
                yield Message.of("no_convoy", unit=self._units[unit], place=place)
            case Reason.CONVOY_FAILED:
                keys = "convoy_fleets_dislodged", "convoy_failed_by_paradox"
                yield from self._failed_fleets(
                    finding.units, *keys, unit=self._units[unit], place=place
                )
            case Reason.PARADOX_STOPPED:
                yield Message.of("bounced_by_paradox", place=place)
            case Reason.OWN_UNIT:
                (target,) = self._named(finding.units)
                yield Message.of("bounced_own_unit", place=place, target=target)
            case Reason.RIVALS:
                yield self._bounced_by_rivals(unit, finding)
                yield from self._discount(unit, finding)
            case reason:
                head_to_head = reason is Reason.HEAD_TO_HEAD
                key = "bounced_head_to_head" if head_to_head else "bounced_occupied"
                yield self._bounced_against(unit, finding, key)
                yield from self._discount(unit, finding)

    def _moved(self, unit: int, finding: Finding) -> Message:
        order = self.movement.orders[unit]
        key = "moved_by_convoy" if self.movement.by_convoy(unit) else "moved"
        place = Place(order.to if isinstance(order, Move) else "")
        if finding.reason is Reason.MOVED:
            return Message.of(key, place=place)
        (target,) = self._named(finding.units)
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
        place = Place(self.movement.goals[unit])
        if not finding.units:
            return Message.of("bounced", place=place)
        own = self.movement.powers[unit]
        rivals = self._named(finding.units)
        return Message.of(
            "bounced_rivals",
            place=place,
            rivals=tuple(OwnUnit(rival) if rival.power == own else rival for rival in rivals),
            strength=finding.strength,
            resistance=finding.resistance,
        )

    def _discount(self, unit: int, finding: Finding) -> Iterator[Message]:
        """Yield what became of supports for an attack on a unit of the supporting power."""
        if finding.discounted:
            movement = self.movement
            power = movement.powers[movement.at[movement.goals[unit]]]
            voided = movement.rules.own_attack_void
            key = "own_support_voids_attack" if voided else "own_support_not_counted"
            yield Message.of(key, power=PowerName(power))

    # Supports and convoys.

    def _support(self, order: SupportHold | SupportMove, finding: Finding) -> Message:
        if finding.reason is not Reason.GIVEN:
            return Message.of("support_cut", attackers=self._named(finding.units))
        target = self._units[self.movement.at[order.target.province]]
        if isinstance(order, SupportHold):
            return Message.of("supported_hold", target=target)
        return Message.of("supported_move", target=target, place=Place(order.to))

    def _unmatched(self, order: SupportHold | SupportMove | Convoy) -> Message:
        """Return why a support or convoy matches no order of the unit it names."""
        movement = self.movement
        target = movement.at[order.target.province]
        unit = self._units[target]
        if isinstance(order, SupportHold):
            return Message.of("support_void_target_moved", target=unit)
        place = Place(order.to)
        if movement.goals[target] != order.to:
            return Message.of("void_target_not_ordered", target=unit, place=place)
        if isinstance(order, SupportMove):
            return Message.of("support_void_no_convoy", target=unit, place=place)
        if movement.by_convoy(target):
            return Message.of("convoy_void_other_fleets", target=unit)
        return Message.of("convoy_void_by_land", target=unit, place=place)

    def _convoy(self, finding: Finding) -> Iterator[Message]:
        movement = self.movement
        (number, *failed) = finding.units
        army, place = self._units[number], Place(movement.goals[number])
        match finding.reason:
            case Reason.OTHER_ROUTE:
                yield Message.of("convoy_other_route", army=army, place=place)
            case Reason.CONVOYED:
                key = "convoyed" if movement.move_ok[number] else "convoyed_and_bounced"
                yield Message.of(key, army=army, place=place)
            case Reason.READY if not chain_exists(movement, number, movement.routes[number] or ()):
                yield Message.of("convoy_ready_no_chain", army=army, place=place)
            case Reason.READY:
                keys = "convoy_ready_fleets_dislodged", "convoy_ready_paradox"
                yield from self._failed_fleets(failed, *keys, army=army, place=place)
            case Reason.PARADOX_FAILED:
                yield Message.of("convoy_disrupted_by_paradox", army=army, place=place)
            case _:
                yield Message.of("convoy_disrupted", army=army, place=place)

    def _failed_fleets(
        self,
        fleets: Sequence[int],
        key_dislodged: str,
        key_paradox: str,
        **parameters: Unit | Place,
    ) -> Iterator[Message]:
        """Yield why the fleets did not convoy: some were dislodged, some are in a paradox."""
        by_paradox = self.movement.paradox_failed
        paradox = self._named([fleet for fleet in fleets if fleet in by_paradox])
        dislodged = self._named([fleet for fleet in fleets if fleet not in by_paradox])
        if not dislodged:
            yield Message.of(key_paradox, **parameters, fleets=paradox)
            return
        yield Message.of(key_dislodged, **parameters, fleets=dislodged)
        if paradox:
            yield Message.of("paradox_also_disrupted", fleets=paradox)
