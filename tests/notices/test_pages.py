"""The pages of notices: list, settings, destinations, and the addresses with a secret in them."""

import datetime as dt
import re

import pytest
from django.core import mail
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from icalendar import Calendar
from tests.notices.steps import consume, process

from diplomaccloud.accounts.mail_queue import send_due_mail
from diplomaccloud.accounts.models import OutgoingMail, User
from diplomaccloud.games.master.actions import change_time
from diplomaccloud.games.votes.wording import Question
from diplomaccloud.notices.destinations import CONFIRMATION_DELAY, add_email, ensure_push_key
from diplomaccloud.notices.kinds import DEFAULTS, Default, Group, NoticeKind
from diplomaccloud.notices.models import Delivery, Destination, Notice, NoticeSettings, PushKey
from diplomaccloud.notices.preferences import make_unsubscribe_token, read_preferences

SETTINGS = "/notices/settings/"
KEYS = {
    "p256dh": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcx"
    "aOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
    "auth": "BTBZMqHH6r4Tts7J_aSIgg",
}


def text_of(response):
    return response.content.decode()


def number_in(page):
    found = re.search(r'class="bell__number">\s*(\S+?)<', page)
    return found[1] if found else ""


class TestList:
    def test_new_notices_are_counted_listed_and_then_read(self, cast):
        consume()
        client = cast.client("alice")
        assert number_in(text_of(client.get("/games/"))) == "1"
        page = text_of(client.get("/notices/"))
        assert "Testland has started" in page
        assert "notice--new" in page
        assert number_in(text_of(client.get("/games/"))) == ""
        assert "notice--new" not in text_of(client.get("/notices/"))

    def test_a_browser_that_fetches_ahead_reads_nothing(self, cast):
        consume()
        client = cast.client("alice")
        client.get("/notices/", headers={"Sec-Purpose": "prefetch"})
        client.get(cast.url(), headers={"Sec-Purpose": "prefetch;prerender"})
        assert Notice.objects.filter(user=cast.alice, read_at=None).count() == 1

    def test_opening_a_game_reads_what_is_new_about_it(self, cast):
        consume()
        client = cast.client("alice")
        assert client.get(cast.url()).status_code == 200
        assert not Notice.objects.filter(user=cast.alice, read_at=None).exists()
        assert Notice.objects.filter(user=cast.bob, read_at=None).count() == 1

    def test_one_sees_ones_own_notices_only(self, cast):
        consume()
        page = text_of(cast.client("charlie").get("/notices/"))
        assert "Testland" not in page
        assert "No notices yet" in page

    def test_a_visitor_and_a_guest_are_led_elsewhere(self, cast):
        for path in ("/notices/", SETTINGS):
            assert Client().get(path).headers["Location"].startswith("/accounts/login/")
        User.objects.filter(pk=cast.alice).update(guest=True, visited_at=timezone.now())
        for path in ("/notices/", SETTINGS):
            where = cast.client("alice").get(path).headers["Location"]
            assert where.startswith("/accounts/signup/")

    def test_it_costs_the_same_with_many_notices(self, cast):
        consume()
        client = cast.client("alice")

        def count(path):
            Notice.objects.update(read_at=None)
            with CaptureQueriesContext(connection) as queries:
                assert client.get(path).status_code == 200
            return len(queries)

        client.get("/notices/")
        few = [count(path) for path in ("/notices/", "/games/")]
        now = timezone.now()
        Notice.objects.bulk_create(
            Notice(
                user_id=cast.alice,
                kind="result",
                key=f"n {number}",
                game_id=cast.game_id,
                created_at=now,
                useful_until=now,
                data={"phase": "S1901M"},
            )
            for number in range(300)
        )
        assert [count(path) for path in ("/notices/", "/games/")] == few
        assert few[0] <= 8
        assert number_in(text_of(client.get("/games/"))) == "99+"
        page = text_of(client.get("/notices/?page=2"))
        assert page.count('class="notice') >= 30
        assert 'rel="prev"' in page

    def test_the_list_says_nothing_about_a_game_that_is_not_visible_any_more(self, cast):
        from diplomaccloud.games.table.models import Game

        consume()
        Game.objects.update(status="canceled", started_at=None)
        page = text_of(cast.client("alice").get("/notices/"))
        assert "Testland" not in page
        assert "can no longer see" in page


