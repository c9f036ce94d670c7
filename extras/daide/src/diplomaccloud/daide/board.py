"""Boards and positions as tokens: names (MDF), centers (SCO) and units (NOW)."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import chain, combinations
from typing import Final

from diplomaccloud.daide.language import (
    CENTER,
    COASTAL,
    COASTS,
    INLAND,
    POWERS,
    SEA,
    SPLIT,
    STANDARD,
    STANDARD_POWERS,
    STANDARD_PROVINCES,
    Message,
    MessageError,
    Part,
    Vocabulary,
    Word,
    compose,
    encode_number,
    is_name,
)
from diplomaccloud.daide.messages import SEASONS, Cursor, PlaceTerm, UnitTerm
from diplomaccloud.judge.board import (
    Board,
    Location,
    Power,
    PowerInfo,
    Province,
    ProvinceCode,
    Terrain,
    UnitKind,
)
from diplomaccloud.judge.notation.programs import PROVINCES, powers_by_token
from diplomaccloud.judge.phases import Phase
from diplomaccloud.judge.position import Dislodged, Position
from diplomaccloud.judge.standard.europe import standard_board
from diplomaccloud.judge.units import Unit

MAX_NAMES: Final = 256
"""The most powers, and the most provinces, that tokens can number."""
STANDARD_NAME: Final = "standard"
LAST_YEAR: Final = 8191
"""The last year that a token can hold."""

KINDS: Final = {UnitKind.ARMY: Word.AMY, UnitKind.FLEET: Word.FLT}
_KIND_OF: Final = {int(word): kind for kind, word in KINDS.items()}
_COAST_OF: Final = {int(word): coast for coast, word in COASTS.items()}
_WORD_OF: Final = {turn: word for word, turn in SEASONS.items()}
_TERRAINS: Final = {Terrain.INLAND: INLAND, Terrain.SEA: SEA, Terrain.COASTAL: COASTAL}


@dataclass(frozen=True, eq=False)
class BoardWords:
    """A board with its tokens: `powers` by power key, and `provinces` by code."""

    board: Board
    vocabulary: Vocabulary
    powers: Mapping[Power, int]
    provinces: Mapping[ProvinceCode, int]

    @cached_property
    def power_of(self) -> Mapping[int, Power]:
        """The powers by token."""
        return {token: power for power, token in self.powers.items()}

    @cached_property
    def code_of(self) -> Mapping[int, ProvinceCode]:
        """The codes of provinces by token."""
        return {token: code for code, token in self.provinces.items()}

    @cached_property
    def map_name(self) -> str:
        """The map's name for clients: letters, digits and underscores."""
        board, standard = self.board, standard_board()
        same_armies = board.army_borders == standard.army_borders
        same_fleets = board.fleet_borders == standard.fleet_borders
        if self.vocabulary.is_standard and same_armies and same_fleets:
            return STANDARD_NAME
        name = re.sub(r"\W+", "_", board.name, flags=re.ASCII).strip("_").lower()
        return name if name not in {"", STANDARD_NAME} else "map"

    def write_place(self, place: Location | ProvinceCode) -> Message:
        """Return `PAR` or `(STP SCS)`."""
        code, _, coast = place.partition("/")
        token = self.provinces[ProvinceCode(code)]
        return compose([token, COASTS[coast]]) if coast else (token,)

    def write_bare_unit(self, unit: Unit) -> Message:
        """Return `FRA AMY PAR`."""
        place = self.write_place(unit.location)
        return compose(self.powers[unit.power], KINDS[unit.kind], place)

    def write_unit(self, unit: Unit) -> Message:
        """Return `(FRA AMY PAR)`."""
        return compose([self.write_bare_unit(unit)])

    def read_place(self, term: PlaceTerm) -> Location | None:
        """Return the location, or None if the board has no such province or coast."""
        code = self.code_of.get(term.province)
        if code is None:
            return None
        if term.coast is None:
            return Location(code)
        coast = _COAST_OF[term.coast]
        return Location(f"{code}/{coast}") if coast in self.board.by_code[code].coasts else None

    def read_unit(self, term: UnitTerm) -> Unit | None:
        """Return the unit as written, or None if the board has no such province or coast."""
        location = self.read_place(term.place)
        if location is None:
            return None
        return Unit(_KIND_OF[term.kind], location, self.power_of[term.power])


