"""Stopping a game under investigation, and pausing a person's games for an emergency."""

import datetime as dt
import random

import pytest
from django.test import Client
from django.utils import timezone
from django_tasks_db.models import DBTaskResult
from tests.games.large_games import begin
from tests.press.people import POWERS

from diplomaccloud.accounts.models import User
from diplomaccloud.games.deadlines.actions import resume_game
from diplomaccloud.games.deadlines.read import backlog
from diplomaccloud.games.master.actions import change_time
from diplomaccloud.games.orders.actions import set_ready
from diplomaccloud.games.ratings.models import Annulment
from diplomaccloud.games.results.actions import finish_game
from diplomaccloud.games.table.errors import NoSuchGame, NoSuchPlayer, Refused, WrongMoment
from diplomaccloud.games.table.log_models import LogEntry
from diplomaccloud.games.table.models import Game
from diplomaccloud.games.turn.claims import advance
from diplomaccloud.games.visibility.read import Viewer
from diplomaccloud.games.votes.actions import open_vote
from diplomaccloud.games.votes.wording import Question, Terms
from diplomaccloud.judge.results import Ending
from diplomaccloud.press.moderation.actions import (
    UNSEEN_WITHIN,
    annul_game,
    pause_games,
    pause_unseen_game,
    stop_game,
)
from diplomaccloud.press.moderation.models import AuditEntry
from diplomaccloud.press.moderation.read import read_audit, read_stopped_games
from diplomaccloud.press.table.errors import NoSuchCase

HOUR = dt.timedelta(hours=1)
DAY = dt.timedelta(days=1)


@pytest.fixture
def watched(talking):
    """The game of seven, with Mina as a moderator."""
    User.objects.create(username="Mina", moderator=True)
    return talking


def stop(talking, who="Mina", *, stopped=True, reason="Two accounts?", now=None):
    stop_game(
        user_id=talking.user_id(who),
        slug=talking.slug,
        stopped=stopped,
        reason=reason,
        now=now or talking.tick(),
    )


def pause(talking, name, days=7, who="Mina", now=None):
    return pause_games(
        user_id=talking.user_id(who),
        name=name,
        days=days,
        reason="Hospital.",
        now=now or talking.tick(),
        rng=random.Random(1),
    )


def find_tasks():
    """Return the tasks that pause anonymous games or end their pauses, oldest first."""
    rows = DBTaskResult.objects.filter(task_path__endswith="pause_unseen_game")
    return list(rows.order_by("enqueued_at"))


def run(row):
    pause_unseen_game.func(*row.args_kwargs["args"], **row.args_kwargs["kwargs"])


def test_a_stopped_game_takes_no_orders_votes_or_seats(watched):
    phase = watched.phase
    watched.resign("ITALY")
    stop(watched)
    person = {"slug": watched.slug, "user_id": watched.user_id("FRANCE")}
    sequence, now = phase.sequence, watched.tick()
    closed = (
        lambda: set_ready(**person, sequence=sequence, now=now),
        lambda: open_vote(
            **person, sequence=sequence, question=Question.DRAW, terms=Terms(), now=now
        ),
        lambda: watched.take("Sam", "ITALY"),
        lambda: change_time(
            slug=watched.slug,
            user_id=watched.user_id("Morgan"),
            question=Question.EXTEND,
            length=HOUR,
            reason="More time.",
            key="k",
            now=now,
            sequence=sequence,
        ),
        lambda: resume_game(slug=watched.slug, now=now),
    )
    for act in closed:
        with pytest.raises(WrongMoment, match="moderator has stopped"):
            act()
    # Players may go on talking.
    watched.send("FRANCE", "ENGLAND")
    # A worker leaves it alone, and it does not count as a failure.
    assert not advance(game_id=watched.game_id, owner="test", now=phase.due_at + DAY)
    assert backlog(before=phase.due_at + 2 * DAY).suspended == 0
    line = LogEntry.objects.get(kind="aside")
    assert (line.by, line.reason) == (None, "")
    assert "Mina" not in line.text
    assert "Two accounts" not in line.text
    # A player can still leave, and be removed by a decision.
    watched.resign("TURKEY")


def test_the_phase_gets_the_time_back_even_if_it_was_short(watched):
    due = watched.phase.due_at
    start = watched.tick()
    stop(watched, now=start)
    with pytest.raises(WrongMoment):
        stop(watched)
    stop(watched, stopped=False, now=start + 5 * dt.timedelta(minutes=1))
    assert watched.phase.due_at == due + 5 * dt.timedelta(minutes=1)
    with pytest.raises(WrongMoment):
        stop(watched, stopped=False)
    stop(watched, now=start + HOUR)
    stop(watched, stopped=False, now=start + 11 * HOUR)
    assert watched.phase.due_at >= due + 10 * HOUR
    assert watched.game.suspended_reason == ""