class TestSettings:
    def test_the_table_of_the_specification_is_the_default(self, cast):
        page = text_of(cast.client("alice").get(SETTINGS))
        boxes = dict(re.findall(r'name="on"\s+value="([^"]+)"(\s+checked)?', page))
        expected = {
            f"{kind} {group}": default is Default.ON
            for kind, row in DEFAULTS.items()
            for group, default in row.items()
            if default is not Default.NEVER
        }
        assert {name: bool(mark) for name, mark in boxes.items()} == expected

    def test_choices_are_saved_and_only_what_differs_is_stored(self, cast):
        client = cast.client("alice")
        on = [
            f"{kind} {group}"
            for kind, row in DEFAULTS.items()
            for group in Group
            if row[group] is not Default.OFF
        ]
        client.post("/notices/settings/kinds/", {"on": [*on, "nonsense", "seat push"]})
        row = NoticeSettings.objects.get(pk=cast.alice)
        assert row.choices == {}
        client.post("/notices/settings/kinds/", {"on": ["result email"]})
        preferences = read_preferences([cast.alice])[cast.alice]
        assert preferences.choices["result"] == {"push": False, "chat": False}
        assert read_preferences([cast.bob])[cast.bob].choices == {}

    @pytest.mark.parametrize(
        ("given", "fault"),
        [
            ({"start": "22:00", "end": ""}, "Enter both times"),
            ({"start": "25:99", "end": "8:00"}, "hours and minutes"),
            ({"start": "8:00", "end": "8:00"}, "are the same"),
            ({"start": "22:00", "end": "8:00", "zone": "Mars/Olympus"}, "Unknown time zone"),
        ],
    )
    def test_wrong_quiet_hours_are_refused_and_nothing_typed_is_lost(self, cast, given, fault):
        page = cast.client("alice").post("/notices/settings/quiet-hours/", given)
        assert page.status_code == 422
        assert fault in text_of(page)
        assert f'value="{given["start"]}"' in text_of(page)
        assert not NoticeSettings.objects.filter(quiet_from__isnull=False).exists()

    def test_quiet_hours_are_saved_and_switched_off(self, cast):
        client, path = cast.client("alice"), "/notices/settings/quiet-hours/"
        client.post(path, {"start": "22:00", "end": "08:00", "zone": "Europe/Berlin"})
        quiet = read_preferences([cast.alice])[cast.alice].quiet
        assert (quiet.start, quiet.end, quiet.zone) == (dt.time(22), dt.time(8), "Europe/Berlin")
        client.post(path, {"start": "", "end": "", "zone": "Europe/Berlin"})
        assert read_preferences([cast.alice])[cast.alice].quiet is None


