"""Pages read while a game changes: a change between two reads never breaks or mixes a page."""

from dataclasses import replace

import pytest
from django.db import connection, transaction
from django.utils import timezone
from tests.games.steps import DAY, due, game, phase
from tests.scenes import insert_rows, record_changes

from diplomaccloud.games.lobby.actions import start_game
from diplomaccloud.games.master.rollback import roll_back

PAGES = ("", "phases/1/", "centers/", "statistics/", "master/")


class _Undone(Exception):
    """Undoes what a visit and its interruption did."""


@pytest.fixture
def visit():
    """A function that returns a page's number of queries; it makes changes before one of them."""

    def visited(table, who, rest, changes=(), at=0):
        client, asked = table.client(who), 0

        def wrapper(execute, *question):
            nonlocal asked
            asked += 1
            if asked == at:
                for change in changes:
                    insert_rows(change)
            return execute(*question)

        try:
            with transaction.atomic():
                with connection.execute_wrapper(wrapper):
                    response = client.get(table.url(rest))
                raise _Undone
        except _Undone:
            return asked, response

    return visited


def undo(act):
    """Return the changes that `act` makes to the tables, which are then as they were before."""
    try:
        with transaction.atomic():
            changes = record_changes(act)
            raise _Undone
    except _Undone:
        return changes


def processed(table):
    due(table)


def over(table):
    game_row = game()
    ends = replace(game_row.options.ends, turns=1)
    game_row.options = replace(game_row.options, ends=ends)
    game_row.save(update_fields=["options"])
    due(table)


def rolled_back(table):
    roll_back(
        slug=table.slug,
        user_id=table.charlie,
        sequence=phase().sequence,
        to=1,
        reason="A misread order.",
        now=timezone.now() + 9 * DAY,
    )


def begun(table):
    start_game(slug=table.slug, user_id=table.alice, now=timezone.now())


@pytest.mark.parametrize("meanwhile", [processed, over, rolled_back])
@pytest.mark.parametrize("rest", PAGES, ids=[page or "the game" for page in PAGES])
def test_a_page_is_whole_whatever_happens_while_it_is_read(table, visit, rest, meanwhile):
    due(table)
    who = "charlie" if rest == "master/" else "alice"
    asked, _ = visit(table, who, rest)
    changes = undo(lambda: meanwhile(table))
    assert changes
    for at in range(1, asked + 1):
        _, response = visit(table, who, rest, changes, at)
        assert response.status_code == 200, (at, asked)
        assert _agrees(response.context["view"]), (at, asked)


def test_so_is_that_of_a_game_that_begins(forming, visit):
    asked, _ = visit(forming, "alice", "")
    changes = undo(lambda: begun(forming))
    for at in range(1, asked + 1):
        _, response = visit(forming, "alice", "", changes, at)
        assert response.status_code == 200, (at, asked)
        assert _agrees(response.context["view"]), (at, asked)


def _agrees(view):
    """Whether what pages show of the phases agrees with what they show of the game."""
    told = [link.sequence for link in view.phases]
    if view.header.status == "forming":
        return not told and not view.header.sequence
    return {one.sequence for one in view.recent} <= set(told) and (
        view.header.status == "finished" or max(told, default=0) < view.header.sequence
    )