def test_only_a_moderator_who_never_played_in_the_game_stops_it(watched):
    with pytest.raises(NoSuchCase):
        stop(watched, "Sam")
    with pytest.raises(NoSuchCase):
        read_stopped_games(Viewer(watched.user_id("Sam")))
    User.objects.filter(username__in=(watched.name_of("FRANCE"), "Morgan")).update(moderator=True)
    for who in ("FRANCE", "Morgan"):
        with pytest.raises(NoSuchGame):
            stop(watched, who)
    with pytest.raises(Refused):
        stop(watched, reason=" ")
    assert not watched.game.suspended_reason
    assert not AuditEntry.objects.exists()
    stop(watched)
    ((slug, _),) = read_stopped_games(Viewer(watched.user_id("Mina")))
    assert slug == watched.slug
    assert read_stopped_games(Viewer(watched.user_id("FRANCE"))) == ()
    assert read_audit(Viewer(watched.user_id("FRANCE"))) == ()
    (line,) = read_audit(Viewer(watched.user_id("Mina")))
    assert (line.act, line.by) == ("frozen", "Mina")
    assert "Two accounts?" in line.detail


def test_a_game_suspended_after_an_error_is_not_stopped(watched):
    Game.objects.update(suspended_reason="ValueError: x")
    with pytest.raises(WrongMoment):
        stop(watched)
    with pytest.raises(WrongMoment):
        stop(watched, stopped=False)
    assert watched.game.suspended_reason == "ValueError: x"


def test_an_emergency_pauses_all_games_beyond_their_limits_and_names_no_one(watched):
    due, name = watched.phase.due_at, watched.name_of("FRANCE")
    assert watched.game.options.schedule.caps.pause < 30 * DAY
    start = watched.tick()
    assert pause(watched, name, 30, now=start) == (1, 0)
    assert watched.phase.due_at >= due + 30 * DAY
    line = LogEntry.objects.get(kind="paused")
    assert (line.by, line.reason) == (None, "")
    for secret in (name, "France", "Mina", "Hospital"):
        assert secret not in line.text
    # The players cannot end it, but the moderator can.
    with pytest.raises(WrongMoment, match="Only a moderator"):
        change_time(
            slug=watched.slug,
            user_id=watched.user_id("Morgan"),
            question=Question.RESUME,
            length=None,
            reason="Go on.",
            key="k",
            now=watched.tick(),
            sequence=watched.phase.sequence,
        )
    assert pause(watched, name, 0, now=start + DAY) == (1, 0)
    assert watched.phase.due_at == due + DAY
    assert pause(watched, name, 0) == (0, 1)


def test_an_emergency_replaces_a_shorter_pause_and_skips_what_is_due(watched):
    due, name = watched.phase.due_at, watched.name_of("FRANCE")
    start = watched.tick()
    assert pause(watched, name, 3, now=start) == (1, 0)
    assert pause(watched, name, 14, now=start + HOUR) == (1, 0)
    assert watched.phase.due_at == due + 14 * DAY + HOUR
    assert pause(watched, name, 14, now=watched.phase.due_at) == (0, 1)


def test_anonymous_games_are_not_counted_and_each_pauses_at_a_moment_of_its_own(watched):
    watched.agree(anonymous=True)
    people = [watched.user_id(power) for power in POWERS]
    other = begin(people, 2, now=watched.now)
    third = begin(people, 3, now=watched.now)
    Game.objects.filter(pk=third.pk).update(options=watched.game.options)
    name, start = watched.name_of("FRANCE"), watched.tick()
    assert pause(watched, name, now=start) == (1, 0)
    line = LogEntry.objects.get(kind="paused")
    assert (line.game_id, line.at) == (other.pk, start)
    rows = {row.args_kwargs["args"][1]: row for row in find_tasks()}
    first, second = rows.pop(watched.game_id), rows.pop(third.pk)
    assert not rows
    assert first.run_after != second.run_after
    for row in (first, second):
        assert start < row.run_after < start + UNSEEN_WITHIN
        assert row not in DBTaskResult.objects.ready()
    due = watched.phase.due_at
    run(first)
    run(first)  # as after a crash
    late = LogEntry.objects.get(kind="paused", game=watched.game_id)
    assert watched.phase.due_at >= due + 7 * DAY
    assert late.at != line.at
    # A pause that was ended before its moment came does not begin.
    assert pause(watched, name, 0) == (1, 0)
    run(second)
    assert LogEntry.objects.filter(kind="paused").count() == 2
    assert LogEntry.objects.filter(kind="resumed").count() == 1
    for row in find_tasks()[2:]:
        run(row)
    assert LogEntry.objects.filter(kind="resumed").count() == 2


