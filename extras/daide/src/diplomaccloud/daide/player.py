"""Plays one power with a bot: takes the server's messages and returns the answers."""

import logging
import random
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from typing import Final, TypeAlias

from diplomaccloud.bots import Bot
from diplomaccloud.bots.greedy import GreedyBot
from diplomaccloud.daide.board import (
    STANDARD_NAME,
    BoardWords,
    read_centers,
    read_definition,
    read_position,
    words_of,
)
from diplomaccloud.daide.language import (
    NUMBER_BITS,
    STANDARD,
    Message,
    MessageError,
    Vocabulary,
    Word,
    compose,
    encode_text,
)
from diplomaccloud.daide.messages import Cursor
from diplomaccloud.daide.orders import RULES, count_owed, write_order
from diplomaccloud.judge.adjudication import powers_to_order
from diplomaccloud.judge.board import Power, ProvinceCode
from diplomaccloud.judge.orders import Order, Waive
from diplomaccloud.judge.phases import Stage
from diplomaccloud.judge.position import Dislodged, Position
from diplomaccloud.judge.standard.europe import standard_board

_log = logging.getLogger(__name__)

_LAST_RESORT: Final = {Stage.MOVEMENT: Word.HLD, Stage.RETREATS: Word.DSB}
_TALK: Final = frozenset({int(w) for w in (Word.HUH, Word.TRY, Word.YES, Word.REJ, Word.BWX)})
"""Press that needs no answer."""
Thought: TypeAlias = tuple[Position, Message]
"""A position and the message with the bot's orders for it."""
DRAW_AFTER: Final = 3
"""If no center changes hands for this many years, a bot wants a draw."""


