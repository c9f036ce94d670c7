"""A judged phase as an animation on the map: pictures, motions of units, and captions."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from operator import itemgetter

from diplomaccloud.judge.board import Board
from diplomaccloud.judge.drawing.arrows import trace_retreats, trace_routes
from diplomaccloud.judge.drawing.chart import Chart
from diplomaccloud.judge.drawing.labels import Labels
from diplomaccloud.judge.drawing.overlay import TERRITORY_PARTS, hash_territory, render_parts
from diplomaccloud.judge.geography import geography
from diplomaccloud.judge.orders import Convoy, Disband, SupportHold, SupportMove, Waive
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.results import OrderResult, Outcome, Resolution
from diplomaccloud.sandbox.explanation import present_result

MAX_CAPTIONS = 3
"""More captions than this could not be read while the animation plays."""

_RANKS = {
    Outcome.DISBANDED: 1,
    Outcome.BUILT: 2,
    Outcome.RETREATED: 2,
    Outcome.BOUNCED: 3,
    Outcome.CUT: 4,
    Outcome.DISRUPTED: 5,
    Outcome.CONVOYED: 6,
}
"""The ranks of notable outcomes, after dislodged units. Other outcomes get no caption."""

_SUPPORTS = (SupportHold, SupportMove, Convoy)


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a unit's motion, and its path, blank if it stays.

    `go`: moves along the path. `bounce`: comes back from it. `fall`: is pushed along it.
    `vanish`: leaves the board. `appear`: comes onto the board.
    """

    kind: str
    path: str = ""


@dataclass(frozen=True, slots=True)
class Motion:
    """The steps of one unit, identified by its text and power as in the picture."""

    unit: str
    power: str
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class OrderLine:
    """An order and its result by number; `support` says whether it helps another unit."""

    number: int
    order: str
    power: str
    unit: str
    word: str
    reason: str
    succeeded: bool
    support: bool


@dataclass(frozen=True, slots=True)
class Animation:
    """A processed phase as an animation.

    `parts` has the groups of the picture with the results, by class. The territory groups are left
    out if the page already has the territory `territory`. `planned` has the groups that differ
    before the orders are judged; names stay where they give way to the results.
    """

    sequence: int
    title: str
    stage: str
    url: str
    territory: str
    parts: Mapping[str, str]
    planned: Mapping[str, str]
    orders: tuple[OrderLine, ...]
    motions: tuple[Motion, ...]
    captions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class JudgedPhase:
    """A position, the resolution of its orders, and how to draw it."""

    chart: Chart
    board: Board
    position: Position
    resolution: Resolution
    colors: Mapping[str, str] | None = None
    labels: Labels = Labels.BOTH


def animate_phase(
    phase: JudgedPhase, *, sequence: int = 0, url: str = "", have: Collection[str] = ()
) -> Animation:
    """Return a judged phase as an animation; `have` lists the territories already on the page.

    `sequence` and `url` identify the phase's page with explanations, if it has one.
    """
    resolution, name = phase.resolution, phase.position.phase
    results = resolution.results
    parts = render_parts(
        phase.chart,
        phase.position,
        results=results,
        dislodged=resolution.dislodged,
        standoffs=resolution.standoffs,
        labels=phase.labels,
        colors=phase.colors,
    )
    orders = tuple(result.order for result in results)
    planned = render_parts(
        phase.chart, phase.position, orders=orders, labels=phase.labels, colors=phase.colors
    )
    territory = hash_territory(parts)
    return Animation(
        sequence=sequence,
        title=name.title,
        stage=name.stage.word,
        url=url,
        territory=territory,
        parts={
            part: drawn
            for part, drawn in parts.items()
            if territory not in have or part not in TERRITORY_PARTS
        },
        planned={
            part: drawn
            for part, drawn in planned.items()
            if drawn != parts[part] and part not in (*TERRITORY_PARTS, "labels")
        },
        orders=tuple(_present_orders(phase)),
        motions=list_motions(phase),
        captions=_choose_captions(phase),
    )


def _present_orders(phase: JudgedPhase) -> Iterator[OrderLine]:
    for number, result in enumerate(phase.resolution.results):
        if not isinstance(result.order, Waive):
            line = present_result(phase.position, phase.resolution, number)
            yield OrderLine(
                number=number,
                order=line.text,
                power=str(result.order.unit.power),
                unit=str(result.order.unit),
                word=line.word,
                reason=line.reason,
                succeeded=line.succeeded,
                support=isinstance(result.order, _SUPPORTS),
            )


def list_motions(phase: JudgedPhase) -> tuple[Motion, ...]:
    """Return what each unit does that does not stay."""
    resolution = phase.resolution
    orders = [result.order for result in resolution.results]
    routes = trace_routes(phase.chart, phase.position, orders)
    retreats = trace_retreats(phase.chart, phase.position, resolution.next)
    fallen = {entry.unit for entry in resolution.dislodged}
    motions = []
    for result in resolution.results:
        if isinstance(result.order, Waive):
            continue
        unit = result.order.unit
        steps = _list_steps(result, routes.get(unit, ""))
        if unit in resolution.destroyed:
            steps.append(Step("vanish"))
        elif unit in fallen:
            steps.append(Step("fall", retreats.get(unit, "")))
        if steps:
            motions.append(Motion(str(unit), str(unit.power), tuple(steps)))
    return tuple(motions)


def _list_steps(result: OrderResult, route: str) -> list[Step]:
    match result.outcome:
        case Outcome.MOVED | Outcome.RETREATED:
            return [Step("go", route)]
        case Outcome.BOUNCED:
            return [Step("bounce", route)]
        case Outcome.BUILT:
            return [Step("appear")]
        case Outcome.DISBANDED if isinstance(result.order, Disband) or not route:
            return [Step("vanish")]
        case Outcome.DISBANDED:
            return [Step("bounce", route), Step("vanish")]
        case _:
            return []


def _choose_captions(phase: JudgedPhase) -> tuple[str, ...]:
    """Return the reasons for the most notable results, most notable first."""
    fallen = {entry.unit for entry in phase.resolution.dislodged}
    names = geography(phase.board)
    ranked: list[tuple[int, str]] = []
    for result in phase.resolution.results:
        if isinstance(result.order, Waive):
            continue
        unit = result.order.unit
        rank = 0 if unit in fallen else _RANKS.get(result.outcome)
        if rank is not None:
            info = phase.board.power_info.get(unit.power)
            adjective = info.adjective if info else str(unit.power)
            place = names.the(unit.province)
            ranked.append((rank, f"{adjective} {unit.kind.word} in {place}: {result.why}"))
    ranked.sort(key=itemgetter(0))
    return tuple(caption for _, caption in ranked[:MAX_CAPTIONS])
