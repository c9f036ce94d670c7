"""Nobody sees another power's orders before the phase is processed: every read, every viewer."""

import json

import pytest
from django.utils import timezone
from tests.games.steps import save
from tests.scenes import scene

from diplomaccloud.games.orders.actions import save_orders, set_ready
from diplomaccloud.games.page import read as versions
from diplomaccloud.games.page.page import present_state
from diplomaccloud.games.seats.actions import resign, take_seat
from diplomaccloud.games.table.log_models import RecordLine, SaveReceipt
from diplomaccloud.games.table.models import Game
from diplomaccloud.games.table.phase_models import Phase
from diplomaccloud.games.table.read import Reader
from diplomaccloud.games.turn.claims import advance
from diplomaccloud.games.visibility.read import Viewer

SECRET = "A VIE - GAL"
WRITTEN = "our army in Vienna is to attack Galicia"
READS = ["", "state/", "centers/", "phases/1/", "phases/2/", "?code=letmein222"]
ELSEWHERE = ["/", "/games/", "/maps/"]


@pytest.fixture
@scene
def secret(cast):
    """Alice has typed an order and says that she is ready."""
    now = timezone.now()
    save_orders(slug=cast.slug, user_id=cast.alice, sequence=1, choices=[], sheet=WRITTEN, now=now)
    set_ready(slug=cast.slug, user_id=cast.alice, sequence=1, now=now)
    return cast


def bodies(cast, who):
    client = cast.client(who)
    for url in [cast.url(rest) for rest in READS] + ELSEWHERE:
        for headers in ({}, {"HX-Request": "true"}):
            yield url, client.get(url, headers=headers).content.decode()
    for rest, data in (
        ("orders/", {"phase": 1, "sheet": "A VIE - BOH"}),
        ("orders/", {"phase": 1, "sheet": "F ANK S A VIE - GAL"}),
        ("orders/", {"phase": 9, "sheet": "A VIE - BOH"}),
        ("ready/", {"phase": 1, "ready": "0"}),
    ):
        answer = client.post(cast.url(rest), data).content.decode()
        # What a viewer typed comes back to that viewer: only more than that would tell.
        yield rest, answer.replace("F ANK S A VIE - GAL", "")


def test_the_owner_sees_the_order(secret):
    page = secret.client("alice").get(secret.url())
    assert [slot.selected for slot in page.context["view"].order_form.slots if slot.saved] == [
        SECRET
    ]
    assert page.context["view"].order_form.live_draft.text == SECRET
    assert 'value="A VIE - GAL" selected' in " ".join(page.content.decode().split())


@pytest.mark.parametrize("who", ["bob", "charlie", "nobody"])
def test_nobody_else_does_by_any_page(secret, who):
    for url, body in bodies(secret, who):
        assert SECRET not in body, url
        assert WRITTEN not in body, url


@pytest.mark.parametrize("who", ["bob", "charlie", "nobody"])
def test_the_picture_is_the_same_as_before_the_order(cast, who):
    before = cast.client(who).get(cast.url()).context["view"]
    save(cast, "alice", SECRET)
    after = cast.client(who).get(cast.url()).context["view"]
    assert after == before


def test_what_a_refusal_says_does_not_depend_on_another_s_orders(secret):
    bob = secret.client("bob")
    answers = [
        bob.post(secret.url("orders/"), {"phase": 1, "sheet": sheet}).context["problems"][0].message
        for sheet in ("A VIE - GAL", "A VIE - BOH")
    ]
    assert answers[0].replace("GAL", "BOH") == answers[1]


def test_a_live_stream_and_the_state_tell_no_order(secret):
    pulse = versions.read_live([versions.select_pulses([secret.game_id])]).pulses[secret.game_id]
    assert set(pulse) == {"version", "phase", "status"}
    state = present_state(Reader(secret.slug, Viewer(secret.bob)))
    assert set(state) == {"version", "phase", "status", "stopped", "due_at", "seats", "votes"}
    assert {"power": "AUSTRIA", "ready": True, "vacant": False} in state["seats"]
    assert "GAL" not in json.dumps(state)


def test_saving_moves_no_public_version(cast):
    before = versions.version_of(cast.game_id)
    save(cast, "alice", SECRET)
    assert versions.version_of(cast.game_id) == before
    set_ready(slug=cast.slug, user_id=cast.alice, sequence=1, now=timezone.now())
    # One more, not two: no gap tells that orders were saved in between.
    assert versions.version_of(cast.game_id) == before + 1
    pulses = versions.read_live([versions.select_pulses([cast.game_id])]).pulses
    assert pulses[cast.game_id]["version"] == before + 1


def test_after_processing_everybody_sees_it(secret):
    advance(game_id=secret.game_id, owner="t", now=Phase.objects.get().due_at)
    for who in ("alice", "bob", "charlie", "nobody"):
        assert SECRET in secret.client(who).get(secret.url("phases/1/")).content.decode()


