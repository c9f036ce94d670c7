"""`diplomaccloud-site COMMAND …`: runs a command of `diplomaccloud` as a site's services run.

It reads the file of settings as systemd does for `EnvironmentFile`, becomes the owner of the data
directory, and runs the command there. It needs no systemd.
"""

import argparse
import os
import pwd
import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, NoReturn

SETTINGS: Final = Path("/etc/diplomaccloud.env")
_DATA: Final = "DIPLOMACCLOUD_DATA"
_KEPT: Final = ("COLUMNS", "LANG", "LC_ALL", "LC_CTYPE", "LINES", "NO_COLOR", "PATH", "TERM", "TZ")
"""Variables of the caller that the command gets, beside the settings."""
_UMASK: Final = 0o027
_WRITE_OTHERS: Final = 0o022
_ANYONE: Final = -1
"""Stands for users beside the owner who may write a file."""
_SPACE, _NEWLINE = " \t\n\r", "\n\r"
_ESCAPED: Final = '"\\`$'
"""What a backslash escapes between double quotes."""


class BadLineError(ValueError):
    """Raised for a line that is no setting; the message has its number."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Replace this process with the command; return 2 if that is not possible."""
    parser = argparse.ArgumentParser(
        prog="diplomaccloud-site",
        usage="%(prog)s [-h] [--settings FILE] COMMAND ...",
        description="Run a command of `diplomaccloud` with the settings of a site, as the owner of "
        "its data directory and in that directory. Run this as root.",
    )
    parser.add_argument(
        "--settings",
        type=Path,
        default=SETTINGS,
        metavar="FILE",
        help=f"the file of settings (default: {SETTINGS}); NAME-owner.env beside it is read, too",
    )
    parser.add_argument("command", nargs=argparse.REMAINDER, help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if not options.command:
        parser.error("which command? For example: diplomaccloud-site doctor")
    try:
        run(options.settings, options.command)
    except OSError as error:
        sys.stderr.write(f"diplomaccloud-site: {error.filename}: {error.strerror}\n")
    except ValueError as error:
        sys.stderr.write(f"diplomaccloud-site: {error}\n")
    return 2


def run(file: Path, command: Sequence[str]) -> NoReturn:
    """Replace this process with the command; raise `ValueError` or `OSError` with a sentence."""
    settings, writers = read_settings(file)
    data = Path(settings.get(_DATA, ""))
    if not data.is_absolute():
        raise ValueError(f"{file} must set {_DATA} to an absolute path, such as /var/lib/site.")
    try:
        owner = data.stat().st_uid
    except FileNotFoundError:
        raise ValueError(
            f"There is no directory {data}: create it for the site's user with "
            f"install -d -m 750 -o USER -g GROUP {data}"
        ) from None
    if owner == 0:
        raise ValueError(f"{data} must belong to the site's user, not to root: use chown.")
    if os.geteuid() == 0:
        _require_trusted(writers, {0, owner})
    home = _become(owner, data)
    os.umask(_UMASK)
    kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
    words = [sys.executable, "-P", "-m", "diplomaccloud", *command]
    try:
        os.chdir(data)
        os.execve(sys.executable, words, kept | home | settings)  # noqa: S606 no shell
    except PermissionError as error:
        raise ValueError(
            f"{_name_user(owner)}, to whom {data} belongs, may not use {error.filename}: open its "
            "directories to that user, or install the site elsewhere, such as in /opt."
        ) from None


def read_settings(file: Path) -> tuple[dict[str, str], dict[Path, int]]:
    """Return the settings in a file, and in the one beside it for the owner of the tables.

    Also returns who may write each file: the number of a user, or `_ANYONE`.
    """
    beside = file.with_name(f"{file.stem}-owner{file.suffix}")
    settings, writers = dict[str, str](), dict[Path, int]()
    try:
        for path in (file, beside) if beside.exists() else (file,):
            with path.open("rb") as opened:
                facts = os.fstat(opened.fileno())
                settings |= parse_settings(opened.read(), path)
            writers[path] = _ANYONE if facts.st_mode & _WRITE_OTHERS else facts.st_uid
    except FileNotFoundError:
        raise ValueError(f"There is no file {file}: name the settings with --settings.") from None
    except PermissionError as error:
        name = _name_user(os.geteuid())
        raise ValueError(
            f"The user {name} may not read {error.filename}: run this as root."
        ) from None
    return settings, writers


def _require_trusted(writers: Mapping[Path, int], trusted: Collection[int]) -> None:
    """Raise `ValueError` if others could run any program as the owner of any directory."""
    for file, writer in writers.items():
        if writer not in trusted:
            raise ValueError(
                f"{_name_user(writer)} may write {file}, so root must not use it: run chown root "
                f"{file} and chmod 600 {file}"
            )


def _become(owner: int, data: Path) -> dict[str, str]:
    """Become the owner of the data directory; return the variables of its log-in."""
    try:
        account = pwd.getpwuid(owner)
    except KeyError:
        name, group, home = "", data.stat().st_gid, str(data)
    else:
        name, group, home = account.pw_name, account.pw_gid, account.pw_dir
    if os.geteuid() == 0:
        os.setgroups(os.getgrouplist(name, group) if name else [group])
        os.setgid(group)
        os.setuid(owner)
    elif os.geteuid() != owner:
        user = _name_user(os.geteuid())
        raise ValueError(f"{data} belongs to {_name_user(owner)}, not to {user}: run this as root.")
    return {"HOME": home} | ({"USER": name, "LOGNAME": name} if name else {})


def _name_user(number: int) -> str:
    if number == _ANYONE:
        return "Another user"
    try:
        return pwd.getpwuid(number).pw_name
    except KeyError:
        return str(number)


def parse_settings(content: bytes, file: Path) -> dict[str, str]:
    """Return the settings in a file as systemd reads it; the last line of a name wins.

    Raises `BadLineError` for what systemd would ignore: a line without `=`, an invalid name or
    value, or an open quote.
    """
    settings = {}
    for number, name, value in _Reader(content, file).read():
        if not (name.isascii() and name.replace("_", "a").isalnum()) or name[:1].isdigit():
            raise _bad_line(file, number, f"{name[:40]!r} is not the name of a setting")
        if any((ord(sign) < 32 and sign not in "\t\n") or ord(sign) == 127 for sign in value):
            raise _bad_line(file, number, f"the value of {name} has a control character")
        settings[name] = value
    return settings


def _bad_line(file: Path, number: int, reason: str) -> BadLineError:
    return BadLineError(f"Line {number} of {file} cannot be read: {reason}.")


class _Reader:
    """Reads assignments, sign by sign: see `parse_env_file` in systemd's `env-file.c`."""

    def __init__(self, content: bytes, file: Path) -> None:
        try:
            self._text = content.decode("utf-8")
        except UnicodeDecodeError as error:
            number = content.count(b"\n", 0, error.start) + 1
            raise _bad_line(file, number, "it is not UTF-8") from None
        self._file, self._place = file, 0

    def read(self) -> Iterator[tuple[int, str, str]]:
        """Yield the number of the first line, the name and the value of each assignment."""
        while self._skip(_SPACE):
            number = self._number()
            if self._peek() in "#;":
                if self._take_until(_NEWLINE).endswith("\\"):
                    # Releases of systemd disagree about the next line.
                    raise _bad_line(self._file, number, "a comment must not end with a backslash")
                continue
            name = self._take_until(_NEWLINE + "=")
            if self._peek() != "=":
                raise _bad_line(self._file, number, "it has no =")
            self._place += 1
            yield number, name.rstrip(_SPACE), self._read_value(number)

    def _read_value(self, number: int) -> str:
        """Return the value: quoted parts, perhaps followed by a plain one."""
        value = ""
        while True:
            self._skip(" \t")
            quote = self._peek()
            if quote not in {"'", '"'}:
                return value + self._read_plain()
            self._place += 1
            value += self._read_quoted(quote, number)

    def _read_quoted(self, quote: str, number: int) -> str:
        value = ""
        while (sign := self._next()) != quote:
            if not sign:
                raise _bad_line(self._file, number, f"a quote {quote} is not closed")
            if sign == "\\" and quote == '"':
                following = self._next()
                if following != "\n":
                    value += following if following in _ESCAPED else f"\\{following}"
            else:
                value += sign
        return value

    def _read_plain(self) -> str:
        """Return the rest of a line without quotes, where a backslash joins the next line."""
        value, length = "", 0
        while (sign := self._next()) and sign not in _NEWLINE:
            if sign == "\\":
                if (sign := self._next()) not in _NEWLINE:
                    value += sign
                length = len(value)
            else:
                value += sign
                if sign not in _SPACE:
                    length = len(value)
        return value[:length]

    def _number(self) -> int:
        return self._text.count("\n", 0, self._place) + 1

    def _peek(self) -> str:
        return self._text[self._place : self._place + 1]

    def _next(self) -> str:
        sign = self._peek()
        self._place += 1
        return sign

    def _skip(self, signs: str) -> bool:
        """Skip these signs; return whether anything follows."""
        while self._peek() and self._peek() in signs:
            self._place += 1
        return bool(self._peek())

    def _take_until(self, signs: str) -> str:
        start = self._place
        while self._peek() and self._peek() not in signs:
            self._place += 1
        return self._text[start : self._place]
