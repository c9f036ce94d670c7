"""Next games: the site opens them here, and ten people come and go."""

import pytest
from tests.games.next_game.hall import Hall

from diplomaccloud.accounts.models import User
from diplomaccloud.games.next_game.models import GameTemplate


@pytest.fixture
def hall(standard, now, settings, db):
    """A site with one template, Europe, and ten people."""
    settings.NEXT_GAMES = True
    GameTemplate.objects.filter(slot=2).update(active=False)
    people = [User(username=f"Player{n}") for n in range(10)]
    for person in people:
        person.set_unusable_password()
        person.save()
    hall = Hall([person.pk for person in people], now)
    hall.tend()
    return hall
