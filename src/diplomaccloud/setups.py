"""Setups for games on the map of Europe: fewer players, other years, other starting positions.

Sources: the 2000 rulebook, "Alternate Way to Play" (document 0); the early rulebook, "Rules
for Fewer Than Seven Players" (document 1); the 1961 rulebook, "Alternative Rules for Six and
Five Players" (document 2); the reference manual, "Setup" (document 4).
"""

import random
from collections.abc import Collection
from dataclasses import dataclass, field, replace
from functools import cache

from diplomaccloud.judge.board import (
    Board,
    Location,
    Power,
    ProvinceCode,
    Start,
    UnitKind,
    province_of,
)
from diplomaccloud.judge.phases import Phase
from diplomaccloud.judge.position import Position, starting_position
from diplomaccloud.judge.standard.europe import standard_board


@dataclass(frozen=True, slots=True)
class Coin:
    """A power that stays out of the game until a coin flip decides which player gets it.

    No unit may enter its country before the phase `joins`; from then on, `board` is used. The coin
    is flipped before the adjustments after the previous Fall.
    """

    power: Power
    joins: Phase
    board: Board


@dataclass(frozen=True, slots=True)
class Setup:
    """The start of a game, and the powers of each player.

    `players` are the powers that each player plays. `idle` powers have no player: like all units
    without orders, their units hold, may be supported by others, give no support, and are
    disbanded if dislodged. `shared_centers` is how many centers one player's powers must own
    together to win, or `None` if each power counts separately, by `board.victory_centers`.
    """

    name: str
    title: str
    source: str
    board: Board
    position: Position
    players: tuple[tuple[Power, ...], ...]
    idle: tuple[Power, ...] = ()
    shared_centers: int | None = None
    coin: Coin | None = field(default=None)

    def board_at(self, phase: Phase) -> Board:
        """Return the board used in `phase`."""
        if self.coin is None or phase.order < self.coin.joins.order:
            return self.board
        return self.coin.board

    def players_at(self, phase: Phase, seed: str) -> tuple[tuple[Power, ...], ...]:
        """Return each player's powers in `phase`; `seed` decides the coin flip."""
        if self.coin is None or phase.order < self.coin.joins.order:
            return self.players
        winner = flip_coin(seed, len(self.players))
        return tuple(
            (*powers, self.coin.power) if number == winner else powers
            for number, powers in enumerate(self.players)
        )


def flip_coin(seed: str, sides: int = 2) -> int:
    """Return the number of the player who wins the coin flip in the game `seed`."""
    return random.Random(f"{seed}:coin").randrange(sides)


@cache
def setups() -> dict[str, Setup]:
    """Return all setups by name."""
    listed = [_seven(), _reference_manual(), *_of_2000(), *_of_document_2(), *_of_document_1()]
    return {setup.name: setup for setup in listed}


def _seven() -> Setup:
    board = standard_board()
    return _setup("standard", "Seven players", "2000 rulebook, Starting Position", board)


def _setup(name: str, title: str, source: str, board: Board, idle: Collection[Power] = ()) -> Setup:
    """Return a setup in which each power has its own player, except the idle ones."""
    players = tuple((info.power,) for info in board.powers if info.power not in idle)
    position = starting_position(board)
    return Setup(name, title, source, board, position, players, tuple(sorted(idle)))


ENGLAND, FRANCE, GERMANY = Power("ENGLAND"), Power("FRANCE"), Power("GERMANY")
AUSTRIA, ITALY, RUSSIA, TURKEY = (Power(p) for p in ("AUSTRIA", "ITALY", "RUSSIA", "TURKEY"))


def _reference_manual() -> Setup:
    fleet, army = UnitKind.FLEET, UnitKind.ARMY
    moved = {
        "LVP": (fleet, Location("LVP")),
        "EDI": (army, Location("EDI")),
        "STP": (fleet, Location("STP/NC")),
    }
    board = standard_board()
    starts = tuple(
        Start(start.power, *moved.get(province_of(start.location), (start.kind, start.location)))
        for start in board.starts
    )
    source = "Reference manual, 3. Setup"
    board = replace(board, starts=starts)
    return _setup("manual", "Fleet in Liverpool, St. Petersburg north", source, board)


# The 2000 rulebook.

