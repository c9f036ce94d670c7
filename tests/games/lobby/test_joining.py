"""Who gets into a game: invitations, removals, a full table, a game master without a seat."""

from dataclasses import replace

import pytest
from django.utils import timezone

from diplomaccloud.games.creation.actions import create_game
from diplomaccloud.games.lobby.actions import dismiss, invite, join_game, start_game
from diplomaccloud.games.master.actions import preview_results
from diplomaccloud.games.seats.actions import color_country, resign, take_seat
from diplomaccloud.games.table.errors import NotYourSeat, Refused, WrongMoment
from diplomaccloud.games.table.log_models import PlayerFigures
from diplomaccloud.games.table.models import Game, Seat
from diplomaccloud.games.table.options import Master, Start
from diplomaccloud.games.turn.claims import advance


@pytest.fixture
def make(plan, people, now):
    def game(**options):
        return create_game(
            plan=replace(plan, options=replace(plan.options, **options)),
            creator_id=people["alice"],
            now=now,
            slug="aaaaaaaaaa",
            code="letmein222",
            seed="cast 23",
        )

    return game


@pytest.fixture
def private(forming):
    Game.objects.update(private=True)
    return forming


class TestInvitations:
    def test_the_invited_see_the_game_and_need_no_code(self, private):
        alice, bob = private.client("alice"), private.client("bob")
        assert bob.get(private.url()).status_code == 403
        assert alice.post(private.url("invite/"), {"name": "bob"}).status_code == 303
        (card,) = bob.get("/").context["lobby"].yours
        assert card.invited
        page = bob.get(private.url()).content.decode()
        assert "Invitation code" not in page
        assert private.client("charlie").get(private.url()).status_code == 403
        assert bob.post(private.url("join/")).status_code == 303
        assert Seat.objects.filter(user=private.bob).exists()

    def test_a_withdrawn_invitation_is_none(self, private):
        alice, bob = private.client("alice"), private.client("bob")
        alice.post(private.url("invite/"), {"name": "Bob"})
        alice.post(private.url("uninvite/"), {"user": private.bob})
        assert bob.get(private.url()).status_code == 403
        assert bob.post(private.url("join/")).status_code == 404
        assert alice.post(private.url("uninvite/"), {"user": private.bob}).status_code == 409
        alice.post(private.url("invite/"), {"name": "Bob"})
        assert bob.get(private.url()).status_code == 200

    def test_only_the_maker_invites(self, forming):
        now = timezone.now()
        join_game(slug=forming.slug, user_id=forming.bob, now=now)
        for user_id in (forming.bob, forming.charlie):
            with pytest.raises(NotYourSeat):
                invite(slug=forming.slug, user_id=user_id, name="Charlie", now=now)

    @pytest.mark.parametrize(
        ("name", "words"), [("Nobody", "no player called"), ("Alice", "you"), ("", "no player")]
    )
    def test_nobody_is_told_so(self, forming, name, words):
        with pytest.raises(Refused, match=words):
            invite(slug=forming.slug, user_id=forming.alice, name=name, now=timezone.now())

    def test_a_name_nobody_has_is_said_on_the_page(self, forming):
        page = forming.client("alice").post(forming.url("invite/"), {"name": "Zed"}, follow=True)
        assert page.status_code == 200
        assert "There is no player called" in page.content.decode()

    def test_the_maker_sends_away_who_joined(self, private):
        alice, bob = private.client("alice"), private.client("bob")
        alice.post(private.url("invite/"), {"name": "Bob"})
        bob.post(private.url("join/"))
        (_, seat) = alice.get(private.url()).context["view"].seats
        assert bob.post(private.url("dismiss/"), {"seat": seat.token}).status_code == 403
        assert alice.post(private.url("dismiss/"), {"seat": seat.token}).status_code == 303
        assert not Seat.objects.filter(user=private.bob).exists()
        assert bob.get(private.url()).status_code == 403

    def test_a_removal_does_not_reveal_who_had_joined_an_anonymous_game(self, private, agree):
        agree(anonymous=True)
        alice = private.client("alice")
        for name in ("Bob", "Charlie"):
            alice.post(private.url("invite/"), {"name": name})

        def see():
            guests = alice.get(private.url()).context["view"].guests
            return [guest.name for guest in guests]

        before = see()
        private.client("bob").post(private.url("join/"))
        now, seat = timezone.now(), Seat.objects.get(user=private.bob)
        dismiss(slug=private.slug, user_id=private.alice, seat_id=seat.pk, now=now)
        assert see() == before == ["Bob", "Charlie"]

    def test_not_once_it_has_started(self, cast):
        now = timezone.now()
        with pytest.raises(WrongMoment):
            invite(slug=cast.slug, user_id=cast.alice, name="Charlie", now=now)
        with pytest.raises(WrongMoment):
            dismiss(slug=cast.slug, user_id=cast.alice, seat_id=2, now=now)