class TestDestinations:
    @pytest.mark.parametrize(
        ("address", "channel"),
        [
            ("https://hooks.slack.com/services/T000/B000/abcdefgh12345678", "slack"),
            ("https://discord.com/api/webhooks/123456789/abcdefgh-12345_678", "discord"),
            ("https://hook.example/path?x=1", "webhook"),
        ],
    )
    def test_a_webhook_is_added_tested_and_removed(self, cast, address, channel):
        client = cast.client("alice")
        done = client.post("/notices/settings/webhooks/", {"address": f" {address} "})
        assert done.status_code == 303
        row = Destination.objects.get()
        assert (row.channel, row.address, row.user_id) == (channel, address, cast.alice)
        assert ("whsec_" in text_of(client.get(SETTINGS))) == (channel == "webhook")
        path = f"/notices/settings/destinations/{row.pk}/"
        client.post(path, {"act": "test"})
        assert Delivery.objects.get().notice.kind == "test"
        again = client.post(path, {"act": "test"}, follow=True)
        assert "Wait half a minute" in text_of(again)
        assert Delivery.objects.count() == 1
        client.post(path, {"act": "remove"})
        assert not Destination.objects.exists()

    @pytest.mark.parametrize(
        "address",
        [
            "",
            "hook.example",
            "http://hook.example/",
            "https://user:word@hook.example/",
            "https://hook.example:0/",
            "https://hook.example/#x",
            "https://hooks.slack.com/elsewhere",
            "https://discord.com/channels/1/2",
            "javascript:alert(1)",
            "https://hook.example/ x",
            "https://" + "a" * 2000,
        ],
    )
    def test_a_wrong_address_is_refused_and_comes_back(self, cast, address):
        page = cast.client("alice").post("/notices/settings/webhooks/", {"address": address})
        assert page.status_code == 422
        assert 'role="alert"' in text_of(page)
        if address.isascii() and address:
            assert f'value="{address}"' in text_of(page)
        assert not Destination.objects.exists()

    @pytest.mark.parametrize("host", ["127.0.0.1", "10.1.2.3", "169.254.169.254", "[::1]"])
    @pytest.mark.parametrize("name", ["address", "endpoint"])
    def test_an_address_in_a_private_network_is_refused(self, cast, settings, host, name):
        settings.WEBHOOK_LOOKUPS = True
        url = f"https://{host}/x"
        form = "webhooks" if name == "address" else "browsers"
        page = cast.client("alice").post(f"/notices/settings/{form}/", {name: url, **KEYS})
        assert page.status_code == 422
        assert f"This site does not call {host.strip('[]')}" in text_of(page)
        assert not Destination.objects.exists()

    def test_a_site_at_home_may_call_its_network(self, cast, settings):
        settings.WEBHOOK_LOOKUPS = settings.PRIVATE_WEBHOOKS = True
        client = cast.client("alice")
        for address, status in (("http://10.1.2.3/x", 303), ("http://169.254.169.254/x", 422)):
            page = client.post("/notices/settings/webhooks/", {"address": address})
            assert page.status_code == status

    def test_nobody_else_can_change_a_destination(self, cast, add):
        row = add("alice", "webhook")
        path = f"/notices/settings/destinations/{row.pk}/"
        for act in ("test", "remove", "switch on", "ask again"):
            assert cast.client("bob").post(path, {"act": act}).status_code == 404
        assert Destination.objects.exists()
        assert not Delivery.objects.exists()

    def test_there_is_a_limit(self, cast):
        client = cast.client("alice")
        for number in range(21):
            address = f"https://hook.example/{number}"
            page = client.post("/notices/settings/webhooks/", {"address": address})
        assert page.status_code == 422
        assert Destination.objects.count() == 20

    def test_a_browser_is_forgotten_at_log_out_and_another_is_not(self, cast):
        first, second = cast.client("alice"), cast.client("alice")
        for number, client in enumerate((first, second)):
            endpoint = f"https://push.example/{number}"
            client.post("/notices/settings/browsers/", {"endpoint": endpoint, **KEYS})
        assert Destination.objects.count() == 2
        first.post("/accounts/logout/")
        assert [row.address for row in Destination.objects.all()] == ["https://push.example/1"]

    def test_a_browser_belongs_to_the_person_who_logged_in_last(self, cast):
        for name in ("alice", "bob"):
            given = {"endpoint": "https://push.example/1", **KEYS}
            cast.client(name).post("/notices/settings/browsers/", given)
        assert Destination.objects.get().user_id == cast.bob

    @pytest.mark.parametrize(
        "change",
        [
            {"endpoint": "http://push.example/"},
            {"endpoint": "https://localhost:1"} | {"p256dh": "x"},
            {"p256dh": "AAAA"},
            {"auth": "!!"},
            {"auth": ""},
        ],
    )
    def test_a_wrong_subscription_is_refused(self, cast, change):
        given = {"endpoint": "https://push.example/1", **KEYS, **change}
        page = cast.client("alice").post("/notices/settings/browsers/", given)
        assert page.status_code == 422
        assert not Destination.objects.exists()

    def test_the_key_of_the_site_is_made_once(self, db):
        first = ensure_push_key(timezone.now())
        assert ensure_push_key(timezone.now()) == first
        assert PushKey.objects.count() == 1
        assert len(first.public) == 87
        assert len(first.private) == 43

    def test_queries_do_not_grow_with_destinations(self, cast, add):
        client = cast.client("alice")
        client.get(SETTINGS)
        with CaptureQueriesContext(connection) as few:
            client.get(SETTINGS)
        for number in range(15):
            add("alice", "webhook", f"https://hook.example/{number}")
        with CaptureQueriesContext(connection) as many:
            client.get(SETTINGS)
        assert len(few) == len(many) <= 8


