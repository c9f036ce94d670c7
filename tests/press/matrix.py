"""The matrix of secrecy: a game whose people have secrets, and everyone who must not notice.

The same game three times. In `silence` France, England and Russia do nothing. In `secrets` they
write to each other, send maps, make a deal, sign a document and more. In `everything` England asks
the game master and reports a message besides. In all of them the others write the same at the same
time, so that a row's key, a number or a count that reveals the first ones differs.
"""

import datetime as dt
import io
import logging
import random
import re
import zipfile
from collections import defaultdict
from contextlib import contextmanager

import requests
from django.conf import settings
from django.core import mail
from django.db import connection, transaction
from django.test import Client, RequestFactory
from django.test.client import ClientHandler
from django.utils import timezone
from tests.api.calls import token_of
from tests.games.steps import remove_centers, remove_units
from tests.notices.steps import consume, deliver_all
from tests.press.deals import answer, order, peace, process, propose, terms
from tests.press.documents.test_documents import show, sign
from tests.press.maps.test_maps import Table
from tests.press.moderation.test_reports import report
from tests.press.people import new_key, public

from diplomaccloud.accounts.data_exports import write_export
from diplomaccloud.accounts.mail_queue import send_due_mail
from diplomaccloud.accounts.models import User
from diplomaccloud.games.deadlines.actions import finish_talking
from diplomaccloud.games.page import live
from diplomaccloud.games.statistics import page as statistics
from diplomaccloud.games.table.models import Game
from diplomaccloud.notices import channels as push
from diplomaccloud.notices import consumer
from diplomaccloud.notices.kinds import DIGEST_DELAY, Channel, Group, NoticeKind
from diplomaccloud.notices.models import Destination
from diplomaccloud.notices.outbound import OutboundSession
from diplomaccloud.notices.preferences import renew_calendar_key, save_choices
from diplomaccloud.press.conversations.actions import (
    block_person,
    hide_message,
    mute_conversation,
    mute_seat,
    publish_gray,
)
from diplomaccloud.press.inspection.actions import look_at_conversation
from diplomaccloud.press.openings.actions import agree_to_open
from diplomaccloud.press.personal.actions import send_personal
from diplomaccloud.press.table.addresses import GAME_MASTER, NOTES, parse_address
from diplomaccloud.press.table.rules import QUARTER
from diplomaccloud.slack import commands as slack
from diplomaccloud.slack.models import SlackLink

SECRET, SUBJECT = "Burgundy by surprise", "Paris at dusk"
MINUTE = dt.timedelta(minutes=1)
HOUR = dt.timedelta(hours=1)
SEATS = {
    "author": "FRANCE",
    "rival": "ITALY",
    "predecessor": "GERMANY",
    "eliminated": "TURKEY",
    "playing moderator": "AUSTRIA",
}
PEOPLE = {"successor": "Sam", "master": "Morgan", "moderator": "Mina", "stranger": "Wanda"}
VISITOR = "visitor"
PLAYING_MASTER = "playing master"
"""Italy as the game master of the game in which it plays."""
MOMENTS = ("open", "quiet", "processed", "over")
"""Orders are open, talk is closed, the phase was processed, the game is over."""
FRESH = ("Expires", "X-Request-ID")
"""Headers that differ each time."""
ANEW_IN_LOGS = ("ms", "timestamp", "request_id")
"""The same of log lines."""
SLACK_TEXTS = ("status", "A PAR - BUR, F NAP - ION", "ready", "not ready", "status")
CHANGING = re.compile(
    rb'name="server-time" content="[^"]*"|[A-Za-z0-9]{64}|value="[0-9a-f]{32}"'
    rb"|(?<=/unsubscribe/)[^/\s]+"
    rb"|\b[0-9a-f]{32}\b|msg_[0-9a-f]{28}|v1,[A-Za-z0-9+/=]{44}|(?<=/moderation/)[0-9a-f]{12}"
    rb'|(?<=name="key" value=")[0-9a-f]{17}|[0-9a-f]{8}(?=\xe2\x80\xa6</code>)'
)
"""What is random, signed or a HMAC: tokens of forms, keys of composers, ids for others."""


class Browser(RequestFactory):
    """Someone's browser; it doesn't copy template contexts, which would take the most time."""

    handler = ClientHandler(enforce_csrf_checks=False)

    def __init__(self, user_id=None):
        super().__init__()
        if user_id is not None:
            client = Client()
            client.force_login(User.objects.get(pk=user_id))
            self.cookies = client.cookies

    def request(self, **request):
        return self.handler(self._base_environ(**request))


