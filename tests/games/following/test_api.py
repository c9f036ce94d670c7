"""Following over the API."""

import pytest
from tests.api.calls import Program, problem_of, token_of

from diplomaccloud.games.following import wording


@pytest.fixture
def charlie(cast):
    return Program(token_of(cast.charlie))


def test_a_player_and_a_game_are_followed_and_unfollowed(cast, charlie):
    game = f"/games/{cast.slug}/follow"
    assert [row["name"] for row in charlie.put("/people/Bob/follow").json()["people"]] == ["Bob"]
    assert [row["game"] for row in charlie.put(game).json()["games"]] == [cast.slug]
    answer = charlie.get("/me/following").json()
    assert (len(answer["people"]), len(answer["games"]), answer["others_may_follow"]) == (
        1,
        1,
        True,
    )
    charlie.call("DELETE", "/people/Bob/follow")
    assert charlie.call("DELETE", game).json()["games"] == []
    assert charlie.get("/me/following").json()["people"] == []
    assert Program(token_of(cast.bob)).get("/me/following").json()["people"] == []


def test_refusals_say_why(cast, charlie):
    own = problem_of(charlie.put("/people/Charlie/follow"), "refused", 422)
    assert own["detail"] == wording.NOT_YOURSELF
    bob = Program(token_of(cast.bob))
    assert bob.put("/me/followers", {"allowed": False}).json()["others_may_follow"] is False
    refused = problem_of(charlie.put("/people/Bob/follow"), "refused", 422)
    assert refused["detail"] == wording.REFUSES.format(name="Bob")
    problem_of(charlie.put("/games/bbbbbbbbbb/follow"), "not-found", 404)
    problem_of(charlie.call("DELETE", "/games/bbbbbbbbbb/follow"), "not-found", 404)
    assert Program().put("/people/Bob/follow").status_code == 401