class TestMail:
    def send(self, now=None):
        while send_due_mail(now=lambda: now or timezone.now()):
            pass

    def confirmed(self, cast, name="alice"):
        now = timezone.now()
        add_email(
            user_id=cast.user_id(name),
            address=f"{name}@example.org",
            origin="https://games.example",
            now=now,
        )
        OutgoingMail.objects.all().delete()
        Destination.objects.update(confirmed_at=now)
        return Destination.objects.get(user=cast.user_id(name))

    def deliver(self, now):
        from tests.notices.steps import deliver_all

        deliver_all(now)
        self.send(now)

    def test_an_address_has_to_be_confirmed_by_a_button(self, cast, settings):
        settings.ALLOWED_HOSTS = ["games.example"]
        client = cast.client("alice")
        client.post(
            "/notices/settings/addresses/",
            {"address": "alice@example.org"},
            headers={"Host": "games.example"},
        )
        self.send()
        (message,) = mail.outbox
        assert message.to == ["alice@example.org"]
        url = re.search(r"https?://games\.example(/notices/confirm/\S+)", message.body)[1]
        stranger = Client(headers={"Host": "games.example"})
        assert "Send me notices" in text_of(stranger.get(url))
        assert Destination.objects.get().confirmed_at is None
        assert stranger.post(url).status_code == 200
        assert Destination.objects.get().confirmed_at is not None

    def test_a_forged_confirmation_is_refused(self, cast):
        client = cast.client("alice")
        client.post("/notices/settings/addresses/", {"address": "bob@example.org"})
        for token in (
            "x",
            "WzEsIngiXQ:1abc:def",
            make_unsubscribe_token(cast.alice, [NoticeKind.RESULT]),
        ):
            assert Client().post(f"/notices/confirm/{token}/").status_code == 404
        assert Destination.objects.get().confirmed_at is None

    def test_mail_that_asks_for_confirmation_cannot_be_sent_again_and_again(self, cast):
        client = cast.client("alice")
        client.post("/notices/settings/addresses/", {"address": "bob@example.org"})
        row = Destination.objects.get()
        path = f"/notices/settings/destinations/{row.pk}/"
        assert "wait ten minutes" in text_of(client.post(path, {"act": "ask again"}, follow=True))
        assert OutgoingMail.objects.count() == 1
        Destination.objects.update(asked_at=timezone.now() - CONFIRMATION_DELAY)
        client.post(path, {"act": "ask again"})
        assert OutgoingMail.objects.count() == 2
        for number in range(12):
            client.post("/notices/settings/addresses/", {"address": f"b{number}@example.org"})
        assert OutgoingMail.objects.count() == 10

    def test_results_wait_for_a_digest_and_are_not_sent_if_they_were_seen(self, cast):
        self.confirmed(cast)
        self.confirmed(cast, "bob")
        now = timezone.now()
        consume(now=now)
        self.deliver(now)
        assert {tuple(message.to) for message in mail.outbox} == {
            ("alice@example.org",),
            ("bob@example.org",),
        }
        assert {message.subject for message in mail.outbox} == {"Testland has started"}
        mail.outbox.clear()
        now = process(cast)
        consume(now=now)
        self.deliver(now + dt.timedelta(minutes=14))
        assert mail.outbox == []
        cast.client("bob").get(cast.url())
        self.deliver(now + dt.timedelta(minutes=16))
        (message,) = mail.outbox
        assert message.to == ["alice@example.org"]
        assert message.subject == "Testland: results of Spring 1901, Movement"
        assert f"https://games.example{cast.url()}" in message.body
        self.deliver(now + dt.timedelta(hours=2))
        assert len(mail.outbox) == 1

    def test_what_is_due_together_is_one_mail(self, cast):
        row = self.confirmed(cast)
        now = timezone.now()
        for number in range(3):
            notice = Notice.objects.create(
                user_id=cast.alice,
                kind="result",
                key=f"n {number}",
                game_id=cast.game_id,
                data={"phase": "S1901M"},
                created_at=now,
                useful_until=now + dt.timedelta(days=1),
            )
            Delivery.objects.create(notice=notice, destination=row, due_at=now)
        self.deliver(now)
        (message,) = mail.outbox
        assert message.subject.endswith(", and 2 more")
        assert {row.state for row in Delivery.objects.all()} == {"mailed"}

    def test_one_click_ends_a_kind_without_a_login_and_a_get_changes_nothing(self, cast):
        self.confirmed(cast)
        consume()
        self.deliver(timezone.now())
        (message,) = mail.outbox
        assert message.extra_headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
        url = message.extra_headers["List-Unsubscribe"].strip("<>")
        assert url.startswith("https://games.example/notices/unsubscribe/")
        path = url.removeprefix("https://games.example")
        stranger = Client(enforce_csrf_checks=True)
        assert "started games" in text_of(stranger.get(path))
        assert read_preferences([cast.alice])[cast.alice].choices == {}
        done = stranger.post(path, {"List-Unsubscribe": "One-Click"})
        assert done.status_code == 200
        assert read_preferences([cast.alice])[cast.alice].choices == {"started": {"email": False}}
        assert read_preferences([cast.bob])[cast.bob].choices == {}

    def test_a_forged_address_ends_nothing(self, cast):
        token = make_unsubscribe_token(cast.alice, [NoticeKind.RESULT])
        others = [token[:-1] + ("A" if token[-1] != "A" else "B"), token.replace(":", "", 1), "x"]
        from django.core import signing

        others.append(signing.dumps([cast.alice, ["result"]], salt="another"))
        for forged in others:
            assert Client().post(f"/notices/unsubscribe/{forged}/").status_code == 404
        assert not NoticeSettings.objects.exists()

    def test_secrets_in_addresses_are_not_logged(self, cast):
        from structlog.testing import capture_logs

        token = make_unsubscribe_token(cast.alice, [NoticeKind.RESULT])
        with capture_logs() as lines:
            Client().get(f"/notices/unsubscribe/{token}/")
            Client().get("/notices/calendar/abc.ics")
        paths = [line["path"] for line in lines if line["event"] == "request"]
        assert paths == ["/notices/unsubscribe/", "/notices/calendar/"]


