"""Press between powers: its delivery, and the answer to the sender."""

from collections.abc import Sequence

from diplomaccloud.daide.board.words import read_turn
from diplomaccloud.daide.language.composition import compose
from diplomaccloud.daide.language.requests import Send
from diplomaccloud.daide.language.tokens import Message, Word
from diplomaccloud.daide.table.play import Play
from diplomaccloud.daide.table.room import Room
from diplomaccloud.daide.table.visitors import Visitor
from diplomaccloud.judge.board import Power


def deliver_press(room: Room, play: Play, visitor: Visitor, send: Send, message: Message) -> bool:
    """Deliver press to all of its addressees, or to none and tell the sender why.

    Returns False for press that the visitor may not send.
    """
    power, goals = visitor.power, find_goals(play, visitor, send)
    if power is None or goals is None:
        return False
    for goal in goals:
        if goal not in play.alive:
            room.send(visitor, compose(Word.OUT, [play.words.powers[goal]], [message]))
            return True
        if goal not in play.bots and room.player_of(goal) is None:
            room.send(visitor, compose(Word.CCD, [play.words.powers[goal]], [message]))
            return True
    room.send(visitor, compose(Word.YES, [message]))
    own = play.words.powers[power]
    for goal in goals:
        listener = room.player_of(goal)
        if listener is not None:
            room.send(listener, compose(Word.FRM, [own], [send.powers], [send.press]))
        elif send.press[0] == Word.PRP:
            _answer_for_bot(room, visitor, own, play.words.powers[goal], send.press)
    return True


def find_goals(play: Play, visitor: Visitor, send: Send) -> Sequence[Power] | None:
    """Return the addressees, or None if the turn is over or the visitor may not send the press."""
    goals = list(dict.fromkeys(play.words.power_of[token] for token in send.powers))
    is_over = send.turn is not None and read_turn(send.turn) != play.position.phase
    is_refused = is_over or visitor.power in goals or visitor.power not in play.alive
    return None if is_refused else goals


def _answer_for_bot(room: Room, visitor: Visitor, own: int, bot: int, press: Message) -> None:
    """Answer for a bot that it does not understand press, in the form that DAIDE requires."""
    for answer in (compose(Word.HUH, [Word.ERR, press]), compose(Word.TRY, [])):
        room.send(visitor, compose(Word.FRM, [bot], [own], [answer]))
