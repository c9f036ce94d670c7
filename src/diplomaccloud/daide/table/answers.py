"""The answers to requests for information."""

from collections.abc import Iterable

from diplomaccloud.daide.board.definition import write_definition
from diplomaccloud.daide.board.position import write_centers, write_position
from diplomaccloud.daide.board.words import write_turn
from diplomaccloud.daide.language.composition import Part, compose
from diplomaccloud.daide.language.tokens import Message, Word, encode_number, encode_text
from diplomaccloud.daide.table.clock import Clock
from diplomaccloud.daide.table.play import Play, Turn
from diplomaccloud.daide.table.settings import Settings
from diplomaccloud.daide.table.visitors import Seat, Visitor
from diplomaccloud.judge.board import Power
from diplomaccloud.judge.phases import Phase


class Answers:
    """Answers requests from the state of a game; an empty answer means a refusal."""

    def __init__(self, play: Play, settings: Settings, clock: Clock) -> None:
        self._play = play
        self._settings = settings
        self._clock = clock

    def answer(self, word: int, visitor: Visitor, seat: Seat | None, now: float) -> list[Message]:
        """Return the answer to a request without parameters once the game has started."""
        play = self._play
        match word:
            case Word.HLO:
                return [self.write_hello(seat)]
            case Word.ORD:
                return [order for turn in play.last_turns() for order in turn.orders]
            case Word.HST:
                return [message for turn in play.turns for message in _write_turn(turn)]
            case Word.MIS if visitor.power is not None and play.ending is None:
                return [play.write_missing(visitor.power)]
            case Word.TME:
                return self.write_time(now)
            case _:
                return []

    def answer_always(self, word: int) -> list[Message]:
        """Return the answer to a request that is also allowed before the game."""
        words = self._play.words
        match word:
            case Word.MAP:
                return [self.write_map()]
            case Word.MDF:
                return [write_definition(words)]
            case Word.SCO:
                return [write_centers(words, self._play.position)]
            case Word.NOW:
                return [write_position(words, self._play.position)]
            case _:
                return []

    def find_turn(self, phase: Phase) -> list[Message]:
        """Return the results of a past turn and the position after it."""
        for turn in self._play.turns:
            if turn.phase == phase:
                return [*turn.orders, turn.centers, turn.now]
        return []

    def write_map(self) -> Message:
        """Return the MAP message."""
        return compose(Word.MAP, [encode_text(self._play.words.map_name)])

    def write_hello(self, seat: Seat | None) -> Message:
        """Return the HLO message of a player, or of an observer."""
        power = Word.UNO if seat is None else self._play.words.powers[seat.power]
        passcode = encode_number(0 if seat is None else seat.passcode)
        level = self._settings.level if seat is None else seat.level
        return compose(Word.HLO, [power], [passcode], self._settings.write_variant(level))

    def write_start(self, seat: Seat | None, now: float) -> list[Message]:
        """Return the first messages for a player or an observer."""
        hello = self.write_hello(seat)
        return [hello, *self.answer_always(Word.SCO), *self.write_ending({}), *self.write_now(now)]

    def write_now(self, now: float) -> list[Message]:
        """Return the position and the time left."""
        return [*self.answer_always(Word.NOW), *self.write_time(now)]

    def write_time(self, now: float) -> list[Message]:
        """Return the TME message, or nothing without a deadline."""
        left = self._clock.time_left(now)
        return [] if left is None else [compose(Word.TME, [encode_number(left)])]

    def write_ending(self, players: dict[Power, tuple[str, str]]) -> list[Message]:
        """Return the ending of the game and the list of players, or nothing before it ends."""
        ending = self._play.ending
        return [] if ending is None else [ending, self._write_summary(players)]

    def _write_summary(self, players: dict[Power, tuple[str, str]]) -> Message:
        play = self._play
        phase = play.turns[-1].phase if play.turns else play.position.phase
        entries: list[Part] = []
        for power, token in play.words.powers.items():
            name, version = players.get(power, ("", ""))
            entry: list[Part] = [token, [encode_text(name)], [encode_text(version)]]
            entry.append(encode_number(len(play.position.centers_of(power))))
            if power in play.eliminated:
                entry.append(encode_number(play.eliminated[power]))
            entries.append(entry)
        return compose(Word.SMR, write_turn(phase), *entries)


def _write_turn(turn: Turn) -> Iterable[Message]:
    return [*turn.orders, *([turn.centers] if turn.recounted else []), turn.now]
