"""The waiting room: invitation, bots, ready marks, starting with bots, canceling."""

import re

import pytest
from django.test import Client
from django.utils import timezone
from tests.games.steps import seat_people

from diplomaccloud.accounts.models import User
from diplomaccloud.games.creation.presets import SPEEDS
from diplomaccloud.games.lobby.actions import cancel_game, join_game, start_game
from diplomaccloud.games.results.actions import finish_game
from diplomaccloud.games.table.errors import GameCanceled, WrongMoment
from diplomaccloud.games.table.models import Game, Seat, Status
from diplomaccloud.games.table.options import suggest_names
from diplomaccloud.judge.results import Ending

pytestmark = pytest.mark.every_database


@pytest.fixture
def alice(forming):
    return forming.client("alice")


@pytest.fixture
def private(forming):
    Game.objects.update(private=True)
    return forming


def test_the_invitation_has_link_and_code(private, alice):
    page = alice.get(private.url()).content.decode()
    assert 'value="http://testserver/games/aaaaaaaaaa/?code=letmein222"' in page
    assert 'class="qr"' in page
    assert "style=" not in re.search(r"<svg[^>]*qr.*?</svg>", page, re.S)[0]


def test_the_invitation_comes_first_until_a_friend_has_joined(private, alice):
    assert 'class="room room--new"' not in private.client("bob").get(private.url()).content.decode()
    Seat.objects.exclude(user=private.alice).delete()
    assert 'class="room room--new"' in alice.get(private.url()).content.decode()


def test_a_friend_joins_with_two_taps(private):
    bob = private.client("bob")
    page = bob.get(private.url("?code=letmein222")).content.decode()
    form = re.search(r'<form[^>]*action="[^"]*/join/".*?</form>', page, re.S)[0]
    assert re.search(r'type="hidden"\s+name="code"\s+value="letmein222"', form)
    assert bob.post(private.url("join/"), {"code": "letmein222"}).status_code == 303


def test_a_visitor_with_the_link_signs_up_and_comes_back(private):
    visitor = Client()
    page = visitor.get(private.url("?code=letmein222"))
    assert page.status_code == 200
    next_page = re.search(r'href="(/accounts/signup/\?next=[^"]+)"', page.content.decode())[1]
    sent = visitor.post(next_page, {"username": "Dora", "password1": "a long enough word"})
    assert sent.url == private.url("?code=letmein222")
    assert visitor.get(sent.url).context["view"].can_join


def test_the_creator_chooses_the_level_of_each_bot(forming, alice):
    page = alice.get(forming.url()).content.decode()
    for number, title in enumerate(("Recruit", "Captain", "Colonel", "General", "Marshal"), 1):
        assert re.search(rf'<button[^>]*value="level:{number}"', page)
        assert title in page
    alice.post(forming.url("bots/"), {"bot": "level:4"})
    page = alice.get(forming.url()).content.decode()
    assert "General" in re.search(r'class="chairs".*?</ol>', page, re.S)[0]
    alice.post(forming.url("start/"), {"bot": ["level:1", "level:2"]})
    bots = sorted(Seat.objects.exclude(bot="").values_list("bot", flat=True))
    assert [bot[:7] for bot in bots] == ["level:1"] * 3 + ["level:2"] * 2 + ["level:4"]


def test_the_creator_adds_and_removes_bots(forming, alice):
    assert alice.post(forming.url("bots/"), {"bot": "greedy"}).status_code == 303
    assert forming.client("bob").post(forming.url("bots/")).status_code == 403
    assert Seat.objects.get(bot="greedy")
    assert "Greedy bot" in alice.get(forming.url()).content.decode()
    (key,) = (seat.token for seat in alice.get(forming.url()).context["view"].seats if seat.is_bot)
    assert alice.post(forming.url("dismiss/"), {"seat": key}).status_code == 303
    assert not Seat.objects.filter(bot="greedy").exists()
    assert alice.post(forming.url("bots/"), {"bot": "nonsense"}).status_code == 400


def test_a_bot_makes_room_for_a_person(forming, alice):
    for _ in range(6):
        alice.post(forming.url("bots/"), {"bot": "greedy"})
    assert alice.post(forming.url("bots/"), {"bot": "greedy"}).status_code == 409
    bob = forming.client("bob")
    assert bob.get(forming.url()).context["view"].can_join
    assert bob.post(forming.url("join/")).status_code == 303
    assert Seat.objects.filter(game=forming.game_id).count() == 7
    assert Seat.objects.filter(user=forming.bob).exists()


