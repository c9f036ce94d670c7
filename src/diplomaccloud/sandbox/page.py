"""The values of the sandbox's page: powers, position, orders, results, marks."""

from collections.abc import Mapping
from dataclasses import dataclass
from operator import itemgetter

from django.utils.safestring import SafeString, mark_safe

from diplomaccloud.judge.board import Board, Location, Power, UnitKind
from diplomaccloud.judge.drawing.chart import INKS, Chart, Mark, MarkKind
from diplomaccloud.judge.drawing.many_powers import find_badge_letters
from diplomaccloud.judge.drawing.overlay import render_overlay
from diplomaccloud.judge.orders import power_of
from diplomaccloud.judge.phases import Season, Stage
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.results import Outcome
from diplomaccloud.judge.rules import EDITIONS
from diplomaccloud.maps.gallery import NO_COLOR, MapPicture, build_map_picture
from diplomaccloud.sandbox import engine
from diplomaccloud.sandbox.explanation import ExplanationView, ResultLine, present_result
from diplomaccloud.sandbox.order_choices import (
    ChoiceGroup,
    describe_choice,
    group_choices,
    place_name,
    unit_title,
)
from diplomaccloud.sandbox.situation import Situation, Tool, View


@dataclass(frozen=True, slots=True)
class PowerView:
    """A power with its color, the letters on its badges, and its numbers of units and centers."""

    power: Power
    name: str
    color: str
    letters: str
    units: int
    centers: int


def list_powers(chart: Chart, position: Position) -> dict[Power, PowerView]:
    """Return the powers of `chart` in board order, with their units and centers in `position`."""
    letters = find_badge_letters(chart.board)
    return {
        info.power: PowerView(
            info.power,
            info.name,
            chart.palette.get(info.power, NO_COLOR),
            letters.get(info.power, ""),
            len(position.units_of(info.power)) + len(position.dislodged_of(info.power)),
            len(position.centers_of(info.power)),
        )
        for info in chart.board.powers
    }


# The form on the sandbox's page that changes the position.


_TOOLS = (
    (Tool.ARMY, "Army", "army"),
    (Tool.FLEET, "Fleet", "fleet"),
    (Tool.OWNER, "Center", "star"),
    (Tool.REMOVE, "Remove", "ban"),
)
"""The tools with their labels and icons."""


SEASONS = {
    "SM": (Season.SPRING, Stage.MOVEMENT),
    "FM": (Season.FALL, Stage.MOVEMENT),
    "WA": (Season.WINTER, Stage.ADJUSTMENTS),
}
"""The season and stage of each choice of a phase."""


@dataclass(frozen=True, slots=True)
class Setup:
    """The choices of the form that changes the position, and the position as text."""

    power: str
    places: tuple[tuple[str, str], ...]
    stages: tuple[tuple[str, str, bool], ...]
    text: str
    tools: tuple[tuple[Tool, str, str], ...] = _TOOLS


def present_setup(situation: Situation, powers: Mapping[Power, PowerView]) -> Setup:
    """Return the values of the form that changes the position."""
    choices, phase = situation.choices, situation.position.phase
    stages = [
        (key, f"{season.word}, {stage.word.lower()}") for key, (season, stage) in SEASONS.items()
    ]
    now = f"{phase.season}{phase.stage}"
    if phase.stage is Stage.RETREATS:
        stages.insert(0, (now, f"{phase.season.word}, retreats"))
    chosen = choices.power if choices.power in powers or choices.power == "none" else ""
    return Setup(
        power=chosen or next(iter(powers)),
        places=tuple(_list_places(situation.board)),
        stages=tuple((key, label, key == now) for key, label in stages),
        text=engine.write_position(situation.board, situation.position),
    )


def _list_places(board: Board) -> list[tuple[str, str]]:
    """Return every province and coast with its printed name, sorted by name."""
    places: list[Location] = [Location(province.code) for province in board.provinces]
    places += [place for place in board.locations(UnitKind.FLEET) if "/" in place]
    return sorted(((place, place_name(board, place)) for place in places), key=itemgetter(1))