class TestCalendar:
    def address(self, client):
        client.post("/notices/settings/calendar/")
        return re.search(
            r'value="http://testserver(/notices/calendar/\S+?)"', text_of(client.get(SETTINGS))
        )[1]

    def events(self, path):
        answer = Client().get(path)
        assert answer.headers["Content-Type"] == "text/calendar; charset=utf-8"
        return Calendar.from_ical(answer.content).events

    def test_it_has_the_deadlines_of_ones_own_games_by_the_name_of_the_world(self, table):
        path = self.address(table.client("alice"))
        (event,) = self.events(path)
        assert event["SUMMARY"] == "Testland: orders due"
        assert event["SEQUENCE"] == 0
        text = Client().get(path).content.decode()
        for name in ("Austria", "AUSTRIA", "Alice", "Bob", "Turkey"):
            assert name not in text
        due = event["DTEND"].dt
        change_time(
            slug=table.slug,
            user_id=table.charlie,
            sequence=1,
            question=Question.EXTEND,
            length=dt.timedelta(days=1),
            reason="Holidays.",
            key="press",
            now=timezone.now(),
        )
        (moved,) = self.events(path)
        assert moved["UID"] == event["UID"]
        assert moved["SEQUENCE"] == 1
        assert moved["DTEND"].dt == due + dt.timedelta(days=1)

    def test_a_new_address_ends_the_old_one(self, cast):
        client = cast.client("alice")
        old = self.address(client)
        new = self.address(client)
        assert old != new
        assert Client().get(old).status_code == 404
        client.post("/notices/settings/calendar/", {"act": "end"})
        assert Client().get(new).status_code == 404
        assert Client().get("/notices/calendar/.ics").status_code == 404
        assert Client().get("/notices/calendar/None.ics").status_code == 404
