"""Game master actions over the API: the same ones as on the pages, with the same limits."""

import pytest
from tests.api.calls import problem_of
from tests.games.steps import due, save

from diplomaccloud.games.table.log_models import LogEntry
from diplomaccloud.games.table.models import Game, Seat
from diplomaccloud.games.table.phase_models import Phase
from diplomaccloud.games.votes.models import Vote

REASON = "Because of the storm."


@pytest.fixture
def act(program, table):
    """A function that lets the game master act, and returns the answer."""
    charlie = program("charlie")

    def call(name, *, key="", who=charlie, phase=1, **more):
        body = {"phase": phase, "reason": REASON, **more}
        return who.post(f"/games/{table.slug}/master/{name}", body, key=key)

    return call


def test_a_deadline_is_moved_once_for_a_key(act, table):
    before = Phase.objects.get().due_at
    answer = act("extend", seconds=3600, key="k")
    assert answer.json() == {"done": True, "asked": False}, answer.content
    assert act("extend", seconds=3600, key="k").json() == answer.json()
    assert (Phase.objects.get().due_at - before).total_seconds() == 3600
    assert LogEntry.objects.filter(reason=REASON).exists()
    assert act("pause", seconds=3600).status_code == 200
    assert act("resume").status_code == 200


def test_a_phase_is_ended_rolled_back_and_restored(act, table):
    save(table, "alice", "A VIE - GAL")
    assert act("end-phase").status_code == 200
    assert Phase.objects.get(sequence=1).processed_at is not None
    assert act("roll-back", phase=2, to=1).json()["done"]
    newest = Phase.objects.filter(superseded_at=None).latest("sequence").sequence
    assert act("roll-forward", phase=newest).json()["done"]
    problem_of(act("end-phase"), "phase-over", 409)


def test_a_player_is_reprimanded_removed_and_replaced(act, table):
    assert act("reprimand", power="AUSTRIA").status_code == 200
    assert act("remove", power="AUSTRIA").status_code == 200
    assert Seat.objects.get(power="AUSTRIA").user_id is None
    problem_of(act("seat-bot", power="AUSTRIA", bot="no such"), "refused", 422)
    assert act("seat-bot", power="AUSTRIA", bot="hold").status_code == 200
    assert Seat.objects.get(power="AUSTRIA").bot == "hold"


@pytest.mark.parametrize("who", ["charlie", "alice"])
@pytest.mark.parametrize(
    ("name", "sent", "field"),
    [
        ("extend", {"reason": " "}, "reason"),
        ("end-phase", {"reason": "x" * 401}, "reason"),
        ("extend", {}, "seconds"),
        ("remove", {"power": "ATLANTIS"}, "power"),
        ("seat-bot", {"power": "ATLANTIS", "bot": "hold"}, "power"),
        ("seat-bot", {"power": "AUSTRIA", "bot": "no such"}, "bot"),
    ],
)
def test_a_refusal_names_the_value_at_fault(act, program, table, who, name, sent, field):
    # Alice plays, so the same values are checked before the others vote.
    Game.objects.update(master=getattr(table, who))
    problem = problem_of(act(name, who=program(who), **sent), "refused", 422)
    assert [fault["field"] for fault in problem["errors"]] == [field]


def test_a_preview_without_a_reason_names_it(program, table):
    body = {"phase": 1, "reason": ""}
    answer = program("charlie").post(f"/games/{table.slug}/previews", body)
    assert problem_of(answer, "refused", 422)["errors"][0]["field"] == "reason"


def test_only_the_game_master_acts(act, program, table):
    for name in ("extend", "end-phase", "remove", "roll-back", "reprimand"):
        problem_of(act(name, who=program("alice")), "not-yours", 403)
    problem_of(act("extend", who=program("charlie", "play")), "scope", 403)
    problem_of(act("dance"), "invalid", 422)
    due(table)
    problem_of(act("extend", seconds=60), "phase-over", 409)


def test_a_game_master_who_plays_asks_the_others(act, program, table):
    Game.objects.update(master=table.alice)
    answer = act("end-phase", who=program("alice"))
    assert answer.json() == {"done": False, "asked": True}, answer.content
    assert Vote.objects.get().open
    assert Phase.objects.get(sequence=1).processed_at is None
    assert act("reprimand", who=program("alice"), power="TURKEY").json()["done"]


@pytest.mark.parametrize("cause", [{}, {"cause": "rudeness"}, {"cause": "abuse"}])
def test_a_game_master_who_plays_needs_a_cause_for_a_removal(act, program, table, cause):
    Game.objects.update(master=table.alice)
    answer = act("remove", who=program("alice"), power="TURKEY", **cause)
    problem = problem_of(answer, "refused", 422)
    assert [fault["field"] for fault in problem["errors"]] == ["cause"]
    assert not Vote.objects.exists()