@pytest.mark.parametrize("who", ["charlie", "nobody"])
def test_a_private_game_does_not_exist_for_strangers(secret, who):
    Game.objects.update(private=True)
    client = secret.client(who)
    unknown = client.get("/games/zzzzzzzzzz/")
    assert unknown.status_code == 404
    for rest in READS:
        answer = client.get(secret.url(rest))
        assert answer.status_code == 404, rest
        assert b"Testland" not in answer.content
    if who == "charlie":
        for rest in ("orders/", "ready/", "country/", "join/", "leave/", "start/"):
            data = {"phase": 1, "ready": "1", "country": "X"}
            assert client.post(secret.url(rest), data).status_code == 404, rest


VIEWERS = ("alice", "bob", "charlie", "nobody")


def get_record(cast, who):
    return cast.client(who).get(cast.url("record.jsonl"))


def test_the_record_is_the_same_for_every_viewer_byte_by_byte(secret):
    advance(game_id=secret.game_id, owner="t", now=Phase.objects.get().due_at)
    save(secret, "alice", "A GAL H")
    answers = [get_record(secret, who) for who in VIEWERS]
    assert len({b"".join(answer.streaming_content) for answer in answers}) == 1
    # These say when, in which request, and whether to a browser with a session.
    own = {"Expires", "X-Request-ID", "Cross-Origin-Opener-Policy"}
    headers = [{k: v for k, v in answer.headers.items() if k not in own} for answer in answers]
    assert all(known == headers[0] for known in headers)
    assert "ETag" not in headers[0]


@pytest.mark.parametrize("who", ["bob", "charlie", "nobody"])
def test_nothing_about_the_record_changes_when_a_player_saves(cast, who):
    def look():
        client = cast.client(who)
        contexts = [client.get(cast.url(rest)).context for rest in ("record/", "receipts/")]
        pages = [contexts[0]["view"].record, contexts[1]["view"], contexts[1]["page"]]
        answer = get_record(cast, who)
        return pages, b"".join(answer.streaming_content), Game.objects.get().record_head

    before = look()
    for order in ("A VIE - GAL", "A VIE - BOH", "A VIE - TYR"):
        save(cast, "alice", order)
    assert look() == before


@pytest.mark.parametrize("saves", [0, 1, 5])
def test_the_lock_shows_as_much_for_a_seat_that_saved_as_for_others(cast, saves):
    for number in range(saves):
        save(cast, "alice", "A VIE - GAL" if number % 2 else "A VIE - BOH")
    advance(game_id=cast.game_id, owner="t", now=Phase.objects.get().due_at)
    locked = json.loads(RecordLine.objects.get(kind="lock").text)
    parts = {tuple(sorted(seat)) for seat in locked["seats"] if seat["seat"] in (1, 2)}
    assert parts == {("orders", "sealed", "seat")}
    assert [seat["seat"] for seat in locked["seats"]] == [*range(1, 8)]


@pytest.mark.parametrize("who", ["bob", "charlie", "nobody"])
def test_nobody_else_sees_a_signed_receipt(secret, who):
    saved = SaveReceipt.objects.get()
    advance(game_id=secret.game_id, owner="t", now=Phase.objects.get().due_at)
    client = secret.client(who)
    for rest in (*READS, "record/", "receipts/", "receipts/?phase=1"):
        body = client.get(secret.url(rest)).content.decode()
        assert saved.signature not in body, rest
    own = client.get(secret.url("record-and-receipts.jsonl"))
    assert own.status_code == (302 if who == "nobody" else 200)
    if who != "nobody":
        assert saved.signature.encode() not in b"".join(own.streaming_content)


def test_a_successor_does_not_get_the_receipts_of_the_player_before(secret):
    saved = SaveReceipt.objects.get()
    resign(slug=secret.slug, user_id=secret.alice, now=timezone.now())
    take_seat(slug=secret.slug, user_id=secret.charlie, power="AUSTRIA", now=timezone.now())
    for who, sees in (("charlie", False), ("alice", True)):
        client = secret.client(who)
        own = b"".join(client.get(secret.url("record-and-receipts.jsonl")).streaming_content)
        assert (saved.signature.encode() in own) is sees
        assert (saved.signature in client.get(secret.url("receipts/")).content.decode()) is sees


def test_secrets_are_in_no_record_before_their_time(secret):
    def read():
        return b"".join(get_record(secret, "alice").streaming_content).decode()

    first = Phase.objects.get()
    assert first.judge_secret not in read()
    assert first.bots_secret not in read()
    advance(game_id=secret.game_id, owner="t", now=first.due_at)
    opened, record = Phase.objects.get(sequence=2), read()
    assert first.judge_secret in record
    assert first.bots_secret in record
    assert opened.judge_secret not in record
    assert opened.bots_secret not in record


@pytest.mark.parametrize("rest", ["record/", "record.jsonl", "record-and-receipts.jsonl"])
def test_the_record_of_a_private_game_is_its_players_own(secret, rest):
    Game.objects.update(private=True)
    assert secret.client("charlie").get(secret.url(rest)).status_code == 404
    assert secret.client("bob").get(secret.url(rest)).status_code == 200
