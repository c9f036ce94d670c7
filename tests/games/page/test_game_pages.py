"""The pages of games, without JavaScript and with htmx."""

from urllib.parse import urlencode

import pytest
from django.test import Client
from django.utils import timezone
from tests.games.browsing import Browser
from tests.games.steps import remove_centers, remove_units, save

from diplomaccloud.accounts.models import User
from diplomaccloud.games.orders.actions import save_orders
from diplomaccloud.games.seats.actions import resign
from diplomaccloud.games.table.models import Game, Seat
from diplomaccloud.games.table.phase_models import OrderRow, Phase, Submission
from diplomaccloud.games.turn.claims import advance

HTMX = {"HX-Request": "true"}


def words_of(text):
    """Return the page's source as a browser reads it: a line break is a space."""
    return " ".join(text.split())


def order_values(response):
    slots = response.context["view"].order_form.slots
    return {slot.unit: slot.selected for slot in slots}


class TestLobby:
    def test_anybody_may_look(self, cast):
        for url in ("/", "/games/"):
            response = cast.client("nobody").get(url)
            assert response.status_code == 200
            assert b"Testland" in response.content

    def test_your_games_say_that_they_need_you(self, cast):
        (card,) = cast.client("alice").get("/").context["lobby"].yours
        assert (card.needs_you, card.your_country) == (True, "Austria")

    def test_a_game_with_saved_orders_no_longer_waits_for_you(self, cast):
        before = cast.client("alice").get("/").context["lobby"]
        save(cast, "alice")
        after = cast.client("alice").get("/").context["lobby"]
        assert (len(before.waiting), len(after.waiting), len(after.settled)) == (1, 0, 1)
        assert (after.settled[0].saved, after.settled[0].needs_you) == (True, True)

    def test_a_private_game_is_listed_for_its_players_alone(self, cast):
        Game.objects.update(private=True)
        assert len(cast.client("bob").get("/").context["lobby"].yours) == 1
        for who in ("bob", "charlie"):
            lobby = cast.client(who).get("/games/").context["lobby"]
            assert lobby.others["running"].games == lobby.yours == ()
        home = cast.client("charlie").get("/")
        assert home.context["lobby"].yours == ()
        assert b"Testland" not in home.content


class TestForming:
    def test_from_the_form_to_the_first_phase(self, standard, people):
        client = Client()
        client.force_login(_user(people["alice"]))
        form = client.get(f"/games/new/?map={standard}").context["form"]
        data = {name: form[name].value() or "" for name in form.fields} | {"world": "Middle World"}
        made = client.post("/games/new/", data)
        assert made.status_code == 303
        game = Game.objects.get()
        assert (game.world, game.options.fill_with) == ("Middle World", "level:2")
        page = client.get(made.url)
        assert page.templates[0].name == "games/page/forming.html"
        assert page.context["view"].can_start
        started = client.post(f"{made.url}start/", follow=True)
        assert started.templates[0].name == "games/page/running.html"
        assert Seat.objects.count() == 7

    @pytest.mark.parametrize(
        "change",
        [
            {"map": "f" * 63},
            {"world": ""},
            {"movement": "1 second"},
            {"edition": "1066"},
            {"end_year": "x"},
        ],
        ids=["no map", "no name", "no length", "another edition", "no year"],
    )
    def test_a_bad_form_comes_back_and_makes_nothing(self, standard, people, change):
        client = Client()
        client.force_login(_user(people["alice"]))
        form = client.get(f"/games/new/?map={standard}").context["form"]
        data = {name: form[name].value() or "" for name in form.fields} | {"speed": "custom"}
        answer = client.post("/games/new/", data | change)
        assert answer.status_code == 422
        assert list(answer.context["form"].errors) == list(change)
        assert not Game.objects.exists()

    def test_the_invitation_opens_a_private_game(self, forming):
        Game.objects.update(private=True)
        bob = forming.client("bob")
        for address in (forming.url(), forming.url("?code=wrong")):
            door = bob.get(address)
            assert door.status_code == 403
            assert "Invitation code" in door.content.decode()
            assert "Testland" not in door.content.decode()
        page = bob.get(forming.url() + "?code=LETMEIN222")
        assert page.context["view"].can_join
        assert page.context["view"].code == ""
        assert bob.post(forming.url("join/"), {"code": "wrong"}).status_code == 404
        assert bob.post(forming.url("join/"), {"code": "letmein222"}).status_code == 303

    def test_a_visitor_is_asked_in_before_joining(self, forming):
        Game.objects.update(private=True)
        page = forming.client("nobody").get(forming.url() + "?code=letmein222")
        assert not page.context["view"].can_join
        back = urlencode({"next": f"{forming.url()}?code=letmein222"}, safe="/")
        for entrance in ("signup", "login"):
            assert f'href="/accounts/{entrance}/?{back}"' in page.content.decode()

    def test_a_solo_game_is_one_click(self, standard, people):
        client = Client()
        client.force_login(_user(people["alice"]))
        response = client.post("/games/quick/", {"map": "standard"}, follow=True)
        assert response.templates[0].name == "games/page/running.html"
        assert len(order_values(response)) in (3, 4)

    def test_a_visitor_sees_the_board_at_once(self, standard):
        page = Client().post("/games/quick/", {"map": "standard"}, follow=True)
        assert page.templates[0].name == "games/page/running.html"
        assert "Your first turn" in page.content.decode()
        assert Game.objects.count() == 0

    def test_a_link_alone_begins_no_game(self, standard, people):
        client = Client()
        client.force_login(_user(people["alice"]))
        page = client.get("/games/quick/", {"map": "standard"})
        assert page.templates[0].name == "games/creation/quick.html"
        assert client.get("/games/quick/", {"map": "standard"}).status_code == 200
        assert Game.objects.count() == 0


