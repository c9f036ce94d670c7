"""The list of players: search, order, number of queries, and what it keeps private."""

import datetime as dt

import pytest
from django.test import Client
from django.utils import timezone
from tests.games.steps import DAY, asked, due, seat_people

from diplomaccloud.accounts.models import User
from diplomaccloud.games.lobby.actions import join_game, start_game
from diplomaccloud.games.results.actions import find_differences, finish_game
from diplomaccloud.games.seats.actions import resign
from diplomaccloud.games.table.models import Game
from diplomaccloud.games.turn.claims import advance
from diplomaccloud.judge.results import Ending

VISITOR, VIEWER = 2, 2
"""Queries for a page: who is on it and their figures; and a session for a person who looks."""


def listed(address="/people/", client=None):
    return (client or Client()).get(address).context["page"]


def names(address="/people/"):
    return [person.name for person in listed(address).people]


def line(name):
    return next(person for person in listed().people if person.name == name)


@pytest.fixture
def crowd(db):
    """Four people who signed up in the order of this table, and one whose account is closed."""
    now = timezone.now()
    for number, (name, days) in enumerate({"bea": 3, "Abe": 400, "Zoe_b": 5, "cy%": None}.items()):
        at = None if days is None else now - days * DAY
        User.objects.create(username=name, last_login=at, date_joined=now + number * DAY)
    User.objects.create(username="Barred", is_active=False)


class TestWhomItShows:
    @pytest.mark.parametrize(
        ("query", "found"),
        [
            pytest.param("", ["Abe", "bea", "cy%", "Zoe_b"], id="all, by name in any case"),
            pytest.param("?order=newest", ["cy%", "Zoe_b", "Abe", "bea"], id="newest first"),
            pytest.param("?order=login", ["bea", "Zoe_b", "Abe", "cy%"], id="Last login first"),
            pytest.param("?order=nonsense", ["Abe", "bea", "cy%", "Zoe_b"], id="no such order"),
            pytest.param("?name=BE", ["bea"], id="the beginning of a name in any case"),
            pytest.param("?name=b&order=newest", ["Zoe_b", "bea"], id="a later word, sorted"),
            pytest.param("?name=%25", [], id="a sign that means anything elsewhere"),
            pytest.param("?name=_", [], id="and the other one"),
            pytest.param("?name=bar", [], id="someone who is barred"),
            pytest.param("?name=%27+OR+1%3D1--", [], id="no name at all"),
            pytest.param("?after=bea", ["cy%", "Zoe_b"], id="after a name"),
            pytest.param("?before=CY%25", ["Abe", "bea"], id="before a name in any case"),
            pytest.param("?after=cy%25&order=newest", ["Zoe_b", "Abe", "bea"], id="older ones"),
            pytest.param("?before=abe&order=newest", ["cy%", "Zoe_b"], id="newer ones"),
            pytest.param("?after=bea&order=login", ["Zoe_b", "Abe", "cy%"], id="earlier logins"),
            pytest.param("?after=abe&order=login", ["cy%"], id="no logins"),
            pytest.param("?before=cy%25&order=login", ["bea", "Zoe_b", "Abe"], id="later logins"),
            pytest.param("?before=zoe_b&order=login", ["bea"], id="later logins of a step"),
            pytest.param("?after=zoe_b", [], id="after the last name"),
            pytest.param("?after=nobody", ["Abe", "bea", "cy%", "Zoe_b"], id="an unknown name"),
            pytest.param("?page=99", ["Abe", "bea", "cy%", "Zoe_b"], id="an old address"),
        ],
    )
    def test_search_and_order(self, crowd, query, found):
        assert names(f"/people/{query}") == found

    def test_what_is_no_name_is_left_out(self, crowd):
        assert len(names(f"/people/?name={'x' * 151}")) == 4

    def test_a_search_without_results_says_so(self, crowd):
        page = Client().get("/people/?name=nobody").content.decode()
        assert "No player with that name." in page
        assert 'value="nobody"' in page

    def test_bots_are_not_in_it(self, cast):
        assert names() == ["Alice", "Bob", "Charlie"]

    def test_links_to_other_pages_keep_the_search(self, db):
        for number in range(50):
            User.objects.create(username=f"one_{number:02}")
        first = listed("/people/?name=ONE&order=newest")
        assert first.previous_url == ""
        assert first.next_url == "/people/?name=ONE&order=newest&after=one_30"
        last = listed("/people/?name=ONE&order=newest&after=one_10")
        assert [one.name for one in last.people][-1] == "one_00"
        assert (len(last.people), last.next_url) == (10, "")
        assert last.previous_url == "/people/?name=ONE&order=newest&before=one_09"

    @pytest.mark.parametrize("order", ["name", "newest", "login"])
    def test_the_pages_show_everybody_once_in_both_directions(self, db, order):
        now = timezone.now()
        User.objects.bulk_create(
            User(
                username=f"p{number * 37 % 101:03}",
                # Every third person is back today.
                last_login=now if number % 3 == 0 else known,
                login_before=known,
                date_joined=now - number * number % 30 * DAY,
            )
            for number in range(95)
            for known in [None if number % 7 == 0 else now - (number * number % 900 + 1) * DAY]
        )
        page, forward = listed(f"/people/?order={order}"), []
        while page.next_url:
            forward.append([person.name for person in page.people])
            page = listed(page.next_url)
        forward.append([person.name for person in page.people])
        backward = [forward[-1]]
        while page.previous_url:
            page = listed(page.previous_url)
            backward.insert(0, [person.name for person in page.people])
        assert [len(names) for names in forward] == [20, 20, 20, 20, 15]
        assert len({name for names in forward for name in names}) == 95
        assert backward == forward

    @pytest.mark.parametrize("address", ["/", "/games/", "/maps/", "/people/Alice/"])
    def test_every_page_leads_to_it(self, people, address):
        footer = Client().get(address).content.decode().partition("<footer")[2]
        assert 'href="/people/"' in footer


