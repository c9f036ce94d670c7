"""The tokens of a board: one for each power and each province."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final

from diplomaccloud.daide.language.composition import compose
from diplomaccloud.daide.language.terms import PlaceTerm, TurnTerm, UnitTerm
from diplomaccloud.daide.language.tokens import (
    CENTER,
    COASTAL,
    COASTS,
    INLAND,
    POWERS,
    SEA,
    SPLIT,
    STANDARD_POWERS,
    STANDARD_PROVINCES,
    Message,
    Word,
    encode_number,
)
from diplomaccloud.daide.language.vocabulary import STANDARD, Vocabulary, is_name
from diplomaccloud.judge.board import (
    Board,
    Location,
    Power,
    Province,
    ProvinceCode,
    Terrain,
    UnitKind,
)
from diplomaccloud.judge.notation.daide import PROVINCES, powers_by_token
from diplomaccloud.judge.phases import Phase, Season, Stage
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
_SEASONS: Final = {
    (Season.SPRING, Stage.MOVEMENT): Word.SPR,
    (Season.SPRING, Stage.RETREATS): Word.SUM,
    (Season.FALL, Stage.MOVEMENT): Word.FAL,
    (Season.FALL, Stage.RETREATS): Word.AUT,
    (Season.WINTER, Stage.ADJUSTMENTS): Word.WIN,
}
_SEASON_OF: Final = {int(word): parts for parts, word in _SEASONS.items()}


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
        standard = standard_board()
        borders = (self.board.army_borders, self.board.fleet_borders)
        if self.vocabulary.is_standard and borders == (
            standard.army_borders,
            standard.fleet_borders,
        ):
            return STANDARD_NAME
        name = re.sub(r"\W+", "_", self.board.name, flags=re.ASCII).strip("_").lower()
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
        known = coast in self.board.by_code[code].coasts
        return Location(f"{code}/{coast}") if known else None

    def read_unit(self, term: UnitTerm) -> Unit | None:
        """Return the unit as written, or None if the board has no such province or coast."""
        location = self.read_place(term.place)
        if location is None:
            return None
        return Unit(_KIND_OF[term.kind], location, self.power_of[term.power])


def write_turn(phase: Phase) -> Message:
    """Return `(SPR 1901)`; raise `ValueError` for a year beyond 8191."""
    return compose([_SEASONS[phase.season, phase.stage], encode_number(phase.year)])


def read_turn(term: TurnTerm) -> Phase:
    """Return the phase of a turn."""
    season, stage = _SEASON_OF[term.season]
    return Phase(season, term.year, stage)


@lru_cache(maxsize=16)
def words_of(board: Board) -> BoardWords:
    """Return the tokens of a board: the standard ones if it has the standard powers and provinces.

    Raises `ValueError` for a board that tokens cannot describe.
    """
    _require_describable(board)
    return _find_standard(board) or _make_words(board)


def _require_describable(board: Board) -> None:
    for count, what in ((len(board.powers), "powers"), (len(board.provinces), "provinces")):
        if count > MAX_NAMES:
            raise ValueError(f"{board.name} has {count} {what}, and DAIDE numbers {MAX_NAMES}")
    if board.first_year > LAST_YEAR:
        raise ValueError(f"{board.name} begins in {board.first_year}, after DAIDE's last year")
    for province in board.provinces:
        for coast in province.coasts:
            if coast not in COASTS:
                raise ValueError(f"DAIDE has no name for the coast {province.code}/{coast}")


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
    if province.coasts:
        category = SPLIT
    else:
        category = {Terrain.INLAND: INLAND, Terrain.SEA: SEA, Terrain.COASTAL: COASTAL}[
            province.terrain
        ]
    return category + (CENTER if province.center else 0)


def _make_words(board: Board) -> BoardWords:
    """Return tokens numbered in board order."""
    taken = set(Word.__members__)
    powers: dict[Power, int] = {}
    provinces: dict[ProvinceCode, int] = {}
    power_names: dict[str, int] = {}
    province_names: dict[str, int] = {}
    for number, province in enumerate(board.provinces):
        token = _find_category(province) << 8 | number
        provinces[province.code] = token
        province_names[_choose_name(province.code, province.name, taken)] = token
    for number, info in enumerate(board.powers):
        powers[info.power] = POWERS << 8 | number
        power_names[_choose_name(info.power[:3], info.name, taken)] = powers[info.power]
    return BoardWords(board, Vocabulary(power_names, province_names), powers, provinces)


def _choose_name(wish: str, long: str, taken: set[str]) -> str:
    """Return an unused three-letter name, `wish` if possible, and add it to `taken`."""
    name = next(name for name in _list_names(wish, long) if is_name(name) and name not in taken)
    taken.add(name)
    return name


def _list_names(wish: str, long: str) -> Iterator[str]:
    yield wish.upper()
    letters = [letter for letter in long.upper() if letter.isascii() and letter.isalpha()] or ["X"]
    for second in range(1, len(letters)):
        for third in range(second + 1, len(letters)):
            yield letters[0] + letters[second] + letters[third]
    for first in (letters[0], *"XYZ"):
        for number in range(100):
            yield f"{first}{number:02}"
