"""A person's page: what each kind of reader learns of games, and the sentences about figures."""

import datetime as dt
import hashlib

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from tests.games.steps import seat_people

from diplomaccloud.accounts.models import User
from diplomaccloud.games.people import read, views
from diplomaccloud.games.people.read import MapGroup, Person, Rival, read_profile
from diplomaccloud.games.people.wording import (
    describe_activity,
    describe_reliability,
    describe_rivalry,
)
from diplomaccloud.games.ratings.read import CurvePoint, KindRating, PersonRatings
from diplomaccloud.games.ratings.wording import Kind
from diplomaccloud.games.results.actions import find_differences, finish_game
from diplomaccloud.games.seats.read import Reliability
from diplomaccloud.games.table.log_models import (
    CountryFigures,
    PlayerFigures,
    RivalFigures,
    WorldFigures,
)
from diplomaccloud.games.table.models import Game
from diplomaccloud.games.visibility.read import Viewer
from diplomaccloud.judge.results import Ending
from diplomaccloud.maps.library import hide_map_name
from diplomaccloud.maps.models import StoredChart

READERS = ("alice", "bob", "charlie", "nobody")


def view(cast, who="nobody", name="Alice"):
    return cast.client(who).get(f"/people/{name}/").context["view"]


def finish(*winners):
    finish_game(Game.objects.get(), Ending(winners, "They won."), timezone.now())


def hide(agree, change):
    match change:
        case "anonymous":
            agree(anonymous=True)
        case "watched by players alone":
            agree(watch="players")
        case "private":
            Game.objects.update(private=True)


class TestSecrecy:
    @pytest.mark.parametrize("who", READERS)
    def test_a_public_game_is_a_card_for_everyone(self, cast, who):
        assert [card.title for card in view(cast, who).running] == ["Testland"]

    @pytest.mark.parametrize("change", ["anonymous", "watched by players alone", "private"])
    @pytest.mark.parametrize("who", READERS)
    def test_other_running_games_are_no_card_and_not_counted(self, cast, agree, change, who):
        hide(agree, change)
        list(find_differences(repair=True))
        page = cast.client(who).get("/people/Alice/")
        assert page.context["view"].running == ()
        assert page.context["person"].running == 0
        assert "Testland" not in page.content.decode()

    def test_hidden_games_do_not_push_public_ones_from_the_list(self, cast, monkeypatch):
        monkeypatch.setattr(read, "_MAX_RUNNING", 1)
        monkeypatch.setattr(read._running, "_prepared", {})
        assert len(view(cast).running) == 1

    @pytest.mark.parametrize(
        ("change", "seen"),
        [
            ("", READERS),
            ("anonymous", READERS),
            ("private", ("alice", "bob")),
            ("watched by players alone", ("alice", "bob")),
        ],
    )
    def test_finished_games_count_and_are_listed_for_those_who_may_see_them(
        self, cast, agree, change, seen
    ):
        seat_people(4)
        hide(agree, change)
        list(find_differences(repair=True))
        finish("AUSTRIA")
        for who in READERS:
            shown = view(cast, who)
            assert shown.total.games == 1, who
            assert len(shown.finished) == (who in seen), who

    @pytest.mark.parametrize("change", ["anonymous", "private"])
    def test_results_and_rivals_tell_nothing_before_the_end(self, cast, agree, change):
        seat_people(4)
        hide(agree, change)
        list(find_differences(repair=True))
        shown = view(cast)
        assert (shown.results, shown.favorites, shown.rivals) == ((), (), ())


def count_games(user, **groups):
    """Store results of games, by country, in Europe and on worlds with these names."""
    totals = {True: 0, False: 0}
    for name, countries in groups.items():
        is_europe = name == "Europe"
        totals[is_europe] += sum(countries.values())
        chart = None
        if not is_europe:
            key = hashlib.sha256(name.encode()).hexdigest()
            chart = StoredChart.objects.create(
                content_hash=key,
                name=name,
                players=7,
                provinces=75,
                centers=34,
                seed="",
                maker="",
                text="{}",
                created_at=timezone.now(),
            )
        for country, games in {"": sum(countries.values()), **countries}.items():
            numbers = {"user_id": user, "country": country, "games": games, "draws": games}
            if chart is not None:
                WorldFigures.objects.create(chart=chart, **numbers)
            elif country:
                CountryFigures.objects.create(is_europe=True, **numbers)
    for is_europe, games in totals.items():
        CountryFigures.objects.create(
            user_id=user, is_europe=is_europe, country="", games=games, draws=games
        )
    PlayerFigures.objects.filter(user=user).update(finished=sum(totals.values()))


