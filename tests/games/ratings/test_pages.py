"""The lists of the best: places, pages, one's own line, and who is left out for whom."""

import datetime as dt
import json

import pytest
from django.test import Client
from django.utils import timezone
from tests.api.calls import Program, problem_of, token_of
from tests.games.ratings.rated_games import NOW, Season, rate_all, rating_of, sign_up

from diplomaccloud.accounts.deletion import delete_account, list_parts
from diplomaccloud.accounts.models import User
from diplomaccloud.games.ratings.actions import compare_ratings, hide_ratings, unlist_person
from diplomaccloud.games.ratings.models import HiddenRating, PersonRating, RatingChange
from diplomaccloud.games.ratings.read import PER_PAGE, list_best, read_leaderboard, read_ratings
from diplomaccloud.games.ratings.wording import Kind
from diplomaccloud.games.visibility.read import Viewer

NOBODY = Viewer(None)


def add_ratings(people, points=lambda number: 2000 - number, kind=Kind.FULL, **fields):
    """Give people ratings without games."""
    PersonRating.objects.bulk_create(
        PersonRating(
            kind=kind,
            person_id=person,
            points=points(number),
            **{"mu": 25.0, "sigma": 3.0, "games": 12, "solos": 1, "draws": 2, "rated_at": NOW}
            | fields,
        )
        for number, person in enumerate(people)
    )