class TestWhatItSays:
    def test_the_same_as_on_each_persons_page(self, cast):
        due(cast)
        User.objects.filter(username="Bob").update(last_login=None, status="Hello.")
        for name in ("Alice", "Bob", "Charlie"):
            own = Client().get(f"/people/{name}/").context["person"]
            told = line(name)
            for what in ("status", "since", "login", "reliability", "running", "finished"):
                assert getattr(told, what) == getattr(own, what), (name, what)
        assert line("Alice").reliability.summary == "Missed 1 of 1 turn, left 0 of 1 game"
        assert line("Charlie").reliability.summary == line("Bob").login == ""

    @pytest.mark.parametrize("who", ["alice", "nobody"])
    def test_one_finds_oneself(self, cast, who):
        marked = [person.name for person in listed(client=cast.client(who)).people if person.is_you]
        assert marked == (["Alice"] if who == "alice" else [])

    def test_games_under_way_and_over(self, cast):
        assert [(one.running, one.finished) for one in listed().people] == [
            (1, 0),
            (1, 0),
            (0, 0),
        ]
        seat_people(4)
        finish()
        people = [line(name) for name in ("Alice", "Bob", "Charlie")]
        assert [(one.running, one.finished) for one in people] == [
            (0, 1),
            (0, 1),
            (0, 0),
        ]

    @pytest.mark.parametrize("number", [3, 4])
    def test_a_game_of_three_people_is_listed_apart(self, cast, number):
        seat_people(number)
        finish()
        profile = Client().get("/people/Alice/").context["profile"]
        unrated = int(number < 4)
        assert (profile.person.finished, profile.unrated) == (1 - unrated, unrated)
        assert [game.unrated is None for game in profile.games] == [not unrated]
        answer = Client().get("/api/v1/people/Alice").json()
        assert answer["unrated"] == unrated
        assert [row["unrated"] for row in answer["games"]] == ["few people" if unrated else None]

    @pytest.mark.parametrize("change", ["anonymous", "watched by players alone", "private"])
    def test_a_game_that_not_everybody_may_know_of_is_no_game_under_way(self, cast, agree, change):
        match change:
            case "anonymous":
                agree(anonymous=True)
            case "watched by players alone":
                agree(watch="players")
            case "private":
                Game.objects.update(private=True)
        list(find_differences(repair=True))
        for who in ("alice", "bob", "nobody"):
            found = listed(client=cast.client(who)).people
            assert [one.running for one in found] == [0, 0, 0]
            assert cast.client(who).get("/people/Alice/").context["person"].running == 0


