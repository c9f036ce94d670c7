"""A game of seven people, with a game master and a stranger."""

import pytest
from django.test import Client
from tests.games.large_games import begin
from tests.press.archive import Archive
from tests.press.people import TalkingGame
from tests.scenes import scene

from diplomaccloud.accounts.models import User
from diplomaccloud.games.table.models import Game

SEVEN = ("Anna", "Bruno", "Clara", "Dieter", "Elena", "Fabio", "Greta")


@pytest.fixture
@scene
def talking(db):
    """A running game of seven people; Morgan is its game master, Sam a stranger."""
    from django.utils import timezone

    people = [User.objects.create(username=name).pk for name in SEVEN]
    game = begin(people, 1, now=timezone.now())
    master = User.objects.create(username="Morgan")
    User.objects.create(username="Sam")
    Game.objects.filter(pk=game.pk).update(master=master)
    return TalkingGame(game)


@pytest.fixture
def client_of(talking):
    """A function that returns a browser, with or without a person logged in."""

    def make(who=None):
        client = Client()
        if who:
            client.force_login(User.objects.get(pk=talking.user_id(who)))
        return client

    return make


@pytest.fixture
def archive(talking):
    """A game in which people have talked; it can end, and conversations can be opened."""
    return Archive(talking)
