"""Translates press offers to and from the terms of deals, as far as both can express them."""

from dataclasses import replace
from typing import Final, TypeAlias

from diplomaccloud.daide.board.orders import RULES, read_order, write_order
from diplomaccloud.daide.board.words import BoardWords
from diplomaccloud.daide.language.composition import Part, compose
from diplomaccloud.daide.language.terms import Cursor
from diplomaccloud.daide.language.tokens import Message, Word
from diplomaccloud.deals import Alliance, Clause, Draw, Ordered, Peace, Terms, Turn, Zone
from diplomaccloud.judge.board import Power, ProvinceCode
from diplomaccloud.judge.orders import Waive
from diplomaccloud.judge.phases import Season
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.rules import RuleSet

LASTING_YEARS: Final = 2
"""How many more years peace and zones bind: DAIDE has no ends, and bots don't look far ahead."""

Clauses: TypeAlias = tuple[Clause, ...]


class _NoClause(Exception):
    """The press offers something that cannot be a clause of a deal."""


def read_terms(
    words: BoardWords,
    position: Position,
    parties: tuple[Power, ...],
    press: Message,
    *,
    rules: RuleSet = RULES,
) -> Terms | None:
    """Return the terms that `PRP` offers to the parties, or None if a deal cannot express them.

    The press must follow the grammar. The package `deals` checks whether the terms are possible.
    """
    parties = tuple(sorted(parties))
    try:
        alternatives = _Reader(words, position, parties, press, rules).read()
    except _NoClause:
        return None
    return Terms(position.phase, parties, alternatives)


class _Reader:
    """Reads one offer; methods raise `_NoClause`."""

    def __init__(
        self,
        words: BoardWords,
        position: Position,
        parties: tuple[Power, ...],
        press: Message,
        rules: RuleSet,
    ) -> None:
        self._words, self._position = words, position
        self._parties, self._rules = parties, rules
        self._cursor = Cursor(press, words.vocabulary)

    def read(self) -> tuple[Clauses, ...]:
        self._cursor.take(Word.PRP)
        return self._cursor.bracketed(self._offer)

    def _offer(self) -> tuple[Clauses, ...]:
        cursor = self._cursor
        is_choice = cursor.comes(Word.ORR)
        if not cursor.skips(Word.AND) and not cursor.skips(Word.ORR):
            return ((self._clause(),),)
        clauses = cursor.repeated(lambda: cursor.bracketed(self._clause))
        return tuple((clause,) for clause in clauses) if is_choice else (clauses,)

    def _clause(self) -> Clause:
        cursor = self._cursor
        if cursor.skips(Word.NOT):
            return replace(cursor.bracketed(self._ordered), given=False)
        if cursor.skips(Word.PCE):
            return Peace(self._powers(), self._end())
        if cursor.skips(Word.ALY):
            allies = self._powers()
            cursor.take(Word.VSS)
            return Alliance(allies, self._powers())
        if cursor.skips(Word.DMZ):
            powers = self._powers()
            provinces = cursor.bracketed(lambda: cursor.repeated(self._province))
            return Zone(powers, tuple(sorted(set(provinces))), self._end())
        if cursor.skips(Word.DRW):
            return Draw(self._parties)
        return self._ordered()

    def _ordered(self) -> Ordered:
        if not self._cursor.skips(Word.XDO):
            raise _NoClause
        term = self._cursor.order()
        power = self._words.power_of[term.power]
        reading = read_order(self._words, self._position, power, term, (), rules=self._rules)
        if reading.order is None or isinstance(reading.order, Waive):
            raise _NoClause
        return Ordered(reading.order)

    def _powers(self) -> tuple[Power, ...]:
        return tuple(sorted({self._words.power_of[token] for token in self._cursor.powers()}))

    def _province(self) -> ProvinceCode:
        code = self._words.code_of.get(self._cursor.province())
        if code is None:
            raise _NoClause
        return code

    def _end(self) -> Turn:
        return Turn(Season.WINTER, self._position.phase.year + LASTING_YEARS)


def write_terms(words: BoardWords, position: Position, terms: Terms) -> Message | None:
    """Return terms as `PRP`, or None if DAIDE cannot express them.

    `position` is the position in their phase. The ends of peace and zones are left out.
    """
    clauses = [[_write_clause(words, position, c, terms) for c in a] for a in terms.alternatives]
    offers: list[Part] = []
    for parts in clauses:
        for part in parts:
            if part is None or (len(clauses) > 1 and len(parts) > 1):
                return None
            offers.append([part])
    if len(offers) == 1:
        return compose(Word.PRP, offers[0])
    return compose(Word.PRP, [Word.ORR if len(clauses) > 1 else Word.AND, *offers])


def _write_clause(
    words: BoardWords, position: Position, clause: Clause, terms: Terms
) -> Message | None:
    match clause:
        case Ordered(order, given):
            part = compose(Word.XDO, [write_order(words, order, position)])
            return part if given else compose(Word.NOT, [part])
        case Zone(powers, provinces):
            places: list[Part] = [words.provinces[code] for code in provinces]
            return compose(Word.DMZ, _list_powers(words, powers), places)
        case Peace(powers):
            return compose(Word.PCE, _list_powers(words, powers))
        case Alliance(powers, against):
            allies, enemies = _list_powers(words, powers), _list_powers(words, against)
            return compose(Word.ALY, allies, Word.VSS, enemies)
        case Draw(powers):
            return compose(Word.DRW) if powers == terms.parties else None


def _list_powers(words: BoardWords, powers: tuple[Power, ...]) -> Part:
    return [words.powers[power] for power in powers]
