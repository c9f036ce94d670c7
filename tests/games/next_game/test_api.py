"""Next games over the HTTP API."""

from tests.api.calls import Program, problem_of, token_of

from diplomaccloud.games.next_game.models import NextGame


def program(hall, number):
    return Program(token_of(hall.people[number]))


def test_everyone_can_list_them(hall):
    hall.join(0, 1, 2, 3)
    (game,) = Program().get("/next-games").json()["games"]
    assert (game["game"], game["people"], game["seats"]) == (hall.game.slug, 4, 7)
    assert game["until"]
    assert not game["you"]
    (own,) = program(hall, 3).get("/next-games").json()["games"]
    assert (own["you"], own["confirmed"]) == (True, True)


def test_the_last_confirmation_starts_the_game(hall):
    hall.join(0, 1, 2, 3, 4, 5, 6)
    hall.confirm(0, 1)
    NextGame.objects.update(due_at=hall.now.replace(year=2999))
    path = f"/games/{hall.game.slug}/seat/confirmation"
    assert program(hall, 2).put(path, {}).json()["status"] == "running"


def test_two_can_start_with_bots(hall):
    hall.join(0, 1)
    path = f"/games/{hall.game.slug}/seat/confirmation"
    problem_of(program(hall, 0).put(path, {}), "wrong-moment", 409)
    states = [program(hall, number).put(path, {"bots": True}).json() for number in (0, 1)]
    assert [state["status"] for state in states] == ["forming", "running"]


def test_joining_or_confirming_as_the_muster_ends_is_refused_by_its_name(hall):
    hall.join(0, 1, 2, 3)
    NextGame.objects.update(due_at=hall.now.replace(year=2020))
    path = f"/games/{hall.game.slug}"
    joined = problem_of(program(hall, 4).post(f"{path}/seats", {}), "wrong-moment", 409)
    assert joined["detail"].startswith("The muster of this game has just ended.")
    confirmed = problem_of(program(hall, 0).put(f"{path}/seat/confirmation", {}), "phase-over", 409)
    assert confirmed["detail"].startswith("The muster ended at ")
    assert hall.seated() == {0, 1, 2, 3}
