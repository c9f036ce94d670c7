"""The diagrams of the rulebook: positions with orders, judged and drawn when they are shown.

Each lists the outcomes that its caption explains. A test compares them with the judge's.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache

from django.urls import reverse

from diplomaccloud.judge import adjudicate
from diplomaccloud.judge.drawing.overlay import render_layer
from diplomaccloud.judge.orders import Order
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.results import Resolution
from diplomaccloud.learn.boards import Picture, small_board
from diplomaccloud.learn.steps import read_position, read_sheets
from diplomaccloud.maps.pictures import THEMES
from diplomaccloud.sandbox.explanation import present_result
from diplomaccloud.sandbox.order_choices import describe_choice, place_name

_HASH_LENGTH = 16
"""Hexadecimal digits of a picture's address; enough to tell a few diagrams apart."""


@dataclass(frozen=True, slots=True)
class Diagram:
    """A position with orders; `outcomes` has the outcome of each order that the caption explains.

    `dislodged` are the provinces of the units that were dislodged, `empty` those that a standoff
    left empty. `after` draws the next position instead of the orders.
    """

    board: str
    units: Mapping[str, str]
    orders: str
    outcomes: Mapping[str, str]
    caption: str
    centers: Mapping[str, str] = field(default_factory=dict)
    dislodged: tuple[str, ...] = ()
    empty: tuple[str, ...] = ()
    phase: str = "S1901M"
    after: bool = False


@dataclass(frozen=True, slots=True)
class DiagramView:
    """A diagram as the page shows it: a picture of its board, and one of all the rest on top.

    `lines` has each order in words, its outcome in a word, and whether it succeeded.
    """

    name: str
    board: Picture
    light_url: str
    dark_url: str
    caption: str
    lines: tuple[tuple[str, str, bool], ...]


