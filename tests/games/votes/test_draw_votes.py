"""DRAW and SURRENDER by the pages: players with several powers, and players who have left."""

from dataclasses import replace

import pytest
from django.test import Client
from django.utils import timezone

from diplomaccloud.accounts.models import User
from diplomaccloud.games.creation.actions import create_game
from diplomaccloud.games.lobby.actions import join_game, start_game
from diplomaccloud.games.table.models import Game, Seat
from diplomaccloud.games.turn.claims import advance
from diplomaccloud.setups import setups


class Board:
    """A game in which people play every seat, and what they do at their browsers."""

    def __init__(self, plan, setup, **ends):
        options = replace(plan.options, setup=setup, fill_with="")
        options = replace(options, ends=replace(options.ends, **ends))
        users = [User.objects.create_user(f"P{at}") for at in range(len(setups()[setup].players))]
        now = timezone.now()
        game = create_game(
            plan=replace(plan, options=options),
            creator_id=users[0].pk,
            now=now,
            slug="bbbbbbbbbb",
            code="letmein222",
            seed="s",
        )
        for user in users[1:]:
            join_game(slug=game.slug, user_id=user.pk, now=now)
        start_game(slug=game.slug, user_id=users[0].pk, now=now)
        seats = Seat.objects.exclude(user=None).order_by("power").select_related("user")
        self.people = {seat.power: seat.user for seat in seats}

    def press(self, power, page, /, **sent):
        client, phase = Client(), Game.objects.get().phases.latest("sequence")
        client.force_login(self.people[power])
        answer = client.post(f"/games/bbbbbbbbbb/{page}/", {"phase": phase.sequence, **sent})
        assert answer.status_code in (302, 303), answer.content.decode()

    def vote(self, vote, *powers):
        for power in powers:
            self.press(power, "draw-vote", vote=vote, sure="1")

    def leave(self, *powers):
        for power in powers:
            self.press(power, "resign")

    def resolve(self):
        """Return who has won once the phase is resolved, None if the game goes on."""
        game = Game.objects.get()
        phase = game.phases.latest("sequence")
        advance(game_id=game.pk, owner="the test", now=phase.adjudicate_at)
        game.refresh_from_db()
        assert not game.suspended_reason
        return set(game.ending.winners) if game.ending else None


@pytest.mark.parametrize(
    ("setup", "last"),
    [("2000-4", "AUSTRIA"), ("2000-4", "ENGLAND"), ("2000-3", "FRANCE"), ("2000-2", "AUSTRIA")],
)
def test_the_last_player_wins_with_all_of_several_powers(plan, setup, last):
    board = Board(plan, setup)
    board.vote("surrender", *(set(board.people) - {last}))
    played = next(powers for powers in setups()[setup].players if last in powers)
    assert board.resolve() == set(played)


def test_two_players_with_several_powers_go_on_when_a_third_surrenders(plan):
    board = Board(plan, "2000-3")
    board.vote("surrender", "FRANCE")
    assert board.resolve() is None


def test_who_left_is_not_asked_about_a_draw_and_does_not_share_it(plan):
    board = Board(plan, "2000-6")
    board.leave("AUSTRIA")
    board.vote("draw", *(set(board.people) - {"AUSTRIA"}))
    assert board.resolve() == set(board.people) - {"AUSTRIA"}


def test_nor_in_a_draw_by_motion(plan):
    board = Board(plan, "early-3")
    board.leave("FRANCE")
    board.press("ENGLAND", "votes", question="draw")
    vote = Game.objects.get().votes.get()
    board.press("GERMANY", "votes/answer", vote_id=vote.pk, answer="yes")
    assert set(Game.objects.get().ending.winners) == {"ENGLAND", "GERMANY"}


def test_the_last_who_has_not_left_wins(plan):
    board = Board(plan, "early-3")
    board.leave("FRANCE", "GERMANY")
    assert board.resolve() == {"ENGLAND"}


def test_a_seat_that_is_taken_again_counts(plan):
    board = Board(plan, "early-3")
    board.leave("FRANCE", "GERMANY")
    board.press("FRANCE", "take-over", power="FRANCE")
    assert board.resolve() is None


def test_a_game_that_all_have_left_goes_on(plan):
    board = Board(plan, "early-3")
    board.leave(*board.people)
    assert board.resolve() is None


class TestWhenTimeIsUp:
    """Russia begins with four centers, the others with three."""

    def test_who_surrendered_has_not_won(self, plan):
        board = Board(plan, "2000-6", turns=1)
        board.vote("surrender", "RUSSIA")
        assert board.resolve() == set(board.people) - {"RUSSIA"}

    def test_nor_who_left(self, plan):
        board = Board(plan, "2000-6", turns=1)
        board.leave("RUSSIA")
        assert board.resolve() == set(board.people) - {"RUSSIA"}

    def test_a_game_that_all_have_left_still_ends(self, plan):
        board = Board(plan, "2000-6", turns=1)
        board.leave(*board.people)
        assert board.resolve() == {"RUSSIA"}
