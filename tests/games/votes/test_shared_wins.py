"""Who wins if a player has several powers, and how powers without a player share in results."""

from dataclasses import replace

import pytest
from django.utils import timezone
from tests.games.steps import begun

from diplomaccloud.entry.votes import Count
from diplomaccloud.games.hall.wording import describe_outcome
from diplomaccloud.games.results.actions import finish_game
from diplomaccloud.games.table.models import Game
from diplomaccloud.games.table.phase_models import Phase
from diplomaccloud.games.turn.turn import find_outcome
from diplomaccloud.games.votes.actions import open_vote
from diplomaccloud.games.votes.wording import Question, Terms
from diplomaccloud.judge.board import Power
from diplomaccloud.judge.phases import Phase as JudgePhase
from diplomaccloud.judge.results import Ending, Resolution

NO_VOTES = Count((), (), None)


@pytest.fixture
def begin(plan, people):
    def started(setup, **ends):
        others = {"setup": setup, "ends": replace(plan.options.ends, **ends)}
        begun(plan, people["alice"], seed="s", now=timezone.now(), **others)
        return Phase.objects.select_related("game__chart").get()

    return started


def owned(phase, **counts):
    """Return the outcome of the phase if powers owned these numbers of centers."""
    centers = list(phase.board.centers)
    held = {}
    for power, count in counts.items():
        for _ in range(count):
            held[centers.pop()] = Power(power)
    return Resolution(results=(), next=replace(phase.position, centers=held))


@pytest.mark.parametrize(
    ("counts", "winners"),
    [
        ({"ENGLAND": 18, "AUSTRIA": 5}, None),
        ({"ENGLAND": 9, "FRANCE": 9, "RUSSIA": 5, "AUSTRIA": 8}, None),
        ({"ENGLAND": 9, "FRANCE": 9, "RUSSIA": 6, "AUSTRIA": 8}, {"ENGLAND", "FRANCE", "RUSSIA"}),
    ],
    ids=["one power has eighteen", "three have twenty-three", "three have twenty-four"],
)
def test_two_players_need_twenty_four_together(begin, counts, winners):
    phase = begin("2000-2")
    assert phase.game.centers_to_win == 24
    ending = find_outcome(phase, owned(phase, **counts), NO_VOTES)
    assert (set(ending.winners) if ending else None) == winners


@pytest.mark.parametrize(
    ("judged", "coming", "own", "won"),
    [
        ("F1914M", "W1914A", 21, False),
        ("F1914M", "S1915M", 20, False),
        ("F1914M", "S1915M", 21, True),
        ("W1914A", "S1915M", 21, True),
        ("S1915M", "F1915M", 21, True),
    ],
    ids=[
        "the coin has not joined it to anyone yet",
        "too few with Italy",
        "nothing to adjust: Italy joins at once",
        "Italy joins after the adjustments",
        "Italy has joined",
    ],
)
@pytest.mark.parametrize("lucky", [True, False], ids=["for whom it fell", "for the other"])
def test_italy_counts_for_whom_it_joins_from_spring_1915_on(begin, judged, coming, own, won, lucky):
    phase, coming = begin("2000-2"), JudgePhase.parse(coming)
    phase.name = judged
    joined = phase.game.players_at(JudgePhase.parse("S1915M"))
    (side,) = [[p for p in powers if p != "ITALY"] for powers in joined if "ITALY" in powers]
    if not lucky:
        (side,) = [list(powers) for powers in joined if "ITALY" not in powers]
    result = owned(phase, **{side[0]: own, "ITALY": 3})
    result = replace(result, next=replace(result.next, phase=coming))
    ending = find_outcome(phase, result, NO_VOTES)
    assert (ending is not None) == (won and lucky)
    if ending:
        assert set(ending.winners) == {*side, "ITALY"}
        with_italy = ", when Italy joined" if judged != "S1915M" else ""
        when = {"F": "Fall 1914", "W": "Winter 1914", "S": "Spring 1915"}[judged[0]]
        assert ending.reason.endswith(f"owned 24 of 34 centers after {when}{with_italy}.")


def test_the_number_can_be_agreed(begin):
    phase = begin("2000-2", centers=20)
    result = owned(phase, ENGLAND=10, FRANCE=10)
    assert find_outcome(phase, result, NO_VOTES) is not None


def test_pairs_count_each_power_alone(begin):
    phase = begin("2000-4", turns=1)
    after = owned(phase, AUSTRIA=5, FRANCE=5, ENGLAND=6)
    late = replace(after.next.phase, year=1902)
    ending = find_outcome(phase, replace(after, next=replace(after.next, phase=late)), NO_VOTES)
    assert ending.winners == ("ENGLAND",)


def test_a_power_that_nobody_plays_wins_nothing(begin):
    phase = begin("2000-6", turns=1)
    after = owned(phase, ITALY=9, ENGLAND=4)
    late = replace(after.next.phase, year=1902)
    ending = find_outcome(phase, replace(after, next=replace(after.next, phase=late)), NO_VOTES)
    assert ending.winners == ("ENGLAND",)


def test_nor_does_it_share_a_draw(begin, people):
    begin("2000-6")
    open_vote(
        slug="aaaaaaaaaa",
        user_id=people["alice"],
        sequence=1,
        question=Question.DRAW,
        terms=Terms(),
        now=timezone.now(),
    )
    game = Game.objects.get()
    assert game.status == "finished"
    assert "ITALY" not in game.ending.winners
    assert len(game.ending.winners) == 6


def test_the_page_names_the_winner_s_countries(begin, people):
    from tests.cast import Cast

    phase = begin("2000-2")
    game = phase.game
    cast = Cast(game.slug, game.pk, **people)
    phase.position = owned(phase, ENGLAND=9, FRANCE=9, RUSSIA=6).next
    phase.save()
    game.status, game.finished_at = "finished", timezone.now()
    game.ending = {"v": 1, "winners": ["ENGLAND", "FRANCE", "RUSSIA"], "reason": "They won."}
    game.save()
    view = cast.client("nobody").get(cast.url()).context["view"]
    (winner,) = view.ending.winners
    assert [part.country for part in winner.parts] == ["England", "France", "Russia"]
    assert winner.centers == 24
    (card,) = cast.client("nobody").get("/games/").context["lobby"].others["finished"].games
    assert describe_outcome(card.winners) == "England, France and Russia won"


def test_who_wins_with_the_power_that_joined_by_a_coin_has_not_shared_it(begin, people):
    from tests.cast import Cast

    game = begin("2000-2").game
    cast = Cast(game.slug, game.pk, **people)
    mine = next(
        powers for powers in game.players if game.seats.get(user=cast.alice).power in powers
    )
    finish_game(game, Ending((*mine, Power("ITALY")), "They won."), timezone.now())
    person = cast.client("nobody").get("/people/Alice/").context["profile"]
    assert [game.outcome for game in person.games] == ["won"]
