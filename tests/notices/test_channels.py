"""What each channel sends over the wire."""

import base64
import datetime as dt
import hashlib
import hmac
import json

import http_ece
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.utils import timezone
from tests.notices.test_outbound import answering, status

from diplomaccloud.games.news.read import GameName
from diplomaccloud.notices import channels
from diplomaccloud.notices.channels import (
    TYPES,
    send_push,
    send_to_discord,
    send_to_slack,
    send_webhook,
)
from diplomaccloud.notices.destinations import ensure_push_key
from diplomaccloud.notices.failures import CallFailed, DestinationGone
from diplomaccloud.notices.kinds import DEFAULTS, Channel, Group, NoticeKind
from diplomaccloud.notices.models import Notice, NoticeSettings
from diplomaccloud.notices.wording import KIND_LABELS, SHORT_LABELS, NoticeText

NOW = dt.datetime(2030, 3, 1, 12, tzinfo=dt.UTC)
TEXT = NoticeText("<Ald*mark> & co", "Orders are due.", "/games/x/")
URL = "https://games.example/games/x/"


@pytest.fixture
def posted(monkeypatch):
    """What a channel sends, instead of the network."""
    sent = []

    def post(url, *, body, headers):
        sent.append((url, body, headers))

    monkeypatch.setattr(channels, "post", post)
    return sent


def test_texts_cannot_contain_marks_of_slack(posted):
    send_to_slack("https://hooks.slack.com/x", TEXT, url=URL)
    message = json.loads(posted[0][1])
    assert message["text"] == f"<{URL}|&lt;Ald*mark&gt; &amp; co>\nOrders are due."


def test_texts_cannot_contain_marks_of_discord_or_call_people(posted):
    send_to_discord("https://discord.com/x", NoticeText("@everyone *x*", "", "/"), url=URL)
    message = json.loads(posted[0][1])
    assert message["content"] == f"**\\@everyone \\*x\\***\n<{URL}>"
    assert message["allowed_mentions"] == {"parse": []}


def test_webhooks_are_signed_by_the_rules_of_standard_webhooks(posted):
    notice = Notice(
        kind="result",
        key="k",
        data={
            "phase": "S1901M",
            "next": "F1901M",
            "due_at": "2030-03-02T12:00:00+00:00",
            "secret": "x",
        },
        created_at=NOW,
        useful_until=NOW,
    )
    keys = [base64.b64encode(key).decode() for key in (b"secret", b"old secret")]
    send_webhook(
        "https://hook.example/",
        keys=keys,
        number="msg_1",
        notice=notice,
        game=GameName("aaa", "Aldmark"),
        url=URL,
        now=NOW,
    )
    _, body, headers = posted[0]
    signed = f"msg_1.{int(NOW.timestamp())}.".encode() + body
    expected = [
        f"v1,{base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()}"
        for key in (b"secret", b"old secret")
    ]
    assert headers["webhook-signature"].split(" ") == expected
    assert headers["webhook-id"] == "msg_1"
    assert json.loads(body) == {
        "type": "phase.resolved",
        "timestamp": f"{NOW:%Y-%m-%dT%H:%M:%SZ}",
        "data": {
            "phase": "S1901M",
            "next": "F1901M",
            "due_at": "2030-03-02T12:00:00Z",
            "game": "aaa",
            "world": "Aldmark",
            "url": URL,
        },
    }


def test_every_kind_that_can_be_chosen_has_words_and_a_type():
    assert set(KIND_LABELS) == set(SHORT_LABELS) == set(DEFAULTS)
    chosen = NoticeSettings(choices={kind: dict.fromkeys(Group, True) for kind in DEFAULTS})
    called = {kind for kind in NoticeKind if chosen.wants(kind, Channel.WEBHOOK, {})}
    assert set(TYPES) == called


class Browser:
    """The half of web push that a browser does."""

    def __init__(self):
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.auth = b"0123456789abcdef"
        point = self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        encode = base64.urlsafe_b64encode
        self.keys = {
            "p256dh": encode(point).decode().rstrip("="),
            "auth": encode(self.auth).decode().rstrip("="),
        }

    def decrypt(self, body):
        return json.loads(http_ece.decrypt(body, private_key=self.key, auth_secret=self.auth))


def push(url, browser, useful_for=dt.timedelta(hours=30)):
    send_push(
        url,
        browser.keys,
        NoticeText("Results", "Orders are due.", "/games/x/"),
        tag="t" * 32,
        origin="https://games.example",
        site_key=ensure_push_key(timezone.now()),
        useful_for=useful_for,
    )


@pytest.mark.django_db
def test_a_browser_can_read_a_push_and_knows_its_sender(monkeypatch):
    browser, bodies = Browser(), []

    def answer(handler):
        bodies.append(handler.body)
        status(201)(handler)

    with answering(monkeypatch, answer) as (url, calls):
        push(f"{url}/send/1", browser)
        push(f"{url}/send/1", browser, dt.timedelta(minutes=10))
    assert browser.decrypt(bodies[0]) == {
        "title": "Results",
        "body": "Orders are due.",
        "path": "/games/x/",
        "tag": "t" * 32,
    }
    headers = [{name.lower(): value for name, value in sent.items()} for _, sent in calls]
    assert [sent["ttl"] for sent in headers] == ["86400", "600"]
    assert headers[0]["authorization"].startswith("vapid t=")
    assert ensure_push_key(timezone.now()).public in headers[0]["authorization"]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("number", "error"), [(410, DestinationGone), (404, DestinationGone), (503, CallFailed)]
)
def test_a_push_service_says_that_a_browser_is_gone(monkeypatch, number, error):
    with answering(monkeypatch, status(number)) as (url, _), pytest.raises(error):
        push(url, Browser())


@pytest.mark.django_db
def test_a_push_endpoint_on_this_machine_is_not_called():
    with pytest.raises(CallFailed):
        push("https://127.0.0.1:1/", Browser())


@pytest.mark.parametrize("channel", ["slack", "discord", "webhook"])
def test_each_channel_is_sent_to(cast, add, posted, channel):
    from tests.notices.steps import consume, deliver_all

    from diplomaccloud.notices.models import Delivery

    add("alice", channel)
    consume()
    deliver_all(timezone.now())
    assert [url for url, _, _ in posted] == ["https://hook.example/"]
    assert b"Testland" in posted[0][1]
    assert f"https://games.example{cast.url()}".encode() in posted[0][1]
    assert Delivery.objects.get().state == "sent"
