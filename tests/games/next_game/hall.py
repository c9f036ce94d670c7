"""People in the waiting rooms of next games, and a clock that the test moves."""

import datetime as dt
from dataclasses import dataclass

from diplomaccloud.games.lobby.actions import join_game, leave_game
from diplomaccloud.games.next_game.actions import (
    confirm,
    open_missing,
    start_with_bots,
    tend_next_games,
)
from diplomaccloud.games.next_game.models import NextGame
from diplomaccloud.games.table.models import Seat


@dataclass
class Hall:
    """The waiting game, and what people do in it, by their number."""

    people: list[int]
    now: dt.datetime

    @property
    def row(self):
        return NextGame.objects.get(waiting=True)

    @property
    def game(self):
        return self.row.game

    def tend(self):
        """Do what a worker does; return the keys of games that started."""
        started = tend_next_games(now=self.now)
        open_missing(now=self.now)
        return started

    def wait(self, **span):
        self.now += dt.timedelta(**span)
        return self.tend()

    def join(self, *numbers):
        slug = self.game.slug
        return [self.do(join_game, number, slug) for number in numbers]

    def leave(self, *numbers):
        return [self.do(leave_game, number) for number in numbers]

    def confirm(self, *numbers):
        return [self.do(confirm, number) for number in numbers]

    def agree(self, *numbers):
        return [self.do(start_with_bots, number) for number in numbers]

    def do(self, action, number, slug=""):
        slug = slug or self.game.slug
        return action(slug=slug, user_id=self.people[number], now=self.now)

    def seated(self, game=None):
        seats = Seat.objects.filter(game=game or self.game).exclude(user=None)
        return {self.people.index(user) for user in seats.values_list("user", flat=True)}
