"""Playing before signing up: nothing is stored before the first orders, and games stay."""

import datetime as dt
import re

import pytest
import time_machine
from django.apps import apps
from django.contrib.sessions.models import Session
from django.core.cache import cache
from django.test import Client
from django.utils import timezone
from tests.maps.new_worlds import KEY, draw_new_world

from diplomaccloud.accounts.guests import KEEP_GUESTS_FOR, create_guest
from diplomaccloud.accounts.models import User
from diplomaccloud.games.guests import actions as first_orders
from diplomaccloud.games.guests.actions import GAME_ROWS, MAX_GUEST_GAMES, adopt_guest, purge_guests
from diplomaccloud.games.results.actions import find_differences
from diplomaccloud.games.table.log_models import Event, RecordLine
from diplomaccloud.games.table.models import Game, Seat
from diplomaccloud.games.table.phase_models import OrderRow, Phase
from diplomaccloud.maps.library import load_recent, store_standard
from diplomaccloud.maps.models import StoredChart
from diplomaccloud.maps.previews import KEEP_FOR, prune_previews
from diplomaccloud.project.settings import ACCOUNT_RATE_LIMITS as LIMITS

pytestmark = pytest.mark.every_database

SIGN_UP = {"username": "Zoe", "password1": "a long enough word"}


@pytest.fixture(autouse=True)
def _standard_map(db):
    cache.clear()
    load_recent.cache_clear()
    store_standard(now=timezone.now())


def open_board(client):
    """Return the address of a new board, and its page."""
    answer = client.get("/games/play/", {"map": "standard"})
    return follow_to_board(client, answer)


def open_new_world(client):
    """Return the address of a new board on a map that nobody has saved, and its page."""
    answer = client.post("/games/quick/", {"map": draw_new_world()})
    return follow_to_board(client, client.get(answer.url))


def follow_to_board(client, answer):
    assert answer.status_code == 303
    return answer.url, client.get(answer.url)


def read_choices(page):
    """Return the second choice of every unit, which is an order."""
    selects = re.findall(r'<select[^>]*name="order".*?</select>', page.content.decode(), re.S)
    values = [re.findall(r'<option value="([^"]+)"', select) for select in selects]
    return [value[1] for value in values]


def play(client, **sent):
    url, page = open_board(client)
    choices = read_choices(page)
    data = {"phase": 1, "order": choices, **sent}
    return client.post(url, data), choices


@pytest.fixture
def guest():
    """A browser with a game, after its first turn."""
    client = Client()
    answer, _ = play(client, ready="1")
    assert answer.status_code == 303
    client.game_url = answer.url
    return client


def count_rows():
    models = [model for model in apps.get_models() if model._meta.app_label != "contenttypes"]
    return {model._meta.label: model._default_manager.count() for model in models}


def test_a_button_pressed_twice_at_once_starts_one_game(monkeypatch):
    client, create, again = Client(), create_guest, []
    url, page = open_board(client)
    data = {"phase": 1, "order": read_choices(page)}

    def create_after_the_other_request(*arguments, **options):
        if not again:
            again.append(1)
            assert Client().post(url, data).status_code == 303
        return create(*arguments, **options)

    monkeypatch.setattr(first_orders, "create_guest", create_after_the_other_request)
    answer = client.post(url, data)
    assert answer.status_code == 409
    assert "already been started" in answer.content.decode()


def test_the_board_stores_nothing_and_shows_legal_orders():
    before, client = count_rows(), Client()
    url, page = open_board(client)
    assert page.status_code == 200
    assert 3 <= len(read_choices(page)) <= 4
    sketch = client.post(f"{url}preview/", {"phase": 1, "order": read_choices(page)})
    assert sketch.status_code == 200
    assert count_rows() == before
    assert "sessionid" not in client.cookies


