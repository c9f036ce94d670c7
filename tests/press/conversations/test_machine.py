"""Random sequences of press: each person reads what a simple model of the rules predicts."""

from itertools import combinations

import pytest
from django.db import transaction
from hypothesis import HealthCheck, given
from hypothesis import strategies as st
from judge.tests.effort import examples
from tests.press.people import POWERS

from diplomaccloud.games.table.errors import Refused
from diplomaccloud.press.table.addresses import seats_address
from diplomaccloud.press.table.errors import NoSuchConversation

SEATS = ("ENGLAND", "FRANCE", "ITALY")
STRANGERS = ("Sam", "Tina", "Uwe")
GROUPS = [set(group) for size in (2, 3) for group in combinations(SEATS, size)]
STEPS = st.one_of(
    st.tuples(st.just("send"), st.sampled_from(SEATS), st.sampled_from(GROUPS)),
    st.tuples(st.just("send"), st.sampled_from(SEATS), st.sampled_from(GROUPS)),
    st.tuples(st.just("master"), st.sampled_from(SEATS), st.booleans()),
    st.tuples(st.just("leave"), st.sampled_from(SEATS)),
    st.tuples(st.just("take"), st.sampled_from(SEATS), st.integers(0, 5)),
    st.tuples(st.just("read"), st.sampled_from(SEATS), st.sampled_from(GROUPS)),
)


class Account:
    """Who held which seat when, in steps, and what was sent: the oracle."""

    def __init__(self, talking, blank):
        self.blank, self.step = blank, 0
        self.holder = {power: talking.user_id(power) for power in SEATS}
        self.held = [[power, user, 0, None] for power, user in self.holder.items()]
        self.sent = []  # step, seats, body, whether it is with the game master

    def leave(self, power):
        self.holder[power] = None
        for row in self.held:
            if row[0] == power and row[3] is None:
                row[3] = self.step

    def take(self, power, user):
        self.holder[power] = user
        self.held.append([power, user, self.step, None])

    def reads(self, user, seats, *, with_master=False):
        """Return what the person can read of the conversation of these seats."""
        own = [(a, b) for power, who, a, b in self.held if who == user and power in seats]
        strict = self.blank or with_master
        return [
            body
            for step, members, body, of_master in self.sent
            if members == seats
            and of_master == with_master
            and any((not strict or a <= step) and (b is None or step < b) for a, b in own)
        ]

    def last_seat(self, user):
        held = [power for power, who, _, _ in self.held if who == user]
        return held[-1] if held else None


def act(talking, account, people, step):
    """Take one step on both sides; what the site refuses has not happened."""
    account.step += 1
    body = f"{step[0]} {account.step}"
    match step:
        case "send", power, seats if power in seats and account.holder[power]:
            to = seats_address(seats - {power})
            try:
                talking.send(account.holder[power], to, body)
            except Refused:
                pair = [account.holder[other] for other in seats]
                assert account.blank
                assert None in pair
                assert len(seats) == 2
                return
            account.sent.append((account.step, seats, body, False))
        case "master", power, by_master if account.holder[power]:
            if by_master:
                talking.send("Morgan", power, body)
            else:
                talking.send(account.holder[power], "game-master", body)
            account.sent.append((account.step, {power}, body, True))
        case "leave", power if account.holder[power]:
            talking.resign(power)
            account.leave(power)
        case "take", power, number if account.holder[power] is None:
            try:
                talking.take(people[number], power)
            except Refused:
                return
            account.take(power, people[number])
        case "read", power, seats if power in seats and account.holder[power]:
            talking.mark(account.holder[power], seats_address(seats - {power}), 2)


def compare(talking, account, people):
    for user in people:
        own = account.last_seat(user)
        for seats in GROUPS:
            if own in seats:
                found = talking.read(user, seats_address(seats - {own}))
                assert found == account.reads(user, seats), (user, seats)
        if own is not None:
            found = talking.read(user, "game-master")
            assert found == account.reads(user, {own}, with_master=True)
        else:
            for seats in GROUPS:
                with pytest.raises(NoSuchConversation):
                    talking.read(user, seats_address(seats))
    for power in SEATS:
        with_master = [row[2] for row in account.sent if row[3] and row[1] == {power}]
        assert talking.read("Morgan", power) == with_master


@examples(12, suppress_health_check=list(HealthCheck))
@given(steps=st.lists(STEPS, max_size=14), blank=st.booleans())
def test_each_reads_what_the_account_says(talking, steps, blank):
    from diplomaccloud.accounts.models import User

    with transaction.atomic():
        talking.agree(successor="blank" if blank else "archive")
        for name in STRANGERS[1:]:
            User.objects.create(username=name)
        people = [talking.user_id(who) for who in (*SEATS, *STRANGERS)]
        account = Account(talking, blank)
        for step in steps:
            act(talking, account, people, step)
        compare(talking, account, people)
        for power in set(POWERS) - set(SEATS):
            assert talking.reader(power).unread == 0
        transaction.set_rollback(True)
