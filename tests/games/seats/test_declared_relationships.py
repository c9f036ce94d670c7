"""What a game says about declared relationships, to whom, and what it keeps to itself."""

import pytest
from django.utils import timezone
from tests.games.steps import asked

from diplomaccloud.accounts.relationships import (
    declare_relationship,
    end_relationship,
    list_relationships,
)
from diplomaccloud.games.lobby.actions import join_game, start_game
from diplomaccloud.games.seats.actions import resign
from diplomaccloud.games.table.models import Seat
from diplomaccloud.games.turn.claims import advance

UNNAMED = ("At least two players of this game have declared that they know each other.",)


def relate(cast, one, other, kind="household"):
    now = timezone.now()
    for person, name in ((one, other), (other, one)):
        declare_relationship(
            user_id=cast.user_id(person), name=name.capitalize(), kind=kind, now=now
        )


def lines(cast, who):
    return cast.client(who).get(cast.url()).context["view"].relationships


def join(cast, who):
    join_game(slug=cast.slug, user_id=cast.user_id(who), now=timezone.now())


def test_the_waiting_room_names_those_who_are_related_before_and_after_joining(forming):
    relate(forming, "alice", "bob")
    relate(forming, "bob", "charlie", "friends")
    together = "are family or share a household, as both have declared."
    assert lines(forming, "bob") == (f"You and Alice {together}",)
    assert lines(forming, "alice") == lines(forming, "charlie") == ()
    join(forming, "bob")
    assert lines(forming, "alice") == (f"You and Bob {together}",)
    assert lines(forming, "charlie") == (
        "You and Bob are friends who talk outside the site, as both have declared.",
        f"Alice and Bob {together}",
    )
    assert lines(forming, "nobody") == ()
    assert f"Alice and Bob {together}" in page(forming, "charlie")


def page(cast, who, part=""):
    return cast.client(who).get(cast.url(part)).content.decode()


def test_a_vacant_seat_says_who_is_related_but_an_anonymous_game_does_not(cast, agree):
    relate(cast, "alice", "charlie", "network")
    relate(cast, "alice", "bob")
    assert lines(cast, "charlie") == ()
    now = timezone.now()
    resign(slug=cast.slug, user_id=cast.bob, now=now)
    said = "You and Alice share a network, such as at a school or in an office, as both have"
    assert len(lines(cast, "charlie")) == 1
    assert said in page(cast, "charlie", "parts/powers/")
    agree(anonymous=True)
    assert lines(cast, "charlie") == lines(cast, "bob") == lines(cast, "alice") == ()


def test_an_anonymous_waiting_room_says_only_that_there_is_one(forming, agree):
    agree(anonymous=True)
    relate(forming, "alice", "bob")
    # Someone who has not joined learns nothing about the game from their own relationships.
    assert lines(forming, "bob") == ()
    join(forming, "bob")
    for who in ("alice", "bob", "charlie"):
        assert lines(forming, who) == UNNAMED, who
    assert lines(forming, "nobody") == ()
    assert "Bob" not in page(forming, "charlie")


@pytest.mark.parametrize("who", ["alice", "charlie"])
def test_a_started_anonymous_game_never_changes_what_it_says(forming, agree, who):
    agree(anonymous=True)
    relate(forming, "alice", "bob")
    join(forming, "bob")
    start_game(slug=forming.slug, user_id=forming.alice, now=timezone.now())
    advance(game_id=forming.game_id, owner="t", now=timezone.now())
    assert lines(forming, who) == ()
    resign(slug=forming.slug, user_id=forming.bob, now=timezone.now())
    assert Seat.objects.filter(user=None, bot="").exists()
    assert lines(forming, who) == ()


def test_it_costs_one_query(forming):
    join(forming, "bob")
    relate(forming, "alice", "bob")
    client = forming.client("charlie")
    client.get(forming.url())
    queries = asked(lambda: client.get(forming.url()))
    assert sum("accounts_relationship" in query for query in queries) == 1
    assert not any("accounts_relationship" in query for query in asked(lambda: client.get("/")))


def test_an_ended_relationship_is_no_longer_shown(forming):
    relate(forming, "alice", "bob")
    (row,) = list_relationships(forming.bob)
    end_relationship(user_id=forming.bob, key=row.key, now=timezone.now())
    assert lines(forming, "bob") == ()