def write_turn(phase: Phase) -> Message:
    """Return `(SPR 1901)`; raise `ValueError` for a year beyond 8191."""
    return compose([_WORD_OF[phase.season, phase.stage], encode_number(phase.year)])


@lru_cache(maxsize=16)
def words_of(board: Board) -> BoardWords:
    """Return the tokens of a board: the standard ones if it has the standard powers and provinces.

    Raises `ValueError` for a board that tokens cannot describe.
    """
    for count, what in ((len(board.powers), "powers"), (len(board.provinces), "provinces")):
        if count > MAX_NAMES:
            raise ValueError(f"{board.name} has {count} {what}, and DAIDE numbers {MAX_NAMES}")
    if board.first_year > LAST_YEAR:
        raise ValueError(f"{board.name} begins in {board.first_year}, after DAIDE's last year")
    for province in board.provinces:
        for coast in province.coasts:
            if coast not in COASTS:
                raise ValueError(f"DAIDE has no name for the coast {province.code}/{coast}")
    return _find_standard(board) or _make_words(board)


def _find_standard(board: Board) -> BoardWords | None:
    names = {code: token for token, code in PROVINCES.items()}
    provinces: dict[ProvinceCode, int] = {}
    for province in board.provinces:
        token = STANDARD_PROVINCES.get(names.get(province.code, province.code))
        if token is None or token >> 8 != _find_category(province):
            return None
        provinces[province.code] = token
    tokens = powers_by_token(board)
    if len(provinces) != len(STANDARD_PROVINCES) or tokens.keys() != STANDARD_POWERS.keys():
        return None
    powers = {power: STANDARD_POWERS[name] for name, power in tokens.items()}
    return BoardWords(board, STANDARD, powers, provinces)


def _find_category(province: Province) -> int:
    category = SPLIT if province.coasts else _TERRAINS[province.terrain]
    return category + (CENTER if province.center else 0)


def _make_words(board: Board) -> BoardWords:
    """Return tokens numbered in board order."""
    taken = set(Word.__members__)
    provinces: dict[ProvinceCode, int] = {}
    powers: dict[Power, int] = {}
    province_names: dict[str, int] = {}
    power_names: dict[str, int] = {}
    for number, province in enumerate(board.provinces):
        token = provinces[province.code] = _find_category(province) << 8 | number
        province_names[_choose_name(province.code, province.name, taken)] = token
    for number, info in enumerate(board.powers):
        token = powers[info.power] = POWERS << 8 | number
        power_names[_choose_name(info.power[:3], info.name, taken)] = token
    return BoardWords(board, Vocabulary(power_names, province_names), powers, provinces)


def _choose_name(wish: str, long: str, taken: set[str]) -> str:
    """Return an unused three-letter name, `wish` if possible, and add it to `taken`."""
    letters = [letter for letter in long.upper() if letter.isascii() and letter.isalpha()] or ["X"]
    names = chain(
        [wish.upper()],
        (letters[0] + second + third for second, third in combinations(letters[1:], 2)),
        (f"{first}{number:02}" for first in (letters[0], *"XYZ") for number in range(100)),
    )
    name = next(name for name in names if is_name(name) and name not in taken)
    taken.add(name)
    return name


# Map definitions (MDF): powers, centers and borders.


_Borders = dict[tuple[int, int | None], tuple[PlaceTerm, ...]]
"""The places adjacent to a province, by unit type and coast."""


def write_definition(words: BoardWords) -> Message:
    """Return the MDF message of a board."""
    board = words.board
    homes: list[Part] = [
        [words.powers[power], tuple([words.provinces[code] for code in codes])]
        for power, codes in board.home_centers.items()
    ]
    neutral = [words.provinces[p.code] for p in board.provinces if p.center and p.home is None]
    if neutral:
        homes.append([Word.UNO, tuple(neutral)])
    others = tuple([words.provinces[p.code] for p in board.provinces if not p.center])
    borders: list[Part] = [list(_write_borders(words, p)) for p in board.provinces]
    return compose(Word.MDF, [tuple(words.powers.values())], [homes, [others]], borders)


