"""Next games as boxes and waiting rooms, for visitors, strangers and the people who are in."""

import datetime as dt

import pytest
from django.template.loader import render_to_string
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from diplomaccloud.accounts.models import User
from diplomaccloud.games.home.page import present_home
from diplomaccloud.games.home.read import read_home
from diplomaccloud.games.next_game.models import NextGame
from diplomaccloud.games.next_game.page import present_next_games
from diplomaccloud.games.next_game.wording import CONFIRM, WAITS, WITH_BOTS
from diplomaccloud.games.table.models import Game, Status
from diplomaccloud.games.visibility.read import Viewer


def browse(hall, number):
    client = Client()
    client.force_login(User.objects.get(pk=hall.people[number]))
    return client


def room(hall):
    return reverse("games:detail", args=[hall.game.slug])


def read(client, address):
    return client.get(address).content.decode()


def status(address):
    return Game.objects.get(slug=address.split("/")[2]).status


class TestBox:
    def test_it_says_who_is_in_and_when_the_muster_ends(self, hall):
        hall.join(0, 1, 2)
        (box,) = present_next_games(Viewer(hall.people[5]))
        assert (box.offer.names, box.offer.free) == (("Player0", "Player1", "Player2"), 4)
        assert (box.taken, box.free, box.offer.yours) == ("●●●", "●●●●", False)
        assert box.offer.muster_until_at is None
        hall.join(3)
        (box,) = present_next_games(Viewer(hall.people[3]))
        assert box.offer.muster_until_at == hall.row.due_at
        assert box.offer.confirmed

    def test_names_stay_hidden_in_an_anonymous_game(self, hall):
        game = hall.game
        game.options = {**game.options.to_json(), "anonymous": True}
        game.save()
        hall.join(0)
        (box,) = present_next_games(Viewer(None))
        assert (box.offer.names, box.offer.people) == ((), 1)

    def test_it_takes_two_queries(self, hall, django_assert_num_queries):
        hall.join(0, 1, 2, 3)
        present_next_games(Viewer(None))
        with django_assert_num_queries(2):
            present_next_games(Viewer(None))

    @pytest.mark.parametrize("number", [None, 1])
    def test_home_and_lobby_offer_a_game_against_bots_once(self, hall, number):
        client = Client() if number is None else browse(hall, number)
        for address in ("/", reverse("games:lobby")):
            assert read(client, address).count("against bots<") <= 1

    @pytest.mark.parametrize(
        ("number", "link"), [(None, "signup"), (5, "/join/"), (0, "/confirm/"), (3, "badge--done")]
    )
    def test_it_offers_what_its_reader_can_do(self, hall, number, link):
        hall.join(0, 1, 2, 3)
        user = User.objects.get(pk=hall.people[number]) if number is not None else None
        (box,) = present_next_games(Viewer(user.pk if user else None))
        text = render_to_string("games/next_game/_next_game.html", {"box": box, "user": user})
        assert link in text


class TestHome:
    def turn(self, hall, number):
        """Return the cards of a person's games in which it is the person's turn."""
        viewer = Viewer(hall.people[number])
        return present_home(read_home(viewer), viewer, hall.now).turn

    def test_an_open_muster_waits_for_those_who_have_not_confirmed(self, hall):
        hall.join(0, 1, 2)
        assert self.turn(hall, 0) == ()
        hall.join(3)
        (card,) = self.turn(hall, 0)
        assert (card.slug, card.is_due) == (hall.game.slug, True)
        assert card.ends_at == hall.row.due_at
        assert WAITS in card.marks
        hall.confirm(1)
        for other in (1, 3, 5):
            assert self.turn(hall, other) == ()

    def test_it_no_longer_waits_once_its_time_is_up_or_it_has_closed(self, hall):
        hall.join(0, 1, 2, 3)
        NextGame.objects.filter(waiting=True).update(due_at=timezone.now())
        assert self.turn(hall, 0) == ()
        hall.wait(hours=12)
        assert self.turn(hall, 3) == ()

    def test_the_nearest_deadline_comes_first(self, hall):
        old = hall.game.slug
        hall.join(*range(7))
        hall.confirm(0, 1, 2)
        new = hall.game.slug
        hall.join(0, 1, 2, 3)
        assert [card.slug for card in self.turn(hall, 0)] == [new, old]
        NextGame.objects.filter(waiting=True).update(due_at=hall.now + dt.timedelta(days=9))
        assert [card.slug for card in self.turn(hall, 0)] == [old, new]


class TestWaitingRoom:
    def test_a_visitor_reads_how_it_starts(self, hall):
        assert '<ul class="muster">' in read(Client(), room(hall))

    def test_a_player_confirms_and_the_game_starts(self, hall):
        hall.join(0, 1, 2, 3, 4, 5, 6)
        hall.confirm(0, 1)
        NextGame.objects.update(due_at=hall.now.replace(year=2999))
        client, address = browse(hall, 2), room(hall)
        assert CONFIRM in read(client, address)
        assert client.post(address + "confirm/").status_code == 303
        assert status(address) == Status.RUNNING

    def test_a_stranger_cannot_confirm(self, hall):
        hall.join(0, 1, 2, 3)
        client, address = browse(hall, 8), room(hall)
        assert "/confirm/" not in read(client, address)
        assert client.post(address + "confirm/").status_code == 403

    def test_few_people_can_start_with_bots(self, hall):
        hall.join(0)
        client, address = browse(hall, 0), room(hall)
        assert WITH_BOTS not in read(client, address)
        hall.join(1)
        assert WITH_BOTS in read(client, address)
        for number in (0, 1):
            assert browse(hall, number).post(address + "start-with-bots/").status_code == 303
        assert status(address) == Status.RUNNING

    def test_joining_as_the_muster_ends_is_refused_with_a_sentence(self, hall):
        hall.join(0, 1, 2, 3)
        NextGame.objects.update(due_at=hall.now.replace(year=2020))
        response = browse(hall, 4).post(room(hall) + "join/")
        assert response.status_code == 409
        assert "muster" in response.content.decode()
