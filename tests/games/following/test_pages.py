"""Buttons and the list of what a person follows."""

import pytest
from django.test import Client
from django.utils import timezone

from diplomaccloud.games.following import wording
from diplomaccloud.games.following.actions import follow_game, follow_person, let_people_follow
from diplomaccloud.games.following.models import GameFollow, PersonFollow, Unfollowable
from diplomaccloud.games.table.models import Game

LIST = "/account/following/"


def button(page):
    """Return the value of the button that follows: 1 to follow, 0 to unfollow, or None."""
    text = page.content.decode()
    found = [value for value in "01" if f'name="follow" value="{value}"' in text]
    return found[0] if found else None


class TestButtons:
    @pytest.mark.parametrize(
        ("who", "shown"), [("alice", None), ("bob", None), ("charlie", "1"), ("nobody", None)]
    )
    def test_of_a_running_game(self, cast, who, shown):
        assert button(cast.client(who).get(cast.url())) == shown

    @pytest.mark.parametrize(
        ("who", "shown"), [("alice", None), ("charlie", "1"), ("nobody", None)]
    )
    def test_of_a_waiting_game(self, forming, who, shown):
        assert button(forming.client(who).get(forming.url())) == shown

    def test_of_a_private_game_there_is_none(self, forming):
        Game.objects.update(private=True)
        page = forming.client("charlie").get(f"{forming.url()}?code=letmein222")
        assert button(page) is None

    def test_a_master_does_not_need_one(self, table):
        assert button(table.client("charlie").get(table.url())) is None

    def test_of_a_game_switch(self, cast):
        charlie = cast.client("charlie")
        answer = charlie.post(cast.url("follow/"), {"follow": "1"}, follow=True)
        assert wording.FOLLOWS_GAME in answer.content.decode()
        assert button(answer) == "0"
        charlie.post(cast.url("follow/"), {"follow": "0"})
        assert not GameFollow.objects.exists()

    @pytest.mark.parametrize(("who", "shown"), [("bob", None), ("charlie", "1"), ("nobody", None)])
    def test_of_a_person(self, cast, who, shown):
        assert button(cast.client(who).get("/people/Bob/")) == shown

    def test_of_a_person_switch(self, cast):
        charlie = cast.client("charlie")
        answer = charlie.post("/people/Bob/follow/", {"follow": "1"}, follow=True)
        assert answer.redirect_chain == [("/people/Bob/", 303)]
        assert button(answer) == "0"
        answer = charlie.post("/people/Bob/follow/", {"follow": "0", "from": "list"})
        assert answer.headers["Location"] == LIST
        assert not PersonFollow.objects.exists()

    def test_a_refusal_is_shown_on_the_page(self, cast):
        let_people_follow(user_id=cast.bob, is_allowed=False)
        answer = cast.client("charlie").post("/people/Bob/follow/", {"follow": "1"}, follow=True)
        assert wording.REFUSES.format(name="Bob") in answer.content.decode()

    @pytest.mark.parametrize("address", ["/people/Bob/follow/", "/games/aaaaaaaaaa/follow/"])
    def test_visitors_log_in_first_and_come_back_to_the_page(self, cast, address):
        answer = Client().post(address, {"follow": "1"})
        page = address.removesuffix("follow/")
        assert answer.headers["Location"].endswith(f"?next={page}")


class TestList:
    def test_it_is_for_its_owner_alone(self, cast):
        now = timezone.now()
        follow_person(user_id=cast.charlie, name="Bob", now=now)
        follow_game(user_id=cast.charlie, slug=cast.slug, now=now)
        page = cast.client("charlie").get(LIST).content.decode()
        assert 'href="/people/Bob/"' in page
        assert f'href="{cast.url()}"' in page
        assert 'href="/people/Bob/"' not in cast.client("alice").get(LIST).content.decode()
        assert Client().get(LIST).status_code == 302

    @pytest.mark.parametrize(
        ("name", "text"),
        [
            ("Charlie", wording.NOT_YOURSELF),
            ("No One", wording.NOBODY),
            ("", "errorlist"),
        ],
    )
    def test_a_refused_name_stays_in_its_field(self, cast, name, text):
        answer = cast.client("charlie").post(LIST, {"name": name})
        assert answer.status_code == 422
        assert text in answer.content.decode()
        assert answer.context["form"]["name"].value() == name

    def test_a_player_is_followed_by_name(self, cast):
        answer = cast.client("charlie").post(LIST, {"name": "bob"}, follow=True)
        assert [one.name for one in answer.context["listed"].people] == ["Bob"]

    def test_followers_are_refused_and_allowed(self, cast):
        bob = cast.client("bob")
        bob.post(f"{LIST}followers/", {"allowed": "0"})
        assert Unfollowable.objects.filter(user=cast.bob).exists()
        bob.post(f"{LIST}followers/", {"allowed": "1"})
        assert not Unfollowable.objects.exists()
