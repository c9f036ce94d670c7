"""The values of the sandbox's page."""

from dataclasses import dataclass

from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe

from diplomaccloud.atlas.render import render_overlay
from diplomaccloud.judge.phases import Stage
from diplomaccloud.judge.rules import EDITIONS
from diplomaccloud.maps.gallery import MapPicture, build_map_picture
from diplomaccloud.sandbox.choices import View
from diplomaccloud.sandbox.engine import is_list_complete
from diplomaccloud.sandbox.explanation import ExplanationView
from diplomaccloud.sandbox.marks import MarksForm, present_marks
from diplomaccloud.sandbox.order_lines import PowerLines, describe_task, list_orders
from diplomaccloud.sandbox.powers import PowerView, list_powers
from diplomaccloud.sandbox.results import Results, present_results
from diplomaccloud.sandbox.setup import Setup, present_setup
from diplomaccloud.sandbox.situation import Situation


@dataclass(frozen=True, slots=True)
class PhaseStep:
    """A phase on the timeline."""

    title: str
    url: str
    is_movement: bool
    is_shown: bool


@dataclass(frozen=True, slots=True)
class SandboxPage:
    """The page of a sandbox. `text` is the state as in addresses."""

    view: View
    text: str
    name: str
    map_url: str
    page_url: str
    url: str
    title: str
    season: str
    stage: str
    hint: str
    picture: MapPicture
    overlay: SafeString
    powers: tuple[PowerView, ...]
    orders: tuple[PowerLines, ...]
    order_count: int
    line_count: int
    complete: bool
    steps: tuple[PhaseStep, ...]
    results: Results | None
    setup: Setup
    marks: MarksForm
    edition: str
    editions: tuple[str, ...]
    tabs: tuple[tuple[str, str, str], ...]
    exports: tuple[tuple[str, str, str], ...]


def present_sandbox(situation: Situation, why: ExplanationView | None = None) -> SandboxPage:
    """Return the page of a situation; `why` explains a result of the phase shown."""
    chart, lines = situation.chart, situation.lines
    powers = list_powers(chart, situation.position)
    phase = (situation.shown or situation).position.phase
    return SandboxPage(
        view=situation.view,
        text=situation.text,
        name=chart.world,
        map_url=reverse("maps:detail", args=[situation.links.map_hash]),
        page_url=situation.links.form_url,
        url=situation.link(),
        title=phase.title,
        season=f"{phase.season.word} {phase.year}",
        stage=phase.stage.word,
        hint=describe_task(situation.position, lines),
        picture=build_map_picture(situation.links.map_hash, chart),
        overlay=_draw(situation, f"{chart.world}: {phase.title}"),
        powers=tuple(powers.values()),
        orders=list_orders(situation, powers),
        order_count=sum(line.order is not None for line in lines),
        line_count=len(lines),
        complete=is_list_complete(situation.position),
        steps=_list_steps(situation),
        results=present_results(situation, powers, why),
        setup=present_setup(situation, powers),
        marks=present_marks(situation),
        edition=situation.state.edition,
        editions=tuple(EDITIONS),
        tabs=_list_tabs(situation),
        exports=_list_exports(situation),
    )


def _draw(situation: Situation, title: str) -> SafeString:
    """Return the picture of the position with its orders, or of an adjudicated phase's results."""
    played = situation.shown
    if played is None:
        orders = situation.state.orders
        drawn = render_overlay(
            situation.chart,
            situation.position,
            orders=orders,
            title=title,
            marks=situation.state.marks,
        )
    else:
        drawn = render_overlay(
            situation.chart,
            played.position,
            results=played.resolution.results,
            dislodged=played.resolution.dislodged,
            standoffs=played.resolution.standoffs,
            title=title,
            marks=situation.state.marks,
        )
    return mark_safe(drawn)  # noqa: S308 - drawn by us, names escaped there


def _list_steps(situation: Situation) -> tuple[PhaseStep, ...]:
    """Return the adjudicated phases with their results, and the current phase."""
    shows_results = situation.view is View.RESULTS
    steps = [
        PhaseStep(
            played.position.phase.title,
            situation.link_results(number),
            played.position.phase.stage is Stage.MOVEMENT,
            shows_results and number == situation.result_number,
        )
        for number, played in enumerate(situation.timeline.phases)
    ]
    now = situation.position.phase
    is_movement = now.stage is Stage.MOVEMENT
    return (*steps, PhaseStep(now.title, situation.link(), is_movement, not shows_results))


def _list_tabs(situation: Situation) -> tuple[tuple[str, str, str], ...]:
    """Return the name, label and address of each section."""
    tabs = [
        (View.ORDERS, "Orders", situation.link()),
        (View.MARKS, "Marks", situation.link(view=View.MARKS)),
        (View.SETUP, "Set up", situation.link(view=View.SETUP)),
        (View.SHARE, situation.links.share_label, situation.link(view=View.SHARE)),
    ]
    if situation.timeline.phases:
        tabs.insert(1, (View.RESULTS, "Results", situation.link_results(situation.result_number)))
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
