"""Results that are built when first read, by several threads at once."""

import threading

import pytest
from judge.tests.test_library import UNREADABLE

from diplomaccloud import judge
from diplomaccloud.judge.geography import NAMELESS, geography
from diplomaccloud.judge.messages.english import Sentence
from diplomaccloud.judge.messages.values import Message, Place
from diplomaccloud.judge.turn import Turn


def play() -> tuple[judge.Game, judge.Turn]:
    game = judge.Game(position="S1901M FRANCE: A PAR, A PIC, A MAR; GERMANY: A BUR, A MUN")
    game.order("FRANCE", "A PAR - BUR; A PIC S A PAR - BUR; A MAR S A PIC - BUR")
    game.order("GERMANY", "A MUN - TYR; A BUR - XYZ")
    return game, game.adjudicate()


def test_a_thread_that_looks_while_another_makes_the_results_sees_all(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    expected = dict(play()[1])
    _, turn = play()
    read = Turn._read_result
    seen: list[object] = []
    first = threading.current_thread()

    def look() -> None:
        seen.append(dict(turn))

    def read_slowly(self: Turn, *arguments: object) -> object:
        if threading.current_thread() is first:
            other = threading.Thread(target=look)
            other.start()
            other.join()
        return read(self, *arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(Turn, "_read_result", read_slowly)
    assert dict(turn) == expected
    assert seen == [expected] * len(expected)


def test_sentences_of_one_message_keep_their_names() -> None:
    message = Message("moved", {"place": Place("BUR")})
    named, nameless = (
        Sentence(message, geography(judge.standard_board())),
        Sentence(message, NAMELESS),
    )
    for _ in range(2):
        assert (str(named), str(nameless)) == ("Moved to Burgundy.", "Moved to BUR.")
    assert str(named.with_names(NAMELESS)) == "Moved to BUR."


def test_a_turn_stays_as_it_was_when_the_game_goes_on() -> None:
    game, turn = play()
    before = (dict(turn), turn.orders, turn.problems, turn.phase, turn.next)
    kept = game.copy().turns[0]
    game.undo()
    game.clear()
    game.order("FRANCE", "A PAR H")
    other = game.adjudicate()
    game.adjudicate()
    assert dict(other) != before[0]
    for each in (turn, kept):
        assert (dict(each), each.orders, each.problems, each.phase, each.next) == before


def test_a_turn_is_made_of_its_orders_even_if_it_is_looked_at_late() -> None:
    game, turn = play()
    while game.phase != "F1902M":
        game.adjudicate()
    assert turn["A PAR"].outcome == "moved"
    assert turn["A BUR"].dislodged_by == "A PAR"
    assert turn["A BUR"].why.startswith(UNREADABLE)
