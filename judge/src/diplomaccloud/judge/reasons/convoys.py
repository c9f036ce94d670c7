"""Explains an army's convoy: its route, and what happened to each fleet."""

from collections.abc import Callable, Iterable, Iterator

from diplomaccloud.judge.messages.values import Message, Parameter, Place, join_sentences
from diplomaccloud.judge.movement.convoy import chain_exists, path_state
from diplomaccloud.judge.movement.findings import find_failed_fleets
from diplomaccloud.judge.movement.state import MovementState
from diplomaccloud.judge.reasons.rulebook import Source, datc, rule, section
from diplomaccloud.judge.reasons.values import Cause, Topic
from diplomaccloud.judge.rules import Paradox

MAX_FLEETS = 12
"""The most fleets in one convoy that a tree explains and tests; the others are only counted.

Convoys in real games rarely have more. Without a limit, the trees of a convoy would grow with the
square of its fleets.
"""


class ConvoyCauses:
    """Builds the nodes about the convoys in one movement phase."""

    def __init__(
        self,
        movement: MovementState,
        explain_dislodgment: Callable[[int, int], Cause],
        explain_stand: Callable[[int], Iterable[Cause]],
    ) -> None:
        self.movement = movement
        self._explain_dislodgment = explain_dislodgment
        self._explain_stand = explain_stand
        self._explained: set[int] = set()

    def explain_route(self, army: int, first: int | None = None) -> Iterator[Cause]:
        """Yield the node about the army's convoy and its fleets, once for each army.

        For a very large convoy, it has the fleet `first`, the fleets that failed, and a few more.
        """
        route = self.movement.routes[army]
        if route is None or army in self._explained:
            return
        self._explained.add(army)
        near = self.movement.board.army_neighbors[self.movement.provinces[army]]
        sources = [datc("5.B.4")]
        if self.movement.goals[army] in near:
            sources += [section("Land and Convoy Routes"), datc("4.A.3")]
        chosen = self._choose_fleets(route, first)
        fleets = tuple(self._explain_fleet(fleet) for fleet in chosen)
        message, more_sources = self._describe_route(army, route)
        unit = self.movement.units[army]
        yield Cause(Topic.PATH, message, (*sources, *more_sources), unit, causes=fleets)

    def _choose_fleets(self, route: tuple[int, ...], first: int | None) -> tuple[int, ...]:
        if len(route) <= MAX_FLEETS:
            return route
        convoy_ok = self.movement.convoy_ok
        ranked = sorted(route, key=lambda fleet: (fleet != first, bool(convoy_ok[fleet]), fleet))
        return tuple(sorted(ranked[:MAX_FLEETS]))

    def _describe_route(
        self, army: int, route: tuple[int, ...]
    ) -> tuple[Message, tuple[Source, ...]]:
        """Return a message about the fleets ordered to convoy and their success, with the rules."""
        units = self.movement.units
        key, sources = self._judge_route(army, route)
        parameters: dict[str, Parameter] = {
            "army": units[army],
            "place": Place(self.movement.goals[army]),
        }
        if not route:
            return Message.of(key, **parameters), sources
        named = tuple(units[fleet] for fleet in route[:MAX_FLEETS])
        messages = [Message.of(key, **parameters, fleets=named)]
        if len(route) > MAX_FLEETS:
            messages.append(Message.of("more_fleets", count=len(route) - MAX_FLEETS))
        return join_sentences(messages), sources

    def _judge_route(self, army: int, route: tuple[int, ...]) -> tuple[str, tuple[Source, ...]]:
        movement = self.movement
        if not route:
            return "route_without_fleets", (section("Convoy Orders"),)
        if not chain_exists(movement, army, route):
            return "route_incomplete", ()
        failed = find_failed_fleets(movement, army)
        if not failed:
            return "route_ordered", ()
        if path_state(movement, army):
            return "route_stayed_open", (rule(20),)
        convoying = [fleet for fleet in route if fleet not in failed]
        if movement.rules.any_route_disrupts and chain_exists(movement, army, convoying):
            return "any_route_disrupts", (rule(17), datc("4.A.1"))
        return "route_disrupted", (rule(17),)

    def _explain_fleet(self, fleet: int) -> Cause:
        movement = self.movement
        unit = movement.units[fleet]
        dislodger = movement.dislodger(fleet)
        causes: tuple[Cause, ...] = ()
        if dislodger is not None:
            causes = (self._explain_dislodgment(fleet, dislodger),)
        if fleet in movement.paradox_failed:
            all_hold = movement.rules.paradox is Paradox.ALL_HOLD
            key = "fleet_in_paradox_all_hold" if all_hold else "fleet_in_paradox"
            sources = (rule(21), datc("4.A.2"))
            return Cause(Topic.PARADOX, Message.of(key, unit=unit), sources, unit, causes=causes)
        if dislodger is None:
            stand = tuple(self._explain_stand(fleet))
            message = Message.of("fleet_held", unit=unit)
            return Cause(Topic.FLEET, message, (datc("5.B.3"),), unit, causes=stand)
        message = Message.of("fleet_dislodged", unit=unit)
        return Cause(Topic.FLEET, message, (rule(17), datc("5.B.3")), unit, causes=causes)
