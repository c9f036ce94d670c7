"""What a page derives from its address and the visitor's choices: state, phases, links."""

from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from urllib.parse import urlencode

from django.urls import reverse

from diplomaccloud.judge.board import Board
from diplomaccloud.judge.drawing.chart import INKS, Chart, MarkKind
from diplomaccloud.judge.position import Position
from diplomaccloud.sandbox.address import fit_state
from diplomaccloud.sandbox.engine import (
    OrderLine,
    PlayedPhase,
    SandboxState,
    Timeline,
    list_lines,
    replay,
)


class View(StrEnum):
    """The section shown in the panel. The map shows what belongs to it."""

    ORDERS = "orders"
    RESULTS = "results"
    MARKS = "marks"
    SETUP = "setup"
    SHARE = "share"


class Tool(StrEnum):
    """The effect of a tap on the map on the position."""

    ARMY = "army"
    FLEET = "fleet"
    OWNER = "owner"
    REMOVE = "remove"


@dataclass(frozen=True, slots=True)
class Choices:
    """A visitor's choices: the section, the open line, the tool and its power, and a phase.

    `mark` and `ink` are the kind and color of the next mark.
    """

    view: View = View.ORDERS
    line: str = ""
    tool: Tool = Tool.ARMY
    power: str = ""
    phase: int | None = None
    mark: MarkKind = MarkKind.WASH
    ink: str = next(iter(INKS))


@dataclass(frozen=True, slots=True)
class Links:
    """The addresses of a map's sandbox; `board` is its board.

    Another app may show the sandbox on its own page at `host`, whose addresses keep the parameters
    `query`. There, the section "Share" is called `share_label`.
    """

    map_hash: str
    board: Board
    host: str = ""
    query: tuple[tuple[str, str], ...] = ()
    share_label: str = "Share"

    @property
    def page(self) -> str:
        """The sandbox with the starting position."""
        return self.host or reverse("sandbox:board", args=[self.map_hash])

    @property
    def form_url(self) -> str:
        """The address that the page's forms post to."""
        return f"{self.page}?{urlencode(self.query)}" if self.query else self.page

    def encode(self, state: SandboxState) -> str:
        """Return the text of `state`, without its oldest phases if it would be too long.

        Raises `SandboxError`.
        """
        return fit_state(state, self.board, self.map_hash)[1]

    def link(self, text: str, **query: str) -> str:
        """Return the address of the state with this text, with additional query parameters."""
        return f"{self.page}?{urlencode({**dict(self.query), 'board': text, **query})}"

    def export(self, name: str, text: str) -> str:
        """Return the address of an export: `svg`, `png`, `position`, `orders`, `record`, …."""
        return f"{reverse(f'sandbox:{name}', args=[self.map_hash])}?{urlencode({'board': text})}"


def sandbox_url(map_hash: str, board: Board, state: SandboxState) -> str:
    """Return the address of `state` in the sandbox of a map; raise `SandboxError`."""
    links = Links(map_hash, board)
    return links.link(links.encode(state))


@dataclass(frozen=True)
class Situation:
    """A state on a map and the visitor's choices; each part is computed when first used."""

    chart: Chart
    links: Links
    state: SandboxState
    choices: Choices

    @property
    def board(self) -> Board:
        """The board of the map."""
        return self.chart.board

    @cached_property
    def text(self) -> str:
        """The text of the state in addresses."""
        return self.links.encode(self.state)

    @cached_property
    def timeline(self) -> Timeline:
        """The adjudicated phases, and the position after them."""
        return replay(self.board, self.state)

    @property
    def position(self) -> Position:
        """The position after all adjudicated phases, for which orders are given."""
        return self.timeline.position

    @cached_property
    def lines(self) -> tuple[OrderLine, ...]:
        """The lines with their orders."""
        return list_lines(self.board, self.position, self.state.orders)

    @cached_property
    def view(self) -> View:
        """The section to show. There are no results before a phase is adjudicated."""
        wanted = self.choices.view
        return View.ORDERS if wanted is View.RESULTS and not self.timeline.phases else wanted

    @cached_property
    def result_number(self) -> int:
        """The number, from 0, of the phase whose results can be seen; by default the last one."""
        last = len(self.timeline.phases) - 1
        wanted = self.choices.phase
        return last if wanted is None else min(wanted, last)

    @property
    def played(self) -> PlayedPhase | None:
        """The phase whose results can be seen; None if no phase is adjudicated."""
        return self.timeline.phases[self.result_number] if self.timeline.phases else None

    @property
    def shown(self) -> PlayedPhase | None:
        """The adjudicated phase on the map; None if the map shows the position."""
        return self.played if self.view is View.RESULTS else None

    def link(self, **query: str) -> str:
        """Return the address of the state with additional query parameters."""
        return self.links.link(self.text, **query)

    def link_results(self, number: int) -> str:
        """Return the address of the results of the phase `number`."""
        return self.link(view=View.RESULTS, phase=str(number))

    @property
    def why_query(self) -> str:
        """The query string of explanation addresses."""
        query = {**dict(self.links.query), "board": self.text, "phase": self.result_number}
        return f"?{urlencode(query)}"