class TestOrders:
    def test_choices_and_typed_lines_are_saved(self, cast):
        alice = cast.client("alice")
        data = {"phase": 1, "order": ["A VIE - GAL", "A BUD H"], "sheet": "F TRI-ALB"}
        response = alice.post(cast.url("orders/"), data)
        assert (response.status_code, response.url) == (303, cast.url())
        page = alice.get(cast.url())
        assert order_values(page) == {
            "A VIE": "A VIE - GAL",
            "A BUD": "A BUD H",
            "F TRI": "F TRI - ALB",
        }
        assert b"A VIE - GAL" in page.content

    def test_htmx_gets_the_part_of_the_page(self, cast):
        data = {"phase": 1, "order": ["A VIE - GAL"]}
        response = cast.client("alice").post(cast.url("orders/"), data, headers=HTMX)
        assert response.status_code == 200
        assert response.templates[0].name == "games/page/_board.html"
        assert response.context["saved"] == ("A VIE - GAL",)

    @pytest.mark.parametrize("headers", [{}, HTMX], ids=["page", "part"])
    def test_a_refused_line_comes_back_with_its_reason(self, cast, headers):
        data = {"phase": 1, "order": ["A BUD - SER"], "sheet": "A VIE - PAR"}
        response = cast.client("alice").post(cast.url("orders/"), data, headers=headers)
        assert response.status_code == 422
        assert response.context["sheet"] == "A VIE - PAR"
        assert "Paris" in response.context["problems"][0].message
        assert OrderRow.objects.filter(draft__seat__power="AUSTRIA").count() == 1
        assert b"A VIE - PAR" in response.content

    def test_a_whole_sheet_is_saved_and_kept_as_it_was_written(self, cast):
        alice = Browser(cast.client("alice"))
        alice.open(cast.url())
        sheet = "Austria:\r\nVienna army to Galicia. Budapest army stands.\r\n# later\r\nF TRI-ABL"
        assert alice.send("/orders/", sheet=sheet) == 422
        rows = OrderRow.objects.filter(unit__in=("A VIE", "A BUD"))
        assert set(rows.values_list("unit", "written")) == {
            ("A VIE", "Vienna army to Galicia."),
            ("A BUD", "Budapest army stands."),
        }
        (form,) = alice.forms("/orders/")
        (box,) = [one.value for one in form.controls if one.name == "sheet"]
        assert box == "Austria:\nF TRI-ABL"
        assert "Line 2, <code>F TRI-ABL</code>: &#x27;ABL&#x27; is not a province" in words_of(
            alice.text
        )

    def test_a_text_too_long_is_refused_and_not_lost(self, cast):
        alice = Browser(cast.client("alice"))
        alice.open(cast.url())
        sheet = "Ａ ＶＩＥ Ｈ \u202e " * 1_500
        assert alice.send("/orders/", sheet=sheet) == 413
        (form,) = alice.forms("/orders/")
        assert [one.value for one in form.controls if one.name == "sheet"] == [sheet]

    def test_too_many_choices_are_refused_in_words(self, cast):
        data = {"phase": 1, "order": ["A VIE H"] * 121}
        page = cast.client("alice").post(cast.url("orders/"), data)
        text = page.content.decode()
        assert page.status_code == 413
        assert 'Not accepted: <a href="#sheet"> everything you sent</a>.' in words_of(text)
        assert '<p class="errorlist"> This is more text than' in words_of(text)
        assert "<code></code>" not in text

    def test_a_sheet_goes_under_the_name_that_is_printed(self, cast):
        alice = Browser(cast.client("alice"))
        cast.client("alice").post(cast.url("country/"), {"country": "Danubia"})
        alice.open(cast.url())
        assert "under <code>Austria:</code>" in words_of(alice.text)
        assert alice.send("/orders/", sheet="Austria:\nA VIE - GAL") in (200, 303)

    def test_ready_with_the_orders_and_taken_back(self, cast):
        alice = cast.client("alice")
        alice.post(cast.url("orders/"), {"phase": 1, "order": ["A VIE - GAL"], "ready": "1"})
        assert alice.get(cast.url()).context["view"].order_form.submission.ready
        alice.post(cast.url("ready/"), {"phase": 1, "ready": "0"})
        assert not alice.get(cast.url()).context["view"].order_form.submission.ready

    def test_orders_with_a_refused_line_are_not_ready(self, cast):
        data = {"phase": 1, "sheet": "A VIE - PAR", "ready": "1"}
        cast.client("alice").post(cast.url("orders/"), data)
        assert not Submission.objects.filter(seat__power="AUSTRIA").exclude(ready_at=None).exists()

    def test_the_last_to_be_ready_sees_the_next_phase_at_once(self, cast):
        for who in ("alice", "bob"):
            response = cast.client(who).post(
                cast.url("ready/"), {"phase": 1, "ready": "1"}, headers=HTMX
            )
        assert response.context["view"].header.phase == "F1901M"