def test_the_board_of_a_new_world_stores_only_the_map():
    before, client = count_rows(), Client()
    url, page = open_new_world(client)
    assert page.status_code == 200
    sketch = client.post(f"{url}preview/", {"phase": 1, "order": read_choices(page)})
    assert sketch.status_code == 200
    stored = {name: count for name, count in count_rows().items() if count != before[name]}
    assert stored == {"maps.StoredChart": before["maps.StoredChart"] + 1, "maps.MapPreview": 1}
    assert "sessionid" not in client.cookies


def test_a_guest_plays_on_a_new_world_that_the_gallery_does_not_show():
    client = Client()
    url, page = open_new_world(client)
    answer = client.post(url, {"phase": 1, "order": read_choices(page), "ready": "1"})
    assert client.get(answer.url).status_code == 200
    game = Game.objects.get()
    assert (game.chart.name, game.chart.listed, game.private) == ("Newland", False, True)
    assert "Newland" not in client.get("/maps/").content.decode()
    assert prune_previews(now=timezone.now() + KEEP_FOR * 2) == 1
    assert client.get(answer.url).status_code == 200
    later = timezone.now() + KEEP_GUESTS_FOR + dt.timedelta(hours=2)
    assert purge_guests(now=later) == 1
    prune_previews(now=later)
    assert not StoredChart.objects.filter(listed=False).exists()


def test_a_map_whose_preview_is_gone_gets_a_sentence():
    answer = Client().post("/games/quick/", {"map": KEY}, follow=True)
    assert "This map is not in the gallery." in answer.content.decode()


def test_guests_who_choose_no_bots_play_against_recruits(guest):
    seats = Seat.objects.filter(game__slug=guest.game_url.split("/")[2])
    assert set(seats.exclude(bot="").values_list("bot", flat=True)) == {"level:1"}
    picker = Client().get("/games/quick/?map=standard&choose=1")
    assert picker.context["opponents"].chosen == {"level:1"}
    plain = Client().get("/games/quick/?map=standard")
    assert plain.url == "/games/play/?map=standard&bot=level%3A1"


def test_the_board_is_the_same_each_time_it_is_loaded():
    url, page = open_board(Client())
    assert read_choices(page) == read_choices(Client().get(url))


def test_the_first_orders_create_guest_game_and_orders():
    client = Client()
    answer, choices = play(client)
    game, user = Game.objects.get(), User.objects.get()
    assert answer.url == f"/games/{game.slug}/"
    assert (user.guest, user.has_usable_password(), user.screen_name) == (True, False, "Guest")
    assert game.private
    own = OrderRow.objects.filter(draft__seat__user=user)
    assert sorted(map(str, own.values_list("canonical_json", flat=True))) or own.count()
    assert own.count() == len(choices)
    page = client.get(answer.url)
    assert page.status_code == 200


def test_the_country_is_the_one_that_was_shown():
    client = Client()
    url, page = open_board(client)
    client.post(url, {"phase": 1, "order": read_choices(page)})
    shown = page.context["view"].you.country
    assert Seat.objects.get(user__guest=True).country_name == shown


def test_ready_guests_see_the_second_turn(guest):
    assert Phase.objects.exclude(processed_at=None).count() >= 1
    page = guest.get(guest.game_url)
    (message,) = map(str, page.context["messages"])
    assert message.startswith("Your first turn is over.")
    assert "a week after your last visit" in message


def test_the_board_offers_no_hint_before_the_game_is_stored(guest):
    _, board = open_board(Client())
    assert b'id="hint-heading"' not in board.content
    assert b'id="hint-heading"' in guest.get(guest.game_url).content


def test_the_same_orders_sent_twice_make_one_game():
    client = Client()
    url, page = open_board(client)
    sent = {"phase": 1, "order": read_choices(page)}
    first, second = client.post(url, sent), client.post(url, sent)
    assert first.url == second.url
    assert Game.objects.count() == 1
    stranger = Client().post(url, sent)
    assert stranger.status_code == 409
    assert User.objects.count() == 1