def test_an_anonymous_game_that_is_stopped_is_tried_again_for_a_day(watched):
    watched.agree(anonymous=True)
    name = watched.name_of("FRANCE")
    stop(watched)
    assert pause(watched, name) == (0, 0)
    run(find_tasks()[0])
    _, again = find_tasks()
    AuditEntry.objects.filter(act="paused").update(at=watched.now - 2 * DAY)
    run(again)
    assert len(find_tasks()) == 2
    stop(watched, stopped=False)
    run(again)
    assert LogEntry.objects.filter(kind="paused").count() == 1


def test_a_moderator_helps_no_rival_and_a_bad_form_changes_nothing(watched):
    name, rival = watched.name_of("FRANCE"), watched.name_of("ITALY")
    User.objects.filter(username=rival).update(moderator=True)
    for who, whom in (("ITALY", name), ("ITALY", rival), ("Mina", "Nobody"), ("Mina", "")):
        with pytest.raises(NoSuchPlayer):
            pause(watched, whom, who=who)
    with pytest.raises(Refused):
        pause(watched, name, 5)
    with pytest.raises(NoSuchCase):
        pause(watched, name, who="Sam")
    assert not AuditEntry.objects.exists()
    pause(watched, name)
    assert read_audit(Viewer(watched.user_id("ITALY"))) == ()
    assert len(read_audit(Viewer(watched.user_id("Mina")))) == 1


def test_a_moderator_who_plays_in_an_anonymous_game_pauses_nobody(watched):
    game = Game.objects.get()
    game.options = {**game.options.to_json(), "anonymous": True}
    game.save()
    User.objects.filter(pk=watched.user_id("ITALY")).update(moderator=True)
    User.objects.create_user("Sue")
    for name in ("Sue", watched.name_of("FRANCE")):
        with pytest.raises(Refused, match="who plays in yours"):
            pause(watched, name, who="ITALY")
    assert not AuditEntry.objects.exists()


def test_games_are_stopped_and_paused_with_plain_forms(watched):
    client, url = Client(), "/moderation/games/"
    client.force_login(User.objects.get(username="Mina"))
    page = client.get(f"{url}?game={watched.slug}").content.decode()
    assert f'value="{watched.slug}"' in page
    refused = client.post(url, {"act": "stop", "slug": "nothing", "reason": "<b>x"})
    assert refused.status_code == 404
    assert "&lt;b&gt;x" in refused.content.decode()
    address = f"https://games.example/games/{watched.slug}/"
    sent = {"act": "stop", "slug": address, "reason": "A report."}
    assert client.post(url, sent).status_code == 303
    assert watched.game.is_frozen
    assert watched.game.world in client.get(url).content.decode()
    assert "Stopped by a moderator" in client.get(f"/games/{watched.slug}/").content.decode()
    sent = {"act": "continue", "slug": watched.slug, "reason": "Nothing found."}
    assert client.post(url, sent).status_code == 303
    assert not watched.game.suspended_reason
    name = watched.name_of("FRANCE")
    for wrong in ({"act": "pause", "days": "x"}, {"act": "dance"}, {"act": "pause", "days": "0"}):
        assert client.post(url, {"name": name, "reason": "Ill.", **wrong}).status_code == 400
    sent = {"act": "pause", "name": name, "days": "7", "reason": "Ill."}
    assert client.post(url, sent).status_code == 303
    assert LogEntry.objects.filter(kind="paused").exists()
    client.force_login(User.objects.get(username="Sam"))
    assert client.get(url).status_code == 404
    assert client.post(url, sent).status_code == 404
    assert timezone.now() < watched.phase.due_at


def test_only_a_moderator_without_a_part_annuls_a_game_and_the_audit_says_why(watched):
    game = Game.objects.get(slug=watched.slug)
    Game.objects.filter(pk=game.pk).update(rated=True)
    annul = {"slug": watched.slug, "reason": "One person.", "now": watched.tick()}
    mina = watched.user_id("Mina")
    with pytest.raises(NoSuchGame):
        annul_game(user_id=mina, annulled=True, **annul)
    finish_game(Game.objects.get(pk=game.pk), Ending.of((), "agreed_draw"), watched.tick())
    with pytest.raises(NoSuchCase):
        annul_game(user_id=watched.user_id("AUSTRIA"), annulled=True, **annul)
    with pytest.raises(WrongMoment):
        annul_game(user_id=mina, annulled=False, **annul)
    for annulled in (True, False):
        annul_game(user_id=mina, annulled=annulled, **annul)
        assert Annulment.objects.filter(game=game).exists() == annulled
    acts = AuditEntry.objects.filter(game=game).order_by("pk").values_list("act", "detail")
    assert [act for act, _ in acts] == ["annulled", "rerated"]
    assert all(detail.endswith("One person.") for _, detail in acts)