class TestStart:
    def test_the_last_seat_begins_a_game(self, make, people, now):
        game = make(setup="2000-3", start=Start.FULL, fill_with="")
        join_game(slug=game.slug, user_id=people["bob"], now=now)
        assert Game.objects.get().status == "forming"
        seat = join_game(slug=game.slug, user_id=people["charlie"], now=now)
        assert Game.objects.get().status == "running"
        assert seat.game.phases.get().name == "S1901M"
        assert Seat.objects.exclude(power=None).count() == 3

    def test_a_master_without_a_seat_starts_it(self, make, people, now):
        game = make(setup="2000-2", master=Master.CREATOR, fill_with="")
        assert not Seat.objects.exists()
        with pytest.raises(WrongMoment, match="game master"):
            join_game(slug=game.slug, user_id=people["alice"], now=now)
        for name in ("bob", "charlie"):
            join_game(slug=game.slug, user_id=people[name], now=now)
        with pytest.raises(NotYourSeat):
            start_game(slug=game.slug, user_id=people["bob"], now=now)
        start_game(slug=game.slug, user_id=people["alice"], now=now)
        looked = preview_results(
            slug=game.slug, user_id=people["alice"], sequence=1, reason="to see", now=now
        )
        assert looked.next.phase.year == 1914

    def test_a_master_who_plays_cannot_look(self, make, people, now):
        game = make(master=Master.PLAYING)
        start_game(slug=game.slug, user_id=people["alice"], now=now)
        with pytest.raises(NotYourSeat, match="plays"):
            preview_results(
                slug=game.slug, user_id=people["alice"], sequence=1, reason="x", now=now
            )


class TestColors:
    def test_a_country_is_drawn_in_its_players_color(self, cast):
        alice = cast.client("alice")
        assert alice.post(cast.url("color/"), {"color": "#c0489c"}).status_code == 303
        for who in ("alice", "charlie"):
            view = cast.client(who).get(cast.url()).context["view"]
            colors = {seat.power: seat.color for seat in view.seats}
            assert colors["AUSTRIA"] == "#c0489c"
            assert "#c0489c" in view.overlay
        assert "#a32114" not in view.overlay
        alice.post(cast.url("color/"), {"color": ""})
        assert "#a32114" in alice.get(cast.url()).context["view"].overlay

    @pytest.mark.parametrize(
        ("color", "status"),
        [("#d8d048", 409), ("#123456", 400), ("red", 400), ("#48cc90", 303)],
        ids=["too much like Turkey", "not offered", "no color", "mint"],
    )
    def test_it_must_be_told_apart(self, cast, color, status):
        assert cast.client("alice").post(cast.url("color/"), {"color": color}).status_code == status

    def test_what_is_offered_is_taken(self, cast):
        shown = cast.client("alice").get(cast.url("parts/powers/")).context["view"]
        (well,) = shown.color_choices
        assert len(well.choices) >= 8
        for color, _, _ in well.choices:
            color_country(slug=cast.slug, user_id=cast.alice, color=color, now=timezone.now())


