"""Helpers that commands share: argument types, maps by name, progress."""

import argparse
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from diplomaccloud.judge.drawing.chart import Chart


TOKEN: Final = "DIPLOMACCLOUD_TOKEN"  # noqa: S105 the name of a variable


def parse_port(text: str) -> int:
    """Return `text` as a port number."""
    number = int(text)
    if not 0 < number < 65536:
        raise argparse.ArgumentTypeError(f"{text} is not a port (1 to 65535)")
    return number


def parse_positive(text: str) -> int:
    """Return `text` as a number greater than 0."""
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text} must be greater than 0")
    return number


def parse_natural(text: str) -> int:
    """Return `text` as a number that is not negative."""
    number = int(text)
    if number < 0:
        raise argparse.ArgumentTypeError(f"{text} must not be negative")
    return number


def require_token(given: str) -> str:
    """Return the token that was given, or the one in the environment."""
    token = given or os.environ.get(TOKEN, "")
    if not token:
        raise ValueError(f"set a token with --token or {TOKEN}; you can create one on the site")
    return token


def find_map(name: str, players: int) -> "Chart":
    """Return the map `standard`, `FILE.json` or `seed:TEXT`, which is made for `players`."""
    from diplomaccloud.atlas.chartfile import load_chart  # noqa: PLC0415
    from diplomaccloud.judge.drawing.europe import standard_chart  # noqa: PLC0415

    if name == "standard":
        return standard_chart()
    if name.startswith("seed:"):
        from diplomaccloud.atlas.generator.pipeline import make_chart  # noqa: PLC0415

        return make_chart(name.removeprefix("seed:"), players)
    if name.endswith(".json"):
        return load_chart(Path(name).read_text(encoding="utf-8"))
    raise ValueError(f"there is no map {name!r} (use standard, FILE.json or seed:TEXT)")


def show_progress(text: str) -> None:
    """Show `text` in place of the previous text if standard error is a terminal."""
    if sys.stderr.isatty():
        sys.stderr.write(f"\r\x1b[K{text}")
        sys.stderr.flush()


@contextmanager
def show_progress_during(text: str) -> Iterator[Callable[[str], None]]:
    """Show `text` and the elapsed seconds while the block runs.

    Yields a function that adds the name of the current stage.
    """
    done = threading.Event()
    stages = [""]

    def tick() -> None:
        started = time.monotonic()
        while not done.wait(0.2):
            elapsed = time.monotonic() - started
            bar = "▓" * (int(elapsed * 5) % 16 + 1)
            show_progress(f"{text} {bar:<16} {elapsed:.0f} s  {stages[-1]}")

    ticker = threading.Thread(target=tick, daemon=True)
    if sys.stderr.isatty():
        ticker.start()
    try:
        yield stages.append
    finally:
        done.set()
        if ticker.is_alive():
            ticker.join()
        show_progress("")


class Progress:
    """Shows progress on standard error: in place on a terminal, otherwise one line a minute."""

    def __init__(self, what: str, total: int) -> None:
        self._what, self._total = what, total
        self._done = self._new = 0
        self._began = self._shown = time.monotonic()

    def __enter__(self) -> "Progress":
        return self

    def __exit__(self, *_: object) -> None:
        show_progress("")

    def say(self, sentence: str) -> None:
        """Write a sentence on its own line."""
        sys.stderr.write(f"{sentence}\n")

    def start_from(self, number: int) -> None:
        """Start at `number`: earlier results, which do not count for the speed."""
        self._done += number

    def count(self) -> None:
        """Add one, and show how many are done and how long the rest may take."""
        now = time.monotonic()
        self._new += 1
        self._done += 1
        text = f"{self._done} of {self._total} {self._what}"
        if now - self._began > 5:
            seconds = (now - self._began) / self._new * (self._total - self._done)
            wait = f"{seconds:.0f} s" if seconds < 90 else f"{seconds / 60:.0f} min"
            text += f", about {wait} left"
        if sys.stderr.isatty():
            show_progress(text)
        elif now - self._shown > 60:
            self._shown = now
            self.say(text)
