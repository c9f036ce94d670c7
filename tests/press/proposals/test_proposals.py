"""Proposals: who may offer and answer what, and how simultaneous answers are ordered."""

import datetime as dt

import pytest
from tests.press.deals import (
    IN_THE_CHANNEL,
    MOVE,
    TO_BREST,
    TO_BURGUNDY,
    answer,
    facts,
    peace,
    propose,
    terms,
    zone,
)

from diplomaccloud.games.table.errors import NotYourSeat, Refused, WrongMoment
from diplomaccloud.press.proposals.actions import MAX_A_PHASE
from diplomaccloud.press.proposals.models import Proposal
from diplomaccloud.press.proposals.wording import ProposalState
from diplomaccloud.press.table.errors import (
    BadTerms,
    BadText,
    KeyReused,
    NoSuchConversation,
    NoSuchProposal,
    PressClosed,
    ProposalClosed,
    TooManyMessages,
)
from diplomaccloud.press.table.models import Message

THREE = ("ENGLAND", "FRANCE", "ITALY")


def test_a_proposal_is_accepted(talking):
    number = propose(talking, "FRANCE", "ENGLAND", terms([TO_BURGUNDY, peace()]), body="Well?")
    assert answer(talking, "ENGLAND", "FRANCE", number) is ProposalState.ACCEPTED
    assert answer(talking, "ENGLAND", "FRANCE", number) is ProposalState.ACCEPTED
    for who, to, own in (("FRANCE", "ENGLAND", "FRANCE"), ("ENGLAND", "FRANCE", "ENGLAND")):
        found = facts(talking, who, to, number)
        assert (found.state, found.own_power, found.may_answer) == ("accepted", own, False)
        assert [(a.power, a.answer) for a in found.answers] == [("ENGLAND", "accept")]
    with pytest.raises(ProposalClosed, match="accepted"):
        answer(talking, "FRANCE", "ENGLAND", number, "withdraw")
    with pytest.raises(ProposalClosed, match="accepted"):
        answer(talking, "ENGLAND", "FRANCE", number, "refuse")


@pytest.mark.parametrize(
    ("who", "word", "state"),
    [
        ("ENGLAND", "refuse", "refused"),
        ("ENGLAND", "decline", "declined"),
        ("FRANCE", "withdraw", "withdrawn"),
    ],
)
def test_any_other_answer_closes_a_proposal(talking, who, word, state):
    number = propose(talking, "FRANCE", "ENGLAND", terms([peace()]))
    other = "ENGLAND" if who == "FRANCE" else "FRANCE"
    assert answer(talking, who, other, number, word) == state
    with pytest.raises(ProposalClosed):
        answer(talking, "ENGLAND", "FRANCE", number)


def test_a_counter_offer_closes_the_proposal_and_is_one_itself(talking):
    number = propose(talking, "FRANCE", "ENGLAND", terms([TO_BURGUNDY], [TO_BREST]))
    second = propose(talking, "ENGLAND", "FRANCE", terms([peace()]), counters=number)
    assert facts(talking, "FRANCE", "ENGLAND", number).state == "countered"
    assert answer(talking, "FRANCE", "ENGLAND", second) == "accepted"
    with pytest.raises(ProposalClosed, match="counter-offer"):
        propose(talking, "ENGLAND", "FRANCE", terms([peace()]), counters=number)


def test_one_of_several_alternatives_is_accepted(talking):
    number = propose(talking, "FRANCE", "ENGLAND", terms([TO_BURGUNDY], [TO_BREST], [peace()]))
    with pytest.raises(BadTerms):
        answer(talking, "ENGLAND", "FRANCE", number, alternative=3)
    answer(talking, "ENGLAND", "FRANCE", number, alternative=2)
    assert facts(talking, "FRANCE", "ENGLAND", number).alternative == 2


def test_all_members_of_a_group_must_accept(talking):
    data = terms([peace(*THREE)], parties=THREE)
    number = propose(talking, "FRANCE", "ENGLAND+ITALY", data)
    assert answer(talking, "ENGLAND", "FRANCE+ITALY", number) == "open"
    assert not facts(talking, "ENGLAND", "FRANCE+ITALY", number).may_answer
    assert answer(talking, "ITALY", "ENGLAND+FRANCE", number) == "accepted"


def test_in_public_the_named_seats_answer_and_all_read(talking):
    number = propose(talking, "FRANCE", "everyone", terms([peace()]))
    assert not facts(talking, "RUSSIA", "everyone", number).may_answer
    with pytest.raises(NotYourSeat):
        answer(talking, "RUSSIA", "everyone", number)
    answer(talking, "ENGLAND", "everyone", number)
    assert facts(talking, "Sam", "everyone", number).state == "accepted"


def test_a_proposal_lapses_when_orders_close(talking):
    number = propose(talking, "FRANCE", "ENGLAND", terms([peace()]))
    late = talking.phase.due_at + dt.timedelta(seconds=1)
    with pytest.raises(ProposalClosed, match="lapsed"):
        answer(talking, "ENGLAND", "FRANCE", number, now=late)
    with pytest.raises(PressClosed, match="too late"):
        propose(talking, "FRANCE", "ENGLAND", terms([peace()]), now=late)


