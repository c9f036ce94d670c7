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