# The lines of the sandbox's order form: units, builds and disbands, by power.


@dataclass(frozen=True, slots=True)
class LineView:
    """A line for an order. `url` opens it, and an open line has its choices.

    `selected` is the order in notation and `label` in words; both are blank without an order.
    """

    key: str
    title: str
    unit: str
    province: str
    url: str
    label: str
    is_open: bool
    selected: str
    groups: tuple[ChoiceGroup, ...]
    dislodged_by: str


def describe_task(position: Position, lines: tuple[engine.OrderLine, ...]) -> str:
    """Return a sentence about what to do in this phase."""
    if not position.units and not position.dislodged:
        return "There are no units yet. Place some under “Set up”."
    if not lines:
        return "Nobody has anything to order in this phase. Adjudicate to continue."
    match position.phase.stage:
        case Stage.MOVEMENT:
            return (
                "Tap a unit, here or on the map, then its destination. Units without orders hold."
            )
        case Stage.RETREATS:
            return "Dislodged units without orders are disbanded."
        case Stage.ADJUSTMENTS:
            return (
                "Builds without orders are waived. The rules choose the units to disband "
                "where there are no orders."
            )


def list_orders(
    situation: Situation, powers: Mapping[Power, PowerView]
) -> list[tuple[PowerView, list[LineView]]]:
    """Return the lines by power; the open line has its choices."""
    board, position = situation.board, situation.position
    by_power: dict[Power, list[LineView]] = {}
    attackers = {entry.unit: board.by_code[entry.by].name for entry in position.dislodged}
    for line in situation.lines:
        is_open = line.key == situation.choices.line
        groups: tuple[ChoiceGroup, ...] = ()
        if is_open:
            listed = engine.list_unit_orders(board, position, line, situation.state.rules)
            groups = group_choices(board, listed)
        by_power.setdefault(line.power, []).append(
            LineView(
                key=line.key,
                title=unit_title(board, line.unit)
                if line.unit
                else f"{'Build' if line.owed > 0 else 'Disband'} {line.number}",
                unit=str(line.unit or ""),
                province=line.unit.province if line.unit else "",
                url=situation.link(line=line.key) + "#line",
                label=describe_choice(board, line.order).label if line.order else "",
                is_open=is_open,
                selected=str(line.order or ""),
                groups=groups,
                dislodged_by=attackers.get(line.unit, "") if line.unit else "",
            )
        )
    return [(powers[power], lines) for power, lines in by_power.items()]


# The outcome of an adjudicated phase on the sandbox's page.


@dataclass(frozen=True, slots=True)
class Results:
    """The outcome of the adjudicated phase that the situation shows.

    `held` has the units that held without an order and were not
    affected by other orders; `gained` has the names of centers with their new owners.
    """

    powers: tuple[tuple[PowerView, list[ResultLine]], ...]
    held: tuple[ResultLine, ...]
    standoffs: tuple[str, ...]
    gained: tuple[tuple[str, PowerView], ...]
    ending: str
    change_url: str
    next_url: str
    next_title: str
    why: ExplanationView | None

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
    resolution = played.resolution
    lines: dict[Power, list[ResultLine]] = {power: [] for power in powers}
    held: list[ResultLine] = []
    for place, result in enumerate(resolution.results):
        line = present_result(played.position, resolution, place)
        calm = line.implicit and line.outcome == Outcome.HOLD and not line.dislodged
        (held if calm else lines[power_of(result.order)]).append(line)
    number = situation.result_number
    before = engine.step_back(situation.state, number)
    is_last = number + 1 == len(situation.timeline.phases)
    return Results(
        powers=tuple((powers[power], results) for power, results in lines.items() if results),
        held=tuple(held),
        standoffs=tuple(board.by_code[code].name for code in resolution.standoffs),
        gained=tuple(
            (board.by_code[code].name, powers[power]) for code, power in resolution.gained
        ),
        ending=resolution.ending.reason if resolution.ending else "",
        change_url=situation.links.link(situation.links.encode(before)),
        next_url=situation.link() if is_last else situation.link_results(number + 1),
        next_title=resolution.next.phase.title,
        why=why,
    )


