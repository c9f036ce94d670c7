"""The public log of a game."""

import datetime as dt
from dataclasses import dataclass

from diplomaccloud.games.presenters.seats import name_actor, name_master
from diplomaccloud.games.viewpoint import GameReader
from diplomaccloud.games.viewpoint.log import LogLine


@dataclass(frozen=True, slots=True)
class LogLineView:
    """One line of the log; `by` is blank for the site."""

    at: dt.datetime
    kind: str
    text: str
    reason: str
    by: str
    phase: str


@dataclass(frozen=True, slots=True)
class LogPageView:
    """A page of the log, newest line first."""

    lines: tuple[LogLineView, ...]
    page: int
    pages: int
    master: str


def present_log(reader: GameReader, number: int) -> LogPageView:
    """Return one page of the log."""
    page = reader.read_log(number)
    return LogPageView(
        tuple(map(present_line, page.lines)),
        page.number,
        page.pages,
        name_master(reader.game.master),
    )


def present_line(line: LogLine) -> LogLineView:
    """Return one line of the log with the name of its author."""
    phase = line.phase.title if line.phase else ""
    return LogLineView(line.at, line.kind, line.text, line.reason, name_actor(line.by), phase)