def test_the_last_bot_starts_a_game_that_starts_when_it_is_full(forming, alice, agree):
    agree(start="full")
    for _ in range(6):
        alice.post(forming.url("bots/"), {"bot": "hold"})
    assert Game.objects.get().status == Status.RUNNING


def test_a_table_that_waits_for_players_is_not_stuck(forming, alice, agree):
    agree(fill_with="")
    page = alice.get(forming.url())
    assert page.context["view"].fillers.chosen == {"level:2"}
    assert "Start now with 6 bots" in " ".join(page.content.decode().split())
    assert alice.post(forming.url("start/")).status_code == 409
    assert alice.post(forming.url("start/"), {"bot": "greedy"}).status_code == 303
    assert Seat.objects.filter(bot="greedy").count() == 6


def test_ready_marks_are_public_and_change_nothing_else(forming):
    bob = forming.client("bob")
    bob.post(forming.url("join/"))
    for ready, marked in (("1", True), ("1", True), ("", False)):
        assert bob.post(forming.url("ready-to-start/"), {"ready": ready}).status_code == 303
        view = forming.client("charlie").get(forming.url()).context["view"]
        assert [seat.ready for seat in view.seats] == [False, marked]
    assert forming.client("charlie").post(forming.url("ready-to-start/")).status_code == 403
    assert Game.objects.get().status == Status.FORMING


class TestAnonymous:
    @pytest.fixture
    def room(self, forming, agree):
        """A room in which a bot took a seat between the people, and Bob is ready."""
        agree(anonymous=True)
        forming.client("alice").post(forming.url("bots/"), {"bot": "hold"})
        for name in ("bob", "charlie"):
            forming.client(name).post(forming.url("join/"))
        forming.client("bob").post(forming.url("ready-to-start/"), {"ready": "1"})
        return forming

    @pytest.fixture
    def shown(self, room):
        """A function that returns the seats on a person's page, without the person's own."""

        def show(who):
            page = room.client(who).get(room.url())
            assert "1 of 3 players is ready" in page.content.decode()
            return [seat for seat in page.context["view"].seats if not seat.is_you]

        return show

    @pytest.mark.parametrize("who", ["alice", "charlie", "nobody"])
    def test_seats_of_others_look_alike_and_ready_marks_are_a_count(self, room, shown, who):
        assert [seat.ready for seat in shown(who)] == [None] * (4 if who == "nobody" else 3)
        assert [seat.is_bot for seat in shown(who)].index(True) == len(shown(who)) - 1
        seats = room.client(who).get(room.url("state/")).json()["seats"]
        assert {seat["ready"] for seat in seats} <= ({None} if who == "nobody" else {None, False})
        if who != "alice":
            assert {seat.token for seat in shown(who)} == {""}

    def test_who_is_ready_sees_the_own_mark(self, room):
        assert room.client("bob").get(room.url()).context["view"].you.ready

    def test_the_creator_removes_people_by_keys_that_say_nothing(self, room, shown):
        keys = [seat.token for seat in shown("alice")]
        assert len(set(keys)) == 3
        people = keys[:-1]
        assert people == sorted(people)
        assert not set(keys) & set(map(str, Seat.objects.values_list("pk", flat=True)))
        bob, alice = room.client("bob"), room.client("alice")
        assert bob.post(room.url("dismiss/"), {"seat": people[0]}).status_code == 403
        for wrong in ("", "0", str(Seat.objects.get(user=room.bob).pk), "f" * 32):
            assert alice.post(room.url("dismiss/"), {"seat": wrong}).status_code == 409
        for key in people:
            assert alice.post(room.url("dismiss/"), {"seat": key}).status_code == 303
        assert not Seat.objects.filter(user__in=[room.bob, room.charlie]).exists()


def test_a_canceled_game_says_so_to_everybody_with_its_address(private, alice):
    bob = private.client("bob")
    bob.post(private.url("join/"), {"code": "letmein222"})
    assert bob.post(private.url("cancel/")).status_code == 403
    assert alice.post(private.url("cancel/")).status_code == 303
    for client in (alice, bob, Client()):
        for address in (private.url(), private.url("?code=letmein222")):
            page = client.get(address)
            assert page.status_code == 410
            assert "was canceled by its creator" in page.content.decode()
    late = private.client("charlie").post(private.url("join/"), {"code": "letmein222"})
    assert late.status_code == 410
    assert private.slug not in bob.get("/games/").content.decode()
    assert private.slug not in bob.get("/").content.decode()
    with pytest.raises(GameCanceled):
        start_game(slug=private.slug, user_id=private.alice, now=timezone.now())


