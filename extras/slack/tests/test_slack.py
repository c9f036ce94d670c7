"""Orders by Slack: linking, orders as on the page, and forged requests."""

import datetime as dt
import hashlib
import hmac
import json
import time
from dataclasses import replace
from urllib.parse import urlencode

import pytest
from django.test import Client
from django.utils import timezone
from tests.games.steps import phase
from tests.worker.test_late_actions import PLAYERS

from diplomaccloud.accounts.deletion import delete_account
from diplomaccloud.accounts.models import User
from diplomaccloud.games.drafts.actions import new_draft
from diplomaccloud.games.orders.actions import save_orders
from diplomaccloud.games.record.page import shorten_hash
from diplomaccloud.games.table.log_models import SaveReceipt
from diplomaccloud.games.table.models import Game
from diplomaccloud.games.table.phase_models import OrderRow
from diplomaccloud.judge.legality.legal_orders import legal_orders
from diplomaccloud.judge.phases import Phase
from diplomaccloud.notices import outbound
from diplomaccloud.slack import links
from diplomaccloud.slack import views as bolt
from diplomaccloud.slack.commands import (
    HELP,
    LINKED,
    NO_GAME,
    NOT_LINKED,
    UNLINKED,
    WRONG_CODE,
    answer,
)
from diplomaccloud.slack.models import SlackLink

SECRET, TEAM, MEMBER = "a signing secret", "T0001", "U0001"
URL = "/slack/requests/"


@pytest.fixture(autouse=True)
def configured(settings):
    settings.SLACK_SIGNING_SECRET, settings.SLACK_TOKEN = SECRET, "xoxb-1"


@pytest.fixture
def ordering(table):
    """A running game that takes orders by Slack, whose player Alice is linked."""
    allow(Game.objects.get(slug=table.slug))
    SlackLink.objects.create(
        user_id=table.alice, team=TEAM, member=MEMBER, linked_at=timezone.now()
    )
    return table


def allow(game):
    game.options = {**game.options.to_json(), "slack": True}
    game.save()


def say(text, *, team=TEAM, member=MEMBER):
    return answer(team=team, member=member, text=text, now=timezone.now())


def sign(body, *, late=0, secret=SECRET):
    at = int(time.time()) - late
    mark = hmac.new(secret.encode(), f"v0:{at}:{body}".encode(), hashlib.sha256).hexdigest()
    return {"X-Slack-Request-Timestamp": str(at), "X-Slack-Signature": f"v0={mark}"}


def send(
    text="help", *, client=None, body=None, kind="application/x-www-form-urlencoded", **signed
):
    """Send a slash command, or `body`, as Slack does."""
    command = {"command": "/orders", "text": text, "team_id": TEAM, "user_id": MEMBER}
    command |= {"channel_id": "C1", "response_url": "https://hooks.slack.example/x"}
    body = urlencode(command) if body is None else body
    headers = signed.pop("headers", None) or sign(body, **signed)
    return (client or Client()).post(URL, body, content_type=kind, headers=headers)


def event(text, number=1, **more):
    content = {"type": "message", "channel_type": "im", "channel": "D1", "user": MEMBER}
    return json.dumps(
        {
            "type": "event_callback",
            "team_id": TEAM,
            "event_id": f"Ev{number}",
            "event": {**content, "text": text, **more},
        }
    )


def test_a_command_is_answered_to_its_sender_alone(ordering):
    result = send("help")
    assert result.status_code == 200
    assert json.loads(result.content) == {"text": HELP, "response_type": "ephemeral"}
    assert "no-store" in result.headers["Cache-Control"]


@pytest.mark.parametrize(
    ("signed", "status"),
    [
        ({"secret": "another"}, 401),
        ({"late": 301}, 401),
        ({"late": -600}, 401),
        ({"headers": {"X-Slack-Signature": "v0=00"}}, 401),
        ({"headers": {"X-Slack-Signature": "v0=0", "X-Slack-Request-Timestamp": "x"}}, 401),
        ({"headers": sign("") | {"X-Slack-Signature": "v0=é"}}, 401),
    ],
)
def test_a_request_that_slack_did_not_sign_now_is_refused(ordering, signed, status):
    assert send("A PAR H", **signed).status_code == status
    assert not SaveReceipt.objects.exists()


def record_replies(monkeypatch, replies):
    def post(_url, **call):
        replies.append(json.loads(call["body"]))

    monkeypatch.setattr(outbound, "post", post)


