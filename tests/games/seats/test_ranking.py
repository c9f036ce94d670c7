"""Rankings: by what the game counts, equal rank for equal strength, winners first."""

import pytest
from tests.games.steps import ballot, call_vote, game

from diplomaccloud.games.table.models import Game, store_rules
from diplomaccloud.games.table.ranks import Strength, rank_players
from diplomaccloud.judge.rules import EDITIONS

AUSTRIA, TURKEY, RUSSIA, ITALY = range(4)
STANDINGS = {
    AUSTRIA: Strength(("AUSTRIA",), centers=5, units=3),
    TURKEY: Strength(("TURKEY",), centers=5, units=5),
    RUSSIA: Strength(("RUSSIA",), centers=4, units=6),
    ITALY: Strength(("ITALY",), centers=0, units=0),
}


@pytest.mark.parametrize(
    ("edition", "ends", "winners", "ranks"),
    [
        ("2000", {}, None, [1, 1, 3, 4]),
        ("2000", {"measure": "pieces"}, None, [1, 1, 3, 4]),
        ("2000", {"last_year": 1905, "measure": "pieces"}, None, [3, 2, 1, 4]),
        ("1961", {}, None, [3, 2, 1, 4]),
        ("1961", {"turns": 9, "measure": "centers"}, None, [1, 1, 3, 4]),
        ("2000", {}, ["RUSSIA"], [2, 2, 1, 4]),
        ("2000", {}, ["RUSSIA", "ITALY"], [3, 3, 1, 1]),
    ],
    ids=[
        "centers count, and units break no tie",
        "a measure without an end is none",
        "a short game by pieces",
        "the rules of 1961 count pieces",
        "what was agreed comes before the rules",
        "whom the game was conceded to is first",
        "all who share a draw are first",
    ],
)
def test_ranks(cast, agree, edition, ends, winners, ranks):
    agree(ends=ends)
    ending = winners and {"v": 1, "winners": winners, "reason": "."}
    Game.objects.update(rule_set=store_rules(EDITIONS[edition]), ending=ending)
    assert list(rank_players(game(), STANDINGS).values()) == ranks


@pytest.mark.parametrize("ends", [{}, {"turns": 9, "measure": "pieces"}])
def test_the_rankings_show_the_column_that_they_rank_by(cast, agree, ends):
    agree(ends=ends)
    ballot(cast, "bob", call_vote(cast, "alice", "draw"))
    final = cast.client("alice").get(cast.url())
    assert {seat.rank for seat in final.context["view"].seats} == {1}
    centers = cast.client("alice").get(cast.url("centers/")).content.decode()
    by_units = bool(ends)
    for page in (final.content.decode(), centers):
        table = page.partition("ankings</caption>")[2].partition("</thead>")[0]
        assert "Centers" in table
        assert ("Units" in table) >= by_units


def test_the_centers_of_each_year_are_sorted_by_centers_not_by_winner(cast):
    """Russia has one more than the others; Turkey, to whom the game is conceded, ranks first."""
    call_vote(cast, "alice", "concede", power="TURKEY")
    assert game().ending.winners == ("TURKEY",)
    shown = cast.client("alice").get(cast.url("centers/"))
    rows = [(row.seat.power, row.seat.rank) for row in shown.context["centers"].rows]
    assert rows[:2] == [("RUSSIA", 2), ("TURKEY", 1)]
    page = shown.content.decode()
    rankings = page[page.index("<caption>") : page.index("Centers by year")]
    assert rankings.index("Turkey") < rankings.index("Russia")