class TestFigures:
    def test_results_by_map_and_country(self, cast):
        count_games(
            cast.alice,
            Europe={"Turkey": 1, "France": 3},
            Nine={"Detlan": 1, "Ahrmark": 4},
            Ember={"Ostar": 1},
        )
        shown = view(cast)
        assert [
            (label, row.results.games, [(name, each.draws) for name, each in row.countries])
            for label, row in shown.results
        ] == [
            ("Nine", 5, [("Ahrmark", 4), ("Detlan", 1)]),
            ("Europe", 4, [("France", 3), ("Turkey", 1)]),
            ("Ember", 1, [("Ostar", 1)]),
        ]
        assert shown.total.games == 10

    def test_many_new_worlds_played_once_are_one_line(self, cast):
        worlds = {f"World {number}": {"Detlan": 1} for number in range(4)}
        count_games(cast.alice, Europe={"Turkey": 3}, Nine={"Detlan": 2}, **worlds)
        assert [(label, row.results.games) for label, row in view(cast).results] == [
            ("Europe", 3),
            ("Nine", 2),
            ("New worlds", 4),
        ]

    def test_ten_maps_are_listed_and_the_others_together(self, cast):
        worlds = {f"World {number}": {"Detlan": 20 - number} for number in range(12)}
        count_games(cast.alice, Europe={"Turkey": 1}, **worlds)
        *maps, (label, others) = view(cast).results
        assert len(maps) == 10
        assert maps[0][0] == "World 0"
        assert (label, others.results.games) == ("Other maps", 11 + 10 + 9)

    def test_worlds_that_nobody_has_counted_yet_are_one_line(self, cast):
        count_games(cast.alice, Europe={"Turkey": 1}, Nine={"Detlan": 2})
        WorldFigures.objects.all().delete()
        (_, _), (_, row) = sorted(view(cast).results)
        assert (row.group, row.results.games) == (MapGroup.NEW_WORLDS, 2)

    def test_more_maps_take_no_more_queries(self, cast, django_assert_num_queries):
        count_games(cast.alice, Europe={"Turkey": 1}, Nine={"Detlan": 2})
        client = cast.client("nobody")
        client.get("/people/Alice/")
        with CaptureQueriesContext(connection) as few:
            client.get("/people/Alice/")
        CountryFigures.objects.all().delete()
        worlds = {f"World {number}": {"Detlan": 2, "Ostar": 1} for number in range(30)}
        count_games(cast.alice, Europe={"Turkey": 1}, **worlds)
        with django_assert_num_queries(len(few)):
            client.get("/people/Alice/")

    def test_the_page_names_maps_as_moderators_left_them(self, cast):
        count_games(cast.alice, Rude={"Detlan": 1})
        key = hashlib.sha256(b"Rude").hexdigest()
        hide_map_name(key)
        page = cast.client("nobody").get("/people/Alice/").content.decode()
        assert f'<a href="/maps/{key}/">Map {key[:8]}</a>' in page
        assert "Rude" not in page

    def test_favorite_countries(self, cast):
        facts = {"user_id": cast.alice}
        rows = [
            (True, "", 9, 2, 3, 3, 1),
            (True, "Turkey", 6, 2, 2, 1, 1),
            (True, "France", 3, 0, 1, 2, 0),
            (False, "", 1, 0, 0, 0, 1),
            (False, "Detlan", 1, 0, 0, 0, 1),
        ]
        names = ("is_europe", "country", "games", "solos", "draws", "survived", "defeated")
        for row in rows:
            CountryFigures.objects.create(**facts, **dict(zip(names, row, strict=True)))
        PlayerFigures.objects.filter(user=cast.alice).update(finished=10)
        shown = view(cast)
        assert (shown.total.games, shown.total.solos, shown.total.defeated) == (10, 2, 2)
        assert [(row.name, row.games) for row in shown.favorites] == [
            ("Turkey", 6),
            ("France", 3),
            ("Detlan", 1),
        ]
        assert [bool(row.color) for row in shown.favorites] == [True, True, False]

    def test_rivals_met_often_and_still_have_an_account(self, cast):
        gone = User.objects.create(username="Gone", is_active=False)
        for other, games in ((cast.bob, 3), (cast.charlie, 2), (gone.pk, 9)):
            RivalFigures.objects.create(user_id=cast.alice, other_id=other, games=games, ahead=2)
        assert view(cast).rivals == (("Bob", 3, "ahead 2 : 0"),)

    @pytest.mark.parametrize(
        ("ahead", "behind", "text"),
        [(5, 3, "ahead 5 : 3"), (1, 2, "behind 1 : 2"), (2, 2, "even 2 : 2")],
    )
    def test_the_score_of_rivals(self, ahead, behind, text):
        assert describe_rivalry(Rival("Bob", 8, ahead, behind)) == text

    @pytest.mark.parametrize(
        ("figures", "text"),
        [
            ((0, 0, 0, 0), "has not played yet"),
            ((0, 0, 1, 0), "is playing a first game"),
            ((0, 0, 2, 1), "has left 1 of 2 games"),
            ((143, 0, 9, 0), "has never missed a turn"),
            ((143, 0, 9, 1), "has never missed a turn, but left 1 of 9 games"),
            ((1, 1, 1, 0), "missed 1 of 1 turn, and has never left a game"),
            ((143, 2, 9, 1), "missed 2 of 143 turns and left 1 of 9 games"),
        ],
    )
    def test_reliability_is_a_sentence(self, figures, text):
        assert describe_reliability(Reliability(*figures)) == text

    @pytest.mark.parametrize(
        ("days", "text"),
        [(0, ""), (1, "active recently"), (14, "active recently"), (500, "last here in")],
    )
    def test_activity_changes_once_a_day_and_is_vague(self, people, days, text):
        now = timezone.now()
        at = now - dt.timedelta(days=days)
        User.objects.filter(pk=people["bob"]).update(last_login=at)
        person: Person = read_profile("Bob", Viewer(None), now=now).person
        shown = describe_activity(person)
        assert shown.startswith(text)
        assert bool(shown) == bool(text)


