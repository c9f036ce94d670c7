"""An anonymous game shows no names until it ends; some games only players may watch."""

import datetime as dt
import hashlib
import io
import json
import re

import pytest
import time_machine
from django.test import Client
from django.utils import timezone
from tests.games.steps import due, names_in, save
from tests.press.matrix import mask
from tests.scenes import scene

from diplomaccloud.accounts.models import User
from diplomaccloud.atlas.board_loader import BoardLoader
from diplomaccloud.games.lobby.actions import join_game, start_game
from diplomaccloud.games.page import read as versions
from diplomaccloud.games.page.page import present_state
from diplomaccloud.games.record.page import SHOWS_ORDER
from diplomaccloud.games.seats.actions import resign, take_seat
from diplomaccloud.games.table.log import add_line
from diplomaccloud.games.table.log_models import Event, LogEntry, RecordLine
from diplomaccloud.games.table.models import Game, Seat, Tenure
from diplomaccloud.games.table.phase_models import Phase, Receipt
from diplomaccloud.games.table.read import Reader
from diplomaccloud.games.turn.claims import advance
from diplomaccloud.games.visibility.read import Viewer, may_see
from diplomaccloud.notices.preferences import renew_calendar_key
from diplomaccloud.record import lines
from diplomaccloud.record.commitments import commit
from diplomaccloud.record.verification import verify_record

PAGES = ["", "state/", "centers/", "rules/", "phases/1/", "?code=letmein222"]
LISTS = ["/", "/games/", "/maps/"]
NAMES = {"alice": "Alice", "bob": "Bob"}


@pytest.fixture
@scene
def nameless(forming, agree):
    """Alice and Bob play an anonymous game; one phase is over and one vote is open."""
    agree(anonymous=True)
    now = timezone.now()
    join_game(slug=forming.slug, user_id=forming.bob, now=now)
    return forming


@pytest.fixture
@scene
def running(nameless):
    now = timezone.now()
    start_game(slug=nameless.slug, user_id=nameless.alice, now=now)
    advance(game_id=nameless.game_id, owner="t", now=now)
    due = Phase.objects.get().due_at
    advance(game_id=nameless.game_id, owner="t", now=due + dt.timedelta(seconds=1))
    resign(slug=nameless.slug, user_id=nameless.bob, now=due + dt.timedelta(seconds=2))
    take_seat(
        slug=nameless.slug, user_id=nameless.bob, power="TURKEY", now=due + dt.timedelta(seconds=3)
    )
    return nameless


def everything(cast, who):
    """Every page and answer as the person gets it, without the head that says who looks."""
    client = cast.client(who)
    chart = Game.objects.get().chart.content_hash
    for url in [cast.url(rest) for rest in PAGES] + [*LISTS, f"/maps/{chart}/"]:
        for headers in ({}, {"HX-Request": "true"}):
            yield url, client.get(url, headers=headers).content.decode()
    viewer = Viewer(cast.user_id(who))
    yield "state", json.dumps(present_state(Reader(cast.slug, viewer)))
    yield "live", json.dumps(versions.read_live([versions.select_pulses([cast.game_id])]).pulses)
    yield "events", json.dumps([event.data for event in Event.objects.filter(seat=None)])
    yield "log", " ".join(f"{entry.text} {entry.reason}" for entry in LogEntry.objects.all())


def others_in(body, who):
    return names_in(body, [name for key, name in NAMES.items() if key != who])


@pytest.mark.parametrize("who", ["alice", "bob", "charlie", "nobody"])
def test_nobody_is_named_while_it_forms(nameless, who):
    for url, body in everything(nameless, who):
        assert not others_in(body, who), url


@pytest.mark.parametrize("who", ["alice", "bob", "charlie", "nobody"])
def test_nobody_is_named_while_it_runs(running, who):
    for url, body in everything(running, who):
        assert not others_in(body, who), url


def test_everybody_is_named_when_it_is_over(running):
    Game.objects.update(
        status="finished",
        finished_at=timezone.now(),
        ending={"v": 1, "winners": ["AUSTRIA"], "reason": "They won."},
    )
    body = running.client("nobody").get(running.url()).content.decode()
    assert others_in(body, "nobody") == ["Alice", "Bob"]


