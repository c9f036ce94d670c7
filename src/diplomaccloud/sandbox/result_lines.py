"""The result of an order as a line on a page: its outcome in a word, and the reason."""

from dataclasses import dataclass

from diplomaccloud.judge.orders import Waive
from diplomaccloud.judge.phases import Stage
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.results import Outcome, Resolution

_OUTCOMES = {
    Outcome.MOVED: "succeeded",
    Outcome.HOLD: "held",
    Outcome.GIVEN: "given",
    Outcome.NOPATH: "no path",
}
_ICONS = {
    Outcome.MOVED: "move",
    Outcome.BOUNCED: "bounce",
    Outcome.HOLD: "hold",
    Outcome.GIVEN: "support",
    Outcome.CUT: "cut",
    Outcome.CONVOYED: "convoy",
    Outcome.RETREATED: "retreat",
    Outcome.DISBANDED: "disband",
    Outcome.BUILT: "build",
    Outcome.WAIVED: "waive",
}


@dataclass(frozen=True, slots=True)
class ResultLine:
    """One order and its outcome.

    `number` is its index among the results of its phase, from 0; `province` is its unit's province,
    blank if it has none. `icon` is the name of the outcome's symbol.
    """

    text: str
    outcome: str
    icon: str
    word: str
    reason: str
    succeeded: bool
    implicit: bool
    dislodged: bool
    destroyed: bool
    number: int
    province: str


def present_result(position: Position, resolution: Resolution, number: int) -> ResultLine:
    """Return the result `number` of `resolution`, whose phase started with `position`."""
    result = resolution.results[number]
    unit = None if isinstance(result.order, Waive) else result.order.unit
    # "No retreat ordered" is explanation enough, so this disband doesn't need a "Why?".
    unordered = result.implicit and position.phase.stage is Stage.RETREATS
    word = _OUTCOMES.get(result.outcome, result.outcome.value)
    return ResultLine(
        text=str(result.order),
        outcome=result.outcome.value,
        icon=_ICONS.get(result.outcome, "check" if result.succeeded else "ban"),
        word="disbanded: no retreat ordered" if unordered else word,
        reason="" if unordered else result.reason,
        succeeded=result.succeeded,
        implicit=result.implicit and not unordered,
        dislodged=any(dislodged.unit == unit for dislodged in resolution.dislodged),
        destroyed=unit in resolution.destroyed,
        number=number,
        province=unit.province if unit else "",
    )
