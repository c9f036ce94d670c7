"""Conference maps in words and pictures: in messages, in the composer, and on their own page."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Final
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe

from diplomaccloud.games.table.read import Reader
from diplomaccloud.judge.board import Board
from diplomaccloud.judge.drawing.chart import Chart
from diplomaccloud.judge.drawing.many_powers import find_badge_letters
from diplomaccloud.judge.drawing.overlay import render_orders, render_overlay, render_picture
from diplomaccloud.judge.drawing.theme import Theme
from diplomaccloud.judge.orders import power_of
from diplomaccloud.judge.phases import Stage
from diplomaccloud.maps.gallery import NO_COLOR, build_map_picture
from diplomaccloud.maps.library import find_chart
from diplomaccloud.maps.pictures import find_chart_to_show
from diplomaccloud.press.conversations.page import AttachChoice, Attached, AttachLink, AttachMenu
from diplomaccloud.press.conversations.read import PressReader
from diplomaccloud.press.maps.content import (
    Changes,
    compare_maps,
    count_orders,
    first_orders,
    load_content,
)
from diplomaccloud.press.maps.read import MapFacts, list_own_maps, read_map
from diplomaccloud.press.table.addresses import Address, AddressKind, MapPlace
from diplomaccloud.press.table.errors import NoSuchMap
from diplomaccloud.sandbox.engine import SandboxState, replay
from diplomaccloud.sandbox.explanation import present_result
from diplomaccloud.sandbox.order_choices import describe_choice
from diplomaccloud.sandbox.page import describe_mark, list_marks
from diplomaccloud.sandbox.situation import Situation

CHOOSE_MAP: Final = "map"
"""What the composer form sends to choose a map without scripts."""
MAX_CHOICES: Final = 8
_ICON = "map"


@dataclass(frozen=True, slots=True)
class MapCard:
    """A map with a small picture that links to its page at `url`."""

    map: MapFacts
    url: str
    title: str
    caption: str
    template: str = "press/maps/_card.html"


def present_card(facts: MapFacts, url: str) -> MapCard:
    """Return the card of the map whose page is at `url`."""
    return MapCard(facts, url, title_map(facts), describe_map(facts))


def describe_map(facts: MapFacts) -> str:
    """Return a summary of a map, such as `5 orders, 2 marks`."""
    return _describe_counts(facts.orders, facts.marks, facts.steps) or "No orders or marks"


def describe_drawn(state: SandboxState) -> str:
    """Return the same summary of a map that is still being drawn, for the middle of a sentence."""
    counts = count_orders(state), len(state.marks), len(state.past)
    return _describe_counts(*counts) or "no orders or marks"


def _describe_counts(orders: int, marks: int, steps: int) -> str:
    counts = ((orders, "order", ""), (marks, "mark", ""), (steps, "phase", " adjudicated"))
    return ", ".join(
        f"{number} {word}{'' if number == 1 else 's'}{end}"
        for number, word, end in counts
        if number
    )


def title_map(facts: MapFacts) -> str:
    """Return the phase of a map, without the stage of a movement phase, as in message dividers."""
    return facts.title.removesuffix(f", {Stage.MOVEMENT.word}")


def link_draw(slug: str, to: Address | None) -> AttachLink | None:
    """Return the composer button that opens the board."""
    if to is not None and to.kind is AddressKind.PERSONAL:
        return None
    return AttachLink("Map", _ICON, _draw_url(slug, to), "", CHOOSE_MAP)


def list_map_choices(press: PressReader, slug: str, to: Address | None) -> AttachMenu:
    """Return the viewer's newest maps to attach, and the page for drawing a new one."""
    choices = []
    for facts in list_own_maps(press)[:MAX_CHOICES]:
        label = f"Map {facts.number}, {title_map(facts)}: {describe_map(facts)}"
        choices.append(AttachChoice("map", str(facts.number), label))
    return AttachMenu(tuple(choices), _draw_url(slug, to))


def _draw_url(slug: str, to: Address | None) -> str:
    query = f"?{urlencode({'to': str(to)})}" if to else ""
    return f"{reverse('press:map-draw', args=[slug])}{query}"


def describe_own(press: PressReader, slug: str, text: str) -> Attached | None:
    """Return the viewer's map for the composer; None if there is none with this number."""
    place = MapPlace.parse(text)
    if place is None or place.address is not None:
        return None
    try:
        facts = read_map(press, place)
    except NoSuchMap:
        return None
    return Attached(
        fields=(("map", str(facts.number)),),
        label=f"Map of {title_map(facts)}: {describe_map(facts)}",
        icon=_ICON,
        url=reverse("press:map-own", args=[slug, facts.number]),
    )


@lru_cache(maxsize=64)
def draw_small(content: str, map_hash: str, theme: Theme, *, cropped: bool = False) -> str:
    """Return the small picture of a map as SVG, or of the part of it that has orders and marks.

    Maps never change, so it is cached.
    """
    state = load_content(content, map_hash)
    return render_picture(
        find_chart_to_show(map_hash),
        state.start,
        theme,
        orders=first_orders(state),
        marks=state.marks,
        title=state.start.phase.title,
        cropped=cropped,
    )