class TestFourPlayers:
    @pytest.fixture
    def four(self, make, people, now):
        from tests.cast import Cast

        game = make(setup="2000-4", fill_with="hold")
        join_game(slug=game.slug, user_id=people["bob"], now=now)
        at = timezone.now()
        start_game(slug=game.slug, user_id=people["alice"], now=at)
        advance(game_id=game.pk, owner="t", now=at)
        return Cast(game.slug, game.pk, **people)

    def test_a_player_orders_all_countries(self, four):
        who = next(
            name
            for name in ("alice", "bob")
            if len(four.client(name).get(four.url()).context["view"].you.parts) == 2
        )
        client = four.client(who)
        view = client.get(four.url()).context["view"]
        parts = [part.power for part in view.you.parts]
        assert {slot.power for slot in view.order_form.slots} == {
            part.country for part in view.you.parts
        }
        assert view.you.centers == sum(part.centers for part in view.you.parts)
        chosen = [slot.groups[1].choices[0].value for slot in view.order_form.slots]
        sent = client.post(four.url("orders/"), {"phase": 1, "order": chosen})
        assert sent.status_code == 303
        saved = client.get(four.url()).context["view"].order_form.slots
        assert [slot.selected for slot in saved] == chosen
        for name in ("alice", "bob"):
            four.client(name).post(four.url("ready/"), {"phase": 1, "ready": "1"})
        page = client.get(four.url("phases/1/"))
        shown = [power.seat.power for power in page.context["report"].powers]
        assert set(parts) <= set(shown)
        centers = client.get(four.url("centers/"))
        assert {row.seat.centers for row in centers.context["centers"].rows} == {3, 6, 7}

    def test_everybody_sees_every_page(self, four):
        for who in ("alice", "bob", "charlie", "nobody"):
            for rest in ("", "centers/", "rules/", "state/"):
                assert four.client(who).get(four.url(rest)).status_code == 200


class TestReliability:
    """A game can ask for a least reliability; someone without a history may play."""

    @pytest.fixture(autouse=True)
    def history(self, people):
        """Alice gave orders in 9 of 10 turns, Bob left 1 of 3 games, and Charlie never played."""
        PlayerFigures.objects.create(user_id=people["alice"], turns=10, missed=1, games=2)
        PlayerFigures.objects.create(user_id=people["bob"], turns=10, games=3, left=1)

    def test_joining_needs_it(self, make, people, now):
        game = make(reliability=67)
        with pytest.raises(NotYourSeat, match="Yours is 66%"):
            join_game(slug=game.slug, user_id=people["bob"], now=now)
        assert game.seats.count() == 1
        join_game(slug=game.slug, user_id=people["charlie"], now=now)
        Game.objects.update(options=replace(game.options, reliability=66).to_json())
        join_game(slug=game.slug, user_id=people["bob"], now=now)

    def test_a_creator_who_plays_cannot_ask_for_more_than_their_own(self, make):
        with pytest.raises(Refused, match="Yours is 90%"):
            make(reliability=91)
        assert not Game.objects.exists()
        assert make(reliability=91, master=Master.CREATOR).options.reliability == 91

    def test_taking_over_a_seat_needs_it(self, cast):
        game, now = Game.objects.get(slug=cast.slug), timezone.now()
        power = game.seats.get(user=cast.bob).power
        resign(slug=cast.slug, user_id=cast.bob, now=now)
        Game.objects.update(options=replace(game.options, reliability=50).to_json())
        client = cast.client("charlie")
        assert len(client.get("/games/").context["vacancies"]) == 1
        PlayerFigures.objects.create(user_id=cast.charlie, turns=4, missed=3)
        assert client.get("/games/").context["vacancies"] == ()
        assert "lower than this game asks" in client.get(cast.url()).content.decode()
        with pytest.raises(NotYourSeat, match="Yours is 25%"):
            take_seat(slug=cast.slug, user_id=cast.charlie, power=power, now=now)
        PlayerFigures.objects.filter(user=cast.charlie).update(missed=2)
        take_seat(slug=cast.slug, user_id=cast.charlie, power=power, now=now)

    def test_the_lobby_the_rules_and_the_api_show_it(self, make, client):
        game = make(reliability=75)
        assert "at least 75% reliability" in client.get("/games/").content.decode()
        assert "at least 75%" in client.get(f"/games/{game.slug}/rules/").content.decode()