@pytest.fixture
def many(db):
    people = sign_up(2 * PER_PAGE + 30)
    # Three share each rating.
    add_ratings(people, lambda number: 2000 - number // 3)
    return people


def test_places_go_on_from_page_to_page_and_equal_ratings_share_one(many):
    places = []
    for page in (1, 2, 3):
        board = read_leaderboard(Kind.FULL, page, NOBODY, now=NOW)
        places += [line.place for line in board.people]
        assert (board.page, board.pages, board.total) == (page, 3, len(many))
    assert places == [1 + number // 3 * 3 for number in range(len(many))]


def test_ones_own_line_says_on_which_page_it_is(many):
    person = many[PER_PAGE + 5]
    board = read_leaderboard(Kind.FULL, 1, Viewer(person), now=NOW)
    assert not any(line.is_you for line in board.people)
    assert (board.you.place, board.your_page) == (106, 2)
    there = read_leaderboard(Kind.FULL, 2, Viewer(person), now=NOW)
    assert [line for line in there.people if line.is_you] == [there.you]


@pytest.mark.parametrize("page", [0, -5, 99])
def test_a_page_out_of_range_is_the_nearest(many, page):
    assert read_leaderboard(Kind.FULL, page, NOBODY, now=NOW).page == (3 if page > 0 else 1)


def test_a_page_takes_the_same_queries_for_any_number_of_people(many, django_assert_num_queries):
    with django_assert_num_queries(4):
        read_leaderboard(Kind.FULL, 2, NOBODY, now=NOW)
    PersonRating.objects.filter(person__in=many[5:]).delete()
    with django_assert_num_queries(2):
        read_leaderboard(Kind.FULL, 1, NOBODY, now=NOW)


def test_the_best_come_with_ones_own_line(many, django_assert_num_queries):
    viewer = Viewer(many[30])
    best = list_best(Kind.FULL, 3, viewer, now=NOW)
    assert [(line.place, line.is_you) for line in best] == [*[(1, False)] * 3, (31, True)]
    with django_assert_num_queries(1):
        assert list_best(Kind.FULL, 3, Viewer(many[0]), now=NOW)[0].is_you


def test_after_a_year_a_person_leaves_the_list_and_keeps_the_rating(many):
    person = many[0]
    PersonRating.objects.filter(person=person).update(rated_at=NOW - dt.timedelta(days=366))
    names = [line.name for line in read_leaderboard(Kind.FULL, 1, NOBODY, now=NOW).people]
    assert "Player0" not in names
    (rating,) = read_ratings(person, NOBODY, now=NOW).ratings
    assert (rating.points, rating.place) == (2000, None)


def test_hidden_ratings_are_shown_to_nobody_else(many):
    person = many[0]
    hide_ratings(user_id=person, hidden=True)
    for viewer in (NOBODY, Viewer(many[1]), Viewer(person)):
        board = read_leaderboard(Kind.FULL, 1, viewer, now=NOW)
        assert board.people[0].name == "Player1"
        assert board.people[0].place == 1
        assert board.you is None or viewer.user_id == many[1]
        shown = read_ratings(person, viewer, now=NOW)
        assert bool(shown.ratings) == shown.is_hidden == (viewer.user_id == person)
    hide_ratings(user_id=person, hidden=False)
    assert read_leaderboard(Kind.FULL, 1, NOBODY, now=NOW).people[0].name == "Player0"


@pytest.fixture
def played(plan):
    season, people = Season(plan), sign_up(5)
    for _ in range(3):
        season.play(people, at=timezone.now())
    rate_all()
    return people


def test_hidden_ratings_stay_hidden_and_go_on_with_the_next_game(plan, played):
    hide_ratings(user_id=played[0], hidden=True)
    before = rating_of(played[0]).points
    season = Season(plan)
    season.count = 50
    season.play(played, at=timezone.now())
    rate_all()
    row = rating_of(played[0])
    assert row.points > before
    assert not row.listed
    assert compare_ratings() == []


def test_a_curve_has_a_point_for_each_rated_game(played):
    (rating,) = read_ratings(played[0], NOBODY, now=timezone.now()).ratings
    assert [point.points for point in rating.curve] == sorted(p.points for p in rating.curve)
    assert len(rating.curve) == rating.games == 3
    assert rating.curve[-1].points == rating.points
    assert rating.text == f"{rating.points}?"


def test_a_deleted_account_leaves_the_list_and_others_ratings_stay(played):
    others = {person: rating_of(person).points for person in played[1:]}
    hide_ratings(user_id=played[0], hidden=True)
    delete_account(user_id=played[0], now=timezone.now())
    unlist_person.func(played[0])
    assert not HiddenRating.objects.exists()
    assert RatingChange.objects.filter(person=played[0]).count() == 3
    board = read_leaderboard(Kind.FULL, 1, NOBODY, now=timezone.now())
    assert len(board.people) == 4
    assert compare_ratings() == []
    assert {person: rating_of(person).points for person in played[1:]} == others


def test_ones_own_ratings_are_in_the_download_and_no_one_elses(played):
    files = [f for part in list_parts() if part.export for f in part.export(played[1])]
    (file,) = [each for each in files if each.name == "ratings.json"]
    content = json.loads("".join(file.lines))
    assert content["ratings"][0]["rating"] == rating_of(played[1]).points
    assert len(content["games"]) == 3
    assert "Player0" not in json.dumps(content)


@pytest.mark.parametrize("who", ["alice", "nobody"])
def test_the_page_shows_the_list_and_links_to_profiles(many, people, who):
    client = Client()
    if who != "nobody":
        client.force_login(User.objects.get(pk=people[who]))
    PersonRating.objects.update(rated_at=timezone.now())
    add_ratings([people["alice"]], lambda _: 1000, games=3, rated_at=timezone.now())
    shown = client.get("/ratings/full/?page=2").content.decode()
    assert "/people/Player120/" in shown
    assert ("/ratings/full/?page=3#you" in shown) == (who == "alice")
    assert ("1000?" in shown) == (who == "alice")
    assert ('action="/ratings/hide/"' in shown) == (who == "alice")


def test_addresses_of_lists(client, db):
    assert client.get("/ratings/").status_code == 200
    assert client.get("/ratings/public/?page=x").status_code == 200
    assert client.get("/ratings/gunboat/").status_code == 404
    assert client.post("/ratings/hide/", {"hidden": "yes"}).status_code == 302


def test_hiding_and_showing_from_the_page(client, people):
    client.force_login(User.objects.get(pk=people["alice"]))
    for value, is_hidden in (("yes", True), ("maybe", True), ("no", False)):
        assert client.post("/ratings/hide/", {"hidden": value}).status_code == 303
        assert HiddenRating.objects.exists() == is_hidden


def test_hiding_and_showing_over_the_api(people):
    person = people["alice"]
    add_ratings([person])
    alice, visitor = Program(token_of(person)), Program()
    assert visitor.put("/me/ratings", {"hidden": True}).status_code == 401
    problem_of(alice.put("/me/ratings", {"hidden": "maybe"}), "invalid", 422)
    for is_hidden in (True, False):
        answer = alice.put("/me/ratings", {"hidden": is_hidden}).json()
        assert (answer["hidden"], len(answer["ratings"])) == (is_hidden, 1)
        assert bool(visitor.get("/people/alice/ratings").json()["ratings"]) != is_hidden
        assert bool(visitor.get("/leaderboards/full").json()["people"]) != is_hidden


def test_hiding_before_the_first_rated_game_is_confirmed(people):
    alice = Program(token_of(people["alice"]))
    assert alice.put("/me/ratings", {"hidden": True}).json() == {"ratings": [], "hidden": True}
    assert Program().get("/people/alice/ratings").json()["hidden"] is False
