"""Following people and games: who may, whom nobody may follow, and what accounts take along."""

import json

import pytest
from django.utils import timezone
from tests.games.steps import asked

from diplomaccloud.accounts.deletion import delete_account
from diplomaccloud.accounts.models import User
from diplomaccloud.games.following import actions, wording
from diplomaccloud.games.following.actions import (
    PART,
    follow_game,
    follow_person,
    let_people_follow,
    unfollow_game,
    unfollow_person,
)
from diplomaccloud.games.following.models import GameFollow, PersonFollow, Unfollowable
from diplomaccloud.games.following.read import (
    count_followers,
    find_followed_games,
    follows_game,
    follows_person,
    list_following,
    list_game_followers,
    list_player_followers,
    name_followed,
)
from diplomaccloud.games.results.actions import finish_game
from diplomaccloud.games.table.errors import NoSuchGame, NoSuchPlayer, Refused
from diplomaccloud.games.table.models import Game
from diplomaccloud.games.visibility.read import Viewer
from diplomaccloud.judge.results import Ending
from diplomaccloud.press.conversations.actions import block_person


def follow(cast, who, name):
    follow_person(user_id=cast.user_id(who), name=name, now=timezone.now())


def watch(cast, who="charlie"):
    follow_game(user_id=cast.user_id(who), slug=cast.slug, now=timezone.now())


def block(cast, who, name, blocked=True):
    block_person(user_id=cast.user_id(who), name=name, blocked=blocked, now=timezone.now())


def followed(cast, who="charlie"):
    found = list_following(Viewer(cast.user_id(who)))
    return [one.name for one in found.people], [one.world for one in found.games]


class TestPeople:
    def test_a_follow_is_seen_by_the_follower_alone(self, cast):
        follow(cast, "charlie", "BOB")
        follow(cast, "charlie", "bob")
        assert followed(cast) == (["Bob"], [])
        assert followed(cast, "bob") == followed(cast, "alice") == ([], [])
        assert follows_person(Viewer(cast.charlie), cast.bob)
        assert not follows_person(Viewer(cast.bob), cast.charlie)
        assert not follows_person(Viewer(None), cast.bob)
        unfollow_person(user_id=cast.charlie, person_id=cast.bob)
        assert followed(cast) == ([], [])

    @pytest.mark.parametrize(
        ("name", "error", "text"),
        [
            pytest.param("charlie", Refused, wording.NOT_YOURSELF, id="oneself"),
            pytest.param("nobody at all", NoSuchPlayer, wording.NOBODY, id="an unknown name"),
            pytest.param("", NoSuchPlayer, wording.NOBODY, id="no name"),
        ],
    )
    def test_refused_names(self, cast, name, error, text):
        with pytest.raises(error) as refusal:
            follow(cast, "charlie", name)
        assert str(refusal.value) == text

    @pytest.mark.parametrize("field", ["guest", "is_active"])
    def test_guests_and_closed_accounts_cannot_be_followed(self, cast, field):
        User.objects.filter(pk=cast.bob).update(**{field: field == "guest"})
        with pytest.raises(NoSuchPlayer):
            follow(cast, "charlie", "Bob")

    def test_guests_follow_nobody(self, cast):
        User.objects.filter(pk=cast.charlie).update(guest=True)
        for act in (lambda: follow(cast, "charlie", "Bob"), lambda: watch(cast)):
            with pytest.raises(Refused, match=wording.GUEST):
                act()

    def test_a_block_and_the_setting_refuse_with_the_same_words(self, cast):
        refusals = []
        block(cast, "bob", "Charlie")
        with pytest.raises(Refused) as refusal:
            follow(cast, "charlie", "Bob")
        refusals.append(str(refusal.value))
        block(cast, "bob", "Charlie", blocked=False)
        follow(cast, "charlie", "Bob")
        let_people_follow(user_id=cast.bob, is_allowed=False)
        with pytest.raises(Refused) as refusal:
            follow(cast, "charlie", "Bob")
        assert [*refusals, str(refusal.value)] == 2 * [wording.REFUSES.format(name="Bob")]

    @pytest.mark.parametrize("way", ["block", "setting"])
    def test_both_end_what_began_before(self, cast, way):
        follow(cast, "charlie", "Bob")
        follow(cast, "charlie", "Alice")
        if way == "block":
            block(cast, "bob", "Charlie")
        else:
            let_people_follow(user_id=cast.bob, is_allowed=False)
        assert followed(cast)[0] == ["Alice"]

    def test_a_block_leaves_the_other_direction_and_others_alone(self, cast):
        follow(cast, "bob", "Charlie")
        follow(cast, "alice", "Bob")
        block(cast, "bob", "Charlie")
        assert followed(cast, "bob")[0] == ["Charlie"]
        assert followed(cast, "alice")[0] == ["Bob"]

    def test_followers_can_be_allowed_again(self, cast):
        let_people_follow(user_id=cast.bob, is_allowed=False)
        assert not list_following(Viewer(cast.bob)).is_open
        let_people_follow(user_id=cast.bob, is_allowed=True)
        follow(cast, "charlie", "Bob")
        assert list_following(Viewer(cast.bob)).is_open

    def test_there_is_a_limit(self, cast, monkeypatch):
        monkeypatch.setattr(actions, "MAX_FOLLOWED", 1)
        follow(cast, "charlie", "Bob")
        watch(cast)
        with pytest.raises(Refused, match="at most 1 people"):
            follow(cast, "charlie", "Alice")


