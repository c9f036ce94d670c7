"""Every URL of the site answers, read and sent to, on each database.

Tests of pages run on SQLite alone; these run the queries of every page on the servers too. Those
of press run everywhere, so this file need not know its messages, documents and proposals.
"""

import functools
import re
from html import unescape

import pytest
from django.db import transaction
from django.urls import URLPattern, URLResolver, get_resolver, reverse
from django.utils import timezone
from tests.games.steps import ballot, call_vote, due, save
from tests.press.people import new_key
from tests.scenes import scene

from diplomaccloud.accounts.models import User
from diplomaccloud.accounts.renaming import hide_name
from diplomaccloud.games.following.read import make_unfollow_token
from diplomaccloud.games.guests.actions import Ticket
from diplomaccloud.games.ratings.wording import Kind
from diplomaccloud.learn.page import COURSE
from diplomaccloud.maps import pictures
from diplomaccloud.maps.library import hide_map_name, set_map_name
from diplomaccloud.notices.destinations import make_confirmation
from diplomaccloud.notices.kinds import NoticeKind
from diplomaccloud.notices.models import Destination
from diplomaccloud.notices.preferences import make_unsubscribe_token, renew_calendar_key
from diplomaccloud.pages.views import TITLES
from diplomaccloud.press.conversations.actions import Mode, send_message
from diplomaccloud.press.table.addresses import parse_address
from diplomaccloud.sandbox import exports

UNKNOWN = {
    "api-v1:api-root": "the operations have addresses of their own",
    "account_confirm_email": "the site never confirms addresses",
    "account_confirm_address": "needs the link of a mail",
    "account_email_verification_sent": "the site never confirms addresses",
    "account_export_file": "needs a file that a worker has made",
    "games:code": "needs the code of a private game",
    "games:featured-turn": "needs a game that a worker has featured",
    "learn:board": "reads files",
    "learn:diagram": "reads files",
    "maps:card": "needs a position that a worker has drawn",
    "maps:preview-svg": "needs a map that is only being tested",
    "sandbox:why": "needs an order",
}
"""The names of pages that are not found with the samples below, and why that is all right."""


def list_urls(resolver=None, namespace="", parameters=frozenset()):
    """Yield the name of each URL, with its namespace, and the names of its parameters."""
    for entry in (resolver or get_resolver()).url_patterns:
        names = parameters | set(entry.pattern.regex.groupindex)
        if isinstance(entry, URLResolver):
            inner = f"{namespace}{entry.namespace}:" if entry.namespace else namespace
            yield from list_urls(entry, inner, names)
        elif isinstance(entry, URLPattern) and entry.name:
            yield f"{namespace}{entry.name}", names


@pytest.fixture(autouse=True)
def small_pictures(monkeypatch):
    """Draw pictures at a fraction of their width: that they are drawn is the question.

    They are kept apart from those that other tests draw.
    """
    monkeypatch.setattr(pictures, "renderer_version", lambda: "small")
    monkeypatch.setattr(exports, "PNG_WIDTH", 100)
    monkeypatch.setattr(pictures, "PNG_WIDTH", 100)
    monkeypatch.setattr(pictures, "PREVIEW_WIDTH", 100)


@pytest.fixture
@scene
def busy(table):
    """A game with a past, orders, votes and messages, and people who want mail."""
    save(table, "alice", "A VIE - GAL")
    due(table)
    save(table, "alice", "A GAL - UKR")
    call_vote(table, "alice", "draw")
    ballot(table, "bob", call_vote(table, "alice", "pause"))
    now = timezone.now()
    for to in ("TURKEY", "everyone"):
        send_message(
            slug=table.slug,
            user_id=table.alice,
            to=parse_address(to),
            mode=Mode("together"),
            subject="",
            body="Hello.",
            key=new_key(),
            now=now,
        )
    for name in ("alice", "bob"):
        Destination.objects.create(
            user_id=table.user_id(name),
            channel="email",
            address=f"{name}@games.example",
            digest=name,
            label=name,
            secret={},
            origin="https://games.example",
            created_at=now,
            confirmed_at=now,
        )
    return table


@pytest.fixture
def address_of(busy, standard):
    """A function that returns the address of a URL, about the game and its people."""
    samples = {
        "content_hash": standard,
        "key": "a" * 64,
        "kind": "json",
        "members": "TURKEY",
        "pk": 1,
        "number": 1,
        "sequence": 1,
        "size": "small",
        "slug": busy.slug,
        "theme": "light",
        "ticket": Ticket(standard, "greedy", "a seed").dump(),
        "token": make_unsubscribe_token(busy.alice, list(NoticeKind)),
    }
    for_names = {
        "guide": {"name": "press"},
        "games:part": {"name": "powers"},
        "admin": {"app_label": "games"},
        "operator-text": {"name": "privacy"},
        "maps:card": {"name": "a" * 64},
        "maps:print": {"kind": "poster-a3"},
        "maps:print-picture": {"kind": "picture"},
        "announcements:dismiss": {"key": 1},
        "ratings-of": {"kind": Kind.FULL.value},
        "unfollow": {"token": make_unfollow_token(busy.charlie, f"g{busy.game_id}")},
        "learn": {"slug": COURSE[0].slug},
        "api:revoke": {"key": 1},
        "api:revoke-grant": {"key": 1},
        "learn:board": {"name": "a", "digest": f"{'a' * 16}-a"},
        "learn:diagram": {"name": "a", "digest": "a" * 16},
        "notices:calendar": {"key": renew_calendar_key(user_id=busy.alice)},
        "notices:change": {"key": Destination.objects.get(user=busy.alice).pk},
        "notices:confirm": {
            "token": make_confirmation(Destination.objects.get(user=busy.alice)),
        },
    }

    def find(url, parameters, person="Bob"):
        known = samples | {"name": person}
        known |= for_names.get(url.split(":")[0], {}) | for_names.get(url, {})
        return reverse(url, kwargs={key: known.get(key, "unknown") for key in parameters})

    return find


