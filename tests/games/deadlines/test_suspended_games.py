"""Suspended games: what their players see, and how their deadlines are extended."""

import datetime as dt

import pytest
from django.db import DatabaseError, InterfaceError, InternalError, OperationalError
from django.utils import timezone
from tests.games.steps import DAY, HOUR, game, phase

from diplomaccloud.games.deadlines.actions import resume_game, suspend_game
from diplomaccloud.games.orders.actions import set_ready
from diplomaccloud.games.table.errors import WrongMoment
from diplomaccloud.games.table.log_models import Event, LogEntry
from diplomaccloud.games.table.models import Game
from diplomaccloud.games.table.phase_models import Phase
from diplomaccloud.games.turn import claims
from diplomaccloud.games.turn.claims import LEASE, advance

SECOND = dt.timedelta(seconds=1)


def log(*kinds):
    return list(LogEntry.objects.filter(kind__in=kinds).order_by("pk"))


def raising(error, monkeypatch):
    def process(**_):
        raise error

    monkeypatch.setattr(claims, "process_phase", process)


@pytest.mark.parametrize(
    "error",
    [
        OperationalError("gone"),
        InterfaceError("closed"),
        InternalError("read-only"),
        OSError(24, "Too many open files"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_a_fault_of_the_machine_suspends_no_game(cast, monkeypatch, error):
    due = phase().due_at
    with monkeypatch.context() as patch:
        raising(error, patch)
        assert advance(game_id=cast.game_id, owner="one", now=due) == 0
    assert game().suspended_reason == ""
    later = due + LEASE + SECOND
    assert advance(game_id=cast.game_id, owner="two", now=later) == 1


@pytest.mark.parametrize("error", [DatabaseError("no row"), MemoryError("full"), KeyError("x")])
def test_its_players_are_told_and_the_alarm_is_for_the_keeper_alone(cast, monkeypatch, error):
    raising(error, monkeypatch)
    advance(game_id=cast.game_id, owner="one", now=phase().due_at)
    assert type(error).__name__ in game().suspended_reason
    (entry,) = log("aside")
    assert entry.phase == phase()
    for name in ("alice", "charlie", "nobody"):
        page = cast.client(name).get(cast.url()).content.decode()
        assert "Suspended while we fix a problem." in page
        assert type(error).__name__ not in page
        page = cast.client(name).get(cast.url("log/")).content.decode()
        assert "The game was suspended" in page
        assert game().suspended_reason not in page


def test_it_is_put_aside_once_however_many_say_so(cast):
    for reason in ("first", "second"):
        suspend_game(game_id=cast.game_id, reason=reason, now=timezone.now())
    assert game().suspended_reason == "first"
    assert len(log("aside")) == Event.objects.filter(kind="aside").count() == 1
    # An error without a message raises an alarm, too.
    Game.objects.update(suspended_reason="")
    suspend_game(game_id=cast.game_id, reason="", now=timezone.now())
    assert game().suspended_reason


def test_time_in_which_no_orders_could_be_given_is_given_back(cast):
    due, now = phase().due_at, timezone.now()
    suspend_game(game_id=cast.game_id, reason="x", now=now)
    with pytest.raises(WrongMoment, match="suspended"):
        set_ready(slug=cast.slug, user_id=cast.alice, sequence=1, now=now)
    resume_game(slug=cast.slug, now=now + 3 * DAY)
    assert phase().due_at == due + 3 * DAY
    released, credit = log("released", "credited")
    assert "resumed" in released.text
    assert credit.text.startswith("The game was suspended from ")
    assert "extended by three days" in credit.text
    set_ready(slug=cast.slug, user_id=cast.alice, sequence=1, now=now + 3 * DAY + HOUR)


def test_a_phase_that_was_due_is_processed_at_once_and_nobody_missed_it(cast):
    due = phase().due_at
    suspend_game(game_id=cast.game_id, reason="x", now=due)
    back = due + 2 * DAY
    resume_game(slug=cast.slug, now=back)
    assert phase().due_at == due
    assert advance(game_id=cast.game_id, owner="test", now=back) == 1
    first = Phase.objects.get(sequence=1)
    assert set(first.attendances.values_list("excused", flat=True)) == {True}
    assert phase().due_at == back + DAY
    assert len(log("credited")) == 1


def test_it_may_happen_twice(cast):
    due, now = phase().due_at, timezone.now()
    for hours in (0, 4):
        suspend_game(game_id=cast.game_id, reason="x", now=now + hours * HOUR)
        resume_game(slug=cast.slug, now=now + (hours + 2) * HOUR)
    assert phase().due_at == due + 4 * HOUR
    assert [len(log(kind)) for kind in ("aside", "released", "credited")] == [2, 2, 2]


class TestTheConsole:
    """A game master can resume the game; others cannot."""

    def send(self, table, who, **form):
        form = {"phase": 1, "key": "k", "reason": "Fixed, I hear.", **form}
        return table.client(who).post(table.url("master/resume/"), form)

    def test_the_button_is_there_while_the_game_is_aside_and_gives_the_time_back(self, table):
        due, now = phase().due_at, timezone.now()
        Phase.objects.update(opens_at=now - 3 * HOUR)
        console = table.url("master/")
        assert "The game is suspended" not in table.client("charlie").get(console).content.decode()
        suspend_game(game_id=table.game_id, reason="KeyError: secret", now=now - 2 * HOUR)
        page = table.client("charlie").get(console).content.decode()
        assert "The game is suspended" in page
        assert "Resume game" in page
        assert "secret" not in page
        key = table.client("charlie").get(console).context["master"].key + "a"
        for _ in range(2):
            assert self.send(table, "charlie", key=key).status_code == 303
        assert game().suspended_reason == ""
        (entry,) = log("released")
        assert (entry.by_id, entry.reason) == (table.charlie, "Fixed, I hear.")
        assert due + 2 * HOUR <= phase().due_at < due + 2 * HOUR + 60 * SECOND
        page = table.client("nobody").get(table.url("log/")).content.decode()
        assert "The game master resumed the game" in page
        assert "Fixed, I hear." in page

    @pytest.mark.parametrize("who", ["alice", "bob", "nobody"])
    def test_nobody_else_may(self, table, who):
        suspend_game(game_id=table.game_id, reason="x", now=timezone.now())
        assert self.send(table, who).status_code in (302, 403)
        assert game().suspended_reason == "x"

    def test_it_takes_a_reason_and_a_game_that_is_aside(self, table):
        assert self.send(table, "charlie").status_code == 409
        suspend_game(game_id=table.game_id, reason="x", now=timezone.now())
        assert self.send(table, "charlie", reason=" ").status_code == 400
        assert game().suspended_reason == "x"

    def test_a_fault_that_is_still_there_puts_it_aside_again(self, table, monkeypatch):
        Phase.objects.update(due_at=timezone.now(), adjudicate_at=timezone.now())
        raising(KeyError("x"), monkeypatch)
        for number in (1, 2):
            advance(game_id=table.game_id, owner="one", now=timezone.now())
            assert self.send(table, "charlie", key=f"k{number}").status_code == 303
            assert game().suspended_reason
        # Pressing again does not resume a game that has been suspended since.
        before = len(log("released"))
        self.send(table, "charlie", key="k2")
        assert (game().suspended_reason != "", len(log("released"))) == (True, before)
