"""Press between powers: who gets it, and what the sender hears."""

from diplomaccloud.daide.board.words import read_turn
from diplomaccloud.daide.language.composition import compose
from diplomaccloud.daide.language.requests import Send
from diplomaccloud.daide.language.tokens import Message, Word
from diplomaccloud.daide.table.play import Play
from diplomaccloud.daide.table.room import Room
from diplomaccloud.daide.table.visitors import Visitor


def deliver_press(room: Room, play: Play, visitor: Visitor, send: Send, message: Message) -> None:
    """Pass press on to all its addressees, or to none and tell the sender why."""
    power, powers = visitor.power, play.words.power_of
    goals = list(dict.fromkeys(powers[token] for token in send.powers))
    past = send.turn is not None and read_turn(send.turn) != play.position.phase
    if past or power is None or power in goals or power not in play.alive:
        room.send(visitor, compose(Word.REJ, [message]))
        return
    for goal in goals:
        if goal not in play.alive:
            room.send(visitor, compose(Word.OUT, [play.words.powers[goal]], [message]))
            return
        if goal not in play.bots and room.player_of(goal) is None:
            room.send(visitor, compose(Word.CCD, [play.words.powers[goal]], [message]))
            return
    room.send(visitor, compose(Word.YES, [message]))
    own = play.words.powers[power]
    for goal in goals:
        listener = room.player_of(goal)
        if listener is not None:
            room.send(listener, compose(Word.FRM, [own], [send.powers], [send.press]))
        elif send.press[0] == Word.PRP:
            _answer_for_bot(room, visitor, own, play.words.powers[goal], send.press)


def _answer_for_bot(room: Room, visitor: Visitor, own: int, bot: int, press: Message) -> None:
    """Say for a bot that it understands no press, as the language asks."""
    for answer in (compose(Word.HUH, [Word.ERR, press]), compose(Word.TRY, [])):
        room.send(visitor, compose(Word.FRM, [bot], [own], [answer]))