DIAGRAMS = {
    "standoff": Diagram(
        board="germany",
        units={"GERMANY": "A MUN", "AUSTRIA": "A VIE"},
        orders="GERMANY: A MUN - BOH\nAUSTRIA: A VIE - BOH",
        outcomes={"A MUN - BOH": "bounced", "A VIE - BOH": "bounced"},
        empty=("BOH",),
        caption="A standoff: both armies bounce, and Bohemia stays empty.",
    ),
    "blocked": Diagram(
        board="germany",
        units={"GERMANY": "A BER, F KIE", "ENGLAND": "F HEL"},
        orders="GERMANY: A BER - KIE\nF KIE - DEN\nENGLAND: F HEL - DEN",
        outcomes={"F HEL - DEN": "bounced", "F KIE - DEN": "bounced", "A BER - KIE": "bounced"},
        empty=("DEN",),
        caption="The fleet in Kiel bounces, so it blocks the army that tried to follow it.",
    ),
    "swap": Diagram(
        board="germany",
        units={"GERMANY": "A MUN", "FRANCE": "A RUH"},
        orders="GERMANY: A MUN - RUH\nFRANCE: A RUH - MUN",
        outcomes={"A MUN - RUH": "bounced", "A RUH - MUN": "bounced"},
        caption="Two units cannot swap places: both bounce.",
    ),
    "circle": Diagram(
        board="germany",
        units={"GERMANY": "A BER, A KIE, A MUN"},
        orders="GERMANY: A BER - KIE\nA KIE - MUN\nA MUN - BER",
        outcomes={"A BER - KIE": "moved", "A KIE - MUN": "moved", "A MUN - BER": "moved"},
        caption="Three units move in a circle: all of them succeed.",
    ),
    "support": Diagram(
        board="burgundy",
        units={"FRANCE": "A PAR, A MAR", "GERMANY": "A BUR"},
        orders="FRANCE: A PAR - BUR\nA MAR S A PAR - BUR\nGERMANY: A BUR H",
        outcomes={"A PAR - BUR": "moved", "A MAR S A PAR - BUR": "given", "A BUR H": "hold"},
        dislodged=("BUR",),
        caption="Two against one: the army in Burgundy is dislodged.",
    ),
    "defense": Diagram(
        board="burgundy",
        units={"FRANCE": "A BUR, A PAR", "GERMANY": "A MUN, A RUH"},
        orders="FRANCE: A BUR H\nA PAR S A BUR\nGERMANY: A MUN - BUR\nA RUH S A MUN - BUR",
        outcomes={"A MUN - BUR": "bounced", "A BUR H": "hold", "A PAR S A BUR": "given"},
        caption="Two against two: the attack on Burgundy bounces.",
    ),
    "beleaguered": Diagram(
        board="burgundy",
        units={"FRANCE": "A BUR", "GERMANY": "A MUN, A RUH", "ITALY": "A MAR, A GAS"},
        orders="FRANCE: A BUR H\nGERMANY: A MUN - BUR\nA RUH S A MUN - BUR\n"
        "ITALY: A MAR - BUR\nA GAS S A MAR - BUR",
        outcomes={"A BUR H": "hold", "A MUN - BUR": "bounced", "A MAR - BUR": "bounced"},
        caption="Two equal attacks stop each other, so the army between them survives.",
    ),
    "own": Diagram(
        board="burgundy",
        units={"FRANCE": "A PAR, A BUR", "GERMANY": "A MUN"},
        orders="FRANCE: A PAR S A MUN - BUR\nA BUR H\nGERMANY: A MUN - BUR",
        outcomes={"A MUN - BUR": "bounced", "A BUR H": "hold"},
        caption="Support against a unit of your own country does not count.",
    ),
    "cut": Diagram(
        board="burgundy",
        units={"FRANCE": "A BUR, A HOL", "GERMANY": "A MUN, A RUH"},
        orders="FRANCE: A BUR H\nA HOL - RUH\nGERMANY: A MUN - BUR\nA RUH S A MUN - BUR",
        outcomes={
            "A RUH S A MUN - BUR": "cut",
            "A MUN - BUR": "bounced",
            "A HOL - RUH": "bounced",
            "A BUR H": "hold",
        },
        caption="The attack from Holland bounces, but it cuts the support from the Ruhr.",
    ),
    "uncut": Diagram(
        board="burgundy",
        units={"FRANCE": "A PAR, A MAR", "GERMANY": "A BUR"},
        orders="FRANCE: A PAR - BUR\nA MAR S A PAR - BUR\nGERMANY: A BUR - MAR",
        outcomes={
            "A PAR - BUR": "moved",
            "A MAR S A PAR - BUR": "given",
            "A BUR - MAR": "bounced",
        },
        dislodged=("BUR",),
        caption="An attack from Burgundy does not cut a support for an attack on Burgundy.",
    ),
    "cut-dislodged": Diagram(
        board="burgundy",
        units={"FRANCE": "A PAR, A MAR", "GERMANY": "A BUR, A GAS"},
        orders="FRANCE: A PAR - BUR\nA MAR S A PAR - BUR\n"
        "GERMANY: A BUR - MAR\nA GAS S A BUR - MAR",
        outcomes={
            "A BUR - MAR": "moved",
            "A MAR S A PAR - BUR": "cut",
            "A PAR - BUR": "moved",
        },
        dislodged=("MAR",),
        caption="Here the same attack dislodges the supporting army, so its support is lost. Paris "
        "moves anyway, because Burgundy is empty now.",
    ),
    "convoy": Diagram(
        board="channel",
        units={"ENGLAND": "A LON, F NTH"},
        orders="ENGLAND: A LON - HOL\nF NTH C A LON - HOL",
        outcomes={"A LON - HOL": "moved", "F NTH C A LON - HOL": "convoyed"},
        caption="A convoy across the North Sea.",
    ),
    "chain": Diagram(
        board="channel",
        units={"ENGLAND": "A YOR, F NTH, F HEL"},
        orders="ENGLAND: A YOR - KIE\nF NTH C A YOR - KIE\nF HEL C A YOR - KIE",
        outcomes={"A YOR - KIE": "moved"},
        caption="Two fleets carry an army over two seas in one turn.",
    ),
    "disrupted": Diagram(
        board="channel",
        units={"ENGLAND": "A LON, F NTH", "GERMANY": "F DEN, F HEL"},
        orders="ENGLAND: A LON - BEL\nF NTH C A LON - BEL\n"
        "GERMANY: F DEN - NTH\nF HEL S F DEN - NTH",
        outcomes={"A LON - BEL": "nopath", "F DEN - NTH": "moved"},
        dislodged=("NTH",),
        caption="The fleet is dislodged, so the convoy fails and the army stays in London.",
    ),
    "exchange": Diagram(
        board="channel",
        units={"ENGLAND": "A BEL, F NTH", "GERMANY": "A HOL"},
        orders="ENGLAND: A BEL - HOL VIA\nF NTH C A BEL - HOL\nGERMANY: A HOL - BEL",
        outcomes={"A BEL - HOL VIA": "moved", "A HOL - BEL": "moved"},
        caption="With a convoy, two units can swap places.",
    ),
    "paradox": Diagram(
        board="channel",
        units={"ENGLAND": "A LON, F NTH", "GERMANY": "F DEN, F HOL"},
        orders="ENGLAND: A LON - HOL\nF NTH C A LON - HOL\n"
        "GERMANY: F DEN - NTH\nF HOL S F DEN - NTH",
        outcomes={
            "A LON - HOL": "nopath",
            "F DEN - NTH": "moved",
            "F HOL S F DEN - NTH": "given",
        },
        dislodged=("NTH",),
        caption="The army would have to cut the support that breaks its own convoy. It does not.",
    ),
    "retreat": Diagram(
        board="burgundy",
        units={"FRANCE": "A BUR, A MAR", "GERMANY": "A MUN, A RUH, A PIC"},
        orders="FRANCE: A BUR H\nA MAR H\nGERMANY: A MUN - BUR\nA RUH S A MUN - BUR\nA PIC H",
        outcomes={"A MUN - BUR": "moved"},
        dislodged=("BUR",),
        caption="The dislodged French army may go to Paris, Belgium or Gascony: Munich is where "
        "the attacker came from, and the other provinces are occupied.",
        after=True,
    ),
    "builds": Diagram(
        board="germany",
        units={"GERMANY": "A HOL, F DEN, A RUH"},
        orders="GERMANY: A MUN B\nF KIE B",
        outcomes={"A MUN B": "built", "F KIE B": "built"},
        centers={"GERMANY": "BER KIE MUN HOL DEN"},
        phase="W1901A",
        caption="Germany owns five centers and has three units, so it builds two.",
    ),
}
"""The diagrams by name."""


