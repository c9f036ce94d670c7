"""The number of queries of pages and actions does not grow with the game."""

import datetime as dt

import pytest
from django.test import Client
from django.utils import timezone
from tests.games.large_games import ALL_UNITS, begin, crowd, draft_more, lengthen, write
from tests.games.steps import asked, over_budget
from tests.scenes import scene

from diplomaccloud.accounts.models import User
from diplomaccloud.games.bots.actions import move_bots
from diplomaccloud.games.orders.actions import set_ready
from diplomaccloud.games.table.log import write_log
from diplomaccloud.games.table.models import Game, Seat
from diplomaccloud.games.table.phase_models import Draft, OrderRow
from diplomaccloud.games.turn.claims import claim_phase
from diplomaccloud.games.turn.turn import process_phase
from diplomaccloud.games.votes.actions import cast_ballot, open_vote
from diplomaccloud.games.votes.wording import Question, Terms

PAGES = {
    "": 16,  # four of them for its press and the number of new notices
    "log/": 14,
    "phases/1/": 16,
    "phases/1/animation/": 12,
    "phases/1/sandbox/": 12,
}
SAVING, READY = 11, 10
PROCESSING = 29
"""Seven people, all of whom ordered; reading and writing, without the transaction itself."""


@pytest.fixture
@scene
def seven(db):
    return [User.objects.create(username=f"person{seat}").pk for seat in range(7)]


@pytest.fixture
@scene
def grand(seven):
    """A game of seven people with every unit there can be, all of whom have saved orders."""
    now = timezone.now()
    game = begin(seven, 1, now=now)
    crowd(game)
    write(game, Seat.objects.filter(game=game), now=now)
    return Game.objects.get(pk=game.pk)  # without the board, which cannot be copied


def visit(user, address):
    client = Client()
    if user is not None:
        client.force_login(User.objects.get(pk=user))
    client.get(address)  # what is read once in a process: the map
    return asked(lambda: client.get(address))


def page(game, user=None):
    return visit(user, f"/games/{game.slug}/")


def watcher():
    return User.objects.create(username="watcher").pk


def many_drafts(game, seat):
    draft_more(game, seat, 6, now=timezone.now())


def motions_and_ballots(game, seat):
    terms = Terms(length=dt.timedelta(hours=1))
    for question in (Question.DRAW, Question.EXTEND):
        vote = open_vote(
            slug=game.slug,
            user_id=seat.user_id,
            sequence=game.newest_phase().sequence,
            question=question,
            terms=terms,
            now=timezone.now(),
        )
        for other in list(game.seats.exclude(pk=seat.pk))[:2]:
            cast_ballot(
                slug=game.slug,
                user_id=other.user_id,
                sequence=game.newest_phase().sequence,
                vote_id=vote.pk,
                yes=True,
                now=timezone.now(),
            )


def a_long_log(game, seat):
    phase = game.newest_phase()
    for number in range(60):
        write_log(
            game=game,
            phase=phase,
            by=seat.user_id,
            kind="left",
            key=f"test {number}",
            text="Something happened.",
            now=timezone.now(),
        )


def test_no_page_of_a_game_asks_more_whatever_happened_in_it(grand):
    """A table of pages for everyone who looks, at a game in which everything has happened."""
    seat = grand.seats.first()
    many_drafts(grand, seat)
    motions_and_ballots(grand, seat)
    a_long_log(grand, seat)
    lengthen(grand, 80)
    over = []
    for who, user in {"a player": seat.user_id, "a watcher": watcher(), "a visitor": None}.items():
        counts = {rest: len(visit(user, f"/games/{grand.slug}/{rest}")) for rest in PAGES}
        over += [f"{who}: {row}" for row in over_budget(PAGES, counts)]
    assert not over, "\n".join(over)


def test_players_of_several_powers_ask_no_more(seven):
    addresses = {
        f"/games/{begin(seven[:players], players, now=timezone.now(), setup=setup).slug}/": PAGES[
            ""
        ]
        for players, setup in ((4, "2000-4"), (3, "2000-3"), (2, "2000-2"))
    }
    assert not over_budget(addresses, {url: len(visit(seven[0], url)) for url in addresses})


def test_more_units_ask_no_more(seven):
    counts = set()
    for number, units in enumerate([22, ALL_UNITS], 1):
        game = begin(seven, number, now=timezone.now())
        crowd(game, units)
        write(game, Seat.objects.filter(game=game), now=timezone.now())
        counts.add(len(page(game, seven[0])))
    assert len(counts) == 1


@pytest.mark.parametrize("again", [False, True])
def test_saving_asks_little_whether_for_the_first_time_or_again(seven, again):
    game, now = begin(seven, 1, now=timezone.now()), timezone.now()
    crowd(game)
    seat = game.seats.first()
    if again:
        write(game, [seat], now=now)
    texts = asked(lambda: write(game, [seat], now=now))
    # Two of them are by the test itself: it reads the phase and its map to have orders to write.
    assert len(texts) <= SAVING + 2, "\n".join(texts)


def test_being_ready_asks_little(grand):
    seat = grand.seats.first()
    ready = {"slug": grand.slug, "user_id": seat.user_id, "sequence": 1, "now": timezone.now()}
    texts = asked(lambda: set_ready(**ready))
    assert len(texts) <= READY, "\n".join(texts)


def test_processing_asks_little_and_no_more_for_more_units(seven):
    counts = set()
    for number, units in enumerate([22, ALL_UNITS], 1):
        now = timezone.now()
        game = begin(seven, number, now=now)
        crowd(game, units)
        write(game, Seat.objects.filter(game=game), now=now)
        phase = game.newest_phase()
        due = phase.adjudicate_at
        assert claim_phase(game_id=game.pk, owner="test", now=due) == phase.pk
        texts = asked(
            lambda key=phase.pk, now=due: process_phase(phase_id=key, owner="test", now=now)
        )
        phase.refresh_from_db()
        assert phase.processed_at
        assert len(texts) <= PROCESSING, "\n".join(texts)
        counts.add(len(texts))
    assert len(counts) == 1


BOTS = 12
"""One of them asks whether any bot of the game has made a deal."""


@pytest.mark.parametrize("left", [False, True], ids=["all new", "after a player who left drafts"])
def test_six_bots_order_in_as_few_questions_as_one(seven, left):
    now = timezone.now()
    game = begin(seven[:1], 1, now=now, bot="hold")
    phase = game.newest_phase()
    seat = game.seats.exclude(bot="").first()
    if left:
        Draft.objects.create(phase=phase, seat=seat, name="Orders", live=None, saved_at=now)
    texts = asked(lambda: move_bots(phase_id=phase.pk, now=now))
    assert left or len(texts) <= BOTS, "\n".join(texts)
    given = phase.submissions.filter(seat__bot="hold", by_conditional_orders=False).exclude(
        ready_at=None
    )
    assert given.count() == 6
    assert OrderRow.objects.filter(draft__phase=phase, draft__live=True).count() == 19
    assert asked(lambda: move_bots(phase_id=phase.pk, now=now))[2:] == []
    written = Draft.objects.filter(phase=phase, seat=seat, live=True).values_list("name", flat=True)
    assert list(written) == ["Orders 2" if left else "Orders"]
