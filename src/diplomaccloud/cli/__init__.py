"""The command `diplomaccloud`: one file per command."""

import argparse
import sys
from collections.abc import Sequence

from diplomaccloud import __version__
from diplomaccloud.cli import arena, dbgrants, judge, manage, maps, play, replay

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit status."""
    options = _parser().parse_args(arguments)
    try:
        return int(options.run(options))
    except (ValueError, OSError) as problem:
        sys.stderr.write(f"diplomaccloud: {_told(problem)}\n")
        return 2
    except KeyboardInterrupt:
        return 130


def _told(problem: ValueError | OSError) -> str:
    """Return the problem in one line: of a file first its name, without numbers of errors."""
    if isinstance(problem, OSError) and problem.strerror:
        name = f"{problem.filename!r}: " if problem.filename else ""
        return f"{name}{problem.strerror[0].lower()}{problem.strerror[1:]}"
    return str(problem)


def _parser() -> argparse.ArgumentParser:
    # A command imports what it needs when it runs: judging must not wait for a web framework.
    parser = argparse.ArgumentParser(prog="diplomaccloud", description="Play Diplomacy.")
    parser.add_argument("--version", action="version", version=__version__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for command in (play, judge, replay, arena, maps, dbgrants, manage):
        command.add(commands)
    return parser