def test_a_replay_is_refused_and_a_repeated_event_is_handled_once(ordering, monkeypatch):
    replies = []
    monkeypatch.setattr(
        outbound, "post", lambda url, **call: replies.append(json.loads(call["body"]))
    )
    monkeypatch.setattr(bolt.threading.Thread, "start", lambda thread: thread.run())
    headers = sign(body := urlencode({"command": "/orders", "text": "help", "team_id": TEAM}))
    assert send(body=body, headers=headers).status_code == 200
    assert send(body=body, headers=headers).status_code == 409
    for late in (0, 60):
        result = send(body=event("status"), kind="application/json", late=late)
        assert result.status_code == 200
    assert [reply["channel"] for reply in replies] == ["D1"]
    assert replies[0]["text"] == say("status")
    for number, more in enumerate(({"bot_id": "B1"}, {"channel_type": "channel"}), 2):
        body = event("help", number, **more)
        assert send(body=body, kind="application/json").status_code == 200
    assert len(replies) == 1


@pytest.mark.parametrize("kind", ["event", "command"])
def test_what_failed_while_it_was_handled_is_handled_at_the_next_try(ordering, monkeypatch, kind):
    replies, fails = [], [True]

    def fail_once(**more):
        text = answer(**more)
        if fails:
            fails.pop()
            raise OSError("killed")
        return text

    monkeypatch.setattr(bolt, "answer", fail_once)
    monkeypatch.setattr(
        outbound, "post", lambda url, **call: replies.append(json.loads(call["body"]))
    )
    monkeypatch.setattr(bolt.threading.Thread, "start", lambda thread: thread.run())
    text = f"{list_units(ordering)[0]} H"
    client, statuses = Client(raise_request_exception=False), []
    command = urlencode({"command": "/o", "text": text, "team_id": TEAM, "user_id": MEMBER})
    headers = sign(command)
    # Far enough apart that a slow machine signs no two of them in the same second.
    for late in (0, 60, 120):
        if kind == "event":
            result = send(body=event(text), kind="application/json", late=late, client=client)
        else:
            result = send(body=command, headers=headers, client=client)
        statuses.append(result.status_code)
        assert SaveReceipt.objects.count() == (late > 0)
    assert statuses == [500, 200, 200 if kind == "event" else 409]
    assert len(replies) == (kind == "event")


def test_bad_bodies(ordering):
    assert send("x" * 40_000).status_code == 413
    assert send(body="\x00\x01").status_code in (200, 400, 404)
    assert Client().post(URL, b"\xff\xfe", content_type="text/plain").status_code == 401
    assert Client().get(URL).status_code == 405


def test_a_site_without_a_secret_says_so(settings, cast):
    settings.SLACK_SIGNING_SECRET = ""
    assert send().status_code == 404
    page = cast.client("alice").get("/slack/").content.decode()
    assert "This site is not connected to Slack." in page
    assert cast.client("alice").post("/slack/code/").status_code == 409


def test_a_site_without_the_library_says_so(monkeypatch, cast):
    monkeypatch.setitem(__import__("sys").modules, "slack_bolt", None)
    assert send().status_code == 404
    assert cast.client("alice").get("/slack/").status_code == 200


def test_orders_are_saved_as_on_the_page(ordering):
    unit = [str(row) for row in list_units(ordering)]
    text = say(f"{unit[0]} H, {unit[1]} - NOWHERE")
    assert f"Understood: `{unit[0]} H`" in text
    assert f"Refused: `{unit[1]} - NOWHERE`." in text
    receipt = SaveReceipt.objects.get()
    assert f"receipt `{shorten_hash(receipt.digest)}`" in text
    assert "Orders are due on" in text
    own = OrderRow.objects.filter(draft__seat__user=ordering.alice)
    assert [str(row.canonical) for row in own] == [f"{unit[0]} H"]
    assert f"`{unit[0]} H`" in say("status")
    assert "Nothing was saved." in say("nonsense")
    assert SaveReceipt.objects.count() == 1


def test_ready_is_as_on_the_page(ordering):
    units = [str(row) for row in list_units(ordering)]
    assert "Send `ready anyway`" in say("ready")
    assert "You are not marked as ready." in say("status")
    say(", ".join(f"{unit} H" for unit in units))
    assert f"You are ready with: `{units[0]} H`" in say("Ready  anyway")
    assert "You are ready." in say("status")
    assert "You are not marked as ready." in say("not ready")
    assert "You are ready." not in say("status")


def test_ready_keeps_saved_builds(ordering):
    row, seat = phase(), Game.objects.get().seats.get(user_id=ordering.alice)
    without = [unit for unit in row.position.units if unit.power != seat.power]
    winter = Phase.parse("W1901A")
    row.name = str(winter)
    row.position = replace(row.position, phase=winter, units=tuple(without))
    row.save(update_fields=["name", "position"])
    build = str(legal_orders(row.board, row.position, seat.power)[0])
    assert f"Understood: `{build}`" in say(build)
    assert "You are not marked as ready." in say("ready")
    assert f"`{build}`" in say("status")
    say("ready anyway")
    orders = OrderRow.objects.filter(draft__seat=seat, draft__phase=row)
    assert [str(order.canonical) for order in orders] == [build]