def test_a_game_that_started_cannot_be_canceled(cast):
    with pytest.raises(WrongMoment):
        cancel_game(slug=cast.slug, user_id=cast.alice, now=timezone.now())


class TestCreating:
    @pytest.fixture
    def filled(self, alice):
        form = alice.get("/games/new/").context["form"]
        values = {name: form[name].value() for name in form.fields}
        return {k: v for k, v in values.items() if v not in (None, False)}

    def test_the_usual_game_takes_one_tap(self, alice, filled):
        assert alice.post("/games/new/", filled).status_code == 303
        game = Game.objects.order_by("-pk").first()
        assert game.private
        assert game.options.schedule == SPEEDS["daily"].schedule
        assert game.world == filled["world"] != "Europe"

    @pytest.mark.parametrize("speed", SPEEDS)
    def test_a_speed_wins_over_times_set_by_hand(self, alice, filled, speed):
        sent = filled | {"speed": speed, "movement": "nonsense", "zone": "Europe/Berlin"}
        assert alice.post("/games/new/", sent).status_code == 303
        schedule = Game.objects.order_by("-pk").first().options.schedule
        assert schedule.early == SPEEDS[speed].schedule.early
        assert getattr(schedule.plan, "zone", "") in ("Europe/Berlin", "UTC")

    def test_a_speed_needs_a_known_time_zone(self, alice, filled):
        page = alice.post("/games/new/", filled | {"zone": "Mars/Base"})
        assert page.status_code == 422
        assert list(page.context["form"].errors) == ["zone"]

    def test_anyone_makes_a_public_game(self, alice, filled):
        alice.post("/games/new/", filled | {"who": "anyone"})
        assert not Game.objects.order_by("-pk").first().private

    def test_solo_starts_at_once(self, alice, filled):
        made = alice.post("/games/new/", filled | {"who": "solo"})
        page = alice.get(made.url)
        assert page.templates[0].name == "games/page/running.html"
        assert Seat.objects.filter(game__slug=made.url.split("/")[2]).exclude(bot="").count() == 6

    def test_a_map_must_be_chosen_from_what_there_is(self, alice, filled):
        for wanted in ("", "f" * 64, "nonsense"):
            assert alice.post("/games/new/", filled | {"map": wanted}).status_code == 422


def test_suggested_names_differ_and_fit():
    names = suggest_names("x", 500)
    assert len(set(names)) == 500
    assert max(map(len, names)) <= 40
    assert suggest_names("x", 500) == names


def test_it_says_before_joining_that_a_game_is_unrated(forming):
    def is_noted():
        view = Client().get(forming.url())
        return "data-unrated" in view.content.decode(), bool(view.context["view"].unrated)

    assert is_noted() == (True, True)
    users = [User.objects.create(username=f"friend{number}") for number in range(3)]
    for user in users:
        join_game(slug=forming.slug, user_id=user.pk, now=timezone.now())
    assert is_noted() == (False, False)


@pytest.mark.parametrize("who", ["alice", "charlie", "nobody"])
def test_the_game_says_that_it_is_unrated(cast, who):
    def is_noted():
        return "data-unrated" in cast.client(who).get(cast.url()).content.decode()

    assert is_noted()
    assert cast.client(who).get(f"/api/v1/games/{cast.slug}").json()["unrated"] == "few people"
    seat_people(4)
    assert not is_noted()
    finish_game(Game.objects.get(), Ending.of((), "conceded", country="Italy"), timezone.now())
    assert is_noted()
    assert cast.client(who).get(f"/api/v1/games/{cast.slug}").json()["unrated"] == "given up"


def test_only_a_game_with_a_free_seat_is_among_the_open_seats(forming):
    def list_open():
        lobby, home = (Client().get(address).context for address in ("/games/", "/"))
        return [len(cards) for cards in (lobby["open_games"], home["home"].open)]

    assert list_open() == [1, 1]
    game = Game.objects.get()
    Seat.objects.bulk_create(
        Seat(game=game, user=User.objects.create(username=f"Friend {number}"))
        for number in range(game.chart.players - game.seats.count())
    )
    assert list_open() == [0, 0]
