"""The featured game: which game is chosen, what everyone sees of it, and when it vanishes."""

import datetime as dt
from pathlib import Path

import pytest
from django.utils import timezone
from tests.games.steps import asked, due, end_game, game, phase

from diplomaccloud.accounts.models import User
from diplomaccloud.games.featured import actions
from diplomaccloud.games.featured.actions import CHOSEN_FOR, RECENT, tend_featured_game
from diplomaccloud.games.featured.models import FeaturedGame
from diplomaccloud.games.featured.read import read_featured_game
from diplomaccloud.games.following.actions import follow_game
from diplomaccloud.games.following.models import GameFollow
from diplomaccloud.games.hall.models import Standing
from diplomaccloud.games.table.models import FROZEN, Game, Seat
from diplomaccloud.games.table.phase_models import Phase
from diplomaccloud.games.visibility.read import Viewer
from diplomaccloud.sandbox import moving_picture

READERS = ("alice", "charlie", "nobody")


@pytest.fixture(autouse=True)
def quick_pictures(monkeypatch):
    """Draw pictures without their land, which takes most of the time."""
    monkeypatch.setattr(moving_picture, "compress_card", lambda _: b"land")


@pytest.fixture
def public(cast):
    """The game of the cast with four people, after its first turn."""
    due(cast)
    fill_seats(game(), 4)
    return cast


def fill_seats(row, people):
    seats = Seat.objects.filter(game=row)
    missing = people - seats.exclude(user=None).count()
    for seat in seats.exclude(bot="").order_by("pk")[:missing]:
        seat.bot, seat.user = "", User.objects.create(username=f"Player {row.pk} {seat.pk}")
        seat.save()


def tend(after=dt.timedelta()):
    """Do the round of a worker so long after the last turn."""
    open_phase = Phase.objects.get(game__slug="aaaaaaaaaa", open=True)
    tend_featured_game(now=open_phase.opens_at + after)


def featured():
    found = read_featured_game(Viewer(None))
    return found.card.slug if found else None


def copy_game(slug, *, followers=0, leader=3, **fields):
    """Return a copy of the game with other fields; its leader has `leader` centers."""
    made = Game.objects.get(slug="aaaaaaaaaa")
    phases, seats = list(made.phases.all()), list(made.seats.all())
    made.pk, made.slug = None, slug
    vars(made).update(fields)
    made.save()
    Standing.objects.create(game=made, drawn="drawn", strengths={"TURKEY": [leader, leader]})
    for row in (*phases, *seats):
        row.pk, row.game = None, made
        row.save()
    for number in range(followers):
        fan = User.objects.create(username=f"Fan {slug} {number}")
        GameFollow.objects.create(game=made, follower=fan, since_at=made.created_at)
    return made


class TestChoice:
    def test_a_public_game_of_four_people_with_a_recent_turn(self, public):
        tend()
        assert featured() == public.slug

    def test_three_people_are_too_few(self, public):
        extra = Seat.objects.filter(user__username__startswith="Player").first()
        extra.user, extra.bot = None, "hold"
        extra.save()
        tend()
        assert featured() is None

    def test_guests_do_not_count(self, public):
        User.objects.filter(username__startswith="Player").update(guest=True)
        tend()
        assert featured() is None

    @pytest.mark.parametrize(
        "fields", [{"private": True}, {"watchable": False}, {"suspended_reason": FROZEN}]
    )
    def test_not_a_game_that_not_everyone_may_watch(self, public, fields):
        Game.objects.update(**fields)
        tend()
        assert not FeaturedGame.objects.exists()

    def test_not_a_game_without_a_turn_lately(self, public):
        tend(RECENT)
        assert featured() is None
        tend(RECENT - dt.timedelta(minutes=1))
        assert featured() == public.slug

    def test_not_a_game_before_its_first_turn(self, cast):
        fill_seats(game(), 4)
        tend()
        assert featured() is None

    @pytest.mark.parametrize(
        ("one", "other", "best"),
        [
            ({"followers": 1}, {"followers": 2}, "other"),
            ({"leader": 9}, {"leader": 8}, "one"),
            # Half of the eighteen centers that win are worth five followers.
            ({"leader": 9}, {"leader": 0, "followers": 4}, "one"),
            ({"leader": 9}, {"leader": 0, "followers": 6}, "other"),
        ],
    )
    def test_followers_and_the_leaders_nearness_to_a_win_decide(self, public, one, other, best):
        copy_game("one2222222", **one)
        copy_game("other22222", **other)
        tend()
        assert featured().startswith(best)

    def test_hidden_names_hide_the_followers_too(self, public, agree):
        agree(anonymous=True)
        copy_game("one2222222", followers=3)
        copy_game("other22222", leader=4)
        tend()
        assert featured() == "other22222"

    def test_it_stays_for_an_hour(self, public):
        tend()
        copy_game("one2222222", followers=3)
        tend(CHOSEN_FOR - dt.timedelta(minutes=1))
        assert featured() == public.slug
        tend(CHOSEN_FOR)
        assert featured() == "one2222222"

    def test_a_game_that_no_longer_fits_is_replaced_at_once(self, public):
        tend()
        copy_game("one2222222")
        Game.objects.filter(slug=public.slug).update(private=True)
        tend()
        assert featured() == "one2222222"

    def test_a_game_that_cannot_be_drawn_leaves_its_place_to_the_next(self, public, monkeypatch):
        copy_game("one2222222", followers=1)
        draw = actions._draw

        def fail(row):
            if row.game.slug == "one2222222":
                raise ValueError
            return draw(row)

        monkeypatch.setattr(actions, "_draw", fail)
        tend()
        assert featured() == public.slug

    def test_more_games_take_no_more_queries(self, public):
        tend()
        FeaturedGame.objects.all().delete()
        few = len(asked(tend))
        FeaturedGame.objects.all().delete()
        for number in range(2, 6):
            copy_game(f"one222222{number}")
        assert len(asked(tend)) == few


