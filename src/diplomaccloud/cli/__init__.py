"""The command `diplomaccloud`; its subcommands stand beside what they start."""

import argparse
import sys
from collections.abc import Sequence
from importlib import import_module

from diplomaccloud.version import __version__

__all__ = ["main"]

_COMMANDS = (
    "cli.site.add_play",
    "cli.judge.add_judge",
    "cli.judge.add_replay",
    "cli.judge.add_convert",
    "cli.arena.add",
    "ladder.command.add",
    "remote.command.add",
    "mcp.command.add",
    "daide.command.add",
    "cli.map_files.add",
    "cli.judge.add_schema",
    "cli.site.add_dbgrants",
    "cli.site.add_backup",
    "cli.site.add_doctor",
    "cli.site.add_web",
    "cli.site.add_manage",
)
"""The functions that add the subcommands, in the order of the help."""
_EXTRAS = {"httpx": "client", "mcp": "mcp", "openskill": "ladder"}
"""Which extra installs a package, if it is not `site`."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit status."""
    options = build_parser().parse_args(arguments)
    try:
        return int(options.run(options))
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        if package in {"", "diplomaccloud"}:
            raise
        sys.stderr.write(
            f"diplomaccloud: this command needs the package {package!r}; install it with "
            f"pip install 'diplomaccloud[{_EXTRAS.get(package, 'site')}]'\n"
        )
        return 2
    except (ValueError, OSError) as error:
        sys.stderr.write(f"diplomaccloud: {_describe(error)}\n")
        return 2
    except KeyboardInterrupt:
        return 130


def _describe(error: ValueError | OSError) -> str:
    """Return the error on one line, with the file name first and without the error number."""
    if isinstance(error, OSError) and error.strerror:
        name = f"{error.filename!r}: " if error.filename else ""
        return f"{name}{error.strerror[0].lower()}{error.strerror[1:]}"
    return str(error)


def build_parser() -> argparse.ArgumentParser:
    """Return the parser of the whole command line."""
    # Each command imports what it needs only when it runs, so that `judge` does not load Django.
    parser = argparse.ArgumentParser(prog="diplomaccloud", description="Play Diplomacy.")
    parser.add_argument("--version", action="version", version=__version__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for name in _COMMANDS:
        module, _, function = name.rpartition(".")
        getattr(import_module(f"diplomaccloud.{module}"), function)(commands)
    return parser
