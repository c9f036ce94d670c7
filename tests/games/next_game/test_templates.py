"""The templates of the next games, which the host edits with a command."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from diplomaccloud.games.next_game.models import GameTemplate, NextGame
from diplomaccloud.games.next_game.read import list_next_games
from diplomaccloud.games.table.models import Game, Status
from diplomaccloud.games.visibility.read import Viewer
from diplomaccloud.maps.models import StoredChart


def run(*arguments):
    output = StringIO()
    call_command("nextgame", *arguments, stdout=output)
    return output.getvalue()


def test_a_new_site_has_two(db):
    assert run().splitlines() == [
        "1. Europe, a turn a day: standard, daily, press full, rules 2000 (no game yet)",
        "2. A new world, live this evening: new, evening, press none, rules 2000 (no game yet)",
    ]


def test_a_change_replaces_a_game_that_nobody_has_joined(hall):
    before = hall.game
    run("1", "--press=public")
    assert Game.objects.get(pk=before.pk).status == Status.CANCELED
    assert hall.game.options.press == "public"


def test_a_game_that_somebody_has_joined_stays(hall):
    before = hall.game
    hall.join(0)
    run("1", "--press=public", "--title=Europe in public")
    assert hall.game == before
    (offer,) = list_next_games(Viewer(None))
    assert offer.title == "Europe, a turn a day"
    hall.join(1, 2, 3)
    hall.confirm(0, 1, 2)
    hall.wait(hours=12)
    assert hall.game.options.press == "public"
    assert hall.row.title == "Europe in public"


def test_removing_one_ends_with_its_waiting_game(hall):
    hall.join(0, 1, 2, 3)
    hall.confirm(0, 1, 2)
    run("1", "--remove")
    hall.wait(hours=12)
    assert not NextGame.objects.filter(waiting=True).exists()


def test_a_missing_map_is_stored_before_the_game_opens(settings, db):
    settings.NEXT_GAMES = True
    assert not StoredChart.objects.exists()
    run("1", "--title=Europe")
    assert NextGame.objects.get(waiting=True).title == "Europe"


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        (["4", "--title=x"], "from 1 to 3"),
        (["3"], "title"),
        (["1", "--speed=slow"], "speed"),
        (["1", "--press=loud"], "press"),
        (["1", "--edition=1914"], "edition"),
        (["1", "--map=" + "0" * 64], "not in the gallery"),
        (["3", "--remove"], "no template 3"),
        (["--press=none"], "number"),
    ],
)
def test_a_bad_value_is_named(hall, arguments, fault):
    with pytest.raises(CommandError, match=fault):
        run(*arguments)
    assert GameTemplate.objects.get(slot=1).press == "full"
