"""Says how an army was to go by convoy, and what became of each fleet."""

from collections.abc import Callable, Iterable, Iterator

from diplomaccloud.judge.movement.convoy import chain_exists, path_state
from diplomaccloud.judge.movement.findings import find_failed_fleets
from diplomaccloud.judge.movement.state import MovementState
from diplomaccloud.judge.reasons.messages import Wording
from diplomaccloud.judge.reasons.rulebook import Source, datc, rule, section
from diplomaccloud.judge.reasons.values import Cause, Topic
from diplomaccloud.judge.rules import Paradox

MOST_FLEETS = 12
"""How many fleets of one convoy a tree tells of and asks about; the others are only counted.

Real boards hardly have so many. Else the trees of a convoy would grow with the square of it.
"""


class Convoys:
    """Makes the nodes about the convoys of one movement."""

    def __init__(
        self,
        movement: MovementState,
        words: Wording,
        dislodged: Callable[[int, int], Cause],
        withstood: Callable[[int], Iterable[Cause]],
    ) -> None:
        self.movement = movement
        self.words = words
        self._dislodged = dislodged
        self._withstood = withstood
        self._told: set[int] = set()

    def route(self, army: int, first: int | None = None) -> Iterator[Cause]:
        """Yield the node about the army's convoy, with its fleets; nothing if it is told.

        Of a convoy of very many fleets stand there `first`, those that failed, and a few more.
        """
        route = self.movement.routes[army]
        if route is None or army in self._told:
            return
        self._told.add(army)
        near = self.movement.board.army_neighbors[self.movement.provinces[army]]
        sources = [datc("5.B.4")]
        if self.movement.goals[army] in near:
            sources += [section("Land and Convoy Routes"), datc("4.A.3")]
        fleets = tuple(self._fleet(fleet) for fleet in self._worth_telling(route, first))
        mine = self.movement.units[army]
        text = self._sentence(army, route, sources)
        yield Cause(Topic.PATH, text, tuple(sources), mine, causes=fleets)

    def _worth_telling(self, route: tuple[int, ...], first: int | None) -> tuple[int, ...]:
        if len(route) <= MOST_FLEETS:
            return route
        sails = self.movement.convoy_ok
        ranked = sorted(route, key=lambda fleet: (fleet != first, bool(sails[fleet]), fleet))
        return tuple(sorted(ranked[:MOST_FLEETS]))

    def _sentence(self, army: int, route: tuple[int, ...], sources: list[Source]) -> str:
        words, movement = self.words, self.movement
        whom = f"the army from {words.way(army)}"
        if not route:
            sources.append(section("Convoy Orders"))
            return f"No fleet was ordered to convoy {whom}."
        verb = "was" if len(route) == 1 else "were"
        fleets = words.fleets(route[:MOST_FLEETS])
        if len(route) > MOST_FLEETS:
            fleets = f"{fleets} and {len(route) - MOST_FLEETS} more"
        ordered = f"{fleets[:1].upper()}{fleets[1:]} {verb} ordered to convoy {whom}"
        lost = find_failed_fleets(movement, army)
        if not chain_exists(movement, army, route):
            return f"{ordered}, which is not the whole way."
        if not lost:
            return f"{ordered}."
        if path_state(movement, army):
            sources.append(rule(20))
            return f"{ordered}, and one route stayed open."
        sources.append(rule(17))
        whole = [one for one in route if one not in lost]
        if movement.rules.any_route_disrupts and chain_exists(movement, army, whole):
            sources.append(datc("4.A.1"))
            return f"{ordered}; where there are several routes, one that fails ends the convoy."
        return f"{ordered}, and no route stayed open."

    def _fleet(self, fleet: int) -> Cause:
        movement, words = self.movement, self.words
        mine = movement.units[fleet]
        who = words.unit(fleet)
        who = f"{who[:1].upper()}{who[1:]}"
        driver = movement.dislodger(fleet)
        causes: tuple[Cause, ...] = ()
        if driver is not None:
            causes = (self._dislodged(fleet, driver),)
        if fleet in movement.paradox_failed:
            text = (
                f"{who} convoyed nobody: whether it was dislodged would have depended on its own "
                f"convoy, and {self._rule()}."
            )
            return Cause(Topic.PARADOX, text, (rule(21), datc("4.A.2")), mine, causes=causes)
        if driver is None:
            met = tuple(self._withstood(fleet))
            return Cause(Topic.FLEET, f"{who} held its place.", (datc("5.B.3"),), mine, causes=met)
        text = f"{who} was dislodged, which ended its convoy."
        return Cause(Topic.FLEET, text, (rule(17), datc("5.B.3")), mine, causes=causes)

    def _rule(self) -> str:
        if self.movement.rules.paradox is Paradox.ALL_HOLD:
            return "all moves of such a paradox fail"
        return "by Szykman’s rule such a fleet only holds"