def test_the_table_of_who_may_speak_applies(talking):
    number = propose(talking, "FRANCE", "ENGLAND", terms([peace()]))
    talking.agree(press="rulebook", writing=300)
    quiet = talking.phase.due_at - dt.timedelta(minutes=1)
    for step in (
        lambda: answer(talking, "ENGLAND", "FRANCE", number, now=quiet),
        lambda: propose(talking, "FRANCE", "ENGLAND", terms([peace()]), now=quiet),
    ):
        with pytest.raises(PressClosed, match="Quiet time"):
            step()
    talking.agree(press="public")
    with pytest.raises(NoSuchConversation):
        propose(talking, "FRANCE", "ENGLAND", terms([peace()]))
    with pytest.raises(NoSuchConversation):
        answer(talking, "ENGLAND", "FRANCE", number)


BAD = [
    (terms([peace()] * 9), "at most 8 members"),
    (terms(*[[peace()]] * 4), "at most 3 members"),
    (terms([zone("PRA")]), "'PRA' is not a province of this map"),
    (terms([peace(*THREE)], parties=THREE), "members of its conversation"),
    (terms([peace()], parties=["ENGLAND", "FRANCE", "NOWHERE"]), "'NOWHERE' is not a power"),
    (terms([peace("ENGLAND", "ITALY")]), "ITALY is not a party"),
    (terms([peace()], phase="F1901M"), "which is over"),
    (terms([{**TO_BURGUNDY, "order": {**MOVE, "to": "MOS"}}]), "Moscow"),
    (terms([{**TO_BURGUNDY, "order": {**MOVE, "unit": ["A", "GAS", "FRANCE"]}}]), "no unit"),
    (terms([TO_BURGUNDY, {**TO_BURGUNDY, "clause": "not-order"}]), "contradicts clause 1"),
    ("nonsense", "not an object"),
    (None, "not an object"),
]


def test_impossible_terms_are_refused_and_nothing_is_sent(talking):
    for data, message in BAD:
        with pytest.raises(BadTerms, match=message):
            propose(talking, "FRANCE", "ENGLAND", data)
    with pytest.raises(BadTerms, match="party to your own"):
        propose(talking, "RUSSIA", "everyone", terms([peace()]))
    assert not Message.objects.exists()


def test_only_seats_make_proposals_to_seats(talking):
    for who, to in (("FRANCE", "notes"), ("FRANCE", "game-master"), ("Morgan", "everyone")):
        with pytest.raises(NotYourSeat):
            propose(talking, who, to, terms([peace()]))
    talking.agree(gray=True)
    with pytest.raises(BadText):
        propose(talking, "FRANCE", "gray", terms([peace()]))
    talking.finish()
    with pytest.raises(WrongMoment):
        propose(talking, "FRANCE", "ENGLAND", terms([peace()]))


def test_a_seat_makes_a_limited_number_of_proposals_in_a_phase(talking):
    for number in range(MAX_A_PHASE):
        now = talking.now + dt.timedelta(minutes=number)
        propose(talking, "FRANCE", "ENGLAND", terms([peace()]), now=now)
    with pytest.raises(TooManyMessages):
        propose(talking, "FRANCE", "ENGLAND", terms([peace()]), now=now + dt.timedelta(minutes=1))


def test_one_key_makes_one_proposal(talking):
    key = "a" * 32
    assert propose(talking, "FRANCE", "ENGLAND", terms([peace()]), key=key) == 1
    assert propose(talking, "FRANCE", "ENGLAND", terms([peace()]), key=key) == 1
    with pytest.raises(KeyReused):
        propose(talking, "FRANCE", "ENGLAND", terms([TO_BURGUNDY]), key=key)
    assert Proposal.objects.count() == 1


def test_nobody_else_finds_or_answers_a_proposal(talking):
    talking.send("FRANCE", "ENGLAND")
    number = propose(talking, "FRANCE", "ENGLAND", terms([IN_THE_CHANNEL]))
    errors = set()
    for who, to, guess in (
        ("ITALY", "FRANCE", number),
        ("ITALY", "ENGLAND", 1),
        ("ENGLAND", "FRANCE", 1),
        ("ENGLAND", "FRANCE", number + 1),
        ("ENGLAND", "FRANCE", 0),
        ("ENGLAND", "FRANCE", 10**8),
        ("Morgan", "FRANCE", number),
    ):
        with pytest.raises(NoSuchProposal) as error:
            answer(talking, who, to, guess)
        errors.add(str(error.value))
    assert len(errors) == 1
    with pytest.raises(Refused):
        answer(talking, "Sam", "FRANCE", number)
    assert facts(talking, "ENGLAND", "FRANCE", number).state == "open"


def test_seats_change_hands(talking):
    """The successor answers for the seat; the player who left can read but no longer answer."""
    number = propose(talking, "FRANCE", "ENGLAND", terms([peace()]))
    left = talking.user_id("ENGLAND")
    talking.resign("ENGLAND")
    talking.take("Sam", "ENGLAND")
    with pytest.raises(NotYourSeat):
        answer(talking, left, "FRANCE", number)
    assert facts(talking, left, "FRANCE", number).own_power == ""
    assert answer(talking, "Sam", "FRANCE", number) == "accepted"


def test_a_blank_successor_finds_no_earlier_proposal(talking):
    talking.agree(successor="blank")
    number = propose(talking, "FRANCE", "ENGLAND", terms([peace()]))
    talking.resign("ENGLAND")
    talking.take("Sam", "ENGLAND")
    with pytest.raises(NoSuchProposal):
        answer(talking, "Sam", "FRANCE", number)
