"""Map definitions (MDF): powers, centers and borders."""

from collections.abc import Iterator
from typing import Final

from diplomaccloud.daide.board.words import BoardWords
from diplomaccloud.daide.language.composition import Part, compose
from diplomaccloud.daide.language.terms import Cursor, PlaceTerm
from diplomaccloud.daide.language.tokens import COASTS, Message, Word
from diplomaccloud.daide.language.vocabulary import Vocabulary
from diplomaccloud.judge.board import (
    Board,
    Location,
    Power,
    PowerInfo,
    Province,
    ProvinceCode,
    Terrain,
)

_COAST_OF: Final = {int(word): coast for coast, word in COASTS.items()}
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
    homes, others = cursor.bracketed(lambda: (_read_homes(cursor), _read_others(cursor)))
    entries = cursor.bracketed(lambda: cursor.repeated(lambda: _read_entry(cursor)))
    cursor.end()
    provinces = {**homes, **dict.fromkeys(others)}
    if dict(entries).keys() != provinces.keys():
        raise ValueError("the map's provinces and their borders do not agree")
    return _build(vocabulary, name, powers, homes, dict(entries))


def _read_homes(cursor: Cursor) -> dict[int, int | None]:
    groups = cursor.bracketed(lambda: cursor.repeated(lambda: _read_home(cursor)))
    return {center: owner for owner, centers in groups for center in centers}


def _read_home(cursor: Cursor) -> tuple[int | None, tuple[int, ...]]:
    def read() -> tuple[int | None, tuple[int, ...]]:
        owner: int | None
        if cursor.comes(Word.BRA):
            owner = cursor.powers()[0]
        else:
            owner = None if cursor.skips(Word.UNO) else cursor.power()
        return owner, cursor.repeated(cursor.province, least=0)

    return cursor.bracketed(read)


def _read_others(cursor: Cursor) -> tuple[int, ...]:
    return cursor.bracketed(lambda: cursor.repeated(cursor.province, least=0))


def _read_entry(cursor: Cursor) -> tuple[int, _Borders]:
    def read() -> tuple[int, _Borders]:
        province = cursor.province()
        return province, dict(cursor.repeated(lambda: cursor.bracketed(lambda: _read_near(cursor))))

    return cursor.bracketed(read)


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
    board = Board(
        name=name or "map",
        powers=tuple([PowerInfo(key, key.title(), key.title()) for key in power_keys.values()]),
        provinces=tuple(
            [
                Province(
                    code=codes[token],
                    name=codes[token].title(),
                    terrain=_find_terrain(near),
                    coasts=tuple([_COAST_OF[coast] for _, coast in near if coast is not None]),
                    center=token in homes,
                    home=_find_home(power_keys, homes.get(token)),
                )
                for token, near in entries.items()
            ]
        ),
        army_borders=_pair(codes, entries),
        fleet_borders=_pair_places(codes, entries),
        starts=(),
        victory_centers=len(homes) // 2 + 1,
    )
    return BoardWords(
        board,
        vocabulary,
        {key: token for token, key in power_keys.items()},
        {code: token for token, code in codes.items()},
    )


def _find_home(keys: dict[int, Power], owner: int | None) -> Power | None:
    return None if owner is None else keys.get(owner)


def _find_terrain(near: _Borders) -> Terrain:
    by_land = (int(Word.AMY), None) in near
    by_sea = any(kind == Word.FLT for kind, _ in near)
    if by_land and by_sea:
        return Terrain.COASTAL
    return Terrain.INLAND if by_land else Terrain.SEA


def _locate(codes: dict[int, ProvinceCode], term: PlaceTerm) -> Location:
    code = codes.get(term.province)
    if code is None:
        raise ValueError("a border leads to a province that the map lacks")
    return Location(code if term.coast is None else f"{code}/{_COAST_OF[term.coast]}")


def _pair_places(
    codes: dict[int, ProvinceCode], entries: dict[int, _Borders]
) -> tuple[tuple[Location, Location], ...]:
    pairs = {
        tuple(sorted((_locate(codes, PlaceTerm(token, coast)), _locate(codes, to))))
        for token, near in entries.items()
        for (kind, coast), places in near.items()
        if kind == Word.FLT
        for to in places
    }
    return tuple([(first, second) for first, second in sorted(pairs)])


def _pair(
    codes: dict[int, ProvinceCode], entries: dict[int, _Borders]
) -> tuple[tuple[ProvinceCode, ProvinceCode], ...]:
    pairs = {
        tuple(sorted((codes[token], ProvinceCode(_locate(codes, to)))))
        for token, near in entries.items()
        for (kind, _coast), places in near.items()
        if kind == Word.AMY
        for to in places
    }
    return tuple([(first, second) for first, second in sorted(pairs)])