_OF_2000 = "2000 rulebook, Alternate Way to Play"
_PAIRS = ((ENGLAND,), (AUSTRIA, FRANCE), (GERMANY, TURKEY), (ITALY, RUSSIA))
_TRIPLES = ((ENGLAND, GERMANY, AUSTRIA), (RUSSIA, ITALY), (FRANCE, TURKEY))
_WAR = ((ENGLAND, FRANCE, RUSSIA), (AUSTRIA, GERMANY, TURKEY))


def _of_2000() -> list[Setup]:
    board = standard_board()
    six = _setup("2000-6", "Six players, no Italy", _OF_2000, board, (ITALY,))
    five = _setup("2000-5", "Five players, no Italy or Germany", _OF_2000, board, (ITALY, GERMANY))
    four = _setup("2000-4", "Four players", _OF_2000, board)
    three = _setup("2000-3", "Three players", _OF_2000, board)
    return [
        six,
        five,
        replace(four, players=_PAIRS),
        replace(three, players=_TRIPLES),
        _world_war(),
    ]


def _world_war() -> Setup:
    year = 1914
    whole = replace(standard_board(), first_year=year)
    italian = {p.code for p in whole.provinces if p.home == ITALY}
    board = _seal(whole, italian)
    return Setup(
        name="2000-2",
        title="Two players, 1914",
        source=_OF_2000,
        board=board,
        position=starting_position(board),
        players=_WAR,
        idle=(ITALY,),
        shared_centers=24,
        coin=Coin(ITALY, Phase.first(year + 1), whole),
    )


def _seal(board: Board, codes: Collection[ProvinceCode]) -> Board:
    """Return `board` without borders into or out of the provinces `codes`."""
    return replace(
        board,
        army_borders=tuple(b for b in board.army_borders if not set(b) & set(codes)),
        fleet_borders=tuple(
            b for b in board.fleet_borders if not {province_of(end) for end in b} & set(codes)
        ),
    )


# Document 2.


def _of_document_2() -> list[Setup]:
    source = "1961 rulebook, Alternative Rules for Six and Five Players"
    board = standard_board()
    of_1870, of_1801 = (replace(board, first_year=year) for year in (1870, 1801))
    return [
        _setup("1961-6", "Six players, no Italy, from 1870", source, of_1870, (ITALY,)),
        _setup(
            "1961-5",
            "Five players, no Italy or Germany, from 1801",
            source,
            of_1801,
            (ITALY, GERMANY),
        ),
    ]


# Document 1: the board shrinks with the number of players.

_OF_1 = "Early rulebook, Rules for Fewer Than Seven Players"


def _of_document_1() -> list[Setup]:
    board = standard_board()
    turkish = [*_country(board, TURKEY), ProvinceCode("BUL")]
    passage = (Location("AEG"), Location("BLA"))
    six = _without(board, turkish, (TURKEY,), [passage])
    five = _without(six, [*_country(board, RUSSIA), ProvinceCode("RUM")], (RUSSIA,))
    balkans = [ProvinceCode(code) for code in ("GRE", "SER", "BUD", "GAL")]
    four = _without(five, balkans, (AUSTRIA,))
    rest = [*_country(board, AUSTRIA), *_country(board, ITALY), ProvinceCode("TUN")]
    three = _without(four, rest, (ITALY,))
    return [
        _setup("early-6", "Six players, no Turkey or Bulgaria", _OF_1, six),
        _setup("early-5", "Five players, no Russia or Rumania either", _OF_1, five),
        _setup("early-4", "Four players, Austria broken up", _OF_1, four),
        _setup("early-3", "Three players in the west", _OF_1, three),
    ]


def _country(board: Board, power: Power) -> list[ProvinceCode]:
    return [p.code for p in board.provinces if p.home == power]


def _without(
    board: Board,
    codes: Collection[ProvinceCode],
    powers: Collection[Power],
    passages: Collection[tuple[Location, Location]] = (),
) -> Board:
    """Return `board` without the provinces `codes` and the `powers`; more than half wins.

    The rest of a country without a power is neutral.
    """
    cut = _seal(board, codes)
    gone = [p for p in board.provinces if p.code in codes]
    remaining = tuple(
        replace(p, home=None) if p.home in powers else p
        for p in board.provinces
        if p.code not in codes
    )
    return replace(
        cut,
        provinces=remaining,
        powers=tuple(info for info in board.powers if info.power not in powers),
        starts=tuple(start for start in board.starts if start.power not in powers),
        fleet_borders=(*cut.fleet_borders, *passages),
        impassable=(*board.impassable, *((p.code, p.name) for p in gone)),
        victory_centers=sum(p.center for p in remaining) // 2 + 1,
    )
