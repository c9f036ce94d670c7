"""The deadlines and pauses of games in lists."""

import datetime as dt
from dataclasses import replace
from itertools import product

import pytest
from django.utils import timezone
from tests.games.browsing import read_page
from tests.games.steps import DAY, HOUR, asked, ballot, call_vote, game, phase

from diplomaccloud.games.creation.actions import create_game
from diplomaccloud.games.lobby.actions import start_game
from diplomaccloud.games.seats.actions import resign
from diplomaccloud.games.table.models import Game

LISTS = {"the home page": "/", "the list of games": "/games/"}


def pause(cast, began=dt.timedelta()):
    """Pause the game for two days by a vote, some time before now."""
    now = timezone.now() - began
    ballot(cast, "bob", call_vote(cast, "alice", "pause", length=2 * DAY, now=now), now=now)
    return now + 2 * DAY


def card_of(cast, address, who="alice"):
    lobby = cast.client(who).get(address).context["lobby"]
    (card,) = lobby.yours or lobby.others["running"].games
    return card


class TestPausedGames:
    @pytest.mark.parametrize(
        ("who", "address"),
        [("alice", "/"), *product(["charlie", "nobody"], LISTS.values())],
    )
    def test_everybody_reads_until_when_at_the_longest(self, cast, address, who):
        until = pause(cast)
        assert card_of(cast, address, who).paused_until == until
        page = read_page(cast.client(who).get(address))
        assert f"Paused until {until:%b %-d, %H:%M} UTC at the latest" in page

    @pytest.mark.parametrize("address", LISTS.values(), ids=LISTS.keys())
    def test_a_game_that_is_not_paused_says_when_the_phase_ends(self, cast, address):
        assert card_of(cast, address, "charlie").paused_until is None
        page = cast.client("charlie").get(address).content.decode()
        assert "Paused" not in page
        assert "ends in" in page

    def test_a_pause_that_ran_out_is_none(self, cast):
        pause(cast, began=2 * DAY + HOUR)
        assert card_of(cast, "/").paused_until is None

    def test_a_pause_that_was_ended_by_a_vote_is_none(self, cast):
        pause(cast, began=HOUR)
        ballot(cast, "bob", call_vote(cast, "alice", "resume"))
        assert card_of(cast, "/").paused_until is None

    def test_a_pause_of_an_earlier_line_is_none(self, cast):
        pause(cast)
        game().phases.update(superseded_at=timezone.now())
        assert card_of(cast, "/").paused_until is None

    def test_a_game_that_was_put_aside_says_so(self, cast):
        Game.objects.update(suspended_reason="A fault.")
        assert card_of(cast, "/").suspended
        page = cast.client("nobody").get("/games/").content.decode()
        assert "Suspended" in page
        assert "A fault." not in page


def test_more_games_take_no_more_queries(cast, plan):
    def count_queries():
        return {who: len(asked(lambda c=client: c.get("/games/"))) for who, client in clients}

    pause(cast)
    clients = [(who, cast.client(who)) for who in ("alice", "charlie", "nobody")]
    count_queries()
    one = count_queries()
    for slug in ("bbbbbbbbbb", "cccccccccc"):
        known = {"slug": slug, "now": timezone.now()}
        create_game(
            plan=replace(plan, private=False), creator_id=cast.alice, code="", seed="s", **known
        )
        start_game(user_id=cast.alice, **known)
    assert count_queries() == one
    page = cast.client("nobody").get("/games/")
    assert len(page.context["lobby"].others["running"].games) == 3


@pytest.mark.parametrize("paused", [False, True])
def test_a_vacant_seat_is_listed_with_its_deadline(cast, paused):
    until = pause(cast) if paused else phase().due_at
    resign(slug=cast.slug, user_id=cast.alice, now=timezone.now())
    page = cast.client("charlie").get("/games/")
    ((seat, game_of_seat),) = page.context["lobby"].offers
    assert (seat.slug, game_of_seat.slug) == (cast.slug, cast.slug)
    part = page.content.decode().partition('id="l-vacant"')[2].partition("</section>")[0]
    assert f"{until:%b %-d, %H:%M} UTC" in part
    assert ("Paused until" in part) is paused


def test_a_site_without_games_offers_one_against_bots(cast):
    Game.objects.update(private=True)
    for who, way in (("nobody", "/games/play/"), ("charlie", "/games/quick/")):
        page = cast.client(who).get("/games/").content.decode()
        assert f'"{way}"' in page.partition('id="l-open"')[2]
