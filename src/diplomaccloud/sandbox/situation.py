"""The facts that a page derives from its address: the state, its phases, and the phase to show."""

from dataclasses import dataclass
from functools import cached_property
from urllib.parse import urlencode

from diplomaccloud.atlas.chart import Chart
from diplomaccloud.judge.board import Board
from diplomaccloud.judge.position import Position
from diplomaccloud.sandbox.choices import Choices, View
from diplomaccloud.sandbox.engine import OrderLine, PlayedPhase, SandboxState, Timeline, list_lines
from diplomaccloud.sandbox.engine import replay as replay_state
from diplomaccloud.sandbox.site_links import Links


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
        return replay_state(self.board, self.state)

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