# The marks of a sandbox in words, and the form to draw them.


_KINDS = (
    (MarkKind.WASH, "Color", "drop"),
    (MarkKind.HATCH, "Lines", "patterns"),
    (MarkKind.ARROW, "Arrow", "move"),
    (MarkKind.PIN, "Pin", "pin"),
)
"""The kinds of marks with their labels and icons."""

_HINTS = {
    MarkKind.WASH: "Tap a province to color it. Tap it again to remove the color.",
    MarkKind.HATCH: "Tap a province to hatch it. Tap it again to remove the lines.",
    MarkKind.ARROW: "Tap where the arrow starts, then where it ends.",
    MarkKind.PIN: "Enter a short text, then tap the province for the pin.",
}


@dataclass(frozen=True, slots=True)
class MarkLine:
    """A mark in words; `number` is its index among the marks, and `text` is the author's text."""

    number: int
    ink: str
    color: str
    label: str
    text: str = ""


@dataclass(frozen=True, slots=True)
class MarksForm:
    """The values of the form for marks: the kinds, colors and places, and the marks drawn."""

    hint: str
    places: tuple[tuple[str, str], ...]
    lines: tuple[MarkLine, ...]
    kinds: tuple[tuple[MarkKind, str, str], ...] = _KINDS
    inks: tuple[tuple[str, str, str], ...] = tuple(
        (ink, ink.capitalize(), color) for ink, color in INKS.items()
    )
    longest_text: int = engine.MAX_PIN_TEXT


def present_marks(situation: Situation) -> MarksForm:
    """Return the values of the form for marks."""
    board, choices = situation.board, situation.choices
    places = ((province.code, province.name) for province in board.provinces)
    return MarksForm(
        hint=_HINTS[choices.mark],
        places=tuple(sorted(places, key=itemgetter(1))),
        lines=list_marks(board, situation.state.marks),
    )


def list_marks(board: Board, marks: tuple[Mark, ...]) -> tuple[MarkLine, ...]:
    """Return marks in words, in their order."""
    lines, pins = [], 0
    for number, mark in enumerate(marks):
        pins += mark.kind is MarkKind.PIN
        label = describe_mark(board, mark, pins)
        lines.append(MarkLine(number, mark.ink, INKS[mark.ink], label, mark.text))
    return tuple(lines)


def describe_mark(board: Board, mark: Mark, pin: int = 0) -> str:
    """Return a mark in words without its text; `pin` is the number on a pin, 0 to leave it out."""
    place = board.by_code[mark.province].name
    match mark.kind:
        case MarkKind.WASH:
            return f"{place} colored {mark.ink}"
        case MarkKind.HATCH:
            return f"{place} hatched {mark.ink}"
        case MarkKind.ARROW:
            goal = board.by_code[mark.to].name
            return f"{mark.ink.capitalize()} arrow from {place} to {goal}"
        case MarkKind.PIN:
            numbered = f"Pin {pin}" if pin else "Pin"
            return f"{numbered} in {place}"


# The values of the sandbox's page.


@dataclass(frozen=True, slots=True)
class SandboxPage:
    """The page of a sandbox, beside its situation.

    `steps` has the title and address of each phase, whether it is a movement phase, and whether it
    is shown.
    """

    title: str
    season: str
    stage: str
    hint: str
    picture: MapPicture
    overlay: SafeString
    powers: tuple[PowerView, ...]
    orders: list[tuple[PowerView, list[LineView]]]
    order_count: int
    complete: bool
    steps: list[tuple[str, str, bool, bool]]
    results: Results | None
    setup: Setup
    marks: MarksForm
    editions: tuple[str, ...]
    tabs: tuple[tuple[str, str, str, str], ...]
    exports: tuple[tuple[str, str, str], ...]


