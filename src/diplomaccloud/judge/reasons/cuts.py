"""Says of each attack on a supporting unit whether it cut the support, and why or why not."""

from collections.abc import Callable, Iterator

from diplomaccloud.judge.movement.convoy import path_state
from diplomaccloud.judge.movement.findings import find_cutters
from diplomaccloud.judge.movement.state import MovementState
from diplomaccloud.judge.movement.support import cuts_on_arrival, spares_support
from diplomaccloud.judge.reasons.messages import Wording
from diplomaccloud.judge.reasons.rulebook import Source, datc, rule
from diplomaccloud.judge.reasons.values import Cause, Topic

Dislodged = Callable[[int, int], Cause]


def cut_causes(
    movement: MovementState, words: Wording, unit: int, dislodged: Dislodged
) -> Iterator[Cause]:
    """Yield a node for each attack on the unit, whose support was matched with an order."""
    cut_by = find_cutters(movement, unit)
    for attacker in movement.attackers(unit):
        who = words.origin(attacker)
        mine = movement.units[attacker]
        if attacker not in cut_by:
            why, sources = _spared(movement, words, attacker, unit)
            text = f"The attack of {who} cut nothing: {why}."
            yield Cause(Topic.SPARED, text, sources, mine)
        elif cuts_on_arrival(movement, attacker, unit):
            into = words.map.the(movement.support_into[unit])
            text = f"The attack of {who} did not come from {into}, where the support went."
            yield Cause(Topic.CUT, text, _cut_sources(movement, attacker, unit), mine)
        else:
            text = f"{who} dislodged the supporting {words.kind(unit)}, which ends its support."
            causes = (dislodged(unit, attacker),)
            yield Cause(Topic.CUT, text, (rule(14), datc("5.B.2")), mine, causes=causes)


def _cut_sources(movement: MovementState, attacker: int, unit: int) -> tuple[Source, ...]:
    sources = [rule(13), datc("5.B.2")]
    if movement.dislodger(attacker) is not None:
        sources.insert(1, rule(15))
    route = movement.routes[attacker]
    if route is not None and movement.at.get(movement.support_into[unit]) in route:
        sources.insert(0, rule(22))
    return tuple(sources)


def _spared(
    movement: MovementState, words: Wording, attacker: int, unit: int
) -> tuple[str, tuple[Source, ...]]:
    """Return why an attack left the support uncut."""
    if not path_state(movement, attacker):
        drowned = movement.paradox_failed.intersection(movement.routes[attacker] or ())
        sources = (rule(21), datc("4.A.2")) if drowned else (datc("5.B.4"),)
        return "no convoy brought it there", sources
    if movement.support_into[unit] == movement.provinces[attacker]:
        sources = (rule(13), datc("4.A.4" if movement.by_convoy(attacker) else "5.B.2"))
        return "it came from where the support went, and did not dislodge the unit", sources
    if spares_support(movement, attacker, unit):
        sea = words.map.the(movement.support_into[unit])
        why = f"a convoyed army does not cut a fleet’s support into {sea}, where a fleet convoys"
        return why, (rule(21), datc("4.A.2"))
    return f"{words.whose(attacker)} does not cut its own support", (rule(16), datc("5.B.2"))