class TestInvitations:
    def test_own_waiting_games_are_offered(self, forming):
        page = forming.client("alice").get("/people/Bob/invite/")
        assert page.context["games"] == ((forming.slug, "Testland"),)
        sent = forming.client("alice").post(forming.url("invite/"), {"name": "Bob"})
        assert sent.status_code == 303

    def test_others_have_none_and_visitors_log_in(self, forming):
        assert forming.client("charlie").get("/people/Bob/invite/").context["games"] == ()
        assert forming.client("nobody").get("/people/Bob/invite/").status_code == 302


class TestRatings:
    def rating(self, kind, *points):
        now = timezone.now()
        days = range(len(points))
        curve = tuple(
            CurvePoint(now + dt.timedelta(days=day), number)
            for day, number in zip(days, points, strict=True)
        )
        return KindRating(kind, points[-1], len(points), 1, 1, None, now, curve)

    def shown(self, cast, monkeypatch, *ratings):
        monkeypatch.setattr(views, "read_ratings", lambda *_, **__: PersonRatings(ratings))
        return cast.client("nobody").get("/people/Alice/")

    def test_curves_lie_within_their_marks(self, cast, monkeypatch):
        full = self.rating(Kind.FULL, 1500, 1480, 1815)
        page = self.shown(cast, monkeypatch, full, self.rating(Kind.NONE, 1534))
        curves = page.context["view"].curves
        assert [line.kind for line in curves.lines] == ["full"]
        heights = [float(pair.split(",")[1]) for pair in curves.lines[0].points.split()]
        marks = [height for height, _ in curves.marks]
        assert heights[2] < heights[0] < heights[1] <= max(marks) <= curves.height
        assert "<polyline" in page.content.decode()
        assert "1534?" in page.content.decode()

    @pytest.mark.parametrize("points", [(), (1500,), (1500, 1500)])
    def test_few_or_equal_ratings(self, cast, monkeypatch, points):
        ratings = [self.rating(Kind.FULL, *points)] if points else []
        view = self.shown(cast, monkeypatch, *ratings).context["view"]
        assert (view.curves is not None) == (len(points) > 1)
        assert len(view.ratings) == len(ratings)
