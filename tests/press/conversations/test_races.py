"""Messages that are sent in the same instant, by threads on the real database."""

import pytest
from tests.games.racing import run_together
from tests.press.deals import answer, peace, propose, terms
from tests.press.moderation.test_reports import report
from tests.press.people import new_key

from diplomaccloud.accounts.models import User
from diplomaccloud.press.moderation.actions import decide_case, take_case
from diplomaccloud.press.moderation.models import Case, Decision
from diplomaccloud.press.personal.actions import send_personal
from diplomaccloud.press.proposals.models import Proposal, ProposalAnswer
from diplomaccloud.press.table.errors import ProposalClosed
from diplomaccloud.press.table.models import Conversation, Membership, Message, Send

pytestmark = pytest.mark.django_db(transaction=True)


def sending(talking, who, to, body, key=""):
    user, now, key = talking.user_id(who), talking.now, key or new_key()
    return lambda: talking.send(user, to, body, key=key, now=now)


def test_numbers_have_no_gaps(talking):
    tasks = [
        sending(talking, who, to, f"{who} {number}")
        for number in range(3)
        for who, to in (("FRANCE", "ENGLAND"), ("ENGLAND", "FRANCE"))
    ]
    answers = run_together(*tasks)
    assert not [answer for answer in answers if isinstance(answer, Exception)]
    assert sorted(answer.messages[0].number for answer in answers) == [1, 2, 3, 4, 5, 6]
    assert sorted(Message.objects.values_list("number", flat=True)) == [1, 2, 3, 4, 5, 6]
    assert Conversation.objects.get().last == 6
    unread = Membership.objects.order_by("seat").values_list("unread", flat=True)
    assert sorted(unread) == [3, 3]


def test_one_key_sends_once(talking):
    key = new_key()
    answers = run_together(*[sending(talking, "FRANCE", "ENGLAND", "Once.", key)] * 5)
    assert len({repr(answer) for answer in answers}) == 1
    assert Message.objects.count() == Send.objects.count() == 1


def test_a_successor_who_comes_in_the_middle_has_exact_ranges(talking):
    talking.send("FRANCE", "ENGLAND", "Before.")
    former, sam = talking.user_id("FRANCE"), talking.user_id("Sam")
    talking.resign("FRANCE")
    run_together(
        sending(talking, "ENGLAND", "FRANCE", "One."),
        lambda: talking.take(sam, "FRANCE"),
        sending(talking, "ENGLAND", "FRANCE", "Two."),
    )
    assert talking.read(former, "ENGLAND") == ["Before."]
    assert sorted(talking.read(sam, "ENGLAND")) == ["Before.", "One.", "Two."]
    assert talking.reader(sam).unread == 2


def test_two_people_write_to_each_other_first(talking):
    def write(who, to):
        user, key = talking.user_id(who), new_key()
        return lambda: send_personal(
            user_id=user, to=to, body=f"From {who}.", key=key, now=talking.now
        )

    names = [User.objects.get(username=name).username for name in ("Sam", "Morgan")]
    answers = run_together(write(*names), write(*names[::-1]))
    assert sorted(answers) == [1, 2]
    assert Conversation.objects.count() == 1


def test_accepting_and_withdrawing_a_proposal_has_one_winner(talking):
    number = propose(talking, "FRANCE", "ENGLAND", terms([peace()]))
    now = talking.tick()
    people = {who: talking.user_id(who) for who in ("ENGLAND", "FRANCE")}
    answers = run_together(
        lambda: answer(talking, people["ENGLAND"], "FRANCE", number, now=now),
        lambda: answer(talking, people["FRANCE"], "ENGLAND", number, "withdraw", now=now),
    )
    states = [found for found in answers if not isinstance(found, Exception)]
    assert len(states) == 1
    assert isinstance(next(found for found in answers if found not in states), ProposalClosed)
    proposal = Proposal.objects.get()
    assert proposal.state == states[0]
    assert ProposalAnswer.objects.count() == 1


def test_one_of_two_administrators_takes_a_case_and_one_decision_counts(talking):
    mina, mo = (User.objects.create(username=name, is_superuser=True).pk for name in ("Mina", "Mo"))
    talking.send("Morgan", "ITALY", "Do as I say.")
    now, key = talking.tick(), report(talking, "ITALY", "game-master", 1)
    answers = run_together(
        *[lambda user=user: take_case(user_id=user, key=key, now=now) for user in (mina, mo)]
    )
    assert sorted(type(answer).__name__ for answer in answers) == ["CaseTaken", "NoneType"]
    judge = Case.objects.get().taken_by_id
    decision = {"key": key, "user_id": judge, "reason": "No.", "owner": "test", "now": now}
    answers = run_together(
        *[lambda word=word: decide_case(outcome=word, **decision) for word in ("none", "warning")]
    )
    assert sorted(type(answer).__name__ for answer in answers) == ["CaseTaken", "NoneType"]
    assert Decision.objects.count() == 1