class TestGames:
    def test_a_stranger_follows_a_public_game(self, cast):
        watch(cast)
        watch(cast)
        assert followed(cast) == ([], ["Testland"])
        assert follows_game(Viewer(cast.charlie), cast.game_id)
        assert count_followers([cast.game_id, 0]) == {cast.game_id: 1, 0: 0}
        unfollow_game(user_id=cast.charlie, game_id=cast.game_id)
        assert followed(cast) == ([], [])
        assert count_followers([cast.game_id]) == {cast.game_id: 0}

    @pytest.mark.parametrize("who", ["alice", "bob", "charlie"])
    def test_those_who_take_part_are_told_anyway(self, table, who):
        with pytest.raises(Refused, match=wording.ALREADY_TOLD):
            watch(table, who)

    def test_a_finished_game_has_nothing_to_follow(self, cast):
        finish(cast)
        with pytest.raises(Refused, match=wording.GAME_OVER):
            watch(cast)

    @pytest.mark.parametrize("change", ["private", "watched by players alone"])
    @pytest.mark.parametrize("who", ["alice", "charlie"])
    def test_other_games_cannot_be_followed_and_are_not_revealed(self, cast, agree, change, who):
        hide(agree, change)
        with pytest.raises(NoSuchGame):
            watch(cast, who)

    @pytest.mark.parametrize("change", ["private", "watched by players alone"])
    def test_a_game_that_is_no_longer_public_tells_nothing(self, cast, agree, change):
        watch(cast)
        follow(cast, "charlie", "Bob")
        hide(agree, change)
        assert followed(cast) == (["Bob"], [])
        assert told(cast) == (set(), [], [])
        assert count_followers([cast.game_id]) == {cast.game_id: 0}


class TestWhomToTell:
    def test_nobody_unless_somebody_follows(self, cast):
        assert told(cast) == (set(), [], [])
        follow(cast, "bob", "Charlie")
        assert told(cast) == (set(), [], [])

    def test_followers_of_the_game_and_of_its_players(self, cast):
        watch(cast)
        follow(cast, "charlie", "Bob")
        follow(cast, "charlie", "Alice")
        follow(cast, "alice", "Bob")
        people = [(cast.alice, (cast.bob,)), (cast.charlie, (cast.alice, cast.bob))]
        assert told(cast) == ({cast.game_id}, [cast.charlie], people)
        assert told(cast, after=cast.alice)[2] == people[1:]
        assert told(cast, after=cast.charlie)[1:] == ([], [])
        assert told(cast, limit=2)[2] == people[:1]

    def test_hidden_names_tell_the_followers_of_people_nothing_until_the_end(self, cast, agree):
        watch(cast)
        follow(cast, "charlie", "Bob")
        agree(anonymous=True)
        assert told(cast)[1:] == ([cast.charlie], [])
        assert count_followers([cast.game_id]) == {cast.game_id: 0}
        finish(cast)
        assert told(cast)[1:] == ([cast.charlie], [(cast.charlie, (cast.bob,))])
        assert count_followers([cast.game_id]) == {cast.game_id: 1}

    def test_names_are_those_of_people_whom_the_viewer_still_follows(self, cast):
        follow(cast, "charlie", "Bob")
        both = [cast.alice, cast.bob]
        assert name_followed(Viewer(cast.charlie), both) == {cast.bob: "Bob"}
        assert name_followed(Viewer(cast.alice), both) == {}

    def test_queries_do_not_depend_on_the_number_of_followers(self, cast):
        def count():
            return len(asked(lambda: (told(cast), count_followers([cast.game_id]))))

        watch(cast)
        follow(cast, "charlie", "Bob")
        few, now = count(), timezone.now()
        crowd = User.objects.bulk_create(User(username=f"crowd{n}") for n in range(300))
        GameFollow.objects.bulk_create(
            GameFollow(follower=one, game_id=cast.game_id, since_at=now) for one in crowd
        )
        PersonFollow.objects.bulk_create(
            PersonFollow(follower=one, person_id=cast.bob, since_at=now) for one in crowd
        )
        assert count() == few


class TestAccounts:
    def test_the_download_has_what_the_person_follows(self, cast):
        watch(cast)
        follow(cast, "charlie", "Bob")
        follow(cast, "alice", "Charlie")
        (file,) = PART.export(cast.charlie)
        content = json.loads("".join(file.lines))
        assert [row["name"] for row in content["people"]] == ["Bob"]
        assert [row["game"] for row in content["games"]] == [cast.slug]
        assert content["others_may_follow"] is True

    def test_deleting_an_account_ends_what_it_follows_and_who_follows_it(self, cast):
        watch(cast)
        follow(cast, "charlie", "Bob")
        follow(cast, "alice", "Charlie")
        follow(cast, "alice", "Bob")
        let_people_follow(user_id=cast.alice, is_allowed=False)
        delete_account(user_id=cast.charlie, now=timezone.now())
        assert list(PersonFollow.objects.values_list("follower", "person")) == [
            (cast.alice, cast.bob)
        ]
        assert not GameFollow.objects.exists()
        delete_account(user_id=cast.alice, now=timezone.now())
        assert not PersonFollow.objects.exists()
        assert not Unfollowable.objects.exists()


def hide(agree, change):
    if change == "private":
        Game.objects.update(private=True)
    else:
        agree(watch="players")


def finish(cast):
    finish_game(Game.objects.get(), Ending(("AUSTRIA",), "They won."), timezone.now())


def told(cast, after=0, limit=100):
    """Return whether anybody follows the game, and followers of the game and of its players."""
    return (
        find_followed_games([cast.game_id]),
        list_game_followers(cast.game_id, after=after, limit=limit),
        [
            (one.user, one.people)
            for one in list_player_followers(cast.game_id, after=after, limit=limit)
        ],
    )
