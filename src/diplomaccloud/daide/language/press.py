"""The grammar of press, levels 10 to 30. Nothing here judges whether an offer is wise."""

from typing import Final

from diplomaccloud.daide.language.composition import compose
from diplomaccloud.daide.language.terms import Cursor
from diplomaccloud.daide.language.tokens import Message, Word

MAX_LEVEL: Final = 30
PEACE, ORDERS, OFFERS = 10, 20, 30
"""The levels: peace and alliances, proposed orders, offers with several parts."""

_BY_LEVEL: Final = {
    PEACE: "PRP PCE ALY VSS DRW SLO NOT YES REJ BWX",
    ORDERS: "XDO DMZ",
    OFFERS: "AND ORR",
}
_REPLIES: Final = frozenset({int(Word.YES), int(Word.REJ), int(Word.BWX)})


def tokens_of(level: int) -> frozenset[int]:
    """Return the words that a player may claim to understand at a level of press."""
    return frozenset(
        int(Word[name])
        for needed, names in _BY_LEVEL.items()
        if needed <= level
        for name in names.split()
    )


def read_press(cursor: Cursor, level: int) -> Message:
    """Return the press between brackets; raise `MessageError` at a word above the level.

    `TRY` is returned without the words that belong to a higher level.
    """
    start = cursor.at + 1
    press = cursor.bracketed(lambda: _Reader(cursor, level).press())
    return press if press is not None else cursor.message[start : cursor.at - 1]


class _Reader:
    """Reads press at one level."""

    def __init__(self, cursor: Cursor, level: int) -> None:
        self._cursor = cursor
        self._level = level

    def press(self) -> Message | None:
        """Read press; return it only if it must be changed before it is passed on."""
        cursor = self._cursor
        if cursor.skips(Word.TRY):
            known = cursor.bracketed(self._words)
            return compose(Word.TRY, [known])
        if cursor.skips(Word.HUH):
            cursor.anything()
        elif cursor.next in _REPLIES:
            cursor.at += 1
            cursor.bracketed(self._answered)
        else:
            self._proposal()
        return None

    def _words(self) -> Message:
        cursor = self._cursor
        start = cursor.at
        while cursor.next >= 0 and not cursor.comes(Word.BRA) and not cursor.comes(Word.KET):
            cursor.at += 1
        known = tokens_of(self._level)
        return tuple([token for token in cursor.message[start : cursor.at] if token in known])

    def _answered(self) -> None:
        """Read the subject of an answer: a proposal, or an answer to one."""
        cursor = self._cursor
        if cursor.next in _REPLIES:
            cursor.at += 1
            cursor.bracketed(self._proposal)
        else:
            self._proposal()

    def _proposal(self) -> None:
        self._cursor.take(Word.PRP)
        self._cursor.bracketed(self._offer)

    def _offer(self) -> None:
        cursor = self._cursor
        if self._level >= OFFERS and cursor.next in {Word.AND, Word.ORR}:
            cursor.at += 1
            cursor.repeated(lambda: cursor.bracketed(self._single), least=2)
        else:
            self._single()

    def _single(self) -> None:
        cursor = self._cursor
        if cursor.skips(Word.NOT):
            cursor.bracketed(self._plain)
        else:
            self._plain()

    def _plain(self) -> None:
        cursor = self._cursor
        if cursor.skips(Word.PCE):
            cursor.powers()
        elif cursor.skips(Word.ALY):
            cursor.powers()
            cursor.take(Word.VSS)
            cursor.powers()
        elif cursor.skips(Word.SLO):
            cursor.bracketed(cursor.power)
        elif self._level >= ORDERS and cursor.skips(Word.XDO):
            cursor.order()
        elif self._level >= ORDERS and cursor.skips(Word.DMZ):
            cursor.powers()
            cursor.bracketed(lambda: cursor.repeated(cursor.province))
        elif not cursor.skips(Word.DRW):
            raise cursor.fail("an offer of this level")