class TestTurn:
    def test_the_last_movement_phase_moves(self, public):
        tend()
        row = FeaturedGame.objects.get()
        assert row.phase.name == "S1901M"
        assert "<animateMotion" not in row.light  # everyone held

    def test_a_new_turn_is_drawn_within_the_hour(self, public):
        tend()
        before = FeaturedGame.objects.get()
        FeaturedGame.objects.update(phase=phase(), turn="")
        tend(CHOSEN_FOR / 2)
        after = FeaturedGame.objects.get()
        assert (after.phase, after.turn) == (before.phase, before.turn)
        assert after.chosen_at == before.chosen_at

    def test_without_a_new_turn_nothing_is_drawn(self, public, monkeypatch):
        tend()
        monkeypatch.setattr(actions, "_draw", None)
        tend(CHOSEN_FOR)
        assert featured() == public.slug
        assert FeaturedGame.objects.get().chosen_at == phase().opens_at + CHOSEN_FOR

    def test_a_turn_that_was_rolled_back_is_not_shown(self, public):
        tend()
        Phase.objects.filter(name="S1901M").update(superseded_at=timezone.now())
        assert featured() is None


class TestReaders:
    def read(self, cast, who, path="/"):
        return cast.client(who).get(path).content.decode()

    @pytest.mark.parametrize("who", READERS)
    @pytest.mark.parametrize("path", ["/", "/games/"])
    def test_everyone_sees_the_same_card(self, public, who, path):
        tend()
        name = FeaturedGame.objects.get().turn
        page = self.read(public, who, path)
        assert f"/games/featured/{name}-dark.svg" in page
        assert "Spring 1901</p>" in page
        assert repr(read_featured_game(Viewer(public.user_id(who))).card) == repr(
            read_featured_game(Viewer(None)).card
        )

    @pytest.mark.parametrize("who", READERS)
    @pytest.mark.parametrize("path", ["/", "/games/"])
    def test_the_pictures_are_sent_while_everyone_may_watch(self, public, who, path):
        tend()
        row = FeaturedGame.objects.get()
        address = f"/games/featured/{row.turn}-light.svg"
        answer = public.client(who).get(address)
        assert answer.content.decode() == row.light
        assert answer.headers["Content-Type"] == "image/svg+xml"
        Game.objects.update(private=True)
        assert public.client(who).get(address).status_code == 404
        assert row.turn not in self.read(public, who, path)

    @pytest.mark.parametrize("who", READERS)
    def test_an_anonymous_game_shows_nobody(self, public, agree, who):
        agree(anonymous=True)
        tend()
        names = list(User.objects.values_list("username", flat=True))
        shown = repr(read_featured_game(Viewer(public.user_id(who))))
        assert not [name for name in names if name in shown]

    @pytest.mark.parametrize(
        ("who", "follows"), [("alice", None), ("charlie", False), ("nobody", None)]
    )
    def test_only_who_can_follow_it_is_asked_to(self, public, who, follows):
        tend()
        assert read_featured_game(Viewer(public.user_id(who))).follows is follows
        assert ("> the featured game<" in self.read(public, who)) is (follows is not None)

    def test_who_follows_it_can_unfollow(self, public):
        tend()
        follow_game(user_id=public.charlie, slug=public.slug, now=timezone.now())
        assert read_featured_game(Viewer(public.charlie)).follows is True

    def test_a_finished_game_gives_way_to_the_demo_at_once(self, public):
        tend()
        end_game()
        page = self.read(public, "nobody")
        assert "games/featured/demo-light.svg" in page
        assert featured() is None

    def test_a_filtered_lobby_shows_none(self, public):
        tend()
        assert "featured-game" not in self.read(public, "nobody", "/games/?q=Test")

    def test_home_lists_it_only_once(self, public):
        tend()
        assert self.read(public, "nobody").count(f'<a href="/games/{public.slug}/">') == 1


def test_the_demo_is_a_small_moving_picture():
    from django.contrib.staticfiles import finders

    for theme in ("light", "dark"):
        drawn = Path(finders.find(f"games/featured/demo-{theme}.svg")).read_text(encoding="utf-8")
        assert "<animateMotion" in drawn
        assert len(drawn) < 50_000
        assert finders.find(f"games/featured/demo-{theme}.webp")