def judge_diagram(diagram: Diagram) -> tuple[tuple[Order, ...], Resolution]:
    """Return the orders of a diagram and the judge's resolution of them."""
    small = small_board(diagram.board)
    position = _read(diagram)
    orders = read_sheets(small, position, diagram.orders)
    return orders, adjudicate(small.board, position, orders)


def _read(diagram: Diagram) -> Position:
    """Return the position of a diagram; by default each country owns its home centers."""
    homes = small_board(diagram.board).board.home_centers
    centers = diagram.centers or {power: " ".join(codes) for power, codes in homes.items() if codes}
    return read_position(diagram.phase, diagram.units, centers)


@cache
def draw_diagram(name: str, theme: str) -> bytes:
    """Return the units, orders and names of a diagram as SVG, `light` or `dark`."""
    diagram = DIAGRAMS[name]
    chart = small_board(diagram.board).chart
    _, resolution = judge_diagram(diagram)
    if diagram.after:
        return render_layer(chart, resolution.next, THEMES[theme]).encode()
    drawn = render_layer(
        chart,
        _read(diagram),
        THEMES[theme],
        results=resolution.results,
        dislodged=resolution.dislodged,
        standoffs=resolution.standoffs,
    )
    return drawn.encode()


def hash_diagram(name: str) -> str:
    """Return a hash of everything that a diagram is drawn from."""
    diagram = DIAGRAMS[name]
    drawn_from = f"{diagram!r} {small_board(diagram.board).digest}"
    return hashlib.sha256(drawn_from.encode()).hexdigest()[:_HASH_LENGTH]


@cache
def present_diagrams() -> Mapping[str, DiagramView]:
    """Return all diagrams as the page shows them."""
    return {name.replace("-", "_"): _present(name) for name in DIAGRAMS}


def _present(name: str) -> DiagramView:
    diagram, digest = DIAGRAMS[name], hash_diagram(name)
    small, position = small_board(diagram.board), _read(diagram)
    _, resolution = judge_diagram(diagram)
    lines = []
    for place, result in enumerate(resolution.results):
        unit = result.order.unit  # type: ignore[union-attr] # a diagram waives no build
        line = present_result(position, resolution, place)
        owner = small.board.power_info[unit.power].name
        where = place_name(small.board, unit.location)
        action = describe_choice(small.board, result.order).label
        word = "dislodged" if line.dislodged else line.word
        text = f"{owner}: {unit.kind.word} in {where}: {action}"
        lines.append((text, word, not line.failed))
    return DiagramView(
        name=name,
        board=small.show(),
        light_url=reverse("learn:diagram", args=[name, digest, "light"]),
        dark_url=reverse("learn:diagram", args=[name, digest, "dark"]),
        caption=diagram.caption,
        lines=tuple(lines),
    )
