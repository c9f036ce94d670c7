"""Cards of games: their facts for each kind of reader, and their lines in words."""

import datetime as dt

import pytest
from django.utils import timezone
from tests.games.hall.test_pictures import draw_all
from tests.games.steps import (
    asked,
    change_position,
    due,
    end_game,
    game,
    phase,
    remove_centers,
    save,
)

from diplomaccloud.accounts.models import User
from diplomaccloud.games.deadlines.actions import pause_for_emergency
from diplomaccloud.games.hall import read, wording
from diplomaccloud.games.hall.models import Standing
from diplomaccloud.games.hall.page import present_card
from diplomaccloud.games.hall.read import Country, Owed, read_cards, read_stamps
from diplomaccloud.games.orders.actions import set_ready
from diplomaccloud.games.seats.actions import resign
from diplomaccloud.games.table.models import Game, Invitation, Seat
from diplomaccloud.games.visibility.read import Viewer
from diplomaccloud.judge.phases import Stage
from diplomaccloud.maps.card_pictures import name_picture
from diplomaccloud.maps.models import StoredChart
from diplomaccloud.maps.pictures import THEMES

DAY = dt.timedelta(days=1)
OTHERS = ("charlie", "nobody")


def card_of(cast, who):
    (card,) = read_cards(Viewer(cast.user_id(who)), read_stamps([game().pk])).values()
    return card


def view_of(cast, who):
    return present_card(card_of(cast, who), timezone.now())


def be_ready(cast, who):
    set_ready(
        slug=cast.slug,
        user_id=cast.user_id(who),
        sequence=phase().sequence,
        now=timezone.now(),
    )


class TestRunning:
    def test_a_player_sees_the_own_country_and_what_is_owed(self, cast):
        card = card_of(cast, "alice")
        assert (card.country.name, card.country.centers) == ("Austria", 3)
        assert card.owed == Owed(Stage.MOVEMENT, 3, 0)
        assert card.leaders == ()

    def test_saved_orders_are_counted(self, cast):
        save(cast, "alice", "A VIE H", "A BUD H")
        assert card_of(cast, "alice").owed.given == 2
        assert card_of(cast, "bob").owed.given == 0

    def test_who_is_ready_owes_nothing_more(self, cast):
        save(cast, "alice", "A VIE H")
        be_ready(cast, "alice")
        view = view_of(cast, "alice")
        assert (view.badge, view.owed, view.is_due) == (wording.READY, wording.READY, False)

    def test_a_player_reads_whom_the_game_waits_for(self, cast):
        assert card_of(cast, "alice").waiting_for == ("Turkey",)
        be_ready(cast, "bob")
        assert card_of(cast, "alice").waiting_for == ()

    @pytest.mark.parametrize("who", OTHERS)
    def test_others_see_the_leader_and_nothing_of_the_players(self, cast, who):
        save(cast, "alice", "A VIE H")
        card = card_of(cast, who)
        assert [(leader.name, leader.centers) for leader in card.leaders] == [("Russia", 4)]
        assert (card.country, card.owed, card.waiting_for) == (None, None, ())
        assert (card.saved, card.needs_you, card.yours) == (False, False, False)

    def test_the_leader_is_the_same_before_and_after_a_worker_draws(self, cast, small_pictures):
        change_position(centers={**phase().position.centers, "BUL": "TURKEY", "GRE": "TURKEY"})
        before = card_of(cast, "nobody")
        draw_all()
        after = card_of(cast, "nobody")
        assert (before.picture is None, after.picture is None) == (True, False)
        assert [(each.name, each.centers) for each in after.leaders] == [("Turkey", 5)]
        assert before.leaders == after.leaders

    def test_while_all_have_the_same_nobody_leads(self, cast):
        owned = phase().position.centers
        russian = [code for code, power in owned.items() if power == "RUSSIA"]
        change_position(centers={code: owned[code] for code in owned if code != russian[0]})
        assert card_of(cast, "nobody").leaders == ()

    def test_the_order_of_countries_does_not_tell_who_joined_first(self, cast):
        first, second = game().seats.order_by("pk")[:2]
        powers = first.power, second.power
        Seat.objects.filter(pk=first.pk).update(power=None)
        Seat.objects.filter(pk=second.pk).update(power=powers[0])
        Seat.objects.filter(pk=first.pk).update(power=powers[1])
        remove_centers("RUSSIA", "ENGLAND", "FRANCE", "GERMANY", "ITALY")
        for who, at in ((powers[0], "BUL"), (powers[1], "SER")):
            change_position(centers={**phase().position.centers, at: who})
        names = [leader.name for leader in card_of(cast, "nobody").leaders]
        assert names == ["Austria", "Turkey"]

    def test_nobody_is_named_where_readiness_is_hidden(self, cast):
        hidden = phase()
        hidden.name = "F1901R"
        hidden.save()
        assert card_of(cast, "alice").waiting_for == ()

    def test_nobody_is_waited_for_after_the_lock(self, cast):
        locked = phase()
        locked.locked_at = locked.due_at
        locked.save()
        assert card_of(cast, "alice").waiting_for == ()

    def test_a_near_deadline_is_marked_only_for_those_who_owe_orders(self, cast):
        now, near = timezone.now(), phase()
        for hours, due_for_alice in ((1, True), (30, False)):
            near.due_at = near.adjudicate_at = now + dt.timedelta(hours=hours)
            near.save()
            assert view_of(cast, "alice").is_due is due_for_alice
            assert not view_of(cast, "nobody").is_due

    @pytest.mark.parametrize("who", ["alice", *OTHERS])
    def test_an_anonymous_game_names_no_people(self, cast, agree, who):
        agree(anonymous=True)
        card = card_of(cast, who)
        assert card.creator == ""
        assert not {"Alice", "Bob", "Charlie"}.intersection(repr(card).split("'"))

    def test_damage_leaves_a_card_without_its_phase(self, cast):
        damaged = phase()
        damaged.position_json = {}
        damaged.save()
        card = card_of(cast, "alice")
        assert (card.world, card.suspended, card.phase) == ("Testland", True, None)


