"""The options of a game, besides its map and rules: one frozen value, stored as JSON."""

import datetime as dt
import json
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from typing import Self

from diplomaccloud.judge.codec.reader import Json, Node
from diplomaccloud.judge.victory import Measure
from diplomaccloud.schedule import Schedule, schedule_from_json, schedule_to_json

MAX_YEAR = 9999
MAX_TURNS = 400
MAX_BOTS_ONLY_YEARS = 35
"""How long a game against bots, or one in which only bots are left, can last."""


class Press(StrEnum):
    """How players may write to each other."""

    FULL = "full"
    PUBLIC = "public"
    RULEBOOK = "rulebook"
    NONE = "none"


class Watch(StrEnum):
    """Who may watch a public game."""

    ANYONE = "anyone"
    PLAYERS = "players"


class Successor(StrEnum):
    """Which messages of a seat a player who takes it over can read."""

    ARCHIVE = "archive"
    BLANK = "blank"


class Opening(StrEnum):
    """When private conversations open to everyone who may see the game."""

    CONSENT = "consent"
    END = "end"
    NEVER = "never"


class Start(StrEnum):
    """What starts a game."""

    CREATOR = "creator"
    FULL = "full"


class Master(StrEnum):
    """Who the game master is; a creator who also plays must ask the other players."""

    SOFTWARE = "software"
    CREATOR = "creator"
    PLAYING = "playing"


@dataclass(frozen=True, slots=True)
class Ends:
    """How a game may end other than by the map's own victory.

    `centers` replaces the map's number of centers needed to win. `last_year`, `turns` and `date`
    limit the game: at the limit, the player who leads by `measure` wins, and tied players share the
    win.
    """

    centers: int | None = None
    last_year: int | None = None
    turns: int | None = None
    date: dt.date | None = None
    measure: Measure = Measure.CENTERS


@dataclass(frozen=True, slots=True)
class Missed:
    """What happens if a player gives no orders.

    After `limit` missed turns in a row (0: never) the seat becomes vacant: its units hold in civil
    disorder until a volunteer takes over, or the bot `substitute` takes over at once. The schedule
    sets the grace period.
    """

    limit: int = 2
    substitute: str = ""


MAX_WRITING = dt.timedelta(minutes=60)
"""The longest quiet time before moves are due."""


@dataclass(frozen=True, slots=True)
class Talk:
    """The options of press besides its rule.

    `gray`: players may write to everyone without a name. `writing`: how long before moves are due
    talk ends, with press as in the rulebook. `silent`: players who are out of the game can only
    read until it ends. `successor`: what the next player of a seat can read. `master_reads`: the
    game master may read private conversations. `opening`: when these become public.
    """

    gray: bool = False
    writing: dt.timedelta = dt.timedelta()
    silent: bool = False
    successor: Successor = Successor.ARCHIVE
    master_reads: bool = False
    opening: Opening = Opening.CONSENT