class Wire:
    """Stands in for the network: what was sent, by the address that it went to."""

    def __init__(self, patch):
        self.sent = defaultdict(list)
        patch.setattr(OutboundSession, "request", self.request)
        patch.setattr(push, "webpush", self.push)

    def request(self, _method, url, *, data, headers, **_):
        self.sent[url].append(mask(f"{headers} {data}".encode()))
        answered = requests.Response()
        answered.status_code = 201
        return answered

    def push(self, subscription, payload, *, ttl, headers, **_):
        self.sent[subscription["endpoint"]].append(mask(f"{headers} {ttl} {payload}".encode()))

    def read_mail(self):
        """Note what was mailed."""
        for message in mail.outbox:
            text = f"{message.subject}\n{message.extra_headers}\n{message.body}"
            self.sent[message.to[0]].append(mask(text.encode()))


class Lines(logging.Handler):
    """What is logged, without how long it took."""

    def __init__(self):
        super().__init__(logging.INFO)
        self.lines = []

    def emit(self, record):
        facts = record.msg if isinstance(record.msg, dict) else {"event": record.getMessage()}
        facts = {key: value for key, value in facts.items() if key not in ANEW_IN_LOGS}
        self.lines.append((record.name, record.levelname, str(facts)))


def address_of(role, channel):
    return f"{role.replace(' ', '-')}@{channel}.example"


def mask(content):
    return CHANGING.sub(b"*", content)


@contextmanager
def logged():
    """Yield the lines that are logged inside the block."""
    lines, root = Lines(), logging.getLogger()
    level = root.level
    root.setLevel(logging.INFO)
    root.addHandler(lines)
    try:
        yield lines.lines
    finally:
        root.removeHandler(lines)
        root.setLevel(level)