def set_columns(model, **columns):
    return lambda _: model.objects.update(**columns)


@pytest.mark.parametrize(
    "change",
    [
        lambda cast: save(cast, "alice", "A VIE H"),
        lambda cast: be_ready(cast, "bob"),
        lambda cast: pause_for_emergency(game_id=cast.game_id, length=DAY, now=timezone.now),
        lambda cast: resign(slug=cast.slug, user_id=cast.bob, now=timezone.now()),
        due,
        lambda _: end_game(),
        lambda _: change_position(centers={}),
        set_columns(Game, suspended_reason="frozen"),
        set_columns(Game, world="Elsewhere"),
        set_columns(StoredChart, name="Elsewhere"),
        set_columns(User, deleted_at=timezone.now()),
        set_columns(Seat, colors={"AUSTRIA": "#123456"}),
        set_columns(Standing, position_hash="f" * 64, drawn="1", gained={"AUSTRIA": 1}),
    ],
)
def test_a_card_that_is_remembered_is_never_out_of_date(cast, change):
    everyone = ("alice", "bob", *OTHERS)
    before = [card_of(cast, who) for who in everyone]
    change(cast)
    after = [card_of(cast, who) for who in everyone]
    read._cards.clear()
    assert after == [card_of(cast, who) for who in everyone]
    assert before != after


def test_forty_cards_take_as_many_queries_as_one(cast):
    viewer = Viewer(cast.alice)
    read_cards(viewer, read_stamps([cast.game_id]))
    one = asked(lambda: read_cards(viewer, read_stamps([cast.game_id])))
    assert len(
        asked(lambda: read_cards(viewer, read_stamps([cast.game_id, *range(900, 939)])))
    ) == len(one)


@pytest.mark.parametrize(
    ("owed", "saved", "words"),
    [
        (Owed(Stage.MOVEMENT, 5, 0), False, "No orders yet"),
        (Owed(Stage.MOVEMENT, 5, 3), True, "3 of 5 orders given"),
        (Owed(Stage.MOVEMENT, 5, 5), True, "All 5 orders given"),
        (Owed(Stage.MOVEMENT, 1, 1), True, "Order given"),
        (Owed(Stage.RETREATS, 1, 0), False, "1 unit must retreat"),
        (Owed(Stage.ADJUSTMENTS, 2, 0), False, "2 units to build"),
        (Owed(Stage.ADJUSTMENTS, -1, 0), False, "1 unit to disband"),
        (Owed(Stage.ADJUSTMENTS, -2, 1), True, "1 of 2 orders given"),
    ],
)
def test_what_is_owed_in_words(owed, saved, words):
    assert wording.describe_owed(owed, saved=saved) == words


