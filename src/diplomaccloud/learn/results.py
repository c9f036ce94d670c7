"""The board after a turn: the picture that rests on the page, and the replay of the turn."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

from diplomaccloud.atlas.chart import Chart
from diplomaccloud.atlas.render import Labels, render_overlay, render_parts
from diplomaccloud.judge.board import ProvinceCode
from diplomaccloud.judge.orders import Hold
from diplomaccloud.judge.position import Dislodged, Position
from diplomaccloud.judge.results import OrderResult, Resolution
from diplomaccloud.sandbox.animation import JudgedPhase, animate_phase


@dataclass(frozen=True, slots=True)
class RestingBoard:
    """A position with the results of a turn, as the board shows them while nothing plays."""

    chart: Chart
    position: Position
    results: tuple[OrderResult, ...]
    standoffs: tuple[ProvinceCode, ...]
    dislodged: tuple[Dislodged, ...] = ()
    labels: Labels = Labels.BOTH

    def draw(self, title: str) -> str:
        """Return the overlay."""
        return render_overlay(
            self.chart,
            self.position,
            results=self.results,
            dislodged=self.dislodged,
            standoffs=self.standoffs,
            labels=self.labels,
            title=title,
        )

    def parts(self) -> Mapping[str, str]:
        """Return the groups of the overlay that change with the turn."""
        return render_parts(
            self.chart,
            self.position,
            results=self.results,
            dislodged=self.dislodged,
            standoffs=self.standoffs,
            labels=self.labels,
        )


def rest_before(judged: JudgedPhase) -> RestingBoard:
    """Return the board with a phase's results, and every unit where it was ordered."""
    resolution = judged.resolution
    return RestingBoard(
        judged.chart,
        judged.position,
        tuple(resolution.results),
        tuple(resolution.standoffs),
        tuple(resolution.dislodged),
        judged.labels,
    )


def rest_after(
    chart: Chart, turn: Sequence[Resolution], labels: Labels = Labels.BOTH
) -> RestingBoard:
    """Return the board after the phases of a turn, with their results.

    As on the page of a game, units that only held are left out: a ring would say nothing.
    """
    position = turn[-1].next
    occupied = {unit.province for unit in position.units}
    results = (result for resolution in turn for result in resolution.results)
    standoffs = (code for resolution in turn for code in resolution.standoffs)
    return RestingBoard(
        chart,
        position,
        tuple(result for result in results if not isinstance(result.order, Hold)),
        tuple(code for code in standoffs if code not in occupied),
        labels=labels,
    )


def build_replay(judged: JudgedPhase, resting: RestingBoard) -> Mapping[str, object]:
    """Return what a page needs to play a phase on the board that it shows.

    It leaves out the parts of the picture that look the same as on the `resting` board throughout.
    """
    animation = asdict(animate_phase(judged))
    planned, shown = animation["planned"], resting.parts()
    animation["parts"] = {
        name: drawn
        for name, drawn in animation["parts"].items()
        if name in planned or drawn != shown[name]
    }
    return animation