class TestLookingBack:
    def test_history_shows_every_order_and_the_way_on(self, cast):
        _turn(cast)
        _turn(cast)
        client = cast.client("nobody")
        page = client.get(cast.url("phases/1/"))
        report = page.context["report"]
        assert (report.name, report.previous_url) == ("S1901M", "")
        assert report.next_url == cast.url("phases/2/")
        last = client.get(cast.url("phases/2/")).context["report"]
        assert (last.previous_url, last.next_url) == (cast.url("phases/1/"), "")
        text = " ".join(page.content.decode().split())
        assert '<p class="bar__past">Spring 1901 · past</p> <p class="bar__phase" hidden>' in text
        assert f'href="{cast.url()}#orders"' in text
        lines = [line.text for power in report.powers for line in power.lines]
        assert len(lines) == 22
        assert "A VIE H" in lines

    def test_the_board_tells_of_the_last_moves_and_of_all_that_followed_them(self, cast):
        def recent():
            view = cast.client("bob").get(cast.url()).context["view"]
            return [report.name for report in view.recent]

        assert recent() == []
        for sequence, order in ((1, "A BUD - SER"), (2, "A SER H")):
            save_orders(
                slug=cast.slug,
                user_id=cast.alice,
                sequence=sequence,
                choices=[order],
                sheet="",
                now=timezone.now(),
            )
            _turn(cast)
        assert recent() == ["F1901M"]
        _turn(cast)
        assert recent() == ["F1901M", "W1901A"]
        assert Phase.objects.latest("sequence").name == "S1902M"

    @pytest.mark.parametrize("number", [0, 2, 3, 99999999999999999999])
    def test_an_open_or_unknown_phase_has_no_page(self, cast, number):
        _turn(cast)
        assert cast.client("alice").get(cast.url(f"phases/{number}/")).status_code == 404

    def test_centers_count_from_the_start(self, cast):
        _turn(cast)
        centers = cast.client("nobody").get(cast.url("centers/")).context["centers"]
        assert centers.years == (1900,)
        russia = next(row for row in centers.rows if row.seat.power == "RUSSIA")
        assert (russia.counts, russia.seat.rank) == ((4,), 1)

    def test_a_finished_game_shows_its_end(self, cast, agree):
        agree({"last_year": 1901})
        for _ in range(2):
            _turn(cast)
        assert Game.objects.get().status == "finished"
        page = cast.client("alice").get(cast.url())
        assert page.templates[0].name == "games/page/finished.html"
        assert [seat.power for seat in page.context["view"].ending.winners] == ["RUSSIA"]
        assert page.context["view"].ending.year == 1901
        part = cast.client("alice").get(cast.url(), headers=HTMX)
        assert part.headers["HX-Redirect"] == cast.url()


def test_a_country_is_named(cast):
    alice = cast.client("alice")
    alice.post(cast.url("country/"), {"country": "Danubia"})
    assert alice.get(cast.url()).context["view"].you.country == "Danubia"
    assert b"Danubia" in cast.client("nobody").get(cast.url()).content


def test_a_power_without_units_is_listed_while_somebody_plays_it(cast):
    """Whatever that person is called."""
    User.objects.filter(pk=cast.bob).update(username="nobody")
    remove_units("TURKEY")
    remove_centers("TURKEY")

    def listed():
        armies = cast.client("alice").get(cast.url("parts/powers/")).context["view"].units
        return [seat.power for seat, _, _ in armies]

    assert "TURKEY" in listed()
    resign(slug=cast.slug, user_id=cast.bob, now=timezone.now())
    assert "TURKEY" not in listed()


def _user(key):
    return User.objects.get(pk=key)


def _turn(cast):
    phase = Phase.objects.order_by("-sequence").first()
    now = max(phase.due_at, timezone.now())
    advance(game_id=cast.game_id, owner="test", now=now)


class TestSketch:
    DATA = {"phase": 1, "order": ["A VIE - GAL", "A VIE - PAR", "A CON H"]}

    def test_chosen_orders_are_drawn_and_not_saved(self, cast):
        response = cast.client("alice").post(cast.url("orders/preview/"), self.DATA)
        body = response.content.decode()
        assert body.startswith('<g class="orders"')
        assert "A VIE - GAL" in body
        assert "A VIE - PAR" not in body
        assert not OrderRow.objects.filter(draft__seat__power="AUSTRIA").exists()

    def test_only_players_draw(self, cast):
        assert (
            cast.client("charlie").post(cast.url("orders/preview/"), self.DATA).status_code == 404
        )