class Player:
    """One client: its bot, its power once it has one, and the latest news from the server.

    `is_over` is true once the server has dismissed the client; if the game did not accept it,
    `refusal` says why. `ending` is the server's message that ended the game.
    """

    def __init__(self, bot: Bot, *, version: str, seed: str) -> None:
        self.is_over = False
        self.refusal = ""
        self.power: Power | None = None
        self.ending: Message | None = None
        self.words: BoardWords | None = None
        self.position: Position | None = None
        self._bot, self._version, self._seed = bot, version, seed
        self._vocabulary = STANDARD
        self._passcode = 0
        self._map_name = ""
        self._centers: Mapping[ProvinceCode, Power] = {}
        self._origins: dict[ProvinceCode, ProvinceCode] = {}
        self._settled_since: int | None = None
        self._unanswered: Position | None = None
        self._reactions: dict[int, Callable[[Message], list[Message]]] = {
            Word.MAP: self._hear_map,
            Word.MDF: self._hear_definition,
            Word.HLO: self._hear_hello,
            Word.SCO: self._hear_centers,
            Word.NOW: self._hear_position,
            Word.ORD: self._hear_result,
            Word.THX: self._hear_note,
            Word.FRM: self._hear_press,
            Word.REJ: self._hear_refusal,
            Word.SLO: self._hear_ending,
            Word.DRW: self._hear_ending,
            Word.OFF: self._hear_ending,
        }

    def begin(self, vocabulary: Vocabulary) -> list[Message]:
        """Return the first messages on a new connection whose names are in `vocabulary`."""
        self._vocabulary = vocabulary
        if self.words is not None and self.power is not None:
            back = compose(Word.IAM, [self.words.powers[self.power]], [self._passcode])
            return [back, compose(Word.SCO), compose(Word.NOW)]
        return [compose(Word.NME, [encode_text(self._bot.name)], [encode_text(self._version)])]

    def receive(self, message: Message) -> list[Message]:
        """Return the answers to a message; unreadable messages get none."""
        if message[0] in {Word.SVE, Word.LOD}:
            return [compose(Word.REJ, [message])]
        reaction = self._reactions.get(message[0])
        with suppress(MessageError):
            return [] if reaction is None else reaction(message)
        return []

    def ask_bot(self) -> Callable[[], Thought] | None:
        """Return a function that finds orders for a new position, or None if there is none.

        The function may run in a thread, because it changes nothing. Pass its result to
        `give_orders`.
        """
        position, self._unanswered = self._unanswered, None
        if position is None or self.words is None or self.power is None:
            return None
        return partial(_think, self._bot, self.words, position, self.power, self._seed)

    def give_orders(self, thought: Thought) -> list[Message]:
        """Return the message with the orders, or none if the game has moved on in the meantime."""
        position, orders = thought
        return [orders] if position is self.position and self.ending is None else []

    def _require_words(self) -> BoardWords:
        if self.words is None:
            raise MessageError(0, "the map is not known yet")
        return self.words

    # Before the game.

    def _hear_map(self, message: Message) -> list[Message]:
        cursor = Cursor(message, self._vocabulary, 1)
        self._map_name = cursor.text()
        if self._map_name.lower() == STANDARD_NAME and self._vocabulary.is_standard:
            self.words = words_of(standard_board())
            return [compose(Word.YES, [message])]
        return [compose(Word.MDF)]

    def _hear_definition(self, message: Message) -> list[Message]:
        about = compose(Word.MAP, [encode_text(self._map_name)])
        try:
            self.words = read_definition(message, self._vocabulary, self._map_name)
        except ValueError:
            self.refusal = "the map cannot be used"
            return [compose(Word.REJ, [about])]
        return [compose(Word.YES, [about])]

    def _hear_hello(self, message: Message) -> list[Message]:
        words = self._require_words()
        cursor = Cursor(message, words.vocabulary, 1)
        power = words.power_of[cursor.bracketed(cursor.power)]
        self.power, self._passcode = power, cursor.bracketed(cursor.number) & NUMBER_BITS
        return []

    def _hear_refusal(self, message: Message) -> list[Message]:
        if message[2:3] in {(Word.NME,), (Word.IAM,)}:
            self.refusal = "the server has no seat for this client"
            self.is_over = True
        return []

    # Playing.

    def _hear_centers(self, message: Message) -> list[Message]:
        centers = read_centers(message, self._require_words())
        if centers != self._centers:
            self._settled_since = None
        self._centers = centers
        return []

    def _hear_result(self, message: Message) -> list[Message]:
        """Remember where a moving unit came from: a unit that it dislodged cannot retreat there."""
        words = self._require_words()
        cursor = Cursor(message, words.vocabulary, 1)
        cursor.turn()
        term = cursor.order()
        if term.to is not None and term.unit is not None and Word.SUC in message[cursor.at :]:
            codes = words.code_of
            to, origin = codes.get(term.to.province), codes.get(term.unit.place.province)
            if to is not None and origin is not None:
                self._origins[to] = origin
        return []

    def _hear_position(self, message: Message) -> list[Message]:
        words = self._require_words()
        units, origins = read_position(message, words), self._origins
        dislodged = [
            Dislodged(unit, origins.get(unit.province, ProvinceCode("")), retreats)
            for unit, retreats in units.dislodged
        ]
        self.position = position = Position(
            units.phase, units.standing, self._centers, tuple(dislodged)
        )
        self._origins.clear()
        if self.power is None or self.ending is not None:
            return []
        # DAIDE wants waives even for builds that have no free home center; the judge doesn't.
        builds = position.phase.stage is Stage.ADJUSTMENTS
        waives = builds and count_owed(position, self.power) > 0
        owes = waives or self.power in powers_to_order(words.board, position)
        self._unanswered = position if owes else None
        if self._settled_since is None:
            self._settled_since = position.phase.year
        settled = position.phase.year - self._settled_since >= DRAW_AFTER
        return [compose(Word.DRW)] if settled else []

    def _hear_note(self, message: Message) -> list[Message]:
        """Replace an order that the server refused with a simple one."""
        words = self._require_words()
        cursor = Cursor(message, words.vocabulary, 1)
        term = cursor.order()
        if message[-2] in {Word.MBV, Word.NRS} or self.position is None:
            return []
        unit = None if term.unit is None else words.read_unit(term.unit)
        if unit is None or unit.power != self.power or term.verb == Word.REM:
            return []
        if self.position.phase.stage is Stage.ADJUSTMENTS:
            modest = compose(words.powers[unit.power], Word.WVE)
        else:
            modest = compose(words.write_unit(unit), _LAST_RESORT[self.position.phase.stage])
        return [] if modest == term.tokens else [compose(Word.SUB, [modest])]

    def _hear_press(self, message: Message) -> list[Message]:
        """Answer that the bot does not understand press, in the form that DAIDE requires."""
        cursor = Cursor(message, self._require_words().vocabulary, 1)
        sender = cursor.bracketed(cursor.power)
        cursor.powers()
        press = cursor.anything()
        if not press or press[0] in _TALK:
            return []
        answers = (compose(Word.HUH, [Word.ERR, press]), compose(Word.TRY, []))
        return [compose(Word.SND, [sender], [answer]) for answer in answers]

    # The end.

    def _hear_ending(self, message: Message) -> list[Message]:
        if message[0] == Word.OFF:
            self.is_over = True
        else:
            self.ending = message
        return []


def _think(bot: Bot, words: BoardWords, position: Position, power: Power, seed: str) -> Thought:
    """Return a bot's orders, or the greedy bot's if it fails."""
    try:
        orders = _choose_orders(bot, words, position, power, seed)
    except Exception:
        _log.exception("the bot failed in %s; greedy orders are given", position.phase)
        orders = _choose_orders(GreedyBot(), words, position, power, seed)
    written = [compose([write_order(words, order, position)]) for order in orders]
    return position, compose(Word.SUB, *written)


def _choose_orders(
    bot: Bot, words: BoardWords, position: Position, power: Power, seed: str
) -> list[Order]:
    rng = random.Random(f"{seed}/{position.phase}/{power}")
    orders: list[Order] = []
    if power in powers_to_order(words.board, position):
        orders += bot.orders(words.board, position, power, RULES, rng)
    if position.phase.stage is Stage.ADJUSTMENTS:
        unused = count_owed(position, power) - len(orders)
        orders += [Waive(power)] * max(0, unused)
    return orders