@contextmanager
def undone():
    """Undo what is stored inside the block."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def announce(now):
    """Turn everything that has happened into notices."""
    consume(now)
    while consumer.consume_press(now=now):
        pass


class Matrix:
    """A game in which Germany has changed hands and Turkey is out, with a browser for each role."""

    def __init__(self, talking, *, anonymous):
        self.talking, self.slug = talking, talking.slug
        options = {"press": "rulebook", "writing": 300, "gray": True, "master_reads": True}
        talking.agree(anonymous=anonymous, slack=True, **options)
        User.objects.create(username="Wanda")
        User.objects.create(username="Mina", moderator=True)
        self.people = {role: talking.user_id(power) for role, power in SEATS.items()}
        self.people |= {role: talking.user_id(name) for role, name in PEOPLE.items()}
        User.objects.filter(pk=self.people["playing moderator"]).update(moderator=True)
        talking.send("GERMANY", "ENGLAND", "Before.")
        talking.send("TURKEY", "ITALY", "Before.")
        talking.send("FRANCE", "ITALY", "Before.")
        talking.resign("GERMANY")
        talking.take("Sam", "GERMANY")
        remove_units("TURKEY")
        remove_centers("TURKEY")
        announce(talking.now)
        self.began, self.due = talking.now, talking.phase.due_at
        self.browsers = {role: Browser(key) for role, key in self.people.items()}
        self.browsers[VISITOR] = Browser()
        self.browsers[PLAYING_MASTER] = self.browsers["rival"]
        self.calendars = {}
        for place, (role, key) in enumerate(self.people.items()):
            channels = {tuple(Channel)[(place + step) % len(Channel)] for step in (0, 2)}
            self.calendars[role] = self._subscribe(role, key, channels)
            SlackLink.objects.create(user_id=key, team="T", member=role, linked_at=talking.now)
        self.tokens = {role: token_of(key) for role, key in self.people.items()}
        self.tokens[PLAYING_MASTER] = self.tokens["rival"]

    def _subscribe(self, role, key, channels):
        """Let the person have every notice, on some channels; return the key of the calendar."""
        wanted = [(kind, group) for kind in NoticeKind for group in Group]
        save_choices(user_id=key, on=wanted, with_text=True)
        for channel in sorted(channels):
            address = address_of(role, channel)
            is_mail = channel == Channel.EMAIL
            Destination.objects.create(
                user_id=key,
                channel=channel,
                address=address if is_mail else f"https://{address}",
                digest=address,
                label=address,
                secret={"key": "c2VjcmV0"},
                origin="https://games.example",
                created_at=self.talking.now,
                confirmed_at=self.talking.now,
            )
        return renew_calendar_key(user_id=key)

    @contextmanager
    def world(self, name, patch):
        """Play the actions of a world; yield what the site sent out."""
        talking, wire = self.talking, Wire(patch)
        # It would end the transaction.
        patch.setattr(live, "close_old_connections", lambda: None)
        with undone():
            patch.setattr(timezone, "now", lambda: talking.now)
            talking.now = self.began
            if name != "silence":
                self.keep_secrets()
            if name == "everything":
                self.ask_judges()
            talking.now = self.began + MINUTE
            self.talk(gray_author="RUSSIA" if name == "silence" else "FRANCE")
            self.look_at("RUSSIA" if name == "silence" else "FRANCE")
            self.deliver(wire)
            self.name = name
            yield wire.sent

    def keep_secrets(self):
        """Do everything that nobody else must notice."""
        talking, table = self.talking, Table(self.talking)
        talking.send("FRANCE", "ENGLAND", SECRET, subject=SUBJECT)
        table.send("FRANCE", "ENGLAND", table.make("FRANCE", table.move("PAR", "BUR")), SECRET)
        number = propose(talking, "FRANCE", "ENGLAND", terms([peace()]), body=SECRET)
        answer(talking, "ENGLAND", "FRANCE", number)
        sign(talking, "ENGLAND", "FRANCE", show(talking, "FRANCE", "ENGLAND", text=SECRET), SECRET)
        talking.send("ENGLAND", "FRANCE+RUSSIA", SECRET)
        talking.send("FRANCE", NOTES, SECRET)
        table.make("FRANCE", table.move("PAR", "PIC"))
        talking.mark("ENGLAND", parse_address("FRANCE"), 3)
        france = {"slug": self.slug, "user_id": talking.user_id("FRANCE")}
        hide_message(**france, to=parse_address("ENGLAND"), number=1)
        for to in ("ENGLAND", "ITALY"):
            address = parse_address(to)
            mute_conversation(**france, to=address, muted=True, now=talking.tick())
        for power in ("ITALY", "GERMANY"):
            mute_seat(**france, power=power, muted=True, now=talking.tick())
        blocked = {"name": talking.name_of("ITALY"), "blocked": True}
        block_person(user_id=talking.user_id("FRANCE"), **blocked, now=talking.tick())
        phase = talking.phase.sequence
        finish_talking(**france, sequence=phase, now=talking.tick())
        send_personal(
            user_id=talking.user_id("FRANCE"),
            to=talking.name_of("RUSSIA"),
            subject="",
            body=SECRET,
            key=new_key(),
            now=talking.tick(),
        )

    def ask_judges(self):
        """Do what only the game master and moderators notice."""
        self.talking.send("ENGLAND", GAME_MASTER, SECRET)
        report(self.talking, "ENGLAND", "FRANCE", 1, note=SECRET)

    def talk(self, *, gray_author):
        """Do what the others do in every world."""
        talking, table = self.talking, Table(self.talking)
        public(talking, "ITALY")
        talking.send("FRANCE", "ITALY", "Hello, Italy.")
        talking.send("ITALY", "GERMANY", "Hello, Sam.")
        talking.send("Sam", "AUSTRIA", "Hello.")
        talking.send("AUSTRIA", "TURKEY", "Hello.")
        talking.send("ITALY", NOTES, "Noted.")
        table.send("ITALY", "AUSTRIA", table.make("ITALY", table.move("VEN", "TYR")))
        deal = terms([peace("AUSTRIA", "ITALY")], parties=("AUSTRIA", "ITALY"))
        answer(talking, "AUSTRIA", "ITALY", propose(talking, "ITALY", "AUSTRIA", deal))
        text = "Trieste stays yours."
        sign(talking, "AUSTRIA", "ITALY", show(talking, "ITALY", "AUSTRIA", text=text), text)
        talking.send("TURKEY", "AUSTRIA", "You are rude.")
        report(talking, "AUSTRIA", "TURKEY", 2)
        talking.send("ITALY", GAME_MASTER, "A question.")
        talking.send("Morgan", "ITALY", "An answer.")
        talking.send(gray_author, "gray", "Guess who.")
        publish_gray(now=talking.now + QUARTER, rng=random.Random(1))
        send_personal(
            user_id=talking.user_id("Wanda"),
            to="Mina",
            subject="",
            body="Hello.",
            key=new_key(),
            now=talking.tick(),
        )

    def look_at(self, power):
        """Let the game master read a conversation of England; all learn of it, but not whose."""
        look_at_conversation(
            slug=self.slug,
            user_id=self.people["master"],
            to=parse_address(f"ENGLAND+{power}"),
            reason="A complaint.",
            now=self.talking.tick(),
        )

    def deliver(self, wire):
        """Send what is due now and a little later, when the mail goes out."""
        talking = self.talking
        for later in (QUARTER, DIGEST_DELAY + MINUTE):
            talking.now += later
            announce(talking.now)
            deliver_all(talking.now)
        mail.outbox.clear()
        send_due_mail(now=timezone.now)
        wire.read_mail()

    @contextmanager
    def moment(self, name, patch):
        """Move the clock to this time, with everything that happens until then."""
        talking, has_secrets = self.talking, self.name != "silence"
        with undone():
            early = MINUTE if name == "quiet" else 6 * HOUR
            talking.now = self.due - early
            patch.setattr(timezone, "now", lambda: talking.now)
            if name == "processed":
                process(talking)
            elif name == "over":
                talking.finish()
                if has_secrets:
                    self._agree_to_open()
            elif has_secrets:
                order(talking, "FRANCE", "A PAR - BUR")
            announce(talking.now)
            yield

    def _agree_to_open(self):
        """Let France, and nobody else, agree to open what it said to England."""
        agree_to_open(
            slug=self.slug,
            user_id=self.talking.user_id("FRANCE"),
            to={parse_address("ENGLAND"): 4},
            now=self.talking.now,
        )

    @contextmanager
    def part_of(self, role):
        """Make Italy the game master for a read in that role; undo what the role does."""
        with undone():
            if role == PLAYING_MASTER:
                Game.objects.update(master=self.people["rival"])
            yield

    def ask(self, role, url, headers=None, form=None):
        """Return everything that an answer shows: status, content, headers, queries, log lines."""
        browser, queries = self.browsers[role], []
        # Who asked for statistics before is not what is compared.
        statistics._views.clear()

        def count(execute, sql, params, many, context):
            queries.append(sql)
            return execute(sql, params, many, context)

        with logged() as lines, connection.execute_wrapper(count):
            if form is None:
                response = browser.get(url, headers=headers or {})
            else:
                response = browser.post(url, form, headers=headers or {})
            content = b"".join(response) if response.streaming else response.content
        assert response.status_code < 500, (role, url)
        shown = {name: value for name, value in response.headers.items() if name not in FRESH}
        return response.status_code, mask(content), shown, len(queries), lines

    def listen(self, role):
        """Return what the live streams of the game and of all games send."""
        cookie = self.browsers[role].cookies.get(settings.SESSION_COOKIE_NAME)
        text = f"{settings.SESSION_COOKIE_NAME}={cookie.value}" if cookie else ""
        headers = {b"cookie": text.encode()}
        listeners = [live._find_listener(headers, slug) for slug in (self.slug, live.ALL_GAMES)]
        news = live._read(frozenset(filter(None, listeners)))
        return [listener and news.message_for(listener) for listener in listeners]

    def read_data(self, role):
        """Return the files of the data export, and what is logged as it is made."""
        if role == VISITOR:
            return None
        content = io.BytesIO()
        with logged() as lines:
            write_export(self.people["rival" if role == PLAYING_MASTER else role], content)
        return mask(repr(unpack(content)).encode()), lines

    def write_by_slack(self, role):
        """Return the answers to orders and questions, and what is logged in the process."""
        said = {"team": "T", "member": role, "now": self.talking.now}
        with undone(), logged() as lines:
            answers = [slack.answer(**said, text=text) for text in SLACK_TEXTS]
        return [mask(answer.encode()) for answer in answers], lines


def unpack(content):
    """Return what the files of an archive have."""
    with zipfile.ZipFile(content) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def compare(first, second, places):
    """Return where two readings differ, each with the first difference."""
    return [
        (place, *find_difference(first[place], second[place]))
        for place in places
        if first[place] != second[place]
    ]


def find_difference(first, second):
    """Return the parts of two values around their first difference."""
    if isinstance(first, tuple) and isinstance(second, tuple):
        first, second = next(pair for pair in zip(first, second, strict=True) if pair[0] != pair[1])
    one, other = repr(first), repr(second)
    pairs = enumerate(zip(one, other, strict=False))
    start = next((place for place, (a, b) in pairs if a != b), min(len(one), len(other)))
    return one[max(0, start - 80) : start + 80], other[max(0, start - 80) : start + 80]
