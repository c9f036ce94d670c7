"""The outcome of an adjudicated phase on the sandbox's page."""

from collections.abc import Mapping
from dataclasses import dataclass

from diplomaccloud.judge.board import Power
from diplomaccloud.judge.orders import power_of
from diplomaccloud.judge.results import Outcome
from diplomaccloud.sandbox.engine import step_back
from diplomaccloud.sandbox.explanation import ExplanationView
from diplomaccloud.sandbox.powers import PowerView
from diplomaccloud.sandbox.result_lines import ResultLine, present_result
from diplomaccloud.sandbox.situation import Situation


@dataclass(frozen=True, slots=True)
class PowerResults:
    """The results of one power."""

    power: PowerView
    lines: tuple[ResultLine, ...]


@dataclass(frozen=True, slots=True)
class GainView:
    """A center that changed hands."""

    province: str
    power: PowerView


@dataclass(frozen=True, slots=True)
class Results:
    """The outcome of an adjudicated phase.

    `number` counts the phases from 0. `held` has the units that held without an order and were not
    affected by other orders.
    """

    number: int
    title: str
    powers: tuple[PowerResults, ...]
    held: tuple[ResultLine, ...]
    standoffs: tuple[str, ...]
    gained: tuple[GainView, ...]
    ending: str
    change_url: str
    next_url: str
    next_title: str
    phase_url: str
    query: str
    why: ExplanationView | None

    @property
    def held_title(self) -> str:
        """A title with the number of units that held without an order."""
        count = len(self.held)
        return f"{count} unit{'' if count == 1 else 's'} held without an order"

    @property
    def why_held(self) -> bool:
        """Whether the explanation is about one of the held units."""
        return self.why is not None and any(line.number == self.why.number for line in self.held)


def present_results(
    situation: Situation, powers: Mapping[Power, PowerView], why: ExplanationView | None
) -> Results | None:
    """Return the outcome of an adjudicated phase; None if there is none."""
    played, board = situation.played, situation.board
    if played is None:
        return None
    number, timeline = situation.result_number, situation.timeline
    resolution = played.resolution
    lines: dict[Power, list[ResultLine]] = {power: [] for power in powers}
    held: list[ResultLine] = []
    for place, result in enumerate(resolution.results):
        line = present_result(played.position, resolution, place)
        calm = line.implicit and line.outcome == Outcome.HOLD and not line.dislodged
        (held if calm else lines[power_of(result.order)]).append(line)
    before = step_back(situation.state, number)
    is_last = number + 1 == len(timeline.phases)
    return Results(
        number=number,
        title=played.position.phase.title,
        powers=tuple(
            PowerResults(powers[power], tuple(own)) for power, own in lines.items() if own
        ),
        held=tuple(held),
        standoffs=tuple(board.by_code[code].name for code in resolution.standoffs),
        gained=tuple(
            GainView(board.by_code[code].name, powers[power]) for code, power in resolution.gained
        ),
        ending=resolution.ending.reason if resolution.ending else "",
        change_url=situation.links.link(situation.links.encode(before)),
        next_url=situation.link() if is_last else situation.link_results(number + 1),
        next_title=resolution.next.phase.title,
        phase_url=situation.links.page,
        query=situation.why_query,
        why=why,
    )