@pytest.mark.parametrize(
    ("countries", "you", "words"),
    [
        ((), True, ""),
        (("Zistan",), True, "Waiting for you and Zistan"),
        (("Detlan", "Minia"), False, "Waiting for Detlan and Minia"),
        (("Detlan", "Minia", "Vonia"), False, "Waiting for Detlan, Minia and Vonia"),
        (("A", "B", "C", "D"), False, "Waiting for A, B and 2 others"),
    ],
)
def test_whom_a_game_waits_for_in_words(countries, you, words):
    assert wording.describe_waiting(countries, you=you) == words


@pytest.mark.parametrize(
    ("leaders", "words"),
    [
        ([("Turkey", 9)], "Turkey leads with 9 centers"),
        ([("Turkey", 9), ("Italy", 9)], "Turkey and Italy lead with 9 centers each"),
        ([("A", 3), ("B", 3), ("C", 3)], "3 countries lead with 3 centers each"),
        ([("A", 0), ("B", 0)], ""),
    ],
)
def test_the_leaders_in_words(leaders, words):
    countries = [Country(name, "#888888", centers) for name, centers in leaders]
    assert wording.describe_leaders(countries) == words


@pytest.mark.parametrize(
    ("winners", "words"),
    [
        ([], "Nobody won"),
        ([("Turkey", False)], "Turkey won alone"),
        ([("France and Italy", True)], "France and Italy won"),
        ([("France", False), ("Italy", False)], "Draw: France and Italy"),
    ],
)
def test_the_result_in_words(winners, words):
    assert wording.describe_outcome(winners) == words


def test_the_page_shows_the_card(cast):
    due(cast)
    page = cast.client("alice").get("/").content.decode()
    assert page.count('<article class="game-card') == 1
    assert "<b>3</b>" in page


class TestSecrets:
    """What each kind of reader learns of a game; see also the tests of `visibility`."""

    def read_lists(self, cast, who):
        client = cast.client(who)
        return "".join(client.get(path).content.decode() for path in ("/", "/games/"))

    def draw(self):
        Standing.objects.update(position_hash="a" * 64, drawn="drawn")
        return [f"/maps/cards/{name_picture('a' * 64, 'drawn', theme)}" for theme in THEMES]

    @pytest.mark.parametrize("who", OTHERS)
    @pytest.mark.parametrize("fields", [{"private": True}, {"watchable": False}])
    def test_pictures_of_games_that_are_not_theirs_are_never_named(self, cast, who, fields):
        names = self.draw()
        Game.objects.update(**fields)
        page = self.read_lists(cast, who)
        assert not any(name in page for name in names)
        page = self.read_lists(cast, "alice")
        assert all(name in page for name in names)

    def test_a_guest_who_only_was_invited_no_longer_sees_a_private_game(self, cast):
        names = self.draw()
        Game.objects.update(private=True)
        Invitation.objects.create(game=game(), user_id=cast.charlie, invited_at=timezone.now())
        page = self.read_lists(cast, "charlie")
        assert not any(name in page for name in names)

    def test_a_master_who_does_not_play_sees_what_everyone_sees(self, table):
        save(table, "alice", "A VIE H")
        card = card_of(table, "charlie")
        assert (card.yours, card.owed, card.waiting_for, card.saved) == (False, None, (), False)

    @pytest.mark.parametrize("who", ["bob", *OTHERS])
    def test_saved_orders_change_no_card_of_others(self, cast, who):
        before = card_of(cast, who)
        save(cast, "alice", "A VIE H")
        assert card_of(cast, who) == before

    @pytest.mark.parametrize("who", OTHERS)
    def test_ready_marks_change_no_card_of_those_who_do_not_play(self, cast, who):
        before = card_of(cast, who)
        be_ready(cast, "alice")
        assert card_of(cast, who) == before
