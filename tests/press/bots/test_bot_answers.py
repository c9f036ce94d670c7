"""Bots answer proposals: at once where pages show them as bots, otherwise as late as people do."""

import datetime as dt
import random

import pytest
from tests.games.large_games import begin
from tests.games.steps import change_position
from tests.press.deals import answer, facts, peace, propose, terms
from tests.press.people import TalkingGame

from diplomaccloud.accounts.models import User
from diplomaccloud.games.table.models import Game, Seat
from diplomaccloud.games.visibility.read import Holder
from diplomaccloud.judge.board import UnitKind
from diplomaccloud.judge.units import Unit
from diplomaccloud.press.bots import actions as bot_answers
from diplomaccloud.press.bots.actions import answer_for_bots
from diplomaccloud.press.proposals.actions import draw_delay, record_answer
from diplomaccloud.press.proposals.models import PendingReply

SECOND = dt.timedelta(seconds=1)


@pytest.fixture
def against_bots(db):
    """A game of Anna against six greedy bots, and her power."""
    from django.utils import timezone

    anna = User.objects.create(username="Anna").pk
    talking = TalkingGame(begin([anna], 1, now=timezone.now(), bot="greedy"))
    return talking, Seat.objects.get(user=anna).power


def reply(talking, after=SECOND):
    return answer_for_bots(now=talking.now + after)


def other_power(own):
    return "FRANCE" if own != "FRANCE" else "ENGLAND"


def test_an_answer_that_cannot_be_given_stops_no_other(against_bots, monkeypatch):
    talking, own = against_bots
    bots = ["ENGLAND", "FRANCE", "GERMANY"]
    first, other = [bot for bot in bots if bot != own][:2]
    numbers = {}
    for bot in (first, other):
        pair = sorted((own, bot))
        numbers[bot] = propose(talking, own, bot, terms([peace(*pair)], parties=pair))

    def record(table, given):
        if first in given.proposal.terms["parties"]:
            raise ValueError("damaged")
        return record_answer(table, given)

    monkeypatch.setattr(bot_answers, "record_answer", record)
    assert reply(talking) == 1
    assert facts(talking, own, first, numbers[first]).state == "open"
    assert facts(talking, own, other, numbers[other]).state == "accepted"
    assert not PendingReply.objects.exists()


def test_no_two_workers_weigh_one_proposal_and_a_deadly_one_is_dropped(against_bots, monkeypatch):
    talking, own = against_bots
    pair = sorted((own, other_power(own)))
    weighed = []

    def weigh(proposal, _seat):
        assert reply(talking) == 0, "another worker must not weigh it meanwhile"
        weighed.append(proposal)
        raise KeyboardInterrupt

    monkeypatch.setattr(bot_answers, "_find_reply", weigh)
    propose(talking, own, other_power(own), terms([peace(*pair)], parties=pair))
    later = bot_answers.LEASE + SECOND
    for number in range(bot_answers.MAX_ATTEMPTS):
        with pytest.raises(KeyboardInterrupt):
            reply(talking, after=(number + 1) * later)
    assert reply(talking, after=(bot_answers.MAX_ATTEMPTS + 1) * later) == 0
    assert len(weighed) == bot_answers.MAX_ATTEMPTS
    assert not PendingReply.objects.exists()


def test_a_bot_accepts_what_costs_no_center_and_refuses_the_rest(against_bots):
    talking, own = against_bots
    bot = other_power(own)
    pair = sorted((own, bot))
    fine = propose(talking, own, bot, terms([peace(*pair)], parties=pair))
    # A foreign unit next to a center of the bot makes it costly to stay out of that center.
    home = talking.phase.position.units_of(bot)[0]
    near = sorted(talking.phase.board.reach(home.kind, home.location))[0]
    kind = "A" if talking.phase.board.by_code[near].terrain.value != "sea" else "F"
    guest = Unit(UnitKind(kind), near, own)
    change_position(units=(*talking.phase.position.units, guest))
    zone = {"clause": "dmz", "powers": [bot], "provinces": [home.province]}
    costly = propose(talking, own, bot, terms([zone], parties=pair))
    assert reply(talking) == 2
    assert reply(talking) == 0
    assert facts(talking, own, bot, fine).state == "accepted"
    assert facts(talking, own, bot, costly).state == "refused"
    assert not PendingReply.objects.exists()


def test_the_same_seed_gives_the_same_answers(against_bots):
    talking, own = against_bots
    bot = other_power(own)
    Seat.objects.filter(power=bot).update(bot="random")
    pair = sorted((own, bot))
    numbers = [propose(talking, own, bot, terms([peace(*pair)], parties=pair)) for _ in range(3)]
    reply(talking)
    assert len({facts(talking, own, bot, number).state for number in numbers}) == 1


def test_a_bot_answers_nothing_that_is_closed(against_bots, monkeypatch):
    talking, own = against_bots
    bot = other_power(own)
    pair = sorted((own, bot))
    data = terms([peace(*pair)], parties=pair)
    withdrawn = propose(talking, own, bot, data)
    answer(talking, own, bot, withdrawn, "withdraw")
    lapsed = propose(talking, own, bot, data)
    assert reply(talking, after=talking.phase.due_at - talking.now + SECOND) == 0
    assert facts(talking, own, bot, withdrawn).state == "withdrawn"
    assert facts(talking, own, bot, lapsed).answers == ()
    failing = propose(talking, own, bot, data)
    monkeypatch.setattr("diplomaccloud.press.bots.actions._find_reply", None)
    assert reply(talking) == 0
    assert facts(talking, own, bot, failing).state == "open"
    assert not PendingReply.objects.exists()


def test_where_nobody_is_to_know_a_bot_it_waits_like_a_person(against_bots, monkeypatch):
    talking, own = against_bots
    hidden = "diplomaccloud.press.proposals.actions.seat_holder"
    monkeypatch.setattr(hidden, lambda *_, **__: Holder(hidden=True))
    bot = other_power(own)
    pair = sorted((own, bot))
    for _ in range(5):
        propose(talking, own, bot, terms([peace(*pair)], parties=pair))
    phase = talking.phase
    longest = (phase.due_at - phase.opens_at) / 10
    waits = [row.due_at - talking.now for row in PendingReply.objects.all()]
    assert len(set(waits)) == len(waits)
    assert all(dt.timedelta(seconds=50) < wait <= longest for wait in waits)
    assert reply(talking) == 0
    assert reply(talking, after=longest + SECOND) == len(waits)


def test_the_delay_of_a_short_phase_is_a_minute(against_bots):
    talking, _ = against_bots
    phase = talking.phase
    phase.due_at = phase.opens_at + dt.timedelta(minutes=5)
    assert draw_delay(phase, random.Random(1)) == dt.timedelta(minutes=1)
    assert Game.objects.count() == 1
