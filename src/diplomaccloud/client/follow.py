"""Shared by both clients: following the event stream of a game."""

import json
from typing import Final

import httpx

from diplomaccloud.client.call import Call
from diplomaccloud.client.errors import StrangeAnswer
from diplomaccloud.client.exchange import Exchange
from diplomaccloud.client.json_values import read_value
from diplomaccloud.client.operations import Operations
from diplomaccloud.client.retries import Retries
from diplomaccloud.client.values import EventPage, EventState

_STREAM: Final = "text/event-stream"
_MILLISECONDS: Final = 1000


class Follower:
    """A position in the events of a game. A broken stream resumes after the last event."""

    def __init__(self, exchange: Exchange, retries: Retries, game: str, after: str) -> None:
        self._exchange, self._retries = exchange, retries
        self._game, self._after = game, after
        self._lost, self._pause, self._data = 0, retries.first_pause, ""

    def make_request(self) -> httpx.Request:
        """Return the request for the events that come next."""
        request = self._exchange.make_request(self._describe())
        request.headers["Accept"] = _STREAM
        self._data = ""
        return request

    def read(self, line: str) -> EventState | None:
        """Return the event completed by this line of the stream; None if there is none."""
        self._lost = 0
        name, _, text = line.partition(":")
        if name == "retry" and text.strip().isdecimal():
            self._pause = int(text) / _MILLISECONDS
        if name == "data":
            self._data = text
        # An event that is cut off has no blank line after it, and is sent again.
        if line or not self._data:
            return None
        try:
            event: EventState = read_value(EventState, json.loads(self._data))
        except ValueError as error:
            raise StrangeAnswer(f"the stream sent invalid JSON: {self._data[:80]}") from error
        self._data = ""
        self._after = event.id
        return event

    def find_pause(self, outcome: httpx.Response | httpx.TransportError) -> float:
        """Return the seconds to wait before reconnecting; raise if retrying is pointless."""
        if isinstance(outcome, httpx.Response) and outcome.is_success:
            return self._pause
        pause = self._retries.find_pause(self._lost, outcome)
        if pause is None:
            self._exchange.read(self._describe(), outcome)
            raise StrangeAnswer("the site does not send its events as a stream")
        self._lost += 1
        return pause

    def _describe(self) -> Call[EventPage]:
        return Operations.list_events.describe(None, self._game, after=self._after)
