"""The pages on which a game master who plays asks the players, and they answer."""

import pytest
from django.utils import timezone
from tests.games.browsing import Browser
from tests.games.cast_pages import life, log_of
from tests.games.steps import ballot, call_vote, due, phase

from diplomaccloud.games.seats.actions import resign
from diplomaccloud.games.table.models import Game, Seat
from diplomaccloud.games.table.phase_models import Attendance
from diplomaccloud.games.turn import claims
from diplomaccloud.games.votes.models import Vote
from diplomaccloud.games.votes.wording import Question, Terms, describe_question

HEADING = "What the game master of this game may do"


@pytest.fixture
def playing(cast):
    """The running game of Alice, who is its game master, and Bob."""
    Game.objects.update(master_id=cast.alice)
    return cast


def test_the_master_asks_and_the_player_answers(playing):
    master, player = Browser(playing.client("alice")), Browser(playing.client("bob"))
    master.open(playing.url("master/"))
    assert "Ask the players to end the phase" in master.text
    assert "End phase now" not in master.text
    master.send("master/end-phase/", reason="Bob wrote to me.")
    assert master.messages[0].startswith("The other players have been asked.")
    asked = describe_question(Question.END_PHASE, Terms(), str)
    assert [line.text for line in log_of(playing).lines] == [
        f"The game master asked the other players to vote: {asked}."
    ]
    ((_, question),) = master.shown.context["master"].requests
    assert (question.agreed, question.asked, question.needed) == (0, 1, 1)
    assert (question.may_vote, question.may_withdraw) == (False, True)
    assert "You cannot vote on this." in master.text
    player.open(playing.url())
    assert "Asked by the game master: “Bob wrote to me.”" in player.words
    player.send("votes/answer/", button=("answer", "yes"))
    assert player.messages == ["The vote passed."]
    assert phase().sequence == 2


def test_nobody_missed_a_phase_that_was_ended_by_force(playing):
    master, player = Browser(playing.client("alice")), Browser(playing.client("bob"))
    for _ in range(3):
        master.open(playing.url("master/"))
        master.send("master/end-phase/", reason="Bob wrote to me.")
        player.open(playing.url())
        player.send("votes/answer/", button=("answer", "yes"))
    assert phase().sequence == 4
    assert set(Attendance.objects.values_list("ordered", "excused")) == {(False, True)}
    assert Seat.objects.filter(user=playing.bob).exists()
    due(playing)
    assert Attendance.objects.filter(ordered=False, excused=False).exists()


def test_the_master_reads_whether_the_phase_is_over_or_only_closed(table, monkeypatch):
    master = Browser(table.client("charlie"))
    master.open(table.url("master/"))
    master.send("master/end-phase/", reason="Now.")
    assert master.messages == ["Phase ended."]
    # As if a bot were still thinking.
    monkeypatch.setattr(claims, "advance", lambda **_: 0)
    master.send("master/end-phase/", reason="Now.")
    (message,) = master.messages
    assert "results will follow" in message


def test_the_same_form_sent_twice_asks_once(playing):
    master = Browser(playing.client("alice"))
    master.open(playing.url("master/"))
    assert master.send("master/end-phase/", reason="Now.") == 303
    master.open(playing.url("master/"))
    assert master.send("master/end-phase/", reason="Now.") == 409
    assert "already open" in master.text
    assert Vote.objects.count() == 1


@pytest.mark.parametrize(
    ("form", "where", "values"),
    [
        ("master/time/", {"question": "extend"}, {"length": "86400"}),
        ("master/time/", {"question": "pause"}, {"length": "86400"}),
        ("master/roll-back/", {}, {}),
    ],
)
def test_every_form_asks(playing, form, where, values):
    due(playing)
    master = Browser(playing.client("alice"))
    master.open(playing.url("master/"))
    assert master.send(form, where=where, reason="Because.", **values) == 303
    assert Vote.objects.get().by_master
    assert master.forms("votes/answer/")
    assert master.send("votes/answer/", button=("answer", "withdraw")) == 303
    assert Vote.objects.get().outcome == "withdrawn"


def test_a_creator_who_plays_asks_for_a_bot_on_the_game_s_page(cast):
    Seat.objects.filter(power="ITALY").update(user=cast.charlie, bot="")
    resign(slug=cast.slug, user_id=cast.bob, now=timezone.now())
    creator = Browser(cast.client("alice"))
    creator.open(cast.url())
    assert life(cast, "alice").asks_players
    assert "Assign bot" not in creator.text
    creator.send("bot/", power="TURKEY", bot="hold", reason="Nobody came.")
    voter = Browser(cast.client("charlie"))
    voter.open(cast.url())
    assert "Asked by the creator of the game: “Nobody came.”" in voter.words
    voter.send("votes/answer/", button=("answer", "yes"))
    assert Seat.objects.get(power="TURKEY").bot == "hold"


def test_a_finished_game_shows_the_question_to_continue(playing):
    due(playing)
    ballot(playing, "bob", call_vote(playing, "alice", "cancel"))
    assert life(playing, "bob").votes is None
    master, player = Browser(playing.client("alice")), Browser(playing.client("bob"))
    master.open(playing.url("master/"))
    master.send("master/roll-back/", reason="We were hasty.")
    player.open(playing.url())
    assert "Go back to the start of Spring 1901" in player.text
    # The answer is another page, so nothing is swapped into this one.
    assert "hx-target" not in player.text.partition('id="votes"')[2].partition("<h2")[0]
    player.send("votes/answer/", button=("answer", "yes"))
    assert Game.objects.get().status == "running"


@pytest.mark.parametrize("who", ["alice", "bob", "charlie", "nobody"])
@pytest.mark.parametrize(
    ("option", "master", "text"),
    [
        ("software", None, "The site runs the game."),
        ("creator", "charlie", "The game master does not play and may, without a vote,"),
        ("playing", "alice", "only if the other players agree in a vote"),
    ],
)
def test_people_read_before_joining_what_the_master_may_do(
    forming, agree, who, option, master, text
):
    agree(master=option)
    Game.objects.update(master_id=forming.user_id(master) if master else None)
    for path in ("", "rules/"):
        page = forming.client(who).get(forming.url(path)).content.decode()
        assert page.count(f">{HEADING}</h2>") == 1
        assert text in page
