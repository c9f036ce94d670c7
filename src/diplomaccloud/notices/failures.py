"""How a call to another server fails: known without the libraries that make calls."""

import datetime as dt
from typing import Final

FAILED: Final = "The destination did not accept the notice."


class CallFailed(Exception):
    """A call that was not accepted; `retry_after` is how long the server wants us to wait."""

    def __init__(self, retry_after: dt.timedelta | None = None) -> None:
        super().__init__(FAILED)
        self.retry_after = retry_after


class DestinationGone(CallFailed):
    """The server no longer knows the destination."""