def present_sandbox(situation: Situation, why: ExplanationView | None = None) -> SandboxPage:
    """Return the page of a situation; `why` explains a result of the phase shown."""
    chart, lines = situation.chart, situation.lines
    powers = list_powers(chart, situation.position)
    phase = (situation.shown or situation).position.phase
    return SandboxPage(
        title=phase.title,
        season=phase.turn_title,
        stage=phase.stage.word,
        hint=describe_task(situation.position, lines),
        picture=build_map_picture(situation.links.map_hash, chart),
        overlay=_draw(situation, f"{chart.world}: {phase.title}"),
        powers=tuple(powers.values()),
        orders=list_orders(situation, powers),
        order_count=sum(line.order is not None for line in lines),
        complete=engine.is_list_complete(situation.position),
        steps=_list_steps(situation),
        results=present_results(situation, powers, why),
        setup=present_setup(situation, powers),
        marks=present_marks(situation),
        editions=tuple(EDITIONS),
        tabs=_list_tabs(situation),
        exports=_list_exports(situation),
    )


def _draw(situation: Situation, title: str) -> SafeString:
    """Return the picture of the position with its orders, or of an adjudicated phase's results."""
    chart, state, played = situation.chart, situation.state, situation.shown
    if played is None:
        drawn = render_overlay(
            chart, situation.position, orders=state.orders, title=title, marks=state.marks
        )
    else:
        drawn = render_overlay(
            chart,
            played.position,
            results=played.resolution.results,
            dislodged=played.resolution.dislodged,
            standoffs=played.resolution.standoffs,
            title=title,
            marks=state.marks,
        )
    return mark_safe(drawn)  # noqa: S308 - drawn by us, names escaped there


def _list_steps(situation: Situation) -> list[tuple[str, str, bool, bool]]:
    """Return the adjudicated phases with their results, and the current phase."""
    phases = [played.position.phase for played in situation.timeline.phases]
    urls = [situation.link_results(number) for number in range(len(phases))]
    shown = situation.result_number if situation.view is View.RESULTS else len(phases)
    return [
        (phase.title, url, phase.stage is Stage.MOVEMENT, number == shown)
        for number, (phase, url) in enumerate(
            zip((*phases, situation.position.phase), (*urls, situation.link()), strict=True)
        )
    ]


def _list_tabs(situation: Situation) -> tuple[tuple[str, str, str, str], ...]:
    """Return the name, icon, label and address of each section."""
    tabs = [
        (View.ORDERS, "move", "Orders", situation.link()),
        (View.MARKS, "marker", "Marks", situation.link(view=View.MARKS)),
        (View.SETUP, "army", "Set up", situation.link(view=View.SETUP)),
        (View.SHARE, "right", situation.links.share_label, situation.link(view=View.SHARE)),
    ]
    if situation.timeline.phases:
        results = situation.link_results(situation.result_number)
        tabs.insert(1, (View.RESULTS, "check", "Results", results))
    return tuple(tabs)


def _list_exports(situation: Situation) -> tuple[tuple[str, str, str], ...]:
    """Return the address, name and description of each export."""
    listed = [
        ("svg", "Picture (SVG)", "The map with units and orders, for printing."),
        ("png", "Picture (PNG)", "The same, for messages and web pages."),
        ("orders", "Orders", "Order sheets as text. Paste them under “Type orders”."),
        ("position", "Position", "Units and centers as text. Paste it under “Set up”."),
        ("request", "Judge request", "Position, orders and rules as JSON, for programs."),
    ]
    if situation.timeline.phases:
        listed.append(("record", "Record", "The adjudicated phases, which the judge can verify."))
    return tuple(
        (situation.links.export(key, situation.text), name, about) for key, name, about in listed
    )
