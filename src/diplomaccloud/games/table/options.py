"""The options of a game, and the values they are made of."""

import datetime as dt
import json
import random
from collections.abc import Iterable
from dataclasses import dataclass, field, fields
from enum import StrEnum
from functools import lru_cache
from typing import Final, Self

from diplomaccloud.endings import Measure
from diplomaccloud.judge.codec import Json, Node
from diplomaccloud.judge.drawing.palette import color_difference
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
    MUSTER = "muster"
    """A next game starts with those who confirm: only the site creates such games."""


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

    `setup` is a key of `diplomaccloud.setups`, or blank for the map's own. `slack`: players may
    send orders by Slack. `hints`: a person who plays alone against bots may get hints from a
    General. `grace_locks`: saved orders are locked when a grace period begins, so that only players
    who had not saved an order for every unit can order in it. `reliability`: the least reliability
    of a player in percent, 0 for none. `bots_give_way`: people may take the seats of bots.
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
    bots_give_way: bool = False

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
            missed=Missed(
                limit=node["missed"]["limit"].integer(0, 20),
                substitute=node["missed"]["substitute"].line(),
            ),
            preset=node["preset"].line(),
            # Games that are older than press have no such member.
            talk=_read_talk(node["talk"]) if "talk" in node else Talk(),
            slack=node["slack"].truth() if "slack" in node else False,
            hints=node["hints"].truth() if "hints" in node else True,
            # In older games, everyone may change orders in grace.
            grace_locks=node["grace_locks"].truth() if "grace_locks" in node else False,
            reliability=node["reliability"].integer(0, 100) if "reliability" in node else 0,
            bots_give_way=node["bots_give_way"].truth() if "bots_give_way" in node else False,
        )

    def to_json(self) -> Json:
        """Return the options as plain JSON values."""
        values = {each.name: _to_plain(getattr(self, each.name)) for each in fields(self)}
        return {"v": 1, **values}


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


def _to_plain(value: object) -> object:
    match value:
        case Schedule():
            return schedule_to_json(value)
        case Ends() | Missed() | Talk():
            return {each.name: _to_plain(getattr(value, each.name)) for each in fields(value)}
        case StrEnum():
            return value.value
        case dt.date():
            return value.isoformat()
        case dt.timedelta():
            return int(value.total_seconds())
        case None | bool() | int() | str():
            return value
    raise TypeError(value)


def _read_ends(node: Node) -> Ends:
    return Ends(
        centers=_read_number(node["centers"], 1_000),
        last_year=_read_number(node["last_year"], MAX_YEAR),
        turns=_read_number(node["turns"], MAX_TURNS),
        date=None if node["date"].is_null() else _read_date(node["date"]),
        measure=node["measure"].member(Measure),
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


# The colors that players can choose for their countries.


COLORS = {
    "#9c2424": "brick red",
    "#e0503c": "scarlet",
    "#c86a30": "orange",
    "#9c543c": "terracotta",
    "#603030": "oxblood",
    "#e4b448": "gold",
    "#a87824": "ochre",
    "#d8d048": "lemon",
    "#90d860": "lime",
    "#48cc90": "mint",
    "#246c3c": "forest green",
    "#183c24": "pine",
    "#6b7a3a": "olive",
    "#246c6c": "teal",
    "#48b4a8": "turquoise",
    "#3c84f0": "azure",
    "#1848a8": "royal blue",
    "#183090": "navy",
    "#7878cc": "lavender",
    "#601878": "violet",
    "#c0489c": "magenta",
    "#e46084": "rose",
    "#483054": "aubergine",
    "#9a9a9a": "silver",
    "#3c3c3c": "charcoal",
    "#fafafa": "white",
}
"""Names of the colors by `#rrggbb`; all stand out from land and water."""

MIN_DIFFERENCE = 14.0
"""The smallest ΔE76 allowed between the colors of two countries, for any kind of color vision."""


def is_distinguishable(color: str, others: Iterable[str]) -> bool:
    """Return whether everyone can tell `color` from each of the `others`, color-blind or not."""
    return all(color_difference(color, second) >= MIN_DIFFERENCE for second in others)


def distinguishable_colors(others: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """Return the colors, with their names, that are distinguishable from all the `others`."""
    taken = list(others)
    return tuple(
        (color, name) for color, name in COLORS.items() if is_distinguishable(color, taken)
    )


# Suggested names for new games, made of two words.


_FIRST: Final = """
Amber Ancient Autumn Bitter Blue Brass Broken Candid Copper Crimson Crooked Distant Eastern
Emerald Fading Fearless Final Foggy Frozen Gilded Gleaming Golden Grand Gray Hidden Hollow Honest
Humble Idle Iron Ivory Jolly Lasting Little Lonely Loyal Lucky Marble Merry Midnight Modest Muted
Narrow Noble Northern Patient Polite Proud Quiet Restless Rising Royal Rusty Sapphire Scarlet
Secret Silent Silver Sleepless Sly Smiling Solemn Southern Stormy Stubborn Summer Sunny Tangled
Tidy Twelfth Unlikely Vast Velvet Wandering Western Whispered Wild Winter Wooden
"""
_SECOND: Final = """
Accord Alliance Ambition Anchor Armada Assembly Balance Banner Bargain Bastion Beacon Border
Bridge Cabinet Campaign Canal Capital Carnival Channel Charter Chessboard Cipher Coalition Compass
Concert Congress Consul Convoy Corridor Council Courier Crown Dagger Dispatch Dynasty Embassy
Emissary Empire Entente Envoy Epilogue Fjord Flotilla Fortress Frontier Gambit Garrison Glacier
Handshake Harbor Horizon Intrigue Island Lantern Ledger Legacy Letter Lighthouse March Masquerade
Meridian Monarch Orchard Overture Pact Palace Parade Passage Pennant Promise Protocol Quarrel
Regatta Retreat Rumor Salon Seal Siege Sonata Strait Summit Tempest Treaty Truce Vanguard Volcano
Waltz Whisper
"""


def suggest_names(seed: str, count: int) -> tuple[str, ...]:
    """Return `count` different names for a game; the same seed gives the same names."""
    rng, first, second = random.Random(f"name {seed}"), _FIRST.split(), _SECOND.split()
    pairs = rng.sample(range(len(first) * len(second)), count)
    return tuple(f"{first[pair % len(first)]} {second[pair // len(first)]}" for pair in pairs)


def suggest_name(seed: str) -> str:
    """Return a name for a game; the same seed gives the same name."""
    return suggest_names(seed, 1)[0]