def visit_all(address_of, visit):
    """Return the statuses of all URLs by name; what a visit changes is undone."""
    statuses = {}
    for name, parameters in list_urls():
        with transaction.atomic():
            statuses[name] = visit(address_of(name, parameters)).status_code
            transaction.set_rollback(True)
    return statuses


@pytest.mark.long
def test_every_url_can_be_read(busy, address_of):
    unknown = []
    for who in ("alice", "charlie", "nobody"):
        statuses = visit_all(address_of, busy.client(who).get)
        assert [name for name, status in statuses.items() if status == 500] == []
        unknown.append({name for name, status in statuses.items() if status == 404})
    pages = {name for name in set.intersection(*unknown) if not name.startswith("press:")}
    assert pages <= set(UNKNOWN)


@pytest.mark.long
def test_every_url_can_be_sent_to(busy, address_of):
    sent = {"phase": 2, "sure": "1", "reason": "So.", "key": "a" * 32, "power": "TURKEY"}
    for who in ("alice", "charlie", "nobody"):
        send = functools.partial(busy.client(who).post, data=sent)
        statuses = visit_all(address_of, send)
        assert [name for name, status in statuses.items() if status == 500] == []


@pytest.mark.long
@pytest.mark.one_database
def test_no_url_shows_a_name_or_a_status_that_is_hidden(busy, address_of, standard):
    name, status, world = "Rude-Name", "Rude words.", "Rude map"
    User.objects.filter(pk=busy.bob).update(username=name, status=status, email="b@games.example")
    set_map_name(standard, world)
    shown = set()
    for hidden in (False, True):
        if hidden:
            hide_name(busy.bob, name)
            User.objects.filter(pk=busy.bob).update(status="")
            hide_map_name(standard)
        person = User.objects.get(pk=busy.bob).username
        for who in ("alice", "bob") if hidden else ("alice",):
            client = busy.client(who)
            for url, parameters in list_urls():
                with transaction.atomic():
                    answer = client.get(address_of(url, parameters, person))
                    body = b"".join(answer) if answer.streaming else answer.content
                    transaction.set_rollback(True)
                found = {text for text in (name, status, world) if text.encode() in body}
                assert not (hidden and found), (url, who)
                shown |= found
    assert shown == {name, status, world}


@pytest.mark.long
@pytest.mark.one_database
def test_pages_with_htmx_attributes_load_htmx(busy, address_of):
    loading, lacking = set(), []
    for who in ("alice", "charlie", "nobody"):
        client = busy.client(who)
        for name, parameters in list_urls():
            with transaction.atomic():
                answer = client.get(address_of(name, parameters))
                body = b"".join(answer) if answer.streaming else answer.content
                transaction.set_rollback(True)
            is_loading = b"htmx.min.js" in body
            if is_loading:
                loading.add(name)
            elif b"<html" in body and b" hx-" in body:
                lacking.append((name, who))
    assert lacking == []
    assert "games:detail" in loading
    assert "games:lobby" not in loading


SAME_PAGES = ({"ratings", "ratings-of"}, {"press:list", "press:new"})
"""The names of URLs that may show the same page."""


def read_head(body):
    """Return what search engines and chats show of a page: property or name, and content."""
    metas = re.findall(r'<meta (?:name|property)="([\w:]+)"\s+content="([^"]*)">', body)
    return {name: unescape(content) for name, content in metas}


@pytest.mark.long
@pytest.mark.one_database
def test_every_page_has_a_preview_of_its_own(busy, address_of):
    urls, faults = {}, []
    addresses = {name: address_of(name, parameters) for name, parameters in list_urls()}
    del addresses["operator-text"]
    addresses |= {f"operator-text:{name}": f"/about/{name}/" for name in TITLES}
    for who in ("alice", "nobody"):
        client = busy.client(who)
        for name, address in addresses.items():
            if name.startswith("admin:"):
                continue
            with transaction.atomic():
                answer = client.get(address)
                body = b"".join(answer) if answer.streaming else answer.content
                transaction.set_rollback(True)
            if answer.status_code != 200 or b"<html" not in body[:100]:
                continue
            head = read_head(body.decode())
            title, description = head.get("og:title", ""), head.get("description", "")
            urls.setdefault(description, set()).add(name)
            if (
                not title
                or not 20 <= len(description) <= 200
                or head.get("og:description") != description
                or re.search(r"\w\(\w+=|[<\n]|None", title + description)
            ):
                faults.append((name, who, title, description))
    assert faults == []
    shared = [names for names in urls.values() if len(names) > 1 and names not in SAME_PAGES]
    assert shared == []
    assert len(urls) > 60