def test_the_walk_would_find_a_name(running, agree):
    agree(anonymous=False)
    found = {name for _, body in everything(running, "charlie") for name in others_in(body, "x")}
    assert found == {"Alice", "Bob"}


@pytest.mark.parametrize("who", ["charlie", "nobody"])
def test_strangers_do_not_see_a_game_that_only_players_watch(cast, agree, who):
    agree(watch="players")
    client = cast.client(who)
    for rest in ("", "state/", "centers/", "rules/", "phases/1/"):
        assert client.get(cast.url(rest)).status_code == 404, rest
    assert not may_see(cast.slug, Viewer(cast.user_id(who)))
    assert b"Testland" not in client.get("/games/").content
    if who == "charlie":
        for rest in ("orders/", "country/", "color/", "start/"):
            assert client.post(cast.url(rest), {"phase": 1}).status_code == 404, rest


def test_its_players_do(cast, agree):
    agree(watch="players")
    assert cast.client("bob").get(cast.url()).status_code == 200


def test_while_it_forms_people_can_find_it(forming, agree):
    agree(watch="players")
    assert b"Testland" in forming.client("charlie").get("/games/").content


# What an insider knows: who joined when, who is awake when, and who hosts.

INSIDE = (
    *(*PAGES, "log/", "record/", "record.jsonl", "picture.png", "statistics/", "receipts/"),
    *("press/", "press/everyone/", "chronicle/", "calendar.ics"),
)
CALLS = (
    *("", "/events", "/phases", "/phases/1", "/log", "/centers", "/statistics", "/record"),
    *("/votes", "/chronicle", "/orders", "/results", "/picture"),
)
OUTSIDE = (
    *(*LISTS, "/people/", "/people/?order=login", "/people/Alice/", "/people/Bob/"),
    *("/api/v1/games", "/api/v1/people?order=login", "/api/v1/vacancies", "/api/v1/people/Alice"),
)


def read_inside(cast, who):
    """Return everything that the person can get, by address."""
    client, key = cast.client(who), "no key"
    places = [cast.url(rest) for rest in INSIDE] + list(OUTSIDE)
    places += [f"/api/v1/games/{cast.slug}{call}" for call in CALLS]
    if who != "nobody":
        key = renew_calendar_key(user_id=cast.user_id(who))
        places += ["/messages/", f"/notices/calendar/{key}.ics"]
    answers = {}
    for place in places:
        answer = client.get(place)
        content = b"".join(answer.streaming_content) if answer.streaming else answer.content
        answers[place.replace(key, "KEY")] = (
            answer.status_code,
            mask(content.replace(key.encode(), b"KEY")),
        )
    live = versions.read_live([versions.select_pulses([cast.game_id])])
    return {**answers, "live": live.pulses}


@pytest.fixture
@scene
def watched(nameless):
    """Alice hosts, Bob joined second and Charlie third; the first two have ordered."""
    join_game(slug=nameless.slug, user_id=nameless.charlie, now=timezone.now())
    start_game(slug=nameless.slug, user_id=nameless.alice, now=timezone.now())
    save(nameless, "alice", "A VIE - GAL")
    save(nameless, "bob", "A CON - BUL")
    due(nameless)
    return nameless


def swap_countries():
    """Give the first and the second who joined each other's countries, as the draw might have."""
    first, second = Seat.objects.order_by("pk")[:2]
    kept = [(seat.power, seat.number) for seat in (first, second)]
    Seat.objects.filter(pk=first.pk).update(power=None, number=None)
    for seat, (power, number) in zip((second, first), kept, strict=True):
        Seat.objects.filter(pk=seat.pk).update(power=power, number=number)
    receipts = list(Receipt.objects.filter(seat__in=(first, second)))
    Receipt.objects.filter(pk__in=[receipt.pk for receipt in receipts]).delete()
    for receipt in receipts:
        receipt.seat = second if receipt.seat_id == first.pk else first
    Receipt.objects.bulk_create(receipts)


@pytest.mark.long
@pytest.mark.parametrize("who", ["charlie", "nobody"])
def test_an_insider_sees_the_same_whoever_plays_what(watched, who):
    with time_machine.travel(timezone.now(), tick=False):
        before = read_inside(watched, who)
        swap_countries()
        after = read_inside(watched, who)
    assert sum(answer[0] == 200 for place, answer in before.items() if place != "live") > 25
    assert [place for place in before if before[place] != after[place]] == []


