"""The coin of 1914: no one can learn its result before it is shown, or gain from knowing it."""

from dataclasses import replace

import pytest
from django.utils import timezone
from tests.cast import Cast
from tests.games.steps import begun, due, game, phase, vote_with_orders

from diplomaccloud.games.master.rollback import roll_back, roll_forward
from diplomaccloud.games.table.log_models import LogEntry
from diplomaccloud.games.table.models import Game
from diplomaccloud.judge.board import Power, UnitKind
from diplomaccloud.judge.phases import Phase as JudgePhase
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.units import Unit
from diplomaccloud.setups import flip_coin

SEEDS = {"for one side": "heads", "for the other": "s"}


@pytest.fixture(params=SEEDS.values(), ids=SEEDS)
def two(request, plan, people):
    """A function that begins a game of two, Alice and a bot that holds, with other ends."""

    def start(**ends):
        ends = replace(plan.options.ends, **ends)
        made = begun(
            plan,
            people["alice"],
            seed=request.param,
            now=timezone.now(),
            setup="2000-2",
            ends=ends,
            missed=replace(plan.options.missed, limit=0),
        )
        return Cast(made.slug, made.pk, **people)

    return start


def sides():
    return {frozenset(powers) for powers in game().players}


def shown_sides(seats):
    return {frozenset(part.power for part in seat.parts) for seat in seats}


def test_the_coin_falls_both_ways():
    assert {flip_coin(seed) for seed in SEEDS.values()} == {0, 1}


def test_an_end_before_the_coin_is_told_does_not_tell_it(two):
    cast = two()
    due(cast)
    vote_with_orders({game().seats.get(user=cast.alice).power: "draw"})
    due(cast)
    assert game().status == "finished"
    assert str(phase().resolution.next.phase) == "S1915M"
    assert not LogEntry.objects.filter(kind="coin").exists()
    for page in ("", "centers/", "statistics/", "phases/2/"):
        view = cast.client("nobody").get(cast.url(page)).context["view"]
        assert shown_sides(view.seats) == sides()
        assert {seat.centers for seat in view.seats} == {9, 10}
    end = cast.client("nobody").get(cast.url()).context["view"]
    assert shown_sides(end.ending.winners) == sides()
    assert end.idle == ("Italy",)
    assert "Not included: Italy, which nobody played" in end.ending.shares


def test_italy_counts_for_nobody_when_time_is_up_before_it_joins(two):
    cast = two(last_year=1914)
    for _ in range(2):
        due(cast)
    assert game().ending.winners == ("ENGLAND", "FRANCE", "RUSSIA")
    assert game().ending.reason.endswith("England, France, Russia led with 10 centers.")


def test_who_wins_by_the_coin_is_told_of_it(two):
    cast = two()
    joined = game().players_at(JudgePhase.parse("S1915M"))
    (lucky,) = [powers for powers in joined if "ITALY" in powers]
    codes = sorted(phase().board.centers)[:24]
    owners = {code: Power("ITALY" if at > 20 else lucky[0]) for at, code in enumerate(codes)}
    units = tuple(Unit(UnitKind.ARMY, code, owner) for code, owner in owners.items())
    row = phase()
    row.name, fall = "F1914M", JudgePhase.parse("F1914M")
    row.position = Position(fall, units, owners)
    row.save()
    due(cast)
    assert set(game().ending.winners) == set(lucky)
    (entry,) = LogEntry.objects.filter(kind="coin")
    assert entry.text.startswith("The coin was flipped: Italy joins ")
    (winner,) = cast.client("nobody").get(cast.url()).context["view"].ending.winners
    assert {part.power for part in winner.parts} == set(lucky)
    assert Game.objects.get().status == "finished"


def test_a_rollback_to_before_a_coin_that_is_known_brings_another(two):
    cast = two()
    Game.objects.update(master_id=cast.charlie)
    known = {"slug": cast.slug, "user_id": cast.charlie, "reason": "So.", "now": timezone.now()}
    first = game().coin
    for _ in range(2):
        due(cast)
    assert phase().name == "S1915M"
    roll_back(**known, sequence=phase().sequence, to=1)
    second = game().coin
    assert second != first
    assert len(second) == 64
    due(cast)
    due(cast)
    assert LogEntry.objects.filter(kind="coin").count() == 2
    due(cast)
    # Once it is flipped it stays, so that the power does not change sides.
    roll_back(**known, sequence=phase().sequence, to=phase().sequence - 1)
    assert (phase().name, game().coin) == ("S1915M", second)
    roll_forward(**known, sequence=phase().sequence)
    assert game().coin == second
    assert LogEntry.objects.filter(kind="coin").count() == 2
