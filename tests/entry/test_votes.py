"""DRAW and SURRENDER: every combination that the errata of document 2 spell out."""

import pytest
from judge.tests.shorthand import position

from diplomaccloud.entry.votes import Vote, agreed_draw, count_votes, players_left
from diplomaccloud.judge.board import Power

# Four players: Austria, Germany, Italy and Russia; votes by first letter, D or S, and the
# letters of powers in civil disorder.
ROWS = [
    ("nobody votes", "", "", None, ""),
    ("all vote for a draw", "AD GD ID RD", "", "AGIR", ""),
    ("one does not vote for the draw", "AD GD ID", "", None, ""),
    ("a power in civil disorder is not asked and does not share", "AD GD ID", "R", "AGI", ""),
    ("a vote of a power in civil disorder does not count", "AD GD ID RS", "R", "AGI", ""),
    ("all but one surrender: the last wins alone", "AS GS IS", "", "R", "AGI"),
    ("the last need not vote", "AS GS IS RD", "", "R", "AGI"),
    ("all surrender: a tie", "AS GS IS RS", "", "AGIR", "AGIR"),
    ("all who are left surrender: a tie between them", "AS GS IS", "R", "AGI", "AGI"),
    ("two surrender to an alliance of two", "IS AS GD RD", "", "GR", "AI"),
    ("only one of the two surrenders: out, and the game goes on", "IS GD RD", "", None, "I"),
    ("only one of the allies votes for the draw", "IS AS GD", "", None, "AI"),
    ("one surrenders, the three others draw", "IS AD GD RD", "", "AGR", "I"),
    ("one surrenders, nobody draws", "IS", "", None, "I"),
    ("surrender where the others are in civil disorder", "IS", "AG", "R", "I"),
    ("the last one standing wins", "", "AGI", "R", ""),
]
NAMES = {"A": "AUSTRIA", "G": "GERMANY", "I": "ITALY", "R": "RUSSIA"}
VOTES = {"D": Vote.DRAW, "S": Vote.SURRENDER}


def powers(letters: str) -> tuple[Power, ...]:
    return tuple(Power(NAMES[letter]) for letter in letters)


@pytest.mark.parametrize(
    ("cast", "disorder", "winners", "out"), [row[1:] for row in ROWS], ids=[r[0] for r in ROWS]
)
def test_votes(cast: str, disorder: str, winners: str | None, out: str) -> None:
    votes = {Power(NAMES[one[0]]): VOTES[one[1]] for one in cast.split()}
    count = count_votes(powers("AGIR"), votes, powers(disorder))
    assert count.surrendered == powers(out)
    assert (count.ending.winners if count.ending else None) == (
        None if winners is None else powers(winners)
    )


def test_votes_for_a_failed_draw_are_listed() -> None:
    votes = {Power("GERMANY"): Vote.DRAW, Power("ITALY"): Vote.SURRENDER}
    count = count_votes(powers("AGIR"), votes)
    assert count.draws == powers("G")


def test_an_eliminated_power_has_no_vote_and_no_share() -> None:
    start = position("AUSTRIA: A VIE H", centers={"GERMANY": "BER"})
    assert players_left(start) == powers("AG")
    assert agreed_draw(start).winners == powers("A")


@pytest.mark.parametrize(
    ("cast", "winners"),
    [("AS GS", "IR"), ("AS", None), ("AS GS IS RS", "AGIR")],
    ids=["one player is left", "two are left", "all surrender"],
)
def test_powers_of_one_player_count_as_one(cast: str, winners: str | None) -> None:
    votes = {Power(NAMES[one[0]]): VOTES[one[1]] for one in cast.split()}
    together = [powers("AG"), powers("IR")]
    count = count_votes(powers("AGIR"), votes, together=together)
    assert (count.ending.winners if count.ending else None) == (
        None if winners is None else powers(winners)
    )
