"""Facts about a game besides its seats, orders and results."""

import datetime as dt
from dataclasses import dataclass

from diplomaccloud.games.models import Status
from diplomaccloud.games.options.options import Options
from diplomaccloud.games.viewpoint.names import Actor
from diplomaccloud.judge.board import Power
from diplomaccloud.judge.phases import Phase as JudgePhase
from diplomaccloud.judge.rules import RuleSet
from diplomaccloud.judge.standard.setups import Setup
from diplomaccloud.judge.victory import Measure


@dataclass(frozen=True, slots=True)
class BoardFacts:
    """What is needed to draw a board of the game's map, all read with the game itself."""

    slug: str
    world: str
    map_hash: str
    edition: str
    is_signed_in: bool


@dataclass(frozen=True, slots=True)
class GameFacts:
    """The facts that every page of a game shows.

    `players` are the powers of each player at the start. `code` is blank unless the viewer may
    share it. `creator` is blank if the name is hidden; `master` is None if the site runs the game.
    `shows_order`: although names are hidden, the record shows in which order the players joined.
    """

    slug: str
    world: str
    map_name: str
    map_hash: str
    status: Status
    private: bool
    suspended: bool
    frozen: bool
    options: Options
    rules: RuleSet
    setup: Setup | None
    players: tuple[tuple[Power, ...], ...]
    centers_to_win: int
    measure: Measure
    creator: str
    master: Actor | None
    code: str
    is_creator: bool
    is_master: bool
    is_signed_in: bool
    shows_order: bool


@dataclass(frozen=True, slots=True)
class NewestPhase:
    """The newest phase: the open one, or the last of a finished game."""

    sequence: int
    phase: JudgePhase
    opens_at: dt.datetime
    due_at: dt.datetime
    adjudicate_at: dt.datetime
    fixed_deadline: bool
    locked: bool


@dataclass(frozen=True, slots=True)
class OwnSubmission:
    """What the viewer has submitted for the open phase; `locked` if a grace period locked it."""

    saved_at: dt.datetime | None = None
    ready: bool = False
    by_conditions: bool = False
    locked: bool = False


@dataclass(frozen=True, slots=True)
class Guest:
    """A person who was invited and has not joined yet."""

    user_id: int
    name: str
