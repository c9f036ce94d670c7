"""What several commands share: kinds of arguments, maps by name, progress."""

import argparse
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from diplomaccloud.atlas.chart import Chart

    Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"


def port(text: str) -> int:
    """Return the port that `text` names."""
    number = int(text)
    if not 0 < number < 65536:
        raise argparse.ArgumentTypeError(f"{text} is not a port (1 to 65535)")
    return number


def positive(text: str) -> int:
    """Return the number above 0 that `text` names."""
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text} is not above 0")
    return number


def natural(text: str) -> int:
    """Return the number from 0 that `text` names."""
    number = int(text)
    if number < 0:
        raise argparse.ArgumentTypeError(f"{text} is below 0")
    return number


def write_whole(path: Path, content: bytes) -> None:
    """Write the file at `path` at once: after an error or an interruption it is as it was."""
    target = path.resolve()
    if target.exists() and not target.is_file():
        # A device or a pipe cannot be replaced, and half of what it gets is no file.
        target.write_bytes(content)
        return
    part = target.with_name(f".{os.getpid()}.part")
    try:
        part.write_bytes(content)
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)


def find_map(name: str, players: int) -> "Chart":
    """Return the map called `standard`, `FILE.json` or `seed:TEXT`, the last for `players`."""
    from diplomaccloud.atlas.chartfile import load_chart  # noqa: PLC0415
    from diplomaccloud.atlas.standard import standard_chart  # noqa: PLC0415

    if name == "standard":
        return standard_chart()
    if name.startswith("seed:"):
        from diplomaccloud.atlas.generator import make_chart  # noqa: PLC0415

        return make_chart(name.removeprefix("seed:"), players)
    if name.endswith(".json"):
        return load_chart(Path(name).read_text(encoding="utf-8"))
    raise ValueError(f"no map is called {name!r} (write standard, FILE.json or seed:TEXT)")


def show_progress(text: str) -> None:
    """Show `text` in the place of what was shown before, if somebody is watching."""
    if sys.stderr.isatty():
        sys.stderr.write(f"\r\x1b[K{text}")
        sys.stderr.flush()


@contextmanager
def progress_while(text: str) -> Iterator[Callable[[str], None]]:
    """Show `text` and the seconds gone for as long as the work inside takes.

    Yields a function that adds the stage that the work is at.
    """
    done = threading.Event()
    stages = [""]

    def tick() -> None:
        began = time.monotonic()
        while not done.wait(0.2):
            gone = time.monotonic() - began
            bar = "▓" * (int(gone * 5) % 16 + 1)
            show_progress(f"{text} {bar:<16} {gone:.0f} s  {stages[-1]}")

    ticking = threading.Thread(target=tick, daemon=True)
    if sys.stderr.isatty():
        ticking.start()
    try:
        yield stages.append
    finally:
        done.set()
        if ticking.is_alive():
            ticking.join()
        show_progress("")
