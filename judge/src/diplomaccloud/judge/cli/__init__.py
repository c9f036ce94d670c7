"""The command `diplomaccloud`: the judge's own subcommands, and those of what is installed with it.

Another distribution adds its subcommands as entry points of the group `diplomaccloud.commands`.
In `play = "diplomaccloud.cli.site:add_play [site]"`, the function adds it to the parser, and the
extra has the packages that it needs. One of the judge's name takes that one's place.
"""

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from typing import TYPE_CHECKING, TypeAlias, cast

from diplomaccloud.judge.version import __version__, tell_install

__all__ = ["main"]

if TYPE_CHECKING:
    Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"

_COMMANDS: Mapping[str, str | None] = {
    "play": "site",
    "judge": None,
    "replay": None,
    "convert": None,
    "draw": None,
    "arena": "",
    "ladder": "ladder",
    "bot": "client",
    "mcp": "mcp",
    "daide": "daide",
    "map": "site",
    "schema": None,
    "backup": "site",
    "restore": "site",
    "doctor": "site",
    "web": "site",
    "manage": "site",
}
"""The subcommands in the order of the help, with the extra that brings those of the site."""
_OF_SITE = {None, "", "site", "daide"}
"""Whose subcommands the extra `site` brings."""
_PACKAGES = {
    "site": "django",
    "client": "httpx",
    "mcp": "mcp",
    "ladder": "openskill",
    "png": "resvg_py",
}
"""A package that is there if an extra is installed."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit status."""
    words = sys.argv[1:] if arguments is None else list(arguments)
    name = next((word for word in words if not word.startswith("-")), "")
    extra = _COMMANDS.get(name)
    if extra is not None and not _can_run(_find_installed(), name):
        return _fail(f"{name} is not installed; in a checkout, install it with", extra)
    try:
        options = build_parser(name).parse_args(words)
        return int(options.run(options))
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        if package in {"", "diplomaccloud"}:
            raise
        extras = [extra for extra, known in _PACKAGES.items() if known == package]
        what = f"this command needs the package {package!r}; in a checkout, install it with"
        return _fail(what, extras[0] if extras else "site")
    except (ValueError, OSError) as error:
        sys.stderr.write(f"diplomaccloud: {_describe(error)}\n")
        return 2
    except MemoryError:
        sys.stderr.write("diplomaccloud: there is not enough memory\n")
        return 2
    except KeyboardInterrupt:
        return 130


def _fail(what: str, extra: str) -> int:
    sys.stderr.write(f"diplomaccloud: {what} {tell_install(extra)}\n")
    return 2


def _describe(error: ValueError | OSError) -> str:
    """Return the error on one line, with the file name first and without the error number."""
    if isinstance(error, OSError) and error.strerror:
        name = f"{error.filename!r}: " if error.filename else ""
        return f"{name}{error.strerror[0].lower()}{error.strerror[1:]}"
    return str(error)


def _find_installed() -> dict[str, EntryPoint]:
    """Return the subcommands of other distributions by their names."""
    return {point.name: point for point in entry_points(group="diplomaccloud.commands")}


def _can_run(installed: Mapping[str, EntryPoint], name: str) -> bool:
    """Return whether a subcommand has all that it needs."""
    if name not in installed:
        return name in _COMMANDS and _COMMANDS[name] is None
    packages = [_PACKAGES[extra] for extra in installed[name].extras if extra in _PACKAGES]
    return all(map(_is_installed, packages))


def _is_installed(package: str) -> bool:
    try:
        return find_spec(package) is not None
    except ImportError:
        return False


class _ShowVersion(argparse.Action):
    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        """Print the version, and whether the judge is slow."""
        from diplomaccloud.judge.kernel.selection import KERNEL  # noqa: PLC0415
        from diplomaccloud.judge.kernel.sources import SLOW_KERNEL  # noqa: PLC0415

        sys.stdout.write(f"{__version__}\n")
        if KERNEL.name == "python":
            sys.stderr.write(f"{SLOW_KERNEL}\n")
        parser.exit()


def build_parser(only: str = "") -> argparse.ArgumentParser:
    """Return the parser of the whole command line, or of one subcommand if there is one `only`."""
    # Each command imports what it needs only when it runs, so that `judge` does not load Django.
    installed = _find_installed()
    known = dict.fromkeys([*_COMMANDS, *installed])
    names = [name for name in ([only] if only in known else known) if _can_run(installed, name)]
    parser = argparse.ArgumentParser(prog="diplomaccloud", description="Play Diplomacy.")
    missing = [name for name in _COMMANDS if name not in names]
    told = []
    if others := [name for name in missing if _COMMANDS[name] not in _OF_SITE]:
        told.append(f"Not installed, and each says what installs it: {', '.join(others)}.")
    if of_site := [name for name in missing if name not in others]:
        told.append(f"The site adds {', '.join(of_site)}; in a checkout: {tell_install('site')}")
    parser.epilog = " ".join(told)
    parser.add_argument("--version", action=_ShowVersion, nargs=0, help="show the version and exit")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for name in names:
        _load(installed, name)(commands)
    return parser


def _load(installed: Mapping[str, EntryPoint], name: str) -> "Callable[[Commands], None]":
    """Return the function that adds a subcommand to a parser."""
    if name in installed:
        try:
            return cast("Callable[[Commands], None]", installed[name].load())
        except ModuleNotFoundError as error:
            # `pip` deletes the site's files if it replaces the package that once had them, too.
            raise ValueError(
                f"{name} lacks {error.name}: uninstall diplomaccloud and diplomaccloud-site, "
                "then install all again"
            ) from error
    module = import_module("diplomaccloud.judge.cli.commands")
    return cast("Callable[[Commands], None]", getattr(module, f"add_{name}"))