def _write_borders(words: BoardWords, province: Province) -> Iterator[Part]:
    board = words.board
    yield words.provinces[province.code]
    if province.terrain is not Terrain.SEA:
        near = sorted(board.army_neighbors[province.code])
        yield [Word.AMY, *(words.write_place(code) for code in near)]
    for place in province.fleet_locations:
        coast = place.partition("/")[2]
        kind: Part = [Word.FLT, COASTS[coast]] if coast else Word.FLT
        near_places = sorted(board.fleet_neighbors[place])
        yield [kind, *(words.write_place(to) for to in near_places)]


def read_definition(message: Message, vocabulary: Vocabulary, name: str) -> BoardWords:
    """Return the board that an MDF message defines, without starting units.

    A power needs more than half of the centers to win. A home center of several powers goes to the
    first. Raises `MessageError` for any other message and `ValueError` for an impossible board.
    """
    cursor = Cursor(message, vocabulary)
    cursor.take(Word.MDF)
    powers = cursor.powers()
    cursor.take(Word.BRA)
    groups = cursor.bracketed(lambda: _read_groups(cursor, shared=True))
    homes = {center: owner for owner, centers in groups for center in centers}
    others = cursor.bracketed(lambda: cursor.repeated(cursor.province, least=0))
    cursor.take(Word.KET)
    entries = dict(cursor.bracketed(lambda: cursor.repeated(lambda: _read_entry(cursor))))
    cursor.end()
    if entries.keys() != {*homes, *others}:
        raise ValueError("the map's provinces and their borders do not agree")
    return _build(vocabulary, name, powers, homes, entries)


def _read_groups(
    cursor: Cursor, *, shared: bool = False
) -> Sequence[tuple[int | None, tuple[int, ...]]]:
    """Return owners and their centers; of several owners, where `shared` centers are allowed, one.

    The owner is None for neutral centers.
    """

    def read() -> tuple[int | None, tuple[int, ...]]:
        owner: int | None = None
        if shared and cursor.comes(Word.BRA):
            owner = cursor.powers()[0]
        elif not cursor.skips(Word.UNO):
            owner = cursor.power()
        return owner, cursor.repeated(cursor.province, least=0)

    return cursor.repeated(lambda: cursor.bracketed(read))


def _read_entry(cursor: Cursor) -> tuple[int, _Borders]:
    cursor.take(Word.BRA)
    province = cursor.province()
    borders = dict(cursor.repeated(lambda: cursor.bracketed(lambda: _read_near(cursor))))
    cursor.take(Word.KET)
    return province, borders


def _read_near(cursor: Cursor) -> tuple[tuple[int, int | None], tuple[PlaceTerm, ...]]:
    coast: int | None = None
    if cursor.skips(Word.BRA):
        cursor.take(Word.FLT)
        kind = int(Word.FLT)
        coast = cursor.take_any(_COAST_OF.keys(), "a coast")
        cursor.take(Word.KET)
    else:
        kind = cursor.take_any((Word.AMY, Word.FLT), "AMY or FLT")
    return (kind, coast), cursor.repeated(cursor.place, least=0)


def _build(
    vocabulary: Vocabulary,
    name: str,
    powers: tuple[int, ...],
    homes: dict[int, int | None],
    entries: dict[int, _Borders],
) -> BoardWords:
    names = vocabulary.names
    power_keys = {token: Power(names[token]) for token in powers}
    codes = {token: ProvinceCode(names[token]) for token in entries if token in names}
    if len(codes) < len(entries):
        raise ValueError("the map has a province without a name")

    owners = {center: power_keys.get(home) for center, home in homes.items() if home is not None}

    def locate(token: int, coast: int | None) -> Location:
        if token not in codes:
            raise ValueError("a border leads to a province that the map lacks")
        return Location(codes[token] if coast is None else f"{codes[token]}/{_COAST_OF[coast]}")

    def pair(kind: Word) -> list[tuple[Location, ...]]:
        borders = {
            tuple(sorted((locate(token, coast), locate(to.province, to.coast))))
            for token, near in entries.items()
            for (mover, coast), places in near.items()
            if mover == kind
            for to in places
        }
        return sorted(borders)

    provinces = []
    for token, near in entries.items():
        by_sea = any(kind == Word.FLT for kind, _ in near)
        by_land = Terrain.COASTAL if by_sea else Terrain.INLAND
        province = Province(
            code=codes[token],
            name=codes[token].title(),
            terrain=by_land if (Word.AMY, None) in near else Terrain.SEA,
            coasts=tuple([_COAST_OF[coast] for _, coast in near if coast is not None]),
            center=token in homes,
            home=owners.get(token),
        )
        provinces.append(province)
    board = Board(
        name=name or "map",
        powers=tuple([PowerInfo(key, key.title(), key.title()) for key in power_keys.values()]),
        provinces=tuple(provinces),
        army_borders=tuple([(ProvinceCode(a), ProvinceCode(b)) for a, b in pair(Word.AMY)]),
        fleet_borders=tuple([(a, b) for a, b in pair(Word.FLT)]),
        starts=(),
        victory_centers=len(homes) // 2 + 1,
    )
    return BoardWords(
        board,
        vocabulary,
        {key: token for token, key in power_keys.items()},
        {code: token for token, code in codes.items()},
    )