def finish():
    finish_game(Game.objects.get(), Ending(("AUSTRIA",), "They won."), timezone.now())


class TestSecrecy:
    ADDRESSES = [
        *("/people/", "/people/?order=login", "/people/?order=newest"),
        *("/people/Alice/", "/people/Bob/", "/people/Charlie/"),
    ]

    def told(self):
        """Everything that anyone can read about people, in the order shown."""
        pages = [Client().get(address) for address in self.ADDRESSES]
        return [page.content.decode().partition("<main")[2] for page in pages]

    def play(self, forming):
        """Alice and Bob play, log in again, miss a turn, and Bob leaves."""
        now = timezone.now()
        join_game(slug=forming.slug, user_id=forming.bob, now=now)
        yield
        start_game(slug=forming.slug, user_id=forming.alice, now=now)
        advance(game_id=forming.game_id, owner="t", now=now)
        yield
        for person in ("alice", "bob"):
            forming.client(person).get(forming.url())
        yield
        due(forming)
        yield
        resign(slug=forming.slug, user_id=forming.bob, now=timezone.now())
        yield

    @pytest.fixture
    def lately(self, people):
        now = timezone.now()
        for days, name in enumerate(("Charlie", "Bob", "Alice"), 1):
            User.objects.filter(username=name).update(last_login=now - days * DAY)

    def test_an_anonymous_game_changes_nothing_in_the_list(self, forming, agree, lately):
        agree(anonymous=True)
        before = self.told()
        for _ in self.play(forming):
            assert self.told() == before

    def test_a_game_with_names_does(self, forming, lately):
        before = self.told()
        for _ in self.play(forming):
            pass
        after = self.told()
        changed = [new != old for new, old in zip(after, before, strict=True)]
        assert changed == [True, True, True, True, True, False]

    def test_when_it_is_over_it_counts(self, forming, agree, lately):
        agree(anonymous=True)
        for _ in self.play(forming):
            pass
        finish()
        assert line("Alice").reliability.summary == "Missed 1 of 1 turn, left 0 of 1 game"
        assert line("Bob").reliability.summary == "Missed 1 of 1 turn, left 1 of 1 game"


class TestQueries:
    def visit(self, address, client):
        client.get(address)  # what is read once in a process
        return asked(lambda: client.get(address))

    def test_more_people_and_more_games_take_no_more(self, cast):
        due(cast)
        pages = {"": 0, "?order=login": 2, "?order=newest&after=bob": 1, "?name=c": 0}
        wanted = {f"/people/{query}": VISITOR + more for query, more in pages.items()}
        alice = cast.client("alice")

        def count(client):
            return {address: len(self.visit(address, client)) for address in wanted}

        assert count(Client()) == wanted
        now = timezone.now()
        User.objects.bulk_create(
            User(username=f"crowd{number}", last_login=now - dt.timedelta(days=number % 90))
            for number in range(5000)
        )
        assert count(Client()) == wanted
        assert count(alice) == {address: most + VIEWER for address, most in wanted.items()}

    @pytest.mark.parametrize(("who", "most"), [("nobody", 8), ("alice", 12)])
    def test_a_persons_page(self, cast, who, most):
        due(cast)
        assert len(self.visit("/people/Alice/", cast.client(who))) == most
