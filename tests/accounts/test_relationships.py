"""Declared relationships: who declares, confirms, refuses and ends them, and who learns of that."""

import datetime as dt
import io
import json
import zipfile

import pytest
from django.test import Client
from django.utils import timezone

from diplomaccloud.accounts.data_exports import write_export
from diplomaccloud.accounts.deletion import delete_account
from diplomaccloud.accounts.guests import create_guest
from diplomaccloud.accounts.models import Relationship, User
from diplomaccloud.accounts.relationships import (
    MAX_DECLARED,
    NoSuchRelationship,
    confirm_relationship,
    declare_relationship,
    describe_relationships,
    end_relationship,
    find_declared,
    find_related,
    list_relationships,
    refuse_relationship,
)
from diplomaccloud.press.conversations.actions import block_person
from diplomaccloud.schedule.timer import Refused

pytestmark = pytest.mark.every_database
PAGE = "/account/relationships/"
DAY = dt.timedelta(days=1)


@pytest.fixture
def now():
    return timezone.now()


def declare(user_id, name="Bob", kind="household", now=None):
    return declare_relationship(user_id=user_id, name=name, kind=kind, now=now or timezone.now())


def newest():
    return Relationship.objects.latest("pk").pk


def log_in(user_id):
    client = Client()
    client.force_login(User.objects.get(pk=user_id))
    return client


def see(user_id, **options):
    return [(row.name, row.is_own) for row in list_relationships(user_id, **options)]


def test_a_relationship_counts_while_both_agree(people, now):
    alice, bob, _ = everyone = tuple(people.values())
    assert not declare(alice, " bOB ")
    assert (see(alice), see(bob)) == ([("Bob", True)], [("Alice", False)])
    assert find_related(everyone) == ()
    with pytest.raises(NoSuchRelationship):
        confirm_relationship(user_id=alice, key=newest(), now=now)
    confirm_relationship(user_id=bob, key=newest(), now=now)
    assert find_related(everyone) == ((alice, bob, "household"),)
    assert find_related((alice,)) == ()
    end_relationship(user_id=bob, key=newest(), now=now + DAY)
    assert (see(alice), see(bob), find_related(everyone)) == ([], [], ())
    with pytest.raises(NoSuchRelationship):
        end_relationship(user_id=alice, key=newest(), now=now)
    past = find_declared(bob, [alice])[alice]
    assert (past.since, past.until) == (now, now + DAY)
    assert not declare(bob, "Alice", "friends")


def test_nobody_learns_of_a_refusal_and_a_refused_person_cannot_ask_again(people, now):
    alice, bob = people["alice"], people["bob"]
    declare(alice)
    before = (see(alice), describe_relationships(alice))
    refuse_relationship(user_id=bob, key=newest(), now=now)
    assert (see(alice), describe_relationships(alice)) == before
    assert see(bob) == []
    assert describe_relationships(bob)[0]["refused_by_you"]
    with pytest.raises(NoSuchRelationship):
        confirm_relationship(user_id=bob, key=newest(), now=now)
    end_relationship(user_id=alice, key=newest(), now=now)
    assert see(alice) == []
    assert not declare(alice, kind="friends")
    assert (see(alice), see(bob)) == ([("Bob", True)], [])
    # The one who refused can change their mind.
    assert declare(bob, "Alice", "friends")
    assert len(find_related((alice, bob))) == 1


def test_two_who_declare_the_same_have_confirmed_it_and_another_kind_replaces_it(people, now):
    alice, bob = people["alice"], people["bob"]
    declare(alice, kind="friends")
    assert not declare(bob, "Alice", "network")
    assert (see(alice), see(bob)) == ([("Bob", False)], [("Alice", True)])
    assert declare(alice, kind="network")
    assert find_related((alice, bob)) == ((bob, alice, "network"),)


@pytest.mark.parametrize(
    ("name", "kind", "says"),
    [
        ("Dora", "friends", "no player called Dora"),
        ("", "friends", "Enter a screen name."),
        ("alice", "friends", "not your own"),
        ("Guest", "friends", "no player called Guest"),
        ("Bob", "twins", "Choose how you know each other."),
        ("Bob", "", "Choose how you know each other."),
        ("Charlie", "friends", "already declared a relationship with Charlie"),
    ],
)
def test_a_bad_declaration_says_what_is_wrong_and_keeps_the_text(people, name, kind, says):
    alice = people["alice"]
    declare(alice, "Charlie")
    client = log_in(alice)
    answer = client.post(PAGE, {"name": name, "kind": kind})
    assert answer.status_code in {400, 409, 422}
    page = answer.content.decode()
    assert says in page
    assert not name or f'value="{name}"' in page
    assert Relationship.objects.count() == 1


def test_a_guest_declares_nothing_and_nobody_declares_too_much(people, now):
    guest = create_guest("one", now=now)
    with pytest.raises(Refused, match="Sign up"):
        declare(guest.pk)
    for number in range(MAX_DECLARED):
        User.objects.create(username=f"Friend{number}")
        declare(people["alice"], f"Friend{number}", "friends", now=now)
    with pytest.raises(Refused, match=f"{MAX_DECLARED} open declarations"):
        declare(people["alice"], now=now + 2 * DAY)
    end_relationship(user_id=people["alice"], key=newest(), now=now)
    declare(people["alice"], now=now)


def test_a_blocked_person_declares_in_vain_and_does_not_learn_it(people, now):
    alice, bob = people["alice"], people["bob"]
    block_person(user_id=bob, name="Alice", blocked=True, now=now)
    answer = log_in(alice).post(PAGE, {"name": "Bob", "kind": "friends"}, follow=True)
    assert [row.name for row in answer.context["waiting"]] == ["Bob"]
    assert not log_in(bob).get(PAGE).context["asked"]
    block_person(user_id=bob, name="Alice", blocked=False, now=now)
    assert [row.name for row in log_in(bob).get(PAGE).context["asked"]] == ["Alice"]


def test_the_page_confirms_refuses_and_ends(people):
    alice, bob = log_in(people["alice"]), log_in(people["bob"])
    assert b"Declared relationships" in alice.get("/people/Alice/").content
    alice.post(PAGE, {"name": "Bob", "kind": "network"})
    other = log_in(people["charlie"])
    for client in (alice, other):
        assert client.post(PAGE, {"act": "confirm", "key": newest()}).status_code == 404
    assert bob.post(PAGE, {"act": "confirm", "key": newest()}).status_code == 303
    assert [row.name for row in alice.get(PAGE).context["confirmed"]] == ["Bob"]
    assert bob.post(PAGE, {"act": "end", "key": newest()}).status_code == 303
    for bad in ({"act": "win"}, {"act": "end", "key": "x"}, {"act": "end", "key": newest()}):
        assert bob.post(PAGE, bad).status_code in {400, 404}
    assert Client().get(PAGE).status_code == 302


def test_relationships_are_exported_and_deleted_with_either_account(people, now):
    alice, bob = people["alice"], people["bob"]
    declare(alice, now=now)
    file = io.BytesIO()
    write_export(bob, file)
    with zipfile.ZipFile(file) as archive:
        (row,) = json.loads(archive.read("account.json"))["relationships"]
    assert (row["with"], row["declared_by_you"], row["kind"]) == ("Alice", False, "household")
    confirm_relationship(user_id=bob, key=newest(), now=now)
    delete_account(user_id=bob, now=now)
    assert not Relationship.objects.exists()