@lru_cache(maxsize=256)
def list_drawn(content: str, map_hash: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the orders and marks of a map in words. Maps never change, so they are cached."""
    state, chart = load_content(content, map_hash), find_chart(map_hash)
    orders = tuple(str(order) for order in first_orders(state))
    marks = list_marks(chart.board, state.marks)
    return orders, tuple(
        f"{mark.label}: {mark.text}" if mark.text else mark.label for mark in marks
    )


def present_map(
    reader: Reader, facts: MapFacts, place: MapPlace, *, back_title: str = ""
) -> dict[str, object]:
    """Return what the page of a map shows.

    `back_title` names the conversation if the map is in a message. `difference` has a word and a
    text for each change to the map that it is based on.
    """
    slug, chart, map_hash = reader.game.slug, reader.chart, reader.game.map_hash
    state = load_content(facts.content, map_hash)
    changes = None
    if facts.before:
        changes = compare_maps(load_content(facts.before, map_hash), state)
    url = reverse("press:map-own", args=[slug, place.number])
    query = {"parent": str(place)}
    back_url = reverse("press:maps", args=[slug])
    if place.address is not None:
        address = str(place.address)
        url = reverse("press:map-sent", args=[slug, address, place.number])
        query["to"] = address
        back_url = reverse("press:conversation", args=[slug, address])
        back_url += f"?before={place.number + 1}#m{place.number}"
    return {
        "map": facts,
        "title": title_map(facts),
        "caption": describe_map(facts),
        "picture": build_map_picture(map_hash, chart),
        "overlay": _draw(chart, state, changes, title_map(facts)),
        "phases": _list_phases(chart, state),
        "marks": list_marks(chart.board, state.marks),
        "difference": _describe_changes(chart.board, changes) if changes else (),
        "is_own": place.address is None,
        "change_url": f"{reverse('press:map-draw', args=[slug])}?{urlencode(query)}",
        "url": url,
        "back_url": back_url,
        "back_title": back_title or "My maps",
    }


def _draw(chart: Chart, state: SandboxState, changes: Changes | None, title: str) -> SafeString:
    """Return the picture of the first phase, with the changed orders marked."""
    drawn = render_overlay(
        chart, state.start, orders=first_orders(state), marks=state.marks, title=title
    )
    if changes is None:
        return mark_safe(drawn)  # noqa: S308 - drawn by us, names and texts escaped there
    for order in (*changes.added, *(after for _, after in changes.changed)):
        # The text of an order has no characters that would be escaped.
        drawn = drawn.replace(f'" data-order="{order}"', f' is-new" data-order="{order}"')
    before = (*changes.removed, *(order for order, _ in changes.changed))
    if before and not changes.moved:
        faint = f'<g class="orders-before">{render_orders(chart, state.start, before)}</g>'
        drawn = drawn.replace('<g class="orders"', f'{faint}<g class="orders"', 1)
    return mark_safe(drawn)  # noqa: S308 - drawn by us, names and texts escaped there


# An order in words: its text, the choice that it stands for, its outcome, blank before it is
# adjudicated, and whether it succeeded.
_Line = tuple[str, str, str, bool]
# A power's name, color and orders.
_Group = tuple[str, str, str, list[_Line]]


def _list_phases(chart: Chart, state: SandboxState) -> list[tuple[str, list[_Group]]]:
    """Return the phases of a map in words, each with its title and the powers' orders."""
    board, timeline = chart.board, replay(chart.board, state)
    phases = []
    for played in timeline.phases:
        lines: dict[str, list[_Line]] = {}
        for number, result in enumerate(played.resolution.results):
            if not result.implicit:
                line = present_result(played.position, played.resolution, number)
                label = describe_choice(board, result.order).label
                told = (line.text, label, line.word, not line.failed)
                lines.setdefault(power_of(result.order), []).append(told)
        phases.append((played.position.phase.title, _group(chart, lines)))
    if state.orders or not phases:
        plain: dict[str, list[_Line]] = {}
        for order in state.orders:
            label = describe_choice(board, order).label
            plain.setdefault(power_of(order), []).append((str(order), label, "", True))
        phases.append((timeline.position.phase.title, _group(chart, plain)))
    return phases


def _group(chart: Chart, lines: dict[str, list[_Line]]) -> list[_Group]:
    letters = find_badge_letters(chart.board)
    return [
        (
            info.name,
            chart.palette.get(info.power, NO_COLOR),
            letters.get(info.power, ""),
            lines[info.power],
        )
        for info in chart.board.powers
        if info.power in lines
    ]


def _describe_changes(board: Board, changes: Changes) -> tuple[tuple[str, str], ...]:
    lines = [("Position", "The starting position is different.")] if changes.moved else []
    lines += [("Added", str(order)) for order in changes.added]
    lines += [("Changed", f"{before} is now {after}") for before, after in changes.changed]
    lines += [("Removed", str(order)) for order in changes.removed]
    for word, marks in (("Added", changes.added_marks), ("Removed", changes.removed_marks)):
        for mark in marks:
            text = f": {mark.text}" if mark.text else ""
            lines.append((word, f"{describe_mark(board, mark)}{text}"))
    return tuple(lines)


def compare_with(situation: Situation, before: str) -> tuple[tuple[str, str], ...]:
    """Return how the board differs from the map with this content."""
    old = load_content(before, situation.links.map_hash)
    changes = compare_maps(old, situation.state)
    return _describe_changes(situation.board, changes)
