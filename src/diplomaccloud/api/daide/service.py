"""Serves the open seats of one game until the game is over."""

import asyncio
import secrets
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

from django.db import close_old_connections, connections

from diplomaccloud.api.daide.meeting import SiteMeeting
from diplomaccloud.api.daide.seats import OpenSeats
from diplomaccloud.daide.language.tokens import MAX_NUMBER
from diplomaccloud.daide.network.server import Server
from diplomaccloud.daide.table.table import Table


class _SiteTable(Table):
    """A table in a long-lived thread."""

    def tick(self, now: float) -> None:
        """Do what is due, replacing stale database connections first."""
        close_old_connections()
        super().tick(now)


def serve_game(
    slug: str,
    tokens: Sequence[str],
    *,
    by_token: bool,
    level: int,
    host: str,
    port: int,
    on_ready: Callable[[int], object],
) -> SiteMeeting:
    """Serve the seats that the tokens open; return the meeting once the game is over.

    `on_ready` is called with the port as soon as clients can connect. Raises `ValueError` with an
    explanation if tokens open no seat, or if clients cannot play the game.
    """

    def open_game() -> SiteMeeting:
        return SiteMeeting(
            OpenSeats(slug, tokens),
            by_token=by_token,
            choose_passcode=lambda: 1 + secrets.randbelow(MAX_NUMBER),
            level=level,
        )

    # Actions may wait for locks, so they run in one thread with its own database connection.
    with ThreadPoolExecutor(1, thread_name_prefix="site") as executor:
        try:
            meeting = executor.submit(open_game).result()
            names = meeting.play.words.vocabulary.to_bytes()
            server = Server(_SiteTable(meeting), names, executor=executor)
            asyncio.run(server.serve(host, port, on_ready=on_ready))
        finally:
            executor.submit(connections.close_all).result()
    return meeting
