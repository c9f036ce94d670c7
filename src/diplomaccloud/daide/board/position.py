"""Translates positions to and from tokens: center owners (SCO) and units (NOW)."""

from collections.abc import Mapping
from dataclasses import dataclass

from diplomaccloud.daide.board.words import BoardWords, read_turn, write_turn
from diplomaccloud.daide.language.composition import Part, compose
from diplomaccloud.daide.language.errors import MessageError
from diplomaccloud.daide.language.terms import Cursor, PlaceTerm, UnitTerm
from diplomaccloud.daide.language.tokens import Message, Word
from diplomaccloud.judge.board import Location, Power, ProvinceCode
from diplomaccloud.judge.phases import Phase
from diplomaccloud.judge.position import Dislodged, Position
from diplomaccloud.judge.units import Unit


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

    def read() -> tuple[int | None, tuple[int, ...]]:
        owner = None if cursor.skips(Word.UNO) else cursor.power()
        return owner, cursor.repeated(cursor.province, least=0)

    groups = cursor.repeated(lambda: cursor.bracketed(read))
    cursor.end()
    return {
        _find_code(words, center): words.power_of[owner]
        for owner, centers in groups
        if owner is not None
        for center in centers
    }


def _find_code(words: BoardWords, token: int) -> ProvinceCode:
    code = words.code_of.get(token)
    if code is None:
        raise MessageError(0, f"the board has no province {token:#06x}")
    return code


def read_position(message: Message, words: BoardWords) -> Units:
    """Return the contents of a NOW message; raise `MessageError` for any other message."""
    cursor = Cursor(message, words.vocabulary)
    cursor.take(Word.NOW)
    phase = read_turn(cursor.turn())

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
            places = [words.read_place(place) for place in retreats]
            dislodged.append((unit, tuple([place for place in places if place is not None])))
    return Units(phase, tuple(standing), tuple(dislodged))