def test_it_shows_what_the_page_had_saved_and_a_newer_draft(ordering):
    unit, now = str(list_units(ordering)[0]), timezone.now()
    about = {"slug": ordering.slug, "user_id": ordering.alice, "sequence": phase().sequence}
    board, position = phase().board, phase().position
    moves = legal_orders(board, position, list_units(ordering)[0].power)
    move = next(str(order) for order in moves if str(order).startswith(f"{unit} - "))
    save_orders(**about, choices=[move], sheet="", now=now)
    text = say(f"{unit} H")
    assert f"This replaced the orders saved at {now:%H:%M:%S} UTC: `{move}`" in text
    new_draft(**about, name="Plan B", copy=True, now=timezone.now())
    assert "Your draft “Plan B” on the site" in say("status")
    assert "This replaced" not in say(f"{unit} H")


def list_units(table):
    position = phase().position
    seat = Game.objects.get(slug=table.slug).seats.get(user_id=table.alice)
    return [unit for unit in position.units if unit.power in phase().powers_of(seat)]


def test_text_of_a_player_makes_no_link_or_mention(ordering):
    text = say("&lt;!channel&gt; `x`")
    assert "<!channel>" not in text
    assert "`x`" not in text


def test_after_the_deadline_nothing_is_saved(ordering):
    unit = str(list_units(ordering)[0])
    late = phase().due_at + dt.timedelta(seconds=1)
    text = answer(team=TEAM, member=MEMBER, text=f"{unit} H", now=late)
    assert PLAYERS["save_orders"] in text
    assert not SaveReceipt.objects.exists()


def test_only_linked_people_and_games_that_allow_it(ordering):
    assert say("status", member="U9") == NOT_LINKED
    assert say("status", team="T9") == NOT_LINKED
    game = Game.objects.get(slug=ordering.slug)
    game.options = {**game.options.to_json(), "slack": False}
    game.save()
    assert say("status") == NO_GAME
    allow(Game.objects.get(slug=ordering.slug))
    SlackLink.objects.update(user_id=ordering.charlie)
    assert say("status") == NO_GAME


def test_with_two_games_it_asks_which(ordering, monkeypatch):
    from diplomaccloud.games.orders.read import OrderGame
    from diplomaccloud.slack import commands

    world = Game.objects.get(slug=ordering.slug).world
    games = (OrderGame(ordering.slug, world), OrderGame("other22222", "Other"))
    monkeypatch.setattr(commands, "list_order_games", lambda user_id: games)
    assert "Which game?" in say("A PAR H")
    assert f"`{world}:`" in say("status")
    assert "Orders are due on" in say(f"{world.upper()}: status")
    assert "Orders are due on" in say(f"{ordering.slug}:")


def test_a_code_links_once_and_expires(cast):
    now = timezone.now()
    code = links.make_code(cast.alice, now)
    late = now + links.CODE_LIFE
    assert not links.link_member(code=code, team=TEAM, member=MEMBER, now=late)
    assert say(f"link {code.upper()}") == LINKED
    assert say(f"link {code}") == WRONG_CODE
    assert links.find_person(TEAM, MEMBER) == cast.alice
    other = links.make_code(cast.bob, now)
    assert say(f"link {other}") == LINKED
    assert (links.is_linked(cast.alice), links.find_person(TEAM, MEMBER)) == (False, cast.bob)
    for wrong in ("link", "link x", "link \x00"):
        assert say(wrong) == WRONG_CODE
    assert say("unlink") == UNLINKED
    assert say("status") == NOT_LINKED


def test_logging_out_deletion_and_a_ban_end_the_link(cast):
    def link(user_id):
        code = links.make_code(user_id, timezone.now())
        assert links.link_member(code=code, team=TEAM, member=MEMBER, now=timezone.now())

    link(cast.alice)
    client = cast.client("alice")
    page = client.get("/slack/").content.decode()
    assert "Unlink" in page
    client.post("/accounts/logout/")
    assert links.find_person(TEAM, MEMBER) is None
    link(cast.alice)
    User.objects.filter(pk=cast.alice).update(banned_at=timezone.now())
    assert links.find_person(TEAM, MEMBER) is None
    link(cast.bob)
    delete_account(user_id=cast.bob, now=timezone.now())
    assert links.find_person(TEAM, MEMBER) is None


def test_the_page_shows_a_code_once(cast):
    client = cast.client("alice")
    page = client.post("/slack/code/").content.decode()
    code = page.split("<code>link ")[1].split("<")[0]
    assert code not in client.get("/slack/").content.decode()
    assert say(f"link {code}") == LINKED
    assert client.post("/slack/unlink/").status_code == 303
    assert say("status") == NOT_LINKED
    assert cast.client("nobody").get("/slack/").status_code == 302
