"""Transactions that the database aborts are retried, and no others are."""

import pytest
from django.db import OperationalError, connection, transaction
from tests.games.steps import phase

from diplomaccloud.games.table import transactions
from diplomaccloud.games.table.phase_models import Phase
from diplomaccloud.games.table.transactions import MAX_ATTEMPTS, atomic_with_retries, is_conflict
from diplomaccloud.games.turn import claims
from diplomaccloud.games.turn.claims import advance


class PostgresError(Exception):
    def __init__(self, sqlstate):
        self.sqlstate = sqlstate


class SqliteError(Exception):
    def __init__(self, name):
        self.sqlite_errorname = name


CONFLICTS = {
    "deadlock on MariaDB": Exception(1213, "Deadlock found when trying to get lock"),
    "long wait on MariaDB": Exception(1205, "Lock wait timeout exceeded"),
    "deadlock on PostgreSQL": PostgresError("40P01"),
    "serialization on PostgreSQL": PostgresError("40001"),
    "locked SQLite file": SqliteError("SQLITE_BUSY"),
    "newer SQLite snapshot": SqliteError("SQLITE_BUSY_SNAPSHOT"),
}
OTHERS = {
    "lost connection": Exception(2013, "Lost connection to MySQL server during query"),
    "stopped server": PostgresError("57P01"),
    "full disk": SqliteError("SQLITE_FULL"),
    "no cause": None,
}


def wrap(cause):
    """Return the error that Django raises for an error of a driver."""
    error = OperationalError("failed")
    error.__cause__ = cause
    return error


@pytest.fixture
def patient(monkeypatch):
    monkeypatch.setattr(transactions.time, "sleep", lambda _: None)


@pytest.mark.parametrize("cause", CONFLICTS.values(), ids=CONFLICTS)
def test_conflicts_are_recognized(cause):
    assert is_conflict(wrap(cause))


@pytest.mark.parametrize("cause", OTHERS.values(), ids=OTHERS)
def test_other_errors_are_no_conflicts(cause):
    assert not is_conflict(wrap(cause))


def make_failing(errors):
    """Return an action that fails with each of the errors first, and how often it was called."""
    calls = []

    @atomic_with_retries
    def act(*, text):
        calls.append(text)
        if len(calls) <= len(errors):
            raise errors[len(calls) - 1]
        return text

    return act, calls


@pytest.mark.django_db(transaction=True)
class TestRetries:
    def test_an_aborted_action_is_repeated_whole(self, patient):
        act, calls = make_failing([wrap(CONFLICTS["deadlock on MariaDB"])] * 3)
        assert act(text="as sent") == "as sent"
        assert calls == ["as sent"] * 4

    def test_the_number_of_attempts_is_limited(self, patient):
        act, calls = make_failing([wrap(CONFLICTS["deadlock on PostgreSQL"])] * 99)
        with pytest.raises(OperationalError):
            act(text="x")
        assert len(calls) == MAX_ATTEMPTS

    def test_an_action_that_took_long_is_not_repeated(self, patient, monkeypatch):
        monkeypatch.setattr(transactions, "MAX_RETRY_SECONDS", -1)
        act, calls = make_failing([wrap(CONFLICTS["locked SQLite file"])])
        with pytest.raises(OperationalError):
            act(text="x")
        assert len(calls) == 1

    @pytest.mark.parametrize("cause", OTHERS.values(), ids=OTHERS)
    def test_other_errors_are_raised_at_once(self, patient, cause):
        act, calls = make_failing([wrap(cause)])
        with pytest.raises(OperationalError):
            act(text="x")
        assert len(calls) == 1

    def test_within_another_transaction_nothing_is_repeated(self, patient):
        act, calls = make_failing([wrap(CONFLICTS["deadlock on MariaDB"])])
        with pytest.raises(OperationalError), transaction.atomic():
            act(text="x")
        assert len(calls) == 1
        assert not connection.in_atomic_block


@pytest.mark.parametrize("cause", [CONFLICTS["deadlock on MariaDB"], OTHERS["lost connection"]])
def test_a_conflict_ends_the_lease_so_that_the_next_attempt_need_not_wait(cast, monkeypatch, cause):
    def fail(**_):
        raise wrap(cause)

    due = phase().due_at
    with monkeypatch.context() as patch:
        patch.setattr(claims, "process_phase", fail)
        assert advance(game_id=cast.game_id, owner="worker", now=due) == 0
    leased = Phase.objects.exclude(lease_until=None).exists()
    assert leased == (cause is OTHERS["lost connection"])
    assert advance(game_id=cast.game_id, owner="other", now=due) == (not leased)