@dataclass(frozen=True, slots=True)
class Options:
    """All options of a game.

    `setup` is a key of `judge.standard.setups`, or blank for the map's own. `slack`: players may
    send orders by Slack. `hints`: a person who plays alone against bots may get hints from a
    General. `grace_locks`: saved orders are locked when a grace period begins, so that only players
    who had saved none can order in it. `reliability`: the least reliability of a player in percent,
    0 for none.
    """

    schedule: Schedule
    setup: str = ""
    fill_with: str = ""
    press: Press = Press.FULL
    watch: Watch = Watch.ANYONE
    anonymous: bool = False
    start: Start = Start.CREATOR
    master: Master = Master.SOFTWARE
    ends: Ends = field(default_factory=Ends)
    missed: Missed = field(default_factory=Missed)
    preset: str = ""
    talk: Talk = field(default_factory=Talk)
    slack: bool = False
    hints: bool = True
    grace_locks: bool = True
    reliability: int = 0

    @classmethod
    def from_json(cls, value: object) -> Self:
        """Return the options that `to_json` wrote; raise `CodecError` naming what is wrong."""
        node = Node(value, "options")
        node["v"].integer(1, 1)
        return cls(
            schedule=schedule_from_json(node["schedule"].value),
            setup=node["setup"].line(),
            fill_with=node["fill_with"].line(),
            press=node["press"].member(Press),
            watch=node["watch"].member(Watch),
            anonymous=node["anonymous"].truth(),
            start=node["start"].member(Start),
            master=node["master"].member(Master),
            ends=_read_ends(node["ends"]),
            missed=_read_missed(node["missed"]),
            preset=node["preset"].line(),
            # Games that are older than press have no such member.
            talk=_read_talk(node["talk"]) if "talk" in node else Talk(),
            slack=node["slack"].truth() if "slack" in node else False,
            hints=node["hints"].truth() if "hints" in node else True,
            # In older games, everyone may change orders in grace.
            grace_locks=node["grace_locks"].truth() if "grace_locks" in node else False,
            reliability=node["reliability"].integer(0, 100) if "reliability" in node else 0,
        )

    def to_json(self) -> Json:
        """Return the options as plain JSON values."""
        ends, missed, talk = self.ends, self.missed, self.talk
        return {
            "v": 1,
            "schedule": schedule_to_json(self.schedule),
            "setup": self.setup,
            "fill_with": self.fill_with,
            "press": self.press.value,
            "watch": self.watch.value,
            "anonymous": self.anonymous,
            "start": self.start.value,
            "master": self.master.value,
            "ends": {
                "centers": ends.centers,
                "last_year": ends.last_year,
                "turns": ends.turns,
                "date": ends.date.isoformat() if ends.date else None,
                "measure": ends.measure.value,
            },
            "missed": {
                "limit": missed.limit,
                "substitute": missed.substitute,
            },
            "preset": self.preset,
            "talk": {
                "gray": talk.gray,
                "writing": int(talk.writing.total_seconds()),
                "silent": talk.silent,
                "successor": talk.successor.value,
                "master_reads": talk.master_reads,
                "opening": talk.opening.value,
            },
            "slack": self.slack,
            "hints": self.hints,
            "grace_locks": self.grace_locks,
            "reliability": self.reliability,
        }


MAX_REMEMBERED = 256
"""How many options a process caches: most games of a site are created from a few presets."""


def options_from_json(value: object) -> Options:
    """Return the options that `Options.to_json` wrote; raise `CodecError` naming what is wrong.

    A process decodes equal options only once. Otherwise a list of games would spend most of its
    time on the calendars in their schedules.
    """
    return _decode_text(json.dumps(value))


@lru_cache(maxsize=MAX_REMEMBERED)
def _decode_text(text: str) -> Options:
    return Options.from_json(json.loads(text))


def _read_ends(node: Node) -> Ends:
    return Ends(
        centers=_read_number(node["centers"], 1_000),
        last_year=_read_number(node["last_year"], MAX_YEAR),
        turns=_read_number(node["turns"], MAX_TURNS),
        date=None if node["date"].is_null() else _read_date(node["date"]),
        measure=node["measure"].member(Measure),
    )


def _read_missed(node: Node) -> Missed:
    return Missed(
        limit=node["limit"].integer(0, 20),
        substitute=node["substitute"].line(),
    )


def _read_talk(node: Node) -> Talk:
    return Talk(
        gray=node["gray"].truth(),
        writing=dt.timedelta(seconds=node["writing"].integer(0, int(MAX_WRITING.total_seconds()))),
        silent=node["silent"].truth(),
        successor=node["successor"].member(Successor),
        master_reads=node["master_reads"].truth(),
        opening=node["opening"].member(Opening),
    )


def _read_number(node: Node, most: int) -> int | None:
    return None if node.is_null() else node.integer(1, most)


def _read_date(node: Node) -> dt.date:
    try:
        return dt.date.fromisoformat(node.line())
    except ValueError:
        raise node.error("not a date in the form 2026-03-01") from None
