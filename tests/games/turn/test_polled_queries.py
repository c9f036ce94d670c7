"""Queries that workers repeat every second read an index instead of the whole table."""

import pytest
from django.db import connection
from django.utils import timezone
from tests.games.steps import asked

from diplomaccloud.games.deadlines.actions import end_pauses
from diplomaccloud.games.deadlines.read import backlog
from diplomaccloud.games.turn.claims import due_games, lock_due_phases
from diplomaccloud.games.votes.actions import close_expired_votes

POLLED = {
    "phases to process": ("phase_due_rows", lambda now: due_games(now=now)),
    "phases to lock": ("phase_lock_rows", lambda now: lock_due_phases(now=now)),
    "overdue phases": ("phase_due_rows", lambda now: backlog(before=now)),
    "pauses": ("phase_lock_rows", lambda now: end_pauses(now=now)),
    "expired votes": ("vote_late", lambda now: close_expired_votes(now=now)),
}


def read_plan(query):
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN QUERY PLAN {query}")
        return " ".join(str(row[-1]) for row in cursor.fetchall())


@pytest.mark.skipif("connection.vendor != 'sqlite'", reason="servers scan tables of few rows")
@pytest.mark.django_db
@pytest.mark.parametrize(("index", "poll"), POLLED.values(), ids=POLLED)
def test_polled_rows_are_found_by_an_index(index, poll):
    query = asked(lambda: poll(timezone.now()))[0]
    assert f"{index} (open=?" in read_plan(query)
