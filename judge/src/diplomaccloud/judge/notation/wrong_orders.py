"""Recognizes an order with one wrong name among unreadable words.

`A MUN - TYO` is a wrong order, and the text after it can be read. `cancel A MUN - TYR` is not an
order at all, and nothing after such words may be read as one.
"""

from diplomaccloud.judge.notation.errors import NotationError
from diplomaccloud.judge.notation.reader import Reader
from diplomaccloud.judge.notation.words import (
    ADJUSTMENT_VERBS,
    AFTER_HOLD,
    BUILD,
    CONVOY,
    DISBAND,
    HOLD,
    KINDS,
    NOT_NAMES,
    RETREAT,
    SUPPORT,
    VERBS,
)

MAX_WRONG_COAST = 2
"""The longest word after a slash that can be a misspelled coast, in letters."""


def skip_wrong_order(reader: Reader, *, may_lack_verb: bool) -> bool:
    """Skip an order that is complete except for one wrong name; return whether there is one.

    The wrong name must be a single word directly after a dash or the kind of a unit, so that words
    such as `not` or `helps` are never mistaken for one. `may_lack_verb` is for adjustments, where
    `A PAR` on its own is an order.
    """
    start = reader.at
    try:
        is_order = _WrongOrder(reader, may_lack_verb).skip_order()
    except NotationError:  # a second wrong name, after `via`
        is_order = False
    if is_order:
        end = reader.at
        if not reader.next or reader.starts_order():
            reader.at = end
            return True
    reader.at = start
    return False


class _WrongOrder:
    """A cursor that skips the parts of an order, including one wrong name."""

    def __init__(self, reader: Reader, may_lack_verb: bool) -> None:
        self._reader = reader
        self._may_lack_verb = may_lack_verb
        self._has_wrong_name = False

    def skip_order(self) -> bool:
        """Skip an order with a verb for any phase; return whether there is one."""
        reader = self._reader
        reader.take_power_before(BUILD | DISBAND)
        verb_first = reader.take(BUILD | DISBAND)
        reader.take(RETREAT)
        verbs = ADJUSTMENT_VERBS if self._may_lack_verb else VERBS
        if not self._skip_unit(verbs - {"-"}):
            return False
        if verb_first:
            return True
        reader.skip_dash_before(HOLD | SUPPORT | CONVOY)
        if reader.take(SUPPORT):
            return self._skip_unit() and (reader.take(HOLD) or self._skip_path() is not False)
        if reader.take(CONVOY):
            return self._skip_unit() and self._skip_path() is True
        return self._skip_own_deed()

    def _skip_own_deed(self) -> bool:
        """Skip an action that involves no other unit."""
        reader = self._reader
        if reader.take(BUILD | DISBAND):
            return True
        if reader.take(HOLD):
            reader.take_all(AFTER_HOLD)
            return True
        if (goes := self._skip_path(has_verb=reader.take(RETREAT))) is not None:
            return goes
        return self._may_lack_verb and not self._has_wrong_name

    def _skip_path(self, *, has_verb: bool = False) -> bool | None:
        """Skip a destination; return whether it makes sense, or None if there are no such words.

        `has_verb` says that the verb before it requires a place.
        """
        reader = self._reader
        if not (reader.take_move_words() or has_verb or reader.place_follows()):
            return None
        if not self._skip_place():
            return False
        while reader.take({"-"}):
            if not self._skip_place():
                return False
        reader.take_via()
        return True

    def _skip_unit(self, verbs: frozenset[str] = frozenset()) -> bool:
        try:
            self._reader.unit(verbs)
        except NotationError:
            return self._skip_wrong_name()
        return True

    def _skip_place(self) -> bool:
        try:
            self._reader.place()
        except NotationError:
            return self._skip_wrong_name()
        return True

    def _skip_wrong_name(self) -> bool:
        """Skip the word at which reading stopped if it may be a misspelled name."""
        reader = self._reader
        if self._has_wrong_name or reader.at == 0:
            return False
        self._has_wrong_name = True
        if reader.next == "/":
            reader.at += 2
            # At the end of the text there is no word after the slash.
            coast = "".join(reader.tokens[reader.at - 1 : reader.at])
            return 0 < len(coast) <= MAX_WRONG_COAST
        before, word = reader.tokens[reader.at - 1], reader.next
        if before == "/" and reader.at > 1:
            before = reader.tokens[reader.at - 2]  # `A(PRA)`
        reader.at += 1
        return (before == "-" or before in KINDS) and len(word) > 1 and word not in NOT_NAMES