def test_a_refused_order_stores_nothing_and_comes_back():
    client = Client()
    url, page = open_board(client)
    choices = read_choices(page)
    answer = client.post(url, {"phase": 1, "order": choices, "sheet": "F nonsense"})
    assert answer.status_code == 422
    text = answer.content.decode()
    assert "F nonsense" in text
    assert f'value="{choices[0]}" selected' in re.sub(r"\s+", " ", text) or choices[0] in text
    assert (User.objects.count(), Game.objects.count(), Session.objects.count()) == (0, 0, 0)


def test_without_cookies_the_page_says_so_in_plain_words():
    client = Client(enforce_csrf_checks=True)
    url, page = open_board(client)
    client.cookies.clear()
    answer = client.post(url, {"phase": 1, "order": read_choices(page)})
    assert answer.status_code == 403
    text = answer.content.decode()
    assert "does not send cookies" in text
    assert f'href="{url}"' in text
    assert User.objects.count() == 0


@pytest.mark.parametrize("ticket", ["x", "W10:1tZ:abc", "%00", "a" * 3000])
def test_a_damaged_address_gets_a_sentence(ticket):
    assert Client().get(f"/games/play/{ticket}/").status_code in (400, 404)


def test_an_unknown_map_gets_a_sentence():
    assert Client().get("/games/play/", {"map": "0" * 64}).status_code == 400
    assert Client().get("/games/play/", {"map": "nonsense"}).status_code == 400


def test_an_address_has_a_limit(settings):
    settings.ACCOUNT_RATE_LIMITS = LIMITS
    for _ in range(10):
        assert play(Client())[0].status_code == 303
    answer, choices = play(Client())
    assert answer.status_code == 429
    assert choices[0] in answer.content.decode()
    assert Game.objects.count() == 10


def test_a_guest_has_a_limit(guest):
    for _ in range(MAX_GUEST_GAMES - 1):
        assert play(guest)[0].status_code == 303
    answer, _ = play(guest)
    assert answer.status_code == 409
    assert (User.objects.count(), Game.objects.count()) == (1, MAX_GUEST_GAMES)


def test_signing_up_keeps_the_row_and_the_game(guest):
    key = User.objects.get().pk
    assert guest.get("/accounts/signup/").status_code == 200
    answer = guest.post("/accounts/signup/", SIGN_UP)
    assert answer.status_code == 302
    user = User.objects.get()
    assert (user.pk, user.username, user.guest, user.visited_at) == (key, "Zoe", False, None)
    assert "Zoe" in guest.get(guest.game_url).content.decode()
    elsewhere = Client()
    assert elsewhere.login(username="Zoe", password=SIGN_UP["password1"])
    assert elsewhere.get(guest.game_url).status_code == 200


def test_a_bad_sign_up_keeps_the_guest(guest):
    answer = guest.post("/accounts/signup/", SIGN_UP | {"password1": "short"})
    assert answer.status_code == 200
    assert User.objects.get().guest
    assert guest.get(guest.game_url).status_code == 200


def test_logging_in_moves_the_game_to_the_account(guest):
    account = User.objects.create_user("Yan", password="a long enough word")
    page = guest.get("/accounts/login/")
    assert page.status_code == 200
    sent = {"login": "Yan", "password": "a long enough word"}
    assert guest.post("/accounts/login/", sent).status_code == 302
    game = Game.objects.get()
    assert game.creator == account
    assert game.seats.get(user=account)
    assert guest.get(guest.game_url).status_code == 200
    assert guest.get(f"{guest.game_url}receipts/").status_code == 200
    assert list(find_differences()) == []
    assert adopt_guest(guest_id=account.pk, user_id=account.pk) == 0


def test_guests_are_not_among_people(guest):
    user = User.objects.get()
    page = Client().get("/people/").content.decode()
    assert user.username not in page
    assert "Guest" not in page
    for name in (user.username, "Guest"):
        assert Client().get(f"/people/{name}/").status_code == 404


