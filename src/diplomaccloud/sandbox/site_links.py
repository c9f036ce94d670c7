"""The addresses of the sandbox's pages."""

from dataclasses import dataclass
from urllib.parse import urlencode

from django.urls import reverse

from diplomaccloud.judge.board import Board
from diplomaccloud.sandbox.engine import SandboxState, fit_state


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