@pytest.mark.parametrize("who", [pytest.param("charlie", marks=pytest.mark.long), "nobody"])
def test_an_insider_cannot_tell_when_someone_was_awake(nameless, who):
    start_game(slug=nameless.slug, user_id=nameless.alice, now=timezone.now())
    now = timezone.now()
    with time_machine.travel(now, tick=False):
        before = read_inside(nameless, who)
        # At night, when only Bob is awake, he logs in, orders and opens every page.
        save(nameless, "bob", "A CON - BUL", now=now + dt.timedelta(hours=3))
        bob = nameless.client("bob")
        for place in PAGES:
            bob.get(nameless.url(place))
        after = read_inside(nameless, who)
    assert [place for place in before if before[place] != after[place]] == []


def test_the_numbers_of_seats_say_nothing_about_who_joined_when(watched):
    record = watched.client("nobody").get(watched.url("record.jsonl"))
    lines = [json.loads(line) for line in b"".join(record.streaming_content).splitlines()]
    assert len(lines[0]["places"]) == 7
    assert "secrets" not in next(line for line in lines if line["kind"] == "draw")
    assert Game.objects.get().seat_secret not in str(lines)
    tenures = Tenure.objects.order_by("pk").values_list("seat__number", flat=True)
    assert list(tenures) == [1, 2, 3, 4, 5, 6, 7]
    events = watched.client("nobody").get(f"/api/v1/games/{watched.slug}/events").json()["events"]
    started = next(event["at"] for event in events if event["type"] == "game.started")
    assert {event["at"] for event in events if event["type"] == "seat.changed"} == {started}


def test_players_check_their_own_number_from_the_start(watched):
    record = watched.client("nobody").get(watched.url("record.jsonl"))
    places = json.loads(next(iter(record.streaming_content)).splitlines()[0])["places"]
    for place, who in enumerate(("alice", "bob")):
        page = watched.client(who).get(watched.url("record/"))
        own, seat = page.context["own_number"], Seat.objects.get(user=watched.user_id(who))
        assert (own.number, own.place) == (seat.number, place + 1)
        assert hashlib.sha256(own.proof.encode()).hexdigest() == places[place]
        printed = re.search(r"printf '(.*)' \| sha256sum", page.content.decode())[1]
        assert printed.replace("\\n", "\n") == own.proof
    assert watched.client("nobody").get(watched.url("record/")).context["own_number"] is None
    successor, now = User.objects.create_user("Dora"), timezone.now()
    resign(slug=watched.slug, user_id=watched.bob, now=now)
    take_seat(slug=watched.slug, user_id=successor.pk, power="TURKEY", now=now)
    client = Client()
    client.force_login(successor)
    assert client.get(watched.url("record/")).context["own_number"] is None


def test_an_older_game_says_that_its_record_shows_the_order_of_joining(watched):
    says = [watched.url("rules/"), watched.url("record/")]
    for place in says:
        assert SHOWS_ORDER not in watched.client("nobody").get(place).content.decode()
    Game.objects.update(seat_secret="")
    for place in says:
        assert SHOWS_ORDER in watched.client("nobody").get(place).content.decode()


def test_a_game_created_before_numbers_were_drawn_draws_them_at_its_start(nameless):
    Game.objects.update(seat_secret="", character_secret="")
    RecordLine.objects.all().delete()
    Game.objects.update(record_length=0, record_head="")
    game = Game.objects.get()
    old = lines.game_line(
        game=game.slug, board=game.board, rules=game.rules, setup="", seats=7, at=timezone.now(),
        commits={"draw": commit("draw", game.draw_secret)},
    )  # fmt: skip
    add_line(game, old)
    start_game(slug=nameless.slug, user_id=nameless.alice, now=timezone.now())
    assert Game.objects.get().seat_secret
    record = nameless.client("nobody").get(nameless.url("record.jsonl"))
    report = verify_record(io.BytesIO(b"".join(record.streaming_content)), BoardLoader())
    assert report.faults == []
    assert len(json.loads(RecordLine.objects.get(kind="draw").text)["places"]) == 7