# Translates positions to and from tokens: center owners (SCO) and units (NOW).


def write_centers(words: BoardWords, position: Position) -> Message:
    """Return the SCO message of a position."""
    groups: list[Part] = []
    for power, token in words.powers.items():
        if codes := position.centers_of(power):
            groups.append([token, *(words.provinces[code] for code in codes)])
    free = [code for code in words.board.centers if code not in position.centers]
    if free:
        groups.append([Word.UNO, *(words.provinces[code] for code in free)])
    return compose(Word.SCO, *groups)


def write_position(words: BoardWords, position: Position) -> Message:
    """Return the NOW message of a position."""
    standing = [words.write_unit(unit) for unit in position.units]
    dislodged = [compose([write_dislodged(words, entry)]) for entry in position.dislodged]
    return compose(Word.NOW, write_turn(position.phase), *standing, *dislodged)


def write_dislodged(words: BoardWords, entry: Dislodged) -> Message:
    """Return `ENG FLT NTH MRT (LON YOR)`."""
    retreats = [words.write_place(place) for place in entry.retreats]
    return compose(words.write_bare_unit(entry.unit), Word.MRT, [*retreats])


@dataclass(frozen=True, slots=True)
class Units:
    """The contents of a NOW message: the phase, the units, and those that must retreat."""

    phase: Phase
    standing: tuple[Unit, ...]
    dislodged: tuple[tuple[Unit, tuple[Location, ...]], ...]


def read_centers(message: Message, words: BoardWords) -> Mapping[ProvinceCode, Power]:
    """Return the owners in an SCO message; raise `MessageError` for any other message."""
    cursor = Cursor(message, words.vocabulary)
    cursor.take(Word.SCO)
    groups = _read_groups(cursor)
    cursor.end()
    owners: dict[ProvinceCode, Power] = {}
    for owner, centers in groups:
        if owner is None:
            continue
        for center in centers:
            if center not in words.code_of:
                raise MessageError(0, f"the board has no province {center:#06x}")
            owners[words.code_of[center]] = words.power_of[owner]
    return owners


def read_position(message: Message, words: BoardWords) -> Units:
    """Return the contents of a NOW message; raise `MessageError` for any other message."""
    cursor = Cursor(message, words.vocabulary)
    cursor.take(Word.NOW)
    phase = cursor.turn()

    def read() -> tuple[UnitTerm, tuple[PlaceTerm, ...] | None]:
        unit = cursor.bare_unit()
        if not cursor.skips(Word.MRT):
            return unit, None
        return unit, cursor.bracketed(lambda: cursor.repeated(cursor.place, least=0))

    entries = cursor.repeated(lambda: cursor.bracketed(read), least=0)
    cursor.end()
    standing: list[Unit] = []
    dislodged: list[tuple[Unit, tuple[Location, ...]]] = []
    for term, retreats in entries:
        unit = words.read_unit(term)
        if unit is None or unit.location not in words.board.locations(unit.kind):
            raise MessageError(0, "no such unit can stand there")
        if retreats is None:
            standing.append(unit)
        else:
            dislodged.append((unit, tuple(filter(None, map(words.read_place, retreats)))))
    return Units(phase, tuple(standing), tuple(dislodged))