def test_the_game_of_a_guest_is_in_no_list(guest):
    assert guest.game_url not in Client().get("/games/").content.decode()
    assert Client().get(guest.game_url).status_code == 404


def test_guests_cannot_play_with_others(guest, cast):
    for path in ("join/", "take-over/"):
        answer = guest.post(cast.url(path), {"power": "ITALY"})
        assert answer.url.startswith("/accounts/signup/?next=")
    for path in ("/games/new/", "/maps/import/", "/accounts/email/"):
        assert guest.get(path).url.startswith("/accounts/signup/?next=")
    assert not Seat.objects.filter(game=cast.game_id, user__guest=True).exists()


def test_guests_may_use_the_sandbox_and_the_lessons_like_visitors(guest):
    sandbox = f"/maps/{StoredChart.objects.get().content_hash}/sandbox/"
    visitor = Client()
    for path, form in (
        (sandbox, {"do": "adjudicate"}),
        ("/learn/first-game/start/", {"country": "FRANCE"}),
        ("/learn/first-game/sketch/", {"order": "A PAR - BUR"}),
        ("/learn/first-game/orders/", {"phase": "S1901M", "order": "A PAR - BUR"}),
        ("/learn/ending/3/sketch/", {"order": "A PAR - BUR"}),
    ):
        expected, answer = visitor.post(path, form), guest.post(path, form)
        assert answer.status_code == expected.status_code < 400
        assert answer.get("Location") == expected.get("Location")
        assert "signup" not in answer.get("Location", "")


@pytest.mark.parametrize("page", ["confirm", "unsubscribe"])
def test_guests_may_use_the_secret_addresses_in_mail_like_visitors(guest, page):
    path = f"/notices/{page}/unknown/"
    assert Client().post(path).status_code == guest.post(path).status_code == 404


def test_a_week_after_the_last_visit_everything_of_a_guest_is_deleted(guest, cast):
    now, user = timezone.now(), User.objects.get(guest=True)
    before = Event.objects.filter(game=cast.game_id).count()
    assert purge_guests(now=now + KEEP_GUESTS_FOR - dt.timedelta(hours=2)) == 0
    assert purge_guests(now=now + KEEP_GUESTS_FOR + dt.timedelta(hours=2)) == 1
    assert Game.objects.get().pk == cast.game_id
    assert not User.objects.filter(pk=user.pk).exists()
    assert Event.objects.filter(game=cast.game_id).count() == before
    assert not RecordLine.objects.exclude(game=cast.game_id).exists()
    # The browser still has its session: it is a visitor's again.
    assert guest.get("/").status_code == 200


def test_a_visit_is_recorded_once_an_hour(guest):
    early = timezone.now() - dt.timedelta(days=3)
    User.objects.update(visited_at=early)
    guest.get(guest.game_url)
    recorded = User.objects.get().visited_at
    assert recorded > early
    guest.get(guest.game_url)
    assert User.objects.get().visited_at == recorded


def test_a_guest_who_comes_back_each_week_keeps_the_game(guest):
    now = timezone.now()
    for _ in range(6):
        now += dt.timedelta(days=6)
        with time_machine.travel(now, tick=False):
            assert guest.get(guest.game_url).status_code == 200
            assert purge_guests(now=now) == 0
    assert guest.cookies["sessionid"]["max-age"] == 14 * 24 * 3600


NOT_OF_GUESTS = {"games.NextGame", "games.RatedGame"}
"""Tables without rows for guests' games: the site opens next games, and only public ones count."""


def test_the_purge_knows_every_table_of_a_game():
    deleted = {label for label, _ in GAME_ROWS}
    related = {
        field.related_model._meta.label
        for label in (*deleted, "games.Game")
        for field in apps.get_model(label)._meta.related_objects
    }
    assert related - NOT_OF_GUESTS == deleted
    assert related >= NOT_OF_GUESTS
